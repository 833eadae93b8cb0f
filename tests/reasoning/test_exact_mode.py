"""Exact mode on small graphs: what it decides, what it says of it, and where it stops."""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgspec import structs

from kgverify import check_explanation
from kgverify.errors import EngineError, LimitReached, Problem
from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.exact import Budget
from kgverify.reasoning.solver import Retractable, _ends_by, consequences
from kgverify.replay.checker import underivable
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier, explain
from kgverify.vocabulary import Candidate, Question
from tests.reasoning.small import dated, graph, statuses

TOWNS = """
class Country, City
disjoint Country, City
relation capital (Country, City) functional
relation near (City, City) symmetric, irreflexive
relation founded (City, date) functional
question not_both(a: City, b: City)
    "?"
    answer x : Country
    require not all of { capital(x, a), capital(x, b) }
question both(a: City, b: City)
    "?"
    answer x : Country
    require capital(x, a)
    require capital(x, b)
question of(c: Country)
    "?"
    answer x : City
    require capital(c, x)
question founded_not_both(a: date, b: date)
    "?"
    answer x : City
    require not all of { founded(x, a), founded(x, b) }
question reached(a: City)
    "?"
    answer x : City
    require near/near(x, a)
    require any of { near(x, a), not near(a, x) }
question way_and_more(a: City)
    "?"
    answer x : City
    require all of { near/near(x, a), any of { near(x, a), not near(a, x) } }
"""
NZ = "nz type Country \n wellington type City \n auckland type City \n"


def ask_exactly(
    kg: Graph, question: str, *candidates: str, budget: bool | Budget = True, **arguments: Any
) -> tuple[dict[str, Verdict], list[Problem]]:
    verifier = Verifier(kg, load_rules_text(TOWNS), "rank", exact=budget)
    asked = Question("q", question, arguments, tuple(map(Candidate, candidates)))
    ((verdicts, problems),) = verifier.verify([asked])
    return {verdict.candidate: verdict for verdict in verdicts}, problems


def test_two_constraints_that_exclude_each_other() -> None:
    found, problems = ask_exactly(graph(NZ), "not_both", "nz", a="wellington", b="auckland")
    assert problems == []
    verdict = found["nz"]
    assert (verdict.verdict, verdict.basis, statuses(verdict)) == ("sat", "exact", ["sat"])
    constraint = verdict.constraints[1]
    assert constraint.basis == "exact"
    assert len(constraint.because) == 1
    assert "`capital` is functional" in constraint.because[0]
    assert constraint.would_settle == ()


def test_a_verdict_can_be_viol_though_no_constraint_is() -> None:
    found, _ = ask_exactly(graph(NZ), "both", "nz", a="wellington", b="auckland")
    verdict = found["nz"]
    assert (verdict.verdict, verdict.basis) == ("viol", "exact")
    assert statuses(verdict) == ["unk missing", "unk missing"]
    joint = verdict.explain().joint
    assert joint is not None
    assert [node.kind for node in joint.leaves()] == ["schema"]


def test_explaining_exactly() -> None:
    asked = Question("q", "not_both", {"a": "wellington", "b": "auckland"})
    kg, book = graph(NZ), load_rules_text(TOWNS)
    assert explain(asked, "nz", kg, book).verdict == "unk"
    told = explain(asked, "nz", kg, book, exact=True)
    proof = told.constraints[1].pro
    assert proof is not None
    assert (told.verdict, proof.kind, told.joint) == ("sat", "exact", None)


def test_a_conflict_is_reported_and_does_not_spread() -> None:
    kg = graph(
        NZ + "kenya capital nairobi \n kenya capital mombasa \n uganda capital kampala \n"
        "odd type City \n odd type Country"
    )
    found, problems = ask_exactly(
        kg, "not_both", "nz", "kenya", "odd", "uganda", a="wellington", b="auckland"
    )
    assert {name: v.verdict for name, v in found.items()} == {
        "nz": "sat",
        "kenya": "sat",
        "odd": "unk",
        "uganda": "sat",
    }
    assert statuses(found["odd"]) == ["sat"]
    assert [p.code for p in problems] == ["inconsistent"]
    assert "odd : City" in problems[0].message
    assert "disjoint" in problems[0].message
    assert "capital" not in problems[0].message.replace("`capital`", "")
    of, problems = ask_exactly(kg, "of", "nairobi", "mombasa", c="kenya")
    assert {statuses(v)[0] for v in of.values()} == {"unk conflict"}
    assert {v.verdict for v in of.values()} == {"unk"}
    assert "capital(kenya, nairobi)" in problems[0].message


