"""All completions of a tiny world, by trying every set of atoms: slow and obvious.

A direct reading of what a completion is.  It shares no code with the engine; what a complete
relation lists is taken from `tests/oracle.py`, which is plain Python too.  Every term is a known
entity or an exact value here, so that two terms are the same exactly when their names are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations, product

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from kgverify.graph.terms import XSD, literal_key
from kgverify.language import syntax as s
from kgverify.testing import World
from kgverify.testing.strategies import _passes
from kgverify.vocabulary import Candidate, Question
from tests.oracle import SUBCLASS, TYPE, Oracle
from tests.view_oracle import ORDER, compares

Atom = tuple[str, ...]  # (relation, subject, object) or (class, entity)
Clause = tuple[int, int, int]  # atoms that hold, atoms that don't: then one of these holds


class Completions:
    """The completions of a world, as sets of atoms; a set is a whole number, a bit for an atom.

    `imagined` further entities may be in them.  Where the rule file has relations to dates, their
    objects are among `DAYS`, and a fact that is known to the year is one of that year's."""

    def __init__(self, world: World, imagined: int = 0) -> None:
        self.book = world.book
        self.oracle = Oracle(world)
        facts, denied = self.oracle.facts, self.oracle.denied
        named = {t for x in facts | denied if x[1] not in (TYPE, SUBCLASS) for t in (x[0], x[2])}
        named |= {x[0] for x in facts | denied if x[1] == TYPE}
        named = {term for term in named if term[0] == "e"}
        self.entities = sorted(named | {"e" + name for name in ENTITIES})
        self.entities += [f"ething{n}" for n in range(imagined)]
        atoms: list[Atom] = [(c, e) for c in self.book.classes for e in self.entities]
        for name, relation in self.book.relations.items():
            pairs = product(self.entities, self._objects(relation))
            atoms += [(name, *pair) for pair in pairs]
        self.bit = {atom: 1 << n for n, atom in enumerate(atoms)}
        self.true = self._mask(facts)
        self.false = self._mask(denied)
        self.clauses = sorted({c for c in self._clauses() if not c[0] & c[2]})

    def _objects(self, relation: s.RelationDeclaration) -> list[str]:
        return [*DAYS] if relation.range.text == "date" else self.entities

    def _mask(self, facts: set[tuple[str, str, str]]) -> int:
        mask = 0
        for subject, relation, object_ in facts:
            atom = (object_[1:], subject) if relation == TYPE else (relation, subject, object_)
            mask |= self.bit.get(atom, 0)
        return mask

    @cached_property
    def all(self) -> list[int]:
        """Every completion."""
        if self.true & self.false:
            return []
        free = [b for b in self.bit.values() if not b & (self.true | self.false)]
        return tried_out(self.true, free, self.clauses)

    # ------------------------------------------------------------ what a world must obey

    def _clauses(self) -> Iterator[Clause]:
        bit = self.bit
        for cls in self.book.classes.values():
            for above in cls.supers:
                for e in self.entities:
                    yield bit[cls.name.text, e], 0, bit[above.text, e]
        for one, other, _ in self.book.disjoint_pairs:
            for atom in bit:
                if atom[0] == one:
                    yield bit[atom] | bit[(other, *atom[1:])], 0, 0
        for relation in self.book.relations.values():
            yield from self._relation(relation)
        for subject, relation_, object_ in self.oracle.facts:
            if object_ == YEAR:
                yield 0, 0, sum(bit[relation_, subject, day] for day in DAYS[:2])
        yield from self._completeness()
        for rule in self.book.rules:
            if rule.body:
                yield from self._rule(rule)

    def _relation(self, relation: s.RelationDeclaration) -> Iterator[Clause]:
        bit, r, all_ = self.bit, relation.name.text, self.entities
        kinds = {(p.kind, p.target.text if p.target else "") for p in relation.properties}
        if relation.range.text == "date":
            for x in all_:
                for y in DAYS:
                    yield bit[r, x, y], 0, bit[relation.domain.text, x]
                for y, z in combinations(DAYS, 2):
                    if ("functional", "") in kinds:
                        yield bit[r, x, y] | bit[r, x, z], 0, 0
            return
        for x, y in product(all_, all_):
            yield bit[r, x, y], 0, bit[relation.domain.text, x]
            yield bit[r, x, y], 0, bit[relation.range.text, y]
            for kind, other in kinds:
                match kind:
                    case "symmetric":
                        yield bit[r, x, y], 0, bit[r, y, x]
                    case "asymmetric":
                        yield bit[r, x, y] | bit[r, y, x], 0, 0
                    case "irreflexive" if x == y:
                        yield bit[r, x, x], 0, 0
                    case "inverse":
                        yield bit[r, x, y], 0, bit[other, y, x]
                        yield bit[other, y, x], 0, bit[r, x, y]
                    case "subrelation":
                        yield bit[r, x, y], 0, bit[other, x, y]
                for z in all_:
                    if kind == "functional" and y != z:
                        yield bit[r, x, y] | bit[r, x, z], 0, 0
                    if kind == "inverse_functional" and x != z:
                        yield bit[r, x, y] | bit[r, z, y], 0, 0
                    if kind == "transitive":
                        yield bit[r, x, y] | bit[r, y, z], 0, bit[r, x, z]

    def _completeness(self) -> Iterator[Clause]:
        evidence = self.oracle.evidence
        for statement in self.book.complete:
            r = statement.relation.text
            named = ["e" + term.text for term in statement.subjects]
            for x, y in product(self.entities, self.entities):
                covered = x in named if named else True
                if statement.cls:
                    covered = ("is", x, "e" + statement.cls.text) in evidence
                if covered and x in self.oracle.known and ("for", r, x, y) not in evidence:
                    yield self.bit[r, x, y], 0, 0

    def _rule(self, rule: s.Rule) -> Iterator[Clause]:
        parts = (rule.head, *rule.body)
        terms = [term for part in parts for term in part.terms]
        names = sorted({t.text for t in terms if t.kind is s.TermKind.VARIABLE})
        unnamed = [id(t) for t in terms if t.kind is s.TermKind.ANONYMOUS]
        for choice in product(self.entities, repeat=len(names) + len(unnamed)):
            values: dict[str | int, str] = dict(zip([*names, *unnamed], choice, strict=True))
            if not all(self._equal(c, values) for c in rule.body if isinstance(c, s.Comparison)):
                continue
            body = [c for c in rule.body if isinstance(c, s.Literal)]
            holds = fails = 0
            for literal in body:
                bit = self._bit(literal.atom, values)
                holds, fails = (holds, fails | bit) if literal.negated else (holds | bit, fails)
            head = self._bit(rule.head.atom, values)
            yield (holds | head, fails, 0) if rule.head.negated else (holds, fails, head)

    def _equal(self, condition: s.Comparison, values: dict[str | int, str]) -> bool:
        left, right = (self._name(term, values) for term in condition.terms)
        return (left == right) == (condition.operator == "=")

    def _bit(self, atom: s.Atom, values: dict[str | int, str]) -> int:
        terms = [self._name(term, values) for term in atom.terms]
        name = atom.cls.text if isinstance(atom, s.ClassAtom) else atom.relations[0].text
        return self.bit[(name, *terms)]

    def _name(self, term: s.Term, values: dict[str | int, str]) -> str:
        if term.kind is s.TermKind.ANONYMOUS:
            return values[id(term)]
        return values.get(term.text) or "e" + term.text

    # ------------------------------------------------------------ questions

    def truth(self, condition: s.Constraint, values: dict[str | int, str], world: int) -> bool:
        """Does a constraint hold in a completion?"""
        if isinstance(condition, s.Comparison):
            return self._equal(condition, values)
        if isinstance(condition, s.Literal):
            seen = self._listed(world) if condition.closed else world
            return self._holds(condition.atom, values, seen) != condition.negated
        size = len(condition.members)
        least = {"all": size, "any": 1, "least": condition.number}[condition.quantity]
        found = sum(self.truth(member, values, world) for member in condition.members)
        return (found >= least) != condition.negated

    def _listed(self, world: int) -> int:
        """What of a completion there is evidence for: all that counts where absence is falsehood.
        A fact that is known to the year is the first day of it that holds."""
        listed = world & self._evident
        for subject, relation, object_ in self.oracle.facts:
            if object_ == YEAR:
                days = (self.bit[relation, subject, day] for day in DAYS[:2])
                listed |= next(day for day in days if day & world)
        return listed

    @cached_property
    def _evident(self) -> int:
        mask = 0
        for kind, *atom in self.oracle.evidence:
            if kind == "for":
                mask |= self.bit.get(tuple(atom), 0)
            elif kind == "is":
                mask |= self.bit.get((atom[1][1:], atom[0]), 0)
        return mask

    def _holds(self, atom: s.Atom, values: dict[str | int, str], world: int) -> bool:
        match atom:
            case s.PathAtom():
                start, end = (self._name(term, values) for term in atom.arguments)
                return end in self._ends(atom.path, start, world)
            case s.ValueAtom():
                start, bound = (self._name(term, values) for term in atom.terms)
                days = self._ends(atom.path, start, world)
                return any(compares(day, atom.operator, _day(bound[1:])) for day in days)
            case s.CountAtom():
                path = atom.path
                start, number = (self._name(term, values) for term in atom.terms)
                if atom.arguments[0].kind is s.TermKind.ANONYMOUS:
                    path = s.Path("inverse", None, (path,), path.span)
                found = len(self._ends(path, start, world))
                return ORDER[atom.operator](found, int(number[1:]))
            case _:
                return bool(self._bit(atom, values) & world)

    def _ends(self, path: s.Path, start: str, world: int, back: bool = False) -> set[str]:
        """Everything that a path leads to in a completion, or that it leads from."""
        if path.kind == "inverse":
            return self._ends(path.parts[0], start, world, not back)
        if path.kind == "alternative":
            return {e for part in path.parts for e in self._ends(part, start, world, back)}
        if path.kind == "closure":
            found: set[str] = set()
            todo = {start}
            while todo:
                ends = (self._ends(path.parts[0], e, world, back) for e in todo)
                todo = set().union(*ends) - found
                found |= todo
            return found
        if path.kind == "sequence":
            here = {start}
            for part in reversed(path.parts) if back else path.parts:
                here = {e for middle in here for e in self._ends(part, middle, world, back)}
            return here
        relation = self.book.relations[str(path.relation)]
        others = self.entities if back else self._objects(relation)
        pairs = ((e, (e, start) if back else (start, e)) for e in others)
        return {e for e, pair in pairs if self.bit.get((str(path.relation), *pair), 0) & world}


