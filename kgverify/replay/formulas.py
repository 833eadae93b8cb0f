"""What must be so, written down as clauses over numbered atoms."""

from __future__ import annotations

from collections.abc import Sequence

from kgverify.replay.satisfying import Effort, satisfiable

Atom = tuple[str, ...]  # ("for", r, s, o), ("is", c, e) of a world; ("claim", …) for others


class Formula:
    """Clauses, and the numbers of their atoms; a literal is a number, or its negative."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.new: list[Atom] = []  # atoms of the world that were numbered since the last look
        self._numbers: dict[Atom, int] = {}
        self._clauses: dict[tuple[int, ...], None] = {}
        self.true = self.number(("claim", "true"))
        self.add([self.true])

    def number(self, atom: Atom) -> int:
        """The literal of an atom."""
        if atom not in self._numbers:
            self.effort.spend()
            self._numbers[atom] = len(self._numbers) + 1
            if atom[0] != "claim":
                self.new.append(atom)
        return self._numbers[atom]

    def knows(self, atom: Atom) -> bool:
        """Has the atom a number?"""
        return atom in self._numbers

    def add(self, literals: Sequence[int]) -> None:
        """One of these literals at least is true."""
        self._clauses[tuple(sorted(set(literals)))] = None

    def both(self, one: int, other: int) -> int:
        """A literal that is true only where both are."""
        if self.true in (one, other):
            return one if other == self.true else other
        truth = self.number(("claim", "both", str(one), str(other)))
        self.add([-truth, one])
        self.add([-truth, other])
        return truth

    def at_least(self, least: int, literals: Sequence[int]) -> int:
        """A literal that is true only where at least so many of these are."""
        if least <= 0:
            return self.true
        if least > len(literals):
            return -self.true
        atom = ("claim", "at least", str(least), *map(str, literals))
        is_new = not self.knows(atom)
        truth = self.number(atom)
        if is_new:
            first, rest = literals[0], literals[1:]
            self.add([-truth, first, self.at_least(least, rest)])
            self.add([-truth, self.at_least(least - 1, rest)])
        return truth

    def has_model(self) -> bool:
        """Can all clauses be true together?"""
        return satisfiable(self._clauses, self.effort)
