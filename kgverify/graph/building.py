"""Collects facts, denied facts and names, and sorts them into the columns of a graph."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import GraphError, Problem
from kgverify.graph import moments
from kgverify.graph.columns import DTYPES, Columns, content_hash, fold
from kgverify.graph.strings import Ints, Longs, StringIndex, Strings

RDF_TYPE = "rdf:type"
SUBCLASS_OF = "rdfs:subClassOf"
# The two relations that the engine itself knows have one name, however a file spells them.
_RENAMED = {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type": RDF_TYPE,
    "http://www.w3.org/2000/01/rdf-schema#subClassOf": SUBCLASS_OF,
}
_DATES = ("gYear", "gYearMonth", "date", "dateTime")
_MOST_TERMS = 2**31 - 1
PREFERRED, NORMAL, DEPRECATED = RANKS = ("preferred", "normal", "deprecated")


class _Facts:
    """The facts of one table as they come: a column each for subject, relation and object (numbers
    given by the builder), file and line, the few qualifiers by row, and the preferred rows."""

    def __init__(self) -> None:
        self.subjects = array("i")
        self.relations = array("i")
        self.objects = array("i")
        self.files = array("i")
        self.lines = array("i")
        self.qualifiers: dict[int, str] = {}
        self.preferred = array("i")

    def outranked(self) -> NDArray[np.bool_] | None:
        """Which rows a preferred fact of their subject and relation outranks; None if none is
        preferred.  bool[n]"""
        if not self.preferred:
            return None
        topics = _column(self.subjects) << 32 | _column(self.relations)
        preferred = _column(self.preferred)
        found = np.isin(topics, topics[preferred])
        found[preferred] = False
        return found


class Builder:
    """Collects what files say, in any order and however often; `columns` makes the graph of it.

    Terms are given as keys (see `terms`), relations by name.  `file` is what `add_source` gave, -1
    for none; `line` counts from 1, 0 for unknown."""

    def __init__(self, name: str = "memory") -> None:
        self.name = name
        self.duplicates = 0
        self.deprecated = 0
        self._terms: dict[str, int] = {}
        self._relations: dict[str, int] = {}
        self._sources: list[str] = []
        self._facts = _Facts()
        self._denied = _Facts()
        # (term, rank, text): the least of a term's ranks below 9 is its label
        self._names: set[tuple[int, int, str]] = set()

    def __len__(self) -> int:
        return len(self._facts.subjects)

    def add_source(self, file: str) -> int:
        """Notes a file that is read, and returns its number."""
        self._sources.append(file)
        return len(self._sources) - 1

    def add_fact(
        self,
        subject: str,
        relation: str,
        object: str,
        file: int = -1,
        line: int = 0,
        qualifiers: Mapping[str, str] | None = None,
    ) -> None:
        """Adds a fact.  Facts that differ in their qualifiers are different facts.

        The qualifier `rank` is `preferred`, `normal` (as when it is missing) or `deprecated`; a
        deprecated fact is counted and left out.  Where a subject has preferred facts of a relation,
        its others of that relation are lesser ones.  `since` and `until` are dates.  Raises
        ValueError for other values of these three."""
        self._add(self._facts, subject, relation, object, file, line, qualifiers)

    def add_denied(
        self,
        subject: str,
        relation: str,
        object: str,
        file: int = -1,
        line: int = 0,
        qualifiers: Mapping[str, str] | None = None,
    ) -> None:
        """Adds a fact that is explicitly said not to hold; a deprecated one is left out, too."""
        self._add(self._denied, subject, relation, object, file, line, qualifiers)

    def add_label(self, key: str, text: str, lang: str = "") -> None:
        """Adds a label.  Of several, an English one is the label, else one without a language, else
        any; among equals the first in alphabetical order.  The others become aliases."""
        lang = lang.lower()
        rank = 0 if lang == "en" or lang.startswith("en-") else 2 if lang else 1
        self._names.add((self._term(key), rank, text))

    def add_alias(self, key: str, text: str) -> None:
        """Adds a name that finds the term but isn't shown for it."""
        self._names.add((self._term(key), 9, text))

    def columns(self) -> Columns:
        """The finished graph.  `duplicates` then counts the facts that were said before."""
        if len(self._terms) > _MOST_TERMS or len(self._facts.subjects) > _MOST_TERMS:
            raise GraphError(Problem("graph-too-large", f"more than {_MOST_TERMS} terms or facts"))
        keys = sorted(self._terms)
        relations = tuple(sorted(self._relations))
        term_ids = _ranks([self._terms[key] for key in keys])
        relation_ids = _ranks([self._relations[name] for name in relations])
        terms = Strings.pack(keys)
        index = StringIndex.of(terms)
        arrays: dict[str, NDArray[np.generic]] = {
            "terms.blob": terms.blob,
            "terms.offsets": terms.offsets,
            "terms.hashes": index.hashes,
            "terms.order": index.order,
        }
        arrays |= self._name_arrays(term_ids)
        self.duplicates = 0
        outranked = self._facts.outranked()
        best = slice(None) if outranked is None else ~outranked
        lesser = slice(0) if outranked is None else outranked
        for prefix, facts, rows in (
            ("facts", self._facts, best),
            ("denied", self._denied, slice(None)),
            ("lesser", self._facts, lesser),
        ):
            table = _table(facts, rows, term_ids, relation_ids)
            self.duplicates -= len(table["forward"])
            arrays |= {f"{prefix}.{column}": values for column, values in table.items()}
        self.duplicates += len(self._facts.subjects) + len(self._denied.subjects)
        arrays = {name: arrays[name].astype(dtype, copy=False) for name, dtype in DTYPES.items()}
        return Columns(
            self.name,
            content_hash(relations, arrays),
            relations,
            tuple(self._sources),
            arrays,
            self.deprecated,
        )

    def _add(
        self,
        facts: _Facts,
        subject: str,
        relation: str,
        object: str,
        file: int,
        line: int,
        qualifiers: Mapping[str, str] | None,
    ) -> None:
        terms, relations = self._terms, self._relations
        relation = _RENAMED.get(relation, relation)
        if qualifiers:
            _check(qualifiers)
            rank = qualifiers.get("rank", NORMAL)
            if rank == DEPRECATED:
                self.deprecated += 1
                return
            if rank == PREFERRED:
                facts.preferred.append(len(facts.subjects))
            facts.qualifiers[len(facts.subjects)] = json.dumps(
                dict(qualifiers), ensure_ascii=False, sort_keys=True, separators=(",", ":")
            )
        facts.subjects.append(terms.setdefault(subject, len(terms)))
        facts.relations.append(relations.setdefault(relation, len(relations)))
        facts.objects.append(terms.setdefault(object, len(terms)))
        facts.files.append(file)
        facts.lines.append(line)

    def _term(self, key: str) -> int:
        return self._terms.setdefault(key, len(self._terms))

    def _name_arrays(self, term_ids: Ints) -> dict[str, NDArray[np.generic]]:
        owners: list[int] = []
        is_label: list[bool] = []
        texts: list[str] = []
        seen: set[tuple[int, str]] = set()
        for term, rank, text in sorted(
            (int(term_ids[t]), rank, text) for t, rank, text in self._names
        ):
            if (term, text) in seen:
                continue
            seen.add((term, text))
            is_label.append(rank < 9 and (not owners or owners[-1] != term))
            owners.append(term)
            texts.append(text)
        names = Strings.pack(texts)
        index = StringIndex.of(Strings.pack(map(fold, texts)))
        return {
            "names.blob": names.blob,
            "names.offsets": names.offsets,
            "names.terms": np.array(owners, np.int32),
            "names.is_label": np.array(is_label, np.bool_),
            "names.hashes": index.hashes,
            "names.order": index.order,
        }


