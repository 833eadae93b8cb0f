"""From the rules that predict an answer to a score, and from which score on it counts.

There are two thresholds: one for topics of which the graph knows some answer, which is likelier to
be all there is, and one for the others.  The choice is made on the validation questions alone.

Many settings have nearly the same mean F1, and hard answers are found by some of them and not by
others.  Which of these F1 prefers is chance: the choice is by the rule of one standard error
(Breiman et al. 1984).  Of the settings whose F1 is at most one standard error below the best one,
it takes the one with the most hard answers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import stdev
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kgverify.experiments.incomplete.answering import Answers
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import Measures, MinedRule, Side
from kgverify.reasoning.combining import COMBINATIONS, Combination

Scoring = Literal["confidence", "pca_topic", "pca_subject", "pca_object"]
SCORINGS: tuple[Scoring, ...] = ("confidence", "pca_topic", "pca_subject", "pca_object")
GRID = tuple(step / 100 for step in range(101))
THRESHOLDS = (*GRID, None)
_ROUNDING = 1e-9  # sums of F1 that differ by less are equal


@dataclass(frozen=True, slots=True)
class Setting:
    """How answers are scored: by standard confidence, or by PCA confidence on the side of the
    topic, on the subject's or on the object's; and from which score on they count: where the graph
    knows some answer (`known`), and where it knows none.  No threshold: none does.  `excluding`:
    what is excluded counts at no score."""

    scoring: Scoring
    combination: Combination
    known: float | None = None
    unknown: float | None = None
    excluding: bool = False

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
    """The score of each predicted answer, excluded ones too."""
    values = confidences.of(setting.scoring, side)
    return {
        name: combined([values[number] for number in rules], setting.combination)
        for name, rules in answers.predicted.items()
    }


def eligible(answers: Answers, scored: Mapping[str, float], setting: Setting) -> dict[str, float]:
    """The scores of what the setting doesn't exclude."""
    excluded = answers.excluded if setting.excluding else frozenset()
    return {name: score for name, score in scored.items() if name not in excluded}


def chosen(known: frozenset[str], scored: Mapping[str, float], at: float | None) -> list[str]:
    """What is known, and then what scores at least so much, the best first."""
    taken = () if at is None else (name for name, score in scored.items() if score >= at)
    return [*sorted(known), *sorted(taken, key=lambda name: (-scored[name], name))]


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its right answers, and what a graph and its rules say to it; `hard` is the
    right answer that is hard, if one is marked."""

    gold: frozenset[str]
    side: Side
    answers: Answers
    hard: str | None = None


@dataclass(frozen=True, slots=True)
class Tuned:
    """A setting, and on the questions on which it was chosen the mean F1 and how many hard answers
    it finds."""

    setting: Setting
    f1: float
    hard: int


@dataclass(frozen=True, eq=False)
class Sweep:
    """One way to score questions, at each threshold of the grid, and without one.

    `known`: of which questions the graph knows some answer.  bool[n]  `f1` and `hard`: the F1 of
    each at each threshold, and whether its hard answer is found.  [n, thresholds]"""

    way: Setting
    known: NDArray[np.bool_]
    f1: NDArray[np.float64]
    hard: NDArray[np.bool_]

    @property
    def sums(self) -> NDArray[np.float64]:
        """The sum of F1 at each pair of thresholds, where something is known and where nothing
        is."""
        sums: NDArray[np.float64] = np.add.outer(
            self.f1[self.known].sum(0), self.f1[~self.known].sum(0)
        )
        return sums

    @property
    def hits(self) -> NDArray[np.int64]:
        """How many hard answers are found at each pair of thresholds."""
        counts: NDArray[np.int64] = np.add.outer(
            self.hard[self.known].sum(0), self.hard[~self.known].sum(0)
        )
        return counts

    def best(self) -> tuple[int, int]:
        """The places of the thresholds with the greatest F1, the highest of these."""
        groups = (self.f1[self.known].sum(0), self.f1[~self.known].sum(0))
        known, unknown = (int(np.flatnonzero(sums == sums.max())[-1]) for sums in groups)
        return known, unknown

    def tuned(self, places: tuple[int, int]) -> Tuned:
        """This way with the thresholds at these places."""
        known, unknown = (THRESHOLDS[place] for place in places)
        return Tuned(
            replace(self.way, known=known, unknown=unknown),
            float(self.sums[places]) / max(1, len(self.f1)),
            int(self.hits[places]),
        )

    def error(self, places: tuple[int, int]) -> float:
        """The standard error of the mean F1 with the thresholds at these places."""
        known, unknown = places
        values = np.where(self.known, self.f1[:, known], self.f1[:, unknown]).tolist()
        return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def sweeps(
    cases: Sequence[Case],
    confidences: Confidences,
    excluding: bool,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Sweep]:
    """Each way to score these questions."""
    found = []
    for scoring in SCORINGS:
        for combination in COMBINATIONS:
            progress(f"choosing thresholds: {scoring}, {combination}")
            found.append(
                sweep(cases, confidences, Setting(scoring, combination, None, None, excluding))
            )
    return found


def sweep(cases: Sequence[Case], confidences: Confidences, way: Setting) -> Sweep:
    """These questions scored in one way."""
    f1, hard = [], []
    for case in cases:
        scored = scores(case.answers, case.side, way, confidences)
        scored = eligible(case.answers, scored, way)
        f1.append(list(_f1_along_grid(case, scored)))
        hard.append(list(_hard_along_grid(case, scored)))
    shape = len(cases), len(THRESHOLDS)
    return Sweep(
        way,
        np.array([bool(case.answers.known) for case in cases], np.bool_),
        np.array(f1, np.float64).reshape(shape),
        np.array(hard, np.bool_).reshape(shape),
    )


def by_f1(swept: Sequence[Sweep]) -> Tuned:
    """The setting with the greatest mean F1.  Equal ones: the way that is listed first, then the
    higher thresholds."""
    return max((way.tuned(way.best()) for way in swept), key=lambda tuned: tuned.f1)


def by_hard_answers(swept: Sequence[Sweep]) -> Tuned:
    """Of the settings whose mean F1 is at most one standard error below the greatest, the one that
    finds the most hard answers.  Equal ones: the one with the greater F1, then the way that is
    listed first, then the higher thresholds."""
    best = max(swept, key=lambda way: way.tuned(way.best()).f1)
    questions = len(best.f1)
    least = best.sums[best.best()] - best.error(best.best()) * questions
    found = []
    for way in swept:
        sums, hits = way.sums, way.hits
        allowed = sums >= least - _ROUNDING
        if allowed.any():
            most = allowed & (hits == hits[allowed].max())
            most &= sums >= sums[most].max() - _ROUNDING
            known, unknown = np.argwhere(most)[-1].tolist()
            found.append(way.tuned((known, unknown)))
    return max(found, key=lambda tuned: (tuned.hard, tuned.f1))


def f1_by_threshold(
    cases: Sequence[Case], confidences: Confidences, way: Setting
) -> dict[float | None, float]:
    """The mean F1 at each threshold of the grid, and without one."""
    totals = sweep(cases, confidences, way).f1.sum(0) / max(1, len(cases))
    return dict(zip(THRESHOLDS, totals.tolist(), strict=True))


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


def _hard_along_grid(case: Case, scored: Mapping[str, float]) -> Iterator[bool]:
    """Whether the hard answer is known or scores enough, for each threshold, and whether known."""
    known = case.hard in case.answers.known
    score = -1.0 if case.hard is None else scored.get(case.hard, -1.0)
    for at in GRID:
        yield known or score >= at
    yield known
