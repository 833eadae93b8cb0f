"""Edges that verdicts may rest on, searched for where reasoning stops."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from kgverify.believing import Completed
from kgverify.completion.admission import SECONDS, Admitted, decide
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge, Source
from kgverify.completion.excluding import GraphExcluder
from kgverify.completion.policy import CAREFUL, Policy
from kgverify.completion.searching import MOST, Outcome, Searcher, search
from kgverify.errors import LimitReached, Problem
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import Judge
from kgverify.evidence.retrieving import Retriever
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.quoting import quote
from kgverify.vocabulary import AdmittedEdge


class TextCompleter:
    """Admits edges that passages state, by a policy.

    Each missing edge is searched for by itself, and once.  Of edges that are admitted for several
    missing ones and exclude each other, the best are kept.  Where the judge stops, or the time is
    over, nothing is admitted, and that is told."""

    def __init__(
        self,
        graph: Graph,
        book: RuleBook,
        corpus: Corpus,
        retriever: Retriever,
        judge: Judge,
        policy: Policy = CAREFUL,
        *,
        journal: Path | None = None,
        most: int = MOST,
        seconds: float = SECONDS,
        progress: Callable[[Breakpoint, int], None] | None = None,
    ) -> None:
        self.policy, self._corpus, self._seconds = policy, corpus, seconds
        self._searcher = Searcher(
            graph, book, corpus, retriever, judge, policy, journal, most, progress
        )
        self._excluder = GraphExcluder(graph, book, seconds)
        self._outcomes: dict[Breakpoint, Outcome | Problem] = {}

    @property
    def name(self) -> str:
        """The corpus, by its hash, the retriever, the judge, and the policy with its options."""
        pins = self._searcher.pins
        by = json.dumps(self.policy.to_dict(), separators=(",", ":"))
        return f"{pins.corpus} {pins.retriever} {pins.judge} {pins.most} {by}"

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        """The edges that are admitted for these missing edges.

        Raises EvidenceError for a subject that the graph doesn't have."""
        found = [self._outcome(one) for one in sorted(set(missing))]
        problems = [one for one in found if isinstance(one, Problem)]
        outcomes = [one for one in found if isinstance(one, Outcome)]
        for one in outcomes:
            if one.trail.failure is not None:
                problems.append(_given_up(one.missing, one.trail.failure))
        try:
            edges = tuple(self._together(outcomes))
        except LimitReached as error:
            edges = ()
            problems += [replace(problem, severity="warning") for problem in error.problems]
        return Completed(edges, tuple(problems))

    def _outcome(self, missing: Breakpoint) -> Outcome | Problem:
        """What comes of one missing edge, or why that isn't known."""
        if missing not in self._outcomes:
            try:
                _, (found,) = search(
                    [missing], self._searcher, self.policy, self._excluder, self._seconds
                )
            except LimitReached as error:
                self._outcomes[missing] = _given_up(missing, error.problems[0])
            else:
                self._outcomes[missing] = found
        return self._outcomes[missing]

    def _together(self, outcomes: Sequence[Outcome]) -> Iterator[AdmittedEdge]:
        """What is admitted for several missing edges, as far as it can hold together."""
        some = [one for one in outcomes if one.admitted]
        kept = {admitted.edge for one in some for admitted in one.admitted}
        if len(some) > 1:
            kept = self._chosen(
                [CandidateEdge(a.edge, one.sources[a.edge]) for one in some for a in one.admitted]
            )
        for one in some:
            for admitted in one.admitted:
                if admitted.edge in kept:
                    yield self._told(admitted, one.sources[admitted.edge])

    def _chosen(self, candidates: Sequence[CandidateEdge]) -> set[Edge]:
        conflicts = self._excluder.conflicts([one.edge for one in candidates])
        check, seconds = self._excluder.check, self._seconds
        done = decide(candidates, self.policy, conflicts, check, seconds=seconds)
        return {one.edge for one in done.admitted}

    def _told(self, admitted: Admitted, sources: Sequence[Source]) -> AdmittedEdge:
        weighed, edge = admitted.weighed, admitted.edge
        cited = [source for source in sources if source.passage in weighed.passages]
        read = cited or list(sources)
        numbers = self._corpus.find([source.passage for source in read]).tolist()
        return AdmittedEdge(
            edge.subject,
            edge.relation,
            edge.object,
            self.policy.name,
            weighed.verdict or "",
            str(weighed.final),
            weighed.sources,
            admitted.round,
            weighed.passages,
            tuple(
                quote(self._corpus[number], source.answer)
                for number, source in zip(numbers, read, strict=True)
            ),
        )


def _given_up(missing: Breakpoint, problem: Problem) -> Problem:
    message = f"the missing edge {missing} was given up: {problem.message}"
    return replace(problem, message=message, severity="warning")
