"""The command `kgverify`: arguments in, text out, an exit code."""

from __future__ import annotations

import sys
import traceback
from typing import Annotated

import typer

from kgverify.cli import (
    ask,
    bench,
    complete,
    console,
    corpus,
    experiment,
    explain,
    judge,
    kg,
    laws,
    mine,
    replay,
    retrieve,
    rules,
    score,
    verify,
)
from kgverify.errors import Problem, Span
from kgverify.version import VERSION

EPILOG = (
    "Exit codes: 0 nothing violated, 1 something violated, 2 wrong input or usage, "
    "3 a limit was reached."
)

app = typer.Typer(
    name="kgverify",
    help="Verify candidate answers over an incomplete knowledge graph: sat, viol or unk for every "
    "constraint of every answer, with proofs.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("verify", epilog=verify.EPILOG)(verify.verify)
app.command("ask", epilog=ask.EPILOG)(ask.ask)
app.command("complete", epilog=complete.EPILOG)(complete.complete)
app.command("explain", epilog=explain.EPILOG)(explain.explain)
app.command("replay", epilog=replay.EPILOG)(replay.replay)
app.command("laws", epilog=laws.EPILOG)(laws.laws)
app.command("mine", epilog=mine.EPILOG)(mine.mine)
app.command("retrieve", epilog=retrieve.EPILOG)(retrieve.retrieve)
app.command("score", epilog=score.EPILOG)(score.score)
app.add_typer(judge.app, name="judge")
app.add_typer(kg.app, name="kg")
app.add_typer(corpus.app, name="corpus")
app.add_typer(rules.app, name="rules")
app.add_typer(bench.app, name="bench")
app.add_typer(experiment.app, name="experiment")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kgverify {VERSION}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """The entry point of the installed command.

    What nobody foresaw is never exit code 0 or 1: those are verdicts."""
    try:
        app()
    except OSError as error:
        place = Span(str(error.filename)) if error.filename else None
        console.stop(Problem("input-output", error.strerror or str(error), place))
    except Exception:
        traceback.print_exc()
        print("this is a fault of kgverify; no verdict above counts", file=sys.stderr)
        raise SystemExit(console.WRONG_INPUT) from None
