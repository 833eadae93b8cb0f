"""The random worlds are worth drawing: they reach every construct and every verdict."""

from __future__ import annotations

import pytest
from hypothesis import Phase, find, settings

from kgverify.language import syntax as s
from tests.laws.common import LAW, decide
from tests.worlds import World, worlds

# Found is enough: nobody reads these examples, so none is made smaller.
FIND = settings(LAW, max_examples=3000, database=None, phases=[Phase.generate])


def conditions(world: World) -> list[s.Constraint]:
    return [item.condition for q in world.book.questions.values() for item in q.items]


@pytest.mark.parametrize("verdict", ["sat", "unk", "viol"])
def test_every_verdict_is_reached(verdict: str) -> None:
    assert find(worlds(), lambda w: any(v.verdict == verdict for v in decide(w)), settings=FIND)


@pytest.mark.parametrize("status", ["sat", "viol"])
def test_groups_are_decided(status: str) -> None:
    def decided(world: World) -> bool:
        return any(
            c.text.startswith(("any of", "all of", "at least", "not all")) and c.status == status
            for verdict in decide(world)
            for c in verdict.constraints
        )

    assert find(worlds(), decided, settings=FIND)


@pytest.mark.parametrize("status", ["sat", "viol"])
def test_relations_at_a_time_are_decided(status: str) -> None:
    def decided(world: World) -> bool:
        return any(
            " at 19" in c.text and c.status == status
            for verdict in decide(world)
            for c in verdict.constraints
        )

    assert find(worlds(), decided, settings=FIND)


@pytest.mark.parametrize(
    "drawn",
    [
        lambda w: len(conditions(w)) >= 3,
        lambda w: any(isinstance(c, s.Group) for c in conditions(w)),
        lambda w: bool(w.book.complete),
        lambda w: any(r.head.negated for r in w.book.rules if r.body),
        lambda w: any(getattr(c, "negated", False) for r in w.book.rules for c in r.body),
        lambda w: bool(w.book.same),
        lambda w: any(fact[1].endswith("sameAs") for fact in w.facts),
        lambda w: any(getattr(c, "at", None) for c in conditions(w)),
        lambda w: any(fact[3] and fact[5] == "preferred" for fact in w.dated),
        lambda w: len(w.facts) >= 8,
    ],
    ids=[
        "constraints",
        "groups",
        "complete",
        "denials",
        "negation",
        "same",
        "sameAs",
        "at",
        "dated",
        "facts",
    ],
)
def test_every_construct_is_drawn(drawn: object) -> None:
    assert find(worlds(), drawn, settings=FIND)  # type: ignore[arg-type]
