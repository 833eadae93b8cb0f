"""How several soft rules are combined, by the solver and beside it: always the exact number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.reasoning import combining
from kgverify.reasoning.combining import COMBINATIONS, Combination, _noisy_or, combine

combinations = st.sampled_from(COMBINATIONS)
weights = st.builds(Fraction, st.integers(1, 10**9), st.just(10**9))


def plainly(numbers: Sequence[int], found: Sequence[Fraction], how: Combination) -> Fraction:
    if how == "max":
        return max((found[n] for n in numbers), default=Fraction(0))
    doubt = Fraction(1)
    for number in numbers:
        doubt *= 1 - found[number]
    return 1 - doubt


@settings(max_examples=300, deadline=None)
@given(st.lists(weights, min_size=1, max_size=30), st.data(), combinations)
def test_combining_is_exact(found: list[Fraction], data: st.DataObject, how: Combination) -> None:
    numbers = st.lists(st.integers(0, len(found) - 1), unique=True)
    sets = data.draw(st.lists(numbers.map(sorted).map(tuple), min_size=1, max_size=4))
    assert combine(sets, found, how) == [plainly(one, found, how) for one in sets]


@pytest.mark.parametrize("how", COMBINATIONS)
def test_nothing_is_combined_of_nothing(how: Combination) -> None:
    assert combine([], [], how) == []
    assert combine([(), (0,), ()], [Fraction(3, 10)], how) == [0, Fraction(3, 10), 0]


def test_many_rules_are_combined_exactly() -> None:
    found = [Fraction(n, 1000) for n in range(1, 101)]
    (value,) = combine([tuple(range(100))], found, "noisy-or")
    assert value == plainly(range(100), found, "noisy-or")


MANY = [tuple(range(n, n + 64)) for n in range(30)]
SINGLE = [(n,) for n in range(100)]


@pytest.mark.parametrize(
    ("sets", "multiplied"),
    [
        (MANY, MANY[:1]),
        ([*MANY, *SINGLE], SINGLE),  # the short ones first
        ([tuple(range(n, n + 20)) for n in range(10)], None),
        ([tuple(range(65))], []),
    ],
)
def test_the_solver_multiplies_no_more_than_its_share(
    sets: list[tuple[int, ...]],
    multiplied: list[tuple[int, ...]] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [Fraction(n, 1000) for n in range(1, 101)]
    shares: list[list[tuple[int, ...]]] = []

    def noisy_or(sets: list[tuple[int, ...]], weights: list[Fraction]) -> list[Fraction]:
        shares.append(sets)
        return _noisy_or(sets, weights)

    monkeypatch.setattr(combining, "_noisy_or", noisy_or)
    values = combine(sets, found, "noisy-or")
    assert shares == [sets if multiplied is None else multiplied]
    assert values == [plainly(numbers, found, "noisy-or") for numbers in sets]
