"""Questions about real graphs: MetaQA's own, and some about Hetionet."""

from __future__ import annotations

import gzip
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from kgverify import Asker, QuestionError, load_rules, open_graph, resources
from kgverify.asking.statements import statement_of
from kgverify.generating import reached
from kgverify.reasoning.knowledge import Knowledge
from tests.asking.corpora import Corpus

pytestmark = pytest.mark.data


def opened(rules: str, *sources: str) -> Corpus:
    root = os.environ.get("KGVERIFY_DATA", "")
    paths = [Path(root, *source.split("/")) for source in sources]
    if not root or not all(path.exists() for path in paths):
        pytest.skip("the environment variable KGVERIFY_DATA names no folder with " + sources[0])
    book = load_rules(resources.folder("rules") / rules)
    graph = open_graph(paths)
    return Corpus(graph, book, Asker(graph, book))


@pytest.fixture(scope="module")
def films() -> Corpus:
    return opened("movies.kgr", "qa/metaqa/kg.tsv.gz")


@pytest.mark.parametrize(("hops", "least"), [("1hop", 0.95), ("2hop", 0.9)])
def test_metaqa(films: Corpus, hops: str, least: float) -> None:
    """Nearly all questions are read, and the rest refused; what the graph has for the constraints
    is the answer that MetaQA gives, as far as its graph has it."""
    path = Path(os.environ["KGVERIFY_DATA"], "qa", "metaqa", f"{hops}-test.tsv.gz")
    rows = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    counts: Counter[str] = Counter()
    for row in Random(7).sample(rows, 100):
        text, answers, _ = row.split("\t")
        try:
            reading = films.read(text)
        except QuestionError:
            counts["refused"] += 1
            continue
        question = statement_of(reading, films.book)
        book = films.book if not reading.statement else films.book.with_questions([question])
        knowledge = Knowledge(films.graph, book)
        found = reached(knowledge, question, reading.arguments)
        assert found is not None
        names = set(knowledge.names(found.tolist()))
        same = names & set(answers.split("|"))
        counts["right" if same or not names else "wrong"] += 1
    assert counts["right"] >= 100 * least, counts
    assert counts["wrong"] <= 3, counts


def test_hetionet() -> None:
    drugs = opened("hetionet.kgr", "hetionet/nodes.tsv.gz", "hetionet/edges.tsv.gz")
    cases = {
        "Which compounds treat [migraine] but do not cause [Nausea]?": "treats_without",
        "Which genes are associated with [migraine]?": "genes_associated",
        "drugs that palliate [osteoarthritis]": "palliates(x, <Disease::DOID:8398>)",
        "Which drugs bind genes that are associated with [osteoarthritis]?": (
            "binds/^associates(x, <Disease::DOID:8398>)"
        ),
        "Which symptoms does [migraine] present with?": "symptoms",
    }
    for text, expected in cases.items():
        constraints = drugs.constraints(text)
        assert any(expected in said for said in constraints), (text, constraints)
