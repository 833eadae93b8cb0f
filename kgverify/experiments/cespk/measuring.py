"""Every question in every reading, on every mix, at every share of removed edges, for every seed.

The candidates of a seed are the same at every share, and what is removed at a lesser share is
removed at a greater one: the steps of a series are paired.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from kgverify.errors import GraphError, Problem
from kgverify.experiments import metrics
from kgverify.experiments.cespk import plausibility, shapes
from kgverify.experiments.cespk.asking import (
    BALANCED,
    LEAST_TREATMENTS,
    MIXES,
    TEMPLATES,
    Asked,
    Whole,
    asked,
    topics,
)
from kgverify.experiments.cespk.judging import SCORES, Judged, counts, judge, measures
from kgverify.experiments.hetionet import Edges, Hetionet
from kgverify.experiments.masking import masked
from kgverify.experiments.statistics import Interval, paired_difference, t_interval
from kgverify.language.rulebook import RuleBook
from kgverify.verification import Verifier


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done: `diseases` at most (None: all), and so many `others` beside the removed
    treatments of a disease."""

    seeds: tuple[int, ...]
    removals: tuple[float, ...] = (0.0, 0.1, 0.2, 0.4)
    diseases: int | None = None
    others: int = 200


def plan(seed: int, quick: bool) -> Plan:
    """The whole experiment, with five seeds from this one on; or a small one with two."""
    if quick:
        return Plan((seed, seed + 1), (0.0, 0.2), diseases=6, others=40)
    return Plan(tuple(range(seed, seed + 5)))


class Cell(NamedTuple):
    """What is measured together: a question in a reading of its exclusion, a mix of candidates, a
    share of removed edges, and whether the graph has the denied facts."""

    question: str
    reading: str
    mix: str
    removed: float
    denied: bool


_Drawn = Mapping[tuple[str, str], Sequence[Asked]]  # by question and mix


