"""What paths, comparisons and counts are in one world, for the check that none is otherwise.

A claim that a way leads somewhere is true where one is shown, step by step; a way that is there
makes the claim true.  What lies on a way and has no name is imagined: of each path between two
ends, as many things as its longest way has between them.  So any completion can be cut down to what
is named and, for each claim that is true in it, one way: its clauses are universal and hold of the
part, and no new way comes in.  Of a chain the first two and the last two steps are shown; what lies
between is left open, which allows more worlds and so proves less.

An imagined thing is none of those that are named, whatever these are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import combinations, islice

from kgverify.graph.terms import compatible
from kgverify.language import syntax as s
from kgverify.language.printing import path_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.replay.formulas import Atom, Formula
from kgverify.replay.places import STRANGE, Places
from kgverify.replay.values import compares_stretch, reach, stretch
from kgverify.replay.views import view_path
from kgverify.vocabulary import Claim

MOST = 16  # imagined things, or values of one place, for one proof
_SETS = 2_000  # sets of objects that are told apart, for one count
_VALUE, _THING = "*value", "*thing"


def is_imagined(term: str) -> bool:
    """Is the term none that anything names?"""
    return term.startswith("*")


class Ways:
    """The ways that the claims of one proof are about, over the terms that are named; `objects`
    are those of the facts that are stated.

    `differ` says of two named terms whether they are provably different."""

    def __init__(
        self,
        book: RuleBook,
        claims: Sequence[Claim],
        terms: Collection[str],
        objects: Sequence[str],
        formula: Formula,
        differ: Callable[[str, str], bool],
    ) -> None:
        self._book, self._formula, self._differ = book, formula, differ
        literals = [term for term in terms if term.startswith("l")]
        self._places = Places(literals)
        self._blurred = [key for key in literals if not self._places.is_one(key)]
        self._claims = dict.fromkeys(claim for claim in claims if self._is_seen(claim))
        self._counted: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        self._chained: set[str] = set()
        needs = [self._needs(claim) for claim in self._claims]
        number = sum(things for things, _ in needs), sum(values for _, values in needs)
        compares = any(claim.kind == "value" for claim in self._claims)
        things, values = number[0], number[1] + compares * sum(o in self._blurred for o in objects)
        if max(things, values) > MOST:
            self._claims, things, values = {}, 0, 0
        places = self._places.names if compares else [STRANGE]
        imagined = [f"{_VALUE} {n} {place}" for n in range(values) for place in places]
        self.imagined = [*(f"{_THING} {n}" for n in range(things)), *imagined]
        self._things = [t for t in (*terms, *self.imagined) if not t.startswith(("l", _VALUE))]
        self._values = [*literals, *imagined]

    def tell(self, claim: Claim, terms: Sequence[str], truth: int) -> None:
        """Say what it takes for a claim to be true: `truth` is its literal, `terms` are its
        terms.  What is not seen may be true or false."""
        path = view_path(claim.kind, claim.name) if claim in self._claims else None
        if path is None:
            return
        start, end = terms
        match claim.kind:
            case "path":
                self._formula.add([-truth, self._shown(path, start, end)])
                self._formula.add([-self._led(path, start, end), truth])
            case "value":
                self._compare(path, start, claim.name.rpartition(" ")[2], end, truth)
            case _:
                self._count(path, start, reach(claim.name, end) or 0, truth)

    def realize(self, atom: Atom) -> None:
        """A fact with a value that may be several is one with a value that is only one of them."""
        value = atom[-1]
        if value in self._blurred and not value.startswith("lill "):
            exact = [v for v in self._values if self._is_within(v, value)]
            if any(map(is_imagined, exact)):
                ways = [self._formula.number((*atom[:-1], v)) for v in exact]
                self._formula.add([-self._formula.number(atom), *ways])

    def apart(self, one: str, other: str) -> bool:
        """Are two terms surely different, of which one at least is imagined?"""
        if one == other or (is_imagined(one) and is_imagined(other)):
            return one != other
        value, named = (one, other) if is_imagined(one) else (other, one)
        return not (value.startswith(_VALUE) and named.startswith("l")) or self._places.is_outside(
            _place(value), named
        )

    def _is_within(self, value: str, blurred: str) -> bool:
        if is_imagined(value):
            return self._places.is_within(_place(value), blurred)
        return value not in self._blurred and compatible(value, blurred)

    # ------------------------------------------------------------ which claims, and their needs

    def _is_seen(self, claim: Claim) -> bool:
        if claim.closed or claim.kind not in ("path", "value", "count"):
            return False
        path = view_path(claim.kind, claim.name)
        if path is None or not {str(r) for r in path.relations} <= self._book.relations.keys():
            return False
        if claim.kind == "count" and reach(claim.name, claim.terms[1]) is None:
            return False
        bound = claim.terms[1]
        if claim.kind == "value" and not (self._places.are_clear and stretch(bound, bound)):
            return False
        return not self._goes_on_from_value(path, False)

    def _goes_on_from_value(self, path: s.Path, back: bool) -> bool:
        if path.kind == "inverse":
            return self._goes_on_from_value(path.parts[0], not back)
        steps = path.parts[::-1] if back else path.parts
        if path.kind in ("sequence", "closure"):
            before = steps if path.kind == "closure" else steps[:-1]
            if any(self._ends_in_value(step, back) for step in before):
                return True
        return any(self._goes_on_from_value(step, back) for step in steps)

    def _ends_in_value(self, path: s.Path, back: bool = False) -> bool:
        match path.kind:
            case "relation":
                relation = self._book.relations[str(path.relation)]
                return not back and relation.range.text in DATATYPES
            case "inverse":
                return self._ends_in_value(path.parts[0], not back)
            case "sequence":
                return self._ends_in_value(path.parts[0 if back else -1], back)
            case _:
                return any(self._ends_in_value(part, back) for part in path.parts)

    def _needs(self, claim: Claim) -> tuple[int, int]:
        """How many imagined things and values make the claim true wherever it may be."""
        path = view_path(claim.kind, claim.name)
        assert path is not None
        if claim.kind == "path":
            return _between(path), 0
        number = 1 if claim.kind == "value" else max(0, reach(claim.name, claim.terms[1]) or 0)
        ends = self._ends_in_value(path)
        return number * (_between(path) + (not ends)), number * ends

    # ------------------------------------------------------------ paths

    def _shown(self, path: s.Path, x: str, y: str) -> int:
        """A literal that is true only where a way is shown."""
        if path.kind == "relation":
            return self._formula.number(("for", str(path.relation), x, y))
        if path.kind == "inverse":
            return self._shown(path.parts[0], y, x)
        truth, is_new = self._own("shown", path, x, y)
        if not is_new:
            return truth
        both, add = self._formula.both, self._formula.add
        match path.kind:
            case "alternative":
                add([-truth, *(self._shown(part, x, y) for part in path.parts)])
            case "sequence":
                one, rest = _split(path)
                ways = ((self._shown(one, x, m), self._shown(rest, m, y)) for m in self._things)
                add([-truth, *(both(*way) for way in ways)])
            case _:
                (part,) = path.parts
                once = self._shown(part, x, y)
                first = ((self._shown(part, x, m), self._onward(path, m, y)) for m in self._things)
                add([-truth, once, *(both(*way) for way in first)])
                last = ((self._before(path, x, m), self._shown(part, m, y)) for m in self._things)
                add([-truth, once, *(both(*way) for way in last)])
        return truth

    def _onward(self, path: s.Path, x: str, y: str) -> int:
        """A literal that is true only where a chain leads on, whose first step is shown."""
        (part,) = path.parts
        truth, is_new = self._own("onward", path, x, y)
        if is_new:
            pairs = ((self._shown(part, x, m), self._chain(path, m, y)) for m in self._things)
            ways = [self._formula.both(*pair) for pair in pairs]
            self._formula.add([-truth, self._shown(part, x, y), *ways])
        return truth

    def _before(self, path: s.Path, x: str, y: str) -> int:
        """A literal that is true only where a chain leads there, whose last step is shown."""
        (part,) = path.parts
        truth, is_new = self._own("before", path, x, y)
        if is_new:
            pairs = ((self._chain(path, x, m), self._shown(part, m, y)) for m in self._things)
            ways = [self._formula.both(*pair) for pair in pairs]
            self._formula.add([-truth, self._shown(part, x, y), *ways])
        return truth

    def _led(self, path: s.Path, x: str, y: str) -> int:
        """A literal that is true wherever there is a way."""
        if path.kind == "relation":
            return self._formula.number(("for", str(path.relation), x, y))
        if path.kind == "inverse":
            return self._led(path.parts[0], y, x)
        if path.kind == "closure":
            return self._chain(path, x, y)
        truth, is_new = self._own("led", path, x, y)
        if is_new and path.kind == "alternative":
            for part in path.parts:
                self._formula.add([-self._led(part, x, y), truth])
        elif is_new:
            one, rest = _split(path)
            for m in self._things:
                self._formula.add([-self._led(one, x, m), -self._led(rest, m, y), truth])
        return truth

    def _chain(self, path: s.Path, x: str, y: str) -> int:
        """A literal that is true wherever a chain of steps leads from one term to another."""
        text = path_text(path, 1)
        if text not in self._chained:
            self._chained.add(text)
            (part,) = path.parts
            ends = self._values if self._ends_in_value(part) else self._things
            for one in self._things:
                for other in ends:
                    step, chain = self._led(part, one, other), self._own("chain", path, one, other)
                    self._formula.add([-step, chain[0]])
                    for start in self._things:
                        before, whole = (
                            self._own("chain", path, start, end)[0] for end in (one, other)
                        )
                        self._formula.add([-before, -step, whole])
        return self._own("chain", path, x, y)[0]

    def _own(self, kind: str, path: s.Path, x: str, y: str) -> tuple[int, bool]:
        """A literal that speaks of a path between two terms, and whether it is new."""
        atom = ("claim", kind, path_text(path, 1), x, y)
        is_new = not self._formula.knows(atom)
        return self._formula.number(atom), is_new

    # ------------------------------------------------------------ values and counts

    def _compare(self, path: s.Path, x: str, operator: str, bound: str, truth: int) -> None:
        """Some value compares so."""
        ways = [-truth]
        for value in self._values:
            so = self._so(value, operator, bound)
            if so is not False:
                ways.append(self._shown(path, x, value))
            if so is True:
                self._formula.add([-self._led(path, x, value), truth])
        self._formula.add(ways)

    def _so(self, value: str, operator: str, bound: str) -> bool | None:
        """Does a value compare so with a bound?  None where that is not known.  What may be several
        values is one of the others (`realize`)."""
        place = self._places.of(_place(value)) if is_imagined(value) else stretch(value, value)
        asked = stretch(bound, bound)
        if place is None or asked is None:
            return operator == "!=" if is_imagined(value) else None
        if value in self._blurred:
            return None if value.startswith("lill ") else False
        return compares_stretch(place, operator, asked) is True

    def _count(self, path: s.Path, x: str, least: int, truth: int) -> None:
        """There are at least so many different objects."""
        if least <= 0:
            self._formula.add([truth])
            return
        ends = self._values if self._ends_in_value(path) else self._things
        shown = [self._shown(path, x, y) for y in ends]
        self._formula.add([-truth, self._formula.at_least(least, shown)])
        for objects in islice(combinations(ends, least), _SETS):  # fewer only allow more worlds
            self._formula.effort.spend(least)
            if all(self._are_two(*pair) for pair in combinations(objects, 2)):
                self._formula.add([*(-self._led(path, x, y) for y in objects), truth])
        counted = self._counted[path_text(path, 1), x]
        for other in counted:  # so many, and so fewer, too
            (_, fewer), (_, more) = sorted([other, (least, truth)])
            self._formula.add([-more, fewer])
        counted.append((least, truth))

    def _are_two(self, one: str, other: str) -> bool:
        if is_imagined(one) or is_imagined(other):
            return self.apart(one, other)
        return self._differ(one, other)


def _place(value: str) -> str:
    """The place of an imagined value."""
    return value.split(" ", 2)[2]


def _split(path: s.Path) -> tuple[s.Path, s.Path]:
    """The first step of a sequence, and the rest."""
    first, *rest = path.parts
    return first, rest[0] if len(rest) == 1 else replace(path, parts=tuple(rest))


def _between(path: s.Path) -> int:
    """How many things lie between the ends of the longest way that is shown."""
    lengths = list(map(_between, path.parts))
    match path.kind:
        case "sequence":
            return sum(lengths) + len(lengths) - 1
        case "closure":
            return 4 * (lengths[0] + 1)
        case _:
            return max(lengths, default=0)
