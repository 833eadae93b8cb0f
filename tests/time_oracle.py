"""Validity in time in plain Python: periods by their ends, one comparison at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, Protocol

from kgverify.graph.terms import compatible, has_zone, time_interval, value_key
from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook

ZONES = 14 * 3600
Number = Fraction | float


class Stated(NamedTuple):
    """A fact as it is stated; `best`: no preferred fact outranks it."""

    subject: str
    object: str
    since: str
    until: str
    best: bool


class World(Protocol):
    book: RuleBook
    evidence: set[tuple[str, ...]]

    def vague(self, key: str) -> bool: ...
    def differ(self, one: str, other: str) -> bool: ...
    def name(self, key: str) -> str: ...


def ends(text: str, zoned: bool) -> tuple[Number, Number]:
    """From when to when a date may lie, where exact dates do or don't have a zone."""
    key = value_key(text, "date")
    found = time_interval(key)
    assert found is not None
    slack = 0 if has_zone(key) == zoned else ZONES
    return found[0] - slack, found[1] + slack


def sure(fact: Stated, zoned: bool) -> tuple[Number, Number]:
    start = ends(fact.since, zoned)[1] if fact.since else -math.inf
    return start, ends(fact.until, zoned)[0] if fact.until else math.inf


def possible(fact: Stated, zoned: bool) -> tuple[Number, Number]:
    start = ends(fact.since, zoned)[0] if fact.since else -math.inf
    return start, ends(fact.until, zoned)[1] if fact.until else math.inf


def holds(fact: Stated, time: str) -> tuple[bool, bool]:
    """Does a fact surely hold throughout a time?  Does it perhaps hold at some part of it?"""
    zoned = has_zone(value_key(time, "date"))
    low, high = ends(time, zoned)
    (start, end), (first, last) = sure(fact, zoned), possible(fact, zoned)
    if low == high:  # an instant
        return start <= low < end, first <= low < last
    return start <= low and high <= end, first < high and low < last


def exclude(one: Stated, other: Stated) -> bool:
    """Do the periods of two facts surely overlap?"""
    for zoned in (False, True):
        (a, b), (c, d) = sure(one, zoned), sure(other, zoned)
        if a < b and c < d and max(a, c) < min(b, d):
            return True
    return False


class TimeOracle:
    """Evidence that depends on when facts hold; `stated` has the facts of each relation."""

    def __init__(self, world: World, stated: dict[str, list[Stated]]) -> None:
        self._world, self._book, self._stated = world, world.book, stated

    def _links(self, name: str) -> Iterator[tuple[str, str]]:
        """(kind, relation) for what each fact of a relation is a fact of, too."""
        for one, relation in self._book.relations.items():
            for item in relation.properties:
                if item.kind == "symmetric" and one == name:
                    yield "mirror", name
                if item.kind == "inverse" and item.target:
                    if one == name:
                        yield "mirror", item.target.text
                    if item.target.text == name:
                        yield "mirror", one
                if item.kind == "subrelation" and one == name and item.target:
                    yield "same", item.target.text

    def during(self, name: str) -> set[Stated]:
        """All facts of a relation with their periods, also those that follow by the schema."""
        found = {(relation, fact) for relation, facts in self._stated.items() for fact in facts}
        todo = list(found)
        while todo:
            here, fact = todo.pop()
            for kind, there in self._links(here) if here in self._book.relations else ():
                turned = fact._replace(subject=fact.object, object=fact.subject)
                new = (there, turned if kind == "mirror" else fact)
                if new not in found:
                    found.add(new)
                    todo.append(new)
        return {fact for relation, fact in found if relation == name}

    def _is(self, name: str, *kinds: str) -> bool:
        return any(item.kind in kinds for item in self._book.relations[name].properties)

    def lasting(self, name: str) -> Iterator[tuple[str, str]]:
        """The pairs of a relation that hold always."""
        for fact in self.during(name):
            if fact.best and not fact.since and not fact.until:
                yield fact.subject, fact.object

    def clash(
        self, name: str, x: str, y: str, seen: frozenset[tuple[str, ...]] = frozenset()
    ) -> bool:
        """Does the stated fact exclude another stated one?"""
        if (name, x, y) in seen:
            return False
        seen |= {(name, x, y)}
        if self._is(name, "functional_at_a_time"):
            facts = [f for f in self.during(name) if f.best and f.subject == x]
            for one in facts:
                for other in facts:
                    differs = self._world.differ(one.object, other.object)
                    if one.object == y and differs and exclude(one, other):
                        return True
        return any(
            self.clash(there, *((y, x) if kind == "mirror" else (x, y)), seen)
            for kind, there in self._links(name)
        )

    def pro_con(self, literal: s.Literal, x: str, y: str, time: str) -> tuple[bool, bool]:
        """The evidence for and against a relation at a time, without the literal's sign."""
        name = str(literal.atom.relations[0])
        pro = any(holds(fact, time)[0] for fact in self.during(name) if fact[:2] == (x, y))
        con = self._refuted(name, x, y, time, frozenset())
        if literal.closed and not pro and not con:
            con = not self._maybe(name, x, y, time)
        return pro, con

    def _refuted(
        self, name: str, x: str, y: str, time: str, seen: frozenset[tuple[str, ...]]
    ) -> bool:
        if (name, x, y) in seen:
            return False
        seen |= {(name, x, y)}
        if ("against", name, x, y) in self._world.evidence:
            return True
        if self._is(name, "functional", "functional_at_a_time"):
            for fact in self.during(name):
                other = fact.subject == x and self._world.differ(fact.object, y)
                if other and holds(fact, time)[0]:
                    return True
        if self._complete(name, x) and not self._maybe(name, x, y, time):
            return True
        return any(
            self._refuted(there, *((y, x) if kind == "mirror" else (x, y)), time, seen)
            for kind, there in self._links(name)
        )

    def _maybe(self, name: str, x: str, y: str, time: str) -> bool:
        """May an object that is listed for then, of the subject or of a blank node that may be it,
        be the one in question?"""
        vague = self._world.vague

        def may_be(subject: str) -> bool:
            return subject == x or (subject[0] == "b" and vague(subject))

        during = [fact for fact in self.during(name) if may_be(fact.subject)]
        present = {fact[:2] for fact in during if holds(fact, time)[1]}
        dated = {fact[:2] for fact in during}
        evidence = (a for a in self._world.evidence if a[:2] == ("for", name))
        listed = {(a[2], a[3]) for a in evidence if may_be(a[2])}
        objects = {object_ for _, object_ in present | (listed - dated)}
        return any(p == y or vague(p) or vague(y) or compatible(p, y) for p in objects)

    def _complete(self, name: str, x: str) -> bool:
        if self._world.vague(x):
            return False
        for statement in self._book.complete:
            if statement.relation.text == name:
                if statement.cls:
                    if ("is", x, "e" + statement.cls.text) in self._world.evidence:
                        return True
                elif not statement.subjects or x in self.subjects(statement):
                    return True
        return False

    def subjects(self, statement: s.Complete) -> set[str]:
        return {self._world.name("e" + term.text) for term in statement.subjects}
