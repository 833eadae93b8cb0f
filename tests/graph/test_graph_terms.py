"""Literals are one key exactly when they are one value."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.graph.terms import (
    XSD,
    compatible,
    display,
    literal_key,
    number_value,
    plain_literal_key,
    time_interval,
)


def lit(lexical: str, name: str | None = None, lang: str | None = None) -> str:
    return literal_key(lexical, XSD + name if name else None, lang)


@pytest.mark.parametrize(
    ("lexical", "datatype"),
    [
        ("1", "integer"),
        ("01", "integer"),
        ("+1", "integer"),
        (" 1 ", "integer"),
        ("1.0", "decimal"),
        ("1.", "decimal"),
        ("1e0", "double"),
        ("0.1E1", "float"),
        ("10e-1", "double"),
        ("1", "unsignedByte"),
    ],
)
def test_one_is_one_in_every_numeric_datatype(lexical: str, datatype: str) -> None:
    assert lit(lexical, datatype) == "lnumber 1"


@pytest.mark.parametrize(
    ("lexical", "datatype", "key"),
    [
        ("-0", "integer", "lnumber 0"),
        ("-0.0e5", "double", "lnumber 0"),
        ("12.50", "decimal", "lnumber 12.5"),
        (".5", "decimal", "lnumber 0.5"),
        ("-2147483649", "integer", "lnumber -2147483649"),
        ("9223372036854775808", "integer", "lnumber 9223372036854775808"),
        ("1e999999999", "double", "lnumber 1E999999999"),
        ("1e-999999999", "double", "lnumber 1E-999999999"),
        ("INF", "double", "lnumber INF"),
        ("-INF", "float", "lnumber -INF"),
        ("1", "boolean", "lboolean true"),
        ("false", "boolean", "lboolean false"),
        ("1", "string", "lstring 1"),
        ("1990", "gYear", "ldate 1990"),
        ("-0099", "gYear", "ldate -0099"),
        ("12345-02-01", "date", "ldate 12345-02-01"),
        ("1990-05", "gYearMonth", "ldate 1990-05"),
        ("2000-02-29", "date", "ldate 2000-02-29"),
        ("1990-05-01+02:00", "date", "ldate 1990-05-01+02:00"),
        ("1990-05-01+00:00", "date", "ldate 1990-05-01Z"),
        ("1990-05-01T12:00:00", "dateTime", "ltime 1990-05-01T12:00:00"),
        ("1990-05-01T00:30:00.50+02:00", "dateTime", "ltime 1990-04-30T22:30:00.5Z"),
        ("-0001-12-31T24:00:00Z", "dateTime", "ltime 0000-01-01T00:00:00Z"),
    ],
)
def test_canonical_values(lexical: str, datatype: str, key: str) -> None:
    assert lit(lexical, datatype) == key


@pytest.mark.parametrize(
    ("lexical", "datatype"),
    [
        ("abc", "integer"),
        ("1.0", "integer"),
        ("", "integer"),
        ("1e0", "decimal"),
        (".", "decimal"),
        ("e5", "double"),
        ("1_000", "integer"),
        ("\u0661", "integer"),
        ("NaN", "double"),
        ("INF", "decimal"),
        ("300", "byte"),
        ("-1", "nonNegativeInteger"),
        ("yes", "boolean"),
        ("1990-13-45", "date"),
        ("1900-02-29", "date"),
        ("1990-00", "gYearMonth"),
        ("990", "gYear"),
        ("01990", "gYear"),
        ("1990-05-01+15:00", "date"),
        ("1990", "date"),
        ("999999999999999999-12-31T23:00:00-14:00", "dateTime"),
        ("1990-05-01T25:00:00", "dateTime"),
        ("1990-05-01T12:00:00", "dateTimeStamp"),
    ],
)
def test_impossible_forms_are_ill_typed(lexical: str, datatype: str) -> None:
    assert lit(lexical, datatype) == f"lill xsd:{datatype} {lexical}"
    assert compatible(lit(lexical, datatype), "lnumber 1")


def test_strings_languages_and_other_datatypes_stay_apart() -> None:
    keys = [
        lit("1"),
        lit("1", "integer"),
        lit("1", lang="en"),
        literal_key("1", "http://ex.org/metres"),
        lit("1", "boolean"),
    ]
    assert len(set(keys)) == 5
    assert lit("Wien", lang="DE-at") == lit("Wien", lang="de-AT") == "ltext@de-at Wien"


@pytest.mark.parametrize(
    ("key1", "key2", "expected"),
    [
        ("ldate 1990", "ldate 1990-05-01", True),
        ("ldate 1990-05", "ldate 1990", True),
        ("ldate 1990", "ldate 1991-01-01", False),
        ("ldate 1990", "ldate 1991", False),
        ("ldate 1990-12", "ldate 1990-12-31", True),
        ("ldate -0099", "ldate -0099-03", True),
        ("ldate 1990-05-01", "ltime 1990-05-01T23:59:59", True),
        ("ldate 1990-05-01", "ltime 1990-05-02T00:00:00", False),
        ("ldate 1990-05-01", "ldate 1990-05-01Z", True),
        ("ldate 1990-05-01", "ldate 1990-05-03Z", False),
        ("ldate 2002-10-10+13:00", "ldate 2002-10-09-11:00", True),
        ("ldate 1990-05-01", "ldate 1990-05-02", False),
        ("ltime 1990-05-01T10:00:00", "ltime 1990-05-01T12:00:00Z", True),
        ("ltime 1990-05-01T10:00:00Z", "ltime 1990-05-01T12:00:00Z", False),
        # Exactly as far apart as the farthest zones, 14 hours, is near enough.
        ("ltime 1990-05-01T00:00:00Z", "ltime 1990-05-01T14:00:00", True),
        ("ltime 1990-05-01T00:00:00Z", "ltime 1990-05-01T14:00:01", False),
        ("ltime 1990-05-01T14:00:00Z", "ltime 1990-05-01T00:00:00", True),
        ("ltime 1990-05-01T14:00:01Z", "ltime 1990-05-01T00:00:00", False),
        ("ldate 1990-05-01Z", "ltime 1990-04-30T10:00:00", True),
        ("ldate 1990-05-01Z", "ltime 1990-04-30T09:59:59", False),
        ("ldate 1990-05-01Z", "ltime 1990-05-02T13:59:59", True),
        ("ldate 1990-05-01Z", "ltime 1990-05-02T14:00:00", False),
        ("ldate 1990-05-01", "ltime 1990-04-30T10:00:00Z", True),
        ("ldate 1990-05-01", "ltime 1990-05-02T14:00:00Z", False),
        ("lnumber 1990", "ldate 1990", False),
        ("lnumber 1", "lnumber 2", False),
        ("lill xsd:integer abc", "lstring abc", True),
        ("lill xsd:integer abc", "eabc", False),
        ("ea", "eb", False),
    ],
)
def test_compatible(key1: str, key2: str, expected: bool) -> None:
    assert compatible(key1, key2) is expected
    assert compatible(key2, key1) is expected


def test_bare_literals_of_tables() -> None:
    texts = [
        "12",
        "-1.50",
        "1990",
        "1990-05",
        "1990-05-01",
        "1990-5",
        "NaN",
        "INF",
        "abc",
        "1990-13",
    ]
    assert [plain_literal_key(text) for text in texts] == [
        "lnumber 12",
        "lnumber -1.5",
        "lnumber 1990",
        "ldate 1990-05",
        "ldate 1990-05-01",
        "lstring 1990-5",
        "lstring NaN",
        "lstring INF",
        "lstring abc",
        "lstring 1990-13",
    ]


def test_display() -> None:
    keys = ["eKenya", "b0.x", "lnumber 12.5", "ltext@en tea", "lstring tea", "ldate 1990-05"]
    keys += ["lill xsd:date x y", "lother http://ex.org/m 5 km", "lboolean true"]
    assert [display(key) for key in keys] == [
        "Kenya",
        "_:0.x",
        "12.5",
        '"tea"@en',
        '"tea"',
        "1990-05",
        '"x y"^^xsd:date',
        '"5 km"^^<http://ex.org/m>',
        "true",
    ]


@given(st.decimals(allow_nan=False, allow_infinity=False), st.integers(0, 5))
def test_equal_numbers_have_equal_keys(value: Decimal, zeros: int) -> None:
    sign, digits, exponent = value.as_tuple()
    padded = Decimal((sign, (0,) * zeros + digits + (0,) * zeros, int(exponent) - zeros))
    assert lit(str(value), "double") == lit(str(padded), "double")
    assert number_value(lit(str(value), "double")) == value


@given(st.decimals(allow_nan=False), st.decimals(allow_nan=False))
def test_different_numbers_have_different_keys(left: Decimal, right: Decimal) -> None:
    def key(value: Decimal) -> str:
        return lit(str(value).replace("Infinity", "INF"), "double")

    assert (key(left) == key(right)) == (left == right)


@given(st.integers(), st.sampled_from(["integer", "decimal", "double"]))
def test_integers_of_any_size_are_exact(value: int, datatype: str) -> None:
    assert number_value(lit(str(value), datatype)) == Decimal(value)


@given(st.dates(), st.dates())
def test_days_have_their_place_in_time(first: object, second: object) -> None:
    left, right = (time_interval(lit(str(day), "date")) for day in (first, second))
    assert left is not None
    assert right is not None
    assert left[1] - left[0] == 86_400
    assert (right[0] - left[0]) / 86_400 == (second - first).days  # type: ignore[operator]


@given(st.datetimes(), st.integers(-14 * 60, 14 * 60))
def test_instants_are_one_value_in_every_zone(moment: object, minutes: int) -> None:
    sign, size = "-" if minutes < 0 else "+", abs(minutes)
    zoned = f"{moment.isoformat()}{sign}{size // 60:02}:{size % 60:02}"  # type: ignore[attr-defined]
    at_utc, in_zone = (
        time_interval(lit(moment.isoformat() + "Z", "dateTime")),
        time_interval(  # type: ignore[attr-defined]
            lit(zoned, "dateTime")
        ),
    )
    assert at_utc is not None
    assert in_zone is not None
    assert at_utc[0] - in_zone[0] == minutes * 60


@given(st.text(), st.sampled_from(["integer", "date", "dateTime", "boolean", "gYear", "anyURI"]))
def test_every_text_has_a_key_that_can_be_shown(text: str, datatype: str) -> None:
    assert display(lit(text, datatype))
