"""A rule file with its names resolved: what the reasoning and the reports work from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from kgverify.errors import Problem, Span
from kgverify.language import syntax as s

DATATYPES = ("integer", "decimal", "number", "date", "string", "boolean")


@dataclass(frozen=True)
class RuleBook:
    """A rule file that has passed its checks; `rules` are the hard ones, with the facts.

    `classes`, `relations` and `questions` are keyed by the names of the rule file; `hash` is the
    SHA-256 of its text.
    """

    path: str
    text: str
    prefixes: dict[str, str]
    classes: dict[str, s.ClassDeclaration]
    relations: dict[str, s.RelationDeclaration]
    disjoint: tuple[s.Disjoint, ...]
    complete: tuple[s.Complete, ...]
    rules: tuple[s.Rule, ...]
    questions: dict[str, s.Question]
    tests: tuple[s.Test, ...]
    same: tuple[s.Same, ...] = ()
    soft: tuple[s.SoftRule, ...] = ()
    warnings: tuple[Problem, ...] = field(default=())

    @cached_property
    def hash(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def expand(self, curie: str) -> str | None:
        """The IRI that a prefixed name stands for; None when its prefix is not declared."""
        prefix, _, local = curie.partition(":")
        base = self.prefixes.get(prefix)
        return None if base is None else base + local

    def kg_name(self, name: str) -> str:
        """What the graph calls the class or relation `name`."""
        declared = self.classes[name] if name in self.classes else self.relations[name]
        kg = declared.kg_name
        if kg is None:
            return name
        if kg.kind is s.KgNameKind.CURIE:
            return self.expand(kg.text) or kg.text
        return kg.text

    def entity_ids(self, term: s.Term) -> tuple[str, ...]:
        """The ids by which the graph may know the entity that `term` names, best first."""
        if term.kind is s.TermKind.CURIE:
            expanded = self.expand(term.text)
            return (expanded, term.text) if expanded else (term.text,)
        return (term.text,)

    def with_questions(self, questions: Iterable[s.Question]) -> RuleBook:
        """The rule book with further questions; its text and hash stay those of the file."""
        more = {question.name.text: question for question in questions}
        return replace(self, questions={**self.questions, **more})

    @property
    def implications(self) -> tuple[s.Rule, ...]:
        """The hard rules and facts, and what the soft rules say without their weights."""
        return (*self.rules, *(soft.rule for soft in self.soft))

    def rule_id(self, rule: s.Rule) -> str:
        """The rule's name, or its place when it has none."""
        return rule.name or f"line {rule.span.line}"

    def datatype(self, relation: str) -> str:
        """The datatype of a relation's objects, "" when they are entities."""
        declared = self.relations.get(relation)
        return declared.range.text if declared and declared.range.text in DATATYPES else ""

    def is_literal(self, relation: str) -> bool:
        """Are the objects of `relation` literal values?"""
        return self.datatype(relation) != ""

    @property
    def literal_relations(self) -> dict[str, str]:
        """The relations to values, by the graph's names, with their datatypes."""
        return {
            self.kg_name(name): relation.range.text
            for name, relation in self.relations.items()
            if self.is_literal(name)
        }

    @cached_property
    def superclasses(self) -> dict[str, frozenset[str]]:
        """Each declared class with all classes above it, itself included; cycles are fine."""
        above: dict[str, frozenset[str]] = {}
        for name in self.classes:
            seen, todo = {name}, [name]
            while todo:
                for parent in self.classes[todo.pop()].supers:
                    if parent.text in self.classes and parent.text not in seen:
                        seen.add(parent.text)
                        todo.append(parent.text)
            above[name] = frozenset(seen)
        return above

    @cached_property
    def restated(self) -> dict[str, tuple[tuple[str, bool], ...]]:
        """For each relation what one declaration makes of its atoms: the same of another relation,
        or of itself, with the terms exchanged or not."""
        found: dict[str, dict[tuple[str, bool], None]] = {name: {} for name in self.relations}
        for name, relation in self.relations.items():
            for item in relation.properties:
                target = item.target.text if item.target else ""
                match item.kind:
                    case "symmetric":
                        found[name][name, True] = None
                    case "subrelation":
                        found[name][target, False] = None
                    case "inverse":
                        found[name][target, True] = None
                        found.setdefault(target, {})[name, True] = None
        return {name: tuple(links) for name, links in found.items()}

    def says(self, relation: str) -> frozenset[tuple[str, bool]]:
        """What an atom of a relation says in other words by declarations, itself included: each
        with its relation, and whether its terms are exchanged."""
        return self._says.get(relation, frozenset({(relation, False)}))

    @cached_property
    def _says(self) -> dict[str, frozenset[tuple[str, bool]]]:
        said = {}
        for relation in self.restated:
            found: set[tuple[str, bool]] = set()
            todo = [(relation, False)]
            while todo:
                way = todo.pop()
                if way not in found:
                    found.add(way)
                    links = self.restated.get(way[0], ())
                    todo += [(other, way[1] != turned) for other, turned in links]
            said[relation] = frozenset(found)
        return said

    @cached_property
    def disjoint_pairs(self) -> tuple[tuple[str, str, Span], ...]:
        """Every declared pair of disjoint classes or relations, in both orders."""
        pairs: dict[tuple[str, str], Span] = {}
        for statement in self.disjoint:
            names = [ident.text for ident in statement.names]
            for one in names:
                for other in names:
                    if one != other:
                        pairs.setdefault((one, other), statement.span)
        return tuple((a, b, span) for (a, b), span in pairs.items())

    def are_disjoint(self, one: str, other: str) -> bool:
        """Can nothing be in both classes?"""
        declared = {(a, b) for a, b, _ in self.disjoint_pairs}
        return any(
            (a, b) in declared
            for a in self.superclasses.get(one, (one,))
            for b in self.superclasses.get(other, (other,))
        )
