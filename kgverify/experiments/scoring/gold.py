"""The right answers: a question a record, with its answers, aliases, hard answer and rule type.

Read are the fields `id` (or `ID`, `qid`, `question_id`, `QuestionId`), `question` (the text),
`answers` (or `answer`, `gold`, `ground_truth`), `aliases` (an object from an answer to a list of
its other names), `hard` (one of the answers), and `rule_type` (or `type`).  Other fields are of
no concern.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kgverify.errors import Problem, Span, nearest
from kgverify.experiments.scoring.lines import Record, is_name, number_hint, records
from kgverify.experiments.scoring.lines import field as field_of
from kgverify.experiments.scoring.matching import normal_form

IDS = ("id", "ID", "qid", "question_id", "QuestionId")
TEXTS = ("question", "RawQuestion")
ANSWERS = ("answers", "answer", "gold", "ground_truth")
TYPES = ("rule_type", "type")


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with its right answers; `hard` is one of them, or None where none is marked."""

    id: str
    answers: tuple[str, ...]
    hard: str | None = None
    type: str = ""
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    text: str = ""
    span: Span | None = None

    @property
    def names(self) -> Iterator[str]:
        yield from self.answers
        for others in self.aliases.values():
            yield from others


def read_gold(path: Path) -> tuple[list[GoldQuestion], list[Problem]]:
    """The questions of a file, and everything that is wrong with it."""
    found, problems = records(path)
    return gold_of(found, problems)


def gold_of(
    found: Sequence[Record], problems: Sequence[Problem] = ()
) -> tuple[list[GoldQuestion], list[Problem]]:
    """The questions of records."""
    questions, faults = [], list(problems)
    for record in found:
        question, wrong = _question(record)
        faults += wrong
        if question is not None:
            questions.append(question)
    faults += repeated((id_of(record) or text_of(record), record.span) for record in found)
    if not found and not faults:
        faults.append(Problem("no-questions", "there is no question to score"))
    return questions, faults


def repeated(lines: Iterable[tuple[str, Span | None]]) -> list[Problem]:
    """A problem for each line, by its id and place, whose id an earlier one has."""
    first: dict[str, Span | None] = {}
    problems = []
    for id_, span in lines:
        if id_ and id_ in first:
            earlier = first[id_]
            notes = ((earlier, "the first"),) if earlier else ()
            message = f"the id `{id_}` is given twice"
            hint = "keep one of the lines"
            problems.append(Problem("repeated-id", message, span, hint, notes=notes))
        first.setdefault(id_, span)
    return problems


def id_of(record: Record) -> str | None:
    """A record's id as text, None where it has none that can be one."""
    name = field_of(record, IDS)
    value = record.fields.get(name)
    return str(value) if is_name(value) and str(value) else None


def text_of(record: Record) -> str:
    value = record.fields.get(field_of(record, TEXTS))
    return value if isinstance(value, str) else ""


def _question(record: Record) -> tuple[GoldQuestion | None, list[Problem]]:
    faults: list[Problem] = []

    def fault(code: str, message: str, hint: str = "") -> None:
        faults.append(record.problem(code, message, hint))

    text = text_of(record)
    id_ = id_of(record) or text
    if not id_:
        fault("gold-line", "there is no id and no question", f"give it one as `{IDS[0]}`")
    name = field_of(record, ANSWERS)
    answers = _names(record.fields.get(name))
    if not name:
        near = nearest(ANSWERS[0], record.fields)
        hint = f"rename `{near}` to `{ANSWERS[0]}`" if near else 'give "answers": […]'
        fault("gold-line", "there are no answers", hint)
    elif answers is None:
        hint = number_hint(record.fields[name]) or '["Paris", "Rome"]'
        fault("gold-line", f"expected a list of names @ $.{name}", hint)
    for answer in answers or ():
        if not normal_form(answer):
            fault("empty-answer", f"an answer is empty @ $.{name}", "remove it")
    hard = record.fields.get("hard")
    if hard is not None and not is_name(hard):
        fault("gold-line", "expected a name @ $.hard", number_hint(hard))
        hard = None
    if hard is not None and answers is not None:
        hard = str(hard)
        if normal_form(hard) not in map(normal_form, answers):
            message = f"the hard answer `{hard}` of `{id_}` is not among its answers"
            fault("hard-not-gold", message, "add it to the answers, or correct it")
    aliases, wrong = _aliases(record, answers or ())
    faults += wrong
    kind = record.fields.get(field_of(record, TYPES), "")
    if not isinstance(kind, str):
        fault("gold-line", "expected a text @ $.rule_type")
    if faults or answers is None:
        return None, faults
    return GoldQuestion(id_, answers, hard, kind, aliases, text, record.span), []


def _names(value: Any) -> tuple[str, ...] | None:
    """A list of names, or one alone; None for anything else."""
    if is_name(value):
        return (str(value),)
    if not isinstance(value, list) or not all(map(is_name, value)):
        return None
    return tuple(map(str, value))


def _aliases(
    record: Record, answers: Sequence[str]
) -> tuple[Mapping[str, tuple[str, ...]], list[Problem]]:
    """The other names of each answer.  One that would fit two answers is not clear."""
    given = record.fields.get("aliases", {})
    found: dict[str, tuple[str, ...]] = {}
    problems = []
    if not isinstance(given, dict):
        hint = '{"Barack Obama": ["Obama"]}'
        return found, [record.problem("gold-line", "expected an object @ $.aliases", hint)]
    forms = {normal_form(answer) for answer in answers} if given else set()
    owners: dict[str, str] = {}
    for answer, others in given.items():
        names = _names(others)
        if names is None or not all(map(normal_form, names)):
            message = f"expected a list of names @ $.aliases.{answer}"
            problems.append(record.problem("gold-line", message))
            continue
        if normal_form(answer) not in forms:
            message = f"aliases of `{answer}`, which is no answer"
            hint = "the key is one of the answers"
            problems.append(record.problem("alias-of-nothing", message, hint))
        found[answer] = names
        for name in names:
            form = normal_form(name)
            owner = owners.setdefault(form, normal_form(answer))
            if owner != normal_form(answer) and form not in forms:
                message = f"the alias `{name}` is that of two answers"
                hint = "leave it to one of them: it can't say which is meant"
                problems.append(record.problem("ambiguous-alias", message, hint))
    return MappingProxyType(found), problems
