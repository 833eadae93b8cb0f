"""Periods and times, as the checker of proofs compares them.

A period is written `since/until`, both term keys, "" for since ever and for still.  A date is a
stretch of an axis, whose edges are (seconds, 0), or (seconds, 1) for just behind a moment.  A date
without a time zone may be read in any, so there are two axes: where a date with a zone is exact,
and where one without is; on either the other kind is blurred.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from kgverify.graph.terms import display, has_zone, time_interval, value_key

_ZONES = 14 * 3600
_Edge = tuple[Fraction | float, int]
ALWAYS = "/"


def period(since: str, until: str) -> str | None:
    """The period between two dates (term keys, or ""); None where one of them is no date."""
    dates = [key for key in (since, until) if key]
    return f"{since}/{until}" if all(map(_is_date, dates)) else None


def _is_date(key: str) -> bool:
    """Is this the key of a date, as keys are written?"""
    return key.startswith(("ldate ", "ltime ")) and value_key(display(key), "date") == key


def is_time(text: str) -> bool:
    """Is this a time, as the rule language writes it?"""
    return _is_date(value_key(text, "date"))


def holds_throughout(period: str, time: str) -> bool:
    """Does a period surely hold all of a time, which is written as in the rule language?"""
    if not is_time(time):
        return False
    key = value_key(time, "date")
    first, last = _stretch(key, has_zone(key))
    since, until = _surely(period, has_zone(key))
    return since <= first and last <= until


def surely_meet(one: str, other: str) -> bool:
    """Is there a moment at which both of two periods surely hold?"""
    for zoned in (False, True):
        (start, end), (begin, stop) = _surely(one, zoned), _surely(other, zoned)
        if max(start, begin) < min(end, stop):
            return True
    return False


def _surely(period: str, zoned: bool) -> tuple[_Edge, _Edge]:
    """From when to before when a period holds, whatever its dates stand for, on an axis."""
    since, _, until = period.partition("/")
    start = (_stretch(since, zoned)[1][0], 0) if since else (-inf, 0)
    end = (_stretch(until, zoned)[0][0], 0) if until else (inf, 0)
    return start, end


def _stretch(date: str, zoned: bool) -> tuple[_Edge, _Edge]:
    """From when to before when a date is, on an axis."""
    found = time_interval(date)
    assert found is not None
    start, end = found
    blur = 0 if has_zone(date) == zoned else _ZONES
    return (start - blur, 0), (end + blur, 1 if start == end else 0)