def test_a_conflict_is_a_minimal_set() -> None:
    kg = graph("kenya capital nairobi \n kenya capital mombasa \n kenya type Country")
    _, problems = ask_exactly(kg, "of", "nairobi", c="kenya")
    (problem,) = problems
    assert problem.message.count(";") == 2  # two facts and one line of the schema


@pytest.mark.parametrize(
    ("one", "other", "status"),
    [
        ("1990", "1991", "sat"),
        ("1990-05-01", "1991", "sat"),
        ("1990", "1990-05-01", "unk missing"),
        ("1990-05", "1990", "unk missing"),
    ],
)
def test_values_that_may_be_one_exclude_nothing(one: str, other: str, status: str) -> None:
    found, _ = ask_exactly(graph(NZ), "founded_not_both", "auckland", a=one, b=other)
    assert statuses(found["auckland"]) == [status]


def test_a_blank_node_excludes_nothing() -> None:
    kg = graph(NZ + "nz capital _:x \n akaroa type City")
    found, _ = ask_exactly(kg, "both", "nz", a="wellington", b="akaroa")
    assert statuses(found["nz"]) == ["unk missing", "unk missing"]


def test_a_stranger_stays_unresolved() -> None:
    found, _ = ask_exactly(graph(NZ), "not_both", "atlantis", a="wellington", b="auckland")
    assert found["atlantis"].verdict == "unk"
    assert statuses(found["atlantis"]) == ["unk unresolved"]


def test_a_path_keeps_the_status_that_evidence_gives_it() -> None:
    kg = graph(NZ + "auckland near hamilton \n hamilton near wellington \n oslo type City")
    found, _ = ask_exactly(kg, "reached", "auckland", "oslo", a="wellington")
    assert statuses(found["auckland"]) == ["sat", "sat"]
    assert statuses(found["oslo"]) == ["unk missing", "sat"]
    assert found["oslo"].constraints[2].basis == "exact"


def test_an_exact_proof_holds_the_proofs_of_constraints_that_evidence_decides() -> None:
    kg = graph(NZ + "auckland near hamilton \n hamilton near wellington")
    found, _ = ask_exactly(kg, "way_and_more", "auckland", a="wellington")
    assert statuses(found["auckland"]) == ["sat"]
    constraint = found["auckland"].constraints[1]
    assert constraint.basis == "exact"
    assert "near(auckland, hamilton)" in constraint.because
    proof = found["auckland"].explain().constraints[1].pro
    assert proof is not None
    assert any("hamilton" in node.text for node in proof.leaves())


@pytest.mark.parametrize("budget", [Budget(atoms=1), Budget(seconds=1e-9)])
def test_beyond_the_budget_evidence_decides(budget: Budget) -> None:
    found, problems = ask_exactly(
        graph(NZ), "not_both", "nz", "auckland", budget=budget, a="wellington", b="auckland"
    )
    assert statuses(found["nz"]) == ["unk budget"]
    assert found["nz"].constraints[0].status == "sat"
    assert found["auckland"].verdict == "viol"
    assert [p.code for p in problems] == ["budget"]
    assert problems[0].severity == "warning"


@pytest.mark.parametrize("limits", [{"atoms": 0}, {"seconds": 0.0}, {"seconds": float("nan")}])
def test_a_budget_allows_something(limits: dict[str, Any]) -> None:
    with pytest.raises(EngineError, match="budget"):
        Budget(**limits)


class Unwoken:
    """A search that is at its end, of which those who wait already are not told."""

    def __init__(self, looks: int) -> None:
        self.looks = looks  # after which it says so
        self.waited = 0.0

    def wait(self, seconds: float) -> bool:
        self.looks -= 1
        self.waited += seconds
        return self.looks < 0


