"""What is searched for where an edge is missing: round by round more targeted."""

from __future__ import annotations

import numpy as np

from kgverify.completion.breakpoints import Breakpoint
from kgverify.errors import EvidenceError, Problem
from kgverify.evidence.claims import Claims
from kgverify.evidence.queries import names_of, worded_query
from kgverify.evidence.retrieving import Query
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook

_NEIGHBOURS = 5  # names of neighbours that a round adds to its query


def subject_of(graph: Graph, missing: Breakpoint) -> int:
    """The graph's number of a missing edge's subject.  Raises EvidenceError where it has none."""
    (number,) = graph.find(["e" + missing.subject]).tolist()
    if number < 0:
        message = f"the graph has no entity `{missing.subject}`"
        raise EvidenceError(Problem("unknown-entity", message))
    return int(number)


class Targeting:
    """Makes the queries for missing edges of a graph."""

    def __init__(self, graph: Graph, book: RuleBook, claims: Claims) -> None:
        self._graph, self._book, self._claims = graph, book, claims

    def query(self, missing: Breakpoint, round: int) -> Query:
        """What a round searches for: first the relation's sentence with the subject's label; then
        all of its phrases and names, and words for the object's class; then beside these, a few in
        each round, what the subject is connected with in the graph."""
        subject = subject_of(self._graph, missing)
        names = names_of(self._graph, subject)
        wide = worded_query(self._book, missing.relation, names)
        if round == 0:
            return Query(wide.text, names[:1])
        words = self._claims.words(missing.relation).object_words[:1]
        beside: tuple[str, ...] = ()
        if round > 1:
            beside = self._neighbours(subject)[(round - 2) * _NEIGHBOURS :][:_NEIGHBOURS]
        text = " ".join((wide.text, *words, *beside))
        return Query(text, wide.names, tuple(dict.fromkeys((*wide.phrases, *beside))))

    def _neighbours(self, subject: int) -> tuple[str, ...]:
        """The names of entities that share a fact with the subject, in the order of their ids;
        classes are none."""
        facts, graph = self._graph.facts, self._graph
        one = np.array([subject])
        found: set[int] = set()
        for relation in range(len(graph.relations)):
            if relation not in (graph.type_relation, graph.subclass_relation):
                found.update(facts.from_subjects(relation, one).objects.tolist())
                found.update(facts.from_objects(relation, one).subjects.tolist())
        keys = {graph.key(entity): entity for entity in found - {subject}}
        entities = [keys[key] for key in sorted(keys) if key[:1] == "e"]
        return tuple(dict.fromkeys(names_of(graph, entity)[0] for entity in entities))
