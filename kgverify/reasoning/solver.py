"""The one module that imports clingo.

Program text goes in; frozen values come out: rules of an encoding, or the shown atoms of the one
answer set of a program.  A program with no answer set or with two is an error, never a verdict.
"""

from __future__ import annotations

from typing import Any

from kgverify.errors import EngineError, Problem
from kgverify.reasoning.datalog import (
    Aggregate,
    Atom,
    Compare,
    Condition,
    Origin,
    Rule,
    Variable,
)


def solve(*parts: str) -> list[str]:
    """The shown atoms, as text, of the single answer set of the program made of `parts`.

    Raises EngineError when clingo rejects the program, stops, or finds no or several answer sets.
    """
    import clingo

    messages: list[str] = []
    control = clingo.Control(
        ["--models=2", "--warn=no-atom-undefined"],
        logger=lambda code, message: messages.append(f"{code.name}: {message}"),
    )
    try:
        control.add("base", [], "\n".join(parts))
        control.ground([("base", [])])
        shown: list[str] | None = None
        with control.solve(yield_=True) as handle:
            for model in handle:
                if shown is not None:
                    raise EngineError(Problem("several-answer-sets", "the program is ambiguous"))
                # One call for all: atoms hold names and numbers only, so none contains a space.
                shown = str(model).split()
            finished = handle.get()
    except RuntimeError as error:
        raise EngineError(
            Problem("solver", f"clingo: {error}", hint="; ".join(messages))
        ) from error
    if messages:
        raise EngineError(Problem("solver", "clingo complained: " + "; ".join(messages)))
    if shown is None or finished.interrupted or not finished.exhausted:
        raise EngineError(Problem("no-answer-set", "the solver reached no answer set"))
    return shown


def read_rules(text: str) -> list[Rule]:
    """The rules of an encoding, in order; anonymous variables get names of their own.

    Raises EngineError on anything but rules of plain literals, comparisons and counts, `#show` and
    comments."""
    from clingo import ast

    rules: list[Rule] = []

    def visit(node: Any) -> None:
        if node.ast_type in (ast.ASTType.Program, ast.ASTType.Comment, ast.ASTType.ShowSignature):
            return
        if node.ast_type != ast.ASTType.Rule:
            raise EngineError(Problem("encoding", f"{node} is no plain rule"))
        names = _Fresh()
        head = _atom(node.head, names)
        body = tuple(_condition(part, names) for part in node.body)
        rules.append(Rule(head, body, Origin("encoding", "")))

    ast.parse_string(text, visit)
    return rules


class _Fresh:
    """Names for anonymous variables, unique within a rule."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> Variable:
        self.count += 1
        return Variable(f"Any{self.count}")


def _atom(literal: Any, names: _Fresh) -> Atom:
    from clingo import ast

    function = literal.atom.symbol
    arguments = tuple(_argument(part, names) for part in function.arguments)
    return Atom(function.name, arguments, literal.sign == ast.Sign.Negation)


def _condition(literal: Any, names: _Fresh) -> Condition:
    from clingo import ast

    if literal.atom.ast_type == ast.ASTType.Comparison:
        (guard,) = literal.atom.guards
        operator = _operator(guard.comparison)
        return Compare(_argument(literal.atom.term, names), operator, _argument(guard.term, names))
    if literal.atom.ast_type == ast.ASTType.BodyAggregate:
        guard = literal.atom.left_guard
        (element,) = literal.atom.elements
        (counted,), (inner,) = element.terms, element.condition
        return Aggregate(
            _argument(guard.term, names),
            _operator(guard.comparison),
            Variable(counted.name),
            _atom(inner, names),
        )
    return _atom(literal, names)


def _operator(comparison: int) -> str:
    from clingo import ast

    return {
        ast.ComparisonOperator.NotEqual: "!=",
        ast.ComparisonOperator.Equal: "=",
        ast.ComparisonOperator.LessThan: "<",
        ast.ComparisonOperator.LessEqual: "<=",
        ast.ComparisonOperator.GreaterThan: ">",
        ast.ComparisonOperator.GreaterEqual: ">=",
    }[ast.ComparisonOperator(comparison)]


def _argument(term: Any, names: _Fresh) -> Variable | str | int:
    from clingo import ast

    if term.ast_type == ast.ASTType.Variable:
        return names() if term.name == "_" else Variable(term.name)
    value = term.symbol
    match value.type.name:
        case "Number":
            return int(value.number)
        case "String":
            return str(value.string)
        case _:
            return str(value.name)
