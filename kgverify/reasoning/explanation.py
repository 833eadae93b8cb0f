"""Why a constraint has its status: proofs over the gathered evidence, found on demand.

A batch is decided without proofs.  When one is asked for, the batch is solved once more with its
evidence shown, and the smallest proof of each atom in question is searched for backwards through
the specialised rules (a shortest hyperpath, after Knuth 1977).
"""

from __future__ import annotations

import heapq
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from kgverify.errors import article
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.datalog import (
    Aggregate,
    Argument,
    Atom,
    Compare,
    Condition,
    Rule,
    Variable,
)
from kgverify.reasoning.knowledge import TYPE, Knowledge
from kgverify.reasoning.views import COMPARISONS, View
from kgverify.vocabulary import Node

Ground = tuple[str | int, ...]  # (predicate, argument, …)
SHOWN = {
    **{"for": 3, "against": 3, "is_a": 2, "isnt_a": 2},
    **{"triple": 3, "denied": 3, "member": 2, "denied_member": 2, "subclass": 2},
    **{"vague": 1, "overlap": 2, "meets": 3, "fails": 3, "size": 2, "counted": 3, "listed": 2},
    **{"open": 3, "unlisted": 2, "undecided": 3, "doubled": 3},
}
SHOW = "".join(f"#show {predicate}/{arity}." for predicate, arity in SHOWN.items())
EVIDENCE = ("for", "against", "is_a", "isnt_a", "counted", "listed")
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    **{"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le},
    **{">": operator.gt, ">=": operator.ge},
}
_FEW = 50  # ways to derive one atom that are tried before all are
ARITHMETIC = ("meets", "fails", "size")  # true of the values themselves
OPERATORS = {short: sign for sign, short in COMPARISONS.items()}
_GUARDS = ("want", "want_a", "seek", "listing")


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rule: `body` are the ground atoms that it rests on; atoms that it needs
    to be absent, and terms it needs to differ, are `extra`."""

    rule: Rule
    head: Ground
    body: tuple[Ground, ...]
    extra: tuple[tuple[str, Ground], ...]


@dataclass(frozen=True)
class Proof:
    """A rule's application with the proofs of what it rests on; a stored fact has no step."""

    atom: Ground
    step: Step | None
    children: tuple[Proof, ...] = ()
    size: int = 1

    def facts(self) -> Iterator[Ground]:
        """The stored facts at the leaves."""
        if self.step is None:
            yield self.atom
        for child in self.children:
            yield from child.facts()


class Evidence:
    """The facts of a slice and all that follows from them, indexed for look-ups by any argument."""

    def __init__(self, shown: Iterable[str]) -> None:
        self.atoms: set[Ground] = set()
        self._index: dict[tuple[str | int, int, str | int], list[Ground]] = defaultdict(list)
        self._all: dict[str | int, list[Ground]] = defaultdict(list)
        for text in shown:
            atom = _ground(text)
            self.atoms.add(atom)
            self._all[atom[0]].append(atom)
            for place, value in enumerate(atom):
                if place:
                    self._index[atom[0], place, value].append(atom)

    def matching(self, predicate: str, pattern: Sequence[str | int | None]) -> Sequence[Ground]:
        """The atoms that may match; None stands for an unknown argument."""
        best: Sequence[Ground] = self._all.get(predicate, ())
        for place, value in enumerate(pattern, 1):
            if value is not None:
                found = self._index.get((predicate, place, value), ())
                if len(found) < len(best):
                    best = found
        return best


def _ground(text: str) -> Ground:
    predicate, _, rest = text[:-1].partition("(")
    return (
        predicate,
        *(
            part.strip('"') if not part.lstrip("-").isdigit() else int(part)
            for part in rest.split(",")
        ),
    )


