"""Soft rules: what they say is what plain Python says, and they change no verdict unless asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from msgspec import structs

from kgverify import check_explanation, read_explanation
from kgverify.language import syntax as s
from kgverify.reasoning.combining import COMBINATIONS, Combination
from kgverify.reasoning.deciding import STATUSES
from kgverify.reasoning.program import CompiledConstraint
from kgverify.testing import World, worlds
from kgverify.verdicts import Verdict
from kgverify.verification import EngineName, Verifier
from kgverify.vocabulary import Candidate, Explanation, Question
from tests.plausibility_oracle import PlausibilityOracle, kleene

WORLDS = worlds(soft=True, size=9)
combinations = st.sampled_from(COMBINATIONS)
shares = st.sampled_from(["0.3", "0.42", "0.420000001", "0.5", "0.6", "0.65", "0.9", "1"])


def verdicts(
    world: World,
    how: Combination = "max",
    from_: str | None = None,
    engine: EngineName = "slice",
) -> list[Verdict]:
    verifier = Verifier(world.graph, world.book, "rank", engine, combine=how, infer_from=from_)
    return [found for each, _ in verifier.verify(world.asked) for found in each]


def by_name(found: list[Verdict]) -> dict[tuple[str, str], Verdict]:
    return {(verdict.question, verdict.candidate): verdict for verdict in found}


def hard(world: World) -> World:
    """The world without its soft rules."""
    return world.with_statements(x for x in world.statements if not isinstance(x, s.SoftRule))


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(WORLDS, combinations)
def test_plausibility_is_what_plain_python_says(world: World, how: Combination) -> None:
    oracle = PlausibilityOracle(world)
    for verdict in verdicts(world, how):
        plausible, place = verdict._plausible, verdict._place
        assert plausible is not None
        leaves = oracle.leaves(verdict)
        constraints = verdict._request.template.constraints
        statuses = verdict.decision.statuses
        for constraint in constraints:
            index = constraint.index
            if constraint.kind != "group":
                _, backers = leaves.get(index, ("", ()))
                assert plausible.backers(place, index) == backers, (verdict, constraint)
        values = {i: oracle.value(backers, how, name) for i, (name, backers) in leaves.items()}

        # A side is as plausible as the highest threshold that decides the constraint so.
        steps = sorted({*values.values(), Fraction(1)} - {Fraction(0)})
        decided = {step: kleene(verdict, partial(at, verdict, values, step)) for step in steps}
        for constraint in constraints:
            index = constraint.index
            expected = tuple(
                max((t for t in steps if decided[t][index] == word), default=Fraction(0))
                for word in ("sat", "viol")
            )
            if statuses[index] == "unk" and constraint.kind == "group":
                assert plausible.sides(place, index) == expected
        leaning = sum(
            (
                c.weight * (plausible.sides(place, c.index)[0] - plausible.sides(place, c.index)[1])
                for c in verdict._request.template.items
                if statuses[c.index] == "unk"
            ),
            Fraction(0),
        )
        assert verdict.plausibility == float(leaning / verdict._request.template.total)


def at(verdict: Verdict, values: dict[int, Fraction], from_: Fraction, index: int) -> str:
    """The status of a constraint that is no group, where what is so plausible counts."""
    found = verdict.decision.statuses[index]
    if found == "unk" and values.get(index, 0) >= from_:
        return "viol" if verdict._request.template.constraints[index].denies else "sat"
    return "unk" if found == "conflict" else found


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(WORLDS, combinations, st.none() | shares)
def test_the_slice_says_what_the_whole_graph_says(
    world: World, how: Combination, from_: str | None
) -> None:
    one, other = (verdicts(world, how, from_, engine) for engine in ("slice", "reference"))
    for a, b in zip(one, other, strict=True):
        assert a == b
        assert a.statuses == b.statuses
        assert a.plausibilities == b.plausibilities
        indices = range(len(a._request.template.constraints))
        assert a._plausible is not None
        assert b._plausible is not None
        assert [a._plausible.backers(a._place, i) for i in indices] == [
            b._plausible.backers(b._place, i) for i in indices
        ]


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(WORLDS, combinations)
def test_soft_rules_change_no_verdict(world: World, how: Combination) -> None:
    before, after = by_name(verdicts(hard(world))), by_name(verdicts(world, how))
    assert before.keys() == after.keys()
    for name, verdict in before.items():
        assert after[name].decision == verdict.decision
        assert after[name].basis == verdict.basis
        assert after[name].kept == verdict.kept
    best = [
        sorted(found, key=lambda name: (found[name].question, found[name].rank))
        for found in (before, after)
    ]
    order = [
        [(name[0], found[name].verdict, found[name].support) for name in names]
        for found, names in zip((before, after), best, strict=True)
    ]
    assert order[0] == order[1]  # verdict and support come before plausibility


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(WORLDS, combinations, shares)
def test_what_is_inferred_is_kleene_over_plausible_atoms(
    world: World, how: Combination, share: str
) -> None:
    evidence = by_name(verdicts(world, how))
    for name, verdict in by_name(verdicts(world, how, share)).items():
        plain = evidence[name]
        plausible, place = verdict._plausible, verdict._place
        assert plausible is not None

        def leaf(index: int, plain: Verdict = plain) -> str:
            found = plain.decision.statuses[index]
            if found == "conflict":
                return "unk"
            pro, con = plain._plausible.sides(plain._place, index)  # type: ignore[union-attr]
            if found == "unk" and pro >= Fraction(share):
                return "sat"
            return "viol" if found == "unk" and con >= Fraction(share) else found

        expected = kleene(verdict, leaf)
        got = ["unk" if x == "conflict" else x for x in verdict.decision.statuses]
        assert got == expected
        required = [expected[c.index] for c in verdict._request.template.items if c.required]
        assert verdict.verdict == (
            "viol" if "viol" in required else "sat" if set(required) == {"sat"} else "unk"
        )
        for index, (before, after) in enumerate(
            zip(plain.decision.statuses, verdict.decision.statuses, strict=True)
        ):
            if before != "unk":  # never against evidence, nor where it contradicts itself
                assert after == before
                assert index not in verdict.decision.inferred
            else:
                assert (index in verdict.decision.inferred) == (after != "unk")
        rests = any(
            c.index in verdict.decision.inferred
            for c in verdict._request.template.items
            if c.required
        )
        assert (verdict.basis == "inferred") == (verdict.verdict == "sat" and rests)
        assert STATUSES[plausible.decisions.statuses[place, 0]] == plain.decision.statuses[0]


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(WORLDS, combinations, st.lists(shares, min_size=2, max_size=2, unique=True))
def test_a_higher_threshold_infers_no_more(world: World, how: Combination, pair: list[str]) -> None:
    low, high = sorted(pair, key=Fraction)
    more, less = by_name(verdicts(world, how, low)), by_name(verdicts(world, how, high))
    for name, verdict in less.items():
        assert verdict.decision.inferred <= more[name].decision.inferred
        for above, below in zip(
            verdict.decision.statuses, more[name].decision.statuses, strict=True
        ):
            assert above in ("unk", below)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(WORLDS, shares)
def test_one_candidate_at_a_time_gives_the_same(world: World, share: str) -> None:
    together = by_name(verdicts(world, "noisy-or", share))
    for question in world.asked:
        for candidate in question.candidates:
            alone = replace(world, asked=(_only(question, candidate),))
            for verdict in verdicts(alone, "noisy-or", share):
                other = together.get((verdict.question, verdict.candidate))
                if other is None:
                    continue  # another name of an entity that was asked about already
                assert other.decision == verdict.decision
                assert other.plausibilities == verdict.plausibilities


def _only(question: Question, candidate: Candidate) -> Question:
    return structs.replace(question, candidates=(candidate,))


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(WORLDS, combinations, st.none() | shares)
def test_what_soft_rules_say_replays(world: World, how: Combination, from_: str | None) -> None:
    for verdict in verdicts(world, how, from_):
        if not verdict.plausibilities:
            continue
        told = read_explanation(json.dumps(verdict.explain().to_dict()))
        problems = check_explanation(told, world.graph, world.book)
        assert [p for p in problems if p.is_error] == []
        for forged in forgeries(told):
            assert any(p.is_error for p in check_explanation(forged, world.graph, world.book))


def forgeries(told: Explanation) -> Iterator[Explanation]:
    """The explanation with one thing in it that is not so."""
    for place, explained in enumerate(told.constraints):
        plausible = explained.plausible
        if plausible is None or not plausible.backings:
            continue
        first, *rest = plausible.backings
        changed = [
            structs.replace(plausible, pro=plausible.pro / 2, con=plausible.con / 2),
            structs.replace(plausible, backings=()),
            structs.replace(plausible, backings=(structs.replace(first, weight="0.77"), *rest)),
            structs.replace(plausible, backings=(structs.replace(first, proofs=()), *rest)),
            structs.replace(
                plausible,
                claim=structs.replace(plausible.claim, negated=not plausible.claim.negated),
            ),
        ]
        for other in changed:
            parts = list(told.constraints)
            parts[place] = structs.replace(explained, plausible=other)
            yield structs.replace(told, constraints=tuple(parts))


SEEN: tuple[Callable[[Verdict], bool], ...] = (
    lambda v: bool(v.plausibilities),
    lambda v: any(con for _, con in v.plausibilities.values()),
    lambda v: len(_backers(v)) > 1,
    lambda v: any(c.kind == "group" and c.id in v.plausibilities for c in _items(v)),
    lambda v: v.basis == "inferred",
    lambda v: v.verdict == "viol" and bool(v.decision.inferred),
    lambda v: "conflict" in v.decision.statuses and bool(v.plausibilities),
)


def test_the_worlds_show_what_matters() -> None:
    left = set(range(len(SEEN)))

    def shows(world: World) -> bool:
        found = verdicts(world, "noisy-or", "0.3")
        left.difference_update({n for n in left if any(map(SEEN[n], found))})
        return not left

    once = settings(
        max_examples=1000,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    find(WORLDS, shows, settings=once)


def _items(verdict: Verdict) -> tuple[CompiledConstraint, ...]:
    return verdict._request.template.items


def _backers(verdict: Verdict) -> tuple[int, ...]:
    plausible = verdict._plausible
    if plausible is None:
        return ()
    found = (
        plausible.backers(verdict._place, c.index) for c in verdict._request.template.constraints
    )
    return max(found, key=len)
