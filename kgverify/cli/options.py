"""Options that several commands share, and how they open their graph and rules."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console

if TYPE_CHECKING:
    from kgverify import Graph, RuleBook

KgPaths = Annotated[
    list[Path],
    typer.Option(
        "--kg",
        help="The graph: a store built by `kgverify kg build`, or source files "
        "(give --kg several times for facts, labels, types).",
        show_default=False,
    ),
]
DeniedPaths = Annotated[
    list[Path],
    typer.Option("--denied", help="A file whose facts are all false.", show_default=False),
]
RulesPath = Annotated[
    Path, typer.Option("--rules", help="The rule file (.kgr).", show_default=False)
]


class OnError(StrEnum):
    STOP = "stop"
    SKIP = "skip"


OnErrorOption = Annotated[
    OnError,
    typer.Option(
        help="With a bad line: stop, and show every problem; or skip the line, report it and go on."
    ),
]


def open_kg(
    paths: list[Path], denied: list[Path], book: RuleBook, on_error: OnError = OnError.STOP
) -> Graph:
    """The graph in a store or in source files; lines that are skipped are reported."""
    from kgverify import Options, open_graph

    options = Options(
        on_error=on_error.value,
        literal_relations=book.literal_relations,
        on_reject=lambda problem: console.report([problem]),
    )
    return open_graph([str(p) for p in paths], options, [str(p) for p in denied])
