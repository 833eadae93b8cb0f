"""What the law tests share: decide a world, compactly."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, settings

from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from tests.worlds import World

LAW = settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))


def decide(world: World, engine: str = "slice") -> list[Verdict]:
    """The verdicts on every question and candidate of a world."""
    verifier = Verifier(world.graph, world.book, "rank", engine)  # type: ignore[arg-type]
    found: list[Verdict] = []
    for verdicts, problems in verifier.verify(world.questions()):
        codes = {p.code for p in problems}
        assert codes <= {"argument-type", "unresolved-argument", "repeated-candidate"}, problems
        found += verdicts
    return found


def by_candidate(world: World) -> dict[tuple[str, str], Verdict]:
    return {(v.question, v.candidate): v for v in decide(world)}


def with_facts(world: World, *facts: tuple[str, str, str]) -> World:
    return replace(world, facts=tuple(dict.fromkeys((*world.facts, *facts))))


def with_denied(world: World, *facts: tuple[str, str, str]) -> World:
    return replace(world, denied=tuple(dict.fromkeys((*world.denied, *facts))))
