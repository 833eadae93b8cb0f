"""Proofs that rest on times: checked from what they cite, and against the graph."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.language.rulebook import RuleBook
from kgverify.replay.checker import underivable
from kgverify.replay.periods import holds_throughout, period, surely_meet
from kgverify.vocabulary import Citation, Explanation
from tests import time_oracle
from tests.reasoning.small import ask, dated
from tests.reasoning.tampering import changed, claiming, faults, kinds, lessened, proof_of
from tests.reasoning.test_times import RULES as TIMES

# What is asked here beside what `test_times` asks.
RULES = (
    TIMES
    + """
relation king (Country, City) functional
question king(c: Country, t: date)
    "Which city was king of {c} at {t}?"
    answer x : City
    require king(c, x) at t
question both(c: Country, t: date)
    "What was the capital of {c} at {t}, and a city that it visited?"
    answer x : City
    require all of { capital(c, x) at t, capital(c, x) at 1993-05, visited(c, x) }
"""
)
WORLD = """
k capital almaty 1991 1997
k capital astana 1997-12
e capital a 1990 2000
e capital b 1995 2005
n capital oslo
s seat bern 1990
s capital zurich 1980 1989
bergen twin rome 1990 1995
norway visited rome 1990 1995
c capital old - 1950 normal
c capital new 1950 - preferred
k visited almaty
g king a 1990 1995
"""


def explained(
    question: str, candidate: str, world: str = WORLD, **arguments: Any
) -> tuple[Explanation, Graph, RuleBook]:
    graph = dated(world)
    found = ask(RULES, graph, question, candidate, **arguments)[candidate]
    return found.explain(), graph, load_rules_text(RULES)


CASES = [
    ("at", "almaty", {"c": "k", "t": "1995"}, "sat", ["period"]),
    ("at", "astana", {"c": "k", "t": "1995"}, "viol", ["identity", "period", "statement"]),
    ("at", "bergen", {"c": "n", "t": "1995"}, "viol", ["identity", "period", "statement"]),
    ("at", "old", {"c": "c", "t": "1940"}, "sat", ["outranked"]),
    ("at", "new", {"c": "c", "t": "1940"}, "viol", ["identity", "outranked", "statement"]),
    ("ever", "almaty", {"c": "k"}, "sat", ["fact"]),
    ("ever", "bergen", {"c": "n"}, "viol", ["identity", "period", "statement"]),
    ("ever", "a", {"c": "e"}, "conflict", ["identity", "period", "statement"]),
    ("at", "a", {"c": "e", "t": "1998"}, "conflict", ["identity", "period", "statement"]),
    ("backwards", "bern", {"c": "s", "t": "2000"}, "sat", ["period", "statement"]),
    ("backwards", "zurich", {"c": "s", "t": "2000"}, "viol", ["identity", "period", "statement"]),
    ("seat", "zurich", {"c": "s", "t": "1993"}, "viol", ["identity", "period", "statement"]),
    ("twins", "rome", {"c": "bergen", "t": "1993"}, "sat", ["period", "statement"]),
    ("twins", "oslo", {"c": "rome", "t": "1993"}, "viol", ["identity", "period", "statement"]),
    ("visit", "rome", {"c": "norway", "t": "2000"}, "viol", ["absence", "statement"]),
    ("king", "b", {"c": "g", "t": "1993"}, "viol", ["fact", "identity", "statement"]),
    ("closed", "bergen", {"c": "k"}, "viol", ["assumption"]),
    ("both", "almaty", {"c": "k", "t": "1995"}, "sat", ["fact", "period"]),
]


@pytest.mark.parametrize(("question", "candidate", "arguments", "status", "cited"), CASES)
def test_times_replay_from_all_that_is_cited_and_from_nothing_less(
    question: str, candidate: str, arguments: dict[str, Any], status: str, cited: list[str]
) -> None:
    explanation, graph, book = explained(question, candidate, **arguments)
    assert (proof_of(explanation).status, kinds(explanation)) == (status, cited)
    assert faults(explanation, graph, book) == []
    for citation, less in lessened(explanation):
        found = faults(less, graph, book)
        assert any("does not follow from what is cited" in m for m in found), citation


@pytest.mark.parametrize(("question", "candidate", "arguments", "status", "cited"), CASES)
def test_another_date_is_not_in_the_graph(
    question: str, candidate: str, arguments: dict[str, Any], status: str, cited: list[str]
) -> None:
    explanation, graph, book = explained(question, candidate, **arguments)

    def moved(citation: Citation) -> Citation:
        if len(citation.terms) != 4:
            return citation
        since = "ldate 1066-10-14" if citation.terms[2] != "ldate 1066-10-14" else ""
        terms = (*citation.terms[:2], since, citation.terms[3])
        return structs.replace(citation, terms=terms)

    found = faults(changed(explanation, moved), graph, book)
    assert bool(found) == bool({"period", "outranked"} & set(cited))
    assert all("no such fact for this period" in m or "follow" in m for m in found)


def _until(date: str) -> Any:
    def change(citation: Citation) -> Citation:
        if citation.kind != "period":
            return citation
        return structs.replace(citation, terms=(*citation.terms[:3], date))

    return change


@pytest.mark.parametrize(
    "until", ["ldate 1995", "ldate 1995-06", "ldate 1990-01-01", "lill x", "é"]
)
def test_a_period_that_does_not_hold_all_of_the_time(until: str) -> None:
    explanation, _, book = explained("at", "almaty", c="k", t="1995")
    assert underivable(proof_of(explanation), book) == []
    assert underivable(proof_of(changed(explanation, _until(until))), book)
    assert underivable(proof_of(changed(explanation, _until("ldate 1996"))), book) == []


@pytest.mark.parametrize("name", ["capital at 1998", "capital at 1997", "capital at x", "capital"])
def test_a_claim_about_another_time(name: str) -> None:
    explanation, graph, book = explained("at", "almaty", c="k", t="1995")
    forged = claiming(explanation, lambda claim: structs.replace(claim, name=name))
    assert any("does not follow" in message for message in faults(forged, graph, book))


def test_periods_that_do_not_meet_are_no_conflict() -> None:
    explanation, _, book = explained("ever", "a", c="e")

    def later(citation: Citation) -> Citation:
        if citation.kind != "period" or citation.terms[1] != "eb":
            return citation
        return structs.replace(citation, terms=(*citation.terms[:2], "ldate 2000", "ldate 2005"))

    assert underivable(proof_of(explanation), book) == []
    assert underivable(proof_of(changed(explanation, later)), book)


def test_what_is_outranked_can_not_pass_for_the_best() -> None:
    explanation, graph, book = explained("at", "old", c="c", t="1940")

    def raised(citation: Citation) -> Citation:
        return structs.replace(citation, kind="period")

    (message,) = faults(changed(explanation, raised), graph, book)
    assert "no such fact for this period" in message


def test_what_is_outranked_excludes_nothing() -> None:
    explanation, _, book = explained("ever", "bergen", c="n")

    def lowered(citation: Citation) -> Citation:
        kind = "outranked" if citation.kind == "period" else citation.kind
        return structs.replace(citation, kind=kind)

    assert underivable(proof_of(changed(explanation, lowered)), book)


def test_an_absence_at_a_time_is_looked_up() -> None:
    explanation, _, book = explained("visit", "rome", c="norway", t="2000")
    later = dated(WORLD + "norway visited rome 1999 2001-05\n")
    messages = faults(explanation, later, book)
    assert any("there is evidence for it, or for what may be it" in m for m in messages)


def test_an_assumption_about_a_time_is_looked_up() -> None:
    explanation, _, book = explained("closed", "bergen", c="k")
    known = dated(WORLD + "k capital bergen 1980 1991\n")
    messages = faults(explanation, known, book)
    assert any("there is evidence for it" in message for message in messages)


def test_a_fact_that_is_stated_for_a_period_is_cited_once() -> None:
    explanation, _, _ = explained("ever", "a", c="e")
    texts = [c.text for c in proof_of(explanation).citations if c.kind in ("fact", "period")]
    assert sorted(texts) == [
        "capital(e, a), since 1990 until 2000",
        "capital(e, b), since 1995 until 2005",
    ]


DATES = ("", "1990", "1990-05", "1990-05-01", "1990-05-02", "1991", "1990-05-01T04:00:00Z",
         "1990-05-01T04:00:00", "1990-04-30+14:00", "1990-05-01-10:00")  # fmt: skip
dates = st.sampled_from(DATES)


@given(dates, dates, dates, dates, st.sampled_from(DATES[1:]))
def test_periods_are_compared_as_the_semantics_says(
    since: str, until: str, begin: str, end: str, time: str
) -> None:
    def key(text: str) -> str:
        return text and time_oracle.value_key(text, "date")

    one, other = period(key(since), key(until)), period(key(begin), key(end))
    assert one is not None
    assert other is not None
    stated = [
        time_oracle.Stated("", "", since, until, True),
        time_oracle.Stated("", "", begin, end, True),
    ]
    assert holds_throughout(one, time) == time_oracle.holds(stated[0], time)[0]
    assert surely_meet(one, other) == time_oracle.exclude(*stated)
