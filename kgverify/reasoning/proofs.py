"""Smallest proofs of evidence, searched for backwards through the specialised rules.

A batch is decided without proofs.  When one is asked for, the evidence is solved once more and
shown, and the smallest proof of each atom in question is a shortest hyperpath over the steps that
may lead to it (Knuth 1977).
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from kgverify.reasoning.datalog import Atom, Rule, Variable
from kgverify.reasoning.evidence import (
    ARITHMETIC,
    DERIVED,
    GUARDS,
    Allowed,
    Evidence,
    Forward,
    Ground,
    Joins,
    Step,
)

_FEW = 50  # ways to derive one atom that are tried before all are


@dataclass(frozen=True)
class Derivation:
    """A rule's application with the proofs of what it rests on; a stored fact has no step.

    A chain through a transitive relation is one step, with all its links for children."""

    atom: Ground
    step: Step | None
    children: tuple[Derivation, ...] = ()
    size: int = 1

    def parts(self) -> Iterator[Derivation]:
        """The proof and all proofs in it, what a proof rests on before itself, left to right."""
        found, todo = [], [self]
        while todo:
            part = todo.pop()
            found.append(part)
            todo += part.children
        return reversed(found)


class Prover:
    """Finds smallest proofs of evidence atoms.

    `evidence` holds the facts and what follows from them; for `context` and `allowed` see
    `Joins`."""

    def __init__(
        self,
        rules: Sequence[Rule],
        evidence: Evidence,
        context: Evidence | None = None,
        allowed: Allowed | None = None,
    ) -> None:
        self._evidence = evidence
        self._joins = Joins(rules, evidence, context, allowed)
        self._allowed = allowed
        self._rules: dict[str, list[Rule]] = defaultdict(list)
        self._chains: dict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            group = self._chains if _is_chain(rule) else self._rules
            group[rule.head.predicate].append(rule)
        self._proofs: dict[Ground, Derivation] = {}
        self._links: dict[Ground, tuple[Ground, ...]] = {}

    def prove(self, goal: Ground) -> Derivation | None:
        """The smallest proof of `goal`; None when the evidence does not hold it."""
        if goal not in self._evidence:
            return None
        if goal not in self._proofs and not self._search(goal, _FEW):
            self._search(goal, None)
        return self._proofs.get(goal)

    def _search(self, goal: Ground, limit: int | None) -> bool:
        steps: list[Step] = []
        seen, todo = {goal}, [goal]
        while todo:
            for step in self._ways(todo.pop(), limit):
                steps.append(step)
                for needed in step.body:
                    if needed not in seen:
                        seen.add(needed)
                        todo.append(needed)
        return self._shortest(goal, steps, seen)

    def _shortest(self, goal: Ground, steps: list[Step], atoms: set[Ground]) -> bool:
        """Knuth's generalisation of Dijkstra: settle atoms in the order of their proofs' sizes."""
        waiting: dict[int, set[Ground]] = {}
        users: dict[Ground, list[int]] = defaultdict(list)
        queue: list[tuple[int, str, Ground, int]] = []
        cost: dict[Ground, int] = {}
        for number, step in enumerate(steps):
            waiting[number] = set(step.body)
            for needed in waiting[number]:
                users[needed].append(number)
            if not waiting[number]:
                heapq.heappush(queue, (1, repr(step.head), step.head, number))
        for atom in atoms:
            if atom[0] not in DERIVED:
                heapq.heappush(queue, (1, repr(atom), atom, -1))
            elif atom in self._proofs:
                heapq.heappush(queue, (self._proofs[atom].size, repr(atom), atom, -2))
        while queue and goal not in cost:
            size, _, atom, number = heapq.heappop(queue)
            if atom in cost:
                continue
            cost[atom] = size
            if number == -1:
                self._proofs[atom] = Derivation(atom, None)
            elif number >= 0:
                self._proofs[atom] = self._proof(steps[number], size)
            for user in users[atom]:
                waiting[user].discard(atom)
                if not waiting[user]:
                    head = steps[user].head
                    total = 1 + sum(cost[b] for b in steps[user].body)
                    heapq.heappush(queue, (total, repr(head), head, user))
        return goal in cost

    def _proof(self, step: Step, size: int) -> Derivation:
        """The proof that ends in a step; links of one chain stand side by side."""
        children: list[Derivation] = []
        for atom in step.body:
            child = self._proofs[atom]
            same = child.step is not None and child.step.rule is step.rule
            children += child.children if same and _is_chain(step.rule) else (child,)
        return Derivation(step.head, step, tuple(children), size)

    def _ways(self, atom: Ground, limit: int | None) -> list[Step]:
        """The ways to derive an atom that are worth trying: all of them without a limit, but for
        chains.  A chain is read from its first link on, so no proof is lost.  A stored atom needs
        no other way, and what has a proof already needs none."""
        if atom in self._proofs or atom[0] not in DERIVED:
            return []
        plain = list(islice(self._plain(atom), limit))
        for step in plain:
            if len(step.body) == 1 and step.body[0][0] not in DERIVED and not step.extra:
                return [step]
        return [*plain, *self._chained(atom)]

    def _plain(self, head: Sequence[str | int | None]) -> Iterator[Step]:
        for rule in self._rules[str(head[0])]:
            yield from self._joins.towards(rule, head)

    def _chained(self, atom: Ground) -> Iterator[Step]:
        predicate, relation, subject, *rest = atom
        for rule in self._chains[str(predicate)]:
            if rule.head.arguments[0] != relation:
                continue
            for link in self._from((predicate, relation, subject)):
                onward = (predicate, relation, link[3], *rest)
                step = Step(rule, atom, (link, onward), ())
                leads = link != atom and onward in self._evidence
                if leads and (self._allowed is None or self._allowed(step)):
                    yield step

    def _from(self, start: Ground) -> tuple[Ground, ...]:
        """The links from a subject: what holds of it without a chain."""
        if start not in self._links:
            found = dict.fromkeys(step.head for step in self._plain((*start, None)))
            self._links[start] = tuple(found)
        return self._links[start]


def restricted(
    rules: Sequence[Rule], evidence: Evidence, facts: Sequence[Ground], allowed: Allowed
) -> Prover:
    """A search for proofs from some stored facts alone, by steps that are allowed alone."""
    given = [atom for name in (*GUARDS, *ARITHMETIC) for atom in evidence.matching(name, ())]
    found = Forward(rules).consequences(Evidence(()), [*given, *facts], evidence, allowed)
    return Prover(rules, found, evidence, allowed)


def _is_chain(rule: Rule) -> bool:
    """Does the rule say that its relation is transitive?"""
    body = [c for c in rule.body if not isinstance(c, Atom) or c.predicate not in GUARDS]
    if rule.head.predicate != "for" or len(body) != 2:
        return False
    one, other = body
    if not isinstance(one, Atom) or not isinstance(other, Atom):
        return False
    relation, start, end = rule.head.arguments
    if one.arguments[-1] == end:
        one, other = other, one
    if one.predicate != "for" or other.predicate != "for" or isinstance(relation, Variable):
        return False
    middle = one.arguments[2]
    terms = {start, end, middle}
    return (
        one.arguments == (relation, start, middle)
        and other.arguments == (relation, middle, end)
        and len(terms) == 3
        and all(isinstance(t, Variable) for t in terms)
    )
