"""`kgverify laws`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console
from kgverify.cli.options import DeniedPaths, KgPaths, open_kg
from kgverify.errors import KgverifyError, Problem, Span

if TYPE_CHECKING:
    from kgverify.testing import Law, Outcome

EPILOG = "Example: kgverify laws rules/family.kgr --kg corpora/family/facts.tsv --examples 20"


def laws(
    file: Annotated[Path, typer.Argument(help="A rule file (.kgr).", show_default=False)],
    kg: KgPaths = [],  # noqa: B006  (typer reads the default)
    denied: DeniedPaths = [],  # noqa: B006
    examples: Annotated[int, typer.Option(min=1, help="Random worlds for each law.")] = 50,
    seed: Annotated[
        int, typer.Option(help="Decides which worlds are drawn; the same seed, the same worlds.")
    ] = 0,
    law: Annotated[
        list[int], typer.Option(help="Check only the law of this number; may be repeated.")
    ] = [],  # noqa: B006
    save: Annotated[
        Path | None,
        typer.Option(help="A folder for the files of the worlds that break a law."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write the results as JSON.")] = False,
) -> None:
    """Check that the laws of the semantics hold for a rule file, on random small graphs.

    A law that fails is shown with the smallest world that breaks it.  Exit code 1 when a law
    fails, else 0."""
    with console.mistakes_shown():
        from kgverify import load_rules
        from kgverify.testing import examine_rules

        wanted = _wanted(law)
        book = load_rules(file)
        graph = open_kg(kg, denied, book) if kg else None
        outcomes: list[Outcome] = []
        with (
            _no_traces(),
            _progress(examples * sum(not found.missing for found in wanted)) as advance,
        ):
            for outcome in examine_rules(book, graph, wanted, examples, seed, advance):
                outcomes.append(outcome)
        if save is not None:
            _save(save, outcomes)
        _show(file, seed, outcomes, json)
        if any(outcome.result == "fails" for outcome in outcomes):
            raise SystemExit(console.SOMETHING_VIOLATED)


def _wanted(numbers: list[int]) -> list[Law]:
    from kgverify.testing import LAWS

    known = {found.number for found in LAWS}
    for number in numbers:
        if number not in known:
            message = f"there is no law {number}; the laws are 1 to {max(known)}"
            raise typer.BadParameter(message, param_hint="--law")
    return [found for found in LAWS if not numbers or found.number in numbers]


def _show(file: Path, seed: int, outcomes: list[Outcome], as_json: bool) -> None:
    from kgverify.report.laws import outcomes_json, print_counterexample, print_outcomes, summary

    if as_json:
        import msgspec

        found = msgspec.json.encode(outcomes_json(str(file), seed, outcomes))
        sys.stdout.write(msgspec.json.format(found).decode() + "\n")
        return
    screen = console.screen(sys.stdout)
    print_outcomes(screen, outcomes)
    for outcome in outcomes:
        if outcome.counterexample is not None:
            screen.print()
            print_counterexample(screen, outcome)
    print(f"{file}: {summary(outcomes)}")


def _save(folder: Path, outcomes: list[Outcome]) -> None:
    """Write the worlds that break laws, as `law-2/before/rules.kgr` and so on."""
    from kgverify.report.laws import worlds_files

    for outcome in outcomes:
        if outcome.counterexample is None:
            continue
        for when, files in worlds_files(outcome.counterexample).items():
            place = folder / f"law-{outcome.law.number}" / when
            try:
                place.mkdir(parents=True, exist_ok=True)
                for name, text in files.items():
                    (place / name).write_text(text, encoding="utf-8")
            except OSError as error:
                message = f"can't write the world: {error.strerror or error}"
                raise KgverifyError(Problem("unwritable", message, Span(str(place)))) from error


@contextmanager
def _no_traces() -> Iterator[None]:
    """Hypothesis keeps notes in the folder it runs in; here they go with the command."""
    from hypothesis.configuration import set_hypothesis_home_dir

    with TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("checking worlds", total=total)
        yield lambda: progress.advance(task)
