"""Evidence as ground atoms, and the rules applied to it: backwards from an atom, forwards from a
fact that is supposed."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import Any

from kgverify.reasoning.datalog import (
    Aggregate,
    Argument,
    Atom,
    Compare,
    Condition,
    Rule,
    Variable,
)

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    **{"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le},
    **{">": operator.gt, ">=": operator.ge},
}
Ground = tuple[str | int, ...]  # (predicate, argument, …)
Values = dict[Variable, str | int]
SHOWN = {
    **{"for": 3, "against": 3, "is_a": 2, "isnt_a": 2, "want": 3, "want_a": 2},
    **{"triple": 3, "denied": 3, "member": 2, "denied_member": 2, "subclass": 2},
    **{"vague": 1, "overlap": 2, "maybe": 3, "meets": 3, "fails": 3, "size": 2, "counted": 3},
    **{"listed": 2, "listing": 2, "open": 3, "unlisted": 2, "undecided": 3, "doubled": 3},
    **{"narrower": 2, "imprecise": 1, "shadowed": 2, "maybe_a": 2, "clouded": 3},
    **{"period": 4, "during": 4, "throughout": 2, "meet": 2, "unlimited": 1},
}
SHOW = "".join(f"#show {predicate}/{arity}." for predicate, arity in SHOWN.items())
DERIVED = ("for", "against", "is_a", "isnt_a", "counted", "listed", "during")
# True of the values and times themselves.
ARITHMETIC = ("meets", "fails", "size", "throughout", "meet", "unlimited")
GUARDS = ("want", "want_a", "listing")
# `not open(…)` says that all the ways on are closed: each has to be proved to be.
UNIVERSAL = ("open", "unlisted", "undecided")
_COMPOSED = (("mirror",), ("sequence",), ("alternative",), ("closure",))
_CHOICES = 20  # ways to reach a count that are tried
OPPOSITE = {"for": "against", "against": "for", "is_a": "isnt_a", "isnt_a": "is_a"}
STORED = {"for": "triple", "against": "denied", "is_a": "member", "isnt_a": "denied_member"}


def opposite(atom: Ground) -> Ground:
    """The atom that says the contrary of an evidence atom."""
    return (OPPOSITE[str(atom[0])], *atom[1:])


def stored(atom: Ground) -> Ground:
    """The fact, or denied fact, that states an evidence atom outright."""
    return (STORED[str(atom[0])], *atom[1:])


def wanted(atom: Atom) -> Atom:
    """The atom that says that evidence about another one is asked for."""
    name = "want_a" if atom.predicate in ("is_a", "isnt_a") else "want"
    return Atom(name, atom.arguments)


class Evidence:
    """Ground atoms, indexed for look-ups by any argument; `below` is what they are added to."""

    def __init__(self, atoms: Iterable[Ground], below: Evidence | None = None) -> None:
        self._below = below
        self._atoms: set[Ground] = set()
        self._index: dict[tuple[str | int, int, str | int], list[Ground]] = defaultdict(list)
        self._all: dict[str | int, list[Ground]] = defaultdict(list)
        for atom in atoms:
            self.add(atom)

    def add(self, atom: Ground) -> None:
        """Add an atom that is not there yet."""
        self._atoms.add(atom)
        self._all[atom[0]].append(atom)
        for place, value in enumerate(atom):
            if place:
                self._index[atom[0], place, value].append(atom)

    def __contains__(self, atom: Ground) -> bool:
        return atom in self._atoms or (self._below is not None and atom in self._below)

    def __iter__(self) -> Iterator[Ground]:
        """The atoms that were added to what is below."""
        return iter(self._atoms)

    def matching(self, predicate: str, pattern: Sequence[str | int | None]) -> Sequence[Ground]:
        """The atoms that may match; None stands for an unknown argument."""
        best: Sequence[Ground] = self._all.get(predicate, ())
        for place, value in enumerate(pattern, 1):
            if value is not None:
                found = self._index.get((predicate, place, value), ())
                if len(found) < len(best):
                    best = found
        if self._below is None:
            return best
        return [*self._below.matching(predicate, pattern), *best]


def read(shown: Iterable[str]) -> Iterator[Ground]:
    """The atoms that the solver showed."""
    for text in shown:
        predicate, _, rest = text[:-1].partition("(")
        yield predicate, *map(_constant, rest.split(","))


def _constant(text: str) -> str | int:
    return int(text) if text.lstrip("-").isdigit() else text.strip('"')


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rule: `body` are the ground atoms that it rests on, in the rule's order;
    `extra` what else it needs: an atom to be absent, ("absence", atom); terms to be provably
    different, ("identity", ("different", …)); no other objects of a subject to be listed by a
    relation than these, ("listing", ("for", relation, subject, …))."""

    rule: Rule
    head: Ground
    body: tuple[Ground, ...]
    extra: tuple[tuple[str, Ground], ...]


