"""Rules with constants: instantiated atoms, such as `speaks(x, french)`.

A property is an oriented relation with an entity: x has it when the relation holds from x to that
entity.  u and v are properties, a and b oriented relations, and the bodies have up to two atoms:

    head h(x,y)    a(x,y) u(x)    a(x,y) u(y)    u(x) v(y)
    head h(x,C)    u(x)    u(x) v(x)    a(x,z) b(x,z)        and so for h(C,x)

These are the closed, connected and safe rules with a constant and up to two body atoms, but for
a(x,z) u(z): every property of a well-connected z would give a rule that says the same as all the
others.  The head h(x,C) is an atom of its own: its size is the number of facts that match it, and
thresholds are shares of that.

Everything is a product of sparse matrices: of entities by properties, of facts by entities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kgverify.graph.strings import Longs
from kgverify.mining.counting import Halt
from kgverify.mining.horn import Atom, HornRule, Measures, MinedRule, Side
from kgverify.mining.relations import Relations
from kgverify.mining.search import Part, Search, adds_something, at_most
from kgverify.mining.sides import pca_side

X, Y, Z = 0, 1, 2

_PAIRS_AT_ONCE = 1 << 12  # pairs of properties whose members are compared at once


@dataclass(frozen=True, slots=True)
class Found:
    """Rules of one form: their measures as parallel columns, and the body of each."""

    atoms: Callable[[int], tuple[Atom, ...]]
    support: Longs
    body: Longs
    pca_body: Longs


class Constants:
    """The properties of the entities of a graph."""

    def __init__(self, relations: Relations) -> None:
        from scipy.sparse import csr_array

        r = relations
        self.relations = r
        # Property i: to be a neighbour of subject i (see `Relations`), which is its constant.
        members = (np.ones(len(r.objects), np.int64), r.objects, r.starts)
        self._members = csr_array(members, shape=(len(r.subjects), r.n_entities))
        self._properties = self._members.T.tocsr()
        self._sizes = np.diff(r.starts)
        kinds = np.arange(r.n_oriented, dtype=np.int32)
        self._relation = np.repeat(kinds, np.diff(r.rows)) ^ 1
        self._shared, self._shared_pairs = _shared_neighbours(r)

    def of_relation(
        self, head: int, edges: Iterable[int], least: int, pca: Side
    ) -> Iterator[Found]:
        """Rules with the head h(x,y) and the support `least` or more.  `edges` are the frequent
        bodies of one atom."""
        xs, ys = self.relations.facts(2 * head)
        at_x, at_y = self._properties[xs], self._properties[ys]
        frequent_x = np.flatnonzero(at_x.sum(axis=0) >= least)
        frequent_y = np.flatnonzero(at_y.sum(axis=0) >= least)
        known = self._subjects(2 * head if pca == "subject" else 2 * head + 1)
        for a in edges:
            both = self._holds(a, xs, ys)
            rows = self._matrix(a)
            for v, facts in ((X, at_x), (Y, at_y)):
                support = facts[both].sum(axis=0)
                u = np.flatnonzero(support >= least)
                # The pairs of a by the end that has the property, all and those that count.
                by_end = rows if v == X else rows.T
                every = by_end.sum(axis=1)
                same_end = (v == X) == (pca == "subject")
                counted = every * known if same_end else by_end @ known
                members = self._members[u]
                edge = self.edge(a)
                yield Found(
                    self._atom_and_property(edge, u, v),
                    support[u],
                    members @ every,
                    members @ counted,
                )
        together = (at_x[:, frequent_x].T @ at_y[:, frequent_y]).tocoo()
        enough = together.data >= least
        i, j = (
            frequent[c[enough]]
            for frequent, c in zip((frequent_x, frequent_y), together.coords, strict=True)
        )
        knowns = self._members @ known
        body = self._sizes[i] * self._sizes[j]
        counted = knowns[i] * self._sizes[j] if pca == "subject" else self._sizes[i] * knowns[j]
        yield Found(
            self._property_pairs(i, X, j, Y),
            together.data[enough],
            body,
            counted,
        )

    def heads(self, head: int, least_size: int) -> Iterator[tuple[Atom, int, int]]:
        """The heads h(x,C) and h(C,x) that have enough facts: atom, property, size."""
        for oriented in (2 * head, 2 * head + 1):
            first, last = self.relations.rows[oriented ^ 1], self.relations.rows[(oriented ^ 1) + 1]
            for i in range(first, last):
                if self._sizes[i] >= least_size:
                    yield self._property(i, X), i, int(self._sizes[i])

    def of_property(self, own: int, least: int, pca_at_x: bool, atoms: int) -> Iterator[Found]:
        """Rules whose head is that x has a property.  `pca_at_x`: only x with some such fact count
        under the partial completeness assumption; else all do, for the constant has one."""
        having = self._members.indices[self._members.indptr[own] : self._members.indptr[own + 1]]
        n = self.relations.n_entities
        known = self._subjects(int(self._relation[own])) if pca_at_x else np.ones(n, np.int64)
        theirs = self._properties[having]
        counts = theirs.sum(axis=0)
        counts[own] = 0
        u = np.flatnonzero(counts >= least)
        yield Found(
            lambda k: (self._property(u[k], X),),
            counts[u],
            self._sizes[u],
            self._members[u] @ known,
        )
        if atoms < 2:
            return
        yield from self._two_properties(theirs[:, u], u, least, known)
        yield self._shared_neighbour(having, least, known)

    def _two_properties(self, theirs: Any, u: Longs, least: int, known: Longs) -> Iterator[Found]:
        together = (theirs.T @ theirs).tocoo()
        row, column = together.coords
        enough = (together.data >= least) & (row < column)
        support, i, j = together.data[enough], u[row[enough]], u[column[enough]]
        for first in range(0, len(i), _PAIRS_AT_ONCE):
            part = slice(first, first + _PAIRS_AT_ONCE)
            both = self._members[i[part]].multiply(self._members[j[part]])
            yield Found(
                self._property_pairs(i[part], X, j[part], X),
                support[part],
                both.sum(axis=1),
                both @ known,
            )

    def _shared_neighbour(self, having: Longs, least: int, known: Longs) -> Found:
        counts = self._shared[having].sum(axis=0)
        found = np.flatnonzero(counts >= least)
        these = self._shared[:, found]
        pairs = self._shared_pairs[found].tolist()
        return Found(
            lambda k: (self._atom(pairs[k][0], X, Z), self._atom(pairs[k][1], X, Z)),
            counts[found],
            these.sum(axis=0),
            these.T @ known,
        )

    def _atom_and_property(self, atom: Atom, u: Longs, v: int) -> Callable[[int], tuple[Atom, ...]]:
        return lambda k: (atom, self._property(u[k], v))

    def _property_pairs(
        self, i: Longs, v: int, j: Longs, w: int
    ) -> Callable[[int], tuple[Atom, ...]]:
        return lambda k: (self._property(i[k], v), self._property(j[k], w))

    def _matrix(self, oriented: int) -> Any:
        """The pairs of an oriented relation as a matrix."""
        from scipy.sparse import csr_array

        n = self.relations.n_entities
        subjects, objects = self.relations.facts(oriented)
        return csr_array((np.ones(len(subjects), np.int64), (subjects, objects)), shape=(n, n))

    def _subjects(self, oriented: int) -> Longs:
        """1 for each subject of an oriented relation, else 0.  int64[entities]"""
        found = np.zeros(self.relations.n_entities, np.int64)
        found[self.relations.subjects_of(oriented)] = 1
        return found

    def _holds(self, oriented: int, xs: Any, ys: Any) -> Any:
        """Whether the relation holds for each pair."""
        subjects, objects = (c.astype(np.int64) for c in self.relations.facts(oriented))
        n = self.relations.n_entities
        return np.isin(xs.astype(np.int64) * n + ys, subjects * n + objects)

    def edge(self, oriented: int) -> Atom:
        """The atom of an oriented relation from x to y."""
        return self._atom(oriented, X, Y)

    def _atom(self, oriented: int, start: int, end: int) -> Atom:
        name = self.relations.names[oriented >> 1]
        return Atom(name, end, start) if oriented & 1 else Atom(name, start, end)

    def _property(self, number: int, variable: int) -> Atom:
        oriented = int(self._relation[number])
        key = self.relations.keys[self.relations.subjects[number]]
        name = self.relations.names[oriented >> 1]
        return Atom(name, key, variable) if oriented & 1 else Atom(name, variable, key)


def constant_rules(
    constants: Constants,
    head: int,
    edges: dict[int, Part],
    side: Side,
    search: Search,
    halt: Halt,
) -> Iterator[MinedRule]:
    """The wanted rules with constants for a relation.  `edges` are its frequent rules of one body
    atom without a constant, and `side` the one that the assumption is about."""
    relations = constants.relations
    size = relations.size(2 * head)
    own = Atom(relations.names[head], X, Y)
    atoms = search.length - 1
    if atoms > 1:
        singles = {constants.edge(a): single for a, single in edges.items()}
        for found in constants.of_relation(head, edges, search.least(size), side):
            yield from _wanted(own, found, size, side, singles, search)
    least_size = max(search.min_head_size, search.min_support)
    for own, number, size in constants.heads(head, least_size):
        if halt[0]:
            return
        x_side: Side = "subject" if own.subject == X else "object"
        about = pca_side(search.pca, own, *relations.ends(head))
        known_singles: dict[Atom, Part] = {}
        for found in constants.of_property(number, search.least(size), about == x_side, atoms):
            yield from _wanted(own, found, size, about, known_singles, search)


def _wanted(
    head: Atom, found: Found, size: int, side: Side, singles: dict[Atom, Part], search: Search
) -> Iterator[MinedRule]:
    """The rules of one form that are put out.  Rules of one body atom are added to `singles`, the
    parents of those of two."""
    confident = (found.body <= at_most(found.support, search.min_confidence)) & (
        found.pca_body <= at_most(found.support, search.min_pca)
    )
    one_atom = len(found.support) > 0 and len(found.atoms(0)) == 1
    for place in range(len(found.support)) if one_atom else np.flatnonzero(confident).tolist():
        atoms = found.atoms(place)
        support, pca_body = int(found.support[place]), int(found.pca_body[place])
        parts = [singles[atom] for atom in atoms if atom in singles]
        kept = bool(confident[place]) and adds_something(support, pca_body, parts, search)
        if one_atom:
            singles[atoms[0]] = Part(support, pca_body, kept)
        if kept:
            measures = Measures(support, size, int(found.body[place]), pca_body, side)
            yield MinedRule(HornRule(head, atoms).canonical, measures)


def _shared_neighbours(r: Relations) -> tuple[Any, Longs]:
    """Which entities have a common neighbour by a and by b: a matrix of entities by pairs a < b,
    and the pairs."""
    from scipy.sparse import csr_array

    owners = np.repeat(np.arange(r.n_entities), np.diff(r.edges))
    found = []
    step = 1
    while True:
        near = (owners[step:] == owners[:-step]) & (r.nearby[step:] == r.nearby[:-step])
        at = np.flatnonzero(near)
        if not len(at):
            break
        pairs = r.nearby_by[at].astype(np.int64) * r.n_oriented + r.nearby_by[at + step]
        found.append(np.stack([owners[at], pairs], axis=1))
        step += 1
    every = np.unique(np.concatenate(found or [np.empty((0, 2), np.int64)]), axis=0)
    codes, columns = np.unique(every[:, 1], return_inverse=True)
    matrix = csr_array(
        (np.ones(len(every), np.int64), (every[:, 0], columns)),
        shape=(r.n_entities, len(codes)),
    )
    return matrix, np.stack(np.divmod(codes, max(r.n_oriented, 1)), axis=1)
