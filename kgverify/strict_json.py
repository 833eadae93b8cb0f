"""JSON as its standard has it: no NaN, no key that is given twice, no half of a character."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

HALF = "a text has half of a surrogate pair, which is no character"


class NotJson(ValueError):
    """Why a text is no JSON, and where it was seen; line and column are 0 where nobody knows."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


def loads(text: str, number: Callable[[str], Any] | None = None) -> Any:
    """The value of a JSON text; `number` makes numbers of what is written.  Raises NotJson.  A text
    in it may still have half of a surrogate pair, which JSON can write: `has_halves` says so."""
    try:
        return json.loads(
            text,
            parse_int=number,
            parse_float=number,
            parse_constant=_no_constant,
            object_pairs_hook=_no_repetition,
        )
    except json.JSONDecodeError as error:
        raise NotJson(error.msg, error.lineno, error.colno) from error
    except RecursionError as error:
        raise NotJson("it is nested too deeply") from error
    except ValueError as error:
        raise NotJson(str(error)) from error


def has_halves(value: Any) -> bool:
    """Does any text in a value have half of a surrogate pair?"""
    return bool(re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False, default=str)))


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _no_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key `{next(k for k in keys if keys.count(k) > 1)}` is given twice")
    return found
