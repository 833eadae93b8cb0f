"""Problems of rule files for programs: as one JSON document, and what other formats share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kgverify.errors import Problem, Span
from kgverify.language.suites import Suite


def checked_document(suites: Iterable[Suite | None], problems: Sequence[Problem]) -> dict[str, Any]:
    """What was found in rule files: each file with what it holds, and all problems in order."""
    errors = sum(problem.is_error for problem in problems)
    return {
        "files": [held for suite in suites if suite for held in _files(suite)],
        "errors": errors,
        "warnings": len(problems) - errors,
        "problems": [problem_object(problem) for problem in problems],
    }


def _files(suite: Suite) -> Iterable[dict[str, Any]]:
    book = suite.book
    yield {
        "file": book.path,
        "classes": len(book.classes),
        "relations": len(book.relations),
        "rules": len(book.rules),
        "soft_rules": len(book.soft),
        "questions": len(book.questions),
        "tests": len(book.tests),
    }
    for path, tests in suite.parts.items():
        if path != book.path:
            yield {"file": path, "tests": len(tests.tests)}


def problem_object(problem: Problem) -> dict[str, Any]:
    """A problem as a JSON object."""
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        **(place_object(problem.span) if problem.span else {}),
        "hint": problem.hint,
        "notes": [{**place_object(span), "message": text} for span, text in problem.notes],
    }


def place_object(span: Span) -> dict[str, Any]:
    """A place as parts of a JSON object; lines and columns as in `Span`, and left out where there
    are none."""
    found: dict[str, Any] = {"file": span.file}
    if span.line:
        found["line"] = span.line
    if span.column:
        found["column"] = span.column
    if span.end_column:
        found["end_column"] = span.end_column
    return found
