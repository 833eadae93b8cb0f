"""Validity in time: what holds at a time, and what is functional at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kgverify
from kgverify import resources
from kgverify.graph import Graph, open_graph
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.times import Period, perhaps, surely_meet
from kgverify.vocabulary import Candidate, Node, Question
from tests.reasoning.small import ask, dated, statuses

RULES = """
class City, Country
relation capital (Country, City) functional at a time
relation seat (Country, City) sub of capital
relation capital_of (City, Country) inverse of capital
relation twin (City, City) symmetric, functional at a time
relation visited (Country, City)
complete visited for "norway"
rule all_visit "every country visits its capital":
    visited(C, X) :- capital(C, X).
question ever(c: Country)
    "What is or was the capital of {c}?"
    answer x : City
    require capital(c, x)
question at(c: Country, t: date)
    "What was the capital of {c} at {t}?"
    answer x : City
    require capital(c, x) at t
question backwards(c: Country, t: date)
    "What was the capital of {c} at {t}?"
    answer x : City
    require capital_of(x, c) at t
question seat(c: Country, t: date)
    "Where was the seat of {c} at {t}?"
    answer x : City
    require seat(c, x) at t
question twins(c: City, t: date)
    "What was the twin of {c} at {t}?"
    answer x : City
    require twin(x, c) at t
question visit(c: Country, t: date)
    "Which city did {c} visit at {t}?"
    answer x : City
    require visited(c, x) at t
question closed(c: Country)
    "What was the capital of {c} in 1990, as far as is known?"
    answer x : City
    require capital(c, x) at 1990 assume closed
