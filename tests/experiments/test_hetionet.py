"""Reading Hetionet's files, and what is said of files that are wrong."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from kgverify.errors import GraphError
from kgverify.experiments.hetionet import read
from kgverify.experiments.masking import masked
from kgverify.graph import open_graph
from tests.experiments.small_hetionet import SIZES, write


def test_the_graph_is_that_of_the_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "hetionet", sample=False)
    denied = tmp_path / "denied.tsv"
    lines = (folder / "negatives-NOT.tsv").read_text().splitlines()[1:]
    denied.write_text("".join(line.replace("not_indicated", "CtD") + "\n" for line in lines))
    files = [folder / "nodes.tsv.gz", folder / "edges.tsv.gz"]
    found = read(tmp_path)
    assert found.graph(found.edges).hash == open_graph(files, denied=[denied]).hash
    assert found.graph(found.edges, with_denied=False).hash == open_graph(files).hash
    assert len(found.denied) == len(lines)


def test_the_folder_itself_is_found_too_and_hashes_tell_the_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "hetionet")
    assert read(folder) == read(tmp_path)
    other = read(write(tmp_path / "other", seed=1))
    assert set(other.hashes) == set(read(folder).hashes)
    assert all(other.hashes[n] != read(folder).hashes[n] for n in ("edges.tsv.gz",))


def test_of_the_sample_only_resemblance_is_read(tmp_path: Path) -> None:
    found = read(write(tmp_path))
    assert found.edges["CrC"]
    assert "GiG" not in found.edges
    assert {kind: len(nodes) for kind, nodes in found.nodes.items()} == SIZES


def test_masking_takes_edges_and_no_kinds(tmp_path: Path) -> None:
    found = read(write(tmp_path))
    graph, less = (found.graph(masked(found.edges, share, 0)) for share in (0.0, 0.5))
    kinds = graph.facts.count(graph.type_relation)
    assert less.facts.count(less.type_relation) == kinds == sum(SIZES.values())
    assert len(less.denied) == len(graph.denied)
    assert len(less.facts) - kinds == pytest.approx((len(graph.facts) - kinds) / 2, abs=5)


def _packed(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(gzip.compress(text.encode()))


@pytest.mark.parametrize(
    ("name", "spoil", "code"),
    [
        ("edges.tsv.gz", Path.unlink, "missing-file"),
        ("edges.tsv.gz", lambda p: p.write_bytes(b"plain"), "unreadable-file"),
        ("edges.tsv.gz", lambda p: p.write_bytes(p.read_bytes()[:-20]), "unreadable-file"),
        ("edges.tsv.gz", _packed("source\tmetaedge\ttarget\na\tCtD\n"), "wrong-columns"),
        ("edges.tsv.gz", _packed("subject\trelation\tobject\n"), "wrong-columns"),
        ("edges.tsv.gz", _packed("source\tmetaedge\ttarget\na\tCtD\tb\n"), "unknown-node"),
        ("negatives-NOT.tsv", lambda p: p.write_bytes(b"\xff\xfe"), "unreadable-file"),
    ],
)
def test_wrong_files(tmp_path: Path, name: str, spoil: Callable[[Path], object], code: str) -> None:
    write(tmp_path)
    spoil(tmp_path / name)
    with pytest.raises(GraphError) as caught:
        read(tmp_path)
    (problem,) = caught.value.problems
    assert problem.code == code
    assert name in str(problem.span)
