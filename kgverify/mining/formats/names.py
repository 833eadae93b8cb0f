"""How names of a graph stand in files of rules, whose formats have no quotes of their own.

A name that can stand as it is does.  Any other is written as a JSON string, with whatever the
format would trip over escaped in it: `"Paris\\u002c Texas"`.  A constant that is no entity is
written by its whole key: `key:"lnumber 5"`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from kgverify.errors import did_you_mean
from kgverify.graph import Graph
from kgverify.graph.near_names import MOST_NAMES, near_entities
from kgverify.graph.terms import XSD, entity_key, literal_key, plain_literal_key

_KEY = "key:"
_TYPED = re.compile(r'"(?P<text>.*)"(?:@(?P<lang>[A-Za-z0-9-]+)|\^\^<?(?P<type>[^<>]+)>?)', re.S)


def quoted(text: str, special: str) -> str:
    """The text as a JSON string in which no character of `special` stands by itself, nor two
    spaces side by side."""
    spelled = json.dumps(text).replace("  ", " \\u0020")
    inner = "".join(f"\\u{ord(c):04x}" if c in special else c for c in spelled[1:-1])
    return f'"{inner}"'


def unquoted(text: str) -> str | None:
    """What stands in quotes; None when the text is not quoted, or not as a whole."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return None
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, str) else None


def constant_text(key: str, is_plain: bool, special: str) -> str:
    """A constant as a file has it; `is_plain` says that the name can stand as it is."""
    if not key.startswith("e"):
        return _KEY + quoted(key, special)
    name = key[1:]
    return name if is_plain and not looks_quoted(name) else quoted(name, special)


def looks_quoted(name: str) -> bool:
    """Whether a reader might take the name for a quoted one."""
    return name.startswith(('"', _KEY + '"'))


class Names:
    """The names that may stand in a file: those of a graph, or any where there is none.

    A name may be meant literally or quoted, with angle brackets or without, as an entity or as a
    value; with a graph, what the graph knows is meant."""

    def __init__(self, graph: Graph | None = None) -> None:
        self._graph = graph
        self._found: dict[str, tuple[str, ...]] = {}
        self._near: dict[str, str] = {}
        self._near_relations: dict[str, str] = {}

    @property
    def are_known(self) -> bool:
        """Whether there is a graph to say which names there are."""
        return self._graph is not None

    def constants(self, text: str) -> tuple[str, ...]:
        """The keys of the terms that may be meant: none when the graph knows no such term, several
        when it knows more than one."""
        if text not in self._found:
            self._found[text] = tuple(dict.fromkeys(self._constants(text)))
        return self._found[text]

    def relations(self, text: str) -> tuple[str, ...]:
        """The relations that may be meant, in the same way."""
        readings = [*_literally(text)]
        if self._graph is None:
            return (readings[-1],)
        return tuple(r for r in dict.fromkeys(readings) if self._graph.relation_id(r) >= 0) or (
            tuple(r for r in _bare(text) if self._graph.relation_id(r) >= 0)
        )

    @cached_property
    def have_punctuation(self) -> bool:
        """Whether some name of the graph has a bracket, a comma or an arrow in it."""
        if self._graph is None:
            return False
        marks = np.frombuffer(b"(),<", np.uint8)
        in_terms = bool(np.isin(self._graph.columns.arrays["terms.blob"], marks).any())
        return in_terms or any(c in name for name in self._graph.relations for c in "(),<")

    def has_key(self, key: str) -> bool:
        """Whether the graph has the term of this key; without a graph every key may stand."""
        return self._graph is None or int(self._graph.find([key])[0]) >= 0

    def has_relation(self, name: str) -> bool:
        """Whether the graph has facts of the relation of exactly this name, in the same way."""
        return self._graph is None or self._graph.relation_id(name) >= 0

    def near_constant(self, text: str) -> str:
        """A hint at what is meant by a name that the graph doesn't know; none where the file has
        too many such names for them to be slips."""
        graph = self._graph
        if graph is None:
            return ""

        def hint(name: str) -> str:
            (near,) = near_entities(graph, [name])
            return f"did you mean `{near}`?" if near is not None else ""

        return _once(self._near, text, hint)

    def near_relation(self, text: str) -> str:
        """The same for a relation."""
        graph = self._graph
        if graph is None:
            return ""
        return _once(self._near_relations, text, lambda name: did_you_mean(name, graph.relations))

    def _constants(self, text: str) -> list[str]:
        exact = unquoted(text.removeprefix(_KEY)) if text.startswith(_KEY) else None
        if self._graph is None:
            return [exact if exact is not None else entity_key([*_literally(text)][-1])]
        meant = [*map(entity_key, _literally(text)), *([exact] if exact is not None else [])]
        values = [plain_literal_key(text), literal_key(text), *_typed(text)]
        for keys in (meant, [*map(entity_key, _bare(text))], values):
            known = [
                k for k, n in zip(keys, self._graph.find(keys).tolist(), strict=True) if n >= 0
            ]
            if known:
                return known
        return []


def _once(hints: dict[str, str], text: str, hint: Callable[[str], str]) -> str:
    """The hint for a name, which is looked for once, and for the first names only."""
    if text not in hints and len(hints) < MOST_NAMES:
        hints[text] = hint(unquoted(text) or text)
    return hints.get(text, "")


def _literally(text: str) -> Iterable[str]:
    """The name as it stands; the name within the quotes, if it has any."""
    inner = unquoted(text)
    return (text,) if inner is None else (text, inner)


def _bare(text: str) -> Iterable[str]:
    """The name without angle brackets, if it has any."""
    return (text[1:-1],) if text.startswith("<") and text.endswith(">") else ()


def _typed(text: str) -> Iterable[str]:
    """The literal that is written as N-Triples do, or in plain quotes."""
    match = _TYPED.fullmatch(text)
    if match:
        datatype = match["type"]
        if datatype is not None and datatype.startswith("xsd:"):
            datatype = XSD + datatype[4:]
        return (literal_key(match["text"], datatype, match["lang"]),)
    inner = unquoted(text)
    return () if inner is None else (literal_key(inner),)
