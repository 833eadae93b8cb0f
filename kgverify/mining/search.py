"""Which rules are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kgverify.graph.strings import Longs
from kgverify.mining.counting import UNLIMITED
from kgverify.mining.horn import Atom, HornRule
from kgverify.mining.relations import CLASSES
from kgverify.mining.sides import Pca

MOST_WITH_CONSTANTS = 2  # body atoms of a rule with constants


@dataclass(frozen=True, slots=True)
class Search:
    """Which rules are wanted.  Thresholds are inclusive, as AMIE's are.

    `length` counts the head.  `pca`: whose facts are assumed complete where one is known: the
    head's subject (the paper's definition), its object, or whichever side is more functional
    (AMIE's).  `improving`: a rule is kept only if its PCA confidence is higher than that of every
    kept rule with the same head and a part of its body.  `refine_perfect`: also extend rules that
    no PCA counterexample speaks against.  `constants`: also rules of up to two body atoms with
    constants (see `constants.py`); their heads may have one.
    """

    length: int = 3
    min_support: int = 2
    min_head_size: int = 1
    min_head_coverage: Fraction = Fraction(1, 10)
    min_confidence: Fraction = Fraction(3, 10)
    min_pca: Fraction = Fraction(2, 5)
    pca: Pca = "functional"
    improving: bool = True
    refine_perfect: bool = False
    constants: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.length <= 4:
            raise ValueError("rules have two to four atoms, the head counted")
        if self.min_support < 1 or self.min_head_size < 1:
            raise ValueError("a rule has a support of at least 1")
        for share in (self.min_head_coverage, self.min_confidence, self.min_pca):
            if not 0 <= share <= 1:
                raise ValueError("a threshold is between 0 and 1")

    def least(self, head_size: int) -> int:
        """The least support of a rule whose head has so many facts."""
        share = self.min_head_coverage
        return max(self.min_support, -((-share.numerator * head_size) // share.denominator))


@dataclass(frozen=True, slots=True)
class Scope:
    """Which rules a search looked for, whatever their numbers: those that it did not find are not
    in the graph, or the search did not want them.

    `heads`: the relations that it looked for rules for, None for all.  `relations`: those that the
    rules could be about, None for all but types and subclasses.  `length` and `constants` are those
    of the search."""

    heads: frozenset[str] | None = None
    relations: frozenset[str] | None = None
    length: int = 3
    constants: bool = False

    def covers(self, rule: HornRule) -> bool:
        """Whether the search finds the rule where it meets the thresholds; see `bodies.py` and
        `constants.py` for the forms that it knows."""
        rule = rule.canonical
        has_form = rule.is_closed and rule.is_connected and rule.is_safe and not rule.is_tautology
        return (
            has_form
            and not rule.inequalities
            and len(rule) <= self.length
            and all(_is_looked_for(atom, rule.head) for atom in rule.atoms)
            and self._has_constants_for(rule)
            and self._has_relations_for(rule)
        )

    def _has_constants_for(self, rule: HornRule) -> bool:
        if not any(isinstance(term, str) for term in rule.terms):
            return True
        return self.constants and len(rule.body) <= MOST_WITH_CONSTANTS

    def _has_relations_for(self, rule: HornRule) -> bool:
        named = {atom.relation for atom in rule.atoms}
        known = named.isdisjoint(CLASSES) if self.relations is None else named <= self.relations
        return known and (self.heads is None or rule.head.relation in self.heads)


def _is_looked_for(atom: Atom, head: Atom) -> bool:
    """Whether the atom is between two variables, or between an entity and a variable of the
    head."""
    one, other = atom.terms
    if isinstance(one, int) and isinstance(other, int):
        return one != other
    entities = [term for term in atom.terms if isinstance(term, str) and term[0] != "l"]
    return len(entities) == 1 and {*head.variables}.issuperset(atom.variables)


@dataclass(frozen=True, slots=True)
class Part:
    """What a rule with more atoms needs to know of a rule with the same head and a part of its
    body; `kept`: whether that was put out."""

    support: int
    pca_body: int
    kept: bool

    @property
    def is_perfect(self) -> bool:
        return self.support == self.pca_body

    def is_as_good(self, support: int, pca_body: int) -> bool:
        """Whether this rule was put out, with at least this PCA confidence."""
        return self.kept and self.support * pca_body >= support * self.pca_body


def adds_something(support: int, pca_body: int, parts: Sequence[Part], search: Search) -> bool:
    """Whether a rule with these numbers is wanted beside those with a part of its body."""
    if not search.refine_perfect and any(part.is_perfect for part in parts):
        return False
    return not (search.improving and any(part.is_as_good(support, pca_body) for part in parts))


def at_most(support: Longs, share: Fraction) -> Longs:
    """The largest size of which each support is this share.  int64[len(support)]"""
    if not share:
        return np.full(len(support), UNLIMITED, np.int64)
    if int(support.max(initial=0)) * share.denominator <= UNLIMITED:
        return np.asarray(support * share.denominator // share.numerator)
    sizes = (s * share.denominator // share.numerator for s in support.tolist())
    return np.fromiter((min(size, UNLIMITED) for size in sizes), np.int64, len(support))
