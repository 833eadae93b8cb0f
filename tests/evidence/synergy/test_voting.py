"""Votes for passages, and the ranking by likeness and votes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.evidence.synergy.voting import best_votes, norm, rank, votes

numbers = st.integers(0, 9)
likenesses = st.dictionaries(numbers, st.floats(-1, 1), max_size=10)


def test_each_visited_entity_votes_once_for_each_of_its_passages() -> None:
    mentioned_in = {0: [7, 8], 1: [8], 2: []}
    assert votes([0, 1, 2, 0], mentioned_in.__getitem__) == {7: 1, 8: 2}


def test_the_best_visited_entity_speaks_for_a_passage() -> None:
    mentioned_in = {0: [7, 8], 1: [8], 2: [9]}
    found = best_votes([0, 1, 2, 0], mentioned_in.__getitem__, [0.2, 0.5, -0.3])
    assert found == {7: 0.2, 8: 0.5, 9: 0.0}


def test_ranking_by_hand() -> None:
    # Norm(sim): 0.8 -> 1, 0.4 -> 0.5, 0.0 -> 0.  Norm(Rec): 0 -> 0, 1 -> 0.25, 4 -> 1.
    found = rank([1, 2], {2: 1, 3: 4}, {1: 0.8, 2: 0.4, 3: 0.0}, 0.25)
    assert [(r.passage, r.score) for r in found] == [
        (3, pytest.approx(0.75)),
        (2, pytest.approx(0.125 + 0.1875)),
        (1, pytest.approx(0.25)),
    ]
    assert [(r.likeness, r.votes) for r in found] == [(0.0, 4), (0.4, 1), (0.8, 0)]


@given(likenesses, st.dictionaries(numbers, st.integers(1, 5)))
def test_alpha_one_is_the_order_of_the_texts(
    likeness: dict[int, float], given_: dict[int, int]
) -> None:
    order = sorted(likeness, key=lambda passage: (-likeness[passage], passage))
    assert [r.passage for r in rank(likeness, {}, likeness, 1.0)] == order
    top = order[:4]
    found = [r.passage for r in rank(top, given_, likeness, 1.0)]
    known = [passage for passage in found if passage in likeness]
    assert known == [passage for passage in order if passage in {*top, *given_}]


@given(likenesses, st.dictionaries(numbers, st.integers(1, 5)))
def test_alpha_zero_is_the_order_of_the_votes(
    likeness: dict[int, float], given_: dict[int, int]
) -> None:
    counts = [r.votes for r in rank(likeness, given_, likeness, 0.0)]
    assert counts == sorted(counts, reverse=True)


@given(likenesses, st.dictionaries(numbers, st.integers(1, 5)), st.floats(0, 1))
def test_candidates_are_those_found_and_those_voted_for(
    likeness: dict[int, float], given_: dict[int, int], alpha: float
) -> None:
    found = rank(likeness, given_, likeness, alpha)
    assert sorted(r.passage for r in found) == sorted({*likeness, *given_})
    assert all(0 <= r.score <= 1 for r in found)


def test_a_passage_that_was_not_compared_is_the_least_like() -> None:
    (first, last) = rank([1], {2: 1}, {1: 0.8, 5: 0.1}, 1.0)
    assert (first.passage, last.passage, last.likeness) == (1, 2, 0.1)


def test_equal_values_tell_nothing_apart() -> None:
    assert norm([3.0, 3.0]) == [0.0, 0.0]
    assert norm([]) == []
    assert norm([2.0, 4.0, 3.0]) == [0.0, 1.0, 0.5]


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan")])
def test_alpha_is_a_share(alpha: float) -> None:
    with pytest.raises(ValueError, match="share"):
        rank([], {}, {}, alpha)
