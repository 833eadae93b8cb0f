"""Passages that are copies of each other, or nearly, and sources that count as one.

Two passages are near-duplicates when the Jaccard similarity of their shingles (stretches of three
words of title and text) is at least a threshold.  MinHash signatures (Broder, "On the resemblance
and containment of documents", 1997) in bands give the pairs that may be, and each is then compared
exactly; so no pair is a false one, and at the threshold one in ten thousand is overlooked, or more
where hundreds of passages are nearly as much alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kgverify.evidence.passages import Passage

LIKENESS = 0.8
LEAST_LIKENESS = 0.3  # below, nearly all pairs would have to be compared
PERMUTATIONS = 128
_SEED = 1
_WORDS = 3  # in a shingle
_MISSED = 1e-4
_SLACK = 0.15  # an estimate by 128 permutations is hardly ever so far below
_BATCH = 4096
_CROWD = 256
_MOST_COMPARED = 1 << 22  # shingles that are compared at once
# Scripts without blanks between words are taken letter by letter.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Signatures = NDArray[np.uint32]


def shingles(passage: Passage) -> frozenset[str]:
    """The stretches of three words of a passage's title and text, without case; all of its words
    if there are fewer, and the text itself if it has none."""
    words = _WORD.findall(f"{passage.title} {passage.text}".casefold()) or [passage.text]
    return frozenset(
        " ".join(words[place : place + _WORDS]) for place in range(max(1, len(words) - _WORDS + 1))
    )


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The Jaccard similarity of two sets that aren't empty."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def signatures(
    passages: Sequence[Passage], progress: Callable[[int], None] | None = None
) -> Signatures:
    """The MinHash signature of each passage.  uint32[n, 128]"""
    from datasketch import MinHash

    found = np.empty((len(passages), PERMUTATIONS), np.uint32)
    for first in range(0, len(passages), _BATCH):
        part = passages[first : first + _BATCH]
        hashed = MinHash.bulk(
            [[shingle.encode("utf-8", "surrogatepass") for shingle in shingles(p)] for p in part],
            num_perm=PERMUTATIONS,
            seed=_SEED,
        )
        for place, each in enumerate(hashed, first):
            found[place] = each.hashvalues
        if progress:
            progress(first + len(part))
    return found


def copies(
    passages: Sequence[Passage],
    signed: Signatures,
    least: float = LIKENESS,
    progress: Callable[[int], None] | None = None,
) -> Ints:
    """The group of near-duplicates that each passage is in, numbered by first passage.  int32[n]

    A passage is in a group when it is like any one that is in it."""
    union = Union(len(passages))
    compared = _Comparison(passages)

    def compare(pairs: Longs) -> None:
        apart = [
            (one, other) for one, other in pairs.tolist() if union.find(one) != union.find(other)
        ]
        for (one, other), found in zip(apart, compared.likenesses(apart), strict=True):
            if found >= least:
                union.join(one, other)

    # Of equal signatures one goes on: tables and lists say the same of many things.
    _, firsts, places = np.unique(signed, axis=0, return_index=True, return_inverse=True)
    chosen = firsts[places.reshape(-1)]
    again = np.flatnonzero(chosen != np.arange(len(chosen)))
    compare(np.column_stack([chosen[again], again]))
    alone = [n for n in range(len(chosen)) if union.find(n) == n]
    numbers = np.array(alone, np.int64)
    bands, rows = _bands(least)
    for band in range(bands):
        for pairs in _sharing(signed[numbers], band * rows, rows):
            found = numbers[pairs]
            same = signed[found[:, 0]] == signed[found[:, 1]]
            compare(found[same.mean(axis=1) >= least - _SLACK])
        if progress:
            progress((band + 1) * len(passages) // bands)
    return union.groups()


class _Comparison:
    """The exact likeness of passages, many pairs at a time."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._numbers: dict[str, int] = {}
        self._known: dict[int, Longs] = {}

    def likenesses(self, pairs: Sequence[tuple[int, int]]) -> list[float]:
        """The Jaccard similarity of each pair."""
        found: list[float] = []
        part: list[tuple[Longs, Longs]] = []
        size = 0
        for one, other in pairs:
            part.append((self._shingles(one), self._shingles(other)))
            size += len(part[-1][0]) + len(part[-1][1])
            if size > _MOST_COMPARED:
                found += _likenesses(part)
                part, size = [], 0
        return found + _likenesses(part)

    def _shingles(self, number: int) -> Longs:
        """The numbers of a passage's shingles, ascending."""
        if number not in self._known:
            numbers = self._numbers
            found = [numbers.setdefault(s, len(numbers)) for s in shingles(self._passages[number])]
            self._known[number] = np.sort(np.array(found, np.int64))
        return self._known[number]


