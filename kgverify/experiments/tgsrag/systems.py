"""What is compared: retrievers alone, the synergy, the synergy without each of its parts, and
retrievers that are given as many documents as the synergy gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgverify.evidence.retrieving import Hit, Query, Retriever
from kgverify.evidence.synergy.building import Named
from kgverify.evidence.synergy.gathering import Synergy, SynergyEvidence
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase
from kgverify.evidence.synergy.likeness import Floats, Likeness
from kgverify.evidence.synergy.options import SynergyOptions

NAIVE, HYBRID, SYNERGY = "naive", "hybrid", "synergy"
TOP = 5  # passages of a retriever alone, as in the paper
ABLATIONS: dict[str, dict[str, Any]] = {
    "without voting": {"vote": False},
    "without confirmation": {"confirm": False},
    "without bridging": {"bridge": False},
    "without memory": {"remember": False},
}
VARIANTS: dict[str, dict[str, Any]] = {
    "α 0.7": {"alpha": 0.7},
    "votes by the best": {"votes": "best"},
    "all kept paths": {"returned": "kept"},
    "all that mention": {"sources": "mentions"},
    "over hybrid": {},
}
RERANKING = ("α 0.7", "votes by the best")
PASSAGES_ONLY = "passages only"

Documents = list[frozenset[int]]  # what is retrieved, question by question


@dataclass(frozen=True)
class System:
    """A system's documents for each question.

    `budget` names the synergy that has as many documents, for a retriever that is given them."""

    documents: Documents
    budget: str = ""


class Kept:
    """A retriever that searches once for some queries, and remembers."""

    def __init__(self, retriever: Retriever, queries: Sequence[Query], most: int) -> None:
        self.name = retriever.name
        self._hits = dict(zip(queries, retriever.search(queries, most), strict=True))

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        return [self._hits[query][:most] for query in queries]

    def documents(self, queries: Sequence[Query], most: Sequence[int]) -> Documents:
        """The best passages, for each query as many as it is granted."""
        granted = zip(queries, most, strict=True)
        return [frozenset(hit.passage for hit in self._hits[q][:n]) for q, n in granted]


class KeptLikeness:
    """A likeness that compares each query once."""

    def __init__(self, likeness: Likeness) -> None:
        self.name = likeness.name
        self._likeness = likeness
        self._kept: dict[str, Floats] = {}

    def to(self, query: str) -> Floats:
        if query not in self._kept:
            self._kept[query] = self._likeness.to(query)
        return self._kept[query]


def systems(
    base: KnowledgeBase,
    retrievers: Mapping[str, Retriever],
    likeness: Likeness,
    named: Named,
    queries: Sequence[Query],
    options: SynergyOptions,
    progress: Callable[[str], None],
) -> tuple[dict[str, System], list[SynergyEvidence]]:
    """All systems by name, and the evidence of the synergy.  `retrievers` has NAIVE, and perhaps
    others; the synergy's texts are those of NAIVE."""
    kept = {name: Kept(r, queries, len(base.corpus)) for name, r in retrievers.items()}
    like = KeptLikeness(likeness)
    few = [TOP] * len(queries)
    found = {name: System(r.documents(queries, few)) for name, r in kept.items()}

    def gathered(name: str, over: Retriever, changed: SynergyOptions) -> list[SynergyEvidence]:
        progress(name)
        evidence = Synergy(base, over, like, named, changed).gather(queries)
        found[name] = System([frozenset(e.documents) for e in evidence])
        return evidence

    def budgeted(budget: str, names: Sequence[str]) -> None:
        most = [len(documents) for documents in found[budget].documents]
        for name in names:
            label = f"{name}, as many as {budget}"
            found[label] = System(kept[name].documents(queries, most), budget)

    evidence = gathered(SYNERGY, kept[NAIVE], options)
    passages = [frozenset(r.passage for r in e.passages) for e in evidence]
    found[f"{SYNERGY}, {PASSAGES_ONLY}"] = System(passages)
    budgeted(SYNERGY, list(kept))
    for part, change in ABLATIONS.items():
        gathered(f"{SYNERGY} {part}", kept[NAIVE], replace(options, **change))
        if part in ("without voting", "without bridging"):
            budgeted(f"{SYNERGY} {part}", [NAIVE])
    for variant, other in VARIANTS.items():
        name = f"{SYNERGY}, {variant}"
        if variant == "over hybrid":
            if HYBRID not in kept:
                continue
            gathered(name, kept[HYBRID], options)
            budgeted(name, [HYBRID])
        else:
            varied = gathered(name, kept[NAIVE], replace(options, **other))
            budgeted(name, [NAIVE])
            if variant in RERANKING:
                top = [frozenset(r.passage for r in e.passages) for e in varied]
                found[f"{name}, {PASSAGES_ONLY}"] = System(top)
    return found, evidence