"""


def status(graph: Graph, question: str, candidate: str, **arguments: Any) -> str:
    """The status under both engines, which agree."""
    found = {
        tuple(statuses(ask(RULES, graph, question, candidate, engine=e, **arguments)[candidate]))
        for e in ("slice", "reference")
    }
    ((one,),) = found
    return one


MOVED = "k capital almaty 1991 1997\nk capital astana 1997-12"


@pytest.mark.parametrize(
    ("time", "almaty", "astana"),
    [
        ("1995", "sat", "viol"),
        ("1992", "sat", "viol"),
        ("1996-12-31", "sat", "viol"),
        ("1996-12-31T23:59:59", "sat", "viol"),
        ("1991", "unk imprecise", "unk missing"),
        ("1991-07", "unk imprecise", "unk missing"),
        ("1990", "unk missing", "unk missing"),
        ("1997", "unk imprecise", "unk imprecise"),
        ("1997-12-05", "unk imprecise", "unk imprecise"),
        ("1997-11", "unk imprecise", "unk missing"),
        ("1998", "viol", "sat"),
        ("1998-01-01T00:00:00", "viol", "sat"),
        ("2500-01-01", "viol", "sat"),
        # A time with a zone may lie half a day beside one without.
        ("1998-01-01T00:00:00Z", "unk imprecise", "unk imprecise"),
        ("1998-01-01T14:00:00Z", "viol", "sat"),
        ("1996-12-31T09:59:59Z", "sat", "viol"),
        ("1996-12-31T10:00:00Z", "unk imprecise", "unk missing"),
    ],
)
def test_a_capital_that_moved(time: str, almaty: str, astana: str) -> None:
    graph = dated(MOVED)
    assert status(graph, "at", "almaty", c="k", t=time) == almaty
    assert status(graph, "at", "astana", c="k", t=time) == astana


def test_periods_without_ends() -> None:
    graph = dated(
        "a capital x - 1950\nb capital y 1950\nc capital z\nd capital x 1990-06-01 1990-06-01"
    )
    assert status(graph, "at", "x", c="a", t="-0500") == "sat"
    assert status(graph, "at", "x", c="a", t="1950") == "unk imprecise"
    assert status(graph, "at", "y", c="b", t="9999") == "sat"
    assert status(graph, "at", "z", c="c", t="1066-10-14") == "sat"
    # It surely began after that day, and surely ended before: it never surely holds.
    assert status(graph, "at", "x", c="d", t="1990-06-01") == "unk imprecise"
    assert status(graph, "at", "x", c="d", t="1990-06-02") == "unk missing"


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("1995 2005", ["unk conflict", "unk conflict"]),  # both surely hold in 1996
        ("2000 2005", ["sat", "sat"]),  # an equal boundary is no overlap
        ("1999 2005", ["sat", "sat"]),  # … nor is one that may be equal
        ("1998 2005", ["unk conflict", "unk conflict"]),
        ("1999-12-30 2005", ["unk conflict", "unk conflict"]),
        ("1999-12-31 2005", ["sat", "sat"]),
        ("- -", ["unk conflict", "unk conflict"]),
        ("- 1990", ["sat", "sat"]),
        ("1999-12-31T10:00:00Z", ["sat", "sat"]),
        ("1999-12-31T09:59:59Z", ["unk conflict", "unk conflict"]),
    ],
)
def test_two_capitals_conflict_where_they_surely_overlap(second: str, expected: list[str]) -> None:
    graph = dated(f"e capital a 1990 2000\ne capital b {second}")
    assert [status(graph, "ever", city, c="e") for city in "ab"] == expected


def test_a_conflict_stays_in_the_time_of_the_overlap() -> None:
    graph = dated("e capital a 1990 2000\ne capital b 1995 2005")
    assert [status(graph, "at", city, c="e", t="1993") for city in "ab"] == ["sat", "viol"]
    assert [status(graph, "at", city, c="e", t="1998") for city in "ab"] == ["unk conflict"] * 2


def test_what_always_holds_leaves_room_for_no_other() -> None:
    graph = dated("n capital oslo\nbergen twin rome")
    assert status(graph, "ever", "bergen", c="n") == "viol"
    assert status(graph, "at", "bergen", c="n", t="1990") == "viol"
    later = dated("n capital oslo 1990\nbergen twin rome")
    assert status(later, "ever", "bergen", c="n") == "unk missing"


def test_periods_follow_the_schema() -> None:
    graph = dated("k seat astana 1997\nk capital almaty 1990 1996\na twin b 1990")
    assert status(graph, "at", "astana", c="k", t="2000") == "sat"
    assert status(graph, "backwards", "astana", c="k", t="2000") == "sat"
    assert status(graph, "backwards", "almaty", c="k", t="2000") == "viol"
    assert status(graph, "seat", "astana", c="k", t="1993") == "viol"
    assert status(graph, "seat", "almaty", c="k", t="1993") == "unk missing"
    assert status(graph, "twins", "a", c="b", t="2000") == "sat"
    assert status(graph, "twins", "astana", c="b", t="2000") == "viol"


def test_an_unnamed_capital_refutes_nothing() -> None:
    graph = dated("n capital _:x\nbergen twin rome")
    assert status(graph, "at", "bergen", c="n", t="1990") == "unk missing"


def test_completeness_at_a_time() -> None:
    graph = dated(
        "norway visited rome 1990 1995\nnorway capital oslo\nfrance visited rome 1990 1995"
    )
    assert status(graph, "visit", "rome", c="norway", t="1992") == "sat"
    assert status(graph, "visit", "rome", c="norway", t="2000") == "viol"
    assert status(graph, "visit", "rome", c="norway", t="1990") == "unk imprecise"
    assert status(graph, "visit", "rome", c="france", t="2000") == "unk missing"
    # That Oslo was visited follows from a rule, which doesn't say when.
    assert status(graph, "visit", "oslo", c="norway", t="2000") == "unk missing"


def test_a_blank_node_that_may_be_the_subject_holds_completeness_back_at_a_time() -> None:
    graph = dated("norway visited oslo\n_:x visited rome 1990 1995\n_:x visited paris")
    assert status(graph, "visit", "rome", c="norway", t="1992") == "unk missing"
    assert status(graph, "visit", "rome", c="norway", t="1995") == "unk missing"
    assert status(graph, "visit", "paris", c="norway", t="2000") == "unk missing"
    assert status(graph, "visit", "rome", c="norway", t="2000") == "viol"


def test_a_blank_node_that_may_be_the_subject_spares_an_assumption_at_a_time() -> None:
    graph = dated("k capital almaty 1991 1997\n_:x capital rome\nparis twin rome")
    assert status(graph, "closed", "rome", c="k") == "unk missing"
    assert status(graph, "closed", "paris", c="k") == "viol"


def test_lesser_facts_count_at_a_time_only() -> None:
    graph = dated("k capital almaty 1991 1997 normal\nk capital astana 1997-12 - preferred")
    assert status(graph, "at", "almaty", c="k", t="1995") == "sat"
    assert status(graph, "at", "astana", c="k", t="1995") == "viol"
    assert status(graph, "ever", "almaty", c="k") == "unk missing"
    assert status(graph, "ever", "astana", c="k") == "sat"
    deprecated = dated(
        "k capital almaty 1991 1997 deprecated\nk capital astana 1997-12\nalmaty twin a"
    )
    assert status(deprecated, "at", "almaty", c="k", t="1995") == "unk missing"


def test_a_statement_may_be_made_for_several_periods() -> None:
    graph = dated("k capital a 1990 1993\nk capital a 1997 2000\nk capital b 1993 1997")
    answers = [status(graph, "at", "a", c="k", t=str(year)) for year in (1991, 1995, 1998)]
    assert answers == ["sat", "viol", "sat"]


def test_assume_closed_spares_what_perhaps_holds() -> None:
    graph = dated("k capital a 1990\nk capital b 1991\nc twin a")
    assert status(graph, "closed", "a", c="k") == "unk imprecise"
    assert status(graph, "closed", "b", c="k") == "viol"


def test_many_times_in_one_batch() -> None:
    graph = dated(MOVED)
    verifier = kgverify.Verifier(graph, load_rules_text(RULES), "rank")
    asked = [
        Question(str(year), "at", {"c": "k", "t": year}, (Candidate("almaty"), Candidate("astana")))
        for year in range(1985, 2010)
    ]
    found = {(v.question, v.candidate): v.verdict for vs, _ in verifier.verify(asked) for v in vs}
    for question in asked:
        ((alone, _),) = verifier.verify([question])
        assert {v.candidate: v.verdict for v in alone} == {
            city: found[question.id, city] for city in ("almaty", "astana")
        }
    assert found["1995", "almaty"] == found["2005", "astana"] == "sat"


def test_values_hold_at_times() -> None:
    rules = """
