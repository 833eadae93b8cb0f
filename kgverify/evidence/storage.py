"""A corpus as a folder: `corpus.json` and one `.npy` file for each of its arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import EvidenceError
from kgverify.evidence.corpus import FIELDS, Corpus
from kgverify.evidence.duplicates import PERMUTATIONS
from kgverify.evidence.mentions import DTYPES as MENTION_DTYPES
from kgverify.evidence.mentions import Mentions
from kgverify.graph.folders import FolderFormat
from kgverify.graph.strings import StringIndex, Strings

# The version changes with everything that changes an array: sentences, shingles, the gazetteer.
_FORMAT = FolderFormat(
    "kgverify corpus", 2, "corpus.json", "corpus", "kgverify corpus build", EvidenceError
)
_FIELDS = {"name": str, "hash": str, "made": dict, "graph": str, "classes": list}
DIGEST = 16  # bytes

# Name, type and width (0 for an array without columns) of what is not text.
_ARRAYS = {
    "ids.hashes": ("<u8", 0),
    "ids.order": ("<i4", 0),
    "windows": ("<i4", 3),
    "origins": ("<i4", 0),
    "copies": ("<i4", 0),
    "digests": ("u1", DIGEST),
    "signatures": ("<u4", PERMUTATIONS),
}
_PLACES = ("mentions", "title_mentions")


@dataclass(frozen=True, eq=False)
class Stored:
    """A corpus with what building it again can use: `made`, the options that it was built with,
    and for each passage a digest of its contents (uint8[n, 16]) and its MinHash signature.
    `classes` counts the mentions by class of the graph, most first."""

    corpus: Corpus
    made: Mapping[str, Any]
    digests: NDArray[np.uint8]
    signatures: NDArray[np.uint32]
    classes: tuple[tuple[str, int], ...] = ()


def is_corpus(path: Path) -> bool:
    """Whether a path is a folder that says it is a corpus, whole or not."""
    return _FORMAT.is_one(path)


def check_place(place: Path) -> None:
    """Raises EvidenceError if a corpus must not be written here, since something else is there."""
    _FORMAT.check_place(place)


def write(stored: Stored, path: str | os.PathLike[str]) -> None:
    """Writes a corpus to the folder `path`, replacing one that is there.

    Raises EvidenceError when something else is there, or when the disk refuses."""
    corpus = stored.corpus
    arrays: dict[str, NDArray[Any]] = {}
    for field in FIELDS:
        strings: Strings = getattr(corpus, field)
        arrays[f"{field}.blob"], arrays[f"{field}.offsets"] = strings.blob, strings.offsets
    arrays |= {
        "ids.hashes": corpus.id_index.hashes,
        "ids.order": corpus.id_index.order,
        "windows": corpus.windows,
        "origins": corpus.origins,
        "copies": corpus.copies,
        "digests": stored.digests,
        "signatures": stored.signatures,
    }
    for place in _PLACES:
        mentions: Mentions | None = getattr(corpus, place)
        if mentions is not None:
            arrays |= {f"{place}.{name}": array for name, array in mentions.arrays.items()}
    graph = corpus.mentions.graph if corpus.mentions is not None else ""
    described = {
        "name": corpus.name,
        "hash": corpus.hash,
        "made": dict(stored.made),
        "graph": graph,
        "classes": stored.classes,
    }
    _FORMAT.write(Path(path), described, arrays)


def open_stored(path: str | os.PathLike[str]) -> Stored:
    """Opens a corpus, without reading its arrays.

    Raises EvidenceError when the folder is no corpus, is of another version, or a file is missing
    or has another size than was written."""
    place = Path(path)
    description = _FORMAT.describe(place, _FIELDS)
    sizes = description["arrays"]

    def mapped(name: str, dtype: str, width: int = 0) -> NDArray[Any]:
        return _FORMAT.map(place, name, sizes, dtype, width)

    texts = {
        field: Strings(mapped(f"{field}.blob", "u1"), mapped(f"{field}.offsets", "<i8"))
        for field in FIELDS
    }
    arrays = {name: mapped(name, dtype, width) for name, (dtype, width) in _ARRAYS.items()}
    found: dict[str, Mentions | None] = dict.fromkeys(_PLACES)
    if graph := str(description["graph"]):
        for prefix in _PLACES:
            columns = {
                name: mapped(f"{prefix}.{name}", dtype) for name, dtype in MENTION_DTYPES.items()
            }
            found[prefix] = Mentions(graph, **columns)
    corpus = Corpus(
        str(description["name"]),
        str(description["hash"]),
        texts["ids"],
        texts["titles"],
        texts["texts"],
        texts["sources"],
        texts["dates"],
        texts["headings"],
        StringIndex(arrays["ids.hashes"], arrays["ids.order"]),
        arrays["windows"],
        arrays["origins"],
        arrays["copies"],
        found["mentions"],
        found["title_mentions"],
    )
    if {len(texts[field]) for field in FIELDS} != {len(arrays["digests"])}:
        raise _FORMAT.damaged(place, "ids.offsets.npy", "has another length than the digests")
    return Stored(
        corpus,
        description["made"],
        arrays["digests"],
        arrays["signatures"],
        tuple((str(name), int(count)) for name, count in description["classes"]),
    )
