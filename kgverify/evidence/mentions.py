"""Mentions of entities in the passages of a corpus, as columns that can be mapped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kgverify.evidence.passages import Extent, Mention
from kgverify.graph.store import Graph
from kgverify.graph.strings import spread

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

DTYPES = {
    "passages": "<i4",
    "starts": "<i4",
    "ends": "<i4",
    "entities": "<i4",
    "by_entity": "<i4",
    "passage_offsets": "<i8",
    "entity_offsets": "<i8",
}


@dataclass(frozen=True, eq=False)
class Mentions:
    """Mentions, one a row, sorted by passage, start, end and entity; a name that several entities
    have is a row for each of them.  `graph` is the hash of the graph whose entities they are.

    `by_entity` has the rows sorted by entity; `passage_offsets` and `entity_offsets` say where the
    rows of each passage begin, and the places in `by_entity` of each entity: int64[n + 1]."""

    graph: str
    passages: Ints
    starts: Ints
    ends: Ints
    entities: Ints
    by_entity: Ints
    passage_offsets: Longs
    entity_offsets: Longs

    @classmethod
    def of(
        cls, rows: NDArray[np.integer], n_passages: int, n_entities: int, graph: str = ""
    ) -> Mentions:
        """The mentions in rows of passage, start, end and entity, in any order: int[m, 4]."""
        found = np.asarray(rows, np.int32).reshape(-1, 4)
        found = np.unique(found, axis=0) if len(found) else found
        passages, starts, ends, entities = (np.ascontiguousarray(column) for column in found.T)
        by_entity = np.argsort(entities, kind="stable").astype(np.int32)
        return cls(
            graph,
            passages,
            starts,
            ends,
            entities,
            by_entity,
            np.searchsorted(passages, np.arange(n_passages + 1)).astype(np.int64),
            np.searchsorted(entities[by_entity], np.arange(n_entities + 1)).astype(np.int64),
        )

    def __len__(self) -> int:
        return len(self.passages)

    def __iter__(self) -> Iterator[Mention]:
        return self.at(np.arange(len(self)))

    @property
    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The columns by name."""
        return {name: getattr(self, name) for name in DTYPES}

    def at(self, rows: ArrayLike) -> Iterator[Mention]:
        """The mentions in these rows."""
        wanted = np.asarray(rows, np.int64).reshape(-1)
        columns = (self.passages, self.starts, self.ends, self.entities)
        for passage, start, end, entity in zip(
            *(column[wanted].tolist() for column in columns), strict=True
        ):
            yield Mention(passage, Extent(start, end), entity)

    def in_passages(self, passages: ArrayLike) -> Longs:
        """The rows of the mentions in these passages, passage by passage."""
        return _ranges(self.passage_offsets, passages)

    def of_entities(self, entities: ArrayLike) -> Longs:
        """The rows of the mentions of these entities, entity by entity."""
        return self.by_entity[_ranges(self.entity_offsets, entities)].astype(np.int64)

    def passages_of(self, entity: int) -> Ints:
        """The passages that mention an entity, ascending."""
        return np.unique(self.passages[self.of_entities([entity])])

    def passages_of_all(self, entities: Iterable[int]) -> Ints:
        """The passages that mention each of some entities, ascending."""
        found: Ints | None = None
        for entity in entities:
            mine = self.passages_of(entity)
            found = mine if found is None else np.intersect1d(found, mine, assume_unique=True)
        return np.zeros(0, np.int32) if found is None else found

    @cached_property
    def mentioned(self) -> Ints:
        """The entities that are mentioned, ascending."""
        return np.flatnonzero(np.diff(self.entity_offsets)).astype(np.int32)


def by_class(parts: Iterable[Mentions | None], graph: Graph) -> tuple[tuple[str, int], ...]:
    """How many mentions the members of each class that the graph states have, most first."""
    counts = np.zeros(graph.n_terms, np.int64)
    for mentions in parts:
        if mentions is not None:
            counts[: len(mentions.entity_offsets) - 1] += np.diff(mentions.entity_offsets)
    types = graph.facts.all(graph.type_relation)
    sums = np.bincount(types.objects, counts[types.subjects], graph.n_terms).astype(np.int64)
    classes = np.flatnonzero(sums)
    named = zip(graph.keys(classes), sums[classes].tolist(), strict=True)
    return tuple(sorted(((key[1:], count) for key, count in named), key=lambda c: (-c[1], c[0])))


def _ranges(offsets: Longs, numbers: ArrayLike) -> Longs:
    """The places between the offsets of each number; none for numbers beyond them."""
    wanted = np.asarray(numbers, np.int64).reshape(-1)
    wanted = wanted[(wanted >= 0) & (wanted < len(offsets) - 1)]
    return spread(offsets[wanted], offsets[wanted + 1] - offsets[wanted])
