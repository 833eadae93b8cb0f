"""A graph as a folder: `graph.json` and one `.npy` file for each of its arrays."""

from __future__ import annotations

import os
from pathlib import Path

from kgverify.graph.columns import DTYPES, Columns
from kgverify.graph.folders import FolderFormat
from kgverify.graph.store import Graph

_STORE = FolderFormat("kgverify graph", 2, "graph.json", "store", "kgverify kg build")
_FIELDS = {"name": str, "hash": str, "relations": list, "sources": list, "deprecated": int}


def is_store(path: Path) -> bool:
    """Whether a path is a folder that says it is a store, whole or not."""
    return _STORE.is_one(path)


def write(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Writes a graph to the folder `path`, replacing a store that is there.

    Raises GraphError when something else is there, or when the disk refuses."""
    columns = graph.columns
    described = {
        "name": columns.name,
        "hash": columns.hash,
        "relations": columns.relations,
        "sources": columns.sources,
        "deprecated": columns.deprecated,
    }
    _STORE.write(Path(path), described, columns.arrays)


def check_place(place: Path) -> None:
    """Raises GraphError if a store must not be written here, since something else is there."""
    _STORE.check_place(place)


def open_store(path: str | os.PathLike[str]) -> Graph:
    """Opens a store, without reading its arrays.

    Raises GraphError when the folder is no store, is of another version, or a file is missing or
    has another size than was written."""
    place = Path(path)
    description = _STORE.describe(place, _FIELDS)
    sizes = description["arrays"]
    arrays = {name: _STORE.map(place, name, sizes, dtype) for name, dtype in DTYPES.items()}
    return Graph(
        Columns(
            str(description["name"]),
            str(description["hash"]),
            tuple(description["relations"]),
            tuple(description["sources"]),
            arrays,
            description["deprecated"],
        )
    )
