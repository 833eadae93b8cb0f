"""Mutation testing of the modules that decide: would the tests notice a small slip?

    python tools/mutate_python.py [--only patterns] [--sample 200 --seed 1] [--workers 2]

Comparisons are changed, `and` and `or` exchanged, `not` and `~` dropped, numbers made one larger,
truth values and arithmetic turned round, and statements that are calls or updates dropped.  A
mutant is killed by `worlds` (the slice engine must decide a fixed set of random worlds as before;
there it agrees with the oracle in plain Python and with the reference engine) or by `examples`
(tests/encodings, tests/reasoning and tests/compile).  docs/mutation.md explains the survivors.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.util
import os
import sys
from collections.abc import Iterator
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

# What is dear to import and is not mutated.
import clingo  # noqa: E402, F401
import hypothesis  # noqa: E402, F401
import lark  # noqa: E402, F401
import msgspec  # noqa: E402, F401
import numpy  # noqa: E402, F401
import pyoxigraph  # noqa: E402, F401

from tools.mutants import (  # noqa: E402
    SURVIVED,
    Mutant,
    apart,
    explanations,
    failing,
    fixed_worlds,
    judged,
    report,
    sampled,
)

FOLDER = ROOT / "kgverify" / "reasoning"
MODULES = ["patterns", "gathering", "program", "facts", "datalog", "deciding"]
EXAMPLES = [
    "tests/encodings",
    "tests/reasoning",
    "tests/compile",
    "--ignore=tests/reasoning/test_crosscheck.py",
]
GUARDS = ("frozen", "slots", "strict")
COMPARED = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
CALCULATED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.Mult: ast.FloorDiv,
}


# ---------------------------------------------------------------- mutants


def mutants(module: str) -> Iterator[Mutant]:
    """All mutants of one module of the reasoning package."""
    source = (FOLDER / f"{module}.py").read_text("utf-8")
    lines = source.splitlines()
    tree = ast.parse(source)
    for place, node in enumerate(_nodes(tree)):
        for kind, change in _changes(node):
            changed = copy.deepcopy(tree)
            target = list(_nodes(changed))[place]
            before = ast.unparse(target)
            change(target)
            after = ast.unparse(target)
            yield Mutant(
                f"{module}.py",
                node.lineno,
                kind,
                f"{lines[node.lineno - 1].strip()}: {before}",
                after,
                ast.unparse(ast.fix_missing_locations(changed)),
            )


def _nodes(tree: ast.AST) -> Iterator[Any]:
    """What may be changed: expressions and statements, without imports, annotations, assertions,
    what only a type checker runs, and what only guards against a slip."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(node, ast.Import | ast.ImportFrom):
                continue
            if isinstance(node, ast.Assert | ast.JoinedStr):
                continue
            if isinstance(node, ast.keyword) and node.arg in GUARDS:
                continue
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
            if isinstance(node, ast.expr | ast.stmt):
                yield node
            yield from _nodes(node)


def _changes(node: Any) -> Iterator[tuple[str, Any]]:
    """Kinds of change, each with a function that makes it in a node like this one."""
    match node:
        case ast.Compare():
            for place in range(len(node.ops)):
                yield "comparison", partial(_compare_otherwise, place)
        case ast.BoolOp():
            other = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield "and/or", lambda target: setattr(target, "op", other())
        case ast.UnaryOp(op=ast.Not() | ast.Invert()):
            yield "not dropped", _plain
        case ast.BinOp() if type(node.op) in CALCULATED:
            turned = CALCULATED[type(node.op)]
            yield "arithmetic", lambda target: setattr(target, "op", turned())
        case ast.Constant(value=bool()):
            yield "constant", lambda target: setattr(target, "value", not target.value)
        case ast.Constant(value=int()):
            yield "constant", lambda target: setattr(target, "value", target.value + 1)
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
            yield "statement dropped", _drop


def _compare_otherwise(place: int, target: ast.Compare) -> None:
    target.ops[place] = COMPARED[type(target.ops[place])]()


