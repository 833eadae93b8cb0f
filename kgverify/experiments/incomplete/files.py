"""Reads mined rules for a benchmark, whoever mined them."""

from __future__ import annotations

from pathlib import Path

from kgverify.errors import KgverifyError, Problem, Span
from kgverify.graph import Graph
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.formats import read_mined_rules
from kgverify.mining.horn import MinedRule


def read_rules(path: Path, graph: Graph) -> tuple[tuple[MinedRule, ...], tuple[Problem, ...]]:
    """The rules of a file, each once, with the measures that the file states, or that the graph
    gives where it doesn't state all; and what deserves a warning.

    Raises KgverifyError for a rule that can't be read, or whose head's variables its body lacks."""
    found = read_mined_rules(path, graph)
    evaluator = Evaluator(graph)
    rules: dict[object, MinedRule] = {}
    problems = []
    for imported in found.rules:
        rule = imported.rule.canonical
        if not rule.is_safe:
            message = "a variable of the rule's head is not in its body"
            problems.append(Problem("unsafe-variable", message, imported.span))
        elif rule not in rules:
            mined = imported.mined
            measures = mined.measures if mined else evaluator.measure(rule)
            rules[rule] = MinedRule(rule, measures)
    if not found.rules:
        problems.append(Problem("no-rules", "there is no rule in it", Span(str(path))))
    if problems:
        raise KgverifyError(problems)
    return tuple(rules.values()), found.warnings
