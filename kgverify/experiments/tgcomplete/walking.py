"""Answering questions by going along their paths, with missing edges completed on the way.

All questions of a setting go one step at a time, so that what is missing at a step is completed
together, each missing edge once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge
from kgverify.experiments.tgcomplete.records import (
    Answered,
    Cost,
    MethodRun,
    PathQuestion,
    Proposed,
)
from kgverify.experiments.tgcomplete.worlds import Paths

Stops = Callable[[str, str], bool]  # does reasoning stop here, for a subject and a relation?


@dataclass(frozen=True, slots=True)
class Completed:
    """What came of some missing edges: the edges proposed, each once, with what was read."""

    edges: tuple[Proposed, ...] = ()
    candidates: tuple[CandidateEdge, ...] = ()


class Completer(Protocol):
    """Completes missing edges, or abstains."""

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        """What comes of these; no missing edge is asked about twice."""

    @property
    def cost(self) -> Cost:
        """What it has cost so far; seconds are not counted."""


class Abstaining:
    """Completes nothing: the graph alone."""

    cost = Cost()

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        return Completed()


def where_nothing_is(paths: Paths) -> Stops:
    """Reasoning stops where the graph has no edge of this subject and relation at all, as
    TGComplete has it.  A subject that lost some of its objects only goes unnoticed."""
    return lambda subject, relation: not paths.objects(subject, relation)


def where_deleted(deleted: Iterable[Edge], symmetric: Collection[str]) -> Stops:
    """Reasoning stops wherever an edge was deleted, even if others are left.  It takes somebody who
    knows: no method sees this in the graph."""
    places = {(edge.subject, edge.relation) for edge in deleted}
    places |= {(edge.object, edge.relation) for edge in deleted if edge.relation in symmetric}
    return lambda subject, relation: (subject, relation) in places


def walk(
    method: str,
    questions: Sequence[PathQuestion],
    paths: Paths,
    stops: Stops,
    completer: Completer,
    added: Paths,
) -> MethodRun:
    """The run of a method.

    `paths` is the incomplete graph, and `added` takes up the edges that are admitted.  Where
    reasoning stops and edges are there as well, it goes on along both."""
    proposed: dict[Edge, Proposed] = {}
    candidates: list[CandidateEdge] = []
    asked: set[Breakpoint] = set()
    scores: dict[Edge, Fraction] = {}
    reached = {q.id: {q.topic: Fraction(1)} for q in questions}
    missing: dict[str, list[Breakpoint]] = {q.id: [] for q in questions}
    for step in range(max((len(q.path) for q in questions), default=0)):
        going = [q for q in questions if step < len(q.path)]
        for question in going:
            for subject in sorted(reached[question.id]):
                if stops(subject, question.path[step]):
                    missing[question.id].append(Breakpoint(subject, question.path[step]))
        new = sorted({m for q in going for m in missing[q.id]} - asked)
        if new:
            done = completer.complete(new)
            asked.update(new)
            proposed.update((one.edge, one) for one in done.edges)
            candidates += done.candidates
            for one in done.edges:
                if one.admitted:
                    added.add(one.edge)
                    scores[one.edge] = one.score if one.score is not None else Fraction(1)
        for question in going:
            reached[question.id] = _further(
                reached[question.id], question.path[step], paths, added, scores
            )
    answered = tuple(
        Answered(q.id, _ranked(reached[q.id], q.topic), tuple(missing[q.id])) for q in questions
    )
    edges = tuple(proposed[edge] for edge in sorted(proposed))
    run = MethodRun(method, answered, edges, tuple(candidates))
    return replace(run, cost=completer.cost)


def _further(
    reached: dict[str, Fraction],
    relation: str,
    paths: Paths,
    added: Paths,
    scores: dict[Edge, Fraction],
) -> dict[str, Fraction]:
    """What is reached along a relation, weakened by the scores of admitted edges on the way."""
    found: dict[str, Fraction] = {}
    for subject, score in reached.items():
        for object_ in paths.objects(subject, relation):
            found[object_] = max(found.get(object_, Fraction(0)), score)
        for object_ in added.objects(subject, relation):
            edge, back = Edge(subject, relation, object_), Edge(object_, relation, subject)
            weaker = min(score, scores.get(edge, scores.get(back, Fraction(1))))
            found[object_] = max(found.get(object_, Fraction(0)), weaker)
    return found


def _ranked(reached: dict[str, Fraction], topic: str) -> tuple[str, ...]:
    return tuple(sorted(reached.keys() - {topic}, key=lambda end: (-reached[end], end)))
