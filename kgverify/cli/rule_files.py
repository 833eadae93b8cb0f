"""What the commands on rule files share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console

if TYPE_CHECKING:
    from kgverify import Suite

Files = Annotated[
    list[Path],
    typer.Argument(
        help="Rule files (.kgr); the tests beside one, in NAME_test.kgr, go with it.",
        show_default=False,
    ),
]


def load(files: list[Path]) -> list[Suite]:
    """The rule files with their tests; shows every error in any of them, and stops."""
    from kgverify import check_suites

    checked = list(check_suites(files))
    errors = [problem for _, found in checked for problem in found if problem.is_error]
    if errors:
        console.stop(errors)
    return [suite for suite, _ in checked if suite is not None]
