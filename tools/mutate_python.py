"""Mutation testing of the modules that decide: would the tests notice a small slip?

    python tools/mutate_python.py [--only patterns] [--sample 200 --seed 1] [--journal FILE]

Comparisons are changed, `and` and `or` exchanged, `not` and `~` dropped, numbers made one larger,
truth values and arithmetic turned round, and statements that are calls or updates dropped.  A
mutant meets the tests that run its line, the quick ones first (tools/guidance.py records which
they are), and the folder of the test that notices is what kills it.  docs/mutation.md explains
the survivors.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# What is dear to import and is not mutated.
import clingo  # noqa: F401
import hypothesis  # noqa: F401
import lark  # noqa: F401
import msgspec  # noqa: F401
import numpy  # noqa: F401
import pyoxigraph  # noqa: F401
import pytest

from tools.guidance import (
    FOLDER,
    PACKAGE,
    TESTS,
    Functions,
    Order,
    Run,
    read,
    recorded,
    with_tests,
    write,
)
from tools.mutants import (
    ROOT,
    SURVIVED,
    Mutant,
    apart,
    explanations,
    judged,
    key,
    parser_of,
    report,
    sampled,
)

MODULES = sorted(path.stem for path in FOLDER.glob("*.py"))
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
    for node in _nodes(tree):
        for kind, change in _changes(node):
            before = ast.unparse(node)
            fields = {k: list(v) if isinstance(v, list) else v for k, v in vars(node).items()}
            whole = node.__class__, fields
            change(node)  # … in place, and back again below
            yield Mutant(
                f"{module}.py",
                node.lineno,
                kind,
                f"{lines[node.lineno - 1].strip()}: {before}",
                ast.unparse(node),
                ast.unparse(ast.fix_missing_locations(tree)),
            )
            node.__dict__.clear()
            node.__class__, node.__dict__ = whole


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
        SourceFileLoader.__init__(self, f"{PACKAGE}.{name}", str(FOLDER / mutant.file))
        self._text = mutant.text

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> Any:
        return compile(self._text, self.path, "exec")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mutant is: the lines, as bits, of which a test must run one, and whether all of it
    is inside a function.  A mutant outside of any meets the tests of the whole module."""

    lines: int
    inside: bool


@cache
def _module(file: str) -> tuple[ast.Module, frozenset[int]]:
    """A module, and the lines that Python can say it runs."""
    text = (FOLDER / file).read_text("utf-8")
    lines: set[int] = set()
    codes = [compile(text, file, "exec")]
    for code in codes:
        lines.update(line for _, _, line in code.co_lines() if line)
        codes += [constant for constant in code.co_consts if hasattr(constant, "co_lines")]
    return ast.parse(text), frozenset(lines)


def place(mutant: Mutant) -> Place:
    return _place(mutant.file, mutant.line)


@cache
def _place(file: str, number: int) -> Place:
    tree, lines = _module(file)
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= number <= (node.end_lineno or 0)
    ]
    inside = any(
        isinstance(node, ast.FunctionDef) and node.body[0].lineno <= number for node in around
    )
    # Of what is part of a constant, say, the line that stands for its statement.
    line = number if number in lines else max(node.lineno for node in around)
    return Place(1 << line if inside else 0, inside)


class Judges:
    """Judge mutants, with the tests that run their lines."""

    def __init__(
        self,
        runs: dict[str, Run],
        known: Iterable[tuple[Mutant, str]],
        options: argparse.Namespace,
    ) -> None:
        self._order = Order(runs, options.budget)
        for mutant, verdict in known:
            self._order.noticed(mutant.file.removesuffix(".py"), verdict)
        self._examples: int = options.examples
        self._workers: int = options.workers
        self._seconds: int = options.seconds

    def verdicts(self, chosen: Sequence[Mutant]) -> Iterator[tuple[Mutant, str]]:
        """Each mutant with the test that noticed it, or SURVIVED, or SLOW."""
        inside = [mutant for mutant in chosen if place(mutant).inside]
        outside = [mutant for mutant in chosen if not place(mutant).inside]
        yield from self._all_inside(inside)
        yield from judged(outside, self._outside, self._workers, self._seconds)

    def _all_inside(self, chosen: Sequence[Mutant]) -> Iterator[tuple[Mutant, str]]:
        """Mutants of functions, whose code is put in place of the function's own in a process
        that has imported and collected everything."""
        if not chosen:
            return
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe(duplex=False)

        def judge_all(items: Sequence[pytest.Item]) -> None:
            functions = Functions()
            by_id = {item.nodeid: item for item in items}

            def judge(mutant: Mutant) -> str:
                functions.become(mutant.file, mutant.text)
                tests = self._order.tests(mutant.file.removesuffix(".py"), place(mutant).lines)
                return self._order.first_failing(by_id, tests) or SURVIVED

            for mutant, verdict in judged(chosen, judge, self._workers, self._seconds):
                self._order.noticed(mutant.file.removesuffix(".py"), verdict)
                theirs.send((chosen.index(mutant), verdict))

        process = context.Process(target=with_tests, args=(judge_all, self._examples, TESTS))
        process.start()
        theirs.close()
        for _ in chosen:
            number, verdict = ours.recv()
            yield chosen[number], verdict
        process.join()

    def _outside(self, mutant: Mutant) -> str:
        """A mutant of what happens when a module is imported: everything is imported anew."""
        sys.meta_path.insert(0, Changed(mutant))
        tests = self._order.tests(mutant.file.removesuffix(".py"), 0)
        found: list[str | None] = ["import"]

        def judge(items: Sequence[pytest.Item]) -> None:
            found[0] = self._order.first_failing({item.nodeid: item for item in items}, tests)

        with_tests(judge, self._examples, tests)
        return found[0] or SURVIVED


