"""Law 12 in exact mode: what only completions decide has a proof that replays and is minimal, and
the checker says what a try of all completions says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import structs

from kgverify.graph.terms import value_key
from kgverify.replay.checker import underivable
from kgverify.replay.completions import outcome
from kgverify.replay.rechecking import check_explanation
from kgverify.report.trace import trace
from kgverify.testing import World
from kgverify.verdicts import Verdict
from kgverify.vocabulary import Citation, Explanation, Proof, Question
from tests.completions import (
    Completions,
    chained_worlds,
    dated_worlds,
    status,
    tiny_worlds,
    viewed_worlds,
)
from tests.completions_in_time import CompletionsInTime, timed_worlds
from tests.laws.test_exact import MANY, TINY, exact, truths


def exact_proofs(verdict: Verdict, explanation: Explanation) -> Iterator[Proof | None]:
    """The proofs of what exact mode decided, and None where there is none."""
    refined = verdict._refined
    assert refined is not None
    for compiled, explained in zip(
        verdict._request.template.items, explanation.constraints, strict=True
    ):
        if refined.exact[verdict._place, compiled.index]:
            assert explained.proof is None or explained.proof.exact
            yield explained.proof
    if refined.joint[verdict._place]:
        yield explanation.joint_proof


def check_proof(proof: Proof, world: World) -> None:
    """It holds, and without any of its citations it does not."""
    assert underivable(proof, world.book) == []
    for place, citation in enumerate(proof.citations):
        rest = proof.citations[:place] + proof.citations[place + 1 :]
        less = structs.replace(proof, citations=rest)
        assert underivable(less, world.book), citation


def check_trace(explanation: Explanation) -> None:
    """Every premise is derived before it is used, and the verdict comes last."""
    derived: set[str] = set()
    found = trace(explanation)
    for step in found["inferences"]:
        assert set(step["premises"]) <= derived, step
        derived.add(step["conclusion"])
    assert found["inferences"][-1]["conclusion"] == found["finalConclusion"]


def check_verdict(verdict: Verdict, world: World) -> list[Proof | None]:
    """The proofs that there are replay, and so does the explanation where none is missing."""
    explanation = verdict.explain()
    proofs = list(exact_proofs(verdict, explanation))
    for proof in filter(None, proofs):
        check_proof(proof, world)
    if proofs and None not in proofs:
        assert check_explanation(explanation, world.graph, world.book) == [], verdict.candidate
        check_trace(explanation)
    return proofs


@settings(TINY, max_examples=100)
@given(st.one_of(tiny_worlds(), tiny_worlds(complete=False, blank=True)))
def test_law_12_in_exact_mode(world: World) -> None:
    assume(Completions(world).all)
    for key, verdict in exact(world).items():
        proofs = check_verdict(verdict, world)
        # What is assumed closed and stays open has no proof beside a blank node (decision 65).
        assert None not in proofs or "assume closed" in world.rules, key


@settings(TINY, max_examples=100)
@given(st.one_of(viewed_worlds(), chained_worlds(), dated_worlds(), timed_worlds()))
def test_law_12_in_exact_mode_about_views(world: World) -> None:
    """Where the checker can't follow, there is no proof."""
    asked = CompletionsInTime(world).questions if "r" in world.book.relations else None
    for verdict in exact(world, asked=asked).values():
        check_verdict(verdict, world)


@settings(TINY, max_examples=60)
@given(tiny_worlds(complete=False), st.data())
def test_a_fact_that_is_not_cited_changes_nothing(world: World, data: st.DataObject) -> None:
    things = st.sampled_from(("ee0", "ee1", "ee2"))
    fact = data.draw(st.tuples(things, st.just("p"), things))
    richer = world.with_facts(fact)
    assume(Completions(world).all)
    for key, verdict in exact(world).items():
        explanation = verdict.explain()
        if any(exact_proofs(verdict, explanation)):
            problems = check_explanation(explanation, richer.graph, richer.book)
            assert [p for p in problems if p.is_error] == [], key


