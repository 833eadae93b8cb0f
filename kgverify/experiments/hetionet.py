"""Hetionet as an experiment needs it: all nodes, all edges by kind, the curated non-indications.

The files are those of the tables that Hetionet publishes, `nodes.tsv.gz` and `edges.tsv.gz`, each
with a heading, and `negatives-NOT.tsv` with PharmacotherapyDB's non-indications.  CrC, the
resemblance of compounds, may be in a file of its own, which may be a sample: it is read for
plausibility alone.
"""

from __future__ import annotations

import gzip
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from kgverify.errors import GraphError, Problem, Span
from kgverify.experiments.runs import file_hash
from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE
from kgverify.graph.terms import entity_key

NODES, EDGES, NEGATIVES = "nodes.tsv.gz", "edges.tsv.gz", "negatives-NOT.tsv"
SAMPLE = "edges-sample5k.tsv.gz"
RESEMBLES = "CrC"

Pair = tuple[str, str]
Edges = Mapping[str, tuple[Pair, ...]]


@dataclass(frozen=True)
class Hetionet:
    """The graph before anything is removed.  Everything is sorted."""

    kinds: Mapping[str, str]
    labels: Mapping[str, str]
    edges: Edges
    denied: tuple[Pair, ...]
    hashes: Mapping[str, str]

    @cached_property
    def nodes(self) -> Mapping[str, tuple[str, ...]]:
        """The nodes of each kind."""
        found = defaultdict(list)
        for node, kind in self.kinds.items():
            found[kind].append(node)
        return MappingProxyType({kind: tuple(nodes) for kind, nodes in found.items()})

    def graph(self, edges: Edges, with_denied: bool = True) -> Graph:
        """The graph of these edges and of all nodes, with the non-indications as denied facts."""
        facts = [
            (entity_key(node), RDF_TYPE, entity_key(kind)) for node, kind in self.kinds.items()
        ]
        for metaedge, pairs in edges.items():
            facts += [(entity_key(a), metaedge, entity_key(b)) for a, b in pairs]
        denied = [(entity_key(a), "CtD", entity_key(b)) for a, b in self.denied]
        labels = [(entity_key(node), label) for node, label in self.labels.items()]
        return Graph.from_triples(facts, denied if with_denied else (), labels, "hetionet")


def read(data: Path) -> Hetionet:
    """Reads the folder, or its folder `hetionet`.  Raises GraphError for what is missing or not as
    it should be."""
    folder = data if (data / NODES).exists() else data / "hetionet"
    for name in (NODES, EDGES, NEGATIVES):
        if not (folder / name).is_file():
            problem = Problem(
                "missing-file",
                "there is no such file",
                Span(str(folder / name)),
                f"--data names the folder that has {NODES}, {EDGES} and {NEGATIVES}",
            )
            raise GraphError(problem)
    kinds, labels = {}, {}
    for node, label, kind in sorted(_rows(folder / NODES, ("id", "name", "kind"))):
        kinds[node], labels[node] = kind, label
    columns = ("source", "metaedge", "target")
    edges = defaultdict(set)
    for source, metaedge, target in _rows(folder / EDGES, columns):
        edges[metaedge].add((source, target))
    used = [NODES, EDGES, NEGATIVES]
    if (folder / SAMPLE).is_file():
        used.append(SAMPLE)
        for source, metaedge, target in _rows(folder / SAMPLE, columns):
            if metaedge == RESEMBLES:
                edges[metaedge].add((source, target))
    _check(edges, kinds, folder)
    denied = sorted({(a, b) for a, _, b in _rows(folder / NEGATIVES, columns)})
    return Hetionet(
        MappingProxyType(kinds),
        MappingProxyType(labels),
        MappingProxyType({name: tuple(sorted(edges[name])) for name in sorted(edges)}),
        tuple(denied),
        MappingProxyType({name: file_hash(folder / name) for name in used}),
    )


def _rows(path: Path, columns: tuple[str, str, str]) -> Iterator[tuple[str, str, str]]:
    """The rows below the heading.  Raises GraphError for a file of another form."""
    try:
        with path.open("rb") as packed:
            lines = gzip.GzipFile(fileobj=packed) if path.suffix == ".gz" else packed
            yield from _fields(lines, columns, path)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        message = f"can't be read: {error}"
        raise GraphError(Problem("unreadable-file", message, Span(str(path)))) from error


def _fields(
    lines: Iterable[bytes], columns: tuple[str, str, str], path: Path
) -> Iterator[tuple[str, str, str]]:
    for line, text in enumerate(lines, 1):
        fields = tuple(text.decode("utf-8").rstrip("\r\n").split("\t"))
        if len(fields) != 3 or (line == 1 and fields != columns):
            wanted = "\\t".join(columns)
            message = f"expected the columns {wanted}"
            raise GraphError(Problem("wrong-columns", message, Span(str(path), line)))
        if line > 1:
            yield fields[0], fields[1], fields[2]


def _check(edges: Mapping[str, set[Pair]], kinds: Mapping[str, str], folder: Path) -> None:
    """Raises GraphError when an edge ends in a node that the nodes don't list."""
    for metaedge, pairs in edges.items():
        for node in sorted(node for pair in pairs for node in pair):
            if node not in kinds:
                message = f"an edge {metaedge} has the node `{node}`, which {NODES} doesn't list"
                raise GraphError(Problem("unknown-node", message, Span(str(folder / EDGES))))
