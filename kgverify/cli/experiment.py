"""`kgverify experiment …`: published experiments, done again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console

if TYPE_CHECKING:
    from kgverify.experiments.runs import RunRecord

app = typer.Typer(
    help="Do published experiments again on the real data, and write reports.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
DataFolder = Annotated[
    Path, typer.Option("--data", help="The folder with the data sets.", show_default=False)
]
OutFolder = Annotated[
    Path,
    typer.Option(
        "--out",
        help="The folder to write; one with an earlier run is replaced.",
        show_default=False,
    ),
]
KEY = "KGVERIFY_LLM_KEY"  # the environment variable with the key of a language model
Quick = Annotated[bool, typer.Option("--quick", help="Do a small part, in half a minute.")]
Seed = Annotated[int, typer.Option("--seed", help="The first seed; the others follow it.")]


@app.command(
    epilog="Example: kgverify experiment cespk --data data/hetionet --out out/cespk --quick"
)
def cespk(data: DataFolder, out: OutFolder, quick: Quick = False, seed: Seed = 0) -> None:
    """Constrained entity selection under partial knowledge, on Hetionet.

    Verifies sampled answers among distractors while edges are removed, and writes a report with
    plots and all results as JSON.  The same data, seed and versions give the same files."""
    with _running(out) as run:
        from kgverify.experiments.cespk.running import run as experiment

        run(lambda progress: experiment(data, out, quick, seed, progress))


@app.command(
    epilog="Example: kgverify experiment metaqa --kg data/metaqa/kg.tsv.gz "
    "--questions data/metaqa/2hop-test.tsv.gz --out out/metaqa --quick"
)
def metaqa(
    kg: Annotated[Path, typer.Option("--kg", help="The movie graph.", show_default=False)],
    questions: Annotated[
        list[Path],
        typer.Option("--questions", help="A question file; may be repeated.", show_default=False),
    ],
    out: OutFolder,
    quick: Quick = False,
    seed: Seed = 0,
) -> None:
    """Questions about films in plain words, read and answered without training.

    Reads each question by the words of the rule file for films, answers it from the graph, and
    writes a report by question type.  Files with more hops work as well."""
    with _running(out) as run:
        from kgverify.experiments.metaqa.running import run as experiment

        run(lambda progress: experiment(kg, questions, out, quick, seed, progress))


@app.command(
    epilog="Example: kgverify experiment incomplete out/family-benchmark --out out/incomplete"
)
def incomplete(
    benchmarks: Annotated[
        list[Path],
        typer.Argument(help="Folders that `kgverify bench build` wrote.", show_default=False),
    ],
    out: OutFolder,
    quick: Quick = False,
    seed: Seed = 0,
) -> None:
    """Answer a benchmark's questions from its incomplete graph, with rules mined from it.

    Rules are mined anew from each of its graphs, scores and a threshold chosen on the validation
    questions, and the test questions answered; a report beside the published numbers."""
    with _running(out) as run:
        from kgverify.experiments.incomplete.running import run as experiment

        run(lambda progress: experiment(benchmarks, out, quick, seed, progress))


@app.command(
    "tgs-rag",
    epilog="Example: kgverify experiment tgs-rag --questions data/musique.jsonl.gz "
    "--corpus data/musique-corpus.jsonl.gz --embeddings models/minilm --out out/tgs-rag",
)
def tgs_rag(
    questions: Annotated[
        Path,
        typer.Option(
            "--questions",
            help="Questions with their supporting passages, as MuSiQue or HotpotQA has them.",
            show_default=False,
        ),
    ],
    out: OutFolder,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus",
            help="The passages to search; without it those of the questions.",
            show_default=False,
        ),
    ] = None,
    embeddings: Annotated[
        Path | None,
        typer.Option(
            "--embeddings",
            help="A folder with a transformers model for search by meaning (extra `neural`). "
            "Without it everything is compared by words.",
            show_default=False,
        ),
    ] = None,
    index: Annotated[
        Path | None,
        typer.Option(
            "--index",
            help="A folder in which vectors are kept for the next time.",
            show_default=False,
        ),
    ] = None,
    llm: Annotated[
        str | None,
        typer.Option(
            "--llm",
            help="The base URL of a language model with OpenAI's chat interface, which makes the "
            f"graph. It is sent every passage, with the key in {KEY}.",
            show_default=False,
        ),
    ] = None,
    llm_model: Annotated[
        str | None,
        typer.Option("--llm-model", help="The language model's name.", show_default=False),
    ] = None,
    replies: Annotated[
        Path | None,
        typer.Option(
            "--replies",
            help="The file in which the language model's replies are kept: a run that was stopped "
            "goes on with it.",
            show_default=False,
        ),
    ] = None,
    quick: Quick = False,
    seed: Seed = 0,
) -> None:
    """Retrieval by text and graph together, for questions of several hops.

    Makes a graph of the passages, searches it with a memory, and compares what is retrieved with
    retrievers alone, with the same without each of its parts, and at an equal number of
    documents."""
    if len({given is None for given in (llm, llm_model, replies)}) > 1:
        raise typer.BadParameter("--llm, --llm-model and --replies belong together")
    with _running(out) as run:
        from kgverify import LanguageModel
        from kgverify.experiments.tgsrag.running import Sources
        from kgverify.experiments.tgsrag.running import run as experiment

        model = None
        if llm is not None and llm_model is not None:
            model = LanguageModel(llm, llm_model, os.environ.get(KEY, ""))
        sources = Sources(questions, corpus, embeddings, index, model, replies)
        run(lambda progress: experiment(sources, out, quick, seed, progress))


@app.command(
    epilog="Example: kgverify experiment gog --data data/gog --kg data/fb15k237/train.txt.gz "
    "--out out/gog"
)
def gog(
    data: Annotated[
        Path, typer.Option("--data", help="The folder with GoG's files.", show_default=False)
    ],
    out: OutFolder,
    kg: Annotated[
        list[Path] | None,
        typer.Option(
            "--kg",
            help="A file of a Freebase graph, such as FB15k-237, on which declarations are "
            "counted; may be repeated.",
            show_default=False,
        ),
    ] = None,
    quick: Quick = False,
) -> None:
    """What GoG's questions lose when Freebase is made incomplete, and what rules can defend.

    Reads the deleted triples of each question, makes one of those that say the same, counts them by
    level and relation, and compares them with what `freebase.kgr` declares."""
    with _running(out) as run:
        from kgverify.experiments.gog.running import run as experiment

        run(lambda progress: experiment(data, kg or [], out, quick, progress))


Run = Callable[[Callable[[str], None]], "RunRecord"]


@contextmanager
def _running(out: Path) -> Iterator[Callable[[Run], None]]:
    """What every experiment shares: mistakes are shown, progress goes to a terminal, and at the end
    stands what was done."""

    def run(experiment: Run) -> None:
        start = time.perf_counter()
        with console.progress_shown() as progress:
            record = experiment(progress)
        seeds = f", seeds {', '.join(map(str, record.seeds))}" if record.seeds else ""
        took = time.perf_counter() - start
        print(f"{out}: {record.experiment}{seeds}; {took:.1f} s")

    with console.mistakes_shown():
        yield run
