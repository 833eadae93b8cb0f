"""JSON Lines, or a JSON list of objects, as records with the place of each."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgverify.errors import Problem, Span

ONE_EACH = "one JSON object a line"
Name = str | int | float


@dataclass(frozen=True, slots=True)
class Record:
    """One object; `where` says which of a list, "" for a line of its own."""

    fields: dict[str, Any]
    span: Span
    where: str = ""

    def problem(self, code: str, message: str, hint: str = "") -> Problem:
        return Problem(code, message + self.where, self.span, hint)


def records(path: Path) -> tuple[list[Record], list[Problem]]:
    """The objects of a file, gzipped or not, and what is wrong with its lines."""
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        return [], [Problem("missing-file", "there is no such file", Span(str(path)))]
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        return [], [Problem("unreadable-file", f"can't be read: {error}", Span(str(path)))]
    if text.lstrip().startswith("["):
        return _listed(text, str(path))
    found, problems = [], []
    for number, line in enumerate(re.split("\r\n|\n|\r", text), 1):
        if line.strip():
            span = Span(str(path), number)
            value, fault = _parsed(line, span, ONE_EACH)
            problems += fault
            if not fault and isinstance(value, dict):
                found.append(Record(value, span))
            elif not fault:
                problems.append(Problem("not-an-object", "expected an object", span, ONE_EACH))
    return found, problems


def _listed(text: str, file: str) -> tuple[list[Record], list[Problem]]:
    value, problems = _parsed(text, Span(file), "a list of objects, or one object a line")
    found = []
    for place, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, dict):
            found.append(Record(item, Span(file), f" @ $[{place}]"))
        else:
            message = f"expected an object @ $[{place}]"
            problems.append(Problem("not-an-object", message, Span(file)))
    return found, problems


def _parsed(text: str, span: Span, hint: str) -> tuple[Any, list[Problem]]:
    try:
        value = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_repetition)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        line = span.line or error.lineno
        place = Span(span.file, line, error.colno, error.colno + 1)
        return None, [Problem("malformed-json", f"not JSON: {error.msg}", place, hint)]
    except UnicodeEncodeError:
        message = "a text has half of a surrogate pair, which is no character"
        return None, [Problem("malformed-json", message, span, "write it in full")]
    except (ValueError, RecursionError) as error:
        return None, [Problem("malformed-json", f"not JSON: {error}", span, hint)]
    return value, []


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _no_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key `{next(k for k in keys if keys.count(k) > 1)}` is given twice")
    return found


def is_name(value: Any) -> bool:
    """Is it a text, or a number that stands for one (a private id)?"""
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def field(record: Record, names: Sequence[str]) -> str:
    """The first of these names that the record has, "" for none."""
    return next((name for name in names if name in record.fields), "")
