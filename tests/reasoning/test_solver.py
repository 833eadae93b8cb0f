"""What the solver says of small programs, and how encodings are read."""

from __future__ import annotations

from typing import Any

import pytest

from kgverify.errors import EngineError, LimitReached
from kgverify.reasoning.solver import (
    Retractable,
    _ends_by,
    _finished,
    answer_sets,
    consequences,
    optimum,
    read_rules,
    solve,
)


def test_the_one_answer_set_is_shown() -> None:
    assert sorted(solve("a(1). b(2) :- a(1). #show b/1.", "c. #show c/0.")) == ["b(2)", "c"]
    assert solve("a. #show.") == []


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("a :- not b. b :- not a.", "several-answer-sets"),
        (":- not a.", "no-answer-set"),
        ("a(", "solver"),
        ("a(X) :- not b(X).", "solver"),
        ('a(1+"x"). #show a/1.', "solver"),  # undefined, which clingo complains of
    ],
)
def test_other_programs_are_errors(program: str, code: str) -> None:
    with pytest.raises(EngineError) as caught:
        solve(program)
    assert [problem.code for problem in caught.value.problems] == [code]


def test_consequences_are_of_all_answer_sets() -> None:
    found = consequences(["1 { a; b; c } 2. d :- a. d :- not a. :- c, not b."], 10)
    assert found is not None
    assert found.brave == {"a", "b", "c", "d"}
    assert found.cautious == {"d"}
    assert consequences(["a. :- a."], 10) is None
    assert consequences(["a."], 10) is not None
    with pytest.raises(EngineError):
        consequences(['a(1+"x"). b.'], 10)
    with pytest.raises(LimitReached):
        consequences(["1 { p(X,1..9) } 1 :- X = 1..10. :- p(X,Y), p(Z,Y), X < Z."], 0.01)


def test_the_optimum_is_the_best_answer_set() -> None:
    found = optimum(["1 { a; b; c } 2. #maximize { 3,a : a; 2,b : b; 2,c : c }. :- a, b."], 10)
    assert found is not None
    assert (found.shown, found.cost, found.proven) == ({"a", "c"}, (-5,), True)
    plain = optimum(["a. b :- a. #show b/0."], 10)
    assert plain is not None
    assert (plain.shown, plain.cost, plain.proven) == ({"b"}, (), True)
    assert optimum(["a. :- a."], 10) is None
    for program in ("a(", 'a(1+"x"). b.'):
        with pytest.raises(EngineError):
            optimum([program], 10)


# A pigeon more than there are holes.
HOLES = "1 { p(X,1..11) } 1 :- X = 1..12, b. :- p(X,Y), p(Z,Y), X < Z."


def test_the_best_that_was_found_in_time_is_not_proved() -> None:
    # With a, which is found at once, nothing forbids b, but that takes long to refute.
    found = optimum(["{ a; b }. #maximize { 1@2 : a; 1@1 : b }. #show a/0. #show b/0.", HOLES], 0.5)
    assert found is not None
    assert (found.shown, found.cost, found.proven) == ({"a"}, (-1, 0), False)
    with pytest.raises(LimitReached):
        optimum(["b.", HOLES], 0.01)


def test_all_answer_sets() -> None:
    assert sorted(
        map(sorted, answer_sets(["1 { a; b; c } 1. d :- a. #show a/0. #show d/0."], 10))
    ) == [
        [],
        [],
        ["a", "d"],
    ]
    assert answer_sets(["a. :- a."], 10) == []
    with pytest.raises(LimitReached):
        answer_sets(["b.", HOLES], 0.01)
    with pytest.raises(EngineError):
        answer_sets(['a(1+"x"). b.'], 10)


def test_a_core_is_minimal() -> None:
    solver = Retractable(["{ on(0..5) }. :- on(0), on(1). :- on(2), on(3). :- on(5)."], 10)
    assert solver.minimal_core([0, 1, 2, 3, 4]) in ((2, 3), (0, 1))
    assert solver.minimal_core([0, 2, 3, 4]) == (2, 3)
    assert solver.minimal_core([5, 4]) == (5,)
    assert solver.minimal_core([0, 2, 4]) is None
    assert solver.minimal_core([]) is None
    shared = Retractable(["{ on(0..3) }. :- on(1), on(2), on(3)."], 10)
    assert shared.minimal_core([0, 1, 2, 3]) == (1, 2, 3)
    assert Retractable(["{ on(0..3) }. a. :- a."], 10).minimal_core([0, 1]) == ()
    late = Retractable(["1 { p(X,1..9) } 1 :- X = 1..10. :- p(X,Y), p(Z,Y), X < Z. {on(1)}."], 0.01)
    with pytest.raises(LimitReached):
        late.minimal_core([1])


class Handle:
    """A search that is at its end at the n-th look."""

    def __init__(self, looks: int) -> None:
        self.looks, self.waits = looks, list[float]()
        self.cancelled = False

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None: ...

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        self.looks -= 1
        return self.looks < 0

    def cancel(self) -> None:
        self.cancelled = True

    def get(self) -> Any:
        class Result:
            interrupted, unknown, unsatisfiable = True, False, False

        return Result()


class Control:
    def __init__(self, handle: Handle) -> None:
        self.handle = handle

    def solve(self, async_: bool) -> Handle:
        assert async_
        return self.handle


def test_a_search_is_waited_for_until_its_time_is_over() -> None:
    import time

    handle = Handle(3)
    assert _ends_by(handle, time.monotonic() + 100)
    assert handle.waits == [0.1] * 4
    handle = Handle(1)
    assert _ends_by(handle, time.monotonic() - 1)
    assert handle.waits == [0.0, 0.0]
    assert not _ends_by(Handle(9), time.monotonic() - 1)


def test_a_search_that_is_late_is_cancelled_and_one_that_stops_is_an_error() -> None:
    late = Handle(9)
    with pytest.raises(LimitReached):
        _finished(Control(late), 0.0)
    assert late.cancelled
    stopped = Handle(0)
    with pytest.raises(EngineError):
        _finished(Control(stopped), 0.0)
    assert not stopped.cancelled


def test_encodings_are_read() -> None:
    rules = read_rules(
        """
% a comment
#show a/1.
a(X,_) :- b(X,_,"c d"), not e(_,7), X != Y, N <= #count { Z : f(Z,_) }, g(X,Y,N).
a(c,"c",1).
h(X) :- b(X,Y), X < Y, X > 1, X = X, X >= 2, X <= Y.
"""
    )
    assert list(map(str, rules)) == [
        'a(X,Any1) :- b(X,Any2,"c d"), not e(Any3,7), X != Y, N <= #count { Z : f(Z,Any4) }, '
        "g(X,Y,N).",
        "a(c,c,1).",
        "h(X) :- b(X,Y), X < Y, X > 1, X = X, X >= 2, X <= Y.",
    ]


@pytest.mark.parametrize("program", ["{ a }.", "#const n = 1.", "#minimize { 1 : a }."])
def test_what_is_no_plain_rule_is_refused(program: str) -> None:
    with pytest.raises(EngineError) as caught:
        read_rules(program)
    assert [problem.code for problem in caught.value.problems] == ["encoding"]
