"""Claims, as judges take them, of what a rule file and a graph know."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np

from kgverify.errors import EvidenceError, Problem, did_you_mean
from kgverify.evidence.judging import Claim, RelationWords, Value
from kgverify.graph import Graph
from kgverify.graph.columns import fold
from kgverify.language import syntax as s
from kgverify.language.fields import is_field
from kgverify.language.rulebook import DATATYPES, RuleBook

_MOST_OTHERS = 200  # longer names of other things that a claim lists
_KINDS: dict[str, Literal["number", "date", "string"]] = {
    "integer": "number",
    "decimal": "number",
    "number": "number",
    "date": "date",
    "string": "string",
    "boolean": "string",
}
_COMPARED = {
    "=": "",
    "!=": "something other than ",
    "<": "less than ",
    "<=": "at most ",
    ">": "more than ",
    ">=": "at least ",
}
_DATED = {"<": "before ", "<=": "not after ", ">": "after ", ">=": "not before "}


class Claims:
    """Makes claims about one rule file's relations, with the names that a graph has."""

    def __init__(self, book: RuleBook, graph: Graph | None = None) -> None:
        self._book, self._graph = book, graph
        self._words: dict[str, RelationWords] = {}
        self._longer = _Longer(graph)

    def of(self, subject: str, relation: str, object: str | Value) -> Claim:
        """The claim that a relation holds; entities by an id, a label or an alias of the graph, or
        by a name that it does not have.

        Raises EvidenceError when the rule file has no such relation, or not with such objects."""
        words = self.words(relation)
        if isinstance(object, Value) is not self._book.is_literal(relation):
            kind = "values" if self._book.is_literal(relation) else "entities"
            message = f"the objects of `{relation}` are {kind}"
            raise EvidenceError(Problem("claim-object", message, subject=relation))
        own = self.names(subject)
        if isinstance(object, Value):
            return Claim(own, words, object, _hypothesis(words, own[0], _said(object)))
        other = self.names(object)
        others = self._longer.than((*own, *other))
        return Claim(own, words, other, _hypothesis(words, own[0], other[0]), others)

    def value(self, relation: str, text: str, unit: str = "", comparison: str = "=") -> Value:
        """A value that a relation may lead to, of the datatype that is declared."""
        self.words(relation)
        kind = _KINDS.get(self._book.datatype(relation), "string")
        if comparison not in _COMPARED:
            message = f"`{comparison}` is no comparison"
            raise EvidenceError(Problem("claim-comparison", message, None, "one of = != < <= > >="))
        return Value(kind, text, unit, comparison)  # type: ignore[arg-type]

    def names(self, name: str) -> tuple[str, ...]:
        """All names of an entity, its label first; the name itself where the graph knows none."""
        if self._graph is None:
            return (name,)
        expanded = self._book.expand(name) if ":" in name else None
        keys = ["e" + key for key in (expanded, name) if key]
        ids = [id_ for id_ in self._graph.find(keys).tolist() if id_ >= 0]
        found = ids[:1] or list(self._graph.by_label(name))
        if len(found) != 1:
            return (name,)
        label = self._graph.label(found[0])
        aliases = self._graph.aliases(found[0])
        known = dict.fromkeys(said for said in (label, *aliases) if said.strip())
        return tuple(known) or (name.replace("_", " "),)

    def words(self, relation: str) -> RelationWords:
        """How the rule file says a relation; EvidenceError when it has none of this name."""
        if relation not in self._book.relations:
            hint = did_you_mean(relation, self._book.relations)
            message = f"the rule file has no relation `{relation}`"
            raise EvidenceError(Problem("unknown-relation", message, None, hint, subject=relation))
        if relation not in self._words:
            self._words[relation] = relation_words(self._book, relation)
        return self._words[relation]


def relation_words(book: RuleBook, relation: str) -> RelationWords:
    """How a rule file says a relation: its own words, those of relations that say the same the
    other way round, and apart from them those of narrower relations."""
    declared = book.relations[relation]
    kinds = {item.kind for item in declared.properties}
    same: list[str] = list(declared.phrases)
    narrower: list[str] = []
    for name in book.relations:
        for said, is_turned in book.says(name):
            if said != relation or name == relation:
                continue
            is_same = any(back == name for back, _ in book.says(relation))
            texts = _phrases(book.relations[name])
            (same if is_same else narrower).extend(_turned(t) if is_turned else t for t in texts)
    own = {declared.sentence, *same}
    spoken, fields = _apart(same)
    implied, implied_fields = _apart(text for text in narrower if text not in own)
    subjects, objects = (_class_words(book, c) for c in (declared.domain.text, declared.range.text))
    return RelationWords(
        relation,
        declared.sentence,
        spoken,
        is_functional=bool(kinds & {"functional", "functional_at_a_time"}),
        is_symmetric="symmetric" in kinds,
        is_inverse_functional="inverse_functional" in kinds,
        is_one_way=_is_one_way(book, declared),
        implied_by=implied,
        subject_words=tuple(subjects),
        object_words=tuple(objects),
        fields=fields,
        implied_by_fields=implied_fields,
    )


