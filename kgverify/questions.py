"""Questions as users write them: JSON lines in, resolved requests out, every mistake reported."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from kgverify import strict_json
from kgverify.errors import Problem, Span, article, did_you_mean
from kgverify.graph.terms import display, value_key
from kgverify.language.rulebook import DATATYPES
from kgverify.reasoning.deciding import Request
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.program import Template
from kgverify.vocabulary import Candidate, Question

_FIELDS = ("id", "question", "text", "arguments", "candidates")


def read_questions(
    lines: Iterable[bytes], file: str
) -> Iterator[tuple[Span, Question | None, list[Problem]]]:
    """The questions of a JSON Lines text; a line that can't be read gives its problems instead.

    Empty lines are skipped; a byte order mark and CRLF line ends don't matter."""
    for number, line in enumerate(lines, 1):
        span = Span(file, number)
        if number == 1 and line.startswith(b"\xef\xbb\xbf"):
            line = line[3:]
        if not line.strip():
            continue
        try:
            value = strict_json.loads(line.decode("utf-8").rstrip("\r\n"))
        except UnicodeDecodeError:
            yield span, None, [Problem("not-utf8", "the line is not UTF-8 text", span)]
            continue
        except strict_json.NotJson as error:
            yield span, None, [_malformed(error, span)]
            continue
        question, problems = _question(value, span)
        yield span, question, problems


def _malformed(error: strict_json.NotJson, span: Span) -> Problem:
    place = Span(span.file, span.line, error.column, error.column + 1) if error.column else span
    message = f"not a JSON object: {error.message}"
    return Problem("malformed-json", message, place, "one question a line")


def _question(value: Any, span: Span) -> tuple[Question | None, list[Problem]]:
    """A question from its JSON value; every fault of the line at once."""
    problems: list[Problem] = []

    def fault(path: str, message: str, hint: str = "") -> None:
        place = f" @ ${path}" if path else ""
        problems.append(Problem("question-line", message + place, span, hint))

    if not isinstance(value, dict):
        fault("", "expected an object", '{"id": …, "question": …, "arguments": …, "candidates": …}')
        return None, problems
    if strict_json.has_halves(value):
        fault("", strict_json.HALF, "write it in full")
        return None, problems
    for key in value:
        if key not in _FIELDS:
            fault(f".{key}", f"unknown field `{key}`", did_you_mean(key, _FIELDS))
    id_ = value.get("id", f"line {span.line}")
    if isinstance(id_, bool) or not isinstance(id_, str | int):
        fault(".id", "expected a string")
    name, text = value.get("question", ""), value.get("text", "")
    if "text" in value:
        if not isinstance(text, str) or not text.strip():
            fault(".text", "expected a question in plain words")
        for key in ("question", "arguments"):
            if key in value:
                fault(f".{key}", f"a line with `text` has no `{key}`", "keep one of them")
    elif not isinstance(name, str) or not name:
        hint = "" if "question" in value else 'or "text" with the question in plain words'
        fault(".question", "expected the name of a question template", hint)
    arguments = value.get("arguments", {})
    if not isinstance(arguments, dict):
        fault(".arguments", "expected an object of arguments by parameter name")
        arguments = {}
    for key, argument in arguments.items():
        if not isinstance(argument, str | int | float):
            fault(f".arguments.{key}", "expected an entity or a value")
    candidates = []
    if not isinstance(value.get("candidates"), list):
        fault(".candidates", "expected a list of candidates")
    else:
        for place, item in enumerate(value["candidates"]):
            found = _candidate(item)
            if found is None:
                fault(
                    f".candidates[{place}]",
                    "expected an entity",
                    'write "entity" or {"entity": "…", "score": 0.9}; a score is finite',
                )
            else:
                candidates.append(found)
        if not value["candidates"]:
            fault(".candidates", "there are no candidates", "remove the line or add candidates")
    if problems:
        return None, problems
    return Question(str(id_), str(name), arguments, tuple(candidates), str(text)), []


