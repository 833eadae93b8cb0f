"""All numbers of the cases of one setting and share, over their seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kgverify.experiments.scoring.comparing import mcnemar
from kgverify.experiments.statistics import t_interval
from kgverify.experiments.tgcomplete.cases import Case
from kgverify.experiments.tgcomplete.measuring import (
    answers,
    edges,
    gaps,
    hits,
    measures,
    over_seeds,
)
from kgverify.experiments.tgcomplete.methods import PAPERS, Method, ablations
from kgverify.experiments.tgcomplete.records import MethodRun
from kgverify.experiments.tgcomplete.varying import risk, sensitivity

Progress = Callable[[str], None]
Runs = Mapping[str, MethodRun]


def tabulated(
    cases: Sequence[Case], methods: Mapping[str, Method], progress: Progress
) -> tuple[dict[str, Any], list[Runs]]:
    """The numbers of some cases that differ by their seeds alone, as means with intervals, and the
    runs of each."""
    done = []
    for case in cases:
        runs: dict[str, MethodRun] = {}
        for name, method in methods.items():
            progress(f"seed {case.seed}: {name}")
            runs[name] = method(case)
        progress(f"seed {case.seed}: measures")
        done.append((numbers_of(case, runs), runs))
    found = over_seeds([numbers for numbers, _ in done])
    found["comparisons"] = comparisons(cases, [runs for _, runs in done])
    return found, [runs for _, runs in done]


def numbers_of(case: Case, runs: Runs) -> dict[str, Any]:
    """All numbers of a case."""
    return {
        "questions": {
            "all": len(case.questions),
            "losing": sum(bool(lost) for lost in case.lost.values()),
            "stopping": sum(bool(one.missing) for one in runs[PAPERS].answered),
        },
        "deleted": len(case.deleted),
        "methods": {name: measures(case, run) for name, run in runs.items()},
        "gaps": gaps(case),
        "risk": {name: risk(case, run) for name, run in runs.items() if run.candidates},
        "sensitivity": sensitivity(case, runs[PAPERS]),
        "ablations": {name: _ablated(case, method) for name, method in ablations().items()},
    }


def _ablated(case: Case, method: Method) -> dict[str, Any]:
    done = method(case)
    answered = {one.question: one for one in done.answered}
    found = edges(case, done)
    return {
        "hit": answers(case.questions, answered)["hit"],
        **{name: found[name] for name in ("admitted", "precision", "recall")},
    }


def comparisons(cases: Sequence[Case], runs: Sequence[Runs]) -> list[dict[str, Any]]:
    """The paper's policy beside every other method: how many more first answers are right, by seed,
    and McNemar's test on the questions of all seeds together."""
    found = []
    for other in [name for name in runs[0] if name != PAPERS]:
        ours: list[bool] = []
        theirs: list[bool] = []
        differences: list[float | None] = []
        for case, of_case in zip(cases, runs, strict=True):
            one, two = (
                hits(case.questions, {a.question: a for a in of_case[name].answered})
                for name in (PAPERS, other)
            )
            ours += one
            theirs += two
            differences.append((sum(one) - sum(two)) / len(one) if one else None)
        test = mcnemar(ours, theirs)
        found.append(
            {
                "ours": PAPERS,
                "theirs": other,
                "difference": asdict(t_interval(differences)),
                "only_ours": test.first,
                "only_theirs": test.second,
                "p": test.p_exact,
            }
        )
    return found
