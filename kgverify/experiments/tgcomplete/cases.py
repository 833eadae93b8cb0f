"""One case of a setting: what a seed deletes and asks, and what all methods of the case share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kgverify.completion.breakpoints import Edge
from kgverify.completion.excluding import GraphExcluder
from kgverify.completion.generating import Generator
from kgverify.completion.linking import Linker
from kgverify.completion.policy import Policy
from kgverify.completion.rounds import Excluder
from kgverify.completion.searching import Searcher
from kgverify.evidence.bm25 import Bm25
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.retrieving import Retriever
from kgverify.experiments.tgcomplete.completers import (
    GeneratingCompleter,
    RememberingJudge,
    RetrievingCompleter,
    TextCompleter,
)
from kgverify.experiments.tgcomplete.deleting import deleted
from kgverify.experiments.tgcomplete.questions import needed, questions, sample
from kgverify.experiments.tgcomplete.records import MethodRun, PathQuestion
from kgverify.experiments.tgcomplete.supporting import Exhaustive
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
class Reading:
    """A world in one of its readings, with what looks things up in it: shared by all cases."""

    world: World
    corpus: Corpus
    retriever: Retriever
    judge: RememberingJudge
    second: RememberingJudge
    exhaustive: Exhaustive

    @classmethod
    def of(cls, world: World, name: str, judge: RememberingJudge, second: RememberingJudge) -> Reading:
        """The reading of a world of this name; `judge` is that of the loop, `second` another."""
        corpus = world.corpora[name]
        lookup = Exhaustive(world, corpus, second)
        return cls(world, corpus, Bm25(corpus), judge, second, lookup)

    @cached_property
    def questions(self) -> list[PathQuestion]:
        return questions(self.world)


@dataclass(frozen=True)
class Case:
    """A reading with a share of its edges deleted, by seed."""

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
    def excluder(self) -> GraphExcluder:
        return GraphExcluder(self.graph, self.world.book)

    @cached_property
    def stops(self) -> Stops:
        if self.stopping == "deleted":
            return where_deleted(self.deleted, self.world.symmetric)
        return where_nothing_is(self.paths)

    def both_ways(self, edges: Iterable[Edge]) -> frozenset[Edge]:
        """The edges, those of symmetric relations in both directions."""
        found = set(edges)
        turned = (Edge(e.object, e.relation, e.subject) for e in found)
        return frozenset(found | {e for e in turned if e.relation in self.world.symmetric})

    @cached_property
    def gold(self) -> frozenset[Edge]:
        """The deleted edges, the symmetric ones in both directions."""
        return self.both_ways(self.deleted)

    @cached_property
    def lost(self) -> dict[str, frozenset[Edge]]:
        """The deleted edges that each question's path needs in the complete graph."""
        complete = Paths(self.world.all_edges, self.world.symmetric)
        return {q.id: needed(q, complete) & self.gold for q in self.questions}

    def text_completer(
        self,
        policy: Policy,
        excluder: Excluder | None = None,
        generator: Generator | None = None,
    ) -> TextCompleter:
        """TGComplete by a policy; with a generator, which proposes instead of the passages, it is
        GoG+Verify."""
        reading, book = self.reading, self.world.book
        searcher = Searcher(
            self.graph,
            book,
            reading.corpus,
            reading.retriever,
            reading.judge,
            policy,
            generator=generator,
        )
        return TextCompleter(searcher, policy, excluder or self.excluder)

    def generating_completer(self, generator: Generator) -> GeneratingCompleter:
        """GoG by a generator."""
        return GeneratingCompleter(generator, Linker(Knowledge(self.graph, self.world.book)))

    def retrieving_completer(self) -> RetrievingCompleter:
        """Retrieve-to-complete."""
        reading = self.reading
        return RetrievingCompleter(
            self.graph, self.world.book, reading.corpus, reading.retriever
        )

    def run(self, method: str, completer: Completer) -> MethodRun:
        """All questions by a method that completes what is missing."""
        empty = Paths((), self.world.symmetric)
        return walk(method, self.questions, self.paths, self.stops, completer, empty)
