"""`kgverify experiment …`: published experiments, done again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console
from kgverify.cli.judge import JudgeChoice, judge_of

if TYPE_CHECKING:
    from kgverify import Judge, LanguageModel
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


class SecondJudge(StrEnum):
    FIELDS = "fields"
    NLI = "nli"
    ENDPOINT = "endpoint"


KEY = "KGVERIFY_LLM_KEY"  # the environment variable with the key of a language model
Quick = Annotated[bool, typer.Option("--quick", help="Do a small part, in half a minute.")]
LlmModel = Annotated[
    str | None,
    typer.Option("--llm-model", help="The language model's name.", show_default=False),
]
Replies = Annotated[
    Path | None,
    typer.Option(
        "--replies",
        help="The file in which the language model's replies are kept: a run that was stopped "
        "goes on with it.",
        show_default=False,
    ),
]
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
    llm_model: LlmModel = None,
    replies: Replies = None,
    quick: Quick = False,
    seed: Seed = 0,
) -> None:
    """Retrieval by text and graph together, for questions of several hops.

    Makes a graph of the passages, searches it with a memory, and compares what is retrieved with
    retrievers alone, with the same without each of its parts, and at an equal number of
    documents."""
    _check_model(llm, llm_model, replies)
    with _running(out) as run:
        from kgverify.experiments.tgsrag.running import Sources
        from kgverify.experiments.tgsrag.running import run as experiment

        model = _model(llm, llm_model)
        sources = Sources(questions, corpus, embeddings, index, model, replies)
        run(lambda progress: experiment(sources, out, quick, seed, progress))


@app.command(
    epilog="Example: kgverify experiment tgcomplete --data data --out out/tgcomplete --quick"
)
def tgcomplete(
    data: DataFolder,
    out: OutFolder,
    quick: Quick = False,
    seed: Seed = 0,
    predictions: Annotated[
        list[str],
        typer.Option(
            "--predictions",
            metavar="WORLD=FILE",
            help="Answers that another system gave to the questions of `countries` or `diseases`, "
            "such as a language model's; may be repeated.",
            show_default=False,
        ),
    ] = [],  # noqa: B006  (typer reads the default)
    generations: Annotated[
        list[str],
        typer.Option(
            "--generations",
            metavar="WORLD=FILE",
            help="What a language model generated for missing edges (GoG), a line each; may be "
            "repeated.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    llm: Annotated[
        str | None,
        typer.Option(
            "--llm",
            help="The base URL of a language model with OpenAI's chat interface, which generates. "
            f"It is sent facts about the subjects of missing edges, with the key in {KEY}.",
            show_default=False,
        ),
    ] = None,
    llm_model: LlmModel = None,
    replies: Replies = None,
    judge: Annotated[
        SecondJudge,
        typer.Option(
            "--judge",
            help="The second judge, who says what passages state: one that knows the fields of "
            "profiles (fields), an NLI model on this machine (nli, extra `neural`), or a language "
            "model with OpenAI's chat interface (endpoint).",
        ),
    ] = SecondJudge.FIELDS,
    judge_model: Annotated[
        str | None,
        typer.Option(
            "--judge-model",
            help="With the judge nli, a folder with a model; with endpoint, a model's name.",
            show_default=False,
        ),
    ] = None,
    judge_url: Annotated[
        str | None,
        typer.Option(
            "--judge-url", help="With the judge endpoint, its base URL.", show_default=False
        ),
    ] = None,
    judge_cache: Annotated[
        Path | None,
        typer.Option(
            "--judge-cache",
            help="With the judge endpoint, a folder that keeps replies between runs.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Edges completed from text, or left out: TGComplete and its controls, on countries and
    diseases.

    Deletes edges, asks questions whose paths then stop, completes what is missing by each method,
    and measures what passages state of it. The same data, seed and versions give the same files."""
    _check_model(llm, llm_model, replies)
    with _running(out) as run:
        from kgverify.experiments.tgcomplete.running import Sources
        from kgverify.experiments.tgcomplete.running import run as experiment

        second = _second_judge(judge, judge_model, judge_url, judge_cache)
        sources = Sources(
            data,
            second,
            _of_worlds(generations, "--generations"),
            _of_worlds(predictions, "--predictions"),
            _model(llm, llm_model),
            replies,
        )
        run(lambda progress: experiment(sources, out, quick, seed, progress))


def _check_model(llm: str | None, llm_model: str | None, replies: Path | None) -> None:
    if len({given is None for given in (llm, llm_model, replies)}) > 1:
        raise typer.BadParameter("--llm, --llm-model and --replies belong together")


def _model(llm: str | None, name: str | None) -> LanguageModel | None:
    """The language model that the options name, if they do."""
    from kgverify import LanguageModel

    if llm is None or name is None:
        return None
    return LanguageModel(llm, name, os.environ.get(KEY, ""))


def _second_judge(
    kind: SecondJudge, model: str | None, url: str | None, cache: Path | None
) -> Judge | None:
    """The judge that the options name; None for the experiment's own."""
    if kind is SecondJudge.FIELDS:
        if model is not None or url is not None or cache is not None:
            raise typer.BadParameter("go with --judge nli or endpoint", param_hint="--judge-…")
        return None
    return judge_of(JudgeChoice(kind.value), model, url, [], cache, 1, None)


def _of_worlds(given: list[str], option: str) -> tuple[tuple[str, Path], ...]:
    """Files, each with the world that it is of."""
    found = []
    for text in given:
        world, equals, path = text.partition("=")
        if not equals or not path:
            raise typer.BadParameter("write it as WORLD=FILE", param_hint=option)
        found.append((world, Path(path)))
    return tuple(found)


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