def tried_out(true: int, free: list[int], clauses: Iterable[Clause]) -> list[int]:
    """Every set of bits that has those of `true`, any of `free`, and obeys the clauses.

    Each bit is tried both ways, and a clause is looked at once all its bits have been tried."""
    places = {bit: place for place, bit in enumerate(free)}
    due: dict[int, list[Clause]] = {}
    for clause in clauses:
        said = clause[0] | clause[1] | clause[2]
        last = max((place for bit, place in places.items() if bit & said), default=-1)
        due.setdefault(last, []).append(clause)
    worlds = np.full(1, true, np.int64)
    for place, bit in [(-1, 0), *((place, bit) for bit, place in places.items())]:
        if bit:
            worlds = np.concatenate([worlds, worlds | bit])
        for holds, fails, then in due.get(place, ()):
            broken = (worlds & holds == holds) & (worlds & fails == 0) & (worlds & then == 0)
            worlds = worlds[~broken]
    found: list[int] = worlds.tolist()
    return found


def status(truths: list[bool]) -> str:
    """Sat when all are true, viol when none is."""
    return "sat" if all(truths) else "unk" if any(truths) else "viol"


# ---------------------------------------------------------------- tiny worlds


def _day(text: str) -> str:
    return literal_key(text, XSD + ("gYear" if len(text) == 4 else "date"))


