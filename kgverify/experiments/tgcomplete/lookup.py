"""A world in one of its readings, with what looks things up in it: shared by all cases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from kgverify.completion.breakpoints import Edge
from kgverify.evidence.bm25 import Bm25
from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.naming_passages import NamesInPassages
from kgverify.evidence.retrieving import Retriever
from kgverify.experiments.tgcomplete.completers import RememberingJudge
from kgverify.experiments.tgcomplete.exhaustive import CoMentions, Looked, look
from kgverify.experiments.tgcomplete.questions import questions
from kgverify.experiments.tgcomplete.records import PathQuestion
from kgverify.experiments.tgcomplete.worlds import World
from kgverify.graph import Graph


@dataclass(frozen=True)
class Reading:
    """`judge` is that of the loop, `second` another, which says what is stated; of an edge it reads
    the `most` passages in which the two ends are nearest.

    The corpus knows where it names the entities of the complete graph."""

    world: World
    graph: Graph
    corpus: Corpus
    retriever: Retriever
    judge: RememberingJudge
    second: RememberingJudge
    most: int
    _looked: dict[Edge, Looked] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        world: World,
        name: str,
        judge: RememberingJudge,
        second: RememberingJudge,
        most: int = 1_000,
    ) -> Reading:
        """The reading of a world of this name."""
        graph, plain = world.graph(world.all_edges), world.corpora[name]
        titles, texts = NamesInPassages(plain, graph).everywhere
        corpus = replace(plain, title_mentions=titles, mentions=texts)
        return cls(world, graph, corpus, Bm25(corpus), judge, second, most)

    @cached_property
    def questions(self) -> list[PathQuestion]:
        return questions(self.world)

    @cached_property
    def claims(self) -> Claims:
        return Claims(self.world.book, self.graph)

    @cached_property
    def _mentions(self) -> CoMentions:
        return CoMentions(self.corpus, self.graph)

    def looked(self, edges: Iterable[Edge]) -> dict[Edge, Looked]:
        """What the whole corpus has on each edge; each is looked up once."""
        asked = list(dict.fromkeys(edges))
        new = [edge for edge in asked if edge not in self._looked]
        self._looked.update(look(new, self._mentions, self.claims, self.second, self.most))
        return {edge: self._looked[edge] for edge in asked}

    def corpus_for(self, graph: Graph) -> Corpus:
        """The corpus for a graph with other edges between the same entities.

        Entities have the same numbers there, so it is known where the corpus names them."""
        same = graph.n_terms == self.graph.n_terms
        if not same or graph.keys(range(graph.n_terms)) != self.graph.keys(range(graph.n_terms)):
            return self.corpus
        titles, texts = self.corpus.title_mentions, self.corpus.mentions
        if titles is None or texts is None:
            return self.corpus
        return replace(
            self.corpus,
            title_mentions=replace(titles, graph=graph.hash),
            mentions=replace(texts, graph=graph.hash),
        )
