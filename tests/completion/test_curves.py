"""Risk, coverage and edges against gold, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.completion.curves import (
    Labelled,
    Matching,
    Point,
    area,
    edge_scores,
    risk_coverage,
    sweep,
)
from tests.completion.proposed import edge

HALF = Fraction(1, 2)
CANDIDATES = [
    Labelled(Fraction(1), True),
    Labelled(HALF, False),
    Labelled(HALF, True),
    Labelled(Fraction(3, 4), True),
    Labelled(None, True),
    Labelled(Fraction(1, 5), False),
]


def test_the_curve_has_a_point_for_each_score() -> None:
    curve = risk_coverage(CANDIDATES)
    assert [(p.threshold, p.admitted, p.right) for p in curve] == [
        (1, 1, 1),
        (Fraction(3, 4), 2, 2),
        (HALF, 4, 3),
        (Fraction(1, 5), 5, 3),
    ]
    assert [p.coverage for p in curve] == [Fraction(n, 6) for n in (1, 2, 4, 5)]
    assert [p.risk for p in curve] == [0, 0, Fraction(1, 4), Fraction(2, 5)]
    # One each without risk, two at a quarter, one at two fifths.
    assert area(curve) == (2 * Fraction(1, 4) + Fraction(2, 5)) / 5
    assert area(()) is None
    assert area(risk_coverage([Labelled(None, True)])) is None


def test_exactly_the_threshold_is_admitted() -> None:
    just, above, none = sweep(CANDIDATES, [HALF, HALF + Fraction(1, 10**9), Fraction(2)])
    assert (just.admitted, above.admitted, none.admitted) == (4, 2, 0)
    assert (just.precision, just.recall) == (Fraction(3, 4), Fraction(3, 4))
    assert (none.precision, none.risk, none.recall, none.coverage) == (None, None, 0, 0)
    (empty,) = sweep([], [HALF])
    assert (empty.coverage, empty.recall) == (None, None)
    assert empty == Point(HALF, 0, 0, 0, 0)


SCORES = st.one_of(st.none(), st.fractions(0, 1, max_denominator=6))


@given(st.lists(st.builds(Labelled, SCORES, st.booleans()), max_size=12))
def test_a_higher_threshold_covers_no_more(candidates: list[Labelled]) -> None:
    curve = risk_coverage(candidates)
    judged = [one for one in candidates if one.score is not None]
    assert [p.admitted for p in curve] == sorted({p.admitted for p in curve})
    assert [p.threshold for p in curve] == sorted({one.score for one in judged}, reverse=True)
    assert (curve[-1].admitted if curve else 0) == len(judged)
    if curve:
        each = []
        for one in judged:
            first = next(p for p in curve if one.score is not None and p.threshold <= one.score)
            assert first.risk is not None
            each.append(first.risk)
        assert area(curve) == sum(each, Fraction(0)) / len(each)


ADMITTED = [*(edge("rome in italy"), edge("rome in italy"), edge("bo married al"))]
ADMITTED += [edge("oslo in denmark"), edge("paris in france")]
REJECTED = [edge("oslo in norway"), edge("bonn in spain"), edge("oslo in norway")]
DELETED = [edge("rome in italy"), edge("oslo in norway"), edge("al married bo"), edge("ulm in eu")]
GRAPH = [edge("paris in france")]


@pytest.mark.parametrize(
    ("matching", "recovered", "correct"),
    [("strict", 1, 2), ("declared", 2, 3), ("pair", 2, 3)],
)
def test_edges_against_gold(matching: Matching, recovered: int, correct: int) -> None:
    found = edge_scores(ADMITTED, REJECTED, DELETED, GRAPH, matching, {"married"})
    assert (found.admitted, found.gold, found.rejected) == (4, 4, 2)
    assert found.precision == found.recall == found.f1 == Fraction(recovered, 4)
    assert found.gold_correct == Fraction(correct, 4)
    assert found.false_rejection == HALF


def test_a_pair_matches_whatever_the_relation() -> None:
    gold = [edge("a r b"), edge("b s a"), edge("c r d"), edge("a r c")]
    ours = [edge("b r a"), edge("a s b"), edge("c s d")]
    by_pair = edge_scores(ours, [], gold, [], "pair")
    assert (by_pair.admitted, by_pair.gold, by_pair.recovered) == (2, 3, 2)
    assert (by_pair.precision, by_pair.recall, by_pair.f1) == (1, Fraction(2, 3), Fraction(4, 5))
    assert edge_scores(ours, [], gold, []).recovered == 0
    # Declared symmetry is that of its relation alone, and two directions are one edge.
    declared = edge_scores([*ours, edge("a r b")], [], gold, [], "declared", ("r",))
    assert (declared.admitted, declared.recovered) == (3, 1)


def test_nothing_admitted_has_no_precision() -> None:
    found = edge_scores([], [], DELETED, GRAPH)
    assert (found.precision, found.recall, found.f1) == (None, 0, 0)
    assert (found.gold_correct, found.false_rejection) == (None, None)
    empty = edge_scores([], [], [], [])
    assert (empty.recall, empty.f1) == (None, None)
    assert edge_scores([edge("x r y")], [], [], []).precision == 0
