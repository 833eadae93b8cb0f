"""What a graph says to a question: everything on one side of a relation for a topic."""

from __future__ import annotations

from kgverify.graph import Graph
from kgverify.mining.horn import Side


def looked_up(graph: Graph, relation: int, topic: int, side: Side) -> set[int]:
    """The terms on that side of the relation, the topic on the other."""
    if side == "object":
        return {*graph.facts.from_subjects(relation, [topic]).objects.tolist()}
    return {*graph.facts.from_objects(relation, [topic]).subjects.tolist()}
