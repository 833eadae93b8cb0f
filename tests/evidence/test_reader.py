"""Reading passages about statements: what is asked of retriever and judge, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import kgverify
from kgverify import Bm25, Corpus, EvidenceError, Gazetteer, Graph, Passage, PassageReader
from kgverify.evidence.findings import Statement
from kgverify.evidence.judging import Claim, Failure, Judgement

RULES = """
class Country, City
relation capital (Country, City) "the capital of {0} is {1}"
relation founded (City, integer) "{0} was founded in {1}"
"""
NAMES = [("eno", "Norway"), ("eoslo", "Oslo"), ("ebergen", "Bergen")]
PASSAGES = [
    Passage("a", "Oslo is the capital of Norway.", "Norway", "Atlas"),
    Passage("b", "The capital of Norway is Oslo, and not Bergen.", "", "Atlas"),
    Passage("c", "Bergen was founded in 1070.", "A city"),
]
CAPITAL = Statement("capital", "eno", "eoslo")


class Judge:
    """Keeps what it was asked; says UNCERTAIN, or gives one answer too few."""

    name = "by hand"

    def __init__(self, *, lazy: bool = False) -> None:
        self.asked: list[tuple[Passage, Claim]] = []
        self._lazy = lazy

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        self.asked += pairs
        return [Judgement("UNCERTAIN", 0.5) for _ in pairs][int(self._lazy) :]


def reader(judge: Judge, corpus: Corpus | None = None, **options) -> PassageReader:
    graph = Graph.from_triples([("eno", "rdf:type", "eCountry")], labels=NAMES)
    book = kgverify.load_rules_text(RULES)
    found = corpus or Corpus.of(PASSAGES, origins=np.array([0, 0, 1], np.int32))
    return PassageReader(graph, book, found, Bm25(found), judge, **options)


def test_the_best_passages_are_judged_with_their_sources_and_names() -> None:
    judge = Judge()
    (found,) = reader(judge, most=2).read([CAPITAL])
    assert found.hypothesis == "The capital of Norway is Oslo."
    assert [(f.passage.id, f.origin) for f in found.found] == [("a", 0), ("b", 0)]
    assert all(f.names_subject and f.names_object for f in found.found)
    assert {claim.hypothesis for _, claim in judge.asked} == {found.hypothesis}
    (other,) = reader(judge).read([Statement("capital", "eno", "ebergen")])
    named = {f.passage.id: (f.names_subject, f.names_object) for f in other.found}
    assert named == {"a": (True, False), "b": (True, True), "c": (False, True)}


def test_a_statement_is_read_about_once() -> None:
    judge = Judge()
    own = reader(judge)
    first = own.read([CAPITAL, CAPITAL])
    count = len(judge.asked)
    assert own.read([CAPITAL]) == first[:1] == first[1:]
    assert len(judge.asked) == count == len(first[0].found)


def test_values_are_objects_as_they_are_written() -> None:
    judge = Judge()
    (found,) = reader(judge).read([Statement("founded", "ebergen", "lnumber 1070")])
    assert found.hypothesis == "Bergen was founded in 1070."
    assert found.found[0].passage.id == "c"
    assert not found.found[0].names_object


def test_what_the_graph_lacks_goes_by_its_id() -> None:
    (found,) = reader(Judge()).read([Statement("capital", "eno", "eHamar")])
    assert found.hypothesis == "The capital of Norway is Hamar."
    assert not any(f.names_object for f in found.found)


def test_stored_mentions_say_what_a_search_now_says() -> None:
    graph = Graph.from_triples([("eno", "rdf:type", "eCountry")], labels=NAMES)
    corpus = Corpus.of(PASSAGES)
    gazetteer = Gazetteer.of(graph)
    stored = replace(
        corpus,
        mentions=gazetteer.mentions_in([p.text for p in PASSAGES]),
        title_mentions=gazetteer.mentions_in([p.title for p in PASSAGES]),
    )
    asked = [CAPITAL, Statement("capital", "eno", "ebergen")]
    assert reader(Judge(), stored).read(asked) == reader(Judge(), corpus).read(asked)


def test_progress_is_told_by_the_hundred() -> None:
    told: list[tuple[int, int]] = []
    asked = [Statement("capital", "eno", f"eTown{n}") for n in range(150)]
    own = reader(Judge(), progress=lambda done, total: told.append((done, total)))
    assert len(own.read(asked)) == 150
    assert told == [(100, 150), (150, 150)]


def test_a_judge_that_loses_an_answer_is_found_out() -> None:
    with pytest.raises(EvidenceError, match="2 answers to 3 pairs"):
        reader(Judge(lazy=True), most=3).read([Statement("capital", "eno", "ebergen")])


def test_the_name_says_what_the_findings_hang_on() -> None:
    names = {
        reader(Judge()).name,
        reader(Judge(), most=2).name,
        reader(Judge(), Corpus.of(PASSAGES[:2])).name,
    }
    assert len(names) == 3
