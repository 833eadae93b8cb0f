"""The passages that a path stands for."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from kgverify.evidence.synergy.beam_search import Path
from kgverify.evidence.synergy.knowledge_base import NOWHERE, KnowledgeBase

Sources = Literal["about", "mentions"]


def sources_of(base: KnowledgeBase, path: Path, sources: Sources) -> set[int]:
    """The passages behind a path: all that mention one of its entities; or only those that are
    about one, or state one of its links."""
    if sources == "mentions":
        return {int(passage) for entity in path for passage in base.passages_of[entity]}
    own = {int(passage) for entity in path for passage in base.about[entity]}
    return own | {
        link.passage
        for one, other in pairwise(path)
        for link in base.links_between(one, other)
        if link.passage != NOWHERE
    }
