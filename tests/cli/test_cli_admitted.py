"""`kgverify verify` and `explain` with `--complete`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kgverify.cli.app import app

ROOT = Path(__file__).parents[2]
COUNTRIES = ROOT / "corpora" / "countries"
GRAPH = (
    *("--kg", "lost.tsv", "--kg", str(COUNTRIES / "labels.tsv")),
    *("--rules", str(ROOT / "rules" / "countries.kgr")),
)
CORPUS = ("--corpus", str(COUNTRIES / "passages.jsonl"))
LOST = ("kazakhstan\tcapital\t", "kazakhstan\tformer_capital\t")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph without the capitals of Kazakhstan, and questions about them."""
    monkeypatch.chdir(tmp_path)
    facts = (COUNTRIES / "facts.tsv").read_text("utf-8").splitlines(keepends=True)
    Path("lost.tsv").write_text("".join(f for f in facts if not f.startswith(LOST)), "utf-8")
    asked = [
        ("capital", "capital_of", "kazakhstan", ["almaty", "astana"]),
        ("borders", "neighbours", "kazakhstan", ["turkey", "china"]),
    ]
    rows = (
        {"id": id_, "question": name, "arguments": {"c": country}, "candidates": candidates}
        for id_, name, country, candidates in asked
    )
    Path("q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return tmp_path


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, arguments, input=stdin)


def verdicts(*arguments: str) -> dict[tuple[str, str], tuple[str, str]]:
    result = run("verify", "q.jsonl", *GRAPH, *CORPUS, *arguments, "--format", "jsonl")
    rows = map(json.loads, result.stdout.splitlines())
    return {(r["question"], r["candidate"]): (r["verdict"], r["basis"]) for r in rows}


def test_a_lost_edge_decides_with_its_own_basis() -> None:
    assert verdicts() == {
        ("capital", "almaty"): ("unk", ""),
        ("capital", "astana"): ("unk", ""),
        ("borders", "turkey"): ("unk", ""),
        ("borders", "china"): ("sat", "derived"),
    }
    assert verdicts("--complete") == {
        ("capital", "astana"): ("sat", "admitted"),
        ("capital", "almaty"): ("viol", "admitted"),
        ("borders", "turkey"): ("unk", ""),
        ("borders", "china"): ("sat", "derived"),
    }


def test_the_policy_and_its_options_are_the_callers() -> None:
    paper = verdicts("--complete", "--complete-policy", "paper")
    assert paper["borders", "turkey"] == ("sat", "admitted")
    none = verdicts("--complete", "--set", "tau=0.9")
    assert none == verdicts()


def test_csv_has_the_constraints_that_rest_on_edges() -> None:
    result = run("verify", "q.jsonl", *GRAPH, *CORPUS, "--complete", "--format", "csv")
    found = {row["candidate"]: row for row in csv.DictReader(result.stdout.splitlines())}
    assert (found["astana"]["basis"], found["astana"]["admitted"]) == ("admitted", "c1")
    assert found["china"]["admitted"] == ""
    plain = run("verify", "q.jsonl", *GRAPH, *CORPUS, "--format", "csv")
    assert "admitted" not in plain.stdout


def test_standard_input_is_answered_line_by_line() -> None:
    lines = Path("q.jsonl").read_text("utf-8")
    options = ("--complete", "--format", "jsonl")
    streamed = run("verify", "--stdin", *GRAPH, *CORPUS, *options, stdin=lines)
    assert streamed.stdout == run("verify", "q.jsonl", *GRAPH, *CORPUS, *options).stdout


def test_an_explanation_shows_why_and_replays() -> None:
    asked = ("explain", "q.jsonl", "--question", "capital", "--candidate", "astana")
    tree = run(*asked, *GRAPH, *CORPUS, "--complete")
    assert tree.exit_code == 0, tree.output
    told = " ".join(tree.stdout.split())
    assert "✓ sat (admitted) capital(Kazakhstan, x)" in told
    assert "was admitted by the policy careful in round 0: ENTAILED, score 23/30, 1 source" in told
    assert "“Astana is the capital of Kazakhstan”: ENTAILED 0.95" in told
    written = run(*asked, *GRAPH, *CORPUS, "--complete", "--format", "json")
    Path("told.json").write_text(written.stdout, "utf-8")
    assert run("replay", "told.json", *GRAPH).exit_code == 0
    other = json.loads(written.stdout)
    del other["admitted"]
    Path("told.json").write_text(json.dumps(other), "utf-8")
    refused = run("replay", "told.json", *GRAPH)
    assert refused.exit_code == 1
    assert "is admitted without saying from what" in refused.output


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--complete",), "goes with --corpus"),
        ((*CORPUS, "--set", "tau=0.6"), "goes with --complete"),
        ((*CORPUS, "--complete-policy", "paper"), "goes with --complete"),
        ((*CORPUS, "--complete", "--set", "tau"), "write it as OPTION=VALUE"),
        ((*CORPUS, "--complete", "--set", "tau=0"), "`tau` is 0"),
        ((*CORPUS, "--complete", "--exact"), "an admitted edge holds in some only"),
    ],
)
def test_what_makes_no_sense_is_refused(options: tuple[str, ...], said: str) -> None:
    result = run("verify", "q.jsonl", *GRAPH, *options)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
    assert "capital:" not in result.stdout
