"""`kgverify complete`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from kgverify.cli import console
from kgverify.cli.app import app
from tests.asking.chat_server import chat_server

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


# ---------------------------------------------------------------- generated candidates


def said(*objects: str, **fields: str) -> None:
    line = {"subject": "Kazakhstan", "relation": "capital", "objects": objects} | fields
    Path("said.jsonl").write_text(json.dumps(line) + "\n")


def test_generations_from_a_file_are_verified() -> None:
    said("Nur-Sultan", "Astana", "Almaty")
    (found,) = rows(complete("--format", "jsonl", "--candidates-from", "said.jsonl"))
    assert [edge["object"] for edge in found["edges"]] == ["astana"]
    assert [one["object"] for one in found["rejected"]] == ["almaty"]
    assert found["generated"] == ["Nur-Sultan", "Astana", "Almaty"]
    assert [(one["text"], one["why"]) for one in found["unlinked"]] == [("Nur-Sultan", "unknown")]
    assert found["pins"]["candidates"].startswith("generator recorded ")
    assert (found["searches"], found["judged"]) == (1, 10)
    shown = " ".join(complete("--candidates-from", "said.jsonl").stdout.split())
    assert "Nur-Sultan `Nur-Sultan` is no entity of the graph" in shown
    assert "1 search, 10 pairs judged, 0 calls to generate 1 edge admitted" in shown


def test_guesses_are_verified() -> None:
    ask(("kz", "kazakhstan", "continent"))
    lost = Path("lost.tsv").read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lost if not line.startswith("kazakhstan\tcontinent\t")]
    assert len(kept) < len(lost)
    Path("lost.tsv").write_text("".join(kept), "utf-8")
    (found,) = rows(complete("--format", "jsonl", "--candidates-from", "guess"))
    assert set(found["generated"]) <= {"asia", "europe", "africa", "north_america", "oceania"}
    assert found["generated"][0] in ("asia", "europe")
    assert {edge["object"] for edge in found["edges"]} <= set(found["generated"])


def test_a_language_model_generates_and_another_judges() -> None:
    reply = json.dumps({"relation": "capital", "objects": ["Astana"]})
    with chat_server(reply) as server:
        source = ("--candidates-from", "model", "--llm", server.url, "--llm-model", "small")
        (found,) = rows(complete("--format", "jsonl", *source, "--journal", "journal"))
        assert [edge["object"] for edge in found["edges"]] == ["astana"]
        assert found["pins"]["candidates"] == "generator endpoint small"
        assert len(server.asked) == 1
        again = complete(*source, "--journal", "journal")
        assert "0 searches, 0 pairs judged, 0 calls to generate" in " ".join(again.stdout.split())
        assert len(server.asked) == 1
        assert "same-model" not in again.stderr
    other = complete("--journal", "journal")
    assert other.exit_code == 2
    assert "another candidates" in other.stderr


def test_a_model_that_judges_itself_is_warned_of() -> None:
    said("Astana", model="Small-7B")
    with chat_server("UNCERTAIN") as server:
        judge = ("--judge", "endpoint", "--judge-url", server.url, "--judge-model", "org/small_7b")
        found = complete("--candidates-from", "said.jsonl", "--set", "k=0", *judge)
    assert found.exit_code == 0, found.output
    assert "[same-model]" in found.stderr


def test_a_generator_that_fails_is_told_and_nothing_is_admitted() -> None:
    with chat_server("I am sorry") as server:
        source = ("--candidates-from", "model", "--llm", server.url, "--llm-model", "small")
        (found,) = rows(complete("--format", "jsonl", *source))
    assert (found["status"], found["edges"], found["rounds"]) == ("abstained", [], [])
    assert found["why"].startswith("the generator stopped: the reply is no JSON")


def test_sources_that_make_no_sense_are_refused() -> None:
    said("Astana", subject="Kazakstan")
    ask(("a", "Kazakhstan", "capitol"))
    both = complete("--candidates-from", "said.jsonl")
    assert both.exit_code == 2
    assert "missing.jsonl:1:" in both.stderr
    assert "said.jsonl:1:2: error: the graph has no entity `Kazakstan`" in both.stderr
    assert "did you mean `Kazakhstan`?" in both.stderr
    ask(("a", "Kazakhstan", "capital"))
    wrong = complete("--candidates-from", "gues")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "did you mean `guess`?" in wrong.stderr
    for bad in (
        ["--candidates-from", "model"],
        ["--candidates-from", "model", "--llm", "http://localhost:1"],
        ["--llm", "http://localhost:1", "--llm-model", "small"],
        ["--candidates-from", "guess", "--llm-model", "small"],
    ):
        assert complete(*bad).exit_code == 2


def test_what_is_being_searched_for_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    @contextmanager
    def shown() -> Iterator[Callable[[str], None]]:
        yield said.append

    monkeypatch.setattr(console, "progress_shown", shown)
    ask(("kz", "Kazakhstan", "capital"), ("borders", "Kazakhstan", "borders"))
    complete("--set", "k=1")
    assert said == [
        "round 0: borders(kazakhstan, ?)",
        "round 0: capital(kazakhstan, ?)",
        "round 1: borders(kazakhstan, ?)",
    ]
