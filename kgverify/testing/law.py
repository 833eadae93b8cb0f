"""What a law is: a statement about verdicts, and a way to break it if it can be broken.

A law is checked on one world and one *change*: a random thing to do to the world, such as adding a
fact.  A change is a value that knows how to apply itself, so that it can be shown, and applied
again while the world shrinks around it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from hypothesis import strategies as st

from kgverify.errors import RuleError
from kgverify.graph.terms import time_interval
from kgverify.language import syntax as s
from kgverify.testing.world import World, rewrite
from kgverify.verdicts import Verdict


class Change(Protocol):
    """Something done to a world; `str` says what, in words for people."""

    def apply(self, world: World) -> World:
        """The world after the change.  May raise RuleError, when no such world exists."""


@dataclass(frozen=True)
class Nothing:
    """The change of a law that compares a world with itself."""

    def apply(self, world: World) -> World:
        return world

    def __str__(self) -> str:
        return "nothing is changed"


def unchanged(world: World) -> st.SearchStrategy[Change]:
    return st.just(Nothing())


@dataclass(frozen=True)
class Scope:
    """Which worlds a law speaks of: with completeness statements or without, with constraints that
    `assume closed` or without, and with terms that may be others (blank nodes, values without
    meaning, partial dates) or without, with facts that have a period or a rank or without, with
    facts that have a rank or without."""

    complete: bool = True
    closed: bool = True
    vague: bool = True
    dated: bool = True
    ranked: bool = True

    def admits(self, world: World) -> bool:
        return (
            (self.complete or not world.book.complete)
            and (self.closed or not any(map(assumes_closed, world.book.questions.values())))
            and (self.dated or not world.dated)
            and (self.ranked or not any(fact[5] for fact in world.dated))
            and (self.vague or not any(map(may_be_another, world.terms)))
        )

    def restrict(self, world: World) -> World:
        """The world whose rule file says nothing that lies outside the scope; its facts stay."""
        found = world.statements
        if not self.complete:
            found = tuple(x for x in found if not isinstance(x, s.Complete))
        if not self.closed:
            found = rewrite(found, _opened)
        return world if found == world.statements else world.with_statements(found)


ANY = Scope()


def _opened(node: Any) -> Any:
    """A constraint without its `assume closed`."""
    return replace(node, closed=False) if isinstance(node, s.Literal) and node.closed else node


def assumes_closed(question: s.Question) -> bool:
    """Does some constraint count absence as falsehood?"""
    leaves = (leaf for item in question.items for leaf in s.leaves(item.condition))
    return any(isinstance(leaf, s.Literal) and leaf.closed for leaf in leaves)


def may_be_another(key: str) -> bool:
    """May this term be the same as a term of another key?"""
    if key[0] == "b" or key.startswith("lill "):
        return True
    interval = time_interval(key)
    return interval is not None and interval[1] - interval[0] > _DAY


_DAY = 86_400  # seconds


@dataclass(frozen=True)
class Breach:
    """How a law was broken: what is wrong, in one sentence, and the verdicts that show it.

    `question` and `candidate` are "" when the law is not about one candidate; `before` and `after`
    are the verdicts on it, None where there is none.  `error` holds the codes of the problems when
    the engine gave no verdict."""

    what: str
    question: str = ""
    candidate: str = ""
    before: Verdict | None = None
    after: Verdict | None = None
    error: str = ""


def always(world: World, change: Any) -> bool:
    return True


@dataclass(frozen=True)
class Law:
    """A law of the semantics.

    `condition` says when it holds ("" for always): `scopes` and `suits` check it, the first on the
    world, the second on the world and the change.  `changes` draws a change for a world.  `breach`
    checks the law: None when it holds, else how it is broken.  A law whose subject this version
    doesn't have says so in `missing`; there is nothing to check then."""

    number: int
    name: str
    statement: str
    condition: str = ""
    missing: str = ""
    scopes: tuple[Scope, ...] = (ANY,)
    changes: Callable[[World], st.SearchStrategy[Any]] = unchanged
    suits: Callable[[World, Any], bool] = always
    breach: Callable[[World, Any], Breach | None] = lambda world, change: None

    def __str__(self) -> str:
        return f"law {self.number}, {self.name}"

    def speaks_of(self, world: World, change: Any) -> bool:
        """Does the law's condition hold for this world and change?  A change that leaves no valid
        rule file behind is one that no condition holds for."""
        try:
            return any(scope.admits(world) for scope in self.scopes) and self.suits(world, change)
        except RuleError:
            return False
