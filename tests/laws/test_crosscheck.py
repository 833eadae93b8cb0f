"""A second engine agrees: pyDatalog derives what clingo does."""

from __future__ import annotations

from hypothesis import given, settings

from kgverify.testing import World, worlds
from kgverify.verification import Verifier
from tests.laws.common import LAW


@settings(LAW, max_examples=300)
@given(worlds())
def test_pydatalog_derives_what_clingo_derives(world: World) -> None:
    verifier = Verifier(world.graph, world.book, "rank", cross_check=True)
    for _ in verifier.verify(world.asked):
        pass
