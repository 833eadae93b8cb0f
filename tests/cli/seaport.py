"""A seaport on disk, and the command to run on it: the world of the tests of the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kgverify.cli.app import app

RULES = """\
class Ship, Port, Cargo
class Ferry sub of Ship
disjoint Ship, Port, Cargo
relation docks_at (Ship, Port)               "{0} docks at {1}"
relation carries (Ship, Cargo)               "{0} carries {1}"
relation home_port (Ship, Port) functional   "the home of {0} is {1}"
relation tonnage (Ship, integer) functional  "{0} has {1} tons"
relation serves (Port, Cargo)                "{0} serves {1}"
complete carries for Ferry
rule trade "a port serves what its ships carry":
    serves(P, C) :- docks_at(X, P), carries(X, C).

question calls(p: Port, c: Cargo)
    "Which ships call at {p} without {c}?"
    answer x : Ship
    require docks_at(x, p)
    exclude carries(x, c)
    prefer  home_port(x, p) weight 0.5
question of_tonnage(t: integer)
    "Which ships have {t} tons?"
    answer x : Ship
    require tonnage(x, t)
question served(c: Cargo)
    "Where is {c} served?"
    answer x : Port
    require serves(x, c)

test "a ferry lists its cargo" {
    docks_at(tug, oslo).  tug : Ferry.  tea : Cargo.
    ask calls(oslo, tea): tug = sat, rowboat = unk
}
"""
FACTS = """\
aurora type Ship
aurora docks_at bergen
aurora carries timber
aurora home_port bergen
aurora tonnage 4294967297
borealis type Ship
borealis docks_at bergen
borealis carries oil
borealis tonnage 1
cygnus type Ferry
cygnus docks_at bergen
cygnus carries cars
cygnus home_port oslo
bergen type Port
oslo type Port
timber type Cargo
oil type Cargo
cars type Cargo
nordlys1 type Ship
nordlys2 type Ship
"""
LABELS = """\
id\tlabel
aurora\tMS Aurora
bergen\tBergen
nordlys1\tNordlys
nordlys2\tNordlys
"""
CALLS = {"p": "bergen", "c": "oil"}


def ask(
    id: str, candidates: list[Any], question: str = "calls", **arguments: Any
) -> dict[str, Any]:
    """A question line; of `calls` at Bergen without oil unless told otherwise."""
    return {
        "id": id,
        "question": question,
        "arguments": arguments or CALLS,
        "candidates": candidates,
    }


QUESTIONS = [
    ask("q1", ["aurora", {"entity": "borealis", "score": 0.9}, "cygnus", "ghost", "bergen"]),
    ask("q2", ["aurora", "borealis"], "of_tonnage", t=4294967297),
    ask("q3", ["bergen", "oslo"], "served", c="oil"),
]


@dataclass
class Seaport:
    """The files of the world, and the command line in its folder."""

    folder: Path

    def write(self, name: str, content: str | bytes) -> str:
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        (self.folder / name).write_bytes(data)
        return name

    def text(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")

    def questions(self, *lines: Any, name: str = "asked.jsonl") -> str:
        """A file of question lines, given as values or as raw text."""
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        return self.write(name, "".join(text + "\n" for text in texts))

    def run(self, *arguments: str, stdin: str | bytes | None = None):
        """Run the command; anything but an orderly exit is a failure of the test."""
        result = CliRunner().invoke(app, list(arguments), input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.stderr
        return result

    def verify(self, *arguments: str, stdin: str | bytes | None = None):
        """`kgverify verify` on this world's graph and rules."""
        world = ("--kg", "facts.tsv", "--kg", "labels.tsv", "--rules", "port.kgr")
        return self.run("verify", *arguments, *world, stdin=stdin)

    def verdicts(self, *arguments: str, stdin: str | bytes | None = None) -> list[dict[str, Any]]:
        """The verdicts of a run that must not fail, as JSON values."""
        result = self.verify(*arguments, "--format", "jsonl", stdin=stdin)
        assert result.exit_code in (0, 1), result.stderr
        return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Seaport:
    monkeypatch.chdir(tmp_path)
    world = Seaport(tmp_path)
    world.write("port.kgr", RULES)
    world.write("facts.tsv", FACTS.replace(" ", "\t"))
    world.write("labels.tsv", LABELS)
    world.questions(*QUESTIONS, name="questions.jsonl")
    return world
