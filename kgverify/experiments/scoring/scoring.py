"""Predictions, right answers, and the score; every mistake of all files is told at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from kgverify.errors import GraphError, KgverifyError, Problem, Span, counted, did_you_mean
from kgverify.experiments.scoring.gold import GoldQuestion, gold_of, read_gold, repeated
from kgverify.experiments.scoring.lines import opened, records
from kgverify.experiments.scoring.matching import Articles, Known
from kgverify.experiments.scoring.measuring import (
    PERMISSIVE,
    Measures,
    Outcome,
    by_type,
    denied,
    measures,
    permissive,
    strict,
    with_marks,
)
from kgverify.experiments.scoring.predictions import Prediction, read_predictions

_LISTED = 10


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one file.

    `outcomes` and `strict` are by strict matching, with aliases; `without_aliases` is None where
    gold has none.  The ids in `missing` have no prediction (which counts as an empty one), those in
    `without_gold` no right answer (and are left out).  `joined`: the questions in which only the
    loss of an article within a name makes names equal, `unmarked`: in which only the loss of
    punctuation or of a sign does (1.5 and 15, C++ and C#); `denied`: those in which a prediction
    holds a right answer beside a word of negation."""

    name: str
    outcomes: tuple[Outcome, ...]
    strict: Measures
    without_aliases: Measures | None
    permissive: Mapping[str, Measures]
    by_type: Mapping[str, Measures]
    missing: tuple[str, ...]
    without_gold: tuple[str, ...]
    joined: tuple[str, ...]
    unmarked: tuple[str, ...]
    denied: tuple[str, ...]


def score_files(
    files: Sequence[Path],
    gold: Path | None = None,
    articles: Articles = "all",
    names: Path | None = None,
    answers_in: str = "",
) -> list[Score]:
    """The score of each file.  Without gold, the right answers are those in the file itself.

    Raises KgverifyError with all that is wrong with any of the files."""
    questions, problems = read_gold(gold) if gold else gold_of(*records(files[0]))
    known_names, faults = _listed(names)
    gold_is_sound = not problems
    problems += faults
    known = Known.of([*(name for q in questions for name in q.names), *known_names])
    scores = []
    for file in files:
        predictions, faults = read_predictions(file, known, answers_in)
        problems += [p for p in faults if p not in problems]
        # Where gold is not as it should be, a question that it lacks is no mistake of its own.
        answered, faults = by_question(predictions, questions)
        problems += faults if gold_is_sound else []
        scores.append((file, answered))
    if problems:
        raise KgverifyError(problems)
    return [score(questions, answered, str(file), articles) for file, answered in scores]


def score(
    questions: Sequence[GoldQuestion],
    answered: Mapping[str, Sequence[str]],
    name: str = "",
    articles: Articles = "all",
) -> Score:
    """The score of predicted answers by the id of their question."""
    asked = [q for q in questions if q.answers]
    pairs = [(q, answered.get(q.id, ())) for q in asked]
    ways: tuple[Articles, ...] = get_args(Articles)
    by_articles = {way: [strict(q, given, way) for q, given in pairs] for way in ways}
    outcomes = tuple(by_articles[articles])
    plain = None
    if any(q.aliases for q in asked):
        plain = measures([strict(q, given, articles, aliases=False) for q, given in pairs])
    return Score(
        name=name,
        outcomes=outcomes,
        strict=measures(outcomes),
        without_aliases=plain,
        permissive={
            kind: measures([permissive(q, given, finder) for q, given in pairs])
            for kind, finder in PERMISSIVE.items()
        },
        by_type=by_type(outcomes),
        missing=tuple(q.id for q in asked if q.id not in answered),
        without_gold=tuple(q.id for q in questions if not q.answers),
        joined=tuple(
            q.id
            for q, *found in zip(asked, *by_articles.values(), strict=True)
            if len({*found}) > 1
        ),
        unmarked=tuple(
            q.id
            for (q, given), as_usual in zip(pairs, by_articles["all"], strict=True)
            if with_marks(q, given) != as_usual
        ),
        denied=tuple(q.id for q, given in pairs if denied(q, given)),
    )


def by_question(
    predictions: Iterable[Prediction], questions: Sequence[GoldQuestion]
) -> tuple[dict[str, tuple[str, ...]], list[Problem]]:
    """The predicted answers by the id of their question, which an id or a text names."""
    ids = {q.id for q in questions}
    texts = defaultdict(list)
    for question in questions:
        texts[_plain(question.text)].append(question.id)
    found: list[Prediction] = []
    unknown: list[Prediction] = []
    problems = []
    for p in predictions:
        fitting = texts[_plain(p.text)] if p.text else []
        if p.id in ids:
            found.append(p)
        elif len(fitting) == 1 and (not p.id or fitting[0] == p.text):
            found.append(Prediction(fitting[0], p.answers, p.text, p.span))
        elif len(fitting) > 1 and not p.id:
            message = f"{counted(len(fitting), 'question')} of gold have this text"
            problems.append(Problem("ambiguous-question", message, p.span, "give the id"))
        else:
            unknown.append(p)
    for p in unknown[:_LISTED]:
        name = p.id or p.text
        message = f"gold has no question `{name}`"
        hint = did_you_mean(name, ids) or "remove the line, or name the right file of gold"
        problems.append(Problem("unknown-question", message, p.span, hint))
    if len(unknown) > _LISTED:
        message = f"gold lacks {counted(len(unknown) - _LISTED, 'more question')} of the file"
        file = Span(unknown[0].span.file) if unknown[0].span else None
        problems.append(Problem("unknown-question", message, file))
    # Two lines that name one id were told when they were read: here, one by its text is told.
    if not problems:
        problems += repeated((p.id, p.span) for p in found)
    return {p.id: p.answers for p in found}, problems


def _plain(text: str) -> str:
    return " ".join(text.split())


def _listed(path: Path | None) -> tuple[list[str], list[Problem]]:
    """The names of a file, one a line."""
    if path is None:
        return [], []
    try:
        with opened(path) as source:
            return source.text().split("\n"), []
    except GraphError as error:
        return [], list(error.problems)
