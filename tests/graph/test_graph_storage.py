"""A store is there as a whole or not at all, and what isn't one is told by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.errors import GraphError
from kgverify.graph import Graph, build_store, open_graph
from kgverify.graph.building import Builder
from kgverify.graph.storage import open_store
from kgverify.graph.storage import write as write_store

names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=4).map(lambda t: "e" + t)


@settings(max_examples=40)
@given(st.lists(st.tuples(names, st.sampled_from("pq"), names), max_size=20))
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, facts: list[tuple[str, str, str]]
) -> None:
    graph = Graph.from_triples(facts, facts[:2], [(s, o) for s, _, o in facts])
    path = tmp_path_factory.mktemp("stores") / "store"
    write_store(graph, path)
    again = open_store(path)
    assert (again.hash, again.name, again.relations) == (graph.hash, graph.name, graph.relations)
    assert again.keys(range(again.n_terms)) == graph.keys(range(graph.n_terms))
    for relation in range(len(graph.relations)):
        for table, other in ((again.facts, graph.facts), (again.denied, graph.denied)):
            assert table.all(relation).rows.tolist() == other.all(relation).rows.tolist()
            assert table.all(relation).objects.tolist() == other.all(relation).objects.tolist()
    assert (
        again.find([s for s, _, _ in facts]).tolist()
        == graph.find([s for s, _, _ in facts]).tolist()
    )
    assert again.labels(range(again.n_terms)) == graph.labels(range(graph.n_terms))
    assert sorted(p.name for p in path.parent.iterdir()) == ["store"]


def test_sources_and_qualifiers_are_stored(tmp_path: Path) -> None:
    builder = Builder("moves")
    file = builder.add_source("moves.jsonl")
    builder.add_fact("ea", "p", "eb", file, 4, {"since": "1990", "source": "é"})
    write_store(Graph(builder.columns()), tmp_path / "s")
    graph = open_store(tmp_path / "s")
    assert graph.name == "moves"
    assert graph.facts.source(0) == ("moves.jsonl", 4)
    assert graph.facts.qualifiers(0) == {"since": "1990", "source": "é"}


def test_a_store_replaces_a_store_while_it_is_open(tmp_path: Path) -> None:
    write_store(Graph.from_triples([("ea", "p", "eb")]), tmp_path / "s")
    old = open_store(tmp_path / "s")
    write_store(Graph.from_triples([("ec", "q", "ed")]), tmp_path / "s")
    assert old.keys([0, 1]) == ["ea", "eb"]
    assert open_store(tmp_path / "s").relations == ("q",)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    write_store(Graph.from_triples([("ea", "p", "eb")], labels=[("ea", "A")]), tmp_path / "s")
    return tmp_path / "s"


def refused(path: Path) -> str:
    with pytest.raises(GraphError) as caught:
        open_store(path)
    assert caught.value.problems[0].span is not None
    assert caught.value.problems[0].hint
    return caught.value.problems[0].code


def test_damage_is_named(store: Path) -> None:
    column = store / "facts.forward.npy"
    whole = column.read_bytes()
    column.write_bytes(whole[:-1])
    assert refused(store) == "store-damaged"
    column.write_bytes(b"x" * len(whole))
    assert refused(store) == "store-damaged"
    column.unlink()
    assert refused(store) == "store-damaged"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"version": 999}, "store-version"),
        ({"format": "other"}, "not-a-store"),
        ({"relations": None}, "store-damaged"),
        ({"arrays": []}, "store-damaged"),
        ({"arrays": {}}, "store-damaged"),
    ],
)
def test_descriptions_are_checked(store: Path, change: dict[str, object], code: str) -> None:
    description = json.loads((store / "graph.json").read_text())
    (store / "graph.json").write_text(json.dumps(description | change))
    assert refused(store) == code


def test_a_truncated_description_is_damage(store: Path) -> None:
    text = (store / "graph.json").read_text()
    (store / "graph.json").write_text(text[: len(text) // 2])
    assert refused(store) == "store-damaged"


def test_no_store(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert refused(tmp_path / "folder") == "not-a-store"
    assert refused(tmp_path / "absent") == "missing-file"


def test_pickles_are_not_loaded(store: Path) -> None:
    import numpy as np

    column = store / "facts.forward.npy"
    with column.open("wb") as stream:
        np.save(stream, np.array([{}], object), allow_pickle=True)
    description = json.loads((store / "graph.json").read_text())
    description["arrays"]["facts.forward"] = [1, column.stat().st_size]
    (store / "graph.json").write_text(json.dumps(description))
    assert refused(store) == "store-damaged"


def test_other_things_are_not_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "g.tsv"
    source.write_text("a\tp\tb\n")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    for place in (source, tmp_path / "mine"):
        with pytest.raises(GraphError, match="not overwritten"):
            build_store(source, place)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "precious"
    (tmp_path / "empty").mkdir()
    assert build_store(source, tmp_path / "empty").facts == 1


def test_a_failed_build_leaves_the_old_store(tmp_path: Path, store: Path) -> None:
    before = open_store(store).hash
    (tmp_path / "bad.tsv").write_text("a\tp\n")
    with pytest.raises(GraphError):
        build_store(tmp_path / "bad.tsv", store)
    assert open_store(store).hash == before


def test_a_store_is_not_joined_with_files(tmp_path: Path, store: Path) -> None:
    (tmp_path / "g.tsv").write_text("a\tp\tb\n")
    with pytest.raises(GraphError, match="opened alone"):
        open_graph([store, tmp_path / "g.tsv"])
