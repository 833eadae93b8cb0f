"""Horn rules over relations between entities, and how well a graph bears them out.

A rule is closed when every variable is in at least two atoms, connected when its atoms hang
together by shared variables, and safe when its head's variables are in its body ("What Breaks
Knowledge Graph based RAG?", appendix B).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Literal

Term = int | str
"""A variable by its number, or a constant by its exact key in the graph."""

Type = Literal["symmetry", "inversion", "hierarchy", "composition", "other"]
"""The types of the paper's table 1."""

Motif = Literal["chain", "triangle", "intersection", ""]
"""Patterns among the rules of type `other` (the paper's appendix G); "" for none of them."""

Side = Literal["subject", "object"]

Pairs = tuple[tuple[Term, Term], ...]


@dataclass(frozen=True, slots=True)
class Atom:
    """`relation(subject, object)`, the relation by its name in the graph."""

    relation: str
    subject: Term
    object: Term

    @property
    def terms(self) -> tuple[Term, Term]:
        return self.subject, self.object

    @property
    def variables(self) -> Iterator[int]:
        """The variables, one that stands in both places twice."""
        return (term for term in self.terms if isinstance(term, int))

    def renamed(self, names: dict[int, int]) -> Atom:
        subject, object_ = (names[t] if isinstance(t, int) else t for t in self.terms)
        return Atom(self.relation, subject, object_)


@dataclass(frozen=True, slots=True)
class HornRule:
    """`head :- body`.  `injective`: different terms stand for different entities (`X != Y` for
    every two of them).  `different` names single pairs of terms that do, where not all need to; a
    rule whose every pair is named is injective."""

    head: Atom
    body: tuple[Atom, ...]
    injective: bool = False
    different: Pairs = ()

    def __len__(self) -> int:
        """The number of atoms with the head, as AMIE counts a rule's length."""
        return len(self.body) + 1

    @property
    def atoms(self) -> tuple[Atom, ...]:
        return self.head, *self.body

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables in the order in which they are met, the head's first."""
        return tuple(dict.fromkeys(v for atom in self.atoms for v in atom.variables))

    @property
    def terms(self) -> tuple[Term, ...]:
        """The variables and constants in the order in which they are met, the head's first."""
        return tuple(dict.fromkeys(term for atom in self.atoms for term in atom.terms))

    @property
    def inequalities(self) -> Pairs:
        """Every two terms that must stand for different entities, in a fixed order.  Two constants
        are different without being told so."""
        if not self.injective:
            return self.different
        pairs = combinations(self.terms, 2)
        return tuple((a, b) for a, b in pairs if isinstance(a, int) or isinstance(b, int))

    @property
    def is_closed(self) -> bool:
        met = Counter(v for atom in {*self.atoms} for v in {*atom.variables})
        return all(number > 1 for number in met.values())

    @property
    def is_connected(self) -> bool:
        """Whether every two atoms are joined by a chain of atoms that share a variable."""
        first, *rest = self.atoms
        reached, left = set(first.variables), rest
        while joined := [atom for atom in left if reached.intersection(atom.variables)]:
            reached.update(v for atom in joined for v in atom.variables)
            left = [atom for atom in left if atom not in joined]
        return not left

    @property
    def is_safe(self) -> bool:
        return {*self.head.variables} <= {v for atom in self.body for v in atom.variables}

    @property
    def is_tautology(self) -> bool:
        """Whether the head is one of the body's atoms: then the rule says nothing."""
        return self.head in self.body

    @property
    def canonical(self) -> HornRule:
        """The same rule for all that differ in the names of variables, the order of the body,
        repeated atoms, and how the inequalities are written only: the head's variables come
        first."""
        told = replace(self, injective=True).inequalities
        injective = (self.injective and bool(told)) or self.names_every_pair
        names = {v: n for n, v in enumerate(dict.fromkeys(self.head.variables))}
        body, pairs = _least_spelling(self.body, () if injective else self.different, names)
        return HornRule(self.head.renamed(names), body, injective, pairs)

    @property
    def names_every_pair(self) -> bool:
        """Whether the inequalities that are named are all that an injective rule has."""
        named = {frozenset(pair) for pair in self.different}
        every = {frozenset(p) for p in replace(self, injective=True, different=()).inequalities}
        return bool(every) and every <= named

    @property
    def type(self) -> Type:
        """The type in the sense of the paper's table 1."""
        x, y = self.head.terms
        if x == y or not (isinstance(x, int) and isinstance(y, int)):
            return "other"
        if len(self.body) == 1:
            (atom,) = self.body
            if atom.terms == (y, x):
                return "symmetry" if atom.relation == self.head.relation else "inversion"
            return "hierarchy" if atom.terms == (x, y) else "other"
        return "composition" if len(self.body) == 2 and self._is_chain(x, y) else "other"

    @property
    def motif(self) -> Motif:
        """The pattern of a longer rule, whatever its type."""
        x, y = self.head.terms
        if len(self.body) > 2 and self._is_chain(x, y):
            return "chain"
        if len(self.body) == 2:
            pairs = [frozenset(atom.terms) for atom in self.body]
            if pairs[0] == pairs[1] == {x, y} and x != y:
                return "intersection"
            if self.type == "other" and len(self.variables) == 3 and self.is_closed:
                return "triangle"
        return ""

    def _is_chain(self, start: Term, end: Term) -> bool:
        """Whether the body is one way from atom to atom, each read forwards."""
        onward = {atom.subject: atom for atom in self.body}
        place, seen = start, [start]
        while place in onward and len(seen) <= len(self.body):
            place = onward[place].object
            seen.append(place)
        every = len(onward) == len(self.body) == len(seen) - 1
        return every and place == end and len(set(seen)) == len(seen)


