"""`kgverify complete`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from kgverify.cli.app import app

ROOT = Path(__file__).parents[2]
COUNTRIES = ROOT / "corpora" / "countries"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph without the capital of Kazakhstan, and a question for it."""
    monkeypatch.chdir(tmp_path)
    facts = (COUNTRIES / "facts.tsv").read_text("utf-8").splitlines(keepends=True)
    lost = [line for line in facts if not line.startswith("kazakhstan\tcapital\t")]
    assert len(lost) == len(facts) - 1
    Path("lost.tsv").write_text("".join(lost), "utf-8")
    ask(("kz", "Kazakhstan", "capital"))
    return tmp_path


def ask(*rows: tuple[str, str, str]) -> None:
    found = (dict(zip(("id", "subject", "relation"), row, strict=True)) for row in rows)
    Path("missing.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found))


def complete(*arguments: str) -> Result:
    paths = ("--kg", "lost.tsv", "--kg", str(COUNTRIES / "labels.tsv"))
    rules = ("--rules", str(ROOT / "rules" / "countries.kgr"))
    corpus = ("--corpus", str(COUNTRIES / "passages.jsonl"))
    command = ["complete", "missing.jsonl", *paths, *rules, *corpus, *arguments]
    return CliRunner().invoke(app, command)


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_lost_edge_is_found_with_where_it_is_stated() -> None:
    (found,) = rows(complete("--format", "jsonl"))
    assert (found["id"], found["subject"], found["relation"]) == ("kz", "kazakhstan", "capital")
    assert (found["status"], found["why"], found["proven"]) == ("completed", "", True)
    (edge,) = found["edges"]
    assert (edge["object"], edge["label"], edge["round"]) == ("astana", "Astana", 0)
    assert (edge["verdict"], edge["final"]) == ("ENTAILED", "23/30 (about 0.766667)")
    assert (edge["sources"], edge["cited"]) == (1, ["kazakhstan-capital"])
    first = next(one for one in edge["passages"] if one["id"] == "kazakhstan-capital")
    assert first["quote"] == "Astana is the capital of Kazakhstan"
    assert (first["place"], first["mentions"], first["title_mentions"]) == ([0, 35], [[0, 6]], [])
    assert {one["object"] for one in found["rejected"]} >= {"almaty", "canberra"}
    assert all(one["reasons"] for one in found["rejected"])
    assert found["policy"]["tau"] == "0.5"
    assert found["pins"]["retriever"] == "bm25"
    assert [one["query"] for one in found["rounds"]] == ["the capital of Kazakhstan is"]


def test_the_careful_policy_does_not_take_what_passages_leave_open() -> None:
    ask(("borders", "kazakhstan", "borders"))
    (careful,) = rows(complete("--format", "jsonl"))
    (paper,) = rows(complete("--format", "jsonl", "--policy", "paper"))
    assert (careful["status"], careful["edges"]) == ("abstained", [])
    assert [round["round"] for round in careful["rounds"]] == [0, 1, 2]
    # "Türkiye lies in Asia …  Russia and Kazakhstan lie in both continents too."
    assert [edge["object"] for edge in paper["edges"]] == ["russia", "turkey"]
    assert {edge["verdict"] for edge in paper["edges"]} == {"UNCERTAIN"}


def test_what_was_denied_of_the_graph_is_refuted() -> None:
    ask(("borders", "kazakhstan", "borders"))
    denied = ("--denied", str(COUNTRIES / "denied.tsv"))
    (paper,) = rows(complete("--format", "jsonl", "--policy", "paper", *denied))
    assert [edge["object"] for edge in paper["edges"]] == ["russia"]
    turkey = next(one for one in paper["rejected"] if one["object"] == "turkey")
    assert [reason["code"] for reason in turkey["reasons"]] == ["refuted"]


def test_two_lines_may_ask_for_one_edge() -> None:
    ask(("b", "Kazakhstan", "capital"), ("a", "kazakhstan", "capital"))
    first, second = rows(complete("--format", "jsonl"))
    assert (first.pop("id"), second.pop("id")) == ("b", "a")
    assert first == second


def test_options_of_the_policy() -> None:
    (found,) = rows(complete("--format", "jsonl", "--set", "tau=0.9", "--set", "k=0"))
    assert (found["policy"]["tau"], found["status"], len(found["rounds"])) == (
        "0.9",
        "abstained",
        1,
    )
    assert found["why"].startswith("none of ")
    (found,) = rows(complete("--format", "jsonl", "--set", "needs_source=false"))
    assert found["policy"]["needs_source"] is False
    wrong = complete("--set", "tau=0", "--set", "tou=1")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "policy-range" in wrong.stderr
    assert "did you mean `tau`?" in wrong.stderr
    for bad in (["--set", "tau"], ["--set", "k=1", "--set", "k=2"]):
        assert complete(*bad).exit_code == 2
    questionable = complete("--set", "tau=0.3")
    assert questionable.exit_code == 0
    assert "policy-sources-alone" in questionable.stderr


def test_bad_lines_are_told_together_and_nothing_is_written() -> None:
    ask(("a", "Kazakstan", "capital"), ("b", "kazakhstan", "capital_since"), ("c", "japan", "x"))
    result = complete("--out", "out.txt", "--journal", "journal")
    assert (result.exit_code, result.stdout) == (2, "")
    for number, code in ((1, "unknown-entity"), (2, "literal-relation"), (3, "unknown-relation")):
        (told,) = [line for line in result.stderr.splitlines() if f"missing.jsonl:{number}" in line]
        assert f"[{code}]" in told
    assert not Path("out.txt").exists()
    assert not Path("journal").exists()
    Path("missing.jsonl").unlink()
    assert complete().exit_code == 2


def test_a_journal_gives_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from kgverify.evidence.rule_judge import RuleJudge

    first = complete("--format", "jsonl", "--journal", "journal", "--out", "out.jsonl")
    assert (first.exit_code, first.stdout) == (0, "")
    written = Path("journal").read_bytes()

    def refuse(*_: object) -> None:
        raise AssertionError("the judge was asked again")

    monkeypatch.setattr(RuleJudge, "judge", refuse)
    again = complete("--format", "jsonl", "--journal", "journal")
    assert again.stdout == Path("out.jsonl").read_text("utf-8")
    assert Path("journal").read_bytes() == written


def test_the_table_shows_quotes_and_reasons() -> None:
    ask(("kz", "Kazakhstan", "capital"), ("jp", "japan", "currency"))
    shown = complete()
    assert shown.exit_code == 0
    text = " ".join(shown.stdout.split())
    assert "kz: capital(Kazakhstan, ?) Astana 23/30" in text
    assert "kazakhstan-capital: ENTAILED “Astana is the capital of Kazakhstan”" in text
    assert "it conflicts with Almaty was once the capital of Kazakhstan" in text
    assert "it conflicts with the currency of Japan is the Japanese yen" in text
    last = "1 edge admitted for 2 missing edges in 3 rounds, by the policy careful with tau 0.5"
    assert text.endswith(last)
