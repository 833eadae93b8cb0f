"""Whole graphs as they are published."""

from __future__ import annotations

import numpy as np
import pytest

from kgverify.graph import build_store, info, open_graph

pytestmark = pytest.mark.data


def test_hetionet(data, tmp_path):
    folder = data / "hetionet"
    sources = [folder / "nodes.tsv.gz", folder / "edges.tsv.gz"]
    summary = build_store(sources, tmp_path / "hetionet")
    assert (summary.facts, summary.duplicates) == (257_186 + 47_031, 0)
    graph = open_graph(tmp_path / "hetionet")
    counted = {relation.name: relation.facts for relation in info(graph).relations}
    assert (counted["CtD"], counted["CcSE"], counted["rdf:type"]) == (755, 138_944, 47_031)
    assert sum(count for _, count in info(graph).classes) == 47_031
    assert sum(map(bool, graph.labels(np.arange(graph.n_terms)))) == 47_031
    assert graph.hash == open_graph(sources[::-1]).hash
    keys = graph.keys(np.arange(graph.n_terms))
    assert graph.find(keys).tolist() == list(range(graph.n_terms))

    treats = graph.relation_id("CtD")
    known = {tuple(pair) for pair in np.stack(graph.facts.all(treats)[:2], axis=1).tolist()}
    subjects, objects = np.unique(graph.facts.all(treats).subjects), graph.facts.all(treats).objects
    ours = graph.facts.between(treats, subjects[::3], np.unique(objects)[::2])
    left, right = set(subjects[::3].tolist()), set(np.unique(objects)[::2].tolist())
    assert set(zip(ours.subjects.tolist(), ours.objects.tolist(), strict=True)) == {
        (s, o) for s, o in known if s in left and o in right
    }


def test_curated_non_indications(data):
    folder = data / "hetionet"
    graph = open_graph(folder / "edges-core.tsv.gz", denied=folder / "negatives-NOT.tsv")
    assert (len(graph.facts), len(graph.denied)) == (99_974, 243)


def test_codex(data):
    folder = data / "kg" / "codex-s"
    graph = open_graph(
        [folder / "train.txt.gz", folder / "labels.tsv", folder / "entity_types.tsv"],
        denied=[folder / "valid_negatives.txt", folder / "test_negatives.txt"],
    )
    assert len(graph.facts) - graph.facts.count(graph.type_relation) == 32_888
    assert len(graph.denied) > 3_500
    assert graph.facts.count(graph.type_relation) > 0
    assert [graph.key(id_) for id_ in graph.by_label("gabon")] == ["eQ1000"]


def test_countries(data):
    folder = data / "kg" / "countries"
    graph = open_graph([folder / "triples.tsv", folder / "labels.tsv"])
    assert len(graph.facts) - graph.facts.count(graph.type_relation) == 3_047
    assert graph.label(graph.find(["eABW"])[0]) == "Aruba"
