"""Looks things up in the results of a run, for the report and the plots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgverify.experiments.cespk.asking import BALANCED, MIXES, TEMPLATES
from kgverify.experiments.cespk.measuring import Cell
from kgverify.experiments.statistics import Interval

QUESTIONS = {
    "Q1": "Which compounds treat d?",
    "Q2": "Which compounds treat d, but do not cause s?",
    "Q3": "Which compounds bind a gene of a disease that resembles d? (three hops)",
    "Q4": "Which compounds treat d, but bind no gene in the pathway p? (excluded path)",
}
PAPER = "paper"
FORMS = [(question, reading) for question, found in TEMPLATES.items() for reading in found]
MIXED = {question: [mix.name for mix in mixes] for question, mixes in MIXES.items()}


class Results:
    """The plain values of `measuring.measure`, by what they are about."""

    def __init__(self, results: Mapping[str, Any]) -> None:
        self.plain = results
        self.cells = {
            Cell(*(found[name] for name in Cell._fields)): found for found in results["cells"]
        }
        self.removals = sorted({cell.removed for cell in self.cells})
        self.shapes = {(s["question"], s["removed"]): s["measures"] for s in results["shapes"]}
        self.curves = {
            (c["question"], c["reading"], c["mix"], c["removed"], c["ranking"]): c["points"]
            for c in results["curves"]
        }
        self.plausibility = {(p["removed"], p["method"]): p for p in results["plausibility"]}

    def measure(
        self,
        name: str,
        question: str,
        reading: str,
        removed: float,
        mix: str = BALANCED.name,
        denied: bool = True,
    ) -> Interval:
        """A measure over the seeds."""
        cell = self.cells[Cell(question, reading, mix, removed, denied)]
        return interval(cell["measures"][name])

    def kinds(
        self, question: str, reading: str, removed: float, mix: str, denied: bool = True
    ) -> dict[str, dict[str, int]]:
        """How many candidates of each kind have each verdict, over all seeds."""
        found: dict[str, dict[str, int]] = self.cells[
            Cell(question, reading, mix, removed, denied)
        ]["kinds"]
        return found


def interval(found: Mapping[str, Any]) -> Interval:
    """An interval from its plain values."""
    return Interval(found["mean"], found["low"], found["high"], found["n"])


def form(question: str, reading: str) -> str:
    """A question and the reading of its exclusion, for a table."""
    return f"{question}, {reading}" if reading else question
