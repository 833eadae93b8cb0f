"""What the checker of proofs knows of paths, comparisons and counts.

A path is taken apart step by step; each part is a relation with a name of its own, its text.  That
none of the ways leads somewhere follows from a citation of everything that a relation lists of one
subject: then the ways can be gone through one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kgverify.language import syntax as s
from kgverify.language.parsing import parse_path
from kgverify.language.printing import path_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.replay.clauses import Clause, Implication, Pattern, X, Y, Z, conjunction
from kgverify.replay.values import reach

KINDS = ("path", "value", "count")

# The objects that are listed, and the citations that say so, as bits.
_Known = tuple[frozenset[str], int]


@dataclass(frozen=True)
class Cited:
    """`listings`: for a relation (or its mirror, `^r`) and a subject, everything that the graph
    lists; `distinct`: terms that are provably different from one another."""

    listings: Mapping[tuple[str, str], _Known]
    distinct: Sequence[tuple[tuple[str, ...], int]]


def view_path(kind: str, name: str) -> s.Path | None:
    """The path that a claim of one of the `KINDS` is about; None when it can't be read."""
    if kind != "path":
        name = name.rpartition(" ")[0]
    return parse_path(name.removeprefix("count ") if kind == "count" else name)


def view_implications(
    kind: str, name: str, terms: Sequence[str], cited: Cited
) -> Iterator[Implication]:
    """What it takes for a claim about a path, a comparison or a count, and against it."""
    path = view_path(kind, name)
    if path is None:
        return
    ways = _Ways(cited)
    yield from ways.implications(path)
    if kind == "value":
        yield from ways.comparison(name, path, terms[1])
    if kind == "count":
        yield from ways.count(name, path, terms[1])


class _Ways:
    """Paths as implications, given what is cited."""

    def __init__(self, cited: Cited) -> None:
        self._cited = cited
        self._subjects = list(dict.fromkeys(subject for _, subject in cited.listings))

    def implications(self, path: s.Path) -> Iterator[Implication]:
        """The evidence for and against the path and its parts; and when all that it leads to from
        a subject is listed."""
        p = path_text(path, 1)
        parts = _parts(path)
        for part in parts:
            yield from self.implications(part)
        steps = [path_text(part, 1) for part in parts]
        for head, body in _clauses(path.kind, p, steps):
            yield Implication(head, body, 0)
        # A path with one end at most has no other when one is known.
        yield Implication(("listed", p, X), (("single", p), ("for", p, X, Y)), 0)
        for subject in self._subjects:
            yield from self._one_by_one(path, parts, subject)

    def _one_by_one(self, path: s.Path, parts: Sequence[s.Path], x: str) -> Iterator[Implication]:
        """What follows when every way from a subject is known."""
        if path.kind == "sequence":
            first, rest = parts
            known = self._listed(first, x)
            through = (path_text(first, 1), x)
            nodes = known[0] if known else frozenset()
        elif path.kind == "closure":
            (first,), rest = parts, parts[0]
            known = self._listed(path, x)
            through = (path_text(path, 1), x)
            nodes = known[0] | {x} if known else frozenset()
        else:
            return
        if known is None:
            return
        p, b = path_text(path, 1), path_text(rest, 1)
        refuted = tuple(("against", b, m, Y) for m in sorted(nodes))
        listed = tuple(("listed", b, m) for m in sorted(nodes))
        start: Pattern = ("listed", path_text(first, 1), x)
        yield from conjunction(
            ("against", p, x, Y), (("listed", *through), ("term", Y), *refuted), known[1]
        )
        yield from conjunction(("listed", p, x), (start, *listed), known[1])

    def _listed(self, path: s.Path, x: str) -> _Known | None:
        """All that a path leads to from a subject, as far as the citations list it."""
        found: set[str] = set()
        bits = 0
        match path.kind:
            case "sequence":
                first, rest = _parts(path)
                known = self._listed(first, x)
                if known is None:
                    return None
                todo, bits = [(rest, m) for m in known[0]], known[1]
            case "alternative":
                todo = [(part, x) for part in _parts(path)]
            case "closure":
                return self._reached(path.parts[0], x)
            case _:
                return self._cited.listings.get((path_text(path, 1), x))
        for step, m in todo:
            known = self._listed(step, m)
            if known is None:
                return None
            found |= known[0]
            bits |= known[1]
        return frozenset(found), bits

    def _reached(self, step: s.Path, x: str) -> _Known | None:
        found: dict[str, None] = {}
        bits = 0
        todo = [x]
        while todo:
            known = self._listed(step, todo.pop())
            if known is None:
                return None
            todo += [m for m in known[0] if m not in found]
            found |= dict.fromkeys(known[0])
            bits |= known[1]
        return frozenset(found), bits

    def comparison(self, name: str, path: s.Path, bound: str) -> Iterator[Implication]:
        """Some value compares as asked; or one fails where there is no other, or all do."""
        p, operator = path_text(path, 1), name.rpartition(" ")[2]
        pro: Pattern = ("for", name, X, bound)
        yield Implication(pro, (("for", p, X, Y), ("meets", operator, Y, bound)), 0)
        one: tuple[Pattern, ...] = (("single", p), ("for", p, X, Y), ("fails", operator, Y, bound))
        yield Implication(("against", name, X, bound), one, 0)
        for x in self._subjects:
            known = self._listed(path, x)
            if known is not None:
                fails = tuple(("fails", operator, v, bound) for v in sorted(known[0]))
                body = (("listed", p, x), *fails)
                yield from conjunction(("against", name, x, bound), body, known[1])

    def count(self, name: str, path: s.Path, bound: str) -> Iterator[Implication]:
        """So many objects are provably different; or so many are not even listed."""
        p, least = path_text(path, 1), reach(name, bound)
        if least is None:
            return
        pro, con = ("for", name, X, bound), ("against", name, X, bound)
        if least <= 0:
            yield Implication(pro, (("term", X),), 0)
        if least == 1:
            yield Implication(pro, (("for", p, X, Y),), 0)
        for terms, bits in self._cited.distinct:
            if len(terms) == least:
                yield from conjunction(pro, tuple(("for", p, X, term) for term in terms), bits)
        if least > 1:
            yield Implication(con, (("single", p), ("term", X)), 0)
        for x in self._subjects:
            known = self._listed(path, x)
            if known is not None and len(known[0]) < least:
                yield Implication(("against", name, x, bound), (("listed", p, x),), known[1])