def _candidate(item: Any) -> Candidate | None:
    if isinstance(item, str | int) and not isinstance(item, bool) and str(item):
        return Candidate(str(item))
    if not isinstance(item, dict) or not set(item) <= {"entity", "score"}:
        return None
    entity, score = item.get("entity"), item.get("score")
    if isinstance(entity, bool) or not isinstance(entity, str | int) or not str(entity):
        return None
    if score is None:
        return Candidate(str(entity))
    if not _is_score(score):
        return None
    return Candidate(str(entity), float(score))


def resolve(
    question: Question, span: Span, knowledge: Knowledge, templates: dict[str, Template]
) -> tuple[Request | None, tuple[Candidate, ...], list[Problem]]:
    """The question's terms as ids, and its candidates in the order of the request's, each once.

    The request is None when there is an error among the problems."""
    template = templates.get(question.question)
    if template is None and question.text:
        message = "the question is in plain words, which must be read first"
        return None, (), [Problem("unread-question", message, span, "see `kgverify.read_texts`")]
    if template is None:
        hint = did_you_mean(question.question, templates)
        message = f"unknown question `{question.question}`"
        return None, (), [Problem("unknown-question", message, span, hint)]
    faults = _faults(question, span)
    if faults:
        return None, (), faults
    problems = _names(question, template, span)
    arguments = []
    if not problems:
        for parameter in template.question.parameters:
            given = question.arguments[parameter.name.text]
            id_, found = _argument(given, parameter.name.text, parameter.type.text, span, knowledge)
            arguments.append(id_)
            problems += found
    ids, ambiguous = knowledge.resolve([c.entity for c in question.candidates])
    for place, choices in ambiguous:
        fitting = _of_class(choices, template.question.answer_class.text, knowledge)
        if len(fitting) == 1:
            ids[place] = fitting[0]
        else:
            problems.append(_ambiguous(question.candidates[place].entity, choices, span, knowledge))
    ones = knowledge.identity.of(np.array(ids, np.int64)).tolist()
    first: dict[int, tuple[int, Candidate]] = {}
    for one, id_, candidate in zip(ones, ids, question.candidates, strict=True):
        earlier, kept = first.setdefault(one, (id_, candidate))
        if kept is not candidate:
            problems.append(_repeated(candidate, id_, earlier, span, knowledge))
    if any(problem.is_error for problem in problems):
        return None, (), problems
    times = {
        name: display(knowledge.key(id_))
        for name, id_ in zip(template.parameters, arguments, strict=True)
        if f"?{name}" in template.moments
    }
    request = Request(
        template.bound(times),
        tuple(map(knowledge.identity.one, arguments)),
        tuple(first),
        tuple(arguments),
        tuple(id_ for id_, _ in first.values()),
    )
    return request, tuple(candidate for _, candidate in first.values()), problems


def _repeated(
    candidate: Candidate, id_: int, earlier: int, span: Span, knowledge: Knowledge
) -> Problem:
    message = f"candidate `{candidate.entity}` is listed twice; it gets one verdict"
    if id_ != earlier:
        other = knowledge.name(earlier)
        message = f"candidate `{candidate.entity}` is the same as `{other}`; they get one verdict"
    return Problem("repeated-candidate", message, span, severity="warning")


def _faults(question: Question, span: Span) -> list[Problem]:
    """What is wrong with a question that a program has made: what would be in a line of a file."""
    given = question.arguments
    arguments = given.values() if isinstance(given, dict) else [None]
    if (
        all(isinstance(argument, str | int | float) for argument in arguments)
        and all(
            isinstance(c, Candidate) and isinstance(c.entity, str) and _is_score(c.score)
            for c in question.candidates
        )
        and "".join([*map(str, arguments), *(c.entity for c in question.candidates)]).isprintable()
    ):
        return []
    # Unlike a line of a file, a program may ask about nobody.
    candidates: list[Any] = [
        {"entity": c.entity, "score": c.score} if isinstance(c, Candidate) else {"not": c}
        for c in question.candidates
    ]
    value = {
        "id": question.id,
        "question": question.question,
        "arguments": given,
        "candidates": candidates or ["none"],
    }
    return _question(value, span)[1]


