"""Do right answers depend on edges that were added?  (TGComplete, section 5.4, table 6.)

Twice: as published, where any way through the graph counts, in both directions; and along the
question's own path, which is stricter, since in a small graph almost everything can be reached.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kgverify.completion.attribution import AddedEdge, Answered, Attribution, attribute
from kgverify.completion.breakpoints import Breakpoint, Edge
from kgverify.experiments.metrics import ratio
from kgverify.experiments.tgcomplete.records import MethodRun, PathQuestion

ANY_WAY, BY_PATH = "any way", "the question's path"


def depending(
    questions: Sequence[PathQuestion],
    run: MethodRun,
    left: Collection[Edge],
    supported: Mapping[Edge, bool],
    symmetric: Collection[str],
) -> dict[str, dict[str, Any]]:
    """The classes of the right answers, and what admitting everything that was rejected would do
    for the wrong ones: in how many of them a right answer then comes within reach.

    An answer is right when the first that the method gives is.  A question's added edges are those
    that were admitted where its path stopped."""
    edges = {one.edge: one.admitted for one in run.edges}
    by_place: dict[Breakpoint, list[Edge]] = {}
    for edge in edges:
        by_place.setdefault(Breakpoint(edge.subject, edge.relation), []).append(edge)
    answered = {one.question: one for one in run.answered}
    right = {
        q.id: bool(answered[q.id].answers[:1]) and answered[q.id].answers[0] in q.answers
        for q in questions
    }
    proposed = {
        q.id: [edge for place in answered[q.id].missing for edge in by_place.get(place, ())]
        for q in questions
    }
    admitted = {id_: [edge for edge in found if edges[edge]] for id_, found in proposed.items()}
    wrong = [q for q in questions if not right[q.id]]
    found = {}
    for name, ways in ((ANY_WAY, _anywhere), (BY_PATH, _along)):
        classes = ways([q for q in questions if right[q.id]], left, admitted, supported, symmetric)
        before, after = (
            ways(wrong, left, added, supported, symmetric).classes for added in (admitted, proposed)
        )
        gained = sum(before[id_] == "C" and after[id_] != "C" for id_ in before)
        found[name] = {
            "right": sum(right.values()),
            "classes": classes.counts,
            "independent": _number(classes.independent),
            "independent_as_published": _number(classes.independent_as_published),
            "wrong": len(wrong),
            "gained": gained,
            "gained_share": ratio(gained, len(wrong)),
        }
    return found


def _number(share: Any) -> float | None:
    return None if share is None else float(share)


def _anywhere(
    questions: Sequence[PathQuestion],
    left: Iterable[Edge],
    added: Mapping[str, Sequence[Edge]],
    supported: Mapping[Edge, bool],
    symmetric: Collection[str],
) -> Attribution:
    """Any way through the graph, in both directions, whatever the relations."""
    asked = [
        Answered(
            q.id,
            (q.topic,),
            tuple(sorted(q.answers)),
            True,
            tuple(AddedEdge(edge, supported[edge]) for edge in added[q.id]),
        )
        for q in questions
    ]
    return attribute(asked, left)


def _along(
    questions: Sequence[PathQuestion],
    left: Iterable[Edge],
    added: Mapping[str, Sequence[Edge]],
    supported: Mapping[Edge, bool],
    symmetric: Collection[str],
) -> Attribution:
    """Along the question's path only: entities are told apart by the step at which they are
    reached, and an edge leads from a step to the next if it is of the step's relation."""
    known = list(left)
    paths = sorted({q.path for q in questions})
    graph = [step for path in paths for edge in known for step in _steps(path, edge, symmetric)]
    asked = [
        Answered(
            q.id,
            (_place(q.path, 0, q.topic),),
            tuple(_place(q.path, len(q.path), answer) for answer in sorted(q.answers)),
            True,
            tuple(
                AddedEdge(step, supported[edge])
                for edge in added[q.id]
                for step in _steps(q.path, edge, symmetric)
            ),
        )
        for q in questions
    ]
    return attribute(asked, graph, both_ways=False)


def _steps(path: tuple[str, ...], edge: Edge, symmetric: Collection[str]) -> Iterator[Edge]:
    for number, relation in enumerate(path):
        if relation == edge.relation:
            ends = [(edge.subject, edge.object)]
            if relation in symmetric:
                ends.append((edge.object, edge.subject))
            for subject, object_ in ends:
                yield Edge(
                    _place(path, number, subject), relation, _place(path, number + 1, object_)
                )


def _place(path: tuple[str, ...], step: int, entity: str) -> str:
    return f"{'/'.join(path)} {step} {entity}"
