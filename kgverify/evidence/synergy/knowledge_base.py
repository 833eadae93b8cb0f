"""The knowledge base KB = (C, G, M): passages, a graph of entities, and which passage mentions
which entity, both ways (equation 1 of the paper).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from kgverify.evidence.corpus import Corpus
from kgverify.graph.strings import Strings

NOWHERE = -1
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


class Link(msgspec.Struct, frozen=True, order=True):
    """A fact of the graph; `passage` is the number of one that states it, NOWHERE if none does."""

    subject: int
    relation: str
    object: int
    passage: int = NOWHERE


class Rows:
    """Pairs of numbers, sorted and each once, with the second ones of each first one."""

    def __init__(self, pairs: Ints, firsts: int) -> None:
        found = np.unique(pairs, axis=0)
        self._seconds = found[:, 1]
        self._starts = np.searchsorted(found[:, 0], np.arange(firsts + 1))

    def __getitem__(self, first: int) -> Ints:
        """The second numbers of a first one, ascending."""
        return self._seconds[self._starts[first] : self._starts[first + 1]]

    def counts(self) -> Longs:
        """How many each first number has."""
        return np.diff(self._starts)


@dataclass(frozen=True, eq=False)
class KnowledgeBase:
    """Passages and entities, by their numbers from 0.

    `names` has the usual name of each entity.  `links` are what the graph says, as rows of subject,
    number of the relation, object and passage; int32[n, 4], ascending.  Three mappings: the
    passages that mention an entity, the entities that a passage mentions, and the passages that are
    *about* an entity, as an article is about what its title names; those mention it too."""

    corpus: Corpus
    names: Strings
    relations: tuple[str, ...]
    links: Ints
    passages_of: Rows
    entities_of: Rows
    about: Rows
    _ends: Ints  # entity, neighbour, place in `links`; sorted
    _starts: Longs

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        names: Sequence[str],
        links: Iterable[Link],
        mentions: Iterable[tuple[int, int]],
        about: Iterable[tuple[int, int]] = (),
    ) -> KnowledgeBase:
        """A knowledge base of a few links; `mentions` and `about` as in `of_rows`."""
        found = list(links)
        relations = sorted({link.relation for link in found})
        numbers = {name: number for number, name in enumerate(relations)}
        rows = [(link.subject, numbers[link.relation], link.object, link.passage) for link in found]
        return cls.of_rows(
            corpus, names, relations, table(rows, 4), table(mentions, 2), table(about, 2)
        )

    @classmethod
    def of_rows(
        cls,
        corpus: Corpus,
        names: Sequence[str],
        relations: Sequence[str],
        links: Ints,
        mentions: Ints,
        about: Ints,
    ) -> KnowledgeBase:
        """`links` have the columns of the class, `mentions` passage and entity, `about` entity and
        passage, in any order.  A link from an entity to itself leads nowhere and is left out."""
        _check(links, (0, 2), 0, len(names), "a link connects what is no entity")
        _check(links, (1,), 0, len(relations), "a link is of what is no relation")
        _check(links, (3,), NOWHERE, len(corpus), "a link is stated by what is no passage")
        _check(mentions, (0,), 0, len(corpus), "a mention is in what is no passage")
        _check(mentions, (1,), 0, len(names), "a mention is of what is no entity")
        _check(about, (0,), 0, len(names), "a passage is about what is no entity")
        _check(about, (1,), 0, len(corpus), "an entity has an article that is no passage")
        kept = np.unique(links[links[:, 0] != links[:, 2]], axis=0)
        places = np.arange(len(kept), dtype=np.int32)
        forward = np.column_stack((kept[:, 0], kept[:, 2], places))
        ends = np.concatenate((forward, forward[:, [1, 0, 2]]))
        ends = ends[np.lexsort((ends[:, 2], ends[:, 1], ends[:, 0]))]
        pairs = np.concatenate((mentions, about[:, ::-1]))
        return cls(
            corpus,
            Strings.pack(names),
            tuple(relations),
            kept,
            Rows(pairs[:, ::-1], len(names)),
            Rows(pairs, len(corpus)),
            Rows(about, len(names)),
            ends,
            np.searchsorted(ends[:, 0], np.arange(len(names) + 1)),
        )

    def __len__(self) -> int:
        """How many entities there are."""
        return len(self.names)

    def link(self, place: int) -> Link:
        """A row of `links` with the relation's name."""
        subject, relation, object, passage = self.links[place].tolist()
        return Link(subject, self.relations[relation], object, passage)

    def neighbours(self, entity: int, most: int | None = None) -> list[int]:
        """The entities that a link connects with this one, in either direction, ascending.

        With `most`, only those with the most links to it; of equals the lower numbers."""
        ends = self._ends[self._starts[entity] : self._starts[entity + 1], 1]
        others, counts = np.unique(ends, return_counts=True)
        if most is not None and len(others) > most:
            others = np.sort(others[np.lexsort((others, -counts))[:most]])
        return [int(other) for other in others]

    def links_between(self, one: int, other: int) -> list[Link]:
        """The links between two entities, in either direction."""
        rows = self._ends[self._starts[one] : self._starts[one + 1]]
        low, high = np.searchsorted(rows[:, 1], [other, other + 1]).tolist()
        return [self.link(place) for place in rows[low:high, 2].tolist()]

    def degrees(self) -> Longs:
        """How many neighbours each entity has."""
        pairs = np.unique(self._ends[:, :2], axis=0)[:, 0]
        return np.bincount(pairs, minlength=len(self))


def table(rows: Iterable[Sequence[int]], columns: int) -> Ints:
    """Rows of numbers as an array, also where there are none."""
    return np.array(list(rows), np.int32).reshape(-1, columns)


def _check(rows: Ints, columns: Sequence[int], low: int, high: int, message: str) -> None:
    """Raises ValueError where a number in these columns is not from `low` to below `high`."""
    for column in columns:
        wrong = (rows[:, column] < low) | (rows[:, column] >= high)
        if wrong.any():
            raise ValueError(f"{message}: {rows[wrong][0].tolist()}")
