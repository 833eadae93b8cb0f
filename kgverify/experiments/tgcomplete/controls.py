"""The controls of the study, as values that are measured: edges that are generated or retrieved and
never judged, and the answers of a walk over the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgverify.completion.generating import Generated
from kgverify.completion.retrieving import Retrieved
from kgverify.completion.walking import Walker
from kgverify.errors import Problem
from kgverify.experiments.tgcomplete.records import Answered, PathQuestion, Proposed
from kgverify.language.rulebook import RuleBook


def generated_edges(found: Iterable[Generated]) -> tuple[Proposed, ...]:
    """All edges that were generated, all admitted, and none judged (GoG)."""
    return tuple(Proposed(edge, True) for one in found for edge in one.edges)


def retrieved_edges(found: Iterable[Retrieved]) -> tuple[Proposed, ...]:
    """The first candidate of each missing edge, admitted with the passages that name it."""
    return tuple(
        Proposed(one.edge, True, passages=one.naming) for one in found if one.edge is not None
    )


def walked_answers(
    questions: Sequence[PathQuestion], walker: Walker, book: RuleBook
) -> tuple[tuple[Answered, ...], tuple[Problem, ...]]:
    """What a walk answers to each question from its topic, of the class that its path leads to; and
    why, where the language model stopped.  Of the path nothing else is used."""
    answered, failures = [], []
    for question in questions:
        wanted = book.relations[question.path[-1]].range.text
        found = walker.walk(question.text, [question.topic], wanted)
        answered.append(Answered(question.id, found.answers))
        if found.failure is not None:
            failures.append(found.failure)
    return tuple(answered), tuple(failures)
