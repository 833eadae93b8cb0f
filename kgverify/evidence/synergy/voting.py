"""Graph to text: what the search saw votes for passages, and these are ranked anew (equation 2).

    Rec(c)   = the number of visited entities that c mentions, as in the paper;
               or how like the query the one of them is that is most like it
    Score(c) = alpha * Norm(sim(q, c)) + (1 - alpha) * Norm(Rec(c))

over the candidates: the passages that were found for the query and those that got a vote.
Norm is min-max over the candidates.  Where all values are equal it is 0: they tell nothing apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

ALPHA = 0.5


class Ranked(msgspec.Struct, frozen=True):
    """A passage with its final score and what it is made of: `likeness` to the query and `votes`,
    neither of them normalised."""

    passage: int
    score: float
    likeness: float
    votes: float


def votes(visited: Iterable[int], passages_of: Callable[[int], Iterable[int]]) -> Counter[int]:
    """How many of the entities each passage mentions."""
    return Counter(
        int(passage) for entity in dict.fromkeys(visited) for passage in passages_of(entity)
    )


def best_votes(
    visited: Iterable[int],
    passages_of: Callable[[int], Iterable[int]],
    likeness: Sequence[float],
) -> dict[int, float]:
    """For each passage how like the query the visited entity is that it mentions and that is most
    like it; 0 where that is less.  Long passages, which mention much, gain nothing by it."""
    found: dict[int, float] = {}
    for entity in visited:
        one = max(0.0, float(likeness[entity]))
        for passage in passages_of(entity):
            found[int(passage)] = max(one, found.get(int(passage), 0.0))
    return found


def rank(
    found: Iterable[int], given: Mapping[int, float], likeness: Mapping[int, float], alpha: float
) -> list[Ranked]:
    """The candidates, best first.  `found` are passages found for the query, `given` the votes of
    passages; one without a `likeness` has the least of all, and comes behind those that have one.

    Of passages with equal scores the one more like the query comes first, then the earlier one: so
    with alpha 1 the order is that of the likeness, whatever rounding does."""
    if not 0 <= alpha <= 1:
        raise ValueError("alpha is a share, from 0 to 1")
    candidates = sorted({*found, *given})
    least = min(likeness.values(), default=0.0)
    like = [likeness.get(passage, least) for passage in candidates]
    voted = [given.get(passage, 0.0) for passage in candidates]
    ranked = [
        Ranked(passage, alpha * a + (1 - alpha) * b, one, number)
        for passage, a, b, one, number in zip(
            candidates, norm(like), norm(voted), like, voted, strict=True
        )
    ]
    return sorted(
        ranked, key=lambda r: (-r.score, r.passage not in likeness, -r.likeness, r.passage)
    )


def norm(values: Sequence[float]) -> list[float]:
    """The values from 0, the least, to 1, the greatest; all 0 where they are equal."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    if low == high:
        return [0.0] * len(values)
    return [(value - low) / (high - low) for value in values]
