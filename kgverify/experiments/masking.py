"""Takes facts away from a graph, by seed: the incomplete graph that a verifier sees.

A relation loses the same share as every other, up to rounding, so that a small one isn't spared or
emptied by chance.  What is removed at a lesser share is removed at a greater one too: the steps of
a series differ in what more is missing, and in nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def removed(facts: Sequence[T], share: float, seed: str) -> frozenset[T]:
    """The facts that are taken away: the nearest whole number to this share of them (a half goes
    up).  The seed and the order of the facts decide which.  Raises ValueError for a share that is
    none."""
    if not 0 <= share <= 1:
        raise ValueError(f"{share} is no share: it is between 0 and 1")
    order = list(facts)
    random.Random(seed).shuffle(order)
    return frozenset(order[: int(share * len(order) + 0.5)])


def masked(
    relations: Mapping[str, Sequence[T]], share: float, seed: int
) -> dict[str, tuple[T, ...]]:
    """What is left of each relation's facts, in their order."""
    found = {}
    for name, facts in relations.items():
        gone = removed(facts, share, f"{seed} {name}")
        found[name] = tuple(fact for fact in facts if fact not in gone)
    return found
