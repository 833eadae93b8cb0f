"""The classes of a graph, and which of them holds all of some entities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kgverify.graph import Graph
from kgverify.graph.strings import Longs

_SHOWN = 4  # classes, where none holds all


@dataclass(frozen=True, slots=True)
class ClassProfile:
    """A class, by its term: its entities, those of classes below it included, and the classes
    directly above it."""

    term: int
    members: int
    above: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Covered:
    """The smallest class that holds all entities of some that have a class at all; None where no
    class does, and then `largest` are those with most of them.  `untyped` of them have none."""

    cls: int | None
    entities: int
    untyped: int
    largest: tuple[tuple[int, int], ...] = ()


class Classes:
    """Who is in which class, with what subclass facts add.  Classes that are below each other are
    one, the first by its term."""

    def __init__(self, graph: Graph) -> None:
        types = graph.facts.all(graph.type_relation)
        below = graph.facts.all(graph.subclass_relation)
        named = graph.kinds(np.arange(graph.n_terms)) == 0
        inside = named[types.objects]
        self._direct: dict[int, set[int]] = {}
        for one, other in zip(below.subjects.tolist(), below.objects.tolist(), strict=True):
            if one != other and named[one] and named[other]:
                self._direct.setdefault(one, set()).add(other)
        terms = {*np.unique(types.objects[inside]).tolist(), *self._direct}
        terms.update(*self._direct.values())
        reached = {term: _reached(term, self._direct) for term in terms}
        first = {t: min({t, *(o for o in reached[t] if t in reached[o])}) for t in terms}
        self._first = first
        self._above = {t: sorted({first[o] for o in (t, *reached[t])}) for t in terms}
        pairs = {
            (entity, above)
            for entity, cls in zip(
                types.subjects[inside].tolist(), types.objects[inside].tolist(), strict=True
            )
            for above in self._above[cls]
        }
        table = np.array(sorted(pairs), np.int64).reshape(-1, 2)
        self._entities, self._classes = table[:, 0], table[:, 1]
        ids, counts = np.unique(self._classes, return_counts=True)
        self._members = dict(zip(ids.tolist(), counts.tolist(), strict=True))

    @property
    def profiles(self) -> list[ClassProfile]:
        """All classes, the largest first."""
        found = []
        for term in sorted(set(self._first.values())):
            others = [t for t in self._first if self._first[t] == term]
            above = {self._first[o] for t in others for o in self._direct.get(t, ())} - {term}
            found.append(ClassProfile(term, self._members.get(term, 0), tuple(sorted(above))))
        return sorted(found, key=lambda one: (-one.members, one.term))

    def covering(self, entities: Longs) -> Covered:
        """The class of these entities, each once: of several of one size the lowest, then the
        first."""
        starts = np.searchsorted(self._entities, entities, "left")
        lengths = np.searchsorted(self._entities, entities, "right") - starts
        typed = int((lengths > 0).sum())
        rows = np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        ids, counts = np.unique(self._classes[rows], return_counts=True)
        whole = [int(cls) for cls, n in zip(ids, counts, strict=True) if n == typed]
        best = min(whole, key=lambda c: (self._members[c], -len(self._above[c]), c), default=None)
        held = zip(ids.tolist(), counts.tolist(), strict=True)
        most = sorted(held, key=lambda one: (-one[1], one[0]))[:_SHOWN] if best is None else ()
        return Covered(best, len(entities), len(entities) - typed, tuple(most))

    def apart(self, least: int) -> list[tuple[int, ...]]:
        """Groups of classes no two of which share an entity, each with `least` entities or more.

        Only classes without one above them stand together, and those below the same one: what is
        disjoint there is so further below.  In each group the largest classes come first, and what
        shares an entity with one of them is left out."""
        groups: dict[int | None, list[int]] = {}
        for profile in self.profiles:
            if profile.members >= least:
                for above in profile.above or (None,):
                    groups.setdefault(above, []).append(profile.term)
        found = []
        for above in sorted(groups, key=lambda one: -1 if one is None else one):
            chosen: list[int] = []
            held: set[int] = set()
            for term in groups[above]:
                own = set(self._entities[self._classes == term].tolist())
                if not own & held:
                    chosen.append(term)
                    held |= own
            if len(chosen) > 1:
                found.append(tuple(chosen))
        return found


def _reached(term: int, direct: dict[int, set[int]]) -> set[int]:
    """The classes above a class; itself only where subclasses go round."""
    found: set[int] = set()
    todo: list[int] = [term]
    while todo:
        new = direct.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found
