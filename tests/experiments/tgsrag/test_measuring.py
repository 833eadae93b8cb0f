"""The measures by hand."""

from __future__ import annotations

import pytest

from kgverify.experiments.statistics import bootstrap_mean
from kgverify.experiments.tgsrag.measuring import Scored, compared, measures, scored


def of(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


@pytest.mark.parametrize(
    ("documents", "gold", "hit", "precision", "recall", "f1"),
    [
        (of(1, 2, 3, 4), of(1, 2), 1, 1 / 2, 1, 2 / 3),
        (of(1, 3, 4, 5, 6), of(1, 2, 7), 0, 1 / 5, 1 / 3, 1 / 4),
        (of(3), of(1, 2), 0, 0, 0, 0),
        (of(), of(1, 2), 0, None, 0, 0),
        (of(1), of(1), 1, 1, 1, 1),
    ],
)
def test_one_question(documents, gold, hit, precision, recall, f1) -> None:
    found = scored(documents, gold)
    assert (found.hops, found.documents, found.hit) == (len(gold), len(documents), hit)
    assert (found.precision, found.recall, found.f1) == (
        pytest.approx(precision) if precision is not None else None,
        pytest.approx(recall),
        pytest.approx(f1),
    )


def test_a_question_without_gold_has_no_measures() -> None:
    with pytest.raises(ValueError, match="gold"):
        scored(of(1), of())


QUESTIONS = [(of(1, 2, 3, 4), of(1, 2)), (of(), of(5, 6)), (of(1), of(1, 2, 3)), (of(7), of(7, 8))]


def test_means_over_questions() -> None:
    found = measures([scored(*pair) for pair in QUESTIONS], 0)
    assert found["questions"] == 4
    assert found["documents"] == 6 / 4
    assert found["hit"]["mean"] == 1 / 4
    assert found["precision"] == pytest.approx((1 / 2 + 1 + 1) / 3)  # of the three that have one
    assert found["recall"] == pytest.approx((1 + 0 + 1 / 3 + 1 / 2) / 4)
    assert found["f1"]["mean"] == pytest.approx((2 / 3 + 0 + 1 / 2 + 2 / 3) / 4)
    assert found["hops"] == {
        "2": {"questions": 3, "hit": 1 / 3, "f1": pytest.approx(4 / 9)},
        "3": {"questions": 1, "hit": 0, "f1": 1 / 2},
    }
    assert found["hit"]["low"] <= 1 / 4 <= found["hit"]["high"]


def hits(*values: int) -> list[Scored]:
    return [Scored(2, 5, float(value), 0.0, 0.0, value / 2) for value in values]


def test_two_systems_on_the_same_questions() -> None:
    found = compared(hits(1, 1, 1, 1, 0, 0), hits(0, 0, 0, 1, 0, 1), 0)
    assert (found["only_ours"], found["only_theirs"]) == (3, 1)
    assert found["p"] == pytest.approx(2 * (1 + 4) / 16)  # two-sided binomial of 1 in 4
    assert found["hit"]["mean"] == pytest.approx(1 / 3)
    assert found["f1"]["mean"] == pytest.approx(1 / 6)
    same = compared(hits(1, 0), hits(1, 0), 0)
    assert (same["p"], same["hit"]["low"], same["hit"]["high"]) == (1, 0, 0)


def test_a_bootstrap_of_few() -> None:
    assert bootstrap_mean([], 0).mean is None
    assert (bootstrap_mean([0.5], 0).mean, bootstrap_mean([0.5], 0).low) == (0.5, None)
    assert bootstrap_mean([0.0, 1.0] * 20, 3) == bootstrap_mean([0.0, 1.0] * 20, 3)
