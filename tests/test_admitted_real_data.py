"""Verdicts with admitted edges over the countries of the world and the World Factbook."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from kgverify import (
    Bm25,
    Candidate,
    Question,
    RuleJudge,
    TextCompleter,
    Verdict,
    check_explanation,
    load_rules,
    open_corpus,
    open_graph,
    verify,
)
from kgverify.completion.policy import PAPER
from kgverify.graph import Graph

DATA = Path(os.environ.get("KGVERIFY_DATA", "/nonexistent"))
RULES = Path(__file__).parents[1] / "rules" / "countries.kgr"
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_dir(), reason="KGVERIFY_DATA names no folder"),
]
COUNTRIES = {"KEN": "Kenya", "NOR": "Norway", "PER": "Peru", "LAO": "Laos", "MNG": "Mongolia"}


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> tuple[Graph, dict[str, str], Path]:
    """The graph without the capitals of some countries, these, and passages about the countries."""
    folder = tmp_path_factory.mktemp("lost")
    kept, capitals = [], {}
    source = DATA / "kg" / "countries"
    for line in (source / "triples.tsv").read_text("utf-8").splitlines():
        subject, relation, object_ = line.split("\t")
        if relation == "capital" and subject in COUNTRIES:
            capitals[subject] = object_
        else:
            kept.append(line + "\n")
    assert capitals.keys() == COUNTRIES.keys()
    (folder / "triples.tsv").write_text("".join(kept), "utf-8")
    passages = folder / "passages.jsonl"
    with gzip.open(DATA / "text" / "factbook-passages.jsonl.gz", "rt", encoding="utf-8") as lines:
        about = [line for line in lines if json.loads(line)["title"] in COUNTRIES.values()]
    passages.write_text("".join(about), "utf-8")
    return open_graph([folder / "triples.tsv", source / "labels.tsv"]), capitals, passages


def asked(capitals: dict[str, str]) -> list[Question]:
    """For each country, whether the capital is its own or the next one's."""
    cities = list(capitals.values())
    return [
        Question(
            country,
            "capital_of",
            {"c": country},
            (Candidate(capital), Candidate(cities[(place + 1) % len(cities)])),
        )
        for place, (country, capital) in enumerate(capitals.items())
    ]


def test_lost_capitals_are_found_in_the_factbook(
    lost: tuple[Graph, dict[str, str], Path],
) -> None:
    graph, capitals, passages = lost
    book = load_rules(RULES)
    corpus = open_corpus(passages, graph)
    completer = TextCompleter(graph, book, corpus, Bm25(corpus), RuleJudge(), PAPER)
    questions = asked(capitals)
    before = {(v.question, v.candidate): v for v in verify(questions, graph, book, policy="rank")}
    found = verify(questions, graph, book, policy="rank", completer=completer)
    moved: list[Verdict] = []
    for verdict in found:
        alone = before[verdict.question, verdict.candidate]
        if verdict.verdict == alone.verdict:
            continue
        assert (alone.verdict, verdict.basis) == ("unk", "admitted")
        (constraint,) = (c for c in verdict.constraints if c.id in verdict.admitted)
        assert all(edge.quotes for edge in constraint.admitted)
        assert not check_explanation(verdict.explain(), graph, book)
        moved.append(verdict)
    # The Factbook writes Ulaanbaatar, which the graph doesn't know.  A capital that is found is the
    # only one, so what is asked about beside it is not.
    own = {country: capital for country, capital in capitals.items() if country != "MNG"}
    assert {v.question: v.candidate for v in moved if v.verdict == "sat"} == own
    assert {v.question for v in moved if v.verdict == "viol"} == own.keys()
