"""`kgverify rules confirm`."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import console
from kgverify.cli.mined_rules import FromOption, MinedFile, measured_rules
from kgverify.cli.options import KgPaths, OnError, OnErrorOption
from kgverify.errors import counted

EPILOG = "Example: kgverify rules confirm rules.tsv --kg family.store"


class Shown(StrEnum):
    TABLE = "table"
    JSON = "json"


def confirm(
    file: MinedFile,
    kg: KgPaths,
    from_: FromOption = None,
    format: Annotated[
        Shown, typer.Option("--format", help="What to write: a table, or JSON Lines.")
    ] = Shown.TABLE,
    out: Annotated[
        Path | None, typer.Option(help="Write there rather than to standard output.")
    ] = None,
    on_error: OnErrorOption = OnError.STOP,
) -> None:
    """Recompute every number of mined rules on a graph of one's own, and show the differences.

    Exit code 1 when a number differs, 3 when a rule has too many bindings to be measured."""
    with console.mistakes_shown():
        from kgverify import open_graph
        from kgverify.report.confirmations import (
            confirmation_lines,
            print_confirmations,
            summary,
        )

        if not file.is_file():
            raise console.missing_file(file)
        graph = open_graph([str(path) for path in kg])
        rules, found = measured_rules(file, graph, from_, on_error)
        with console.output(out) as stream:
            if format is Shown.JSON:
                stream.writelines(confirmation_lines(found))
            else:
                print_confirmations(console.screen(stream), found)
        skipped = f"; {counted(rules.skipped, 'other line')} skipped" if rules.skipped else ""
        print(f"{file}: {summary(found)}{skipped}", file=sys.stderr)
    if any(c.measures is not None and not c.agrees for c in found):
        raise SystemExit(console.SOMETHING_VIOLATED)
    if any(c.measures is None for c in found):
        raise SystemExit(console.LIMIT)
