"""A graph seen through a rule file: look-ups by the rule file's names, over the facts of both.

Facts that the rule file states itself, and its class hierarchy, lie over the graph as a small
second layer.  Terms that the graph doesn't have (a value in a question, an entity of the rule
file, a candidate that nobody knows) get ids of their own behind the graph's.  Of ids that are
one entity, all look-ups speak of the representative (see `identity`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import Problem, Span, did_you_mean
from kgverify.graph import Graph, Table
from kgverify.graph.near_names import near_entities
from kgverify.graph.terms import Kind, display, value_key
from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.identity import Identity
from kgverify.reasoning.layers import Ids, Layer
from kgverify.reasoning.times import Period, Periods

TYPE = "rdf:type"
SUBCLASS = "rdfs:subClassOf"
SAME = "same"
Edge = tuple[str, int, int]  # a relation of the rule file, and representatives of its ends
SAME_AS = ("owl:sameAs", "http://www.w3.org/2002/07/owl#sameAs")  # however a file spells it


class ClassHierarchy:
    """The classes of the graph and the rule file, and which lie above which; learnt as needed.

    `class_ids` are the rule file's classes by name; `facts` hold the subclass facts."""

    def __init__(self, facts: Layer, class_ids: dict[str, int]) -> None:
        self._facts, self._ids = facts, class_ids
        self._names = {id: name for name, id in class_ids.items()}
        self._above: dict[int, frozenset[int]] = {}
        self._edges: dict[int, tuple[int, ...]] = {}
        self.above(np.array(list(self._names), np.int64))

    def above(self, classes: Ids) -> None:
        """Learn all classes above these."""
        todo = np.setdiff1d(classes, np.array(list(self._edges), np.int64))
        while len(todo):
            lower, upper = self._facts.from_subjects(SUBCLASS, todo)
            grouped: dict[int, list[int]] = {id: [] for id in todo.tolist()}
            for one, other in zip(lower.tolist(), upper.tolist(), strict=True):
                grouped[one].append(other)
            self._edges |= {id: tuple(found) for id, found in grouped.items()}
            todo = np.setdiff1d(upper, np.array(list(self._edges), np.int64))

    def _closure(self, cls: int) -> frozenset[int]:
        found = self._above.get(cls)
        if found is None:
            if cls not in self._edges:
                self.above(np.array([cls], np.int64))
            seen, todo = {cls}, [cls]
            while todo:
                for parent in self._edges[todo.pop()]:
                    if parent not in seen:
                        seen.add(parent)
                        todo.append(parent)
            found = self._above[cls] = frozenset(seen)
        return found

    def under(self, classes: Ids, name: str) -> NDArray[np.bool_]:
        """Which of these classes lie under, or are, the named one.  bool[n]"""
        wanted = self._ids[name]
        distinct, inverse = np.unique(classes, return_inverse=True)
        self.above(distinct)
        hits = np.array([wanted in self._closure(cls) for cls in distinct.tolist()], bool)
        return hits[inverse] if len(hits) else np.zeros(0, bool)

    def names_above(self, cls: int) -> frozenset[str]:
        """The named classes above any class, itself included."""
        return frozenset(self._names[id] for id in self._closure(cls) if id in self._names)

    def named_below(self, name: str) -> list[str]:
        """The named classes under `name`, itself first."""
        wanted = self._ids[name]
        names = self._names
        return sorted(
            (n for id, n in names.items() if wanted in self._closure(id)), key=lambda n: n != name
        )

    def named_above(self, name: str) -> list[str]:
        """The named classes above `name`, itself included."""
        return sorted(self.names_above(self._ids[name]))

    def below(self, name: str) -> Ids:
        """All classes under `name`, itself included."""
        seen = todo = np.array([self._ids[name]], np.int64)
        while len(todo):
            lower, _ = self._facts.from_objects(SUBCLASS, todo)
            todo = np.setdiff1d(lower, seen)
            seen = np.union1d(seen, todo)
        return seen

    def pairs(self) -> tuple[Ids, Ids] | None:
        """Every known (class, class above it)."""
        found = [(one, other) for one, above in self._edges.items() for other in above]
        if not found:
            return None
        lower, upper = zip(*found, strict=True)
        return np.array(lower, np.int64), np.array(upper, np.int64)


