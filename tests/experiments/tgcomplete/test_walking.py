"""Questions are answered along their paths, and what is missing is completed once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from kgverify.completion.breakpoints import Breakpoint, Edge
from kgverify.completion.excluding import GraphExcluder
from kgverify.completion.policy import CAREFUL, PAPER, Policy
from kgverify.completion.searching import Searcher
from kgverify.evidence.bm25 import Bm25
from kgverify.evidence.rule_judge import RuleJudge
from kgverify.experiments.tgcomplete.completers import RememberingJudge, TextCompleter
from kgverify.experiments.tgcomplete.questions import questions
from kgverify.experiments.tgcomplete.records import Cost, MethodRun, Proposed
from kgverify.experiments.tgcomplete.walking import (
    Abstaining,
    Completed,
    Completer,
    Stops,
    walk,
    where_deleted,
    where_nothing_is,
)
from kgverify.experiments.tgcomplete.worlds import Paths
from tests.experiments.tgcomplete.small_world import PASSAGES, world

WORLD = world()


class Scripted:
    """Proposes what it is told to, and remembers what it was asked."""

    cost = Cost(calls=7)

    def __init__(self, *edges: Proposed) -> None:
        self.edges = edges
        self.asked: list[tuple[Breakpoint, ...]] = []

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        self.asked.append(tuple(missing))
        places = set(missing)
        return Completed(
            tuple(e for e in self.edges if Breakpoint(e.edge.subject, e.edge.relation) in places)
        )


def edge(subject: str, relation: str, object_: str) -> Edge:
    return Edge(subject, relation, object_)


def went(gone: set[Edge], completer: Completer, stops: Stops | None = None) -> MethodRun:
    left = Paths(WORLD.all_edges - gone, WORLD.symmetric)
    return walk(
        "m",
        questions(WORLD),
        left,
        stops or where_nothing_is(left),
        completer,
        Paths((), WORLD.symmetric),
    )


def answers(run: MethodRun) -> dict[str, tuple[str, ...]]:
    return {one.question: one.answers for one in run.answered}


def test_the_whole_graph_answers_everything() -> None:
    run = went(set(), Abstaining())
    assert {q.id: q.answers for q in questions(WORLD)} == {
        id_: frozenset(found) for id_, found in answers(run).items()
    }
    assert not any(one.missing for one in run.answered)


def test_the_graph_alone_stops_where_nothing_is() -> None:
    run = went({edge("no", "capital", "oslo")}, Abstaining())
    assert answers(run)["0/no"] == ()
    assert answers(run)["1/se"] == ("helsinki",)
    missing = {one.question: one.missing for one in run.answered if one.missing}
    here = (Breakpoint("no", "capital"),)
    assert missing == {"0/no": here, "1/se": here}


def test_what_is_missing_is_asked_once_and_all_of_a_step_together() -> None:
    gone = {edge("no", "capital", "oslo"), edge("se", "borders", "fi")}
    right = Proposed(edge("no", "capital", "oslo"), True, score=Fraction(3, 5))
    wrong = Proposed(edge("fi", "borders", "no"), True, score=Fraction(1, 2))
    completer = Scripted(right, wrong)
    run = went(gone, completer)
    # Step 1: Norway's capital and Finland's neighbours.  Step 2 leads to Norway's capital again.
    assert completer.asked == [(Breakpoint("fi", "borders"), Breakpoint("no", "capital"))]
    assert answers(run)["0/no"] == ("oslo",)
    assert answers(run)["1/fi"] == ("oslo",)
    # The admitted border is gone along from Norway's side as well: Helsinki is reached by it, and
    # stands behind what the graph says.
    assert answers(run)["1/no"] == ("stockholm", "helsinki")
    assert run.cost.calls == 7


def test_what_is_admitted_may_lead_to_where_more_is_missing() -> None:
    gone = {edge("se", "borders", "fi"), edge("is", "capital", "reykjavik")}
    completer = Scripted(Proposed(edge("fi", "borders", "is"), True))
    run = went(gone, completer)
    assert completer.asked == [(Breakpoint("fi", "borders"), Breakpoint("is", "capital"))]
    found = {one.question: one.missing for one in run.answered}
    assert found["1/fi"] == (Breakpoint("fi", "borders"), Breakpoint("is", "capital"))


def test_a_rejected_edge_leads_nowhere() -> None:
    completer = Scripted(Proposed(edge("no", "capital", "oslo"), False, reasons=("below",)))
    run = went({edge("no", "capital", "oslo")}, completer)
    assert answers(run)["0/no"] == ()
    assert [one.admitted for one in run.edges] == [False]


def test_who_knows_what_was_deleted_stops_where_edges_are_left() -> None:
    gone = {edge("se", "borders", "fi")}
    assert not any(m.subject == "se" for a in went(gone, Abstaining()).answered for m in a.missing)
    run = went(gone, Abstaining(), where_deleted(gone, WORLD.symmetric))
    found = {one.question: one for one in run.answered}
    assert found["1/se"].missing == (Breakpoint("se", "borders"),)
    assert found["1/se"].answers == ("oslo",)


@pytest.mark.parametrize("policy", [PAPER, CAREFUL], ids=lambda p: p.name)
def test_text_completes_what_it_states(policy: Policy) -> None:
    gone = {edge("no", "capital", "oslo"), edge("fi", "capital", "helsinki")}
    left = WORLD.all_edges - gone
    graph, corpus = WORLD.graph(left), WORLD.corpora["prose"]
    judge = RememberingJudge(RuleJudge())
    searcher = Searcher(graph, WORLD.book, corpus, Bm25(corpus), judge, policy)
    completer = TextCompleter(searcher, policy, GraphExcluder(graph, WORLD.book))
    run = went(gone, completer)
    admitted = {one.edge: one for one in run.edges if one.admitted}
    assert admitted[edge("no", "capital", "oslo")].verdict == "ENTAILED"
    assert "p0" in admitted[edge("no", "capital", "oslo")].passages
    assert answers(run)["0/no"] == ("oslo",)
    # Helsinki lies by the sea: the one who takes UNCERTAIN with a source admits it.
    doubtful = edge("fi", "capital", "helsinki")
    assert (doubtful in admitted) is (policy is PAPER)
    assert doubtful in {one.edge for one in run.edges}
    assert {one.edge for one in run.candidates} == {one.edge for one in run.edges}
    assert run.cost.searches >= 2
    assert run.cost.judged > 0


def test_a_judge_is_asked_once_about_each_pair() -> None:
    class Counting(RuleJudge):
        pairs = 0

        def judge(self, pairs):  # type: ignore[no-untyped-def]
            self.pairs += len(pairs)
            return super().judge(pairs)

    from kgverify.evidence.claims import Claims

    inner = Counting()
    judge = RememberingJudge(inner)
    claims = Claims(WORLD.book, WORLD.graph([]))
    pairs = [(PASSAGES[0], claims.of("no", "capital", o)) for o in ("oslo", "helsinki", "oslo")]
    first = judge.judge(pairs)
    assert first == judge.judge(pairs) == RuleJudge().judge(pairs)
    assert inner.pairs == 2
    assert judge.name == inner.name
