"""Proofs in words, and as values for programs."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property

from kgverify.errors import article
from kgverify.graph.terms import value_key
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.datalog import Aggregate, Atom, Constant, Origin, Rule
from kgverify.reasoning.evidence import ARITHMETIC, Ground, Step
from kgverify.reasoning.knowledge import SUBCLASS, TYPE, Knowledge
from kgverify.reasoning.proofs import Derivation
from kgverify.reasoning.rules import hard_rules
from kgverify.reasoning.views import COMPARISONS, DEFINITIONS, View
from kgverify.vocabulary import Citation, Inference, Node

OPERATORS = {short: sign for sign, short in COMPARISONS.items()}
COMPARED = "values and times as they are"
_TIMES = ("during", "period", "throughout", "meet", "unlimited")


class Narrator:
    """Says atoms and proofs in the rule file's own words; `views` are the relations that the
    questions make, `names` what terms are called that have no name in the graph."""

    def __init__(
        self,
        knowledge: Knowledge,
        views: Mapping[str, View] | None = None,
        names: Mapping[int, str] | None = None,
    ) -> None:
        self._knowledge = knowledge
        self._views, self._names = views or {}, names or {}

    def calling(self, names: Mapping[int, str]) -> Narrator:
        """A narrator that has these names for some terms."""
        return Narrator(self._knowledge, self._views, names) if names else self

    @property
    def _book(self) -> RuleBook:
        return self._knowledge.book

    def label(self, value: str | int) -> str:
        if not isinstance(value, int):
            return value
        return self._names.get(value) or self._knowledge.label(value)

    def formal(self, atom: Ground) -> str:
        """The atom as the rule language writes it, with labels."""
        predicate, *rest = atom
        if predicate in _TIMES:
            return self._timed(atom)
        names = [self.label(value) for value in rest]
        match predicate:
            case "for" | "triple" | "counted":
                return self._atom(*names)
            case "against" | "denied":
                return f"not {self._atom(*names)}"
            case "listed":
                return f"all objects of {names[1]} by `{names[0]}` are listed"
            case "meets" | "fails":
                negation = "" if predicate == "meets" else "not "
                return f"{negation}{names[1]} {OPERATORS[names[0]]} {names[2]}"
            case "size":
                return f"{names[0]} is a number"
            case "is_a" | "member":
                return f"{names[0]} : {names[1]}"
            case "isnt_a" | "denied_member":
                return f"not {names[0]} : {names[1]}"
            case "subclass":
                return f"every {names[0]} is {article(names[1])}"
            case "same":
                return f"{names[0]} and {names[1]} are the same"
            case _:
                return f"{', '.join(names[:-1])} and {names[-1]} are different"

    def _timed(self, atom: Ground) -> str:
        """An atom that speaks of periods, which go by numbers."""
        predicate, *rest = atom
        periods = self._knowledge.periods
        match predicate:
            case "during" | "period":
                relation, subject, object_, number = rest
                stated = self.sentence(("for", relation, subject, object_))
                return f"{stated}, {periods[int(number)]}"
            case "throughout":
                return f"{periods[int(rest[0])]} includes {rest[1]}"
            case "meet":
                return f"{periods[int(rest[0])]} meets {periods[int(rest[1])]}"
            case _:
                return str(periods[int(rest[0])])

    def _atom(self, relation: str, subject: str, object_: str) -> str:
        view = self._views.get(relation)
        text = view.text if view else f"{relation}({{0}}, {{1}})"
        return fill(text, {"0": subject, "1": object_})

    def sentence(self, atom: Ground) -> str:
        """The atom in the sentence that the rule file gives its relation."""
        predicate, *rest = atom
        match predicate:
            case "for" | "triple" | "counted":
                return self._relation(rest)
            case "against" | "denied":
                return f"it is false that {self._relation(rest)}"
            case "is_a" | "member":
                return self._member(rest[0], rest[1])
            case "isnt_a" | "denied_member":
                return f"it is false that {self._member(rest[0], rest[1])}"
            case _:
                return self.formal(atom)

    def _relation(self, rest: Sequence[str | int]) -> str:
        name, subject, object_ = rest
        view = self._views.get(str(name))
        declared = self._book.relations.get((view and view.ever) or str(name))
        one, other = self.label(subject), self.label(object_)
        if declared is None or not declared.sentence:
            return self._atom(str(name), one, other)
        return fill(declared.sentence, {"0": one, "1": other})

    def _member(self, entity: str | int, cls: str | int) -> str:
        declared = self._book.classes.get(str(cls))
        if declared is not None and "{0}" in declared.sentence:
            return fill(declared.sentence, {"0": self.label(entity)})
        return f"{self.label(entity)} is {article(self.label(cls))}"

    def source(self, atom: Ground) -> str:
        """Where a stored fact is stated, "" for what needs no fact."""
        predicate, *rest = atom
        if predicate in ARITHMETIC:
            return ""
        knowledge = self._knowledge
        if self._is_admitted(atom):
            return knowledge.admitted[str(rest[0]), int(rest[1]), int(rest[2])]
        if predicate == "period":
            return knowledge.period_source(str(rest[0]), *map(int, rest[1:]))
        layer = knowledge.denied if str(predicate).startswith("denied") else knowledge.facts
        if predicate in ("triple", "denied"):
            return layer.source(str(rest[0]), int(rest[1]), int(rest[2]))
        ids = [knowledge.class_ids[v] if isinstance(v, str) else v for v in rest]
        return layer.source("rdfs:subClassOf" if predicate == "subclass" else TYPE, ids[0], ids[1])

    def _is_admitted(self, atom: Ground) -> bool:
        """Is this an edge that nobody states and that is believed?"""
        return atom[0] == "triple" and atom[1:] in self._knowledge.admitted

    def _kind(self, atom: Ground) -> str:
        """What a stored fact is, as a step of a proof."""
        if self._is_admitted(atom):
            return "admitted"
        return "denial" if str(atom[0]).startswith("denied") else "fact"

    def stated(self, atom: Ground) -> Ground:
        """A stored fact with the ids under which it is stated."""
        predicate, *rest = atom
        if predicate in ARITHMETIC:
            return atom
        knowledge = self._knowledge
        layer = knowledge.denied if str(predicate).startswith("denied") else knowledge.facts
        if predicate in ("triple", "denied"):
            return predicate, rest[0], *layer.stated_as(str(rest[0]), int(rest[1]), int(rest[2]))
        if predicate == "period":
            ids = knowledge.period_as(str(rest[0]), *map(int, rest[1:]))
            return predicate, rest[0], *ids, rest[3]
        # Classes of the rule file go by their names, and have no others.
        one, other = (knowledge.class_ids[t] if isinstance(t, str) else t for t in rest)
        names = layer.stated_as(SUBCLASS if predicate == "subclass" else TYPE, one, other)
        pairs = zip(rest, names, strict=True)
        return predicate, *(term if isinstance(term, str) else id_ for term, id_ in pairs)

    def identity(self, atom: Ground) -> Node:
        """That two terms are the same or differ, as a step of a proof."""
        predicate, one, other = atom
        if predicate == "different" or one == other:
            return Node(self.formal(atom), "identity")
        steps = self.names_of_one(int(one), int(other))
        if len(steps) == 1:
            return steps[0]
        return Node(self._same(int(one), int(other)), "identity", children=tuple(steps))

    def names_of_one(self, one: int, other: int) -> list[Node]:
        """The declarations by which two ids are one entity, as steps of a proof."""
        return [
            Node(self._same(*pair), "identity", "", self._knowledge.identity_source(*pair))
            for pair in self._knowledge.identity.path(one, other)
        ]

    def declarations(self, one: int, other: int) -> list[Citation]:
        """The citations of the declarations by which two ids are one entity."""
        return [self._declaration(*pair) for pair in self._knowledge.identity.path(one, other)]

    def _declaration(self, one: int, other: int) -> Citation:
        """The citation of a declaration that two ids are one entity."""
        knowledge = self._knowledge
        name = knowledge.identity_statement(one, other)
        source = knowledge.identity_source(one, other)
        keys = knowledge.key(one), knowledge.key(other)
        return Citation("same", self._same(one, other), source, name, keys)

    def differing(self, atom: Ground) -> Iterator[Inference]:
        """The step that two terms are different, where what is cited says it in another order."""
        conclusion, premise = self.formal(atom), self.extra("identity", atom).text
        if conclusion != premise:
            yield Inference("in either order", "", conclusion, (premise,))

    def joining(self, one: int, other: int) -> Iterator[Inference]:
        """The step that two ids are one entity, or one id, where no declaration says just that."""
        conclusion = self.formal(("same", one, other))
        same = tuple(node.text for node in self.names_of_one(one, other))
        if same != (conclusion,):
            yield Inference("names of one entity", "", conclusion, same)

    def _same(self, one: int, other: int) -> str:
        labels = self.label(one), self.label(other)
        if labels[0] == labels[1]:
            labels = self._knowledge.name(one), self._knowledge.name(other)
        return f"{labels[0]} and {labels[1]} are the same"

    def identities(self, atom: Ground, stated: Ground) -> list[Node]:
        """What makes a stored fact, as it is stated, the fact of an atom."""
        return [node for pair in _renamed(atom, stated) for node in self.names_of_one(*pair)]

    def other_names(
        self, proof: Derivation, said: Container[Ground] = ()
    ) -> Iterator[tuple[int, int]]:
        """The ids under which facts are stated and statements written that a proof rests on, each
        with the one that stands for it, where that is another; without the facts that are `said`
        otherwise."""
        for part in proof.parts():
            if part.atom in said:
                continue
            if part.step is None:
                yield from _renamed(part.atom, self.stated(part.atom))
            else:
                yield from self.names_in(part.step.rule.origin)

    def names_in(self, origin: Origin) -> Iterator[tuple[int, int]]:
        """The ids that a statement of the rule file names, each with the other that stands for
        it."""
        for named in self._named.get(origin.statement, ()):
            yield named, self._knowledge.identity.one(named)

    @cached_property
    def _named(self) -> dict[tuple[Constant, ...], tuple[int, ...]]:
        """The ids that statements of the rule file name and for which another stands."""
        knowledge, one = self._knowledge, self._knowledge.identity.one
        found = dict(self._rule_terms)
        for complete in knowledge.book.complete:
            for subject in complete.subjects:
                id_ = knowledge.named(subject, "")
                key = "complete_subject", complete.relation.text, one(id_)
                found.setdefault(key, (id_,))
        return {
            statement: named
            for statement, ids in found.items()
            if (named := tuple(id_ for id_ in dict.fromkeys(ids) if one(id_) != id_))
        }

    def constants(self, origin: Origin) -> tuple[int, ...]:
        """The ids that a statement of the rule file names, where it is a rule."""
        return self._rule_terms.get(origin.statement, ())

    @cached_property
    def _rule_terms(self) -> dict[tuple[Constant, ...], tuple[int, ...]]:
        knowledge = self._knowledge
        rules = hard_rules(knowledge.book, knowledge.named)
        return {rule.origin.statement: _terms(rule) for rule in rules}

    def tell(self, proof: Derivation) -> Node:
        """The proof as nodes in words; steps that only read a stored fact are left out."""
        if proof.step is None:
            if proof.atom[0] in ARITHMETIC:
                return Node(self.formal(proof.atom), "value")
            stated = self.stated(proof.atom)
            fact = Node(self.sentence(stated), self._kind(proof.atom), "", self.source(proof.atom))
            same = self.identities(proof.atom, stated)
            if not same:
                return fact
            return Node(self.sentence(proof.atom), "identity", children=(fact, *same))
        read = _only_read(proof)
        if read is not None:
            return self.tell(read)
        origin = proof.step.rule.origin
        only = proof.children[0] if len(proof.children) == 1 else None
        view = self._views.get(str(proof.atom[1]))
        if only is not None and view is not None and view.ever == only.atom[1]:
            return self.tell(only)  # a relation at some time is that relation
        if only is not None and proof.atom[0] == "counted":
            return self.tell(only)  # what is counted is there
        children = [self.tell(child) for child in proof.children if child.atom[0] != "size"]
        for kind, atom in proof.step.extra:
            if kind == "absence":
                text = f"the graph does not list that {self.sentence(atom)}"
                children.append(Node(text, "absence", origin.text, str(origin.span or "")))
            elif kind == "listing":
                children.append(Node(self._listing(atom), "absence"))
            else:
                children.append(Node(self.formal(atom), "identity"))
        kind = "rule" if origin.kind == "rule" else "schema"
        return Node(
            self.sentence(proof.atom), kind, _why(origin), str(origin.span or ""), tuple(children)
        )

    def _listing(self, atom: Ground) -> str:
        """That a relation leads from a subject to these things alone."""
        _, relation, subject, *objects = atom
        what = f"`{relation}` of {self.label(subject)}"
        if not objects:
            return f"the graph lists no {what}"
        return f"the graph lists no other {what} than {', '.join(map(self.label, objects))}"

    def cite(self, proof: Derivation, said: Container[Ground] = ()) -> list[Citation]:
        """What a proof rests on, each once: facts, denials, absences and identities first, then
        the statements of the rule file; without the facts that are `said` otherwise."""
        stated: dict[Citation, None] = {}
        statements: dict[Citation, None] = {}
        for part in proof.parts():
            if part.step is None:
                if part.atom[0] not in ARITHMETIC and part.atom not in said:
                    stated.setdefault(self.stored(part.atom))
                continue
            for citation in self.needs(part.step):
                (statements if citation.kind == "statement" else stated).setdefault(citation)
        return [*stated, *statements]

    def needs(self, step: Step) -> list[Citation]:
        """What a step rests on besides evidence."""
        found = [self.extra(kind, atom) for kind, atom in step.extra]
        origin = step.rule.origin
        if not origin.statement or origin.statement[0] in DEFINITIONS:
            return found
        return [*found, self.statement(origin)]

    def stored(self, atom: Ground) -> Citation:
        """The citation of a fact, or a denied fact, under the names that it is stated with."""
        kind, source, atom = self._kind(atom), self.source(atom), self.stated(atom)
        predicate, *rest = atom
        if predicate in ("triple", "denied", "period"):
            name, terms = str(rest[0]), rest[1:3]
        else:
            name, terms = SUBCLASS if predicate == "subclass" else TYPE, rest
        keys = tuple(map(self._key, terms))
        if predicate == "period":
            period = self._knowledge.periods[int(rest[3])]
            kind = "period" if period.best else "outranked"
            keys += tuple(text and value_key(text, "date") for text in (period.since, period.until))
        return Citation(kind, self.formal(atom), source, name, keys)

    def extra(self, kind: str, atom: Ground) -> Citation:
        """The citation of an absence, a listing or a difference that a step needs."""
        if kind == "listing":
            keys = tuple(map(self._key, atom[2:]))
            return Citation(kind, self._listing(atom), "", str(atom[1]), keys)
        if kind == "absence":
            terms = tuple(map(self._key, atom[2:]))
            view = self._views.get(str(atom[1]))
            name = view.syntax if view else str(atom[1])
            return Citation(kind, f"{self.formal(atom)} is not listed", "", name, terms)
        terms_ = sorted(atom[1:], key=self._key)  # the same in any order
        text = self.formal(("different", *terms_))
        return Citation(kind, text, "", "", tuple(map(self._key, terms_)))

    def assumption(self, atom: Ground) -> Citation:
        """The citation of an atom that counts as false because nothing is known of it."""
        predicate, *rest = atom
        name, terms = (TYPE, rest) if predicate == "is_a" else (str(rest[0]), rest[1:])
        view = self._views.get(name)
        name = view.syntax if view else name
        text = f"assumed: {self.formal(atom)} is not known"
        return Citation("assumption", text, "", name, tuple(map(self._key, terms)))

    def statement(self, origin: Origin) -> Citation:
        """The citation of a statement of the rule file."""
        name, *arguments = origin.statement
        text = _why(origin)
        if name in ("disjoint", "disjoint_classes"):  # the same in either order
            arguments.sort(key=str)
            text = "`{}` and `{}` are disjoint".format(*arguments)
        if name == "complete_subject":  # as the statement names it
            arguments[1:] = self._named.get(tuple(origin.statement), arguments[1:])
        keys = tuple(self._knowledge.key(a) if isinstance(a, int) else a for a in arguments)
        return Citation("statement", text, str(origin.span or ""), str(name), keys)

    def _key(self, term: str | int) -> str:
        """The exact key of a term, or of a class that goes by its name."""
        id_ = self._knowledge.class_ids[term] if isinstance(term, str) else term
        return self._knowledge.key(id_)

    def infer(self, proof: Derivation) -> list[Inference]:
        """The steps of a proof, premises first, each conclusion once."""
        found: dict[str, Inference] = {}
        for part in proof.parts():
            if part.step is None:
                for step in self._told_as(part.atom):
                    found.setdefault(step.conclusion, step)
                if part.atom[0] in ARITHMETIC:
                    said = self.formal(part.atom)
                    found.setdefault(said, Inference(COMPARED, "", said, ()))
                continue
            if _only_read(part) is not None:
                continue
            origin = part.step.rule.origin
            premises = [self._conclusion(child) for child in part.children]
            premises += [self.extra(kind, atom).text for kind, atom in part.step.extra]
            conclusion = self._conclusion(part)
            found.setdefault(
                conclusion,
                Inference(_why(origin), str(origin.span or ""), conclusion, tuple(premises)),
            )
        return list(found.values())

    def reading(self, fact: Ground, period: Ground) -> Iterator[Inference]:
        """The step from a fact that is stated for a period to the fact."""
        yield from self._told_as(period)
        conclusion = self.formal(self.stated(fact))
        yield Inference("stated for a period", "", conclusion, (self.formal(period),))

    def _told_as(self, atom: Ground) -> Iterator[Inference]:
        """The step from a fact as it is stated to the same about the ids that stand for others."""
        stated = self.stated(atom)
        yield from self.renaming(atom, stated, _renamed(atom, stated))

    def renaming(
        self, atom: Ground, stated: Ground, pairs: Sequence[tuple[int, int]]
    ) -> Iterator[Inference]:
        """The step from an atom to the same one under other names."""
        conclusion, premise = self.formal(atom), self.formal(stated)
        if conclusion != premise:
            same = [node.text for pair in pairs for node in self.names_of_one(*pair)]
            premises = tuple(dict.fromkeys((premise, *same)))
            yield Inference("names of one entity", "", conclusion, premises)

    def _conclusion(self, proof: Derivation) -> str:
        return self.formal((_only_read(proof) or proof).atom)


def _renamed(atom: Ground, stated: Ground) -> list[tuple[int, int]]:
    """The terms of a stored fact, as it is stated, that are others in the atom; with these."""
    pairs = dict.fromkeys(zip(stated[1:], atom[1:], strict=True))
    return [(int(one), int(other)) for one, other in pairs if one != other]


def _terms(rule: Rule) -> tuple[int, ...]:
    """The ids that a rule names."""
    parts = (rule.head, *rule.body)
    sides = (
        part.arguments if isinstance(part, Atom) else (part.left, part.right)
        for part in parts
        if not isinstance(part, Aggregate)
    )
    return tuple(term for found in sides for term in found if isinstance(term, int))


def _why(origin: Origin) -> str:
    """The words of a step's rule, for the steps that no statement names."""
    return origin.text or "the class hierarchy"


def _only_read(proof: Derivation) -> Derivation | None:
    """The stored fact that a proof only reads; None when it does more."""
    if proof.step is None or len(proof.children) != 1 or proof.step.rule.origin.text:
        return None
    only = proof.children[0]
    return only if only.step is None and only.atom[0] != "subclass" else None


def citation_line(citation: Citation) -> str:
    """A citation with its place, for people."""
    return f"{citation.text} [{citation.source}]" if citation.source else citation.text


def fill(sentence: str, values: Mapping[str, str]) -> str:
    """The sentence with its placeholders filled; a value that looks like one stays as it is."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), sentence)


def cited(node: Node) -> str:
    """A step of a proof with its place."""
    return f"{node.text} [{node.source}]" if node.source else node.text
