"""Values and periods as facts of the solver: stretches of ranks on axes."""

from __future__ import annotations

import numpy as np
import pytest

from kgverify.graph.terms import value_key
from kgverify.reasoning.times import (
    Period,
    Periods,
    includes,
    perhaps,
    surely_meet,
    time_text,
)
from kgverify.reasoning.values import value_text


def text(*values: tuple[str, str]) -> list[str]:
    keys = (value_key(*value) for value in values)
    return value_text(dict(enumerate(keys, 1))).splitlines()


def test_numbers_lie_beside_each_other_and_whole_ones_have_a_size() -> None:
    lines = text(
        ("5", "integer"), ("5.5", "decimal"), ("-3", "integer"), ("0", "integer"), ("3e9", "double")
    )
    sizes = ["size(1,5).", "size(3,-1).", "size(4,0).", "size(5,2000000000)."]
    ranks = [(1, 4, 5), (2, 6, 7), (3, 0, 1), (4, 2, 3), (5, 8, 9)]
    places = [f"{p}({v},number,{a},{b})." for p in ("axis", "extent") for v, a, b in ranks]
    assert lines == sizes + places


def test_numbers_beyond_all_counts_have_the_size_of_the_greatest() -> None:
    lines = text(("3000000000.5", "decimal"), ("-3e9", "double"), ("INF", "double"))
    assert lines[:3] == ["size(1,2000000000).", "size(2,-1).", "size(3,2000000000)."]


def test_dates_lie_on_two_axes_where_zones_blur_them() -> None:
    # In hours from the beginning of 1990: on `local` the year has no zone, and the day has one; an
    # instant goes to just behind itself.
    points = (-14, -4, 0, 10, "10+", 24, "24+", 38, "year", "year+14")
    rank = {point: place for place, point in enumerate(points)}
    own = [
        f"(1,local,{rank[0]},{rank['year']}).",
        f"(2,utc,{rank[0]},{rank[24]}).",
        f"(3,local,{rank[10]},{rank['10+']}).",
    ]
    other = [
        f"(1,utc,{rank[-14]},{rank['year+14']}).",
        f"(2,local,{rank[-14]},{rank[38]}).",
        f"(3,utc,{rank[-4]},{rank['24+']}).",
    ]
    lines = text(("1990", "date"), ("1990-01-01Z", "date"), ("1990-01-01T10:00:00", "date"))
    assert lines == [f"axis{v}" for v in own] + [f"extent{v}" for v in (*own, *other)]


def test_texts_of_one_form_are_compared_and_nothing_else_lies_anywhere() -> None:
    keys = ("lstring b", "ltext@en b", "lboolean true", "lstring a", "lill date x", "eb")
    lines = value_text(dict(enumerate(keys, 1))).splitlines()
    assert [line for line in lines if line.startswith("axis")] == [
        *("axis(1,string,2,3).", "axis(4,string,0,1)."),
        *('axis(2,"text@en",0,1).', "axis(3,boolean,0,1)."),
    ]
    assert len(lines) == 8


ALWAYS = Period("", "", True)


def test_periods_lie_on_two_axes_surely_and_perhaps() -> None:
    periods = Periods()
    told = (ALWAYS, Period("1990", "1995", True), Period("1990", "", False), ALWAYS)
    ids = np.arange(4)
    numbers = np.array([periods.number(period) for period in told])
    lines = time_text({"r s": (ids, ids + 10, numbers)}, periods, ["1990", "1996Z", "1990"])
    assert lines.splitlines() == [
        *('period("r s",0,10,0).', 'period("r s",1,11,1).'),
        *('period("r s",2,12,2).', 'period("r s",3,13,0).'),
        # Ranks: never, 1989-12-31T10, 1990, 1991, 1991+14 h, 1995-14 h, 1995, 1996, 1996+14 h,
        # 1997, ever.
        *("surely(0,local,0,10).", "perhaps(0,local,0,10)."),
        *("surely(0,utc,0,10).", "perhaps(0,utc,0,10)."),
        *("surely(1,local,3,6).", "perhaps(1,local,2,7)."),
        *("surely(1,utc,4,5).", "perhaps(1,utc,1,8)."),
        *("surely(2,local,3,10).", "perhaps(2,local,2,10)."),
        *("surely(2,utc,4,10).", "perhaps(2,utc,1,10)."),
        *('moment("1990",local,2,3).', 'moment("1996Z",utc,7,9).'),
        *("best(0).", "best(1).", "unlimited(0)."),
    ]


def test_only_the_best_period_without_ends_is_unlimited() -> None:
    periods = Periods()
    told = (Period("", "", False), Period("1990", "", True), Period("", "1990", True))
    numbers = np.array([periods.number(period) for period in told])
    lines = time_text({"r": (numbers, numbers, numbers)}, periods, []).splitlines()
    assert lines[-2:] == ["best(1).", "best(2)."]


@pytest.mark.parametrize(
    ("since", "until", "time", "sure", "may"),
    [
        ("1990", "1995", "1991", True, True),  # just after the year in which it began
        ("1990", "1995", "1990-12-31", False, True),
        ("1990", "1995", "1990", False, True),
        ("1990", "1995", "1989", False, False),
        ("1990", "1995", "1994", True, True),
        ("1990", "1995", "1995-01-01", False, True),
        ("1990", "1995", "1996", False, False),
        ("", "", "1990", True, True),
        ("1990-05-01", "", "1990-05-02T00:00:00", True, True),
        ("1990-05-01", "", "1990-05-02T13:00:00Z", False, True),
        ("1990-05-01", "", "1990-05-02T14:00:00Z", True, True),
        ("", "1990-05-01", "1990-05-02T13:59:59Z", False, True),
        ("", "1990-05-01", "1990-05-02T14:00:00Z", False, False),
        ("", "1990-05-01Z", "1990-05-02T13:59:59", False, True),
        ("", "1990-05-01Z", "1990-05-02T14:00:00", False, False),
    ],
)
def test_a_period_may_hold_a_time(since: str, until: str, time: str, sure: bool, may: bool) -> None:
    period = Period(since, until, True)
    assert (includes(period, time), perhaps(period, time)) == (sure, may)


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("1990 1995", "1993 1999", True),
        ("1990 1995", "1994 1999", False),  # perhaps only
        ("1990 1995", "1993-12-31 1999", True),
        ("1990 1995", "1995 1999", False),
        ("1990 1990", "1980 1999", False),  # perhaps no time at all
        ("1990 1991", "1980 1999", False),
        ("1990 1992", "1980 1999", True),
        ("1990 -", "1980 -", True),
        ("- 1990", "1990 -", False),
        ("- -", "- -", True),
        ("1990-01-01Z 1990-01-04Z", "1980 1999", True),
        ("1990-01-01Z -", "- 1990-01-02", False),
        ("1990-01-01Z -", "- 1990-01-03", True),
        ("- 1990-01-04Z", "1990-01-03T12:00:00 -", False),  # a day earlier on no axis
    ],
)
def test_periods_meet_for_sure(one: str, other: str, meet: bool) -> None:
    first, second = (
        Period(*("" if end == "-" else end for end in ends.split()), best=True)
        for ends in (one, other)
    )
    assert surely_meet(first, second) == surely_meet(second, first) == meet


def test_a_period_is_written_with_what_it_has() -> None:
    written = [str(Period(*ends, True)) for ends in (("", ""), ("1990", ""), ("", "1"), ("1", "2"))]
    assert written == ["always", "since 1990", "until 1", "since 1 until 2"]
