"""What completes missing edges: TGComplete by a policy, and what it is compared with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from kgverify.completion.admission import Admitted, Rejected
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge
from kgverify.completion.generating import Generator, generate_to_complete
from kgverify.completion.linking import Linker
from kgverify.completion.policy import Policy
from kgverify.completion.retrieving import retrieve_to_complete
from kgverify.completion.rounds import Excluder
from kgverify.completion.searching import Searcher, search
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import Claim, Failure, Judge, Judgement
from kgverify.evidence.passages import Passage
from kgverify.evidence.retrieving import Retriever
from kgverify.experiments.tgcomplete.controls import generated_edges, retrieved_edges
from kgverify.experiments.tgcomplete.records import Cost, Proposed
from kgverify.experiments.tgcomplete.walking import Completed
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook


class RememberingJudge:
    """A judge that is asked once about each passage and claim, whoever asks."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._said: dict[tuple[str, Claim], Judgement | Failure] = {}

    @property
    def name(self) -> str:
        return self._judge.name

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        keys = [(passage.id, claim) for passage, claim in pairs]
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._said}
        if new:
            answers = self._judge.judge(list(new.values()))
            self._said.update(zip(new, answers, strict=True))
        return [self._said[key] for key in keys]


class TextCompleter:
    """TGComplete: searches passages, has them judged, and admits by a policy or abstains.  With a
    searcher that has a generator it verifies what that says (GoG+Verify)."""

    def __init__(self, searcher: Searcher, policy: Policy, excluder: Excluder) -> None:
        self._searcher, self._policy, self._excluder = searcher, policy, excluder
        self.first: dict[Breakpoint, tuple[str, ...]] = {}  # what the first round found

    @property
    def cost(self) -> Cost:
        spent = self._searcher.spent
        return Cost(spent.searches, spent.judged, spent.calls)

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        _, outcomes = search(missing, self._searcher, self._policy, self._excluder)
        edges: dict[Edge, Proposed] = {}
        candidates: list[CandidateEdge] = []
        for outcome in outcomes:
            # A candidate is rejected in each round anew: the last says it.
            for rejected in outcome.rejected:
                edges[rejected.edge] = _rejected(rejected)
            for admitted in outcome.admitted:
                edges[admitted.edge] = _admitted(admitted)
            candidates += [CandidateEdge(edge, found) for edge, found in outcome.sources.items()]
            if outcome.trail.readings:
                self.first[outcome.missing] = outcome.trail.readings[0].passages
        return Completed(tuple(edges[edge] for edge in sorted(edges)), tuple(candidates))


class GeneratingCompleter:
    """GoG: admits whatever a generator says that stands for something."""

    def __init__(self, generator: Generator, linker: Linker) -> None:
        self._generator, self._linker = generator, linker

    @property
    def cost(self) -> Cost:
        return Cost(calls=self._generator.calls)

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        found = generate_to_complete(missing, self._generator, self._linker)
        return Completed(generated_edges(found))


class RetrievingCompleter:
    """Retrieve-to-complete: admits what most passages name, unverified."""

    def __init__(self, graph: Graph, book: RuleBook, corpus: Corpus, retriever: Retriever) -> None:
        self._given = graph, book, corpus, retriever
        self._searches = 0

    @property
    def cost(self) -> Cost:
        return Cost(searches=self._searches)

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        found = retrieve_to_complete(missing, *self._given)
        self._searches += len(found)
        return Completed(retrieved_edges(found))


class Fixed:
    """Admits certain edges, with their scores, wherever reasoning stops that they begin at."""

    cost = Cost()

    def __init__(self, edges: Collection[Edge], scores: Mapping[Edge, Fraction | None]) -> None:
        self._scores = scores
        self._edges: dict[Breakpoint, list[Edge]] = {}
        for edge in sorted(edges):
            self._edges.setdefault(Breakpoint(edge.subject, edge.relation), []).append(edge)

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        found = (edge for place in missing for edge in self._edges.get(place, ()))
        return Completed(tuple(Proposed(e, True, score=self._scores.get(e)) for e in found))


def _admitted(one: Admitted) -> Proposed:
    weighed = one.weighed
    return Proposed(one.edge, True, weighed.verdict, weighed.final, weighed.passages, (), one.round)


def _rejected(one: Rejected) -> Proposed:
    weighed = one.weighed
    reasons = tuple(reason.code for reason in one.reasons)
    return Proposed(
        one.edge, False, weighed.verdict, weighed.final, weighed.passages, reasons, one.round
    )
