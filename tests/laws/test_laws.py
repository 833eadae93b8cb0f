"""The laws of the semantics hold, over random worlds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kgverify.testing import LAWS, Law, World, cases, law
from kgverify.testing.changes import Forget
from kgverify.vocabulary import Candidate, Question
from tests.laws.common import LAW

CHECKED = [law for law in LAWS if not law.missing]
EXAMPLES = {4: 400}  # the two engines share the least code


@pytest.mark.parametrize("law", CHECKED, ids=lambda law: f"{law.number}-{law.name}")
def test_the_law_holds(law: Law) -> None:
    @settings(LAW, max_examples=EXAMPLES.get(law.number, LAW.max_examples))
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        world, change = data.draw(cases(law))
        assume(law.speaks_of(world, change))
        assert law.breach(world, change) is None

    holds()


def test_there_are_fourteen_laws_in_order() -> None:
    assert [law.number for law in LAWS] == list(range(1, 15))
    assert all(law.name and law.statement for law in LAWS)


def test_deletion_is_not_free_where_a_functional_relation_has_two_objects() -> None:
    """Why law 3 has a condition: two objects that can't both be are counted, and one is deleted."""
    rules = """
class Thing
relation p (Thing, Thing) functional
relation q (Thing, Thing) functional
question k()
    "Which?"
    answer x : Thing
    require count (p|q)(x, _) >= 2
"""
    doubled = ("ea", "p", "ec")
    facts = (("ea", "p", "eb"), ("ea", "q", "eb"), doubled)
    world = World(rules, facts, (), asked=(Question("k", "k", {}, (Candidate("a"),)),))
    change = Forget((doubled,), ())
    assert law(3).breach(world, change) is not None
    assert not law(3).speaks_of(world, change)
    assert law(3).speaks_of(replace(world, facts=facts[:2]), Forget((facts[0],), ()))
