"""Which names are of one entity, by the declarations that a proof cites and no others."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from kgverify.language.rulebook import RuleBook

# How a graph says that two names are of one entity.
GRAPH_RELATIONS = ("owl:sameAs", "http://www.w3.org/2002/07/owl#sameAs")
STATEMENT = "same"


class Names:
    """Term keys in groups, each of which is one term: the symmetric and transitive closure of
    pairs."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._group: dict[str, set[str]] = {}
        for pair in pairs:
            group: set[str] = set().union(*(self._group.get(key, {key}) for key in pair))
            self._group |= dict.fromkeys(group, group)

    def one(self, key: str) -> str:
        """The name that goes for all names of a term: no blank node's where there is another, for
        a blank node that is somebody is known."""
        return min(self._group.get(key, {key}), key=lambda name: (name.startswith("b"), name))

    def of(self, terms: Iterable[str]) -> tuple[str, ...]:
        """The same of several terms."""
        return tuple(map(self.one, terms))


def joins(name: str, terms: tuple[str, ...], book: RuleBook) -> bool:
    """Can a declaration of this name join these terms?  Values are never merged, nor the classes of
    the rule file; a `same` statement must stand in it."""
    classes = {"e" + book.kg_name(cls) for cls in book.classes}
    if len(terms) != 2 or not all(t[:1] in ("e", "b") and t not in classes for t in terms):
        return False
    return name in GRAPH_RELATIONS or (name == STATEMENT and _is_written(terms, book))


def _is_written(terms: tuple[str, ...], book: RuleBook) -> bool:
    """Does a `same` statement of the rule file name these two?"""
    one, other = terms
    return any(
        one in left and other in right
        for same in book.same
        for left, right in permutations(
            [{"e" + id_ for id_ in book.entity_ids(term)} for term in same.terms], 2
        )
    )
