"""A corpus: passages in order, their windows, and which of them are copies of each other.

All of it is arrays and packed strings, so that a stored corpus is mapped, not read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgverify.evidence.mentions import Mentions
from kgverify.evidence.passages import Extent, Passage, Window
from kgverify.graph.strings import StringIndex, Strings

FIELDS = ("ids", "titles", "texts", "sources", "dates", "headings")
Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Passages, by numbers from 0.

    `windows` has a row for each window, in the order of the passages and of their text: passage,
    start, end; int32[w, 3].  `copies` numbers the groups of near-duplicates, and `origins` the
    sources that count as one: two passages with equal numbers are near-duplicates or name the same
    source; int32[n] each.  `hash` identifies the contents.

    `mentions` are those of a graph's entities in the texts, and `title_mentions` in the titles,
    where they are known."""

    name: str
    hash: str
    ids: Strings
    titles: Strings
    texts: Strings
    sources: Strings
    dates: Strings
    headings: Strings
    id_index: StringIndex
    windows: Ints
    origins: Ints
    copies: Ints
    mentions: Mentions | None = None
    title_mentions: Mentions | None = None

    @classmethod
    def of(
        cls,
        passages: Iterable[Passage],
        name: str = "memory",
        *,
        windows: Ints | None = None,
        origins: Ints | None = None,
        copies: Ints | None = None,
        mentions: Mentions | None = None,
        title_mentions: Mentions | None = None,
    ) -> Corpus:
        """A corpus of some passages with different ids.

        Without `windows` each passage is its own one; without `origins` each is its own source,
        and without `copies` there are none."""
        found = list(passages)
        ids, titles, texts, sources, dates, headings = (
            Strings.pack(column)
            for column in (
                [passage.id for passage in found],
                [passage.title for passage in found],
                [passage.text for passage in found],
                [passage.source for passage in found],
                [passage.date for passage in found],
                [passage.heading for passage in found],
            )
        )
        if len({passage.id for passage in found}) < len(found):
            raise ValueError("two passages of a corpus have the same id")
        if windows is None:
            lengths = [len(passage.text) for passage in found]
            rows = [(number, 0, length) for number, length in enumerate(lengths)]
            windows = np.array(rows, np.int32).reshape(-1, 3)
        if origins is None:
            origins = np.arange(len(found), dtype=np.int32)
        if copies is None:
            copies = np.arange(len(found), dtype=np.int32)
        digest = hashlib.sha256()
        # A corpus without headings is what it was before there were any.
        kept = (headings,) if len(headings.blob) else ()
        for strings in (ids, titles, texts, sources, dates, *kept):
            digest.update(strings.offsets.tobytes())
            digest.update(strings.blob.tobytes())
        for array in (windows, origins, copies):
            digest.update(array.tobytes())
        return cls(
            name,
            digest.hexdigest(),
            ids,
            titles,
            texts,
            sources,
            dates,
            headings,
            StringIndex.of(ids),
            windows,
            origins,
            copies,
            mentions,
            title_mentions,
        )

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, number: int) -> Passage:
        if not 0 <= number < len(self):
            raise IndexError(number)
        fields = (getattr(self, field)[number] for field in FIELDS)
        id_, title, text, source, date, heading = fields
        return Passage(id_, text, title, source, date, heading)

    def __iter__(self) -> Iterator[Passage]:
        return (self[number] for number in range(len(self)))

    def find(self, ids: Sequence[str]) -> Ints:
        """The numbers of passages by their ids; -1 where there is none.  int32[len(ids)]"""
        return self.id_index.find(self.ids, ids)

    def windows_of(self, passage: int) -> list[Window]:
        """The windows of a passage, in the order of its text."""
        start, end = self._window_places[passage : passage + 2].tolist()
        return [
            Window(passage, Extent(first, last))
            for _, first, last in self.windows[start:end].tolist()
        ]

    @cached_property
    def _window_places(self) -> NDArray[np.int64]:
        """Where the windows of each passage begin."""
        return np.searchsorted(self.windows[:, 0], np.arange(len(self) + 1)).astype(np.int64)

    def independent(self, passages: Iterable[int]) -> int:
        """How many independent sources some passages come from."""
        numbers = np.fromiter(passages, np.int64)
        return len(np.unique(self.origins[numbers]))
