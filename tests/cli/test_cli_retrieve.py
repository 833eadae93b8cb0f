"""`kgverify retrieve`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kgverify.cli.app import app
from tests.models import needs_extra, word_model

RULES = """
class Country, City
relation capital (Country, City)  "the capital of {0} is {1}"
    phrases "{1} is the seat of {0}"
relation inhabitants (Country, integer)
"""
PASSAGES = [
    {"id": "a", "title": "Norway", "text": "Oslo is the CAPITAL of Norway.", "source": "Atlas"},
    {"id": "b", "title": "Oslo", "text": "A port in the south of Norway, on a fjord.\x1b[2J"},
    {"id": "c", "title": "Sweden", "text": "Stockholm is the seat of Sweden's king."},
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("passages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in PASSAGES))
    Path("rules.kgr").write_text(RULES)
    Path("kg.tsv").write_text("no\tcapital\toslo\nse\tcapital\tsto\n")
    Path("labels.tsv").write_text("no\tNorway\tCountry\nse\tSweden\tCountry\noslo\tOslo\tCity\n")
    return tmp_path


def retrieve(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["retrieve", "--corpus", "passages.jsonl", *arguments])


def ids(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return [json.loads(line)["id"] for line in result.stdout.splitlines()]


EDGE = ("--relation", "capital", "--rules", "rules.kgr", "--kg", "kg.tsv", "--kg", "labels.tsv")


def test_passages_are_found_by_words() -> None:
    found = retrieve("capital of norway", "--format", "json")
    assert found.exit_code == 0
    shown = json.loads(found.stdout)
    assert shown["query"] == {"text": "capital of norway", "names": [], "phrases": []}
    assert shown["retriever"] == "bm25"
    first, second = shown["passages"]
    assert (first["rank"], first["id"], first["title"], first["source"]) == (
        1,
        "a",
        "Norway",
        "Atlas",
    )
    assert first["score"] > second["score"] > 0
    assert [first["text"][start:end] for start, end in first["words"]] == ["CAPITAL", "Norway"]
    assert first["names"] == []


def test_the_table_shows_what_the_json_has() -> None:
    found = retrieve("norway", "--top", "2")
    assert found.exit_code == 0
    assert "Oslo is the CAPITAL of Norway." in found.stdout
    assert "Atlas" in found.stdout
    assert "\x1b" not in found.stdout
    assert "\\x1b[2J" in found.stdout
    assert found.stdout.endswith("2 passages of 3 by bm25, for “norway”\n")
    assert ids(retrieve("norway", "--top", "1", "--format", "jsonl")) == ["a"]


def test_a_fact_is_looked_for_with_the_words_of_the_rule_file() -> None:
    arguments = (*EDGE, "--subject", "Sweden", "--format", "json")
    shown = json.loads(retrieve(*arguments).stdout)
    assert shown["query"]["text"] == "the capital of Sweden is"
    assert shown["query"]["names"] == ["Sweden"]
    (first, *_) = shown["passages"]
    assert first["id"] == "c"
    assert [first["text"][start:end] for start, end in first["words"]] == ["seat", "Sweden"]
    assert [first["text"][start:end] for start, end in first["names"]] == ["Sweden"]
    both = json.loads(retrieve("fjord", *arguments, "--object", "oslo").stdout)
    assert both["query"]["text"] == "fjord"
    assert both["query"]["names"] == ["Sweden", "Oslo"]
    assert "the capital of Sweden is Oslo" in both["query"]["phrases"]


def test_values_may_be_objects() -> None:
    arguments = (*EDGE[2:], "--relation", "inhabitants", "--object", "12", "--format", "json")
    assert json.loads(retrieve(*arguments).stdout)["query"]["names"] == ["12"]


def test_nothing_found_is_no_mistake() -> None:
    found = retrieve("xyzzy")
    assert found.exit_code == 0
    assert found.stdout == "0 passages of 3 by bm25, for “xyzzy”\n"
    assert ids(retrieve("xyzzy", "--format", "jsonl")) == []


def test_an_index_is_kept_beside_the_corpus_or_where_it_is_wanted(folder: Path) -> None:
    wanted = ids(retrieve("norway", "--format", "jsonl"))
    assert (folder / "passages.jsonl.index").is_dir()
    again = ("norway", "--format", "jsonl", "--index", "kept")
    assert ids(retrieve(*again)) == ids(retrieve(*again)) == wanted
    assert [path.name[:5] for path in (folder / "kept").iterdir()] == ["bm25-"]
    assert ids(retrieve("norway", "--format", "jsonl", "--retriever", "bm25-reference")) == wanted
    Path("file").write_text("")
    found = retrieve("norway", "--format", "jsonl", "--index", "file")
    assert ids(found) == wanted
    assert "warning: the index is not kept" in found.stderr


@needs_extra
def test_passages_are_found_by_meaning(folder: Path) -> None:
    model = folder / "model"
    model.mkdir()
    word_model(model, {0: "seat capital", 1: "port harbour", 2: "oslo", 3: "norway", 4: "sweden"})
    for kind in ("dense", "hybrid"):
        arguments = ("--retriever", kind, "--model", "model", "--format", "jsonl", "--top", "1")
        assert ids(retrieve("harbour of oslo", *arguments)) == ["b"]
    assert sorted(
        path.name.split("-")[0] for path in (folder / "passages.jsonl.index").iterdir()
    ) == [
        "bm25",
        "dense",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "say what to search for"),
        (("x", "--subject", "Norway"), "goes with --relation"),
        (("x", "--relation", "capital"), "is needed by --relation"),
        (EDGE, "needs --subject or --object"),
        ((*EDGE[:4], "--subject", "Norway"), "is needed by --subject and --object"),
        ((*EDGE, "--subject", "Norwya"), "did you mean `Norway`?"),
        ((*EDGE[2:], "--relation", "capitol", "--subject", "no"), "did you mean `capital`?"),
        (("x", "--retriever", "dense"), "is needed by dense and hybrid"),
        (("x", "--model", "model"), "goes with dense and hybrid"),
    ],
)
def test_mistakes_of_use_are_told(arguments: tuple[str, ...], said: str) -> None:
    found = retrieve(*arguments)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert said in " ".join(found.stderr.replace("│", " ").split())


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = CliRunner().invoke(app, ["retrieve", "x", "--corpus", "passage.jsonl"])
    assert found.exit_code == 2
    assert "passage.jsonl: error" in found.stderr
    Path("empty").mkdir()
    for name, said in (("empty", "no-model"), ("none", "no-model")):
        found = retrieve("x", "--retriever", "dense", "--model", name)
        assert found.exit_code == 2
        assert f"[{said}]" in found.stderr
    monkeypatch.setitem(sys.modules, "torch", None)
    found = retrieve("x", "--retriever", "hybrid", "--model", "none")
    assert found.exit_code == 2
    assert "pip install 'kgverify[neural]'" in found.stderr


def test_long_passages_are_cut_to_their_best_part() -> None:
    text = (
        "First words. " + "Nothing of note. " * 40 + "The Norway of old. " + "Nothing more. " * 40
    )
    Path("passages.jsonl").write_text(json.dumps({"id": "long", "text": text}) + "\n")
    shown = " ".join(retrieve("norway").stdout.split())
    assert "The Norway of old." in shown
    assert "First words" not in shown
    assert shown.count("…") == 2
