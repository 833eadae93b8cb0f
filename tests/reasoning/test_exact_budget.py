"""What exact mode does at the end of its time and beyond its atoms, and what rests on absence."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.reasoning import exact, solver
from kgverify.reasoning.exact import Budget, ExactMode, Refined
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question
from tests.reasoning.small import graph, statuses

RULES = """
class Country, City
disjoint Country, City
relation capital (Country, City) functional
relation near (City, City)
question ask(a: City, b: City)
    "?"
    answer x : Country
    require {}
"""
EXCLUDE = "not all of { capital(x, a), capital(x, b) }"
KNOWN = """
nz type Country
uk type Country
wellington type City
auckland type City
"""


@dataclass
class Answer:
    verdicts: dict[str, Verdict]
    codes: list[str]

    def statuses(self) -> dict[str, list[str]]:
        return {name: statuses(verdict) for name, verdict in self.verdicts.items()}


def ask(
    constraints: str,
    *candidates: str,
    kg: Graph | None = None,
    budget: Budget | bool = True,
) -> Answer:
    book = load_rules_text(RULES.format(constraints))
    verifier = Verifier(kg or graph(KNOWN), book, "rank", exact=budget)
    names = {"a": "wellington", "b": "auckland"}
    asked = Question("q", "ask", names, tuple(map(Candidate, candidates)))
    ((verdicts, problems),) = verifier.verify([asked])
    return Answer({v.candidate: v for v in verdicts}, [p.code for p in problems])


def refinements(monkeypatch: pytest.MonkeyPatch) -> list[Refined]:
    """What exact mode finds from now on."""
    found: list[Refined] = []
    refine = ExactMode.refine

    def kept(self: ExactMode, *args: Any) -> Refined:
        found.append(refine(self, *args))
        return found[-1]

    monkeypatch.setattr(ExactMode, "refine", kept)
    return found


class Clock:
    """A clock that shows these times, one at each look, and the last for ever."""

    def __init__(self, *times: float) -> None:
        self._times = list(times)

    def monotonic(self) -> float:
        return self._times.pop(0) if len(self._times) > 1 else self._times[0]


def watched(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> list[float]:
    """The seconds that searches for consequences are given from now on; they take what they
    need."""
    given: list[float] = []
    search = solver.consequences

    def consequences(program: Any, seconds: float) -> Any:
        given.append(seconds)
        return search(program, 100)

    monkeypatch.setattr(exact, "time", SimpleNamespace(monotonic=clock.monotonic))
    monkeypatch.setattr(exact, "consequences", consequences)
    return given


def test_the_least_budgets() -> None:
    assert (Budget(atoms=1).atoms, Budget(seconds=0.5).seconds) == (1, 0.5)


def test_a_second_is_enough_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    given = watched(monkeypatch, Clock(1000.0))
    answer = ask(EXCLUDE, "nz", budget=Budget(seconds=1.0))
    assert (answer.statuses(), answer.codes, given) == ({"nz": ["sat"]}, [], [1.0])


def test_nothing_is_begun_at_the_end_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given = watched(monkeypatch, Clock(1000.0, 1005.0))
    answer = ask(EXCLUDE, "nz", budget=Budget(seconds=5.0))
    assert (answer.statuses(), answer.codes, given) == ({"nz": ["unk budget"]}, ["budget"], [])


def test_each_search_has_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first finds no completion; the others, without the facts at fault, are as limited."""
    kg = graph(KNOWN + "nz capital wellington \n nz capital auckland")
    given = watched(monkeypatch, Clock(1000.0, 1002.0))
    constraints = f'{EXCLUDE} \n    require near("wellington", "auckland") assume closed'
    answer = ask(constraints, "nz", kg=kg, budget=Budget(seconds=5.0))
    assert answer.codes == ["inconsistent"]
    assert given
    assert set(given) == {3.0}


def test_what_is_too_much_together_is_decided_in_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def one_at_a_time(self: ExactMode, completions: Any) -> bool:
        sizes.append(len(completions.request.candidates))
        return sizes[-1] == 1

    monkeypatch.setattr(ExactMode, "_is_small", one_at_a_time)
    answer = ask(EXCLUDE, "nz", "uk")
    assert answer.statuses() == {"nz": ["sat"], "uk": ["sat"]}
    assert (answer.codes, sizes) == ([], [2, 1, 1])
    sizes.clear()
    answer = ask(EXCLUDE, "nz", "uk", "wellington", "auckland")
    assert {name: v.verdict for name, v in answer.verdicts.items()} == {
        "nz": "sat",
        "uk": "sat",
        "wellington": "viol",
        "auckland": "viol",
    }


ABSENT = 'near("wellington", "auckland") assume closed'
OR_ABSENT = f"any of {{ capital(x, b), {ABSENT} }}"


@pytest.mark.parametrize(
    ("constraint", "status", "assumed"),
    [
        (f"not all of {{ capital(x, a), {OR_ABSENT} }}", "sat", True),
        (f"all of {{ capital(x, a), {OR_ABSENT} }}", "viol", True),
        (f"any of {{ {EXCLUDE}, {ABSENT} }}", "sat", False),
        (f"all of {{ capital(x, a), capital(x, b), not {ABSENT} }}", "viol", False),
        (EXCLUDE, "sat", False),
    ],
)
def test_what_rests_on_absence_is_said(
    constraint: str, status: str, assumed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = refinements(monkeypatch)
    assert ask(constraint, "nz").statuses() == {"nz": [status]}
    (refined,) = found
    assert set(refined.decisions.assumed[refined.exact].tolist()) == {assumed}


@pytest.mark.parametrize(
    ("other", "assumed"),
    [(OR_ABSENT, True), (f"capital(x, b)\n    require not {ABSENT}", False)],
)
def test_what_cannot_be_met_together_may_rest_on_absence(
    other: str, assumed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = refinements(monkeypatch)
    answer = ask(f"capital(x, a)\n    require {other}", "nz")
    assert answer.verdicts["nz"].verdict == "viol"
    (refined,) = found
    assert (refined.joint.tolist(), refined.assumed.tolist()) == ([True], [assumed])


def test_nothing_is_decided_where_views_take_too_many_atoms() -> None:
    kg = graph("thing owns nz \n wellington type City \n auckland type City")
    path = 'near/near/near("auckland", "auckland")'
    answer = ask(path, "nz", kg=kg, budget=Budget(atoms=10))
    assert (answer.statuses(), answer.codes) == ({"nz": ["unk budget"]}, ["budget"])
    assert {c.status for c in answer.verdicts["nz"].constraints} == {"unk"}


def test_nothing_is_decided_about_a_name_that_nobody_knows() -> None:
    at = 'near("wellington", "atlantis")'
    for constraint in (f"any of {{ {at}, not {at} }}", f"not all of {{ {at}, not {at} }}"):
        answer = ask(constraint, "nz")
        assert answer.verdicts["nz"].verdict == "unk", constraint
