"""The changes that laws make to a world, and strategies that draw them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from kgverify.errors import Span
from kgverify.graph.store import KeyTriple
from kgverify.graph.terms import display
from kgverify.language import syntax as s
from kgverify.language.dependencies import dependencies
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import TYPE
from kgverify.testing.world import World, rewrite
from kgverify.vocabulary import Candidate

NOWHERE = Span("generated")
SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"


def fact_text(fact: KeyTriple) -> str:
    return f"{fact[1]}({display(fact[0])}, {display(fact[2])})"


# ---------------------------------------------------------------- knowledge comes and goes


@dataclass(frozen=True)
class AddFact:
    """A fact more, or a denied one."""

    fact: KeyTriple
    denied: bool = False

    def apply(self, world: World) -> World:
        return world.with_denied(self.fact) if self.denied else world.with_facts(self.fact)

    def __str__(self) -> str:
        return f"add {'the denied fact ' if self.denied else ''}{fact_text(self.fact)}"


@dataclass(frozen=True)
class AddStatement:
    """A statement more in the rule file: `disjoint` or `complete`."""

    text: str

    def apply(self, world: World) -> World:
        return replace(world, rules=f"{world.rules.rstrip()}\n{self.text}\n")

    def __str__(self) -> str:
        return f"add the statement `{self.text}`"


@dataclass(frozen=True)
class AddProperty:
    """A property more of a relation."""

    relation: str
    kind: str

    def apply(self, world: World) -> World:
        def more(statement: s.Statement) -> s.Statement:
            if not isinstance(statement, s.RelationDeclaration):
                return statement
            if statement.name.text != self.relation:
                return statement
            kinds = {found.kind for found in statement.properties}
            added = () if self.kind in kinds else (s.Property(self.kind, None, NOWHERE),)
            return replace(statement, properties=(*statement.properties, *added))

        return world.with_statements(map(more, world.statements))

    def __str__(self) -> str:
        return f"declare `{self.relation}` {self.kind.replace('_', ' ')}"


def is_identity(fact: KeyTriple) -> bool:
    """Does the fact say that two names are of one entity?"""
    return fact[1] in ("owl:sameAs", SAME_AS)


@dataclass(frozen=True)
class Forget:
    """Facts and denied facts that are deleted."""

    facts: tuple[KeyTriple, ...]
    denied: tuple[KeyTriple, ...]

    def apply(self, world: World) -> World:
        return replace(
            world,
            facts=tuple(f for f in world.facts if f not in self.facts),
            denied=tuple(f for f in world.denied if f not in self.denied),
        )

    def __str__(self) -> str:
        found = [*map(fact_text, self.facts), *(f"the denied {fact_text(f)}" for f in self.denied)]
        return f"delete {', '.join(found)}"


def facts(world: World) -> st.SearchStrategy[KeyTriple]:
    """A fact of the rule file's relations and classes, about terms of the world."""
    book = world.book
    entities = world.entities or ["enobody"]
    values: dict[str, list[str]] = {}
    for _, relation, value in (*world.facts, *world.denied):
        if value[0] == "l":
            values.setdefault(relation, []).append(value)
    things = st.sampled_from(entities)
    kinds = [
        st.tuples(things, st.just(TYPE), st.sampled_from(["e" + book.kg_name(n) for n in names]))
        for names in [tuple(book.classes)]
        if names
    ]
    for name in book.relations:
        relation = book.kg_name(name)
        if not book.is_literal(name):
            kinds.append(st.tuples(things, st.just(relation), things))
        elif relation in values:
            kinds.append(st.tuples(things, st.just(relation), st.sampled_from(values[relation])))
    return st.one_of(kinds)


_FLAGS = (
    "functional",
    "inverse_functional",
    "symmetric",
    "asymmetric",
    "irreflexive",
    "transitive",
)


def additions(world: World) -> st.SearchStrategy[Any]:
    """A fact, a denied fact, a schema statement or a completeness statement more."""
    book = world.book
    between = [name for name in book.relations if not book.is_literal(name)]
    pairs = [
        st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)
        for names in (list(book.classes), between)
        if len(names) > 1
    ]
    found: list[st.SearchStrategy[Any]] = [
        st.builds(AddFact, facts(world), st.booleans()),
        st.builds(AddFact, facts(world)),
    ]
    if pairs:
        disjoint = st.one_of(pairs).map(lambda pair: AddStatement(f"disjoint {', '.join(pair)}"))
        found.append(disjoint)
    if between:
        found.append(st.builds(AddProperty, st.sampled_from(between), st.sampled_from(_FLAGS)))
    if book.relations:
        scopes = ["", *(f" for {name}" for name in book.classes)]
        complete = st.builds(
            "complete {}{}".format, st.sampled_from(list(book.relations)), st.sampled_from(scopes)
        )
        found.append(st.builds(AddStatement, complete))
    return st.one_of(found)


