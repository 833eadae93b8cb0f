"""Random small worlds for one rule file: over its own classes, relations, entities and values.

The rule file stays as it is; facts and questions are drawn.  Facts keep to the relations that the
questions drawn rest on, and mostly to their signatures, so that evidence meets questions often.
With a graph, pieces of it are drawn in too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from kgverify.errors import Problem, RuleError, Span
from kgverify.graph import Graph
from kgverify.graph.store import KeyTriple, Table
from kgverify.graph.terms import display, value_key
from kgverify.language import syntax as s
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.knowledge import TYPE
from kgverify.testing.changes import mentioned
from kgverify.testing.law import ANY, Scope, may_be_another
from kgverify.testing.world import Facts, World, rewrite
from kgverify.vocabulary import Candidate, Question

STRANGER = "nobody"
_VALUES = {  # of each datatype some values, the first two different
    "integer": ("1", "2", "01", "4294967297"),
    "decimal": ("1", "2.5", "1.0"),
    "number": ("1", "2.5", "1.0", "4294967297"),
    "date": ("1990-05-01", "1991-02-03", "1990", "1990-05"),
    "string": ("red", "blue"),
    "boolean": ("true", "false"),
}


@dataclass(frozen=True)
class Piece:
    """Some facts and denied facts of a graph that lie together."""

    facts: Facts
    denied: Facts


def own_worlds(
    book: RuleBook, scope: Scope = ANY, pieces: Sequence[Piece] = (), size: int = 10
) -> st.SearchStrategy[World]:
    """Worlds with `book` as their rule file (without what lies outside the scope), at most `size`
    random facts and three denied ones, and questions of one or two of its templates.

    Raises RuleError when the rule file has no question, since then no verdict can be drawn."""
    if not book.questions:
        problem = Problem(
            "no-questions",
            "the rule file has no question, so there is no verdict to check",
            Span(book.path),
            "add a question",
        )
        raise RuleError(problem)
    world = scope.restrict(World(book.text, path=book.path))
    return _own_worlds(world, _Words(book, scope), tuple(pieces), size)


class _Words:
    """The words of a rule file, and the facts that can be said with them."""

    def __init__(self, book: RuleBook, scope: Scope) -> None:
        self.book = book
        self._scope = scope
        self._classes = {book.kg_name(name) for name in book.classes}

    def entities(self, names: set[str]) -> list[str]:
        """The entities that rules, facts and questions about these relations and classes name."""
        book = self.book
        conditions: list[Any] = [c for rule in book.rules for c in (rule.head, *rule.body)]
        for question in book.questions.values():
            own = {p.name.text for p in question.parameters} | {question.answer.text}
            for item in question.items:
                leaves = [x for x in s.leaves(item.condition) if isinstance(x, s.Literal)]
                conditions += [x for x in leaves if not own >= {t.text for t in x.terms}]
        found: dict[str, None] = {}
        for condition in conditions:
            if isinstance(condition, s.Literal) and names & _named(condition.atom):
                for term in self._entity_terms(condition.atom):
                    found["e" + book.entity_ids(term)[0]] = None
        for statement in book.complete:
            if statement.relation.text in names:
                found |= {"e" + book.entity_ids(t)[0]: None for t in statement.subjects[:2]}
        return [key for key in found if key[1:] not in self._classes]

    def _entity_terms(self, atom: s.Atom) -> list[s.Term]:
        """Terms of an atom that are written as no parameter or variable can be."""
        terms = list(atom.terms)
        if isinstance(atom, s.RelationAtom) and self.book.is_literal(atom.relation.text):
            terms = terms[:1]
        if isinstance(atom, s.ValueAtom | s.CountAtom):
            terms = terms[:-1]
        kinds = (s.TermKind.CURIE, s.TermKind.IRI, s.TermKind.STRING)
        return [term for term in terms if term.kind in kinds]

    def texts(self, relation: str) -> list[str]:
        """Values of a relation's datatype as they are written, those of the rule file first."""
        datatype = self.book.relations[relation].range.text
        found: dict[str, None] = {}

        def look(node: Any) -> Any:
            if isinstance(node, s.RelationAtom) and node.relation.text == relation:
                found.update({t.text: None for t in node.arguments[1:] if not t.is_variable})
            if isinstance(node, s.ValueAtom) and relation in _named(node):
                found[node.value.text] = None
            return node

        for rule in self.book.rules:
            rewrite(rule, look)
        for question in self.book.questions.values():
            rewrite(question, look)
        return [text for text in (*found, *_VALUES[datatype]) if self.is_value(text, datatype)]

    def is_value(self, text: str, datatype: str) -> bool:
        key = value_key(text, datatype)
        return not key.startswith("lill ") and (self._scope.vague or not may_be_another(key))

    def arguments(self, datatype: str) -> list[str]:
        return [text for text in _VALUES[datatype] if self.is_value(text, datatype)]


