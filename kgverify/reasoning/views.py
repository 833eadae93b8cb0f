"""Views: the relations that a question makes out of those of the rule file.

A path relates things, a comparison relates a thing to the values that its own compare with, a
count relates a thing to numbers.  Each becomes a relation with a name of its own, which the
encodings (paths.lp, listed.lp, values.lp, counts.lp, closed.lp) define from the facts that are made
here, so that gathering, grounding and proofs treat it like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce

from kgverify.errors import Span
from kgverify.language import syntax as s
from kgverify.language.normal_forms import normal_path
from kgverify.language.printing import path_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.datalog import Atom, Constant, Origin

COMPARISONS = {"<": "lt", "<=": "le", "=": "eq", "!=": "ne", ">=": "ge", ">": "gt"}

_PATHS = ("mirror", "sequence", "alternative", "closure")

# How a count is asked: the view, and whether the constraint denies it.
COUNTS = {
    ">=": ("least", False),
    ">": ("more", False),
    "<": ("least", True),
    "<=": ("more", True),
}


@dataclass(frozen=True, slots=True)
class View:
    """`name` stands for the view in the program, `text` has `{0}` and `{1}` for its arguments;
    `datatype` is that of the second, "" for an entity.  `base` is the path whose values a
    comparison or a count looks at, "" for a path; `operator` is that of a comparison, and `>=` or
    `>` for a count (`counts`).  `relation` is the relation that the view is at a time, which is
    `time`, or at some time, which is "".  It is "" for all other views."""

    name: str
    text: str
    datatype: str
    base: str = ""
    operator: str = ""
    counts: bool = False
    relation: str = ""
    time: str = ""

    @property
    def ever(self) -> str:
        """The relation that the view is at some time, "" for all other views."""
        return "" if self.time else self.relation

    @property
    def kind(self) -> str:
        """`path`, `value` (a comparison), `count`, `time` or `ever` (a relation at some time)."""
        if self.relation:
            return "time" if self.time else "ever"
        return "path" if not self.base else "count" if self.counts else "value"

    @property
    def syntax(self) -> str:
        """The view as the rule language writes it, without its arguments."""
        if self.relation:
            return f"{self.relation} at {self.time}" if self.time else self.relation
        measured = f"{self.base} {self.operator}" if self.base else self.name
        return f"count {measured}" if self.counts else measured


class Views:
    """The views of one question, and the facts that define them."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book
        self.views: dict[str, View] = {}
        self.facts: dict[Atom, Origin] = {}

    def path(self, path: s.Path) -> str:
        """The name of a path in normal form: that of its relation when it is nothing else."""
        name = path_text(path, 1)
        if name in self.views:
            return name
        if _is(self._book, path, "functional"):
            self._fact("single", name, span=path.span, origin=self._said("single", path))
        for cls in sorted(_classes(self._book, path, end=False)):
            origin = self._said("starts", path, cls)
            self._fact("starts", name, cls, span=path.span, origin=origin)
        if path.relation is not None:
            for other, mirrored in _readings(name, self._book)[1:]:
                if not mirrored:
                    self._fact("alike", name, other, span=path.span)
            return name
        datatype = _datatype(self._book, path)
        self.views[name] = View(name, f"{name}({{0}}, {{1}})", datatype)
        parts = [self.path(part) for part in path.parts]
        kind = {"inverse": "mirror"}.get(path.kind, path.kind)
        if len(parts) > 2:  # the steps after the first are a path of their own
            rest = replace(path, parts=path.parts[1:])
            parts = [parts[0], self.path(rest)]
        self._fact(kind, name, *parts, span=path.span)
        for cls in sorted(_classes(self._book, path, end=True)):
            self._fact("ends", name, cls, span=path.span)
        for predicate in ("functional", "inverse_functional"):
            if _is(self._book, path, predicate):
                self._fact(predicate, name, span=path.span)
        return name

    def value(self, atom: s.ValueAtom) -> str:
        """The name of the view that relates subjects to the values that theirs compare with."""
        path = normal(atom.path, self._book)
        base = self.path(path)
        name = f"{base}.{atom.operator}"
        text = f"{path_text(atom.path, 1)}({{0}}) {atom.operator} {{1}}"
        self.views[name] = View(name, text, _datatype(self._book, path), base, atom.operator)
        self._fact("compares", name, base, COMPARISONS[atom.operator], span=atom.span)
        return name

    def count(self, atom: s.CountAtom) -> str:
        """The name of the view that relates subjects to the numbers that their counts reach."""
        path = atom.path
        counted = "{0}, _"
        if atom.arguments[0].kind is s.TermKind.ANONYMOUS:
            path, counted = s.Path("inverse", None, (path,), path.span), "_, {0}"
        base = self.path(normal(path, self._book))
        kind, _ = COUNTS[atom.operator]
        name = f"#{base}.{kind}"
        sign = ">=" if kind == "least" else ">"
        text = f"count {path_text(atom.path, 1)}({counted}) {sign} {{1}}"
        self.views[name] = View(name, text, "integer", base, sign, counts=True)
        self._fact("counts", name, base, kind, span=atom.span)
        return name

    def at(self, name: str, time: str, span: Span) -> str:
        """The name of the view that is a relation at a time; `time` is a date, or `?` and the
        parameter that is one."""
        view = f"{name}@{time}"
        if view not in self.views:
            text = f"{name}({{0}}, {{1}}) at {time}"
            datatype = _datatype(self._book, _single(name, span))
            self.views[view] = View(view, text, datatype, relation=name, time=time)
            self._fact("at", view, name, time, span=span)
            for item in self._book.relations[name].properties:
                if item.kind in ("functional", "functional_at_a_time"):
                    origin = schema_origin(item.span, item.kind, name)
                    self._fact("functional", view, span=item.span, origin=origin)
            if any(statement.relation.text == name for statement in self._book.complete):
                self._fact("closed", view, span=span)
            self._relate(view, name, lambda other: self.at(other, time, span))
            self._time(name, span)
        return view

    def ever(self, name: str, span: Span) -> str:
        """The name of the view that is a relation at some time: the relation itself, unless two of
        its stated facts may exclude each other for their times."""
        above = _above(self._book, name)
        if not any(_declares(self._book, one, "functional_at_a_time") for one in above):
            return name
        view = f"{name}@ever"
        if view not in self.views:
            datatype = _datatype(self._book, _single(name, span))
            self.views[view] = View(view, f"{name}({{0}}, {{1}})", datatype, relation=name)
            self._fact("ever", view, name, span=span)
            self._relate(view, name, lambda other: self.ever(other, span))
            self._time(name, span)
        return view

    def _relate(self, view: str, name: str, other: Callable[[str], str]) -> None:
        """Relate the view of a relation to the same views of the relations next to it, as the
        declarations of the relations say."""
        for item in self._book.relations[name].properties:
            if item.kind == "symmetric":
                origin = schema_origin(item.span, "symmetric", name)
                self._fact("symmetric", view, span=item.span, origin=origin)
        for kind, one, two, span in _links(self._book):
            if one == name or (two == name and kind == "inverse"):
                views = other(one), other(two)
                if all(found in self.views for found in views):
                    origin = schema_origin(span, kind, one, two)
                    self._fact(kind, *views, span=span, origin=origin)

    def _time(self, name: str, span: Span) -> None:
        """Note that the periods of a relation matter, and so those of what it follows from."""
        fact = Atom("timed", (name,))
        if fact not in self.facts:
            self.facts[fact] = Origin("schema", "", span, ("timed", name))
            for kind, one, two, _ in _links(self._book):
                if two == name:
                    self._time(one, span)
                elif one == name and kind == "inverse":
                    self._time(two, span)

    def assume_closed(self, name: str, span: Span) -> None:
        """Let the absence of evidence for the relation or view count as its falsehood."""
        base = self.views[name].base if name in self.views else ""
        self._fact("assumed" if base else "closed", name, span=span)
        for relation in self._passed(base or name):
            self._fact("passes", name, relation, span=span)

    def assume_class_closed(self, name: str, span: Span) -> None:
        """Let the absence of evidence for a member of the class count as its falsehood."""
        self._fact("closed_class", name, span=span)

    def _passed(self, path: str) -> list[str]:
        """The relations that the ways of a path take, where they may take several steps; none where
        each is one step."""
        parts: dict[str, tuple[str, tuple[str, ...]]] = {}
        for atom in self.facts:
            if atom.predicate in _PATHS:
                name, *below = map(str, atom.arguments)
                parts[name] = atom.predicate, tuple(below)
        reached = [path]
        for name in reached:
            reached += [below for below in parts.get(name, ("", ()))[1] if below not in reached]
        several = any(parts[n][0] in ("sequence", "closure") for n in reached if n in parts)
        return [name for name in reached if name not in parts] if several else []

    def _fact(
        self,
        predicate: str,
        *arguments: str,
        span: Span,
        text: str = "",
        origin: Origin | None = None,
    ) -> None:
        """Add a fact, with its origin where it is no other than what the views say."""
        text = text or _SAYS.get(predicate, "").format(*arguments)
        own = Origin("schema", text, span, (predicate, *arguments))
        self.facts.setdefault(Atom(predicate, arguments), origin or own)

    def _said(self, predicate: str, path: s.Path, cls: str = "") -> Origin | None:
        """The declaration that says this of a relation by itself; None where none does."""
        if path.relation is None:
            # That a path has one end is one statement, whatever it is used for.
            text = _SAYS["functional"].format(path_text(path, 1))
            said = ("functional", path_text(path, 1))
            return Origin("schema", text, path.span, said) if predicate == "single" else None
        relation = self._book.relations[path.relation.text]
        if predicate == "starts":
            own = relation.domain.text == cls
            return schema_origin(relation.span, "domain", relation.name.text, cls) if own else None
        for item in relation.properties:
            if item.kind == "functional":
                return schema_origin(item.span, "functional", relation.name.text)
        return None