class Knowledge:
    """A graph and a rule book, joined.  Not shared between runs: it hands out term ids."""

    def __init__(self, graph: Graph, book: RuleBook) -> None:
        self.graph, self.book = graph, book
        self._extra: dict[str, int] = {}
        self._extra_keys: list[str] = []
        self._stated: set[int] = set()
        ids = {name: graph.relation_id(book.kg_name(name)) for name in book.relations}
        ids |= {TYPE: graph.type_relation, SUBCLASS: graph.subclass_relation}
        self.class_ids = {name: self.term("e" + book.kg_name(name)) for name in book.classes}
        self.class_names = {id: name for name, id in self.class_ids.items()}
        self._same_spans: dict[tuple[int, int], Span] = {}
        self.identity = self._identity()
        self.facts = Layer(graph.facts, ids, self.identity)
        self.denied = Layer(graph.denied, ids, self.identity)
        self.lesser = Layer(graph.lesser, ids, self.identity)
        self.periods = Periods()
        self._state_rule_file()
        self.hierarchy = ClassHierarchy(self.facts, self.class_ids)
        self._classes_of: dict[int, frozenset[str]] = {}
        self._exact: dict[str, int] = {}  # what the graph has under an id, for names met so far
        # Edges that nobody states and that are believed, with where each comes from.
        self.admitted: Mapping[Edge, str] = {}

    def timed(
        self, relation: str, subjects: Ids | None, objects: Ids | None
    ) -> tuple[Ids, Ids, Ids]:
        """The stated facts of a relation, of any rank, with one of these subjects and one of these
        objects (None for any): subjects, objects and the numbers of their periods."""
        found = []
        for layer, table, best in (
            (self.facts, self.graph.facts, True),
            (self.lesser, self.graph.lesser, False),
        ):
            pairs = layer.rows(relation, subjects, objects)
            left, right = pairs.subjects.astype(np.int64), pairs.objects.astype(np.int64)
            periods = self.periods.of_rows(table, pairs.rows, best)
            found.append((self.identity.of(left), self.identity.of(right), periods))
        left, right = self.facts.added(relation, subjects, objects)
        always = np.full(len(left), self.periods.number(Period("", "", True)), np.int64)
        found.append((left, right, always))
        left, right, periods = (np.concatenate(column) for column in zip(*found, strict=True))
        return left, right, periods

    def period_as(self, relation: str, subject: int, object_: int, period: int) -> tuple[int, int]:
        """The ids under which a fact is stated for a period."""
        row = self._period_row(relation, subject, object_, period)
        if row is None:
            return self.facts.stated_as(relation, subject, object_)
        found = row[0].at([row[1]])
        return int(found.subjects[0]), int(found.objects[0])

    def stated_periods(self, relation: str, subject: int, object_: int) -> list[Period]:
        """The periods for which a fact is stated under these very ids."""
        one, other = (np.array([self.identity.one(id)], np.int64) for id in (subject, object_))
        found = []
        for layer, table, best in (
            (self.facts, self.graph.facts, True),
            (self.lesser, self.graph.lesser, False),
        ):
            pairs = layer.rows(relation, one, other)
            named = (pairs.subjects == subject) & (pairs.objects == object_)
            numbers = self.periods.of_rows(table, pairs.rows[named], best)
            found += [self.periods[number] for number in numbers.tolist()]
        if self.facts.writes(relation, subject, object_):
            found.append(Period("", "", True))
        return found

    def period_source(self, relation: str, subject: int, object_: int, period: int) -> str:
        """Where a fact is stated for a period, as `file:line`."""
        row = self._period_row(relation, subject, object_, period)
        if row is None:
            return self.facts.source(relation, subject, object_)
        file, line = row[0].source(row[1])
        return f"{file}:{line}" if line else file

    def _period_row(
        self, relation: str, subject: int, object_: int, period: int
    ) -> tuple[Table, int] | None:
        """The row that states a fact for a period; None where the rule file does."""
        best = self.periods[period].best
        layer = self.facts if best else self.lesser
        table = self.graph.facts if best else self.graph.lesser
        one, other = (np.array([id], np.int64) for id in (subject, object_))
        rows = layer.rows(relation, one, other).rows
        fitting = rows[self.periods.of_rows(table, rows, best) == period]
        return (table, int(fitting[0])) if len(fitting) else None

    def copy(self) -> Knowledge:
        """The same knowledge, which hands out ids of its own from here on."""
        other = copy(self)
        other._extra, other._extra_keys = dict(self._extra), list(self._extra_keys)
        other._exact, other._stated, other._classes_of = {}, set(self._stated), {}
        return other

    def invent(self, stem: str) -> int:
        """The id of an entity that nobody has named so far, and that counts as known."""
        number = 1
        while self.graph.find([f"e{stem}{number}"])[0] >= 0 or f"e{stem}{number}" in self._extra:
            number += 1
        found = self._new(f"e{stem}{number}")
        self._stated.add(found)
        return found

    def supposing(self, atoms: Iterable[tuple[str | int, ...]]) -> Knowledge:
        """The same knowledge with facts added: `for`, `against`, `is_a` and `isnt_a` atoms."""
        sides: dict[bool, list[tuple[str, int, int]]] = {True: [], False: []}
        for predicate, *rest in atoms:
            if predicate in ("is_a", "isnt_a"):
                term, cls = rest
                fact = TYPE, int(term), self.class_ids[cls] if isinstance(cls, str) else cls
            else:
                fact = str(rest[0]), int(rest[1]), int(rest[2])
            sides[predicate in ("for", "is_a")].append(fact)
        other = copy(self)
        other.facts = self.facts.supposing(sides[True])
        other.denied = self.denied.supposing(sides[False])
        return other

    def admitting(self, edges: Mapping[Edge, str]) -> Knowledge:
        """The same knowledge with edges that were admitted, and with where each comes from; none
        of them is stated."""
        other = self.supposing(("for", *edge) for edge in edges)
        other.admitted = dict(edges)
        return other

    def _identity(self) -> Identity:
        """What the rule file and the graph declare the same; classes of the rule file aside."""
        for same in self.book.same:
            first, *others = (self._entity(term) for term in same.terms)
            for other in others:
                self._same_spans.setdefault((first, other), same.span)
        pairs = [self.graph.facts.all(self.graph.relation_id(name)) for name in SAME_AS]
        own = np.array(list(self._same_spans), np.int64).reshape(-1, 2)
        left = np.concatenate([own[:, 0], *(found.subjects for found in pairs)])
        right = np.concatenate([own[:, 1], *(found.objects for found in pairs)])
        both = np.stack((left, right))
        classes = np.array(list(self.class_names), np.int64)
        usable = ~np.isin(both, classes).any(axis=0) & (left != right)
        both = both[:, usable]
        kinds = np.full(both.shape, Kind.ENTITY)
        inside = both < self.graph.n_terms
        kinds[inside] = self.graph.kinds(both[inside])
        blank = np.unique(both[kinds == Kind.BLANK])
        left, right = both[:, (kinds != Kind.LITERAL).all(axis=0)]
        return Identity(left, right, blank)

    def identity_source(self, one: int, other: int) -> str:
        """Where two ids are declared the same, as `file:line`; "" where no place is known."""
        span = self._same_spans.get((one, other))
        if span:
            return str(span)
        row = self._identity_row(one, other)
        if row is None:
            return ""
        file, line = self.graph.facts.source(row[1])
        return f"{file}:{line}" if line else file

    def identity_statement(self, one: int, other: int) -> str:
        """What declares two ids the same: `same` (of the rule file), or the graph's relation; ""
        when nothing does."""
        if (one, other) in self._same_spans:
            return SAME
        row = self._identity_row(one, other)
        return row[0] if row else ""

    def _identity_row(self, one: int, other: int) -> tuple[str, int] | None:
        """The fact of the graph that declares two ids the same: its relation and row."""
        for name in SAME_AS:
            row = int(self.graph.facts.rows(self.graph.relation_id(name), [one], [other])[0])
            if row >= 0:
                return name, row
        return None

    def _state_rule_file(self) -> None:
        for cls in self.book.classes.values():
            for parent in cls.supers:
                pair = self.class_ids[cls.name.text], self.class_ids[parent.text]
                self.facts.add(SUBCLASS, *pair, cls.span)
        for rule in self.book.rules:
            if not rule.body:
                self._state(rule.head)
            elif not rule.head.negated:
                # What a rule concludes about is known, though no fact names it.
                named = [t for t in rule.head.terms if not t.is_variable]
                self._stated |= {self.entity(term) for term in named}

    def _state(self, literal: s.Literal) -> None:
        layer = self.denied if literal.negated else self.facts
        atom = literal.atom
        if isinstance(atom, s.ClassAtom):
            subject = self._entity(atom.term)
            self._stated.add(self.identity.one(subject))
            layer.add(TYPE, subject, self.class_ids[atom.cls.text], literal.span)
            return
        relation = atom.relations[0].text
        subject = self._entity(atom.arguments[0])
        object_ = self.named(atom.arguments[1], self.book.datatype(relation))
        self._stated |= {self.identity.one(subject), self.identity.one(object_)}
        layer.add(relation, subject, object_, literal.span)

    # ------------------------------------------------------------ terms

    def term(self, key: str) -> int:
        """The id of a term key; a new one when the graph doesn't have it."""
        found = int(self.graph.find([key])[0])
        return found if found >= 0 else self._new(key)

    def _new(self, key: str) -> int:
        if key not in self._extra:
            self._extra[key] = self.graph.n_terms + len(self._extra_keys)
            self._extra_keys.append(key)
        return self._extra[key]

    def key(self, id: int) -> str:
        if id >= self.graph.n_terms:
            return self._extra_keys[id - self.graph.n_terms]
        return self.graph.key(id)

    def label(self, id: int) -> str:
        """A name for people: the label, else the id or the value."""
        if id in self.class_names:
            return self.class_names[id]
        label = self.graph.label(id) if id < self.graph.n_terms else ""
        return label or display(self.key(id))

    def labels(self, ids: Sequence[int]) -> list[str]:
        """`label` of many terms at once."""
        own = [id for id in ids if id < self.graph.n_terms]
        found = dict(zip(own, self.graph.labels(own), strict=True))
        names = self.names(ids)
        return [
            self.class_names.get(id) or found.get(id) or name
            for id, name in zip(ids, names, strict=True)
        ]

    def names(self, ids: Sequence[int]) -> list[str]:
        """`name` of many terms at once."""
        own = [id for id in ids if id < self.graph.n_terms]
        keys = dict(zip(own, self.graph.keys(own), strict=True))
        return [display(keys.get(id) or self.key(id)) for id in ids]

    def name(self, id: int) -> str:
        """The id or the value, exactly."""
        return display(self.key(id))

    def entity(self, term: s.Term) -> int:
        """The representative of an entity that the rule file names."""
        return self.identity.one(self._entity(term))

    def _entity(self, term: s.Term) -> int:
        """The id of an entity that the rule file names."""
        keys = ["e" + name for name in self.book.entity_ids(term)]
        for found in self.graph.find(keys).tolist():
            if found >= 0:
                return int(found)
        return self._new(keys[0])

    def constant(self, term: s.Term, datatype: str) -> int:
        """The representative of a term that the rule file names: a value of the datatype, an entity
        if ""."""
        return self.identity.one(self.named(term, datatype))

    def named(self, term: s.Term, datatype: str) -> int:
        """The id of a term that the rule file names, as it is named."""
        return self.term(value_key(term.text, datatype)) if datatype else self._entity(term)

    def is_stranger(self, id: int) -> bool:
        """Is this an entity that neither graph nor rule file knows?"""
        id = self.identity.one(id)
        return id >= self.graph.n_terms and id not in self._stated and self.key(id)[0] != "l"

    def vague(self, ids: Ids) -> Ids:
        """Those of `ids` that may be anything: blank nodes, values that can't be read, and names
        that nobody knows, for they may be other names of something known."""
        own = ids[ids < self.graph.n_terms]
        kinds = self.graph.kinds(own)
        blank = own[kinds == Kind.BLANK].tolist()
        literals = own[kinds == Kind.LITERAL].tolist() + ids[ids >= self.graph.n_terms].tolist()
        ill = [id for id in literals if self.key(id).startswith("lill ") or self.is_stranger(id)]
        return np.array(blank + ill, np.int64)

    @cached_property
    def blanks(self) -> Ids:
        """The blank nodes that no other name stands for, ascending."""
        found = np.unique(self.identity.of(np.arange(self.graph.blank_nodes(), dtype=np.int64)))
        return found[found < self.graph.blank_nodes()]

    def literals(self, ids: Ids) -> list[int]:
        """Those of `ids` that are values."""
        own = ids[ids < self.graph.n_terms]
        found: list[int] = own[self.graph.kinds(own) == Kind.LITERAL].tolist()
        return found + [i for i in ids[ids >= self.graph.n_terms].tolist() if self.key(i)[0] == "l"]

    def stated_classes(self, entity: int) -> frozenset[str]:
        """The rule file's classes that the stated types of an entity lie under."""
        entity = self.identity.one(entity)
        if entity not in self._classes_of:
            _, classes = self.facts.from_subjects(TYPE, np.array([entity], np.int64))
            above = map(self.hierarchy.names_above, classes.tolist())
            self._classes_of[entity] = frozenset().union(*above)
        return self._classes_of[entity]

    # ------------------------------------------------------------ names that users give

    def resolve(self, texts: Sequence[str]) -> tuple[list[int], list[tuple[int, tuple[int, ...]]]]:
        """The ids of entities given by id, IRI, CURIE or label, which need not be representatives;
        and, for each text that names several by label, its place and the choices (its id is then
        the first of them).  A text that names nothing becomes a stranger."""
        plain = [_bare(text) for text in texts]
        self._look_up(plain)
        ids = [self._exact[text] for text in plain]
        ambiguous = []
        for place, found in enumerate(ids):
            if found < 0:
                ids[place], choices = self._resolve_one(plain[place])
                distinct = {self.identity.one(id): id for id in reversed(choices)}
                if len(distinct) > 1:
                    ambiguous.append((place, tuple(sorted(distinct.values()))))
        return ids, ambiguous

    def prefetch(self, texts: Iterable[str]) -> None:
        """Look up at once which of many names are ids of the graph; `resolve` then has them."""
        self._look_up(map(_bare, texts))

    def _look_up(self, plain: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(plain) if text not in self._exact]
        if new:
            ids = self.graph.find(["e" + text for text in new]).tolist()
            self._exact.update(zip(new, ids, strict=True))

    def _resolve_one(self, text: str) -> tuple[int, tuple[int, ...]]:
        if "e" + text in self._extra:
            return self._extra["e" + text], ()
        expanded = self.book.expand(text) if ":" in text else None
        if expanded is not None:
            found = int(self.graph.find(["e" + expanded])[0])
            if found >= 0:
                return found, ()
            if "e" + expanded in self._extra:
                return self._extra["e" + expanded], ()
        labelled = self.graph.by_label(text)
        if labelled:
            return labelled[0], labelled
        return self._new("e" + (expanded or text)), ()


