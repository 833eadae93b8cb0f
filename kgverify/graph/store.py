"""The graph: what it says, asked in batches.

A relation's facts lie together, sorted once by (subject, object) and once by (object, subject), so
that every look-up is a binary search, vectorised over the batch.  All ids are int32; a row numbers
a fact in its table.  Unknown relations (id -1) and unknown terms (id -1) simply have no facts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kgverify.graph.building import RDF_TYPE, SUBCLASS_OF, Builder
from kgverify.graph.columns import Arrays, Columns, fold, strings_at
from kgverify.graph.strings import Ints, Longs, StringIndex, member, spread
from kgverify.graph.terms import Kind

KeyTriple: TypeAlias = tuple[str, str, str]  # subject key, relation name, object key


class Pairs(NamedTuple):
    """Facts of one relation, as parallel arrays; `rows` number them in their table."""

    subjects: Ints
    objects: Ints
    rows: Longs


class Source(NamedTuple):
    """Where a fact was read: the file, "" if none, and the line, 0 if unknown."""

    file: str
    line: int


class Table:
    """Facts sorted by relation, subject and object.  A triple that is said with different
    qualifiers has several rows, one after the other, and counts as often."""

    def __init__(self, arrays: Arrays, prefix: str, sources: tuple[str, ...]) -> None:
        self._offsets = arrays[f"{prefix}.offsets"].tolist()
        self._forward = arrays[f"{prefix}.forward"]
        self._backward = arrays[f"{prefix}.backward"]
        self._backward_rows = arrays[f"{prefix}.backward_rows"]
        self._files = arrays[f"{prefix}.files"]
        self._lines = arrays[f"{prefix}.lines"]
        self._qualified = arrays[f"{prefix}.qualified"]
        self._qualifiers = strings_at(arrays, f"{prefix}.qualifiers")
        self._sources = sources

    def __len__(self) -> int:
        return len(self._forward)

    def count(self, relation: int) -> int:
        """How many facts the relation has."""
        start, end = self._slice(relation)
        return end - start

    def all(self, relation: int) -> Pairs:
        """Every fact of the relation, in row order."""
        start, end = self._slice(relation)
        return self._pairs(np.arange(start, end))

    def at(self, rows: ArrayLike) -> Pairs:
        """The facts in these rows, which may belong to several relations."""
        return self._pairs(np.asarray(rows, np.int64))

    def relations_of(self, rows: ArrayLike) -> Ints:
        """The relation of each row.  int32[n]"""
        return (np.searchsorted(self._offsets, np.asarray(rows), "right") - 1).astype(np.int32)

    def from_subjects(self, relation: int, subjects: ArrayLike) -> Pairs:
        """Every fact with one of these subjects (unique, in any order), subject by subject."""
        starts, lengths = self._ranges(self._forward, relation, _ids(subjects))
        return self._pairs(spread(starts, lengths))

    def from_objects(self, relation: int, objects: ArrayLike) -> Pairs:
        """Every fact with one of these objects (unique, in any order), object by object."""
        starts, lengths = self._ranges(self._backward, relation, _ids(objects))
        return self._pairs(self._backward_rows[spread(starts, lengths)])

    def between(self, relation: int, subjects: ArrayLike, objects: ArrayLike) -> Pairs:
        """Every fact whose subject is in one set and whose object is in the other, in row order.

        Tests each pair, or scans the facts of the subjects, or of the objects: whichever the
        degrees say is least work."""
        left, right = np.unique(_ids(subjects)), np.unique(_ids(objects))
        out_starts, out_lengths = self._ranges(self._forward, relation, left)
        in_starts, in_lengths = self._ranges(self._backward, relation, right)
        left, right = left[out_lengths > 0], right[in_lengths > 0]
        out_work, in_work = int(out_lengths.sum()), int(in_lengths.sum())
        if len(left) * len(right) <= min(out_work, in_work):
            pairs = (left[:, None] << 32 | right[None, :]).ravel()
            starts, lengths = self._pair_ranges(relation, pairs)
            return self._pairs(spread(starts, lengths))
        if out_work <= in_work:
            rows = spread(out_starts, out_lengths)
            return self._pairs(rows[member(self._forward[rows] & 0xFFFFFFFF, right)])
        rows = self._backward_rows[spread(in_starts, in_lengths)]
        return self._pairs(np.sort(rows[member(self._forward[rows] >> 32, left)]))

    def rows(self, relation: int, subjects: ArrayLike, objects: ArrayLike) -> Longs:
        """The row of each (subjects[i], objects[i]), the first if there are several; -1 where
        absent.  int64[n]"""
        left, right = _ids(subjects), _ids(objects)
        starts, lengths = self._pair_ranges(relation, left << 32 | right)
        known = (lengths > 0) & (left >= 0) & (right >= 0)
        return np.where(known, starts, np.int64(-1))

    def out_degrees(self, relation: int, subjects: ArrayLike) -> Longs:
        """How many facts each subject has.  int64[k]"""
        return self._ranges(self._forward, relation, _ids(subjects))[1]

    def in_degrees(self, relation: int, objects: ArrayLike) -> Longs:
        """How many facts each object is in.  int64[k]"""
        return self._ranges(self._backward, relation, _ids(objects))[1]

    def with_object_from(self, relation: int, id: int) -> int:
        """How many facts of the relation have this object or one with a greater id."""
        start, end = self._slice(relation)
        part = self._backward[start:end]
        return len(part) - int(np.searchsorted(part, id << 32))

    def some_object(self, relation: int, subjects: ArrayLike) -> Pairs:
        """One fact, the first, for each subject that has any."""
        starts, lengths = self._ranges(self._forward, relation, _ids(subjects))
        return self._pairs(starts[lengths > 0])

    def some_subject(self, relation: int, objects: ArrayLike) -> Pairs:
        """One fact, the first, for each object that is in any."""
        starts, lengths = self._ranges(self._backward, relation, _ids(objects))
        return self._pairs(self._backward_rows[starts[lengths > 0]])

    def source(self, row: int) -> Source:
        """Where the fact was read, the first time if there were several."""
        file = int(self._files[row])
        return Source(self._sources[file] if file >= 0 else "", int(self._lines[row]))

    def qualifiers(self, row: int) -> dict[str, str]:
        """What is said about the fact: `since`, `until`, `rank`, `source` and others."""
        place = int(np.searchsorted(self._qualified, row))
        if place == len(self._qualified) or self._qualified[place] != row:
            return {}
        return dict(json.loads(self._qualifiers[place]))

    def qualified(self, rows: ArrayLike) -> NDArray[np.bool_]:
        """Whether each row has qualifiers.  bool[n]"""
        return member(np.asarray(rows, np.int64), self._qualified)

    def _slice(self, relation: int) -> tuple[int, int]:
        if not 0 <= relation < len(self._offsets) - 1:
            return 0, 0
        return self._offsets[relation], self._offsets[relation + 1]

    def _ranges(self, column: Longs, relation: int, firsts: Longs) -> tuple[Longs, Longs]:
        """Start and length of the range of each id within a sorted column of pairs."""
        return self._search(column, relation, firsts << 32, (firsts + 1) << 32)

    def _pair_ranges(self, relation: int, pairs: Longs) -> tuple[Longs, Longs]:
        return self._search(self._forward, relation, pairs, pairs + 1)

    def _search(self, column: Longs, relation: int, low: Longs, high: Longs) -> tuple[Longs, Longs]:
        start, end = self._slice(relation)
        part = column[start:end]
        starts = np.searchsorted(part, low)
        return starts + start, np.searchsorted(part, high) - starts

    def _pairs(self, rows: Longs) -> Pairs:
        pairs = self._forward[rows]
        return Pairs((pairs >> 32).astype(np.int32), pairs.astype(np.int32), rows)


class Graph:
    """An immutable knowledge graph.  Terms are numbered in the order of their keys, relations in
    the order of their names, so equal content gives equal ids and an equal `hash` (sha256 of terms,
    facts, denied facts and names; not of order, repetition, file names and line numbers).

    `facts` are those of the best rank that their subject has for their relation, `lesser` the
    others; deprecated ones are in neither."""

    def __init__(self, columns: Columns) -> None:
        arrays = columns.arrays
        self.columns = columns
        self.name = columns.name
        self.hash = columns.hash
        self.relations = columns.relations
        self.sources = columns.sources
        self.facts = Table(arrays, "facts", columns.sources)
        self.denied = Table(arrays, "denied", columns.sources)
        self.lesser = Table(arrays, "lesser", columns.sources)
        self._relation_ids = {name: number for number, name in enumerate(columns.relations)}
        self._terms = strings_at(arrays, "terms")
        self._index = StringIndex(arrays["terms.hashes"], arrays["terms.order"])
        self._names = strings_at(arrays, "names")
        self._name_terms = arrays["names.terms"]
        self._is_label = arrays["names.is_label"]
        self._name_index = StringIndex(arrays["names.hashes"], arrays["names.order"])
        self.n_terms = len(self._terms)
        self.type_relation = self.relation_id(RDF_TYPE)
        self.subclass_relation = self.relation_id(SUBCLASS_OF)
        # Keys are sorted and start with their kind, so each kind is a range of ids: b, e, l.
        self._first_entity = self._first_key_from("e")
        self._first_literal = self._first_key_from("l")

    @staticmethod
    def from_triples(
        triples: Iterable[KeyTriple],
        denied: Iterable[KeyTriple] = (),
        labels: Iterable[tuple[str, str]] = (),
        name: str = "memory",
    ) -> Graph:
        """The graph of these facts and denied facts, given as term keys and relation names, and
        labels, given as (term key, text)."""
        builder = Builder(name)
        for subject, relation, object in triples:
            builder.add_fact(subject, relation, object)
        for subject, relation, object in denied:
            builder.add_denied(subject, relation, object)
        for key, text in labels:
            builder.add_label(key, text)
        return Graph(builder.columns())

    def relation_id(self, name: str) -> int:
        """The id of a relation; -1 if the graph has none of this name."""
        return self._relation_ids.get(name, -1)

    def find(self, keys: Sequence[str]) -> Ints:
        """The id of each key; -1 where absent.  int32[n]"""
        return self._index.find(self._terms, keys)

    def key(self, id: int) -> str:
        """The key of a term."""
        if not 0 <= id < self.n_terms:
            raise IndexError(f"no term has the id {id}")
        return self._terms[int(id)]

    def keys(self, ids: ArrayLike) -> list[str]:
        """The keys of these terms."""
        return self._terms.many(_ids(ids))

    def kinds(self, ids: ArrayLike) -> NDArray[np.uint8]:
        """The `Kind` of each term.  uint8[n]"""
        numbers = _ids(ids)
        kinds = np.full(len(numbers), Kind.ENTITY, np.uint8)
        kinds[numbers < self._first_entity] = Kind.BLANK
        kinds[numbers >= self._first_literal] = Kind.LITERAL
        return kinds

    def entities(self) -> int:
        """How many entities there are: terms that are no literals, classes included."""
        return self._first_literal

    def blank_nodes(self) -> int:
        """How many blank nodes there are; they have the ids from 0."""
        return self._first_entity

    def object_kinds(self, relation: int) -> tuple[int, int]:
        """How many facts of a relation have an entity, and how many a literal, as object.

        Each kind is a range of ids, so this costs two searches, whatever the relation's size."""
        literals = self.facts.with_object_from(relation, self._first_literal)
        named = self.facts.with_object_from(relation, self._first_entity)
        return named - literals, literals

    def label(self, id: int) -> str:
        """The label of a term, "" if it has none."""
        return self.labels([id])[0]

    def labels(self, ids: ArrayLike) -> list[str]:
        """The label of each term, "" where it has none."""
        numbers = _ids(ids)
        if not len(self._name_terms):
            return [""] * len(numbers)
        places = np.searchsorted(self._name_terms, numbers)
        capped = np.minimum(places, len(self._name_terms) - 1)
        labelled = (self._name_terms[capped] == numbers) & self._is_label[capped]
        texts = iter(self._names.many(capped[labelled]))
        return [next(texts) if is_labelled else "" for is_labelled in labelled.tolist()]

    def aliases(self, id: int) -> tuple[str, ...]:
        """The other names of a term, in alphabetical order within each kind."""
        start, end = np.searchsorted(self._name_terms, [id, id + 1]).tolist()
        places = np.arange(start, end)
        return tuple(self._names.many(places[~self._is_label[start:end]]))

    def names(self) -> list[tuple[int, str]]:
        """Every label and alias with the term that has it, by ascending term."""
        texts = self._names.many(np.arange(len(self._names)))
        return list(zip(self._name_terms.tolist(), texts, strict=True))

    def by_label(self, text: str) -> tuple[int, ...]:
        """The ids, ascending, of the terms with exactly this label or alias; if there are none, of
        those with one that is equal but for compatibility forms, case and spacing."""
        wanted = fold(text)
        places = self._name_index.candidates(wanted)
        named = list(zip(self._name_terms[places].tolist(), self._names.many(places), strict=True))
        exact = {term for term, name in named if name == text}
        return tuple(sorted(exact or {term for term, name in named if fold(name) == wanted}))

    def some_labels(self, texts: Sequence[str]) -> list[str]:
        """Those of many texts that `by_label` may know, in their order: hardly any others."""
        known = self._name_index.may_have([fold(text) for text in texts])
        return [text for text, is_known in zip(texts, known.tolist(), strict=True) if is_known]

    def _first_key_from(self, kind: str) -> int:
        low, high = 0, self.n_terms
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._terms[middle] < kind else (low, middle)
        return low


def _ids(values: ArrayLike) -> Longs:
    return np.asarray(values, np.int64).reshape(-1)