SCHEMA_SAYS = {
    "symmetric": "`{0}` is symmetric",
    "transitive": "`{0}` is transitive",
    "functional": "`{0}` is functional: a subject has one object",
    "functional_at_a_time": "`{0}` is functional at a time: a subject has one object at a time",
    "inverse_functional": "`{0}` is inverse functional: an object has one subject",
    "asymmetric": "`{0}` is asymmetric",
    "irreflexive": "`{0}` is irreflexive",
    "inverse": "`{0}` and `{1}` are inverse",
    "subrelation": "`{0}` is a kind of `{1}`",
    "domain": "the subject of `{0}` is in class {1}",
    "range": "the object of `{0}` is in class {1}",
    "disjoint": "`{0}` and `{1}` are disjoint",
    "disjoint_classes": "`{0}` and `{1}` are disjoint",
    "complete": "`{0}` is complete",
    "complete_for": "`{0}` is complete for every {1}",
    "complete_subject": "`{0}` is complete for this subject",
}


def schema_origin(span: Span | None, predicate: str, *arguments: Constant) -> Origin:
    """What a declaration says, as the origin of a fact."""
    text = SCHEMA_SAYS[predicate].format(*arguments) if predicate in SCHEMA_SAYS else ""
    return Origin("schema", text, span, (predicate, *arguments))


