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
from kgverify.cli.options import LLM_KEY, DeniedPaths, KgPaths, RulesPath, language_model, open_kg
from kgverify.cli.retrieve import RetrieverChoice, index_beside, retriever_of
from kgverify.cli.texts import (
    JudgeCacheOption,
    JudgeModelOption,
    JudgeOption,
    JudgeUrlOption,
    RetrieverOption,
    VectorsOption,
)
from kgverify.errors import EvidenceError, Problem, counted, did_you_mean

if TYPE_CHECKING:
    from kgverify import Graph, Judge, RuleBook
    from kgverify.completion.asking import Asked
    from kgverify.completion.generating import Generator
    from kgverify.completion.searching import Spent

EPILOG = (
    "Example: kgverify complete missing.jsonl --kg facts.tsv --corpus countries.corpus "
    "--rules rules/countries.kgr"
)


PASSAGES, GUESS, MODEL = "passages", "guess", "model"


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
    candidates_from: Annotated[
        str,
        typer.Option(
            metavar="SOURCE",
            help="Where the objects come from that are judged: what `passages` name, a `guess` "
            "from the graph alone, a language `model` (--llm), or a file of generations (JSONL).",
        ),
    ] = PASSAGES,
    llm: Annotated[
        str | None,
        typer.Option(
            help="With candidates from a model, the base URL of one with OpenAI's chat interface. "
            f"It is sent the missing edge and facts of its subject, with the key in {LLM_KEY}.",
            show_default=False,
        ),
    ] = None,
    llm_model: Annotated[
        str | None,
        typer.Option(help="The language model's name, with --llm.", show_default=False),
    ] = None,
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

    With --candidates-from objects are generated instead of found, and verified by the same text.
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
        asked, generator = _read(breakpoints, candidates_from, llm, llm_model, graph, book)
        _warn_of_one_model(generator, by)
        opened = open_corpus(corpus, graph)
        index = index_beside(corpus) if corpus.is_dir() else None
        found = retriever_of(retriever or RetrieverChoice.BM25, opened, retriever_model, index)
        with console.progress_shown() as progress:
            searcher = Searcher(
                graph,
                book,
                opened,
                found,
                by,
                decided_by,
                journal,
                most,
                lambda missing, round: progress(f"round {round}: {missing}"),
                generator,
            )
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
                screen.print(_costs(searcher.spent), markup=False)
                screen.print(
                    f"{counted(len(done.admitted), 'edge')} admitted for "
                    f"{counted(len(outcomes), 'missing edge')} in {counted(done.rounds, 'round')}, "
                    f"by the policy {decided_by.name} with tau {float(decided_by.tau):g}",
                    markup=False,
                )
        if not done.proven:
            print("note: the time was over before the choice was proved the best", file=sys.stderr)


def _read(
    breakpoints: Path,
    candidates_from: str,
    llm: str | None,
    llm_model: str | None,
    graph: Graph,
    book: RuleBook,
) -> tuple[list[Asked], Generator | None]:
    """The missing edges, and what generates objects for them; what is wrong with either is told
    together."""
    from kgverify.completion.asking import read_breakpoints

    if not breakpoints.is_file():
        raise console.missing_file(breakpoints)
    problems: list[Problem] = []
    asked: list[Asked] = []
    generator = None
    try:
        with breakpoints.open("rb") as lines:
            asked, warnings = read_breakpoints(lines, str(breakpoints), graph, book)
        console.report(warnings)
    except EvidenceError as error:
        problems += error.problems
    try:
        generator = _generator(candidates_from, llm, llm_model, graph, book)
    except EvidenceError as error:
        problems += error.problems
    if problems:
        raise EvidenceError(problems)
    return asked, generator


def _generator(
    source: str, llm: str | None, llm_model: str | None, graph: Graph, book: RuleBook
) -> Generator | None:
    """What generates objects; None where passages name them."""
    asked = language_model(llm, llm_model)
    if asked is not None and source != MODEL:
        raise typer.BadParameter("goes with --candidates-from model", param_hint="--llm")
    if asked is None and source == MODEL:
        raise typer.BadParameter("model needs --llm", param_hint="--candidates-from")
    if source == PASSAGES:
        return None
    if source == GUESS:
        from kgverify.completion.guessing import Guesser

        return Guesser(graph, book)
    if asked is not None:
        from kgverify.completion.generating_by_model import ModelGenerator

        return ModelGenerator(asked, graph, book)
    from kgverify.completion.recorded import read_generations

    path = Path(source)
    if not path.is_file():
        named = did_you_mean(source, (PASSAGES, GUESS, MODEL))
        hint = named or "write passages, guess, model, or the path of a file of generations"
        message = f"there is no source of candidates `{source}`, and no such file"
        raise EvidenceError(Problem("candidate-source", message, None, hint))
    with path.open("rb") as lines:
        return read_generations(lines, source, graph, book)


def _warn_of_one_model(generator: Generator | None, judge: Judge) -> None:
    from kgverify import same_model

    if generator is not None and same_model(generator.model, judge.name):
        message = f"`{judge.name}` judges what it generated itself"
        hint = "have another model judge: one that judges itself is too mild"
        console.report([Problem("same-model", message, None, hint, "warning")])


def _costs(spent: Spent) -> str:
    return (
        f"{spent.searches:,} {'search' if spent.searches == 1 else 'searches'}, "
        f"{counted(spent.judged, 'pair')} judged, {counted(spent.calls, 'call')} to generate"
    )