def _apart(phrases: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The phrases of sentences, and those of titled fields, each once."""
    found = tuple(dict.fromkeys(phrases))
    fields = tuple(phrase for phrase in found if is_field(phrase))
    return tuple(phrase for phrase in found if phrase not in fields), fields


def _phrases(declared: s.RelationDeclaration) -> Iterator[str]:
    for text in (declared.sentence, *declared.phrases):
        if text.strip():
            is_whole = is_field(text) or ("{0}" in text and "{1}" in text)
            yield text if is_whole else f"{{0}} {text} {{1}}"


def _turned(text: str) -> str:
    """A phrase with its places exchanged."""
    return re.sub(r"\{([01])\}", lambda place: "{1}" if place[1] == "0" else "{0}", text)


def _is_one_way(book: RuleBook, declared: s.RelationDeclaration) -> bool:
    """Is it impossible that a relation holds in both directions?"""
    kinds = {item.kind for item in declared.properties}
    if "symmetric" in kinds:
        return False
    subject, object_ = declared.domain.text, declared.range.text
    return (
        "asymmetric" in kinds
        or object_ in DATATYPES
        or book.are_disjoint(subject, object_)
        or any(
            item.kind in ("subrelation", "inverse")
            and item.target is not None
            and any(p.kind == "asymmetric" for p in book.relations[item.target.text].properties)
            for item in declared.properties
        )
    )


def _class_words(book: RuleBook, name: str) -> list[str]:
    """Common nouns for the members of a class: single words."""
    found: list[str] = []
    for above in (name, *sorted(book.superclasses.get(name, frozenset()) - {name})):
        if above in book.classes:
            phrases = book.classes[above].phrases
            found += [word for word in (*phrases, above.casefold()) if word.isalpha()]
    return list(dict.fromkeys(found))


def _hypothesis(words: RelationWords, subject: str, object_: str) -> str:
    sentence = words.sentence or (words.phrases[0] if words.phrases else words.name)
    if "{0}" not in sentence or "{1}" not in sentence:
        sentence = f"{{0}} {sentence.replace('_', ' ')} {{1}}"
    said = re.sub(r"\{([01])\}", lambda p: subject if p[1] == "0" else object_, sentence)
    return said[:1].upper() + said[1:] + "."


def _said(value: Value) -> str:
    compared = _COMPARED[value.comparison]
    if value.kind == "date":
        compared = _DATED.get(value.comparison, compared)
    unit = f" {value.unit}" if value.unit and value.unit != "%" else value.unit
    return f"{compared}{value.text}{unit}"


class _Longer:
    """Finds longer names that contain a name's words."""

    def __init__(self, graph: Graph | None) -> None:
        self._graph = graph
        self._by_word: dict[str, list[str]] | None = None

    def than(self, names: Sequence[str]) -> tuple[str, ...]:
        if self._graph is None:
            return ()
        own = {fold(name) for name in names}
        found: dict[str, None] = {}
        for name in own:
            words = name.split()
            if not words:
                continue
            for other in self._index.get(words[0], ()):
                said = fold(other)
                if said not in own and f" {name} " in f" {said} ":
                    found[other] = None
        return tuple(sorted(found))[:_MOST_OTHERS]

    @property
    def _index(self) -> dict[str, list[str]]:
        if self._by_word is None:
            assert self._graph is not None
            index: defaultdict[str, list[str]] = defaultdict(list)
            names = [text for _, text in self._graph.names()]
            ids = np.arange(self._graph.blank_nodes(), self._graph.entities())
            bare = ids[[not label for label in self._graph.labels(ids)]]
            names += [key[1:].replace("_", " ") for key in self._graph.keys(bare)]
            for text in dict.fromkeys(names):
                words = fold(text).split()
                if len(words) > 1:
                    for word in set(words):
                        index[word].append(text)
            self._by_word = dict(index)
        return self._by_word
