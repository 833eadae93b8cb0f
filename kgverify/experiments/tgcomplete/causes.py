"""What right answers owe to added edges, and what wrong ones lost by those that were rejected
(TGComplete, section 5.4), from the records of a run alone.

Twice: by plain reachability, as published, where any way through the graph leads to an answer, in
both directions; and along the question's own path, step by step, which asks for more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgverify.completion.attribution import AddedEdge, Attribution, attribute
from kgverify.completion.attribution import Answered as Asked
from kgverify.completion.breakpoints import Breakpoint, Edge
from kgverify.experiments.tgcomplete.rates import Rate
from kgverify.experiments.tgcomplete.records import MethodRun, PathQuestion


@dataclass(frozen=True)
class Causes:
    """The classes of the answers that are right, by either way.  `unknown` added edges count as
    unsupported, since nobody could say whether a passage states them."""

    anywhere: Attribution
    by_path: Attribution
    unknown: int


@dataclass(frozen=True, slots=True)
class Forced:
    """Accepting all that was rejected: of the questions that were answered wrongly, the share in
    which a right answer is then in reach.

    `before` is the share in which one is in reach already, by the graph and what was admitted;
    `after` that with all rejected edges beside these.  `gained` is what accepting them adds, the
    paper's number."""

    before: Rate
    after: Rate

    @property
    def gained(self) -> Rate:
        return Rate(self.after.part - self.before.part, self.after.whole)


@dataclass(frozen=True, slots=True)
class ForceAccepted:
    """The two ways of force-accepting."""

    anywhere: Forced
    by_path: Forced


def causes(
    questions: Sequence[PathQuestion],
    run: MethodRun,
    right: Collection[str],
    graph: Iterable[Edge],
    support: Mapping[Edge, bool | None],
    symmetric: Collection[str] = (),
) -> Causes:
    """What the answers depend on of the questions whose ids are in `right`.

    `graph` is the incomplete one.  The added edges of a question are those that were admitted where
    its path stopped, and `support` has each of them.  Edges of `symmetric` relations are gone along
    in both directions also by path."""
    known = list(graph)
    added = _own(run, admitted_only=True)
    asked = [question for question in questions if question.id in right]
    edges = {edge for question in asked for edge in added[question.id]}
    supported = {edge for edge in edges if support[edge] is True}
    return Causes(
        _anywhere(asked, known, added, supported),
        _by_path(asked, known, added, supported, symmetric),
        sum(support[edge] is None for edge in edges),
    )


def force_accept(
    questions: Sequence[PathQuestion],
    run: MethodRun,
    right: Collection[str],
    graph: Iterable[Edge],
    symmetric: Collection[str] = (),
) -> ForceAccepted:
    """What accepting all rejected edges does for the questions whose ids are not in `right`.

    A question's edges are those that were proposed where its path stopped.  Where the path would
    stop again behind such an edge nothing was proposed, and nobody knows what would have been."""
    known = list(graph)
    wrong = [question for question in questions if question.id not in right]
    admitted, proposed = (_own(run, admitted_only=only) for only in (True, False))
    anywhere = [_anywhere(wrong, known, added, ()) for added in (admitted, proposed)]
    by_path = [_by_path(wrong, known, added, (), symmetric) for added in (admitted, proposed)]
    return ForceAccepted(*(Forced(*map(_in_reach, found)) for found in (anywhere, by_path)))


def _in_reach(found: Attribution) -> Rate:
    return Rate.of(letter != "C" for letter in found.classes.values())


def _own(run: MethodRun, admitted_only: bool) -> dict[str, list[Edge]]:
    """The edges that were admitted, or all that were proposed, where the path of each question
    stopped."""
    by_place: dict[Breakpoint, dict[Edge, None]] = {}
    for one in run.edges:
        if one.admitted or not admitted_only:
            place = Breakpoint(one.edge.subject, one.edge.relation)
            by_place.setdefault(place, {})[one.edge] = None
    return {
        one.question: [
            edge for place in dict.fromkeys(one.missing) for edge in by_place.get(place, ())
        ]
        for one in run.answered
    }


def _anywhere(
    questions: Iterable[PathQuestion],
    graph: Iterable[Edge],
    added: Mapping[str, Sequence[Edge]],
    supported: Collection[Edge],
) -> Attribution:
    """Any way through the graph, in both directions, whatever the relations."""
    asked = [
        Asked(
            question.id,
            (question.topic,),
            tuple(sorted(question.answers)),
            True,
            tuple(AddedEdge(edge, edge in supported) for edge in added[question.id]),
        )
        for question in questions
    ]
    return attribute(asked, graph)


def _by_path(
    questions: Sequence[PathQuestion],
    graph: Iterable[Edge],
    added: Mapping[str, Sequence[Edge]],
    supported: Collection[Edge],
    symmetric: Collection[str],
) -> Attribution:
    """The question's path only: an entity at one step of a path is a place, and an edge leads from
    a place to one of the next step if it is of that step's relation."""
    by_relation: dict[str, list[Edge]] = {}
    for edge in graph:
        by_relation.setdefault(edge.relation, []).append(edge)
    steps = [
        step
        for path in sorted({question.path for question in questions})
        for relation in dict.fromkeys(path)
        for edge in by_relation.get(relation, ())
        for step in _steps(path, edge, symmetric)
    ]
    asked = [
        Asked(
            question.id,
            (_place(question.path, 0, question.topic),),
            tuple(
                _place(question.path, len(question.path), answer)
                for answer in sorted(question.answers)
            ),
            True,
            tuple(
                AddedEdge(step, edge in supported)
                for edge in added[question.id]
                for step in _steps(question.path, edge, symmetric)
            ),
        )
        for question in questions
    ]
    return attribute(asked, steps, both_ways=False)


def _steps(path: tuple[str, ...], edge: Edge, symmetric: Collection[str]) -> Iterator[Edge]:
    """An edge at each step of a path at which it can be gone along."""
    ends = [(edge.subject, edge.object)]
    if edge.relation in symmetric:
        ends.append((edge.object, edge.subject))
    for step, relation in enumerate(path):
        if relation == edge.relation:
            for start, end in ends:
                yield Edge(_place(path, step, start), relation, _place(path, step + 1, end))


def _place(path: tuple[str, ...], step: int, entity: str) -> str:
    return repr((path, step, entity))
