"""`kgverify bench …`: benchmarks of questions that an incomplete graph answers by reasoning."""

from __future__ import annotations

import time
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import console
from kgverify.cli.experiment import OutFolder
from kgverify.cli.options import LLM_KEY, language_model
from kgverify.errors import counted

app = typer.Typer(
    help="Build and check benchmarks of questions that need reasoning.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class NamesChoice(StrEnum):
    PRIVATE = "private"
    ID = "id"
    LABEL = "label"


@app.command(
    epilog="Example: kgverify bench build facts.tsv --rules mined.tsv --out benchmark --seed 1"
)
def build(
    kg: Annotated[
        list[Path],
        typer.Argument(help="The graph: a store, or source files.", show_default=False),
    ],
    rules: Annotated[
        Path,
        typer.Option(
            help="The mined rules: a file of AMIE, AnyBURL or JSON Lines.", show_default=False
        ),
    ],
    out: OutFolder,
    seed: Annotated[int, typer.Option(help="Decides everything that is drawn.")] = 0,
    per_rule: Annotated[
        int, typer.Option(help="How many groundings of a rule are drawn at the most.", min=1)
    ] = 30,
    tau: Annotated[
        str,
        typer.Option(help="The share of the questions that may have the same hard answer."),
    ] = "0.01",
    names: Annotated[
        NamesChoice,
        typer.Option(help="What entities are called: private numbers, the graph's ids, labels."),
    ] = NamesChoice.PRIVATE,
    sentences: Annotated[
        Path | None,
        typer.Option(
            help="A rule file (.kgr) whose sentences the questions are made of.",
            show_default=False,
        ),
    ] = None,
    llm: Annotated[
        str | None,
        typer.Option(
            help="The base URL of a chat interface that words the questions; the key is in "
            f"{LLM_KEY}.",
            show_default=False,
        ),
    ] = None,
    llm_model: Annotated[
        str | None, typer.Option(help="The language model behind it.", show_default=False)
    ] = None,
) -> None:
    """Build a benchmark: questions that the whole graph answers, and a graph that lacks the triple.

    Of each rule some groundings are drawn; their heads are removed as long as every selected
    grounding's body stays. Each removed triple becomes a question. The same inputs and seed give
    the same files."""
    share = _share(tau)
    with console.mistakes_shown():
        from kgverify import load_rules, open_graph
        from kgverify.experiments.incomplete.building import Options, build
        from kgverify.experiments.incomplete.files import read_rules
        from kgverify.experiments.incomplete.wording import worded
        from kgverify.experiments.incomplete.writing import write_benchmark
        from kgverify.experiments.runs import check_place, file_hash, names_of

        start = time.perf_counter()
        model = language_model(llm, llm_model)
        check_place(out)
        book = load_rules(sentences) if sentences is not None else None
        graph = open_graph([str(path) for path in kg])
        mined, warnings = read_rules(rules, graph)
        console.report(warnings)
        options = Options(seed, per_rule, share, names.value)
        with console.progress_shown() as progress:
            benchmark = build(graph, mined, options, book, progress)
            if model is not None:
                benchmark, refused = worded(benchmark, model, progress)
                console.report(refused)
        files = [*kg, rules, *([sentences] if sentences else [])]
        given = names_of((path for path in files if path.is_file()), taken=("graph",))
        inputs = {name: file_hash(path) for name, path in given.items()}
        write_benchmark(out, benchmark, {**inputs, "graph": graph.hash}, model)
        questions = sum(map(len, benchmark.parts.values()))
        removed = len(benchmark.selection.removed)
        took = time.perf_counter() - start
        print(
            f"{out}: {counted(questions, 'question')}, {counted(removed, 'triple')} of "
            f"{len(benchmark.rows):,} removed; {took:.1f} s"
        )


def _share(text: str) -> Fraction:
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share <= 1:
        raise typer.BadParameter("τ is above 0 and at most 1", param_hint="--tau")
    return share


@app.command(epilog="Example: kgverify bench check benchmark")
def check(
    folder: Annotated[Path, typer.Argument(help="The folder of a benchmark.", show_default=False)],
) -> None:
    """Check a benchmark from its files alone.

    Every removed triple can be inferred from what is left, no removed triple is in the body that
    infers another, answers are complete, parts are disjoint. What does not hold is listed, and the
    exit code is 1."""
    with console.mistakes_shown():
        from kgverify.experiments.incomplete.checking import check, faults
        from kgverify.experiments.incomplete.reading import check_folder

        check_folder(folder)
        found = check(folder)
        if found.faults:
            console.report(faults(found))
            raise SystemExit(console.SOMETHING_VIOLATED)
        print(
            f"{folder}: {counted(found.removed, 'removed triple')} inferable by "
            f"{counted(found.groundings, 'grounding')}, {counted(found.questions, 'question')} "
            f"answered by the complete graph's {counted(found.triples, 'triple')}"
        )