def _likenesses(pairs: Sequence[tuple[Longs, Longs]]) -> list[float]:
    if not pairs:
        return []
    sizes = np.array([(len(one), len(other)) for one, other in pairs], np.int64)
    # The place of the pair in the high bits keeps the sets of different pairs apart.
    owners = [np.repeat(np.arange(len(pairs)), sizes[:, side]) for side in (0, 1)]
    ones, others = (
        np.concatenate([pair[side] for pair in pairs]) | owners[side] << 40 for side in (0, 1)
    )
    places = np.minimum(np.searchsorted(others, ones), len(others) - 1)
    shared = np.bincount(owners[0][others[places] == ones], minlength=len(pairs))
    found: list[float] = (shared / (sizes.sum(axis=1) - shared)).tolist()
    return found


def _sharing(signed: Signatures, start: int, rows: int) -> Iterator[Longs]:
    """The pairs of rows that are equal in a band, and perhaps some others, a few at a time.

    Rows that more than `_CROWD` others are equal to are told apart by the columns that follow, so
    that the time doesn't grow with the square of what was written by one template."""
    keys = _keys(signed, range(start, start + rows))
    for more in range(start + rows, start + PERMUTATIONS, rows):
        _, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
        crowded = np.flatnonzero(counts[places] > _CROWD)
        if not len(crowded):
            break
        columns = [c % PERMUTATIONS for c in range(more, min(more + rows, start + PERMUTATIONS))]
        keys[crowded] ^= _keys(signed[crowded], columns) * np.uint64(0xBF58476D1CE4E5B9)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    alive = np.arange(len(keys))
    for distance in range(1, len(keys)):
        alive = alive[alive + distance < len(keys)]
        alive = alive[keys[alive] == keys[alive + distance]]
        if not len(alive):
            return
        for first in range(0, len(alive), _BATCH):
            part = alive[first : first + _BATCH]
            yield np.sort(np.column_stack([order[part], order[part + distance]]), axis=1)


def _keys(signed: Signatures, columns: Iterable[int]) -> NDArray[np.uint64]:
    """A hash of some columns of each row."""
    keys = np.zeros(len(signed), np.uint64)
    for column in columns:
        keys = (keys ^ signed[:, column]) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    return keys


def origins(passages: Sequence[Passage], copied: Ints, *, titles_are_sources: bool = False) -> Ints:
    """The sources that count as one, numbered by first passage.  int32[n]

    Near-duplicates do, and passages that name one source, whatever their titles.  A passage that
    names none is a source of its own; with `titles_are_sources`, one with all of its title that
    name none."""
    union = Union(len(passages))
    first: dict[tuple[str, str], int] = {}
    for number, (passage, group) in enumerate(zip(passages, copied.tolist(), strict=True)):
        keys = [("copy", str(group))]
        if source := passage.source.strip():
            keys.append(("source", source))
        elif titles_are_sources and (title := passage.title.strip()):
            keys.append(("title", title))
        for key in keys:
            union.join(first.setdefault(key, number), number)
    return union.groups()


class Union:
    """Disjoint sets of the numbers below n."""

    def __init__(self, n: int) -> None:
        self._above = list(range(n))

    def find(self, number: int) -> int:
        """The least number in the set of this one."""
        above = self._above
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    def join(self, one: int, other: int) -> None:
        """Makes one set of the sets of two numbers."""
        low, high = sorted((self.find(one), self.find(other)))
        self._above[high] = low

    def groups(self) -> Ints:
        """The set of each number; sets are numbered in the order of their least numbers."""
        least = [self.find(number) for number in range(len(self._above))]
        return np.unique(np.array(least, np.int32), return_inverse=True)[1].astype(np.int32)


def group_sizes(groups: Iterable[int] | Ints) -> Ints:
    """How many members each group has."""
    return np.bincount(np.asarray(groups, np.int64)).astype(np.int32)


def _bands(least: float) -> tuple[int, int]:
    """Bands, and rows of each: as many rows as overlook no more than `_MISSED` of the pairs that
    are just like enough."""
    good = [
        rows
        for rows in range(1, PERMUTATIONS + 1)
        if (1 - least**rows) ** (PERMUTATIONS // rows) <= _MISSED
    ]
    rows = max(good, default=1)
    return PERMUTATIONS // rows, rows
