"""Is there a way to make clauses true?  A small search: unit propagation, and both ways tried.

It stands beside the solver on purpose: the checker of proofs shares nothing with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

Literals = Sequence[int]  # of variables from 1 on; the negative number for a falsehood


class TooMuch(Exception):
    """The steps that a check may take are used up."""


class Effort:
    """How many steps may still be taken."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self, steps: int = 1) -> None:
        """Raises TooMuch when no more are left."""
        self._left -= steps
        if self._left < 0:
            raise TooMuch


def satisfiable(clauses: Iterable[Literals], effort: Effort) -> bool:
    """Can all clauses be true together?  Raises TooMuch when the search takes too long."""
    return _Search(clauses, effort).succeeds()


class _Search:
    """Davis, Putnam, Logemann and Loveland, with two watched literals in each clause."""

    def __init__(self, clauses: Iterable[Literals], effort: Effort) -> None:
        self._effort = effort
        self._true: set[int] = set()  # the literals that are true
        self._trail: list[int] = []
        self._read = 0  # so much of the trail has been propagated
        self._watching: dict[int, list[list[int]]] = defaultdict(list)
        self._units: list[int] = []
        self._empty = False
        # Those that may ask for one of several atoms.  Where a clause has one atom at most that
        # may be true, that atom follows, or a falsehood is enough.
        self._choices: list[list[int]] = []
        for clause in clauses:
            literals = list(dict.fromkeys(clause))
            if any(-literal in literals for literal in literals):
                continue
            if len(literals) < 2:
                self._units += literals
                self._empty |= not literals
                continue
            if sum(literal > 0 for literal in literals) > 1:
                self._choices.append(literals)
            for literal in literals[:2]:
                self._watching[literal].append(literals)

    def succeeds(self) -> bool:
        if self._empty or not all(map(self._assign, self._units)):
            return False
        choices: list[tuple[int, int]] = []  # a literal that was tried, and the trail before it
        holds = self._propagate()
        while True:
            if not holds:
                # The last choice that was made one way only is made the other way.
                while choices and choices[-1][0] < 0:
                    self._back(choices.pop()[1])
                if not choices:
                    return False
                literal, length = choices.pop()
                self._back(length)
                choices.append((-literal, length))
            else:
                demand = self._demand()
                if demand is None:
                    return True
                choices.append((demand, len(self._trail)))
            holds = self._assign(choices[-1][0]) and self._propagate()

    def _demand(self) -> int | None:
        """A variable by which a clause may become true that asks for something to be true; None
        where all others may be false.  Of such clauses, that which leaves the fewest ways."""
        best: list[int] | None = None
        for clause in self._choices:
            self._effort.spend()
            if any(literal in self._true for literal in clause):
                continue
            left = [literal for literal in clause if -literal not in self._true]
            if all(literal > 0 for literal in left) and (best is None or len(left) < len(best)):
                best = left
        return best[0] if best else None

    def _assign(self, literal: int) -> bool:
        """Make a literal true; False when it is false."""
        if literal not in self._true:
            if -literal in self._true:
                return False
            self._true.add(literal)
            self._trail.append(literal)
        return True

    def _back(self, length: int) -> None:
        for literal in self._trail[length:]:
            self._true.discard(literal)
        del self._trail[length:]
        self._read = length

    def _propagate(self) -> bool:
        """Make true what clauses leave no other way; False when a clause can't be true."""
        while self._read < len(self._trail):
            false = -self._trail[self._read]
            self._read += 1
            watching = self._watching[false]
            kept: list[list[int]] = []
            for number, clause in enumerate(watching):
                self._effort.spend()
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                if clause[0] in self._true:
                    kept.append(clause)
                    continue
                for place in range(2, len(clause)):
                    if -clause[place] not in self._true:
                        clause[1], clause[place] = clause[place], false
                        self._watching[clause[1]].append(clause)
                        break
                else:
                    kept.append(clause)
                    if not self._assign(clause[0]):
                        self._watching[false] = kept + watching[number + 1 :]
                        return False
            self._watching[false] = kept
        return True
