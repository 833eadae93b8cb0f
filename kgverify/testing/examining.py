"""Runs laws over random worlds; a world that breaks one is made as small as it gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any, Literal, TypeVar

import msgspec
from hypothesis import HealthCheck, Phase, assume, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from kgverify.errors import EngineError, QuestionError, RuleError
from kgverify.graph import Graph
from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook
from kgverify.testing.changes import narrowed
from kgverify.testing.law import Breach, Law, Scope
from kgverify.testing.laws import LAWS
from kgverify.testing.own_worlds import own_worlds, pieces_of
from kgverify.testing.strategies import worlds
from kgverify.testing.world import World
from kgverify.vocabulary import Candidate

Result = Literal["holds", "fails", "unchecked"]
WorldsOf = Callable[[Scope], st.SearchStrategy[World]]
Item = TypeVar("Item")


@dataclass(frozen=True)
class Counterexample:
    """A world that breaks a law, the change that does it, and how.  No fact, denied fact,
    statement, constraint, question or candidate can be left out of it."""

    world: World
    change: Any
    breach: Breach


@dataclass(frozen=True)
class Outcome:
    """What became of a law: it `holds` of all `examples` worlds, it `fails`, or it is `unchecked`
    for the reason in `note`."""

    law: Law
    result: Result
    examples: int
    note: str = ""
    counterexample: Counterexample | None = None


def random_worlds(scope: Scope) -> st.SearchStrategy[World]:
    """Worlds with random rule files, within a scope."""
    return worlds(**asdict(scope), size=9)


def examine(
    law: Law,
    worlds_of: WorldsOf = random_worlds,
    examples: int = 100,
    seed: int = 0,
    on_example: Callable[[], None] = lambda: None,
) -> Outcome:
    """Checks a law on so many random worlds; the same seed draws the same worlds.

    `worlds_of` gives the worlds of a scope.  `on_example` is called after each example."""
    if law.missing:
        return Outcome(law, "unchecked", 0, law.missing)
    checked = 0

    def is_broken(case: tuple[World, Any]) -> bool:
        nonlocal checked
        world, change = case
        assume(law.speaks_of(world, change))
        checked += 1
        on_example()
        return _breach(law, world, change) is not None

    quiet = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate,),  # `smallest` shrinks, and the rule file too
        suppress_health_check=list(HealthCheck),
    )
    try:
        world, change = find(cases(law, worlds_of), is_broken, settings=quiet, random=Random(seed))
    except (NoSuchExample, Unsatisfiable):
        if checked:
            return Outcome(law, "holds", checked)
        return Outcome(law, "unchecked", 0, "no random world met the law's condition")
    return Outcome(law, "fails", checked, "", smallest(law, world, change))


def examine_rules(
    book: RuleBook,
    graph: Graph | None = None,
    laws: Sequence[Law] = LAWS,
    examples: int = 50,
    seed: int = 0,
    on_example: Callable[[], None] = lambda: None,
) -> Iterator[Outcome]:
    """Checks laws on a rule file: on random small graphs over its own words and, with a graph,
    over pieces of that.  Raises RuleError when the rule file has no question."""
    pieces = pieces_of(graph, book, Random(seed)) if graph is not None else []

    def worlds_of(scope: Scope) -> st.SearchStrategy[World]:
        return own_worlds(book, scope, pieces)

    own_worlds(book)  # a rule file that can't be examined is told of before anything is run
    for law in laws:
        outcome = examine(law, worlds_of, examples, seed, on_example)
        if book.complete and not law.missing and not any(x.complete for x in law.scopes):
            outcome = replace(outcome, note="checked without the file's completeness statements")
        yield outcome


@st.composite
def cases(draw: st.DrawFn, law: Law, worlds_of: WorldsOf = random_worlds) -> tuple[World, Any]:
    """A world that a law speaks of, and a change; some don't meet the law's condition."""
    world = draw(st.one_of([worlds_of(scope) for scope in law.scopes]))
    return world, draw(law.changes(world))


def _breach(law: Law, world: World, change: Any) -> Breach | None:
    """How the law is broken; an engine that gives no verdict breaks every law."""
    try:
        return law.breach(world, change)
    except (EngineError, RuleError, QuestionError) as error:
        codes = ", ".join(sorted({p.code for p in error.problems if p.is_error}))
        return Breach(f"there is no verdict: {error}", error=codes)


# ---------------------------------------------------------------- smaller


def smallest(law: Law, world: World, change: Any) -> Counterexample:
    """The world with everything left out that the breach doesn't need."""

    breach = _breach(law, world, change)
    assert breach is not None
    error = breach.error

    def still(candidate: World) -> bool:
        """Does the candidate break the law in the same way?"""
        try:
            templates = candidate.book.questions
        except RuleError:
            return False
        if any(question.question not in templates for question in candidate.asked):
            return False
        if not law.speaks_of(candidate, change):
            return False
        found = _breach(law, candidate, change)
        return found is not None and found.error == error

    size = -1
    while size != (size := _size(world)):
        for smaller in (_fewer_questions, _fewer_facts, _fewer_statements):
            world = smaller(world, still)
    breach = _breach(law, world, change)
    assert breach is not None
    return Counterexample(world, narrowed(change, world), breach)


