"""Means with their uncertainty, by scipy.

Two kinds of interval, both at 95 %.  Over seeds: Student's t, since there are few.  For a
difference between two methods that answered the same questions: the paired bootstrap over the
questions.  Intervals are not cut off at 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.95
RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of n values and its interval; `low` and `high` are None when n < 2, and all three
    when no value is defined."""

    mean: float | None
    low: float | None
    high: float | None
    n: int


def t_interval(values: Sequence[float | None]) -> Interval:
    """The mean of the values that are defined, with Student's t interval."""
    from scipy import stats

    found = [value for value in values if value is not None]
    if not found:
        return Interval(None, None, None, 0)
    middle = sum(found) / len(found)
    if len(found) < 2:
        return Interval(middle, None, None, len(found))
    error = float(stats.sem(found)) if min(found) < max(found) else 0.0
    if not error:
        return Interval(middle, middle, middle, len(found))
    low, high = stats.t.interval(LEVEL, len(found) - 1, loc=middle, scale=error)
    return Interval(middle, float(low), float(high), len(found))


def paired_difference(ours: Sequence[float], theirs: Sequence[float], seed: int) -> Interval:
    """The mean of ours − theirs over the same questions, with the percentile bootstrap interval."""
    import numpy as np
    from scipy import stats

    if len(ours) != len(theirs):
        raise ValueError("paired values are as many on either side")
    if not len(ours):
        return Interval(None, None, None, 0)
    differences = np.asarray(ours, float) - np.asarray(theirs, float)
    middle = float(differences.mean())
    if len(ours) < 2:
        return Interval(middle, None, None, len(ours))
    found = stats.bootstrap(
        (differences,),
        np.mean,
        n_resamples=RESAMPLES,
        vectorized=True,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(middle, float(found.low), float(found.high), len(ours))