def _is_score(score: Any) -> bool:
    """Is it a number, finite and not beyond any float, or none at all?"""
    return score is None or (
        isinstance(score, int | float)
        and not isinstance(score, bool)
        and abs(score) <= sys.float_info.max
    )


def _names(question: Question, template: Template, span: Span) -> list[Problem]:
    known = template.parameters
    problems = []
    for name in question.arguments:
        if name not in known:
            hint = did_you_mean(name, known) or _signature(template)
            problems.append(
                Problem(
                    "extra-argument", f"`{template.name}` has no parameter `{name}`", span, hint
                )
            )
    for name in known:
        if name not in question.arguments:
            problems.append(
                Problem(
                    "missing-argument", f"argument `{name}` is missing", span, _signature(template)
                )
            )
    return problems


def _signature(template: Template) -> str:
    inner = ", ".join(f"{p.name}: {p.type}" for p in template.question.parameters)
    return f"the question is {template.name}({inner})"


def _argument(
    given: Any, name: str, type_: str, span: Span, knowledge: Knowledge
) -> tuple[int, list[Problem]]:
    if type_ in DATATYPES:
        return _value(given, name, type_, span, knowledge)
    if isinstance(given, bool) or not str(given):
        return -1, [Problem("argument-type", f"argument `{name}` names no entity", span)]
    ids, ambiguous = knowledge.resolve([str(given)])
    if ambiguous:
        choices = ambiguous[0][1]
        fitting = _of_class(choices, type_, knowledge)
        if len(fitting) != 1:
            return ids[0], [_ambiguous(str(given), choices, span, knowledge)]
        ids = list(fitting)
    if knowledge.is_stranger(ids[0]):
        return ids[0], [
            Problem(
                "unresolved-argument",
                f"argument `{name}`: the graph has no entity `{given}`",
                span,
                "constraints about it stay unk; give an id or a label that the graph has",
                severity="warning",
            )
        ]
    wrong = _disjoint_class(ids[0], type_, knowledge)
    if wrong:
        message = (
            f"argument `{name}`: `{given}` is {article(wrong)}, but {article(type_)} belongs here"
        )
        return ids[0], [Problem("argument-type", message, span)]
    return ids[0], []


def _value(
    given: Any, name: str, type_: str, span: Span, knowledge: Knowledge
) -> tuple[int, list[Problem]]:
    text = str(given).lower() if isinstance(given, bool) else str(given)
    if type_ == "integer" and re.fullmatch(r"[+-]?\d+\.0+", text):
        text = text.partition(".")[0]
    key = value_key(text, type_)
    if key.startswith("lill ") or (isinstance(given, bool) and type_ != "boolean"):
        message = f"argument `{name}`: `{given}` is not a value of type {type_}"
        return -1, [Problem("argument-type", message, span)]
    return knowledge.term(key), []


def _of_class(choices: Sequence[int], cls: str, knowledge: Knowledge) -> list[int]:
    """Those of several entities with one label that are stated to be in the class wanted here."""
    return [entity for entity in choices if cls in knowledge.stated_classes(entity)]


def _disjoint_class(entity: int, wanted: str, knowledge: Knowledge) -> str:
    """A stated class of the entity that shares no member with the wanted one, "" if none."""
    names = knowledge.stated_classes(entity)
    if wanted in names:
        return ""
    return next((n for n in sorted(names) if knowledge.book.are_disjoint(n, wanted)), "")


def _ambiguous(text: str, choices: Sequence[int], span: Span, knowledge: Knowledge) -> Problem:
    names = ", ".join(f"`{knowledge.name(id)}`" for id in choices[:10])
    more = f" and {len(choices) - 10} more" if len(choices) > 10 else ""
    return Problem(
        "ambiguous-entity",
        f"`{text}` is the label of {len(choices)} entities: {names}{more}",
        span,
        "give the id",
    )
