"""The options by which `verify` and `explain` read passages, and the readers that they ask for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli.judge import JudgeChoice, judge_of
from kgverify.cli.retrieve import RetrieverChoice, index_beside, retriever_of

if TYPE_CHECKING:
    from kgverify import Graph, PassageReader, RuleBook, TextCompleter
    from kgverify.completion.policy import Policy

CorpusOption = Annotated[
    Path | None,
    typer.Option(
        "--corpus",
        help="Read passages of this corpus about what the graph leaves open: a folder built by "
        "`kgverify corpus build`, or a file of passages. They rank and show, and decide nothing.",
        show_default=False,
    ),
]
PassagesOption = Annotated[
    int | None,
    typer.Option(
        "--passages",
        help="With --corpus, read so many for each statement (5).",
        min=1,
        show_default=False,
    ),
]
RetrieverOption = Annotated[
    RetrieverChoice | None,
    typer.Option(
        "--retriever",
        help="With --corpus, how passages are found (bm25).",
        show_default=False,
    ),
]
VectorsOption = Annotated[
    Path | None,
    typer.Option(
        "--retriever-model",
        help="With the retrievers dense and hybrid, a folder with a model.",
        show_default=False,
    ),
]
JudgeOption = Annotated[
    JudgeChoice | None,
    typer.Option(
        "--judge", help="With --corpus, who judges what passages state (rules).", show_default=False
    ),
]
JudgeModelOption = Annotated[
    str | None,
    typer.Option(
        "--judge-model",
        help="With the judge nli, a folder with a model; with endpoint, a model's name.",
        show_default=False,
    ),
]
JudgeUrlOption = Annotated[
    str | None,
    typer.Option("--judge-url", help="With the judge endpoint, its base URL.", show_default=False),
]
JudgeCacheOption = Annotated[
    Path | None,
    typer.Option(
        "--judge-cache",
        help="With the judge endpoint, a folder that keeps replies between runs.",
        show_default=False,
    ),
]


def texts_of(
    graph: Graph,
    book: RuleBook,
    admitting: Policy | None,
    corpus: Path | None,
    passages: int | None,
    retriever: RetrieverChoice | None,
    vectors: Path | None,
    judge: JudgeChoice | None,
    judge_model: str | None,
    judge_url: str | None,
    judge_cache: Path | None,
) -> tuple[PassageReader | None, TextCompleter | None]:
    """What reads passages, where a corpus is named; and what searches them for missing edges, where
    a policy says which are admitted."""
    if corpus is None:
        given = {
            "--passages": passages,
            "--retriever": retriever,
            "--retriever-model": vectors,
            "--judge": judge,
            "--judge-model": judge_model,
            "--judge-url": judge_url,
            "--judge-cache": judge_cache,
            "--complete": admitting,
        }
        for option, value in given.items():
            if value is not None:
                raise typer.BadParameter("goes with --corpus", param_hint=option)
        return None, None
    from kgverify import PassageReader, TextCompleter, open_corpus

    by = judge_of(judge or JudgeChoice.RULES, judge_model, judge_url, [], judge_cache, 1, None)
    opened = open_corpus(corpus, None if admitting is None else graph)
    found = retriever_of(
        retriever or RetrieverChoice.BM25,
        opened,
        vectors,
        index_beside(corpus) if corpus.is_dir() else None,
    )
    most = {} if passages is None else {"most": passages}
    reader = PassageReader(graph, book, opened, found, by, progress=_progress(), **most)
    if admitting is None:
        return reader, None
    return reader, TextCompleter(graph, book, opened, found, by, admitting)


def _progress() -> Callable[[int, int], None] | None:
    """A line on a terminal that tells how far the reading is; nothing elsewhere."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        end = "\r" if done < total else "\r\033[K"
        print(f"reading passages: {done:,} of {total:,} statements", end=end, file=sys.stderr)

    return tell