DAYS = tuple(map(_day, ("1990-02-03", "1990-07-08", "1991-05-06")))
YEAR = _day("1990")
ENTITIES = ("e0", "e1")
CLASSES = ("Alpha", "Beta")
RELATIONS = ("p", "q")
_PROPERTIES = (
    *("functional", "inverse functional", "symmetric", "asymmetric", "irreflexive", "transitive"),
)


@st.composite
def tiny_worlds(draw: st.DrawFn, complete: bool = True, blank: bool = False) -> World:
    """Two entities, two classes and two relations, or three entities and one of each: few enough
    atoms to try all sets of them.

    `complete` allows statements of completeness; with `blank` facts are also about a blank node."""
    wide = not blank and draw(st.booleans())
    entities = ("e0", "e1") if wide or blank else ("e0", "e1", "e2")
    classes, relations = (CLASSES, RELATIONS) if wide else (CLASSES[:1], RELATIONS[:1])
    lines = [f"class {classes[0]}"]
    if wide:
        lines.append("class Beta" + draw(st.sampled_from(["", "", " sub of Alpha"])))
        lines += draw(st.sampled_from([[], [], ["disjoint Alpha, Beta"]]))
        lines += draw(st.sampled_from([[], [], [], ["disjoint p, q"]]))
    for n, name in enumerate(relations):
        properties = draw(st.lists(st.sampled_from(_PROPERTIES), max_size=2, unique=True))
        if n and draw(st.integers(0, 2)) == 0:
            properties.append(draw(st.sampled_from(["sub of p", "inverse of p"])))
        domain, range_ = draw(st.sampled_from(classes)), draw(st.sampled_from(classes))
        lines.append(f"relation {name} ({domain}, {range_}) " + ", ".join(properties))
    if complete and draw(st.integers(0, 2)) == 0:
        scope = draw(st.sampled_from(["", " for Alpha", ' for "e0"']))
        lines.append(f"complete {draw(st.sampled_from(relations))}{scope}")
    atoms = _atoms(st.sampled_from(("X", "Y", "e0")), relations, classes)
    signed = st.one_of(atoms, atoms, st.builds("not {}".format, atoms))
    for _ in range(draw(st.integers(0, 3))):
        body = draw(st.lists(st.one_of(signed, st.just("X != Y")), min_size=1, max_size=3))
        rule = f"{draw(signed)} :- {', '.join(dict.fromkeys(body))}."
        if _passes([*lines, rule, _question("require x : Alpha")]):
            lines.append(rule)
    things = st.sampled_from((*("e" + e for e in entities), *(("bblank",) * 2 if blank else ())))
    facts = draw(
        st.lists(
            st.one_of(
                st.tuples(things, st.sampled_from(relations), things),
                st.tuples(things, st.just("rdf:type"), st.sampled_from(["e" + c for c in classes])),
            ),
            max_size=6,
            unique=True,
        )
    )
    kept, denied = facts[: draw(st.integers(0, 3))], facts[3 : draw(st.integers(3, 6))]
    leaves = _atoms(st.sampled_from(("x", "a", "x", "e0")), relations, classes)
    question = _question(*draw(_constraints(_some_closed(leaves) if blank else leaves)))
    assume(_passes([*lines, question]))
    known = tuple(("e" + e, "unrelated", "e" + e) for e in entities)
    return World("\n".join([*lines, question]), (*kept, *known), tuple(denied))


