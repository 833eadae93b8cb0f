"""`kgverify ask` with a language model, and with one for likeness."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kgverify.cli.app import app
from tests.asking.chat_server import chat_server

RULES = """
class Drug      phrases "drug"
class Disease   phrases "disease"
disjoint Drug, Disease
relation treats (Drug, Disease)     "{0} treats {1}"
"""
REPLY = json.dumps(
    {
        "answer": {"class": "Drug", "words": ["what"]},
        "constraints": [
            {
                "demand": "require",
                "relation": "treats",
                "subject": "x",
                "object": "asthma",
                "words": ["My aunt wheezes from", "shall she swallow"],
            }
        ],
    }
)
TEXT = "My aunt wheezes from asthma, what shall she swallow?"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "rules.kgr").write_text(RULES)
    (tmp_path / "facts.tsv").write_text("salbutamol\ttreats\tasthma\n")
    return ["--kg", str(tmp_path / "facts.tsv"), "--rules", str(tmp_path / "rules.kgr")]


def ask(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(app, ["ask", *arguments], env=environment)


def test_the_model_reads_what_the_grammar_can_not(files: list[str]) -> None:
    assert ask(TEXT, *files).exit_code == 2
    with chat_server(REPLY) as server:
        given = ["--llm", server.url, "--llm-model", "small", "--llm-seconds", "20"]
        result = ask(TEXT, *files, *given, KGVERIFY_LLM_KEY=" key-1\n")
        assert server.headers[0]["Authorization"] == "Bearer key-1"
    assert result.exit_code == 0, result.output
    assert "read with confidence 0.90 (llm)" in result.stdout
    assert "salbutamol" in result.stdout
    assert "read by the language model alone" in result.stderr
    assert "key-1" not in result.output


def test_a_reading_alone_shows_its_warnings_too(files: list[str]) -> None:
    with chat_server("nonsense") as server:
        given = ["--llm", server.url, "--llm-model", "small", "--llm-first", "--only-read"]
        result = ask("Which drugs treat asthma?", *files, *given, "--format", "jsonl")
    assert result.exit_code == 0, result.output
    reading = json.loads(result.stdout)["reading"]
    assert reading["source"] == "grammar"
    assert reading["warnings"][0].startswith("read by the grammar alone")
    assert "[second-reading]" in result.stderr


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["--llm-model", "small"], "--llm-model"),
        (["--llm-first", "--llm-seconds", "3"], "--llm-first/--llm-seconds"),
    ],
)
def test_options_of_a_model_that_is_not_named(
    files: list[str], given: list[str], named: str
) -> None:
    result = ask(TEXT, *files, *given)
    assert result.exit_code == 2
    assert f"Invalid value for {named}: goes with --llm" in result.stderr


def test_a_model_that_can_not_be_asked_ends_with_an_error(files: list[str]) -> None:
    result = ask(TEXT, *files, "--llm", "ftp://127.0.0.1/", "--llm-model", "small")
    assert result.exit_code == 2
    assert "[llm-url]" in result.stderr
    with chat_server("nonsense") as server:
        result = ask(TEXT, *files, "--llm", server.url, "--llm-model", "small")
    assert result.exit_code == 2
    assert "[llm-reply]" in result.stderr


@pytest.mark.parametrize(
    "alone",
    [
        ["--llm-model", "small"],
        ["--llm-first"],
        ["--llm-seconds", "3"],
        ["--llm", "http://127.0.0.1/v1"],
        ["--likeness", "0.5"],
    ],
)
def test_options_that_need_another_say_so(alone: list[str], files: list[str]) -> None:
    result = ask(TEXT, *files, *alone)
    assert result.exit_code == 2
    assert "goes with --" in result.stderr


def test_a_folder_that_is_no_model_is_an_error(files: list[str], tmp_path: Path) -> None:
    result = ask(TEXT, *files, "--embeddings", str(tmp_path / "nothing"))
    assert result.exit_code == 2
    assert "[no-model]" in result.stderr or "[missing-extra]" in result.stderr
