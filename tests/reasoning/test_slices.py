"""What a slice holds, for rules written down one by one: all that they reach, and nothing that
they don't ask for where asking less is cheap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.datalog import Atom, Compare, Rule, Variable
from kgverify.reasoning.deciding import whole_graph
from kgverify.reasoning.gathering import Gatherer, GoalName, Slice, evidence_key
from kgverify.reasoning.knowledge import SUBCLASS, TYPE, Knowledge
from kgverify.reasoning.layers import Ids
from kgverify.reasoning.solver import read_rules
from tests.reasoning.small import dated, graph

SCHEMA = """
class Alpha, Beta, Gamma
relation p (Alpha, Alpha)
relation q (Alpha, Alpha)
relation r (Alpha, Alpha)
"""
PEOPLE = ("ann", "bob", "cid", "dan", "eve")
EVERY_PAIR = "\n".join(
    f"{one} {relation} {other}" for relation in "pqr" for one in PEOPLE for other in PEOPLE
)


def known(kg: Graph | str, rules: str = SCHEMA) -> Knowledge:
    return Knowledge(graph(kg) if isinstance(kg, str) else kg, load_rules_text(rules))


def ids(knowledge: Knowledge, names: str) -> Ids:
    return np.array([knowledge.term("e" + name) for name in names.split()], np.int64)


def rules_of(knowledge: Knowledge, text: str) -> list[Rule]:
    """Rules as in an encoding; `@bob` is the id of bob."""
    return read_rules(re.sub(r"@(\w+)", lambda m: str(knowledge.term("e" + m[1])), text))


def gathered(
    knowledge: Knowledge, rules: str, *asked: str, touched: str = "", partly: str = ""
) -> Slice:
    """The slice of what is asked, each as `predicate name subjects | objects`."""
    gatherer = Gatherer(knowledge, rules_of(knowledge, rules), rules_of(knowledge, partly))
    for question in asked:
        predicate, name, terms = question.split(maxsplit=2)
        gatherer.ask((predicate, name), *(ids(knowledge, part) for part in terms.split("|")))
    if touched:
        predicate, name, terms = touched.split(maxsplit=2)
        gatherer.touch((predicate, name), *(ids(knowledge, part) for part in terms.split("|")))
    return gatherer.run()


def names(knowledge: Knowledge, columns: Iterable[Ids]) -> str:
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return ", ".join(sorted(" ".join(map(knowledge.label, row)) for row in rows))


def facts(knowledge: Knowledge, slice_: Slice, denied: bool = False) -> dict[str, str]:
    side = slice_.denied if denied else slice_.triples
    found = {name: names(knowledge, pair) for name, pair in side.items() if name != SUBCLASS}
    return {name: text for name, text in found.items() if text}


def modes(slice_: Slice, relation: str) -> set[str]:
    return {name.mode for name in slice_.goals if name.key[1] == relation}


def all_of(*given_: str) -> str:
    """Every pair of these subjects and these objects; `*` for everybody."""
    pairs: set[str] = set()
    for sides in given_:
        left, right = (PEOPLE if s == "*" else s.split() for s in sides.split("|"))
        pairs |= {f"{one} {other}" for one, other in product(left, right)}
    return ", ".join(sorted(pairs))


# ---------------------------------------------------------------- rules of relations


@pytest.mark.parametrize(
    ("rules", "p", "q"),
    [
        # Both known; the subject; the object; the one that is known by then; none.
        ("for(v,X,Y) :- for(p,X,Y).", "ann|bob", ""),
        ("for(v,X,Y) :- for(p,Y,X).", "bob|ann", ""),
        ("for(v,X,Y) :- for(p,X,Z), for(q,Z,X).", "ann|*", "*|ann"),
        ("for(v,X,Y) :- for(p,Z,X), for(q,X,Z).", "*|ann", "ann|*"),
        ("for(v,X,Y) :- for(p,Z,W), for(q,W,Z).", "*|*", "*|*"),
        ("for(v,X,Y) :- for(p,Z,Z), for(q,X,Z).", "*|*", "ann|*"),
        # What is known is looked up first, wherever it stands.
        ("for(v,X,Y) :- for(p,Z,@cid), for(q,X,Y), Z != X.", "*|cid", "ann|bob"),
        # A term of the rule itself, in the body, the head, or a comparison.
        ("for(v,X,Y) :- for(p,@cid,X), for(q,@dan,@eve).", "cid|ann", "dan|eve"),
        ("for(v,X,@bob) :- for(p,X,@bob).", "ann|bob", ""),
        ("for(v,X,@dan) :- for(p,X,@dan).", "ann|dan", ""),
        ("for(v,X,Y) :- for(p,X,Z), Z = @cid, for(q,Z,Y).", "ann|cid", "cid|bob"),
        ("for(v,X,Y) :- for(p,X,Z), @cid = Z, for(q,Z,Y).", "ann|cid", "cid|bob"),
        ("for(v,X,Y) :- for(p,X,W), U = Z, Z = W, @cid = U.", "ann|cid", ""),
        ("for(v,X,Y) :- for(p,X,Z), Z != @cid, for(q,Z,Y).", "ann|*", "*|bob"),
        ("for(v,X,Y) :- for(p,X,Z), Z = W, W = U, for(q,U,Y), U = X.", "ann|ann", "ann|bob"),
        ("for(v,X,Y) :- for(w,X,Z), for(q,Z,Y). for(w,X,U) :- for(p,X,Z), Z=U.", "ann|*", "*|bob"),
        # What is absent, or refutes, gives no term a value and comes last.
        ("for(v,X,Y) :- not for(p,X,Z), for(q,X,Z).", "ann|*", "ann|*"),
        ("for(v,X,Y) :- not for(p,X,Y), not for(q,Y,X).", "ann|bob", "bob|ann"),
        # A count looks at what it counts.
        ("for(v,X,Y) :- 2 <= #count { Z : for(p,X,Z) }, for(q,X,Y).", "ann|*", "ann|bob"),
        # Rules below rules, and round about.
        ("for(v,X,Y) :- for(w,X,Y). for(w,X,Y) :- for(p,Y,X).", "bob|ann", ""),
        ("for(v,X,Y):-for(w,X,Z),for(q,Z,Y). for(w,X,@cid) :- for(p,X,X).", "ann|ann", "cid|bob"),
        # What says only which atoms matter gives nothing a value, and isn't looked up.
        ("for(v,X,Y) :- want(v,X,Y), for(p,X,Y).", "ann|bob", ""),
        ("for(v,X,Y) :- entity(Z), for(p,X,Y).", "ann|bob", ""),
        # Of a relation that no rule of the question leads to, nothing.
        ("against(v,X,Y) :- for(q,X,Y). for(v,X,Y) :- for(p,X,Y).", "ann|bob", ""),
    ],
)  # fmt: skip
def test_a_slice_holds_what_the_rules_ask_for(rules: str, p: str, q: str) -> None:
    knowledge = known(EVERY_PAIR)
    found = facts(knowledge, gathered(knowledge, rules, "for v ann|bob"))
    expected = {"p": all_of(p), "q": all_of(q) if q else ""}
    assert found == {name: text for name, text in expected.items() if text}


@pytest.mark.parametrize(
    ("rules", "mode"),
    [
        ("for(v,X,Y) :- for(p,X,Y).", "bb"),
        ("for(v,X,Y) :- for(p,X,Z).", "b-"),
        ("for(v,X,Y) :- for(p,Z,Y).", "-b"),
        ("for(v,X,Y) :- for(p,X,Z), for(q,Z,Y).", "bf"),
        ("for(v,X,Y) :- for(p,X,Z), Z != Y.", "bf"),
        ("for(v,X,Y) :- for(p,Z,W).", "ff"),
        ("for(v,X,Y) :- want(p,X,Z), for(p,X,Z).", "b-"),
        ("for(v,X,Y) :- seek(Z), for(p,X,Z).", "b-"),
        ("for(v,X,Y) :- 1 <= #count { Z : for(p,X,Z) }.", "bf"),
        # Whether there is any counterpart is handed down to the rules that say so.
        ("for(v,X,Y) :- for(w,X,Z). for(w,X,Z) :- for(p,X,Z).", "b-"),
        ("for(v,X,Y) :- for(w,X,Z). for(w,X,Z) :- for(p,X,Z), for(q,Z,Z).", "bf"),
        ("for(v,X,Y) :- for(w,X,Z), for(q,Z,Y). for(w,X,Z) :- for(p,X,Z).", "bf"),
        ("for(v,X,Y) :- for(w,Z,Y). for(w,Z,Y) :- for(p,Y,Z).", "b-"),
        ("for(v,X,Y) :- for(w,X,Z). for(w,X,X) :- for(p,X,Z).", "b-"),
    ],
)
def test_an_open_place_is_asked_for_as_little_as_may_be(rules: str, mode: str) -> None:
    knowledge = known(EVERY_PAIR)
    assert modes(gathered(knowledge, rules, "for v ann|bob"), "p") == {mode}


def test_whether_there_is_a_counterpart_takes_few_facts() -> None:
    knowledge = known(EVERY_PAIR)
    for rule, side in (("for(p,X,Z)", 0), ("for(p,Z,X)", 1)):
        pair = gathered(knowledge, f"for(v,X,Y) :- {rule}.", "for v ann|bob").triples["p"]
        assert pair[side].tolist() == [knowledge.term("eann")]


def test_refuting_facts_are_looked_up_among_the_denied() -> None:
    knowledge = known("ann p bob\n not ann p cid\n not bob p cid")
    slice_ = gathered(knowledge, "for(v,X,Y) :- against(p,X,Z), for(p,X,Y).", "for v ann|bob")
    assert facts(knowledge, slice_) == {"p": "ann bob"}
    assert facts(knowledge, slice_, denied=True) == {"p": "ann cid"}
    assert len(slice_) == 2


# ---------------------------------------------------------------- questions


def test_the_pairs_of_questions_are_not_mixed() -> None:
    knowledge = known(EVERY_PAIR + "\n not dan p dan")
    slice_ = gathered(knowledge, "", "for p ann bob|bob ann", "against p dan dan|dan cid")
    assert facts(knowledge, slice_) == {"p": "ann bob, bob ann"}
    assert facts(knowledge, slice_, denied=True) == {"p": "dan dan"}
    goal = slice_.goals[GoalName(("for", "p"), "bb", wanted=True)]
    assert [column.tolist() for column in goal] == [sorted(ids(knowledge, "ann bob"))] * 2


def test_rules_speak_for_what_is_asked_beside_what_is_stated() -> None:
    """What rules ask for comes in sets: who is a subject, and who is an object."""
    knowledge = known(EVERY_PAIR)
    rules = "for(p,X,Y) :- for(q,Y,X)."
    slice_ = gathered(knowledge, rules, "for p ann cid|bob dan")
    assert facts(knowledge, slice_) == {"p": "ann bob, cid dan", "q": all_of("bob dan|ann cid")}


@pytest.mark.parametrize(
    ("asked", "rules", "found"),
    [
        ("for p ann|bob", "for(p,X,Y) :- for(q,X,Y).", "ann bob"),
        ("for v ann|bob", "for(v,X,Y) :- for(q,X,Y).", "ann bob"),
        ("for w ann|bob", "for(v,X,Y) :- for(q,X,Y).", ""),  # `w` leads on to `v` only by a rule
        ("is_a Alpha ann", 'is_a(X,"Alpha") :- for(q,X,X).', "ann ann"),
        ("is_a Beta ann", 'is_a(X,"Alpha") :- for(q,X,X).', ""),
    ],
)
def test_rules_without_conditions_serve_questions_only(asked: str, rules: str, found: str) -> None:
    knowledge = known(EVERY_PAIR)
    leads_on = 'for(w,X,Y) :- for(v,X,Y). is_a(X,"Beta") :- is_a(X,"Alpha").'
    slice_ = gathered(knowledge, leads_on, asked, partly=rules)
    assert facts(knowledge, slice_).get("q", "") == found


# ---------------------------------------------------------------- classes

CLASSES = (
    "ann type Low\n Low subclass Alpha\n Alpha subclass Beta\n bob type Beta\n cid type Gamma\n"
)


def test_the_types_of_all_that_are_asked_about_and_rules_for_those_not_settled() -> None:
    knowledge = known(CLASSES + EVERY_PAIR)
    rules = """
    is_a(X,"Beta") :- for(p,X,@eve).  is_a(X,"Alpha") :- for(q,X,@eve).
    is_a(X,"Gamma") :- for(r,X,@eve).
    """
    slice_ = gathered(knowledge, rules, "is_a Beta ann bob cid dan")
    assert facts(knowledge, slice_) == {
        TYPE: "ann Low, bob Beta, cid Gamma",
        "p": all_of("cid dan|eve"),
        "q": all_of("cid dan|eve"),
    }
    assert names(knowledge, slice_.triples[SUBCLASS]) == "Alpha Beta, Low Alpha"
    assert facts(knowledge, gathered(knowledge, rules, "is_a Alpha ann bob")) == {
        TYPE: "ann Low, bob Beta",
        "q": all_of("bob|eve"),
    }


def test_all_members_of_a_class_and_what_else_makes_members() -> None:
    more = "eve q dan\n dan p dan\n eve p dan\n cid p dan\n cid q cid\n"
    knowledge = known(CLASSES + more + "\n".join(f"{who} r ann" for who in PEOPLE))
    rules = """
    for(v,X,Y) :- is_a(Z,"Beta"), not for(r,Z,X).
    is_a(X,"Alpha") :- for(q,@eve,X), for(p,X,@dan).
    """
    assert facts(knowledge, gathered(knowledge, rules, "for v ann|bob")) == {
        TYPE: "ann Low, bob Beta",
        "q": "eve dan",
        "p": "dan dan",
        "r": all_of("ann bob dan|ann"),
    }


def test_a_rule_asks_for_members_among_the_known() -> None:
    knowledge = known(CLASSES + EVERY_PAIR)
    rule = 'for(v,X,Y) :- for(p,X,Z), is_a(Z,"Beta"), for(q,Z,Y), Z = @bob.'
    slice_ = gathered(knowledge, rule, "for v ann|bob")
    assert facts(knowledge, slice_) == {TYPE: "bob Beta", "p": "ann bob", "q": "bob bob"}


def test_what_refutes_a_class_above_refutes() -> None:
    knowledge = known(CLASSES + EVERY_PAIR + "\n not dan type Beta\n not eve type Beta")
    rules = """
    isnt_a(X,"Beta") :- for(p,X,@eve).  isnt_a(X,"Alpha") :- for(q,X,@eve).
    isnt_a(X,"Gamma") :- for(r,X,@eve).
    """
    slice_ = gathered(knowledge, rules, "isnt_a Alpha dan")
    assert facts(knowledge, slice_) == {"p": "dan eve", "q": "dan eve"}
    assert facts(knowledge, slice_, denied=True) == {TYPE: "dan Beta"}
    above = gathered(knowledge, rules, "isnt_a Beta dan")
    assert facts(knowledge, above) == {"p": "dan eve"}


def test_the_types_of_the_same_entities_are_fetched_once() -> None:
    knowledge = known("ann type Alpha")
    fetched: list[list[int]] = []
    look_up = knowledge.facts.from_subjects

    def counted(relation: str, subjects: Ids) -> tuple[Ids, Ids]:
        if relation == TYPE:
            fetched.append(subjects.tolist())
        return look_up(relation, subjects)

    knowledge.facts.from_subjects = counted  # type: ignore[method-assign]
    rules = 'for(v,X,Y) :- is_a(X,"Alpha"), is_a(X,"Beta"), is_a(X,"Gamma").'
    gathered(knowledge, rules, "for v ann bob|cid dan")
    assert fetched == [sorted(ids(knowledge, "ann bob").tolist())]


# ---------------------------------------------------------------- completions, blanks and periods


def test_what_may_be_true_is_what_is_stated_and_what_is_touched() -> None:
    knowledge = known("ann p bob\n bob q bob\n cid q cid\n dan q dan")
    rules = "touch(v,X,Y) :- may(p,X,Z), for(q,Z,Z)."
    slice_ = gathered(knowledge, rules, touched="touch v ann|bob")
    assert facts(knowledge, slice_) == {"p": "ann bob", "q": "bob bob"}
    led = rules + "touch(p,X,Y) :- for(r,X,Y)."
    knowledge = known("ann p bob\n bob q bob\n cid q cid\n dan q dan\n ann r cid\n ann r ann")
    gatherer = Gatherer(knowledge, rules_of(knowledge, led))
    gatherer.touch(("touch", "v"), ids(knowledge, "ann"), ids(knowledge, "bob"))
    gatherer.touch(("touch", "p"), ids(knowledge, "ann"), ids(knowledge, "cid"))
    found = facts(knowledge, gatherer.run())
    assert found == {"p": "ann bob", "q": "bob bob, cid cid", "r": "ann cid"}


def test_what_may_be_a_member_is_what_is_one_and_what_is_touched() -> None:
    knowledge = known(CLASSES + EVERY_PAIR)
    rules = """
    touch(v,X,Y) :- may_a(Z,"Gamma"), not for(p,Z,X).
    touch_a(X,"Beta") :- for(q,X,X).
    touch_a(X,"Alpha") :- for(r,X,X).
    """
    gatherer = Gatherer(knowledge, rules_of(knowledge, rules))
    gatherer.touch(("touch", "v"), ids(knowledge, "ann"), ids(knowledge, "bob"))
    gatherer.touch(("touch_a", "Gamma"), ids(knowledge, "eve"))
    gatherer.touch(("touch_a", "Alpha"), ids(knowledge, "dan"))
    found = facts(knowledge, gatherer.run())
    assert found == {TYPE: "cid Gamma", "p": "cid ann, eve ann", "q": "dan dan", "r": "dan dan"}


@pytest.mark.parametrize(
    ("known_", "mode", "p"),
    [
        ("X,Y", "bb", "ann bob"),
        ("X,Z", "bf", "ann bob, ann cid"),
        ("Z,Y", "fb", "ann bob, dan bob"),
    ],
)
def test_what_may_be_is_asked_of_the_known(known_: str, mode: str, p: str) -> None:
    knowledge = known("ann p bob\n ann p cid\n dan p bob\n eve p eve")
    rules = f"touch(v,X,Y) :- may(p,{known_}), entity(Z), Z != X, Z != Y."
    slice_ = gathered(knowledge, rules, touched="touch v ann|bob")
    assert facts(knowledge, slice_) == {"p": p}
    assert GoalName(("for", "p"), mode, apart=True) in slice_.goals
    assert GoalName(("for", "p"), mode) not in slice_.goals


def test_blank_terms_are_known() -> None:
    knowledge = known("ann p _:x\n _:x p bob\n ann p cid")
    rules = "for(v,X,Y) :- blank(Z), for(p,X,Z)."
    slice_ = gathered(knowledge, rules, "for v ann|bob")
    assert modes(slice_, "p") == {"bb"}
    ((_, objects),) = (slice_.triples["p"],)
    assert objects.tolist() == knowledge.blanks.tolist()
    assert facts(
        knowledge, gathered(knowledge, "for(v,X,Y) :- for(p,X,Y), entity(Y).", "for v ann|cid")
    ) == {"p": "ann cid"}


TIMED = (
    "ann p bob 1990 1995\n ann p bob 2000 2001 deprecated\n ann p cid\n dan p bob 1990\n dan p dan"
)


@pytest.mark.parametrize(
    ("terms", "kept"),
    [("X,Y", "ann bob"), ("X,Z", "ann bob, ann cid"), ("Z,Y", "ann bob, dan bob")],
)
def test_periods_are_those_of_the_facts_that_match(terms: str, kept: str) -> None:
    knowledge = known(dated(TIMED))
    rules = f"for(v,X,Y) :- period(p,{terms},I), for(q,Z,I)."
    slice_ = gathered(knowledge, rules, "for v ann|bob")
    assert set(slice_.timed) == {"p"}
    subjects, objects, _ = slice_.timed["p"]
    assert ", ".join(sorted(set(names(knowledge, (subjects, objects)).split(", ")))) == kept
    every = {
        row
        for row in zip(*(c.tolist() for c in knowledge.timed("p", None, None)), strict=True)
        if names(knowledge, [np.array([id_]) for id_ in row[:2]]) in kept.split(", ")
    }
    assert rows(slice_.timed["p"]) == sorted(every)
    assert facts(knowledge, slice_) == {}


def rows(columns: tuple[Ids, ...]) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in columns), strict=True))


# ---------------------------------------------------------------- each fact once


def test_no_slice_holds_a_fact_twice() -> None:
    """… though the graph and the rule file both state it, or it is stated under several names."""
    rules = """