@st.composite
def dated_worlds(draw: st.DrawFn) -> World:
    """Two entities, what is known of their years, and a question that compares these."""
    functional = draw(st.sampled_from(["", " functional"]))
    days = st.lists(st.sampled_from([*DAYS, YEAR, YEAR]), max_size=2, unique=True)
    facts = [(e, "year", day) for e in ("ee0", "ee1") for day in draw(days)]
    signs, bounds = st.sampled_from(tuple(ORDER)), st.sampled_from(("1990", "1990-07-08"))
    compared = st.builds("year(x) {} {}".format, signs, bounds)
    more = st.sampled_from(["year(x) < 1990-03-04", "year(x) >= 1991", "count year(x, _) >= 2"])
    items = draw(_constraints(_some_closed(st.one_of(compared, compared, more))))
    lines = ["class Alpha", f"relation year (Alpha, date){functional}", _question(*items)]
    assume(_passes(lines))
    known = tuple(("e" + e, "unrelated", "e" + e) for e in ENTITIES)
    return World("\n".join(lines), (*facts, *known), ())


@st.composite
def viewed_worlds(draw: st.DrawFn, single: bool = False, blank: bool = False) -> World:
    """Two entities, and a question about paths, comparisons and counts; with `single`, about one
    relation and one view that needs no more than one entity that the graph does not name; with
    `blank`, facts are also about a blank node, and nothing is complete."""
    several = st.sampled_from([("p",), ("p", "q"), ("p", "year")])
    relations = ("p",) if single or blank else draw(several)
    lines = ["class Alpha"]
    if not single and draw(st.booleans()):
        lines += ["class Beta", "disjoint Alpha, Beta"]
    for name in relations:
        properties = draw(st.lists(st.sampled_from(_PROPERTIES), max_size=2, unique=True))
        if name == "q" and draw(st.integers(0, 2)) == 0:
            properties.append(draw(st.sampled_from(["sub of p", "inverse of p"])))
        range_ = draw(st.sampled_from([line.split()[1] for line in lines if "class" in line]))
        if name == "year":
            range_, properties = "date", draw(st.sampled_from([[], ["functional"]]))
        lines.append(f"relation {name} (Alpha, {range_}) " + ", ".join(properties))
    links = [name for name in relations if name != "year"]
    if not blank and "year" not in relations and draw(st.integers(0, 2)) == 0:
        scope = draw(st.sampled_from(["", " for Alpha", ' for "e0"']))
        lines.append(f"complete {draw(st.sampled_from(links))}{scope}")
    atoms = _atoms(st.sampled_from(("X", "Y", "Z")), tuple(links), ("Alpha",))
    signed = st.one_of(atoms, atoms, st.builds("not {}".format, atoms))
    for _ in range(draw(st.integers(0, 2))):
        body = draw(st.lists(signed, min_size=1, max_size=3))
        rule = f"{draw(signed)} :- {', '.join(dict.fromkeys(body))}."
        if _passes([*lines, rule, _question("require x : Alpha")]):
            lines.append(rule)
    things = st.sampled_from(("ee0", "ee1", *(("bblank",) * 2 if blank else ())))
    facts = [st.tuples(things, st.sampled_from(links), things)]
    if "year" in relations:
        facts.append(st.tuples(things, st.just("year"), st.sampled_from([*DAYS, YEAR])))
    kept = draw(st.lists(st.one_of(facts), max_size=3, unique=True))
    denied = draw(st.lists(facts[0], max_size=2, unique=True))
    plain = _atoms(st.sampled_from(("x", "a", "x")), tuple(links), ("Alpha",))
    steps = st.sampled_from([*links, *(f"^{name}" for name in links)])
    pairs = list(combinations(links, 2))
    ways = [st.builds("{}/{}".format, steps, steps), st.builds("{}|{}".format, steps, steps)]
    if not single:
        ways.append(st.builds("({}|{})/{}".format, steps, steps, steps))
        ways += [st.builds("{}/{}/{}".format, steps, steps, steps)]
        chains = st.sampled_from(["p+", "(p|^p)+", *(f"({a}|{b})+" for a, b in pairs)])
        ways += [chains, st.builds("{}/{}".format, steps, chains)]
        ways += [st.builds("{}/{}".format, chains, steps)]
    ends = st.sampled_from(("a", "x"))
    paths = st.builds("{}({}, {})".format, st.one_of(ways), ends, ends)
    signs = st.sampled_from(tuple(ORDER))
    counts = st.builds("count {}(x, _) {}".format, steps, st.sampled_from([">= 1", "<= 0"]))
    if single:
        view = st.one_of(paths, counts)
    else:
        views = [
            paths,
            st.builds("count {}(x, _) {} {}".format, steps, signs, st.sampled_from("012")),
        ]
        views.append(st.builds("count {}(x, _) {} 1".format, st.one_of(ways), signs))
        if "year" in relations:
            bounds = st.sampled_from(("1990", "1990-07-08", "1990-03-04"))
            years = st.sampled_from(("year", "year", "p/year"))
            views += [st.builds("{}(x) {} {}".format, years, signs, bounds)] * 3
        view = st.one_of(views)
    one = draw(view)
    leaves = _some_closed(st.one_of(plain, st.just(one), st.just(one) if single else view))
    question = _question(*draw(_constraints(leaves)))
    assume(_passes([*lines, question]))
    known = tuple(("e" + e, "unrelated", "e" + e) for e in ENTITIES)
    return World("\n".join([*lines, question]), (*kept, *known), tuple(denied))


