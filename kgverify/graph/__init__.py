"""What the knowledge graph says: stores, and the files they are built from."""

from __future__ import annotations

from kgverify.graph.loading import Summary, build_store, open_graph
from kgverify.graph.overview import GraphInfo, RelationInfo, info, sample
from kgverify.graph.reading import Options
from kgverify.graph.store import Graph, Pairs, Source, Table

__all__ = [
    "Graph",
    "GraphInfo",
    "Options",
    "Pairs",
    "RelationInfo",
    "Source",
    "Summary",
    "Table",
    "build_store",
    "info",
    "open_graph",
    "sample",
]
