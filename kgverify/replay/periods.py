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


def holds_partly(period: str, time: str) -> bool:
    """Does what is stated for a period surely hold at some moment of a time?  It does where the
    surest part of the period meets the time, and where the whole lies in it, for it holds at some
    moment."""
    if not is_time(time):
        return False
    key = value_key(time, "date")
    first, last = _stretch(key, has_zone(key))
    start, end = _surely(period, has_zone(key))
    if start < end and start < last and first < end:
        return True
    since, _, until = period.partition("/")
    if not (since and until):
        return False
    low, high = _stretch(since, has_zone(key))[0], _stretch(until, has_zone(key))[1]
    return low < high and first <= low and high <= last


def includes(time: str, part: str) -> bool:
    """Is a time surely a part of another?"""
    whole, own = _two(time, part)
    return whole is not None and own is not None and whole[0] <= own[0] and own[1] <= whole[1]


def crosses(time: str, other: str) -> bool:
    """Have two times surely a part in common?"""
    one, two = _two(time, other)
    return one is not None and two is not None and one[0] < two[1] and two[0] < one[1]


def _two(*times: str) -> list[tuple[_Edge, _Edge] | None]:
    """Where times lie on the axis that they have in common, if there is one."""
    keys = [value_key(time, "date") for time in times]
    if not all(map(is_time, times)) or len(set(map(has_zone, keys))) > 1:
        return [None for _ in times]
    return [_stretch(key, has_zone(key)) for key in keys]


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
