"""Paths, comparisons and counts in plain Python, by recursion over what is written."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

from kgverify.graph.terms import compatible, has_zone, number_value, time_interval
from kgverify.language import syntax as s
from kgverify.language.rulebook import DATATYPES, RuleBook

Evidence = set[tuple[str, ...]]
Step = tuple[s.Path, bool]  # a path, and whether it is gone backwards
DAY = 14 * 3600
ORDER: dict[str, Callable[[Any, Any], bool]] = {
    **{"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge},
    **{"=": operator.eq, "!=": operator.ne},
}


class World(Protocol):
    """What is asked of the world: its evidence and what is provably different in it."""

    book: RuleBook
    evidence: Evidence

    def vague(self, key: str) -> bool: ...
    def differ(self, one: str, other: str) -> bool: ...


class ViewOracle:
    """The evidence for and against the atoms that only questions have."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.book = world.book

    def pro_con(self, literal: s.Literal, terms: list[str]) -> tuple[bool, bool]:
        """The evidence for and against the atom of a literal, without its sign."""
        atom = literal.atom
        if isinstance(atom, s.PathAtom):
            pro, con = terms[1] in self.ends((atom.path, False), terms[0]), False
            con = self.refuted((atom.path, False), *terms)
            if literal.closed and not pro and not con:
                con = not self._maybe((atom.path, False), *terms)
                con = con and not self._clouded((atom.path, False), False)
            return pro, con
        if isinstance(atom, s.ValueAtom):
            return self._value(literal, atom, *terms)
        assert isinstance(atom, s.CountAtom)
        return self._count(literal, atom, *terms)

    def _maybe(self, step: Step, x: str, y: str) -> bool:
        ends = {e for subject in (x, *self._blanks()) for e in self.ends(step, subject)}
        return any(self.world.vague(e) or self.world.vague(y) or compatible(e, y) for e in ends)

    def _blanks(self) -> set[str]:
        """The blank nodes, each of which may be any subject."""
        terms = {term for atom in self.world.evidence for term in atom[1:]}
        return {t for t in terms if t.startswith("b") and self.world.vague(t)}

    def _clouded(self, step: Step, measured: bool) -> bool:
        """May a blank node be on the way, or, of what is `measured`, at its beginning?"""
        blanks = self._blanks()
        if measured and any(self.ends(step, blank) for blank in blanks):
            return True
        relations = self._passed(step)
        facts = [a[2:] for a in self.world.evidence if a[0] == "for" and a[1] in relations]
        return any(blanks & {*pair} for pair in facts)

    def _passed(self, step: Step) -> set[str]:
        """The relations of a path that may take several steps, none of any other."""
        path, back = self._simple(step)
        if path.kind in ("sequence", "closure"):
            return {relation.text for relation in path.relations}
        if path.kind == "alternative":
            # Where one way takes several steps, so does the path.
            several = [self._passed(choice) for choice in self._choices((path, back))]
            return {r.text for r in path.relations} if any(several) else set()
        return set()

    # ------------------------------------------------------------ paths

    def _parts(self, step: Step) -> list[Step]:
        """The steps of a sequence, in the order in which they are gone; else the step itself."""
        path, back = step
        if path.kind == "inverse":
            return self._parts((path.parts[0], not back))
        if path.kind == "sequence":
            parts = [p for part in path.parts for p in self._parts((part, back))]
            if back:
                parts = [p for part in reversed(path.parts) for p in self._parts((part, back))]
            return parts
        return [step]

    def _choices(self, step: Step) -> list[Step]:
        path, back = step
        if path.kind == "inverse":
            return self._choices((path.parts[0], not back))
        if path.kind == "alternative":
            return [c for part in path.parts for c in self._choices((part, back))]
        return [step]

    def ends(self, step: Step, x: str) -> set[str]:
        """Everything that some way leads to."""
        path, back = step
        if path.kind == "relation":
            pairs = [a[2:] for a in self.world.evidence if a[:2] == ("for", str(path.relation))]
            return {p[0] if back else p[1] for p in pairs if p[1 if back else 0] == x}
        if path.kind == "closure":
            return self._reached((path.parts[0], back), x)
        if path.kind == "alternative":
            return {y for part in path.parts for y in self.ends((part, back), x)}
        found = {x}
        for part in self._parts(step):
            found = {y for m in found for y in self.ends(part, m)}
        return found

    def _reached(self, step: Step, x: str) -> set[str]:
        found: set[str] = set()
        todo = {x}
        while todo:
            todo = {y for m in todo for y in self.ends(step, m)} - found
            found |= todo
        return found

    def _declared(self, name: str, kind: str) -> bool:
        return any(item.kind == kind for item in self.book.relations[name].properties)

    def _turned(self, name: str, back: bool) -> set[tuple[str, bool]]:
        """A relation, gone forwards or backwards, in every way in which it can be named."""
        found = {(name, back)}
        while True:
            new = set(found)
            for one, way in found:
                if self._declared(one, "symmetric"):
                    new.add((one, not way))
                for other, relation in self.book.relations.items():
                    for item in relation.properties:
                        if item.kind == "inverse" and item.target:
                            if one == other:
                                new.add((item.target.text, not way))
                            if one == item.target.text:
                                new.add((other, not way))
            if new == found:
                return found
            found = new

    def _single(self, step: Step, many: bool = False) -> bool:
        """Does the step have one end at most (`many`: one beginning)?"""
        path, back = step = self._simple(step)
        if path.kind == "relation":
            return any(
                self._declared(name, "functional" if way == many else "inverse_functional")
                for name, way in self._turned(str(path.relation), back)
            )
        if path.kind in ("closure", "alternative"):
            choices = dict.fromkeys(self._choices(step))
            return (
                len(choices) == 1
                and path.kind == "alternative"
                and self._single(next(iter(choices)), many)
            )
        return all(self._single(part, many) for part in self._parts(step))

    def _classes(self, step: Step, end: bool) -> set[str]:
        """The classes at the beginning, or at the end, of a step."""
        path, back = step
        if path.kind == "relation":
            found = set()
            for name, way in self._turned(str(path.relation), back):
                relation = self.book.relations[name]
                found.add((relation.range if end != way else relation.domain).text)
            return found - set(DATATYPES)
        if path.kind == "alternative":
            return set.intersection(*(self._classes((p, back), end) for p in path.parts))
        if path.kind == "closure":
            return self._classes((path.parts[0], back), end)
        return self._classes(self._parts(step)[-1 if end else 0], end)

    def _isnt(self, x: str, classes: set[str]) -> bool:
        return any(("isnt", x, "e" + cls) in self.world.evidence for cls in classes)

    def _simple(self, step: Step) -> Step:
        """A closure that adds nothing to what it repeats is that."""
        path, back = step
        if path.kind in ("inverse", "sequence"):
            parts = self._parts(step)
            return self._simple(parts[0]) if len(parts) == 1 and parts[0] != step else step
        if path.kind == "alternative":
            choices = list(dict.fromkeys(map(self._simple, self._choices(step))))
            return choices[0] if len(choices) == 1 else step
        if path.kind == "closure":
            inner = self._simple((path.parts[0], back))
            plain = inner[0].kind == "relation"
            if plain and self._declared(str(inner[0].relation), "transitive"):
                return inner
            return inner if inner[0].kind == "closure" else step
        return step

    def listed(self, step: Step, x: str) -> bool:
        """Does the world list everything that the step leads to from x?"""
        step = self._simple(step)
        path, back = step
        if self._isnt(x, self._classes(step, False)):
            return True
        if self._single(step) and self.ends(step, x):
            return True
        if path.kind == "relation":
            ways = self._turned(str(path.relation), back)
            return any(self._complete(name, x) for name, way in ways if not way)
        if path.kind == "closure":
            inner = (path.parts[0], back)
            return all(self.listed(inner, n) for n in {x} | self._reached(inner, x))
        if path.kind == "alternative":
            return all(self.listed(choice, x) for choice in self._choices(step))
        first, rest = self._split(step)
        return self.listed(first, x) and all(self.listed(rest, m) for m in self.ends(first, x))

    def _split(self, step: Step) -> tuple[Step, Step]:
        first, *others = self._parts(step)
        if len(others) == 1:
            return first, others[0]
        parts = tuple(s.Path("inverse", None, (p,), p.span) if back else p for p, back in others)
        return first, (s.Path("sequence", None, parts, step[0].span), False)

    def _complete(self, name: str, x: str) -> bool:
        subjects = {a[2] for a in self.world.evidence if a[:2] == ("for", name)}
        if self.world.vague(x) or any(t[0] == "b" and self.world.vague(t) for t in subjects):
            return False
        for statement in self.book.complete:
            if statement.relation.text == name:
                named = {"e" + t.text for t in statement.subjects}
                if statement.cls:
                    if ("is", x, "e" + statement.cls.text) in self.world.evidence:
                        return True
                elif not statement.subjects or x in named:
                    return True
        return False

    def refuted(self, step: Step, x: str, y: str) -> bool:
        """Is there evidence that the step does not lead from x to y?"""
        step = self._simple(step)
        path, back = step
        if path.kind == "relation":
            pair = (y, x) if back else (x, y)
            return ("against", str(path.relation), *pair) in self.world.evidence
        differ = self.world.differ
        if self._isnt(y, self._classes(step, True)):
            return True
        if self._single(step) and any(differ(y, end) for end in self.ends(step, x)):
            return True
        turned = (s.Path("inverse", None, (path,), path.span), back)
        if self._single(step, True) and any(differ(x, b) for b in self.ends(turned, y)):
            return True
        if path.kind == "closure":
            inner = (path.parts[0], back)
            nodes = {x} | self._reached(inner, x)
            return self.listed(step, x) and all(self.refuted(inner, n, y) for n in nodes)
        if path.kind == "alternative":
            return all(self.refuted(choice, x, y) for choice in self._choices(step))
        first, rest = self._split(step)
        refuted = [self.refuted(rest, m, y) for m in self.ends(first, x)]
        if (self.listed(first, x) and all(refuted)) or (self._single(first) and any(refuted)):
            return True
        turned = (s.Path("inverse", None, (rest[0],), path.span), rest[1])
        return self._single(rest, True) and any(
            self.refuted(first, x, m) for m in self.ends(turned, y)
        )

    # ------------------------------------------------------------ values and counts

    def _value(
        self, literal: s.Literal, atom: s.ValueAtom, x: str, bound: str
    ) -> tuple[bool, bool]:
        step = self._simple((atom.path, False))
        found = [compares(value, atom.operator, bound) for value in self.ends(step, x)]
        pro, con = True in found, False
        if self._single(step):
            con = False in found
        if self.listed(step, x) and all(answer is False for answer in found):
            con = True
        if literal.closed and not pro and not con:
            con = None not in found and not self._clouded(step, True)
        return pro, con

    def _count(
        self, literal: s.Literal, atom: s.CountAtom, x: str, bound: str
    ) -> tuple[bool, bool]:
        step = self._simple((atom.path, atom.arguments[0].kind is s.TermKind.ANONYMOUS))
        ends = self.ends(step, x)
        least, most = self._provable(ends), None
        if self.listed(step, x):
            most = len(ends)
        number = number_value(bound)
        assert number is not None
        if atom.operator in ("=", "!="):
            above = self._at_least(step, least, most, number, ends, literal.closed)
            below = self._at_least(step, least, most, number + 1, ends, literal.closed)
            # Kleene: both sides hold (the denial of the second), or one of them fails.
            sat = above == "sat" and below == "viol"
            viol = above == "viol" or below == "sat"
            pro, con = (sat, viol) if atom.operator == "=" else (viol, sat)
            return pro, con
        needed = number + 1 if atom.operator in (">", "<=") else number
        status = self._at_least(step, least, most, needed, ends, literal.closed)
        pro, con = status in ("sat", "conflict"), status in ("viol", "conflict")
        return (pro, con) if atom.operator in (">", ">=") else (con, pro)

    def _at_least(
        self, step: Step, least: int, most: int | None, needed: Any, ends: set[str], closed: bool
    ) -> str:
        pro = least >= needed
        con = (most is not None and most < needed) or (self._single(step) and needed > 1)
        if closed and not pro and not con:
            con = len(ends) < needed and not self._clouded(step, True)
        return {(1, 0): "sat", (0, 1): "viol", (1, 1): "conflict"}.get((int(pro), int(con)), "unk")

    def _provable(self, ends: set[str]) -> int:
        """How many of these things are provably different: as many as don't hold a finer one."""
        plain = sorted(e for e in ends if not self.world.vague(e))

        def rank(key: str) -> tuple[Fraction, str]:
            start, end = time_interval(key) or (Fraction(0), Fraction(0))
            return end - start, key

        kept = [
            e
            for e in plain
            if not any(compatible(e, f) and rank(f) < rank(e) for f in plain if f != e)
        ]
        return max(len(kept), 1 if ends else 0)


