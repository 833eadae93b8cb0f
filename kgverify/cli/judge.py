"""`kgverify judge`: does a passage state a fact, and how good is a judge?"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgverify.cli import console
from kgverify.cli.options import LLM_KEY, open_kg

if TYPE_CHECKING:
    from kgverify import Claims, Judge, RuleBook

TEXT_EPILOG = (
    'Example: kgverify judge text "Abuja has been the capital of Nigeria since 1991." '
    "--subject Nigeria --relation capital --object Abuja --rules rules/countries.kgr"
)
CALIBRATE_EPILOG = "Example: kgverify judge calibrate pairs.jsonl --rules rules/countries.kgr"

app = typer.Typer(
    help="Judge whether passages state facts, and measure judges.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class JudgeChoice(StrEnum):
    RULES = "rules"
    NLI = "nli"
    ENDPOINT = "endpoint"


class Format(StrEnum):
    TABLE = "table"
    JSON = "json"


JudgeOption = Annotated[
    JudgeChoice,
    typer.Option(
        "--judge",
        help="The built-in judge by the rule file's words (rules), an NLI model on this machine "
        "(nli, extra `neural`), or a language model with OpenAI's chat interface (endpoint).",
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        help="With nli, a folder with a model, or the name of one kept here; with endpoint, "
        "the model's name. Nothing is downloaded.",
        show_default=False,
    ),
]
UrlOption = Annotated[
    str | None,
    typer.Option(
        help=f"With endpoint, the base URL; a key is taken from {LLM_KEY}.", show_default=False
    ),
]
LabelsOption = Annotated[
    list[str],
    typer.Option(
        "--label",
        metavar="NAME=MEANING",
        help="With nli, what a label of the model means: entailment, neutral, contradiction or "
        "not_entailment. Give it for each label whose name doesn't say it.",
        show_default=False,
    ),
]
CacheOption = Annotated[
    Path | None,
    typer.Option(
        help="With endpoint, a folder that keeps replies between runs.", show_default=False
    ),
]
RetriesOption = Annotated[
    int, typer.Option(help="With endpoint, how often a failed reply is asked for again.", min=0)
]
SecondsOption = Annotated[
    float | None,
    typer.Option(
        help="With endpoint, the most seconds that a reply may take (60).",
        min=0.001,
        show_default=False,
    ),
]
KgOption = Annotated[
    list[Path],
    typer.Option(
        "--kg",
        help="A graph with the names of the entities: a store, or source files.",
        show_default=False,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="Text for people, or JSON.")]


def text(
    text: Annotated[str, typer.Argument(help="The passage; `-` reads it from standard input.")],
    subject: Annotated[str, typer.Option(help="The subject's name or id.")],
    relation: Annotated[str, typer.Option(help="The relation's name in the rule file.")],
    rules: Annotated[Path, typer.Option("--rules", help="The rule file (.kgr).")],
    object: Annotated[
        str, typer.Option(help="The object's name or id, or the value of a relation to values.")
    ],
    title: Annotated[str, typer.Option(help="The passage's title.", show_default=False)] = "",
    heading: Annotated[
        str, typer.Option(help="What part of that the passage is.", show_default=False)
    ] = "",
    unit: Annotated[str, typer.Option(help="The value's unit.", show_default=False)] = "",
    compare: Annotated[
        str, typer.Option(help="How the stated value compares: = != < <= > >=.")
    ] = "=",
    kg: KgOption = [],  # noqa: B006  (typer reads the default)
    judge: JudgeOption = JudgeChoice.RULES,
    model: ModelOption = None,
    url: UrlOption = None,
    labels: LabelsOption = [],  # noqa: B006
    cache: CacheOption = None,
    retries: RetriesOption = 1,
    seconds: SecondsOption = None,
    format: FormatOption = Format.TABLE,
) -> None:
    """Say whether a passage states a fact: ENTAILED, UNCERTAIN or NOT_ENTAILED, and why.

    A judge that gives no label ends with exit code 2."""
    with console.mistakes_shown():
        from kgverify import Failure, Passage, load_rules

        by = judge_of(judge, model, url, labels, cache, retries, seconds)
        book = load_rules(rules)
        claims = _claims(book, kg)
        is_value = book.is_literal(relation) if relation in book.relations else False
        what = claims.value(relation, object, unit, compare) if is_value else object
        if not is_value and (unit or compare != "="):
            raise typer.BadParameter(
                "goes with a relation to values", param_hint="--unit/--compare"
            )
        claim = claims.of(subject, relation, what)
        passage = Passage("text", sys.stdin.read() if text == "-" else text, title, heading=heading)
        (answer,) = by.judge([(passage, claim)])
        if isinstance(answer, Failure):
            if answer.raw:
                print(f"the judge said: {answer.raw[:2000]}", file=sys.stderr)
            console.stop(answer.problem)
        if format is Format.JSON:
            quote = answer.extent.of(passage.text) if answer.extent else None
            place = [answer.extent.start, answer.extent.end] if answer.extent else None
            found = {
                "judge": by.name,
                "claim": claim.hypothesis,
                "label": answer.label,
                "score": answer.score,
                "reason": answer.reason,
                "quote": quote,
                "place": place,
            }
            _write_json(found, None)
            return
        from kgverify.report.calibrations import print_judgement

        screen = console.screen(sys.stdout)
        screen.print(f"claim: {claim.hypothesis}", markup=False)
        print_judgement(screen, answer, passage)


def calibrate(
    pairs: Annotated[Path, typer.Argument(help="A file of pairs (JSONL).", show_default=False)],
    rules: Annotated[
        list[Path],
        typer.Option(
            "--rules",
            help="The rule file (.kgr). With several, each serves the pairs whose `domain` is its "
            "name without the ending.",
            show_default=False,
        ),
    ],
    kg: KgOption = [],  # noqa: B006  (typer reads the default)
    judge: JudgeOption = JudgeChoice.RULES,
    model: ModelOption = None,
    url: UrlOption = None,
    labels: LabelsOption = [],  # noqa: B006
    cache: CacheOption = None,
    retries: RetriesOption = 1,
    seconds: SecondsOption = None,
    format: FormatOption = Format.TABLE,
    out: Annotated[
        Path | None, typer.Option(help="Write to this file.", show_default=False)
    ] = None,
) -> None:
    """Measure a judge on pairs that people have labelled: accuracy, macro F1, confusion, and how
    far its scores can be relied on.

    Pairs for which the judge gives no label are counted beside the rates, and not in them."""
    with console.mistakes_shown():
        from kgverify import calibrate as measure
        from kgverify import load_rules, read_pairs

        by = judge_of(judge, model, url, labels, cache, retries, seconds)
        books = {path.stem: load_rules(path) for path in rules}
        if len(books) < len(rules):
            raise typer.BadParameter("two files have the same name", param_hint="--rules")
        claims = {name: _claims(book, kg) for name, book in books.items()}
        read = read_pairs(pairs, claims if len(claims) > 1 else next(iter(claims.values())))
        found = measure(by, read)
        if format is Format.JSON:
            _write_json(found.to_dict(), out)
            return
        from kgverify.report.calibrations import print_calibration

        with console.output(out) as stream:
            print_calibration(console.screen(stream), found)


app.command("text", epilog=TEXT_EPILOG)(text)
app.command("calibrate", epilog=CALIBRATE_EPILOG)(calibrate)


def _claims(book: RuleBook, kg: list[Path]) -> Claims:
    from kgverify import Claims

    return Claims(book, open_kg(kg, [], book) if kg else None)


def judge_of(
    kind: JudgeChoice,
    model: str | None,
    url: str | None,
    labels: list[str],
    cache: Path | None,
    retries: int,
    seconds: float | None,
) -> Judge:
    """The judge that the options name."""
    is_endpoint = kind is JudgeChoice.ENDPOINT
    if (model is None) is not (kind is JudgeChoice.RULES):
        raise typer.BadParameter("goes with --judge nli or endpoint", param_hint="--model")
    if (url is not None) is not is_endpoint:
        raise typer.BadParameter("goes with --judge endpoint", param_hint="--url")
    if (cache is not None or seconds is not None) and not is_endpoint:
        raise typer.BadParameter("goes with --judge endpoint", param_hint="--cache/--seconds")
    if labels and kind is not JudgeChoice.NLI:
        raise typer.BadParameter("goes with --judge nli", param_hint="--label")
    from kgverify import EndpointJudge, LanguageModel, NliJudge, RuleJudge

    if kind is JudgeChoice.RULES or model is None:
        return RuleJudge()
    if kind is JudgeChoice.NLI or url is None:
        meanings = {}
        for text in labels:
            name, equals, meaning = text.rpartition("=")
            if not equals:
                raise typer.BadParameter("write it as NAME=MEANING", param_hint="--label")
            meanings[name] = meaning
        return NliJudge(model, meanings)
    asked = LanguageModel(url, model, os.environ.get(LLM_KEY, "").strip())
    return EndpointJudge(
        asked if seconds is None else replace(asked, seconds=seconds),
        retries=retries,
        cache=cache,
        on_warning=lambda problem: console.report([problem]),
    )


def _write_json(value: dict[str, Any], out: Path | None) -> None:
    with console.output(out) as stream:
        stream.write(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1))
        stream.write("\n")
