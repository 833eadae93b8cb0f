"""`kgverify rules …`: what can be done with rule files, and with rules of other tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import analyze, confirm, console, format, review, suggest
from kgverify.errors import counted

if TYPE_CHECKING:
    from kgverify import Outcome

app = typer.Typer(
    help="Check, test, analyse, lay out and print rule files; confirm and review mined rules.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

app.command("confirm", epilog=confirm.EPILOG)(confirm.confirm)
app.command("review", epilog=review.EPILOG)(review.review)
app.command("suggest", epilog=suggest.EPILOG)(suggest.suggest)
app.command("fmt", epilog=format.EPILOG)(format.format)
app.command("analyze", epilog=analyze.ANALYZE)(analyze.analyze)
app.command("diff", epilog=analyze.DIFF)(analyze.diff)
app.command("scenarios", epilog=analyze.SCENARIOS)(analyze.scenarios)

File = Annotated[Path, typer.Argument(help="A rule file (.kgr).", show_default=False)]


@app.command(epilog="Example: kgverify rules check rules/pharmacy.kgr --test")
def check(
    file: File,
    test: Annotated[bool, typer.Option("--test", help="Run the file's test blocks too.")] = False,
) -> None:
    """Report everything that is wrong with a rule file, with places and repairs.

    Exit code 2 with an error in the file, 1 with a test that fails, else 0."""
    with console.mistakes_shown():
        from kgverify import check_rules, run_tests

        book, problems = check_rules(file)
        console.report(problems)
        errors = sum(problem.is_error for problem in problems)
        if errors:
            print(f"{file}: {counted(errors, 'error')}", file=sys.stderr)
            raise SystemExit(console.WRONG_INPUT)
        parts = (
            f"{len(book.classes)} class{'es' * (len(book.classes) != 1)}",
            counted(len(book.relations), "relation"),
            counted(len(book.rules), "rule"),
            *([counted(len(book.soft), "soft rule")] if book.soft else []),
            counted(len(book.questions), "question"),
            counted(len(problems), "warning"),
        )
        print(f"{file}: {', '.join(parts)}")
        if not test:
            return
        outcomes = list(run_tests(book))
        failed = [outcome for outcome in outcomes if not outcome.passed]
        for outcome in failed:
            _show_failure(outcome)
        passed = len(outcomes) - len(failed)
        print(f"{counted(len(book.tests), 'test')}: {passed} passed, {len(failed)} failed")
        if failed:
            raise SystemExit(console.SOMETHING_VIOLATED)


def _show_failure(outcome: Outcome) -> None:
    print(
        f'{outcome.span}: test "{outcome.test}": {outcome.question}: {outcome.candidate} '
        f"should be {outcome.expected}, is {outcome.got}"
    )
    for problem in outcome.problems:
        print(f"    {problem}")
    if outcome.verdict is not None:
        from kgverify.report.tables import print_explanation

        print_explanation(console.screen(sys.stdout), outcome.verdict.explain())


@app.command(epilog="Example: kgverify rules asp rules/family.kgr")
def asp(file: File) -> None:
    """Print the logic program that a rule file becomes, with the author's lines as comments."""
    with console.mistakes_shown():
        from kgverify import load_rules, program_text

        sys.stdout.write(program_text(load_rules(file)))
