"""`kgverify rules analyze`, `rules diff` and `rules scenarios`: output and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kgverify import load_rules, run_tests
from kgverify.cli.app import app

SOUND = """\
class A
relation r (A, A) irreflexive
relation s (A, A)
question q(p: A)
    "What of {p}?"
    answer x : A
    require r(x, p)
    exclude s(x, p)
"""
FLAWED = SOUND + "not s(X, Y) :- r(X, Y).\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sound.kgr").write_text(SOUND)
    (tmp_path / "flawed.kgr").write_text(FLAWED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["rules", *arguments])
    return done.exit_code, done.output


def test_analyze_finds_nothing_in_a_sound_file(folder: Path) -> None:
    code, text = run("analyze", "sound.kgr", "--bound", "2")
    assert (code, text) == (0, "sound.kgr: 0 findings; 1 question and 0 rules analysed\n")


def test_analyze_shows_a_finding_with_its_block(folder: Path) -> None:
    code, text = run("analyze", "flawed.kgr", "--bound", "2")
    assert code == 1
    assert "flawed.kgr:8:13: warning[constraint-implied]: `not s(x, p)` is met wherever" in text
    assert "    see flawed.kgr:7:13: the other constraint\n" in text
    assert "    up to 2 facts about 4 things; remove it" in text
    assert '    test "q: r(x, p): then not s(x, p)" {\n        r(x1, p1).\n' in text
    assert "1 finding; 1 question and 1 rule analysed" in text


def test_analyze_in_json(folder: Path) -> None:
    code, text = run("analyze", "flawed.kgr", "--bound", "2", "--format", "json")
    found = json.loads(text)
    assert code == 1
    (finding,) = found["findings"]
    assert (finding["code"], finding["line"]) == ("constraint-implied", 8)
    assert finding["claim"] == "up to 2 facts about 4 things"
    assert len(finding["blocks"]) == 1
    assert (found["questions"], found["rules"], found["left"]) == (1, 1, [])


def test_analyze_without_time_is_a_limit(folder: Path) -> None:
    code, text = run("analyze", "sound.kgr", "--timeout", "0")
    assert code == 3
    assert "question `q`: not finished: the time was over\n" in text


def test_diff_shows_both_verdicts_and_proofs(folder: Path) -> None:
    code, text = run("diff", "sound.kgr", "flawed.kgr", "--bound", "2")
    assert code == 1
    assert "q: unk before, sat now, on a graph of 1 fact" in text
    assert text.index("  sound.kgr:\n") < text.index("  flawed.kgr:\n")
    assert "1 question with a difference, 0 without one, 0 not compared" in text
    block = "\n".join(line[4:] for line in text.splitlines() if line.startswith("    "))
    block = block[block.index("test ") : block.index("}") + 1]
    path = folder / "more.kgr"
    path.write_text(f"{FLAWED}{block}\n")
    assert [o.passed for o in run_tests(load_rules(path))] == [True]


def test_diff_without_a_difference(folder: Path) -> None:
    code, text = run("diff", "sound.kgr", "sound.kgr")
    assert code == 0
    assert text == (
        "q: no difference, proven\n1 question with a difference, 0 without one, 0 not compared\n"
    ).replace("1 question with a difference, 0", "0 questions with a difference, 1")


def test_diff_in_json(folder: Path) -> None:
    code, text = run("diff", "sound.kgr", "flawed.kgr", "--bound", "2", "--format", "json")
    (found,) = json.loads(text)["different"]
    assert code == 1
    assert (found["old"]["verdict"], found["new"]["verdict"]) == ("unk", "sat")
    assert found["facts"] == ["r(x1, p1)"]


def test_diff_without_time_is_a_limit(folder: Path) -> None:
    code, text = run("diff", "sound.kgr", "flawed.kgr", "--timeout", "0")
    assert code == 3
    assert "question `q`: not finished: the time was over\n" in text


def test_scenarios_are_statements_of_the_file(folder: Path) -> None:
    code, text = run("scenarios", "sound.kgr", "--question", "q", "--bound", "2")
    assert code == 0
    assert "# the verdict is sat\n" in text
    (folder / "sound.kgr").write_text(SOUND + text)
    code, checked = run("check", "sound.kgr", "--test")
    assert code == 0, checked
    assert ", 0 failed" in checked


def test_scenarios_of_an_unknown_question(folder: Path) -> None:
    code, text = run("scenarios", "sound.kgr", "--question", "p")
    assert code == 2
    assert "there is no question `p`" in text


def test_scenarios_without_time_are_a_limit(folder: Path) -> None:
    code, text = run("scenarios", "sound.kgr", "--timeout", "0")
    assert code == 3
    assert "# question `q`: not finished: the time was over\n" in text
