"""Options that several commands share, and how they open their graph and rules."""

from __future__ import annotations

import os
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgverify.cli import console

if TYPE_CHECKING:
    from kgverify import Budget, Graph, LanguageModel, RuleBook

LLM_KEY = "KGVERIFY_LLM_KEY"  # the environment variable with the key of a language model

KgPaths = Annotated[
    list[Path],
    typer.Option(
        "--kg",
        help="The graph: a store built by `kgverify kg build`, or source files "
        "(give --kg several times for facts, labels, types).",
        show_default=False,
    ),
]
DeniedPaths = Annotated[
    list[Path],
    typer.Option("--denied", help="A file whose facts are all false.", show_default=False),
]
RulesPath = Annotated[
    Path, typer.Option("--rules", help="The rule file (.kgr).", show_default=False)
]


class OnError(StrEnum):
    STOP = "stop"
    SKIP = "skip"


OnErrorOption = Annotated[
    OnError,
    typer.Option(
        help="With a bad line: stop, and show every problem; or skip the line, report it and go on."
    ),
]


class PolicyChoice(StrEnum):
    FILTER = "filter"
    STRICT = "strict"
    RANK = "rank"


PolicyOption = Annotated[
    PolicyChoice,
    typer.Option(help="filter drops viol, strict keeps only sat, rank keeps all."),
]
ExactOption = Annotated[
    bool,
    typer.Option("--exact", help="Ask all completions what the evidence leaves open."),
]
ExactAtoms = Annotated[
    int | None,
    typer.Option(
        "--exact-atoms",
        help="The most atoms of a question that --exact leaves open at once (5000).",
        min=1,
        show_default=False,
    ),
]
ExactSeconds = Annotated[
    float | None,
    typer.Option(
        "--exact-seconds",
        help="The most seconds that --exact spends on a question (10).",
        min=0.001,
        show_default=False,
    ),
]


class CombineChoice(StrEnum):
    MAX = "max"
    NOISY_OR = "noisy-or"


CombineOption = Annotated[
    CombineChoice,
    typer.Option(
        help="How plausible an atom is that several soft rules speak for: as the strongest says "
        "(max), or by all of them, each a reason of its own (noisy-or)."
    ),
]
InferOption = Annotated[
    str | None,
    typer.Option(
        "--infer-from",
        metavar="PLAUSIBILITY",
        help="Let an atom that evidence leaves open count as true from this plausibility on, above "
        "0 and up to 1; without it, soft rules rank only.",
        show_default=False,
    ),
]


def budget_of(exact: bool, atoms: int | None, seconds: float | None) -> bool | Budget:
    """What the options of exact mode allow."""
    from kgverify import Budget

    if not exact:
        if atoms is not None or seconds is not None:
            raise typer.BadParameter(
                "goes with --exact", param_hint="--exact-atoms/--exact-seconds"
            )
        return False
    default = Budget()
    return Budget(
        default.atoms if atoms is None else atoms,
        default.seconds if seconds is None else seconds,
    )


def language_model(
    url: str | None, model: str | None, first: bool = False, seconds: float | None = None
) -> LanguageModel | None:
    """The language model that the options name, with the key of the environment."""
    if url is None:
        beside = {
            "--llm-model": model is not None,
            "--llm-first": first,
            "--llm-seconds": seconds is not None,
        }
        given = [option for option, is_given in beside.items() if is_given]
        if given:
            raise typer.BadParameter("goes with --llm", param_hint="/".join(given))
        return None
    if model is None:
        raise typer.BadParameter("goes with --llm-model", param_hint="--llm")
    from kgverify import LanguageModel

    found = LanguageModel(url, model, os.environ.get(LLM_KEY, "").strip())
    return found if seconds is None else replace(found, seconds=seconds)


def open_kg(
    paths: list[Path], denied: list[Path], book: RuleBook, on_error: OnError = OnError.STOP
) -> Graph:
    """The graph in a store or in source files; lines that are skipped are reported."""
    from kgverify import Options, open_graph

    options = Options(
        on_error=on_error.value,
        literal_relations=book.literal_relations,
        on_reject=lambda problem: console.report([problem]),
    )
    return open_graph([str(p) for p in paths], options, [str(p) for p in denied])