def compares(value: str, sign: str, bound: str) -> bool | None:
    """Does a value compare so with a bound?  None when it depends, or can't be said."""
    one, other = number_value(value), number_value(bound)
    if one is not None and other is not None:
        return ORDER[sign](one, other)
    kinds = [key[1:].partition(" ")[0] for key in (value, bound)]
    if "l" in (value[0], bound[0]) and (value[0] != bound[0] or "ill" in kinds):
        return None
    spans = [time_interval(key) for key in (value, bound)]
    if spans[0] is not None and spans[1] is not None:
        slack = DAY if has_zone(value) != has_zone(bound) else 0
        # An instant is a stretch that no other point of time lies in.
        start, end = ((p, 0) for p in (spans[0][0] - slack, spans[0][1] + slack))
        if spans[0][0] == spans[0][1]:
            end = (end[0], 1)
        lower, upper = (spans[1][0], 0), (spans[1][1], int(spans[1][0] == spans[1][1]))
        return _stretch(sign, start, end, lower, upper)
    if kinds[0] == kinds[1] and kinds[0].startswith(("string", "text@", "boolean")):
        return ORDER[sign](value, bound)
    if "other" in kinds:
        return None
    return {"=": False, "!=": True}.get(sign)


def _stretch(sign: str, start: Any, end: Any, lower: Any, upper: Any) -> bool | None:
    before, not_before = end <= lower, start >= lower
    after, not_after = start >= upper, end <= upper
    within, apart = not_before and not_after, before or after
    yes, no = {
        "<": (before, not_before),
        ">=": (not_before, before),
        ">": (after, not_after),
        "<=": (not_after, after),
        "=": (within, apart),
        "!=": (apart, within),
    }[sign]
    return True if yes else False if no else None
