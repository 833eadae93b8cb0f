"""The measures: by hand, against sums written out again, and by their properties."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.experiments.scoring.gold import GoldQuestion
from kgverify.experiments.scoring.measuring import (
    PERMISSIVE,
    denied,
    measures,
    permissive,
    strict,
)
from kgverify.experiments.scoring.scoring import score

NAMES = st.sampled_from(
    ["Rome", "rome.", "The Rome", "Oslo", "Oslo Fjord", "Bern", "a", "<pad>", ""]
)


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[GoldQuestion], dict[str, list[str]]]:
    """Some questions, with predictions for most of them."""
    found, answered = [], {}
    for number in range(draw(st.integers(0, 5))):
        names = [n for n in draw(st.lists(NAMES, max_size=4)) if n not in ("", "<pad>")]
        hard = draw(st.sampled_from(names)) if names and draw(st.booleans()) else None
        type_ = draw(st.sampled_from(["", "symmetry", "other"]))
        found.append(GoldQuestion(f"q{number}", tuple(names), hard, type_))
        if draw(st.booleans()):
            answered[f"q{number}"] = draw(st.lists(NAMES, max_size=5))
    return found, answered


def test_by_hand() -> None:
    gold = [
        GoldQuestion("q1", ("a1", "b1", "c1", "d1"), "a1"),
        GoldQuestion("q2", ("e1", "e1"), "e1"),
        GoldQuestion("q3", ("f1", "g1"), "g1"),
        GoldQuestion("q4", ()),
    ]
    given_ = {"q1": ["B1", "b1", "c1", "x1"], "q2": ["e1", "the e1"], "q4": ["z"]}
    found = score(gold, given_)
    m = found.strict
    assert (m.questions, m.hits, m.hard_hits, m.empty_predictions) == (3, 2, 1, 1)
    assert (m.hits_any, m.hits_hard, m.hhr) == (Fraction(2, 3), Fraction(1, 3), Fraction(1, 2))
    assert (m.precision, m.recall, m.f1) == (Fraction(5, 9), Fraction(1, 2), Fraction(11, 21))
    assert m.micro_precision == Fraction(3, 4)
    assert m.micro_recall == Fraction(3, 7)
    assert m.micro_f1 == Fraction(6, 11)
    assert (m.exact, m.first) == (Fraction(1, 3), Fraction(2, 3))
    assert found.missing == ("q3",)
    assert found.without_gold == ("q4",)


def test_nothing_to_score_leaves_every_measure_undefined() -> None:
    m = score([GoldQuestion("q", ())], {}).strict
    assert (m.hits_any, m.hhr, m.precision, m.f1, m.micro_precision, m.micro_f1) == (None,) * 6


def test_without_a_hit_hhr_is_undefined_and_the_rest_is_zero() -> None:
    m = score([GoldQuestion("q", ("Rome",), "Rome")], {"q": []}).strict
    assert (m.hits_any, m.hits_hard, m.hhr, m.precision, m.f1) == (0, 0, None, 0, 0)
    assert m.micro_precision is None
    assert m.micro_f1 == 0


def test_hits_hard_is_over_the_questions_with_a_hard_answer() -> None:
    gold = [GoldQuestion("p", ("Rome", "Oslo"), "Oslo"), GoldQuestion("q", ("Bern",))]
    m = score(gold, {"p": ["Rome"], "q": ["Bern"]}).strict
    assert (m.hits_any, m.hits_hard, m.hhr) == (1, 0, 0)
    m = score(gold, {"p": ["Oslo"], "q": []}).strict
    assert (m.hits_any, m.hits_hard, m.hhr) == (Fraction(1, 2), 1, 1)


def test_names_of_one_answer_are_one_prediction() -> None:
    aliases = {"Barack Obama": ("Obama", "Rome")}
    question = GoldQuestion("q", ("Barack Obama", "Rome"), "Barack Obama", aliases=aliases)
    found = strict(question, ["Obama", "barack obama"])
    assert (found.predicted, found.right, found.hard) == (1, 1, True)
    plain = strict(question, ["Obama", "barack obama"], aliases=False)
    assert (plain.predicted, plain.right, plain.hard) == (2, 1, True)
    own = strict(question, ["Rome"])  # its own name comes before another's alias
    assert (own.found, own.hard) == (1, False)


def test_permissive_precision_is_a_share_of_the_predictions() -> None:
    question = GoldQuestion("q", ("Bern", "Basel"))
    found = permissive(question, ["Bern Basel Rome"], PERMISSIVE["substring"])
    assert (found.predicted, found.right, found.found) == (1, 1, 2)
    assert (found.precision, found.recall) == (1, 1)
    assert strict(question, ["Bern Basel Rome"]).precision == 0


def test_what_holds_a_right_answer_beside_a_negation_is_told() -> None:
    question = GoldQuestion("q", ("Mark Twain",))
    assert denied(question, ["not Mark Twain"])
    assert not denied(question, ["not Mark Twain", "Mark Twain"])
    assert not denied(question, ["not Poe", "Twain"])


@pytest.mark.parametrize(
    ("answer", "predicted", "listed"),
    [
        ("1.5", "15", True),
        ("-5", "5", True),
        ("C++", "C#", True),
        ("Flo_Rida", "Florida", True),
        ("Washington D.C.", "washington dc", True),
        ("Rome", "**“Rome”**.", False),
        ("Rome", "the rome", False),
        ("!!!", "!!!", False),
        ("1.5", "2.5", False),
    ],
)
def test_questions_that_hang_on_a_mark_are_told(answer: str, predicted: str, listed: bool) -> None:
    found = score([GoldQuestion("q", (answer,))], {"q": [predicted]})
    assert found.unmarked == (("q",) if listed else ())
    assert score([GoldQuestion("q", (answer, predicted))], {}).unmarked == found.unmarked


def again(gold: Sequence[GoldQuestion], answered: Mapping[str, Sequence[str]]) -> dict:
    """The paper's formulas, for names without articles or aliases, word by word."""

    def norm(names: Sequence[str]) -> set[str]:
        forms = {
            n.lower().replace("<pad>", "").replace(".", "").removeprefix("the ") for n in names
        }
        return forms - {""}

    asked = [(norm(q.answers), norm(answered.get(q.id, ())), q.hard) for q in gold if q.answers]
    n = len(asked)
    if not n:
        return {"hits_any": None}
    hit = [bool(a & p) for a, p, _ in asked]
    marked = [(bool(norm([h]) & p), bool(a & p)) for a, p, h in asked if h is not None]
    return {
        "hits_any": Fraction(sum(hit), n),
        "hits_hard": Fraction(sum(h for h, _ in marked), len(marked)) if marked else None,
        "hhr": Fraction(sum(h for h, _ in marked), sum(h for _, h in marked))
        if any(h for _, h in marked)
        else None,
        "precision": sum((Fraction(len(a & p), len(p)) for a, p, _ in asked if p), Fraction(0)) / n,
        "recall": sum((Fraction(len(a & p), len(a)) for a, p, _ in asked), Fraction(0)) / n,
        "f1": sum((Fraction(2 * len(a & p), len(p) + len(a)) for a, p, _ in asked), Fraction(0))
        / n,
    }


