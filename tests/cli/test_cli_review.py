"""`kgverify rules review`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import kgverify
from kgverify.cli.app import app
from kgverify.language.checks import load_rules

MIRROR = "?b  sibling  ?a   => ?a  sibling  ?b\n"
SHARED = "?a  parent  ?c  ?b  parent  ?c  ?a  !=  ?b   => ?a  sibling  ?b\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    facts = "ann\tparent\tpat\nbob\tparent\tpat\nann\tsibling\tbob\nbob\tsibling\tann\n"
    (tmp_path / "kg.tsv").write_text(facts)
    (tmp_path / "people.kgr").write_text("class Person\nrelation sibling (Person, Person)\n")
    return tmp_path


def review(rules: str, *options: str) -> Result:
    Path("rules.tsv").write_text(rules)
    arguments = ["rules", "review", "rules.tsv", "--kg", "kg.tsv", "--out", "mined.kgr", *options]
    return CliRunner().invoke(app, arguments)


def test_a_new_file_and_marks_that_stay(folder: Path) -> None:
    found = review(MIRROR + SHARED)
    assert found.exit_code == 0
    assert found.stderr == "mined.kgr: 2 soft rules, 0 rejected, 0 not found again\n"
    assert [str(soft.weight) for soft in load_rules("mined.kgr").soft] == ["1", "1"]
    file = folder / "mined.kgr"
    file.write_text(file.read_text().replace("\n# review: open", "\n# review: rejected, by Ada"))
    again = review(SHARED)
    assert again.stderr == "mined.kgr: 0 soft rules, 1 rejected, 1 not found again\n"
    assert file.read_text().count("# review: rejected, by Ada\n#- soft 1 sibling(X, Y)") == 2


def test_names_of_a_rule_file_and_the_standard_confidence(folder: Path) -> None:
    text = SHARED.replace("  ?a  !=  ?b", "")
    assert review(text, "--rules", "people.kgr", "--weight", "standard").exit_code == 0
    book = load_rules("mined.kgr")
    assert [str(soft.weight) for soft in book.soft] == ["0.5"]
    assert book.relations["sibling"].domain.text == "Person"


def test_a_broken_mark_leaves_the_file_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    review(MIRROR)
    file = folder / "mined.kgr"
    broken = file.read_text().replace("\n# review: open", "\n# review: agreed")
    file.write_text(broken)
    monkeypatch.setattr(kgverify, "confirm_rules", None)  # it is told before rules are measured
    found = review(MIRROR)
    assert found.exit_code == 2
    line = broken.splitlines().index("# review: agreed") + 1
    assert f"mined.kgr:{line}: error: `# review: agreed` can't be read" in found.stderr
    assert file.read_text() == broken


def test_wrong_rules_write_nothing(folder: Path) -> None:
    found = review("?a  parents  ?b   => ?a  sibling  ?b\n")
    assert found.exit_code == 2
    assert "did you mean `parent`?" in found.stderr
    assert not (folder / "mined.kgr").exists()
    assert "missing-file" in review(MIRROR, "--rules", "nowhere.kgr").stderr
