"""Which removed treatments can be found again: plausibility by rules, held against what was there.

The rule file's `treats_likely` prefers compounds for which a treatment is plausible: those that
bind what a treatment binds, and so on.  A preference counts for support and changes no verdict.
Here every removed treatment of a disease is ranked among compounds that no edge says treat it; none
of them is decided, so that support alone ranks them.  Rules are used one at a time, all with equal
weight (as authored), and all with the weight that they are measured to have (as mined), on the
graph that is left.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from kgverify.experiments import metrics
from kgverify.experiments.cespk.asking import GOLD, SAME, Asked, Whole
from kgverify.experiments.cespk.judging import Judged, judge
from kgverify.experiments.hetionet import Edges, Hetionet, Pair
from kgverify.verification import Verifier

TEMPLATE = "treats_likely"
# The preferences of the template, in its order: their constraints are c2, c3 and so on.
RULES = {
    "c2": "shared target",
    "c3": "similar structure",
    "c4": "shared class",
    "c5": "similar disease",
    "c6": "gene of the disease",
}
RELATIONS = ("CtD", "CbG", "CrC", "PCiC", "DrD", "DaG")  # what they rest on
NONE, AUTHORED, MINED = "no rule", "all, equal weights", "all, mined weights"
METHODS = (NONE, *RULES.values(), AUTHORED, MINED)


def removed_treatments(whole: Whole, left: Edges, others: int, seed: int) -> list[Asked]:
    """For every disease that lost treatments: these as gold, and so many compounds beside them that
    no edge of the whole graph says treat it."""
    still = set(left.get("CtD", ()))
    found = []
    for disease in sorted(whole.treating):
        treating = whole.treating[disease]
        gone = sorted(x for x in treating if (x, disease) not in still)
        if not gone:
            continue
        chance = random.Random(f"{seed} plausible {disease}")
        pool = sorted(set(whole.compounds) - treating - whole.denied.get(disease, set()))
        drawn = chance.sample(pool, min(others, len(pool)))
        kinds = dict.fromkeys(gone, GOLD) | dict.fromkeys(drawn, SAME)
        found.append(Asked({"d": disease}, {name: kinds[name] for name in sorted(kinds)}))
    return found


def average_precisions(
    verifier: Verifier, questions: Sequence[Asked], confidence: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    """The average precision of each method, disease by disease."""
    weightings: dict[str, dict[str, float]] = {
        NONE: {},
        **{name: {id_: 1.0} for id_, name in RULES.items()},
        AUTHORED: dict.fromkeys(RULES, 1.0),
        MINED: dict(confidence),
    }
    (judged,) = judge(verifier, [(questions, TEMPLATE)])
    by_disease: dict[str, list[Judged]] = {}
    for j in judged:
        by_disease.setdefault(j.question, []).append(j)
    found: dict[str, dict[str, float]] = {method: {} for method in METHODS}
    for method, weights in weightings.items():
        every = dict.fromkeys(RULES, 0.0) | weights
        for disease, group in by_disease.items():
            value = metrics.average_precision(
                [(metrics.support(j.statuses, every), j.is_gold) for j in group]
            )
            if value is not None:
                found[method][disease] = value
    return found


def confidences(hetionet: Hetionet, left: Edges) -> dict[str, float]:
    """Of the pairs that a rule finds in these edges, the share of which a treatment is known: its
    standard confidence.  A pair is never found by its own treatment.  0 for a rule that finds
    nothing."""
    from scipy.sparse import csr_array

    place = {node: number for nodes in hetionet.nodes.values() for number, node in enumerate(nodes)}
    size = {kind: len(nodes) for kind, nodes in hetionet.nodes.items()}

    def matrix(metaedge: str, rows: str, columns: str) -> Any:
        pairs: Sequence[Pair] = left.get(metaedge, ())
        shape = (size.get(rows, 0), size.get(columns, 0))
        at = ([place[a] for a, _ in pairs], [place[b] for _, b in pairs])
        return csr_array(([True] * len(pairs), at), shape=shape, dtype=int)

    treats = matrix("CtD", "Compound", "Disease")
    binds = matrix("CbG", "Compound", "Gene")
    includes = matrix("PCiC", "Pharmacologic Class", "Compound")
    resembles = matrix("CrC", "Compound", "Compound")
    alike = matrix("DrD", "Disease", "Disease")
    found = {
        "c2": _others(binds @ binds.T) @ treats,
        "c3": _others(resembles + resembles.T) @ treats,
        "c4": _others(includes.T @ includes) @ treats,
        "c5": treats @ _others(alike + alike.T),
        "c6": binds @ matrix("DaG", "Disease", "Gene").T,
    }
    return {
        id_: metrics.ratio(float((pairs > 0).multiply(treats > 0).sum()), float((pairs > 0).sum()))
        or 0.0
        for id_, pairs in found.items()
    }


def _others(pairs: Any) -> Any:
    """A square matrix without what relates a thing with itself."""
    from scipy.sparse import diags_array

    return pairs - diags_array(pairs.diagonal(), dtype=int)