@st.composite
def deletions(draw: st.DrawFn, world: World) -> Forget:
    """Some of the facts and denied facts, but none that says that two names are of one entity."""

    def some(found: tuple[KeyTriple, ...]) -> tuple[KeyTriple, ...]:
        return tuple(draw(st.lists(st.sampled_from(found), unique=True))) if found else ()

    return Forget(some(tuple(f for f in world.facts if not is_identity(f))), some(world.denied))


# ---------------------------------------------------------------- what must not matter


def mentioned(book: RuleBook, questions: set[str]) -> set[str]:
    """The relations and classes on which these questions may depend in any way, also through
    signatures and disjoint classes."""
    todo = [book.questions[name].answer_class.text for name in questions]
    for name in questions:
        for item in book.questions[name].items:
            for leaf in s.leaves(item.condition):
                if isinstance(leaf, s.Literal):
                    todo += [found.text for found in leaf.atom.relations]
                    todo += [leaf.atom.cls.text] if isinstance(leaf.atom, s.ClassAtom) else []
    below: dict[str, set[str]] = {}
    for edge in dependencies(book):
        below.setdefault(edge.head[1], set()).add(edge.body[1])
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += below.get(name, ())
    return seen


def irrelevant_facts(world: World) -> st.SearchStrategy[AddFact]:
    """A fact between terms of the graph, of a relation that no question rests on."""
    book = world.book
    known = sorted(key for key in world.terms if key[0] != "l")
    if not known:
        return st.nothing()
    used = mentioned(book, {q.question for q in world.asked})
    taken = {book.kg_name(name) for name in used if name in book.relations}
    others = [
        book.kg_name(name)
        for name in book.relations
        if book.kg_name(name) not in taken and not book.is_literal(name)
    ]
    unheard = "unheard_of"
    while unheard in {book.kg_name(name) for name in book.relations}:
        unheard += "_"
    terms = st.sampled_from(known)
    fact = st.tuples(terms, st.sampled_from([unheard, *others]), terms)
    return st.builds(AddFact, fact, st.booleans())


@dataclass(frozen=True)
class Rename:
    """Entities get other ids, everywhere; `pairs` are (old id, new id), one to one."""

    pairs: tuple[tuple[str, str], ...]

    def id(self, old: str) -> str:
        return dict(self.pairs).get(old, old)

    def apply(self, world: World) -> World:
        book = world.book

        def key(old: str) -> str:
            return "e" + self.id(old[1:]) if old[0] == "e" else old

        def triples(old: tuple[KeyTriple, ...]) -> tuple[KeyTriple, ...]:
            return tuple((key(a), r, key(b)) for a, r, b in old)

        asked = []
        for question in world.asked:
            types = {p.name.text: p.type.text for p in book.questions[question.question].parameters}
            arguments = {
                name: self.id(str(value)) if types.get(name) in book.classes else value
                for name, value in question.arguments.items()
            }
            candidates = tuple(Candidate(self.id(c.entity), c.score) for c in question.candidates)
            asked.append(
                msgspec.structs.replace(question, arguments=arguments, candidates=candidates)
            )
        return replace(
            world.with_statements(self._statement(book, x) for x in world.statements),
            facts=triples(world.facts),
            denied=triples(world.denied),
            dated=tuple((key(d[0]), d[1], key(d[2]), *d[3:]) for d in world.dated),
            asked=tuple(asked),
        )

    def _statement(self, book: RuleBook, statement: s.Statement) -> s.Statement:
        own: set[str] = set()
        if isinstance(statement, s.Question):
            own = {p.name.text for p in statement.parameters} | {statement.answer.text}

        def renamed(node: Any) -> Any:
            if not isinstance(node, s.Term) or node.kind not in _ENTITIES:
                return node
            if node.kind is s.TermKind.NAME and node.text in own:
                return node
            old = book.entity_ids(node)[0]
            new = self.id(old)
            return node if new == old else s.Term(s.TermKind.STRING, new, node.span)

        return rewrite(statement, renamed)

    def __str__(self) -> str:
        return "rename " + ", ".join(f"{old} to {new}" for old, new in self.pairs if old != new)


