"""What the checker of proofs knows of relations at a time, and of relations that change over time.

A relation at a time, and one at some time, has a name of its own beside the relation's: evidence
about them is not evidence about the relation, or two statements that exclude each other would
contradict what both say of other times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from kgverify.replay.clauses import Clause, P, Q, X, Y, Z
from kgverify.replay.periods import is_time
from kgverify.vocabulary import Claim

KINDS = ("time", "ever")


@dataclass(frozen=True)
class Asked:
    """A time that is asked about, "" for some time."""

    time: str

    def of(self, relation: str) -> str:
        """The name of a relation then."""
        return f"{relation} at {self.time}" if self.time else f"{relation} ever"


def asked_relation(claim: Claim) -> tuple[str, Asked]:
    """The relation that a claim of one of the `KINDS` is about, and when."""
    return (claim.name, Asked("")) if claim.kind == "ever" else parted(claim.name)


def parted(name: str) -> tuple[str, Asked]:
    """The relation that a name is about, and at what time; without one for the relation's own."""
    relation, _, time = name.partition(" at ")
    return relation, Asked(time)


def is_readable(claim: Claim) -> bool:
    """Does a claim of one of the `KINDS` say when?"""
    return claim.kind == "ever" or is_time(claim.name.partition(" at ")[2])


def definitions(relations: Iterable[str], asked: Collection[Asked]) -> Iterator[Clause]:
    """What relations are, at each time that is asked about."""
    for r in relations:
        for when in asked:
            v = when.of(r)
            # What is refuted once and for all is so at any time.
            yield ("against", v, X, Y), (("against", r, X, Y),)
            if when.time:
                yield ("for", v, X, Y), (("held", r, X, Y, P), ("throughout", P, when.time))
            else:
                yield ("for", v, X, Y), (("for", r, X, Y),)


def meaning_in_time(kind: str, names: Sequence[str], asked: Collection[Asked]) -> Iterator[Clause]:
    """What a declaration says of periods, and of each time that is asked about."""
    r, q = names[0], names[-1]
    links = {
        "symmetric": [(r, r, True)],
        "inverse": [(r, q, True), (q, r, True)],
        "subrelation": [(r, q, False)],
    }
    for one, other, turned in links.get(kind, ()):
        ends = (Y, X) if turned else (X, Y)
        for said in ("held", "current"):
            yield (said, other, *ends, P), ((said, one, X, Y, P),)
        for when in asked:
            v, w = when.of(one), when.of(other)
            yield ("for", w, *ends), (("for", v, X, Y),)
            yield ("against", v, X, Y), (("against", w, *ends),)
    if kind == "functional_at_a_time":
        # What always holds leaves room for no other.
        always = ("current", r, X, Z, P), ("always", P)
        yield ("against", r, X, Y), (*always, ("differ", Y, Z))
    for when in asked:
        v = when.of(r)
        if when.time:
            if kind in ("functional", "functional_at_a_time"):
                yield ("against", v, X, Y), (("for", v, X, Z), ("differ", Y, Z))
            if kind == "complete":
                yield ("against", v, X, Y), (("absent", v, X, Y),)
            if kind == "complete_for":
                yield ("against", v, X, Y), (("absent", v, X, Y), ("is", q, X))
            if kind == "complete_subject":
                yield ("against", v, q, Y), (("absent", v, q, Y),)
        elif kind == "functional_at_a_time":
            # Two stated facts that exclude each other are in conflict, each of them.
            both = ("current", r, X, Y, P), ("current", r, X, Z, Q), ("meeting", P, Q)
            yield ("against", v, X, Y), (*both, ("differ", Y, Z))
