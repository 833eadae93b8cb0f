"""Scores for people, as tables, and for programs, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from kgverify.errors import counted, printable
from kgverify.experiments.markdown import UNDEFINED, number
from kgverify.experiments.scoring.comparing import FEW, Comparison, McNemar
from kgverify.experiments.scoring.measuring import Measures, as_floats
from kgverify.experiments.scoring.scoring import Score
from kgverify.experiments.statistics import LEVEL

_COLUMNS = {
    "questions": "questions",
    "hits_any": "Hits@Any",
    "hits_hard": "Hits@Hard",
    "hhr": "HHR",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "exact": "set exact",
    "first": "first right",
}
_LISTED = 5


def print_score(console: Console, score: Score) -> None:
    """One file: macro and micro, permissive numbers beside them, and each rule type."""
    table = _table(score.name)
    table.add_row("strict", *_cells(score.strict))
    micro = {name: getattr(score.strict, f"micro_{name}") for name in ("precision", "recall", "f1")}
    table.add_row(
        "strict, micro",
        *("" if name not in micro else fraction(micro[name]) for name in _COLUMNS),
    )
    if score.without_aliases is not None:
        table.add_row("strict, without aliases", *_cells(score.without_aliases))
    for name, found in score.permissive.items():
        table.add_row(f"permissive, {name}", *_cells(found), style="dim")
    for name, found in score.by_type.items():
        table.add_row(f"strict, type {escape(printable(name))}", *_cells(found))
    console.print(table)
    for line in _notes(score):
        console.print(escape(printable(line)))


def _table(title: str) -> Table:
    table = Table(
        title=escape(printable(title)), title_justify="left", header_style="bold", box=None
    )
    table.add_column("matching")
    for column in _COLUMNS.values():
        table.add_column(column, justify="right")
    return table


def _cells(found: Measures) -> list[str]:
    return [
        f"{found.questions:,}" if name == "questions" else fraction(getattr(found, name))
        for name in _COLUMNS
    ]


def fraction(value: Fraction | None, digits: int = 3) -> str:
    """A share to so many digits, rounded from the exact value, a half up."""
    if value is None:
        return UNDEFINED
    scale = 10**digits
    whole = int(abs(value) * scale + Fraction(1, 2))
    sign = "−" if value < 0 and whole else ""
    return f"{sign}{whole // scale}.{whole % scale:0{digits}d}"


def _notes(score: Score) -> list[str]:
    found = []
    if score.strict.questions != score.strict.hard_questions:
        hard = score.strict.hard_questions
        if hard:
            found.append(f"Hits@Hard and HHR are over the {hard:,} questions with a hard answer")
    if score.strict.empty_predictions:
        found.append(
            f"{counted(score.strict.empty_predictions, 'question')} without a predicted answer"
        )
    for ids, what in (
        (score.missing, "not in the file; counted as unanswered"),
        (score.without_gold, "without a right answer; left out"),
        (score.joined, "with names that are one or two by the articles in them"),
        (score.unmarked, "with names that are one or two by punctuation or signs in them"),
        (score.denied, "with a right answer beside a negation; permissive numbers count it"),
    ):
        if ids:
            shown = ", ".join(ids[:_LISTED]) + (", …" if len(ids) > _LISTED else "")
            found.append(f"{counted(len(ids), 'question')} {what}: {shown}")
    return found


def print_comparison(console: Console, comparison: Comparison, names: Sequence[str]) -> None:
    """The paired tests."""
    one, other = (escape(printable(name)) for name in names)
    title = f"{one} minus {other}, on {counted(comparison.questions, 'question')}"
    table = Table(title=title, title_justify="left", header_style="bold", box=None)
    for column in ("measure", "difference", f"{LEVEL:.0%} interval"):
        table.add_column(column, justify="left" if column == "measure" else "right")
    for name, found in comparison.differences.items():
        interval = UNDEFINED
        if found.low is not None and found.high is not None:
            interval = " to ".join(number(v, 3) for v in (found.low, found.high))
            if found.undefined:
                interval += f" ({found.undefined:,} resamples undefined)"
        table.add_row(_COLUMNS[name], fraction(found.value), interval)
    console.print(table)
    console.print(
        f"paired bootstrap over questions, {comparison.resamples:,} resamples, "
        f"seed {comparison.seed}"
    )
    for measure, test in (("Hits@Any", comparison.hits), ("Hits@Hard", comparison.hard)):
        if test is not None:
            said, *more = _tests(test)
            console.print(f"McNemar, {measure}: {said}")
            for line in more:
                console.print(f"    {line}")
    kappa = comparison.kappa
    said = "undefined, both constant" if kappa.kappa is None else number(kappa.kappa, 3)
    console.print(f"Cohen's kappa of Hits@Any: {said}; agreement {kappa.agreed}/{kappa.number}")
    if comparison.questions == 1:
        console.print("one question alone: no interval says anything")


def _tests(test: McNemar) -> list[str]:
    exact = f"exact p = {test.p_exact:.4g}"
    found = [
        f"{test.first} right by the first alone, {test.second} by the second alone; {exact}",
    ]
    if test.chi2 is None or test.chi2_corrected is None:
        return [*found, "χ² undefined"]
    found.append(
        f"χ² = {test.chi2:.4g}, p = {test.p_chi2:.4g}; corrected for continuity "
        f"χ² = {test.chi2_corrected:.4g}, p = {test.p_chi2_corrected:.4g}"
    )
    if test.is_few:
        found.append(f"fewer than {FEW} discordant: the exact p counts")
    return found


def as_json(scores: Sequence[Score], comparison: Comparison | None) -> dict[str, Any]:
    """Everything, for programs; what is undefined is null."""
    found: dict[str, Any] = {"files": [_score_json(score) for score in scores]}
    if comparison is not None:
        found["comparison"] = as_floats(asdict(comparison))
    return found


def _score_json(score: Score) -> dict[str, Any]:
    value = {
        "file": score.name,
        "strict": asdict(score.strict),
        "without_aliases": asdict(score.without_aliases) if score.without_aliases else None,
        "permissive": {name: asdict(found) for name, found in score.permissive.items()},
        "by_type": {name: asdict(found) for name, found in score.by_type.items()},
        "missing": score.missing,
        "without_gold": score.without_gold,
        "joined_by_articles": score.joined,
        "joined_by_marks": score.unmarked,
        "denied": score.denied,
        "outcomes": [
            asdict(o) | {"precision": o.precision, "recall": o.recall, "f1": o.f1}
            for o in score.outcomes
        ],
    }
    plain: dict[str, Any] = as_floats(value)
    return plain