_ENTITIES = (s.TermKind.NAME, s.TermKind.CURIE, s.TermKind.IRI, s.TermKind.STRING)


@st.composite
def renamings(draw: st.DrawFn, world: World) -> Rename:
    """The world's entities exchange their ids, and some get new ones."""
    # A text that is spelled like an entity is none, and keeps its spelling.
    texts = {f[2][8:] for f in (*world.facts, *world.denied) if f[2].startswith("lstring ")}
    for statement in world.statements:
        texts |= _written_values(world.book, statement)
    for question in world.asked:
        for parameter in world.book.questions[question.question].parameters:
            if parameter.type.text not in world.book.classes:
                texts.add(str(question.arguments[parameter.name.text]))
    classes = {world.book.kg_name(name) for name in world.book.classes}
    old = [key[1:] for key in world.entities if key[1:] not in texts | classes]
    fresh = [f"renamed{n}" for n in range(2)]
    new = draw(st.permutations([*old, *fresh]))[: len(old)]
    return Rename(tuple(zip(old, new, strict=True)))


def _written_values(book: RuleBook, statement: s.Statement) -> set[str]:
    """The values that a statement names, as they are written."""
    found: set[str] = set()

    def look(node: Any) -> Any:
        if isinstance(node, s.RelationAtom) and book.is_literal(node.relation.text):
            found.update(t.text for t in node.arguments[1:])
        if isinstance(node, s.ValueAtom):
            found.add(node.value.text)
        return node

    rewrite(statement, look)
    return found


@dataclass(frozen=True)
class Shuffle:
    """Facts, statements, constraints, bodies and candidates in another order, some of them twice.

    `seed` decides the order."""

    seed: int

    def apply(self, world: World) -> World:
        random = Random(self.seed)

        def mixed(items: tuple[Any, ...], repeat: bool = True) -> tuple[Any, ...]:
            found = [*items, *(random.sample(items, min(2, len(items))) if repeat else ())]
            random.shuffle(found)
            return tuple(found)

        def inner(statement: s.Statement) -> s.Statement:
            match statement:
                case s.Disjoint(names):
                    return replace(statement, names=mixed(names, repeat=False))
                case s.Rule(body=body):
                    return replace(statement, body=mixed(body) if body else ())
                case s.SoftRule(rule=rule):
                    return replace(statement, rule=replace(rule, body=mixed(rule.body)))
                case s.Question(items=items):
                    return replace(statement, items=mixed(items))
            return statement

        statements = [inner(x) for x in world.statements]
        unnamed = [replace(x, name="") for x in statements if isinstance(x, s.Rule)]
        random.shuffle(statements)
        asked = mixed(world.asked, repeat=False)
        return replace(
            world.with_statements([*statements, *unnamed[:2]]),
            facts=mixed(world.facts),
            denied=mixed(world.denied),
            dated=mixed(world.dated),
            asked=tuple(
                msgspec.structs.replace(q, candidates=mixed(q.candidates, repeat=False))
                for q in asked
            ),
        )

    def __str__(self) -> str:
        return "put facts, statements, constraints and candidates in another order, some twice"


def shuffles(world: World) -> st.SearchStrategy[Shuffle]:
    return st.builds(Shuffle, st.integers(0, 2**16))


@dataclass(frozen=True)
class Reprint:
    """The statements of the rule file, printed in another order, which `seed` decides."""

    seed: int

    def order(self, world: World) -> tuple[s.Statement, ...]:
        found = list(world.statements)
        Random(self.seed).shuffle(found)
        return tuple(found)

    def apply(self, world: World) -> World:
        return world.with_statements(self.order(world))

    def __str__(self) -> str:
        return "print the statements, in another order"


def reprints(world: World) -> st.SearchStrategy[Reprint]:
    return st.builds(Reprint, st.integers(0, 2**16))


def narrowed(change: Any, world: World) -> Any:
    """The change without what it does to things that the world doesn't have."""
    match change:
        case Forget(gone, denied):
            return Forget(
                tuple(f for f in gone if f in world.facts),
                tuple(f for f in denied if f in world.denied),
            )
        case Rename(pairs):
            return Rename(tuple(pair for pair in pairs if "e" + pair[0] in world.entities))
    return change