def _named(atom: s.Atom) -> set[str]:
    """The relations, or the class, of an atom."""
    own = {found.text for found in atom.relations}
    return own | ({atom.cls.text} if isinstance(atom, s.ClassAtom) else set())


@st.composite
def _own_worlds(
    draw: st.DrawFn, world: World, words: _Words, pieces: tuple[Piece, ...], size: int
) -> World:
    book = words.book
    templates = draw(
        st.lists(st.sampled_from(list(book.questions)), min_size=1, max_size=2, unique=True)
    )
    names = mentioned(book, set(templates))
    relations = _near(draw, book, templates, names)
    nothing = Piece((), ())
    piece = draw(st.one_of(st.just(nothing), st.sampled_from(pieces or (nothing,))))
    classes = _classes_needed(book, templates, relations)
    cast = _cast(draw, words, classes, relations, piece)
    fact = _facts(words, cast, classes, relations)
    facts = draw(st.lists(fact, max_size=size, unique=True))
    denied = draw(st.lists(fact, max_size=3, unique=True))
    typed = [(key, TYPE, "e" + book.kg_name(cls)) for key, cls in cast.items() if cls]
    stated = draw(st.lists(st.sampled_from(typed), unique=True)) if typed else []
    kept = draw(st.lists(st.sampled_from(piece.facts), unique=True)) if piece.facts else []
    refuted = draw(st.lists(st.sampled_from(piece.denied), unique=True)) if piece.denied else []
    known = replace(
        world,
        facts=tuple(dict.fromkeys((*stated, *kept, *facts))),
        denied=tuple(dict.fromkeys((*refuted, *denied))),
    )
    cast = {key: cast.get(key, "") for key in known.entities} or cast
    asked = [
        _question(draw, words, cast, name, f"{name}/{number + 1}")
        for name in templates
        for number in range(draw(st.integers(1, 2)))
    ]
    return replace(known, asked=tuple(asked))


def _near(draw: st.DrawFn, book: RuleBook, templates: list[str], names: set[str]) -> list[str]:
    """The relations to draw facts of: those that the questions name, and a few that they rest on,
    so that the premises of one rule come together."""
    direct: dict[str, None] = {}
    for name in templates:
        for item in book.questions[name].items:
            for leaf in s.leaves(item.condition):
                if isinstance(leaf, s.Literal):
                    direct |= {found.text: None for found in leaf.atom.relations}
    heads = [rule for rule in book.rules if rule.body and _named(rule.head.atom) & direct.keys()]
    for rule in draw(st.lists(st.sampled_from(heads), max_size=2, unique=True)) if heads else []:
        for part in rule.body:
            if isinstance(part, s.Literal):
                direct |= {found.text: None for found in part.atom.relations}
    others = sorted(names & book.relations.keys() - direct.keys())
    if others:
        direct |= dict.fromkeys(draw(st.lists(st.sampled_from(others), max_size=2, unique=True)))
    return [name for name in direct if name in book.relations]


def _classes_needed(book: RuleBook, templates: list[str], relations: list[str]) -> list[str]:
    """The classes of answers, parameters and the relations' arguments."""
    found = []
    for name in templates:
        question = book.questions[name]
        found += [question.answer_class.text, *(p.type.text for p in question.parameters)]
    for name in relations:
        found += [book.relations[name].domain.text, book.relations[name].range.text]
    return [name for name in dict.fromkeys(found) if name in book.classes]


Cast = dict[str, str]  # each entity's key with the class it plays, "" for none


def _cast(
    draw: st.DrawFn, words: _Words, classes: list[str], relations: list[str], piece: Piece
) -> Cast:
    """The entities of a world: two of each class, a few that the file names, those of a piece."""
    book = words.book
    cast: Cast = {}
    for cls in classes:
        below = [name for name in book.classes if cls in book.superclasses[name]]
        for number in (1, 2):
            cast[f"e{cls.lower()}_{number}"] = draw(st.sampled_from([cls, *below]))
    named = words.entities({*relations, *classes})
    if named:
        for key in draw(st.lists(st.sampled_from(named), max_size=2, unique=True)):
            cast[key] = draw(st.sampled_from(["", *classes]))
    ranges = {book.kg_name(n): (r.domain.text, r.range.text) for n, r in book.relations.items()}
    for subject, relation, object_ in piece.facts:
        domain, range_ = ranges.get(relation, ("", ""))
        cast.setdefault(subject, domain)
        if relation != TYPE and object_[0] == "e":
            cast.setdefault(object_, range_)
    return cast


