"""What one rule says on one graph: its measures, and the bindings that bear it out or fail it.

Any Horn rule will do, whoever found it: with constants, repeated variables, inequalities, loose
ends.  Bindings are tables of ids with a column a variable, and each atom of the body is joined to
them in turn.  A table that would grow too long is taken in pieces, so that what is held at a time
is bounded by the block and by the pairs of one subject, not by the number of bindings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import LimitReached, Problem, RuleError
from kgverify.graph import Graph
from kgverify.graph.strings import Ints, Longs, spread
from kgverify.mining.horn import Atom, HornRule, Measures, Side, Term

_LOW = 0xFFFFFFFF
_BLOCK = 1 << 18  # rows that a table may have before it is taken in pieces
_FIRST_PIECE = 256  # few at first, so that a few examples are found at once
MOST_ROWS = 1_000_000_000  # rows that one rule may make: a minute or so of work

Pair = tuple[Term, Term]


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


def measure(graph: Graph, rule: HornRule, side: Side = "subject") -> Measures:
    """How well the graph bears the rule out; see `Evaluator.measure`."""
    return Evaluator(graph).measure(rule, side)


def groundings(graph: Graph, rule: HornRule, limit: int | None = None) -> Bindings:
    """Bindings for which body and head hold; see `Evaluator.groundings`."""
    return Evaluator(graph).groundings(rule, limit)


def predictions(graph: Graph, rule: HornRule, limit: int | None = None) -> Bindings:
    """Bindings for which the body holds and the head is not in the graph; see
    `Evaluator.predictions`."""
    return Evaluator(graph).predictions(rule, limit)


def functional_side(graph: Graph, relation: str) -> Side:
    """The side on which AMIE assumes completeness; see `Evaluator.functional_side`."""
    return Evaluator(graph).functional_side(relation)


class Evaluator:
    """Many rules on one graph.  It keeps the relations that it has met.

    Inequalities between terms of the head count in the head's size too: `r(a, a)` is no instance
    of `r(X, Y)` where X and Y must differ.  Raises LimitReached for a rule whose bindings are more
    than `most_rows`, and RuleError for one with a variable of the head that the body lacks."""

    def __init__(self, graph: Graph, block: int = _BLOCK, most_rows: int = MOST_ROWS) -> None:
        self.graph = graph
        self._block = block
        self._most_rows = most_rows
        self._relations: dict[str, _Columns] = {}

    def measure(self, rule: HornRule, side: Side = "subject") -> Measures:
        """How well the graph bears the rule out, in distinct head pairs; `side` is that of the
        partial completeness assumption."""
        _require_safe(rule)
        head = self._relation(rule.head.relation)
        support = body_size = pca_body_size = 0
        known = head.subjects if side == "subject" else head.objects
        unlike = rule.inequalities
        for table in self._solve(rule.body, unlike, _head_variables(rule)):
            subjects, objects = self._pairs(rule.head, table)
            body_size += table.count
            support += int(_member(subjects << 32 | objects, head.forward).sum())
            pca_body_size += int(_member(subjects if side == "subject" else objects, known).sum())
        own = [pair for pair in unlike if {*rule.head.terms}.issuperset(pair)]
        alone = self._solve((rule.head,), own, _head_variables(rule))
        return Measures(support, sum(t.count for t in alone), body_size, pca_body_size, side)

    def functional_side(self, relation: str) -> Side:
        """The side on which AMIE assumes completeness: the subject's, unless the relation is nearer
        to one subject an object than to one object a subject."""
        facts = self._relation(relation)
        return "subject" if len(facts.subjects) >= len(facts.objects) else "object"

    def groundings(self, rule: HornRule, limit: int | None = None) -> Bindings:
        """Bindings of all variables for which body and head hold, ascending: by what the first
        variable of `rule.variables` stands for, then the second …  `limit` takes the first."""
        return self._bindings(
            self._solve(rule.atoms, rule.inequalities, rule.variables, limit), rule, limit
        )

    def predictions(self, rule: HornRule, limit: int | None = None) -> Bindings:
        """Bindings of all variables for which the body holds and the head is not in the graph, in
        the same order.  Absence is not falsehood: these are what the rule would add."""
        _require_safe(rule)
        found = self._missing(rule, self._solve(rule.body, rule.inequalities, rule.variables))
        return self._bindings(found, rule, limit)

    def examples(self, rule: HornRule, holds: bool, limit: int) -> Bindings:
        """One binding, the first, for each of the first `limit` head pairs for which the body
        holds, and the head does (`holds`) or is not in the graph."""
        _require_safe(rule)
        pair = _head_variables(rule)
        if holds:
            found = self._solve(rule.atoms, rule.inequalities, pair, limit)
        else:
            found = self._missing(rule, self._solve(rule.body, rule.inequalities, pair))
        heads = self._bindings(found, rule, limit, pair)
        rows = [self._first_with(rule, pair, row) for row in heads.ids.tolist()]
        ids = np.asarray(rows, np.int32).reshape(len(rows), len(rule.variables))
        return Bindings(rule.variables, ids, heads.constants)

    # ------------------------------------------------------------ what is asked of the joins

    def _first_with(self, rule: HornRule, pair: tuple[int, ...], row: list[int]) -> list[int]:
        """The first binding of the body whose head's variables stand for these."""
        fixed: dict[Term, Term] = dict(zip(pair, self.graph.keys(row), strict=True))
        body = tuple(
            Atom(a.relation, fixed.get(a.subject, a.subject), fixed.get(a.object, a.object))
            for a in rule.body
        )
        unlike = [(fixed.get(a, a), fixed.get(b, b)) for a, b in rule.inequalities]
        free = tuple(v for v in rule.variables if v not in fixed)
        table = next(self._solve(body, unlike, free, 1))
        values = dict(zip(pair, row, strict=True))
        values |= {v: int(table.columns[v][0]) for v in free}
        return [values[v] for v in rule.variables]

    def _missing(self, rule: HornRule, tables: Iterable[_Table]) -> Iterator[_Table]:
        forward = self._relation(rule.head.relation).forward
        for table in tables:
            subjects, objects = self._pairs(rule.head, table)
            yield table.where(~_member(subjects << 32 | objects, forward))

    def _bindings(
        self,
        tables: Iterable[_Table],
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

    def _pairs(self, head: Atom, table: _Table) -> tuple[Longs, Longs]:
        subject, object_ = (self._values(term, table) for term in head.terms)
        return subject, object_

    def _id(self, key: str) -> int:
        return int(self.graph.find([key])[0])

    def _values(self, term: Term, table: _Table) -> Longs:
        if isinstance(term, str):
            return np.full(table.count, self._id(term), np.int64)
        return table.columns[term]

    def _relation(self, name: str) -> _Columns:
        if name not in self._relations:
            self._relations[name] = _columns(self.graph, name)
        return self._relations[name]

    # ------------------------------------------------------------ joins

    def _solve(
        self,
        atoms: Sequence[Atom],
        unlike: Sequence[Pair],
        keep: tuple[int, ...],
        limit: int | None = None,
    ) -> Iterator[_Table]:
        """The distinct bindings of `keep` for which all the atoms hold and the pairs of terms are
        different; ascending, each once over all tables."""
        if any(a == b for a, b in unlike):
            return
        checks = [pair for pair in unlike if _variables(pair)]
        work = _Work(self._most_rows)
        found = self._run(self._plan(list(atoms), checks, keep), self._start(atoms, keep), work)
        yield from _ascending(found, keep, limit, 8 * self._block)

    def _start(self, atoms: Sequence[Atom], keep: tuple[int, ...]) -> Iterator[_Table]:
        """What the first variable to keep can stand for, in pieces that grow."""
        if not keep:
            yield _Table(1, {})
            return
        first = keep[0]
        candidates: Longs | None = None
        for atom in atoms:
            facts = self._relation(atom.relation)
            sides = [*([facts.subjects] * (atom.subject == first))]
            sides += [facts.objects] * (atom.object == first)
            for side in sides:
                candidates = side if candidates is None else np.intersect1d(candidates, side, True)
        assert candidates is not None  # a variable that is kept stands in some atom
        begin, size = 0, min(_FIRST_PIECE, self._block)
        while begin < len(candidates):
            piece = candidates[begin : begin + size]
            yield _Table(len(piece), {first: piece})
            begin, size = begin + size, min(2 * size, self._block)

    def _plan(
        self, atoms: list[Atom], unlike: list[Pair], keep: tuple[int, ...]
    ) -> tuple[_Step, ...]:
        """The atoms in an order that keeps tables short: those that only test first, then those
        with the fewest facts for each value that is known."""
        bound: set[Term] = {*keep[:1]} | {t for a in atoms for t in a.terms if isinstance(t, str)}
        steps: list[_Step] = []
        while atoms:
            atom = min(atoms, key=lambda a: self._fan_out(a, bound))
            atoms.remove(atom)
            bound.update(atom.terms)
            checks = [pair for pair in unlike if bound.issuperset(_variables(pair))]
            unlike = [pair for pair in unlike if pair not in checks]
            later = {v for a in atoms for v in a.variables}
            later |= {v for pair in unlike for v in _variables(pair)} | {*keep}
            here = later | {v for pair in checks for v in _variables(pair)}
            steps.append(_Step(atom, tuple(checks), frozenset(here), frozenset(later)))
        return tuple(steps)

    def _fan_out(self, atom: Atom, bound: set[Term]) -> float:
        facts = self._relation(atom.relation)
        from_subject, from_object = atom.subject in bound, atom.object in bound
        if from_subject and from_object:
            return 0.0
        if from_subject or from_object:
            return len(facts.forward) / max(
                1, len(facts.subjects if from_subject else facts.objects)
            )
        return float(1 << 40) + len(facts.forward)

    def _run(
        self, steps: tuple[_Step, ...], tables: Iterable[_Table], work: _Work
    ) -> Iterator[_Table]:
        """Each table joined with the atoms of the steps, piece by piece."""
        if not steps:
            yield from tables
            return
        step, *rest = steps
        for table in tables:
            joined = (t for t in self._join(step, table, work) if t.count)
            yield from self._run(tuple(rest), joined, work)

    def _join(self, step: _Step, table: _Table, work: _Work) -> Iterator[_Table]:
        """The table's rows with every fact of the atom that fits them."""
        atom, facts = step.atom, self._relation(step.atom.relation)
        subject, object_ = (self._known(term, table) for term in atom.terms)
        if subject is not None and object_ is not None:
            found = table.where(_member(subject << 32 | object_, facts.forward))
            yield self._finished(step, found)
            return
        column, new, starts, lengths = self._ranges(step, facts, subject, object_, table.count)
        if not new:  # that there is some fact is all that matters
            yield self._finished(step, table.where(lengths > 0))
            return
        for begin, end in _pieces(lengths, self._block):
            counts = lengths[begin:end]
            taken = column[spread(starts[begin:end], counts)]
            work.add(len(taken))
            rows = np.repeat(np.arange(begin, end), counts)
            columns = {v: values[rows] for v, values in table.columns.items()}
            columns |= {v: taken >> 32 if high else taken & _LOW for v, high in new}
            yield self._finished(step, _Table(len(rows), columns))

    def _ranges(
        self,
        step: _Step,
        facts: _Columns,
        subject: Longs | None,
        object_: Longs | None,
        count: int,
    ) -> tuple[Longs, list[tuple[int, bool]], Longs, Longs]:
        """Where the facts lie that fit each row: a column of packed pairs, the variables that it
        gives (and whether in the upper half of a pair), and starts and lengths within it."""
        terms = step.atom.terms
        if subject is not None or object_ is not None:
            column = facts.forward if subject is not None else facts.backward
            values = object_ if subject is None else subject
            assert values is not None
            new = [(terms[1] if subject is not None else terms[0], False)]
            starts = np.searchsorted(column, values << 32)
            lengths = np.searchsorted(column, (values + 1) << 32) - starts
        else:
            column = facts.forward
            new = [(terms[0], True), (terms[1], False)]
            if terms[0] == terms[1]:
                column, new = column[column >> 32 == column & _LOW], new[:1]
            elif terms[1] not in step.here:
                column, new = facts.subjects, [(terms[0], False)]
            elif terms[0] not in step.here:
                column, new = facts.objects, [(terms[1], False)]
            starts, lengths = np.zeros(count, np.int64), np.full(count, len(column))
        wanted = [(v, high) for v, high in new if isinstance(v, int) and v in step.here]
        return column, wanted, starts, lengths

    def _known(self, term: Term, table: _Table) -> Longs | None:
        if isinstance(term, str) or term in table.columns:
            return self._values(term, table)
        return None

    def _finished(self, step: _Step, table: _Table) -> _Table:
        """The rows that no inequality excludes, without the variables that nobody needs more."""
        for one, other in step.checks:
            table = table.where(self._values(one, table) != self._values(other, table))
        kept = {v: column for v, column in table.columns.items() if v in step.later}
        if len(kept) == len(table.columns):
            return table
        return _distinct(_Table(table.count, kept))


# ---------------------------------------------------------------- values


class _Columns(NamedTuple):
    """The distinct facts of a relation: packed as subject · 2^32 + object, and the other way
    round; its subjects; its objects.  All ascending."""

    forward: Longs
    backward: Longs
    subjects: Longs
    objects: Longs


class _Step(NamedTuple):
    """An atom to join, the inequalities that can be checked then, the variables that are needed
    for these or later, and those that are needed later."""

    atom: Atom
    checks: tuple[Pair, ...]
    here: frozenset[int]
    later: frozenset[int]


@dataclass(frozen=True, eq=False, slots=True)
class _Table:
    """Bindings, a column a variable.  Without a column it still has a number of rows."""

    count: int
    columns: dict[int, Longs]

    def where(self, mask: NDArray[np.bool_]) -> _Table:
        kept = int(mask.sum())
        if kept == self.count:
            return self
        return _Table(kept, {v: column[mask] for v, column in self.columns.items()})

    def matrix(self, names: Sequence[int]) -> Longs:
        empty = np.zeros((self.count, 0), np.int64)
        return np.column_stack([empty, *(self.columns[v] for v in names)])


class _Work:
    """The rows that were made for a rule, and the most that may be."""

    def __init__(self, most: int) -> None:
        self._left = most

    def add(self, rows: int) -> None:
        self._left -= rows
        if self._left < 0:
            message = "the rule has too many bindings on this graph to count them"
            raise LimitReached(Problem("too-many-bindings", message))


def _columns(graph: Graph, relation: str) -> _Columns:
    facts = graph.facts.all(graph.relation_id(relation))
    subjects, objects = facts.subjects.astype(np.int64), facts.objects.astype(np.int64)
    # A triple that is said with several qualifiers is one triple.
    forward = np.unique(subjects << 32 | objects)
    backward = np.sort((forward & _LOW) << 32 | forward >> 32)
    return _Columns(forward, backward, np.unique(forward >> 32), np.unique(backward >> 32))


def _require_safe(rule: HornRule) -> None:
    if not rule.is_safe:
        message = "a variable of the rule's head is not in its body"
        raise RuleError(Problem("unsafe-variable", message))


def _head_variables(rule: HornRule) -> tuple[int, ...]:
    return tuple(dict.fromkeys(rule.head.variables))


def _variables(pair: Pair) -> set[int]:
    return {term for term in pair if isinstance(term, int)}


def _pieces(lengths: Longs, block: int) -> Iterator[tuple[int, int]]:
    """Cuts rows into runs that have at most `block` facts together, or are one row."""
    ends = np.cumsum(lengths)
    begin = 0
    while begin < len(lengths):
        before = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + block, "right")))
        if int(ends[end - 1]) > before:
            yield begin, end
        begin = end


