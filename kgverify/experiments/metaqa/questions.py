"""The question files of MetaQA: a question with its topic in brackets, answers, and a type.

A line is `question<TAB>answer|answer…[<TAB>type]`; the type, such as
`actor_to_movie_to_director`, is only used to say which questions go how well.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from kgverify.errors import GraphError, Problem, Span, missing_file

_UNTYPED = "untyped"


@dataclass(frozen=True, slots=True)
class MetaQuestion:
    """A question as the file has it; `topic` is what its brackets hold, "" where there are none."""

    text: str
    topic: str
    gold: frozenset[str]
    type: str


def read(path: Path) -> list[MetaQuestion]:
    """All questions of a file, gzipped or not.  Raises GraphError with every bad line."""
    try:
        with _opened(path) as lines:
            return list(_questions(lines, path))
    except FileNotFoundError as error:
        raise GraphError(missing_file(path)) from error
    except (OSError, EOFError, UnicodeDecodeError) as error:
        problem = Problem("unreadable-file", f"can't be read: {error}", Span(str(path)))
        raise GraphError(problem) from error


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _questions(lines: Iterable[str], path: Path) -> Iterator[MetaQuestion]:
    problems = []
    for number, line in enumerate(lines, 1):
        columns = line.rstrip("\r\n").split("\t")
        if columns == [""]:
            continue
        if len(columns) not in (2, 3) or not all(columns[:2]):
            message = "expected a question, a tab, and its answers with | between them"
            problems.append(Problem("question-line", message, Span(str(path), number)))
            continue
        found = re.search(r"\[([^\[\]]+)\]", columns[0])
        yield MetaQuestion(
            columns[0],
            found[1] if found else "",
            frozenset(columns[1].split("|")),
            columns[2] if len(columns) == 3 else _UNTYPED,
        )
    if problems:
        raise GraphError(problems)
