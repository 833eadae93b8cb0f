"""`kgverify rules check`, `test`, `coverage` and `explain-rule`, on several files at once."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml

import pytest

from tests.cli.seaport import Seaport

BAD = "class Ship\nrelation docks_at (Ship, Shp)\n"
BESIDE = """\
test "Trade" {
    docks_at(tug, oslo).  carries(tug, tea).
    ask served(tea): oslo = sat, tug = viol, bergen = unk
}
"""


def failing(port: Seaport) -> None:
    port.write("port_test.kgr", BESIDE.replace("bergen = unk", "bergen = sat"))


# ---------------------------------------------------------------- check


def test_several_files_are_checked_in_one_run(port: Seaport) -> None:
    port.write("bad.kgr", BAD)
    port.write("port_test.kgr", BESIDE)
    given = ("port.kgr", "missing.kgr", "bad.kgr", "port.kgr", "port_test.kgr")
    result = port.run("rules", "check", *given)
    assert result.exit_code == 2
    told = [line for line in result.stderr.splitlines() if not line.startswith(" ")]
    assert [line.split(":")[0] for line in told if "error:" in line] == ["bad.kgr", "missing.kgr"]
    assert "bad.kgr: 1 error" in told
    assert result.stdout.splitlines()[0].startswith("port.kgr: 4 classes")
    assert result.stdout.splitlines()[1] == "port_test.kgr: 1 test, 0 warnings"
    again = port.run("rules", "check", *given[::-1])
    assert (again.stdout, again.stderr) == (result.stdout, result.stderr)


def test_check_as_json(port: Seaport) -> None:
    port.write("bad.kgr", BAD)
    result = port.run("rules", "check", "bad.kgr", "port.kgr", "--format", "json")
    assert result.exit_code == 2
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert (found["errors"], found["warnings"]) == (1, 1)
    assert [file["file"] for file in found["files"]] == ["bad.kgr", "port.kgr"]
    assert found["problems"][0] == {
        "code": "unknown-class",
        "severity": "error",
        "message": "unknown class `Shp`",
        "file": "bad.kgr",
        "line": 2,
        "column": 26,
        "end_column": 29,
        "hint": "did you mean `Ship`?",
        "notes": [],
    }


def test_check_as_sarif(port: Seaport) -> None:
    port.write("bad.kgr", BAD)
    words = ("rules", "check", "bad.kgr", "--format", "sarif", "--docs-url", "https://example.org")
    result = port.run(*words)
    assert result.exit_code == 2
    (run,) = json.loads(result.stdout)["runs"]
    assert run["results"][0]["fixes"]
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 2}]
    assert run["tool"]["driver"]["rules"][0]["helpUri"].startswith("https://example.org/docs/")


@pytest.mark.parametrize(
    "words", [("--test", "--format", "json"), ("--docs-url", "https://example.org")]
)
def test_options_that_dont_go_together(port: Seaport, words: tuple[str, ...]) -> None:
    result = port.run("rules", "check", "port.kgr", *words)
    assert result.exit_code == 2
    assert "goes with" in result.stderr


# ---------------------------------------------------------------- test


def test_the_tests_beside_a_file_are_run(port: Seaport) -> None:
    port.write("port_test.kgr", BESIDE)
    result = port.run("rules", "test", "port.kgr")
    assert (result.exit_code, result.stdout) == (0, "2 tests: 5 passed, 0 failed\n")
    assert port.run("rules", "check", "port.kgr", "--test").stdout.endswith(result.stdout)
    assert port.run("rules", "test", "port_test.kgr", "port.kgr").stdout == result.stdout


def test_a_failure_shows_the_difference_and_the_proof(port: Seaport) -> None:
    failing(port)
    result = port.run("rules", "test", "port.kgr")
    assert result.exit_code == 1
    start = (
        'port_test.kgr: test "Trade" fails\n'
        "      ask served(tea):\n"
        "          oslo = sat\n"
        "          tug = viol\n"
        "    -     bergen = sat\n"
        "    +     bergen = unk\n"
        "port_test.kgr:3:46: bergen should be sat, is unk\n"
    )
    assert result.stdout.startswith(start)
    assert "? unk (unresolved)  serves(x, tea)" in result.stdout
    assert result.stdout.endswith("2 tests: 4 passed, 1 failed\n")


def test_tests_are_chosen_by_their_names(port: Seaport) -> None:
    failing(port)
    result = port.run("rules", "test", "port.kgr", "--filter", "FERRY")
    assert (result.exit_code, result.stdout) == (0, "1 test: 2 passed, 0 failed\n")
    assert port.run("rules", "test", "port.kgr", "--filter", "trade").exit_code == 1
    none = port.run("rules", "test", "port.kgr", "--filter", "fery")
    assert none.exit_code == 2
    assert "no test has `fery` in its name" in none.stderr


def test_outcomes_as_json_and_junit(port: Seaport) -> None:
    failing(port)
    result = port.run("rules", "test", "port.kgr", "--format", "json", "--junit", "out.xml")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["passed"], found["failed"]) == (4, 1)
    (bad,) = (
        e for file in found["files"] for e in file["expectations"] if e["got"] != e["expected"]
    )
    assert (bad["file"], bad["line"], bad["asked"]) == ("port_test.kgr", 3, "served(tea)")
    assert bad["explanation"]["verdict"] == "unk"
    root = xml.parse(port.folder / "out.xml").getroot()
    assert root.attrib == {"tests": "5", "failures": "1", "errors": "0"}
    (failure,) = root.iter("failure")
    assert "bergen for “Where is tea served?”" in (failure.text or "")


def test_an_error_in_any_file_stops_before_a_test_runs(port: Seaport) -> None:
    port.write("bad.kgr", BAD)
    result = port.run("rules", "test", "port.kgr", "bad.kgr", "--junit", "out.xml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "bad.kgr:2:26" in result.stderr
    assert not (port.folder / "out.xml").exists()


# ---------------------------------------------------------------- coverage


def test_coverage_names_what_is_missed(port: Seaport) -> None:
    result = port.run("rules", "coverage", "port.kgr")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[1].split()[:2] == ["port.kgr", "2"]
    assert "  10  rule `trade`" in lines
    port.write("port_test.kgr", BESIDE)
    more = port.run("rules", "coverage", "port.kgr")
    assert "rule `trade`" not in more.stdout


def test_coverage_below_what_is_asked_fails(port: Seaport) -> None:
    words = ("rules", "coverage", "port.kgr", "--fail-under")
    assert port.run(*words, "0").exit_code == 0
    result = port.run(*words, "99.5")
    assert result.exit_code == 1
    assert "is below 99.5%" in result.stderr
    assert port.run(*words, "101").exit_code == 2


def test_coverage_as_json_and_lcov(port: Seaport) -> None:
    port.write("port_test.kgr", BESIDE)
    (file,) = json.loads(port.run("rules", "coverage", "port.kgr", "--format", "json").stdout)[
        "files"
    ]
    rule = next(place for place in file["places"] if place["kind"] == "rule")
    assert (rule["text"], rule["line"], rule["tests"]) == ("trade", 10, ["port_test.kgr:3:22"])
    counted = sum(not place["tests"] for place in file["places"])
    lines = port.run("rules", "coverage", "port.kgr", "--format", "lcov").stdout.splitlines()
    assert lines[:2] == ["TN:", "SF:port.kgr"]
    assert lines[-1] == "end_of_record"
    assert "DA:10,1" in lines
    found = dict(
        line.split(":") for line in lines if line[:2] in ("BR", "LF", "LH") and ":" in line
    )
    branches = [line for line in lines if line.startswith("BRDA:")]
    assert int(found["BRF"]) == len(branches)
    assert int(found["BRH"]) == sum(not line.endswith(",0") for line in branches)
    assert len(branches) - int(found["BRH"]) <= counted


def test_what_fails_exercises_nothing(port: Seaport) -> None:
    port.write("port_test.kgr", BESIDE.replace("oslo = sat", "oslo = unk"))
    result = port.run("rules", "coverage", "port.kgr")
    assert result.exit_code == 1
    assert "rule `trade`" in result.stdout
    assert "port_test.kgr:3:22: oslo should be unk, is sat" in result.stderr
    assert "1 expectation failed and exercised nothing" in result.stderr


# ---------------------------------------------------------------- explain-rule


def test_a_rule_is_told_with_an_example(port: Seaport) -> None:
    port.write("port_test.kgr", BESIDE)
    result = port.run("rules", "explain-rule", "port.kgr", "trade")
    assert result.exit_code == 0
    assert "in the author's words: a port serves what its ships carry" in result.stdout
    assert "says that: P serves C\n  where X docks at P" in result.stdout
    assert "matters to question served" in result.stdout
    assert 'the first, at port_test.kgr:3:22, in test "Trade":' in result.stdout
    for line in ("10", "11", "line 11"):
        assert port.run("rules", "explain-rule", "port.kgr", line).stdout == result.stdout


def test_a_rule_as_json(port: Seaport) -> None:
    words = ("rules", "explain-rule", "port.kgr", "trade", "--format", "json")
    found = json.loads(port.run(*words).stdout)
    assert found["head"]["words"] == "P serves C"
    assert [part["text"] for part in found["body"]] == ["docks_at(X, P)", "carries(X, C)"]
    assert (found["tests"], found["example"]) == ([], None)
    port.write("port_test.kgr", BESIDE)
    found = json.loads(port.run(*words).stdout)
    assert found["tests"] == ["port_test.kgr:3:22"]
    assert found["example"]["verdict"] == "sat"


@pytest.mark.parametrize(
    ("name", "hint"), [("trad", "did you mean `trade`?"), ("3", "name a rule")]
)
def test_a_rule_that_is_not_there(port: Seaport, name: str, hint: str) -> None:
    result = port.run("rules", "explain-rule", "port.kgr", name)
    assert result.exit_code == 2
    assert "[unknown-rule]" in result.stderr
    assert hint in result.stderr
