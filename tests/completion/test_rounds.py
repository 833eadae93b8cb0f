"""Missing edges are searched for round by round, with one threshold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion import rounds
from kgverify.completion.admission import Admission, Conflicts, decide
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge
from kgverify.completion.policy import CAREFUL, PAPER, Policy, configured
from kgverify.completion.rounds import complete
from tests.completion.proposed import candidate, candidates, edge, policies


class Script:
    """Proposes, for each round, what is written down for it."""

    def __init__(self, *rounds: Sequence[CandidateEdge]) -> None:
        self.rounds = rounds
        self.asked: list[tuple[Breakpoint, ...]] = []

    def propose(self, missing: Sequence[Breakpoint], round: int) -> Sequence[CandidateEdge]:
        assert round == len(self.asked)
        self.asked.append(tuple(missing))
        return self.rounds[round] if round < len(self.rounds) else ()


ONE, TWO = Breakpoint("s", "r"), Breakpoint("t", "r")


def test_what_is_rejected_is_searched_for_again() -> None:
    script = Script(
        [candidate("s r x", "p1:U"), candidate("t r y", "p1:E")],
        [candidate("s r x", "p1:N"), candidate("t r z", "p2:E")],
        [candidate("s r x", "p3:E")],
    )
    found = complete([TWO, ONE, ONE], script, CAREFUL)
    assert script.asked == [(ONE, TWO), (ONE,), (ONE,)]
    assert [(str(one.edge), one.round) for one in found.admitted] == [
        ("r(t, y)", 0),
        ("r(s, x)", 2),
    ]
    # The edge for a place that was not asked about any more is left out.
    assert [(str(one.edge), one.round) for one in found.rejected] == [
        ("r(s, x)", 0),
        ("r(s, x)", 1),
    ]
    assert (found.abstained, found.rounds, found.proven) == ((), 3, True)


@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_there_are_one_and_k_rounds_at_most(k: int) -> None:
    script = Script()
    found = complete([ONE], script, configured("paper", {"k": k}))
    assert (len(script.asked), found.rounds) == (1 + k, 1 + k)
    assert (found.admitted, found.abstained) == ((), (ONE,))
    assert complete([], Script(), PAPER).rounds == 0


class Excluder:
    """r has one object for a subject, and no three edges hold together."""

    def __init__(self) -> None:
        self.asked: list[tuple[set[Edge], set[Edge]]] = []

    def conflicts(self, edges: Sequence[Edge], admitted: Collection[Edge]) -> Conflicts:
        self.asked.append((set(edges), set(admitted)))
        held = {one.object for one in admitted}
        return Conflicts({one: ("it is taken",) for one in edges if one.object in held})

    def check(self, edges: Collection[Edge]) -> frozenset[Edge] | None:
        return frozenset(sorted(edges)[:3]) if len(edges) > 2 else None


def test_what_is_admitted_excludes_in_later_rounds() -> None:
    script = Script(
        [candidate("s r x", "p1:E"), candidate("t r x", "p1:U")],
        [candidate("t r x", "p2:E"), candidate("t r y", "p2:E"), candidate("t r z", "p2:E")],
    )
    excluder = Excluder()
    found = complete([ONE, TWO], script, CAREFUL, excluder)
    assert [str(one.edge) for one in found.admitted] == ["r(s, x)", "r(t, y)"]
    assert [(str(one.edge), [r.text for r in one.reasons]) for one in found.rejected] == [
        ("r(t, x)", ["passages leave it UNCERTAIN"]),
        ("r(t, x)", ["it conflicts with it is taken"]),
        ("r(t, z)", ["r(t, y) is added, and the two can't both hold"]),
    ]
    assert excluder.asked[1][1] == {edge("s r x")}


def test_what_is_not_proved_in_some_round_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = decide

    def unsure(*args: object, round: int, seconds: float) -> Admission:
        found = plain(*args, round=round, seconds=seconds)  # type: ignore[arg-type]
        return Admission(found.admitted, found.rejected, proven=round != 1)

    monkeypatch.setattr(rounds, "decide", unsure)
    assert not complete([ONE], Script(), PAPER).proven
    assert complete([ONE], Script(), configured("paper", {"k": 0})).proven


@settings(max_examples=100, deadline=None)
@given(st.lists(candidates(), min_size=1, max_size=4), policies())
def test_the_threshold_never_moves(proposed: list[list[CandidateEdge]], policy: Policy) -> None:
    missing = [Breakpoint(name, relation) for name in "xyz" for relation in "rs"]
    seen: list[Fraction] = []
    plain = decide

    def watched(asked: object, used: Policy, *more: object, **named: object) -> Admission:
        seen.append(used.tau)
        return plain(asked, used, *more, **named)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "decide", watched)
        found = complete(missing, Script(*proposed), policy)
    assert set(seen) == {policy.tau}
    assert found.policy == policy
    assert found.rounds <= 1 + policy.k
    # In whatever round: an admitted edge reaches the threshold, and each place has its round.
    by_place: dict[Breakpoint, set[int]] = {}
    for one in found.admitted:
        assert one.weighed.final is not None
        assert one.weighed.final >= policy.tau
        by_place.setdefault(Breakpoint(one.edge.subject, one.edge.relation), set()).add(one.round)
    assert all(len(numbers) == 1 for numbers in by_place.values())
    assert set(found.abstained) == set(missing) - by_place.keys()
