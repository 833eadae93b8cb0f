"""The parts of deciding by themselves: columns, guards of rules, program text, and what is read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.graph.terms import value_key
from kgverify.language.checks import load_rules_text
from kgverify.reasoning import deciding
from kgverify.reasoning.datalog import Aggregate, Atom, Compare, Origin, Rule, Variable
from kgverify.reasoning.deciding import (
    STATUSES,
    VERDICTS,
    Decisions,
    ReferenceEngine,
    Request,
    SliceEngine,
    _by_name,
    _goal_text,
    _guarded,
    _measured,
    _moments,
    _probed,
    _read,
    _relevant,
    _times,
    bound_rules,
    by_template,
    evidence_rules,
    handed_out,
    named_terms,
    question_parts,
    whole_graph,
)
from kgverify.reasoning.gathering import GoalName, Slice
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.patterns import Patterns
from kgverify.reasoning.program import LIMB, compile_question

X, Y, Z = map(Variable, "XYZ")
RULES = """
class City, Land
relation seat (Land, City) functional at a time
relation near (City, City)
relation size (City, integer)
relation old = "was" (City, City)
question one(c: City)
    "?"
    answer x : City
    require near(x, c)
    require near(x, "rome")
    require near("nowhere", c)
    prefer any of { size(x) > 5, x : City } weight 0.25
question when(l: Land, d: date)
    "?"
    answer x : City
    require seat(l, x) at d
    require seat(l, x) at 1990
question closed(c: City)
    "?"
    answer x : City
    require near(x, c) assume closed
    require x : City assume closed
question ever(l: Land)
    "?"
    answer x : City
    require seat(l, x) assume closed
question none()
    "?"
    answer x : City
