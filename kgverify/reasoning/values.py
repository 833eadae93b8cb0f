"""Values as facts of the solver: where each lies on the axis of its kind.

The solver's numbers have 32 bits, and dates are no numbers at all.  So only the order is told:
the ends of all values of a batch are ranked, exactly, and each value becomes a stretch of ranks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from kgverify.graph.terms import has_zone, number_value, time_interval
from kgverify.reasoning.datalog import symbol

ZONES = 14 * 3600  # a value without a time zone may lie this many seconds off
_MOST = 2_000_000_000  # no count goes beyond

# A point of an axis, and 1 for just behind it: a single number or text is the stretch from itself
# to just behind itself.
_Point = tuple[Any, int]
_Extent = tuple[int, str, _Point, _Point]  # a value, the axis, from, to before


def value_text(values: Mapping[int, str]) -> str:
    """`axis`, `extent` and `size` facts of values, given as keys by id (see encodings/values.lp and
    counts.lp)."""
    own: dict[str, list[_Extent]] = defaultdict(list)
    other: dict[str, list[_Extent]] = defaultdict(list)
    sizes: list[str] = []
    for id_, key in values.items():
        number = number_value(key)
        if number is not None:
            own["number"].append((id_, "number", (number, 0), (number, 1)))
            if abs(number) > _MOST or number == number.to_integral_value():
                sizes.append(f"size({id_},{_clipped(number)}).")
        elif (interval := time_interval(key)) is not None:
            here, there = ("utc", "local") if has_zone(key) else ("local", "utc")
            own["time"].append((id_, here, *_stretch(interval, 0)))
            other["time"].append((id_, there, *_stretch(interval, ZONES)))
        elif key.startswith(("lstring ", "ltext@", "lboolean ")):
            form, _, text = key.partition(" ")
            own[form].append((id_, form[1:], (text, 0), (text, 1)))
    parts = list(sizes)
    for axis, extents in own.items():
        ranks = _ranks([*extents, *other[axis]])
        parts += _facts("axis", extents, ranks)
        parts += _facts("extent", [*extents, *other[axis]], ranks)
    return "\n".join(parts)


def _clipped(number: Decimal) -> int:
    """A whole number as a bound of counts: what lies beyond all counts is all the same."""
    return int(number) if 0 <= number <= _MOST else -1 if number < 0 else _MOST


def _stretch(interval: tuple[Fraction, Fraction], slack: int) -> tuple[_Point, _Point]:
    start, end = interval
    return (start - slack, 0), (end + slack, 1 if start == end else 0)


def _ranks(extents: Sequence[_Extent]) -> dict[_Point, int]:
    points = {point for extent in extents for point in extent[2:]}
    return {point: rank for rank, point in enumerate(sorted(points))}


def _facts(predicate: str, extents: Iterable[_Extent], ranks: dict[_Point, int]) -> Iterator[str]:
    for id_, axis, start, end in extents:
        yield f"{predicate}({id_},{symbol(axis)},{ranks[start]},{ranks[end]})."