def test_a_search_is_looked_at_again() -> None:
    handle = Unwoken(looks=3)
    assert _ends_by(handle, time.monotonic() + 1000)
    assert handle.waited < 100
    assert not _ends_by(Unwoken(looks=1000), time.monotonic() - 1)
    assert _ends_by(Unwoken(looks=0), time.monotonic() - 1)  # at its end in time, and seen late


def test_consequences_of_a_program() -> None:
    found = consequences(["{a;b}. c. :- a, b."], seconds=10)
    assert found is not None
    assert (found.brave, found.cautious) == ({"a", "b", "c"}, {"c"})
    assert consequences([":- not a."], seconds=10) is None
    with pytest.raises(EngineError):
        consequences(["a(."], seconds=10)


def test_a_search_is_stopped_when_its_time_is_over() -> None:
    pigeons = "1 { in(P,1..11) } 1 :- P = 1..12. :- in(P,H), in(Q,H), P < Q."
    with pytest.raises(LimitReached):
        consequences([pigeons], seconds=0.01)


def test_minimal_cores() -> None:
    solver = Retractable(["{on(0..4)}. :- on(1), on(3). :- on(0), on(2), on(4)."], seconds=10)
    assert solver.minimal_core(range(5)) == (1, 3) or solver.minimal_core(range(5)) == (0, 2, 4)
    assert solver.minimal_core([0, 2, 3, 4]) == (0, 2, 4)
    assert solver.minimal_core([0, 1, 2]) is None


WAYS = """
class Country, City
disjoint Country, City
relation capital (Country, City) functional
relation inside (City, Country) functional
relation founded (City, date) functional
relation named (City, date)
relation near (City, City)
relation part (City, City)
relation seat (Country, City) functional at a time
relation child (Country, City)
complete child for "nz"
question ask(a: Country, d: date)
    "?"
    answer x : Country
    require {}
"""
TIMES = {"founded": "date", "named": "date"}


def ask_about_ways(
    constraint: str, kg: str = "", budget: bool | Budget = True
) -> tuple[str, list[Problem]]:
    facts = "nz type Country \n uk type Country \n wellington type City \n york type City \n"
    book = load_rules_text(WAYS.format(constraint))
    verifier = Verifier(graph(facts + kg, **TIMES), book, "rank", exact=budget)
    asked = Question("q", "ask", {"a": "uk", "d": "1990-05-01"}, (Candidate("nz"),))
    (((verdict,), problems),) = verifier.verify([asked])
    return statuses(verdict)[0], problems


BOTH = "not all of {{ {0} < d, {0} >= d }}"
EITHER = "any of {{ {0} < d, {0} >= d }}"


