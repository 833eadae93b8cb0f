"""A graph as a folder: `graph.json`, which is read first, and one `.npy` file an array.

The arrays are memory-mapped, so that a graph of any size opens in milliseconds and processes share
it.  A store is written beside its place and then renamed: it is there as a whole or not at all.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import GraphError, Problem, Span
from kgverify.graph.columns import DTYPES, Columns
from kgverify.graph.store import Graph

FORMAT = "kgverify graph"
VERSION = 2
_DESCRIPTION = "graph.json"


def is_store(path: Path) -> bool:
    """Whether a path is a folder that says it is a store, whole or not."""
    return (path / _DESCRIPTION).is_file()


def write(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Writes a graph to the folder `path`, replacing a store that is there.

    Raises GraphError when something else is there, or when the disk refuses."""
    place = Path(path)
    check_place(place)
    columns = graph.columns
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        try:
            _write_files(columns, folder)
            _move(folder, place)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise _problem(place, "store-not-written", f"can't write the store: {error}") from error


def check_place(place: Path) -> None:
    """Raises GraphError if a store must not be written here, since something else is there."""
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        raise _problem(place, "not-a-store", "is a file; it is not overwritten", "name a folder")
    if place.is_dir() and not is_store(place) and any(place.iterdir()):
        raise _problem(
            place,
            "not-a-store",
            "is a folder that holds something else; it is not overwritten",
            "name a new folder",
        )


def open_store(path: str | os.PathLike[str]) -> Graph:
    """Opens a store, without reading its arrays.

    Raises GraphError when the folder is no store, is of another version, or a file is missing or
    has another size than was written."""
    place = Path(path)
    description = _describe(place)
    arrays = {name: _map(place, name, description["arrays"]) for name in DTYPES}
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


def _write_files(columns: Columns, folder: Path) -> None:
    sizes: dict[str, list[int]] = {}
    for name, array in columns.arrays.items():
        file = folder / f"{name}.npy"
        with file.open("xb") as stream:
            np.save(stream, array, allow_pickle=False)
            stream.flush()
            os.fsync(stream.fileno())
        sizes[name] = [len(array), file.stat().st_size]
    description = {
        "format": FORMAT,
        "version": VERSION,
        "name": columns.name,
        "hash": columns.hash,
        "relations": columns.relations,
        "sources": columns.sources,
        "deprecated": columns.deprecated,
        "arrays": sizes,
    }
    with (folder / _DESCRIPTION).open("x", encoding="utf-8") as text:
        json.dump(description, text, ensure_ascii=True, indent=1)
        text.flush()
        os.fsync(text.fileno())
    folder.chmod(0o755)  # a temporary folder is private
    _sync(folder)


def _move(folder: Path, place: Path) -> None:
    """Puts the finished folder in its place; an older store makes way, or comes back on failure."""
    if not place.exists():
        folder.rename(place)
    else:
        aside = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        older = aside / "older"
        place.rename(older)
        try:
            folder.rename(place)
        except OSError:
            older.rename(place)
            raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)  # open graphs keep their mapped files
    _sync(place.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _describe(place: Path) -> dict[str, Any]:
    """The contents of `graph.json`, checked as far as the types that are used."""
    hint = "build one with `kgverify kg build`"
    if not place.exists():
        raise _problem(place, "missing-file", "there is no such store", hint)
    if not is_store(place):
        raise _problem(place, "not-a-store", "is not a kgverify graph store", hint)
    try:
        description = json.loads((place / _DESCRIPTION).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _damaged(place, _DESCRIPTION, f"can't be read: {error}") from error
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise _problem(place, "not-a-store", "is not a kgverify graph store", hint)
    if description.get("version") != VERSION:
        raise _problem(
            place,
            "store-version",
            f"is a store of version {description.get('version')}; this kgverify reads {VERSION}",
            "build the store again from its sources",
        )
    kinds = {"name": str, "hash": str, "relations": list, "sources": list, "deprecated": int}
    for field, kind in kinds.items():
        if not isinstance(description.get(field), kind):
            raise _damaged(place, _DESCRIPTION, f"has no usable {field!r}")
    if not isinstance(description.get("arrays"), dict):
        raise _damaged(place, _DESCRIPTION, "has no usable 'arrays'")
    return description


def _map(place: Path, name: str, sizes: dict[str, Any]) -> NDArray[Any]:
    file = place / f"{name}.npy"
    try:
        length, size = sizes[name]
        actual = file.stat().st_size
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(place, _DESCRIPTION, f"doesn't describe the array {name!r}") from error
    except OSError as error:
        raise _damaged(place, file.name, "is missing") from error
    if actual != size:
        raise _damaged(place, file.name, f"has {actual} bytes where {size} were written")
    try:
        # An empty array can't be mapped.
        array = np.load(file, mmap_mode="r" if length else None, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise _damaged(place, file.name, f"can't be read: {error}") from error
    if array.shape != (length,) or array.dtype != np.dtype(DTYPES[name]):
        raise _damaged(place, file.name, f"holds {array.dtype}{list(array.shape)}")
    return np.asarray(array)  # still mapped; look-ups on a plain array are faster


def _damaged(place: Path, file: str, why: str) -> GraphError:
    return _problem(place, "store-damaged", f"the store is damaged: {file} {why}", "build it again")


def _problem(place: Path, code: str, message: str, hint: str = "") -> GraphError:
    return GraphError(Problem(code, message, Span(str(place)), hint))
