"""`kgverify rules coverage`."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

import typer

from kgverify.cli import console
from kgverify.cli.rule_files import Files, load
from kgverify.errors import counted

EPILOG = "Example: kgverify rules coverage rules/family.kgr --fail-under 100"


class CoverageFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    LCOV = "lcov"


def coverage(
    files: Files,
    fail_under: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            help="Exit with code 1 when less than this is exercised, of all files together.",
            min=0,
            max=100,
            show_default=False,
        ),
    ] = None,
    format: Annotated[
        CoverageFormat, typer.Option(help="text for people, a JSON document, or LCOV.")
    ] = CoverageFormat.TEXT,
) -> None:
    """Say which rules, declarations, questions, constraints and branches the tests exercise.

    A statement is exercised when a proof of an expectation that passes rests on it; a constraint
    is with each of sat, viol and unk that comes out; a member of a group with each of sat and viol
    that it decides.

    Exit code 2 with an error in a file; 1 with a test that fails, or below --fail-under; else 0."""
    with console.mistakes_shown():
        from kgverify import measure_coverage
        from kgverify.report import rule_coverage as report

        found = [measure_coverage(suite) for suite in load(files)]
        if format is CoverageFormat.JSON:
            json.dump(report.coverage_document(found), sys.stdout, ensure_ascii=False, indent=2)
            print()
        elif format is CoverageFormat.LCOV:
            sys.stdout.write(report.lcov(found))
        else:
            report.print_coverage(console.screen(sys.stdout), found)
        failed = [outcome for coverage in found for outcome in coverage.failed]
        for outcome in failed:
            said = f"{outcome.candidate} should be {outcome.expected}, is {outcome.got}"
            print(f"{outcome.span}: {said}", file=sys.stderr)
        if failed:
            said = f"{counted(len(failed), 'expectation')} failed and exercised nothing"
            print(f"{said}; see `rules test`", file=sys.stderr)
        share = report.share_of(found) * 100
        below = fail_under is not None and share < Fraction(str(fail_under))
        if below:
            print(f"{float(share):.2f}% is below {fail_under:g}%", file=sys.stderr)
        if failed or below:
            raise SystemExit(console.SOMETHING_VIOLATED)
