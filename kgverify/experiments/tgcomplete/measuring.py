"""The measures of a case as plain numbers, and their means over seeds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from kgverify.completion.attribution import Attribution
from kgverify.completion.breakpoints import Edge
from kgverify.completion.curves import Labelled, Point, area, edge_scores, risk_coverage
from kgverify.experiments.metrics import mean
from kgverify.experiments.scoring.measuring import Outcome
from kgverify.experiments.statistics import t_interval
from kgverify.experiments.tgcomplete import exhaustive as ex
from kgverify.experiments.tgcomplete import sensitivity as sv
from kgverify.experiments.tgcomplete.answers import cost_per_question, strictly
from kgverify.experiments.tgcomplete.cases import Case
from kgverify.experiments.tgcomplete.causes import Forced, causes, force_accept
from kgverify.experiments.tgcomplete.faithfulness import cited, faithfulness
from kgverify.experiments.tgcomplete.gap import (
    BINS,
    by_frequency,
    by_relation,
    correct,
    degrees,
    gap,
    matrix,
    unstated,
)
from kgverify.experiments.tgcomplete.rates import Rate
from kgverify.experiments.tgcomplete.records import MethodRun

Numbers = dict[str, Any]
FULL = "full text"
ANY_WAY, BY_PATH = "any way", "the question's path"


def number(share: Fraction | None) -> float | None:
    return None if share is None else float(share)


def outcomes(case: Case, run: MethodRun) -> tuple[Outcome, ...]:
    """What came of each question."""
    return strictly(case.questions, run.answered)


def measures(case: Case, run: MethodRun) -> Numbers:
    """All measures of a run."""
    found = outcomes(case, run)
    losing = {id_ for id_, lost in case.lost.items() if lost}
    cost = cost_per_question(run)
    numbers: Numbers = {
        "answers": {
            "all": answers(found),
            "losing": answers([one for one in found if one.id in losing]),
        },
        "edges": edges(case, run),
        "cost": {
            name: None if cost is None else float(getattr(cost, name))
            for name in ("searches", "judged", "calls")
        },
    }
    stated = ex.supports(case.reading.looked(one.edge for one in run.edges))
    numbers["depending"] = depending(case, run, {one.id for one in found if one.first}, stated)
    numbers["support"] = support(case, run, stated)
    return numbers


def answers(found: Sequence[Outcome]) -> Numbers:
    """How good answers are.  `first`: the best answer is right, which is the paper's exact match;
    `exact`: the answers are the right ones, no more and no less."""
    return {
        "questions": len(found),
        "first": mean(float(one.first) for one in found),
        "exact": mean(float(one.exact) for one in found),
        "f1": mean(float(one.f1) for one in found),
    }


def edges(case: Case, run: MethodRun) -> Numbers:
    """Proposed edges against the deleted ones (table 3).

    `precision` is against all deleted edges, `recall` against those that the questions need; edges
    of symmetric relations count in either direction."""
    admitted = [one.edge for one in run.edges if one.admitted]
    rejected = [one.edge for one in run.edges if not one.admitted]
    both = case.world.symmetric
    whole = edge_scores(admitted, rejected, case.deleted, case.left, "declared", both)
    needed = frozenset[Edge]().union(*case.lost.values())
    asked = edge_scores(admitted, rejected, needed, case.left, "declared", both)
    by_pair = edge_scores(admitted, rejected, case.deleted, case.left, "pair", both)
    return {
        "missing": len({place for one in run.answered for place in one.missing}),
        "proposed": len(run.edges),
        "admitted": len(admitted),
        "rejected": len(rejected),
        "precision": number(whole.precision),
        "precision_by_pair": number(by_pair.precision),
        "recall": number(asked.recall),
        "needed": asked.gold,
        "false_rejection": number(whole.false_rejection),
    }


def support(case: Case, run: MethodRun, stated: Mapping[Edge, bool | None]) -> Numbers:
    """What the second judge finds stated (tables 4, 5 and 7, figure 3).

    `cited`: by the passages that an admitted edge itself cites; `stated`: by any passage of the
    corpus.  `no_passage`: none names both ends within 50 words.  `gap`: of the right admitted
    edges, those that no passage states; `matrix`: all proposed edges."""
    reading, both = case.reading, case.world.symmetric
    read = cited(run, reading.second, reading.corpus, reading.claims)
    looked = reading.looked(one.edge for one in run.edges)
    faithful = faithfulness(run.edges, read, looked, titles=False)
    admitted = [one.edge for one in run.edges if one.admitted]
    proposed = [one.edge for one in run.edges]
    right = correct(proposed, case.world.all_edges, "declared", both)
    table = matrix(proposed, right, stated)
    own = {edge: read[edge].support for edge in admitted}
    return {
        "cited": number(faithful.strict.value),
        "uncited": number(faithful.uncited.value),
        "stated": number(Rate.of(stated[edge] for edge in admitted).value),
        "no_passage": number(faithful.no_passage.value),
        "gap": gap_numbers([edge for edge in admitted if edge in right], looked, own),
        "matrix": {
            "right, stated": table.right_stated,
            "right, not stated": table.right_unstated,
            "wrong, stated": table.wrong_stated,
            "wrong, not stated": table.wrong_unstated,
        },
        "unknown": table.right_unknown + table.wrong_unknown,
    }


def gap_numbers(
    asked: Sequence[Edge],
    looked: Mapping[Edge, ex.Looked],
    baseline: Mapping[Edge, bool | None] | None = None,
) -> Numbers:
    """The gap of some right edges, by window within the text alone; and with the title, which
    names what the whole text is about, in the full text."""
    inside = gap(asked, looked, baseline, titles=False)
    whole = gap(asked, looked, baseline, windows=(None,), titles=True)
    windows = {f"{w} words" if w else "text": r for w, r in inside.exhaustive.items()}
    return {
        "edges": inside.edges,
        "baseline": None if inside.baseline is None else number(inside.baseline.value),
        **{name: number(rate.value) for name, rate in windows.items()},
        FULL: number(whole.exhaustive[None].value),
        "unnamed": number(whole.unnamed[None].value),
        "spurious": number(whole.spurious[None].value),
    }


WINDOWS = (*(f"{w} words" if w else "text" for w in ex.WINDOWS), FULL)


def gaps(case: Case) -> Numbers:
    """The gap of all deleted edges, whoever proposes them: by relation, and by how many edges of
    the complete graph the rarer end has."""
    gone = sorted(case.deleted)
    looked = case.reading.looked(gone)
    stated = ex.supports(looked)
    counts = degrees(case.world.all_edges)
    bins = by_frequency(gone, stated, counts.__getitem__)
    relations = by_relation(gone, stated)
    named = ex.named(looked)

    def of_relation(relation: str) -> Numbers:
        own = [edge for edge in gone if edge.relation == relation]
        return {
            "edges": len(own),
            "gap": number(relations[relation].value),
            "unnamed": number(unstated(own, named).value),
        }

    return {
        "all": gap_numbers(gone, looked),
        "relation": {relation: of_relation(relation) for relation in relations},
        "frequency": {
            f"{place} of {BINS}": {
                "low": one.low,
                "high": one.high,
                "edges": one.gap.whole + one.gap.unknown,
                "gap": number(one.gap.value),
            }
            for place, one in enumerate(bins, 1)
        },
    }


def depending(
    case: Case, run: MethodRun, right: Collection[str], stated: Mapping[Edge, bool | None]
) -> Numbers:
    """What right answers depend on, and what admitting all that was rejected would do for the
    wrong ones (table 6), by both ways."""
    both = case.world.symmetric
    found = causes(case.questions, run, right, case.left, stated, both)
    forced = force_accept(case.questions, run, right, case.left, both)
    return {
        ANY_WAY: _depending(found.anywhere, forced.anywhere),
        BY_PATH: _depending(found.by_path, forced.by_path),
    }


def _depending(found: Attribution, forced: Forced) -> Numbers:
    return {
        "right": len(found.classes),
        "classes": found.counts,
        "independent": number(found.independent),
        "independent_as_published": number(found.independent_as_published),
        "wrong": forced.gained.whole,
        "gained": number(forced.gained.value),
    }


# ------------------------------------------------------------------ deciding anew


def varied(
    case: Case, run: MethodRun, first: Mapping[Any, Collection[str]], variants: Iterable[sv.Variant]
) -> dict[str, Numbers]:
    """What variants of the policy come to on what a run of it read.

    Answers are ranked by the run's own scores, whatever a variant would make of them."""
    scores = {one.edge: one.score for one in run.edges}
    proposed = list(scores)
    material = sv.Material(
        run.candidates,
        case.deleted,
        case.left,
        ex.supports(case.reading.looked(c.edge for c in run.candidates)),
        case.excluder.conflicts(proposed),
        case.excluder.check,
        first,
        case.world.symmetric,
        case.questions,
        lambda admitted: case.answered_with(admitted, scores),
    )
    return {
        one.variant.name: {
            "admitted": len(one.admitted),
            "faithful": number(one.faithful.value),
            "precision": number(one.scores.precision),
            "recall": number(one.scores.recall),
            "first": number(one.em),
        }
        for one in sv.vary(variants, material)
    }


def curve(case: Case, run: MethodRun) -> tuple[Point, ...]:
    """Risk against coverage of a run's proposed edges by their score; right is what was deleted."""
    right = correct((one.edge for one in run.edges), case.deleted, "declared", case.world.symmetric)
    return risk_coverage([Labelled(one.score, one.edge in right) for one in run.edges])


def risk(points: Sequence[Point]) -> Numbers:
    """The area under a curve, and the risk when everything is admitted."""
    return {"area": number(area(points)), "all": number(points[-1].risk) if points else None}


def over_seeds(found: Sequence[Any]) -> Any:
    """The numbers of several seeds as means with Student's t intervals, in the same tree; what a
    seed lacks is undefined there."""
    if any(isinstance(one, Mapping) for one in found):
        keys = dict.fromkeys(key for one in found if one is not None for key in one)
        return {key: over_seeds([(one or {}).get(key) for one in found]) for key in keys}
    return asdict(t_interval([None if one is None else float(one) for one in found]))
