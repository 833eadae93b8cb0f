"""Law 4, locality: the slice engine says what the whole graph grounded says."""

from __future__ import annotations

from hypothesis import given, settings

from tests.laws.common import LAW, decide
from tests.worlds import World, worlds


def everything(world: World, engine: str) -> list[tuple[object, ...]]:
    """All that an engine decides about a world."""
    return [(*_key(v), v.decision, v.basis, v.rank) for v in decide(world, engine)]


def _key(verdict: object) -> tuple[str, str]:
    return verdict.question, verdict.candidate  # type: ignore[attr-defined]


@settings(LAW, max_examples=400)
@given(worlds())
def test_slice_equals_reference(world: World) -> None:
    assert everything(world, "slice") == everything(world, "reference")
