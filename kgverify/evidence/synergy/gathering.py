"""The whole way from a query to evidence: retrieve, search, vote, confirm, bridge, and choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kgverify.evidence.retrieving import Hit, Query, Retriever
from kgverify.evidence.synergy.beam_search import Path, Search, beam_search
from kgverify.evidence.synergy.bridging import bridges, orphans
from kgverify.evidence.synergy.confirming import ScoredPath, base_score, confirm, weights
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase
from kgverify.evidence.synergy.likeness import Floats, Likeness
from kgverify.evidence.synergy.options import SynergyOptions
from kgverify.evidence.synergy.provenance import sources_of
from kgverify.evidence.synergy.voting import Ranked, best_votes, rank, votes

Named = Callable[[str], Iterable[int]]
_COMPARED = 10_000  # passages whose likeness to the query is asked for; the rest is as the last


@dataclass(frozen=True)
class SynergyEvidence:
    """What text and graph say to a query.

    `passages`, `paths` and `bridges` are what is given, best first; `found` are the passages
    retrieved at first and `ranked` all candidates, in their final order.  `orphans` are the
    entities that the found passages mention and no returned path has.  `documents` are the passages
    that all of this stands for, ascending (equation 4)."""

    query: Query
    seeds: tuple[int, ...]
    search: Search
    found: tuple[int, ...]
    orphans: tuple[int, ...]
    ranked: tuple[Ranked, ...]
    passages: tuple[Ranked, ...]
    paths: tuple[ScoredPath, ...]
    bridges: tuple[ScoredPath, ...]
    documents: tuple[int, ...]


class Synergy:
    """Gathers evidence from one knowledge base; a `Retriever` too, of the passages alone.

    `named` finds the entities that a query names."""

    def __init__(
        self,
        base: KnowledgeBase,
        retriever: Retriever,
        likeness: Likeness,
        named: Named = lambda _: (),
        options: SynergyOptions | None = None,
    ) -> None:
        self.base = base
        self.options = options or SynergyOptions()
        self.name = f"synergy of {retriever.name} and {likeness.name}"
        self._retriever, self._likeness, self._named = retriever, likeness, named
        self._weights = weights(base.degrees()).tolist()

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        """The passages for each query in their final order.  All that are found or voted for are
        hits."""
        return [
            [Hit(ranked.passage, ranked.score) for ranked in evidence.ranked[:most]]
            for evidence in self.gather(queries, at_least=most)
        ]

    def gather(self, queries: Sequence[Query], at_least: int = 0) -> list[SynergyEvidence]:
        """The evidence for each query; `at_least` so many passages are retrieved at first."""
        compared = min(max(_COMPARED, at_least), len(self.base.corpus))
        hits = self._retriever.search(queries, compared)
        found = max(self.options.found, at_least)
        return [self._gathered(*each, found) for each in zip(queries, hits, strict=True)]

    def _gathered(self, query: Query, hits: Sequence[Hit], most: int) -> SynergyEvidence:
        base, options = self.base, self.options
        like = self._likeness.to(query.text)
        scores = like.tolist()
        seeds = self._seeds(query, like)
        search = beam_search(
            seeds,
            lambda entity: base.neighbours(entity, options.neighbours),
            scores,
            options.beam,
            options.depth,
        )
        returned = search.last if options.returned == "last" else search.kept
        found = [hit.passage for hit in hits[:most]]
        mentioned = {e for passage in found for e in base.entities_of[passage].tolist()}
        ranked = self._ranked(search, found, hits, scores)
        base_of = base_score(scores, self._weights, options.gamma)
        epsilon = options.epsilon if options.confirm else 0.0
        paths = confirm(returned, mentioned, base_of, epsilon)[: options.paths]
        bridged = self._bridges(search, returned, mentioned)
        brought = confirm(bridged, mentioned, base_of, epsilon, is_bridge=True)[: options.bridges]
        passages = ranked[: options.passages]
        documents = {each.passage for each in passages}
        for scored in (*paths, *brought):
            documents |= sources_of(base, scored.path, options.sources)
        return SynergyEvidence(
            query,
            seeds,
            search,
            tuple(found),
            tuple(orphans(mentioned, returned)),
            tuple(ranked),
            tuple(passages),
            tuple(paths),
            tuple(brought),
            tuple(sorted(documents)),
        )

    def _seeds(self, query: Query, like: Floats) -> tuple[int, ...]:
        """The entities that the query names, then those most like it."""
        order = np.lexsort((np.arange(len(like)), -like))[: self.options.seeds].tolist()
        named = (*self._named(query.text), *(e for name in query.names for e in self._named(name)))
        return tuple(dict.fromkeys((*sorted(set(named)), *order)))

    def _ranked(
        self, search: Search, found: Sequence[int], hits: Sequence[Hit], scores: Sequence[float]
    ) -> list[Ranked]:
        options = self.options
        likeness = {hit.passage: hit.score for hit in hits}
        if not options.vote:
            return rank(found, {}, likeness, 1.0)
        visited: Iterable[int] = (
            search.memory if options.remember else (e for path in search.kept for e in path)
        )

        def passages_of(entity: int) -> list[int]:
            return [int(passage) for passage in self.base.passages_of[entity]]

        if options.votes == "number":
            return rank(found, votes(visited, passages_of), likeness, options.alpha)
        return rank(found, best_votes(visited, passages_of, scores), likeness, options.alpha)

    def _bridges(
        self, search: Search, returned: Sequence[Path], mentioned: Iterable[int]
    ) -> list[Path]:
        if not (self.options.bridge and self.options.remember):
            return []
        return bridges(mentioned, returned, search.memory)
