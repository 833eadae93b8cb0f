"""What a small graph may be made of: things, values, and the facts about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from kgverify.errors import Span
from kgverify.graph.terms import value_key
from kgverify.language import syntax as s
from kgverify.language.dependencies import dependencies
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.language.scanning import KEYWORDS
from kgverify.reasoning.knowledge import TYPE

NOWHERE = Span("")
_PLAIN = re.compile(r"[a-z]\w*", re.ASCII)
_IRI = re.compile(r"[^<>\"{}|^`\\\s]+:[^<>\"{}|^`\\\s]+")
_DATE = re.compile(r"\d{4,}-\d{2}(-\d{2})?")
_DAY = timedelta(days=1)
# Of each datatype two values that differ, for what the rule file compares with nothing.
_VALUES = {
    "integer": ("1", "2"),
    "decimal": ("1", "2.5"),
    "number": ("1", "2.5"),
    "date": ("1990-05-01", "1991-02-03"),
    "string": ("red", "blue"),
    "boolean": ("true", "false"),
}


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity or a value: its key in a graph, and how the rule language writes it."""

    key: str
    term: s.Term = field(compare=False)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a graph may have, or may deny; `relation` is the graph's name, or that of types.
    The object of a type is a class, by the graph's name too."""

    relation: str
    subject: Thing
    object: Thing
    denied: bool

    @property
    def triple(self) -> tuple[str, str, str]:
        return self.subject.key, self.relation, self.object.key


@dataclass(frozen=True, slots=True)
class Asked:
    """Who is asked about: a candidate, and an argument for each parameter."""

    candidate: Thing
    arguments: tuple[Thing, ...]


@dataclass(frozen=True)
class Domain:
    """Everything that graphs of a search are made of.

    `named` are entities that the rule files name, `unnamed` those without a name; `options` says
    who may be asked about, the plainest first."""

    facts: tuple[Fact, ...]
    named: tuple[Thing, ...]
    own: tuple[Thing, ...]
    unnamed: tuple[Thing, ...]
    values: tuple[Thing, ...]
    options: tuple[Asked, ...] = ()

    @property
    def entities(self) -> tuple[Thing, ...]:
        return (*self.own, *self.named, *self.unnamed)


def entity(name: str) -> Thing:
    """The entity of this id."""
    if _PLAIN.fullmatch(name) and name not in KEYWORDS:
        kind = s.TermKind.NAME
    else:
        kind = s.TermKind.IRI if _IRI.fullmatch(name) else s.TermKind.STRING
    return Thing("e" + name, s.Term(kind, name, NOWHERE))


def value(text: str, datatype: str) -> Thing:
    """The value of this text."""
    if datatype in ("string", "boolean"):
        kind = s.TermKind.STRING
    else:
        kind = s.TermKind.DATE if _DATE.fullmatch(text) else s.TermKind.NUMBER
    return Thing(value_key(text, datatype), s.Term(kind, text, NOWHERE))


# ---------------------------------------------------------------- what matters


@dataclass(frozen=True, slots=True)
class Scope:
    """The relations (with the datatypes of their objects, "" for entities) and classes that facts
    may concern, by the graph's names."""

    relations: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]


def scope(books: Sequence[RuleBook], names: Iterable[str]) -> Scope:
    """The relations and classes among `names`, by the rule files' names, with the classes that
    these are linked to."""
    wanted = set(names)
    relations: dict[tuple[str, str], None] = {}
    classes: dict[str, None] = {}
    for book in books:
        found = [name for name in book.relations if name in wanted]
        relations |= {(book.kg_name(name), book.datatype(name)): None for name in found}
        ends = [book.relations[name].domain.text for name in found]
        ends += [book.relations[name].range.text for name in found]
        linked = _linked(book, {*ends, *wanted} & book.classes.keys())
        classes |= {book.kg_name(name): None for name in book.classes if name in linked}
    return Scope(tuple(relations), tuple(classes))


def _linked(book: RuleBook, names: set[str]) -> set[str]:
    """These classes, those above and below them, and those that share no member with them."""
    pairs = [(one, other) for one, other, _ in book.disjoint_pairs if one in book.classes]
    pairs += [(cls.name.text, p.text) for cls in book.classes.values() for p in cls.supers]
    found, todo = set(names), list(names)
    while todo:
        name = todo.pop()
        near = {b for a, b in pairs if a == name} | {a for a, b in pairs if b == name}
        todo += near - found
        found |= near
    return found


def body_names(book: RuleBook, rule: s.Rule) -> set[str]:
    """The relations and classes that a rule, and what its conclusion may clash with, rest on."""
    conditions = [c for c in (rule.head, *rule.body) if isinstance(c, s.Literal)]
    return rests_on(book, *(name for c in conditions for name in _names(c.atom)))


def rests_on(book: RuleBook, *names: str) -> set[str]:
    """The relations and classes that evidence about these rests on, signatures aside."""
    edges: dict[str, set[str]] = {}
    for edge in dependencies(book):
        if edge.why != "signature":
            edges.setdefault(edge.head[1], set()).add(edge.body[1])
    todo, seen = list(names), set[str]()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += edges.get(name, ())
    return seen


def rules_about(book: RuleBook, names: set[str]) -> list[s.Rule]:
    """The rules that conclude about one of the relations and classes."""
    return [r for r in book.rules if r.body and not names.isdisjoint(_names(r.head.atom))]


def _names(atom: s.Atom) -> list[str]:
    return [atom.cls.text] if isinstance(atom, s.ClassAtom) else [r.text for r in atom.relations]


