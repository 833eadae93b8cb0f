"""Numbers, units and dates as texts write them, against claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify import Value
from kgverify.evidence.quantities import compare, mark
from kgverify.evidence.tokens import tokens_of


def answers(text: str, value: Value) -> list[str]:
    tokens = [token for token in tokens_of(text) if token.kind != "space"]
    return [compare(s, value) for s in mark(tokens, value.kind).stated.values()]


def number(text: str, unit: str = "", comparison: str = "=") -> Value:
    return Value("number", text, unit, comparison)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "value", "answer"),
    [
        ("1,200", number("1200"), "yes"),
        ("1\u202f200", number("1200"), "yes"),
        ("1.2 million", number("1200000"), "yes"),
        ("1.2 million", number("1234567"), "open"),
        ("1.2 million", number("1300000"), "no"),
        ("1,234,567", number("1200000"), "open"),
        ("twelve", number("12"), "yes"),
        ("3.50", number("3.5"), "yes"),
        ("about 12", number("12"), "yes"),
        ("about 12", number("12.5"), "open"),
        ("about 12", number("20"), "no"),
        ("more than 12", number("12"), "no"),
        ("more than 12", number("12", "", ">"), "yes"),
        ("at least 12", number("12", "", ">"), "open"),
        ("at least 12", number("12", "", ">="), "yes"),
        ("less than 12", number("12", "", ">="), "no"),
        ("between 5 and 7", number("6"), "open"),
        ("between 5 and 7", number("8"), "no"),
        ("5–7", number("4", "", ">"), "yes"),
        ("5 to 7 million", number("7000000", "", "<="), "yes"),
        ("12", number("12", "", "!="), "no"),
        ("13", number("12", "", "!="), "yes"),
        ("2 km", number("2000", "m"), "yes"),
        ("500 mg", number("0.5", "g"), "yes"),
        ("500 mg", number("500", "µg"), "no"),
        ("9 minutes", number("0.15", "h"), "yes"),
        ("12 %", number("12", "%"), "yes"),
        ("12 percent", number("12", "%"), "yes"),
        ("12", number("12", "km"), "open"),
        ("12 mg", number("12", "km"), "open"),
        ("10 children", number("10", "children"), "yes"),
        ("$5 million", number("5000000", "dollars"), "yes"),
        ("300 km²", number("300", "km2"), "yes"),
    ],
)
def test_numbers(text: str, value: Value, answer: str) -> None:
    assert answers(text, value)[:1] == [answer]


def date(text: str, comparison: str = "=") -> Value:
    return Value("date", text, "", comparison)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "value", "answer"),
    [
        ("24 May 1819", date("1819-05-24"), "yes"),
        ("May 24, 1819", date("1819-05-24"), "yes"),
        ("1819-05-24", date("1819-05-24"), "yes"),
        ("May 1819", date("1819-05-24"), "open"),
        ("1819", date("1819-05-24"), "open"),
        ("1820", date("1819-05-24"), "no"),
        ("24 May 1819", date("1819"), "yes"),
        ("24 May 1819", date("1819-05"), "yes"),
        ("24 May 1819", date("1819-06"), "no"),
        ("1819", date("1820", "<"), "yes"),
        ("1820", date("1820", "<"), "no"),
        ("1820", date("1820-06-01", "<"), "open"),
        ("31 December 1819", date("1819", ">"), "no"),
        ("1 January 1820", date("1819", ">"), "yes"),
        ("about 1819", date("1821"), "open"),
    ],
)
def test_dates(text: str, value: Value, answer: str) -> None:
    assert answers(text, value) == [answer]


@pytest.mark.parametrize("text", ["12 monkeys", "May", "in 12 years", "99999"])
def test_what_is_no_date_is_none(text: str) -> None:
    assert answers(text, date("1819")) == []


@given(
    st.integers(-(10**9), 10**9),
    st.integers(-(10**9), 10**9),
    st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
)
def test_exact_numbers_compare_as_numbers(stated: int, wanted: int, comparison: str) -> None:
    if stated < 0 or (stated % 100 == 0 and stated) or (wanted % 100 == 0 and wanted):
        return  # a sign may be a dash, and a round number is one of many
    holds = {
        "=": stated == wanted,
        "!=": stated != wanted,
        "<": stated < wanted,
        "<=": stated <= wanted,
        ">": stated > wanted,
        ">=": stated >= wanted,
    }[comparison]
    answer = "yes" if holds else "no"
    assert answers(f"{stated:,}", number(str(wanted), "", comparison)) == [answer]
