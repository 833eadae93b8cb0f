"""Mutation testing of the encodings: would the tests notice if one literal were different?

    python tools/mutate_encodings.py [--only paths.lp] [--sample 200 --seed 1] [--workers 2]

Every rule of every encoding is dropped, and every literal of it dropped, negated, compared
otherwise, or given two arguments in the wrong order.  A mutant is `invalid` when clingo rejects it.
It is killed by `cases` (tests/encodings), by `worlds` (the reference engine must decide a fixed
set of random worlds as before; there it agrees with the oracle in plain Python), by `exact` (so
must exact mode, of tiny worlds in which it agrees with a try of all completions) or by `examples`
(tests/reasoning).  docs/mutation.md explains the survivors.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from clingo import ast

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kgverify import resources
from kgverify.errors import EngineError, LimitReached
from kgverify.reasoning import program
from kgverify.reasoning.exact import Budget
from kgverify.reasoning.solver import solve
from kgverify.testing import World
from kgverify.verification import Verifier
from tests.completions import (
    dated_worlds,
    questions,
    tiny_worlds,
    viewed_worlds,
)
from tests.encodings import test_encodings as cases
from tools.mutants import (
    INVALID,
    ROOT,
    SLOW,
    SURVIVED,
    Mutant,
    apart,
    explanations,
    failing,
    fixed,
    fixed_worlds,
    judged,
    parser_of,
    report,
    sampled,
)

KINDS = ("cases", "worlds", "exact", "examples")  # of tests
EXAMPLES = ["tests/reasoning", "--ignore=tests/reasoning/test_crosscheck.py"]
OTHERWISE = {
    ast.ComparisonOperator.Equal: [ast.ComparisonOperator.NotEqual],
    ast.ComparisonOperator.NotEqual: [ast.ComparisonOperator.Equal],
    ast.ComparisonOperator.LessThan: [ast.ComparisonOperator.LessEqual],
    ast.ComparisonOperator.LessEqual: [ast.ComparisonOperator.LessThan],
    ast.ComparisonOperator.GreaterThan: [ast.ComparisonOperator.GreaterEqual],
    ast.ComparisonOperator.GreaterEqual: [ast.ComparisonOperator.GreaterThan],
}


# ---------------------------------------------------------------- mutants


def mutants(name: str) -> Iterator[Mutant]:
    """All mutants of one encoding."""
    text = resources.text("encodings", name)
    statements: list[ast.AST] = []
    ast.parse_string(text, statements.append)
    plain = [s for s in statements if s.ast_type not in (ast.ASTType.Comment, ast.ASTType.Program)]
    for place, statement in enumerate(plain):
        if statement.ast_type != ast.ASTType.Rule:
            continue
        for kind, changed in _changes(statement):
            others = [*plain[:place], *([changed] if changed else []), *plain[place + 1 :]]
            yield Mutant(
                file=name,
                line=statement.location.begin.line,
                kind=kind,
                before=str(statement),
                after=str(changed or "(no rule)"),
                text="\n".join(map(str, others)) + "\n",
            )


def _changes(rule: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    yield "rule dropped", None
    is_atom = rule.head.ast_type == ast.ASTType.Literal  # not a choice
    for head in _swapped(rule.head) if is_atom else ():
        yield "arguments swapped", rule.update(head=head)
    body = list(rule.body)
    for place, literal in enumerate(body):
        yield "literal dropped", rule.update(body=[*body[:place], *body[place + 1 :]])
        for kind, changed in _literal_changes(literal):
            yield kind, rule.update(body=[*body[:place], changed, *body[place + 1 :]])


def _literal_changes(literal: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if literal.ast_type != ast.ASTType.Literal:
        return  # a condition on a choice
    atom = literal.atom
    if atom.ast_type == ast.ASTType.SymbolicAtom:
        flipped = ast.Sign.NoSign if literal.sign else ast.Sign.Negation
        yield "sign flipped", literal.update(sign=flipped)
        for swapped in _swapped(literal):
            yield "arguments swapped", swapped
    elif atom.ast_type == ast.ASTType.Comparison:
        for guards in _compared(list(atom.guards)):
            yield "comparison changed", literal.update(atom=atom.update(guards=guards))
    else:  # an aggregate
        for (guard,) in _compared([atom.left_guard]):
            yield "comparison changed", literal.update(atom=atom.update(left_guard=guard))
        for place, element in enumerate(atom.elements):
            conditions = list(element.condition)
            for number, condition in enumerate(conditions):
                rest = [*conditions[:number], *conditions[number + 1 :]]
                changed = [("literal dropped", rest)] if rest else []
                changed += [
                    (
                        "arguments swapped",
                        [*conditions[:number], swapped, *conditions[number + 1 :]],
                    )
                    for swapped in _swapped(condition)
                ]
                for kind, found in changed:
                    elements = list(atom.elements)
                    elements[place] = element.update(condition=found)
                    yield kind, literal.update(atom=atom.update(elements=elements))


def _compared(guards: list[ast.AST]) -> Iterator[list[ast.AST]]:
    for place, guard in enumerate(guards):
        for other in OTHERWISE[ast.ComparisonOperator(guard.comparison)]:
            yield [*guards[:place], guard.update(comparison=other), *guards[place + 1 :]]


def _swapped(literal: ast.AST) -> Iterator[ast.AST]:
    """The literal with two neighbouring arguments in the other order."""
    if literal.atom.ast_type != ast.ASTType.SymbolicAtom:
        return  # a constraint has no head
    function = literal.atom.symbol
    arguments = list(function.arguments)
    for place, (one, other) in enumerate(pairwise(arguments)):
        if str(one) != str(other):
            changed = [*arguments[:place], other, one, *arguments[place + 2 :]]
            symbol = function.update(arguments=changed)
            yield literal.update(atom=literal.atom.update(symbol=symbol))


# ---------------------------------------------------------------- tests


def decisions(world: World) -> list[object]:
    """What the reference engine, which grounds the encodings as they stand, decides."""
    decided = replace(world).decide(world.asked, "reference")  # anew, with the encodings of now
    return [(v.question, v.candidate, v.decision, v.basis) for v in decided.values()]


def exactly(world: World) -> list[object]:
    """What exact mode decides by the encodings as they stand, of a tiny world."""
    budget = Budget(atoms=100_000, seconds=100)
    answers = Verifier(world.graph, world.book, "rank", "reference", exact=budget).verify(
        questions(world)
    )
    return [(v.candidate, v.verdict, *v.statuses.items()) for found, _ in answers for v in found]


class Tests:
    """The tests that a mutant must pass to survive, from the quick to the slow."""

    def __init__(self, number: int, until: str) -> None:
        kinds = dict(
            zip(KINDS, (self._cases, self._decided, self._exact, self._examples), strict=True)
        )
        self._tests = dict(list(kinds.items())[: list(kinds).index(until) + 1])
        drawn = fixed_worlds(number) if "worlds" in self._tests else []
        self._worlds = [(world, decisions(world)) for world in drawn]
        tiny = (tiny_worlds(), viewed_worlds(), viewed_worlds(blank=True), dated_worlds())
        drawn = [w for k in tiny for w in fixed(k, number // 4)] if "exact" in self._tests else []
        self._tiny = [(world, exactly(world)) for world in drawn]
        broken = apart(lambda: failing(*EXAMPLES)) if "examples" in self._tests else []
        self._deselected = [f"--deselect={test}" for test in broken]
        if broken:
            print(f"left out, since they fail on the code as it is: {', '.join(broken)}")

    def judge(self, mutant: Mutant) -> str:
        original = resources.text
        resources.text = lambda kind, name: (  # type: ignore[assignment]
            mutant.text if (kind, name) == ("encodings", mutant.file) else original(kind, name)
        )
        program.templates.cache_clear()
        try:
            solve(mutant.text)
        except EngineError:
            return INVALID
        try:
            for noticed, test in self._tests.items():
                if not test(mutant):
                    return noticed
        except LimitReached:
            return SLOW
        return SURVIVED

    def _cases(self, mutant: Mutant) -> bool:
        own = [case for case in cases.CASES if f"{case.parent.name}.lp" == mutant.file]
        try:
            for case in own:
                cases.test_encoding(case)
        except (AssertionError, EngineError):
            return False
        return True

    def _decided(self, mutant: Mutant) -> bool:
        try:
            return all(decisions(world) == expected for world, expected in self._worlds)
        except (AssertionError, EngineError):
            return False

    def _exact(self, mutant: Mutant) -> bool:
        try:
            return all(exactly(world) == expected for world, expected in self._tiny)
        except (AssertionError, EngineError):
            return False

    def _examples(self, mutant: Mutant) -> bool:
        return not failing("-x", *EXAMPLES, *self._deselected)


def main() -> int:
    parser = parser_of(__doc__, "an encoding")
    parser.add_argument("--worlds", type=int, default=100, help="random worlds of each kind")
    parser.add_argument("--until", choices=KINDS, default="examples", help="last tests")
    options = parser.parse_args()
    names = options.only or sorted(p.name for p in resources.folder("encodings").glob("*.lp"))
    every = [mutant for name in names for mutant in mutants(name)]
    chosen = sampled(every, options.sample, options.seed)
    tests = Tests(options.worlds, options.until)
    print(f"{len(chosen)} of {len(every)} mutants, tests until {options.until}", flush=True)
    results = judged(chosen, tests.judge, options.workers, options.seconds)
    return report(results, explanations(ROOT / "docs" / "mutation.md"), options.out, len(every))


if __name__ == "__main__":
    raise SystemExit(main())