@pytest.mark.parametrize(
    ("constraint", "kg", "status"),
    [
        # Paths: one way leads on, whether the graph names it or not.
        ('not all of { capital/inside(x, a), capital/inside(x, "nz") }', "", "sat"),
        ('not all of { part/inside("york", a), part/inside("york", "nz") }', "", "unk missing"),
        ('not all of { capital/near(x, "york"), not inside("york", a), capital(x, "york") }', "",
         "unk missing"),
        ('any of { near/near("york", "wellington"), not near/near("york", "wellington") }', "",
         "sat"),
        ('not all of { near("york", "york"), not (near|^part)("york", "york") }', "", "sat"),
        ('not all of { part("york", "york"), (near|^part)("york", "york") }', "", "unk missing"),
        ('not all of { near("york", "york"), not near/near("york", "york") }', "", "sat"),
        ('not all of { near("york", "york"), not (near|part)/near("york", "york") }', "", "sat"),
        # More than once: any number of things may lie between.
        ('not all of { near("york", "york"), not near+("york", "york") }', "", "sat"),
        ('not all of { near+("york", "york"), not near("york", "york") }', "", "unk missing"),
        ('not all of { near+("york", "wellington"), not near/near("york", "wellington"), '
         'not near("york", "wellington") }', "", "unk missing"),
        ('not all of { near/near("york", "wellington"), not near+("york", "wellington") }', "",
         "sat"),
        ('not all of { near+("york", "wellington"), count near("york", _) <= 0 }', "", "sat"),
        ('not all of { near+("york", "wellington"), count near(_, "wellington") <= 0 }', "", "sat"),
        ('not all of { near+/inside("york", a), near+/inside("york", "nz") }', "", "unk missing"),
        # Values: one that is known to the year is on either side of a day, and on one only.
        (EITHER.format("capital/founded(x)"), "nz capital york \n york founded 1990", "sat"),
        (EITHER.format("capital/founded(x)"), "nz capital york", "unk missing"),
        (BOTH.format("capital/founded(x)"), "", "sat"),
        (BOTH.format("capital/named(x)"), "", "unk missing"),
        (BOTH.format("capital/named(x)"), "nz capital york \n york named 1990", "unk imprecise"),
        ("not all of { capital/founded(x) < 1990, not capital/founded(x) < 1991 }", "", "sat"),
        ("not all of { capital/founded(x) = 1990, capital/founded(x) > d }", "", "unk missing"),
        ("not all of { capital/founded(x) = 1990, capital/founded(x) > 1991 }", "", "sat"),
        # Counts.
        ('not all of { count near("york", _) >= 1, count near("york", _) <= 0 }', "", "sat"),
        ('not all of { count near("york", _) <= 0, near("york", "york") }', "", "sat"),
        ('not all of { count near("york", _) <= 1, near("york", "york"), '
         'near("york", "wellington") }', "", "sat"),
        ('not all of { count near("york", _) <= 1, near("york", "york") }', "", "unk missing"),
        ('any of { count near("york", _) >= 5, capital(x, "york") }', "", "unk missing"),
        ('not all of { count near("york", _) <= 5, count near("york", _) >= 5 }', "",
         "unk missing"),
        ('any of { count near("york", _) <= 9, count near("york", _) > 9 }', "", "sat"),
        ('not all of { count near("york", _) <= 9, count near("york", _) >= 11 }', "", "sat"),
        ('not all of { count near("york", _) <= 9, count near("york", _) >= 9 }', "",
         "unk missing"),
        ('any of { count near("york", _) >= 2, count near("york", _) <= 1 }', "york near _:x \n "
         "york near wellington", "sat"),
        ('any of { count child(x, _) <= 1, child(x, "york") }',
         "nz child york \n nz child _:x", "sat"),
        ('all of { count child(x, _) >= 1, not child(x, "wellington") }', "nz child york", "sat"),
        # What is functional at a time may have several objects.
        ('not all of { seat(x, "york"), seat(x, "wellington") }', "", "unk missing"),
        ('not all of { seat/near(x, "york"), seat(x, "wellington") }', "", "unk missing"),
        ("not all of { seat/inside(x, a), seat/inside(x, \"nz\") }", "", "unk missing"),
        ("count seat(x, _) <= 1", "", "unk missing"),
        # At a time: one object then, though there may be others later.
        ('not all of { seat(x, "york") at 1990, seat(x, "wellington") at 1990 }', "", "sat"),
        ('not all of { seat(x, "york") at 1990, seat(x, "wellington") at 1991 }', "",
         "unk missing"),
        ('not all of { seat(x, "york") at 1990, seat(x, "wellington") at 1990-05 }', "", "sat"),
        ('not all of { seat(x, "york") at 1990, not seat(x, "york") at 1990-05 }', "", "sat"),
        ('not all of { seat(x, "york") at 1990-05, not seat(x, "york") at 1990 }', "",
         "unk missing"),
        ('any of { not seat(x, "york") at 1990, seat(x, "york") }', "", "sat"),
        ('any of { not seat(x, "york") at d, seat(x, "york") at 1990-05 }', "", "unk missing"),
        ('any of { seat(x, "york") at d, not seat(x, "york") at 1990-05 }', "", "sat"),
        # What is assumed closed is what the graph lists.
        ('any of { not seat(x, "york") at 1990, seat(x, "york") at 1990 assume closed }', "",
         "unk missing"),
        ('not all of { near/near("york", "york") assume closed, near/near("york", "york") }', "",
         "sat"),
        ('not all of { named("york") < d assume closed, named("york") >= d assume closed }',
         "york named 1990", "unk imprecise"),
        ('any of { named("york") < d assume closed, named("york") >= d assume closed }',
         "york named 1990", "sat"),
        ('not all of { founded("york") < d assume closed, founded("york") >= d assume closed }',
         "york founded 1990", "sat"),
        ('any of { founded("york") < d assume closed, founded("york") >= d }', "york founded 1990",
         "sat"),
        ('not all of { named("york") < d assume closed, not named("york") < d }', "york named 1990",
         "sat"),
        ('not all of { not named("york") < d assume closed, named("york") < d }',
         "york named 1990", "unk imprecise"),
        ('any of { count near("york", _) >= 2 assume closed, count near("york", _) < 2 }',
         "york near _:x \n york near wellington", "unk missing"),
        ('any of { count near("york", _) < 2 assume closed, count near("york", _) >= 2 }',
         "york near _:x \n york near wellington", "sat"),
        ('not all of { near("york", "york") assume closed, not near("york", "york") }',
         "york near _:x", "sat"),
        ('not all of { not near("york", "york") assume closed, near("york", "york") }',
         "york near _:x", "unk missing"),
    ],
)  # fmt: skip
def test_paths_comparisons_and_counts(constraint: str, kg: str, status: str) -> None:
    assert ask_about_ways(constraint, kg) == (status, [])


