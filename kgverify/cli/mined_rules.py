"""What the commands about files of mined rules share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console
from kgverify.cli.options import OnError

if TYPE_CHECKING:
    from kgverify import Confirmation, Graph, ImportedRules


class RuleFormat(StrEnum):
    AMIE = "amie"
    ANYBURL = "anyburl"
    JSON = "json"


MinedFile = Annotated[
    Path,
    typer.Argument(
        help="Mined rules: as AMIE, AnyBURL or PyClause write them, or as JSON Lines; .gz or not.",
        show_default=False,
    ),
]
FromOption = Annotated[
    RuleFormat | None,
    typer.Option("--from", help="The file's format, if it is not to be told by its lines."),
]


def measured_rules(
    file: Path, graph: Graph, format: RuleFormat | None, on_error: OnError
) -> tuple[ImportedRules, list[Confirmation]]:
    """The rules of a file, and each measured on the graph; what deserves a warning is shown."""
    from kgverify import confirm_rules, read_mined_rules

    rules = read_mined_rules(file, graph, format.value if format else None, on_error.value)
    console.report([*rules.rejected, *rules.warnings])
    found = list(confirm_rules(rules.rules, graph))
    console.report(c.problem for c in found if c.problem is not None)
    return rules, found
