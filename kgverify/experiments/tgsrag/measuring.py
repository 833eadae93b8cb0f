"""How good what was retrieved is (section 4.1.4 of the paper).

A question is *hit* when every gold passage is among its documents; the strict hit rate is the share
of questions that are.  Support precision, recall and F1 compare the two sets and are averaged over
the questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kgverify.experiments.metrics import Selection, mean
from kgverify.experiments.scoring.comparing import mcnemar
from kgverify.experiments.statistics import Interval, bootstrap_mean, paired_difference

MEASURES = ("hit", "precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Scored:
    """One question: `hops` is the number of its gold passages.  Precision is undefined when nothing
    is retrieved; F1 is 0 then."""

    hops: int
    documents: int
    hit: float
    precision: float | None
    recall: float
    f1: float


def scored(documents: frozenset[int], gold: frozenset[int]) -> Scored:
    """The measures of one question, which has a gold passage at least."""
    right = len(documents & gold)
    found = Selection(right, len(documents) - right, len(gold) - right)
    if found.recall is None or found.f1 is None:
        raise ValueError("a question has a gold passage at least")
    hit = float(not found.missed)
    return Scored(len(gold), len(documents), hit, found.precision, found.recall, found.f1)


def measures(found: Sequence[Scored], seed: int) -> dict[str, Any]:
    """The means over questions: the strict hit rate and F1 with their bootstrap intervals, and the
    strict hit rate and F1 of the questions with so many hops."""
    return {
        "questions": len(found),
        "documents": mean(one.documents for one in found),
        "hit": asdict(bootstrap_mean([one.hit for one in found], seed)),
        "precision": mean(one.precision for one in found),
        "recall": mean(one.recall for one in found),
        "f1": asdict(bootstrap_mean([one.f1 for one in found], seed)),
        "hops": {
            str(hops): {
                "questions": sum(one.hops == hops for one in found),
                "hit": mean(one.hit for one in found if one.hops == hops),
                "f1": mean(one.f1 for one in found if one.hops == hops),
            }
            for hops in sorted({one.hops for one in found})
        },
    }


def compared(ours: Sequence[Scored], theirs: Sequence[Scored], seed: int) -> dict[str, Any]:
    """Ours beside theirs on the same questions: differences with their paired bootstrap intervals,
    and McNemar's exact test on which questions are hit."""

    def difference(name: str) -> Interval:
        mine, other = ([getattr(one, name) for one in side] for side in (ours, theirs))
        return paired_difference(mine, other, seed)

    test = mcnemar([bool(one.hit) for one in ours], [bool(one.hit) for one in theirs])
    return {
        "hit": asdict(difference("hit")),
        "f1": asdict(difference("f1")),
        "only_ours": test.first,
        "only_theirs": test.second,
        "p": test.p_exact,
    }
