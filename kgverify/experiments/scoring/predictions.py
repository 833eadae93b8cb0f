"""Predictions as systems write them.

A line is recognised by its fields.  Its question is named by an id (the fields of gold) or by the
question's text.  Its answers are in one of

- `prediction`, `predictions`, `predicted`, `pred`: a list, which is taken as it is, or a text,
  which is divided (plain lines; RoG, GNN-RAG and GoG, with `ground_truth`, `answer` and more
  beside it);
- `results`: ToG's text, whose answers are in braces, a `{Yes}` or `{No}` before them aside;
  without braces, the text itself;
- `cand`: the candidates of GNN-RAG's graph network, each `[entity, probability]`, best first.

None (null) is a prediction of nothing.  A whole number is the name that it is written as; any
other number is refused, for it doesn't say how it was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgverify.errors import Problem, Span, nearest
from kgverify.experiments.scoring.gold import ANSWERS, id_of, repeated, text_of
from kgverify.experiments.scoring.lines import Record, field, is_name, number_hint, records
from kgverify.experiments.scoring.matching import Known, split

PLAIN = ("prediction", "predictions", "predicted", "pred")
TOG, GNN = "results", "cand"
FIELDS = (*PLAIN, TOG, GNN)


@dataclass(frozen=True, slots=True)
class Prediction:
    """The answers to one question, in order and as they were written; without an id, the question
    is known by its `text`."""

    id: str
    answers: tuple[str, ...]
    text: str = ""
    span: Span | None = None


def read_predictions(
    path: Path, known: Known, answers_in: str = ""
) -> tuple[list[Prediction], list[Problem]]:
    """The predictions of a file, and everything that is wrong with it.

    `answers_in` names the field with the answers, where a line has several that could be."""
    found, problems = records(path)
    return predictions_of(found, known, answers_in, problems)


def predictions_of(
    found: Sequence[Record], known: Known, answers_in: str = "", problems: Sequence[Problem] = ()
) -> tuple[list[Prediction], list[Problem]]:
    """The predictions of records."""
    predictions, faults = [], list(problems)
    names = (answers_in,) if answers_in else FIELDS
    if len(found) > 1 and not any(field(record, names) for record in found):
        return [], [*faults, _no_predictions(found, names)]
    for record in found:
        id_, text = id_of(record) or "", text_of(record)
        if not id_ and not text:
            message = "there is no id and no question"
            faults.append(record.problem("prediction-line", message, 'give it one as "id"'))
        answers, fault = _answers(record, known, answers_in)
        if fault is not None:
            faults.append(fault)
        elif id_ or text:
            predictions.append(Prediction(id_, answers, text, record.span))
    faults += repeated((id_of(record) or "", record.span) for record in found)
    return predictions, faults


def _no_predictions(found: Sequence[Record], names: Sequence[str]) -> Problem:
    """A file that is none of predictions is told once."""
    hint = f"their answers belong in `{names[0]}`"
    if field(found[0], ANSWERS):
        hint = "these are right answers: name the file of predictions, and this one as --gold"
    message = f"none of the {len(found):,} lines has a prediction"
    return Problem("prediction-line", message, Span(found[0].span.file), hint)


def _answers(
    record: Record, known: Known, answers_in: str
) -> tuple[tuple[str, ...], Problem | None]:
    names = (answers_in,) if answers_in else FIELDS
    present = [name for name in names if name in record.fields]
    if not present:
        wanted = names[0]
        near = nearest(wanted, record.fields)
        hint = f"rename `{near}` to `{wanted}`" if near else f"its answers belong in `{wanted}`"
        return (), record.problem("prediction-line", "there is no prediction", hint)
    if len(present) > 1:
        both = " and ".join(f"`{name}`" for name in present)
        hint = f"name the one with the answers: --answers-in {present[0]}"
        return (), record.problem("several-predictions", f"both {both} could be it", hint)
    (name,) = present
    read = {TOG: _in_braces, GNN: _candidates}.get(name, _plain)
    answers = read(record.fields[name], known)
    if answers is None:
        form = "[[entity, probability], …]" if name == GNN else "a list of names, a text, or null"
        message = f"expected {form} @ $.{name}"
        return (), record.problem("prediction-line", message, number_hint(record.fields[name]))
    return answers, None


def _plain(value: Any, known: Known) -> tuple[str, ...] | None:
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(split(value, known))
    if is_name(value):
        return (str(value),)
    if isinstance(value, list) and all(is_name(item) for item in value):
        return tuple(map(str, value))
    return None


def _in_braces(value: Any, known: Known) -> tuple[str, ...] | None:
    found = re.findall(r"\{([^{}]*)\}", value) if isinstance(value, str) else []
    if len(found) > 1 and found[0].strip().lower() in ("yes", "no"):
        found = found[1:]
    if not found:
        return _plain(value, known)
    return tuple(answer for text in found for answer in split(text, known))


def _candidates(value: Any, known: Known) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    pairs = [item if isinstance(item, list) else [item] for item in value]
    if not all(1 <= len(pair) <= 2 and is_name(pair[0]) for pair in pairs):
        return None
    return tuple(str(pair[0]) for pair in pairs)