@settings(max_examples=500)
@given(questions())
def test_the_measures_are_the_papers(case: tuple[list[GoldQuestion], dict[str, list[str]]]) -> None:
    found = score(*case).strict
    for name, value in again(*case).items():
        assert getattr(found, name) == value, name


@settings(max_examples=500)
@given(questions(), st.randoms(use_true_random=False))
def test_ranges_and_orders(
    case: tuple[list[GoldQuestion], dict[str, list[str]]], rng: random.Random
) -> None:
    gold, answered = case
    found = score(gold, answered)
    m = found.strict
    for name in ("hits_any", "hits_hard", "hhr", "precision", "recall", "f1", "exact"):
        value = getattr(m, name)
        assert value is None or 0 <= value <= 1
    if m.questions:
        assert m.exact <= m.hits_any
        assert m.first <= m.hits_any
        assert max(m.precision, m.recall, m.f1) <= m.hits_any
        assert m.hard_hits <= m.hits
        assert found.permissive["whole words"].hits_any >= m.hits_any
        assert found.permissive["substring"].recall >= found.permissive["whole words"].recall
        assert found.permissive["whole words"].recall >= m.recall
    if m.hard_questions == m.questions and m.hhr is not None:
        assert m.hhr == m.hits_hard / m.hits_any
    # The order of questions, of answers and of predictions, and repeating them, changes nothing
    # but which prediction is the first.
    shuffled = [
        replace(q, answers=tuple(rng.sample(q.answers * 2, 2 * len(q.answers)))) for q in gold
    ]
    rng.shuffle(shuffled)
    turned = {id_: rng.sample(names * 2, 2 * len(names)) for id_, names in answered.items()}
    assert replace(score(shuffled, turned).strict, first=m.first) == m


@settings(max_examples=200)
@given(questions())
def test_types_divide_the_questions(
    case: tuple[list[GoldQuestion], dict[str, list[str]]],
) -> None:
    found = score(*case)
    untyped = measures([o for o in found.outcomes if not o.type])
    parts = [*found.by_type.values(), untyped]
    assert sum(p.questions for p in parts) == found.strict.questions
    assert sum(p.hits for p in parts) == found.strict.hits
    assert sum(p.hard_hits for p in parts) == found.strict.hard_hits
