"""Shares with what could not be decided, and Wilson's interval by its formula."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.experiments.statistics import Interval, wilson
from kgverify.experiments.tgcomplete.rates import Rate

Z = 1.959963984540054  # the normal distribution's 97.5th percentile


@settings(max_examples=300)
@given(st.lists(st.sampled_from((True, False, None))))
def test_the_unknown_is_counted_apart(answers: list[bool | None]) -> None:
    rate = Rate.of(answers)
    known = [answer for answer in answers if answer is not None]
    assert (rate.part, rate.whole) == (known.count(True), len(known))
    assert rate.unknown == answers.count(None)
    assert rate.value == (Fraction(sum(known), len(known)) if known else None)
    # The bounds are what the share would be if all of the unknown were known.
    for filled, bound in ((False, rate.least), (True, rate.most)):
        guessed = [filled if answer is None else answer for answer in answers]
        assert bound == (Fraction(sum(guessed), len(guessed)) if guessed else None)
    if rate.value is not None:
        assert rate.least is not None
        assert rate.most is not None
        assert rate.least <= rate.value <= rate.most


@settings(max_examples=300)
@given(st.integers(1, 500), st.data())
def test_wilson_is_its_formula(whole: int, data: st.DataObject) -> None:
    part = data.draw(st.integers(0, whole))
    share = part / whole
    middle = (share + Z**2 / (2 * whole)) / (1 + Z**2 / whole)
    half = Z * sqrt(share * (1 - share) / whole + Z**2 / (4 * whole**2)) / (1 + Z**2 / whole)
    found = wilson(part, whole)
    assert found.mean == share
    assert (found.low, found.high) == (
        pytest.approx(max(0, middle - half), abs=1e-9),
        pytest.approx(min(1, middle + half), abs=1e-9),
    )
    assert Rate(part, whole, 7).interval == found


def test_of_nothing_there_is_no_share() -> None:
    assert wilson(0, 0) == Interval(None, None, None, 0)
    nothing = Rate.of([])
    assert (nothing.value, nothing.least, nothing.most) == (None, None, None)
    assert nothing.interval == wilson(0, 0)
    unknown = Rate.of([None, None])
    assert (unknown.value, unknown.least, unknown.most) == (None, 0, 1)
