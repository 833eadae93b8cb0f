"""One hierarchy of errors, and how a problem is shown to a person.

A `Problem` is a value: what is wrong, where, why, and the repair.  Stages collect problems and
raise them together in one `KgverifyError`, so that a user sees all of them in one run.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text file.  Lines and columns count from 1, columns in characters;
    `end_column` is the first column after the place.  Column 0 means the whole line, line 0 the
    whole file."""

    file: str
    line: int = 0
    column: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with an input: `code` is stable and names the kind (`unknown-relation`),
    `message` says what, `span` where, `hint` the repair, and `notes` other places that matter.
    `subject` is the name that the problem is about, where programs ask for it."""

    code: str
    message: str
    span: Span | None = None
    hint: str = ""
    severity: str = "error"
    notes: tuple[tuple[Span, str], ...] = ()
    subject: str = ""

    @property
    def is_error(self) -> bool:
        return self.severity == "error"

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.severity}[{self.code}]: {self.message}{hint}"


class KgverifyError(Exception):
    """Base of every error that kgverify raises on purpose; holds all problems that were found."""

    exit_code = 2

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        found = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.problems: tuple[Problem, ...] = found
        super().__init__("\n".join(str(problem) for problem in found))


class GraphError(KgverifyError):
    """A graph file or store can't be read or written."""


class RuleError(KgverifyError):
    """A rule file doesn't parse or doesn't pass its checks."""


class QuestionError(KgverifyError):
    """A question line, an argument or a candidate is wrong."""


class ModelError(KgverifyError):
    """A language model can't be asked, or what it answers is no answer of its interface; `raw` is
    what it answered, "" if nothing."""

    def __init__(self, problems: Problem | Iterable[Problem], raw: str = "") -> None:
        super().__init__(problems)
        self.raw = raw


class EvidenceError(KgverifyError):
    """A corpus can't be read, written or searched, or a model that reads it can't be used."""


class EngineError(KgverifyError):
    """The solver failed, or broke a promise; no verdict is given."""


class LimitReached(KgverifyError):
    """A limit on time, memory or size was reached."""

    exit_code = 3


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that looks most like `name`, or None when nothing looks alike.

    Names that differ only in case come first."""
    pool = [other for other in known if other != name]
    for other in pool:
        if other.casefold() == name.casefold():
            return other
    close = difflib.get_close_matches(name, pool, n=1, cutoff=0.6)
    return close[0] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known name; empty when nothing looks alike."""
    near = nearest(name, known)
    if near is None:
        return ""
    case = " (the case differs)" if near.casefold() == name.casefold() else ""
    return f"did you mean `{near}`?{case}"


def missing_file(path: Path) -> Problem:
    """A file that is not there, with the nearest name that is."""
    there = path.parent.is_dir()
    names = [other.name for other in path.parent.iterdir()] if there else []
    message = "there is no such file" if there else "there is no such folder"
    return Problem("missing-file", message, Span(str(path)), did_you_mean(path.name, names))


def printable(text: str) -> str:
    """The text with control characters spelled out, so that a name can't drive a terminal."""
    return "".join(
        c if c.isprintable() or c == " " else c.encode("unicode_escape").decode() for c in text
    )


def article(noun: str) -> str:
    """The noun with its indefinite article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def in_words(name: str) -> str:
    """A name taken apart: `SideEffect` is `Side Effect`, and `side_effect` is `side effect`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).strip()


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where it belongs."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def render(problems: Sequence[Problem], sources: dict[str, str] | None = None) -> str:
    """The problems as text for people: place, message, the quoted line with a caret, and the hint.

    `sources` maps a file's name to its text; without it the lines are not quoted."""
    return "\n".join(_render_one(problem, sources or {}) for problem in problems)


def _render_one(problem: Problem, sources: dict[str, str]) -> str:
    place = f"{problem.span}: " if problem.span else ""
    lines = [f"{place}{problem.severity}: {printable(problem.message)} [{problem.code}]"]
    if problem.span and problem.span.line and problem.span.file in sources:
        text = sources[problem.span.file].splitlines()
        if problem.span.line <= len(text):
            quoted = text[problem.span.line - 1]
            lines.append(f"    {printable(quoted.expandtabs(1))}")
            if problem.span.column:
                width = max(1, problem.span.end_column - problem.span.column)
                lines.append("    " + " " * (problem.span.column - 1) + "^" * width)
    if problem.hint:
        lines.append(f"    help: {printable(problem.hint)}")
    lines += [f"    note: {span}: {printable(text)}" for span, text in problem.notes]
    return "\n".join(lines)
