"""Values that would do: ones that compare with a bound as asked, and ones that are not known yet.

They stand as examples for values that are missing.  Whether one really settles anything is found
out as for any other fact, so the few that are tried here need not be all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from math import ceil, floor

from kgverify.graph.moments import day_text
from kgverify.graph.terms import (
    compatible,
    has_zone,
    is_exact,
    number_value,
    time_interval,
    value_key,
)

# Where a value may lie, for each comparison that it is to meet; the clearest place first.
_PLACES = {
    **{"<": ("below",), "<=": ("inside", "below"), "=": ("inside",)},
    **{"!=": ("above", "below"), ">=": ("inside", "above"), ">": ("above",)},
}
NEGATED = {"<": ">=", "<=": ">", "=": "!=", "!=": "=", ">=": "<", ">": "<="}
_LARGEST = 25  # digits of a number beside which others are tried
_DAY = 86_400


def comparing(operator: str, bound: str, datatype: str, within: Sequence[str] = ()) -> list[str]:
    """The keys of some exact values of a datatype that compare so with `bound`, and that may each
    be all the values `within`, which are known less precisely."""
    found: dict[str, list[str]] = {"below": [], "inside": [], "above": []}
    for key in dict.fromkeys(_beside(bound, datatype, within)):
        place = _place(key, bound)
        if place and is_exact(key) and all(key == v or compatible(key, v) for v in within):
            found[place].append(key)
    return [key for place in _PLACES[operator] for key in found[place]]


def unknown_values(datatype: str, known: Sequence[str], number: int) -> list[str]:
    """The keys of so many exact values of a datatype that provably differ from the known ones and
    from each other; fewer where there are no more."""
    taken = set(known)
    differing = (
        key
        for key in islice(_enumerated(datatype), 1000 * (number + 1))
        if key not in taken and not any(compatible(key, other) for other in known)
    )
    return list(islice(differing, number))


def written(key: str) -> str:
    """A value as a table of facts writes it, without quotes."""
    return key.partition(" ")[2]


def _enumerated(datatype: str) -> Iterator[str]:
    """Exact values of a datatype, all different."""
    match datatype:
        case "boolean":
            yield from ("lboolean false", "lboolean true")
        case "date":
            for year in range(1000):
                yield value_key(day_text(year * 366), "date")
        case "string":
            for number in range(1, 10_000):
                yield value_key(f"new{number}", "string")
        case _:
            for number in range(1, 10_000):
                yield value_key(str(number), "integer")


def _beside(bound: str, datatype: str, within: Sequence[str]) -> Iterator[str]:
    """The bound, and values near the ends of the bound and of what is known."""
    yield bound
    match datatype:
        case "boolean":
            yield from _enumerated(datatype)
        case "string":
            text = written(bound)
            yield from (value_key(near, "string") for near in (text[:-1], text + "a"))
        case "date":
            zone = "Z" if has_zone(bound) else ""
            for days in _days((bound, *within)):
                yield value_key(day_text(days) + zone, "date")
        case _:
            number = number_value(bound)
            if number is not None and number.is_finite() and abs(number.adjusted()) < _LARGEST:
                low, high = _whole(number)
                for near in (low, high, low - 1, high + 1):
                    yield value_key(str(near), "integer")


def _whole(number: Decimal) -> tuple[int, int]:
    exact = Fraction(number)
    return floor(exact), ceil(exact)


def _days(keys: Iterable[str]) -> Iterator[int]:
    """The first and the last day of each stretch of time, and those before and after it."""
    for interval in map(time_interval, keys):
        if interval is not None:
            first, after = floor(interval[0] / _DAY), ceil(interval[1] / _DAY)
            yield from (first - 1, first, after - 1, after, after + 1)


def _place(key: str, bound: str) -> str:
    """Where a value lies beside a bound; "" where that is not clear."""
    if key == bound:
        return "inside"
    times = time_interval(key), time_interval(bound)
    if times[0] and times[1]:
        (start, end), (first, last) = times[0], times[1]
        if has_zone(key) != has_zone(bound):
            return ""
        if end <= first:
            return "below"
        if start >= last and start > first:
            return "above"
        return "inside" if first <= start and end <= last else ""
    numbers = number_value(key), number_value(bound)
    if numbers[0] is not None and numbers[1] is not None:
        return "below" if numbers[0] < numbers[1] else "above"
    if key.partition(" ")[0] == bound.partition(" ")[0]:
        return "below" if written(key) < written(bound) else "above"
    return ""
