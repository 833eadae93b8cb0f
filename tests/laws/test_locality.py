"""Law 4, locality: the slice engine says what the whole graph grounded says."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from tests.worlds import World, worlds

SETTINGS = settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def verdicts(world: World, engine: str) -> list[tuple[object, ...]]:
    """Everything that an engine decides about a world."""
    verifier = Verifier(world.graph, world.book, "rank", engine)  # type: ignore[arg-type]
    found: list[Verdict] = []
    for group, problems in verifier.verify(world.questions()):
        assert not [p for p in problems if p.code not in ("argument-type", "unresolved-argument")]
        found += group
    return [
        (
            v.question,
            v.candidate,
            v.verdict,
            v.support,
            v.basis,
            v.rank,
            v.decision.statuses,
        )
        for v in found
    ]


@SETTINGS
@given(worlds())
def test_slice_equals_reference(world: World) -> None:
    assert verdicts(world, "slice") == verdicts(world, "reference")
