"""Measures against their definitions, written out; and what they are where a denominator is 0."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from kgverify.experiments.metrics import (
    Selection,
    average_precision,
    curve,
    mean,
    ratio,
    selection,
    support,
)


def test_a_selection_is_counted() -> None:
    found = selection([(True, True), (True, True), (False, True), (True, False), (False, False)])
    assert found == Selection(2, 1, 1)
    assert (found.precision, found.recall, found.f1) == (2 / 3, 2 / 3, 2 / 3)


@pytest.mark.parametrize(
    ("found", "precision", "recall", "f1"),
    [
        (Selection(0, 0, 0), None, None, None),  # neither gold nor anything selected
        (Selection(0, 0, 3), None, 0.0, 0.0),  # nothing selected
        (Selection(0, 2, 0), 0.0, None, 0.0),  # no gold
        (Selection(0, 2, 3), 0.0, 0.0, 0.0),
    ],
)
def test_zero_denominators(
    found: Selection, precision: float | None, recall: float | None, f1: float | None
) -> None:
    assert (found.precision, found.recall, found.f1) == (precision, recall, f1)


def test_f1_is_the_harmonic_mean() -> None:
    for right in range(1, 5):
        for wrong in range(4):
            for missed in range(4):
                found = Selection(right, wrong, missed)
                p, r = Fraction(right, right + wrong), Fraction(right, right + missed)
                assert found.f1 == pytest.approx(float(2 * p * r / (p + r)))


def test_means_leave_out_what_is_undefined() -> None:
    assert mean([None, 1.0, 0.0, None]) == 0.5
    assert mean([None]) is None
    assert mean([]) is None
    assert ratio(0, 0) is None


def test_support_over_all_and_over_the_decided() -> None:
    statuses = {"answer": "sat", "c1": "unk", "c2": "viol"}
    assert support(statuses) == 1 / 3
    assert support(statuses, decided=True) == 1 / 2
    assert support(statuses, {"answer": 2.0, "c2": 0.5}) == pytest.approx(2 / 3.5)
    assert support(statuses, {"answer": 2.0, "c2": 0.5}, decided=True) == pytest.approx(2 / 2.5)


def test_support_of_what_is_not_decided_is_zero() -> None:
    assert support({"answer": "unk", "c1": "unk"}, decided=True) == 0.0
    assert support({"answer": "sat"}, {"answer": 0.0}) == 0.0


def brute_force_curve(scored: list[tuple[float, bool]]) -> list[tuple[float, float, float]]:
    """For each score: select everything that reaches it, and count."""
    gold = sum(is_gold for _, is_gold in scored)
    points = []
    for least in sorted({score for score, _ in scored}, reverse=True):
        taken = [is_gold for score, is_gold in scored if score >= least]
        points.append((least, sum(taken) / len(taken), sum(taken) / gold))
    return points


def brute_force_average_precision(scored: list[tuple[float, bool]]) -> float:
    """The mean, over gold, of the precision where everything that scores no less is selected."""
    precisions = [
        sum(g for s, g in scored if s >= score) / sum(s >= score for s, _ in scored)
        for score, is_gold in scored
        if is_gold
    ]
    return sum(precisions) / len(precisions)


@pytest.mark.parametrize("seed", range(200))
def test_curves_and_average_precision_by_brute_force(seed: int) -> None:
    chance = random.Random(seed)
    scored = [
        (chance.randrange(5) / 4, chance.random() < 0.4) for _ in range(chance.randrange(1, 25))
    ]
    if not any(is_gold for _, is_gold in scored):
        assert curve(scored) == []
        assert average_precision(scored) is None
        return
    assert [tuple(point) for point in curve(scored)] == brute_force_curve(scored)
    expected = brute_force_average_precision(scored)
    assert average_precision(scored) == pytest.approx(expected)
    chance.shuffle(scored)
    assert average_precision(scored) == pytest.approx(expected)  # ties have no order


def test_average_precision_at_its_ends() -> None:
    assert average_precision([(2.0, True), (1.0, False)]) == 1.0
    assert average_precision([(1.0, True), (2.0, False)]) == 0.5
    assert average_precision([(1.0, True), (1.0, False), (1.0, False), (1.0, False)]) == 0.25