def _check(qualifiers: Mapping[str, str]) -> None:
    """Raises ValueError when a qualifier that has a meaning has an impossible value."""
    rank = qualifiers.get("rank", NORMAL)
    if rank not in RANKS:
        raise ValueError(f"`rank` is `{rank}`; it may be {', '.join(RANKS)}")
    for name in ("since", "until"):
        text = qualifiers.get(name)
        if text is not None and not any(moments.canonical(text, form) for form in _DATES):
            raise ValueError(f"`{name}` is `{text}`, which is no date: YYYY, YYYY-MM or YYYY-MM-DD")


def _ranks(numbers: Sequence[int]) -> Ints:
    """ids[number] = place of the number in `numbers`, a permutation."""
    ids = np.empty(len(numbers), np.int32)
    ids[np.array(numbers, np.int64)] = np.arange(len(numbers), dtype=np.int32)
    return ids


def _table(
    facts: _Facts, rows: slice | NDArray[np.bool_], term_ids: Ints, relation_ids: Ints
) -> dict[str, NDArray[np.generic]]:
    """The sorted columns of the table of some rows, each fact once; of equal facts the first one is
    kept."""
    subjects = term_ids[_column(facts.subjects)[rows]].astype(np.int64)
    objects = term_ids[_column(facts.objects)[rows]].astype(np.int64)
    relations = relation_ids[_column(facts.relations)[rows]]
    qualifier_texts = sorted(set(facts.qualifiers.values()))
    number = {text: place for place, text in enumerate(qualifier_texts, 1)}
    all_qualifiers = np.zeros(len(facts.subjects), np.int32)
    for row, text in facts.qualifiers.items():
        all_qualifiers[row] = number[text]
    qualifiers = all_qualifiers[rows]

    pairs = subjects << 32 | objects
    order = np.lexsort((qualifiers, pairs, relations))
    relations, pairs, qualifiers = relations[order], pairs[order], qualifiers[order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (
        (relations[1:] != relations[:-1])
        | (pairs[1:] != pairs[:-1])
        | (qualifiers[1:] != qualifiers[:-1])
    )
    order, relations, pairs, qualifiers = (
        order[is_new],
        relations[is_new],
        pairs[is_new],
        qualifiers[is_new],
    )
    reversed_pairs = (pairs & 0xFFFFFFFF) << 32 | pairs >> 32
    backward_rows = np.lexsort((reversed_pairs, relations))
    qualified = np.flatnonzero(qualifiers)
    packed = Strings.pack(qualifier_texts[number - 1] for number in qualifiers[qualified].tolist())
    return {
        "offsets": np.searchsorted(relations, np.arange(len(relation_ids) + 1)).astype(np.int64),
        "forward": pairs,
        "backward": reversed_pairs[backward_rows],
        "backward_rows": backward_rows,
        "files": _column(facts.files)[rows][order],
        "lines": _column(facts.lines)[rows][order],
        "qualified": qualified,
        "qualifiers.blob": packed.blob,
        "qualifiers.offsets": packed.offsets,
    }


def _column(values: array[int]) -> Longs:
    return np.frombuffer(values, np.int32).astype(np.int64) if values else np.zeros(0, np.int64)