class Beta
class Alpha sub of Beta
relation p (Alpha, Alpha)
p(ann, bob).
ann : Alpha.
same bob, robert
"""
    knowledge = known(
        "ann p bob\n ann p robert\n ann p cid\n ann p ann\n cid near bob\n cid near robert\n"
        "ann type Alpha\n Alpha subclass Beta\n not bob p ann\n not robert p ann",
        rules,
    )
    ask_all = 'for(v,X,Y) :- period(p,X,Z,I), for(p,X,Z), against(p,Z,X), is_a(X,"Beta").'
    gathered_ = gathered(knowledge, ask_all, "for v ann|bob", "for p ann ann|bob bob")
    for slice_ in (gathered_, gathered_.among(knowledge), whole_graph(knowledge, ["p"])):
        assert set(slice_.timed) == {"p"}
        for side in (slice_.triples, slice_.denied, slice_.timed):
            for columns in side.values():
                assert len(rows(columns)) == len(set(rows(columns)))  # type: ignore[arg-type]
        assert names(knowledge, slice_.triples["p"]) == "ann ann, ann bob, ann cid"
        assert names(knowledge, slice_.denied["p"]) == "bob ann"
        assert names(knowledge, slice_.triples[SUBCLASS]) == "Alpha Beta"
        assert names(knowledge, slice_.timed["p"][:2]) == "ann ann, ann bob, ann cid"


def test_the_slice_without_what_other_knowledge_does_not_state() -> None:
    knowledge = known("ann p bob\n not bob p ann")
    term = {name: knowledge.term("e" + name) for name in PEOPLE}
    more = knowledge.supposing(
        [("for", "p", term["ann"], term["cid"]), ("against", "p", term["cid"], term["ann"])]
    )
    slice_ = gathered(more, "for(v,X,Y) :- for(p,X,Z), against(p,Z,X).", "for v ann|bob")
    assert len(slice_) == 4
    less = slice_.among(knowledge)
    assert facts(knowledge, less) == {"p": "ann bob"}
    assert facts(knowledge, less, denied=True) == {"p": "bob ann"}
    assert less.goals == slice_.goals
    assert len(less) == 2


def test_an_empty_slice() -> None:
    slice_ = gathered(known("ann p bob"), "", "for p ann|ann")
    assert len(slice_) == 0
    assert slice_.triples == slice_.timed == {}


# ---------------------------------------------------------------- brute force

VARIABLES = tuple(map(Variable, "XYZW"))
TERMS, ONE = st.sampled_from(VARIABLES), st.sampled_from(PEOPLE)
RELATIONS = st.sampled_from(["p", "q", "r", "v", "w"])
CLASS_NAMES = st.sampled_from(["Alpha", "Beta"])
ATOMS = st.one_of(
    st.builds(lambda r, x, y: Atom("for", (r, x, y)), RELATIONS, TERMS, TERMS),
    st.builds(lambda c, x: Atom("is_a", (x, c)), CLASS_NAMES, TERMS),
)
EQUATIONS = st.builds(Compare, TERMS, st.sampled_from(["=", "!="]), TERMS)
RULES = st.lists(
    st.builds(
        lambda head, body, equations: Rule(head, (*body, *equations)),
        ATOMS,
        st.lists(ATOMS, min_size=1, max_size=3),
        st.lists(EQUATIONS, max_size=2),
    ),
    max_size=5,
)
WORLDS = st.lists(
    st.one_of(
        st.builds("{} {} {}".format, ONE, st.sampled_from("pqr"), ONE),
        st.builds("{} type {}".format, ONE, st.sampled_from(["Alpha", "Low"])),
    ),
    max_size=10,
)  # fmt: skip
Ground = tuple[str | int, ...]


def stated(slice_: Slice, knowledge: Knowledge) -> set[Ground]:
    """The evidence that the facts of a slice are by themselves."""
    found: set[Ground] = set()
    for name, pair in slice_.triples.items():
        for one, other in rows(pair):
            if name == TYPE:
                found |= {("is_a", one, cls) for cls in knowledge.hierarchy.names_above(other)}
            elif name != SUBCLASS:
                found.add(("for", name, one, other))
    return found


def follows(rules: list[Rule], facts_: set[Ground], terms: list[int]) -> set[Ground]:
    """All that the rules make of the facts, by trying every term for every variable."""
    rules = [
        *rules,
        Rule(Atom("is_a", (VARIABLES[0], "Beta")), (Atom("is_a", (VARIABLES[0], "Alpha")),)),
    ]
    found, before = set(facts_), -1
    while len(found) > before:
        before = len(found)
        for rule in rules:
            for values in _assignments(rule, found, terms):
                found.add(_ground(rule.head, values))
    return found


def _assignments(rule: Rule, found: set[Ground], terms: list[int]) -> Iterator[dict[Variable, int]]:
    used = sorted(
        {v for part in (rule.head, *rule.body) for v in part.variables}, key=lambda v: v.name
    )
    for choice in product(terms, repeat=len(used)):
        values = dict(zip(used, choice, strict=True))
        if all(_met(part, values, found) for part in rule.body):
            yield values


def _met(part: object, values: dict[Variable, int], found: set[Ground]) -> bool:
    if isinstance(part, Compare):
        sides = [values[side] for side in (part.left, part.right) if isinstance(side, Variable)]
        return (sides[0] == sides[1]) == (part.operator == "=")
    assert isinstance(part, Atom)
    return _ground(part, values) in found


def _ground(atom: Atom, values: dict[Variable, int]) -> Ground:
    return (
        atom.predicate,
        *(values[a] if isinstance(a, Variable) else a for a in atom.arguments),
    )


def _safe(rule: Rule) -> bool:
    """Does the body give every variable a value?"""
    bound = {v for part in rule.body if isinstance(part, Atom) for v in part.variables}
    return {v for part in (rule.head, *rule.body) for v in part.variables} <= bound


@given(WORLDS, RULES.map(lambda rules: list(filter(_safe, rules))), st.data())
def test_what_is_asked_follows_from_the_slice_as_from_the_whole_graph(
    world: list[str], rules: list[Rule], data: st.DataObject
) -> None:
    knowledge = known("\n".join([*world, "Low subclass Alpha", "Alpha subclass Beta"]))
    gatherer = Gatherer(knowledge, rules)
    terms = ids(knowledge, " ".join(PEOPLE)).tolist()
    asked: list[Ground] = []
    for atom in data.draw(st.lists(ATOMS, min_size=1, max_size=2)):
        key = evidence_key(atom)
        assert key is not None
        values = [data.draw(st.sampled_from(terms)) for _ in atom.variables]
        gatherer.ask(key, *(np.array([value], np.int64) for value in values))
        known_ = iter(values)
        asked.append(
            (
                atom.predicate,
                *(next(known_) if isinstance(a, Variable) else a for a in atom.arguments),
            )
        )
    whole, slice_ = stated(whole_graph(knowledge), knowledge), gatherer.run()
    few = stated(slice_, knowledge)
    assert few <= whole
    everything, enough = follows(rules, whole, terms), follows(rules, few, terms)
    assert [a in everything for a in asked] == [a in enough for a in asked]
