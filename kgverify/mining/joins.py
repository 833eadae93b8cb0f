"""Joins of atoms: which bindings of some variables make them all hold.

Bindings are tables of ids with a column a variable, and each atom is joined to them in turn.  A
table that would grow too long is taken in pieces, so that what is held at a time is bounded by the
block and by the pairs of one subject, not by the number of bindings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import LimitReached, Problem
from kgverify.graph.strings import Ints, Longs, member, spread
from kgverify.mining.horn import Atom, Term

_LOW = 0xFFFFFFFF
BLOCK = 1 << 18  # rows that a table may have before it is taken in pieces
_FIRST_PIECE = 256  # few at first, so that a few examples are found at once
MOST_ROWS = 1_000_000_000  # rows that one rule may make: a minute or so of work

Pair = tuple[Term, Term]


class Joins:
    """Joins over facts that are looked up by relation; `id_of` gives the id of a constant.

    Raises LimitReached for atoms whose bindings are more than `most_rows`."""

    def __init__(
        self,
        facts: Callable[[str], Columns],
        id_of: Callable[[str], int],
        block: int = BLOCK,
        most_rows: int = MOST_ROWS,
    ) -> None:
        self.facts = facts
        self._id_of = id_of
        self._block, self._most_rows = block, most_rows

    def solve(
        self,
        atoms: Sequence[Atom],
        unlike: Sequence[Pair],
        keep: tuple[int, ...],
        limit: int | None = None,
    ) -> Iterator[Table]:
        """The distinct bindings of `keep` for which all the atoms hold and the pairs of terms are
        different; ascending, each once over all tables."""
        if any(a == b for a, b in unlike):
            return
        checks = [pair for pair in unlike if _variables(pair)]
        work = _Work(self._most_rows)
        found = self._run(self._plan(list(atoms), checks, keep), self._start(atoms, keep), work)
        yield from _ascending(found, keep, limit, 8 * self._block)

    def _start(self, atoms: Sequence[Atom], keep: tuple[int, ...]) -> Iterator[Table]:
        """What the first variable to keep can stand for, in pieces that grow."""
        if not keep:
            yield Table(1, {})
            return
        first = keep[0]
        candidates: Longs | None = None
        for atom in atoms:
            facts = self.facts(atom.relation)
            sides = [*([facts.subjects] * (atom.subject == first))]
            sides += [facts.objects] * (atom.object == first)
            for side in sides:
                candidates = side if candidates is None else np.intersect1d(candidates, side, True)
        assert candidates is not None  # a variable that is kept stands in some atom
        begin, size = 0, min(_FIRST_PIECE, self._block)
        while begin < len(candidates):
            piece = candidates[begin : begin + size]
            yield Table(len(piece), {first: piece})
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
        facts = self.facts(atom.relation)
        from_subject, from_object = atom.subject in bound, atom.object in bound
        if from_subject and from_object:
            return 0.0
        if from_subject or from_object:
            return len(facts.forward) / max(
                1, len(facts.subjects if from_subject else facts.objects)
            )
        return float(1 << 40) + len(facts.forward)

    def _run(
        self, steps: tuple[_Step, ...], tables: Iterable[Table], work: _Work
    ) -> Iterator[Table]:
        """Each table joined with the atoms of the steps, piece by piece."""
        if not steps:
            yield from tables
            return
        step, *rest = steps
        for table in tables:
            joined = (t for t in self._join(step, table, work) if t.count)
            yield from self._run(tuple(rest), joined, work)

    def _join(self, step: _Step, table: Table, work: _Work) -> Iterator[Table]:
        """The table's rows with every fact of the atom that fits them."""
        atom, facts = step.atom, self.facts(step.atom.relation)
        subject, object_ = (self._known(term, table) for term in atom.terms)
        if subject is not None and object_ is not None:
            found = table.where(member(packed(subject, object_), facts.forward))
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
            yield self._finished(step, Table(len(rows), columns))

    def _ranges(
        self,
        step: _Step,
        facts: Columns,
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

    def _known(self, term: Term, table: Table) -> Longs | None:
        if isinstance(term, str) or term in table.columns:
            return self._values(term, table)
        return None

    def _finished(self, step: _Step, table: Table) -> Table:
        """The rows that no inequality excludes, without the variables that nobody needs more."""
        for one, other in step.checks:
            table = table.where(self._values(one, table) != self._values(other, table))
        kept = {v: column for v, column in table.columns.items() if v in step.later}
        if len(kept) == len(table.columns):
            return table
        return _distinct(Table(table.count, kept))

    def pairs(self, atom: Atom, table: Table) -> tuple[Longs, Longs]:
        """Subject and object of an atom in each row."""
        subject, object_ = (self._values(term, table) for term in atom.terms)
        return subject, object_

    def _values(self, term: Term, table: Table) -> Longs:
        if isinstance(term, str):
            return np.full(table.count, self._id_of(term), np.int64)
        return table.columns[term]


# ---------------------------------------------------------------- values


class Columns(NamedTuple):
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
class Table:
    """Bindings, a column (int64[count]) a variable.  Without a column it still has a number of
    rows."""

    count: int
    columns: dict[int, Longs]

    def where(self, mask: NDArray[np.bool_]) -> Table:
        """The rows that the mask chooses.  bool[count]"""
        kept = int(mask.sum())
        if kept == self.count:
            return self
        return Table(kept, {v: column[mask] for v, column in self.columns.items()})

    def matrix(self, names: Sequence[int]) -> Longs:
        """The columns of these variables, side by side.  int64[count, len(names)]"""
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


def distinct_facts(subjects: Ints, objects: Ints) -> Columns:
    """The facts of a relation, given as parallel arrays.  A triple that is said with several
    qualifiers is one triple."""
    forward = np.unique(packed(subjects.astype(np.int64), objects.astype(np.int64)))
    backward = np.sort((forward & _LOW) << 32 | forward >> 32)
    return Columns(forward, backward, np.unique(forward >> 32), np.unique(backward >> 32))


def packed(subjects: Longs, objects: Longs) -> Longs:
    """Pairs as single numbers, in the same order."""
    return subjects << 32 | objects


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
    tables: Iterable[Table], keep: tuple[int, ...], limit: int | None, most: int
) -> Iterator[Table]:
    """The distinct rows of tables whose first column ascends from table to table, in ascending
    order.  With a limit, at least the first `limit` of them.

    What is held back is the rows of the last first value: later tables may have more of them."""
    held: list[Table] = []
    size, threshold = 0, most
    for table in tables:
        if not keep:
            yield Table(1, {})  # a ground atom holds once
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
                yield Table(cut, {v: column[:cut] for v, column in whole.columns.items()})
            rest = slice(cut, None if limit is None else cut + limit)
            columns = {v: column[rest] for v, column in whole.columns.items()}
            held = [Table(len(columns[keep[0]]), columns)]
            size = held[0].count
            threshold = max(most, 2 * size)
    if held:
        yield _merged(held, keep)


def _merged(tables: list[Table], keep: tuple[int, ...]) -> Table:
    columns = {v: np.concatenate([t.columns[v] for t in tables]) for v in keep}
    return _distinct(Table(sum(t.count for t in tables), columns))


def _distinct(table: Table) -> Table:
    """Each row once, ascending, by the first column first."""
    columns = [*table.columns.values()]
    if not columns:
        return Table(min(table.count, 1), {})
    if len(columns) == 1:
        found = [np.unique(columns[0])]
    elif len(columns) == 2:
        codes = np.unique(packed(columns[0], columns[1]))
        found = [codes >> 32, codes & _LOW]
    else:
        order = np.lexsort(columns[::-1])
        found = [column[order] for column in columns]
        new = np.zeros(len(order), np.bool_)
        new[:1] = True
        for column in found:
            new[1:] |= column[1:] != column[:-1]
        found = [column[new] for column in found]
    return Table(len(found[0]), dict(zip(table.columns, found, strict=True)))
