"""All numbers of the cases of one setting and share, over their seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kgverify.completion.curves import Point
from kgverify.experiments.scoring.comparing import mcnemar
from kgverify.experiments.statistics import t_interval
from kgverify.experiments.tgcomplete.cases import Case
from kgverify.experiments.tgcomplete.measuring import (
    curve,
    gaps,
    measures,
    outcomes,
    over_seeds,
    risk,
    varied,
)
from kgverify.experiments.tgcomplete.methods import PAPERS, First, Method, by_policy
from kgverify.experiments.tgcomplete.records import MethodRun
from kgverify.experiments.tgcomplete.sensitivity import ablations, configurations

Progress = Callable[[str], None]
Runs = Mapping[str, MethodRun]


def tabulated(
    cases: Sequence[Case], methods: Mapping[str, Method], progress: Progress
) -> tuple[dict[str, Any], list[Runs], tuple[Point, ...]]:
    """The numbers of some cases that differ by their seeds alone, as means with intervals; the runs
    of each; and the first seed's curve of risk against coverage for the policy of the paper."""
    done: list[tuple[dict[str, Any], Runs]] = []
    for case in cases:
        runs: dict[str, MethodRun] = {}
        for name, method in methods.items():
            progress(f"seed {case.seed}: {name}")
            runs[name] = method(case)
        progress(f"seed {case.seed}: {PAPERS}")
        runs[PAPERS], first = by_policy(case)
        progress(f"seed {case.seed}: measures")
        done.append((numbers_of(case, runs, first), runs))
    found = over_seeds([numbers for numbers, _ in done])
    all_runs = [runs for _, runs in done]
    found["comparisons"] = comparisons(cases, all_runs)
    return found, all_runs, curve(cases[0], all_runs[0][PAPERS])


def numbers_of(case: Case, runs: Runs, first: First) -> dict[str, Any]:
    """All numbers of a case; `first` is what the first round of the paper's policy found."""
    paper = runs[PAPERS]
    return {
        "questions": {
            "all": len(case.questions),
            "losing": sum(bool(lost) for lost in case.lost.values()),
            "stopping": sum(bool(one.missing) for one in paper.answered),
        },
        "deleted": len(case.deleted),
        "methods": {name: measures(case, run) for name, run in runs.items()},
        "gaps": gaps(case),
        "risk": {name: risk(curve(case, run)) for name, run in runs.items() if run.candidates},
        "sensitivity": varied(case, paper, first, configurations()),
        "ablations": varied(case, paper, first, ablations()),
    }


def comparisons(cases: Sequence[Case], runs: Sequence[Runs]) -> list[dict[str, Any]]:
    """The paper's policy beside every other method: how many more best answers are right, by seed,
    and McNemar's test on the questions of all seeds together."""
    found = []
    for other in [name for name in runs[0] if name != PAPERS]:
        ours: list[bool] = []
        theirs: list[bool] = []
        differences: list[float | None] = []
        for case, of_case in zip(cases, runs, strict=True):
            one, two = (
                [outcome.first for outcome in outcomes(case, of_case[name])]
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
