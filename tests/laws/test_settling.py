"""What is named to settle paths, comparisons, counts and times does it, and nothing less does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kgverify.errors import RuleError
from kgverify.testing import World
from kgverify.testing.laws import Settle, named_to_settle, unsettled
from kgverify.testing.strategies import question_atoms, worlds
from kgverify.vocabulary import Candidate, Question
from tests.laws.common import LAW

QUESTION = """
question views(a: Alpha, y: date, n: integer)
    "?"
    answer x : Beta
"""


@st.composite
def asked_about_views(draw: st.DrawFn, complete: bool) -> World:
    """A world without ranks, in which one question is asked, about one or two views."""
    world = draw(worlds(closed=False, complete=complete, ranked=False, size=9))
    atoms = draw(st.lists(question_atoms(), min_size=1, max_size=2, unique=True))
    items = "".join(f"    prefer {atom}\n" for atom in atoms)
    arguments = {"a": draw(st.sampled_from(("e0", "e1"))), "y": "1990-05"}
    number = draw(st.integers(0, 3))
    candidates = tuple(Candidate(f"e{n}") for n in range(2))
    asked = Question("views", "views", {**arguments, "n": number}, candidates)
    rules = world.rules.rstrip() + QUESTION + items
    world = replace(world, rules=rules, asked=(asked,))
    assume(_passes(world))
    return world


def _passes(world: World) -> bool:
    try:
        return bool(world.book)
    except RuleError:
        return False


def smaller(change: Settle) -> Iterator[Settle]:
    """The change with something left out, in every way."""
    pieces = [("facts", x) for x in change.facts] + [("dated", x) for x in change.dated]
    pieces += [("statements", x) for x in change.statements]
    for size in range(len(pieces)):
        for kept in combinations(pieces, size):
            parts = {
                field: tuple(x for name, x in kept if name == field)
                for field in ("facts", "dated", "statements")
            }
            yield replace(change, **parts)


@given(st.data(), st.booleans())
@settings(LAW, max_examples=100)
def test_what_is_named_settles_and_nothing_less_does(data: st.DataObject, complete: bool) -> None:
    world = data.draw(asked_about_views(complete))
    found = named_to_settle(world)
    assume(found)
    change = data.draw(st.sampled_from(found))
    breach = unsettled(world, change)
    assert breach is None, (breach.what, str(change))
    key = change.question, change.candidate
    for less in smaller(change):
        after = less.apply(world).verdicts.get(key)
        assert after is None or after.statuses[change.constraint] != change.status, str(less)
