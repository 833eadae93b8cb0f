"""`kgverify rules test`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console
from kgverify.cli.rule_files import Files, load
from kgverify.errors import KgverifyError, Problem, counted

if TYPE_CHECKING:
    from kgverify import Outcome, Suite

EPILOG = "Example: kgverify rules test rules/pharmacy.kgr --junit results.xml"


class OutcomeFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


def run_blocks(
    files: Files,
    junit: Annotated[
        Path | None,
        typer.Option(help="Write the outcomes to this file as JUnit XML too.", show_default=False),
    ] = None,
    filter: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="Run the tests whose names hold this text, in any case.",
            show_default=False,
        ),
    ] = "",
    format: Annotated[
        OutcomeFormat, typer.Option(help="text for people, or a JSON document.")
    ] = OutcomeFormat.TEXT,
) -> None:
    """Run the test blocks of rule files, and those of NAME_test.kgr beside NAME.kgr.

    A test that fails is shown with what was expected beside what came out, and the proof of that.

    Exit code 2 with an error in a file, or when no test has such a name; 1 with a test that fails,
    else 0."""
    with console.mistakes_shown():
        run(load(files), format, filter, junit)


def run(
    suites: Sequence[Suite], format: OutcomeFormat, named: str = "", junit: Path | None = None
) -> None:
    """Run the tests, say what came out, and leave with code 1 if one fails."""
    outcomes: dict[str, list[Outcome]] = {}
    for file, outcome in _outcomes(suites, named):
        outcomes.setdefault(file, []).append(outcome)
    every = [outcome for found in outcomes.values() for outcome in found]
    if named and not every:
        message = f"no test has `{named}` in its name"
        raise KgverifyError(Problem("no-such-test", message, hint="see `rules check` for the file"))
    failed = [outcome for outcome in every if not outcome.passed]
    if junit is not None:
        from kgverify.report.junit import junit_xml
        from kgverify.report.rule_tests import proofs_as_text

        with console.output(junit) as stream:
            stream.write(junit_xml(outcomes, proofs_as_text(failed)))
    if format is OutcomeFormat.JSON:
        from kgverify.report.rule_tests import outcomes_document

        json.dump(outcomes_document(outcomes), sys.stdout, ensure_ascii=False, indent=2)
        print()
    else:
        _show(every, failed)
    if failed:
        raise SystemExit(console.SOMETHING_VIOLATED)


def _show(every: Sequence[Outcome], failed: Sequence[Outcome]) -> None:
    if failed:
        from kgverify.report.rule_tests import print_failures

        print_failures(console.screen(sys.stdout), every)
    tests = len({(outcome.span.file, outcome.test) for outcome in every})
    print(f"{counted(tests, 'test')}: {len(every) - len(failed)} passed, {len(failed)} failed")


def _outcomes(suites: Sequence[Suite], named: str) -> Iterator[tuple[str, Outcome]]:
    """Every outcome with the file that its test stands in; counted on a terminal."""
    from kgverify import run_tests

    parts = [part for suite in suites for part in suite.parts.items()]
    if not sys.stderr.isatty():
        for file, book in parts:
            for outcome in run_tests(book, named):
                yield file, outcome
        return
    from rich.console import Console
    from rich.progress import Progress

    expected = sum(len(ask.expectations) for _, b in parts for t in b.tests for ask in t.asks)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("testing", total=expected)
        for file, book in parts:
            for outcome in run_tests(book, named):
                progress.advance(task)
                yield file, outcome
