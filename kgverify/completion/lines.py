"""Lines of JSON that name a missing edge, read strictly, with the place of what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kgverify import strict_json
from kgverify.errors import Problem, QuestionError, Span, did_you_mean
from kgverify.evidence.queries import named_entity
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook


def line_object(
    line: bytes, span: Span, what: str, code: str, shape: str, fields: Sequence[str]
) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The object of a line, which may have these fields only, and what is wrong with it; None
    where it is no object at all."""
    try:
        value = strict_json.loads(line.decode(_encoding(span)))
    except UnicodeDecodeError:
        return None, [Problem("not-utf8", "the line is not UTF-8", span)]
    except strict_json.NotJson as error:
        return None, [Problem("not-json", error.message, replace(span, column=error.column))]
    if not isinstance(value, dict) or strict_json.has_halves(value):
        return None, [Problem(code, f"the line is no {what}", span, f"write {shape}")]
    problems = []
    for key in value:
        if key not in fields:
            hint = did_you_mean(key, fields) or f"write {shape}"
            problems.append(
                Problem(code, f"there is no field `{key}`", place_of(line, key, span), hint)
            )
    return value, problems


def place_of(line: bytes, field: str, span: Span) -> Span:
    """Where a line writes a field; the line, if it does not, or not in plain letters."""
    written = re.escape(json.dumps(field, ensure_ascii=False))
    text = line.decode(_encoding(span), "replace")
    found = re.search(rf"{written}\s*:", text)
    return replace(span, column=found.start() + 1) if found else span


def _encoding(span: Span) -> str:
    """The first line of a file may begin with a mark that says it is UTF-8."""
    return "utf-8-sig" if span.line == 1 else "utf-8"


def is_text(value: object) -> bool:
    """Is it a text that says something?"""
    return isinstance(value, str) and bool(value.strip())


def missing_in(
    value: Mapping[str, Any], line: bytes, span: Span, graph: Graph, book: RuleBook
) -> tuple[int | None, str | None, list[Problem]]:
    """The subject and the relation of a line, as far as they are texts, and what is wrong with
    them: names that nobody has, with the nearest."""
    problems: list[Problem] = []
    subject = relation = None
    if is_text(value.get("subject")):
        place = place_of(line, "subject", span)
        try:
            subject = named_entity(graph, book, value["subject"])
        except QuestionError as error:
            problems += [replace(problem, span=place) for problem in error.problems]
        if subject is not None and graph.key(subject)[:1] != "e":
            message = f"`{value['subject']}` is a blank node, without an id"
            problems.append(Problem("blank-subject", message, place))
            subject = None
    if is_text(value.get("relation")):
        relation = value["relation"]
        wrong = _relation_problem(relation, place_of(line, "relation", span), book)
        if wrong is not None:
            problems.append(wrong)
            relation = None
    return subject, relation, problems


def _relation_problem(relation: str, span: Span, book: RuleBook) -> Problem | None:
    if relation not in book.relations:
        hint = did_you_mean(relation, book.relations)
        message = f"the rule file has no relation `{relation}`"
        return Problem("unknown-relation", message, span, hint)
    if book.is_literal(relation):
        message = f"the objects of `{relation}` are values; only entities are searched for"
        return Problem("literal-relation", message, span)
    return None