@st.composite
def closed_worlds(draw: st.DrawFn) -> World:
    """Two entities and a blank node, one relation, and a question that is assumed closed."""
    is_link = draw(st.integers(0, 3)) > 0
    kinds = _PROPERTIES if is_link else ("functional",)
    properties = draw(st.lists(st.sampled_from(kinds), max_size=1))
    range_ = draw(st.sampled_from(["Alpha", "Beta"])) if is_link else "date"
    lines = ["class Alpha, Beta", f"relation p (Alpha, {range_}) " + ", ".join(properties)]
    things = st.sampled_from(("ee0", "ee1", "bblank", "bblank"))
    objects = things if is_link else st.sampled_from([*DAYS, YEAR])
    facts = st.one_of(
        st.tuples(things, st.just("p"), objects),
        st.tuples(things, st.just("p"), objects),
        st.tuples(things, st.just("rdf:type"), st.just("eBeta")),
    )
    kept = draw(st.lists(facts, min_size=1, max_size=3, unique=True))
    assume(any("bblank" in fact for fact in kept))
    if is_link:
        steps = st.sampled_from(["p", "^p"])
        ways = st.one_of(
            steps,
            st.builds("{}/{}".format, steps, steps),
            st.sampled_from(["p+", "(p|^p)+", "p|^p", "p|(p/p)", "p/p+", "p/p/p"]),
        )
        ends = st.sampled_from(("a", "x"))
        views = [
            st.builds("{}({}, {})".format, ways, ends, ends),
            st.builds("count {}(x, _) >= {}".format, ways, st.sampled_from("12")),
        ]
    else:
        signs, bounds = st.sampled_from(tuple(ORDER)), st.sampled_from(("1990", "1990-07-08"))
        views = [st.builds("p(x) {} {}".format, signs, bounds), st.just("count p(x, _) >= 1")]
    leaf = st.one_of(*views, *views, st.just("x : Beta"))
    question = _question(f"require {draw(leaf)} assume closed")
    assume(_passes([*lines, question]))
    known = tuple(("e" + e, "unrelated", "e" + e) for e in ENTITIES)
    return World("\n".join([*lines, question]), (*kept, *known), ())


