"""The one module that imports clingo.

Program text goes in; frozen values come out: rules of an encoding, the shown atoms of the one
answer set of a program, or what all answer sets of a program have in common.  A program that must
have one answer set and has none or two is an error, never a verdict.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgverify.errors import EngineError, LimitReached, Problem
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


@dataclass(frozen=True, slots=True)
class Consequences:
    """The shown atoms of all answer sets of a program together: those in at least one (`brave`)
    and those in every one (`cautious`)."""

    brave: frozenset[str]
    cautious: frozenset[str]


def consequences(parts: Sequence[str], seconds: float) -> Consequences | None:
    """The consequences of the program made of `parts`, None when it has no answer set.

    Both kinds come from one grounding.  Raises LimitReached when `seconds` have passed, and
    EngineError when clingo rejects the program or stops.  Grounding can't be interrupted: estimate
    its size before."""
    end = time.monotonic() + seconds
    control, messages = _grounded(parts, *_SCATTERED)
    found = []
    for mode in ("brave", "cautious"):
        control.configuration.solve.enum_mode = mode
        control.configuration.solve.models = 0
        result = _finished(control, end)
        if not result.satisfiable:
            return None
        found.append(result.last)
    if messages:
        raise EngineError(Problem("solver", "clingo complained: " + "; ".join(messages)))
    return Consequences(*found)


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best answer set that was found: its shown atoms, and what it costs at each level, the
    highest first.  `proven`: none is better; otherwise the time was over before that was known."""

    shown: frozenset[str]
    cost: tuple[int, ...]
    proven: bool


def optimum(parts: Sequence[str], seconds: float) -> Optimum | None:
    """The best answer set of the program made of `parts`, None when it has none.

    Costs are sums of 32 bits, which wrap without a word: the caller keeps them small.  Raises
    LimitReached when `seconds` have passed before any answer set was found, and EngineError when
    clingo rejects the program or stops."""
    end = time.monotonic() + seconds
    # Unsatisfiable cores, disjoint and stratified: choices among thousands of conflicting atoms are
    # proved best in less than a second, which branch and bound, the default, never ends with.
    control, messages = _grounded(parts, "--opt-strategy=usc,15")
    if messages:
        raise EngineError(Problem("solver", "clingo complained: " + "; ".join(messages)))
    models: list[tuple[str, tuple[int, ...]]] = []

    def keep(model: Any) -> None:
        models.append((str(model), tuple(model.cost)))

    with control.solve(async_=True, on_model=keep) as handle:
        if not _ends_by(handle, end):
            handle.cancel()
        result = handle.get()
    if result.unsatisfiable:
        return None
    if not models:
        raise LimitReached(Problem("budget", "the time for the choice is over, and none was found"))
    text, cost = models[-1]
    # Without costs one answer set is as good as any, and the search ends with it.
    return Optimum(frozenset(text.split()), cost, bool(result.exhausted or not cost))


def answer_sets(parts: Sequence[str], seconds: float) -> list[frozenset[str]]:
    """The shown atoms of every answer set of the program made of `parts`.

    Raises LimitReached when `seconds` have passed, and EngineError when clingo rejects the program
    or stops."""
    end = time.monotonic() + seconds
    control, messages = _grounded(parts)
    if messages:
        raise EngineError(Problem("solver", "clingo complained: " + "; ".join(messages)))
    control.configuration.solve.models = 0
    models: list[str] = []
    with control.solve(async_=True, on_model=lambda model: models.append(str(model))) as handle:
        if not _ends_by(handle, end):
            handle.cancel()
            raise LimitReached(Problem("budget", "the time for listing answer sets is over"))
        if handle.get().interrupted:
            raise EngineError(Problem("solver", "the solver stopped before its end"))
    return [frozenset(text.split()) for text in models]


