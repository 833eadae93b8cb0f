"""Paths confirmed by passages, and paths brought back from the memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.evidence.synergy.beam_search import Visit
from kgverify.evidence.synergy.bridging import bridges, orphans
from kgverify.evidence.synergy.confirming import base_score, confirm, weights

entities = st.integers(0, 5)
paths = st.lists(st.lists(entities, min_size=1, max_size=4, unique=True).map(tuple), max_size=8)


def test_scores_by_hand() -> None:
    weight = weights(np.array([0, 1, 3, 7]))
    assert weight.tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    base = base_score([0.2, 0.4, 0.6, 0.8], weight.tolist(), 0.3)
    assert base((0, 1)) == pytest.approx(0.3 + 0.3 / 6)
    (first, second) = confirm([(0, 1), (2, 3)], {0, 1, 9}, base, 0.4)
    assert (first.path, first.confirmed, second.confirmed) == ((0, 1), (0, 1), ())
    assert first.score == pytest.approx(0.35 + 2 * 0.4)
    assert second.score == second.base == pytest.approx(0.7 + 0.3 * 5 / 6)


@pytest.mark.parametrize("degrees", [[], [0, 0]])
def test_where_nothing_is_connected_nothing_weighs(degrees: list[int]) -> None:
    assert weights(np.array(degrees, np.int64)).tolist() == [0.0] * len(degrees)


@given(paths, st.sets(entities), st.lists(st.floats(-1, 1), min_size=6, max_size=6))
def test_without_a_reward_the_base_decides(
    found: list[tuple[int, ...]], mentioned: set[int], likeness: list[float]
) -> None:
    base = base_score(likeness, [0.5] * 6)
    confirmed = confirm(found, mentioned, base, 0.0)
    plain = confirm(found, (), base, 0.4)
    assert [s.path for s in confirmed] == [s.path for s in plain]
    assert [s.path for s in plain] == sorted(set(found), key=lambda p: (-base(p), len(p), p))


@given(paths, st.sets(entities), st.floats(0, 2))
def test_a_reward_is_paid_for_each_mentioned_entity(
    found: list[tuple[int, ...]], mentioned: set[int], epsilon: float
) -> None:
    for scored in confirm(found, mentioned, lambda _: 0.0, epsilon):
        assert scored.score == epsilon * len(mentioned & set(scored.path))


MEMORY = {0: Visit((0,), 1.0), 1: Visit((0, 1), 0.3), 2: Visit((0, 1, 2), 0.2)}


def test_bridges_by_hand() -> None:
    kept = [(0, 3)]
    assert orphans({1, 2, 3, 9}, kept) == [1, 2, 9]
    assert bridges({1, 2, 3, 9}, kept, MEMORY) == [(0, 1), (0, 1, 2)]  # 9 was never seen
    assert bridges({3}, kept, MEMORY) == []


@given(paths, st.sets(entities))
def test_each_bridge_ends_at_an_orphan_that_was_seen(
    kept: list[tuple[int, ...]], mentioned: set[int]
) -> None:
    found = bridges(mentioned, kept, MEMORY)
    ends = [path[-1] for path in found]
    inside = {entity for path in kept for entity in path}
    assert ends == sorted((mentioned & set(MEMORY)) - inside)
    assert not set(found) & set(kept)
