"""Paths and evidence in words, with where each step is from."""

from __future__ import annotations

from itertools import pairwise

from kgverify.evidence.synergy.beam_search import Path
from kgverify.evidence.synergy.gathering import SynergyEvidence
from kgverify.evidence.synergy.knowledge_base import NOWHERE, KnowledgeBase, Link


def path_text(base: KnowledgeBase, path: Path) -> str:
    """`Signs —(mentions, passage 12)→ Abigail Breslin`: an arrow for each step, from the subject of
    its link to the object, with the relation and the id of the passage that states it.

    A step with several links shows the first in the order of their relations and passages, and how
    many more there are."""
    parts = [base.names[path[0]]]
    for one, other in pairwise(path):
        parts.append(_step(base, one, base.links_between(one, other)))
        parts.append(base.names[other])
    return " ".join(parts)


def evidence_text(base: KnowledgeBase, evidence: SynergyEvidence) -> str:
    """Everything that is given to a query, for people and for language models: the paths, the
    bridging ones apart, and the passages with their ids."""
    parts = []
    for heading, scored in (
        ("Paths through the graph", evidence.paths),
        ("Bridging paths", evidence.bridges),
    ):
        if scored:
            lines = [f"{n}. {path_text(base, s.path)}" for n, s in enumerate(scored, 1)]
            parts.append("\n".join([f"{heading}:", *lines]))
    if evidence.passages:
        lines = ["Passages:"]
        for ranked in evidence.passages:
            passage = base.corpus[ranked.passage]
            title = "".join(f"{said}: " for said in (passage.title, passage.heading) if said)
            lines.append(f"[{passage.id}] {title}{' '.join(passage.text.split())}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _step(base: KnowledgeBase, one: int, links: list[Link]) -> str:
    if not links:
        raise ValueError("a path has a step that no link makes")
    # What is stated somewhere says more than what is not; what leads forward reads better.
    first = min(
        links,
        key=lambda link: (link.passage == NOWHERE, link.subject != one, link),
    )
    place = "" if first.passage == NOWHERE else f", passage {base.corpus.ids[first.passage]}"
    more = f", and {len(links) - 1} more" if len(links) > 1 else ""
    said = f"({first.relation}{place}{more})"
    return f"—{said}→" if first.subject == one else f"←{said}—"
