"""Measuring judges: the rates against reckoning by hand, and what a file of pairs may hold."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgverify
from kgverify import (
    Claim,
    Claims,
    EvidenceError,
    Failure,
    Judgement,
    Pair,
    Passage,
    Problem,
    RelationWords,
    calibrate,
    read_pairs,
)
from kgverify.evidence.judging import LABELS, Label

E, U, N = LABELS
CLAIM = Claim(("a",), RelationWords("r"), ("b",), "A r b.")
BOOK = kgverify.load_rules_text("class C\nrelation r (C, C)\nrelation size (C, number)\n")


class Said:
    """A judge that says what it is told to, by the passages' ids."""

    name = "said"

    def __init__(self, answers: dict[str, tuple[Label, float] | None]) -> None:
        self._answers = answers

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        found: list[Judgement | Failure] = []
        for passage, _ in pairs:
            said = self._answers[passage.id]
            problem = Problem("judge-reply", "no label")
            found.append(Failure(problem, "hm") if said is None else Judgement(*said))
        return found


def measured(rows: Sequence[tuple[Label, tuple[Label, float] | None]]) -> Any:
    pairs = [
        Pair(str(n), "d", Passage(str(n), "text"), CLAIM, gold, "k", n % 2 == 0)
        for n, (gold, _) in enumerate(rows)
    ]
    return calibrate(Said({str(n): said for n, (_, said) in enumerate(rows)}), pairs)


def test_rates_are_those_of_a_hand_made_example() -> None:
    found = measured(
        [(E, (E, 0.9)), (E, (U, 0.5)), (U, (U, 0.5)), (N, (E, 0.9)), (N, (N, 1.0)), (U, None)]
    )
    whole = found.all
    assert (whole.count, whole.failures) == (5, 1)
    assert whole.accuracy == pytest.approx(3 / 5)
    assert whole.f1 == {E: pytest.approx(1 / 2), U: pytest.approx(2 / 3), N: pytest.approx(2 / 3)}
    assert whole.macro_f1 == pytest.approx((1 / 2 + 2 / 3 + 2 / 3) / 3)
    assert whole.confusion == {
        E: {E: 1, U: 1, N: 0},
        U: {E: 0, U: 1, N: 0},
        N: {E: 1, U: 0, N: 1},
    }
    assert [(b.low, b.count, b.score, b.accuracy) for b in found.bins] == [
        (0.5, 2, 0.5, 0.5),
        (0.9, 3, pytest.approx(2.8 / 3), pytest.approx(2 / 3)),
    ]
    assert found.error == pytest.approx((2 * 0 + 3 * (2.8 / 3 - 2 / 3)) / 5)
    assert found.hard.count == 3
    assert found.by_kind["k"] == found.by_domain["d"] == whole


def test_a_label_that_nobody_gives_has_no_f1() -> None:
    found = measured([(E, (E, 1.0)), (N, (E, 1.0))]).all
    assert found.f1 == {E: pytest.approx(2 / 3), U: None, N: 0.0}
    assert found.macro_f1 == pytest.approx(1 / 3)


def test_where_nothing_is_judged_there_is_no_rate() -> None:
    found = measured([(E, None), (N, None)])
    assert (found.all.count, found.all.failures) == (0, 2)
    assert (found.all.accuracy, found.all.macro_f1, found.error) == (None, None, None)
    assert found.bins == ()
    json.dumps(found.to_dict(), allow_nan=False)


ANSWER = st.one_of(
    st.none(), st.tuples(st.sampled_from(LABELS), st.sampled_from([0.0, 0.1, 0.5, 0.95, 1.0]))
)


@given(st.lists(st.tuples(st.sampled_from(LABELS), ANSWER), max_size=30), st.randoms())
def test_rates_are_shares_and_no_order_matters(rows: list[Any], random: Any) -> None:
    found = measured(rows)
    shuffled = list(rows)
    random.shuffle(shuffled)
    other = measured(shuffled)
    assert (found.all, found.bins and len(found.bins)) == (
        other.all,
        other.bins and len(other.bins),
    )
    assert found.all.count + found.all.failures == len(rows)
    assert sum(b.count for b in found.bins) == found.all.count
    assert sum(n for own in found.all.confusion.values() for n in own.values()) == found.all.count
    for rate in (found.all.accuracy, found.all.macro_f1, found.error, *found.all.f1.values()):
        assert rate is None or (0 <= rate <= 1 and not math.isnan(rate))


# ------------------------------------------------------------------ files


def line(**more: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "passage": {"id": "p", "text": "A r b."},
        "claim": {"subject": "a", "relation": "r", "object": "b"},
        "label": "ENTAILED",
        **more,
    }


def write(path: Path, *rows: Any) -> Path:
    file = path / "pairs.jsonl"
    file.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows))
    return file


def test_pairs_are_read(tmp_path: Path) -> None:
    value = {"subject": "a", "relation": "size", "object": {"value": 3.5, "unit": "km"}, "at": 1990}
    file = write(
        tmp_path,
        line(kind="plain", hard=True, domain="x", hypothesis="A is r to b."),
        "",
        line(id="2", claim=value),
    )
    first, second = read_pairs(file, Claims(BOOK))
    assert (first.kind, first.is_hard, first.domain) == ("plain", True, "x")
    assert first.claim.hypothesis == "A is r to b."
    assert second.claim.at == "1990"
    assert second.claim.object == kgverify.Value("number", "3.5", "km")


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        line(),
        "{",
        line(),
        line(id="4", label="TRUE"),
        line(id="5", extra=1),
        line(id="6", claim={"subject": "a", "relation": "s", "object": "b"}),
        line(id="7", claim={"subject": "a", "relation": "r", "object": {"value": "1"}}),
        line(id="8", passage={"id": "p", "text": " "}, label="x"),
    )
    with pytest.raises(EvidenceError) as caught:
        read_pairs(file, Claims(BOOK))
    found = [(p.span.line if p.span else 0, p.code) for p in caught.value.problems]
    assert found == [
        (2, "malformed-pair"),
        (3, "duplicate-id"),
        (4, "unknown-label"),
        (5, "malformed-pair"),
        (6, "unknown-relation"),
        (7, "claim-object"),
        (8, "unknown-label"),
        (8, "empty-passage"),
    ]


def test_files_that_are_none_are_told(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xe9\n")
    (tmp_path / "empty").write_text("\n")
    for name, code in (
        ("nowhere", "missing-file"),
        ("latin", "bad-encoding"),
        ("empty", "no-pairs"),
    ):
        with pytest.raises(EvidenceError) as caught:
            read_pairs(tmp_path / name, Claims(BOOK))
        assert [problem.code for problem in caught.value.problems] == [code]


def test_a_domain_has_its_own_rule_file(tmp_path: Path) -> None:
    file = write(tmp_path, line(domain="x"), line(id="2", domain="y"))
    with pytest.raises(EvidenceError, match="no rule file is given for the domain `y`"):
        read_pairs(file, {"x": Claims(BOOK)})
    assert len(read_pairs(file, {"x": Claims(BOOK), "y": Claims(BOOK)})) == 2