Extras = tuple[tuple[str, Ground], ...]
Allowed = Callable[[Step], bool]
Used = tuple[tuple[int, Ground], ...]  # atoms by their place in a rule's body


class Joins:
    """Applies rules to evidence.  Conditions on absence are looked up in `context`, which is all
    that is known; `evidence` may be a part of it.  Steps that are not `allowed` are left out.

    `rules` are those that the conditions on absence are about."""

    def __init__(
        self,
        rules: Iterable[Rule],
        evidence: Evidence,
        context: Evidence | None = None,
        allowed: Allowed | None = None,
    ) -> None:
        self.evidence, self._context, self._allowed = evidence, context or evidence, allowed
        self._all = self if self._context is evidence else Joins(rules, self._context)
        self._paths: dict[str, tuple[str, ...]] = {}
        self._universal: dict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            if rule.head.predicate in UNIVERSAL:
                self._universal[rule.head.predicate].append(rule)
            if rule.origin.statement[:1] in _COMPOSED:
                kind, path, *parts = map(str, rule.origin.statement)
                self._paths[path] = (kind, *parts)

    def towards(self, rule: Rule, head: Sequence[str | int | None]) -> Iterator[Step]:
        """Every way in which a rule derives a head of this form; None stands for any argument.

        What is wanted is not asked for: the solver asked already."""
        values = _fit(rule.head, head, {})
        if values is not None:
            todo = [c for c in rule.body if not isinstance(c, Atom) or c.predicate not in GUARDS]
            yield from self._steps(rule, todo, values, ())

    def lacking(
        self, rule: Rule, head: Ground, without: Sequence[int]
    ) -> Iterator[tuple[Ground, ...]]:
        """What the conditions at these places of the body ask for, in every way in which the rest
        of the body holds and the rule would derive the head.  The rest and the head must bind all
        variables."""
        values = _fit(rule.head, head, {})
        if values is None:
            return
        lacks = [c for n, c in enumerate(rule.body) if n in without and isinstance(c, Atom)]
        todo = [
            c
            for n, c in enumerate(rule.body)
            if n not in without and not (isinstance(c, Atom) and c.predicate in GUARDS)
        ]
        for found, _, _ in self._join(rule, todo, values, ()):
            yield tuple(ground(condition, found) for condition in lacks)

    def onward(self, rule: Rule, place: int, atom: Ground) -> Iterator[Step]:
        """Every way to apply a rule with this atom for the condition at a place of its body, or
        with this atom counted there."""
        condition = rule.body[place]
        if isinstance(condition, Aggregate):
            counted = _fit(condition.atom, atom, {})
            if counted is not None:
                del counted[condition.counted]
                yield from self._steps(rule, rule.body, counted, ())
            return
        assert isinstance(condition, Atom)
        values = _fit(condition, atom, {})
        if values is not None:
            todo = [c for n, c in enumerate(rule.body) if n != place]
            yield from self._steps(rule, todo, values, ((place, atom),))

    def _steps(
        self, rule: Rule, todo: Sequence[Condition], values: Values, body: Used
    ) -> Iterator[Step]:
        for found, used, extra in self._join(rule, todo, values, body):
            ordered = tuple(dict.fromkeys(atom for _, atom in sorted(used)))
            step = Step(rule, ground(rule.head, found), ordered, extra)
            if self._allowed is None or self._allowed(step):
                yield step

    def _join(
        self, rule: Rule, todo: Sequence[Condition], values: Values, body: Used
    ) -> Iterator[tuple[Values, Used, tuple[tuple[str, Ground], ...]]]:
        """Every way to meet the conditions: values, the atoms used by place, and the rest."""
        for equality in (c for c in todo if isinstance(c, Compare) and c.operator == "="):
            values = _equal(equality, values)
        positive = [c for c in todo if isinstance(c, Atom) and not c.absent]
        if not positive:
            for more, extra in self._rest(todo, values):
                yield values, (*body, *((len(rule.body), atom) for atom in more)), extra
            return
        best: Atom | None = None
        candidates: Sequence[Ground] = ()
        for condition in positive:
            pattern = [_value(t, values) for t in condition.arguments]
            found = self.evidence.matching(condition.predicate, pattern)
            if best is None or len(found) < len(candidates):
                best, candidates = condition, found
        assert best is not None
        rest = [c for c in todo if c is not best]
        place = next(n for n, c in enumerate(rule.body) if c is best)
        for atom in candidates:
            extended = _fit(best, atom, values)
            if extended is not None:
                yield from self._join(rule, rest, extended, (*body, (place, atom)))

    def _rest(
        self, conditions: Sequence[Condition], values: Values
    ) -> Iterator[tuple[list[Ground], Extras]]:
        """Every way to meet what a step needs besides the atoms that are joined: more evidence, for
        counts and for what must hold of everything; absences, differences and listings."""
        body: list[Ground] = []
        extra: dict[tuple[str, Ground], None] = {}
        choices: list[Iterable[tuple[list[Ground], Extras]]] = []
        for condition in conditions:
            if isinstance(condition, Aggregate):
                choices.append(self._counted(condition, values))
            elif isinstance(condition, Compare):
                left, right = (known(t, values) for t in (condition.left, condition.right))
                if not _ORDER[condition.operator](left, right):
                    return
                if condition.operator == "!=":
                    extra["identity", ("different", left, right)] = None
            else:
                atom = ground(condition, values)
                if atom in self._context:
                    return
                if condition.predicate == "for":
                    extra["absence", atom] = None
                needed, listings = self._closed(atom)
                body += needed
                extra |= dict.fromkeys(("listing", listing) for listing in listings)
        for chosen in product(*choices):
            more = [atom for atoms, _ in chosen for atom in atoms]
            yield (
                [*body, *more],
                tuple({**extra, **dict.fromkeys(e for _, es in chosen for e in es)}),
            )

    def _counted(self, count: Aggregate, values: Values) -> Iterator[tuple[list[Ground], Extras]]:
        """What a count rests on.  To reach a bound from below it takes as many atoms, whose terms
        differ: some of the choices.  To stay below one, nothing else must be listed."""
        bound = int(known(count.bound, values))
        pattern = [_value(term, values) for term in count.atom.arguments]
        reaches = count.operator in ("<=", "<")
        found = sorted(
            atom
            for atom in (self.evidence if reaches else self._context).matching(
                count.atom.predicate, pattern
            )
            if _fit(count.atom, atom, values) is not None
        )
        if not _ORDER[count.operator](bound, len(found)):
            return
        if not reaches:
            listings = self._listings(*_start(count.atom, values))
            yield [], tuple(("listing", listing) for listing in listings)
            return
        place = count.atom.arguments.index(count.counted) + 1
        for chosen in islice(
            combinations(found, max(0, bound + (count.operator == "<"))), _CHOICES
        ):
            terms = tuple(atom[place] for atom in chosen)
            differ = (("identity", ("different", *terms)),) if len(terms) > 1 else ()
            yield list(chosen), differ

    def _closed(self, absent: Ground) -> tuple[list[Ground], list[Ground]]:
        """What has to hold so that an atom is absent: for each way to meet the rest of a rule that
        would derive it, what the rule needs not to hold; and what has to be all that is listed."""
        needed: list[Ground] = []
        listings: dict[Ground, None] = {}
        for rule in self._universal.get(str(absent[0]), ()):
            values = _fit(rule.head, absent, {})
            if values is None:
                continue
            lacks = [c for c in rule.body if isinstance(c, Atom) and c.absent]
            rest = [c for c in rule.body if c not in lacks]
            rest = [c for c in rest if not (isinstance(c, Atom) and c.predicate in GUARDS)]
            for found, _, _ in self._all._join(rule, rest, values, ()):
                needed += [ground(condition, found) for condition in lacks]
            for condition in rest:
                if isinstance(condition, Atom) and condition.predicate == "for":
                    listings |= dict.fromkeys(self._listings(*_start(condition, values)))
        return needed, list(listings)

    def _listings(self, path: str | int, subject: str | int) -> Iterator[Ground]:
        """All that is listed of a subject by a relation; by a path, what is listed at each step."""
        kind, *parts = self._paths.get(str(path), ("",))
        match kind:
            case "sequence":
                yield from self._listings(parts[0], subject)
                for node in self._objects(parts[0], subject):
                    yield from self._listings(parts[1], node)
            case "alternative":
                for part in parts:
                    yield from self._listings(part, subject)
            case "closure":
                for node in dict.fromkeys((subject, *self._objects(path, subject))):
                    yield from self._listings(parts[0], node)
            case _:
                yield ("for", path, subject, *self._objects(path, subject))

    def _objects(self, path: str | int, subject: str | int) -> list[str | int]:
        found = self._context.matching("for", (path, subject, None))
        return sorted({atom[3] for atom in found if atom[1:3] == (path, subject)}, key=str)


