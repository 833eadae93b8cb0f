"""The parts of exact mode by themselves: its budget, its conflicts, and what it reads off."""

from __future__ import annotations

import time
from dataclasses import fields
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from kgverify.errors import EngineError
from kgverify.reasoning import exact
from kgverify.reasoning.deciding import VERDICTS, Decisions
from kgverify.reasoning.exact import (
    CONFLICT,
    SAT,
    UNK,
    VIOL,
    Budget,
    ExactMode,
    _Asked,
    _fence,
    _Found,
)
from kgverify.reasoning.solver import Consequences, Retractable


@pytest.mark.parametrize(
    ("atoms", "instances", "small"), [(7, 1400, True), (8, 1400, False), (7, 1401, False)]
)
def test_a_budget_bounds_atoms_and_instances(atoms: int, instances: int, small: bool) -> None:
    mode = ExactMode(cast(Any, None), (), Budget(atoms=7))
    size = cast(Any, SimpleNamespace(open_atoms=atoms, instances=instances))
    assert mode._is_small(size) == small


class Statements:
    """Completions of these statements, of which the tuples are facts if they begin with `fact`;
    those of each number in `against` contradict each other."""

    def __init__(self, statements: list[Any], *against: tuple[int, ...]) -> None:
        self._statements = statements
        rules = [":- " + ", ".join(f"on({n})" for n in numbers) + "." for numbers in against]
        self._parts = [f"{{on(0..{len(statements) - 1})}}.", *rules]

    def retractable(self) -> Any:
        return self._parts, self._statements

    def is_fact(self, statement: Any) -> bool:
        return bool(statement[0] == "fact")

    def with_origin(self, statement: Any) -> Any:
        return statement, None


A, B, C, ABOVE, RULE = ("fact", 1), ("fact", 2), ("fact", 3), ("above", 4), "rule"


def fence(*against: tuple[int, ...]) -> tuple[set[Any], list[set[Any]]]:
    completions = cast(Any, Statements([A, B, C, ABOVE, RULE], *against))
    dropped, conflicts = _fence(completions, time.monotonic() + 100)
    return set(dropped), [{statement for statement, _ in conflict} for conflict in conflicts]


def test_facts_that_contradict_each_other_are_set_aside() -> None:
    assert fence() == (set(), [])
    assert fence((0, 1)) == ({A, B}, [{A, B}])
    # The class hierarchy and the rules stay.
    assert fence((0, 3, 4)) == ({A}, [{A, ABOVE, RULE}])
    dropped, conflicts = fence((0, 4), (1, 2))
    assert dropped == {A, B, C}
    assert sorted(map(len, conflicts)) == [2, 2]
    # What is set aside is no part of another conflict.
    assert fence((0, 1), (0, 4))[1] in ([{A, B}], [{A, RULE}])


def test_rules_without_a_completion_are_an_error() -> None:
    with pytest.raises(EngineError, match="rules alone"):
        fence((3, 4))


