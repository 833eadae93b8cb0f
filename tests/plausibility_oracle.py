"""Plausibility in plain Python: which soft rules speak for an atom, and what that comes to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod

from kgverify.testing import World
from kgverify.verdicts import Verdict
from tests.oracle import SUBCLASS, Atom, Oracle

Status = str  # "sat", "viol" or "unk"


class PlausibilityOracle:
    """The soft rules that speak for each atom of a world: by one step from the evidence."""

    def __init__(self, world: World) -> None:
        self.book = world.book
        self.oracle = Oracle(world)
        self.weights = [Fraction(soft.weight) for soft in self.book.soft]
        self._backers: dict[Atom, set[int]] = defaultdict(set)
        evidence = self.oracle.evidence
        todo = [
            (number, atom)
            for number, soft in enumerate(self.book.soft)
            for atom in self.oracle._rule(soft.rule, evidence)
        ]
        while todo:
            number, atom = todo.pop()
            if number not in self._backers[atom]:
                self._backers[atom].add(number)
                todo += [(number, other) for other in self._beside(atom)]

    def _beside(self, atom: Atom) -> list[Atom]:
        """The same said in other words."""
        if atom[0] == "is":
            above = {(x[0], x[2]) for x in self.oracle.facts if x[1] == SUBCLASS}
            for cls in self.book.classes.values():
                above |= {("e" + cls.name.text, "e" + parent.text) for parent in cls.supers}
            return [("is", atom[1], upper) for lower, upper in above if lower == atom[2]]
        _, name, one, other = atom
        found: list[Atom] = []
        for relation in self.book.relations.values():
            for item in relation.properties:
                target = item.target.text if item.target else ""
                if item.kind == "symmetric" and relation.name.text == name:
                    found.append(("for", name, other, one))
                if item.kind == "inverse" and relation.name.text == name:
                    found.append(("for", target, other, one))
                if item.kind == "inverse" and target == name:
                    found.append(("for", relation.name.text, other, one))
                if item.kind == "subrelation" and relation.name.text == name:
                    found.append(("for", target, one, other))
        return found

    def backers(self, atom: Atom) -> tuple[int, ...]:
        return tuple(sorted(self._backers[atom]))

    def value(self, numbers: Sequence[int], how: str) -> Fraction:
        """How plausible an atom is that these rules speak for."""
        if not numbers:
            return Fraction(0)
        if how == "max":
            return max(self.weights[n] for n in numbers)
        return 1 - prod((1 - self.weights[n] for n in numbers), start=Fraction(1))

    def leaves(self, verdict: Verdict) -> dict[int, tuple[int, ...]]:
        """The soft rules that speak for the atom of each open constraint, by its number."""
        batch, request = verdict._batch, verdict._request
        candidate = request.candidates[verdict._place]
        statuses = verdict._plausible.decisions.statuses[verdict._place]  # type: ignore[union-attr]
        found = {}
        for constraint in request.template.constraints:
            if constraint.kind not in ("relation", "class") or statuses[constraint.index]:
                continue
            view = request.template.views.get(constraint.name)
            ids = batch.decided(constraint, request, candidate).ids
            keys = [self.oracle.name(batch.knowledge.key(id_)) for id_ in ids]
            if (view and not view.ever) or not all(map(self.oracle.known_entity, keys)):
                continue
            name = view.ever if view else constraint.name
            atom = ("is", keys[0], "e" + name) if len(keys) == 1 else ("for", name, *keys)
            found[constraint.index] = self.backers(atom)
        return found


def kleene(verdict: Verdict, leaf: Callable[[int], Status]) -> list[Status]:
    """The status of each constraint, given those of the ones that are no groups."""
    constraints = verdict._request.template.constraints
    found: dict[int, Status] = {}
    for constraint in reversed(constraints):  # members come after their group
        if constraint.kind != "group":
            found[constraint.index] = leaf(constraint.index)
            continue
        members = [found[m] for m in constraint.members]
        if members.count("sat") >= constraint.least:
            found[constraint.index] = "sat"
        elif members.count("viol") > len(members) - constraint.least:
            found[constraint.index] = "viol"
        else:
            found[constraint.index] = "unk"
    return [found[c.index] for c in constraints]