# What is said of views; what defines one is no statement that a proof could cite.
DEFINITIONS = frozenset(
    {
        *("mirror", "sequence", "alternative", "closure", "compares", "counts", "assumed"),
        *("at", "ever", "timed"),
    }
)
_SAYS = {
    "mirror": "`{0}` is `{1}` read backwards",
    "sequence": "`{0}` goes by `{1}`, then by `{2}`",
    "alternative": "`{0}` goes by `{1}` or by `{2}`",
    "closure": "`{0}` goes by `{1}`, once or more often",
    "starts": "`{0}` starts at members of {1}",
    "ends": "`{0}` ends at members of {1}",
    "single": "`{0}` has one end at most",
    "alike": "`{0}` and `{1}` have one inverse",
    "functional": "`{0}` has one end at most",
    "inverse_functional": "`{0}` has one beginning at most",
    "at": "`{1}` is asked about {2}",
    "compares": "a value of `{1}` compares",
    "counts": "the values of `{1}` are counted",
}


def normal(path: s.Path, book: RuleBook) -> s.Path:
    """The normal form of a path (`normal_path`), with `^` only where the rule file has no name for
    the inverse, and without a closure of what is transitive."""
    return normal_path(_by_declaration(normal_path(path), book))


def _by_declaration(path: s.Path, book: RuleBook) -> s.Path:
    if path.kind == "inverse":
        (relation,) = path.parts[0].relations
        found = _inverses(relation.text, book)
        return _single(found[0], relation.span) if found else path
    parts = tuple(_by_declaration(part, book) for part in path.parts)
    if path.kind == "closure" and _transitive(book, parts[0]):
        return parts[0]
    return replace(path, parts=parts)


def _inverses(name: str, book: RuleBook) -> list[str]:
    """The relations that the rule file declares to be the inverse of this one."""
    return [other for other, mirrored in _readings(name, book) if mirrored]


def _readings(name: str, book: RuleBook) -> list[tuple[str, bool]]:
    """The relations that are this one by declaration (itself first), or its inverse (then True)."""
    found = [(name, False)]
    for one, mirrored in found:
        others = [one] if _declares(book, one, "symmetric") else []
        for relation in book.relations.values():
            for item in relation.properties:
                if item.kind == "inverse" and item.target:
                    pair = relation.name.text, item.target.text
                    others += [there for here, there in (pair, pair[::-1]) if here == one]
        found += [(r, not mirrored) for r in others if (r, not mirrored) not in found]
    return found


