"""Helpers: small files in a temporary folder, and graphs as plain sets of triples."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kgverify.graph import Graph, Table

Write = Callable[..., Path]
Triples = set[tuple[str, str, str]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """write(name, text or bytes, packed=False) -> the path of a new file"""

    def write_file(name: str, content: str | bytes, packed: bool = False) -> Path:
        data = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if packed else data)
        return path

    return write_file


@pytest.fixture
def triples_of() -> Callable[..., Triples]:
    """triples_of(graph, denied=False) -> all its (subject key, relation name, object key)"""

    def collect(graph: Graph, denied: bool = False) -> Triples:
        table: Table = graph.denied if denied else graph.facts
        found: Triples = set()
        for relation, name in enumerate(graph.relations):
            pairs = table.all(relation)
            subjects, objects = graph.keys(pairs.subjects), graph.keys(pairs.objects)
            found |= {(s, name, o) for s, o in zip(subjects, objects, strict=True)}
        return found

    return collect


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; the test is skipped when there is none."""
    folder = os.environ.get("KGVERIFY_DATA")
    if not folder:
        pytest.skip("KGVERIFY_DATA is not set: it names the folder of real data")
    return Path(folder)
