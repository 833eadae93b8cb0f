"""Plausibility in plain Python: which soft rules speak for an atom, and what that comes to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from kgverify.language import syntax as s
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

    def value(self, numbers: Sequence[int], how: str, name: str) -> Fraction:
        """How plausible an atom of this relation or class is that these rules speak for."""
        if not numbers:
            return Fraction(0)
        if how == "max":
            return max(self.weights[n] for n in numbers)
        reasons: list[set[int]] = []
        for number in numbers:
            same = [r for r in reasons if any(self._same(number, other, name) for other in r)]
            reasons = [r for r in reasons if r not in same] + [{number}.union(*same)]
        strongest = (max(self.weights[n] for n in reason) for reason in reasons)
        return 1 - prod((1 - weight for weight in strongest), start=Fraction(1))

    def _same(self, one: int, other: int, name: str) -> bool:
        """Does each rule conclude what the other one does, from the other's body alone?"""
        there, back = self._heads(one, other, name), self._heads(other, one, name)
        return any((b, a) in back for a, b in there)

    def _heads(self, general: int, special: int, name: str) -> set[tuple[bool, bool]]:
        """In which orders of terms, one's and the other's, a rule concludes an atom of this name
        that the other concludes too, wherever the other's body holds."""
        rule, onto = (_named(self.book.soft[n].rule) for n in (general, special))
        frozen = {t.text: f"e?{t.text}" for c in (onto.head, *onto.body) for t in c.terms
                  if t.kind is s.TermKind.VARIABLE}  # fmt: skip
        literals = [c for c in onto.body if isinstance(c, s.Literal)]
        known = self._closed({self.oracle._instance(c, frozen) for c in literals})
        apart = {self._pair(c, frozen) for c in onto.body if isinstance(c, s.Comparison)}
        exact = {frozen[v] for v in self._shared(onto)}
        positive = [c for c in rule.body if isinstance(c, s.Literal)]
        found = set()
        for values in self.oracle._bindings(positive, {}, known):
            pairs = {self._pair(c, values) for c in rule.body if isinstance(c, s.Comparison)}
            if pairs <= apart and {values[v] for v in self._shared(rule)} <= exact:
                mine = self._put(self.oracle._instance(rule.head, values), name)
                its = self._put(self.oracle._instance(onto.head, frozen), name)
                found |= {(a, b) for a, x in mine for b, y in its if x == y}
        return found

    def _pair(self, comparison: s.Comparison, values: dict[str, str]) -> tuple[str, frozenset[str]]:
        sides = frozenset(self.oracle._term(t, values) for t in comparison.terms)
        return comparison.operator, sides

    def _shared(self, rule: s.Rule) -> set[str]:
        """The variables for values that several conditions must agree on."""
        places: dict[str, set[s.Condition]] = defaultdict(set)
        values = set()
        for condition in rule.body:
            if isinstance(condition, s.Literal) and not condition.negated:
                for term in condition.terms:
                    if term.kind is s.TermKind.VARIABLE:
                        places[term.text].add(condition)
                atom = condition.atom
                if isinstance(atom, s.RelationAtom) and self.book.is_literal(atom.relation.text):
                    values.add(atom.arguments[1].text)
        return {name for name, used in places.items() if len(used) > 1 and name in values}

    def _closed(self, known: set[Atom]) -> set[Atom]:
        """The atoms and denials with what declarations of the rule file make of them."""
        todo, found = list(known), set()
        while todo:
            atom = todo.pop()
            if atom in found:
                continue
            found.add(atom)
            if atom[0] == "is":
                todo += [("is", atom[1], "e" + parent.text) for cls in self.book.classes.values()
                         for parent in cls.supers if atom[2] == "e" + cls.name.text]  # fmt: skip
            elif atom[0] == "for":
                todo += self._beside(atom)
                relation = self.book.relations[atom[1]]
                ends = (relation.domain, atom[2]), (relation.range, atom[3])
                todo += [
                    ("is", key, "e" + c.text) for c, key in ends if c.text in self.book.classes
                ]
            elif atom[0] == "against":
                own = ("for", *atom[1:])
                equal = [other for other in self._beyond(own) if own in self._beyond(other)]
                todo += [("against", *other[1:]) for other in equal]
        return found

    def _beyond(self, atom: Atom) -> set[Atom]:
        todo, found = [atom], set()
        while todo:
            if (one := todo.pop()) not in found:
                found.add(one)
                todo += self._beside(one)
        return found

    def _put(self, head: Atom, name: str) -> set[tuple[bool, tuple[str, ...]]]:
        """The terms of a head in the words of this name, and whether they are exchanged for it."""
        if head[0] == "is":
            return {(False, (head[1],))}
        marked = self._beyond(("for", head[1], "0", "1"))
        orders = {atom[2] == "1" for atom in marked if atom[1] == name}
        return {(turned, head[:1:-1] if turned else head[2:]) for turned in orders}

    def leaves(self, verdict: Verdict) -> dict[int, tuple[str, tuple[int, ...]]]:
        """The name and the soft rules that speak for the atom of each open constraint, by its
        number."""
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
            found[constraint.index] = name, self.backers(atom)
        return found


def _named(rule: s.Rule) -> s.Rule:
    """The rule with a name for each `_`."""
    fresh = iter(range(100))

    def named(term: s.Term) -> s.Term:
        if term.kind is not s.TermKind.ANONYMOUS:
            return term
        return replace(term, kind=s.TermKind.VARIABLE, text=f"_{next(fresh)}")

    body = tuple(s.map_terms(c, named) for c in dict.fromkeys(rule.body))
    return replace(rule, body=body)  # type: ignore[arg-type]


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