@st.composite
def chained_worlds(draw: st.DrawFn, ruled: bool = True) -> World:
    """Two entities, one relation, and a question about the chains of its steps; with `ruled` there
    may be a rule."""
    lines = [
        "class Alpha",
        *draw(st.sampled_from([[], [], ["class Beta", "disjoint Alpha, Beta"]])),
    ]
    properties = draw(st.lists(st.sampled_from(_PROPERTIES[:-1]), max_size=2, unique=True))
    range_ = draw(st.sampled_from(["Alpha", "Alpha", "Beta" if len(lines) > 1 else "Alpha"]))
    lines.append(f"relation p (Alpha, {range_}) " + ", ".join(properties))
    if draw(st.integers(0, 2)) == 0:
        lines.append("complete p" + draw(st.sampled_from(["", " for Alpha", ' for "e0"'])))
    atoms = _atoms(st.sampled_from(("X", "Y", "Z")), ("p",), ("Alpha",))
    signed = st.one_of(atoms, atoms, st.builds("not {}".format, atoms))
    if ruled and draw(st.booleans()):
        body = draw(st.lists(signed, min_size=1, max_size=3, unique=True))
        rule = f"{draw(signed)} :- {', '.join(body)}."
        if _passes([*lines, rule, _question("require x : Alpha")]):
            lines.append(rule)
    things = st.sampled_from(("ee0", "ee1"))
    facts = st.tuples(things, st.just("p"), things)
    kept = draw(st.lists(facts, max_size=3, unique=True))
    denied = draw(st.lists(facts, max_size=2, unique=True))
    ends = st.sampled_from(("a", "x"))
    chains = st.sampled_from(("p+", "p+", "(p|^p)+"))
    chain = draw(st.builds("{}({}, {})".format, chains, ends, ends))
    plain = _atoms(st.sampled_from(("x", "a", "x")), ("p",), ("Alpha",))
    question = _question(*draw(_constraints(st.one_of(plain, st.just(chain)))))
    assume(_passes([*lines, question]))
    known = tuple(("e" + e, "unrelated", "e" + e) for e in ENTITIES)
    return World("\n".join([*lines, question]), (*kept, *known), tuple(denied))


