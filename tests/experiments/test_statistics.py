"""Intervals, against tables and against what they must cover."""

from __future__ import annotations

import math
import random

import pytest

pytest.importorskip("scipy")

from kgverify.experiments.statistics import Interval, paired_difference, t_interval


def test_students_t_from_the_table() -> None:
    values = [0.61, 0.64, 0.60, 0.66, 0.62]
    middle = sum(values) / 5
    deviation = math.sqrt(sum((v - middle) ** 2 for v in values) / 4)
    half = 2.776445 * deviation / math.sqrt(5)  # t at 0.975, four degrees of freedom
    found = t_interval(values)
    assert found.mean == pytest.approx(middle)
    assert found.low == pytest.approx(middle - half)
    assert found.high == pytest.approx(middle + half)
    assert found.n == 5


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], Interval(None, None, None, 0)),
        ([None, None], Interval(None, None, None, 0)),
        ([0.5], Interval(0.5, None, None, 1)),
        ([None, 0.5], Interval(0.5, None, None, 1)),
        ([0.25, 0.25, 0.25], Interval(0.25, 0.25, 0.25, 3)),
    ],
)
def test_few_values_or_equal_ones(values: list[float | None], expected: Interval) -> None:
    assert t_interval(values) == expected


def test_undefined_values_are_left_out() -> None:
    assert t_interval([0.1, None, 0.3]) == t_interval([0.1, 0.3])


def test_a_paired_difference() -> None:
    chance = random.Random(3)
    theirs = [chance.random() for _ in range(80)]
    ours = [value + 0.2 + chance.gauss(0, 0.05) for value in theirs]
    found = paired_difference(ours, theirs, 1)
    assert found.low is not None
    assert found.high is not None
    # Pairing takes away what the questions differ in: the interval is far narrower than they vary.
    assert 0.17 < found.low < 0.2 < found.high < 0.23
    assert found.mean == pytest.approx(sum(ours) / 80 - sum(theirs) / 80)
    assert found == paired_difference(ours, theirs, 1)
    assert found != paired_difference(ours, theirs, 2)


def test_a_difference_of_nothing() -> None:
    assert paired_difference([0.5, 0.1], [0.5, 0.1], 0) == Interval(0.0, 0.0, 0.0, 2)
    assert paired_difference([0.5], [0.25], 0) == Interval(0.25, None, None, 1)
    assert paired_difference([], [], 0) == Interval(None, None, None, 0)
    with pytest.raises(ValueError, match="as many"):
        paired_difference([0.5], [], 0)
