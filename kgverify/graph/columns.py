"""The arrays that a graph is: the same in memory and on disk.

A `Columns` value names every array as the store's files are named.  `facts.`, `denied.` and
`lesser.` each stand before the arrays of one table; R is the number of relations, n of terms, f of
facts:

| array | shape | meaning |
|---|---|---|
| terms.blob, terms.offsets | | the term keys, ascending, as `Strings`; a term's id is its place |
| terms.hashes, terms.order | [n] | `StringIndex` of the keys |
| names.blob, names.offsets | | labels and aliases, ordered by term, the label first |
| names.terms, names.is_label | [m] | whose name it is; whether it is the label |
| names.hashes, names.order | [m] | `StringIndex` of the folded names |
| facts.offsets | int64[R + 1] | where each relation's facts start |
| facts.forward | int64[f] | subject · 2^32 + object, ascending within a relation |
| facts.backward | int64[f] | object · 2^32 + subject, ascending within a relation |
| facts.backward_rows | int64[f] | the row in `forward` of each fact in `backward` |
| facts.files, facts.lines | int32[f] | where the fact was read; file -1 = nowhere |
| facts.qualified | int64[q] | the rows that have qualifiers, ascending |
| facts.qualifiers.blob, .offsets | | their qualifiers, as canonical JSON |
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgverify.graph.strings import Strings

Arrays = Mapping[str, NDArray[Any]]
# Facts of the best rank, denied facts, and facts that a preferred one of their subject and
# relation outranks.
TABLES = ("facts", "denied", "lesser")

DTYPES: dict[str, str] = {
    "terms.blob": "u1",
    "terms.offsets": "<i8",
    "terms.hashes": "<u8",
    "terms.order": "<i4",
    "names.blob": "u1",
    "names.offsets": "<i8",
    "names.terms": "<i4",
    "names.is_label": "|b1",
    "names.hashes": "<u8",
    "names.order": "<i4",
} | {
    f"{table}.{column}": dtype
    for table in TABLES
    for column, dtype in {
        "offsets": "<i8",
        "forward": "<i8",
        "backward": "<i8",
        "backward_rows": "<i8",
        "files": "<i4",
        "lines": "<i4",
        "qualified": "<i8",
        "qualifiers.blob": "u1",
        "qualifiers.offsets": "<i8",
    }.items()
}

# What the content hash covers.  The rest is an index, or says where a fact was read.
_CONTENT = [
    "terms.blob",
    "terms.offsets",
    "names.blob",
    "names.offsets",
    "names.terms",
    "names.is_label",
] + [
    f"{table}.{column}"
    for table in TABLES
    for column in ("offsets", "forward", "qualified", "qualifiers.blob")
]


@dataclass(frozen=True, slots=True)
class Columns:
    """All of a graph: `relations` are sorted and a relation's id is its place; `sources` are the
    names of the files that were read; `hash` is that of `content_hash`; `deprecated` counts the
    facts that were read and left out for their rank."""

    name: str
    hash: str
    relations: tuple[str, ...]
    sources: tuple[str, ...]
    arrays: Arrays
    deprecated: int = 0


def strings_at(arrays: Arrays, prefix: str) -> Strings:
    """The `Strings` whose arrays are `prefix.blob` and `prefix.offsets`."""
    return Strings(arrays[f"{prefix}.blob"], arrays[f"{prefix}.offsets"])


def content_hash(relations: tuple[str, ...], arrays: Arrays) -> str:
    """The sha256, in hexadecimal, of what the graph says, wherever and however often it says it."""
    digest = hashlib.sha256(b"kgverify graph 2\0")
    digest.update(repr(relations).encode())
    for name in _CONTENT:
        array = np.ascontiguousarray(arrays[name], dtype=DTYPES[name])
        digest.update(f"\0{name} {len(array)}\0".encode())
        digest.update(array.data if len(array) else b"")
    return digest.hexdigest()


def fold(text: str) -> str:
    """A name without what people don't mean by it: compatibility forms (NFKC), case, spacing."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
