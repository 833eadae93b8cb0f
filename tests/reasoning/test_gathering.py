"""What the slice must hold: evidence that a rule reaches only through `=`, or through a class that
the rule file doesn't name."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
import pytest

from kgverify.reasoning.gathering import Bag
from kgverify.reasoning.layers import Ids
from tests.reasoning.small import ask, graph

ENGINES = ["slice", "reference"]

EQUAL = """
class Thing, Other
relation p (Other, Other)
relation r (Other, Other)
relation q (Thing, Thing)
q(X, Y) :- p(X, Z), Z = W, V = W, r(V, Y).
question ask(a: Thing)
    "Which?"
    answer x : Thing
    require q(a, x)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_values_flow_over_equations(engine: str) -> None:
    kg = graph("ann p bob\n bob r cid\n ann r dot\n cid type Thing\n dot type Thing")
    found = ask(EQUAL, kg, "ask", "cid", "dot", engine=engine, a="ann")
    assert {name: v.verdict for name, v in found.items()} == {"cid": "sat", "dot": "unk"}


FREE = """
class Beta
class Alpha
relation near (Beta, Beta)
relation lucky (Beta, Beta)
lucky(X, Y) :- near(X, Y), Z : Alpha.
question ask(a: Beta)
    "Which?"
    answer x : Beta
    require lucky(a, x)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_members_of_unnamed_classes_are_found_when_any_member_will_do(engine: str) -> None:
    facts = "ann near bob\n zoe type Low\n Low subclass Middle\n"
    linked = graph(facts + "Middle subclass Alpha")
    assert ask(FREE, linked, "ask", "bob", engine=engine, a="ann")["bob"].verdict == "sat"
    apart = graph(facts)
    assert ask(FREE, apart, "ask", "bob", engine=engine, a="ann")["bob"].verdict == "unk"


BACKWARDS = """
class Thing
relation near (Thing, Thing)
question ask(a: Thing)
    "Which?"
    answer x : Thing
    require ^near(x, a)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_relation_read_backwards_has_its_terms_the_other_way_round(engine: str) -> None:
    kg = graph("ann near bob\n cid near ann\n cid type Thing")
    found = ask(BACKWARDS, kg, "ask", "bob", "cid", engine=engine, a="ann")
    assert {name: v.verdict for name, v in found.items()} == {"bob": "sat", "cid": "unk"}


MEMBERS = """
class Thing, Alpha
relation near (Thing, Thing)
relation good (Thing, Thing)
relation lucky (Thing, Thing)
lucky(X, Y) :- near(X, Y), Z : Alpha, good(Z, Z).
question ask(a: Thing)
    "Which?"
    answer x : Thing
    require lucky(a, x)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_the_members_of_a_class_flow_on(engine: str) -> None:
    kg = graph("ann near bob\n bob type Thing\n zoe type Alpha\n yan type Alpha\n yan good yan")
    assert ask(MEMBERS, kg, "ask", "bob", engine=engine, a="ann")["bob"].verdict == "sat"


TYPED = """
class Thing, Alpha, Beta
relation near (Thing, Thing)
relation r (Thing, Thing)
relation s (Thing, Thing)
r(X, Y) :- near(X, Z), near(Z, Y), Z : Alpha, Y : Beta.
question ask(a: Thing)
    "Which?"
    answer x : Thing
    require r(a, x)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_types_are_those_of_the_things_asked_about(engine: str) -> None:
    facts = "ann near zoe\n zoe near bob\n zoe type Alpha\n bob type Thing\n"
    kg = graph(facts + "bob type Beta")
    assert ask(TYPED, kg, "ask", "bob", engine=engine, a="ann")["bob"].verdict == "sat"
    assert ask(TYPED, graph(facts), "ask", "bob", engine=engine, a="ann")["bob"].verdict == "unk"


def test_a_bag_holds_and_passes_on_what_is_put_in() -> None:
    queue: deque[tuple[Callable[[Ids], None], Ids]] = deque()
    bag, heard = Bag(queue), list[int]()
    bag.listen(lambda new: heard.extend(new.tolist()))
    for ids in ([0, 3], [0, 2, 3]):
        bag.add(np.array(ids, np.int64))
    bag.listen(lambda all_: heard.extend(all_.tolist()))
    for listener, ids_ in queue:
        listener(ids_)
    assert heard == [0, 3, 2, 0, 2, 3]
    assert bag.values.tolist() == [0, 2, 3]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_transitive_relation_read_backwards_is_its_own_closure(engine: str) -> None:
    """One or more steps back are one step back, of the relation itself."""
    rules = BACKWARDS.replace("near (Thing, Thing)", "near (Thing, Thing) transitive")
    rules = rules.replace("^near(x, a)", "^near+(x, a)")
    kg = graph("ann near bob\n bob near dan\n cid near ann\n cid type Thing")
    found = ask(rules, kg, "ask", "bob", "dan", "cid", engine=engine, a="ann")
    verdicts = {name: v.verdict for name, v in found.items()}
    assert verdicts == {"bob": "sat", "dan": "sat", "cid": "unk"}
