"""`kgverify kg build` and `kgverify kg info`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console
from kgverify.cli.options import DeniedPaths, OnError, OnErrorOption
from kgverify.errors import counted, printable

if TYPE_CHECKING:
    from kgverify.graph import Graph

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
        from kgverify.graph import Options, build_store

        values = dict(_literal(text) for text in literal)
        if rules is not None:
            from kgverify.language.checks import load_rules

            values = load_rules(rules).literal_relations | values
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
        print(
            f"{out}: {_sizes(summary.facts, summary.denied, summary.entities, summary.relations)}; "
            f"{counted(summary.duplicates, 'duplicate')} dropped, "
            f"{counted(summary.rejected_count, 'line')} rejected; {summary.seconds:.1f} s"
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
        from kgverify.graph import open_graph

        _print_info(open_graph(str(store)))


def _sizes(facts: int, denied: int, entities: int, relations: int) -> str:
    things = f"{entities:,} entit{'y' if entities == 1 else 'ies'}"
    return (
        f"{counted(facts, 'triple')}, {denied:,} denied, {things}, {counted(relations, 'relation')}"
    )


def _print_info(graph: Graph) -> None:
    from rich.table import Table
    from rich.text import Text

    from kgverify.graph import info, sample
    from kgverify.graph.terms import display

    found = info(graph)
    screen = console.screen(sys.stdout)
    sizes = _sizes(found.facts, found.denied, found.entities, len(found.relations))
    screen.print(Text(printable(f"{found.name}: {sizes}")))
    screen.print(f"hash {found.hash}")
    table = Table(box=None, header_style="bold")
    table.add_column("relation", overflow="fold")
    for name in ("triples", "denied", "subjects", "objects", "functionality", "inverse"):
        table.add_column(name, justify="right")
    for r in found.relations:
        table.add_row(
            Text(printable(r.name)),
            f"{r.facts:,}",
            f"{r.denied:,}",
            f"{r.subjects:,}",
            f"{r.objects:,}",
            f"{r.functionality:.3f}",
            f"{r.inverse_functionality:.3f}",
        )
    screen.print(table)
    if found.classes:
        names = ", ".join(f"{display(key)} {count:,}" for key, count in found.classes[:20])
        more = f" and {len(found.classes) - 20} more" if len(found.classes) > 20 else ""
        screen.print(Text(printable(f"classes: {names}{more}")))
    screen.print("sample:")
    for subject, relation, object_ in sample(graph):
        screen.print(Text(printable(f"  {display(subject)}  {relation}  {display(object_)}")))
