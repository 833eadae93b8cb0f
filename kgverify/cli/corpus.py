"""`kgverify corpus build` and `kgverify corpus info`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import console
from kgverify.cli.options import OnError, OnErrorOption

app = typer.Typer(
    help="Build corpora of passages and look into them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command(
    epilog="Example: kgverify corpus build corpora/countries/passages.jsonl "
    "--kg corpora/countries/facts.tsv --kg corpora/countries/labels.tsv --out countries.corpus"
)
def build(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Passages: JSON Lines (id, text, and perhaps title, source, date), tables with "
            "a header (.tsv), plain texts (.txt, .md), or folders of those; .gz or not.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder to write.", show_default=False)],
    kg: Annotated[
        list[Path],
        typer.Option(
            help="Look for the names of this graph's entities: a store, or source files.",
            show_default=False,
        ),
    ] = [],  # noqa: B006  (typer reads the default)
    types: Annotated[
        list[str],
        typer.Option(help="Only entities of this class of the graph; may be given again."),
    ] = [],  # noqa: B006
    lower_case: Annotated[
        list[str],
        typer.Option(
            help="Names of this class may be written without capitals, as those of drugs are."
        ),
    ] = [],  # noqa: B006
    window: Annotated[int, typer.Option(help="Sentences of a window.", min=1)] = 3,
    overlap: Annotated[
        int, typer.Option(help="How many of them begin the next window, too.", min=0)
    ] = 1,
    likeness: Annotated[
        float,
        typer.Option(
            help="From which Jaccard similarity on two passages are near-duplicates.",
            min=0.3,
            max=1.0,
        ),
    ] = 0.8,
    titles_are_sources: Annotated[
        bool,
        typer.Option(
            "--titles-are-sources",
            help="Passages that name no source and have one title are of one source.",
        ),
    ] = False,
    on_error: OnErrorOption = OnError.STOP,
    max_passage: Annotated[
        int, typer.Option(help="A passage with more characters than this is an error.", min=1)
    ] = 1_000_000,
    max_unpacked: Annotated[
        int, typer.Option(help="Stop when a compressed file unpacks to more bytes than this.")
    ] = 4 << 30,
) -> None:
    """Build a corpus from passages: windows, near-duplicates, sources, and mentions of a graph.

    Built again in the same place, it takes what has not changed from the older corpus."""
    with console.mistakes_shown():
        from kgverify import CorpusOptions, build_corpus, open_graph
        from kgverify.report.corpora import summary_lines

        graph = open_graph([str(path) for path in kg]) if kg else None
        if graph is None and (types or lower_case):
            raise typer.BadParameter("goes with --kg", param_hint="--types/--lower-case")
        with _progress() as progress:
            options = CorpusOptions(
                window=window,
                overlap=overlap,
                likeness=likeness,
                titles_are_sources=titles_are_sources,
                types=tuple(types),
                lower_case=tuple(lower_case),
                on_error=on_error.value,
                max_passage=max_passage,
                max_unpacked=max_unpacked,
                progress=progress,
            )
            summary = build_corpus([str(path) for path in sources], str(out), options, graph)
        console.report(summary.rejected)
        first, *others = summary_lines(summary)
        print(f"{out}: {first}")
        for line in others:
            print(f"  {line}")


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar for each step on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def tell(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bar.add_task(step, total=None)
            bar.update(tasks[step], completed=done, total=total)

        yield tell


@app.command(epilog="Example: kgverify corpus info countries.corpus")
def info(
    corpus: Annotated[
        Path,
        typer.Argument(help="A corpus that was built, or a file of passages.", show_default=False),
    ],
) -> None:
    """Show what is in a corpus: sizes, sources, near-duplicates, mentions, titles, and headings."""
    with console.mistakes_shown():
        from kgverify import corpus_info
        from kgverify.report.corpora import print_info

        print_info(console.screen(sys.stdout), corpus_info(str(corpus)))
