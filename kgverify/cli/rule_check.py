"""`kgverify rules check`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console, rule_tests
from kgverify.cli.rule_files import Files
from kgverify.errors import Problem, counted

if TYPE_CHECKING:
    from kgverify import Suite

EPILOG = "Example: kgverify rules check rules/pharmacy.kgr --test"


class CheckFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


def check(
    files: Files,
    kg: Annotated[
        list[Path],
        typer.Option(
            "--kg",
            help="Hold the files against a graph too: a store, or source files (give --kg several "
            "times for facts, labels, types).",
            show_default=False,
        ),
    ] = [],  # noqa: B006  (typer reads the default)
    test: Annotated[bool, typer.Option("--test", help="Run the test blocks too.")] = False,
    format: Annotated[
        CheckFormat, typer.Option(help="text for people, a JSON document, or a SARIF 2.1.0 log.")
    ] = CheckFormat.TEXT,
    docs_url: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Where the documentation is published: SARIF then links to each code's entry.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Report everything that is wrong with rule files, with places and repairs.

    Files come in the order of their names, each once; in a file, what can't be read comes first,
    then names, then what may follow from these. With --kg come warnings about what a graph lacks
    of a file, or breaks.

    Exit code 2 with an error in a file, 1 with a test that fails, else 0."""
    if test and format is not CheckFormat.TEXT:
        raise typer.BadParameter("goes with --format text; see `rules test`", param_hint="--test")
    if docs_url and format is not CheckFormat.SARIF:
        raise typer.BadParameter("goes with --format sarif", param_hint="--docs-url")
    with console.mistakes_shown():
        from kgverify import check_suites

        checked = [(suite, _with_graph(suite, found, kg)) for suite, found in check_suites(files)]
        problems = [problem for _, found in checked for problem in found]
        code = console.WRONG_INPUT if any(p.is_error for p in problems) else 0
        if format is CheckFormat.TEXT:
            for suite, found in checked:
                _show(suite, found)
        else:
            _write([suite for suite, _ in checked], problems, format, docs_url, code)
        if code:
            raise SystemExit(code)
        if test:
            suites = [suite for suite, _ in checked if suite is not None]
            rule_tests.run(suites, rule_tests.OutcomeFormat.TEXT)


def _with_graph(suite: Suite | None, found: Sequence[Problem], kg: list[Path]) -> Sequence[Problem]:
    """The problems of a rule file, and those that a graph has with one that is right by itself."""
    if not kg or suite is None or any(problem.is_error for problem in found):
        return found
    from kgverify import rules_against_graph
    from kgverify.cli.options import open_kg

    return [*found, *rules_against_graph(suite.book, open_kg(kg, [], suite.book))]


def _show(suite: Suite | None, found: Sequence[Problem]) -> None:
    """The problems of one rule file and of the tests beside it, and what they hold."""
    console.report(found)
    errors: dict[str, int] = {}
    for problem in found:
        if problem.is_error and problem.span:
            errors[problem.span.file] = errors.get(problem.span.file, 0) + 1
    for file, number in errors.items():
        print(f"{file}: {counted(number, 'error')}", file=sys.stderr)
    if errors or suite is None:
        return
    book = suite.book
    own = [problem for problem in found if problem.span and problem.span.file == book.path]
    parts = (
        f"{len(book.classes)} class{'es' * (len(book.classes) != 1)}",
        counted(len(book.relations), "relation"),
        counted(len(book.rules), "rule"),
        *([counted(len(book.soft), "soft rule")] if book.soft else []),
        counted(len(book.questions), "question"),
        counted(len(own), "warning"),
    )
    print(f"{book.path}: {', '.join(parts)}")
    for file, tests in suite.parts.items():
        if file != book.path:
            warnings = counted(len(found) - len(own), "warning")
            print(f"{file}: {counted(len(tests.tests), 'test')}, {warnings}")


def _write(
    suites: Sequence[Suite | None],
    problems: Sequence[Problem],
    format: CheckFormat,
    docs_url: str,
    code: int,
) -> None:
    from kgverify.report.problems import checked_document
    from kgverify.report.sarif import sarif_log

    if format is CheckFormat.SARIF:
        sources = console.sources(problems)
        document = sarif_log(problems, sources, docs_url, code)
    else:
        document = checked_document(suites, problems)
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    print()
