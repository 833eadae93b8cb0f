"""`kgverify score`: predicted answers against the right ones."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import console

EPILOG = "Example: kgverify score predictions.jsonl --gold gold.jsonl"


class ArticlesChoice(StrEnum):
    ALL = "all"
    LEADING = "leading"


class ScoreFormat(StrEnum):
    TABLE = "table"
    JSON = "json"


def score(
    predictions: Annotated[
        list[Path],
        typer.Argument(
            help="A file of predictions, of RoG, GoG, ToG, GNN-RAG or plain JSONL; or two, which "
            "are compared.",
            show_default=False,
        ),
    ],
    gold: Annotated[
        Path | None,
        typer.Option(
            help="The right answers (JSONL); without it, those in the file of predictions itself.",
            show_default=False,
        ),
    ] = None,
    articles: Annotated[
        ArticlesChoice,
        typer.Option(
            help="Which articles don't count in a name: all of them, or a leading one alone."
        ),
    ] = ArticlesChoice.ALL,
    names: Annotated[
        Path | None,
        typer.Option(
            help="A file of names, one a line, that no comma divides.", show_default=False
        ),
    ] = None,
    answers_in: Annotated[
        str,
        typer.Option(
            help="The field with the predicted answers, where several could be.", show_default=False
        ),
    ] = "",
    seed: Annotated[int, typer.Option(help="The seed of the resamples.", min=0)] = 0,
    resamples: Annotated[
        int, typer.Option(help="How often the paired bootstrap draws.", min=1, max=1_000_000)
    ] = 10_000,
    format: Annotated[ScoreFormat, typer.Option(help="A table, or JSON.")] = ScoreFormat.TABLE,
    out: Annotated[
        Path | None, typer.Option(help="Write to this file.", show_default=False)
    ] = None,
) -> None:
    """Score predicted answers strictly: Hits@Any, Hits@Hard, HHR, precision, recall and F1.

    Permissive numbers, by substring and by whole words, stand beside them and are called so. Two
    files of predictions are compared by McNemar's test, paired bootstrap and Cohen's kappa (the
    extra `scoring`)."""
    if len(predictions) > 2:
        raise typer.BadParameter("give one file, or two to compare", param_hint="PREDICTIONS")
    if len(predictions) == 2 and gold is None:
        raise typer.BadParameter("two files need the same --gold", param_hint="--gold")
    with console.mistakes_shown():
        from kgverify.experiments.scoring.comparing import compare, require_statsmodels
        from kgverify.experiments.scoring.scoring import score_files
        from kgverify.report.scores import as_json, print_comparison, print_score

        if len(predictions) == 2:
            require_statsmodels()
        scores = score_files(predictions, gold, articles.value, names, answers_in)
        comparison = None
        if len(scores) == 2:
            comparison = compare(scores[0].outcomes, scores[1].outcomes, seed, resamples)
        with console.output(out) as stream:
            if format is ScoreFormat.JSON:
                value = as_json(scores, comparison)
                stream.write(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1))
                stream.write("\n")
                return
            screen = console.screen(stream)
            for number, found in enumerate(scores):
                if number:
                    screen.print()
                print_score(screen, found)
            if comparison is not None:
                screen.print()
                print_comparison(screen, comparison, [found.name for found in scores])
