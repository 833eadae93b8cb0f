"""Entities of a graph whose names are one slip of the pen from a name that the graph lacks.

Looking through all names takes time on a large graph.  So the slips are made, and looked up."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

from kgverify.graph.columns import fold
from kgverify.graph.store import Graph

MOST_NAMES = 100  # of one file; more are no slips
_LEAST_LETTERS = 4  # `Q42` and `Q43` are two names, and no slip


def near_entities(graph: Graph, names: Sequence[str]) -> list[str | None]:
    """For each name the id of the entity that is probably meant: its label is the name, or its id
    differs in case, in how words are joined, or in one letter.  None where nothing is near."""
    found = [_labelled(graph, name) for name in names]
    slips = [
        list(dict.fromkeys(_slips(name))) if near is None and place < MOST_NAMES else []
        for place, (name, near) in enumerate(zip(names, found, strict=True))
    ]
    ids = iter(graph.find(["e" + slip for made in slips for slip in made]).tolist())
    for place, made in enumerate(slips):
        known = [slip for slip in made if next(ids) >= 0]
        found[place] = known[0] if known else found[place]
    return found


def near_name(graph: Graph, name: str) -> str | None:
    """The label of the entity that has, as label or alias, what `name` is one slip from; None where
    there is none.  Case is no slip."""
    for slip in graph.some_labels(list(dict.fromkeys(map(fold, _slips(name))))):
        ids = graph.by_label(slip)
        if ids:
            return graph.label(ids[0]) or graph.key(ids[0])[1:]
    return None


def _labelled(graph: Graph, name: str) -> str | None:
    ids = graph.by_label(name)
    return graph.key(ids[0])[1:] if len(ids) == 1 else None


def _slips(name: str) -> Iterator[str]:
    """What `name` could be a slip for."""
    for joined in (name, *(name.replace(a, b) for a in " _-" for b in " _-" if a != b)):
        yield from (joined, joined.lower(), joined.capitalize(), joined.title())
    if sum(map(str.isalpha, name)) < _LEAST_LETTERS:
        return
    letters = sorted({*string.ascii_lowercase, *filter(str.isalpha, name)})
    for place, old in enumerate(name):
        before, after = name[:place], name[place + 1 :]
        if old.isalpha():
            yield before + after
            yield from (before + letter + after for letter in letters)
            if after[:1].isalpha():
                yield before + after[0] + old + after[1:]
    for place in range(len(name) + 1):
        yield from (name[:place] + letter + name[place:] for letter in letters)