"""


def ids(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def rows(columns: Any) -> list[list[int]]:
    return [np.asarray(column).tolist() for column in columns]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    builder = Builder()
    for name in ("rome", "oslo", "bonn"):
        builder.add_fact("e" + name, "rdf:type", "eCity")
    builder.add_fact("eoslo", "near", "erome")
    builder.add_fact("eoslo", "was", "ebonn")
    builder.add_fact("ebonn", "far", "erome")
    builder.add_fact("eitaly", "seat", "erome", qualifiers={"since": "1990"})
    builder.add_fact("eCity", "rdfs:subClassOf", "ePlace")
    builder.add_denied("erome", "near", "ebonn")
    builder.add_denied("erome", "high", "ebonn")
    return Knowledge(Graph(builder.columns()), load_rules_text(RULES))


def term(knowledge: Knowledge, *names: str) -> tuple[int, ...]:
    return tuple(knowledge.term("e" + name) for name in names)


def template(knowledge: Knowledge, name: str, **times: str) -> Any:
    found = compile_question(knowledge.book, knowledge.book.questions[name])
    return found.bound(times)


def request(knowledge: Knowledge, name: str, arguments: Any, candidates: Any, **times: str) -> Any:
    return Request(
        template(knowledge, name, **times),
        term(knowledge, *arguments),
        term(knowledge, *candidates),
    )


def engine(knowledge: Knowledge) -> SliceEngine:
    return SliceEngine(knowledge, evidence_rules(knowledge))


# ---------------------------------------------------------------- columns


def test_terms_stand_in_columns_over_all_candidates(knowledge: Knowledge) -> None:
    group = [
        request(knowledge, "one", ["rome"], ["oslo", "lost", "bonn"]),
        request(knowledge, "one", ["gone"], ["oslo"]),
    ]
    found = {c.id: (rows(columns), known.tolist()) for c, columns, known in
             engine(knowledge).columns(group)}  # fmt: skip
    oslo, lost, bonn, rome, gone, nowhere = term(
        knowledge, "oslo", "lost", "bonn", "rome", "gone", "nowhere"
    )
    candidates = [oslo, lost, bonn, oslo]
    assert lost >= knowledge.graph.n_terms
    assert found["answer"] == ([candidates], [True, False, True, True])
    assert found["c1"] == ([candidates, [rome] * 3 + [gone]], [True, False, True, False])
    assert found["c2"] == ([candidates, [rome] * 4], [True, False, True, True])
    assert found["c3"] == ([[nowhere] * 4, [rome] * 3 + [gone]], [False] * 4)
    assert "c4" not in found  # a group; its members are there
    assert len(found) == 6


def test_what_is_known_of_the_terms_that_are_asked_about(knowledge: Knowledge) -> None:
    asked = list(engine(knowledge).asked([request(knowledge, "one", ["rome"], ["oslo", "lost"])]))
    oslo, rome = term(knowledge, "oslo", "rome")
    by_id = {constraint.id: rows(columns) for constraint, columns in asked}
    assert by_id["answer"] == [[oslo]]
    assert by_id["c1"] == by_id["c2"] == [[oslo], [rome]]
    assert by_id["c3"] == [[], []]


class Asking:
    """Remembers what is gathered."""

    def __init__(self, knowledge: Knowledge, rules: Any) -> None:
        self.rules = rules
        self.asked: list[Any] = []

    def ask(self, key: Any, *places: Any) -> None:
        self.asked.append((*key, *rows(places)))

    def touch(self, key: Any, *places: Any) -> None:
        self.asked.append((*key, *rows(places)))

    def run(self) -> Any:
        return self


def test_what_a_constraint_can_look_at_is_gathered(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "Gatherer", Asking)
    oslo, rome, italy = term(knowledge, "oslo", "rome", "italy")
    own = engine(knowledge)
    gathered: Any = own.gather([request(knowledge, "closed", ["rome"], ["oslo", "lost"])])
    assert gathered.rules == own.rules
    near, city = [("near", [oslo], [rome])], [("City", [oslo])]
    assert gathered.asked == [
        *((side, *city[0]) for side in ("is_a", "isnt_a")),
        *((side, *near[0]) for side in ("for", "against", "maybe")),
        *((side, *city[0]) for side in ("is_a", "isnt_a", "maybe_a")),
    ]
    reach = [Rule(Atom("touch", ("near", X, Y)), ())]
    gathered = own.gather([request(knowledge, "closed", ["rome"], ["oslo"])], reach)
    assert gathered.rules == [*own.rules, *reach]
    assert [a for a in gathered.asked if a[0].startswith("touch")] == [
        ("touch_a", *city[0]),
        ("touch", *near[0]),
        ("touch_a", *city[0]),
    ]
    # Whether a relation ever held is stated by the relation's own facts.
    gathered = own.gather([request(knowledge, "ever", ["italy"], ["rome"])])
    (ever,) = {name for _, name, *_ in gathered.asked} - {"City", "seat"}
    assert [a for a in gathered.asked if a[1] != "City"] == [
        (side, name, [italy], [rome])
        for side, name in (("for", ever), ("for", "seat"), ("against", ever), ("against", "seat"))
    ] + [("maybe", ever, [italy], [rome])]


def test_requests_of_one_template_are_together(knowledge: Knowledge) -> None:
    one, other = (request(knowledge, name, ["rome"], ["oslo"]) for name in ("one", "when"))
    assert by_template([one, other, one]) == [[one, one], [other]]


def test_decisions_are_handed_out_by_the_patterns_of_a_group(knowledge: Knowledge) -> None:
    one = request(knowledge, "one", ["rome"], ["oslo", "bonn"])
    two = request(knowledge, "one", ["bonn"], ["rome"])
    three = request(knowledge, "none", [], ["rome"])
    groups, patterns = (
        [[one, two], [three]],
        [Patterns(ids(), ids(1, 0, 2)), Patterns(ids(), ids(0))],
    )
    none = np.zeros((3, 0), np.bool_)
    decided = [
        Decisions(np.arange(3, dtype=np.int8), [5, 6, 7], 7, none.astype(np.int8), *[none] * 4),
        Decisions(np.array([2], np.int8), [9], 9, none[:1].astype(np.int8), *[none[:1]] * 4),
    ]
    found = handed_out([two, three, one], groups, patterns, decided)
    assert [d.verdicts.tolist() for d in found] == [[2], [2], [1, 0]]
    assert [d.supports for d in found] == [[7], [9], [6, 5]]


# ---------------------------------------------------------------- what is named


def test_atoms_stand_together_by_what_speaks_for_and_against_them() -> None:
    found = _by_name(
        [
            ("for", "near", 1, 2),
            ("against", "near", 3, 4),
            ("is_a", 5, "City"),
            ("isnt_a", 6, "Land"),
        ]
    )
    relation, cls = ("for", "against", "maybe"), ("is_a", "isnt_a", "maybe_a")
    assert found == {
        (relation, "near"): [[1, 3], [2, 4]],
        (cls, "City"): [[5]],
        (cls, "Land"): [[6]],
    }


def test_every_term_that_questions_and_rules_name(knowledge: Knowledge) -> None:
    asked = request(knowledge, "one", ["bonn"], ["oslo", "lost"])
    rules = [
        Rule(Atom("for", ("near", 700, X)), (Atom("for", ("near", X, 701)), Compare(X, "!=", 702))),
        Rule(
            Atom("p", (X,)),
            (
                Aggregate(5, "<=", Y, Atom("for", ("near", X, Y))),
                Compare(703, "=", X),
                Compare(Y, "<=", 800),
            ),
        ),
    ]
    questions = {
        *term(knowledge, "bonn", "oslo", "lost", "rome", "nowhere"),
        knowledge.term(value_key("5", "integer")),
    }
    assert named_terms([asked], knowledge, rules) == questions | {700, 701, 702, 703}


def test_the_times_of_rules_and_of_questions(knowledge: Knowledge) -> None:
    def about(predicate: str, time: Any) -> Rule:
        return Rule(Atom("p", ()), (Compare(1, "<", 2), Atom(predicate, (time, X))))

    found = _times([about("moment", "1990"), about("moment", "?d"), about("period", "1991")])
    assert found == {"1990"}
    asked = request(knowledge, "when", ["italy"], ["rome"])
    assert _moments([asked]) == {"1990"}
    bound = request(knowledge, "when", ["italy"], ["rome"], d="1985")
    assert _moments([asked, bound]) == {"1985", "1990"}


def test_rules_about_a_time_that_is_asked_for_are_there_for_that_time(knowledge: Knowledge) -> None:
    rules = evidence_rules(knowledge)
    bound = request(knowledge, "when", ["italy"], ["rome"], d="1985")
    found = bound_rules(rules, [bound])
    assert found[: len(rules)] == list(dict.fromkeys(rules))
    assert any("1985" in str(rule) for rule in found[len(rules) :])
    assert not any("1985" in str(rule) for rule in rules)
    assert (
        bound_rules(rules, [request(knowledge, "one", ["rome"], ["oslo"])]) == found[: len(rules)]
    )


def test_whether_values_are_measured(knowledge: Knowledge) -> None:
    assert _measured([request(knowledge, "one", ["rome"], ["oslo"])])
    assert not _measured([request(knowledge, "none", [], ["oslo"])])


# ---------------------------------------------------------------- the whole graph


def test_the_whole_graph_is_all_that_is_stated_and_denied(knowledge: Knowledge) -> None:
    found = whole_graph(knowledge, ["seat"])
    (oslo, rome, bonn, italy) = term(knowledge, "oslo", "rome", "bonn", "italy")
    city, place = term(knowledge, "City", "Place")
    pairs = {name: sorted(zip(*rows(pair), strict=True)) for name, pair in found.triples.items()}
    # The rule file knows `was` under another name; `far` and `high` it doesn't name.
    assert pairs == {
        "near": [(oslo, rome)],
        "seat": [(italy, rome)],
        "old": [(oslo, bonn)],
        "graph:far": [(bonn, rome)],
        "graph:high": [],
        "rdf:type": sorted([(rome, city), (oslo, city), (bonn, city)]),
        "rdfs:subClassOf": [(city, place)],
    }
    denied = {name: list(zip(*rows(pair), strict=True)) for name, pair in found.denied.items()}
    assert denied == {"near": [(rome, bonn)], "graph:high": [(rome, bonn)], "graph:far": []}
    assert [column.tolist()[:1] for column in found.timed["seat"][:2]] == [[italy], [rome]]
    assert whole_graph(knowledge).timed == {}


def test_unknown_names_of_atoms_and_of_rules_are_strangers(knowledge: Knowledge) -> None:
    rule = Rule(Atom("for", ("near", X, term(knowledge, "nobody")[0])), (Atom("entity", (X,)),))
    own = SliceEngine(knowledge, [*evidence_rules(knowledge), rule])
    lost, gone, nobody, rome = term(knowledge, "lost", "gone", "nobody", "rome")
    text = "\n".join(own.about([("for", "near", lost, rome), ("is_a", gone, "City")]))
    for name, found in ((lost, True), (gone, True), (nobody, True), (rome, False)):
        assert (f"stranger({name})" in text) == found
    assert f"want(near,{lost},{rome})." in text
    assert f'want_a({gone},"City").' in text


def test_the_reference_engine_knows_the_times_that_are_asked_about(knowledge: Knowledge) -> None:
    bound = request(knowledge, "when", ["italy"], ["rome"], d="1985")
    text = "\n".join(ReferenceEngine(knowledge).program([bound]))
    plain = "\n".join(
        ReferenceEngine(knowledge).program([request(knowledge, "none", [], ["oslo"])])
    )
    italy, rome = term(knowledge, "italy", "rome")
    views = [atom for atom, _ in bound.template.facts if atom.predicate == "at"]
    assert sorted(str(view.arguments[2]) for view in views) == ["1985", "1990"]
    for view in views:
        assert f"{view}." in text
    assert [f"{view}." in plain for view in views].count(True) == 1  # the one of no parameter
    assert f"period(seat,{italy},{rome}," in text.replace(" ", "")


# ---------------------------------------------------------------- rules and their guards


def joining(head: Atom) -> Rule:
    return Rule(head, (Atom("for", ("near", X, Y)), Atom("for", ("near", Y, Z))))


NEAR, CITY = Atom("for", ("near", X, Z)), Atom("is_a", (X, "City"))


def guarded(rule: Rule, *goals: GoalName) -> list[str]:
    places = dict.fromkeys(goals, (ids(), ids()))
    return [str(found) for found in _guarded(rule, Slice(goals=places))]


BODY = "for(near,X,Y), for(near,Y,Z)"


def test_a_rule_that_joins_is_guarded_by_what_is_asked_of_its_head() -> None:
    key, cls = ("for", "near"), ("is_a", "City")
    wanted, sought = GoalName(key, "bb", wanted=True), GoalName(key, "bf")
    other = GoalName(("for", "far"), "bb")
    assert guarded(joining(NEAR), wanted, other) == [f"for(near,X,Z) :- want(near,X,Z), {BODY}."]
    assert guarded(joining(NEAR), sought) == [
        f"for(near,X,Z) :- seek(for,near,bf,0,X), {BODY}.",
    ]
    assert guarded(joining(NEAR), GoalName(key, "-b")) == [
        f'for(near,X,Z) :- seek(for,near,"-b",1,Z), {BODY}.',
    ]
    assert len(guarded(joining(NEAR), wanted, sought)) == 2
    assert guarded(joining(NEAR), other) == []
    # Where it is asked for as a whole, no guard helps.
    assert guarded(joining(NEAR), sought, GoalName(key, "ff")) == [str(joining(NEAR))]
    assert guarded(joining(CITY), GoalName(cls, "b", wanted=True)) == [
        f'is_a(X,"City") :- want_a(X,"City"), {BODY}.'
    ]
    assert guarded(joining(CITY), GoalName(cls, "b")) == [
        f'is_a(X,"City") :- seek(is_a,"City",b,0,X), {BODY}.'
    ]


@pytest.mark.parametrize(
    "rule",
    [
        Rule(NEAR, (Atom("for", ("near", X, Y)), Compare(Y, "=", Z), Atom("entity", (Z,)))),
        Rule(Atom("against", ("near", X, Z)), joining(NEAR).body),
        joining(Atom("for", (Y, X, Z))),  # of which relation it speaks is open
        joining(Atom("is_a", (X, Y))),
    ],
)
def test_other_rules_stay_as_they_are(rule: Rule) -> None:
    assert guarded(rule, GoalName(("for", "near"), "bb", wanted=True)) == [str(rule)]


def test_only_what_is_asked_about_matters() -> None:
    rules = [
        joining(NEAR),
        joining(Atom("for", ("far", X, Z))),
        joining(CITY),
        Rule(Atom("want", ("near", X, Z)), ()),
        Rule(Atom("different", (X, Z)), (Atom("for", ("near", X, Z)),)),
    ]
    goals = {GoalName(("for", "near"), "bb"): (ids(), ids())}
    assert _relevant(rules, Slice(goals=goals)) == [rules[0], rules[4]]
    against = {GoalName(("against", "near"), "bb"): (ids(), ids())}
    assert _relevant(rules, Slice(goals=against)) == [rules[3], rules[4]]


def test_what_is_sought_is_told_to_the_rules_that_join() -> None:
    goals = {
        GoalName(("for", "near"), "bf"): (ids(4, 6), ids()),
        GoalName(("for", "near"), "b-"): (ids(), ids(7)),
        GoalName(("for", "near"), "bb", wanted=True): (ids(1), ids(2)),
        GoalName(("for", "far"), "bf"): (ids(6), ids()),
    }
    text = _goal_text(Slice(goals=goals), {("for", "near")})
    assert text.split() == ["seek(for,near,bf,0,(4;6))."]


def test_a_rule_guarded_by_a_probed_relation_asks_each_probe() -> None:
    origin = Origin("rule", "r")
    want = Atom("want", ("soft", X, Z))
    rule = Rule(Atom("for", ("soft", X, Z)), (want, *joining(NEAR).body), origin)
    assert [str(r) for r in _probed(rule, {"soft": [3, 5]})] == [
        f"for(soft,X,Z) :- probe({number},X,Z), {BODY}." for number in (3, 5)
    ]
    assert [r.origin for r in _probed(rule, {"soft": [3]})] == [origin]
    for other in (
        joining(NEAR),
        Rule(Atom("for", ("soft", 1, 2)), ()),
        Rule(Atom("for", ("soft", X, Z)), (Compare(X, "!=", Z), want)),
        Rule(Atom("against", ("soft", X, Z)), (want,)),
        Rule(Atom("for", ("soft", X, Z)), (Atom("want", ("near", X, Z)),)),
        Rule(Atom("for", ("soft", X, Z)), (Atom("open", ("soft", X, Z)),)),
    ):
        assert list(_probed(other, {"soft": [3, 5]})) == [other]


# ---------------------------------------------------------------- questions and answers


def test_who_asks_what_about_whom(knowledge: Knowledge) -> None:
    asked = [
        request(knowledge, "one", ["rome"], ["oslo"]),
        request(knowledge, "none", [], ["bonn"]),
        request(knowledge, "when", ["italy", "rome"], ["rome"]),
        request(knowledge, "one", ["oslo"], ["bonn"]),
    ]
    said: list[str] = []
    parts = list(question_parts(knowledge, asked, lambda t, _: said.append(t.name) or t.name))
    assert said == parts[:3] == ["one", "none", "when"]
    oslo, rome, italy = term(knowledge, "oslo", "rome", "italy")
    assert [part for part in parts[3:] if part.startswith("asked")] == [
        f"asked(0,one,({rome},)).",
        "asked(1,none,()).",
        f"asked(2,when,({italy},{rome})).",
        f"asked(3,one,({oslo},)).",
    ]
    assert parts[4] == f"candidate(0,({oslo}))."


def test_decisions_are_read_off(knowledge: Knowledge) -> None:
    asked = [
        request(knowledge, "one", ["rome"], ["oslo", "rome", "bonn"]),
        request(knowledge, "one", ["rome"], ["bonn"]),
    ]
    oslo, rome, bonn = asked[0].candidates
    shown = [
        *(f"sat(0,1,{oslo})", f"viol(0,0,{rome})", f"conflict(1,2,{bonn})", f"sat(0,2,{bonn})"),
        *(f"derived(0,1,{oslo})", f"supposed(0,0,{rome})", f"inferred(1,2,{bonn})"),
        *(f"accept(0,{oslo})", f"reject(0,{rome})", f"reject(1,{bonn})"),
        *(f"support(0,{oslo},0,3)", f"support(0,{oslo},1,2)", f"support(1,{bonn},0,1)"),
    ]
    one, other = _read(shown, asked)
    assert [VERDICTS[code] for code in one.verdicts] == ["sat", "viol", "unk"]
    assert [VERDICTS[code] for code in other.verdicts] == ["viol"]
    assert (one.supports, other.supports) == ([3 + 2 * LIMB, 0, 0], [1])
    compiled = asked[0].template
    assert compiled.scale > 1  # a weight is no whole number
    assert one.whole == other.whole == compiled.total * compiled.scale
    at = {
        (row, index): STATUSES[code]
        for (row, index), code in np.ndenumerate(one.statuses)
        if STATUSES[code] != "unk"
    }
    assert at == {(0, 1): "sat", (1, 0): "viol", (2, 2): "sat"}
    assert [np.argwhere(m).tolist() for m in (one.derived, one.assumed, one.inferred)] == [
        *([[0, 1]], [[1, 0]], []),
    ]
    assert np.argwhere(other.inferred).tolist() == [[0, 2]]
    assert [STATUSES[code] for code in other.statuses[0]][:3] == ["unk", "unk", "conflict"]
    nothing = _read([], asked)
    assert [[VERDICTS[code] for code in d.verdicts] for d in nothing] == [["unk"] * 3, ["unk"]]
    assert [d.supports for d in nothing] == [[0, 0, 0], [0]]
    assert one[0].support == Fraction(3 + 2 * LIMB, one.whole)


def test_an_empty_slice_is_not_gathered_again(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    deciding_ = engine(knowledge)
    gathered: list[Any] = []
    monkeypatch.setattr(
        deciding.SliceEngine, "gather", lambda self, requests: gathered.append(requests) or Slice()
    )
    asked = [request(knowledge, "one", ["rome"], ["oslo"])]
    given = deciding_.program(asked, Slice())
    assert gathered == []
    assert deciding_.program(asked) == given
    assert gathered == [asked]
