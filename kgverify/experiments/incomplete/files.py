"""Reads mined rules for a benchmark, whoever mined them."""

from __future__ import annotations

from pathlib import Path

from kgverify.errors import KgverifyError, Problem, Span
from kgverify.graph import Graph
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.formats import read_mined_rules
from kgverify.mining.horn import HornRule, MinedRule


def read_rules(path: Path, graph: Graph) -> tuple[tuple[MinedRule, ...], tuple[Problem, ...]]:
    """The rules of a file, each once, with the measures that the file states, or that the graph
    gives where it doesn't state all; and what deserves a warning.

    The graph is measured on the side that `kgverify rules confirm` takes: the one that the file
    names, or that on which the head's relation is more functional.  Raises KgverifyError for a
    rule that can't be read, and for a file without one."""
    found = read_mined_rules(path, graph)
    if not found.rules:
        raise KgverifyError(Problem("no-rules", "there is no rule in it", Span(str(path))))
    evaluator = Evaluator(graph)
    rules: dict[HornRule, MinedRule] = {}
    for imported in found.rules:
        rule = imported.rule.canonical
        if rule not in rules:
            side = imported.stated.pca_side or evaluator.functional_side(rule)
            measures = imported.stated.measures or evaluator.measure(rule, side)
            rules[rule] = MinedRule(rule, measures)
    return tuple(rules.values()), found.warnings