# ---------------------------------------------------------------- things and values


def constants(book: RuleBook, names: set[str], question: s.Question | None) -> list[Thing]:
    """The entities that the rule file names where one of the relations or classes matters."""
    found: dict[Thing, None] = {}

    def add(terms: Iterable[s.Term], own: Iterable[str] = ()) -> None:
        for term in terms:
            if not term.is_variable and not (term.kind is s.TermKind.NAME and term.text in own):
                found[entity(book.entity_ids(term)[0])] = None

    for rule in book.rules:
        literals = [c for c in (rule.head, *rule.body) if isinstance(c, s.Literal)]
        if any(name in names for c in literals for name in _names(c.atom)):
            add(t for c in literals for t in _entity_terms(book, c.atom))
            values = any(book.is_literal(n) for c in literals for n in _names(c.atom))
            if not values:
                add(t for c in rule.body if isinstance(c, s.Comparison) for t in c.terms)
    for statement in book.complete:
        if statement.relation.text in names:
            add(statement.subjects[:2])  # they are complete alike
    if question is not None:
        own = {question.answer.text, *(p.name.text for p in question.parameters)}
        for item in question.items:
            add(item.exceptions)
            for leaf in s.leaves(item.condition):
                if isinstance(leaf, s.Literal):
                    add(_entity_terms(book, leaf.atom), own)
                elif not _compares_values(leaf, question):
                    add(leaf.terms, own)
    joined = [same for same in book.same if any(_is(book, t, found) for t in same.terms)]
    for same in joined:
        add(same.terms)
    return list(found)


def _is(book: RuleBook, term: s.Term, found: Iterable[Thing]) -> bool:
    return entity(book.entity_ids(term)[0]) in found


def _compares_values(comparison: s.Comparison, question: s.Question) -> bool:
    types = {p.name.text: p.type.text for p in question.parameters}
    kinds = (s.TermKind.NUMBER, s.TermKind.DATE)
    return any(types.get(t.text) in DATATYPES or t.kind in kinds for t in comparison.terms)


def _entity_terms(book: RuleBook, atom: s.Atom) -> Sequence[s.Term]:
    if isinstance(atom, s.ValueAtom | s.CountAtom):
        return atom.arguments
    ends_in_value = not isinstance(atom, s.ClassAtom) and book.is_literal(atom.relations[-1].text)
    return atom.terms[:1] if ends_in_value else atom.terms


def values(
    book: RuleBook, datatype: str, names: set[str], question: s.Question | None
) -> list[Thing]:
    """Values of a datatype: those that the rule file compares with, and those beside them; else
    some that differ."""
    texts = dict.fromkeys(_compared(book, datatype, names, question))
    around = dict.fromkeys(x for text in texts for x in (text, *_beside(text, datatype)))
    found = {value(text, datatype): None for text in (around or _VALUES[datatype])}
    if len(found) < 2:
        found |= {value(text, datatype): None for text in _VALUES[datatype]}
    return [one for one in found if not one.key.startswith("lill ")]


def _compared(
    book: RuleBook, datatype: str, names: set[str], question: s.Question | None
) -> Iterator[str]:
    """The texts of a datatype that conditions about some relations name."""

    def of(atom: s.Atom) -> Iterator[str]:
        last = atom.relations[-1].text if atom.relations else ""
        fits = last in names and book.datatype(last) == datatype
        if fits and not isinstance(atom, s.CountAtom) and atom.terms:
            term = atom.terms[-1]
            if not term.is_variable and term.text not in own:
                yield term.text

    own: set[str] = set()
    for rule in book.rules:
        for part in (rule.head, *rule.body):
            if isinstance(part, s.Literal):
                yield from of(part.atom)
    if question is not None:
        own = {question.answer.text, *(p.name.text for p in question.parameters)}
        for item in question.items:
            for leaf in s.leaves(item.condition):
                if isinstance(leaf, s.Literal):
                    yield from of(leaf.atom)


def _beside(text: str, datatype: str) -> Iterator[str]:
    """Values just below and just above a value; of a date, its year too, which is less precise."""
    if datatype in ("integer", "decimal", "number"):
        if re.fullmatch(r"[+-]?\d{1,30}(\.\d{1,30})?", text):
            yield str(Decimal(text) - 1)
            yield str(Decimal(text) + 1)
    elif datatype == "date":
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) and "0002" < text < "9998":
            day = date.fromisoformat(text)
            yield (day - _DAY).isoformat()
            yield (day + _DAY).isoformat()
        yield text[:4]
    elif datatype == "string":
        yield text + "_"


def unnamed(count: int, taken: set[str]) -> list[Thing]:
    """So many entities that nobody names."""
    return [fresh("e", taken) for _ in range(count)]


def fresh(letter: str, taken: set[str]) -> Thing:
    """An entity with a name that is not taken yet, and is taken then."""
    number = 1
    while f"{letter}{number}" in taken:
        number += 1
    taken.add(f"{letter}{number}")
    return entity(f"{letter}{number}")


# ---------------------------------------------------------------- facts


def facts(
    scope: Scope, entities: Sequence[Thing], values: Mapping[str, Sequence[Thing]], denials: bool
) -> Iterator[Fact]:
    """Every fact about the things, the plain ones first."""
    classes = [entity(name) for name in scope.classes]
    for denied in (False, True) if denials else (False,):
        for relation, datatype in scope.relations:
            for subject in entities:
                for object_ in values[datatype] if datatype else entities:
                    yield Fact(relation, subject, object_, denied)
        for subject in entities:
            for cls in classes:
                yield Fact(TYPE, subject, cls, denied)
