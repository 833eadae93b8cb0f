"""Verdicts with admitted edges: as if the edges were stated, but for what the graph decides; and
whatever needs one says so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kgverify.believing import Completed, searchable
from kgverify.completion.breakpoints import Breakpoint
from kgverify.graph.store import KeyTriple
from kgverify.reasoning.knowledge import Knowledge
from kgverify.replay.rechecking import check_explanation
from kgverify.testing import World, worlds
from kgverify.testing.evidence import contradicts, evidence, opposite
from kgverify.verdicts import Verdict
from kgverify.verification import EngineName, Verifier
from kgverify.vocabulary import AdmittedEdge, Question, Quote
from tests.laws.common import LAW

Verdicts = dict[tuple[str, str], Verdict]


class Fixed:
    """Admits some edges, wherever they are missing."""

    name = "fixed"

    def __init__(self, edges: Sequence[KeyTriple]) -> None:
        self.edges = edges
        self.asked: set[Breakpoint] = set()

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        self.asked |= set(missing)
        return Completed(
            tuple(
                admitted(subject[1:], relation, object_[1:])
                for subject, relation, object_ in self.edges
                if Breakpoint(subject[1:], relation) in missing
            )
        )


def admitted(subject: str, relation: str, object_: str) -> AdmittedEdge:
    quote = Quote("p1", "", "a book", "ENTAILED", 1.0, "so it is", 0, 8)
    score = "23/30"
    return AdmittedEdge(
        subject, relation, object_, "careful", "ENTAILED", score, 1, 0, ("p1",), (quote,)
    )


def decide(
    world: World,
    edges: Sequence[KeyTriple] | None,
    asked: Sequence[Question] | None = None,
    engine: EngineName = "slice",
) -> Verdicts:
    """The verdicts on a world, with these edges admitted; None for no completer at all."""
    completer = None if edges is None else Fixed(edges)
    verifier = Verifier(world.graph, world.book, "rank", engine, completer=completer)
    found = verifier.verify(world.asked if asked is None else asked)
    return {(v.question, v.candidate): v for verdicts, _ in found for v in verdicts}


@st.composite
def proposed(draw: st.DrawFn, dated: bool = False) -> tuple[World, list[KeyTriple]]:
    """A world, and edges between its entities that may be admitted, which nobody states."""
    world = draw(worlds(size=9, dated=dated))
    relations = sorted(searchable(Knowledge(world.graph, world.book)))
    assume(relations)
    known = sorted(key for key in world.terms if key in ("ee0", "ee1", "ee2", "ee3"))
    assume(len(known) > 1)
    ends = st.sampled_from(known)
    new = draw(
        st.lists(
            st.tuples(ends, st.sampled_from(relations), ends), min_size=1, max_size=4, unique=True
        )
    )
    return world, new


def lines(verdicts: Verdicts) -> list[str]:
    return [json.dumps(verdict.to_dict()) for verdict in verdicts.values()]


@settings(LAW, max_examples=300)
@given(proposed(dated=True))
def test_admitted_edges_move_a_verdict_from_unk_only(drawn: tuple[World, list[KeyTriple]]) -> None:
    world, edges = drawn
    alone, found = decide(world, None), decide(world, edges)
    assert alone.keys() == found.keys()
    for key, verdict in found.items():
        before = alone[key]
        if verdict.verdict != before.verdict:
            assert before.verdict == "unk", key
            assert verdict.basis == "admitted", key
        moved = {
            id for id, status in verdict.statuses.items() if status != before.statuses[id]
        }
        assert all(before.statuses[id] == "unk" for id in moved), key
        assert verdict.admitted == moved, key
        told = {c.id: c for c in verdict.constraints}
        for constraint in before.constraints:
            if constraint.id in moved:
                assert told[constraint.id].basis == "admitted", key
                assert told[constraint.id].admitted, key
            elif constraint.status != "unk":
                assert told[constraint.id] == constraint, key  # with its basis and its proof
