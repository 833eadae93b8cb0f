"""Pairs that are in one relation and so not in another: learnt from a graph and its own rules.

A pair is *linked* to a relation by what else the graph says of the two, in either direction.  A
link excludes a relation when no pair of the graph has both, although rules predict the relation of
so many linked pairs that, by their confidences, it would be strange if it held of none.  Whoever is
somebody's mother is not her aunt as well, whatever a rule about siblings of parents says.

That two relations share no pair says little by itself: most pairs are in one relation at most.
It says something of the pairs that rules predict, and of no others is it used.  Nothing but the
graph is looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import inf, log, log1p

import numpy as np

from kgverify.graph import Graph
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import MinedRule

STRANGE = 0.01  # how likely it may be, by the rules' confidences, that none of the pairs is there

Pair = tuple[int, int]
Link = tuple[int, bool]  # a relation, and whether it goes from the object to the subject


class Exclusions:
    """Which links exclude which relations, in a graph's ids."""

    def __init__(self, graph: Graph, rules: Sequence[MinedRule]) -> None:
        self._relations = _relations_of_pairs(graph)
        self._links = self._strange(_predicted(graph, rules)) - self._together()

    @property
    def links(self) -> frozenset[tuple[int, Link]]:
        """Each relation with each link that excludes it."""
        return frozenset(self._links)

    def excludes(self, relation: int, subject: int, object_: int) -> bool:
        """Does what the graph says of these two exclude that they are in the relation?"""
        return any((relation, link) in self._links for link in self._of((subject, object_)))

    def _of(self, pair: Pair) -> Iterator[Link]:
        yield from ((relation, False) for relation in self._relations.get(pair, ()))
        yield from ((relation, True) for relation in self._relations.get(pair[::-1], ()))

    def _together(self) -> set[tuple[int, Link]]:
        """Relations and links that some pair of the graph has."""
        return {
            (relation, link)
            for pair, relations in self._relations.items()
            for link in self._of(pair)
            for relation in relations
        }

    def _strange(self, predicted: Mapping[int, Mapping[Pair, float]]) -> set[tuple[int, Link]]:
        """Relations and links so that it were strange if none of the predicted linked pairs were
        in the relation."""
        doubts: dict[tuple[int, Link], float] = defaultdict(float)
        for relation, confidences in predicted.items():
            for pair, confidence in confidences.items():
                for link in self._of(pair):
                    doubts[relation, link] += log1p(-confidence) if confidence < 1 else -inf
        return {key for key, doubt in doubts.items() if doubt <= log(STRANGE)}


def _relations_of_pairs(graph: Graph) -> dict[Pair, set[int]]:
    found: dict[Pair, set[int]] = defaultdict(set)
    facts = graph.facts.at(np.arange(len(graph.facts)))
    relations = graph.facts.relations_of(facts.rows).tolist()
    for s, r, o in zip(facts.subjects.tolist(), relations, facts.objects.tolist(), strict=True):
        found[s, o].add(r)
    return dict(found)


def _predicted(graph: Graph, rules: Sequence[MinedRule]) -> dict[int, dict[Pair, float]]:
    """The pairs that rules add to each relation, with the greatest confidence of such a rule."""
    evaluator = Evaluator(graph)
    found: dict[int, dict[Pair, float]] = defaultdict(dict)
    for mined in rules:
        confidence = float(mined.measures.confidence)
        pairs = found[graph.relation_id(mined.rule.head.relation)]
        subjects, objects = evaluator.additions(mined.rule)
        for pair in zip(subjects.tolist(), objects.tolist(), strict=True):
            pairs[pair] = max(confidence, pairs.get(pair, 0.0))
    return found
