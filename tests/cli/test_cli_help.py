"""The commands describe themselves, and the documentation knows them all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from kgverify.cli.app import app
from kgverify.version import VERSION

COMMANDS = (
    "verify",
    "ask",
    "complete",
    "explain",
    "replay",
    "laws",
    "mine",
    "judge calibrate",
    "judge text",
    "kg build",
    "kg info",
    "corpus build",
    "corpus info",
    "rules check",
    "rules test",
    "rules coverage",
    "rules explain-rule",
    "rules suggest",
    "rules fmt",
    "rules asp",
    "rules analyze",
    "rules diff",
    "rules scenarios",
    "rules confirm",
    "rules review",
    "retrieve",
    "score",
    "bench build",
    "bench check",
    "experiment cespk",
    "experiment metaqa",
    "experiment incomplete",
    "experiment tgs-rag",
    "experiment tgcomplete",
    "experiment gog",
)
DOCUMENT = Path(__file__).parents[2] / "docs" / "commands.md"


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command that does something, by its full name."""
    found = getattr(command, "commands", None)
    if not found:
        yield " ".join(path), command
        return
    for name, inner in found.items():
        yield from leaves(inner, (*path, name))


TREE = dict(leaves(typer.main.get_command(app)))


def test_these_are_the_commands() -> None:
    assert sorted(TREE) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_a_sentence_an_example_and_every_option(command: str) -> None:
    result = CliRunner().invoke(app, [*command.split(), "--help"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    assert f"Example: kgverify {command} " in " ".join(result.stdout.split())
    assert TREE[command].help
    for parameter in TREE[command].params:
        for option in parameter.opts:
            assert option in result.stdout
        assert parameter.help


@pytest.mark.parametrize("group", [[], ["kg"], ["rules"], ["experiment"]])
def test_groups_list_their_commands(group: list[str]) -> None:
    result = CliRunner().invoke(app, [*group, "--help"])
    assert result.exit_code == 0
    for command in COMMANDS:
        if command.split()[: len(group)] == group:
            assert command.split()[len(group)] in result.stdout


def test_the_exit_codes_are_told() -> None:
    shown = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    assert (
        "0 nothing violated, 1 something violated, 2 wrong input or usage, 3 a limit was reached"
        in shown
    )


def test_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"kgverify {VERSION}\n")


@pytest.mark.parametrize("arguments", [["verfy"], ["kg", "buld"], ["--nope"]])
def test_unknown_commands_are_wrong_usage(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["verify", "--help"],
        ["rules", "check", "--help"],
        ["experiment", "cespk", "--help"],
        ["--version"],
    ],
)
def test_help_loads_neither_solver_nor_arrays(arguments: list[str]) -> None:
    code = (
        "import sys, runpy\nsys.argv = ['kgverify', *sys.argv[1:]]\n"
        "try:\n    runpy.run_module('kgverify', run_name='__main__')\n"
        "except SystemExit:\n    pass\n"
        "heavy = {'numpy', 'clingo', 'lark', 'pyoxigraph', 'scipy', 'matplotlib'}\n"
        "print('LOADED', sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.skipif(not DOCUMENT.is_file(), reason="docs/commands.md is not written yet")
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_documented(command: str) -> None:
    text = DOCUMENT.read_text("utf-8")
    assert f"kgverify {command}" in text
    for parameter in TREE[command].params:
        for option in parameter.opts:
            if option.startswith("--") and option != "--help":
                assert f"`{option}" in text or f"{option} " in text, (
                    f"{option} is not in docs/commands.md"
                )