@pytest.mark.parametrize(
    ("constraint", "why"),
    [
        ('(near/near)+("york", "york")', "repeats what takes more than one step"),
        ('count near("york", _) <= 32', "counts beyond 32"),
        ('all of { count near("york", _) > 30, count near("wellington", _) > 4 }', "more than 32"),
    ],
)
def test_what_completions_cannot_tell_is_left_and_said(constraint: str, why: str) -> None:
    status, (problem,) = ask_about_ways(f'all of {{ capital(x, "york"), {constraint} }}')
    assert status.startswith("unk")
    assert (problem.code, problem.severity) == ("beyond-exact", "warning")
    assert why in problem.message
    assert str(problem.span).startswith("<rules>")


def test_names_of_one_entity_are_one_step() -> None:
    one = 'any of { capital/near(x, "york"), not capital/near(x, "eboracum") }'
    assert ask_about_ways(one)[0] == "unk missing"
    assert ask_about_ways(one, "york owl:sameAs eboracum")[0] == "sat"


def test_a_proof_about_a_view_names_what_makes_it_functional() -> None:
    book = load_rules_text(WAYS.format(BOTH.format("capital/founded(x)")))
    asked = Question("q", "ask", {"a": "uk", "d": "1990-05-01"})
    told = explain(asked, "nz", graph("nz type Country \n uk type Country"), book, exact=True)
    proof = told.constraints[1].pro
    assert proof is not None
    assert sorted(node.text.split()[0] for node in proof.leaves()) == ["`capital`", "`founded`"]


def test_views_are_left_out_where_they_take_too_many_atoms() -> None:
    """What else there is is decided, and the budget is reported."""
    both = 'not all of { capital(x, "york"), capital(x, "wellington") }'
    status, problems = ask_about_ways(
        both + '\n    require near/near/near("york", "york")', budget=Budget(atoms=40)
    )
    assert status == "sat"
    assert [p.code for p in problems] == ["budget"]


FAMILY = """
class Person
relation parent (Person, Person)
relation ancestor (Person, Person)
ancestor(X, Z) :- parent(X, Y), parent(Y, Z).
question either(a: Person, b: Person)
    "?"
    answer x : Person
    require any of { not parent(b, x), ancestor(a, x) }
"""


@pytest.mark.parametrize("engine", ["slice", "reference"])
@pytest.mark.parametrize(("known", "expected"), [("ann", "sat"), ("eve", "unk")])
def test_a_rule_holds_in_every_completion(engine: str, known: str, expected: str) -> None:
    """Whoever may be a child of bob is then one that ann descends to, where ann is bob's parent:
    the slice must hold what the rule joins with an atom that may be true."""
    kg = graph(f"{known} parent bob \n cid type Person \n ann type Person \n bob type Person")
    verifier = Verifier(kg, load_rules_text(FAMILY), "rank", engine, exact=True)  # type: ignore[arg-type]
    asked = Question("q", "either", {"a": "ann", "b": "bob"}, (Candidate("cid"),))
    (((verdict,), problems),) = verifier.verify([asked])
    assert problems == []
    assert (verdict.verdict, statuses(verdict)[0].split()[0]) == (expected, expected)