def _facts(
    words: _Words, cast: Cast, classes: list[str], relations: list[str]
) -> st.SearchStrategy[KeyTriple]:
    """A fact of one of the relations, or a type: mostly as the signature wants it."""
    book = words.book
    anyone = list(cast)

    def of_class(cls: str) -> st.SearchStrategy[str]:
        fitting = [
            key for key, own in cast.items() if own and cls in book.superclasses.get(own, ())
        ]
        some = st.sampled_from(fitting or anyone)
        return st.one_of(some, some, some, st.sampled_from(anyone))

    kinds: list[st.SearchStrategy[KeyTriple]] = []
    for name in relations:
        relation = book.relations[name]
        datatype = relation.range.text
        if datatype in DATATYPES:
            keys = dict.fromkeys(value_key(text, datatype) for text in words.texts(name))
            object_ = st.sampled_from(list(keys))
        else:
            object_ = of_class(datatype)
        fact = st.tuples(of_class(relation.domain.text), st.just(book.kg_name(name)), object_)
        kinds += [fact, fact]
    named = st.sampled_from(["e" + book.kg_name(name) for name in classes])
    kinds.append(st.tuples(st.sampled_from(anyone), st.just(TYPE), named))
    return st.one_of(kinds)


def _question(draw: st.DrawFn, words: _Words, cast: Cast, name: str, id: str) -> Question:
    """A template with arguments of fitting classes, about everyone and a stranger."""
    book = words.book
    arguments: dict[str, Any] = {}
    for parameter in book.questions[name].parameters:
        type_ = parameter.type.text
        if type_ in DATATYPES:
            arguments[parameter.name.text] = draw(st.sampled_from(words.arguments(type_)))
        else:
            fitting = [
                key for key, own in cast.items() if type_ in book.superclasses.get(own, (type_,))
            ]
            arguments[parameter.name.text] = draw(st.sampled_from(fitting or list(cast)))[1:]
    answers = book.questions[name].answer_class.text
    order = sorted(cast, key=lambda key: answers not in book.superclasses.get(cast[key], ()))
    return Question(
        id, name, arguments, tuple(Candidate(key[1:]) for key in (*order[:6], "e" + STRANGER))
    )


# ---------------------------------------------------------------- pieces of a graph


def pieces_of(graph: Graph, book: RuleBook, random: Random, count: int = 32) -> list[Piece]:
    """Pieces of the graph, each around a random fact of one of the rule file's relations.

    Facts that a table of triples can't hold (about blank nodes, or with values in a language or of
    no known datatype) are left out."""
    ids = {
        graph.relation_id(book.kg_name(name)): book.relations[name].range.text
        for name in book.relations
    }
    counts = {id: graph.facts.count(id) for id in sorted(ids) if id >= 0}
    used = [id for id, number in counts.items() if number]
    found = []
    for _ in range(count if used else 0):
        relation = random.choice(used)
        row = random.randrange(counts[relation])
        fact = graph.facts.all(relation)
        ends = np.array([fact.subjects[row], fact.objects[row]], np.int64)
        facts = _around(graph, graph.facts, ids, ends, random)
        denied = _around(graph, graph.denied, ids, ends, random)
        found.append(Piece(facts, denied))
    return found


_EACH = 3  # facts of one relation, in one direction, that a piece takes in


def _around(
    graph: Graph, table: Table, ids: dict[int, str], ends: np.ndarray[Any, Any], random: Random
) -> Facts:
    """Some of a table's facts about two terms, of the rule file's relations, and their types."""
    found: dict[KeyTriple, None] = {}
    terms = np.unique(ends)
    for relation, datatype in sorted({**ids, graph.type_relation: ""}.items()):
        if relation < 0:
            continue
        sides = [table.from_subjects(relation, terms)]
        if relation != graph.type_relation:
            sides.append(table.from_objects(relation, terms))
        for pairs in sides:
            places = range(len(pairs.rows))
            for place in random.sample(places, min(_EACH, len(places))):
                one, other = graph.keys([pairs.subjects[place], pairs.objects[place]])
                if one[0] == "e" and _writable(other, datatype):
                    found[one, graph.relations[relation], other] = None
    return tuple(found)


def _writable(key: str, datatype: str) -> bool:
    """Does a table of triples give this object back, under a relation of this datatype?"""
    if datatype not in DATATYPES:
        return key[0] == "e"
    text = key.removeprefix("lstring ") if key.startswith("lstring ") else display(key)
    return (
        key[0] == "l" and "\t" not in text and "\n" not in text and value_key(text, datatype) == key
    )
