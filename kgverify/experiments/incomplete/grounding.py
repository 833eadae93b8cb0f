"""Instances of mined rules, and the triples that they allow to be removed.

Of each rule some groundings are drawn, for which body and head hold.  Then, one of each rule at a
time, they are selected where both constraints of the paper's section 3.2 can be kept:

- the body of a selected grounding stays in the graph: none of it was removed;
- a head that is removed is in no selected grounding's body, its own included.

So every removed triple can be inferred from what is left, by the selected groundings themselves.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from kgverify.graph import Graph
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import MinedRule
from kgverify.mining.spelling import rule_line

PER_RULE = 30
_LISTED = 100_000  # groundings of a rule among which is drawn, in the order of ids


@dataclass(frozen=True, slots=True)
class Grounding:
    """An instance of a rule: the rows of its head and its body's atoms in the graph."""

    rule: int
    head: int
    body: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """The groundings that were drawn, and those of them that were selected, both by rule."""

    drawn: tuple[int, ...]
    groundings: tuple[Grounding, ...]

    @property
    def removed(self) -> tuple[int, ...]:
        """The rows of the heads, ascending."""
        return tuple(sorted({g.head for g in self.groundings}))


def select(
    graph: Graph,
    rules: Sequence[MinedRule],
    seed: int,
    per_rule: int = PER_RULE,
    progress: Callable[[str], None] = lambda _: None,
) -> Selection:
    """Draws up to `per_rule` groundings of each rule, and selects among them.

    What is drawn of a rule hangs on the seed and the rule alone; whose turn it is to be selected,
    on the order of the rules."""
    evaluator = Evaluator(graph)
    drawn = []
    for number, mined in enumerate(rules):
        progress(f"groundings of rule {number + 1:,} of {len(rules):,}")
        drawn.append(_drawn(evaluator, number, mined, seed, per_rule))
    groundings = tuple(_compatible(in_turn(drawn)))
    by_rule = sorted(groundings, key=lambda g: g.rule)
    return Selection(tuple(map(len, drawn)), tuple(by_rule))


def _drawn(
    evaluator: Evaluator, number: int, mined: MinedRule, seed: int, per_rule: int
) -> list[Grounding]:
    """Some groundings of a rule in random order, all different; only those whose head's object is
    an entity, since it may have to be a question's topic or answer."""
    graph, rule = evaluator.graph, mined.rule
    found = evaluator.groundings(rule, _LISTED)
    columns = []
    for atom in rule.atoms:
        subjects, objects = found.pairs(atom)
        columns.append(graph.facts.rows(graph.relation_id(atom.relation), subjects, objects))
    rows = np.stack(columns, 1)[found.of(rule.head.object) < graph.entities()]
    rows = np.unique(rows, axis=0)
    chance = random.Random(f"{seed} groundings {rule_line(rule)}")
    chosen = chance.sample(range(len(rows)), min(per_rule, len(rows)))
    return [Grounding(number, head, tuple(body)) for head, *body in rows[chosen].tolist()]


def in_turn(lists: Sequence[Sequence[Grounding]]) -> Iterator[Grounding]:
    """The first of each list, then the second of each …"""
    for row in zip_longest(*lists):
        yield from (grounding for grounding in row if grounding is not None)


def _compatible(groundings: Iterator[Grounding]) -> Iterator[Grounding]:
    """Those that can be selected together, each decided when its turn comes."""
    kept: set[int] = set()
    removed: set[int] = set()
    for grounding in groundings:
        is_needed = grounding.head in kept or grounding.head in grounding.body
        if not is_needed and removed.isdisjoint(grounding.body):
            kept.update(grounding.body)
            removed.add(grounding.head)
            yield grounding
