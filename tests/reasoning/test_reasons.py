"""Why a constraint is open, from what the known values are like."""

from __future__ import annotations

from kgverify.reasoning.reasons import open_comparison, open_count, open_equality

YEAR, DAY, OTHER, ILL = "ldate 1990", "ldate 1990-05-01", "ldate 1991", "lill date x"


def test_an_equality_is_open_for_what_may_be_the_value() -> None:
    assert open_equality([OTHER, DAY], YEAR) == "imprecise"
    assert open_equality([OTHER], YEAR) == "missing"
    assert open_equality([], YEAR) == "missing"
    assert open_equality([DAY, ILL], YEAR) == "ill-typed"


def test_a_comparison_is_open_for_values_that_are_not_clear() -> None:
    assert open_comparison([YEAR], DAY) == "imprecise"
    assert open_comparison([YEAR, ILL], DAY) == "ill-typed"
    assert open_comparison([YEAR, "lnumber 5"], DAY) == "ill-typed"
    assert open_comparison([YEAR], "lnumber 5") == "ill-typed"
    assert open_comparison([], DAY) == open_comparison(["ea", "b1"], DAY) == "missing"


def test_a_count_is_open_for_values_that_may_be_one() -> None:
    assert open_count([YEAR, OTHER, DAY]) == "imprecise"
    assert open_count([YEAR, OTHER]) == open_count([YEAR]) == open_count(["ea", "eb"]) == "missing"
    assert open_count([YEAR, ILL]) == "ill-typed"
