"""The incomplete graph: what is deleted of each relation, by seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kgverify.completion.breakpoints import Edge
from kgverify.experiments.masking import removed


def deleted(
    edges: Mapping[str, Sequence[Edge]], share: float, seed: int, symmetric: Iterable[str] = ()
) -> frozenset[Edge]:
    """The edges that are deleted: this share of each relation.

    Both directions of a symmetric relation go together, so the share is one of pairs there.  What
    is deleted at a lesser share is deleted at a greater one.  Raises ValueError for a share that is
    none."""
    both = frozenset(symmetric)
    gone: set[Edge] = set()
    for relation in sorted(edges):
        groups: dict[tuple[str, str], list[Edge]] = {}
        for edge in sorted(edges[relation]):
            ends = edge.subject, edge.object
            key = (min(ends), max(ends)) if relation in both else ends
            groups.setdefault(key, []).append(edge)
        for key in removed(sorted(groups), share, f"{seed} {relation}"):
            gone.update(groups[key])
    return frozenset(gone)
