"""From the rules that predict an answer to a score, and from which score on it counts.

There are two thresholds: one for topics of which the graph knows some answer, which is likelier to
be all there is, and one for the others.  The choice is made on the validation questions alone, by
the mean F1.  Equal ones: the way that is listed first, then the higher threshold.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from kgverify.experiments.incomplete.answering import Answers
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import Measures, MinedRule, Side
from kgverify.reasoning.combining import COMBINATIONS, Combination

Scoring = Literal["confidence", "pca_topic", "pca_subject", "pca_object"]
SCORINGS: tuple[Scoring, ...] = ("confidence", "pca_topic", "pca_subject", "pca_object")
GRID = tuple(step / 100 for step in range(101))


@dataclass(frozen=True, slots=True)
class Setting:
    """How answers are scored: by standard confidence, or by PCA confidence on the side of the
    topic, on the subject's or on the object's; and from which score on they count: where the graph
    knows some answer (`known`), and where it knows none.  No threshold: none does."""

    scoring: Scoring
    combination: Combination
    known: float | None = None
    unknown: float | None = None

    def threshold(self, answers: Answers) -> float | None:
        """The threshold for a question to which the graph says this."""
        return self.known if answers.known else self.unknown


class Confidences:
    """The confidences of rules on the graph on which they are used, and were mined: the measures
    that they have are taken, and those of the other side made."""

    def __init__(self, evaluator: Evaluator, rules: Sequence[MinedRule]) -> None:
        def on(side: Side, mined: MinedRule) -> Measures:
            has = mined.measures
            return has if has.pca_side == side else evaluator.measure(mined.rule, side)

        self._confidence = [float(mined.measures.confidence) for mined in rules]
        self._pca: dict[Side, list[float]] = {
            side: [float(on(side, mined).pca_confidence) for mined in rules]
            for side in get_args(Side)
        }

    def of(self, scoring: Scoring, asked: Side) -> list[float]:
        """The confidence of each rule for a question whose answers are on this side."""
        if scoring == "confidence":
            return self._confidence
        if scoring == "pca_topic":
            return self._pca["subject" if asked == "object" else "object"]
        return self._pca["subject" if scoring == "pca_subject" else "object"]


def combined(values: Sequence[float], combination: Combination) -> float:
    """The greatest, or one minus the product of what is missing to 1 (noisy-or)."""
    if combination == "max":
        return max(values)
    left = 1.0
    for value in sorted(values):
        left *= 1 - value
    return 1 - left


def scores(
    answers: Answers, side: Side, setting: Setting, confidences: Confidences
) -> dict[str, float]:
    """The score of each predicted answer."""
    values = confidences.of(setting.scoring, side)
    return {
        name: combined([values[number] for number in rules], setting.combination)
        for name, rules in answers.predicted.items()
    }


def chosen(known: frozenset[str], scored: Mapping[str, float], at: float | None) -> list[str]:
    """What is known, and then what scores at least so much, the best first."""
    taken = () if at is None else (name for name, score in scored.items() if score >= at)
    return [*sorted(known), *sorted(taken, key=lambda name: (-scored[name], name))]


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its right answers, and what a graph and its rules say to it."""

    gold: frozenset[str]
    side: Side
    answers: Answers


def tuned(
    cases: Sequence[Case],
    confidences: Confidences,
    progress: Callable[[str], None] = lambda _: None,
) -> list[tuple[Setting, float]]:
    """For each way to score the thresholds with the greatest mean F1 on these questions, and it."""
    groups = [[c for c in cases if bool(c.answers.known) is known] for known in (True, False)]
    found = []
    for scoring in SCORINGS:
        for combination in COMBINATIONS:
            progress(f"choosing thresholds: {scoring}, {combination}")
            way = Setting(scoring, combination)
            best = [_best(f1_by_threshold(group, confidences, way)) for group in groups]
            total = sum(value * len(group) for (_, value), group in zip(best, groups, strict=True))
            thresholds = (at for at, _ in best)
            setting = Setting(scoring, combination, *thresholds)
            found.append((setting, total / max(1, len(cases))))
    return found


def _best(points: Mapping[float | None, float]) -> tuple[float | None, float]:
    return max(points.items(), key=lambda p: (p[1], 2.0 if p[0] is None else p[0]))


def f1_by_threshold(
    cases: Sequence[Case], confidences: Confidences, way: Setting
) -> dict[float | None, float]:
    """The mean F1 at each threshold of the grid, and without one."""
    thresholds = (*GRID, None)
    totals = [0.0] * len(thresholds)
    for case in cases:
        scored = scores(case.answers, case.side, way, confidences)
        for place, value in enumerate(_f1_along_grid(case, scored)):
            totals[place] += value
    return {at: total / max(1, len(cases)) for at, total in zip(thresholds, totals, strict=True)}


def _f1_along_grid(case: Case, scored: Mapping[str, float]) -> Iterator[float]:
    """F1 of what is known and scores enough, for each threshold, and of what is known alone."""
    every = sorted(scored.values())
    right = sorted(score for name, score in scored.items() if name in case.gold)
    known, known_right = len(case.answers.known), len(case.answers.known & case.gold)
    for at in GRID:
        taken = len(every) - bisect_left(every, at)
        good = len(right) - bisect_left(right, at)
        yield 2 * (known_right + good) / (known + taken + len(case.gold))
    yield 2 * known_right / (known + len(case.gold))
