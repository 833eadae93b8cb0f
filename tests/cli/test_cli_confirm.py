"""`kgverify rules confirm`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kgverify.cli.app import app

HEADER = (
    "Rule\tHead Coverage\tStd Confidence\tPCA Confidence\tPositive Examples\tBody size\t"
    "PCA Body size\tFunctional variable\n"
)
SHARED = "?a  parent  ?c  ?b  parent  ?c   => ?a  sibling  ?b"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    facts = "ann\tparent\tpat\nbob\tparent\tpat\nann\tsibling\tbob\nbob\tsibling\tann\n"
    (tmp_path / "kg.tsv").write_text(facts)
    return tmp_path


def confirm(rules: str, *options: str) -> Result:
    Path("rules.tsv").write_text(rules)
    arguments = ["rules", "confirm", "rules.tsv", "--kg", "kg.tsv", *options]
    return CliRunner().invoke(app, arguments)


def test_all_confirmed(folder: Path) -> None:
    found = confirm(f"{HEADER}{SHARED}\t1.0\t0.5\t0.5\t2\t4\t4\t?a\nfinished\n")
    assert found.exit_code == 0
    assert "sibling(X, Y) :- parent(X, A), parent(Y, A)" in found.stdout
    assert found.stderr == (
        "rules.tsv: 1 rule: 1 confirmed, 0 with other numbers; 1 other line skipped\n"
    )


def test_differences_are_shown(folder: Path) -> None:
    found = confirm(f"{HEADER}{SHARED}\t1.0\t0.4\t0.4\t2\t5\t5\t?a\n", "--format", "json")
    assert found.exit_code == 1
    row = json.loads(found.stdout)
    assert row["confirmed"] is False
    assert row["numbers"]["body_size"] == {"stated": 5, "found": 4, "agrees": False}
    assert row["numbers"]["support"] == {"stated": 2, "found": 2, "agrees": True}
    table = confirm(f"{HEADER}{SHARED}\t1.0\t0.4\t0.4\t2\t5\t5\t?a\n")
    assert "4 (file: 5)" in table.stdout
    assert "0.5000 (file: 0.4)" in table.stdout


def test_bad_lines_stop_or_are_skipped(folder: Path) -> None:
    text = f"{SHARED}\n?a  parents  ?b   => ?a  sibling  ?b\n?a  sibling   => ?a  sibling  ?b\n"
    found = confirm(text)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert "rules.tsv:2:5: error: the graph has no relation `parents`" in found.stderr
    assert "did you mean `parent`?" in found.stderr
    assert "rules.tsv:3:1: error: the atom `?a  sibling` has no object" in found.stderr
    skipped = confirm(text, "--on-error", "skip")
    assert skipped.exit_code == 0
    assert "1 rule: 0 confirmed, 0 with other numbers, 1 without numbers" in skipped.stderr


def test_the_format_can_be_named(folder: Path) -> None:
    rule = "4\t2\t0.5\tsibling(X,Y) <= parent(X,A), parent(Y,A)\n"
    assert confirm(rule).exit_code == 1  # different letters are different people: 2 of 2
    found = confirm(rule, "--from", "amie")
    assert found.exit_code == 0
    assert "rules.tsv: warning: there is no rule in the file [no-rules]" in found.stderr


def test_output_and_missing_files(folder: Path) -> None:
    found = confirm(SHARED + "\n", "--out", "found.json", "--format", "json")
    assert found.exit_code == 0
    assert json.loads(Path("found.json").read_text())["confirmed"] is None
    missing = CliRunner().invoke(app, ["rules", "confirm", "rule.tsv", "--kg", "kg.tsv"])
    assert missing.exit_code == 2
    assert "did you mean `rules.tsv`?" in missing.stderr
