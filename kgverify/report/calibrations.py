"""How a judge was measured, and what it says of one passage, as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from kgverify.errors import counted, printable
from kgverify.evidence.calibrating import Calibration, Measured
from kgverify.evidence.judging import LABELS, Failure, Judgement
from kgverify.evidence.passages import Passage

if TYPE_CHECKING:
    from rich.console import Console

_MOST_FAILURES = 10


def print_calibration(screen: Console, found: Calibration) -> None:
    """The rates, the confusion, the reliability of scores, and the rates by kind."""
    screen.print(f"judge: {escape(printable(found.judge))}")
    screen.print(
        f"{counted(found.all.count, 'pair')} judged, {found.all.failures:,} without a label"
    )
    screen.print()
    _print_rates(screen, found)
    screen.print()
    _print_confusion(screen, found.all)
    screen.print()
    _print_bins(screen, found)
    failed = [(p, a) for p, a in found.answers if isinstance(a, Failure)]
    if failed:
        screen.print()
    for pair, answer in failed[:_MOST_FAILURES]:
        said = f"{pair.id}: no label: {answer.problem.message} [{answer.problem.code}]"
        screen.print(escape(printable(said)))
    if len(failed) > _MOST_FAILURES:
        screen.print(f"and {len(failed) - _MOST_FAILURES:,} more without a label")


def print_judgement(screen: Console, answer: Judgement, passage: Passage) -> None:
    """A label with its score, its reason and the words that it comes from."""
    screen.print(f"{answer.label}  score {answer.score:.2f}")
    if answer.reason:
        screen.print(f"because {escape(printable(answer.reason))}")
    if answer.extent is not None:
        quote = printable(answer.extent.of(passage.text))
        place = f"characters {answer.extent.start}-{answer.extent.end}"
        screen.print(f"from “{escape(quote)}” ({place})")


def _print_rates(screen: Console, found: Calibration) -> None:
    table = Table(box=None, pad_edge=False, header_style="")
    for title in (
        "over",
        "pairs",
        "no label",
        "accuracy",
        "macro F1",
        *(f"F1 {x}" for x in LABELS),
    ):
        table.add_column(title, justify="left" if title == "over" else "right")
    for name, measured in _groups(found):
        table.add_row(
            escape(printable(name)),
            f"{measured.count:,}",
            f"{measured.failures:,}",
            _rate(measured.accuracy),
            _rate(measured.macro_f1),
            *(_rate(measured.f1[label]) for label in LABELS),
        )
    screen.print(table)


def _groups(found: Calibration) -> Iterator[tuple[str, Measured]]:
    yield "all pairs", found.all
    if found.hard.count + found.hard.failures:
        yield "hard pairs", found.hard
    for what, groups in (("domain", found.by_domain), ("kind", found.by_kind)):
        for name, measured in groups.items():
            if name:
                yield f"{what} {name}", measured


def _print_confusion(screen: Console, measured: Measured) -> None:
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column("people \\ judge")
    for label in LABELS:
        table.add_column(label, justify="right")
    for gold in LABELS:
        table.add_row(gold, *(f"{measured.confusion[gold][own]:,}" for own in LABELS))
    screen.print(table)


def _print_bins(screen: Console, found: Calibration) -> None:
    table = Table(box=None, pad_edge=False, header_style="")
    for title in ("scores", "pairs", "mean score", "accuracy"):
        table.add_column(title, justify="left" if title == "scores" else "right")
    for one in found.bins:
        end = "]" if one.high == 1 else ")"
        table.add_row(
            escape(f"[{one.low:.1f}, {one.high:.1f}{end}"),
            f"{one.count:,}",
            f"{one.score:.3f}",
            f"{one.accuracy:.3f}",
        )
    screen.print(table)
    screen.print(f"expected calibration error: {_rate(found.error)}")


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
