"""Facts of the graph and of the rule file, looked up together by the rule file's names."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import Span
from kgverify.graph import Pairs, Table
from kgverify.reasoning.identity import Identity

Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]

_NONE: Ids = np.empty(0, np.int64)


class Layer:
    """Facts, or denied facts, by the rule file's relation names.  Terms are asked for by their
    representatives, and `(subjects, objects)` come back as parallel arrays of representatives.  A
    relation that is not stored, such as a view of a question, has no facts here: see `stores`."""

    def __init__(self, table: Table, ids: dict[str, int], identity: Identity) -> None:
        self._table, self._ids, self._identity = table, ids, identity
        self._added: dict[str, tuple[Ids, Ids]] = {}
        self._written: dict[tuple[str, int, int], list[tuple[int, int]]] = {}
        self.spans: dict[tuple[str, int, int], Span] = {}

    def add(self, relation: str, subject: int, object_: int, span: Span) -> None:
        """State a fact of the rule file, about the ids that it names."""
        one, other = self._identity.one(subject), self._identity.one(object_)
        left, right = self._added.get(relation, (_NONE, _NONE))
        self._added[relation] = (np.append(left, one), np.append(right, other))
        self._written.setdefault((relation, one, other), []).append((subject, object_))
        self.spans.setdefault((relation, one, other), span)

    def stores(self, relation: str) -> bool:
        """Can there be stored facts of this relation?"""
        return relation in self._ids

    def supposing(self, facts: Iterable[tuple[str, int, int]]) -> Layer:
        """The layer with facts added that nobody states."""
        other = copy(self)
        added: dict[str, list[tuple[int, int]]] = {}
        for relation, subject, object_ in facts:
            added.setdefault(relation, []).append((subject, object_))
        other._added = dict(self._added)
        for relation, pairs in added.items():
            new = np.array(pairs, np.int64)
            left, right = self._added.get(relation, (_NONE, _NONE))
            other._added[relation] = np.append(left, new[:, 0]), np.append(right, new[:, 1])
        return other

    def _join(
        self, relation: str, found: Pairs, subjects: Ids | None = None, objects: Ids | None = None
    ) -> tuple[Ids, Ids]:
        """What the table has, and what the rule file states about these terms (None for any)."""
        left = self._identity.of(found.subjects.astype(np.int64))
        right = self._identity.of(found.objects.astype(np.int64))
        if relation in self._added:
            more = self.added(relation, subjects, objects)
            left, right = np.concatenate((left, more[0])), np.concatenate((right, more[1]))
        return left, right

    def all(self, relation: str) -> tuple[Ids, Ids]:
        return self._join(relation, self._table.all(self._ids[relation]))

    def from_subjects(self, relation: str, subjects: Ids) -> tuple[Ids, Ids]:
        found = self._table.from_subjects(self._ids[relation], self._identity.members(subjects))
        return self._join(relation, found, subjects)

    def from_objects(self, relation: str, objects: Ids) -> tuple[Ids, Ids]:
        found = self._table.from_objects(self._ids[relation], self._identity.members(objects))
        return self._join(relation, found, None, objects)

    def between(self, relation: str, subjects: Ids, objects: Ids) -> tuple[Ids, Ids]:
        members = self._identity.members
        found = self._table.between(self._ids[relation], members(subjects), members(objects))
        return self._join(relation, found, subjects, objects)

    def present(self, relation: str, subjects: Ids, objects: Ids) -> tuple[Ids, Ids]:
        """Those of the pairs (subjects[i], objects[i]) that are facts."""
        mask = np.zeros(len(subjects), np.bool_)
        places, left = self._identity.spread(subjects)
        more, right = self._identity.spread(objects[places])
        found = self._table.rows(self._ids[relation], left[more], right) >= 0
        mask[places[more[found]]] = True
        if relation in self._added:
            left, right = self._added[relation]
            mask |= np.isin(subjects << 32 | objects, left << 32 | right)
        return subjects[mask], objects[mask]

    def some_object(self, relation: str, subjects: Ids) -> tuple[Ids, Ids]:
        """At least one fact for each subject that has any, and few."""
        found = self._table.some_object(self._ids[relation], self._identity.members(subjects))
        return self._join(relation, found, subjects)

    def some_subject(self, relation: str, objects: Ids) -> tuple[Ids, Ids]:
        """At least one fact for each object that is in any, and few."""
        found = self._table.some_subject(self._ids[relation], self._identity.members(objects))
        return self._join(relation, found, None, objects)

    def rows(self, relation: str, subjects: Ids | None, objects: Ids | None) -> Pairs:
        """The rows of the table with one of these subjects and one of these objects; None for any.
        The ids are those of the table."""
        if relation not in self._ids:
            return self._table.at(_NONE)
        id_, members = self._ids[relation], self._identity.members
        if subjects is None:
            if objects is None:
                return self._table.all(id_)
            return self._table.from_objects(id_, members(objects))
        if objects is None:
            return self._table.from_subjects(id_, members(subjects))
        return self._table.between(id_, members(subjects), members(objects))

    def added(
        self, relation: str, subjects: Ids | None = None, objects: Ids | None = None
    ) -> tuple[Ids, Ids]:
        """The facts of the rule file with one of these subjects and one of these objects; None for
        any."""
        left, right = self._added.get(relation, (_NONE, _NONE))
        kept = np.ones(len(left), np.bool_)
        if subjects is not None:
            kept &= np.isin(left, subjects)
        if objects is not None:
            kept &= np.isin(right, objects)
        return left[kept], right[kept]

    def source(self, relation: str, subject: int, object_: int) -> str:
        """Where the fact is stated, as `file:line`; "" when nowhere."""
        span = self.spans.get((relation, subject, object_))
        if span:
            return str(span)
        row = self._row(relation, subject, object_)
        if row < 0:
            return ""
        file, line = self._table.source(row)
        return f"{file}:{line}" if line else file

    def stated_as(self, relation: str, subject: int, object_: int) -> tuple[int, int]:
        """The ids under which the fact is stated; each is, or has the representative, given."""
        written = self._written.get((relation, subject, object_))
        if written:
            return written[0]
        row = self._row(relation, subject, object_)
        if row < 0:
            return subject, object_
        found = self._table.at([row])
        return int(found.subjects[0]), int(found.objects[0])

    def writes(self, relation: str, subject: int, object_: int) -> bool:
        """Does the rule file state the fact under these very ids?"""
        key = relation, self._identity.one(subject), self._identity.one(object_)
        return (subject, object_) in self._written.get(key, ())

    def states(self, relation: str, subject: int, object_: int) -> bool:
        """Is the fact stated under these very ids?"""
        if self.writes(relation, subject, object_):
            return True
        if relation not in self._ids:
            return False
        return int(self._table.rows(self._ids[relation], [subject], [object_])[0]) >= 0

    def _row(self, relation: str, subject: int, object_: int) -> int:
        """The first row of the table that states the fact, best under these very ids; -1 if there
        is none."""
        exact = int(self._table.rows(self._ids[relation], [subject], [object_])[0])
        if exact >= 0 or not self._identity:
            return exact
        left = self._identity.members(np.array([subject], np.int64))
        more, right = self._identity.spread(np.full(len(left), object_, np.int64))
        rows = self._table.rows(self._ids[relation], left[more], right)
        return min(rows[rows >= 0].tolist(), default=-1)
