"""The joint choice against a try of all choices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kgverify.completion import choosing
from kgverify.completion.choosing import Clash, choose
from kgverify.completion.policy import MOST
from kgverify.errors import EngineError, LimitReached
from kgverify.reasoning.solver import Optimum


def best(scores: Sequence[int], clashes: set[Clash]) -> frozenset[int]:
    """The best choice, by trying all."""
    edges = range(len(scores))
    free = [
        frozenset(chosen)
        for size in range(len(scores) + 1)
        for chosen in combinations(edges, size)
        if not any(clash <= frozenset(chosen) for clash in clashes)
    ]
    return max(
        free,
        key=lambda chosen: (
            sum(scores[edge] for edge in chosen),
            len(chosen),
            [edge in chosen for edge in edges],
        ),
    )


@st.composite
def contests(draw: st.DrawFn) -> tuple[list[int], set[Clash]]:
    """Scores, of which many are equal, and conflicts of one to three edges."""
    scores = draw(st.lists(st.sampled_from((1, 2, 3, 4, 6)), min_size=1, max_size=9))
    edges = st.integers(0, len(scores) - 1)
    sets = st.frozensets(edges, min_size=1, max_size=3)
    pairs = st.frozensets(edges, min_size=min(2, len(scores)), max_size=2)
    return scores, draw(st.sets(st.one_of(pairs, pairs, sets), max_size=12))


@settings(max_examples=300, deadline=None)
@given(contests())
def test_the_choice_is_the_best_of_all(contest: tuple[list[int], set[Clash]]) -> None:
    scores, clashes = contest
    found = choose(scores, clashes, seconds=60)
    assert found.proven
    assert not any(clash <= found.chosen for clash in clashes)
    assert found.chosen == best(scores, clashes)


@settings(max_examples=100, deadline=None)
@given(contests(), st.integers(5, 40))
def test_the_choice_is_the_same_in_batches(
    contest: tuple[list[int], set[Clash]], most: int
) -> None:
    scores, clashes = contest
    whole = choose(scores, clashes, seconds=60)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choosing, "MOST", max(most, sum(scores)))
        assert choose(scores, clashes, seconds=60) == whole


def test_independent_conflicts_are_batched_where_their_sum_is_too_large() -> None:
    scores = [MOST - 1, MOST, MOST // 2, MOST // 3, 7, MOST // 2, MOST // 3]
    clashes = [frozenset({2, 3}), frozenset({5, 6}), frozenset({4, 1})]
    with pytest.raises(LimitReached) as caught:
        choose(scores, clashes, seconds=60)
    assert caught.value.problems[0].code == "admission-size"
    assert choose(scores, clashes[:2], seconds=60).chosen == {0, 1, 2, 4, 5}
    # A common divisor counts for nothing, but the sum does.
    assert choose([MOST // 2, MOST // 2], [frozenset({0, 1})], seconds=60).chosen == {0}


def test_what_is_asked_for_makes_sense() -> None:
    assert choose([], [], seconds=1).chosen == frozenset()
    assert choose([3, 4], [], seconds=0).chosen == {0, 1}
    for scores, clashes in (
        ([0, 1], []),
        ([MOST + 1], []),
        ([1], [frozenset({1})]),
        ([1], [frozenset({-1})]),
        ([1], [frozenset[int]()]),
    ):
        with pytest.raises(ValueError):
            choose(scores, clashes, seconds=1)


@pytest.mark.parametrize(
    "wrong",
    [
        Optimum(frozenset({"admit(0)", "admit(1)"}), (-3, -2), True),
        Optimum(frozenset({"admit(1)"}), (-1, -1), True),
        Optimum(frozenset({"admit(1)"}), (-2, -2), True),
        None,
    ],
)
def test_a_wrong_answer_of_the_solver_is_an_error(
    wrong: Optimum | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "optimum", lambda parts, seconds: wrong)
    with pytest.raises(EngineError):
        choose([1, 2], [frozenset({0, 1})], seconds=1)


def test_what_is_not_proved_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    some = Optimum(frozenset({"admit(0)"}), (-1, -1), False)
    monkeypatch.setattr(choosing, "optimum", lambda parts, seconds: some)
    found = choose([1, 2], [frozenset({0, 1})], seconds=1)
    assert (found.chosen, found.proven) == ({0}, False)


@st.composite
def groups(draw: st.DrawFn) -> tuple[list[int], set[Clash]]:
    """Pairs in conflict that share no edge: each is a group of its own."""
    scores = draw(st.lists(st.integers(1, 9), min_size=2, max_size=14).filter(_even))
    return scores, {frozenset({n, n + 1}) for n in range(0, len(scores), 2)}


def _even(values: list[int]) -> bool:
    return len(values) % 2 == 0


@settings(max_examples=300, deadline=None)
@given(groups(), st.integers(18, 60))
@example(([9] * 8, {frozenset({n, n + 1}) for n in (0, 2, 4, 6)}), 36)
def test_batches_are_as_large_as_the_solver_can_hold(
    contest: tuple[list[int], set[Clash]], most: int
) -> None:
    scores, clashes = contest
    totals: list[int] = []
    firsts: list[int] = []

    def solved(scores: Sequence[int], clashes: Sequence[Clash], seconds: float) -> choosing.Choice:
        sums = [sum(scores[edge] for edge in clash) for clash in clashes]
        totals.append(sum(sums))
        firsts.append(sums[0])
        return choosing.Choice(best(scores, set(clashes)) & frozenset[int]().union(*clashes), True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choosing, "MOST", most)
        patch.setattr(choosing, "_best", solved)
        choose(scores, clashes, seconds=60)
    assert all(total <= most for total in totals)
    # A batch ends only where the next group is too much for it.
    assert all(a + b > most for a, b in zip(totals, firsts[1:], strict=False))


def test_no_more_time_is_taken_than_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    given_: list[float] = []

    def solved(parts: object, seconds: float) -> Optimum:
        given_.append(seconds)
        return Optimum(frozenset({"admit(1)"}), (-2, -1), True)

    monkeypatch.setattr(choosing, "optimum", solved)
    choose([1, 2], [frozenset({0, 1})], seconds=5)
    assert all(0 < seconds <= 5 for seconds in given_)
