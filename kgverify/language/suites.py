"""Rule files with their tests: the test blocks of a file, and those of the file beside it.

`NAME_test.kgr` beside `NAME.kgr` holds test blocks, and prefixes for them, and speaks of what
`NAME.kgr` declares.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from kgverify.errors import KgverifyError, Problem, RuleError, Span
from kgverify.language import syntax as s
from kgverify.language.checks import CHECKS, check_rules, collect, may_be_false, roots_first
from kgverify.language.parsing import parse, read_rule_text
from kgverify.language.rulebook import RuleBook

_ENDING = "_test"


@dataclass(frozen=True)
class Suite:
    """A rule file with its tests: `book` has its own, and `beside` the same rules with the tests of
    the file beside it, None where there is no such file."""

    book: RuleBook
    beside: RuleBook | None = None

    @property
    def parts(self) -> dict[str, RuleBook]:
        """The files that may hold tests, each with the rules and its tests."""
        found = {self.book.path: self.book}
        if self.beside is not None:
            found[str(tests_beside(Path(self.book.path)))] = self.beside
        return found


def tests_beside(path: Path) -> Path:
    """Where the tests of a rule file stand that are not in it."""
    return path.with_name(f"{path.stem}{_ENDING}{path.suffix}")


def rule_files(paths: Iterable[str | Path]) -> list[Path]:
    """The rule files that are meant, sorted, each once: a file of tests stands for the rule file
    beside it, if there is one."""
    found: dict[Path, Path] = {}
    for path in sorted(Path(os.path.normpath(path)) for path in paths):
        own = path.with_name(path.stem.removesuffix(_ENDING) + path.suffix)
        meant = own if path.stem.endswith(_ENDING) and own.is_file() else path
        found.setdefault(meant.resolve(), meant)
    return sorted(found.values())


def load_suites(paths: Iterable[str | Path]) -> list[Suite]:
    """The rule files at `paths` with their tests.

    Raises RuleError with every problem found in any of them; warnings alone don't raise."""
    checked = list(check_suites(paths))
    problems = [problem for _, found in checked for problem in found if problem.is_error]
    if problems:
        raise RuleError(problems)
    return [suite for suite, _ in checked if suite]


def check_suites(
    paths: Iterable[str | Path],
) -> Iterator[tuple[Suite | None, list[Problem]]]:
    """Each rule file with its tests, and every problem with them; None for one that can't be read.

    A suite with errors among its problems must not be used."""
    for path in rule_files(paths):
        try:
            book, problems = check_rules(path)
        except KgverifyError as error:
            yield None, list(error.problems)
            continue
        beside = tests_beside(path)
        if not beside.is_file():
            yield Suite(book), problems
            continue
        try:
            text = read_rule_text(beside)
        except KgverifyError as error:
            yield Suite(book), [*problems, *error.problems]
            continue
        broken = any(problem.is_error for problem in problems)
        tests, found = check_tests_beside(book, text, str(beside), broken)
        yield Suite(book, tests), problems + found


def check_tests_beside(
    book: RuleBook, text: str, file: str, broken: bool = False
) -> tuple[RuleBook, list[Problem]]:
    """The rules of `book` with the tests of `text`, and every problem with these; `broken`: the
    rules have errors, so that what they don't declare is no fault of the tests."""
    parsed, unread = parse(text, file)
    own = tuple(p for p in parsed.statements if isinstance(p, s.Prefix | s.Test))
    alone, named = collect(replace(parsed, statements=own))
    named += [_stray(p) for p in parsed.statements if not isinstance(p, s.Prefix | s.Test)]
    named += [_other(p, book) for p in own if _is_other(p, book)]
    if not unread and not parsed.statements:
        named.append(Problem("empty-file", "the file has no statement", Span(file)))
    merged = replace(book, prefixes={**alone.prefixes, **book.prefixes}, tests=alone.tests)
    later: list[Problem] = []
    for step in () if broken else CHECKS:
        about = (p for p in step(merged) if p.span and p.span.file == file)
        later += [p for p in about if not (unread and may_be_false(p, parsed.lost))]
    return merged, roots_first(unread, named, later)


def _stray(statement: s.Statement) -> Problem:
    span = statement.name.span if isinstance(statement, s.Question) else statement.span
    return Problem(
        "not-a-test",
        "a file of tests holds `test` blocks, and prefixes for them, alone",
        span,
        "write it in the rule file beside it",
    )


def _is_other(statement: s.Statement, book: RuleBook) -> bool:
    return isinstance(statement, s.Prefix) and (
        book.prefixes.get(statement.name, statement.iri) != statement.iri
    )


def _other(statement: s.Statement, book: RuleBook) -> Problem:
    assert isinstance(statement, s.Prefix)
    return Problem(
        "other-prefix",
        f"prefix `{statement.name}:` is <{book.prefixes[statement.name]}> in the rule file",
        statement.span,
        "choose another prefix, or leave it to the rule file",
    )
