"""`kgverify rules suggest`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import console
from kgverify.cli.options import KgPaths

EPILOG = "Example: kgverify rules suggest --kg facts.tsv --kg labels.tsv --out domain.kgr"


def suggest(
    kg: KgPaths,
    least: Annotated[
        int,
        typer.Option(help="Mention a property that was tried so many times at least.", min=1),
    ] = 10,
    out: Annotated[
        Path | None, typer.Option(help="Write to this file.", show_default=False)
    ] = None,
) -> None:
    """Write a rule file that a graph suggests, for people to review.

    Classes and relations are declared with their signatures. Properties that hold in the graph
    (functional, symmetric, inverse of another and so on) are comments with their evidence: what
    holds of the facts that are there need not hold of those that are missing."""
    with console.mistakes_shown():
        from kgverify import open_graph, suggest_rules

        text = suggest_rules(open_graph(kg), least)
        with console.output(out) as stream:
            stream.write(text)
        if out is not None:
            print(f"{out} is written; review it", file=sys.stderr)
