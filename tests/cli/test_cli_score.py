"""`kgverify score`: tables for people, JSON for programs, and all mistakes at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.seaport import Seaport

GOLD = """\
{"id": "q1", "answers": ["Bern", "Basel"], "hard": "Bern", "rule_type": "symmetry"}
{"id": "q2", "answers": ["Oslo"], "hard": "Oslo", "type": "other", "aliases": {"Oslo": ["Kristia"]}}
{"id": "q3", "answers": ["Rome"], "hard": "Rome", "rule_type": "other"}
"""
OURS = """\
{"id": "q1", "prediction": "Basel, Bern"}
{"id": "q2", "prediction": ["Kristia", "Turku"]}
"""
THEIRS = """\
{"id": "q1", "prediction": ["Basel"]}
{"id": "q2", "prediction": []}
{"id": "q3", "prediction": "not Rome"}
"""


@pytest.fixture
def files(port: Seaport) -> Seaport:
    port.write("gold.jsonl", GOLD)
    port.write("ours.jsonl", OURS)
    port.write("theirs.jsonl", THEIRS)
    return port


def test_a_table_for_people(files: Seaport) -> None:
    result = files.run("score", "ours.jsonl", "--gold", "gold.jsonl")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = {line.split("  ")[0].strip(): line.split() for line in result.stdout.splitlines()}
    assert rows["strict"][1:] == [
        *("3", "0.667", "0.667", "1.000", "0.500", "0.667", "0.556", "0.333", "0.667")
    ]
    assert rows["strict, micro"][2:] == ["0.750", "0.750", "0.750"]
    assert rows["strict, without aliases"][3:5] == ["3", "0.333"]
    assert rows["strict, type symmetry"][3:6] == ["1", "1.000", "1.000"]
    assert "1 question not in the file; counted as unanswered: q3" in result.stdout


def test_json_for_programs_with_undefined_as_null(files: Seaport) -> None:
    files.write("none.jsonl", '{"id": "q1", "prediction": null}\n')
    result = files.run("score", "none.jsonl", "--gold", "gold.jsonl", "--format", "json")
    (found,) = json.loads(result.stdout)["files"]
    assert found["strict"]["hhr"] is None
    assert (found["strict"]["f1"], found["strict"]["empty_predictions"]) == (0, 3)
    assert found["missing"] == ["q2", "q3"]
    assert [o["hard"] for o in found["outcomes"]] == [False] * 3
    assert set(found["permissive"]) == {"whole words", "substring"}


def test_two_files_are_compared_and_written_whole(files: Seaport, tmp_path: Path) -> None:
    common = ("--gold", "gold.jsonl", "--resamples", "500", "--seed", "3")
    out = tmp_path / "score.json"
    result = files.run(
        "score", "ours.jsonl", "theirs.jsonl", *common, "--format", "json", "--out", str(out)
    )
    assert (result.exit_code, result.stdout) == (0, "")
    found = json.loads(out.read_text("utf-8"))["comparison"]
    assert (found["hits"]["first"], found["hits"]["second"]) == (1, 0)
    assert found["hits"]["p_exact"] == 1
    assert found["differences"]["f1"]["value"] == pytest.approx(1 / 3)
    table = files.run("score", "ours.jsonl", "theirs.jsonl", *common).stdout
    assert "McNemar, Hits@Any: 1 right by the first alone, 0 by the second alone" in table
    assert "right answer beside a negation; permissive numbers count it: q3" in table
    assert "Cohen's kappa of Hits@Any: 0.400" in table


def test_mistakes_of_all_files_come_together_and_nothing_is_written(
    files: Seaport, tmp_path: Path
) -> None:
    files.write("bad.jsonl", '{"id": "q1"}\n{"id": "q2", "prediction": 1, "cand": []}\nnothing\n')
    files.write("worse.jsonl", "[]\n3\n")
    out = tmp_path / "score.txt"
    result = files.run(
        "score", "bad.jsonl", "worse.jsonl", "--gold", "gold.jsonl", "--out", str(out)
    )
    assert result.exit_code == 2
    assert not out.exists()
    for place in ("bad.jsonl:1:", "bad.jsonl:2:", "bad.jsonl:3:1:", "worse.jsonl"):
        assert place in result.stderr
    assert "help: name the one with the answers: --answers-in prediction" in result.stderr


def test_what_does_not_go_together(files: Seaport) -> None:
    assert files.run("score", "ours.jsonl", "theirs.jsonl").exit_code == 2
    three = files.run("score", "ours.jsonl", "ours.jsonl", "ours.jsonl", "--gold", "gold.jsonl")
    assert three.exit_code == 2
    assert "give one file, or two to compare" in three.stderr