class Prover:
    """Finds smallest proofs of evidence atoms."""

    def __init__(self, rules: Sequence[Rule], evidence: Evidence) -> None:
        self.evidence = evidence
        self._rules: dict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            self._rules[rule.head.predicate].append(rule)
        self._proofs: dict[Ground, Proof] = {}
        self._links: dict[Ground, bool] = {}

    def prove(self, goal: Ground) -> Proof | None:
        """The smallest proof of `goal`; None when the evidence does not hold it."""
        if goal not in self.evidence.atoms:
            return None
        if goal not in self._proofs and not self._search(goal, _FEW):
            self._search(goal, None)
        return self._proofs.get(goal)

    def _search(self, goal: Ground, limit: int | None) -> bool:
        steps: list[Step] = []
        seen, todo = {goal}, [goal]
        while todo:
            atom = todo.pop()
            if atom in self._proofs or atom[0] not in EVIDENCE:
                continue
            for step in self._ways(atom, limit):
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
            if atom[0] not in EVIDENCE:
                heapq.heappush(queue, (1, repr(atom), atom, -1))
            elif atom in self._proofs:
                heapq.heappush(queue, (self._proofs[atom].size, repr(atom), atom, -2))
        while queue and goal not in cost:
            size, _, atom, number = heapq.heappop(queue)
            if atom in cost:
                continue
            cost[atom] = size
            if number == -1:
                self._proofs[atom] = Proof(atom, None)
            elif number >= 0:
                step = steps[number]
                self._proofs[atom] = Proof(
                    atom, step, tuple(self._proofs[b] for b in step.body), size
                )
            for user in users[atom]:
                waiting[user].discard(atom)
                if not waiting[user]:
                    head = steps[user].head
                    total = 1 + sum(cost[b] for b in steps[user].body)
                    heapq.heappush(queue, (total, repr(head), head, user))
        return goal in cost

    def _ways(self, atom: Ground, limit: int | None) -> list[Step]:
        """The ways to derive an atom that are worth trying: all of them without a limit.

        With one, a stored atom needs no other way, and a rule that joins its own relation
        (transitivity) begins with a link that needs no such rule: every chain can be read from its
        first link on, so this loses only proofs that go round about."""
        if limit is None:
            return list(self._steps(atom))
        plain = list(islice(self._plain_steps(atom), limit))
        if any(len(step.body) == 1 and step.body[0][0] not in EVIDENCE for step in plain):
            return [s for s in plain if len(s.body) == 1 and s.body[0][0] not in EVIDENCE][:1]
        joined = (
            step
            for rule in self._rules[str(atom[0])]
            if _joins_itself(rule)
            for step in self._apply(rule, atom)
        )
        linked = (step for step in joined if step.body and self._is_link(step.body[0]))
        return plain + list(islice(linked, limit))

    def _is_link(self, atom: Ground) -> bool:
        """Can an atom be derived without a rule that joins its own relation?"""
        if atom not in self._links:
            self._links[atom] = next(self._plain_steps(atom), None) is not None
        return self._links[atom]

    def _plain_steps(self, atom: Ground) -> Iterator[Step]:
        for rule in self._rules[str(atom[0])]:
            if not _joins_itself(rule):
                yield from self._apply(rule, atom)

    def _steps(self, atom: Ground) -> Iterator[Step]:
        """Every way in which some rule derives the atom."""
        for rule in self._rules[str(atom[0])]:
            yield from self._apply(rule, atom)

    def _apply(self, rule: Rule, atom: Ground) -> Iterator[Step]:
        """Every way in which one rule derives the atom."""
        values: dict[Variable, str | int] | None = _unify(rule.head, atom, {})
        if values is not None:
            yield from self._join(rule, atom, list(rule.body), values, ())

    def _join(
        self,
        rule: Rule,
        head: Ground,
        todo: list[Condition],
        values: dict[Variable, str | int],
        body: tuple[tuple[Condition, Ground], ...],
    ) -> Iterator[Step]:
        positive = [
            c for c in todo if isinstance(c, Atom) and not c.absent and c.predicate not in _GUARDS
        ]
        if not positive:
            counts = [c for c in todo if isinstance(c, Aggregate)]
            for count in counts:
                cited = self._counted(count, values)
                if cited is None:
                    return
                body = (*body, *((count, atom) for atom in cited))
            extra = self._extra([c for c in todo if c not in counts], values)
            if extra is not None:
                # In the author's order, whatever order the join found cheapest.
                ordered = sorted(body, key=lambda pair: rule.body.index(pair[0]))
                yield Step(rule, head, tuple(dict.fromkeys(atom for _, atom in ordered)), extra)
            return
        for equality in (c for c in todo if isinstance(c, Compare) and c.operator == "="):
            values = _equal(equality, values)
        candidates = [
            self.evidence.matching(a.predicate, [_value(t, values) for t in a.arguments])
            for a in positive
        ]
        place = min(range(len(positive)), key=lambda n: len(candidates[n]))
        best = positive[place]
        rest = [c for c in todo if c is not best]
        for found in candidates[place]:
            extended = _unify(best, found, values)
            if extended is not None:
                yield from self._join(rule, head, rest, extended, (*body, (best, found)))

    def _counted(self, count: Aggregate, values: dict[Variable, str | int]) -> list[Ground] | None:
        """The atoms that a count rests on: as many as it takes to reach a bound from below, all of
        them where there must not be more; None when the count does not hold."""
        atom = count.atom
        pattern = [_value(term, values) for term in atom.arguments]
        found = sorted(
            ground
            for ground in self.evidence.matching(atom.predicate, pattern)
            if _unify(atom, ground, values) is not None
        )
        bound = int(_known(count.bound, values))
        if not _ORDER[count.operator](bound, len(found)):
            return None
        least = {"<=": bound, "<": bound + 1}.get(count.operator, len(found))
        return found[: max(0, least)]

    def _extra(
        self, conditions: list[Condition], values: dict[Variable, str | int]
    ) -> tuple[tuple[str, Ground], ...] | None:
        """What the step needs besides evidence; None when it doesn't hold."""
        found: list[tuple[str, Ground]] = []
        for condition in conditions:
            if isinstance(condition, Compare):
                values = _equal(condition, values) if condition.operator == "=" else values
                left, right = _known(condition.left, values), _known(condition.right, values)
                if not _ORDER[condition.operator](left, right):
                    return None
                if condition.operator == "!=":
                    found.append(("identity", ("different", left, right)))
            elif isinstance(condition, Atom) and condition.absent:
                atom = (condition.predicate, *(_known(t, values) for t in condition.arguments))
                if atom in self.evidence.atoms:
                    return None
                if condition.predicate == "maybe" and self._maybe(atom):
                    return None
                if condition.predicate == "for":
                    found.append(("absence", atom))
        return tuple(found)

    def _maybe(self, atom: Ground) -> bool:
        """May an object that the graph lists for the subject be the one in question?"""
        _, relation, subject, object_ = atom
        listed = [
            a[3]
            for a in self.evidence.matching("for", (relation, subject, None))
            if a[1] == relation and a[2] == subject
        ]
        return any(
            ("vague", other) in self.evidence.atoms
            or ("vague", object_) in self.evidence.atoms
            or ("overlap", object_, other) in self.evidence.atoms
            for other in listed
        )


