"""What entities are called in a benchmark: private numbers, the graph's own ids, or labels."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain, count
from typing import Literal

from kgverify.experiments.scoring.matching import normal_form
from kgverify.graph import Graph
from kgverify.graph.terms import display

Naming = Literal["private", "id", "label"]


def names(graph: Graph, ids: Sequence[int], naming: Naming, seed: int) -> dict[int, str]:
    """A name of its own for each term.

    Private numbers are dealt out by chance.  A label that several have, or that is another's id,
    has the id behind it; what has none is called by its id.  An id that another has too, such as a
    value's, has a number behind it."""
    keys = [display(key) for key in graph.keys(list(ids))]
    if naming == "private":
        numbers = list(range(len(ids)))
        random.Random(f"{seed} names").shuffle(numbers)
        return {id_: str(number) for id_, number in zip(ids, numbers, strict=True)}
    if naming == "id":
        return dict(zip(ids, _own(keys, keys), strict=True))
    found = zip(graph.labels(list(ids)), keys, strict=True)
    labels = [" ".join(label.split()) or key for label, key in found]
    return dict(zip(ids, _own(labels, keys), strict=True))


def _own(wanted: Sequence[str], keys: Sequence[str]) -> list[str]:
    """The wanted names where they are nobody else's, and else others.

    Names are one where the scorer takes them for one, so all have normal forms of their own.  Who
    is called by its id keeps it before others get it as a name; a number tells equal ids apart."""
    owners = Counter(map(normal_form, keys))
    met = Counter(map(normal_form, wanted))
    for name, key in zip(wanted, keys, strict=True):
        if normal_form(key) != normal_form(name):
            met[normal_form(key)] += 1
    found: dict[int, str] = {}
    taken = {""}

    def take(place: int, name: str) -> bool:
        form = normal_form(name)
        if form in taken or place in found:
            return False
        if owners[form] and form != normal_form(keys[place]):
            return False  # it is another's id
        taken.add(form)
        found[place] = name
        return True

    for place, name in enumerate(wanted):
        if met[normal_form(name)] == 1:
            take(place, name)
    for place in sorted(set(range(len(keys))) - found.keys(), key=lambda p: wanted[p] != keys[p]):
        name, key = wanted[place], keys[place]
        behind = () if name == key else (f"{name} ({key})",)
        numbered = (f"{key} ({number})" for number in count(2))
        next(other for other in chain(behind, (key,), numbered) if take(place, other))
    return [found[place] for place in range(len(keys))]
