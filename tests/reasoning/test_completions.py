"""The program whose answer sets are the completions, part by part; what it says is held against a
try of all completions in tests/laws."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from kgverify.graph.terms import value_key
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.completions import (
    Completions,
    Line,
    _dated,
    _is_about,
    _part,
    classical,
    is_plain,
    reaching,
)
from kgverify.reasoning.datalog import Atom, Compare, Origin, Rule, Variable
from kgverify.reasoning.deciding import Request, SliceEngine, evidence_rules
from kgverify.reasoning.evidence import Evidence
from kgverify.reasoning.gathering import GoalName, Slice
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.program import compile_question
from kgverify.reasoning.times import Period
from tests.reasoning.small import dated, graph

X, Y, Z = map(Variable, "XYZ")
NO_QUESTION = """
class City, Land
relation near (City, City)
relation road (City, City)
"""
ROAD, ROAD2 = Atom("for", ("road", X, Y)), Atom("for", ("road", Y, Z))
NEAR, FAR = Atom("for", ("near", X, Z)), Atom("against", ("near", X, Z))
CITY = Atom("is_a", (X, "City"))
WRITTEN = Origin("rule", "r")
SCHEMA = Origin("schema", "s")


def ids(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


# ---------------------------------------------------------------- rules as clauses


@pytest.mark.parametrize(
    ("rule", "head", "body"),
    [
        (Rule(NEAR, (ROAD, ROAD2)), "true(near,X,Z)", "true(road,X,Y), true(road,Y,Z)"),
        (
            Rule(CITY, (Atom("isnt_a", (X, "Land")), Compare(X, "!=", 3))),
            'in(X,"City")',
            'open_a(X,"Land"), not in(X,"Land"), X != 3',
        ),
        (Rule(FAR, (Atom("against", ("road", X, Z)),)), "",
         "true(near,X,Z), open(road,X,Z), not true(road,X,Z)"),
        (Rule(Atom("isnt_a", (X, "City")), (Atom("is_a", (X, "Land")),)), "",
         'in(X,"City"), in(X,"Land")'),
        (Rule(Atom("want", ("road", X, Y)), (Atom("want", ("near", X, Y)),)),
         "open(road,X,Y)", "true(near,X,Y)"),
        (Rule(Atom("want_a", (X, "City")), (Atom("want_a", (X, "Land")), Atom("entity", (X,)))),
         'open_a(X,"City")', 'in(X,"Land"), entity(X)'),
    ],
)  # fmt: skip
def test_evidence_rules_are_about_one_world(rule: Rule, head: str, body: str) -> None:
    assert classical(rule) == (head, body)


def test_what_a_rule_is_about() -> None:
    book = load_rules_text(NO_QUESTION)
    for atom, about in [
        (NEAR, True),
        (FAR, True),
        (CITY, True),
        (Atom("for", ("view", X, Z)), False),
        (Atom("is_a", (X, "Other")), False),
        (Atom("for", (Y, X, Z)), True),
        (Atom("different", (X, Y)), True),
    ]:
        assert _is_about(Rule(atom, ()), book) == about


def reached(*rules: Rule, more: str = "") -> list[str]:
    return [str(rule) for rule in reaching(rules, load_rules_text(NO_QUESTION + more))]


def both(name: str) -> str:
    return f"touch({name},T1,T2) :- for({name},T1,T2), against({name},T1,T2)."


def test_the_atoms_of_a_clause_touch_each_other() -> None:
    """The one touched, the others are touched where the rest may hold."""
    assert reached(Rule(NEAR, (ROAD, ROAD2, Compare(X, "!=", Z)), WRITTEN)) == [
        "touch(road,X,Y) :- may(road,Y,Z), X != Z, touch(near,X,Z).",
        "touch(road,Y,Z) :- may(road,X,Y), X != Z, touch(near,X,Z).",
        both("near"),
        both("road"),
    ]


def test_atoms_behind_not_are_touched_by_whoever_looks_for_the_head() -> None:
    rule = Rule(CITY, (Atom("for", ("near", X, Y)), Atom("isnt_a", (Y, "Land"))), WRITTEN)
    assert reached(rule) == [
        'is_a(X,"City") :- for(near,X,Y), touch_a(X,"City"), touch_a(Y,"Land").',
        'touch(near,X,Y) :- touch_a(X,"City"), touch_a(Y,"Land").',
        'touch_a(X,"City") :- may(near,X,Y), touch_a(Y,"Land").',
        'touch_a(Y,"Land") :- may(near,X,Y), touch_a(X,"City").',
        'touch_a(T0,"City") :- is_a(T0,"City"), isnt_a(T0,"City").',
        both("near"),
        'touch_a(T0,"Land") :- is_a(T0,"Land"), isnt_a(T0,"Land").',
    ]


def test_a_rule_against_forbids_that_all_hold() -> None:
    rule = Rule(FAR, (Atom("for", ("road", X, Z)),), WRITTEN)
    assert reached(rule)[:2] == [
        "touch(road,X,Z) :- may(near,X,Z).",
        "touch(near,X,Z) :- may(road,X,Z).",
    ]
    # What the schema forbids is gathered by the goal for evidence against what is touched.
    schema = replace(rule, origin=SCHEMA)
    assert reached(schema) == [both("near"), both("road")]
    assert reached(replace(schema, head=NEAR))[0] == "touch(road,X,Z) :- touch(near,X,Z)."


def test_rules_of_which_nothing_is_reached() -> None:
    view = Rule(Atom("for", ("view", X, Z)), (ROAD, ROAD2), WRITTEN)
    open_ = Rule(Atom("for", (Y, X, Z)), (ROAD,), WRITTEN)
    assert reached(view) == []
    assert reached(open_) == [both("road")]
    assert reached(Rule(Atom("different", (X, Y)), (ROAD,), WRITTEN)) == [both("road")]
    assert reached(Rule(NEAR, (Atom("for", (Y, X, Z)),), WRITTEN)) == [both("near")]


def test_all_that_is_listed_is_at_hand() -> None:
    found = reached(more="complete road\ncomplete road for Land\n")
    assert found == [
        "touch(road,S,O) :- for(road,S,P).",
        "touch(road,S,O) :- blank(T), for(road,T,P).",
    ]


# ---------------------------------------------------------------- sizes and guards


class Plain(Completions):
    """Completions of a slice, without an engine."""

    def __init__(self, slice_: Slice, **values: Any) -> None:
        self.whole = False
        self._slice = slice_
        self._measured = {}
        self._goals = defaultdict(list)
        for name in slice_.goals:
            self._goals[name.key].append(name)
        self.__dict__.update(values)


TOUCHED = GoalName(("touch", "road"), "bf")
SLICE = Slice(
    triples={
        "road": (ids(1, 1, 1, 2, 3, 3), ids(4, 5, 6, 4, 4, 5)),  # 6 facts, 3 subjects, 3 objects
        "rdf:type": (ids(1, 2, 3, 3), ids(9, 9, 9, 8)),
        "seat": (ids(1), ids(2)),
    },
    goals={
        TOUCHED: (ids(7, 8), ids()),
        GoalName(("touch_a", "City"), "b"): (ids(1, 2, 3),),
        GoalName(("for", "near"), "bb"): (ids(1), ids(1)),
    },
)


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ((), 1),
        ((ROAD,), 8),  # what is touched may be, too
        ((CITY,), 7),
        ((ROAD, ROAD2), 8 * 8 / 5),  # on Y, of which there are 5 at either side
        ((ROAD, CITY), 8 * 7 / 7),
        ((CITY, ROAD), 8 * 7 / 7),
        ((Atom("for", ("seat", X, Y)), Atom("for", ("seat", Y, Z))), 1),
        ((Atom("for", ("road", X, 4)),), 8 / 5),
        ((Atom("for", ("near", X, Y)), ROAD), 0),
        ((ROAD, Compare(X, "!=", Y), Atom("entity", (X,))), 8),
        ((Atom("reach", ("for", "road", "b-", 0, X)), ROAD), 8 * 2 / 5),
    ],
)
def test_the_size_of_a_join_is_estimated(body: Any, size: float) -> None:
    assert Plain(SLICE)._instances(Rule(NEAR, body)) == pytest.approx(size)


def test_facts_are_counted_once() -> None:
    plain = Plain(SLICE)
    assert plain._sizes("road") == (6, 3, 3)
    plain._slice = Slice()
    assert plain._sizes("road") == (6, 3, 3)
    assert plain._sizes("near") == (0, 0, 0)


def guards(rule: Rule, *goals: GoalName, whole: bool = False) -> list[str]:
    plain = Plain(Slice(goals=dict.fromkeys(goals, (ids(), ids()))))
    plain.whole = whole
    return [str(found) for found in plain._guarded(rule)]


def test_a_rule_that_joins_is_guarded_by_what_is_reached() -> None:
    rule = Rule(NEAR, (ROAD, ROAD2), WRITTEN)
    body = "for(road,X,Y), for(road,Y,Z)"
    near = ("for", "near")
    assert guards(rule, GoalName(near, "bf"), GoalName(("touch", "near"), "b-")) == [
        f'for(near,X,Z) :- reach(for,near,"b-",0,X), {body}.'
    ]
    assert guards(rule, GoalName(("touch", "near"), "bb")) == [
        f"for(near,X,Z) :- reach(for,near,bb,0,X), reach(for,near,bb,1,Z), {body}."
    ]
    assert guards(rule, GoalName(near, "bf"), GoalName(near, "ff")) == [str(rule)]
    assert guards(rule, GoalName(("touch", "road"), "bf")) == []
    assert guards(rule, whole=True) == [str(rule)]
    single = Rule(NEAR, (Atom("for", ("road", X, Z)), Compare(X, "!=", Z)), WRITTEN)
    assert guards(single, GoalName(near, "bf")) == [str(single)]
    member = Rule(CITY, (ROAD, ROAD2), WRITTEN)
    assert guards(member, GoalName(("touch_a", "City"), "b")) == [
        f'is_a(X,"City") :- reach(is_a,"City",b,0,X), {body}.'
    ]
    # A rule against, and one that says what is wanted, matter only where something is touched.
    for head in (FAR, Atom("want", ("near", X, Z))):
        other = Rule(head, (ROAD, ROAD2), WRITTEN)
        assert guards(other, GoalName(near, "bf")) == []
        assert len(guards(other, GoalName(("touch", "near"), "bf"))) == 1
    assert guards(Rule(FAR, (ROAD, ROAD2)), GoalName(("touch", "near"), "bf")) == [
        f"against(near,X,Z) :- {body}."
    ]
    assert guards(Rule(Atom("different", (X, Y)), (ROAD,))) == ["different(X,Y) :- for(road,X,Y)."]


def test_what_is_reached_is_what_goals_of_the_mode_ask_about() -> None:
    goals = {
        GoalName(("for", "near"), "bf"): (ids(1, 2), ids()),
        GoalName(("touch", "near"), "b-"): (ids(2, 3), ids()),
        GoalName(("for", "near"), "bb"): (ids(4), ids(5)),
        GoalName(("touch", "road"), "bf"): (ids(6), ids()),
        GoalName(("is_a", "City"), "b"): (ids(7),),
        GoalName(("touch_a", "City"), "b"): (ids(8),),
    }
    plain = Plain(Slice(goals=goals))
    for arguments, found in [
        (("for", "near", "b-", 0, X), [1, 2, 3]),
        (("for", "near", "bb", 0, X), [4]),
        (("for", "near", "bb", 1, X), [5]),
        (("is_a", "City", "b", 0, X), [7, 8]),
        (("for", "road", "b-", 0, X), [6]),
        (("for", "far", "b-", 0, X), []),
    ]:
        assert plain._values(Atom("reach", arguments)).tolist() == found


# ---------------------------------------------------------------- small worlds

RULES = """
class City, Land, Port sub of City
relation near (City, City)
relation road (City, City) functional
relation seat (Land, City) functional at a time
relation size (City, integer)
complete near for Port
complete road for "oslo"
complete size
question ask(c: City)
    "?"
    answer x : City
    require near(x, c)
    require road(x, c) assume closed
    require count near(x, _) >= 2
    require any of { road(x, c), size(x) = 5 }
