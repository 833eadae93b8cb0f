"""The provenance gap: right edges that no passage states (TGComplete, section 5.3)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kgverify.completion.breakpoints import Edge
from kgverify.completion.curves import Matching, match_key
from kgverify.experiments.tgcomplete.exhaustive import (
    WINDOWS,
    Looked,
    Window,
    named,
    spurious,
    supports,
)
from kgverify.experiments.tgcomplete.rates import Rate

Support = Mapping[Edge, bool | None]


def correct(
    edges: Iterable[Edge],
    gold: Iterable[Edge],
    matching: Matching = "declared",
    symmetric: Collection[str] = (),
) -> frozenset[Edge]:
    """Those of the edges that are right: they match an edge of the complete graph, or a deleted
    one, all of which `gold` has."""
    keys = {match_key(edge, matching, symmetric) for edge in gold}
    return frozenset(edge for edge in edges if match_key(edge, matching, symmetric) in keys)


def unstated(edges: Iterable[Edge], support: Support) -> Rate:
    """The share of the edges that nothing states; an edge counts once."""
    found = (support[edge] for edge in dict.fromkeys(edges))
    return Rate.of(None if stated is None else not stated for stated in found)


@dataclass(frozen=True)
class Gap:
    """The gap of some edges, all of them right.

    `baseline` is the share that no cited passage states, None where edges cite none because nobody
    proposed them.  `exhaustive` is the share that no passage of the corpus states which names both
    ends in a window, and `unnamed` the share without a passage that names both there.  `recovered`:
    of those that nothing states at the baseline (or, without one, that no passage names within the
    least window), the share that some passage of the corpus states.  `spurious`: of the passages
    that name both ends, the share that does not state the edge."""

    edges: int
    titles: bool
    baseline: Rate | None
    exhaustive: Mapping[Window, Rate]
    unnamed: Mapping[Window, Rate]
    recovered: Rate
    spurious: Mapping[Window, Rate]


def gap(
    edges: Iterable[Edge],
    looked: Mapping[Edge, Looked],
    baseline: Support | None = None,
    windows: Sequence[Window] = WINDOWS,
    titles: bool = True,
) -> Gap:
    """The gap of some right edges, which may be all that were deleted, or those that a method
    proposed or admitted; an edge counts once.  `windows` stand in their order, the last of them the
    widest."""
    asked = list(dict.fromkeys(edges))
    own = {edge: looked[edge] for edge in asked}
    names = {window: named(own, window, titles) for window in windows}
    bare = names[windows[0]] if baseline is None else baseline
    widest = supports(own, windows[-1], titles)
    return Gap(
        edges=len(asked),
        titles=titles,
        baseline=None if baseline is None else unstated(asked, baseline),
        exhaustive={w: unstated(asked, supports(own, w, titles)) for w in windows},
        unnamed={window: unstated(asked, found) for window, found in names.items()},
        recovered=Rate.of(widest[edge] for edge in asked if bare[edge] is False),
        spurious={w: Rate.of(spurious(own.values(), w, titles)) for w in windows},
    )


# ------------------------------------------------------------------ right against stated


@dataclass(frozen=True, slots=True)
class Matrix:
    """Edges by whether they are right and whether a passage states them; `right_unknown` and
    `wrong_unknown` are those of which the latter could not be said."""

    right_stated: int
    right_unstated: int
    wrong_stated: int
    wrong_unstated: int
    right_unknown: int = 0
    wrong_unknown: int = 0

    @property
    def gap(self) -> Rate:
        """The share of the right edges that no passage states."""
        whole = self.right_stated + self.right_unstated
        return Rate(self.right_unstated, whole, self.right_unknown)

    @property
    def gap_of_wrong(self) -> Rate:
        """The share of the wrong ones.  Where it is the same, text tells nothing about truth."""
        whole = self.wrong_stated + self.wrong_unstated
        return Rate(self.wrong_unstated, whole, self.wrong_unknown)

    @property
    def right_of_stated(self) -> Rate:
        """The share of the stated edges that is right: text as a test of truth, its precision.  Its
        recall is what the gap leaves."""
        return Rate(self.right_stated, self.right_stated + self.wrong_stated)

    @property
    def right_of_unstated(self) -> Rate:
        """The share of the unstated edges that is right."""
        return Rate(self.right_unstated, self.right_unstated + self.wrong_unstated)


def matrix(edges: Iterable[Edge], right: Collection[Edge], support: Support) -> Matrix:
    """Edges, each once, by whether they are `right` and whether anything states them."""
    counts = Counter((edge in right, support[edge]) for edge in dict.fromkeys(edges))
    return Matrix(
        right_stated=counts[True, True],
        right_unstated=counts[True, False],
        wrong_stated=counts[False, True],
        wrong_unstated=counts[False, False],
        right_unknown=counts[True, None],
        wrong_unknown=counts[False, None],
    )


# ------------------------------------------------------------------ by relation and by frequency

End = Literal["rarer", "subject", "object"]
BINS = 4


@dataclass(frozen=True, slots=True)
class Bin:
    """The gap of the edges whose end has a frequency from `low` to `high`, both inclusive."""

    low: int
    high: int
    gap: Rate


def by_relation(edges: Iterable[Edge], support: Support) -> dict[str, Rate]:
    """The gap of the edges of each relation, in the order of their names."""
    asked = sorted(dict.fromkeys(edges))
    relations = dict.fromkeys(sorted(edge.relation for edge in asked))
    return {r: unstated((edge for edge in asked if edge.relation == r), support) for r in relations}


def by_frequency(
    edges: Iterable[Edge],
    support: Support,
    frequency: Callable[[str], int],
    end: End = "rarer",
    bins: int = BINS,
) -> tuple[Bin, ...]:
    """The gap by how frequent an end of the edge is: the less frequent of the two, or one of them.

    The bins lie between quantiles of the edges' own frequencies.  Equal frequencies are in one bin,
    so there are fewer bins where many edges have the same.  Raises ValueError for no bins."""
    if bins < 1:
        raise ValueError("there is at least one bin")
    values: dict[Edge, int] = {}
    for edge in edges:
        subject, object_ = frequency(edge.subject), frequency(edge.object)
        values[edge] = {"rarer": min(subject, object_), "subject": subject, "object": object_}[end]
    ordered = sorted(values.values())
    # The greatest frequency of each bin: so many of the edges have it or less.
    cuts = (
        sorted({ordered[-(-len(ordered) * n // bins) - 1] for n in range(1, bins + 1)})
        if ordered
        else []
    )
    members: list[list[Edge]] = [[] for _ in cuts]
    for edge, value in values.items():
        members[bisect_left(cuts, value)].append(edge)
    return tuple(
        Bin(min(values[e] for e in own), max(values[e] for e in own), unstated(own, support))
        for own in members
    )


def degrees(graph: Iterable[Edge]) -> Counter[str]:
    """Of how many edges of a graph each entity is an end; a loop counts once, and an entity of none
    has 0."""
    return Counter(end for edge in set(graph) for end in {edge.subject, edge.object})
