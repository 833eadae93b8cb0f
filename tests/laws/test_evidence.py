"""The evidence by which laws tell what contradicts is that of the semantics in plain Python."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given

from kgverify.testing import World, contradicts, worlds
from kgverify.testing.evidence import EvidenceAtom, evidence
from tests.laws.common import LAW
from tests.oracle import Oracle

NAMES = {"is": "is_a", "isnt": "isnt_a"}


@LAW
@given(worlds(dated=False, size=9))  # an outranked fact has terms that only the oracle asks about
def test_evidence_equals_the_oracle(world: World) -> None:
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
    assert _about_entities(found, world) == _about_entities(wanted, world)


def _about_entities(atoms: Iterable[EvidenceAtom], world: World) -> set[EvidenceAtom]:
    """The atoms about no class: only one of the two asks whether a class is related to anything."""
    classes = {f[2] for f in (*world.facts, *world.denied) if f[1] == "rdf:type"}
    classes |= {t for f in world.facts if f[1] == "rdfs:subClassOf" for t in (f[0], f[2])}
    classes |= {"e" + world.book.kg_name(name) for name in world.book.classes}
    return {
        atom
        for atom in atoms
        if classes.isdisjoint(atom[2:] if atom[0] in ("for", "against") else atom[1:2])
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
