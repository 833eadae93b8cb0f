"""`kgverify rules review`."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import console
from kgverify.cli.mined_rules import FromOption, MinedFile, measured_rules
from kgverify.cli.options import KgPaths, OnError, OnErrorOption
from kgverify.errors import counted

EPILOG = "Example: kgverify rules review rules.tsv --kg family.store --out family-mined.kgr"


class WeightChoice(StrEnum):
    PCA = "pca"
    STANDARD = "standard"


def review(
    file: MinedFile,
    kg: KgPaths,
    out: Annotated[
        Path,
        typer.Option(
            help="The rule file to write. One that is there keeps its own statements, and the "
            "marks of its mined rules.",
            show_default=False,
        ),
    ],
    rules: Annotated[
        Path | None,
        typer.Option(
            "--rules",
            help="Where there is no such file yet: begin with this one's statements and names.",
            show_default=False,
        ),
    ] = None,
    from_: FromOption = None,
    weight: Annotated[
        WeightChoice,
        typer.Option(help="What a rule weighs: its PCA confidence, or its standard confidence."),
    ] = WeightChoice.PCA,
    on_error: OnErrorOption = OnError.STOP,
) -> None:
    """Write mined rules into a rule file, as soft rules that people review.

    Every number is computed on the graph. Each rule comes with examples and a mark."""
    with console.mistakes_shown():
        from kgverify import open_graph, review_rules
        from kgverify.mining.reviewing import require_reviewable

        if not file.is_file():
            raise console.missing_file(file)
        graph = open_graph([str(path) for path in kg])
        text = _text_to_begin_with(out, rules)
        require_reviewable(graph, text, str(out))
        _, measured = measured_rules(file, graph, from_, on_error)
        mined = [c.mined for c in measured if c.mined is not None]
        written = review_rules(mined, graph, text, str(out), weight.value)
        console.report(written.warnings)
        with console.output(out) as stream:
            stream.write(written.text)
        parts = [f"{counted(written.active, 'soft rule')}", f"{written.rejected} rejected"]
        parts += [f"{written.gone} not found again"]
        parts += [f"{written.unusable} unusable"] * bool(written.unusable)
        print(f"{out}: {', '.join(parts)}", file=sys.stderr)
    if len(mined) < len(measured):
        raise SystemExit(console.LIMIT)


def _text_to_begin_with(out: Path, rules: Path | None) -> str:
    """The text that the rules are put into."""
    from kgverify import load_rules, read_rule_text

    if out.exists():
        return read_rule_text(out)
    return load_rules(rules).text if rules is not None else ""