def _plain(target: ast.UnaryOp) -> None:
    """`not x` and `~x` become `x`, spelled as a choice that is always taken."""
    target.__class__ = ast.IfExp  # type: ignore[assignment]
    operand = target.operand
    for name in ("op", "operand"):
        delattr(target, name)
    target.test, target.body, target.orelse = (  # type: ignore[attr-defined]
        ast.Constant(True),
        operand,
        ast.Constant(None),
    )


def _drop(target: ast.stmt) -> None:
    for name in target._fields:
        delattr(target, name)
    target.__class__ = ast.Pass  # type: ignore[assignment]


# ---------------------------------------------------------------- tests


class Changed(MetaPathFinder, SourceFileLoader):
    """Finds one module of the package in the text of a mutant."""

    def __init__(self, mutant: Mutant) -> None:
        name = mutant.file.removesuffix(".py")
        SourceFileLoader.__init__(self, f"kgverify.reasoning.{name}", str(FOLDER / mutant.file))
        self._text = mutant.text

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> Any:
        return compile(self._text, self.path, "exec")


Fixed = tuple[tuple[Any, ...], list[object]]  # the parts of a world, and what is decided of it


def expected(number: int) -> list[Fixed]:
    """Random worlds, the same in every run, with what the slice engine decides about them."""
    return [
        ((w.rules, w.facts, w.denied, w.dated, w.asked), decided(w)) for w in fixed_worlds(number)
    ]


def decided(world: Any) -> list[object]:
    return [
        (v.question, v.candidate, _plain_decision(v.decision), v.basis, v.rank)
        for v in world.verdicts.values()
    ]


def _plain_decision(decision: Any) -> str:
    """A decision as text, so that it can leave its process."""
    return repr(
        [
            sorted(value) if isinstance(value, frozenset) else value
            for value in (getattr(decision, name) for name in decision.__slots__)
        ]
    )


class Tests:
    """The tests that a mutant must pass to survive."""

    def __init__(self, number: int) -> None:
        self._worlds: list[Fixed] = apart(lambda: expected(number))
        broken = apart(lambda: failing(*EXAMPLES))
        self._deselected = [f"--deselect={test}" for test in broken]
        if broken:
            print(f"left out, since they fail on the code as it is: {', '.join(broken)}")

    def judge(self, mutant: Mutant) -> str:
        sys.meta_path.insert(0, Changed(mutant))
        quick = len(self._worlds) // 3
        if not self._decided(self._worlds[:quick]):
            return "worlds"
        # The tests of that module first.
        own = (ROOT / "tests" / "reasoning").glob(f"test_{mutant.file.removesuffix('.py')}*.py")
        if failing("-x", *sorted(map(str, own)), *EXAMPLES, *self._deselected):
            return "examples"
        return SURVIVED if self._decided(self._worlds[quick:]) else "worlds"

    def _decided(self, fixed: list[Fixed]) -> bool:
        try:
            from kgverify.testing import World

            return all(decided(World(*parts)) == before for parts, before in fixed)
        except Exception:  # whatever a mutant does that the code does not
            return False


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", action="append", help="a module; may be given again")
    parser.add_argument("--sample", type=int, help="so many mutants instead of all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--worlds", type=int, default=60, help="random worlds to decide")
    parser.add_argument("--seconds", type=int, default=300, help="for one mutant")
    parser.add_argument("--out", type=Path, help="JSON file for the results")
    options = parser.parse_args()
    every = [mutant for module in options.only or MODULES for mutant in mutants(module)]
    chosen = sampled(every, options.sample, options.seed)
    tests = Tests(options.worlds)
    print(f"{len(chosen)} of {len(every)} mutants, {options.worlds} worlds", flush=True)
    results = judged(chosen, tests.judge, options.workers, options.seconds)
    return report(results, explanations(ROOT / "docs" / "mutation.md"), options.out, len(every))


if __name__ == "__main__":
    raise SystemExit(main())