question when(l: Land)
    "?"
    answer x : City
    require seat(l, x)
    require seat(l, x) at 1990
question then(l: Land, d: date)
    "?"
    answer x : City
    require seat(l, x) at d
"""
KG = """
    oslo type City
    rome type Port
    oslo near rome
    rome near bonn
    oslo road bonn
    Haven subclass Port
    rome size 5
    not rome road oslo
"""


def small(
    question: str = "ask", kg: Any = None, whole: bool = False, day: str = "", **more: Any
) -> Any:
    known = Knowledge(kg or graph(KG, size="integer"), load_rules_text(RULES))
    engine = SliceEngine(known, evidence_rules(known))
    template = compile_question(known.book, known.book.questions[question]).bound({"d": day})
    terms = [known.term("e" + name) for name in ("bonn", "oslo", "rome")]
    arguments = (terms[0], known.term(value_key(day, "date"))) if day else (terms[0],)
    request = Request(template, arguments, tuple(terms[1:]))
    return Completions(engine, request, reaching(engine.rules, known.book), whole=whole, **more)


def term(found: Completions, *names: str) -> tuple[int, ...]:
    return tuple(found._knowledge.term("e" + name) for name in names)


def test_which_constraints_are_about_atoms_of_the_rule_file() -> None:
    asked = small().request.template
    assert {c.id: is_plain(c, asked) for c in asked.constraints if c.kind != "group"} == {
        "answer": True, "c1": True, "c2": False, "c3": False, "c4.1": True, "c4.2": False,
    }  # fmt: skip
    when = small("when", dated("italy seat rome 1989 1991")).request.template
    assert [is_plain(c, when) for c in when.constraints] == [True, True, False]


def test_the_request_with_its_plain_constraints() -> None:
    request = small("when", dated("italy seat rome 1989 1991")).request
    constraints = request.template.constraints
    ever, at = constraints[1], constraints[2]
    assert ever.name != ever.stated == "seat"
    part = _part(request, ())
    assert [c.name for c in part.template.constraints] == ["City", "seat"]
    assert (part.arguments, part.candidates) == (request.arguments, request.candidates)
    assert _part(request, {at.index}).template.constraints[2] == at


def test_what_is_stated_for_a_period_is_stated() -> None:
    known = SimpleNamespace(periods=[Period("", "", True), Period("", "", False)])
    timed = {
        "seat": (ids(1, 1, 2, 3), ids(4, 4, 5, 6), ids(0, 0, 0, 1)),
        "near": (ids(7), ids(8), ids(0)),
    }
    found = _dated(Slice({"near": (ids(7, 1), ids(8, 2))}, timed=timed), cast(Any, known))
    pairs = {name: list(zip(*map(list, pair), strict=True)) for name, pair in found.triples.items()}
    assert pairs == {"seat": [(1, 4), (2, 5)], "near": [(1, 2), (7, 8)]}
    assert found.timed == timed


@pytest.mark.parametrize("whole", [False, True])
def test_subjects_whose_objects_are_all_listed(whole: bool) -> None:
    found = small(whole=whole)
    oslo, rome, bonn = term(found, "oslo", "rome", "bonn")
    covered, listed = found._listing
    of = {atom[1:]: origin.span.line for atom, origin in covered.items() if atom[1] != "size"}
    # `near` of the only port, `road` of oslo, and `size` of everything that is asked for it.
    assert of == {("near", rome): 7, ("road", oslo): 8}
    assert (("covered", "size", rome) in covered) == whole
    assert {atom[1:] for atom in listed if atom[1] != "size"} == {
        *(("near", oslo, rome), ("near", rome, bonn), ("road", oslo, bonn)),
    }
    assert {atom[0] for atom in listed} == {"listed"}


def test_the_terms_of_a_world_by_things_and_values() -> None:
    found = small(kg=graph(KG + "paris near oslo", size="integer"), whole=True)
    oslo, rome, bonn, paris = term(found, "oslo", "rome", "bonn", "paris")
    five = found._knowledge.term(value_key("5", "integer"))
    assert {oslo, rome, bonn, five, *term(found, "City", "Haven")} <= found._terms
    # Classes are no things of a way.
    assert set(found._domain.things) == {oslo, rome, bonn, paris}
    assert list(found._domain.values) == [five]


def test_what_is_assumed_and_what_is_a_fact() -> None:
    plain = Plain(Slice(), _assumed={(1, 7)})
    for statement, assumed in [
        (("told", 0, 1, 7), True),
        (("refuted", 0, 2, 7), False),
        (("supposed", 0, 3, 7), True),
        (Origin("rule", "r"), False),
        (None, False),
    ]:
        assert plain._is_assumed(statement) == assumed
    for fact, is_fact in [
        (("triple", "near", 1, 2), True),
        (("covered", "near", 1), True),
        (("subclass", 1, 2), False),
        (("told", 0, 1, 7), False),
        (Origin("rule", "r"), False),
    ]:
        assert plain.is_fact(cast(Any, fact)) == is_fact


def test_a_listing_comes_with_the_line_that_says_so() -> None:
    covered: Any = ("covered", "near", 1)
    plain = Plain(Slice(), _listing=({covered: SCHEMA}, []))
    assert plain.with_origin(covered) == (covered, SCHEMA)
    for other in (("triple", "near", 1, 2), WRITTEN):
        assert plain.with_origin(cast(Any, other)) == (other, None)


def test_evidence_decides_its_constraints_unless_absence_counts_for_nothing() -> None:
    known = {(1, 5): True, (2, 5): False}
    found = small(known=known, assumed={(2, 5)}, unknown=[(3, 6)])
    text = "\n".join(found.program())
    for line in (
        "told(0,1,5).",
        "refuted(0,2,5).",
        "settled(0,1,5).",
        "settled(0,2,5).",
        "free(0,3,6).",
    ):
        assert line in text
    firm = "\n".join(found.program(firm=True))
    assert "told(0,1,5)." in firm
    assert "refuted(0,2,5)." not in firm
    assert "settled(0,2,5)." in firm


def test_a_fact_that_is_dropped_is_not_said() -> None:
    found = small()
    oslo, rome = term(found, "oslo", "rome")
    fact: Any = ("triple", "near", oslo, rome)
    said = f"triple(near,{oslo},{rome})."
    assert said in "\n".join(found.program(frozenset([("triple", "near", rome, oslo)])))
    assert said not in "\n".join(found.program(frozenset([fact])))


def test_every_statement_can_be_switched_off() -> None:
    found = small(known={(1, 5): True})
    oslo, rome = term(found, "oslo", "rome")
    parts, statements = found.retractable()
    assert len(set(statements)) == len(statements)
    assert parts[-1] == f"{{ on(0..{len(statements) - 1}) }}."
    number = statements.index(("triple", "near", oslo, rome))
    assert f"triple(near,{oslo},{rome}) :- on({number})." in parts
    assert f"told(0,1,5) :- on({statements.index(('told', 0, 1, 5))})." in parts
    # Schema and rules come first, so that a minimal set rather spares facts.
    kinds = [isinstance(statement, Origin) for statement in statements]
    assert kinds == sorted(kinds, reverse=True)
    assert any(kinds)
    less, rest = found.retractable(frozenset([("triple", "near", oslo, rome)]))
    assert ("triple", "near", oslo, rome) not in rest
    assert len(rest) == len(statements) - 1
    assert len(less) == len(parts) - 1


class Bare(Plain):
    """Of these lines alone."""

    _fixed = "f."  # type: ignore[assignment]
    _vague = "v."  # type: ignore[assignment]
    _rule_lines = ()  # type: ignore[assignment]
    _told = ()  # type: ignore[assignment]

    def _fact_lines(self, dropped: Any) -> Any:
        return ()


def test_what_always_holds_cannot_be_switched_off() -> None:
    lines = [Line("a", "b"), Line("c", "", WRITTEN), Line("", "d", WRITTEN)]
    assert Bare(Slice(), _schema_lines=lines).retractable() == (
        ["f.", "v.", "a :- b.", "c :- on(0).", " :- d, on(0).", "{ on(0..0) }."],
        [WRITTEN],
    )
    assert Bare(Slice(), _schema_lines=lines[:1]).retractable() == (["f.", "v.", "a :- b."], [])


def test_what_is_listed_is_said_and_can_be_switched_off() -> None:
    found = small()
    (rome,) = term(found, "rome")
    covered: Any = ("covered", "near", rome)
    assert f"covered(near,{rome})." in found.program()
    parts, statements = found.retractable()
    assert f"covered(near,{rome}) :- on({statements.index(covered)})." in parts


def test_what_evidence_says_is_false_at_a_time_is_denied_by_the_same_statement() -> None:
    one: Any = SimpleNamespace(constraint=1, candidate=5, view="at", subject=3, object=4)
    for holds, word in ((True, "told"), (False, "refuted")):
        statement = (word, 0, 1, 5)
        assert small(known={(1, 5): holds}, never=[one])._told == [
            Line(f"{word}(0,1,5)", "", statement),
            Line("denied(at,3,4)", "", statement),
        ]


@pytest.mark.parametrize("whole", [False, True])
def test_rules_about_views_are_no_rules_of_a_world(whole: bool) -> None:
    rules = [rule for rule, _ in small(whole=whole)._rules]
    views = small().request.template.views
    assert rules
    assert views
    assert not [rule for rule in rules if any(name in str(rule) for name in views)]
    # Of the schema only what follows from it.
    assert {rule.head.predicate for rule in rules if rule.origin.kind != "rule"} <= {"for", "is_a"}


def test_steps_may_lead_from_what_the_graph_does_not_name() -> None:
    found = small()
    reach = Atom("reach", ("for", "near", "b-", 0, X))
    found.__dict__["_rules"] = [(Rule(NEAR, (reach, ROAD)), None)]
    found._ways = SimpleNamespace(seen=(), imagined=["some(0)", "worth(0)"])
    for name in found._ways.imagined:
        assert f'reach(for,near,"b-",0,{name}).' in found._fixed


def test_what_is_listed_and_clouded_is_told_to_the_ways() -> None:
    class Seen(Plain):
        def _evidence(self, request: Any) -> Evidence:
            atoms: list[Any] = [("for", "p", 1, 7), ("for", "p", 2, 8), ("clouded", "q", 3, 4)]
            return Evidence(atoms)

    def text(domain: Any, listed: Any, clouded: Any) -> Any:
        return domain, listed, clouded

    ways = SimpleNamespace(listings=[("p", 1), ("q", 2)], text=text)
    seen: Any = Seen(Slice(), _ways=ways, _domain="domain", _viewed=None)
    assert seen._ways_text == ("domain", {("p", 1): [7], ("q", 2): []}, {("q", 3, 4)})


def test_periods_are_there_for_the_whole_graph() -> None:
    kg = dated("italy seat rome 1989 1991\nrome type City\nrome near oslo 1990")
    whole = small("when", kg, whole=True)
    assert list(whole._slice.timed) == ["seat"]


def test_times_are_told_where_they_matter() -> None:
    timed = small("when", dated("italy seat rome 1989 1991\nrome type City"))
    text = "\n".join(timed.program())
    assert "functional_at_a_time(seat)." in text
    assert 'at("seat@1990",seat,"1990").' in text
    assert 'functional("seat@1990").' in text
    then = small("then", dated("italy seat rome 1989 1991\nrome type City"), day="1985")
    assert 'functional("seat@1985").' in "\n".join(then.program())
    plain = "\n".join(small().program())
    assert "functional_at_a_time(seat)." not in plain
    assert "functional(road)." in plain
    assert "period(" not in plain.replace("period(R", "")


def test_how_many_atoms_may_be_true_or_false() -> None:
    found = small()
    own = [c for c in found._asked.template.constraints if c.kind != "group"]
    assert found.open_atoms >= len(own) * 2
    ways = SimpleNamespace(size=lambda domain: 1000, seen=(), imagined=[])
    more = small()
    more._ways = cast(Any, ways)
    assert more.open_atoms == found.open_atoms + 1000
    wanted = [Rule(Atom("want", ("near", X, Y)), (ROAD,)), Rule(NEAR, (ROAD, CITY, ROAD2))]
    plain = Plain(SLICE, _rules=[(rule, None) for rule in wanted], _asked=found._asked)
    plain.request, plain._ways = found.request, cast(Any, ways)
    plain.__dict__["_domain"] = None
    assert plain.open_atoms == len(own) * 2 + 8 + 1000
    assert plain.instances == 8 + int(8 * 7 * 8 / 7 / 5)
