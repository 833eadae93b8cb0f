"""Relations between entities, laid out for the counting of rules.

What is counted are distinct facts (subject, relation, object) whose object is an entity.  Facts
with a literal have no part: a literal is not a thing that a rule could predict.  A blank node
counts as the one thing that it is in the graph.  Outranked and denied facts are left out.

An oriented relation is a relation read forwards (2r) or backwards (2r + 1): `o ^ 1` is the other
way, and `y` is a neighbour of `x` by `o` when `o` holds from x to y.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kgverify.errors import KgverifyError, Problem, did_you_mean
from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE, SUBCLASS_OF
from kgverify.graph.strings import Ints, Longs

CLASSES = frozenset({RDF_TYPE, SUBCLASS_OF})
"""Relations that are left out unless they are named: they are the graph's classes, and not its
facts."""


@dataclass(frozen=True)
class Relations:
    """Facts, each in both directions.

    By oriented relation: relation o has the distinct subjects `subjects[rows[o]:rows[o + 1]]`, and
    the subject at place i the neighbours `objects[starts[i]:starts[i + 1]]`, ascending.
    By entity: e has the neighbours `nearby[edges[e]:edges[e + 1]]`, ascending, each by the oriented
    relation `nearby_by`, and it is subject of the oriented relations `kinds[kind_rows[e]:…]`.
    """

    names: tuple[str, ...]
    keys: tuple[str, ...]
    rows: Longs
    subjects: Ints
    starts: Longs
    objects: Ints
    edges: Longs
    nearby: Ints
    nearby_by: Ints
    kind_rows: Longs
    kinds: Ints

    @property
    def n_entities(self) -> int:
        return len(self.edges) - 1

    @property
    def n_oriented(self) -> int:
        return len(self.rows) - 1

    @property
    def n_facts(self) -> int:
        return len(self.objects) // 2

    def facts(self, oriented: int) -> tuple[Ints, Ints]:
        """The facts of an oriented relation in the order of their subjects.  int32[size] each"""
        first, last = self.rows[oriented], self.rows[oriented + 1]
        starts = self.starts[first : last + 1]
        subjects = np.repeat(self.subjects_of(oriented), np.diff(starts))
        return subjects, self.objects[starts[0] : starts[-1]]

    def size(self, oriented: int) -> int:
        """How many facts the relation has."""
        return int(self.starts[self.rows[oriented + 1]] - self.starts[self.rows[oriented]])

    def subjects_of(self, oriented: int) -> Ints:
        """The distinct subjects of an oriented relation, ascending."""
        return self.subjects[self.rows[oriented] : self.rows[oriented + 1]]

    def n_subjects(self, oriented: int) -> int:
        """How many distinct subjects the oriented relation has."""
        return int(self.rows[oriented + 1] - self.rows[oriented])

    def ends(self, relation: int) -> tuple[int, int]:
        """How many distinct subjects and objects a relation has."""
        return self.n_subjects(2 * relation), self.n_subjects(2 * relation + 1)

    @cached_property
    def two_paths(self) -> Longs:
        """How many ways of two edges start at each entity.  int64[entities]"""
        degrees = np.diff(self.edges)
        sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(degrees[self.nearby])])
        return np.asarray(sums[self.edges[1:]] - sums[self.edges[:-1]])

    @staticmethod
    def of(graph: Graph, names: Iterable[str] | None = None) -> Relations:
        """The relations of a graph: those of these names, else all but types and subclasses.
        Raises KgverifyError for names that the graph lacks."""
        if names is None:
            chosen = [name for name in graph.relations if name not in CLASSES]
        else:
            chosen = Relations.named(graph, names)
        parts = [between_entities(graph, relation) for relation in chosen]
        subjects = np.concatenate([s for s, _ in parts] or [np.empty(0, np.int32)])
        objects = np.concatenate([o for _, o in parts] or [np.empty(0, np.int32)])
        relations = np.repeat(np.arange(len(parts), dtype=np.int32), [len(s) for s, _ in parts])
        entities, places = np.unique(np.concatenate([subjects, objects]), return_inverse=True)
        half = len(subjects)
        return laid_out(
            tuple(chosen),
            tuple(graph.keys(entities)),
            places[:half].astype(np.int32),
            relations,
            places[half:].astype(np.int32),
        )

    @staticmethod
    def named(graph: Graph, names: Iterable[str]) -> list[str]:
        """These relations of a graph in alphabetical order.  Raises KgverifyError with all that it
        lacks."""
        wanted = sorted(set(names))
        known = set(graph.relations)
        problems = [
            Problem(
                "relation-not-in-graph",
                f"the graph has no relation `{name}`",
                hint=did_you_mean(name, graph.relations),
            )
            for name in wanted
            if name not in known
        ]
        if problems:
            raise KgverifyError(problems)
        return wanted


def between_entities(graph: Graph, relation: str) -> tuple[Ints, Ints]:
    """The facts of a relation whose object is an entity, as subjects and objects.  A fact with
    several qualifiers is there several times."""
    facts = graph.facts.all(graph.relation_id(relation))
    between = facts.objects < graph.entities()
    return facts.subjects[between], facts.objects[between]


def laid_out(
    names: tuple[str, ...], keys: tuple[str, ...], subjects: Ints, relations: Ints, objects: Ints
) -> Relations:
    """The layouts of facts, given as parallel arrays of entities and relations by their numbers."""
    n, m = len(keys), len(names)
    r, s, o = in_order((relations, subjects, objects), (m, n, n))
    if len(r):
        new = np.ones(len(r), np.bool_)
        new[1:] = (r[1:] != r[:-1]) | (s[1:] != s[:-1]) | (o[1:] != o[:-1])
        r, s, o = r[new], s[new], o[new]
    both = np.concatenate([2 * r, 2 * r + 1]), np.concatenate([s, o]), np.concatenate([o, s])

    by_r, by_s, by_o = in_order(both, (2 * m, n, n))
    first = np.ones(len(by_s), np.bool_)
    first[1:] = (by_r[1:] != by_r[:-1]) | (by_s[1:] != by_s[:-1])
    starts = np.append(np.flatnonzero(first), len(by_s)).astype(np.int64)
    subjects_of, kinds = by_s[first], by_r[first]

    owners, nearby, nearby_by = in_order((by_s, by_o, by_r), (n, n, 2 * m))
    kind_owners, kinds_of = in_order((subjects_of, kinds), (n, 2 * m))
    return Relations(
        names=names,
        keys=keys,
        rows=_offsets(kinds, 2 * m),
        subjects=subjects_of,
        starts=starts,
        objects=by_o,
        edges=_offsets(owners, n),
        nearby=nearby,
        nearby_by=nearby_by,
        kind_rows=_offsets(kind_owners, n),
        kinds=kinds_of,
    )


def in_order(columns: tuple[Ints, ...], limits: tuple[int, ...]) -> tuple[Ints, ...]:
    """The rows of parallel columns in ascending order; each column's numbers are below its limit.

    Where a row fits into 63 bits it is sorted as one number, which is much faster."""
    widths = [max(limit - 1, 0).bit_length() for limit in limits]
    if sum(widths) > 63:
        order = np.lexsort(columns[::-1])
        return tuple(column[order] for column in columns)
    packed = columns[0].astype(np.int64)
    for column, width in zip(columns[1:], widths[1:], strict=True):
        packed <<= width
        packed |= column
    packed.sort()
    unpacked = []
    for width in reversed(widths[1:]):
        unpacked.append((packed & ((1 << width) - 1)).astype(np.int32))
        packed >>= width
    return packed.astype(np.int32), *reversed(unpacked)


def _offsets(values: Ints, n: int) -> Longs:
    """Where the range of each of n values starts among them, sorted."""
    counts = np.bincount(values, minlength=n) if len(values) else np.zeros(n, np.int64)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]).astype(np.int64)
