"""Candidates from the graph: no answer that is sat may be missed.

Brute force is to verify every entity that the graph or the rule file names.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgverify.generating import possible, reached
from kgverify.graph.terms import Kind
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.knowledge import Knowledge
from kgverify.testing import World
from kgverify.testing.strategies import ENTITIES, worlds
from kgverify.vocabulary import Candidate, Question
from tests.reasoning.small import graph

MANY = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))


def everybody(world: World) -> tuple[Candidate, ...]:
    """Every entity with a name, those that only the rule file names too."""
    names = {key[1:] for key in world.entities} | {*ENTITIES, "e9", "other", "else"}
    return tuple(map(Candidate, sorted(names)))


def ids(knowledge: Knowledge, names: list[str]) -> set[int]:
    """Whom the names mean, each entity once."""
    return {knowledge.identity.one(id_) for id_ in knowledge.resolve(names)[0]}


def missed(world: World, arguments: dict[str, object]) -> list[tuple[str, str, str]]:
    """The sat answers that are not generated: question, entity, by which function."""
    found = []
    for name, template in world.book.questions.items():
        question = Question(name, name, arguments, everybody(world))  # type: ignore[arg-type]
        sat = [v.candidate for v in world.decide([question]).values() if v.verdict == "sat"]
        knowledge = Knowledge(world.graph, world.book)
        generated = {"possible": possible(knowledge, template)}
        near = reached(knowledge, template, arguments)
        if near is not None:
            generated["reached"] = near
        for way, these in generated.items():
            ones = set(knowledge.identity.of(these).tolist())
            found += [
                (name, candidate, way)
                for candidate in sat
                if not ids(knowledge, [candidate]) <= ones
                and max(ids(knowledge, [candidate])) < world.graph.n_terms  # the rule file's own
            ]
    return found


@MANY
@given(worlds(), st.sampled_from(ENTITIES))
def test_every_sat_answer_is_generated(world: World, argument: str) -> None:
    assert missed(world, {"a": argument, "y": "1990", "n": 1}) == []


VALUES = """
class Thing
relation year (Thing, date)
relation name (Thing, string)
relation near (Thing, Thing)
question asked(a: Thing, y: date)
    "?"
    answer x : Thing
    require {}
"""


@pytest.mark.parametrize(
    ("constraint", "names"),
    [
        ("year(x, y)", None),
        ("year(x, 1990)", None),
        ('name(x, "Ann")', None),
        ("(near / year)(x, y)", None),
        ("(near / year | year)(x, y)", None),
        ("any of { year(x, y), near(x, a) }", None),
        ("all of { year(x, y), near(x, a) }", ["bob"]),
        ("near(x, a)", ["bob"]),
        ("(near / near)(x, a)", ["cid"]),
        ("near+(x, a)", ["bob", "cid"]),
        ("(^near)+(a, x)", ["bob", "cid"]),
    ],
)
def test_values_do_not_narrow_down_who_is_reached(constraint: str, names: list[str] | None) -> None:
    """A value may be spelled in many ways; what stands beside it narrows."""
    lines = "ann year 1990\n ann name Ann\n bob near ann\n cid near bob\n ann type Thing"
    kg = graph(lines, year="date", name="string")
    knowledge = Knowledge(kg, load_rules_text(VALUES.format(constraint)))
    template = knowledge.book.questions["asked"]
    near = reached(knowledge, template, {"a": "ann", "y": "1990"})
    found = None if near is None else sorted(map(knowledge.label, near.tolist()))
    assert found == names


@MANY
@given(worlds())
def test_only_named_entities_are_generated_each_once_and_in_order(world: World) -> None:
    knowledge = Knowledge(world.graph, world.book)
    for template in world.book.questions.values():
        found = possible(knowledge, template)
        assert found.tolist() == sorted(set(found.tolist()))
        assert all(kind == Kind.ENTITY for kind in world.graph.kinds(found).tolist())
        assert not set(found.tolist()) & set(knowledge.class_names)
