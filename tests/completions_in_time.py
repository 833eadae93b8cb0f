"""All completions of a tiny world in time, by trying for every pair and every stretch of time
whether the relation holds then: slow and obvious.

The beginnings and ends of all that is stated or asked cut time into stretches, and those between
two of them are cut in two, so that the one object of a relation may change within a year.  As in
`tests/completions.py`, what is listed is taken from the oracle, and all terms are known.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, pairwise, product

from hypothesis import assume
from hypothesis import strategies as st

from kgverify.language import syntax as s
from kgverify.testing import World
from kgverify.testing.strategies import _passes
from kgverify.vocabulary import Candidate, Question
from tests.completions import _constraints, _question, tried_out
from tests.oracle import Oracle
from tests.time_oracle import Number, Stated, ends, possible, sure

PEOPLE, SEATS = ("ee0", "ee1"), ("ee2", "ee3")
Pair = tuple[str, str]
Atom = tuple[str, str, str]


class CompletionsInTime:
    """The completions of a world whose only relations are `r`, from people to seats or among
    people, and perhaps `q`, its inverse or the more general."""

    def __init__(self, world: World) -> None:
        self.world, self.book, self.oracle = world, world.book, Oracle(world)
        declared = self.book.relations
        self.kinds = {
            name: {p.kind for p in relation.properties} for name, relation in declared.items()
        }
        same = declared["r"].range.text == declared["r"].domain.text
        self.seats = PEOPLE if same else SEATS
        self.stretches = self._cut()
        own = ["r"] if "inverse" in self.kinds.get("q", ()) else list(declared)
        atoms = dict.fromkeys(self._one(n, x, y) for n in own for x in PEOPLE for y in self.seats)
        cells = [(atom, n) for atom in atoms for n in range(len(self.stretches))]
        self.bits = {cell: 1 << n for n, cell in enumerate(cells)}

    def _one(self, name: str, x: str, y: str) -> Atom:
        """The atom that an atom is by symmetry, or by the inverse."""
        if name == "q" and "inverse" in self.kinds["q"]:
            name, x, y = "r", y, x
        if "symmetric" in self.kinds[name]:
            x, y = sorted((x, y))
        return name, x, y

    def _cut(self) -> list[tuple[Number, Number]]:
        texts = {t for fact in self.world.dated for t in fact[3:5] if t} | set(TIMES)
        used = {t for t in texts if t in self.world.rules or any(t in f for f in self.world.dated)}
        points = sorted({point for text in used for point in ends(text, False)})
        found: list[tuple[Number, Number]] = []
        for low, high in pairwise([-math.inf, *points, math.inf]):
            if math.inf in (-low, high):
                found.append((low, high))
            else:
                found += [(low, (low + high) / 2), ((low + high) / 2, high)]
        return found

    @property
    def is_small(self) -> bool:
        """Are there few enough bits to try?"""
        return len(self.bits) <= 20

    @property
    def questions(self) -> list[Question]:
        """The question of the world, about all that it may be about."""
        candidates = tuple(Candidate(seat[1:]) for seat in self.seats)
        return [Question(x[1:], "ask", {"a": x[1:]}, candidates) for x in PEOPLE]

    def mask(self, atom: Atom, span: tuple[Number, Number] = (-math.inf, math.inf)) -> int:
        """The bits of an atom in all stretches that lie in a span of time."""
        return sum(
            self.bits[self._one(*atom), n]
            for n, (low, high) in enumerate(self.stretches)
            if span[0] <= low and high <= span[1]
        )

    def _stated(self) -> Iterator[tuple[Atom, Stated]]:
        """What surely counts as stated: facts of the best rank, with their periods."""
        for name in self.book.relations:
            for fact in self.oracle.times._stated.get(name, []):
                if fact.best:
                    yield (name, fact.subject, fact.object), fact

    @cached_property
    def all(self) -> list[int]:
        """Every completion, as the bits that hold in it."""
        true = 0
        some = []
        for atom, fact in self._stated():
            true |= self.mask(atom, sure(fact, False))
            some.append(self.mask(atom, possible(fact, False)))
        false = sum(self.mask((r, x, y)) for x, r, y in self.oracle.denied if r in self.kinds)
        false |= self._unlisted()
        if true & false:
            return []
        free = [bit for bit in self.bits.values() if not bit & (true | false)]
        clauses = [(0, 0, mask) for mask in some]
        for one, other in self._exclusive():
            bits = [[b for b in self.bits.values() if b & mask] for mask in (one, other)]
            clauses += [(a | b, 0, 0) for a, b in product(*bits)]
        clauses += [(one, 0, other) for one, other in self._implied()]
        return tried_out(true, free, clauses)

    def _exclusive(self) -> Iterator[tuple[int, int]]:
        """Bits of which none may hold with any of the other."""
        for name, relation in self.book.relations.items():
            kinds = {p.kind for p in relation.properties}
            people, seats = PEOPLE, self.seats
            if name == "q" and "inverse" in kinds:
                people, seats = seats, people
            for x in people:
                for y, z in combinations(seats, 2):
                    one, other = (name, x, y), (name, x, z)
                    if "functional" in kinds:
                        yield self.mask(one), self.mask(other)
                    if "functional_at_a_time" in kinds:
                        yield from (
                            (self.mask(one, span), self.mask(other, span))
                            for span in self.stretches
                        )
            for y in seats:
                for x, z in combinations(people, 2):
                    if "inverse_functional" in kinds:
                        yield self.mask((name, x, y)), self.mask((name, z, y))
            for x in people:
                for y in seats:
                    if "asymmetric" in kinds and (y, x) != (x, y):
                        yield self.mask((name, x, y)), self.mask((name, y, x))
                    if x == y and kinds & {"asymmetric", "irreflexive"}:
                        yield self.mask((name, x, x)), self.mask((name, x, x))

    def _implied(self) -> Iterator[tuple[int, int]]:
        """A bit and the one that holds with it."""
        if "subrelation" in self.kinds["r"]:
            for x in PEOPLE:
                for y in self.seats:
                    for span in self.stretches:
                        yield self.mask(("r", x, y), span), self.mask(("q", x, y), span)

    def _unlisted(self) -> int:
        """What completeness rules out: where nothing that is listed perhaps holds."""
        times, false = self.oracle.times, 0
        for name in self.book.relations:
            people, seats = PEOPLE, self.seats
            if name == "q" and "inverse" in self.kinds["q"]:
                people, seats = seats, people
            for x in people:
                if not times._complete(name, x):
                    continue
                for y in seats:
                    dated = [f for f in times.during(name) if f[:2] == (x, y)]
                    listed = ("for", name, x, y) in self.oracle.evidence
                    if listed and not dated:
                        continue
                    for low, high in self.stretches:
                        spans = [possible(f, False) for f in dated]
                        if not any(start < high and low < end for start, end in spans):
                            false |= self.mask((name, x, y), (low, high))
        return false

    def truth(self, condition: s.Constraint, values: dict[str | int, str], world: int) -> bool:
        """Does a constraint hold in a completion?"""
        if isinstance(condition, s.Comparison):
            left, right = (values.get(t.text, "e" + t.text) for t in condition.terms)
            return (left == right) == (condition.operator == "=")
        if isinstance(condition, s.Literal):
            return self._holds(condition, values, world) != condition.negated
        size = len(condition.members)
        least = {"all": size, "any": 1, "least": condition.number}[condition.quantity]
        found = sum(self.truth(member, values, world) for member in condition.members)
        return (found >= least) != condition.negated

    def _holds(self, literal: s.Literal, values: dict[str | int, str], world: int) -> bool:
        atom = literal.atom
        if isinstance(atom, s.ClassAtom):
            name = values.get(atom.term.text, "e" + atom.term.text)
            return ("is", name, "e" + atom.cls.text) in self.oracle.evidence
        x, y = (values.get(t.text, "e" + t.text) for t in atom.terms)
        own = atom.relations[0].text
        if self._one(own, x, y) not in {cell[0] for cell in self.bits}:
            return False  # of the wrong class
        if literal.at is None:
            return bool(self.mask((own, x, y)) & world)
        mask = self.mask((own, x, y), ends(literal.at.text, False))
        return world & mask == mask


TIMES = ("1990", "1991", "1990-07")


@st.composite
def timed_worlds(draw: st.DrawFn) -> World:
    """Two people and two seats, or two people alone, what holds of them when, and a question."""
    same = draw(st.integers(0, 2)) == 0
    range_ = "Alpha" if same else "Beta"
    kinds = ["functional at a time"] * 3 + ["functional", "inverse functional"]
    kinds += ["symmetric", "asymmetric"] if same else []
    properties = draw(st.lists(st.sampled_from(kinds), max_size=2, unique=True))
    second = draw(st.sampled_from(["", "", "inverse of r", "general"])) if not same else ""
    if second == "general":
        properties.append("sub of q")
    lines = ["class Alpha, Beta", "disjoint Alpha, Beta"]
    lines.append(f"relation r (Alpha, {range_}) " + ", ".join(properties))
    if second:
        own = draw(st.sampled_from(["", "functional at a time"]))
        of = "(Beta, Alpha) inverse of r" if second != "general" else "(Alpha, Beta)"
        joint = ", " if own and second != "general" else " "
        lines.append(f"relation q {of}{joint if own else ''}{own}")
    if draw(st.integers(0, 3)) == 0:
        lines.append("complete r" + draw(st.sampled_from(["", " for Alpha", ' for "e0"'])))
    objects = PEOPLE if same else SEATS
    subjects = st.sampled_from(("ee0", "ee0", "ee1"))
    dates = st.sampled_from(("", "", "1990", "1991", *(() if second or same else ("1990-07",))))
    dated = draw(
        st.lists(
            st.tuples(
                *(subjects, st.just("r"), st.sampled_from(objects), dates, dates, st.just(""))
            ),
            max_size=3,
            unique=True,
        )
    )
    denied = draw(st.lists(st.tuples(subjects, st.just("r"), st.sampled_from(objects)), max_size=1))
    few = same or second
    moments = st.sampled_from(
        ["", "", " at 1990", " at 1991", " at 1990" if few else " at 1990-07"]
    )
    name = st.sampled_from(["a", "x", '"e0"'] if same else ["x", '"e2"', "x", '"e3"'])
    leaves = st.builds("r(a, {}){}".format, name, moments)
    if second == "inverse of r":
        leaves |= st.builds("q({}, a){}".format, name, moments)
    elif second:
        leaves |= st.builds("q(a, {}){}".format, name, moments)
    items = draw(_constraints(leaves))
    question = _question(*items).replace("answer x : Alpha", f"answer x : {range_}")
    assume(_passes([*lines, question]))
    types = [(e, "rdf:type", "eAlpha") for e in PEOPLE]
    types += [(e, "rdf:type", "eBeta") for e in SEATS]
    return World("\n".join([*lines, question]), tuple(types), tuple(denied), tuple(dated))
