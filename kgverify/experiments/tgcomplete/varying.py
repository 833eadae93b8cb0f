"""How much hangs on the policy's numbers, and on each part of the loop (TGComplete, sections 6.1 and
6.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kgverify.completion.admission import Conflicts, decide
from kgverify.completion.breakpoints import CandidateEdge, Edge, merged
from kgverify.completion.curves import Labelled, area, risk_coverage
from kgverify.completion.policy import PAPER, Policy, configured
from kgverify.experiments.metrics import mean
from kgverify.experiments.tgcomplete.cases import Case
from kgverify.experiments.tgcomplete.records import MethodRun

DEFAULT = "τ 0.5, τ_unc 0.6, w 0.35/0.65"
# Ten configurations: the published one, and others around it.
CONFIGURATIONS: dict[str, dict[str, str]] = {
    DEFAULT: {},
    "τ 0.3": {"tau": "0.3"},
    "τ 0.4": {"tau": "0.4"},
    "τ 0.6": {"tau": "0.6"},
    "τ 0.7": {"tau": "0.7"},
    "τ_unc 0.4": {"tau_unc": "0.4"},
    "τ_unc 0.8": {"tau_unc": "0.8"},
    "w 0.2/0.8": {"w_multi": "0.2", "w_llm": "0.8"},
    "w 0.5/0.5": {"w_multi": "0.5", "w_llm": "0.5"},
    "τ 0.6, w 0.5/0.5": {"tau": "0.6", "w_multi": "0.5", "w_llm": "0.5"},
}
# The policy of the paper without each of its parts.
ABLATIONS: dict[str, Policy] = {
    "without the judge": replace(PAPER, w_multi=Fraction(1), w_llm=Fraction(0), tau=Fraction(1, 3)),
    "without counting sources": replace(PAPER, w_multi=Fraction(0), w_llm=Fraction(1)),
    "without a second search": replace(PAPER, k=0),
}
NO_CONFLICTS = "without conflicts"


class Unexcluding:
    """Knows of no conflict."""

    def conflicts(self, edges: Sequence[Edge], admitted: Any) -> Conflicts:
        return Conflicts()

    def check(self, edges: Any) -> None:
        return None


def sensitivity(case: Case, run: MethodRun) -> dict[str, dict[str, Any]]:
    """What each configuration would admit of what a run read; all rounds' passages are there at
    once.

    `quantity` is the number of edges admitted, `quality` the share of them that the corpus states
    by the second judge, `precision` the share that was deleted."""
    candidates = merged(run.candidates)
    edges = [candidate.edge for candidate in candidates]
    conflicts = case.excluder.conflicts(edges)
    support = case.reading.exhaustive.of(edges)
    found = {}
    for name, options in CONFIGURATIONS.items():
        admitted = admitted_by(candidates, configured("paper", options), conflicts)
        found[name] = {
            "quantity": len(admitted),
            "quality": mean(float(support[edge].is_stated()) for edge in admitted),
            "precision": mean(float(edge in case.gold) for edge in admitted),
        }
    return found


def admitted_by(
    candidates: Sequence[CandidateEdge], policy: Policy, conflicts: Conflicts
) -> list[Edge]:
    """The edges that a policy admits of these."""
    return [one.edge for one in decide(candidates, policy, conflicts).admitted]


def front(points: Mapping[str, tuple[float, float | None]]) -> list[str]:
    """The names of the points (quantity, quality) that no other beats on both: none is at least as
    good on the two and better on one.  A point without a quality is beaten by any that has one."""

    def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
        return one[0] >= other[0] and one[1] >= other[1] and one != other

    known = {name: (a, -1.0 if b is None else b) for name, (a, b) in points.items()}
    return [n for n, point in known.items() if not any(beats(o, point) for o in known.values())]


def risk(case: Case, run: MethodRun) -> dict[str, Any]:
    """The area under the curve of risk against coverage of a run's proposed edges by their score,
    and the risk when all are admitted; an edge is right if it was deleted."""
    curve = curve_of(case, run)
    return {
        "area": None if (found := area(curve)) is None else float(found),
        "all": None if not curve or curve[-1].risk is None else float(curve[-1].risk),
    }


def curve_of(case: Case, run: MethodRun) -> Any:
    """The curve itself: a point for each score."""
    return risk_coverage([Labelled(one.score, one.edge in case.gold) for one in run.edges])
