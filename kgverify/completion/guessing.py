"""Guesses objects of missing edges from the graph alone, where no language model is at hand.

A stand-in for what a model knows without looking it up, in that it says what is likely and has
nothing to cite.  It is no language model, and what it is worth says nothing of one."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.targeting import subject_of
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import Knowledge

NEIGHBOURS = 10
MOST = 3  # objects of a relation that is not functional

Ids = NDArray[np.int64]


class Guesser:
    """Guesses what the subjects have that share most facts with this one.

    A subject is its pairs of a relation of the rule file and an object; two are as near as the
    Jaccard index of their pairs, |A ∩ B| / |A ∪ B|.  Of the subjects that have an object for the
    relation and share a pair the `neighbours` nearest vote, each with its nearness, for all their
    objects; of equally near ones, and of objects with as many votes, those come first whose ids do.
    The first `most` objects are guessed, one where the relation is functional (also at a time).

    A symmetric relation counts from both ends."""

    model = ""
    calls = 0

    def __init__(
        self, graph: Graph, book: RuleBook, neighbours: int = NEIGHBOURS, most: int = MOST
    ) -> None:
        if neighbours < 1 or most < 1:
            raise ValueError("a guess needs a neighbour, and guesses an object")
        self._graph, self._book = graph, book
        self._knowledge = Knowledge(graph, book)
        self._neighbours, self._most = neighbours, most
        self._by_relation: dict[str, dict[int, set[int]]] = {}
        self.name = f"guess {neighbours} {most}"

    def generate(self, missing: Breakpoint) -> tuple[str, ...]:
        """The ids of the objects that are guessed; () where no subject is near."""
        subject = self._knowledge.identity.one(subject_of(self._graph, missing))
        objects_of = self._objects(missing.relation)
        near = [
            (-nearness, self._knowledge.key(other), other)
            for other, nearness in self._near(subject).items()
            if other != subject and other in objects_of
        ]
        votes: dict[int, Fraction] = {}
        for nearness, _, other in sorted(near)[: self._neighbours]:
            for object_ in objects_of[other]:
                votes[object_] = votes.get(object_, Fraction(0)) - nearness
        known = {subject, *objects_of.get(subject, ())}
        keys = {object_: self._knowledge.key(object_) for object_ in votes.keys() - known}
        found = sorted(
            (object_ for object_ in keys if keys[object_][:1] == "e"),
            key=lambda object_: (-votes[object_], keys[object_]),
        )
        return tuple(keys[object_][1:] for object_ in found[: self._room(missing.relation)])

    def _room(self, relation: str) -> int:
        kinds = {item.kind for item in self._book.relations[relation].properties}
        return 1 if kinds & {"functional", "functional_at_a_time"} else self._most

    def _objects(self, relation: str) -> dict[int, set[int]]:
        """The objects of each subject."""
        if relation not in self._by_relation:
            found = self._by_relation[relation] = {}
            subjects, objects = self._pairs(relation)
            for subject, object_ in zip(subjects.tolist(), objects.tolist(), strict=True):
                found.setdefault(subject, set()).add(object_)
        return self._by_relation[relation]

    def _pairs(self, relation: str) -> tuple[Ids, Ids]:
        subjects, objects = self._knowledge.facts.all(relation)
        if any(item.kind == "symmetric" for item in self._book.relations[relation].properties):
            both = np.concatenate((subjects, objects)), np.concatenate((objects, subjects))
            subjects, objects = both
        return subjects, objects

    @cached_property
    def _facts(self) -> tuple[Ids, Ids, Ids]:
        """Each subject with each of its pairs, once: rows of subject and the pair's number, in the
        order of pairs; and how many pairs each subject has, by its number."""
        rows = []
        for number, relation in enumerate(self._book.relations):
            subjects, objects = self._pairs(relation)
            rows.append(np.column_stack((subjects, np.full(len(subjects), number), objects)))
        table = np.concatenate(rows) if rows else np.zeros((0, 3), np.int64)
        table = np.unique(table, axis=0)
        _, pairs = np.unique(table[:, 1:], axis=0, return_inverse=True)
        pairs = pairs.reshape(-1).astype(np.int64)
        order = np.argsort(pairs, kind="stable")
        subjects = table[:, 0]
        return subjects[order], pairs[order], np.bincount(subjects)

    def _near(self, subject: int) -> dict[int, Fraction]:
        """How near each subject is that shares a pair."""
        subjects, pairs, sizes = self._facts
        own = pairs[subjects == subject]
        starts, ends = np.searchsorted(pairs, own), np.searchsorted(pairs, own, "right")
        sharing = [subjects[start:end] for start, end in zip(starts, ends, strict=True)]
        if not sharing:
            return {}
        others, shared = np.unique(np.concatenate(sharing), return_counts=True)
        together = sizes[others] + sizes[subject] - shared
        return {
            other: Fraction(both, either)
            for other, both, either in zip(
                others.tolist(), shared.tolist(), together.tolist(), strict=True
            )
        }