def _joins_itself(rule: Rule) -> bool:
    """Does the rule join the relation of its head with itself?"""
    same = [a for a in rule.body if isinstance(a, Atom) and a.predicate == rule.head.predicate]
    place = 0 if rule.head.predicate in ("for", "against") else 1
    return sum(a.arguments[place] == rule.head.arguments[place] for a in same) > 1


def _value(term: Argument, values: dict[Variable, str | int]) -> str | int | None:
    return values.get(term) if isinstance(term, Variable) else term


def _known(term: Argument, values: dict[Variable, str | int]) -> str | int:
    """The value of a term that is bound by now."""
    return values[term] if isinstance(term, Variable) else term


def _unify(
    pattern: Atom, atom: Ground, values: dict[Variable, str | int]
) -> dict[Variable, str | int] | None:
    if pattern.predicate != atom[0]:
        return None
    extended = dict(values)
    for want, have in zip(pattern.arguments, atom[1:], strict=True):
        if isinstance(want, Variable):
            if extended.setdefault(want, have) != have:
                return None
        elif want != have:
            return None
    return extended


def _equal(equality: Compare, values: dict[Variable, str | int]) -> dict[Variable, str | int]:
    left, right = _value(equality.left, values), _value(equality.right, values)
    extended = dict(values)
    if left is None and right is not None and isinstance(equality.left, Variable):
        extended[equality.left] = right
    if right is None and left is not None and isinstance(equality.right, Variable):
        extended[equality.right] = left
    return extended


# ---------------------------------------------------------------- in words