def _transitive(book: RuleBook, path: s.Path) -> bool:
    if path.kind == "inverse":
        return _transitive(book, path.parts[0])
    return path.relation is not None and _declares(book, path.relation.text, "transitive")


def _single(name: str, span: Span) -> s.Path:
    return s.Path("relation", s.Ident(name, span), (), span)


def _links(book: RuleBook) -> Iterator[tuple[str, str, str, Span]]:
    """The declared `inverse` and `subrelation` pairs of relations, and where they are declared."""
    for name, relation in book.relations.items():
        for item in relation.properties:
            if item.target and item.kind in ("inverse", "subrelation"):
                yield item.kind, name, item.target.text, item.span


def _above(book: RuleBook, name: str) -> frozenset[str]:
    """The relations of which a fact of this one is a fact, perhaps read backwards."""
    found, todo = {name}, [name]
    while todo:
        here = todo.pop()
        for kind, one, two, _ in _links(book):
            there = two if one == here else one if two == here and kind == "inverse" else here
            if there not in found:
                found.add(there)
                todo.append(there)
    return frozenset(found)


_MIRRORED = {"functional": "inverse_functional", "inverse_functional": "functional"}


def _is(book: RuleBook, path: s.Path, predicate: str) -> bool:
    """Is a path functional, or inverse functional?"""
    match path.kind:
        case "relation":
            assert path.relation is not None
            return any(
                _declares(book, name, _MIRRORED[predicate] if mirrored else predicate)
                for name, mirrored in _readings(path.relation.text, book)
            )
        case "inverse":
            return _is(book, path.parts[0], _MIRRORED[predicate])
        case "sequence":
            return all(_is(book, part, predicate) for part in path.parts)
        case _:
            return False


def only_declaration(book: RuleBook, path: s.Path, predicate: str) -> Iterator[Span]:
    """Where it is declared that the steps of a path are functional, or inverse functional, of those
    for which one declaration alone says it."""
    if path.relation is not None:
        readings = _readings(path.relation.text, book)
        found = [
            item.span
            for name, mirrored in readings
            for item in book.relations[name].properties
            if item.kind == (_MIRRORED[predicate] if mirrored else predicate)
        ]
        if len(found) == 1:
            yield from found
    for part in path.parts:
        turned = path.kind == "inverse"
        yield from only_declaration(book, part, _MIRRORED[predicate] if turned else predicate)


def _declares(book: RuleBook, relation: str, predicate: str) -> bool:
    return any(item.kind == predicate for item in book.relations[relation].properties)


def _classes(book: RuleBook, path: s.Path, end: bool) -> frozenset[str]:
    """Classes that everything at the beginning of the path, or at its end, is in."""
    match path.kind:
        case "relation":
            assert path.relation is not None
            readings = _readings(path.relation.text, book)
            relations = [(book.relations[name], mirrored) for name, mirrored in readings]
            found = (r.range if end != mirrored else r.domain for r, mirrored in relations)
            return frozenset(name.text for name in found if name.text not in DATATYPES)
        case "inverse":
            return _classes(book, path.parts[0], not end)
        case "alternative":
            ways = (_classes(book, part, end) for part in path.parts)
            return reduce(frozenset.intersection, ways)
        case _:
            return _classes(book, path.parts[-1 if end else 0], end)


def _datatype(book: RuleBook, path: s.Path) -> str:
    """The datatype of the path's objects, "" when they are entities."""
    if path.relation is not None:
        return book.datatype(path.relation.text)
    return "" if path.kind == "inverse" else _datatype(book, path.parts[-1])


def equal_to(literal: s.Literal) -> s.Constraint:
    """A count that is asked to be, or not to be, a number, as a group of bounds on either side; any
    other literal as it is."""
    atom = literal.atom
    if not isinstance(atom, s.CountAtom) or atom.operator not in ("=", "!="):
        return literal
    bounds = tuple(_bounds(replace(literal, negated=False), atom))
    denied = literal.negated != (atom.operator == "!=")
    return s.Group("all", 0, bounds, denied, literal.span)


def _bounds(literal: s.Literal, atom: s.CountAtom) -> Iterator[s.Literal]:
    for operator in (">=", "<="):
        yield replace(literal, atom=replace(atom, operator=operator))
