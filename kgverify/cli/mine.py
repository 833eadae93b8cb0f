"""`kgverify mine`."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kgverify.cli import console
from kgverify.errors import counted

if TYPE_CHECKING:
    from kgverify.mining import Mined

EPILOG = "Example: kgverify mine corpora/family/facts.tsv --min-support 5 --out family-rules.tsv"

_SHOW_BAR_AFTER = 2.0  # seconds


class Format(StrEnum):
    AMIE = "amie"
    ANYBURL = "anyburl"
    JSON = "json"
    KGR = "kgr"


_WRITTEN: dict[Format, Literal["amie", "anyburl", "json"]] = {
    Format.AMIE: "amie",
    Format.ANYBURL: "anyburl",
    Format.JSON: "json",
}


class PcaChoice(StrEnum):
    FUNCTIONAL = "functional"
    SUBJECT = "subject"
    OBJECT = "object"


class EngineChoice(StrEnum):
    COMPILED = "compiled"
    SPARSE = "sparse"


def mine(
    kg: Annotated[
        list[Path],
        typer.Argument(
            help="The graph: a store built by `kgverify kg build`, or source files.",
            show_default=False,
        ),
    ],
    max_length: Annotated[
        int, typer.Option(help="The most atoms of a rule, its head counted.", min=2, max=4)
    ] = 3,
    min_support: Annotated[
        int, typer.Option(help="The least support: facts of the head that a rule gives.", min=1)
    ] = 2,
    min_head_size: Annotated[
        int, typer.Option(help="The fewest facts of a relation that rules are mined for.", min=1)
    ] = 1,
    min_head_coverage: Annotated[
        float,
        typer.Option(help="The least share of the head's facts that a rule gives.", min=0, max=1),
    ] = 0.1,
    min_confidence: Annotated[
        float,
        typer.Option(help="The least share of what a rule gives that is known.", min=0, max=1),
    ] = 0.3,
    min_pca: Annotated[
        float,
        typer.Option(
            help="The same, over things of which some such fact is known (PCA confidence).",
            min=0,
            max=1,
        ),
    ] = 0.4,
    pca: Annotated[
        PcaChoice,
        typer.Option(
            help="Which things those are: the head's subjects, its objects, or those on the "
            "relation's more functional side, as AMIE does."
        ),
    ] = PcaChoice.FUNCTIONAL,
    all_rules: Annotated[
        bool,
        typer.Option(
            "--all-rules",
            help="Also write rules that are no better than a part of them.",
        ),
    ] = False,
    refine_perfect: Annotated[
        bool,
        typer.Option(
            "--refine-perfect", help="Also extend rules whose PCA confidence is 1 already."
        ),
    ] = False,
    constants: Annotated[
        bool,
        typer.Option(
            "--constants",
            help="Also rules of up to two body atoms with constants. There are many: raise "
            "--min-support.",
        ),
    ] = False,
    relations: Annotated[
        list[str],
        typer.Option(
            help="Only rules over this relation and the others that are named so; all but types "
            "and subclasses unless given. Repeatable."
        ),
    ] = [],  # noqa: B006  (typer reads the default)
    heads: Annotated[
        list[str], typer.Option(help="Only rules for this relation. Repeatable.")
    ] = [],  # noqa: B006
    format: Annotated[
        Format | None,
        typer.Option(
            help="How to write the rules: as AMIE or AnyBURL do, as JSON Lines, or as a rule file "
            "that people review. As AMIE does, unless FILE ends in .kgr.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write to this file, whole or not at all. A rule file that is there keeps its own "
            "statements, and the marks of its mined rules."
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            help="How many relations to mine for at once (all cores).", min=1, show_default=False
        ),
    ] = None,
    engine: Annotated[
        EngineChoice | None,
        typer.Option(
            help="How to count: compiled loops (numba), or sparse matrices (scipy), which need no "
            "numba and much more time. Compiled where numba is installed.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Find the Horn rules that a graph bears out, such as `aunt(x,y) :- sister(x,z), father(z,y)`.

    A rule's body has one or two atoms, with --max-length 4 three. Ctrl-C ends the search; the rules
    of the relations that were done are written, and the exit code is 3."""
    with console.mistakes_shown():
        from kgverify import open_graph, review_rules, write_mined_rules
        from kgverify.mining import Search, mine_graph
        from kgverify.mining.reviewing import require_reviewable

        search = Search(
            length=max_length,
            min_support=min_support,
            min_head_size=min_head_size,
            min_head_coverage=_exact(min_head_coverage),
            min_confidence=_exact(min_confidence),
            min_pca=_exact(min_pca),
            pca=pca.value,
            improving=not all_rules,
            refine_perfect=refine_perfect,
            constants=constants,
        )
        graph = open_graph([str(path) for path in kg])
        wanted_format = format or (Format.KGR if out and out.suffix == ".kgr" else Format.AMIE)
        kept = _text_of(out) if wanted_format is Format.KGR else ""
        if kept:  # checked before the search, so as not to search in vain
            require_reviewable(graph, kept, str(out))
        started = time.perf_counter()
        with console.output(out) as stream:
            with _progress() as progress:
                found = mine_graph(
                    graph,
                    search,
                    relations=relations or None,
                    heads=heads or None,
                    threads=threads or _cores(),
                    engine=engine.value if engine else None,
                    progress=progress,
                )
            console.report(found.warnings)
            if wanted_format is Format.KGR:
                kept = _still(out, kept)
                reviewed = review_rules(
                    found.rules, graph, kept, str(out or "<rules>"), scope=found.scope
                )
                console.report(reviewed.warnings)
                stream.write(reviewed.text)
                parts = {"active": reviewed.active, "rejected": reviewed.rejected}
                parts |= {"not found again": reviewed.gone, "unusable": reviewed.unusable}
                print(", ".join(f"{n} {what}" for what, n in parts.items()), file=sys.stderr)
            else:
                stream.write(write_mined_rules(found.rules, _WRITTEN[wanted_format]))
        print(_summary(found, time.perf_counter() - started, out), file=sys.stderr)
    raise SystemExit(console.LIMIT if found.stopped else console.NOTHING_VIOLATED)


def _text_of(out: Path | None) -> str:
    """What is in a rule file already."""
    from kgverify import read_rule_text

    return read_rule_text(out) if out is not None and out.exists() else ""


def _still(out: Path | None, before: str) -> str:
    """What is in the rule file now: somebody may have reviewed it during the search."""
    now = _text_of(out)
    if now != before:
        print(
            f"{out}: changed during the search; its marks are kept as they are now", file=sys.stderr
        )
    return now


def _exact(share: float) -> Fraction:
    """The share as it was written: 0.1 is a tenth."""
    return Fraction(str(share))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _summary(found: Mined, seconds: float, out: Path | None) -> str:
    kinds = Counter(mined.rule.type for mined in found.rules)
    types = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    place = f"{out}: " if out is not None else ""
    rest = " (stopped: the relations that were not done have none)" if found.stopped else ""
    done = f"{counted(len(found.rules), 'rule')} for {counted(len(found.heads), 'relation')}"
    return f"{place}{done}{rest}{': ' if types else ''}{types}; {seconds:.1f} s"


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, when the search takes its time."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("mining"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("mining", total=None)
    started = time.monotonic()
    shown = False

    def progress(done: int, total: int) -> None:
        nonlocal shown
        if not shown and time.monotonic() - started > _SHOW_BAR_AFTER:
            bar.start()
            shown = True
        bar.update(task, completed=done, total=total)

    try:
        yield progress
    finally:
        if shown:
            bar.stop()