def bindings(step: Step) -> Values:
    """What the variables of a rule stand for in a step, from the atoms that it rests on."""
    values = _fit(step.rule.head, step.head, {})
    assert values is not None
    own = [c for c in step.rule.body if not isinstance(c, Atom) or c.predicate not in GUARDS]
    found = Joins((), Evidence(step.body))._join(step.rule, own, values, ())
    return next(found)[0]


def _start(atom: Atom, values: Mapping[Variable, str | int]) -> tuple[str | int, str | int]:
    """The relation and the subject of an atom whose object is open."""
    relation, subject, _ = atom.arguments
    return known(relation, values), known(subject, values)


def ground(atom: Atom, values: Mapping[Variable, str | int]) -> Ground:
    """The atom with the values of its variables."""
    return (atom.predicate, *(known(t, values) for t in atom.arguments))


def known(term: Argument, values: Mapping[Variable, str | int]) -> str | int:
    """The value of a term that is bound by now."""
    return values[term] if isinstance(term, Variable) else term


def _value(term: Argument, values: Values) -> str | int | None:
    return values.get(term) if isinstance(term, Variable) else term


def _fit(pattern: Atom, atom: Sequence[str | int | None], values: Values) -> Values | None:
    """The values that make the pattern the atom; what is None in the atom stays open."""
    if pattern.predicate != atom[0]:
        return None
    extended = dict(values)
    for want, have in zip(pattern.arguments, atom[1:], strict=True):
        if have is None:
            continue
        if isinstance(want, Variable):
            if extended.setdefault(want, have) != have:
                return None
        elif want != have:
            return None
    return extended


