"""`kgverify kg build` and `kgverify kg info`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console
from kgverify.cli.options import DeniedPaths, OnError, OnErrorOption
from kgverify.errors import Problem, counted

if TYPE_CHECKING:
    from kgverify import RuleBook

app = typer.Typer(
    help="Build graph stores and look into them.", no_args_is_help=True, rich_markup_mode=None
)


@app.command(
    epilog="Example: kgverify kg build corpora/pharmacy/facts.tsv corpora/pharmacy/labels.tsv "
    "--denied corpora/pharmacy/denied.tsv --out pharmacy.store"
)
def build(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Graph files: triples TSV, N-Triples, Turtle, TriG, RDF/XML, JSON-LD, Hetionet "
            "TSV or JSON, KGX TSV or JSONL, labels and types; .gz or not.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder to write.", show_default=False)],
    denied: DeniedPaths = [],  # noqa: B006  (typer reads the default)
    on_error: OnErrorOption = OnError.STOP,
    literal: Annotated[
        list[str],
        typer.Option(
            help="A relation whose objects in TSV files are values, not entities: NAME or "
            "NAME=DATATYPE with integer, decimal, number, date, string or boolean."
        ),
    ] = [],  # noqa: B006
    rules: Annotated[
        Path | None, typer.Option(help="Take the relations with values from this rule file.")
    ] = None,
    type_relation: Annotated[
        list[str],
        typer.Option(help="Another name, in TSV files, of the relation from entity to class."),
    ] = [],  # noqa: B006
    max_unpacked: Annotated[
        int, typer.Option(help="Stop when a compressed file unpacks to more bytes than this.")
    ] = 4 << 30,
) -> None:
    """Build a columnar store from graph files; `kgverify verify --kg` opens it in milliseconds."""
    with console.mistakes_shown():
        from kgverify import Options, build_store, load_rules, open_graph
        from kgverify.report.overview import ranks, sizes

        values = dict(_literal(text) for text in literal)
        book = load_rules(rules) if rules is not None else None
        if book is not None:
            values = book.literal_relations | values
        with _progress() as progress:
            options = Options(
                on_error=on_error.value,
                type_relations=frozenset(type_relation),
                literal_relations=values,
                max_unpacked=max_unpacked,
                progress=progress,
            )
            summary = build_store(
                [str(s) for s in sources], str(out), options, [str(d) for d in denied]
            )
        console.report(summary.rejected)
        console.report(list(_missing_values(open_graph(str(out)).relations, values, book)))
        print(
            f"{out}: {sizes(summary.facts, summary.denied, summary.entities, summary.relations)}"
            f"{ranks(summary.lesser, summary.deprecated)}; "
            f"{counted(summary.duplicates, 'duplicate')} dropped, "
            f"{counted(summary.rejected_count, 'line')} rejected; {summary.seconds:.1f} s"
        )


def _missing_values(
    relations: Collection[str], values: Iterable[str], book: RuleBook | None
) -> Iterator[Problem]:
    """Relations that are said to have values, and of which the graph has no fact."""
    from kgverify.errors import did_you_mean

    declared = {book.kg_name(name): r for name, r in book.relations.items()} if book else {}
    for name in values:
        if name not in relations:
            relation = declared.get(name)
            yield Problem(
                "relation-not-in-graph",
                f"the graph has no relation `{name}`",
                (relation.kg_name or relation.name).span if relation else None,
                did_you_mean(name, relations) or "its values are those of no fact",
                severity="warning",
            )


def _literal(text: str) -> tuple[str, str]:
    """A relation and its datatype, "" when the values are to be taken as they look."""
    from kgverify.language.rulebook import DATATYPES

    name, equals, datatype = text.rpartition("=")
    if not equals:
        return text, ""
    if datatype and datatype not in DATATYPES:
        message = f"`{datatype}` is no datatype; they are {', '.join(DATATYPES)}"
        raise typer.BadParameter(message, param_hint="--literal")
    return name, datatype


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@app.command(epilog="Example: kgverify kg info pharmacy.store")
def info(
    store: Annotated[Path, typer.Argument(help="A store, or a graph file.", show_default=False)],
) -> None:
    """Show what is in a graph: sizes, relations, classes, and ten of its triples."""
    with console.mistakes_shown():
        from kgverify import open_graph
        from kgverify.report.overview import print_overview

        print_overview(console.screen(sys.stdout), open_graph(str(store)))
