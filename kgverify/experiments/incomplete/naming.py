"""What entities are called in a benchmark: private numbers, the graph's own ids, or labels."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from kgverify.graph import Graph
from kgverify.graph.terms import display

Naming = Literal["private", "id", "label"]


def names(graph: Graph, ids: Sequence[int], naming: Naming, seed: int) -> dict[int, str]:
    """A name of its own for each term.

    Private numbers are dealt out by chance.  A label that several have, or that is another's id,
    has the id behind it; what has none is called by its id."""
    keys = [display(key) for key in graph.keys(list(ids))]
    if naming == "private":
        numbers = list(range(len(ids)))
        random.Random(f"{seed} names").shuffle(numbers)
        return {id_: str(number) for id_, number in zip(ids, numbers, strict=True)}
    if naming == "id":
        return dict(zip(ids, _own(keys, keys), strict=True))
    labels = [" ".join(label.split()) for label in graph.labels(list(ids))]
    return dict(zip(ids, _own(labels, keys), strict=True))


def _own(wanted: Sequence[str], keys: Sequence[str]) -> list[str]:
    """The wanted names where they are nobody else's."""
    met = Counter(wanted) + Counter(k for k, w in zip(keys, wanted, strict=True) if k != w)
    found, taken = [], set(keys)
    for name, key in zip(wanted, keys, strict=True):
        own = name if name and met[name] == 1 else f"{name} ({key})" if name != key else key
        own = own if name else key
        while own != key and own in taken:
            own += "'"
        taken.add(own)
        found.append(own)
    return found
