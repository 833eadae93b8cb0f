"""Many strings in two arrays, and look-up by hash without a dict: both can be memory-mapped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Hashes = NDArray[np.uint64]

_CHUNK = 1 << 18  # strings hashed at a time: bounds the memory that hashing needs


class Strings:
    """An immutable list of strings: string i is `blob[offsets[i]:offsets[i + 1]]`, in UTF-8."""

    def __init__(self, blob: Bytes, offsets: Longs) -> None:
        self.blob = blob
        self.offsets = offsets

    @classmethod
    def pack(cls, texts: Iterable[str]) -> Strings:
        """The strings of `texts`, in their order."""
        # A lone surrogate is no character: readers reject it, a look-up just doesn't find it.
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> str:
        start, end = self.offsets[index : index + 2].tolist()
        return self.blob[start:end].tobytes().decode()

    def many(self, indices: NDArray[np.integer]) -> list[str]:
        """The strings at these indices."""
        starts, ends = self.offsets[indices].tolist(), self.offsets[indices + 1].tolist()
        view = self.blob.data
        return [str(view[start:end], "utf-8") for start, end in zip(starts, ends, strict=True)]

    def hashes(self) -> Hashes:
        """A 64-bit hash of each string; equal strings have equal hashes."""
        found = np.empty(len(self), np.uint64)
        for first in range(0, len(self), _CHUNK):
            offsets = self.offsets[first : first + _CHUNK + 1]
            found[first : first + len(offsets) - 1] = _hash(
                self.blob[offsets[0] : offsets[-1]], offsets - offsets[0]
            )
        return found

    def same(self, mine: NDArray[np.integer], others: Strings) -> NDArray[np.bool_]:
        """Elementwise: is my string at `mine[i]` equal to `others[i]`?  bool[len(others)]"""
        lengths = np.diff(others.offsets)
        equal: NDArray[np.bool_] = self.offsets[mine + 1] - self.offsets[mine] == lengths
        candidates = np.flatnonzero(equal)
        lengths = lengths[candidates]
        owner = np.repeat(candidates, lengths)
        ours = self.blob[spread(self.offsets[mine[candidates]], lengths)]
        theirs = others.blob[spread(others.offsets[candidates], lengths)]
        equal[owner[ours != theirs]] = False
        return equal


class StringIndex:
    """Finds strings by their hash: `hashes` in ascending order, and `order[i]` the number of the
    string that the i-th hash belongs to."""

    def __init__(self, hashes: Hashes, order: Ints) -> None:
        self.hashes = hashes
        self.order = order

    @classmethod
    def of(cls, strings: Strings) -> StringIndex:
        """The index of all strings of a list."""
        hashes = strings.hashes()
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        return cls(hashes[order], order)

    def find(self, strings: Strings, wanted: Sequence[str]) -> Ints:
        """The number of each wanted string in `strings` (which hold it at most once); -1 where
        absent.  int32[len(wanted)]"""
        packed = Strings.pack(wanted)
        hashes = packed.hashes()
        found = np.full(len(wanted), -1, np.int32)
        if not len(self.hashes):
            return found
        places = np.searchsorted(self.hashes, hashes)
        open_ = np.arange(len(wanted))
        # One round, save where two strings share their hash: then the next place is tried.
        while True:
            alive = places[open_] < len(self.hashes)
            open_ = open_[alive]
            open_ = open_[self.hashes[places[open_]] == hashes[open_]]
            if not len(open_):
                return found
            numbers = self.order[places[open_]]
            equal = strings.same(numbers, _take(packed, open_))
            found[open_[equal]] = numbers[equal]
            open_ = open_[~equal]
            places[open_] += 1

    def may_have(self, wanted: Sequence[str]) -> NDArray[np.bool_]:
        """Whether some string has the hash of each wanted one, as those have that are there.
        bool[len(wanted)]"""
        return member(Strings.pack(wanted).hashes(), self.hashes)

    def candidates(self, text: str) -> Ints:
        """The numbers of the strings whose hash is that of `text`: those equal to it are among
        them."""
        wanted = Strings.pack([text]).hashes()[0]
        start, end = (np.searchsorted(self.hashes, wanted, side) for side in ("left", "right"))
        return self.order[start:end]


def spread(starts: Longs, lengths: Longs) -> Longs:
    """The ranges `start, start + 1, … start + length - 1`, one after the other.

    Both have shape [k]; the result has shape [sum of lengths]."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(total)


def member(values: Longs | Hashes, ascending: Longs | Hashes) -> NDArray[np.bool_]:
    """Whether each value is in an ascending array.  bool[len(values)]"""
    if not len(ascending):
        return np.zeros(len(values), np.bool_)
    places = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    found: NDArray[np.bool_] = ascending[places] == values
    return found


def _take(strings: Strings, indices: Longs) -> Strings:
    if len(indices) == len(strings):
        return strings
    lengths = np.diff(strings.offsets)[indices]
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return Strings(strings.blob[spread(strings.offsets[indices], lengths)], offsets)


def _hash(blob: Bytes, offsets: Longs) -> Hashes:
    """A polynomial hash modulo 2^64, its bytes mixed first and its result mixed last."""
    lengths = np.diff(offsets)
    longest = int(lengths.max(initial=0))
    powers = np.full(longest, 0x9E3779B97F4A7C15, np.uint64)
    powers[:1] = 1
    np.multiply.accumulate(powers, out=powers)
    mixed = _mix(np.arange(1, 257, dtype=np.uint64))
    positions = np.arange(len(blob)) - np.repeat(offsets[:-1], lengths)
    sums = np.zeros(len(blob) + 1, np.uint64)
    np.cumsum(mixed[blob] * powers[positions], out=sums[1:])
    return _mix(sums[offsets[1:]] - sums[offsets[:-1]] + lengths.astype(np.uint64))


def _mix(values: Hashes) -> Hashes:
    """The finalizer of SplitMix64: each bit of the result depends on each bit of the value."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
