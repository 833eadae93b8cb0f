"""JSON Lines, or a JSON list of objects, as records with the place of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgverify import strict_json
from kgverify.errors import GraphError, Problem, Span
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.rejects import Rejects

ONE_EACH = "one JSON object a line"
_MOST_BYTES = 4 << 30


@dataclass(frozen=True, slots=True)
class Record:
    """One object; `where` says which of a list, "" for a line of its own."""

    fields: dict[str, Any]
    span: Span
    where: str = ""

    def problem(self, code: str, message: str, hint: str = "") -> Problem:
        return Problem(code, message + self.where, self.span, hint)


def opened(path: Path) -> SourceFile:
    """A file to read, packed or not.  Raises GraphError."""
    return SourceFile(path, _MOST_BYTES, lambda _: None)


def records(path: Path) -> tuple[list[Record], list[Problem]]:
    """The objects of a file, gzipped or not, and what is wrong with its lines."""
    rejects = Rejects("skip")
    try:
        with opened(path) as source:
            if source.head().lstrip().startswith(b"["):
                found = _listed(source, rejects)
            else:
                found = _each(source, rejects)
    except GraphError as error:
        return [], [*rejects.problems, *error.problems]
    return found, rejects.problems


def _each(source: SourceFile, rejects: Rejects) -> list[Record]:
    found = []
    for number, line in source.lines(rejects):
        if line.strip():
            value = _parsed(line, source.span(number), ONE_EACH, rejects)
            if isinstance(value, dict):
                found.append(Record(value, source.span(number)))
            elif value is not _NOTHING:
                rejects.add("not-an-object", "expected an object", source.span(number), ONE_EACH)
    return found


def _listed(source: SourceFile, rejects: Rejects) -> list[Record]:
    hint = "a list of objects, or one object a line"
    value = _parsed(source.text(), source.span(), hint, rejects)
    found = []
    for place, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, dict):
            found.append(Record(item, source.span(), f" @ $[{place}]"))
        else:
            rejects.add("not-an-object", f"expected an object @ $[{place}]", source.span())
    return found


_NOTHING = object()  # what is no JSON has no value


def _parsed(text: str, span: Span, hint: str, rejects: Rejects) -> Any:
    """The value of a text; `_NOTHING` where that is no JSON, which is told."""
    try:
        value = strict_json.loads(text)
    except strict_json.NotJson as error:
        place = span
        if error.column:
            line = span.line or error.line
            place = Span(span.file, line, error.column, error.column + 1)
        rejects.add("malformed-json", f"not JSON: {error.message}", place, hint)
        return _NOTHING
    if strict_json.has_halves(value):
        rejects.add("malformed-json", strict_json.HALF, span, "write it in full")
        return _NOTHING
    return value


def is_name(value: Any) -> bool:
    """Is it a text, or a whole number that stands for one (a private id)?  Other numbers do not
    say how they were written: 1.50 and 1.5 are one number and two names."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def number_hint(value: Any) -> str:
    """What to do about a number that is no name, alone or in a list."""
    values = value if isinstance(value, list) else [value]
    inner = [item for v in values for item in (v if isinstance(v, list) else [v])[:1]]
    found = next((item for item in inner if isinstance(item, float)), None)
    return "" if found is None else f'a number that is no whole one is written as a text: "{found}"'


def field(record: Record, names: Sequence[str]) -> str:
    """The first of these names that the record has, "" for none."""
    return next((name for name in names if name in record.fields), "")
