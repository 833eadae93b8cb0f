"""Means with their uncertainty, by scipy.

Three kinds of interval, all at 95 %.  Over seeds: Student's t, since there are few.  Over
questions, for a mean and for the difference between two methods that answered the same ones: the
bootstrap.  For a share of things that are counted: Wilson's.  The first two are not cut off at 0
and 1.
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


def bootstrap_mean(values: Sequence[float], seed: int) -> Interval:
    """The mean of the values with the percentile bootstrap interval."""
    import numpy as np
    from scipy import stats

    if not len(values):
        return Interval(None, None, None, 0)
    found = np.asarray(values, float)
    middle = float(found.mean())
    if len(found) < 2:
        return Interval(middle, None, None, len(found))
    spread = stats.bootstrap(
        (found,),
        np.mean,
        n_resamples=RESAMPLES,
        vectorized=True,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(middle, float(spread.low), float(spread.high), len(found))


def paired_difference(ours: Sequence[float], theirs: Sequence[float], seed: int) -> Interval:
    """The mean of ours − theirs over the same questions, with the percentile bootstrap interval."""
    if len(ours) != len(theirs):
        raise ValueError("paired values are as many on either side")
    return bootstrap_mean([a - b for a, b in zip(ours, theirs, strict=True)], seed)


def wilson(part: int, whole: int) -> Interval:
    """The share with Wilson's score interval, which is of use for small numbers and for shares near
    0 and 1 too (Wilson, 1927)."""
    from scipy import stats

    if not whole:
        return Interval(None, None, None, 0)
    spread = stats.binomtest(part, whole).proportion_ci(LEVEL, method="wilson")
    return Interval(part / whole, float(spread.low), float(spread.high), whole)
