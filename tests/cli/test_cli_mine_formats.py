"""What `kgverify mine` writes can be read, confirmed and reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import kgverify.mining
from kgverify.cli.app import app
from kgverify.language.checks import load_rules

pytest.importorskip("scipy")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    facts = [f"c{n}\tborn in\tp{n % 3}\nc{n}\tlives in\tp{n % 3}\n" for n in range(9)]
    facts += ["c1\tlives in\tp0\n", "c20\tborn in\tp1\n"]
    (tmp_path / "kg.tsv").write_text("".join(facts))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def mine(*options: str) -> Result:
    return run("mine", "kg.tsv", "--engine", "sparse", *options)


@pytest.mark.parametrize("format", ["amie", "anyburl", "json"])
def test_every_number_is_confirmed(folder: Path, format: str) -> None:
    assert mine("--format", format, "--out", "rules.txt").exit_code == 0
    confirmed = run("rules", "confirm", "rules.txt", "--kg", "kg.tsv")
    assert confirmed.exit_code == 0
    assert "2 rules: 2 confirmed, 0 with other numbers" in confirmed.stderr


def test_a_rule_file_keeps_its_marks(folder: Path) -> None:
    assert mine("--out", "mined.kgr").exit_code == 0
    assert len(load_rules("mined.kgr").soft) == 2
    file = folder / "mined.kgr"
    file.write_text(file.read_text().replace("\n# review: open", "\n# review: rejected", 1))
    assert mine("--out", "mined.kgr").exit_code == 0
    assert len(load_rules("mined.kgr").soft) == 1
    assert "\n# review: rejected\n#- soft" in file.read_text()


def test_a_broken_mark_is_told_before_the_search(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def searched(*_: object, **__: object) -> None:
        raise AssertionError("the search began")

    assert mine("--out", "mined.kgr").exit_code == 0
    text = (folder / "mined.kgr").read_text().replace("\n# review: open", "\n# review: agreed", 1)
    (folder / "mined.kgr").write_text(text)
    monkeypatch.setattr(kgverify.mining, "mine_graph", searched)
    found = mine("--out", "mined.kgr")
    assert found.exit_code == 2
    assert "`# review: agreed` can't be read" in found.stderr
    assert (folder / "mined.kgr").read_text() == text


def test_a_graph_without_facts_between_entities_is_told(folder: Path) -> None:
    (folder / "kg.tsv").write_text("c1\tborn in\tp0\n")
    assert "nothing-to-mine" not in mine("--heads", "born in").stderr
    found = run("mine", "kg.tsv", "--engine", "sparse", "--heads", "rdf:type")
    assert found.exit_code == 2
    Path("kg.nt").write_text('<e:a> <e:born> "1990" .\n')
    found = run("mine", "kg.nt", "--engine", "sparse")
    assert found.exit_code == 0
    assert "warning: the graph has no fact between entities" in found.stderr


def test_a_broken_rule_file_is_told_before_the_search(folder: Path) -> None:
    (folder / "mined.kgr").write_text("relation near (City, City)\n")
    found = mine("--out", "mined.kgr")
    assert found.exit_code == 2
    assert "unknown class `City`" in found.stderr
    assert (folder / "mined.kgr").read_text() == "relation near (City, City)\n"