class Journal:
    """What was judged before, one line each, so that a run can go on where one was stopped.  What
    a test noticed is not judged again; a survivor is, unless it is explained.  When judging is
    `over`, nothing is."""

    def __init__(self, path: Path | None, explained: dict[str, str], over: bool = False) -> None:
        self._path, self._over = path, over
        self._known: dict[tuple[str, int], str] = {}
        for line in path.read_text("utf-8").splitlines() if path and path.is_file() else []:
            found = json.loads(line)
            name = found["key"], found["number"]
            if found["verdict"] != SURVIVED:
                self._known[name] = found["verdict"]
            elif over or found["key"] in explained:
                self._known.setdefault(name, SURVIVED)

    def split(self, chosen: Sequence[Mutant]) -> tuple[list[tuple[Mutant, str]], list[Mutant]]:
        """The mutants that are known, and the others."""
        self._names = dict(zip(map(id, chosen), _named(chosen), strict=True))
        known = [(m, self._known[n]) for m in chosen if (n := self._names[id(m)]) in self._known]
        new = [m for m in chosen if self._names[id(m)] not in self._known]
        return known, [] if self._over else new

    def kept(self, results: Iterable[tuple[Mutant, str]]) -> Iterator[tuple[Mutant, str]]:
        for mutant, verdict in results:
            name, number = self._names[id(mutant)]
            if self._path:
                line = {"key": name, "number": number, "line": mutant.line, "verdict": verdict}
                with self._path.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
            yield mutant, verdict


def _named(chosen: Iterable[Mutant]) -> Iterator[tuple[str, int]]:
    """Names that stay when lines move: the key, and which of that key it is."""
    seen: Counter[str] = Counter()
    for mutant in chosen:
        yield key(mutant), seen[key(mutant)]
        seen[key(mutant)] += 1


def kind(verdict: str) -> str:
    """The folder of a test, or another verdict as it is."""
    return verdict.split("/")[1] if verdict.startswith("tests/") else verdict


def record(path: Path, examples: int) -> dict[str, Run]:
    """What each test runs: read from the file, and what is not in it is added."""

    def present() -> list[str]:
        found: list[str] = []

        def work(items: Sequence[pytest.Item]) -> None:
            write(path, recorded(items, read(path)))
            found.extend(item.nodeid for item in items)

        with_tests(work, examples, TESTS)
        return found

    tests = apart(present)
    if not tests:
        raise RuntimeError("the tests can't be collected")
    runs = read(path)
    return {test: runs[test] for test in tests}


def main() -> int:
    parser = parser_of(__doc__, "a module")
    parser.add_argument("--examples", type=int, default=10, help="for a property test")
    parser.add_argument("--budget", type=float, default=10, help="seconds of tests for one mutant")
    parser.add_argument(
        "--runs",
        type=Path,
        default=ROOT / "out" / "runs.jsonl",
        help="what the tests run; recorded where it is missing",
    )
    parser.add_argument("--journal", type=Path, help="verdicts, to go on with later")
    parser.add_argument("--over", action="store_true", help="judge no more: report the journal")
    options = parser.parse_args()
    every = [mutant for module in options.only or MODULES for mutant in mutants(module)]
    chosen = sampled(every, options.sample, options.seed)
    explained = explanations(ROOT / "docs" / "mutation.md")
    journal = Journal(options.journal, explained, options.over)
    known, new = journal.split(chosen)
    print(f"{len(chosen)} of {len(every)} mutants, {len(known)} judged before", flush=True)
    runs: dict[str, Run] = {}
    if new:
        options.runs.parent.mkdir(parents=True, exist_ok=True)
        runs = record(options.runs, options.examples)
    broken = [test for test, run in runs.items() if run.fails]
    if broken:
        print(f"left out, since they fail on the code as it is: {', '.join(broken)}")
    results = journal.kept(Judges(runs, known, options).verdicts(new))
    every_result = ((m, kind(v)) for found in (known, results) for m, v in found)
    return report(every_result, explained, options.out, len(every))


if __name__ == "__main__":
    raise SystemExit(main())
