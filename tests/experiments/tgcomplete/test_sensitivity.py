"""Deciding anew: the ten configurations, the ablations, and the front, against plain references."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.admission import Conflicts, decide
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge, Source, merged
from kgverify.completion.curves import edge_scores
from kgverify.completion.policy import CAREFUL, PAPER, configured
from kgverify.evidence.judging import Failure, Judgement
from kgverify.experiments.tgcomplete import sensitivity as s
from kgverify.experiments.tgcomplete.faithfulness import Cited
from kgverify.experiments.tgcomplete.rates import Rate
from kgverify.experiments.tgcomplete.records import Answered, PathQuestion
from tests.completion.proposed import candidate, candidates, edge
from tests.experiments.tgcomplete.small_corpus import ANSWERS


def material(found: list[CandidateEdge], **more: object) -> s.Material:
    edges = {one.edge for one in found}
    values = {"deleted": (), "graph": (), "support": dict.fromkeys(edges, True), **more}
    return s.Material(found, **values)  # type: ignore[arg-type]


def admitted(variant: s.Variant, of: s.Material) -> list[Edge]:
    return [one.edge for one in s.decided(variant, of).admitted]


def named(variants: Collection[s.Variant], name: str) -> s.Variant:
    (found,) = (one for one in variants if one.name == name)
    return found


# ------------------------------------------------------------------ configurations


@pytest.mark.parametrize("base", ["paper", "careful"])
def test_there_are_ten_configurations_around_the_default(base: str) -> None:
    found = s.configurations(base)
    assert len(found) == len({one.name for one in found}) == 10
    default = named(found, "default")
    assert default.policy == configured(base)
    numbers = ("tau", "tau_unc", "w_multi", "w_llm")
    assert len({tuple(getattr(one.policy, n) for n in numbers) for one in found}) == 10
    for one in found:
        # Nothing else differs, and the name says what does.
        same = {name: getattr(default.policy, name) for name in numbers}
        assert replace(one.policy, **same) == default.policy
        assert (one.judge, one.conflicts, one.later_rounds) == (True, True, True)
    assert sum(one.policy.tau >= Fraction(3, 5) for one in found) >= 3
    assert any(one.policy.tau < Fraction(1, 2) for one in found)


@pytest.mark.parametrize("one", s.configurations(), ids=lambda one: one.name)
def test_a_name_says_what_differs(one: s.Variant) -> None:
    policy = one.policy
    words = []
    if policy.tau != PAPER.tau:
        words.append(f"τ {float(policy.tau):g}")
    if policy.tau_unc != PAPER.tau_unc:
        words.append(f"τ_unc {float(policy.tau_unc):g}")
    if policy.w_multi != PAPER.w_multi:
        words.append(f"w {float(policy.w_multi):g}/{float(policy.w_llm):g}")
    assert one.name == (", ".join(words) or "default")


def test_no_two_configurations_admit_the_same() -> None:
    """From how many sources on each verdict is enough, as decision 182 has it."""
    table = {}
    for one in s.configurations():
        table[one.name] = tuple(
            next((n for n in range(4) if one.policy.final(label, n) >= one.policy.tau), None)
            for label in ("ENTAILED", "UNCERTAIN", "NOT_ENTAILED")
        )
    assert table == {
        "default": (0, 1, None),
        "τ 0.3": (0, 0, 3),
        "τ 0.6": (0, 2, None),
        "τ 0.7": (1, 3, None),
        "τ 0.8": (2, None, None),
        "τ_unc 0.3": (0, 3, None),
        "τ_unc 0.8": (0, 0, None),
        "w 0.5/0.5": (0, 2, 3),
        "w 0.65/0.35": (1, 2, 3),
        "τ 0.6, w 0.5/0.5": (1, 2, None),
    }
    assert len(set(table.values())) == 10


@settings(max_examples=200)
@given(candidates())
def test_a_configuration_admits_what_its_arithmetic_says(found: list[CandidateEdge]) -> None:
    for variant in s.configurations():
        policy, expected = variant.policy, []
        for one in merged(found):
            labels = [x.answer.label for x in one.sources if not isinstance(x.answer, Failure)]
            naming = {x.article or x.passage for x in one.sources if x.names_both}
            if labels:
                worth = {
                    "ENTAILED": Fraction(1),
                    "UNCERTAIN": policy.tau_unc,
                    "NOT_ENTAILED": Fraction(0),
                }
                best = max(("NOT_ENTAILED", "UNCERTAIN", "ENTAILED").index(x) for x in labels)
                label = ("NOT_ENTAILED", "UNCERTAIN", "ENTAILED")[best]
                share = min(Fraction(1), Fraction(len(naming), policy.n0))
                if policy.w_multi * share + policy.w_llm * worth[label] >= policy.tau:
                    expected.append(one.edge)
        assert admitted(variant, material(found)) == expected


@settings(max_examples=100)
@given(candidates(), st.data())
def test_variants_are_measured_by_what_they_admit(
    found: list[CandidateEdge], data: st.DataObject
) -> None:
    edges = sorted({one.edge for one in found})
    some = st.sets(st.sampled_from(edges)) if edges else st.just(set())
    deleted, graph = data.draw(some), data.draw(some)
    support = {e: data.draw(st.sampled_from((True, False, None))) for e in edges}
    clash = frozenset(frozenset(pair) for pair in pairwise(edges))
    right = frozenset(data.draw(st.sets(st.sampled_from("xyz"), min_size=1)))
    questions = [PathQuestion("q", "?", "x", ("r",), right)]

    def answer(chosen: Collection[Edge]) -> list[Answered]:
        return [Answered("q", tuple(e.object for e in sorted(chosen)))]

    of = material(
        found,
        deleted=deleted,
        graph=graph,
        support=support,
        conflicts=Conflicts(together=clash),
        questions=questions,
        answer=answer,
        symmetric=("r",),
        read={
            one.edge: Cited(
                one.edge,
                tuple((x.passage, data.draw(st.sampled_from(ANSWERS))) for x in one.sources),
            )
            for one in merged(found)
        },
    )
    variants = [*s.configurations(), *s.ablations()]
    varied = s.vary(variants, of)
    assert [one.variant for one in varied] == [v for v in variants if v.later_rounds]
    for one in varied:
        decision = s.decided(one.variant, of)
        assert list(one.admitted) == [x.edge for x in decision.admitted]
        assert one.proven is decision.proven
        stated = [support[e] for e in one.admitted]
        assert one.faithful == Rate(
            stated.count(True), len(stated) - stated.count(None), stated.count(None)
        )
        said = []
        for own in decision.admitted:
            assert of.read is not None
            answers = [a for id_, a in of.read[own.edge].answers if id_ in own.weighed.passages]
            if any(isinstance(a, Judgement) and a.label == "ENTAILED" for a in answers):
                said.append(True)
            else:
                said.append(None if any(isinstance(a, Failure) for a in answers) else False)
        assert one.strict == Rate.of(said)
        assert one.quality == one.strict.value
        rejected = set(edges) - set(one.admitted)
        assert one.scores == edge_scores(
            one.admitted, rejected, deleted, graph, "declared", ("r",)
        )
        first = sorted(one.admitted)[:1]
        assert one.em == int(bool(first) and first[0].object in right)
    (bare, *_) = s.vary(variants, replace(of, answer=None, read=None))
    assert (bare.em, bare.strict, bare.quality) == (None, None, bare.faithful.value)


# ------------------------------------------------------------------ ablations


def test_the_ablations_of_each_policy() -> None:
    factors = [
        "whole",
        "without entailment",
        "without sources",
        "without conflicts",
        "without backtracking",
    ]
    assert [one.name for one in s.ablations(PAPER)] == factors
    careful = s.ablations(CAREFUL)
    assert [one.name for one in careful] == [
        *factors,
        "without needs_source",
        "without needs_all_judged",
        "without needs_agreement",
        "without margin",
        "any verdict",
        "without count",
        "without cite",
    ]
    for one in careful[5:]:
        option = "weakest" if one.name == "any verdict" else one.name.removeprefix("without ")
        assert one.policy == configured("careful", {option: getattr(PAPER, option)})
    assert all(one.policy.tau == CAREFUL.tau for one in careful)
    (whole, *_) = careful
    assert (whole.policy, whole.judge, whole.conflicts, whole.later_rounds) == (
        CAREFUL,
        True,
        True,
        True,
    )


@settings(max_examples=200)
@given(candidates(), st.sampled_from((PAPER, CAREFUL)))
def test_without_entailment_only_sources_count(found: list[CandidateEdge], policy) -> None:
    variant = named(s.ablations(policy), "without entailment")
    # What the judge said makes no difference, and nor does a failure.
    expected = []
    for one in merged(found):
        naming = [x for x in one.sources if x.names_both]
        by_article = {x.article or x.passage for x in naming}
        sources = len(by_article if policy is PAPER else {x.origin for x in naming})
        if Fraction(min(sources, policy.n0), policy.n0) >= policy.tau:
            expected.append(one.edge)
    assert admitted(variant, material(found)) == expected


@settings(max_examples=200)
@given(candidates())
def test_without_sources_only_the_verdict_counts(found: list[CandidateEdge]) -> None:
    variant = named(s.ablations(PAPER), "without sources")
    expected = [
        one.edge
        for one in merged(found)
        if any(
            isinstance(x.answer, Judgement) and x.answer.label in ("ENTAILED", "UNCERTAIN")
            for x in one.sources
        )
    ]
    assert admitted(variant, material(found)) == expected


@settings(max_examples=200)
@given(candidates(), st.sampled_from((PAPER, CAREFUL)), st.data())
def test_without_backtracking_is_what_the_first_round_had(
    found: list[CandidateEdge], policy, data: st.DataObject
) -> None:
    places = sorted({one.breakpoint for one in found})
    ids = st.sets(st.sampled_from([f"p{n}" for n in range(5)]))
    first: dict[Breakpoint, set[str]] = {place: data.draw(ids) for place in places[1:]}
    variant = named(s.ablations(policy), "without backtracking")
    early: list[CandidateEdge] = []
    for one in merged(found):
        kept: list[Source] = []
        for source in one.sources:
            if source.passage in first.get(one.breakpoint, ()):
                kept.append(source)
        if kept:
            early.append(CandidateEdge(one.edge, tuple(kept)))
    of = material(found, first=first)
    assert s.decided(variant, of) == decide(early, policy)
    assert len(s.vary(s.ablations(policy), of)) == len(s.ablations(policy))
    with pytest.raises(ValueError):
        s.decided(variant, material(found))


def test_without_conflicts_both_of_two_are_admitted() -> None:
    two = [candidate("s r x", "p1:E p2:E"), candidate("s r y", "p3:E"), candidate("s r z", "p4:E")]
    both = frozenset({edge("s r x"), edge("s r y")})

    def check(chosen: Collection[Edge]) -> frozenset[Edge] | None:
        return both if both <= set(chosen) else None

    for told in (
        {"conflicts": Conflicts(together=frozenset({both}))},
        {"check": check},
        {"conflicts": Conflicts(refuted={edge("s r y"): ("s r w",)})},
        {"conflicts": Conflicts(unknown={edge("s r y"): ("y",)})},
    ):
        of = material(two, **told)
        whole, without = (
            named(s.ablations(), name) for name in ("whole", "without conflicts")
        )
        assert admitted(whole, of) == [edge("s r x"), edge("s r z")]
        assert admitted(without, of) == [edge("s r x"), edge("s r y"), edge("s r z")]


# ------------------------------------------------------------------ the front

VALUES = st.one_of(st.none(), st.integers(0, 4), st.fractions(0, 1, max_denominator=3))
POINTS = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=2), st.tuples(VALUES, VALUES))


def beats(one: s.Point, other: s.Point) -> bool:
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return len(pairs) == 2 and all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


@settings(max_examples=400)
@given(POINTS)
def test_the_front_is_what_nothing_dominates(points: dict[str, s.Point]) -> None:
    front = s.front(points)
    assert list(front) == [name for name in points if name in front]
    whole = {name for name, point in points.items() if None not in point}
    assert set(front) <= whole
    for name in whole:
        above = {other for other in points if beats(points[other], points[name])}
        assert set(s.dominating(name, points)) == above
        # What is not in the front is beaten by something in it.
        assert (name in front) is not above or above & set(front)
        assert (name in front) is (not above)
    # Equal points stand or fall together.
    for one in front:
        assert all(other in front for other in whole if points[other] == points[one])
    assert bool(front) is bool(whole)
    assert set(s.front(dict(reversed(points.items())))) == set(front)


def test_points_of_variants() -> None:
    of = material(
        [candidate("s r x", "p1:E"), candidate("t r y", "p2:U")],
        deleted=[edge("s r x")],
        support={edge("s r x"): True, edge("t r y"): False},
    )
    varied = s.vary(s.configurations(), of)
    points = s.quantity_and_quality(varied)
    assert points["default"] == (2, Fraction(1, 2))
    assert points["τ 0.6"] == (1, Fraction(1))
    assert {"default", "τ 0.6"} <= set(s.front(points))
    assert s.dominating("default", points) == ()
    assert s.accuracy_and_quality(varied)["default"] == (None, Fraction(1, 2))
    assert s.front(s.accuracy_and_quality(varied)) == ()
