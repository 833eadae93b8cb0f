"""`kgverify rules …`: what can be done with rule files, and with rules of other tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import (
    analyze,
    confirm,
    console,
    explain_rule,
    format,
    review,
    rule_check,
    rule_coverage,
    rule_tests,
    suggest,
)

app = typer.Typer(
    help="Check, test, analyse, lay out, explain and print rule files; "
    "confirm and review mined rules.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

app.command("check", epilog=rule_check.EPILOG)(rule_check.check)
app.command("test", epilog=rule_tests.EPILOG)(rule_tests.run_blocks)
app.command("coverage", epilog=rule_coverage.EPILOG)(rule_coverage.coverage)
app.command("explain-rule", epilog=explain_rule.EPILOG)(explain_rule.explain_rule)
app.command("confirm", epilog=confirm.EPILOG)(confirm.confirm)
app.command("review", epilog=review.EPILOG)(review.review)
app.command("suggest", epilog=suggest.EPILOG)(suggest.suggest)
app.command("fmt", epilog=format.EPILOG)(format.format)
app.command("analyze", epilog=analyze.ANALYZE)(analyze.analyze)
app.command("diff", epilog=analyze.DIFF)(analyze.diff)
app.command("scenarios", epilog=analyze.SCENARIOS)(analyze.scenarios)

File = Annotated[Path, typer.Argument(help="A rule file (.kgr).", show_default=False)]


@app.command(epilog="Example: kgverify rules asp rules/family.kgr")
def asp(file: File) -> None:
    """Print the logic program that a rule file becomes, with the author's lines as comments."""
    with console.mistakes_shown():
        from kgverify import load_rules, program_text

        sys.stdout.write(program_text(load_rules(file)))
