"""Pairs of passage and edge that were labelled by hand, and how judges do on them.

The file has ids and labels only.  *Stated* means that somebody who reads the passage with its title
and its heading finds the edge stated there; naming both ends is not enough.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kgverify.completion.breakpoints import Edge
from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import Failure, Judge
from kgverify.experiments.metrics import ratio, selection
from kgverify.experiments.scoring.comparing import kappa

FILE = "hand_labels.tsv"
STATED, NOT_STATED = "stated", "not stated"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A passage, by its id, and an edge: does the one state the other?"""

    passage: str
    edge: Edge
    stated: bool


@cache
def labelled() -> tuple[Labelled, ...]:
    """All pairs that were labelled."""
    text = (files(__package__) / FILE).read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return tuple(Labelled(p, Edge(s, r, o), label == STATED) for p, s, r, o, label in rows)


def measured(judge: Judge, corpus: Corpus, claims: Claims) -> dict[str, Any]:
    """How a judge does on the pairs whose passages are in a corpus.

    `accuracy` and `kappa` (Cohen's) take ENTAILED for *stated* and every other label for *not
    stated*; a failure of the judge is no label, and counts as *not stated*.  `precision` and
    `recall` are those of ENTAILED."""
    pairs = _known(labelled(), corpus)
    said = judge.judge(
        [
            (corpus[number], claims.of(one.edge.subject, one.edge.relation, one.edge.object))
            for one, number in pairs
        ]
    )
    ours = [not isinstance(answer, Failure) and answer.label == "ENTAILED" for answer in said]
    theirs = [one.stated for one, _ in pairs]
    both = list(zip(ours, theirs, strict=True))
    counts = selection((stated, said_so) for said_so, stated in both)
    return {
        "judge": judge.name,
        "pairs": len(pairs),
        "stated": sum(theirs),
        "accuracy": ratio(sum(a == b for a, b in both), len(both)),
        "kappa": kappa(ours, theirs).kappa,
        "precision": counts.precision,
        "recall": counts.recall,
    }


def _known(pairs: Iterable[Labelled], corpus: Corpus) -> list[tuple[Labelled, int]]:
    """The pairs whose passage is in a corpus, with its number there."""
    found = list(pairs)
    numbers = corpus.find([one.passage for one in found]).tolist()
    return [(one, n) for one, n in zip(found, numbers, strict=True) if n >= 0]
