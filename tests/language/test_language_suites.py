"""Rule files with the tests beside them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from harbour import USED

from kgverify.errors import Problem, RuleError
from kgverify.language.suites import check_suites, load_suites, rule_files
from kgverify.rule_tests import run_tests

RULES = USED + (
    "prefix h: <https://example.org/h/>\n"
    'question at(p: Port)\n    "What is at {p}?"\n    answer x : Ship\n    require docks_at(x, p)\n'
)
TESTS = 'test "at" {\n    docks_at(tug, oslo).\n    ask at(oslo): tug = sat\n}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "harbour.kgr").write_text(RULES, "utf-8")
    return tmp_path


def problems(folder: Path, tests: str) -> list[Problem]:
    (folder / "harbour_test.kgr").write_text(tests, "utf-8")
    ((_, found),) = check_suites([folder / "harbour.kgr"])
    return [p for p in found if p.span and p.span.file == str(folder / "harbour_test.kgr")]


def test_the_tests_beside_a_rule_file_are_its_tests(folder: Path) -> None:
    assert problems(folder, TESTS) == []
    (suite,) = load_suites([folder / "harbour.kgr"])
    assert suite.beside is not None
    assert suite.book.tests == ()
    (outcome,) = run_tests(suite.beside)
    assert outcome.passed
    assert outcome.span.file.endswith("harbour_test.kgr")
    assert suite.beside.hash == suite.book.hash


def test_a_file_of_tests_stands_for_its_rule_file(folder: Path) -> None:
    (folder / "harbour_test.kgr").write_text(TESTS, "utf-8")
    names = [
        folder / "harbour_test.kgr",
        folder / "harbour.kgr",
        folder / "x" / ".." / "harbour.kgr",
    ]
    for given in (names, names[:1], names[::-1] * 2):
        assert rule_files(given) == [folder / "harbour.kgr"]


def test_a_rule_file_may_end_in_test_where_nothing_is_beside_it(tmp_path: Path) -> None:
    (tmp_path / "crash_test.kgr").write_text(RULES, "utf-8")
    (suite,) = load_suites([tmp_path / "crash_test.kgr"])
    assert suite.beside is None
    assert "at" in suite.book.questions


def test_order_and_repetition_of_files_change_nothing(tmp_path: Path) -> None:
    files = []
    for name in ("b", "a", "c"):
        files.append(tmp_path / f"{name}.kgr")
        files[-1].write_text(RULES + (TESTS if name == "a" else "broken(\n"), "utf-8")
    expected = list(check_suites(files))
    assert [found for _, found in expected if not found]
    generator = random.Random(1)
    for _ in range(20):
        again = [*files, generator.choice(files)]
        generator.shuffle(again)
        assert list(check_suites(again)) == expected


def test_own_prefixes_are_for_the_tests_alone(folder: Path) -> None:
    own = "prefix o: <https://example.org/o/>\n" + TESTS.replace("tug", "o:tug").replace(
        "oslo", "h:oslo"
    )
    assert problems(folder, own) == []
    (suite,) = load_suites([folder / "harbour.kgr"])
    assert suite.beside is not None
    (outcome,) = run_tests(suite.beside)
    assert outcome.got == "sat"
    assert outcome.verdict is not None
    assert outcome.verdict.candidate == "https://example.org/o/tug"
    assert "o" not in suite.book.prefixes


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ("class Boat\n", ["1:7 not-a-test"]),
        ("docks_at(a, b).\n" + TESTS, ["1:1 not-a-test"]),
        ("prefix h: <https://example.org/other/>\n" + TESTS, ["1:1 other-prefix"]),
        ("prefix h: <https://example.org/h/>\n" + TESTS, []),
        (TESTS.replace("docks_at", "dock_at"), ["2:5 unknown-relation"]),
        (TESTS.replace("ask at", "ask att"), ["3:9 unknown-question"]),
        (TESTS.replace("(tug, oslo)", "(tug)"), ["2:5 arity"]),
        (TESTS.replace("tug,", "q:tug,"), ["2:14 unknown-prefix"]),
        (TESTS + TESTS, ["5:1 duplicate"]),
        ("", ["0:0 empty-file"]),
        (TESTS.replace("}", ""), ["1:11 unclosed-brace"]),
    ],
)
def test_what_is_wrong_with_tests_is_told_at_their_own_places(
    folder: Path, tests: str, expected: list[str]
) -> None:
    found = problems(folder, tests)
    assert [f"{p.span.line}:{p.span.column} {p.code}" for p in found if p.span] == expected


def test_what_broken_rules_lack_is_no_fault_of_the_tests(folder: Path) -> None:
    (folder / "harbour.kgr").write_text(RULES.replace("question at", "question at at"), "utf-8")
    assert problems(folder, TESTS) == []
    with pytest.raises(RuleError):
        load_suites([folder / "harbour.kgr"])


def test_files_that_cant_be_read_are_told_with_the_others(folder: Path) -> None:
    (folder / "harbour_test.kgr").write_bytes(b"\xff")
    missing = folder / "harbours.kgr"
    with pytest.raises(RuleError) as caught:
        load_suites([missing, folder / "harbour.kgr"])
    assert [p.code for p in caught.value.problems] == ["not-utf8", "missing-file"]