def _parts(path: s.Path) -> tuple[s.Path, ...]:
    """The parts of a path: of more than two steps, or choices, the first and the rest."""
    if len(path.parts) > 2:
        return path.parts[0], replace(path, parts=path.parts[1:])
    return path.parts


def _clauses(kind: str, p: str, steps: Sequence[str]) -> Iterator[Clause]:
    """What a path of this kind is, given its steps; a relation is none."""
    a, b = steps[0] if steps else "", steps[-1] if steps else ""
    match kind:
        case "inverse":
            yield ("for", p, X, Y), (("for", a, Y, X),)
            yield ("against", p, X, Y), (("against", a, Y, X),)
        case "sequence":
            yield ("for", p, X, Z), (("for", a, X, Y), ("for", b, Y, Z))
            # The one first step goes to Y, and Y does not go on to Z; or the other way round.
            yield ("against", p, X, Z), (("single", a), ("for", a, X, Y), ("against", b, Y, Z))
            yield ("against", p, X, Z), (("lone", b), ("for", b, Y, Z), ("against", a, X, Y))
        case "alternative":
            yield ("for", p, X, Y), (("for", a, X, Y),)
            yield ("for", p, X, Y), (("for", b, X, Y),)
            yield ("against", p, X, Y), (("against", a, X, Y), ("against", b, X, Y))
            yield ("listed", p, X), (("listed", a, X), ("listed", b, X))
        case "closure":
            yield ("for", p, X, Y), (("for", a, X, Y),)
            yield ("for", p, X, Z), (("for", p, X, Y), ("for", a, Y, Z))


# ---------------------------------------------------------------- what a path is by declaration


def declared(book: RuleBook, statement: Sequence[str]) -> bool:
    """Is it so that a path has one end (`functional`, `single`) or one beginning
    (`inverse_functional`) at most, `starts` or `ends` in a class, or is a relation by another name
    (`alike`)?"""
    kind, name, *others = statement
    path = parse_path(name)
    if path is None or not {str(r) for r in path.relations} <= book.relations.keys():
        return False
    match kind, others:
        case "functional" | "single", []:
            return _has_one(book, path, False, at_end=True)
        case "inverse_functional", []:
            return path.kind != "relation" and _has_one(book, path, False, at_end=False)
        case "starts" | "ends", [cls]:
            return cls in _classes(book, path, False, at_end=kind == "ends")
        case "alike", [other]:
            return path.kind == "relation" and (other, False) in _names(book, name, False)
        case _:
            return False


def _names(book: RuleBook, relation: str, back: bool) -> set[tuple[str, bool]]:
    """A relation, gone forwards or backwards, in every way in which the rule file names it."""
    same: dict[str, set[tuple[str, bool]]] = {name: set() for name in book.relations}
    for name, declaration in book.relations.items():
        for item in declaration.properties:
            if item.kind == "symmetric":
                same[name].add((name, True))
            if item.kind == "inverse" and item.target and item.target.text in same:
                same[name].add((item.target.text, True))
                same[item.target.text].add((name, True))
    found, todo = {(relation, back)}, [(relation, back)]
    while todo:
        name, way = todo.pop()
        new = {(other, way != turned) for other, turned in same[name]} - found
        found |= new
        todo += new
    return found


def _has_one(book: RuleBook, path: s.Path, back: bool, *, at_end: bool) -> bool:
    """Is there one thing at most at the end, or at the beginning, of the path from any other?"""
    match path.kind:
        case "relation":
            return any(
                item.kind == ("functional" if at_end != way else "inverse_functional")
                for name, way in _names(book, str(path.relation), back)
                for item in book.relations[name].properties
            )
        case "inverse":
            return _has_one(book, path.parts[0], not back, at_end=at_end)
        case "sequence":
            return all(_has_one(book, part, back, at_end=at_end) for part in path.parts)
        case _:
            return False


def _classes(book: RuleBook, path: s.Path, back: bool, *, at_end: bool) -> set[str]:
    """The classes of everything at the end, or at the beginning, of the path."""
    match path.kind:
        case "relation":
            found = set()
            for name, way in _names(book, str(path.relation), back):
                relation = book.relations[name]
                found.add((relation.range if at_end != way else relation.domain).text)
            return found - set(DATATYPES)
        case "inverse":
            return _classes(book, path.parts[0], not back, at_end=at_end)
        case "sequence":
            part = path.parts[-1 if at_end != back else 0]
            return _classes(book, part, back, at_end=at_end)
        case _:
            sets = [_classes(book, part, back, at_end=at_end) for part in path.parts]
            return set.intersection(*sets)
