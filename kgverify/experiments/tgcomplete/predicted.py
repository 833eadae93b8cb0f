"""Answers of systems that ran elsewhere, such as a language model alone or with passages, from
their files of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kgverify.completion.linking import Linker, Unlinked
from kgverify.errors import EvidenceError, Problem, Span
from kgverify.experiments.scoring.gold import GoldQuestion
from kgverify.experiments.scoring.matching import Known
from kgverify.experiments.scoring.predictions import read_predictions
from kgverify.experiments.scoring.scoring import by_question
from kgverify.experiments.tgcomplete.records import Answered, PathQuestion
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import Knowledge


def read_answers(
    path: Path,
    questions: Sequence[PathQuestion],
    graph: Graph,
    book: RuleBook,
    answers_in: str = "",
) -> tuple[tuple[Answered, ...], tuple[Problem, ...]]:
    """What the file answers to each question, and warnings of questions that it lacks: these are
    answered with nothing.

    An answer is the entity of the right class with that name, or else the text as it is: it stays
    in its rank, and is wrong.  `answers_in` names the field with the answers, where a line has
    several that could be.  Raises EvidenceError with everything that is wrong with the file, a
    question that nobody asked included."""
    asked = [GoldQuestion(question.id, (), text=question.text) for question in questions]
    known = Known.of(name for _, name in graph.names())
    predictions, problems = read_predictions(path, known, answers_in)
    given, more = by_question(predictions, asked)
    if problems or more:
        raise EvidenceError([*problems, *more])
    linker = Linker(Knowledge(graph, book))
    answered, warnings = [], []
    for question in questions:
        if question.id not in given:
            message = f"there is no prediction for `{question.id}`"
            warnings.append(Problem("no-prediction", message, Span(str(path)), severity="warning"))
        names = given.get(question.id, ())
        ids = dict.fromkeys(_linked(name, question, linker) for name in names)
        answered.append(Answered(question.id, tuple(ids)))
    return tuple(answered), tuple(warnings)


def _linked(name: str, question: PathQuestion, linker: Linker) -> str:
    found = linker.entity(name, question.path[-1])
    return name if isinstance(found, Unlinked) else linker.id(found)
