"""The triple patterns of a SPARQL query, as the question files write queries.

They are in the dialect of Virtuoso (`OR` for `||`, functions of an undeclared prefix), which
parsers of the standard refuse; so only what is needed is read: the patterns.  What stands in
parentheses is a filter or an order, and is passed over.  Queries within queries count as if they
stood outside.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

ANSWER = "?x"
_CLAUSES = frozenset({"SELECT", "ORDER", "GROUP", "HAVING", "LIMIT", "OFFSET"})
_TOKENS = re.compile(
    r"""(?P<skipped>\s+|\#[^\n]*)
    |(?P<term>\?\w+
        |<[^<>\s]*>
        |ns:\w+(?:\.\w+)*
        |"(?:[^"\\\n]|\\.)*"(?:@[\w-]+|\^\^[\w:]+)?
        |'(?:[^'\\\n]|\\.)*'(?:@[\w-]+|\^\^[\w:]+)?
        |[+-]?\d+(?:\.\d+)?(?:\^\^[\w:]+)?)
    |(?P<mark>[(){}.;,])
    |(?P<other>[\w:]+|\S)""",
    re.VERBOSE,
)


class Pattern(NamedTuple):
    """A triple of a query.  Variables keep their question mark, names have lost their `ns:`."""

    subject: str
    relation: str
    object: str


class NotRead(ValueError):
    """Why the patterns of a query can't be read."""


def patterns(query: str) -> tuple[Pattern, ...]:
    """The triple patterns of a query, in its order.  Raises NotRead."""
    found: dict[Pattern, None] = {}
    for group in _statements(query):
        if len(group) != 3:
            raise NotRead(f"a pattern has three parts, and not `{' '.join(group)}`")
        found[Pattern(*group)] = None
    if not found:
        raise NotRead("there is no triple pattern in it")
    return tuple(found)


def hops(found: Iterable[Pattern], topics: Collection[str]) -> int | None:
    """The distance of the answer from the topic that is farthest from it: patterns to go along, in
    either direction, nodes without names counted.  None if no topic is linked with the answer."""
    near: dict[str, set[str]] = {}
    for subject, _, object in found:
        near.setdefault(subject, set()).add(object)
        near.setdefault(object, set()).add(subject)
    distance, ring = {ANSWER: 0}, [ANSWER]
    while ring:
        ring = sorted({n for m in ring for n in near.get(m, ())} - distance.keys())
        distance |= dict.fromkeys(ring, max(distance.values()) + 1)
    return max((distance[topic] for topic in topics if topic in distance), default=None)


def _statements(query: str) -> Iterator[tuple[str, ...]]:
    """Groups of three terms, or of another number where something is wrong."""
    depth = braces = 0
    named = False  # after SELECT, ORDER and the like: variables that are no pattern
    terms: list[str] = []
    for kind, text in _tokens(query):
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
        elif depth:
            continue
        elif text in ("{", "}"):
            if terms and braces:
                yield tuple(terms)
            terms, named = [], False
            braces += 1 if text == "{" else -1
        elif text.upper() in _CLAUSES:
            named = True
        elif named or not braces:
            continue
        elif kind == "term":
            terms.append(text.removeprefix("ns:"))
        elif text in (".", ";", ","):
            if terms:
                yield tuple(terms)
            terms = {".": [], ";": terms[:1], ",": terms[:2]}[text]
    if depth or braces:
        raise NotRead("its brackets don't match")


def _tokens(query: str) -> Iterator[tuple[str, str]]:
    for match in _TOKENS.finditer(query):
        if match.lastgroup and match.lastgroup != "skipped":
            yield match.lastgroup, match[0]
