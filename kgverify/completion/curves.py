"""How good admission is: risk against coverage, thresholds one by one, and edges against gold.

All numbers are exact fractions; what has no denominator has no value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from kgverify.completion.breakpoints import Edge


@dataclass(frozen=True, slots=True)
class Labelled:
    """A candidate's score and whether its edge is right; `score` is None where nothing was judged,
    which no threshold admits."""

    score: Fraction | None
    right: bool


@dataclass(frozen=True, slots=True)
class Point:
    """What a threshold comes to on labelled candidates: of `total`, of which `all_right` are right,
    it admits `admitted`, of which `right` are right."""

    threshold: Fraction
    admitted: int
    right: int
    total: int
    all_right: int

    @property
    def coverage(self) -> Fraction | None:
        """The share of the candidates that is admitted."""
        return _share(self.admitted, self.total)

    @property
    def risk(self) -> Fraction | None:
        """The share of the admitted that is wrong."""
        return _share(self.admitted - self.right, self.admitted)

    @property
    def precision(self) -> Fraction | None:
        """The share of the admitted that is right."""
        return _share(self.right, self.admitted)

    @property
    def recall(self) -> Fraction | None:
        """The share of the right candidates that is admitted."""
        return _share(self.right, self.all_right)


def _share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


def sweep(candidates: Sequence[Labelled], thresholds: Iterable[Fraction]) -> tuple[Point, ...]:
    """What each threshold comes to; a score that is exactly the threshold is admitted."""
    right = sum(one.right for one in candidates)
    points = []
    for threshold in thresholds:
        inside = [c.right for c in candidates if c.score is not None and c.score >= threshold]
        points.append(Point(threshold, len(inside), sum(inside), len(candidates), right))
    return tuple(points)


def risk_coverage(candidates: Sequence[Labelled]) -> tuple[Point, ...]:
    """The curve of risk against coverage: a point for each score that occurs, the highest first.
    Candidates of one score are admitted together, since no threshold tells them apart."""
    scores = {one.score for one in candidates if one.score is not None}
    return sweep(candidates, sorted(scores, reverse=True))


def area(curve: Sequence[Point]) -> Fraction | None:
    """The area under the curve: the mean of the risk over the candidates that can be admitted, each
    with that of the first point that admits it (Geifman and El-Yaniv, 2017); None of none."""
    total, before = Fraction(0), 0
    for point in curve:
        if point.risk is not None:
            total += (point.admitted - before) * point.risk
            before = point.admitted
    return total / before if before else None


Matching = Literal["strict", "declared", "pair"]


@dataclass(frozen=True, slots=True)
class EdgeScores:
    """Admitted edges against the gold edges that were deleted from a graph (TGComplete, table 3).

    Edges count once.  `recovered` are those admitted that were deleted; `correct` those that were
    deleted or are in the graph still, which recover nothing.  `wrongly_rejected` are rejected edges
    that are correct."""

    matching: Matching
    admitted: int
    gold: int
    recovered: int
    correct: int
    rejected: int
    wrongly_rejected: int

    @property
    def precision(self) -> Fraction | None:
        """The share of the admitted that was deleted."""
        return _share(self.recovered, self.admitted)

    @property
    def recall(self) -> Fraction | None:
        """The share of the deleted that is admitted."""
        return _share(self.recovered, self.gold)

    @property
    def f1(self) -> Fraction | None:
        """The harmonic mean of the two, 0 where nothing is recovered."""
        return _share(2 * self.recovered, self.admitted + self.gold)

    @property
    def gold_correct(self) -> Fraction | None:
        """The share of the admitted that was deleted or is in the graph."""
        return _share(self.correct, self.admitted)

    @property
    def false_rejection(self) -> Fraction | None:
        """The share of the rejected that was deleted or is in the graph."""
        return _share(self.wrongly_rejected, self.rejected)


def match_key(
    edge: Edge, matching: Matching = "strict", symmetric: Collection[str] = ()
) -> tuple[str, ...]:
    """What is equal for two edges that match.

    Edges match `strict`ly when subject, relation and object are the same; as `declared` also when
    the ends of a `symmetric` relation are exchanged; by `pair` when the two ends are the same,
    whatever the relation and the direction."""
    ends = edge.subject, edge.object
    if matching == "pair":
        return tuple(sorted(ends))
    if matching == "declared" and edge.relation in symmetric:
        ends = min(ends), max(ends)
    return (edge.relation, *ends)


def edge_scores(
    admitted: Iterable[Edge],
    rejected: Iterable[Edge],
    deleted: Iterable[Edge],
    graph: Iterable[Edge],
    matching: Matching = "strict",
    symmetric: Collection[str] = (),
) -> EdgeScores:
    """Admitted and rejected edges against those deleted from a graph, and those still in it.

    Edges match as `match_key` says.  Edges that match each other are one edge."""

    def key(edge: Edge) -> tuple[str, ...]:
        return match_key(edge, matching, symmetric)

    ours, others, gold, known = (set(map(key, e)) for e in (admitted, rejected, deleted, graph))
    return EdgeScores(
        matching,
        len(ours),
        len(gold),
        len(ours & gold),
        len(ours & (gold | known)),
        len(others),
        len(others & (gold | known)),
    )
