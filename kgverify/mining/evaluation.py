"""What one rule says on one graph: its measures, and the bindings that bear it out or fail it.

Any Horn rule will do, whoever found it: with constants, repeated variables, inequalities, loose
ends.

A rule whose every relation has facts between entities, and that names no value, is about entities:
facts whose object is a value don't count for it, as they don't in mining (`relations.py`).  For any
other rule all facts count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from kgverify.errors import Problem, RuleError
from kgverify.graph import Graph
from kgverify.graph.strings import Ints, member
from kgverify.mining.horn import Atom, HornRule, Measures, Side, Term
from kgverify.mining.joins import BLOCK, MOST_ROWS, Columns, Joins, Table, distinct_facts, packed
from kgverify.mining.relations import between_entities
from kgverify.mining.sides import functional_side


@dataclass(frozen=True, eq=False)
class Bindings:
    """What the variables of a rule stand for, a row a binding, ascending.  int32[n, k]

    `variables` names the columns; `constants` has the id of each constant."""

    variables: tuple[int, ...]
    ids: Ints
    constants: dict[str, int]

    def __len__(self) -> int:
        return len(self.ids)

    def of(self, term: Term) -> Ints:
        """What a variable or constant stands for in each row.  int32[n]"""
        if isinstance(term, str):
            return np.full(len(self), self.constants[term], np.int32)
        return self.ids[:, self.variables.index(term)]

    def pairs(self, atom: Atom) -> tuple[Ints, Ints]:
        """Subject and object of an atom of the rule in each row."""
        return self.of(atom.subject), self.of(atom.object)


class Evaluator:
    """Many rules on one graph.  It keeps the relations that it has met.

    Inequalities between terms of the head count in the head's size too: `r(a, a)` is no instance
    of `r(X, Y)` where X and Y must differ.  Raises LimitReached for a rule whose bindings are more
    than `most_rows`, and RuleError for one with a variable of the head that the body lacks."""

    def __init__(self, graph: Graph, block: int = BLOCK, most_rows: int = MOST_ROWS) -> None:
        self.graph = graph
        self._facts: dict[tuple[str, bool], Columns] = {}
        self._joins = {
            about_entities: Joins(
                partial(self._columns, about_entities), self._id, block, most_rows
            )
            for about_entities in (True, False)
        }

    def measure(self, rule: HornRule, side: Side = "subject") -> Measures:
        """How well the graph bears the rule out, in distinct head pairs; `side` is that of the
        partial completeness assumption."""
        _require_safe(rule)
        joins = self._joins_for(rule)
        head = joins.facts(rule.head.relation)
        support = body_size = pca_body_size = 0
        known = head.subjects if side == "subject" else head.objects
        unlike = rule.inequalities
        for table in joins.solve(rule.body, unlike, _head_variables(rule)):
            subjects, objects = joins.pairs(rule.head, table)
            body_size += table.count
            support += int(member(packed(subjects, objects), head.forward).sum())
            pca_body_size += int(member(subjects if side == "subject" else objects, known).sum())
        own = [pair for pair in unlike if {*rule.head.terms}.issuperset(pair)]
        alone = joins.solve((rule.head,), own, _head_variables(rule))
        return Measures(support, sum(t.count for t in alone), body_size, pca_body_size, side)

    def functional_side(self, rule: HornRule) -> Side:
        """The side of the rule's head on which AMIE assumes completeness."""
        head = self._joins_for(rule).facts(rule.head.relation)
        return functional_side(rule.head, len(head.subjects), len(head.objects))

    def groundings(self, rule: HornRule, limit: int | None = None) -> Bindings:
        """Bindings of all variables for which body and head hold, ascending: by what the first
        variable of `rule.variables` stands for, then the second …  `limit` takes the first."""
        found = self._joins_for(rule).solve(rule.atoms, rule.inequalities, rule.variables, limit)
        return self._bindings(found, rule, limit)

    def predictions(self, rule: HornRule, limit: int | None = None) -> Bindings:
        """Bindings of all variables for which the body holds and the head is not in the graph, in
        the same order.  Absence is not falsehood: these are what the rule would add."""
        return self._bindings(self._missing(rule, rule.variables), rule, limit)

    def additions(self, rule: HornRule) -> tuple[Ints, Ints]:
        """Subject and object of each head that the rule would add: those of `predictions`, each
        pair once; -1 for a constant that the graph lacks."""
        pair = _head_variables(rule)
        return self._bindings(self._missing(rule, pair), rule, None, pair).pairs(rule.head)

    def examples(self, rule: HornRule, holds: bool, limit: int) -> Bindings:
        """One binding, the first, for each of the first `limit` head pairs for which the body
        holds, and the head does (`holds`) or is not in the graph."""
        _require_safe(rule)
        joins, pair = self._joins_for(rule), _head_variables(rule)
        if holds:
            found = joins.solve(rule.atoms, rule.inequalities, pair, limit)
        else:
            found = self._missing(rule, pair)
        heads = self._bindings(found, rule, limit, pair)
        rows = [self._first_with(joins, rule, pair, row) for row in heads.ids.tolist()]
        ids = np.asarray(rows, np.int32).reshape(len(rows), len(rule.variables))
        return Bindings(rule.variables, ids, heads.constants)

    # ------------------------------------------------------------ what is asked of the joins

    def _first_with(
        self, joins: Joins, rule: HornRule, pair: tuple[int, ...], row: list[int]
    ) -> list[int]:
        """The first binding of the body whose head's variables stand for these."""
        fixed: dict[Term, Term] = dict(zip(pair, self.graph.keys(row), strict=True))
        body = tuple(
            Atom(a.relation, fixed.get(a.subject, a.subject), fixed.get(a.object, a.object))
            for a in rule.body
        )
        unlike = [(fixed.get(a, a), fixed.get(b, b)) for a, b in rule.inequalities]
        free = tuple(v for v in rule.variables if v not in fixed)
        table = next(joins.solve(body, unlike, free, 1))
        values = dict(zip(pair, row, strict=True))
        values |= {v: int(table.columns[v][0]) for v in free}
        return [values[v] for v in rule.variables]

    def _missing(self, rule: HornRule, keep: tuple[int, ...]) -> Iterator[Table]:
        _require_safe(rule)
        joins = self._joins_for(rule)
        forward = joins.facts(rule.head.relation).forward
        for table in joins.solve(rule.body, rule.inequalities, keep):
            yield table.where(~member(packed(*joins.pairs(rule.head, table)), forward))

    def _bindings(
        self,
        tables: Iterable[Table],
        rule: HornRule,
        limit: int | None,
        variables: tuple[int, ...] | None = None,
    ) -> Bindings:
        names = rule.variables if variables is None else variables
        parts, number = [np.zeros((0, len(names)), np.int32)], 0
        for table in tables:
            parts.append(table.matrix(names).astype(np.int32))
            number += table.count
            if limit is not None and number >= limit:
                break
        constants = {term: self._id(term) for term in rule.terms if isinstance(term, str)}
        return Bindings(names, np.concatenate(parts)[:limit], constants)

    # ------------------------------------------------------------ what counts

    def _joins_for(self, rule: HornRule) -> Joins:
        return self._joins[self._is_about_entities(rule)]

    def _is_about_entities(self, rule: HornRule) -> bool:
        if any(isinstance(term, str) and term.startswith("l") for term in rule.terms):
            return False
        every = (self._columns(True, atom.relation) for atom in rule.atoms)
        return all(len(facts.forward) for facts in every)

    def _columns(self, about_entities: bool, relation: str) -> Columns:
        """The facts of a relation that count for a rule about entities, or for another."""
        wanted = relation, about_entities
        if wanted not in self._facts:
            if about_entities:
                subjects, objects = between_entities(self.graph, relation)
            else:
                subjects, objects, _ = self.graph.facts.all(self.graph.relation_id(relation))
            self._facts[wanted] = distinct_facts(subjects, objects)
        return self._facts[wanted]

    def _id(self, key: str) -> int:
        return int(self.graph.find([key])[0])


def _require_safe(rule: HornRule) -> None:
    if not rule.is_safe:
        message = "a variable of the rule's head is not in its body"
        raise RuleError(Problem("unsafe-variable", message))


def _head_variables(rule: HornRule) -> tuple[int, ...]:
    return tuple(dict.fromkeys(rule.head.variables))
