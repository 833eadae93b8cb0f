"""Where readers put what they find: a builder that knows the file and the options."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kgverify.graph.building import RDF_TYPE, SUBCLASS_OF, Builder
from kgverify.graph.reading.options import SUBCLASS_RELATIONS, TYPE_RELATIONS, Options
from kgverify.graph.terms import (
    blank_key,
    entity_key,
    literal_key,
    plain_literal_key,
    value_key,
)

# A literal in a table has exactly the form that N-Triples gives it, with a datatype or a language.
_LITERAL = re.compile(
    r'"((?:[^"\\]|\\.)*)"(?:\^\^<([^\x00-\x20<>"{}|^`\\]+)>|@([A-Za-z]+(?:-[A-Za-z0-9]+)*))'
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


class Target:
    """Adds the facts of one file to a builder.  In a file of denied facts every fact is denied."""

    def __init__(self, builder: Builder, options: Options, file: str, denied: bool) -> None:
        self.builder = builder
        self.count = 0  # of all that was added
        self._file = builder.add_source(file)
        self._denied = denied
        self._literal_relations = options.literal_relations
        self._relations = dict.fromkeys(TYPE_RELATIONS | options.type_relations, RDF_TYPE)
        self._relations |= dict.fromkeys(SUBCLASS_RELATIONS, SUBCLASS_OF)

    def fact(
        self,
        subject: str,
        relation: str,
        object: str,
        line: int = 0,
        denied: bool = False,
        qualifiers: Mapping[str, str] | None = None,
    ) -> None:
        """Adds a fact of term keys and the relation's name in the graph."""
        self.count += 1
        add = self.builder.add_denied if denied or self._denied else self.builder.add_fact
        add(subject, relation, object, self._file, line, qualifiers)

    def table_fact(
        self,
        subject: str,
        relation: str,
        object: str,
        line: int,
        denied: bool = False,
        qualifiers: Mapping[str, str] | None = None,
    ) -> None:
        """Adds a fact as a table writes it: names of entities and relations, and literals.

        Raises ValueError when a quoted literal has an escape that doesn't exist."""
        self.fact(
            entity_key(subject),
            self.relation(relation),
            self.table_object(relation, object),
            line,
            denied,
            qualifiers,
        )

    def relation(self, name: str) -> str:
        """The graph's name for a relation in a table: all type relations are one, and all subclass
        relations."""
        return self._relations.get(name, name)

    def datatype(self, relation: str) -> str:
        """The declared datatype of a relation's objects, "" if they have none."""
        return self._literal_relations.get(relation, "")

    def table_object(self, relation: str, text: str) -> str:
        """The key of an object in a table: an entity, unless it is quoted like an N-Triples literal
        with a datatype or language, or its relation is a literal one."""
        if text[0] == '"' and (match := _LITERAL.fullmatch(text)):
            return literal_key(unescape(match[1]), match[2], match[3])
        datatype = self._literal_relations.get(relation)
        if datatype is None:
            return entity_key(text)
        return value_key(text, datatype) if datatype else plain_literal_key(text)

    def type(self, entity: str, class_name: str, line: int) -> None:
        """Adds that an entity, given by name, belongs to a class."""
        self.fact(entity_key(entity), RDF_TYPE, entity_key(class_name), line)

    def label(self, key: str, text: str, lang: str = "") -> None:
        """Adds a label for a term key."""
        self.count += 1
        self.builder.add_label(key, text, lang)

    def alias(self, key: str, text: str) -> None:
        """Adds an alias for a term key."""
        self.count += 1
        self.builder.add_alias(key, text)

    def blank(self, label: str) -> str:
        """The key of a blank node of this file."""
        return blank_key(label, str(self._file))


def unescape(text: str) -> str:
    r"""The text that an N-Triples string writes; `\t`, `\u00E9` and so on become characters.

    Raises ValueError for an escape that doesn't exist or that is no character."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if match[3]:
        if match[3] not in _ESCAPED:
            raise ValueError(f"there is no escape `{match[0]}`")
        return _ESCAPED[match[3]]
    code = int(match[1] or match[2], 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise ValueError(f"`{match[0]}` is no character")
    return chr(code)
