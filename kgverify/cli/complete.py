"""`kgverify complete`."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console
from kgverify.cli.admitting import PolicyName, SetOptions, policy_of
from kgverify.cli.judge import JudgeChoice, judge_of
from kgverify.cli.options import DeniedPaths, KgPaths, RulesPath, open_kg
from kgverify.cli.retrieve import RetrieverChoice, index_beside, retriever_of
from kgverify.cli.texts import (
    JudgeCacheOption,
    JudgeModelOption,
    JudgeOption,
    JudgeUrlOption,
    RetrieverOption,
    VectorsOption,
)
from kgverify.errors import counted

if TYPE_CHECKING:
    from kgverify import Graph, RuleBook
    from kgverify.completion.asking import Asked

EPILOG = (
    "Example: kgverify complete missing.jsonl --kg facts.tsv --corpus countries.corpus "
    "--rules rules/countries.kgr"
)


class Format(StrEnum):
    TABLE = "table"
    JSONL = "jsonl"


def complete(
    breakpoints: Annotated[
        Path,
        typer.Argument(
            help="Missing edges (JSONL): an id, a subject and a relation a line.",
            show_default=False,
        ),
    ],
    kg: KgPaths,
    corpus: Annotated[
        Path,
        typer.Option(
            help="The corpus: a folder built by `kgverify corpus build`, or a file of passages.",
            show_default=False,
        ),
    ],
    rules: RulesPath,
    denied: DeniedPaths = [],  # noqa: B006  (typer reads the default)
    policy: Annotated[
        PolicyName,
        typer.Option(help="When an edge is admitted: carefully, or as TGComplete's paper has it."),
    ] = PolicyName.CAREFUL,
    options: SetOptions = [],  # noqa: B006
    most: Annotated[
        int, typer.Option("--candidates", help="Judge so many objects of a missing edge.", min=1)
    ] = 20,
    retriever: RetrieverOption = None,
    retriever_model: VectorsOption = None,
    judge: JudgeOption = None,
    judge_model: JudgeModelOption = None,
    judge_url: JudgeUrlOption = None,
    judge_cache: JudgeCacheOption = None,
    journal: Annotated[
        Path | None,
        typer.Option(
            help="Keep what was read in this file, and go on from there if it exists.",
            show_default=False,
        ),
    ] = None,
    format: Annotated[
        Format, typer.Option("--format", help="A table for people, or a line of JSON for each.")
    ] = Format.TABLE,
    out: Annotated[
        Path | None, typer.Option(help="Write to this file.", show_default=False)
    ] = None,
) -> None:
    """Search text for edges that a graph lacks, and admit those that passages state.

    An admitted edge is no fact: it comes with the passages that it rests on. Every edge that is
    not admitted says why."""
    with console.mistakes_shown():
        from kgverify import load_rules, open_corpus
        from kgverify.completion.excluding import GraphExcluder
        from kgverify.completion.searching import Searcher, search
        from kgverify.report.completions import json_line, print_outcomes

        by = judge_of(judge or JudgeChoice.RULES, judge_model, judge_url, [], judge_cache, 1, None)
        decided_by = policy_of(policy, options)
        book = load_rules(rules)
        graph = open_kg(kg, denied, book)
        asked = _asked(breakpoints, graph, book)
        opened = open_corpus(corpus, graph)
        index = index_beside(corpus) if corpus.is_dir() else None
        found = retriever_of(retriever or RetrieverChoice.BM25, opened, retriever_model, index)
        searcher = Searcher(graph, book, opened, found, by, decided_by, journal, most)
        done, outcomes = search(
            [one.missing for one in asked], searcher, decided_by, GraphExcluder(graph, book)
        )
        by_place = {outcome.missing: outcome for outcome in outcomes}
        pairs = [(one, by_place[one.missing]) for one in asked]
        with console.output(out) as stream:
            if format is Format.JSONL:
                stream.writelines(
                    json_line(one, outcome, decided_by, searcher.pins, done.proven, graph, opened)
                    for one, outcome in pairs
                )
            else:
                screen = console.screen(stream)
                print_outcomes(screen, pairs, graph, opened)
                screen.print(
                    f"{counted(len(done.admitted), 'edge')} admitted for "
                    f"{counted(len(outcomes), 'missing edge')} in {counted(done.rounds, 'round')}, "
                    f"by the policy {decided_by.name} with tau {float(decided_by.tau):g}",
                    markup=False,
                )
        if not done.proven:
            print("note: the time was over before the choice was proved the best", file=sys.stderr)


def _asked(path: Path, graph: Graph, book: RuleBook) -> list[Asked]:
    from kgverify.completion.asking import read_breakpoints

    if not path.is_file():
        raise console.missing_file(path)
    with path.open("rb") as lines:
        asked, warnings = read_breakpoints(lines, str(path), graph, book)
    console.report(warnings)
    return asked