def _size(world: World) -> int:
    asked = sum(1 + len(question.candidates) for question in world.asked)
    return len(world.facts) + len(world.denied) + len(world.dated) + len(world.rules) + asked


Still = Callable[[World], bool]


def _fewer(items: Sequence[Item], holds: Callable[[tuple[Item, ...]], bool]) -> tuple[Item, ...]:
    """The items without those that can be left out one after the other, the last ones first."""
    kept = tuple(items)
    for place in reversed(range(len(kept))):
        without = kept[:place] + kept[place + 1 :]
        if holds(without):
            kept = without
    return kept


def _fewer_questions(world: World, still: Still) -> World:
    asked = _fewer(world.asked, lambda found: still(replace(world, asked=found)))
    world = replace(world, asked=asked)
    for place in range(len(asked)):
        world = _fewer_candidates(world, place, still)
    return world


def _fewer_candidates(world: World, place: int, still: Still) -> World:
    def about(candidates: tuple[Candidate, ...]) -> World:
        question = msgspec.structs.replace(world.asked[place], candidates=candidates)
        return replace(world, asked=(*world.asked[:place], question, *world.asked[place + 1 :]))

    return about(_fewer(world.asked[place].candidates, lambda found: still(about(found))))


def _fewer_facts(world: World, still: Still) -> World:
    facts = _fewer(world.facts, lambda found: still(replace(world, facts=found)))
    world = replace(world, facts=facts)
    denied = _fewer(world.denied, lambda found: still(replace(world, denied=found)))
    world = replace(world, denied=denied)
    dated = _fewer(world.dated, lambda found: still(replace(world, dated=found)))
    return replace(world, dated=dated)


def _fewer_statements(world: World, still: Still) -> World:
    kept = _fewer(world.statements, lambda found: still(world.with_statements(found)))
    if len(kept) < len(world.statements):
        world = world.with_statements(kept)
    for place, statement in enumerate(kept):
        for simpler in _simpler(statement):
            statements = (*world.statements[:place], simpler, *world.statements[place + 1 :])
            if still(world.with_statements(statements)):
                world = world.with_statements(statements)
                break
    return world


def _simpler(statement: s.Statement) -> Iterator[s.Statement]:
    """The statement with one part less."""
    match statement:
        case s.RelationDeclaration(properties=parts):
            for n in range(len(parts)):
                yield replace(statement, properties=parts[:n] + parts[n + 1 :])
        case s.Question(items=items):
            for n in range(len(items)):
                yield replace(statement, items=items[:n] + items[n + 1 :])
        case s.Rule(body=body) if len(body) > 1:
            for n in range(len(body)):
                yield replace(statement, body=body[:n] + body[n + 1 :])
        case s.SoftRule(rule=rule) if len(rule.body) > 1:
            for n in range(len(rule.body)):
                shorter = replace(rule, body=rule.body[:n] + rule.body[n + 1 :])
                yield replace(statement, rule=shorter)
