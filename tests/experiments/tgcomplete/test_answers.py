"""Answers strictly and by names, against plain loops; two methods, and what a question costs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.experiments.scoring.measuring import Outcome, measures
from kgverify.experiments.statistics import paired_difference
from kgverify.experiments.tgcomplete import answers as a
from kgverify.experiments.tgcomplete.records import Answered, Cost, MethodRun, PathQuestion

NAMES = {
    "e1": ("Rome", "Roma"),
    "e2": ("Oslo", "Kristiania"),
    "e3": ("Rome", "Rome, Georgia"),  # another of the same name
    "e4": ("Bern",),
    "e5": (),
    "Bern": ("A town",),  # the id of one is the name of another
}
TEXTS = ["Rome", "rome", "The Roma!", "Roma", "Kristiania", "Paris", "paris", "e9", "Bern", ""]
GIVEN = st.lists(st.sampled_from([*NAMES, *TEXTS]), max_size=5)


@st.composite
def asked(draw: st.DrawFn) -> tuple[list[PathQuestion], list[Answered]]:
    questions, answered = [], []
    for number in range(draw(st.integers(0, 5))):
        right = draw(st.frozensets(st.sampled_from([*NAMES, "e9"]), max_size=3))
        path = ("r",) * draw(st.integers(1, 2))
        questions.append(PathQuestion(f"q{number}", "?", "t", path, right))
        answered.append(Answered(f"q{number}", tuple(draw(GIVEN))))
    return questions, draw(st.permutations(answered))


def simple(name: str) -> str:
    """Names as they are compared: these have no other punctuation, and one article."""
    return " ".join(name.lower().replace("!", "").replace(",", "").replace("the ", "").split())


def is_right(answer: str, right: frozenset[str], by_names: bool) -> set[str]:
    """The right answers that an answer may be."""
    if answer in right:
        return {answer}
    if not by_names:
        if answer in NAMES:
            return set()
        return {id_ for id_ in right if NAMES.get(id_, ())[:1] == (answer,)}
    mine = {simple(name) for name in NAMES.get(answer, (answer,))} - {""}
    return {id_ for id_ in right if mine & {simple(name) for name in NAMES.get(id_, (id_,))}}


@settings(max_examples=400)
@given(asked())
def test_outcomes_are_what_plain_loops_say(
    drawn: tuple[list[PathQuestion], list[Answered]],
) -> None:
    questions, answered = drawn
    said = {one.question: one.answers for one in answered}
    counted = [q for q in questions if q.answers]
    found = {
        False: a.strictly(questions, answered, NAMES),
        True: a.by_names(questions, answered, NAMES),
    }
    for by_names, outcomes in found.items():
        assert [o.id for o in outcomes] == [q.id for q in counted]
        for question, outcome in zip(counted, outcomes, strict=True):
            answers = said[question.id]
            owners = [is_right(one, question.answers, by_names) for one in answers]
            assert outcome.first is bool(owners and owners[0])
            # Where an answer may be one of several, some choice among them is taken.
            sure = set().union(*(own for own in owners if len(own) == 1))
            most = set().union(*owners)
            assert len(sure) <= outcome.found <= len(most)
            assert outcome.right == outcome.found
            assert outcome.gold == len(question.answers)
            wrong = {one for one, own in zip(answers, owners, strict=True) if not own}
            if by_names:
                wrong = {one if one in NAMES else simple(one) for one in wrong}
            assert outcome.predicted == outcome.right + len(wrong)
            assert outcome.type == f"{len(question.path)} hops"
            assert (outcome.hard, outcome.exact) == (
                None,
                not wrong and outcome.found == len(question.answers),
            )
            assert outcome.f1 == Fraction(2 * outcome.right, outcome.predicted + outcome.gold)
    # Names never make an answer wrong that its id makes right.
    for strict, loose in zip(found[False], found[True], strict=True):
        assert loose.first or not strict.first
        assert loose.found >= strict.found
    means = measures(found[False])
    assert means.first == (
        Fraction(sum(o.first for o in found[False]), len(counted)) if counted else None
    )


def test_names_are_told_from_ids() -> None:
    question = PathQuestion("q", "?", "t", ("r",), frozenset({"e1"}))

    def both(*answers: str) -> tuple[bool, bool]:
        said = [Answered("q", answers)]
        (strict,), (loose,) = (
            a.strictly([question], said, NAMES),
            a.by_names([question], said, NAMES),
        )
        return strict.first, loose.first

    assert both("e1") == (True, True)
    assert both("Rome") == (True, True)
    assert both("roma") == (False, True)
    assert both("e3") == (False, True)
    assert both("e2", "e1") == (False, False)
    assert both() == (False, False)
    bern = PathQuestion("q", "?", "t", ("r",), frozenset({"e4"}))
    (other,) = a.strictly([bern], [Answered("q", ("Bern",))], NAMES)
    assert not other.first
    (unnamed,) = a.strictly([question], [Answered("q", ("Rome",))])
    assert not unnamed.first


def test_each_question_is_answered_once() -> None:
    question = PathQuestion("q", "?", "t", ("r",), frozenset({"e1"}))
    answered = Answered("q", ("e1",))
    for questions, said in (
        ([question], []),
        ([], [answered]),
        ([question], [answered, answered]),
        ([question, question], [answered]),
    ):
        with pytest.raises(ValueError):
            a.strictly(questions, said)
        with pytest.raises(ValueError):
            a.by_names(questions, said, NAMES)


OUTCOMES = st.lists(
    st.tuples(*(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()),) * 2), max_size=12
)


@settings(max_examples=100)
@given(OUTCOMES, st.randoms())
def test_methods_are_compared_question_by_question(
    drawn: list[tuple[tuple[int, int, bool], tuple[int, int, bool]]], random
) -> None:
    def outcome(number: int, made: tuple[int, int, bool]) -> Outcome:
        right, wrong, first = made
        return Outcome(f"q{number:02}", "", right + wrong, right, 3, right, None, first)

    ours = [outcome(n, one) for n, (one, _) in enumerate(drawn)]
    theirs = [outcome(n, other) for n, (_, other) in enumerate(drawn)]
    found = a.compare(ours, theirs, seed=3)
    shuffled = list(theirs)
    random.shuffle(shuffled)
    assert a.compare(ours, shuffled, seed=3) == found
    assert found.questions == len(drawn)
    firsts = [(one.first, other.first) for one, other in zip(ours, theirs, strict=True)]
    assert (found.first.first, found.first.second) == (
        firsts.count((True, False)),
        firsts.count((False, True)),
    )
    exacts = [(one.exact, other.exact) for one, other in zip(ours, theirs, strict=True)]
    assert (found.exact.both, found.exact.neither) == (
        exacts.count((True, True)),
        exacts.count((False, False)),
    )
    for interval, of in (
        (found.first_difference, lambda o: o.first),
        (found.exact_difference, lambda o: o.exact),
        (found.f1_difference, lambda o: float(o.f1)),
    ):
        assert interval == paired_difference([of(o) for o in ours], [of(o) for o in theirs], 3)
    if not drawn:
        assert found.first_difference.mean is None
    with pytest.raises(ValueError):
        a.compare([*ours, outcome(99, (0, 0, False))], theirs, seed=3)


def test_what_a_question_costs() -> None:
    answered = tuple(Answered(str(n), ()) for n in range(4))
    run = MethodRun("ours", answered, cost=Cost(2, 5, 0, 1.0))
    assert a.cost_per_question(run) == a.CostPerQuestion(
        Fraction(1, 2), Fraction(5, 4), Fraction(0), 0.25
    )
    assert a.cost_per_question(MethodRun("ours", ())) is None