class Retractable:
    """A grounded program some of whose statements can be switched off.

    A statement is on where the atom `on(N)` of its number holds; the program must have the choice
    `{ on(N) }` for each."""

    def __init__(self, parts: Sequence[str], seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._control, _ = _grounded(parts)
        atoms = self._control.symbolic_atoms.by_signature("on", 1)
        self._numbers = {atom.literal: int(atom.symbol.arguments[0].number) for atom in atoms}

    def minimal_core(self, numbers: Iterable[int]) -> tuple[int, ...] | None:
        """A minimal set of these statements that has no answer set together with what is always
        on; None when all of them have one.  Of several sets, one that spares the early numbers.

        Raises LimitReached when the time is over."""
        core = self._core(sorted(numbers))
        if core is None:
            return None
        kept: list[int] = []
        while core:
            number, *rest = core
            smaller = self._core([*kept, *rest])
            if smaller is None:
                kept.append(number)
                core = rest
            else:
                core = [n for n in smaller if n not in kept]
        return tuple(sorted(kept))

    def _core(self, numbers: Sequence[int]) -> list[int] | None:
        """Statements among these that have no answer set together, not always a minimal set."""
        from clingo import Function, Number

        assumptions = [(Function("on", [Number(number)]), True) for number in numbers]
        result = _finished(self._control, self._end, assumptions=assumptions)
        if result.satisfiable:
            return None
        named = {self._numbers[literal] for literal in result.core if literal in self._numbers}
        return [number for number in numbers if number in named]


class Search:
    """A grounded program that is asked again and again for an answer set in which some atoms hold
    and others don't.

    The program's own `#minimize` counts only where the best answer set is asked for.  Raises
    LimitReached when the time is over, which counts from the beginning, and EngineError when clingo
    rejects the program or stops."""

    def __init__(self, parts: Sequence[str], seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._control, messages = _grounded(parts)
        if messages:
            raise EngineError(Problem("solver", "clingo complained: " + "; ".join(messages)))

    def some(self, wanted: Mapping[str, bool]) -> frozenset[str] | None:
        """The shown atoms of an answer set in which the atoms are as wanted; None without any."""
        return self._solve(wanted, "ignore", 1)

    def best(self, wanted: Mapping[str, bool]) -> frozenset[str] | None:
        """The same of one that costs least."""
        return self._solve(wanted, "opt", 0)

    def _solve(self, wanted: Mapping[str, bool], mode: str, models: int) -> frozenset[str] | None:
        from clingo import parse_term

        self._control.configuration.solve.opt_mode = mode
        self._control.configuration.solve.models = models
        assumptions = [(parse_term(atom), holds) for atom, holds in wanted.items()]
        result = _finished(self._control, self._end, assumptions=assumptions)
        return result.last if result.satisfiable else None


def prefixed(text: str, prefix: str) -> str:
    """Program text with `prefix` before every predicate, so that two programs can be told apart.

    Its `#show` statements are left out."""
    from clingo import ast

    class Renaming(ast.Transformer):
        def visit_SymbolicAtom(self, node: Any) -> Any:
            function = node.symbol
            return node.update(symbol=function.update(name=prefix + function.name))

    found: list[str] = []
    renaming = Renaming()
    left_out = (ast.ASTType.Program, ast.ASTType.Comment, ast.ASTType.ShowSignature)

    def add(node: Any) -> None:
        if node.ast_type not in left_out:
            found.append(str(renaming.visit(node)))

    ast.parse_string(text, add)
    return "\n".join(found)


# Each answer set is searched for anew and at random (with a fixed seed), so that it settles many
# atoms at once; one after the other, it takes an answer set for almost every atom.
_SCATTERED = ("--sign-def=rnd", "--restart-on-model", "--save-progress=0")


def _grounded(parts: Sequence[str], *options: str) -> tuple[Any, list[str]]:
    """A control with the program grounded, and the list that clingo's messages go to."""
    import clingo

    messages: list[str] = []
    control = clingo.Control(
        ["--warn=no-atom-undefined", *options],
        logger=lambda code, message: messages.append(f"{code.name}: {message}"),
    )
    try:
        control.add("base", [], "\n".join(parts))
        control.ground([("base", [])])
    except RuntimeError as error:
        raise EngineError(
            Problem("solver", f"clingo: {error}", hint="; ".join(messages))
        ) from error
    return control, messages


@dataclass(frozen=True, slots=True)
class _Result:
    """A search that has come to its end: the shown atoms of the last answer set, and the
    assumptions that were refuted."""

    satisfiable: bool
    last: frozenset[str]
    core: tuple[int, ...]


def _finished(control: Any, end: float, **options: Any) -> _Result:
    """Search to the end.  Raises LimitReached when that is not before the monotonic time `end`."""
    with control.solve(async_=True, **options) as handle:
        if not _ends_by(handle, end):
            handle.cancel()
            raise LimitReached(Problem("budget", "the time for exact answers is over"))
        result = handle.get()
        if result.interrupted or result.unknown:
            raise EngineError(Problem("solver", "the solver stopped before its end"))
        if result.unsatisfiable:
            return _Result(False, frozenset(), tuple(handle.core()))
        # As in `solve`: atoms hold names and numbers only, so none contains a space.
        return _Result(True, frozenset(str(handle.last()).split()), ())


_GLANCE = 0.1  # seconds between two looks at a search


def _ends_by(handle: Any, end: float) -> bool:
    """Wait for a search, until the monotonic time `end` at the latest; is it at its end?

    Once, a search of milliseconds was waited for until its limit.  So it is looked at again every
    so often, and not only when the waiting is ended from outside."""
    while not handle.wait(max(0.0, min(_GLANCE, end - time.monotonic()))):
        if time.monotonic() >= end:
            return bool(handle.wait(0.0))
    return True


def read_rules(text: str) -> list[Rule]:
    """The rules of an encoding, in order; anonymous variables get names of their own.

    Raises EngineError on anything but rules of plain literals, comparisons and counts, `#show` and
    comments."""
    from clingo import ast

    nodes: list[Any] = []  # looked at below: an error would not pass through clingo
    ast.parse_string(text, nodes.append)
    rules: list[Rule] = []
    for node in nodes:
        if node.ast_type in (ast.ASTType.Program, ast.ASTType.Comment, ast.ASTType.ShowSignature):
            continue
        if node.ast_type != ast.ASTType.Rule or node.head.ast_type != ast.ASTType.Literal:
            raise EngineError(Problem("encoding", f"{node} is no plain rule"))
        names = _Fresh()
        head = _atom(node.head, names)
        body = tuple(_condition(part, names) for part in node.body)
        rules.append(Rule(head, body, Origin("encoding", "")))
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
