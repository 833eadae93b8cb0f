"""`kgverify rules analyze`, `rules diff` and `rules scenarios`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kgverify.cli import console
from kgverify.errors import Problem, RuleError, Span, did_you_mean

if TYPE_CHECKING:
    from kgverify import Omission

ANALYZE = "Example: kgverify rules analyze rules/movies.kgr"
DIFF = "Example: kgverify rules diff rules/movies.kgr rules/movies.kgr"
SCENARIOS = "Example: kgverify rules scenarios rules/movies.kgr --question directed_by"

File = Annotated[Path, typer.Argument(help="A rule file (.kgr).", show_default=False)]
Bound = Annotated[
    int,
    typer.Option(
        min=1, max=12, help="Graphs have so many facts, and things without names, at most."
    ),
]
Seconds = Annotated[float, typer.Option("--timeout", min=0, help="Seconds for the whole search.")]
Format = Annotated[
    Literal["text", "json"], typer.Option("--format", help="How the result is written.")
]


def analyze(file: File, bound: Bound = 4, timeout: Seconds = 120, format: Format = "text") -> None:
    """Look for questions, constraints and rules that no small graph makes a difference to.

    Finds questions that nothing satisfies or violates, constraints that say or exclude another one,
    rules that never fire or are superfluous, and statements that derive an atom and its negation.

    Exit code 1 with a finding, 3 when the time was over before the end, else 0."""
    with console.mistakes_shown():
        from kgverify import analyze_rules, load_rules
        from kgverify.report.analysis import analysis_json, analysis_text

        found = analyze_rules(load_rules(file), bound, timeout)
        if format == "json":
            _write_json(analysis_json(str(file), found))
        else:
            _write(analysis_text(str(file), found))
        _leave(found.left, bool(found.findings))


def diff(
    old: Annotated[Path, typer.Argument(help="The older rule file.", show_default=False)],
    new: Annotated[Path, typer.Argument(help="The newer rule file.", show_default=False)],
    bound: Bound = 4,
    timeout: Seconds = 120,
    format: Format = "text",
) -> None:
    """Find small graphs on which two versions of a rule file give different verdicts.

    For each question that both have, the smallest such graph is shown with both verdicts and their
    proofs, and as a test block for the newer version.

    Exit code 1 with a difference, 3 when the time was over before the end, else 0."""
    with console.mistakes_shown():
        from kgverify import compare_rules, load_rules
        from kgverify.report.analysis import comparison_json, comparison_lines, difference_lines
        from kgverify.report.tables import print_explanation

        found = compare_rules(load_rules(old), load_rules(new), bound, timeout)
        if format == "json":
            _write_json(comparison_json(found))
        else:
            screen = console.screen(sys.stdout)
            for difference in found.different:
                _write(difference_lines(difference))
                for name, side in ((old, difference.old), (new, difference.new)):
                    print(f"  {name}:")
                    print_explanation(screen, side.verdict.explain())
            _write(comparison_lines(found))
        _leave(found.left, bool(found.different))


def scenarios(
    file: File,
    question: Annotated[list[str], typer.Option(help="Only this question; may be repeated.")] = [],  # noqa: B006  (typer reads the default)
    bound: Bound = 4,
    timeout: Seconds = 120,
) -> None:
    """Print small graphs that reach each verdict and status of a question, as test blocks.

    Review them: each says what the rule file decides, which may not be what you mean. What no graph
    reaches is listed in comments.

    Exit code 3 when the time was over before the end, else 0."""
    with console.mistakes_shown():
        from kgverify import find_scenarios, load_rules
        from kgverify.report.analysis import scenario_text

        book = load_rules(file)
        _known(question, list(book.questions), file)
        found = find_scenarios(book, question or list(book.questions), bound, timeout)
        _write(scenario_text(found, str(file)))
        _leave([left for one in found for left in one.left], False)


def _known(wanted: Iterable[str], known: list[str], file: Path) -> None:
    problems = [
        Problem(
            "unknown-question",
            f"there is no question `{name}`",
            Span(str(file)),
            did_you_mean(name, known),
        )
        for name in wanted
        if name not in known
    ]
    if problems:
        raise RuleError(problems)


def _write(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


def _write_json(value: Any) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value)).decode() + "\n")


def _leave(left: Iterable[Omission], found: bool) -> None:
    """The exit code: something found, the time over, or neither."""
    if found:
        raise SystemExit(console.SOMETHING_VIOLATED)
    if any(one.late for one in left):
        raise SystemExit(console.LIMIT)
