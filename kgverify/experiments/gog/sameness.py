"""Which listed triples are one.

Freebase stores most relations twice, once from each end: `people.person.place_of_birth` and
`location.location.people_born_here`.  The names don't say which belong together, but the lists do.
Two relations are **exchanged** where each listed triple of the one stands beside a triple of the
other with its ends exchanged, in the same question, and the other way round.

Two triples of a question are one **fact** if they are the same, or a chain of exchanges leads from
one to the other.  They are one **link** if they have the same two ends, whatever the relations:
what was deleted at random is links.  Both are equivalences, since each compares what `fact` and
`link` make of a triple.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from kgverify.experiments.gog.questions import Triple

Fact = Triple  # the one of its triples that stands for it
Link = tuple[str, str]


def link(triple: Triple) -> Link:
    """The two ends, in the order of their ids."""
    return min(triple.subject, triple.object), max(triple.subject, triple.object)


class Sameness:
    """What is exchanged with what, as lists of triples show it; each list is one question's."""

    def __init__(self, lists: Iterable[Collection[Triple]]) -> None:
        seen: Counter[str] = Counter()
        beside: Counter[tuple[str, str]] = Counter()
        for triples in lists:
            by_ends: dict[tuple[str, str], set[str]] = {}
            for subject, relation, object in set(triples):
                by_ends.setdefault((subject, object), set()).add(relation)
            for (subject, object), relations in by_ends.items():
                others = by_ends.get((object, subject), set())
                seen.update(relations)
                beside.update((one, other) for one in relations for other in others)
        self._exchanged: dict[str, list[str]] = {relation: [] for relation in sorted(seen)}
        for (one, other), number in sorted(beside.items()):
            if number == seen[one] == seen[other]:
                self._exchanged[one].append(other)
        self._place: dict[str, tuple[str, frozenset[bool]]] = {}
        for relation in self._exchanged:
            if relation not in self._place:
                self._walk(relation)
        members: dict[str, list[str]] = {}
        for relation, (first, _) in sorted(self._place.items()):
            members.setdefault(first, []).append(relation)
        # The relations that belong together, by the alphabetically first of them.
        self.groups = {first: tuple(relations) for first, relations in members.items()}

    def _walk(self, first: str) -> None:
        """Relations within reach of one, by exchanges, and whether their ends are exchanged then;
        both, where ways of both kinds lead to one."""
        turns: dict[str, set[bool]] = {first: {False}}
        todo = [(first, False)]
        while todo:
            relation, turned = todo.pop()
            for other in self._exchanged[relation]:
                if (not turned) not in turns.setdefault(other, set()):
                    turns[other].add(not turned)
                    todo.append((other, not turned))
        for relation, found in turns.items():
            self._place[relation] = first, frozenset(found)

    def fact(self, triple: Triple) -> Fact:
        """The triple that stands for a fact: of the alphabetically first of its relations."""
        first, turns = self._place.get(triple.relation, (triple.relation, frozenset({False})))
        ends = {False: (triple.subject, triple.object), True: (triple.object, triple.subject)}
        subject, object = min(ends[turn] for turn in turns)
        return Fact(subject, first, object)

    def relations(self, fact: Fact) -> tuple[str, ...]:
        """All relations that a fact may be listed by, in alphabetical order."""
        return self.groups.get(fact.relation, (fact.relation,))
