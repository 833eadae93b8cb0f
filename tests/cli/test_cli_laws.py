"""`kgverify laws`: what it prints, how it ends, and that a fault is shown ready to be run again."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kgverify.cli.app import app
from kgverify.reasoning import deciding
from kgverify.testing import LAWS

RULES = """\
class Ship, Port
disjoint Ship, Port
relation docks_at (Ship, Port)
relation tonnage (Ship, integer) functional
complete docks_at for Ship
rule unused: docks_at(X, P) :- docks_at(X, Q), docks_at(X, P), Q != P.
question calls(p: Port)
    "Which ships call at {p}?"
    answer x : Ship
    require docks_at(x, p)
    prefer  tonnage(x, 1)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "port.kgr").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def doubting(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that takes every candidate but the first for open."""
    original = deciding.SliceEngine.decide

    def decide(self: deciding.SliceEngine, asked: object) -> list[deciding.Decisions]:
        found = original(self, asked)  # type: ignore[arg-type]
        for decided in found:
            decided.verdicts[1:] = deciding.VERDICTS.index("unk")
        return found

    monkeypatch.setattr(deciding.SliceEngine, "decide", decide)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["laws", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_all_laws_hold_and_nothing_is_left_behind(folder: Path) -> None:
    code, shown, errors = run("port.kgr", "--examples", "2")
    assert (code, errors) == (0, "")
    missing = sum(bool(law.missing) for law in LAWS)
    assert f"port.kgr: {14 - missing} hold, 0 fail, {missing} could not be checked" in shown
    assert "checked without the file's completeness statements" in shown
    assert sorted(path.name for path in folder.iterdir()) == ["port.kgr"]


def test_results_as_json_are_the_same_every_time(folder: Path) -> None:
    arguments = ("port.kgr", "--examples", "3", "--law", "3", "--law", "11", "--json")
    code, shown, _ = run(*arguments)
    assert (code, shown) == run(*arguments)[:2]
    found = json.loads(shown)
    assert (code, found["file"], found["seed"]) == (0, "port.kgr", 0)
    assert [(row["law"], row["result"], row["examples"]) for row in found["laws"]] == [
        (3, "holds", 3),
        (11, "unchecked", 0),
    ]
    assert found["laws"][0]["failure"] is None


def test_a_graph_lends_its_facts(folder: Path) -> None:
    (folder / "facts.tsv").write_text("tug\tdocks_at\toslo\ntug\ttonnage\t7\noslo\ttype\tPort\n")
    code, shown, errors = run("port.kgr", "--kg", "facts.tsv", "--examples", "3", "--law", "4")
    assert (code, errors) == (0, "")
    assert "1 hold, 0 fail" in shown


@pytest.mark.usefixtures("doubting")
def test_a_fault_is_shown_small_and_can_be_run_again(folder: Path) -> None:
    code, shown, _ = run("port.kgr", "--law", "9", "--save", "found")
    assert code == 1
    assert "law 9, batching fails: alone the candidate gets another verdict" in shown
    for name in ("rules.kgr", "facts.tsv", "questions.jsonl"):
        assert f"--- {name}" in shown
    assert "before: question " in shown
    assert "after: question " in shown
    assert "rule unused" not in shown
    saved = folder / "found" / "law-9" / "before"
    assert (saved / "rules.kgr").read_text() in shown
    (asked,) = (json.loads(line) for line in (saved / "questions.jsonl").read_text().splitlines())
    assert len(asked["candidates"]) == 2
    again = CliRunner().invoke(app, ["rules", "check", str(saved / "rules.kgr")])
    assert again.exit_code == 0


@pytest.mark.usefixtures("doubting")
def test_a_fault_as_json(folder: Path) -> None:
    code, shown, _ = run("port.kgr", "--law", "4", "--json")
    assert code == 1
    (row,) = json.loads(shown)["laws"]
    assert row["result"] == "fails"
    assert row["failure"]["before"]["verdict"] != row["failure"]["after"]["verdict"]
    assert set(row["failure"]["files"]["before"]) >= {"rules.kgr", "facts.tsv", "questions.jsonl"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("port.kgr", "--law", "15"), "there is no law 15; the laws are 1 to 14"),
        (("port.kgr", "--examples", "0"), "greater than or equal to 1"),
        (("prt.kgr",), "did you mean `port.kgr`?"),
        (("empty.kgr",), "the rule file has no question"),
    ],
)
def test_wrong_usage(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    (folder / "empty.kgr").write_text("class A\nrelation r (A, A)\n")
    code, shown, errors = run(*arguments)
    assert (code, shown) == (2, "")
    assert message in " ".join(errors.replace("│", " ").split())


def test_without_hypothesis_the_extra_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [n for n in sys.modules if n.split(".")[:2] == ["kgverify", "testing"]]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    code, shown, errors = run("port.kgr")
    assert (code, shown) == (2, "")
    assert "pip install 'kgverify[testing]'" in errors
    monkeypatch.undo()
    importlib.import_module("kgverify.testing")