def test_the_search_for_conflicts_has_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float] = []
    solver = Retractable

    def watched(parts: Any, seconds: float) -> Any:
        given.append(seconds)
        return solver(parts, 100)

    monkeypatch.setattr(exact, "Retractable", watched)
    monkeypatch.setattr(exact, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    assert _fence(cast(Any, Statements([A, B], (0, 1))), 1003.0)[0] == {A, B}
    assert given == [3.0]


def found_of(statuses: list[int]) -> _Found:
    rows = np.array([statuses], np.int8)
    nothing = np.zeros(1, bool)
    return _Found(rows, np.zeros(rows.shape, bool), nothing.copy(), nothing.copy(), nothing.copy())


def asked_about(number: int) -> Any:
    template = SimpleNamespace(constraints=[SimpleNamespace(index=n) for n in range(number)])
    return SimpleNamespace(request=SimpleNamespace(candidates=(5,), template=template))


def atoms(*indices: int) -> frozenset[str]:
    return frozenset(f"holds(0,{index},5)" for index in indices)


ACCEPTED = frozenset({"accepted(0,5)"})


def test_what_the_completions_say_is_read_off() -> None:
    """In all of them, in none, and in some; what is known stays as it is."""
    found = found_of([UNK, UNK, UNK, VIOL, SAT, CONFLICT, UNK, UNK])
    known = Consequences(atoms(0, 2, 3, 5, 6) | ACCEPTED, atoms(0, 3, 5, 6))
    firm = Consequences(atoms(0, 2, 3, 5, 6, 7) | ACCEPTED, atoms(0))
    found.read(asked_about(8), [0], known, firm)
    assert found.statuses.tolist() == [[SAT, VIOL, UNK, VIOL, SAT, CONFLICT, SAT, VIOL]]
    assert found.assumed.tolist() == [[False] * 6 + [True, True]]
    assert (found.rejected.tolist(), found.rejected_firmly.tolist()) == ([False], [False])


@pytest.mark.parametrize(
    ("known", "firm", "rejected"),
    [
        (ACCEPTED, ACCEPTED, (False, False)),
        (frozenset(), ACCEPTED, (True, False)),
        (frozenset(), frozenset(), (True, True)),
        (frozenset(), None, (True, False)),
    ],
)
def test_who_is_rejected(
    known: frozenset[str], firm: frozenset[str] | None, rejected: tuple[bool, bool]
) -> None:
    found = found_of([UNK])
    of = None if firm is None else Consequences(firm, frozenset())
    found.read(asked_about(1), [0], Consequences(known, frozenset()), of)
    assert (bool(found.rejected[0]), bool(found.rejected_firmly[0])) == rejected
    # Without completions that do without absence, everything is said to rest on it.
    assert found.assumed.tolist() == [[of is None]]


@pytest.mark.parametrize(
    ("status", "closed", "known", "assumed", "expected"),
    [
        (UNK, True, True, False, True),
        (UNK, False, True, False, False),
        (SAT, True, True, False, False),
        (UNK, True, False, False, False),
        (SAT, False, True, True, True),
    ],
)
def test_what_completions_say_may_rest_on_absence(
    status: int, closed: bool, known: bool, assumed: bool, expected: bool
) -> None:
    asked = _Asked.__new__(_Asked)
    constraint = SimpleNamespace(index=0, closed=closed)
    template = SimpleNamespace(constraints=[constraint])
    asked.request = cast(Any, SimpleNamespace(template=template))
    asked.decisions = cast(
        Any,
        SimpleNamespace(statuses=np.array([[SAT], [status]]), assumed=np.array([[0], [assumed]])),
    )
    asked._known = cast(Any, {0: np.array([True, known])})
    assert asked.supposes([1]) == expected
    assert not asked.supposes([0])


class Small(ExactMode):
    """Exact mode whose completions are what they were asked with; `fits` says which are small."""

    def __init__(self, *fits: Any) -> None:
        super().__init__(cast(Any, None), cast(Any, ["all"]), Budget())
        self._fits = fits

    def _is_small(self, completions: Any) -> bool:
        return (completions.reach, completions.most) in self._fits


def views(sees: bool) -> Any:
    """A request about views, which are seen in its completions or not."""

    def completions(reach: Any, rows: Any, whole: bool, most: int | None = 32) -> Any:
        return SimpleNamespace(reach=reach[0], most=most, sees=sees and most is not None)

    request = SimpleNamespace(template=SimpleNamespace(names=()))
    return SimpleNamespace(request=request, completions=completions, lean=lambda _: ["lean"])


@pytest.mark.parametrize(
    ("fits", "sees", "lean", "expected"),
    [
        (("all", 32), True, False, ("all", False)),
        (("lean", 32), True, False, ("lean", True)),
        (("lean", 32), False, False, ("all", False)),
        (("all", 32), True, True, ("lean", True)),
    ],
)
def test_what_views_lead_to_is_left_out_only_where_it_is_too_much(
    fits: Any, sees: bool, lean: bool, expected: tuple[str, bool]
) -> None:
    completions, is_lean = Small(fits)._fitting(views(sees), [0], lean)
    assert (cast(Any, completions).reach, is_lean) == expected


def test_as_many_unknown_things_are_imagined_as_the_budget_allows() -> None:
    for fits, most in [((("all", 8), ("all", None)), 8), ((("all", None),), None), ((), None)]:
        assert cast(Any, Small(*fits)._reduced(views(True), [0])).most == most


COLUMNS = ("verdicts", "supports", "statuses", "derived", "assumed")  # that are looked at


def refined(
    required: list[int], preferred: int, verdict: str, rejected: bool, firmly: bool = False
) -> Any:
    """What comes of statuses of required constraints, and of a preferred one of weight 2, which
    are all found open before."""
    statuses = [*required, preferred]
    found = found_of(statuses)
    found.rejected[0], found.rejected_firmly[0] = rejected, firmly
    items = [
        SimpleNamespace(index=n, required=n < len(required), weight=0 if n < len(required) else 2)
        for n in range(len(statuses))
    ]
    before = Decisions(
        verdicts=np.array([VERDICTS.index(verdict)], np.int8),
        supports=[7],
        statuses=np.zeros((1, len(statuses)), np.int8),
        derived=np.zeros((1, len(statuses)), bool),
        assumed=found.assumed.copy(),
        **{f.name: cast(Any, None) for f in fields(Decisions) if f.name not in COLUMNS},
    )
    request = SimpleNamespace(template=SimpleNamespace(items=items, scale=10))
    asked = SimpleNamespace(request=request, decisions=before, beyond={0: "why", 1: "that"})
    return found.refined(cast(Any, asked), cast(Any, None))


@pytest.mark.parametrize(
    ("required", "rejected", "verdict", "joint"),
    [
        ([SAT, SAT], False, "sat", False),
        ([SAT, UNK], False, "unk", False),
        ([SAT, VIOL], True, "viol", False),
        ([UNK, VIOL], False, "viol", False),
        ([UNK, SAT], True, "viol", True),
        ([UNK, CONFLICT], True, "unk", False),
        ([VIOL, CONFLICT], True, "viol", False),
    ],
)
def test_the_verdict_that_follows(
    required: list[int], rejected: bool, verdict: str, joint: bool
) -> None:
    for preferred in (UNK, SAT, VIOL, CONFLICT):
        told = refined(required, preferred, "unk", rejected)
        assert VERDICTS[told.decisions.verdicts[0]] == verdict
        assert (told.joint.tolist(), told.assumed.tolist()) == ([joint], [joint])
        assert told.exact.tolist() == [[status != UNK for status in [*required, preferred]]]
        assert told.decisions.derived.tolist() == told.exact.tolist()
        decided = any(status != UNK for status in [*required, preferred])
        assert told.decisions.supports == [20 if preferred == SAT else 0 if decided else 7]
        assert set(told.beyond) == {n for n in (0, 1) if required[n] == UNK}
    assert refined(required, UNK, "unk", rejected, firmly=True).assumed.tolist() == [False]
    # A verdict that evidence gives stays.
    told = refined(required, UNK, "sat", rejected)
    assert VERDICTS[told.decisions.verdicts[0]] == "sat"
    assert told.joint.tolist() == [False]


def test_support_stays_where_nothing_is_decided() -> None:
    assert refined([UNK, UNK], UNK, "unk", False).decisions.supports == [7]


def test_which_rules_are_about_views() -> None:
    asked = _Asked.__new__(_Asked)
    for relations, sees in [((), False), (("near",), False), (("near", ""), True)]:
        of = {f"view{n}": SimpleNamespace(relation=name) for n, name in enumerate(relations)}
        asked.request = cast(Any, SimpleNamespace(template=SimpleNamespace(views=of)))
        assert asked.sees == sees
    rules = [
        SimpleNamespace(head=SimpleNamespace(arguments=arguments))
        for arguments in [("near", "view0"), ("view0", "near"), ("view1", "X")]
    ]
    assert asked.lean(cast(Any, rules)) == rules[:1]