def _bare(text: str) -> str:
    """A name without the angle brackets of an IRI."""
    return text[1:-1] if text[:1] == "<" and text[-1:] == ">" else text


def graph_warnings(graph: Graph, book: RuleBook) -> list[Problem]:
    """Names of the rule file that the graph doesn't know, with the nearest that it does."""
    return [
        *_relation_warnings(graph, book),
        *_class_warnings(graph, book),
        *_entity_warnings(graph, book),
        *_identity_warnings(graph, book),
    ]


def _relation_warnings(graph: Graph, book: RuleBook) -> Iterator[Problem]:
    derived = {
        rule.head.atom.relation.text
        for rule in book.rules
        if isinstance(rule.head.atom, s.RelationAtom) and not rule.head.negated
    }
    for relation in book.relations.values():
        derived |= {p.target.text for p in relation.properties if p.target}
        if any(p.target for p in relation.properties):
            derived.add(relation.name.text)
    for relation in book.relations.values():
        name = book.kg_name(relation.name.text)
        span = relation.kg_name.span if relation.kg_name else relation.name.span
        if graph.relation_id(name) >= 0:
            yield from _object_warnings(graph, name, book.is_literal(relation.name.text), span)
        elif relation.name.text not in derived:
            yield _not_in_graph("relation", name, span, graph.relations)