class Narrator:
    """Says atoms and proofs in the rule file's own words; `views` are the relations that the
    questions make."""

    def __init__(self, knowledge: Knowledge, views: Mapping[str, View] | None = None) -> None:
        self._knowledge = knowledge
        self._views = views or {}

    @property
    def _book(self) -> RuleBook:
        return self._knowledge.book

    def label(self, value: str | int) -> str:
        return self._knowledge.label(value) if isinstance(value, int) else value

    def formal(self, atom: Ground) -> str:
        """The atom as the rule language writes it, with labels."""
        predicate, *rest = atom
        names = [self.label(value) for value in rest]
        match predicate:
            case "for" | "triple" | "counted":
                return self._atom(*names)
            case "against" | "denied":
                return f"not {self._atom(*names)}"
            case "listed":
                return f"all objects of {names[1]} by `{names[0]}` are listed"
            case "meets" | "fails":
                negation = "" if predicate == "meets" else "not "
                return f"{negation}{names[1]} {OPERATORS[names[0]]} {names[2]}"
            case "size":
                return f"{names[0]} is a number"
            case "is_a" | "member":
                return f"{names[0]} : {names[1]}"
            case "isnt_a" | "denied_member":
                return f"not {names[0]} : {names[1]}"
            case "subclass":
                return f"every {names[0]} is {article(names[1])}"
            case "same":
                return f"{names[0]} and {names[1]} are the same"
            case _:
                return f"{names[0]} and {names[1]} are different"

    def _atom(self, relation: str, subject: str, object_: str) -> str:
        view = self._views.get(relation)
        text = view.text if view else f"{relation}({{0}}, {{1}})"
        return fill(text, {"0": subject, "1": object_})

    def sentence(self, atom: Ground) -> str:
        """The atom in the sentence that the rule file gives its relation."""
        predicate, *rest = atom
        match predicate:
            case "for" | "triple" | "counted":
                return self._relation(rest)
            case "against" | "denied":
                return f"it is false that {self._relation(rest)}"
            case "is_a" | "member":
                return self._member(rest[0], rest[1])
            case "isnt_a" | "denied_member":
                return f"it is false that {self._member(rest[0], rest[1])}"
            case _:
                return self.formal(atom)

    def _relation(self, rest: Sequence[str | int]) -> str:
        name, subject, object_ = rest
        declared = self._book.relations.get(str(name))
        one, other = self.label(subject), self.label(object_)
        if declared is None or not declared.sentence:
            return self._atom(str(name), one, other)
        return fill(declared.sentence, {"0": one, "1": other})

    def _member(self, entity: str | int, cls: str | int) -> str:
        declared = self._book.classes.get(str(cls))
        if declared is not None and "{0}" in declared.sentence:
            return fill(declared.sentence, {"0": self.label(entity)})
        return f"{self.label(entity)} is {article(self.label(cls))}"

    def source(self, atom: Ground) -> str:
        """Where a stored fact is stated, "" for what needs no fact."""
        predicate, *rest = atom
        if predicate in ARITHMETIC:
            return ""
        knowledge = self._knowledge
        layer = knowledge.denied if str(predicate).startswith("denied") else knowledge.facts
        if predicate in ("triple", "denied"):
            return layer.source(str(rest[0]), int(rest[1]), int(rest[2]))
        ids = [knowledge.class_ids[v] if isinstance(v, str) else v for v in rest]
        return layer.source("rdfs:subClassOf" if predicate == "subclass" else TYPE, ids[0], ids[1])

    def tell(self, proof: Proof) -> Node:
        """The proof as nodes in words; steps that only read a stored fact are left out."""
        if proof.step is None:
            kind = "denial" if str(proof.atom[0]).startswith("denied") else "fact"
            if proof.atom[0] in ARITHMETIC:
                return Node(self.formal(proof.atom), "value")
            return Node(self.sentence(proof.atom), kind, "", self.source(proof.atom))
        origin = proof.step.rule.origin
        only = proof.children[0] if len(proof.children) == 1 else None
        if (
            only is not None
            and only.step is None
            and not origin.text
            and only.atom[0] != "subclass"
        ):
            return self.tell(only)
        children = [self.tell(child) for child in proof.children]
        for kind, atom in proof.step.extra:
            if kind == "absence":
                text = f"the graph does not list that {self.sentence(atom)}"
                children.append(Node(text, "absence", origin.text, str(origin.span or "")))
            else:
                children.append(Node(self.formal(atom), "identity"))
        kind = "rule" if origin.kind == "rule" else "schema"
        why = origin.text or "the class hierarchy"
        return Node(self.sentence(proof.atom), kind, why, str(origin.span or ""), tuple(children))

    def because(self, proof: Proof) -> list[str]:
        """The facts, absences and rules that a proof cites, each once, with their places."""
        cited: dict[str, None] = {}
        rules: dict[str, None] = {}

        def visit(part: Proof) -> None:
            if part.step is None and part.atom[0] in ARITHMETIC:
                return
            if part.step is None:
                cited.setdefault(_at(self.formal(part.atom), self.source(part.atom)))
                return
            for child in part.children:
                visit(child)
            origin = part.step.rule.origin
            for kind, atom in part.step.extra:
                if kind == "absence":
                    cited.setdefault(f"{self.formal(atom)} is not listed")
            if origin.text:
                rules.setdefault(_at(origin.text, str(origin.span or "")))

        visit(proof)
        return [*cited, *rules]


def fill(sentence: str, values: Mapping[str, str]) -> str:
    """The sentence with its placeholders filled; a value that looks like one stays as it is."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), sentence)


def _at(text: str, place: str) -> str:
    return f"{text} [{place}]" if place else text
