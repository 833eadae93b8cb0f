"""Soft rules on the command line: shown, combined, inferred from, explained, replayed."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from kgverify.cli.app import app

RULES = """
class Ship, Port
relation docks_at (Ship, Port)
relation sails_with (Ship, Ship) symmetric
soft 0.42 rule together "who sails together docks together":
    docks_at(X, P) :- sails_with(X, Y), docks_at(Y, P).
soft 0.5 docks_at(X, P) :- sails_with(X, Y), docks_at(Y, P), X != Y.
question calls(p: Port)
    "Which ships call at {p}?"
    answer x : Ship
    require docks_at(x, p)
"""
FACTS = "tug\tdocks_at\toslo\nbrig\tsails_with\ttug\nbarge\ttype\tShip\n"
ASKED = (
    '{"id": "q", "question": "calls", "arguments": {"p": "oslo"}, '
    '"candidates": ["tug", "brig", "barge"]}\n'
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("r.kgr", RULES), ("f.tsv", FACTS), ("q.jsonl", ASKED)):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str, *options: str) -> Result:
    arguments = [command, *options, "--kg", "f.tsv", "--rules", "r.kgr"]
    return CliRunner().invoke(app, arguments)


def rows(text: str) -> dict[str, dict[str, str]]:
    return {row["candidate"]: row for row in csv.DictReader(io.StringIO(text))}


def test_csv_has_two_more_columns(folder: Path) -> None:
    found = rows(run("verify", "q.jsonl", "--format", "csv").stdout)
    assert found["brig"]["plausible"] == "c1=0.5"
    assert found["brig"]["plausibility"] == "0.25"
    assert [found[name]["rank"] for name in ("tug", "brig", "barge")] == ["1", "2", "3"]
    both = rows(run("verify", "q.jsonl", "--format", "csv", "--combine", "noisy-or").stdout)
    assert both["brig"]["plausible"] == "c1=0.71"


def test_without_soft_rules_nothing_is_shown_of_them(folder: Path) -> None:
    kept = [line for line in RULES.split("\n") if "0." not in line and ":-" not in line]
    (folder / "r.kgr").write_text("\n".join(kept), "utf-8")
    for format in ("csv", "jsonl", "table"):
        assert "plausib" not in run("verify", "q.jsonl", "--format", format).stdout
    told = run("explain", "q.jsonl", "--question", "q", "--candidate", "brig", "--format", "json")
    assert "plausib" not in told.stdout
    assert "infer_from" not in told.stdout


def test_a_verdict_line_names_the_rules(folder: Path) -> None:
    lines = run("verify", "q.jsonl", "--format", "jsonl").stdout.splitlines()
    brig = next(json.loads(line) for line in lines if '"brig"' in line)
    assert brig["plausibility"] == 0.25
    assert brig["constraints"][1]["plausibility"] == {
        "pro": 0.5,
        "con": 0.0,
        "rules": [
            "soft 0.42 who sails together docks together [r.kgr:5:1]",
            "soft 0.5 docks_at(X, P) :- sails_with(X, Y), docks_at(Y, P), X != Y [r.kgr:7:1]",
        ],
    }


def test_inferring_makes_a_verdict_with_that_basis(folder: Path) -> None:
    found = rows(run("verify", "q.jsonl", "--format", "csv", "--infer-from", "0.5").stdout)
    assert (found["brig"]["verdict"], found["brig"]["basis"]) == ("sat", "inferred")
    assert found["tug"]["basis"] != "inferred"
    none = rows(run("verify", "q.jsonl", "--format", "csv", "--infer-from", "0.51").stdout)
    assert none["brig"]["verdict"] == "unk"


@pytest.mark.parametrize("value", ["0", "2", "x", "nan"])
def test_what_is_no_plausibility_is_refused(folder: Path, value: str) -> None:
    result = run("verify", "q.jsonl", "--infer-from", value)
    assert result.exit_code == 2
    assert "is no plausibility" in result.stderr


def test_exact_mode_and_inferring_are_refused_together(folder: Path) -> None:
    result = run("verify", "q.jsonl", "--exact", "--infer-from", "0.5")
    assert result.exit_code == 2
    assert "exact mode" in result.stderr


@pytest.mark.parametrize("options", [(), ("--infer-from", "0.7", "--combine", "noisy-or")])
def test_an_explanation_replays_and_a_forged_one_does_not(
    folder: Path, options: tuple[str, ...]
) -> None:
    told = run(
        "explain", "q.jsonl", "--question", "q", "--candidate", "brig", "--format", "json", *options
    ).stdout
    (folder / "e.json").write_text(told, "utf-8")
    assert run("replay", "e.json").exit_code == 0
    for old, new in (('"0.42"', '"0.9"'), ('"weight": "0.5"', '"weight": "0.50001"'),
                     ('"etug"', '"ebarge"')):  # fmt: skip
        assert old in told
        (folder / "forged.json").write_text(told.replace(old, new), "utf-8")
        assert run("replay", "forged.json").exit_code == 1


def test_a_trace_tells_what_was_inferred_and_from_what(folder: Path) -> None:
    told = run(
        "explain", "q.jsonl", "--question", "q", "--candidate", "brig",
        "--format", "trace", "--infer-from", "0.5",
    )  # fmt: skip
    steps = json.loads(told.stdout)["inferences"]
    known = {step["conclusion"] for step in steps}
    assert all(premise in known for step in steps for premise in step["premises"])
    assert {"ruleName": "plausible from 1/2 on counts as true",
            "conclusion": "docks_at(x, oslo) is sat",
            "premises": ["docks_at(brig, oslo): plausible, 0.5",
                         "docks_at(brig, oslo): plausible, 0.42"]} in steps  # fmt: skip


def test_a_relation_that_only_soft_rules_need_is_missed(folder: Path) -> None:
    (folder / "f.tsv").write_text("tug\tdocks_at\toslo\n", "utf-8")
    result = run("verify", "q.jsonl")
    assert "the graph has no relation `sails_with`" in result.stderr


def test_checking_counts_the_soft_rules(folder: Path) -> None:
    result = CliRunner().invoke(app, ["rules", "check", "r.kgr"])
    assert "0 rules, 2 soft rules, 1 question" in result.stdout
