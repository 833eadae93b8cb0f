"""Numbers and tables as people read them."""

from __future__ import annotations

import pytest

from kgverify.experiments.markdown import interval, literally, number, percent, table
from kgverify.experiments.statistics import Interval


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (Interval(0.62, 0.6, 0.64, 5), "0.62 (0.60 to 0.64)"),
        (Interval(0.005, -0.02, 0.03, 5), "0.01 (−0.02 to 0.03)"),
        (Interval(0.62, 0.6199, 0.6201, 5), "0.62"),
        (Interval(0.62, None, None, 1), "0.62"),
        (Interval(None, None, None, 0), "–"),
    ],
)
def test_intervals(found: Interval, shown: str) -> None:
    assert interval(found) == shown


def test_numbers() -> None:
    assert (number(0.1254, 3), number(None), number(-1.0)) == ("0.125", "–", "−1.00")
    assert (percent(0.1), percent(0.0)) == ("10 %", "0 %")


def test_cells_are_escaped() -> None:
    assert table(("a", "b"), [("x|y", "1\n2")]) == "| a | b |\n| --- | --- |\n| x\\|y | 1 2 |"


def test_names_are_shown_as_they_are() -> None:
    assert literally("family-0 2.1") == "family-0 2.1"
    assert literally("$\\frac{$ a_b\n[x](y)|") == "\\$\\\\frac\\{\\$ a\\_b \\[x\\]\\(y\\)\\|"
    assert table([literally("a|b")], []).splitlines()[0] == "| a\\|b |"
