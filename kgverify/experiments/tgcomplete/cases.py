"""One case of a setting: what a seed deletes and asks, and what all methods of the case share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from kgverify.completion.breakpoints import Edge
from kgverify.completion.excluding import GraphExcluder
from kgverify.completion.generating import Generator
from kgverify.completion.linking import Linker
from kgverify.completion.policy import Policy
from kgverify.completion.searching import Searcher
from kgverify.evidence.corpus import Corpus
from kgverify.experiments.tgcomplete.completers import (
    Fixed,
    GeneratingCompleter,
    RetrievingCompleter,
    TextCompleter,
)
from kgverify.experiments.tgcomplete.deleting import deleted
from kgverify.experiments.tgcomplete.lookup import Reading
from kgverify.experiments.tgcomplete.questions import needed, sample
from kgverify.experiments.tgcomplete.records import Answered, MethodRun, PathQuestion
from kgverify.experiments.tgcomplete.walking import (
    Completer,
    Stops,
    walk,
    where_deleted,
    where_nothing_is,
)
from kgverify.experiments.tgcomplete.worlds import Paths, World
from kgverify.graph import Graph
from kgverify.reasoning.knowledge import Knowledge

Stopping = Literal["nothing left", "deleted"]


@dataclass(frozen=True)
class Case:
    """A reading with a share of its edges deleted, by seed; at most so many questions."""

    reading: Reading
    share: float
    seed: int
    most: int
    stopping: Stopping

    @property
    def world(self) -> World:
        return self.reading.world

    @cached_property
    def questions(self) -> list[PathQuestion]:
        return sample(self.reading.questions, self.most, self.seed)

    @cached_property
    def deleted(self) -> frozenset[Edge]:
        return deleted(self.world.edges, self.share, self.seed, self.world.symmetric)

    @cached_property
    def left(self) -> tuple[Edge, ...]:
        """The incomplete graph."""
        return tuple(sorted(self.world.all_edges - self.deleted))

    @cached_property
    def paths(self) -> Paths:
        return Paths(self.left, self.world.symmetric)

    @cached_property
    def graph(self) -> Graph:
        return self.world.graph(self.left)

    @cached_property
    def corpus(self) -> Corpus:
        return self.reading.corpus_for(self.graph)

    @cached_property
    def excluder(self) -> GraphExcluder:
        return GraphExcluder(self.graph, self.world.book)

    @cached_property
    def stops(self) -> Stops:
        if self.stopping == "deleted":
            return where_deleted(self.deleted, self.world.symmetric)
        return where_nothing_is(self.paths)

    @cached_property
    def lost(self) -> dict[str, frozenset[Edge]]:
        """The deleted edges that each question's path needs in the complete graph; those of
        symmetric relations in the direction in which they are gone along."""
        complete = Paths(self.world.all_edges, self.world.symmetric)
        turned = (Edge(e.object, e.relation, e.subject) for e in self.deleted)
        gone = {*self.deleted, *(e for e in turned if e.relation in self.world.symmetric)}
        return {q.id: needed(q, complete) & gone for q in self.questions}

    # ------------------------------------------------------------ what completes

    def text_completer(self, policy: Policy, generator: Generator | None = None) -> TextCompleter:
        """TGComplete by a policy; with a generator, which proposes instead of the passages, it is
        GoG+Verify."""
        reading, book = self.reading, self.world.book
        searcher = Searcher(
            self.graph,
            book,
            self.corpus,
            reading.retriever,
            reading.judge,
            policy,
            generator=generator,
        )
        return TextCompleter(searcher, policy, self.excluder)

    def generating_completer(self, generator: Generator) -> GeneratingCompleter:
        """GoG by a generator."""
        return GeneratingCompleter(generator, Linker(Knowledge(self.graph, self.world.book)))

    def retrieving_completer(self) -> RetrievingCompleter:
        """Retrieve-to-complete."""
        book, retriever = self.world.book, self.reading.retriever
        return RetrievingCompleter(self.graph, book, self.corpus, retriever)

    # ------------------------------------------------------------ answering

    def run(self, method: str, completer: Completer) -> MethodRun:
        """All questions by a method that completes what is missing."""
        empty = Paths((), self.world.symmetric)
        return walk(method, self.questions, self.paths, self.stops, completer, empty)

    def answered_with(
        self, edges: Collection[Edge], scores: Mapping[Edge, Fraction | None]
    ) -> Iterable[Answered]:
        """What is answered if just these edges are admitted where reasoning stops, with these
        scores."""
        return self.run("", Fixed(edges, scores)).answered