@dataclass
class _Found:
    """What all seeds gave, as it comes in."""

    cells: dict[Cell, list[list[Judged]]] = field(default_factory=lambda: defaultdict(list))
    likely: dict[float, list[list[Judged]]] = field(default_factory=lambda: defaultdict(list))
    shapes: dict[tuple[str, float], list[dict[str, float | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    ranked: dict[float, list[dict[str, dict[str, float]]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    weights: dict[float, list[dict[str, float]]] = field(default_factory=lambda: defaultdict(list))


def measure(
    hetionet: Hetionet, rules: RuleBook, plan: Plan, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Does the experiment; the results as plain values.

    Raises GraphError when there is nothing to ask about."""
    whole = Whole(hetionet)
    diseases = whole.diseases[: plan.diseases]
    if not diseases:
        message = f"no disease has {LEAST_TREATMENTS} treatments (CtD), so there is nothing to ask"
        raise GraphError(Problem("nothing-to-ask", message))
    found = _Found()
    for seed in plan.seeds:
        drawn = {
            (question, mix.name): asked(topics(whole, question, diseases, seed), mix, seed)
            for question, mixes in MIXES.items()
            for mix in mixes
        }
        for share in plan.removals:
            progress(f"seed {seed}, {100 * share:g} % of the edges removed")
            left = masked(hetionet.edges, share, seed)
            _judge(found, hetionet, rules, left, share, drawn)
            if shapes.available():
                _validate(found, hetionet, left, share, drawn)
            if share:
                _rank(found, hetionet, rules, left, share, whole, plan.others, seed)
    return {
        "graph": _sizes(hetionet),
        "questions": len(diseases),
        "mixes": {
            question: {mix.name: asdict(mix) for mix in mixes} for question, mixes in MIXES.items()
        },
        "cells": [_cell(cell, runs) for cell, runs in found.cells.items()],
        "curves": list(_curves(found)),
        "plausibility": list(_plausibility(found, plan.seeds[0])),
        "shapes": [
            {"question": question, "removed": share, "measures": _intervals(runs)}
            for (question, share), runs in found.shapes.items()
        ],
        "shapes_skipped": "" if shapes.available() else shapes.SKIPPED,
    }


def _judge(
    found: _Found, hetionet: Hetionet, rules: RuleBook, left: Edges, share: float, drawn: _Drawn
) -> None:
    """Verifies everything that was drawn, on one masked graph: with the denied facts, and the
    balanced mix, which has candidates that they are about, without them too."""
    for denied in (True, False):
        sets = {
            Cell(question, reading, mix, share, denied): (questions, template)
            for (question, mix), questions in drawn.items()
            for reading, template in TEMPLATES[question].items()
            if denied or (mix == BALANCED.name and question in ("Q1", "Q2"))
        }
        likely = [(drawn["Q1", BALANCED.name], plausibility.TEMPLATE)] if denied else []
        # What isn't asked about changes nothing (law 5), and costs the time to index it.
        asked_about = left if denied else {name: left.get(name, ()) for name in ("CtD", "CcSE")}
        verifier = Verifier(hetionet.graph(asked_about, denied), rules, "rank")
        answers = judge(verifier, [*sets.values(), *likely])
        for cell in sets:
            found.cells[cell].append(next(answers))
        found.likely[share] += answers


def _validate(found: _Found, hetionet: Hetionet, left: Edges, share: float, drawn: _Drawn) -> None:
    for question in MIXES:
        balanced = drawn[question, BALANCED.name]
        measured = shapes.measures(question, balanced, left, hetionet.kinds)
        found.shapes[question, share].append(measured)


def _rank(
    found: _Found,
    hetionet: Hetionet,
    rules: RuleBook,
    left: Edges,
    share: float,
    whole: Whole,
    others: int,
    seed: int,
) -> None:
    asked_about = {name: left.get(name, ()) for name in plausibility.RELATIONS}
    verifier = Verifier(hetionet.graph(asked_about), rules, "rank")
    questions = plausibility.removed_treatments(whole, left, others, seed)
    weights = plausibility.confidences(hetionet, left)
    found.weights[share].append(weights)
    found.ranked[share].append(plausibility.average_precisions(verifier, questions, weights))


def _sizes(hetionet: Hetionet) -> dict[str, Any]:
    return {
        "nodes": len(hetionet.kinds),
        "edges": {metaedge: len(pairs) for metaedge, pairs in hetionet.edges.items()},
        "denied": len(hetionet.denied),
    }


def _cell(cell: Cell, runs: Sequence[Sequence[Judged]]) -> dict[str, Any]:
    return {
        **cell._asdict(),
        "candidates": sum(map(len, runs)),
        "questions": sum(len({j.question for j in run}) for run in runs),
        "kinds": counts([j for run in runs for j in run]),
        "measures": _intervals([measures(run) for run in runs]),
    }


def _intervals(runs: Sequence[Mapping[str, float | None]]) -> dict[str, Any]:
    """Each measure's mean over the seeds, its interval, and its values seed by seed."""
    found = {}
    for name in runs[0]:
        values = [run[name] for run in runs]
        found[name] = {**asdict(t_interval(values)), "values": values}
    return found


def _curves(found: _Found) -> Iterator[dict[str, Any]]:
    """Precision–recall curves over the candidates of all seeds, by each way of ranking; and where
    on the curve of `rank` the policies filter and strict stop."""
    sources = [
        (cell.question, cell.reading, cell.mix, cell.removed, runs)
        for cell, runs in found.cells.items()
        if cell.denied
    ]
    sources += [
        ("Q1", "with plausibility", BALANCED.name, share, runs)
        for share, runs in found.likely.items()
    ]
    for question, reading, mix, share, runs in sources:
        judged = [j for run in runs for j in run]
        for ranking, score in SCORES.items():
            points = metrics.curve((score(j), j.is_gold) for j in judged)
            yield {
                "question": question,
                "reading": reading,
                "mix": mix,
                "removed": share,
                "ranking": ranking,
                "points": [tuple(point) for point in points],
            }


def _plausibility(found: _Found, seed: int) -> Iterator[dict[str, Any]]:
    """Mean average precision of each method, and its difference from ranking by nothing.

    The difference is paired by disease: a disease's values are averaged over the seeds first, so
    that the bootstrap draws diseases."""
    for share, runs in found.ranked.items():
        by_disease: dict[str, dict[str, list[float]]] = {m: {} for m in plausibility.METHODS}
        for run in runs:
            for method, values in run.items():
                for disease, value in values.items():
                    by_disease[method].setdefault(disease, []).append(value)
        paired = {
            method: [sum(found) / len(found) for _, found in sorted(values.items())]
            for method, values in by_disease.items()
        }
        for method in plausibility.METHODS:
            over_seeds = [metrics.mean(run[method].values()) for run in runs]
            yield {
                "removed": share,
                "method": method,
                "diseases": len(paired[method]),
                "MAP": {**asdict(t_interval(over_seeds)), "values": over_seeds},
                "gain": asdict(paired_difference(paired[method], paired[plausibility.NONE], seed)),
                "over_authored": asdict(
                    paired_difference(paired[method], paired[plausibility.AUTHORED], seed)
                ),
                "weight": asdict(_weight(found.weights[share], method)),
            }


def _weight(weights: Sequence[Mapping[str, float]], method: str) -> Interval:
    """The weight that a rule was measured to have."""
    ids = [id_ for id_, name in plausibility.RULES.items() if name == method]
    return t_interval([run[id_] for run in weights for id_ in ids])
