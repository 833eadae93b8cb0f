"""The evidence by which laws tell what contradicts is that of the semantics in plain Python."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import assume, given

from kgverify.testing import World, contradicts, worlds
from kgverify.testing.evidence import EvidenceAtom, evidence
from tests.laws.common import LAW
from tests.oracle import Oracle

NAMES = {"is": "is_a", "isnt": "isnt_a"}


@LAW
@given(worlds(size=9, dated=False))
def test_evidence_equals_the_oracle(world: World) -> None:
    # What holds at a time only is evidence of views, which this leaves out.
    kinds = {item.kind for r in world.book.relations.values() for item in r.properties}
    assume("functional_at_a_time" not in kinds)
    oracle = Oracle(world)
    wanted = set()
    for predicate, *rest in oracle.evidence:
        if predicate in NAMES:
            entity, cls = rest
            name = cls[1:] if cls[1:] in world.book.classes else cls
            wanted.add((NAMES[predicate], entity, name))
        else:
            wanted.add((predicate, *rest))
    found = {(atom[0], *map(oracle.name, atom[1:])) for atom in evidence(world)}
    assert _about_known(found, oracle) == _about_known(wanted, oracle)


def _about_known(atoms: Iterable[EvidenceAtom], oracle: Oracle) -> set[EvidenceAtom]:
    """The atoms about entities that are known, and about classes that the rule file names.  Only
    one of the two asks whether a class is related to anything, what is not in a class of the graph
    alone, and about a name that only a statement of completeness has."""
    facts, book = oracle.facts | oracle.denied, oracle.book
    classes = {f[2] for f in facts if f[1] == "rdf:type"}
    classes |= {t for f in facts if f[1] == "rdfs:subClassOf" for t in (f[0], f[2])}
    classes |= {"e" + book.kg_name(name) for name in book.classes}
    known = {oracle.name(term) for term in oracle.known} - classes
    return {
        atom
        for atom in atoms
        if known.issuperset(atom[2:] if atom[0] in ("for", "against") else atom[1:2])
        and (atom[0] in ("for", "against") or atom[2] in book.classes)
    }


def test_what_contradicts() -> None:
    rules = """\
class A
relation p (A, A) functional
question ask(a: A)
    "Which?"
    answer x : A
    require p(x, a)
"""
    world = World(rules, (("ea", "p", "eb"),))
    assert not contradicts(world, world)
    assert not contradicts(world, world.with_facts(("eb", "p", "ea")))
    assert contradicts(world, world.with_facts(("ea", "p", "ec")))
    assert contradicts(world, world.with_denied(("ea", "p", "eb")))
    torn = world.with_denied(("ea", "p", "eb"))
    assert contradicts(torn, torn)
