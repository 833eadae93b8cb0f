"""What is removed: the right number, by seed, and more of it at a greater share."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from kgverify.experiments.masking import masked, removed

SHARES = (0.0, 0.1, 0.2, 0.4, 1.0)


@pytest.mark.parametrize("size", [0, 1, 2, 7, 10, 33])
def test_the_number_that_is_removed(size: int) -> None:
    facts = list(range(size))
    for share in SHARES:
        gone = removed(facts, share, "seed")
        assert gone <= set(facts)
        # The nearest whole number, a half upwards.
        assert min(range(size + 1), key=lambda n: (abs(n - share * size), -n)) == len(gone)


def test_a_greater_share_removes_more_of_the_same() -> None:
    for seed in range(20):
        found = [removed(range(50), share, str(seed)) for share in SHARES]
        assert all(less <= more for less, more in pairwise(found))


def test_seeds_decide() -> None:
    facts = list(range(100))
    assert removed(facts, 0.2, "1") == removed(facts, 0.2, "1")
    assert len({removed(facts, 0.2, str(seed)) for seed in range(10)}) == 10


def test_every_fact_is_removed_as_often() -> None:
    counts = dict.fromkeys(range(10), 0)
    for seed in range(2_000):
        for fact in removed(range(10), 0.3, str(seed)):
            counts[fact] += 1
    assert all(500 < count < 700 for count in counts.values())


def test_each_relation_loses_the_share_and_keeps_its_order() -> None:
    chance = random.Random(1)
    relations = {name: tuple(chance.sample(range(1000), 40)) for name in ("r", "s")}
    left = masked(relations, 0.25, 7)
    for name, facts in relations.items():
        gone = removed(facts, 0.25, f"7 {name}")
        assert left[name] == tuple(fact for fact in facts if fact not in gone)
        assert len(left[name]) == 30
    assert masked(relations, 0, 7) == relations
    assert set(masked(relations, 1, 7).values()) == {()}


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_what_is_no_share_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="no share"):
        removed([1], share, "")