def everything(world: World, verdict: Verdict, completions: Completions) -> tuple[Citation, ...]:
    """All that could be cited of a world: facts, denials, statements, differences, absences, and
    listings."""
    batch, evidence = verdict._batch, completions.oracle.evidence
    found = [Citation("fact", "", "", r, (s, o)) for s, r, o in world.facts if r != "unrelated"]
    found += [Citation("denial", "", "", r, (s, o)) for s, r, o in world.denied]
    found += [
        batch.narrator.statement(rule.origin)
        for rule in batch.rules
        if rule.origin.statement and rule.origin.statement[1] not in batch.views
    ]
    found += [
        Citation("fact", "", "", "rdfs:subClassOf", ("e" + cls.name.text, "e" + above.text))
        for cls in world.book.classes.values()
        for above in cls.supers
    ]
    things = [t for t in completions.entities if not t.startswith("ething")]
    found += [Citation("identity", "", "", "", pair) for pair in combinations(things, 2)]
    complete = {statement.relation.text for statement in world.book.complete}
    for r, s, o in product(complete, things, things):
        if ("for", r, s, o) not in evidence:
            found.append(Citation("absence", "", "", r, (s, o)))
    for r, s in product(complete, things):
        objects = (o for o in things if ("for", r, s, o) in evidence)
        found.append(Citation("listing", "", "", r, (s, *objects)))
    return tuple(dict.fromkeys(found))


def forged(
    world: World, verdict: Verdict, completions: Completions
) -> Iterator[tuple[Proof, list[bool]]]:
    """Proofs of either status from all that could be cited, and the truth of what they claim in
    all completions."""
    cited = everything(world, verdict, completions)
    _, *found = truths(completions, verdict)
    for compiled, true in zip(verdict._request.template.items, found, strict=True):
        claim = verdict._account._claim(compiled, whole=True)
        yield Proof(claim, "sat", cited, (), exact=True), true
        yield Proof(claim, "viol", cited, (), exact=True), true


@settings(TINY, max_examples=100)
@given(tiny_worlds())
def test_the_checker_says_what_a_try_of_all_completions_says(world: World) -> None:
    completions = Completions(world)
    assume(completions.all)
    for key, verdict in exact(world).items():
        for proof, true in forged(world, verdict, completions):
            holds = outcome(proof, world.book) == "holds"
            assert holds == (status(true) == proof.status), (key, proof.claim)


@settings(TINY, max_examples=150)
@given(st.one_of(viewed_worlds(), viewed_worlds(single=True), chained_worlds(), dated_worlds()))
def test_the_checker_accepts_nothing_that_a_completion_denies(world: World) -> None:
    """Of paths, comparisons and counts it may know less."""
    completions = Completions(world)
    assume(completions.all)
    for key, verdict in exact(world).items():
        for proof, true in forged(world, verdict, completions):
            if status(true) != proof.status:
                assert outcome(proof, world.book) != "holds", (key, proof.claim)


@settings(TINY, max_examples=100)
@given(timed_worlds())
def test_the_checker_accepts_nothing_that_a_completion_in_time_denies(world: World) -> None:
    completions = CompletionsInTime(world)
    assume(completions.is_small and 0 < len(completions.all) <= MANY)
    questions: list[Question] = completions.questions
    for key, verdict in exact(world, asked=questions).items():
        batch = verdict._batch
        _, *found = truths(completions, verdict)
        things = ("ee0", "ee1", "ee2", "ee3")
        cited = [
            *(Citation("fact", "", "", r, (s, o)) for s, r, o in world.facts),
            *(Citation("denial", "", "", r, (s, o)) for s, r, o in world.denied),
            *(c for fact in world.dated for c in stated_for_a_period(fact)),
            *(Citation("identity", "", "", "", pair) for pair in combinations(things, 2)),
            *(
                batch.narrator.statement(rule.origin)
                for rule in batch.rules
                if rule.origin.statement and rule.origin.statement[1] not in batch.views
            ),
        ]
        for compiled, true in zip(verdict._request.template.items, found, strict=True):
            claim = verdict._account._claim(compiled, whole=True)
            for said in ("sat", "viol"):
                proof = Proof(claim, said, tuple(dict.fromkeys(cited)), (), exact=True)  # type: ignore[arg-type]
                if outcome(proof, world.book) == "holds":
                    assert status(true) == said, (key, claim)


def stated_for_a_period(fact: tuple[str, ...]) -> Iterator[Citation]:
    subject, relation, object_, since, until, rank = fact
    dates = tuple(text and value_key(text, "date") for text in (since, until))
    assert rank == ""
    yield Citation("period", "", "", relation, (subject, object_, *dates))