def _object_warnings(
    graph: Graph, name: str, declared_values: bool, span: Span
) -> Iterator[Problem]:
    """Objects that are entities where the rules declare values, or the other way round: nothing of
    the one kind is ever the same as something of the other.  When all are, the graph was built
    without the rule file, or the rules are wrong, and every verdict about the relation would be."""
    entities, literals = graph.object_kinds(graph.relation_id(name))
    wrong, are, declared = (
        (entities, "entities", "values") if declared_values else (literals, "values", "entities")
    )
    if wrong:
        total = graph.facts.count(graph.relation_id(name))
        repair = (
            "build the store with `--rules`, or with `--literal` and the relation's name"
            if declared_values
            else "give the relation a datatype such as `string`, or name entities in the graph"
        )
        yield Problem(
            f"{declared}-as-{are}",
            f"{wrong:,} of {total:,} objects of `{name}` are {are} in this graph, "
            f"but the rules declare {declared}",
            span,
            repair,
            severity="error" if wrong == total else "warning",
            subject=name,
        )


def _class_warnings(graph: Graph, book: RuleBook) -> Iterator[Problem]:
    if graph.type_relation < 0:
        return
    for cls in book.classes.values():
        name = book.kg_name(cls.name.text)
        if cls.kg_name and graph.find(["e" + name])[0] < 0:
            yield _not_in_graph("class", name, cls.kg_name.span, ())


