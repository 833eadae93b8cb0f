"""The World Factbook and MuSiQue as corpora."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kgverify import CorpusOptions, Gazetteer, build_corpus, open_corpus, open_graph
from kgverify.evidence.folding import fold_name
from kgverify.graph import Graph

DATA = Path(os.environ.get("KGVERIFY_DATA", "/nonexistent"))
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_dir(), reason="KGVERIFY_DATA names no folder"),
]


@pytest.fixture(scope="module")
def countries() -> Graph:
    folder = DATA / "kg" / "countries"
    return open_graph([folder / "triples.tsv", folder / "labels.tsv"])


def test_the_factbook(tmp_path: Path, countries: Graph) -> None:
    source = DATA / "text" / "factbook-passages.jsonl.gz"
    summary = build_corpus(source, tmp_path / "c", graph=countries)
    assert (summary.passages, summary.rejected_count) == (36_653, 0)
    again = build_corpus(source, tmp_path / "c", graph=countries)
    assert again.reused == 36_653
    corpus = open_corpus(tmp_path / "c", countries)
    (capital,) = corpus.find(["ag/Government/Capital"]).tolist()
    assert (corpus[capital].title, corpus[capital].heading) == ("Algeria", "Government: Capital")
    assert all(passage.heading for passage in corpus)
    assert corpus.mentions is not None
    assert corpus.title_mentions is not None
    (niger,), (nigeria,) = countries.by_label("Niger"), countries.by_label("Nigeria")
    for number in corpus.mentions.passages_of(niger).tolist():
        assert "Niger" in corpus[number].text.replace("Nigeria", "")
    both = corpus.mentions.passages_of_all([niger, nigeria])
    assert 0 < len(both) < len(corpus.mentions.passages_of(nigeria))
    for mention in corpus.mentions.at(range(0, len(corpus.mentions), 97)):
        written = mention.extent.of(corpus[mention.passage].text)
        names = {countries.label(mention.entity), *countries.aliases(mention.entity)}
        assert fold_name(written)[1] in {fold_name(name)[1] for name in names}
    for number in range(0, len(corpus), 53):
        text = corpus[number].text
        found = corpus.windows_of(number)
        assert found[0].extent.start == 0
        assert found[-1].extent.end == len(text.rstrip())


def test_paragraphs_of_musique(tmp_path: Path, countries: Graph) -> None:
    source = DATA / "qa" / "multihop" / "musique-dev200-corpus.jsonl.gz"
    options = CorpusOptions(titles_are_sources=True)
    summary = build_corpus(source, tmp_path / "c", options, countries)
    assert summary.passages == 3_141
    assert 2_700 < summary.sources <= 2_733  # there are 2,733 titles, and some near-duplicates
    corpus = open_corpus(tmp_path / "c")
    assert corpus[0].title == "Port Blair"


def test_names_of_hetionet_are_found_in_their_own_descriptions() -> None:
    """Each name of a node is found where it stands alone, but for those that are left out."""
    graph = open_graph([DATA / "hetionet" / "nodes.tsv.gz"])
    gazetteer = Gazetteer.of(graph)
    texts, expected = [], []
    for entity, name in graph.names()[::7]:
        if len(name.strip()) > 1 and any(map(str.isalpha, name)) and len(name) < 200:
            texts.append(f"about {name}")
            expected.append(entity)
    found = gazetteer.mentions_in(texts)
    missed = [
        text
        for number, (text, entity) in enumerate(zip(texts, expected, strict=True))
        if entity not in found.entities[found.in_passages([number])].tolist()
    ]
    assert len(missed) < len(texts) // 100, missed[:20]
