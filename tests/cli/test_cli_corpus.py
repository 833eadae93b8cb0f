"""`kgverify corpus`: what is printed, and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kgverify import open_corpus
from kgverify.cli.app import app

PASSAGES = [
    {"id": "1", "title": "Nairobi", "text": "Nairobi is in Kenya. It is large.", "source": "S"},
    {"id": "2", "title": "Nairobi", "text": "Nairobi is in Kenya. It is large!", "source": "T"},
    {"id": "3", "title": "\x1b[31mred", "text": "Words of another thing."},
]


def kgverify(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(p) + "\n" for p in PASSAGES))
    return path


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    path = tmp_path / "kg.tsv"
    path.write_text("Nairobi\ttype\tCity\nKenya\ttype\tCountry\n")
    return path


def test_build_and_look(source: Path, facts: Path, tmp_path: Path) -> None:
    out = tmp_path / "c"
    built = kgverify("corpus", "build", source, "--out", out, "--kg", facts)
    assert built.exit_code == 0
    assert built.stdout.startswith(
        f"{out}: 3 passages, 3 windows, 18 words; 2 near-duplicates in 1 group; "
        "2 independent sources; 0 passages rejected; "
    )
    assert built.stdout.endswith(" s\n  6 mentions of the graph's entities\n")
    again = kgverify("corpus", "build", source, "--out", out, "--kg", facts)
    assert "3 unchanged passages taken from the older corpus" in again.stdout
    shown = kgverify("corpus", "info", out)
    assert shown.exit_code == 0
    for line in (
        "p: 3 passages, 3 windows, 18 words, 89 characters",
        "longest: 1 33, 2 33, 3 23",
        "independent sources: 2",
        "  S  1 passage",
        "groups of near-duplicates: 1",
        "  1, 2",
        "mentions: 6 of 2 entities",
        "  City 4, Country 2",
        "  \\x1b[31mred",
    ):
        assert line in shown.stdout.splitlines()
    assert "mentions: none were looked for" in kgverify("corpus", "info", source).stdout


def test_options_reach_the_corpus(source: Path, facts: Path, tmp_path: Path) -> None:
    out = tmp_path / "c"
    options = ["--window", "1", "--overlap", "0", "--likeness", "1", "--types", "City"]
    built = kgverify("corpus", "build", source, "--out", out, "--kg", facts, *options)
    assert "3 passages, 5 windows" in built.stdout
    assert "4 mentions" in built.stdout
    assert len(open_corpus(out).windows) == 5
    facts.write_text("Words\ttype\tThing\n")
    for more, count in (([], 1), (["--lower-case", "Thing"], 1)):
        built = kgverify("corpus", "build", source, "--out", out, "--kg", facts, *more)
        assert f"{count} mention of" in built.stdout


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--window", "2", "--overlap", "2"], "bad-window"),
        (["--max-passage", "10"], "long-passage"),
        (["--types", "City"], "goes with --kg"),
        (["--likeness", "0.1"], "--likeness"),
    ],
)
def test_wrong_options(source: Path, tmp_path: Path, options: list[str], code: str) -> None:
    result = kgverify("corpus", "build", source, "--out", tmp_path / "c", *options)
    assert result.exit_code == 2
    assert code in result.stderr
    assert not (tmp_path / "c").exists()


def test_an_unknown_class_is_told(source: Path, facts: Path, tmp_path: Path) -> None:
    result = kgverify(
        "corpus", "build", source, "--out", tmp_path / "c", "--kg", facts, "--types", "Citty"
    )
    assert result.exit_code == 2
    assert "the graph has no class `Citty` [unknown-class]" in result.stderr
    assert "did you mean `City`?" in result.stderr


def test_skipped_passages_are_reported(source: Path, tmp_path: Path) -> None:
    with source.open("a") as out:
        out.write('{"id": "1", "text": "again"}\n{}\n')
    arguments = ["corpus", "build", source, "--out", tmp_path / "c"]
    stopped = kgverify(*arguments)
    assert stopped.exit_code == 2
    assert f"{source}:4: error: the id `1` is taken [duplicate-id]" in stopped.stderr
    assert f"note: {source}:1: the first passage with this id" in stopped.stderr
    skipped = kgverify(*arguments, "--on-error", "skip")
    assert skipped.exit_code == 0
    assert "3 passages, " in skipped.stdout
    assert "; 3 passages rejected" in skipped.stdout  # the last line lacks an id and a text
    assert "missing-text" in skipped.stderr


def test_what_is_no_corpus(tmp_path: Path) -> None:
    result = kgverify("corpus", "info", tmp_path / "none")
    assert result.exit_code == 2
    assert "missing-file" in result.stderr
