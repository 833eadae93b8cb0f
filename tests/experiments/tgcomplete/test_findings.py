"""The verdicts on the three findings, from numbers by hand."""

from __future__ import annotations

from typing import Any

import pytest

from kgverify.experiments.tgcomplete.findings import (
    HOLDS,
    NOT,
    PARTLY,
    gap_finding,
    precision_finding,
    redundancy_finding,
    signal,
)
from kgverify.experiments.tgcomplete.measuring import ANY_WAY, BY_PATH, FULL


def mean(value: float | None) -> dict[str, Any]:
    return {"mean": value, "low": None, "high": None, "n": 1}


def results(of: dict[str, Any]) -> dict[str, Any]:
    return {"settings": {"here": {"shares": {"0.2": of}}}}


@pytest.mark.parametrize(
    ("gap", "unnamed", "verdict"),
    [(0.76, 0.1, HOLDS), (0.99, 0.9, HOLDS), (0.6, 0.6, PARTLY), (0.49, 0.0, NOT)],
)
def test_the_gap(gap: float, unnamed: float, verdict: str) -> None:
    numbers = {"gaps": {"all": {FULL: mean(gap), "unnamed": mean(unnamed)}}}
    ((where, found, why),) = gap_finding(results(numbers))
    assert (where, found) == ("here, 20 %", verdict)
    assert f"{gap:.2f} of the deleted edges are stated by no passage" in why
    assert f"{gap - unnamed:.2f} are named and not stated" in why


def test_without_deleted_edges_there_is_no_gap() -> None:
    numbers = {"gaps": {"all": {FULL: mean(None), "unnamed": mean(None)}}}
    assert gap_finding(results(numbers)) == []


@pytest.mark.parametrize(
    ("by_path", "any_way", "verdict"),
    [(0.95, 1.0, HOLDS), (0.6, 0.95, PARTLY), (0.6, 0.8, NOT)],
)
def test_redundancy(by_path: float, any_way: float, verdict: str) -> None:
    ways = {
        name: {"independent": mean(share), "gained": mean(0.1)}
        for name, share in ((BY_PATH, by_path), (ANY_WAY, any_way))
    }
    found = redundancy_finding(results({"methods": {"m": {"depending": ways}}}), "m")
    assert [verdict for _, verdict, _ in found] == [verdict]


def method(precision: float | None, recall: float) -> dict[str, Any]:
    return {
        "edges": {"precision": mean(precision), "recall": mean(recall)},
        "support": {"stated": mean(0.5)},
        "answers": {"all": {"first": mean(0.5)}},
    }


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        ((0.9, 0.1), HOLDS),
        ((0.9, 0.4), PARTLY),
        ((0.3, 0.1), NOT),
        ((0.3, 0.4), NOT),
        ((None, 0.0), "says nothing"),
    ],
)
def test_precision_for_recall(ours: tuple[float | None, float], verdict: str) -> None:
    numbers = {"methods": {"ours": method(*ours), "theirs": method(0.5, 0.2)}}
    found = precision_finding(results(numbers), "ours", "theirs")
    assert [verdict for _, verdict, _ in found] == [verdict]


def test_being_stated_as_a_sign_of_being_right() -> None:
    cells = {
        "right, stated": 3,
        "right, not stated": 1,
        "wrong, stated": 1,
        "wrong, not stated": 9,
    }
    table = {cell: mean(number) for cell, number in cells.items()}
    assert signal({"methods": {"m": {"support": {"matrix": table}}}}, "m") == (0.75, 0.1)
