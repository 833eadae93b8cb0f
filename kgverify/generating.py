"""Candidates from the graph itself, for questions that come without any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from kgverify.graph.terms import Kind
from kgverify.language import syntax as s
from kgverify.language.dependencies import used_by
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.knowledge import TYPE, Knowledge
from kgverify.reasoning.layers import Ids

_NONE: Ids = np.empty(0, np.int64)


def possible(knowledge: Knowledge, question: s.Question, inferring: bool = False) -> Ids:
    """The entities that may answer a question: all that there may be evidence of being in its
    answer class, and what stands in a fact that its constraints rest on; but none of a class
    disjoint from it.  Ascending.

    An entity of the graph that is sat is among them, since it is in the class; what the graph
    doesn't place anywhere near the question is left out, though nothing refutes it.  `inferring`:
    what a soft rule concludes may be sat too."""
    facts = knowledge.facts
    cls = question.answer_class.text
    members, _ = facts.from_objects(TYPE, knowledge.hierarchy.below(cls))
    used = [name for name in used_by(knowledge.book, [question.name.text]) if facts.stores(name)]
    rules = knowledge.book.implications if inferring else knowledge.book.rules
    stated = (side for name in used for side in facts.all(name))
    ends = np.unique(np.concatenate([_NONE, *_placed(knowledge, cls, rules), *stated]))
    typed, classes = facts.from_subjects(TYPE, ends)
    other = [
        id_
        for id_ in np.unique(classes).tolist()
        if any(knowledge.book.are_disjoint(cls, n) for n in knowledge.hierarchy.names_above(id_))
    ]
    ends = np.setdiff1d(ends, typed[np.isin(classes, other)])
    return _entities(knowledge, np.union1d(members, ends))


# Where an entity can stand: in a class, or on the left (0) or the right (1) of a relation.
_Slot = tuple[str, int]
_MEMBER = -1


def _placed(knowledge: Knowledge, cls: str, rules: Sequence[s.Rule]) -> Iterator[Ids]:
    """What stands where a member of the class may stand, by signatures, links and rules."""
    slots: dict[_Slot, None] = {(cls, _MEMBER): None}
    for slot in (todo := list(slots)):
        name, side = slot
        if side == _MEMBER:
            below = knowledge.hierarchy.below(name)
            yield knowledge.facts.from_objects(TYPE, below)[0]
        elif knowledge.facts.stores(name):
            yield knowledge.facts.all(name)[side]
        for other in _evidence_for(knowledge, slot, rules):
            if isinstance(other, int):
                yield np.array([other], np.int64)
            elif other not in slots:
                slots[other] = None
                todo.append(other)


def _evidence_for(
    knowledge: Knowledge, slot: _Slot, rules: Sequence[s.Rule]
) -> Iterator[_Slot | int]:
    """The slots whose entities stand in this one by the schema or a rule, and single entities."""
    book = knowledge.book
    name, side = slot
    if side == _MEMBER:
        yield from ((lower, _MEMBER) for lower in knowledge.hierarchy.named_below(name))
        for relation in book.relations.values():
            for place, end in enumerate((relation.domain.text, relation.range.text)):
                if end == name:
                    yield relation.name.text, place
    else:
        for other, turned in _sources(book, name):
            yield other, 1 - side if turned else side
    for rule in rules:
        head = rule.head.atom
        if rule.head.negated or _name(head) != name:
            continue
        term = head.terms[0 if side == _MEMBER else side]
        if term.kind is s.TermKind.VARIABLE:
            yield next(_binding(rule, term.text))
        elif term.kind is not s.TermKind.ANONYMOUS:
            yield knowledge.entity(term)


def _binding(rule: s.Rule, variable: str) -> Iterator[_Slot]:
    """Where the atoms of the body that bind a variable have it; each holds of all its values."""
    for part in rule.body:
        if isinstance(part, s.Literal) and not part.negated:
            places = [n for n, t in enumerate(part.atom.terms) if t.text == variable]
            if places:
                is_class = isinstance(part.atom, s.ClassAtom)
                yield _name(part.atom), _MEMBER if is_class else places[0]


def _name(atom: s.Atom) -> str:
    return atom.cls.text if isinstance(atom, s.ClassAtom) else atom.relations[0].text


def reached(
    knowledge: Knowledge,
    question: s.Question,
    arguments: Mapping[str, Any],
    inferring: bool = False,
) -> Ids | None:
    """Entities among which are all that meet the question's constraints on the stated evidence,
    given what its parameters stand for; ascending.  None when no constraint narrows them down, or
    rules may derive what one asks for; if `inferring`, soft ones too."""
    entities = [p.name.text for p in question.parameters if p.type.text not in DATATYPES]
    ids, _ = knowledge.resolve([str(arguments[name]) for name in entities])
    ones = map(knowledge.identity.one, ids)
    follower = _Follower(knowledge, question, dict(zip(entities, ones, strict=True)), inferring)
    found: Ids | None = None
    for item in question.items:
        if item.demand is not s.Demand.REQUIRE or item.exceptions:
            continue
        ends = follower.meeting(item.condition)
        if ends is not None:
            found = ends if found is None else np.intersect1d(found, ends)
    return None if found is None else _entities(knowledge, found)


def _entities(knowledge: Knowledge, ids: Ids) -> Ids:
    """Those of some terms that are entities with a name, and no classes."""
    own = ids[ids < knowledge.graph.n_terms]
    named = own[knowledge.graph.kinds(own) == Kind.ENTITY]
    return np.setdiff1d(named, np.array(list(knowledge.class_names), np.int64))


class _Follower:
    """Follows the paths of constraints from the question's arguments to the answers."""

    def __init__(
        self,
        knowledge: Knowledge,
        question: s.Question,
        arguments: Mapping[str, int],
        inferring: bool,
    ) -> None:
        self._knowledge, self._answer = knowledge, question.answer.text
        self._arguments = arguments
        self._heads = {
            name.text
            for rule in (knowledge.book.implications if inferring else knowledge.book.rules)
            if not rule.head.negated and rule.body
            for name in rule.head.atom.relations
        }

    def meeting(self, condition: s.Constraint) -> Ids | None:
        """What there may be evidence for that it meets the condition; None for anything."""
        if isinstance(condition, s.Group):
            return self._group(condition)
        if not isinstance(condition, s.Literal) or condition.negated:
            return None
        atom = condition.atom
        if isinstance(atom, s.RelationAtom):
            path = s.Path("relation", atom.relation, (), atom.span)
        elif isinstance(atom, s.PathAtom):
            path = atom.path
        else:
            return None
        left, right = atom.arguments
        if self._leads_to_values(path):
            return None  # a value may be spelled in many ways
        if left.text == self._answer and right.text != self._answer:
            return self._from(path, self._start(right), backwards=True)
        if right.text == self._answer and left.text != self._answer:
            return self._from(path, self._start(left), backwards=False)
        return None

    def _group(self, group: s.Group) -> Ids | None:
        if group.negated:
            return None
        members = [self.meeting(member) for member in group.members]
        known = [ends for ends in members if ends is not None]
        if group.quantity == "all":
            return reduce(np.intersect1d, known) if known else None
        return np.unique(np.concatenate(known)) if len(known) == len(members) else None

    def _leads_to_values(self, path: s.Path) -> bool:
        """Does a path end in values?  A relation to values is only ever the last step."""
        if path.relation is not None:
            return self._knowledge.book.is_literal(path.relation.text)
        return any(map(self._leads_to_values, path.parts))

    def _start(self, term: s.Term) -> Ids:
        if term.kind is s.TermKind.NAME and term.text in self._arguments:
            return np.array([self._arguments[term.text]], np.int64)
        return np.array([self._knowledge.entity(term)], np.int64)

    def _from(self, path: s.Path, start: Ids, backwards: bool) -> Ids | None:
        """Where a path leads from some terms, or where it comes from; None for anywhere."""
        match path.kind:
            case "relation":
                assert path.relation is not None
                return self._step(path.relation.text, start, backwards)
            case "inverse":
                return self._from(path.parts[0], start, not backwards)
            case "sequence":
                here: Ids | None = start
                for part in reversed(path.parts) if backwards else path.parts:
                    here = None if here is None else self._from(part, here, backwards)
                return here
            case "alternative":
                ends = [self._from(part, start, backwards) for part in path.parts]
                known = [found for found in ends if found is not None]
                return np.unique(np.concatenate(known)) if len(known) == len(ends) else None
        return self._closure(path.parts[0], start, backwards)

    def _closure(self, step: s.Path, start: Ids, backwards: bool) -> Ids | None:
        seen, todo = _NONE, start
        while len(todo):
            found = self._from(step, todo, backwards)
            if found is None:
                return None
            todo = np.setdiff1d(found, seen)
            seen = np.union1d(seen, found)
        return seen

    def _step(self, relation: str, start: Ids, backwards: bool) -> Ids | None:
        found = [_NONE]
        facts = self._knowledge.facts
        stated = self._stated(relation)
        if stated is None:
            return None
        for name, flipped in stated:
            if not facts.stores(name):
                continue
            if backwards != flipped:
                found.append(facts.from_objects(name, start)[0])
            else:
                found.append(facts.from_subjects(name, start)[1])
        return np.unique(np.concatenate(found))

    def _stated(self, relation: str) -> list[tuple[str, bool]] | None:
        """The relations whose facts are evidence for this one, and whether the other way round;
        None when a rule or a chain can be evidence as well."""
        book = self._knowledge.book
        seen: dict[tuple[str, bool], None] = {(relation, False): None}
        for name, flipped in (todo := list(seen)):
            properties = book.relations[name].properties
            if name in self._heads or any(p.kind == "transitive" for p in properties):
                return None
            for other, turned in _sources(book, name):
                if (other, flipped != turned) not in seen:
                    seen[other, flipped != turned] = None
                    todo.append((other, flipped != turned))
        return list(seen)


def _sources(book: RuleBook, relation: str) -> Iterator[tuple[str, bool]]:
    """The relations that the schema derives a relation from, fact by fact, and whether the other
    way round."""
    for name, links in book.restated.items():
        yield from ((name, turned) for other, turned in links if other == relation)