def test_a_proof_rests_on_what_the_steps_of_a_view_lead_to() -> None:
    rules = """
class Person
relation parent (Person, Person)
not parent(X, Y) :- parent(Y, X).
question own_grandparent(a: Person)
    "?"
    answer x : Person
    require not parent/parent(x, x)
"""
    asked = Question("q", "own_grandparent", {"a": "ann"})
    kg = graph("ann type Person \n bob type Person")
    told = explain(asked, "bob", kg, load_rules_text(rules), exact=True)
    proof = told.constraints[1].pro
    assert proof is not None
    assert [node.text for node in proof.leaves()] == ["rule line 4"]


def test_what_holds_at_a_time_by_evidence_holds_in_the_completions() -> None:
    book = load_rules_text(WAYS.format('seat(x, "york") at 1990\n    require near("york", "york")'))
    kg = dated("nz seat york 1989 1992\nuk type Country\nyork type City")
    asked = Question("q", "ask", {"a": "uk", "d": "1990-05-01"}, (Candidate("nz"),))
    (((verdict,), problems),) = Verifier(kg, book, "rank", exact=True).verify([asked])
    assert (problems, statuses(verdict)) == ([], ["sat", "unk missing"])


def test_what_holds_at_a_time_by_evidence_leaves_completions_for_the_rest() -> None:
    rest = 'not all of { seat(x, "york") at 1991, not seat(x, "york") at 1991-05 }'
    book = load_rules_text(WAYS.format(f'seat(x, "york") at 1990\n    require {rest}'))
    kg = dated("nz seat york 1989 1991\nuk type Country\nyork type City")
    asked = Question("q", "ask", {"a": "uk", "d": "1990-05-01"}, (Candidate("nz"),))
    (((verdict,), problems),) = Verifier(kg, book, "rank", exact=True).verify([asked])
    assert (problems, statuses(verdict)) == ([], ["sat", "sat"])


@pytest.mark.parametrize("engine", ["slice", "reference"])
def test_what_is_complete_and_not_listed_in_may_does_not_hold_all_the_year(engine: Any) -> None:
    year = 'seat(x, "york") at 1990-05\n    exclude seat(x, "york") at 1990'
    text = WAYS.format(year).replace("question", "complete seat\nquestion")
    kg = dated("nz seat york 1990-01-01 1990-03-01\nuk type Country\nyork type City")
    asked = Question("q", "ask", {"a": "uk", "d": "1990-05-01"}, (Candidate("nz"),))
    for exact, found in ((False, ["viol", "unk imprecise"]), (True, ["viol", "sat"])):
        verifier = Verifier(kg, load_rules_text(text), "rank", engine, exact=exact)
        (((verdict,), problems),) = verifier.verify([asked])
        assert (problems, statuses(verdict)) == ([], found)


def test_what_is_not_listed_at_another_time_is_cited_and_replays() -> None:
    year = 'seat(x, "york") at 1990-05\n    exclude seat(x, "york") at 1990'
    book = load_rules_text(WAYS.format(year).replace("question", "complete seat\nquestion"))
    kg = dated("nz seat york 1990-01-01 1990-03-01\nuk type Country\nyork type City")
    told = explain(Question("q", "ask", {"a": "uk", "d": "1991"}), "nz", kg, book, exact=True)
    proof = told.constraints[2].proof
    assert proof is not None
    assert [c.kind for c in proof.citations] == ["absence", "statement"]
    assert check_explanation(told, kg, book) == []
    absent, complete = proof.citations
    for name in ("seat at 1990-99", "seat at 1991-05", "near at 1990-05"):
        forged = structs.replace(absent, name=name)
        other = structs.replace(proof, citations=(forged, complete))
        assert underivable(other, book)
    for less in ((absent,), (complete,), ()):
        assert underivable(structs.replace(proof, citations=less), book)


def test_a_proof_may_need_many_unknown_things() -> None:
    between = 'not all of { count near("york", _) <= 9, count near("york", _) >= 11 }'
    asked = Question("q", "ask", {"a": "uk", "d": "1990-05-01"})
    kg = graph("nz type Country \n uk type Country \n york type City")
    told = explain(asked, "nz", kg, load_rules_text(WAYS.format(between)), exact=True)
    proof = told.constraints[1].pro
    assert proof is not None
    assert (told.verdict, proof.kind) == ("sat", "exact")
