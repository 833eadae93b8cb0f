"""Retrieve-to-complete without verification: what most sources name is admitted as it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kgverify.completion.breakpoints import Breakpoint, Edge
from kgverify.completion.extracting import Extractor, NamedObject
from kgverify.completion.targeting import Targeting, subject_of
from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.retrieving import Retriever
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import Knowledge

TOP_K = 5


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was found for a missing edge: the ids of the passages, best first, all candidates, and
    the edge to the first of them, which is admitted, with the ids of the passages that name it."""

    missing: Breakpoint
    passages: tuple[str, ...]
    candidates: tuple[NamedObject, ...] = ()
    edge: Edge | None = None
    naming: tuple[str, ...] = ()


def retrieve_to_complete(
    missing: Iterable[Breakpoint],
    graph: Graph,
    book: RuleBook,
    corpus: Corpus,
    retriever: Retriever,
    top_k: int = TOP_K,
) -> list[Retrieved]:
    """One search for each missing edge, as in the first round of a `Searcher`, and nothing judged.

    The first of the candidates is taken: what most sources name, of equals what a better passage
    names."""
    targeting = Targeting(graph, book, Claims(book, graph))
    extractor = Extractor(Knowledge(graph, book), corpus)
    found = []
    for place in dict.fromkeys(missing):
        (hits,) = retriever.search([targeting.query(place, 0)], top_k)
        passages = [hit.passage for hit in hits]
        ids = tuple(corpus[number].id for number in passages)
        named = extractor.extract(subject_of(graph, place), place.relation, passages)
        if not named:
            found.append(Retrieved(place, ids))
            continue
        best = named[0]
        naming = dict.fromkeys(corpus[one.passage].id for one in best.places)
        edge = Edge(place.subject, place.relation, best.id)
        found.append(Retrieved(place, ids, tuple(named), edge, tuple(naming)))
    return found
