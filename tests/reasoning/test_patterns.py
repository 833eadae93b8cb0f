"""What the evidence says of constraints, by whole columns, and its distinct patterns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.gathering import Slice
from kgverify.reasoning.knowledge import TYPE, Knowledge
from kgverify.reasoning.patterns import (
    ASSERTED,
    ASSUMED,
    CON,
    PRO,
    EvidenceColumns,
    distinct,
    pattern_text,
)
from kgverify.reasoning.program import CompiledConstraint, compile_question

RULES = """
class City, Old, New
relation road (City, City)
question near(c: City)
    "?"
    answer x : City
    require road(x, c)
    exclude road(c, x)
    require x != c
    require road(x, c) assume closed
    require x : Old assume closed
    require not x : New
"""


def ids(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    graph = Graph.from_triples([("eb", "rdf:type", "eCity"), ("eb", "road", "eOld")])
    return Knowledge(graph, load_rules_text(RULES))


@pytest.fixture(scope="module")
def columns(knowledge: Knowledge) -> EvidenceColumns:
    """Of the terms 10 to 18: evidence for, against, and both, stated or not."""
    shown = [
        *("for(road,12,1)", "for(road,10,1)", "against(road,11,1)", "against(road,12,1)"),
        *("for(road,1,10)", "maybe(road,13,1)", "different(10,1)", "different(12,1)"),
        *(
            'is_a(10,"City")',
            'isnt_a(11,"City")',
            'maybe_a(13,"Old")',
            'is_a(12,"Old")',
            'is_a(12,"New")',
        ),
        'for("rail way",10,1)',
    ]
    city = knowledge.class_ids["City"]
    slice_ = Slice(
        {"road": (ids(12, 10), ids(1, 1)), TYPE: (ids(14, 10, 3), ids(city, city, 99))},
        {"road": (ids(11), ids(1)), TYPE: (ids(11), ids(city))},
        {},
        {},
    )
    return EvidenceColumns(shown, slice_, knowledge)


def constraints(knowledge: Knowledge) -> list[CompiledConstraint]:
    question = knowledge.book.questions["near"]
    return list(compile_question(knowledge.book, question).constraints)


def test_evidence_is_found_by_predicate_name_and_terms(columns: EvidenceColumns) -> None:
    some, one = ids(9, 10, 11, 12, 13, 14), ids(1, 1, 1, 1, 1, 1)

    def found(predicate: str, name: str, *terms: np.ndarray) -> list[int]:
        return some[columns.holds(predicate, name, terms)].tolist()

    assert found("for", "road", some, one) == [10, 12]
    assert found("against", "road", some, one) == [11, 12]
    assert found("for", "road", one, some) == [10]
    assert found("for", "rail way", some, one) == [10]
    assert found("for", "river", some, one) == []
    assert found("is_a", "City", some) == [10]
    assert found("isnt_a", "City", some) == [11]
    assert found("maybe", "road", some, one) == [13]
    assert found("maybe_a", "Old", some) == [13]
    assert found("different", "", some, one) == [10, 12]
    assert found("stated for", "road", some, one) == [10, 12]
    assert found("stated against", "road", some, one) == [11]
    assert found("stated is_a", "City", some) == [10, 14]
    assert found("stated is_a", "Old", some) == []
    assert found("stated isnt_a", "City", some) == [11]


def test_codes_say_what_the_evidence_does(columns: EvidenceColumns, knowledge: Knowledge) -> None:
    some, one = ids(10, 11, 12, 13, 14), ids(1, 1, 1, 1, 1)
    city, road, back, other, closed, old, not_new = constraints(knowledge)

    def codes(constraint: CompiledConstraint, *terms: np.ndarray) -> list[int]:
        return columns.codes(constraint, terms).tolist()

    assert codes(city, some) == [PRO + ASSERTED, CON + ASSERTED, 0, 0, ASSERTED]
    assert codes(road, some, one) == [
        *(PRO + ASSERTED, CON + ASSERTED, PRO + CON + ASSERTED, 0, 0),
    ]
    assert codes(back, one, some) == [CON, 0, 0, 0, 0]
    equal = ids(1, 1, 12, 1, 1)
    assert codes(other, some, equal) == [
        *(PRO + ASSERTED, ASSERTED, CON + ASSERTED, ASSERTED, ASSERTED),
    ]
    # What is not known counts as false, but where it is held back.
    assert codes(closed, some, one) == [
        *(PRO + ASSERTED, CON + ASSERTED, PRO + CON + ASSERTED, 0, CON + ASSUMED),
    ]
    assert codes(old, some) == [CON + ASSUMED, CON + ASSUMED, PRO, 0, CON + ASSUMED]
    assert codes(not_new, some) == [0, 0, CON, 0, 0]
    at = replace(road, name="river", stated="road")
    assert codes(at, some, one) == [ASSERTED, ASSERTED, ASSERTED, 0, 0]


def test_every_bit_says_one_thing() -> None:
    assert PRO | CON | ASSERTED | ASSUMED == PRO + CON + ASSERTED + ASSUMED
    assert min(PRO, CON, ASSERTED, ASSUMED) > 0


def test_each_pattern_is_there_once() -> None:
    found = distinct(np.array([[3, 0], [1, 2], [3, 0], [1, 2], [0, 9]]))
    assert found.rows.tolist() == [[0, 9], [1, 2], [3, 0]]
    assert found.of.tolist() == [2, 1, 2, 1, 0]


def test_patterns_are_written_as_candidates() -> None:
    text = pattern_text(4, np.array([[PRO, 0], [CON + PRO, CON]]), {PRO: "pro", CON: "con"})
    assert text == "candidate(4,0..1).pro(4,0,0).pro(4,0,1).con(4,0,1).con(4,1,1)."
