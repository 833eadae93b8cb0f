"""The engines agree with the semantics written out in plain Python."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from kgverify.graph.terms import value_key
from kgverify.testing import World, worlds
from kgverify.verification import Verifier
from tests.oracle import Oracle


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(worlds(size=9))
def test_slice_engine_equals_the_oracle(world: World) -> None:
    oracle = Oracle(world)
    verifier = Verifier(world.graph, world.book, "rank")
    for verdicts, _ in verifier.verify(world.asked):
        for verdict in verdicts:
            name, first = verdict.question.split("/")
            values = {
                "a": "e" + first,
                "x": "e" + verdict.candidate,
                "y": value_key("1990", "date"),
                "n": value_key("1", "integer"),
            }
            decision = verdict.decision
            items = [c.index for c in verdict._request.template.items]
            statuses = {str(n): decision.statuses[i] for n, i in enumerate(items)}
            assert (decision.verdict, decision.support, statuses) == oracle.decide(name, values), (
                verdict.question,
                verdict.candidate,
            )
