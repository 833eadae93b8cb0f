"""Families that a test can build a benchmark from."""

from __future__ import annotations

import random

from kgverify.graph import Graph
from kgverify.graph.terms import entity_key
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import Atom, HornRule, MinedRule

X, Y, Z = 0, 1, 2
RULES = (
    HornRule(Atom("spouse", X, Y), (Atom("spouse", Y, X),)),
    HornRule(Atom("child", X, Y), (Atom("parent", Y, X),)),
    HornRule(Atom("parent", X, Y), (Atom("child", Y, X),)),
    HornRule(Atom("parent", X, Y), (Atom("parent", X, Z), Atom("spouse", Z, Y))),
    HornRule(Atom("sibling", X, Y), (Atom("parent", X, Z), Atom("child", Z, Y)), injective=True),
)
Facts = list[tuple[str, str, str]]


def families(number: int) -> Facts:
    """So many couples, each with three children; all that follows is there."""
    facts = []
    for n in range(number):
        mother, father = f"m{n}", f"f{n}"
        facts += [(mother, "spouse", father), (father, "spouse", mother)]
        children = [f"c{n}.{place}" for place in range(3)]
        for child in children:
            for parent in (mother, father):
                facts += [(parent, "child", child), (child, "parent", parent)]
            facts += [(child, "sibling", other) for other in children if other != child]
    return facts


def some_facts(rng: random.Random, number: int) -> Facts:
    """Any facts of few people."""
    people = [f"p{n}" for n in range(6)]
    names = ["spouse", "child", "parent", "sibling"]
    return [(rng.choice(people), rng.choice(names), rng.choice(people)) for _ in range(number)]


def graph_of(facts: Facts) -> Graph:
    triples = [(entity_key(s), r, entity_key(o)) for s, r, o in facts]
    return Graph.from_triples(triples)


def mined(graph: Graph) -> list[MinedRule]:
    return [MinedRule(rule, Evaluator(graph).measure(rule)) for rule in RULES]
