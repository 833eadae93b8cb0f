"""Opens graphs, whatever they are kept in, and builds stores."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgverify.errors import GraphError, Problem, Span
from kgverify.graph.building import Builder
from kgverify.graph.reading import Options, read
from kgverify.graph.reading.front import PathLike, as_paths
from kgverify.graph.storage import check_place, is_store, open_store, write
from kgverify.graph.store import Graph

if TYPE_CHECKING:
    import rdflib


@dataclass(frozen=True, slots=True)
class Summary:
    """What building a store did: the size of the graph, how many facts were said again, how many a
    preferred one outranks (`lesser`) and how many were left out as `deprecated`, and what was
    rejected (the first thousand problems, and the number of all)."""

    facts: int
    denied: int
    entities: int
    relations: int
    duplicates: int
    lesser: int
    deprecated: int
    rejected: tuple[Problem, ...]
    rejected_count: int
    seconds: float


def open_graph(
    source: PathLike | Sequence[PathLike] | rdflib.Graph,
    options: Options | None = None,
    denied: PathLike | Sequence[PathLike] = (),
) -> Graph:
    """The graph in a store folder, in source files, or in an rdflib graph.

    All facts in the files of `denied` are denied ones.  Raises GraphError."""
    if not isinstance(source, (str, os.PathLike, Sequence)):
        from kgverify.graph.reading.rdf import read_rdflib

        if not hasattr(source, "triples"):
            raise TypeError(f"a graph is a path, several paths or an rdflib graph, not {source!r}")
        builder = Builder("rdflib")
        read_rdflib(source, builder, options or Options())
        if denied:
            read([], builder, options, as_paths(denied))
        return Graph(builder.columns())
    paths = as_paths(source)
    stores = [path for path in paths if is_store(Path(path))]
    if stores and len(paths) == 1 and not denied:
        return open_store(paths[0])
    if stores:
        message = "a store is opened alone; it can't be joined with other files"
        hint = "build one store from all source files"
        raise GraphError(Problem("store-with-files", message, Span(os.fspath(stores[0])), hint))
    return _build(paths, as_paths(denied), options or Options())[0]


def build_store(
    sources: PathLike | Sequence[PathLike],
    out: PathLike,
    options: Options | None = None,
    denied: PathLike | Sequence[PathLike] = (),
) -> Summary:
    """Reads source files and writes the store folder `out`, replacing a store that is there.

    Raises GraphError; then `out` is as it was."""
    start = time.perf_counter()
    check_place(Path(out))
    graph, summary = _build(as_paths(sources), as_paths(denied), options or Options())
    write(graph, out)
    return Summary(*summary, seconds=time.perf_counter() - start)


def _build(
    paths: list[PathLike], denied: list[PathLike], options: Options
) -> tuple[Graph, tuple[int, int, int, int, int, int, int, tuple[Problem, ...], int]]:
    if not paths and not denied:
        raise GraphError(Problem("no-files", "no graph file is named"))
    builder = Builder(_name((paths + denied)[0]))
    reading = read(paths, builder, options, denied)
    graph = Graph(builder.columns())
    return graph, (
        len(graph.facts),
        len(graph.denied),
        graph.entities(),
        len(graph.relations),
        builder.duplicates,
        len(graph.lesser),
        builder.deprecated,
        reading.rejected,
        reading.rejected_count,
    )


def _name(path: PathLike) -> str:
    """A file's name without its endings."""
    return Path(path).name.split(".")[0] or Path(path).name
