"""What excludes facts that may be added is what there is evidence against once they are there."""

from __future__ import annotations

from itertools import combinations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kgverify.graph.store import KeyTriple
from kgverify.reasoning.clashing import Clashes
from kgverify.reasoning.deciding import SliceEngine, evidence_rules
from kgverify.reasoning.evidence import Ground
from kgverify.reasoning.knowledge import SAME_AS, SUBCLASS, TYPE, Knowledge
from kgverify.testing import World, worlds
from kgverify.testing.evidence import evidence
from tests.laws.common import LAW


def contradicted(world: World, added: tuple[KeyTriple, ...]) -> set[KeyTriple]:
    """Those of some facts that there is evidence against in the world that has them all."""
    found = evidence(world.with_facts(*added))
    return {(s, r, o) for s, r, o in added if ("against", r, s, o) in found}


@st.composite
def additions(draw: st.DrawFn) -> tuple[World, list[KeyTriple]]:
    """A world, and facts between its entities that may be added."""
    world = draw(worlds(size=9, dated=False).filter(_is_plain))
    names = [name for name in world.book.relations if not world.book.is_literal(name)]
    relations = st.sampled_from([name for name in names if world.book.kg_name(name) == name])
    stated = (*world.facts, *world.denied)
    classes = {f[2] for f in stated if f[1] == TYPE}
    classes |= {term for f in stated if f[1] == SUBCLASS for term in (f[0], f[2])}
    classes |= {"e" + world.book.kg_name(name) for name in world.book.classes}
    known = sorted(key for key in world.terms - classes if key[0] in "eb")
    assume(len(known) > 1)
    ends = st.sampled_from(known)
    new = draw(st.lists(st.tuples(ends, relations, ends), min_size=2, max_size=3, unique=True))
    return world, [fact for fact in new if fact not in world.facts]


def _is_plain(world: World) -> bool:
    """Without names of one entity, and without relations that change."""
    kinds = {item.kind for r in world.book.relations.values() for item in r.properties}
    same = world.book.same or any(r in SAME_AS for _, r, _ in world.facts)
    return not same and "functional_at_a_time" not in kinds


@settings(LAW, max_examples=100)
@given(additions())
def test_what_clashes_is_what_evidence_is_against(drawn: tuple[World, list[KeyTriple]]) -> None:
    world, new = drawn
    knowledge = Knowledge(world.graph, world.book)
    atoms: list[Ground] = [("for", r, knowledge.term(s), knowledge.term(o)) for s, r, o in new]
    clashes = Clashes(SliceEngine(knowledge, evidence_rules(knowledge)), atoms)
    before = evidence(world)
    alone = {
        n
        for n, (s, r, o) in enumerate(new)
        if contradicted(world, (new[n],)) or ("against", r, s, o) in before
    }
    assert clashes.refuted == alone
    free = [n for n in range(len(new)) if n not in alone]
    wanted = {
        frozenset(pair)
        for pair in combinations(free, 2)
        if contradicted(world, tuple(new[n] for n in pair))
    }
    assert set(clashes.pairs(60)) == wanted
    core = clashes.core(free, 60)
    assert (core is None) == (not contradicted(world, tuple(new[n] for n in free)))
    if core is not None:
        assert contradicted(world, tuple(new[n] for n in core))
        for left in core:
            assert not contradicted(world, tuple(new[n] for n in core if n != left))