def _ascending(
    tables: Iterable[_Table], keep: tuple[int, ...], limit: int | None, most: int
) -> Iterator[_Table]:
    """The distinct rows of tables whose first column ascends from table to table, in ascending
    order.  With a limit, at least the first `limit` of them.

    What is held back is the rows of the last first value: later tables may have more of them."""
    held: list[_Table] = []
    size, threshold = 0, most
    for table in tables:
        if not keep:
            yield _Table(1, {})  # a ground atom holds once
            return
        first = table.columns[keep[0]]
        if held and first[0] > held[-1].columns[keep[0]][-1]:
            yield _merged(held, keep)
            held, size = [], 0
        held.append(table)
        size += table.count
        if size > threshold:
            whole = _merged(held, keep)
            values = whole.columns[keep[0]]
            cut = int(np.searchsorted(values, first[-1]))
            if cut:
                yield _Table(cut, {v: column[:cut] for v, column in whole.columns.items()})
            rest = slice(cut, None if limit is None else cut + limit)
            columns = {v: column[rest] for v, column in whole.columns.items()}
            held = [_Table(len(columns[keep[0]]), columns)]
            size = held[0].count
            threshold = max(most, 2 * size)
    if held:
        yield _merged(held, keep)


def _merged(tables: list[_Table], keep: tuple[int, ...]) -> _Table:
    columns = {v: np.concatenate([t.columns[v] for t in tables]) for v in keep}
    return _distinct(_Table(sum(t.count for t in tables), columns))


def _distinct(table: _Table) -> _Table:
    """Each row once, ascending, by the first column first."""
    columns = [*table.columns.values()]
    if not columns:
        return _Table(min(table.count, 1), {})
    if len(columns) == 1:
        found = [np.unique(columns[0])]
    elif len(columns) == 2:
        packed = np.unique(columns[0] << 32 | columns[1])
        found = [packed >> 32, packed & _LOW]
    else:
        order = np.lexsort(columns[::-1])
        found = [column[order] for column in columns]
        new = np.zeros(len(order), np.bool_)
        new[:1] = True
        for column in found:
            new[1:] |= column[1:] != column[:-1]
        found = [column[new] for column in found]
    return _Table(len(found[0]), dict(zip(table.columns, found, strict=True)))


def _member(values: Longs, ascending: Longs) -> NDArray[np.bool_]:
    """Whether each value is in an ascending array.  bool[n]"""
    if not len(ascending):
        return np.zeros(len(values), np.bool_)
    places = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    found: NDArray[np.bool_] = ascending[places] == values
    return found