def _entity_warnings(graph: Graph, book: RuleBook) -> Iterator[Problem]:
    """Entities that rules and questions name and that are nowhere.  Those that facts of the rule
    file name may be new to the graph: they are told only where it has one of nearly that name."""
    stated: dict[str, s.Term] = {}
    for rule in book.rules:
        for term in () if rule.body else _entities(rule.head, book):
            stated.setdefault(term.text, term)
    known = _other_names(graph, book, stated) | stated.keys()
    subjects = [complete.subjects for complete in book.complete]
    named: list[tuple[s.Term, set[str]]] = [
        (term, set())
        for terms in subjects + [same.terms for same in book.same]
        for term in terms
        if term.text not in known
    ]
    used = [(c, set[str]()) for rule in book.rules if rule.body for c in (rule.head, *rule.body)]
    named += _unstated(used, known, book)
    for question in book.questions.values():
        own = {p.name.text for p in question.parameters} | {question.answer.text}
        parts = [(part, own) for item in question.items for part in s.leaves(item.condition)]
        named += _unstated(parts, known, book)
        excepted = [term for item in question.items for term in item.exceptions]
        named += [(term, own) for term in excepted if term.text not in own | known]
    named += [(term, set()) for term in stated.values()]
    missing = [(term, own) for term, own in named if not _has_entity(graph, book, term)]
    near = near_entities(graph, [book.entity_ids(term)[0] for term, _ in missing])
    for (term, own), meant in zip(missing, near, strict=True):
        hint = f"did you mean `{meant}`?" if meant is not None else ""
        if hint or term is not stated.get(term.text):
            yield _not_in_graph("entity", term.text, term.span, own, hint)


