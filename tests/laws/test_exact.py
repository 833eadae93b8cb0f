"""Exact mode says what a try of all completions says, and obeys the laws."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, assume, find, given, settings
from hypothesis import strategies as st

from kgverify.reasoning.datalog import Origin
from kgverify.testing import World, worlds
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Question
from tests.completions import (
    Completions,
    chained_worlds,
    closed_worlds,
    dated_worlds,
    questions,
    status,
    tiny_worlds,
    viewed_worlds,
)
from tests.completions_in_time import CompletionsInTime, timed_worlds

TINY = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
FEW = settings(TINY, max_examples=30)
MANY = 30_000  # completions of a world with two more entities, or in time
Key = tuple[str, str]


def exact(
    world: World, engine: str = "slice", asked: list[Question] | None = None
) -> dict[Key, Verdict]:
    verifier = Verifier(world.graph, world.book, "rank", engine, exact=True)  # type: ignore[arg-type]
    answers = verifier.verify(questions(world) if asked is None else asked)
    return {(v.question, v.candidate): v for found, _ in answers for v in found}


def kleene(world: World) -> dict[Key, Verdict]:
    answers = Verifier(world.graph, world.book, "rank").verify(questions(world))
    return {(v.question, v.candidate): v for found, _ in answers for v in found}


def said(verdict: Verdict) -> tuple[str, ...]:
    """The verdict and the status of each constraint."""
    return (verdict.verdict, *verdict.statuses.values())


def truths(
    completions: Completions | CompletionsInTime, verdict: Verdict
) -> tuple[list[bool], ...]:
    """For the required constraints together, and for each constraint: is it met, completion by
    completion?"""
    values: dict[str | int, str] = {"a": "e" + verdict.question, "x": "e" + verdict.candidate}
    items = verdict._request.template.items
    found = [
        [completions.truth(c.condition, values, w) != c.negated for w in completions.all]
        for c in items
    ]
    required = [t for t, c in zip(found, items, strict=True) if c.required]
    return ([all(at) for at in zip(*required, strict=True)], *found)


def tried(completions: Completions | CompletionsInTime, verdict: Verdict) -> tuple[str, ...]:
    """The verdict and the statuses by trying all completions."""
    return tuple(map(status, truths(completions, verdict)))


@settings(TINY, max_examples=200)
@given(tiny_worlds())
def test_exact_mode_equals_a_try_of_all_completions(world: World) -> None:
    completions = Completions(world)
    assume(completions.all)
    for engine in ("reference", "slice"):
        for key, verdict in exact(world, engine).items():
            assert said(verdict) == tried(completions, verdict), (engine, key)


@settings(TINY, max_examples=200)
@given(tiny_worlds())
def test_law_1_kleene_is_sound(world: World) -> None:
    completions = Completions(world)
    assume(completions.all)
    for key, verdict in kleene(world).items():
        for ours, all_ in zip(said(verdict), tried(completions, verdict), strict=True):
            assert ours in ("unk", all_), key


@settings(TINY, max_examples=100)
@given(viewed_worlds(single=True))
def test_views_equal_a_try_of_all_completions(world: World) -> None:
    """One more entity is enough for one view, and all entities are tried.

    A slice may leave open what a known entity without any fact of the steps would settle: such an
    entity is not gathered as one that a path may go through."""
    completions = Completions(world, imagined=1)
    assume(completions.all)
    for key, verdict in exact(world, "reference").items():
        assert said(verdict) == tried(completions, verdict), key
    for key, verdict in exact(world, "slice").items():
        for ours, all_ in zip(said(verdict), tried(completions, verdict), strict=True):
            assert ours in ("unk", all_), key


@TINY
@given(chained_worlds())
def test_chains_equal_a_try_of_all_completions(world: World) -> None:
    """Two more entities are enough for one chain, as far as its length matters here."""
    completions = Completions(world, imagined=2)
    assume(0 < len(completions.all) <= MANY)
    for key, verdict in exact(world, "reference").items():
        assert said(verdict) == tried(completions, verdict), key
    for key, verdict in exact(world, "slice").items():
        for ours, all_ in zip(said(verdict), tried(completions, verdict), strict=True):
            assert ours in ("unk", all_), key


@settings(TINY, max_examples=200)
@given(timed_worlds())
def test_times_equal_a_try_of_all_completions(world: World) -> None:
    completions = CompletionsInTime(world)
    assume(completions.is_small and 0 < len(completions.all) <= MANY)
    for engine in ("reference", "slice"):
        for key, verdict in exact(world, engine, completions.questions).items():
            (together, *ours), (all_together, *all_) = said(verdict), tried(completions, verdict)
            assert ours == all_, (engine, key)
            # What is tried here holds always where the graph gives no period; in a completion it
            # may hold at times that don't meet, so the constraints together may stay open.
            assert together in ("unk", all_together), (engine, key)


@settings(TINY, max_examples=200)
@given(st.one_of(viewed_worlds(), dated_worlds()))
def test_views_are_decided_only_where_all_completions_agree(world: World) -> None:
    completions = Completions(world)
    assume(completions.all)
    for engine in ("reference", "slice"):
        for key, verdict in exact(world, engine).items():
            for ours, all_ in zip(said(verdict), tried(completions, verdict), strict=True):
                assert ours in ("unk", all_), (engine, key)


@settings(TINY, max_examples=100)
@given(st.one_of(viewed_worlds(), dated_worlds()))
def test_law_1_kleene_is_sound_about_views(world: World) -> None:
    completions = Completions(world)
    assume(completions.all)
    for key, verdict in kleene(world).items():
        for ours, all_ in zip(said(verdict), tried(completions, verdict), strict=True):
            assert ours in ("unk", all_), key


@TINY
@given(
    st.one_of(tiny_worlds(complete=False, blank=True), viewed_worlds(blank=True), closed_worlds())
)
def test_a_blank_node_may_be_anything(world: World) -> None:
    """What exact mode decides holds whichever entity the blank node is, or another one."""
    merged = merges(world)
    assume(any(completions.all for completions in merged))
    for key, verdict in exact(world).items():
        assert holds_in_all(verdict, merged), key


@settings(TINY, max_examples=300)
@given(closed_worlds())
def test_law_1_kleene_is_sound_about_blank_nodes(world: World) -> None:
    """So does what evidence decides, also by absence where that counts as falsehood."""
    merged = merges(world)
    assume(any(completions.all for completions in merged))
    for key, verdict in kleene(world).items():
        assert holds_in_all(verdict, merged), key


def merges(world: World) -> list[Completions]:
    """The completions in which the blank node is one of the entities, or another one."""
    merged = []
    for name in ("ee0", "ee1", "eother"):
        facts = [tuple(name if t == "bblank" else t for t in f) for f in world.facts]
        denied = [tuple(name if t == "bblank" else t for t in f) for f in world.denied]
        other = replace(
            world,
            facts=(*facts, (name, "unrelated", name)),  # type: ignore[arg-type]
            denied=tuple(denied),  # type: ignore[arg-type]
        )
        merged.append(Completions(other))
    return merged


def holds_in_all(verdict: Verdict, merged: list[Completions]) -> bool:
    """Is what is said decided so in all these completions, or left open?"""
    parts = [truths(completions, verdict) for completions in merged if completions.all]
    return all(
        ours in ("unk", status([t for part in found for t in part]))
        for ours, found in zip(said(verdict), zip(*parts, strict=True), strict=True)
    )


@FEW
@given(tiny_worlds())
def test_contradictions_are_never_answered(world: World) -> None:
    """Without a completion, what evidence says stays, and nothing in conflict is decided."""
    assume(not Completions(world).all)
    verifier = Verifier(world.graph, world.book, "rank", "reference", exact=True)
    old = kleene(world)
    answers = list(verifier.verify(questions(world)))
    open_ = [v for found, _ in answers for v in found if v.verdict == "unk"]
    assert not open_ or any(p.code == "inconsistent" for _, problems in answers for p in problems)
    for found, _ in answers:
        for verdict in found:
            before = old[verdict.question, verdict.candidate]
            for one, other in zip(before.decision.statuses, verdict.decision.statuses, strict=True):
                assert one == other or one == "unk"


@FEW
@given(tiny_worlds(complete=False))
def test_what_is_cited_suffices_and_is_needed(world: World) -> None:
    """From the cited facts alone the constraint has its status in all completions, and where it is
    no group, no longer when one of them is taken away."""
    completions = Completions(world)
    assume(completions.all)
    for verdict in exact(world).values():
        assert verdict._refined is not None
        for place, compiled in enumerate(verdict._request.template.items, 1):
            if not verdict._refined.exact[verdict._place, compiled.index]:
                continue
            ruling = verdict._account._ruling
            assert ruling is not None
            cited = [part for part, _ in ruling.core(compiled.index)]
            # Subclasses are stated in the rule file here, and stay.
            facts = [p for p in cited if not isinstance(p, Origin) and p[0] != "subclass"]
            alone = _only(world, [_key(verdict, part) for part in facts])
            assert tried(Completions(alone), verdict)[place] == said(verdict)[place]
            if compiled.kind == "group":
                continue  # the evidence that decides a member is cited, though others may do
            for left_out in facts:
                rest = [_key(verdict, part) for part in facts if part != left_out]
                assert (
                    tried(Completions(_only(world, rest)), verdict)[place] != said(verdict)[place]
                )


def _key(verdict: Verdict, fact: tuple[str | int, ...]) -> tuple[str, tuple[str, ...]]:
    """A cited fact as the world states it, with its predicate."""
    knowledge = verdict._batch.knowledge
    terms = [knowledge.key(t) if isinstance(t, int) else t for t in fact[1:]]
    if fact[0] in ("member", "denied_member"):
        terms = [terms[0], "rdf:type", "e" + terms[1]]
    elif fact[0] in ("triple", "denied"):
        terms = [terms[1], terms[0], terms[2]]
    return str(fact[0]), tuple(terms)


def _only(world: World, facts: list[tuple[str, tuple[str, ...]]]) -> World:
    known = [f for f in world.facts if f[1] == "unrelated"]
    stated = [f for predicate, f in facts if predicate in ("triple", "member")]
    denied = [f for predicate, f in facts if predicate in ("denied", "denied_member")]
    return replace(world, facts=(*stated, *known), denied=tuple(denied))  # type: ignore[arg-type]


@FEW
@given(tiny_worlds(complete=False), st.data())
def test_law_2_knowledge_only_moves_unk(world: World, data: st.DataObject) -> None:
    fact = data.draw(
        st.tuples(st.sampled_from(["ee0", "ee1"]), st.just("p"), st.sampled_from(["ee0", "ee1"]))
    )
    richer = world.with_denied(fact) if data.draw(st.booleans()) else world.with_facts(fact)
    assume(Completions(richer).all)
    new = exact(richer)
    for key, verdict in exact(world).items():
        if key in new:  # a question whose argument has the wrong type by now is not answered
            for before, after in zip(said(verdict), said(new[key]), strict=True):
                assert before in ("unk", after)


@FEW
@given(worlds(size=8))
def test_law_4_a_slice_says_what_the_whole_graph_says(world: World) -> None:
    """Nothing is decided by a slice that the whole graph leaves open.  The whole graph may hold a
    contradiction, and then says less."""
    slices, whole = (
        Verifier(world.graph, world.book, "rank", engine, exact=True)  # type: ignore[arg-type]
        for engine in ("slice", "reference")
    )
    others = list(whole.verify(world.asked))
    contradicted = any(p.code == "inconsistent" for _, problems in others for p in problems)
    for (some, _), (all_, _) in zip(slices.verify(world.asked), others, strict=True):
        if not contradicted:
            other = {v.candidate: said(v) for v in all_}
            for verdict in some:
                for ours, theirs in zip(said(verdict), other[verdict.candidate], strict=True):
                    assert ours in ("unk", theirs)


@FEW
@given(tiny_worlds(), st.randoms(use_true_random=False))
def test_laws_7_and_9_order_and_batches_change_nothing(world: World, random: object) -> None:
    together = {key: said(v) for key, v in exact(world).items()}
    facts, denied = list(world.facts), list(world.denied)
    random.shuffle(facts)  # type: ignore[attr-defined]
    random.shuffle(denied)  # type: ignore[attr-defined]
    shuffled = replace(world, facts=tuple(facts), denied=tuple(denied))
    assume(Completions(world).all)
    assert {key: said(v) for key, v in exact(shuffled).items()} == together
    for question in questions(world):
        for candidate in question.candidates:
            alone = Question(question.id, question.question, question.arguments, (candidate,))
            for key, verdict in exact(world, asked=[alone]).items():
                assert said(verdict) == together[key]


@FEW
@given(worlds(size=8))
def test_strangers_stay_unresolved(world: World) -> None:
    verifier = Verifier(world.graph, world.book, "rank", exact=True)
    plain = Verifier(world.graph, world.book, "rank")
    asked = world.asked
    for (found, _), (before, _) in zip(verifier.verify(asked), plain.verify(asked), strict=True):
        old = {v.candidate: said(v) for v in before}
        assert [said(v) for v in found if v.candidate == "nobody"] == [
            old["nobody"] for _ in found[:1]
        ]


@pytest.mark.parametrize("verdict", ["sat", "viol"])
def test_tiny_worlds_need_exact_mode(verdict: str) -> None:
    def needed(world: World) -> bool:
        return any(v.verdict == verdict and v.basis == "exact" for v in exact(world).values())

    generate = settings(TINY, max_examples=2000, database=None, phases=[Phase.generate])
    assert find(tiny_worlds(), needed, settings=generate)
