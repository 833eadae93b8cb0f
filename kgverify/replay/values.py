"""How the checker of proofs compares values: each is a stretch of the axis of its kind."""

from __future__ import annotations

from typing import Any

from kgverify.graph.terms import has_zone, number_value, time_interval

_ZONES = 14 * 3600  # how far a time without a zone may lie from where it is read
_TEXTS = ("string", "text@", "boolean")

# A point, and 1 for just behind it.
Stretch = tuple[str, tuple[Any, int], tuple[Any, int]]  # the axis, from, to before


def compares(value: str, operator: str, bound: str) -> bool | None:
    """Does a value certainly compare so with a bound (term keys)?  False when it certainly does
    not, None when neither is certain."""
    one, other = stretch(value, bound), stretch(bound, bound)
    return None if one is None or other is None else compares_stretch(one, operator, other)


def compares_stretch(one: Stretch, operator: str, other: Stretch) -> bool | None:
    """The same of where the two lie."""
    if one[0] != other[0]:  # of different kinds: they differ, and have no order
        return {"=": False, "!=": True}.get(operator)
    (_, start, end), (_, low, high) = one, other
    is_before, not_before = end <= low, start >= low
    is_after, not_after = start >= high, end <= high
    certain, excluded = {
        "<": (is_before, not_before),
        ">=": (not_before, is_before),
        ">": (is_after, not_after),
        "<=": (not_after, is_after),
        "=": (not_before and not_after, is_before or is_after),
        "!=": (is_before or is_after, not_before and not_after),
    }[operator]
    return True if certain else False if excluded else None


def stretch(key: str, bound: str) -> Stretch | None:
    """Where a value lies, as it is compared with a bound; None for what has no order."""
    number = number_value(key)
    if number is not None:
        return "number", (number, 0), (number, 1)
    interval = time_interval(key)
    if interval is not None:
        slack = _ZONES if time_interval(bound) and has_zone(key) != has_zone(bound) else 0
        start, end = interval
        return "time", (start - slack, 0), (end + slack, 1 if start == end else 0)
    kind, _, text = key.partition(" ")
    if key.startswith("l") and kind[1:].startswith(_TEXTS):
        return kind, (text, 0), (text, 1)
    return None


def reach(name: str, bound: str) -> int | None:
    """The number that a count has to reach: `name` ends in `>=` or `>`, `bound` is the key of the
    number that it is compared with.  None where that is no whole number."""
    number = number_value(bound)
    if number is None or not number.is_finite() or number != number.to_integral_value():
        return None
    return int(number) + (name.rpartition(" ")[2] == ">")
