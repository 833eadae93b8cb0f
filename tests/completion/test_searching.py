"""Missing edges are searched for in passages, over rounds; what was read can be gone on from."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from kgverify.completion import rounds, searching
from kgverify.completion.admission import Admission, decide
from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.excluding import GraphExcluder
from kgverify.completion.journal import Journal
from kgverify.completion.policy import CAREFUL, PAPER, Policy, configured
from kgverify.completion.searching import Outcome, Searcher, search
from kgverify.errors import EvidenceError, ModelError, Problem
from kgverify.evidence.bm25 import Bm25
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import Claim, Failure, Judgement
from kgverify.evidence.passages import Passage
from kgverify.evidence.retrieving import Hit, Query
from kgverify.evidence.rule_judge import RuleJudge
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text

BOOK = load_rules_text("""
class Country, City
disjoint Country, City
relation capital (Country, City) functional, inverse functional
    "the capital of {0} is {1}"
    phrases "{1} is the capital of {0}", "{1} is the seat of {0}"
relation near (Country, Country)
""")
NORWAY, SWEDEN = Breakpoint("no", "capital"), Breakpoint("se", "capital")


def kg() -> Graph:
    builder = Builder()
    countries = {"no": "Norway", "se": "Sweden", "dk": "Denmark"}
    cities = {"oslo": "Oslo", "bergen": "Bergen", "malmo": "Malmo"}
    for names, cls in ((countries, "Country"), (cities, "City")):
        for id_, name in names.items():
            builder.add_label(f"e{id_}", name)
            builder.add_fact(f"e{id_}", "rdf:type", f"e{cls}")
    builder.add_alias("eno", "Norge")
    builder.add_fact("eno", "near", "ese")
    builder.add_fact("edk", "near", "eno")
    return Graph(builder.columns())


STATED = Passage("yes", "Oslo is the capital of Norway.", "Almanac")
OTHER = Passage("no", "Bergen is the capital of Norway.", "Pamphlet")
SILENT = Passage("silent", "Norway has many fjords.", "Fjords")


class Script:
    """Finds, for each query after the other, the passages with these numbers."""

    name = "script"

    def __init__(self, *hits: Sequence[int]) -> None:
        self.hits = list(hits)
        self.asked: list[Query] = []

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        found = []
        for query in queries:
            self.asked.append(query)
            found.append([Hit(number, 1.0) for number in self.hits[len(self.asked) - 1][:most]])
        return found


class Counting(RuleJudge):
    """The built-in judge, which tells what it was asked, and stops after so many calls."""

    def __init__(self, calls: int = 10**6) -> None:
        super().__init__()
        self.pairs: list[tuple[str, str]] = []
        self.left = calls

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        if not self.left:
            raise ModelError(Problem("model", "nobody answers"))
        self.left -= 1
        self.pairs += [(passage.id, claim.hypothesis) for passage, claim in pairs]
        return super().judge(pairs)


def run(
    passages: Sequence[Passage],
    retriever: Script | None,
    policy: Policy = CAREFUL,
    judge: RuleJudge | None = None,
    missing: Sequence[Breakpoint] = (NORWAY,),
    journal: Path | None = None,
) -> list[Outcome]:
    graph, corpus = kg(), Corpus.of(passages)
    by = judge or RuleJudge()
    searcher = Searcher(graph, BOOK, corpus, retriever or Bm25(corpus), by, policy, journal)
    _, found = search(missing, searcher, policy, GraphExcluder(graph, BOOK))
    return found


def objects(outcome: Outcome) -> list[tuple[str, int]]:
    return [(one.edge.object, one.round) for one in outcome.admitted]


def reasons(outcome: Outcome) -> list[tuple[str, int, list[str]]]:
    return [(r.edge.object, r.round, [why.code for why in r.reasons]) for r in outcome.rejected]


def test_an_edge_that_a_passage_states_is_admitted_with_the_passage() -> None:
    (found,) = run([SILENT, STATED], None)
    assert objects(found) == [("oslo", 0)]
    (admitted,) = found.admitted
    assert admitted.weighed.passages == ("yes",)
    sources = {source.passage: source for source in found.sources[admitted.edge]}
    answer = sources["yes"].answer
    assert isinstance(answer, Judgement)
    assert answer.extent is not None
    assert answer.extent.of(STATED.text) == "Oslo is the capital of Norway"
    (candidate,) = found.trail.candidates
    assert [place.extent.of(STATED.text) for place in candidate.places] == ["Oslo"]


@pytest.mark.parametrize(("policy", "admitted"), [(PAPER, ["bergen"]), (CAREFUL, [])])
def test_passages_that_disagree(policy: Policy, admitted: list[str]) -> None:
    """The paper takes the strongest label of each edge, and then one of two edges that are as
    good; the careful policy takes none."""
    (found,) = run([STATED, OTHER], Script(*[[0, 1]] * 3), policy)
    assert [one.edge.object for one in found.admitted] == admitted
    if policy is PAPER:
        assert reasons(found) == [("oslo", 0, ["rival"])]
    else:
        assert {(object_, codes[0]) for object_, _, codes in reasons(found)} == {
            ("oslo", "disagreement"),
            ("bergen", "disagreement"),
        }
        assert found.why == "none of 2 candidates was admitted"


def test_what_was_denied_is_not_admitted_by_a_later_round_that_misses_it() -> None:
    (found,) = run([STATED, OTHER], Script([0, 1], [0], [0]))
    assert not found.admitted
    assert [(object_, round) for object_, round, _ in reasons(found)] == [
        (object_, round) for round in range(3) for object_ in ("bergen", "oslo")
    ]


def test_a_later_round_finds_more_and_asks_the_judge_once() -> None:
    judge, script = Counting(), Script([1], [1, 0], [])
    (found,) = run([STATED, SILENT], script, judge=judge)
    assert objects(found) == [("oslo", 1)]
    assert len(script.asked) == 2
    assert sorted(judge.pairs) == [
        ("silent", "The capital of Norway is Oslo."),
        ("yes", "The capital of Norway is Oslo."),
    ]


def test_each_round_is_more_targeted() -> None:
    script = Script(*[[]] * 5)
    (found,) = run([SILENT], script, configured("careful", {"k": 4}))
    first, second, third, *more = script.asked
    assert first == Query("the capital of Norway is", ("Norway",))
    assert second.text == "the capital of Norway is city"
    assert second.names == ("Norway", "Norge")
    assert "is the seat of" in second.phrases
    assert third.text == "the capital of Norway is city Denmark Sweden"
    assert third.phrases == (*second.phrases, "Denmark", "Sweden")
    assert [query.text for query in more] == [second.text] * 2  # there are no more neighbours
    assert found.why == "no passage was found"


@pytest.mark.parametrize("policy", [CAREFUL, PAPER])
def test_the_threshold_never_moves(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    taus = []

    def watched(candidates: object, by: Policy, *rest: object, **more: object) -> Admission:
        taus.append(by.tau)
        return decide(candidates, by, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(rounds, "decide", watched)
    policy = configured(policy.name, {"tau": "0.99", "k": 3})
    (found,) = run([STATED, SILENT], Script(*[[0, 1]] * 4), policy)
    assert taus == [policy.tau] * 4
    assert not found.admitted
    assert [codes for _, _, codes in reasons(found)] == [["below"]] * 4


def test_edges_that_exclude_each_other_are_chosen_together() -> None:
    """Oslo is the capital of one country only, and two passages say so of Norway."""
    passages = [
        STATED,
        Passage("again", "The capital of Norway is Oslo.", "Gazette"),
        Passage("wrong", "Oslo is the capital of Sweden.", "Pamphlet"),
    ]
    script = Script([0, 1], [2], *[[]] * 4)
    norway, sweden = run(passages, script, missing=[NORWAY, SWEDEN], policy=PAPER)
    assert objects(norway) == [("oslo", 0)]
    assert reasons(sweden)[0] == ("oslo", 0, ["rival"])
    assert {codes[0] for _, _, codes in reasons(sweden)[1:]} == {"refuted"}


def test_a_judge_that_stops_ends_in_abstention(tmp_path: Path) -> None:
    places = [NORWAY, SWEDEN]
    passages = [STATED, Passage("se", "Malmo is the capital of Sweden.", "Almanac 2")]
    path = tmp_path / "journal"
    norway, sweden = run(passages, None, judge=Counting(1), missing=places, journal=path)
    assert objects(norway) == [("oslo", 0)]
    assert (sweden.admitted, sweden.why) == ((), "the judge stopped: nobody answers")
    # What was read is not read again, and what was not is read now.
    judge = Counting()
    norway, sweden = run(passages, None, judge=judge, missing=places, journal=path)
    assert (objects(norway), objects(sweden)) == ([("oslo", 0)], [("malmo", 0)])
    assert {hypothesis.split(" is ")[0] for _, hypothesis in judge.pairs} == {
        "The capital of Sweden"
    }


def test_a_failure_of_the_judge_is_a_reason() -> None:
    class Failing(RuleJudge):
        def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
            return [
                Failure(Problem("judge-answer", "no label can be read"))
                if passage.id == "silent"
                else answer
                for (passage, _), answer in zip(pairs, super().judge(pairs), strict=True)
            ]

    (found,) = run([STATED, SILENT], None, judge=Failing())
    assert not found.admitted
    assert {tuple(codes) for _, _, codes in reasons(found)} == {("failed",)}
    (found,) = run([STATED, SILENT], None, PAPER, Failing())
    assert objects(found) == [("oslo", 0)]


def test_nothing_of_the_class_is_named() -> None:
    (found,) = run([SILENT], None)
    assert found.why == "no passage names anything that could be the object"


# ---------------------------------------------------------------- the journal


PASSAGES = [
    STATED,
    OTHER,
    SILENT,
    Passage("se", "Malmo is the capital of Sweden.", "Almanac 2"),
    Passage("dk", "Denmark and Sweden are near Norway; Malmo lies between.", "Sounds"),
]
PLACES = [NORWAY, SWEDEN, Breakpoint("dk", "capital")]


def test_a_run_that_broke_anywhere_ends_as_one_that_did_not(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    expected = run(PASSAGES, None, missing=PLACES, journal=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 3 + 2 + 2  # Sweden's is found in the first round
    for kept in range(len(lines) + 1):
        for torn in (b"", b"".join(lines[kept : kept + 1])[:20]):
            path = tmp_path / "broken"
            path.write_bytes(b"".join(lines[:kept]) + torn)
            judge = Counting()
            assert run(PASSAGES, None, judge=judge, missing=PLACES, journal=path) == expected
            assert sorted(path.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())
            rest = [json.loads(line) for line in lines[max(kept, 1) :]]
            assert len(judge.pairs) == sum(len(reading["answers"]) for reading in rest)


def test_a_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    run(PASSAGES, None, journal=path)
    before = path.read_bytes()
    for passages, policy, other in (
        (PASSAGES[:2], CAREFUL, "another corpus"),
        (PASSAGES, configured("careful", {"top_k": 4}), "another top_k"),
    ):
        with pytest.raises(EvidenceError, match=other) as caught:
            run(passages, None, policy, journal=path)
        (problem,) = caught.value.problems
        assert str(problem.span) == f"{path}:1"
    assert path.read_bytes() == before
    # Thresholds are no matter of what was read.
    run(PASSAGES, None, configured("careful", {"tau": "0.9"}), journal=path)


def test_files_that_are_no_journals_are_left_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    run(PASSAGES, None, journal=path)
    head, first, *_ = path.read_bytes().splitlines(keepends=True)
    no_answer = json.loads(first)
    no_answer["answers"][0] |= {"judgement": None, "failure": None}
    for bad, line in (
        (b"precious", 1),
        (b"precious\n", 1),
        (head + b"\n", 2),
        (head + b"{}\n" + first, 2),
        (head + first + first, 3),
        (head + json.dumps(no_answer).encode() + b"\n", 2),
    ):
        path.write_bytes(bad)
        with pytest.raises(EvidenceError) as caught:
            run(PASSAGES, None, journal=path)
        (problem,) = caught.value.problems
        assert (problem.code, problem.span and problem.span.line) == ("journal", line)
        assert path.read_bytes() == bad


def test_a_reading_is_kept_once(tmp_path: Path) -> None:
    graph, corpus = kg(), Corpus.of(PASSAGES)
    searcher = Searcher(graph, BOOK, corpus, Bm25(corpus), RuleJudge(), CAREFUL, tmp_path / "j")
    searcher.propose([NORWAY], 0)
    reading = searcher.journal.get(NORWAY, 0)
    assert reading is not None
    with pytest.raises(ValueError, match="was read for"):
        searcher.journal.add(reading)
    assert len(Journal(searcher.pins, tmp_path / "j")) == 1


def test_the_number_of_candidates_is_limited_and_told() -> None:
    graph, corpus = kg(), Corpus.of([Passage("p", "Oslo, Bergen and Malmo are in Norway.")])
    judge = Counting()
    searcher = Searcher(graph, BOOK, corpus, Bm25(corpus), judge, CAREFUL, most=2)
    found = searcher.propose([NORWAY], 0)
    assert [one.edge.object for one in found] == ["oslo", "bergen"]
    assert (searcher.trail(NORWAY).left_out, len(judge.pairs)) == (1, 2)
    assert searching.MOST == 20


def test_a_reading_is_on_disk_before_the_next_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal"
    lines: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda number: lines.append(path.read_bytes().count(b"\n")))
    run(PASSAGES, None, missing=PLACES, journal=path)
    assert lines == list(range(1, len(path.read_bytes().splitlines()) + 1))
