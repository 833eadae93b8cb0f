"""`kgverify rules fmt`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kgverify.cli.app import app

TIDY = 'class City  phrases "city"\n'
UNTIDY = 'class  City   phrases "city"\n'
BROKEN = "class City\nrelation r City, City)\nclass\n"


def run(*words: object, stdin: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["rules", "fmt", *map(str, words)], input=stdin)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def untidy(tmp_path: Path) -> Path:
    path = tmp_path / "untidy.kgr"
    path.write_text(UNTIDY, "utf-8")
    return path


def test_a_file_is_laid_out_in_place(untidy: Path) -> None:
    assert run(untidy) == (0, f"{untidy} is laid out\n", "")
    assert untidy.read_text("utf-8") == TIDY


def test_a_tidy_file_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "tidy.kgr"
    path.write_text(TIDY, "utf-8")
    os.utime(path, (1, 1))
    assert run(path) == (0, "", "")
    assert path.stat().st_mtime == 1


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_nothing_is_written_where_only_asked(untidy: Path, option: str) -> None:
    code, out, err = run(untidy, option)
    assert code == 1
    assert untidy.name in out
    assert err == "1 file, 1 would change\n"
    assert untidy.read_text("utf-8") == UNTIDY


def test_a_broken_file_is_left_alone_and_the_others_are_not(untidy: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.kgr"
    broken.write_text(BROKEN, "utf-8")
    code, out, err = run(broken, untidy, tmp_path / "missing.kgr")
    assert code == 2
    assert out == f"{untidy} is laid out\n"
    assert f"{broken}:2:11: error" in err
    assert f"{broken}:3:" in err
    assert "missing-file" in err
    assert broken.read_text("utf-8") == BROKEN
    assert untidy.read_text("utf-8") == TIDY


def test_line_ends_and_a_byte_order_mark_are_laid_out_too(tmp_path: Path) -> None:
    path = tmp_path / "other.kgr"
    path.write_bytes(b"\xef\xbb\xbf" + TIDY.replace("\n", "\r\n").encode())
    assert run(path, "--check")[0] == 1
    run(path)
    assert path.read_bytes() == TIDY.encode()


def test_standard_input_goes_to_standard_output() -> None:
    assert run("-", stdin=UNTIDY) == (0, TIDY, "")
    assert run("-", "--check", stdin=UNTIDY)[0] == 1
    code, out, err = run("-", stdin=BROKEN)
    assert (code, out) == (2, "")
    assert "<standard input>:2:11" in err
