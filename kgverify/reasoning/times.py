"""Periods of facts, and times that are asked about, as facts of the solver (encodings/times.lp).

Only order matters, and the solver's numbers are small: so all beginnings and ends of a batch are
ranked, exactly.  There are two axes, for a time without a zone may lie in any: on `local` what has
no zone is exact and what has one is blurred by all zones, on `utc` it is the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from kgverify.graph import Table
from kgverify.graph.terms import has_zone, time_interval, value_key
from kgverify.reasoning.datalog import symbol
from kgverify.reasoning.values import ZONES

Ids = NDArray[np.int64]
Timed = Mapping[str, tuple[Ids, Ids, Ids]]  # subjects, objects and periods by relation

_AXES = (("local", False), ("utc", True))
# A point of an axis: -1, 0 or 1 for before all times, a time, after all; the time; and 1 for just
# behind it, for an instant is the stretch from itself to just behind itself.
_Point = tuple[int, Fraction, int]
_NEVER_BEGAN: _Point = (-1, Fraction(0), 0)
_NEVER_ENDS: _Point = (1, Fraction(0), 0)


@dataclass(frozen=True, slots=True)
class Period:
    """`since` and `until` as the graph writes them, "" where there is none; `best`: no preferred
    fact outranks the one that is stated so."""

    since: str
    until: str
    best: bool

    def __str__(self) -> str:
        parts = [f"since {self.since}"] if self.since else []
        parts += [f"until {self.until}"] if self.until else []
        return " ".join(parts) or "always"


class Periods:
    """The numbers of the periods that facts are stated for."""

    def __init__(self) -> None:
        self._numbers: dict[Period, int] = {}
        self._periods: list[Period] = []

    def number(self, period: Period) -> int:
        """The number of a period."""
        if period not in self._numbers:
            self._numbers[period] = len(self._periods)
            self._periods.append(period)
        return self._numbers[period]

    def __getitem__(self, number: int) -> Period:
        return self._periods[number]

    def of_rows(self, table: Table, rows: Ids, best: bool) -> Ids:
        """The period of each row of a table.  int64[n]"""
        found = np.full(len(rows), self.number(Period("", "", best)), np.int64)
        for place in np.flatnonzero(table.qualified(rows)).tolist():
            said = table.qualifiers(int(rows[place]))
            period = Period(said.get("since", ""), said.get("until", ""), best)
            found[place] = self.number(period)
        return found


def time_text(timed: Timed, periods: Periods, moments: Iterable[str]) -> str:
    """The facts of times.lp: what is stated for which period, where these periods lie, and where
    the times asked about do, which are written as in the rule language."""
    lines = []
    for name, (subjects, objects, numbers) in timed.items():
        head = f"period({symbol(name)},"
        rows = zip(subjects.tolist(), objects.tolist(), numbers.tolist(), strict=True)
        lines += [f"{head}{one},{other},{number})." for one, other, number in rows]
    used = sorted({int(n) for _, _, numbers in timed.values() for n in np.unique(numbers)})
    stretches = [stretch for number in used for stretch in _stretches(str(number), periods[number])]
    stretches += [_moment(text) for text in sorted(set(moments))]
    points = sorted({point for _, _, _, start, end in stretches for point in (start, end)})
    ranks = {point: rank for rank, point in enumerate(points)}
    lines += [
        f"{predicate}({name},{axis},{ranks[start]},{ranks[end]})."
        for predicate, name, axis, start, end in stretches
    ]
    best = [number for number in used if periods[number].best]
    lines += [f"best({number})." for number in best]
    lines += [
        f"unlimited({number})."
        for number in best
        if not (periods[number].since or periods[number].until)
    ]
    return "\n".join(lines)


_Stretch = tuple[str, str, str, _Point, _Point]  # predicate, of what, axis, from, to before


def perhaps(period: Period, time: str) -> bool:
    """May a period meet a time?  (For the reason of what is open; the solver has `sometime`.)"""
    _, _, axis, start, end = _moment(time)
    return any(
        begin < end and start < stop
        for predicate, _, found, begin, stop in _stretches("", period)
        if predicate == "perhaps" and found == axis
    )


def includes(period: Period, time: str) -> bool:
    """Does a period surely hold all of a time?  (For periods that are supposed; the solver has
    `throughout`.)"""
    _, _, axis, start, end = _moment(time)
    return any(
        begin <= start and end <= stop for found, begin, stop in _surely(period) if found == axis
    )


def surely_meet(one: Period, other: Period) -> bool:
    """Do two periods overlap for sure?  (For periods that are supposed; the solver has `meet`.)"""
    return any(
        here == there and max(a, c) < min(b, d)
        for here, a, b in _surely(one)
        for there, c, d in _surely(other)
    )


def _surely(period: Period) -> Iterator[tuple[str, _Point, _Point]]:
    for predicate, _, axis, begin, stop in _stretches("", period):
        if predicate == "surely":
            yield axis, begin, stop


def _stretches(name: str, period: Period) -> Iterator[_Stretch]:
    for axis, zoned in _AXES:
        first, last = _blurred(period.since, zoned), _blurred(period.until, zoned)
        began = (_NEVER_BEGAN, _NEVER_BEGAN) if first is None else first
        ends = (_NEVER_ENDS, _NEVER_ENDS) if last is None else last
        yield "surely", name, axis, began[1], ends[0]
        yield "perhaps", name, axis, began[0], ends[1]


def _blurred(text: str, zoned: bool) -> tuple[_Point, _Point] | None:
    """Between which points of an axis a date lies; None if there is none."""
    if not text:
        return None
    start, end = _interval(text)
    slack = 0 if has_zone(value_key(text, "date")) == zoned else ZONES
    return (0, start - slack, 0), (0, end + slack, 0)


def _moment(text: str) -> _Stretch:
    start, end = _interval(text)
    axis = "utc" if has_zone(value_key(text, "date")) else "local"
    return "moment", symbol(text), axis, (0, start, 0), (0, end, int(start == end))


def _interval(text: str) -> tuple[Fraction, Fraction]:
    found = time_interval(value_key(text, "date"))
    if found is None:
        raise ValueError(f"no date: {text!r}")
    return found
