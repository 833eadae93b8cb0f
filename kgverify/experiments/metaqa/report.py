"""The report of a run: what was asked and answered, type by type, and what that shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from kgverify.experiments.markdown import literally, number, paragraphs, table
from kgverify.experiments.metaqa.answering import Outcome
from kgverify.experiments.metaqa.measuring import ALL
from kgverify.experiments.plots import Bars, bars
from kgverify.experiments.runs import RunRecord, slugs

_COLUMNS = {
    "questions": "questions",
    "read": "read",
    "hits_at_1": "Hits@1",
    "exact": "exact",
    "f1": "F1",
    "ceiling_exact": "exact, by walk",
    "ceiling_f1": "F1, by walk",
    "as_walked": "as the walk",
}
_SHOWN = 12  # questions that were not answered as the walk has it


def report(
    results: Mapping[str, Mapping[str, Mapping[str, Any]]],
    outcomes: Mapping[str, Sequence[Outcome]],
    record: RunRecord,
    plots: Sequence[str],
) -> str:
    """The whole report, as Markdown; `results` and `outcomes` are by question file."""
    parts = ["# MetaQA, read and answered without training", _about(record)]
    plot_of = plot_names(results)
    for name, found in results.items():
        plot = plot_of[name]
        parts += [f"## {literally(name)}", _table(found), _analysis(found[ALL])]
        parts += [f"![{literally(plot)}]({plot})"] if plot in plots else []
        parts += [_missed(outcomes[name])]
    return paragraphs(*parts) + "\n"


def plot_names(files: Iterable[str]) -> dict[str, str]:
    """The name of the plot of each question file."""
    stems = slugs(files, of=lambda file: PurePath(file.removesuffix(".gz")).stem)
    return {file: f"{stem}.svg" for file, stem in stems.items()}


def drawn(results: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, str]:
    """A plot for each question file, by its name."""
    found = {}
    plot_of = plot_names(results)
    for name, measured in results.items():
        labels = list(measured)
        series = [
            Bars(title, [measured[label][key] or 0.0 for label in labels])
            for key, title in (("exact", "exact"), ("ceiling_exact", "exact, by walk"))
        ]
        found[plot_of[name]] = bars(f"Answers that are the gold ones: {name}", labels, series)
    return found


def _about(record: RunRecord) -> str:
    part = " A sample of the questions, drawn by the seed." if record.quick else ""
    return (
        "Each question is read by the words of the rule file `movies.kgr` alone, its candidates "
        "come from the graph, and its answers are the candidates that are sat. Nothing is trained, "
        f"and no question is in the rule file.{part} kgverify {record.kgverify}.\n\n"
        "*read*: the share of questions that were read; the others are refused, and count as "
        "unanswered. *exact*: the answers are the gold ones, no more and no less. *by walk*: the "
        "same of the answers at the end of the relations that the question's type names, walked in "
        "the same graph: what no reading can exceed. *as the walk*: our answers are those of the "
        "walk."
    )


def _table(found: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for type_, measured in found.items():
        cells = [
            f"{measured[key]:,}" if key == "questions" else number(measured[key], 3)
            for key in _COLUMNS
        ]
        rows.append((type_, *cells))
    return table(("type", *_COLUMNS.values()), rows)


def _analysis(found: Mapping[str, Any]) -> str:
    """What the figures of all questions say, in words."""
    said = [
        f"{number(100 * found['read'], 1)} % of the questions were read, "
        f"{number(100 * found['exact'], 1)} % answered exactly."
    ]
    if found["ceiling_exact"] is not None:
        said.append(
            f"The walk finds the gold answers of {number(100 * found['ceiling_exact'], 1)} %: for "
            "the others the graph lacks facts that the gold answers were made from, or has more. "
            f"Of all questions, {number(100 * found['as_walked'], 1)} % got the walk's answers."
        )
    if found["refused"]:
        refused = ", ".join(f"{count} `{code}`" for code, count in found["refused"].items())
        said.append(f"Refused: {refused}.")
    return " ".join(said)


def _missed(outcomes: Sequence[Outcome]) -> str:
    """Some questions that were not answered as the walk has it, one of a type and turn."""
    seen: dict[tuple[str, str], Outcome] = {}
    for outcome in outcomes:
        if outcome.walked is not None and outcome.walked != frozenset(outcome.answers):
            question = outcome.question
            turn = question.text.replace(f"[{question.topic}]", "[…]")
            seen.setdefault((question.type, turn), outcome)
    if not seen:
        return ""
    rows = [
        (outcome.question.text, outcome.question.type, outcome.refused or "other answers")
        for outcome in list(seen.values())[:_SHOWN]
    ]
    return (
        f"Turns of speech that were not answered as the walk has it: {len(seen)}. Some of them:\n\n"
        + table(("question", "type", "why"), rows)
    )
