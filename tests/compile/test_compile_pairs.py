"""What the compiler makes of a rule file: each `.kgr` here beside the `.lp` that it becomes.

The pairs are the documentation of the compiler.  The decision encodings, which follow every
program unchanged, are left out of the record.  `pytest tests/compile --update-snapshots` rewrites
the records.
"""

from __future__ import annotations

from pathlib import Path

import clingo
import pytest
from typer.testing import CliRunner

from kgverify.cli.app import app
from kgverify.reasoning.program import DECISION, encoding

HERE = Path(__file__).parent
PAIRS = sorted(HERE.glob("*.kgr"))
TAIL = "\n\n" + encoding(*DECISION)


def compiled(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(HERE)
    result = CliRunner().invoke(app, ["rules", "asp", path.name])
    assert result.exit_code == 0, result.stderr
    assert result.stdout.rstrip("\n").endswith(TAIL.rstrip("\n"))
    return result.stdout.rstrip("\n").removesuffix(TAIL.rstrip("\n")) + "\n"


def test_there_are_pairs() -> None:
    assert len(PAIRS) >= 10
    assert {path.stem for path in HERE.glob("*.lp")} == {path.stem for path in PAIRS}


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_a_rule_file_becomes_its_program(
    path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    program = compiled(path, monkeypatch)
    record = path.with_suffix(".lp")
    if request.config.getoption("--update-snapshots"):
        record.write_text(program, "utf-8")
    assert record.is_file(), "no record yet: run pytest tests/compile --update-snapshots"
    assert program == record.read_text("utf-8")


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_the_printed_program_is_a_program(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """clingo parses and grounds it, and has nothing to say but that inputs are not there yet."""
    messages: list[str] = []
    control = clingo.Control(["--warn=all"], logger=lambda _, text: messages.append(text))
    control.add("base", [], compiled(path, monkeypatch) + TAIL)
    control.ground([("base", [])])
    assert [m for m in messages if "does not occur in any rule head" not in m] == []


SHIP = """\
class Ship
relation near (Ship, Ship)
question q(s: Ship)
    "?"
    answer x : Ship
    require near(x, s)
"""


@pytest.mark.parametrize("added", [
    'near("a\\nb", "c%d").',
    'near("\\"", "\\\\").',
    "near(<https://ex.org/%61>, <https://ex.org/#x>).",
    'rule r "one\\ntwo.": near(X, Y) :- near(Y, X).',
])  # fmt: skip
def test_no_text_of_the_author_becomes_program(
    added: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.kgr").write_text(SHIP, "utf-8")
    plain = CliRunner().invoke(app, ["rules", "asp", "a.kgr"]).stdout
    (tmp_path / "a.kgr").write_text(SHIP + added + "\n", "utf-8")
    program = CliRunner().invoke(app, ["rules", "asp", "a.kgr"]).stdout
    more = [line for line in program.splitlines() if line not in plain.splitlines()]
    code = [line for line in more if not line.startswith("%")]
    assert len(code) == 1
    assert code[0].startswith(("triple(", "for("))
