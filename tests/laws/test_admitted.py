"""Verdicts with admitted edges: as if the edges were stated, but for what the graph decides; and
whatever needs one says so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import structs

from kgverify.believing import searchable
from kgverify.completion.breakpoints import Breakpoint
from kgverify.graph.store import KeyTriple
from kgverify.reasoning.knowledge import Knowledge
from kgverify.replay.rechecking import check_explanation
from kgverify.testing import World, worlds
from kgverify.testing.evidence import evidence
from kgverify.verdicts import Verdict
from kgverify.verification import EngineName, Verifier
from kgverify.vocabulary import Question
from tests.admitting import Fixed
from tests.laws.common import LAW

Verdicts = dict[tuple[str, str], Verdict]


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
    questions = draw(
        st.lists(st.sampled_from(world.asked), min_size=1, max_size=2, unique_by=lambda q: q.id)
    )
    asked = tuple(
        structs.replace(question, candidates=tuple(draw(st.permutations(question.candidates))[:2]))
        for question in questions
    )
    return replace(world, asked=asked), new


def said(verdict: Verdict) -> dict[str, object]:
    """What is said of a candidate, without its rank and what would settle it."""
    kept = ("id", "status", "reason", "basis", "admitted")
    parts = [[getattr(c, name) for name in kept] for c in verdict.constraints]
    return {
        "verdict": (verdict.verdict, verdict.support, verdict.basis),
        "pins": verdict.pins,
        "constraints": parts,
    }


def lines(verdicts: Verdicts) -> list[str]:
    return [json.dumps(verdict.to_dict()) for verdict in verdicts.values()]


@settings(LAW, max_examples=200)
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
        moved = {id for id, status in verdict.statuses.items() if status != before.statuses[id]}
        assert all(before.statuses[id] == "unk" for id in moved), key
        assert verdict.admitted == moved, key
        told = {c.id: c for c in verdict.constraints}
        for constraint in before.constraints:
            if constraint.id in moved:
                assert told[constraint.id].basis == "admitted", key
                assert told[constraint.id].admitted, key
            elif constraint.status != "unk":
                assert told[constraint.id] == constraint, key  # with its basis and its proof


def single(verdict: Verdict) -> dict[int, str]:
    """The statuses of all constraints but groups, a conflict told apart."""
    constraints = verdict._request.template.constraints
    return {c.index: verdict.decision.statuses[c.index] for c in constraints if c.kind != "group"}


@settings(LAW, max_examples=200)
@given(proposed())
def test_admitted_edges_decide_as_stated_ones(drawn: tuple[World, list[KeyTriple]]) -> None:
    world, edges = drawn
    for question in world.asked:
        for candidate in question.candidates:
            one = structs.replace(question, candidates=(candidate,))
            completer = Fixed(edges)
            verifier = Verifier(world.graph, world.book, "rank", completer=completer)
            ((found, _),) = verifier.verify([one])
            if not found:
                continue
            own = [e for e in edges if Breakpoint(e[0][1:], e[1]) in completer.asked]
            (alone,) = decide(world, None, [one]).values()
            (stated,) = decide(world.with_facts(*own), None, [one]).values()
            old, new = single(alone), single(stated)
            agree = all(
                new[index] == old[index] or (old[index] == "unk" and new[index] != "conflict")
                for index in old
            )
            expected = stated if agree else alone
            assert found[0].statuses == expected.statuses
            assert (found[0].verdict, found[0].support) == (expected.verdict, expected.support)


@settings(LAW, max_examples=150)
@given(proposed(dated=True))
def test_without_admitted_edges_nothing_changes(drawn: tuple[World, list[KeyTriple]]) -> None:
    world, _ = drawn
    assert lines(decide(world, [])) == lines(decide(world, None))


@settings(LAW, max_examples=150)
@given(proposed())
def test_a_batch_equals_one_at_a_time(drawn: tuple[World, list[KeyTriple]]) -> None:
    world, edges = drawn
    together = decide(world, edges)
    for question in world.asked:
        for candidate in question.candidates:
            one = structs.replace(question, candidates=(candidate,))
            for key, verdict in decide(world, edges, [one]).items():
                if key in together:  # else another name of the same candidate has the verdict
                    assert said(verdict) == said(together[key]), key


@settings(LAW, max_examples=150)
@given(proposed(dated=True))
def test_the_engines_agree(drawn: tuple[World, list[KeyTriple]]) -> None:
    world, edges = drawn
    found, reference = decide(world, edges), decide(world, edges, engine="reference")
    assert found.keys() == reference.keys()
    for key, verdict in found.items():
        assert said(verdict) == said(reference[key]), key


@settings(LAW, max_examples=200)
@given(proposed())
def test_proofs_tell_their_admitted_edges_and_replay(drawn: tuple[World, list[KeyTriple]]) -> None:
    world, edges = drawn
    against = evidence(world)
    free = [(s, r, o) for s, r, o in edges if ("against", r, s, o) not in against]
    free = [fact for fact in free if fact not in world.facts]
    for key, verdict in decide(world, free).items():
        explanation = verdict.explain()
        assert check_explanation(explanation, world.graph, world.book) == [], key
        if verdict.admitted:
            assert explanation.admitted, key
            hidden = structs.replace(explanation, admitted=())
            faults = check_explanation(hidden, world.graph, world.book)
            assert any("without saying from what" in p.message for p in faults), key
        else:
            assert not explanation.admitted, key
