"""Values that would do: beside a bound, and beside what is known."""

from __future__ import annotations

import pytest

from kgverify.graph.terms import value_key
from kgverify.reasoning.witnesses import comparing, unknown_values, written


def values(operator: str, bound: str, datatype: str, *within: str) -> list[str]:
    known = [value_key(text, datatype) for text in within]
    return [written(k) for k in comparing(operator, value_key(bound, datatype), datatype, known)]


@pytest.mark.parametrize(
    ("bound", "datatype", "below", "inside", "above"),
    [
        ("5", "integer", "4", "5", "6"),
        ("5.5", "decimal", "5 4", "5.5", "6 7"),
        (
            *("1950", "date", "1949-12-31"),
            *("1950-01-01 1950-12-31", "1951-01-01 1951-01-02"),
        ),
        ("1950-05-01T00:00:00", "date", "1950-04-30", "1950-05-01T00:00:00", "1950-05-02"),
        (
            *("1950-05-01T10:00:00Z", "date", "1950-04-30Z"),
            *("1950-05-01T10:00:00Z", "1950-05-02Z 1950-05-03Z"),
        ),
        ("bb", "string", "b", "bb", "bba"),
        ("true", "boolean", "false", "true", ""),
        ("false", "boolean", "", "false", "true"),
        # Beside the largest numbers nothing is tried.
        ("1e24", "double", "9" * 24, "1" + "0" * 24, f"1{'0' * 23}1"),
        ("1e25", "double", "", "1" + "0" * 25, ""),
        ("INF", "double", "", "INF", ""),
    ],
)
def test_values_lie_beside_the_bound(
    bound: str, datatype: str, below: str, inside: str, above: str
) -> None:
    assert values("<", bound, datatype) == below.split()
    assert values("<=", bound, datatype) == [*inside.split(), *below.split()]
    assert values("=", bound, datatype) == inside.split()
    assert values("!=", bound, datatype) == [*above.split(), *below.split()]
    assert values(">=", bound, datatype) == [*inside.split(), *above.split()]
    assert values(">", bound, datatype) == above.split()


def test_a_value_may_be_what_is_known_less_precisely() -> None:
    assert values("<", "1950-06", "date", "1950") == ["1950-05-31", "1950-01-01"]
    assert values(">", "1950-06", "date", "1950") == ["1950-07-01", "1950-07-02", "1950-12-31"]
    assert values("=", "1950-06", "date", "1950-06-30") == ["1950-06-30"]
    assert values("!=", "1950-06-01", "date", "1950-06-01") == []


def test_values_of_two_kinds_are_not_compared() -> None:
    five, year, text = (
        value_key(*pair) for pair in (("5", "integer"), ("1950", "date"), ("b", "string"))
    )
    for bound, datatype in ((five, "string"), (year, "string"), (five, "date"), (text, "integer")):
        for operator in ("<", "!=", ">"):
            assert comparing(operator, bound, datatype) == []


@pytest.mark.parametrize(
    ("datatype", "number", "first"),
    [
        ("boolean", 2, ["false", "true"]),
        ("date", 1000, ["1970-01-01", "1971-01-02", "1972-01-03"]),
        ("string", 9999, ["new1", "new2", "new3"]),
        ("integer", 9999, ["1", "2", "3"]),
    ],
)
def test_there_are_so_many_values_that_nobody_knows(
    datatype: str, number: int, first: list[str]
) -> None:
    found = unknown_values(datatype, [], 10_000)
    assert len(found) == len(set(found)) == number
    assert [written(key) for key in found[:3]] == first[:number]


def test_unknown_values_differ_provably_from_the_known_ones() -> None:
    numbers = [value_key(str(n), "integer") for n in range(1, 2001)]
    assert unknown_values("integer", numbers[:2], 2) == numbers[2:4]
    assert unknown_values("integer", numbers[:1999], 1) == [numbers[1999]]
    assert unknown_values("integer", numbers, 1) == []  # not more than that are tried
    years = [value_key(text, "date") for text in ("1970", "1972-01")]
    days = [value_key(text, "date") for text in ("1971-01-02", "1973-01-03")]
    assert unknown_values("date", years, 2) == days
    assert unknown_values("boolean", [value_key("true", "boolean")], 2) == ["lboolean false"]
