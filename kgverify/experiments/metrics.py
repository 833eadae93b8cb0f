"""How good a selection and a ranking of candidates are.

Where a denominator is zero a measure is *undefined*, None here and a dash in reports, and is left
out of means: the precision of an empty selection is neither 0 nor 1.  With two exceptions, each
because something can be said: F1, written without precision and recall, is 0 as soon as there is
gold to find or anything selected; and the support of a candidate of whose constraints none is
decided is 0, since nothing speaks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Selection:
    """What a selection got right (true positives), wrong (false positives), and what it missed
    (false negatives)."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float | None:
        """The share of what is selected that is gold; undefined when nothing is selected."""
        return ratio(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float | None:
        """The share of gold that is selected; undefined when there is no gold."""
        return ratio(self.right, self.right + self.missed)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of the two, 2·right / (2·right + wrong + missed)."""
        return ratio(2 * self.right, 2 * self.right + self.wrong + self.missed)


def selection(items: Iterable[tuple[bool, bool]]) -> Selection:
    """Counts pairs (is gold, is selected)."""
    counts = dict.fromkeys(((True, True), (False, True), (True, False), (False, False)), 0)
    for is_gold, is_selected in items:
        counts[is_gold, is_selected] += 1
    return Selection(counts[True, True], counts[False, True], counts[True, False])


def ratio(part: float, whole: float) -> float | None:
    """A share; undefined of nothing."""
    return part / whole if whole else None


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are defined; undefined when none is."""
    found = [value for value in values if value is not None]
    return ratio(sum(found), len(found))


def support(
    statuses: Mapping[str, str], weights: Mapping[str, float] | None = None, decided: bool = False
) -> float:
    """The weighted share of constraints that are sat: of all, or of those that are `decided`.

    A constraint without a weight in `weights` weighs 1.  0 when none is decided."""
    weight = {name: (weights or {}).get(name, 1.0) for name in statuses}
    met = sum(weight[name] for name, status in statuses.items() if status == "sat")
    whole = sum(weight[name] for name, status in statuses.items() if not decided or status != "unk")
    return ratio(met, whole) or 0.0


class Point(NamedTuple):
    """A place on a precision–recall curve: what is selected when everything that scores at least
    `score` is."""

    score: float
    precision: float
    recall: float


def curve(scored: Iterable[tuple[float, bool]]) -> list[Point]:
    """The precision–recall curve of pairs (score, is gold), from the best score down.

    Equal scores are selected together: nothing is made of the order within a tie.  Empty when there
    is no gold."""
    ordered = sorted(scored, key=lambda pair: -pair[0])
    gold = sum(is_gold for _, is_gold in ordered)
    if not gold:
        return []
    points = []
    taken = right = 0
    for score, group in groupby(ordered, key=lambda pair: pair[0]):
        members = [is_gold for _, is_gold in group]
        taken += len(members)
        right += sum(members)
        points.append(Point(score, right / taken, right / gold))
    return points


def average_precision(scored: Sequence[tuple[float, bool]]) -> float | None:
    """The sum over the curve's points of precision times the gain in recall; undefined without
    gold.  Where everything is tied that is the share of gold."""
    points = curve(scored)
    if not points:
        return None
    before = [0.0, *(point.recall for point in points)]
    return sum(
        point.precision * (point.recall - earlier)
        for point, earlier in zip(points, before, strict=False)
    )