@st.composite
def _constraints(draw: st.DrawFn, leaves: st.SearchStrategy[str]) -> list[str]:
    """The items of a question."""
    signed = st.one_of(leaves, st.builds("not {}".format, leaves), st.just("x != a"))
    groups = st.builds(
        lambda quantity, members: f"{quantity} {{ {', '.join(members)} }}",
        st.sampled_from(["all of", "any of", "at least 2 of", "not all of", "not any of"]),
        st.lists(signed, min_size=2, max_size=3, unique=True),
    )
    constraint = st.one_of(leaves, groups, groups)
    asked = draw(st.lists(constraint, min_size=1, max_size=3, unique=True))
    demand = st.sampled_from(["require", "exclude", "prefer"])
    return [f"{draw(demand)} {text}" for text in asked]


def _some_closed(leaves: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """The leaves of constraints, some of which are assumed closed."""
    return st.one_of(leaves, leaves, leaves, st.builds("{} assume closed".format, leaves))


def _atoms(
    terms: st.SearchStrategy[str], relations: tuple[str, ...], classes: tuple[str, ...]
) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{}({}, {})".format, st.sampled_from(relations), terms, terms),
        st.builds("{} : {}".format, terms, st.sampled_from(classes)),
    )


def _question(*items: str) -> str:
    lines = ["question ask(a: Alpha)", '    "Which?"', "    answer x : Alpha"]
    return "\n".join([*lines, *(f"    {item}" for item in items)])


def questions(world: World) -> list[Question]:
    """The question of a tiny world, about every pair of entities."""
    named = sorted({t[1:] for f in world.facts if f[1] == "unrelated" for t in (f[0], f[2])})
    candidates = tuple(map(Candidate, named))
    return [Question(a, "ask", {"a": a}, candidates) for a in named]
