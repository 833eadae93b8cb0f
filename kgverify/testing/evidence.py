"""All the evidence in a small world, for and against, and whether a change contradicts it.

This is the evidence of the encodings themselves, over the whole graph and for every atom that the
rule file's words and the world's terms can make; so it is for worlds of a few entities only.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from kgverify.reasoning.datalog import Atom, symbol
from kgverify.reasoning.deciding import ReferenceEngine
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.rules import hard_rules
from kgverify.reasoning.solver import solve
from kgverify.testing.world import World

# ("for", r, s, o), ("against", r, s, o), ("is_a", e, c), ("isnt_a", e, c); terms are keys, and
# relations and classes go by their names in the rule file.
EvidenceAtom = tuple[str, ...]

_EVERYTHING = """
term(S) :- triple(_,S,_).  term(O) :- triple(_,_,O).  term(E) :- member(E,_).
term(S) :- denied(_,S,_).  term(O) :- denied(_,_,O).  term(E) :- denied_member(E,_).
class(C) :- member(_,C).  class(C) :- denied_member(_,C).
class(C) :- subclass(C,_).  class(D) :- subclass(_,D).
want(R,S,O) :- relation(R), term(S), term(O).
want_a(E,C) :- term(E), class(C).
#show for/3.
#show against/3.
#show is_a/2.
#show isnt_a/2.
"""
_FLIP = {"for": "against", "against": "for", "is_a": "isnt_a", "isnt_a": "is_a"}


def evidence(world: World) -> frozenset[EvidenceAtom]:
    """Every atom for which, or against which, there is evidence in the world.

    Of several names of one entity the first in alphabetical order stands for all, whichever of them
    the graph has, so that worlds can be compared."""
    knowledge = Knowledge(world.graph, world.book)
    program = ReferenceEngine(knowledge).program([])
    terms = "".join(f"term({id})." for id in _constants(knowledge))
    classes = "".join(f"class({symbol(name)})." for name in world.book.classes)

    @cache
    def term(part: str) -> str:
        if not part.isdigit():
            return part
        return min(map(knowledge.key, knowledge.identity.members(np.array([int(part)])).tolist()))

    found = set()
    for text in solve(*program, terms, classes, _EVERYTHING):
        predicate, _, inner = text.partition("(")
        parts = [part.strip('"') for part in inner[:-1].split(",")]
        if predicate in ("for", "against") and parts[0] not in world.book.relations:
            continue  # a relation that only a question makes
        found.add((predicate, *map(term, parts)))
    return frozenset(found)


def _constants(knowledge: Knowledge) -> set[int]:
    """The terms that the rules themselves name."""
    atoms = [
        atom
        for rule in hard_rules(knowledge.book, knowledge.constant)
        for atom in (rule.head, *rule.body)
        if isinstance(atom, Atom)
    ]
    return {term for atom in atoms for term in atom.arguments if isinstance(term, int)}


def opposite(atom: EvidenceAtom) -> EvidenceAtom:
    """The evidence that would contradict this evidence."""
    return _FLIP[atom[0]], *atom[1:]


def conflicts(world: World) -> frozenset[EvidenceAtom]:
    """The evidence that other evidence contradicts."""
    found = evidence(world)
    return frozenset(atom for atom in found if opposite(atom) in found)


def forks(world: World) -> bool:
    """Has some functional relation two objects for one subject, or an inverse functional one two
    subjects for one object?  Two objects may be one, such as a blank node and another."""
    atoms = [atom for atom in evidence(world) if atom[0] == "for"]
    for name, relation in world.book.relations.items():
        pairs = [atom[2:] for atom in atoms if atom[1] == name]
        for place, kind in enumerate(("functional", "inverse_functional")):
            ends = {pair[place] for pair in pairs}
            if len(ends) < len(pairs) and any(p.kind == kind for p in relation.properties):
                return True
    return False


def contradicts(before: World, after: World) -> bool:
    """Does the world after a change hold evidence that the world before has evidence against?

    Also true when the world before contradicts itself."""
    refuted = frozenset(map(opposite, evidence(before)))
    return not refuted.isdisjoint(evidence(after))