def _order(atom: Atom) -> tuple[str, tuple[bool, int, str], tuple[bool, int, str]]:
    """Numbers and names side by side: variables come before constants."""
    return atom.relation, _place(atom.subject), _place(atom.object)


def _place(term: Term) -> tuple[bool, int, str]:
    return (False, term, "") if isinstance(term, int) else (True, 0, term)


def _least_spelling(
    body: Iterable[Atom], pairs: Pairs, names: dict[int, int]
) -> tuple[tuple[Atom, ...], Pairs]:
    """Of all ways to name the variables that have no name yet, the one whose sorted atoms, and then
    whose pairs, come first.

    The first atom of the result is the least that any atom can become, which names its variables;
    and so on.  Where several atoms can become it, each choice is followed, but choices that leave
    the same to be named only once."""
    unnamed = dict.fromkeys(v for atom in body for v in atom.variables if v not in names)
    if len(unnamed) < 2:  # most rules
        names = names | {v: len(names) for v in unnamed}
        spelled = tuple(sorted({atom.renamed(names) for atom in body}, key=_order))
        return spelled, _renamed_pairs(pairs, names)
    choices = [(names, frozenset(body))]
    written: list[Atom] = []
    while choices[0][1]:
        further = []
        for known, rest in choices:
            for atom in rest:
                more = known | dict(_new_names(atom, known))
                further.append((atom.renamed(more), more, rest - {atom}))
        least = min((atom for atom, _, _ in further), key=_order)
        written.append(least)
        choices = [(more, rest) for atom, more, rest in further if atom == least]
        if len(choices) > 1:
            choices = [*{_what_is_left(c[1], pairs, c[0]): c for c in choices}.values()]
    unlike = [_renamed_pairs(pairs, known) for known, _ in choices]
    return tuple(written), min(unlike, key=lambda ps: [(_place(a), _place(b)) for a, b in ps])


def _new_names(atom: Atom, known: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The next numbers for the variables of an atom that have no name yet."""
    new = dict.fromkeys(v for v in atom.variables if v not in known)
    return ((v, len(known) + number) for number, v in enumerate(new))


def _what_is_left(rest: Iterable[Atom], pairs: Pairs, known: dict[int, int]) -> Hashable:
    """The atoms and pairs with the names that are known."""

    def partly(*terms: Term) -> tuple[tuple[bool, Term], ...]:
        found = ((t in known, known.get(t, t)) if isinstance(t, int) else (True, t) for t in terms)
        return tuple(found)

    atoms = frozenset((atom.relation, *partly(*atom.terms)) for atom in rest)
    return atoms, frozenset(frozenset(partly(*pair)) for pair in pairs)


def _renamed_pairs(pairs: Pairs, names: dict[int, int]) -> Pairs:
    """The pairs with other variables, each in order, each once; those of two constants say
    nothing."""
    found = set()
    for pair in pairs:
        a, b = sorted((names[t] if isinstance(t, int) else t for t in pair), key=_place)
        if isinstance(a, int):
            found.add((a, b))
    return tuple(sorted(found, key=lambda p: (_place(p[0]), _place(p[1]))))


@dataclass(frozen=True, slots=True)
class Measures:
    """How well a graph bears a rule out, in numbers of distinct head pairs.

    `support`: pairs for which body and head hold; `head_size`: pairs for which the head holds;
    `body_size`: pairs for which the body holds; `pca_body_size`: those of the body whose subject
    (or object, by `pca_side`) has some object (subject) in the head's relation.
    """

    support: int
    head_size: int
    body_size: int
    pca_body_size: int
    pca_side: Side = "subject"

    @property
    def head_coverage(self) -> Fraction:
        return _share(self.support, self.head_size)

    @property
    def confidence(self) -> Fraction:
        """Standard confidence."""
        return _share(self.support, self.body_size)

    @property
    def pca_confidence(self) -> Fraction:
        """Confidence under the partial completeness assumption (the paper's appendix B.1)."""
        return _share(self.support, self.pca_body_size)


def _share(part: int, whole: int) -> Fraction:
    """Zero of nothing is zero: a rule without a pair has no confidence."""
    return Fraction(part, whole) if whole else Fraction(0)


@dataclass(frozen=True, slots=True)
class MinedRule:
    """A rule with its measures on one graph."""

    rule: HornRule
    measures: Measures
