"""Which ids are one entity: those that `owl:sameAs` facts or `same` statements join.

Of the ids that are one, one stands for all: the representative.  Evidence is kept under it, so
that the encodings never see two ids for one entity.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from kgverify.graph.strings import spread

Ids = NDArray[np.int64]
_NONE: Ids = np.empty(0, np.int64)
_LAST = np.int64(1) << 40  # beyond every id


class Identity:
    """Groups of ids that are one.  Of each group the least id that is named stands for all; a blank
    node does only where all are.

    `left` and `right` are the pairs that are declared the same, int64[n]; `blank` are the ids of
    blank nodes.  Without pairs, every look-up gives back what it got."""

    def __init__(self, left: Ids = _NONE, right: Ids = _NONE, blank: Ids = _NONE) -> None:
        both = np.concatenate((left, right))
        both = both + _LAST * np.isin(both, blank)
        ordered, places = np.unique(both, return_inverse=True)
        roots = _roots(places[: len(left)], places[len(left) :], len(ordered))
        ids = ordered & (_LAST - 1)
        by_id = np.argsort(ids)
        self._ids, self._stands_for = ids[by_id], ids[roots][by_id]
        by_group = np.lexsort((ids, ids[roots]))
        self._members = ids[by_group]
        self._groups, self._starts, self._sizes = np.unique(
            ids[roots][by_group], return_index=True, return_counts=True
        )
        self._pairs = left, right

    def __bool__(self) -> bool:
        return len(self._ids) > 0

    def of(self, ids: Ids) -> Ids:
        """The representative of each id.  int64[n]"""
        if not len(self._ids):
            return ids
        places = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        return np.where(self._ids[places] == ids, self._stands_for[places], ids)

    def merged(self, id: int) -> bool:
        """Has an entity more than one id?"""
        return bool(len(self._ids)) and bool(np.isin(id, self._ids))

    def one(self, id: int) -> int:
        """The representative of one id."""
        if not len(self._ids):
            return id
        return int(self.of(np.array([id], np.int64))[0])

    def spread(self, ids: Ids) -> tuple[Ids, Ids]:
        """All ids that these representatives stand for: each with the place in `ids` of its own."""
        if not len(self._ids):
            return np.arange(len(ids)), ids
        groups = np.minimum(np.searchsorted(self._groups, ids), len(self._groups) - 1)
        merged = self._groups[groups] == ids
        sizes = np.where(merged, self._sizes[groups], 1)
        places = np.repeat(np.arange(len(ids)), sizes)
        found = ids[places]
        in_group = merged[places]
        found[in_group] = self._members[
            spread(self._starts[groups][merged], self._sizes[groups][merged])
        ]
        return places, found

    def members(self, ids: Ids) -> Ids:
        """All ids that these representatives stand for, themselves included."""
        return self.spread(ids)[1]

    def path(self, one: int, other: int) -> list[tuple[int, int]]:
        """A shortest chain of declared pairs from one id to another; empty when they are equal."""
        left, right = self._pairs
        came: dict[int, tuple[int, tuple[int, int]]] = {}
        todo = deque([one])
        while todo and other not in came and one != other:
            here = todo.popleft()
            onward = [(there, (here, there)) for there in right[left == here].tolist()]
            onward += [(there, (there, here)) for there in left[right == here].tolist()]
            for there, pair in onward:
                if there != one and there not in came:
                    came[there] = here, pair
                    todo.append(there)
        chain: list[tuple[int, int]] = []
        while other in came:
            other, pair = came[other]
            chain.append(pair)
        return chain[::-1]


def _roots(left: Ids, right: Ids, size: int) -> Ids:
    """The least number that each of the numbers below `size` is joined with.  int64[size]"""
    roots = np.arange(size)
    while True:
        one, other = roots[left], roots[right]
        apart = one != other
        if not apart.any():
            return roots
        np.minimum.at(roots, np.maximum(one, other)[apart], np.minimum(one, other)[apart])
        while (roots[roots] != roots).any():
            roots = roots[roots]