def _equal(equality: Compare, values: Values) -> Values:
    """The values with one side of `=` passed to the other, where that is open."""
    left, right = _value(equality.left, values), _value(equality.right, values)
    if left is None and right is not None and isinstance(equality.left, Variable):
        return {**values, equality.left: right}
    if right is None and left is not None and isinstance(equality.right, Variable):
        return {**values, equality.right: left}
    return values


class Forward:
    """What follows when facts are added to evidence."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._all = rules
        self._rules: dict[tuple[str, object], list[tuple[Rule, int]]] = defaultdict(list)
        for rule in rules:
            for place, condition in enumerate(rule.body):
                if isinstance(condition, Atom) and not condition.absent:
                    self._rules[_trigger(condition)].append((rule, place))
                elif isinstance(condition, Aggregate):
                    self._rules[_trigger(condition.atom)].append((rule, place))

    def consequences(
        self,
        evidence: Evidence,
        new: Iterable[Ground],
        context: Evidence | None = None,
        allowed: Allowed | None = None,
    ) -> Evidence:
        """The new atoms and all that follows from them together with the evidence, as an addition
        to it; for `context` and `allowed` see `Joins`.  Steps that rest on an absence come last,
        when more can't be derived without."""
        added = Evidence((), evidence)
        joins = Joins(self._all, added, context, allowed)
        todo = [atom for atom in dict.fromkeys(new) if atom not in evidence]
        late: list[Step] = []
        while todo or late:
            while todo:
                atom = todo.pop()
                if atom in added:
                    continue
                added.add(atom)
                for rule, place in self._triggered(atom):
                    for step in joins.onward(rule, place, atom):
                        if any(kind == "absence" for kind, _ in step.extra):
                            late.append(step)
                        else:
                            todo.append(step.head)
            while late and not todo:
                step = late.pop()
                if not any(a in added or ("maybe", *a[1:]) in added for _, a in step.extra):
                    todo.append(step.head)
        return added

    def _triggered(self, atom: Ground) -> Iterator[tuple[Rule, int]]:
        yield from self._rules.get((str(atom[0]), None), ())
        for value in atom[1:]:
            yield from self._rules.get((str(atom[0]), value), ())


def _trigger(condition: Atom) -> tuple[str, object]:
    """The predicate and the relation or class of a condition; None where it is open."""
    place = 0 if condition.predicate not in ("is_a", "isnt_a", "member", "want_a") else 1
    name = condition.arguments[place]
    return condition.predicate, None if isinstance(name, Variable) else name
