"""Whether the paper's three findings hold here, in plain words, from the numbers of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgverify.experiments.markdown import interval, number
from kgverify.experiments.metrics import ratio
from kgverify.experiments.statistics import Interval
from kgverify.experiments.tgcomplete.measuring import ANY_WAY, BY_PATH, FULL
from kgverify.experiments.tgcomplete.published import GAP_LEAST, INDEPENDENT

HOLDS, PARTLY, NOT = "holds", "holds in part", "does not hold"
Numbers = Mapping[str, Any]


def mean_of(found: Numbers) -> float | None:
    """The mean of an interval as results have it."""
    value = found["mean"]
    return None if value is None else float(value)


def said(found: Numbers, digits: int = 2) -> str:
    return interval(Interval(**found), digits)


def gap_finding(results: Numbers) -> list[tuple[str, str, str]]:
    """(setting and share, verdict, why): does text leave most right edges unstated?"""
    rows = []
    for name, share, of in cases(results):
        gap = of["gaps"]["all"]
        missing, unnamed = mean_of(gap[FULL]), mean_of(gap["unnamed"])
        if missing is None or unnamed is None:
            continue
        verdict = HOLDS if missing >= GAP_LEAST else PARTLY if missing >= 0.5 else NOT
        why = (
            f"{said(gap[FULL])} of the deleted edges are stated by no passage: of "
            f"{number(unnamed)} no passage names both ends, and {number(missing - unnamed)} are "
            "named and not stated"
        )
        rows.append((f"{name}, {share}", verdict, why))
    return rows


def redundancy_finding(results: Numbers, method: str) -> list[tuple[str, str, str]]:
    """Do right answers seldom depend on edges without support?"""
    rows = []
    for name, share, of in cases(results):
        found = of["methods"][method]["depending"]
        path, any_way = (mean_of(found[way]["independent"]) for way in (BY_PATH, ANY_WAY))
        if path is None or any_way is None:
            continue
        verdict = HOLDS if path >= INDEPENDENT else PARTLY if any_way >= INDEPENDENT else NOT
        why = (
            f"{said(found[BY_PATH]['independent'])} of the right answers need no unsupported edge "
            f"on their path ({said(found[ANY_WAY]['independent'])} if any way through the graph "
            "counts); admitting all that was rejected would bring a right answer within reach "
            f"for {said(found[BY_PATH]['gained'])} of the wrong ones"
        )
        rows.append((f"{name}, {share}", verdict, why))
    return rows


def precision_finding(results: Numbers, ours: str, theirs: str) -> list[tuple[str, str, str]]:
    """Are admitted edges more precise than those of another method, and are fewer of the deleted
    ones found?  In part: more precise, without that price."""
    rows = []
    for name, share, of in cases(results):
        one, two = (of["methods"][method] for method in (ours, theirs))
        precise = [mean_of(m["edges"]["precision"]) for m in (one, two)]
        recall = [mean_of(m["edges"]["recall"]) for m in (one, two)]
        if precise[0] is None:
            rows.append((f"{name}, {share}", "says nothing", f"*{ours}* admits nothing"))
            continue
        fewer = _more(recall[::-1])
        verdict = NOT if not _more(precise) else HOLDS if fewer else PARTLY
        stated = [mean_of(m["support"]["stated"]) for m in (one, two)]
        hits = [mean_of(m["answers"]["all"]["first"]) for m in (one, two)]
        why = "; ".join(
            f"{what} {number(mine)} against {number(other)}"
            for what, (mine, other) in (
                ("precision", precise),
                ("recall", recall),
                ("stated by some passage", stated),
                ("first answers right", hits),
            )
        )
        rows.append((f"{name}, {share}", verdict, why))
    return rows


def _more(pair: list[float | None]) -> bool:
    one, other = pair
    return one is not None and other is not None and one > other


def signal(of: Numbers, method: str) -> tuple[float | None, float | None]:
    """The share that a passage states of the right edges that a method proposed, and of the wrong
    ones: is being stated a sign of being right?"""
    matrix = {
        cell: mean_of(value) or 0.0
        for cell, value in of["methods"][method]["support"]["matrix"].items()
    }

    def share(which: str) -> float | None:
        stated, not_stated = matrix[f"{which}, stated"], matrix[f"{which}, not stated"]
        return ratio(stated, stated + not_stated)

    return share("right"), share("wrong")


def cases(results: Numbers) -> Iterator[tuple[str, str, Numbers]]:
    """Every setting and share with its numbers."""
    for name, setting in results["settings"].items():
        for share, of in setting["shares"].items():
            yield name, f"{100 * float(share):g} %", of
