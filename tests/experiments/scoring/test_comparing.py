"""The paired tests against values worked out by hand and against all resamples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.experiments.scoring.comparing import (
    compare,
    differences,
    kappa,
    mcnemar,
    mcnemar_of,
    paired,
)
from kgverify.experiments.scoring.measuring import Outcome


def outcome(id_: str, hit: bool, hard: bool | None = None) -> Outcome:
    return Outcome(id_, "", 1, int(hit), 1, int(hit), hard, hit)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        (0, 0, 1),
        (5, 0, 1 / 16),
        (1, 1, 1),
        (2, 8, 7 / 64),
        (8, 2, 7 / 64),
        (0, 1, 1),
    ],
)
def test_mcnemar_exactly(first: int, second: int, p: float) -> None:
    assert mcnemar_of(3, first, second, 4).p_exact == pytest.approx(p)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_is_the_binomial_tail_twice(first: int, second: int) -> None:
    n = first + second
    tail = Fraction(sum(comb(n, k) for k in range(min(first, second) + 1)), 2**n)
    assert mcnemar_of(0, first, second, 0).p_exact == pytest.approx(float(min(1, 2 * tail)))


def test_mcnemar_by_chi_squared() -> None:
    found = mcnemar_of(0, 2, 8, 0)
    assert (found.chi2, found.chi2_corrected) == (3.6, 2.5)
    assert found.p_chi2 == pytest.approx(0.0578, abs=1e-4)
    assert found.p_chi2_corrected == pytest.approx(0.1138, abs=1e-4)
    assert found.is_few
    assert not mcnemar_of(0, 20, 5, 0).is_few
    assert mcnemar_of(9, 0, 0, 9).chi2 is None
    assert mcnemar_of(0, 3, 3, 0).chi2_corrected == 0


def test_mcnemar_counts_the_four_kinds() -> None:
    found = mcnemar([True, True, False, False, True], [True, False, True, False, False])
    assert (found.both, found.first, found.second, found.neither) == (1, 2, 1, 1)


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        ("EEEE", "EEEE", None),
        ("EEEE", "EENN", 0),
        ("EENN", "EENN", 1),
        ("EN", "NE", -1),
        ("EEEE", "NNNN", 0),
        ("EEUNNNUE", "EUUNNEUE", 27 / 43),
        ("", "", None),
    ],
)
def test_kappa(one: str, other: str, value: float | None) -> None:
    found = kappa(one, other)
    assert found.number == len(one)
    assert found.agreed == sum(a == b for a, b in zip(one, other, strict=True))
    assert found.kappa == (None if value is None else pytest.approx(value))


def test_pairs_are_by_id_and_nothing_is_dropped() -> None:
    assert paired({"b": 1, "a": 2}, {"a": 3, "b": 4}) == ([2, 1], [3, 4])
    with pytest.raises(ValueError, match="q3, q5"):
        paired({"q1": 1, "q3": 2}, {"q1": 1, "q5": 2})


def test_the_bootstrap_finds_the_quantiles_of_all_resamples() -> None:
    ours = [outcome("q1", True), outcome("q2", False), outcome("q3", False)]
    theirs = [outcome("q1", False), outcome("q2", False), outcome("q3", True)]
    means = sorted(Fraction(sum(drawn), 3) for drawn in product((1, 0, -1), repeat=3))
    assert means[:5] == [-1, *[Fraction(-2, 3)] * 3, Fraction(-1, 3)]
    for seed in range(5):
        found = differences(ours, theirs, seed)["hits_any"]
        assert (found.value, found.low, found.high) == (0, -1, 1)
        assert found.undefined == 0


def test_equal_systems_do_not_differ_and_one_question_says_nothing_else() -> None:
    same = [outcome("q1", True, True), outcome("q2", False, False)]
    found = differences(same, same, 1, 500)
    assert {(d.value, d.low, d.high) for d in found.values()} == {(0, 0, 0)}
    assert found["hhr"].undefined > 0  # resamples of the second question alone have no hit
    one = differences([outcome("q", True)], [outcome("q", False)], 0, 100)
    assert (one["hits_any"].low, one["hits_any"].high) == (1, 1)
    assert (one["hits_hard"].value, one["hits_hard"].low) == (None, None)


def test_seeds_and_the_order_of_questions() -> None:
    ours = [outcome(f"q{n}", n % 3 > 0, n % 4 > 0) for n in range(30)]
    theirs = [outcome(f"q{n}", n % 5 > 0, n % 2 > 0) for n in range(30)]
    first = compare(ours, theirs, 7, 2_000)
    assert compare(ours[::-1], theirs, 7, 2_000) == first
    assert compare(ours, theirs, 8, 2_000).differences != first.differences
    back = compare(theirs, ours, 7, 2_000)
    for name, found in first.differences.items():
        assert back.differences[name].value == -found.value
        assert back.differences[name].low == pytest.approx(-found.high, abs=0.05)


def test_nothing_in_common_with_nothing() -> None:
    found = compare([], [], 0, 10)
    assert found.hits.p_exact == 1
    assert found.hard is None
    assert found.differences["f1"].value is None
