"""What the law tests share: settings, and the verdicts on a world in a row."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from kgverify.testing import World
from kgverify.verdicts import Verdict

LAW = settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))


def decide(world: World) -> list[Verdict]:
    """The verdicts on every question and candidate of a world."""
    return list(world.verdicts.values())