class City
relation people (City, integer) functional at a time
question sized(n: integer, t: date)
    "Which city had {n} people at {t}?"
    answer x : City
    require people(x, n) at t
"""
    builder = Builder()
    for number, since, until in (("100", "1900", "1950"), ("200", "1950", "")):
        said = {"since": since, **({"until": until} if until else {})}
        builder.add_fact("eoslo", "people", f"lnumber {number}", qualifiers=said)
    graph = Graph(builder.columns())
    answers = [
        statuses(ask(rules, graph, "sized", "oslo", n=n, t="1920")["oslo"]) for n in (100, 200, 300)
    ]
    assert answers == [["sat"], ["viol"], ["viol"]]


def outline(node: Node | None) -> list[str]:
    assert node is not None
    return [node.text, *("  " + line for child in node.children for line in outline(child))]


def test_proofs_name_periods_and_their_places(tmp_path: Path) -> None:
    fact = {"subject": "k", "relation": "capital"}
    said = [
        {"object": "almaty", "since": "1991", "until": "1997"},
        {"object": "astana", "since": "1997-12"},
    ]
    lines = [json.dumps(fact | qualifiers) for qualifiers in said]
    (tmp_path / "kg.jsonl").write_text("\n".join(lines))
    graph, rules = open_graph(tmp_path / "kg.jsonl"), load_rules_text(RULES)
    question = Question("q", "at", {"c": "k", "t": "1995"})
    found = kgverify.explain(question, "astana", graph, rules).constraints[1]
    assert outline(found.con) == [
        "it is false that capital(k, astana) at 1995",
        "  capital(k, almaty) at 1995",
        "    capital(k, almaty), since 1991 until 1997",
        "    since 1991 until 1997 includes 1995",
        "  astana and almaty are different",
    ]
    assert found.constraint.because[0].endswith("kg.jsonl:1]")
    assert found.constraint.text == "capital(k, x) at 1995"
    ever = kgverify.explain(Question("q", "ever", {"c": "k"}), "astana", graph, rules)
    assert outline(ever.constraints[1].pro) == ["capital(k, astana)"]
    assert ever.constraints[1].constraint.basis == "asserted"


def test_the_solver_and_the_reasons_agree_on_what_perhaps_holds() -> None:
    period = Period("1991", "1997-05", True)
    answers = [perhaps(period, t) for t in ("1990", "1991", "1994-01-01", "1997", "1997-06")]
    assert answers == [False, True, True, True, False]


def test_periods_without_a_zone_are_in_one_zone() -> None:
    """Two hours in common are enough, though against a period with a zone they would not be."""
    first = Period("1991", "1997-05-01T10:00:00", True)
    second, zoned = (Period(f"1997-05-01T08:00:00{z}", "1999", True) for z in ("", "Z"))
    assert surely_meet(first, second)
    assert not surely_meet(first, zoned)


def test_capitals_that_moved_in_the_corpus() -> None:
    graph = open_graph(resources.folder("corpora") / "countries" / "moved_capitals.jsonl")
    asked = {
        ("kazakhstan", "1995"): "almaty",
        ("kazakhstan", "1997-12-11"): "astana",
        ("brazil", "1889-11-15"): "rio_de_janeiro",
        ("brazil", "1700"): "salvador",
        ("brazil", "1961"): "brasilia",
        ("nigeria", "1991-12-11"): "lagos",
        ("turkey", "1924"): "ankara",
        ("australia", "1926"): "melbourne",
        ("germany", "1989-11-09"): "bonn",
        ("russia", "1917"): "saint_petersburg",
        ("ivory_coast", "2000"): "yamoussoukro",
        ("malawi", "1974"): "zomba",
        ("norway", "1905-06-07"): "oslo",
    }
    rules = load_rules_text(RULES)
    cities = ("almaty", "astana", "bonn", "oslo")
    questions = [
        Question(
            f"{country} {time}", "at", {"c": country, "t": time}, tuple(map(Candidate, others))
        )
        for (country, time), city in asked.items()
        for others in [dict.fromkeys((city, *cities))]
    ]
    for engine in ("slice", "reference"):
        results = kgverify.Verifier(graph, rules, "rank", engine).verify(questions)  # type: ignore[arg-type]
        for (key, city), (verdicts, _) in zip(asked.items(), results, strict=True):
            found = {verdict.candidate: verdict.verdict for verdict in verdicts}
            others = dict.fromkeys(found, "viol")
            assert found == others | {city: "sat"}, (engine, key)
    assert status(graph, "ever", "rio_de_janeiro", c="brazil") == "sat"
    assert status(graph, "ever", "bergen", c="norway") == "unk unresolved"
    assert status(graph, "ever", "bonn", c="norway") == "viol"


@pytest.mark.parametrize("engine", ["slice", "reference"])
def test_periods_of_a_kind_of_the_relation_count_though_nobody_asks_about_it(engine: str) -> None:
    rules = """
class City, Country
relation capital (Country, City)
relation seat (Country, City) sub of capital
question at(c: Country, t: date)
    "What was the capital of {c} at {t}?"
    answer x : City
    require capital(c, x) at t
"""
    kg = dated("k seat rome 1990 2000")
    found = ask(rules, kg, "at", "rome", engine=engine, c="k", t="1995")
    assert statuses(found["rome"]) == ["sat"]
