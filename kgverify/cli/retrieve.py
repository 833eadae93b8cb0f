"""`kgverify retrieve`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console
from kgverify.cli.options import DeniedPaths, open_kg
from kgverify.errors import counted

if TYPE_CHECKING:
    from kgverify import Corpus, Query, Retriever

EPILOG = 'Example: kgverify retrieve "capital of Norway" --corpus countries.corpus'


class RetrieverChoice(StrEnum):
    BM25 = "bm25"
    REFERENCE = "bm25-reference"
    DENSE = "dense"
    HYBRID = "hybrid"


class HitFormat(StrEnum):
    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"


def retrieve(
    corpus: Annotated[
        Path,
        typer.Option(
            help="The corpus: a folder built by `kgverify corpus build`.", show_default=False
        ),
    ],
    words: Annotated[
        str,
        typer.Argument(
            help="What to search for; with --relation it may be left out.", show_default=False
        ),
    ] = "",
    relation: Annotated[
        str | None,
        typer.Option(
            help="Search for passages that state this relation of the rule file; its phrases widen "
            "the search.",
            show_default=False,
        ),
    ] = None,
    subject: Annotated[
        str | None,
        typer.Option(
            help="The relation's subject: an id, label or alias of the graph.", show_default=False
        ),
    ] = None,
    object: Annotated[
        str | None,
        typer.Option(
            help="The relation's object: an id, label or alias of the graph, or a value.",
            show_default=False,
        ),
    ] = None,
    kg: Annotated[
        list[Path],
        typer.Option(
            "--kg",
            help="The graph that knows the names of --subject and --object.",
            show_default=False,
        ),
    ] = [],  # noqa: B006  (typer reads the default)
    rules: Annotated[
        Path | None,
        typer.Option("--rules", help="The rule file that has --relation.", show_default=False),
    ] = None,
    denied: DeniedPaths = [],  # noqa: B006
    retriever: Annotated[
        RetrieverChoice,
        typer.Option(
            help="bm25 searches by words, bm25-reference does the same slowly, dense by meaning "
            "with a model, hybrid by both."
        ),
    ] = RetrieverChoice.BM25,
    model: Annotated[
        Path | None,
        typer.Option(
            help="A folder with a transformers or sentence-transformers model, for dense and "
            "hybrid (extra `neural`). Nothing is downloaded.",
            show_default=False,
        ),
    ] = None,
    top: Annotated[int, typer.Option(help="Show at most so many passages.", min=1)] = 5,
    index: Annotated[
        Path | None,
        typer.Option(
            help="The folder in which indexes are kept (beside the corpus: CORPUS.index).",
            show_default=False,
        ),
    ] = None,
    format: Annotated[
        HitFormat,
        typer.Option(
            help="A table for people; or JSON with the places of words and names, as one object or "
            "a line for each passage."
        ),
    ] = HitFormat.TABLE,
) -> None:
    """Find passages of a corpus, by words or for a fact that they should state."""
    with console.mistakes_shown():
        from kgverify import open_corpus
        from kgverify.report.passages import found_passages, json_lines, json_text, print_passages

        query = _query(words, relation, subject, object, kg, denied, rules)
        opened = open_corpus(corpus)
        search = retriever_of(retriever, opened, model, index or index_beside(corpus))
        (hits,) = search.search([query], top)
        found = found_passages(opened, query, hits)
        if format is HitFormat.JSON:
            sys.stdout.write(json_text(query, search.name, found))
        elif format is HitFormat.JSONL:
            sys.stdout.writelines(json_lines(found))
        else:
            screen = console.screen(sys.stdout)
            print_passages(screen, found)
            screen.print(
                f"{counted(len(found), 'passage')} of {len(opened):,} by {search.name}, for "
                f"“{query.text}”",
                markup=False,
            )


def _query(
    words: str,
    relation: str | None,
    subject: str | None,
    object: str | None,
    kg: list[Path],
    denied: list[Path],
    rules: Path | None,
) -> Query:
    """The words alone, or the words of a relation with what widens them."""
    from kgverify import Query

    if relation is None:
        if subject or object or kg or rules or denied:
            raise typer.BadParameter(
                "goes with --relation", param_hint="--subject/--object/--kg/--rules/--denied"
            )
        if not words.strip():
            raise typer.BadParameter("say what to search for, or give --relation")
        return Query(words)
    if rules is None:
        raise typer.BadParameter("is needed by --relation", param_hint="--rules")
    if (subject or object) and not kg:
        raise typer.BadParameter("is needed by --subject and --object", param_hint="--kg")
    if not (subject or object):
        raise typer.BadParameter("needs --subject or --object", param_hint="--relation")
    from kgverify import edge_query, load_rules, named_entity

    book = load_rules(rules)
    graph = open_kg(kg, denied, book)
    is_value = object is not None and book.is_literal(relation)
    found = edge_query(
        graph,
        book,
        relation,
        None if subject is None else named_entity(graph, book, subject),
        object if object is None or is_value else named_entity(graph, book, object),
    )
    if not words.strip():
        return found
    return Query(words, found.names, (found.text, *found.phrases))


def retriever_of(
    choice: RetrieverChoice, corpus: Corpus, model: Path | None, index: Path | None
) -> Retriever:
    """The retriever that the options name; without a folder its index is not kept."""
    from kgverify import Bm25, Bm25Reference, Dense, Encoder, Hybrid, IndexFolder

    needs_model = choice in (RetrieverChoice.DENSE, RetrieverChoice.HYBRID)
    if needs_model and model is None:
        raise typer.BadParameter("is needed by dense and hybrid", param_hint="--model")
    if model is not None and not needs_model:
        raise typer.BadParameter("goes with dense and hybrid", param_hint="--model")
    kept = IndexFolder(index, lambda problem: console.report([problem])) if index else None
    if choice is RetrieverChoice.REFERENCE:
        return Bm25Reference(corpus)
    if model is None:
        return Bm25(corpus, index=kept)
    with _progress() as progress:
        dense = Dense(corpus, Encoder(model), kept, progress=progress)
    return dense if choice is RetrieverChoice.DENSE else Hybrid([Bm25(corpus, index=kept), dense])


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("vectors"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("vectors", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def index_beside(corpus: Path) -> Path:
    return corpus.resolve().with_name(f"{corpus.resolve().name}.index")
