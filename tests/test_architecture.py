"""The arrows between the packages point one way; see the layout in the documentation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import kgverify

PACKAGE = Path(kgverify.__file__).parent
FLOORS = [
    {"vocabulary", "errors", "resources", "strict_json", "version"},
    {"graph"},
    {"language"},
    {"evidence"},
    {"mining"},
    {"reasoning"},
    {"completion", "suggesting"},
    {
        "answering",
        "asking",
        "generating",
        "questions",
        "replay",
        "inquiring",
        "batches",
        "believing",
        "completing",
        "exact_proofs",
        "plausible_proofs",
        "quoting",
        "explaining",
        "trimming",
        "verdicts",
        "verification",
        "rule_coverage",
        "rule_stories",
        "rule_tests",
    },
    {"analysis"},
    {"experiments"},
    {"testing"},
    {"report"},
    {"cli"},
]
FLOOR = {name: number for number, floor in enumerate(FLOORS) for name in floor}
ENTRANCES = {"__init__", "__main__"}  # these may name everything
MODULES = {
    ".".join(("kgverify", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imports(module: str, *, when_loaded: bool = False) -> Iterator[str]:
    """The modules that a module imports; `when_loaded`: only those that its own loading needs."""
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    for node in _nodes(tree, when_loaded):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            assert node.module is not None
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def _nodes(tree: ast.AST, when_loaded: bool) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if when_loaded and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and when_loaded:
            continue
        yield node
        yield from _nodes(node, when_loaded)


def part(module: str) -> str:
    """The package or top module that a module belongs to."""
    return module.split(".")[1] if "." in module else "__init__"


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) not in ENTRANCES])
def test_arrows_point_down(module: str) -> None:
    assert part(module) in FLOOR, f"{module} has no floor"
    for other in imports(module):
        if other.split(".")[0] != "kgverify":
            continue
        target = part(other)
        if target == "__init__" and part(module) == "cli":
            continue  # the public interface
        assert target in FLOOR, f"{module} imports {other}, which has no floor"
        if target != part(module):
            assert FLOOR[target] <= FLOOR[part(module)], (
                f"{module} imports {other}, which is above it"
            )


def test_only_the_solver_imports_clingo() -> None:
    users = [m for m in MODULES if any(i.split(".")[0] in ("clingo", "clorm") for i in imports(m))]
    assert users == ["kgverify.reasoning.solver"]


def test_only_the_cli_imports_typer_and_only_the_front_imports_rich() -> None:
    for module in MODULES:
        tops = {name.split(".")[0] for name in imports(module)}
        if "typer" in tops:
            assert part(module) == "cli"
        if "rich" in tops:
            assert part(module) in ("cli", "report")


@pytest.mark.parametrize("module", MODULES)
def test_no_module_is_a_giant(module: str) -> None:
    lines = MODULES[module].read_text("utf-8").count("\n")
    assert lines <= 700


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {
        module: {name for name in imports(module, when_loaded=True) if name in MODULES} - {module}
        for module in MODULES
    }
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path[path.index(module) :], module))
        if module in done:
            return
        for other in sorted(graph[module]):
            visit(other, (*path, module))
        done.add(module)

    for module in sorted(graph):
        visit(module, ())


def test_packages_have_no_circle_either() -> None:
    edges = {
        (part(m), part(o))
        for m in MODULES
        for o in imports(m)
        if o in MODULES and part(m) not in ENTRANCES and part(o) != part(m)
    }
    names = {name for edge in edges for name in edge}
    while True:
        leaves = {n for n in names if not any(a == n and b in names for a, b in edges)}
        if not leaves:
            break
        names -= leaves
    assert names == set()


@pytest.mark.parametrize("module", MODULES)
def test_every_module_says_what_it_is_for(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    assert not tree.body or ast.get_docstring(tree)


def test_the_command_uses_the_public_interface_only() -> None:
    allowed = {"", "cli", "report", "testing", "experiments", "mining", "completion"}
    allowed |= {"errors", "version"}
    datatypes = "kgverify.language.rulebook"  # the names of the datatypes, for a message
    for module in (m for m in MODULES if part(m) == "cli"):
        for other in imports(module):
            if other.split(".")[0] == "kgverify" and other != datatypes:
                assert (part(other) if "." in other else "") in allowed, f"{module}: {other}"
