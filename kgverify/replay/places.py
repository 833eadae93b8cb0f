"""Where values may lie: the ends of all that are named cut each axis into places."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import inf
from typing import Any

from kgverify.graph.terms import has_zone, is_exact, time_interval
from kgverify.replay.values import Stretch, stretch

STRANGE = "strange"  # the place of a value of another kind than all that are named
_LAST = "\U0010ffff" * 8  # no text that is compared lies behind it


class Places:
    """The places between the ends of some values (term keys), each a stretch of an axis in which
    all values compare in the same way with each of these."""

    def __init__(self, keys: Iterable[str]) -> None:
        known = list(keys)
        self._stretches: dict[str, Stretch] = {}
        times = [key for key in known if time_interval(key) is not None]
        # A time without a zone and one with lie on different axes.
        self.are_clear = len({has_zone(key) for key in times}) < 2
        ends: dict[str, set[tuple[Any, int]]] = {}
        for key in known:
            found = stretch(key, key)
            if found is not None:
                ends.setdefault(found[0], set()).update(found[1:])
        for axis, points in ends.items():
            first, last = ("", _LAST) if axis not in ("number", "time") else (-inf, inf)
            cut = [(first, 0), *sorted(points - {(first, 0)}), (last, 0)]
            for number, (low, high) in enumerate(pairwise(cut)):
                self._stretches[f"{axis} {number}"] = axis, low, high

    @property
    def names(self) -> list[str]:
        """All places, and that of what lies on no axis."""
        return [*self._stretches, STRANGE]

    def of(self, place: str) -> Stretch | None:
        """The stretch that a place is; None for the strange one."""
        return self._stretches.get(place)

    def is_one(self, key: str) -> bool:
        """Is a named value in one place, and exact?"""
        found = stretch(key, key)
        if found is None or not is_exact(key):
            return found is None and not key.startswith("lill ")
        return sum(_meets(found, place) for place in self._stretches.values()) == 1

    def is_within(self, place: str, key: str) -> bool:
        """Are the values of a place such as a named value may be?"""
        found, own = stretch(key, key), self.of(place)
        return found is not None and own is not None and _meets(own, found)

    def is_outside(self, place: str, key: str) -> bool:
        """Is no value of a place one that a named value may be?"""
        found, own = stretch(key, key), self.of(place)
        if found is None or own is None:
            return self.is_one(key)
        return not _meets(own, found)


def _meets(one: Stretch, other: Stretch) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]