def _unstated(
    conditions: Iterable[tuple[s.Condition, set[str]]], stated: Collection[str], book: RuleBook
) -> Iterator[tuple[s.Term, set[str]]]:
    """The entities of some conditions that no fact of the rule file names."""
    for condition, own in conditions:
        for term in _entities(condition, book):
            if not term.is_variable and term.text not in stated and term.text not in own:
                yield term, own


def _entities(condition: s.Condition, book: RuleBook) -> tuple[s.Term, ...]:
    """The terms of a condition that stand for entities."""
    if isinstance(condition, s.Comparison):
        return condition.terms
    atom = condition.atom
    if isinstance(atom, s.ValueAtom | s.CountAtom):
        return atom.arguments
    ends_in_value = atom.relations and book.is_literal(atom.relations[-1].text)
    return atom.terms[:1] if ends_in_value else atom.terms


def _has_entity(graph: Graph, book: RuleBook, term: s.Term) -> bool:
    return bool((graph.find(["e" + id for id in book.entity_ids(term)]) >= 0).any())


def _other_names(graph: Graph, book: RuleBook, stated: Iterable[str]) -> set[str]:
    """The names that `same` statements join, perhaps through others, with one that the graph has
    or that is stated."""
    known = set(stated)
    todo = list(book.same)
    while todo:
        joined = [
            same
            for same in todo
            if any(t.text in known or _has_entity(graph, book, t) for t in same.terms)
        ]
        if not joined:
            break
        known |= {term.text for same in joined for term in same.terms}
        todo = [same for same in todo if same not in joined]
    return known


def _identity_warnings(graph: Graph, book: RuleBook) -> Iterator[Problem]:
    """Classes of the rule file that the graph declares to be the same as something: identity is of
    entities, and two classes of a rule file stay two."""
    names = list(book.classes)
    ids = graph.find(["e" + book.kg_name(name) for name in names])
    for relation in map(graph.relation_id, SAME_AS):
        found = graph.facts.from_subjects(relation, ids), graph.facts.from_objects(relation, ids)
        touched = np.concatenate((found[0].subjects, found[1].objects))
        for name, id in zip(names, ids.tolist(), strict=True):
            if id >= 0 and id in touched:
                yield Problem(
                    "identity-of-class",
                    f"`{name}` is the same as something by `{graph.relations[relation]}` in the "
                    "graph, which is not used for classes",
                    book.classes[name].name.span,
                    "declare `sub of` in both directions",
                    severity="warning",
                )


def _not_in_graph(
    kind: str, name: str, span: Span, known: Iterable[str], hint: str = ""
) -> Problem:
    return Problem(
        f"{kind}-not-in-graph",
        f"the graph has no {kind} `{name}`",
        span,
        did_you_mean(name, known) or hint or "no fact of the graph can decide constraints about it",
        severity="warning",
        subject=name,
    )
