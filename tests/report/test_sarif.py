"""SARIF logs, against what the schema of SARIF 2.1.0 demands of the parts that are used."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kgverify.errors import Problem, Span
from kgverify.language.checks import check
from kgverify.report.sarif import sarif_log

ROOT = Path(__file__).parents[2]

TEXT = """\
class City
relation near (City, City)
relation 𝔫𝔢𝔞𝔯 (City, Citty)
relation near (City, City)
question near_to(c: City)
    "What is near {c}?"
    answer x : City
    require neer(x, c)
"""


def validate(log: dict[str, Any]) -> None:
    """Essential constraints of the schema, written by hand."""
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert set(run) == {
        "tool", "columnKind", "newlineSequences", "invocations", "results"
    }  # fmt: skip
    driver = run["tool"]["driver"]
    assert driver["name"] == "kgverify"
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert run["invocations"][0]["executionSuccessful"] is True
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for rule in driver["rules"]:
        assert set(rule) <= {"id", "shortDescription", "help", "helpUri"}
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]
        if "helpUri" in rule:
            assert urlsplit(rule["helpUri"]).scheme
    for result in run["results"]:
        assert set(result) <= {
            *("ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "fixes")
        }
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert isinstance(result["message"]["text"], str)
        numbers = [place["id"] for place in result.get("relatedLocations", [])]
        assert len(set(numbers)) == len(numbers)
        for place in (*result.get("locations", []), *result.get("relatedLocations", [])):
            _validate_place(place["physicalLocation"])
        for fix in result.get("fixes", []):
            assert fix["artifactChanges"]
            for change in fix["artifactChanges"]:
                _validate_artifact(change["artifactLocation"])
                assert change["replacements"]
                for replacement in change["replacements"]:
                    _validate_region(replacement["deletedRegion"])


def _validate_place(place: dict[str, Any]) -> None:
    _validate_artifact(place["artifactLocation"])
    if "region" in place:
        _validate_region(place["region"])


def _validate_artifact(artifact: dict[str, Any]) -> None:
    uri = artifact["uri"]
    assert re.fullmatch(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*", uri), uri
    assert re.search(r"%(?![0-9A-F]{2})", uri) is None
    assert ":" not in uri.split("/")[0] or uri.startswith("file:")


def _validate_region(region: dict[str, Any]) -> None:
    assert region["startLine"] >= 1
    assert set(region) <= {"startLine", "startColumn", "endColumn"}
    if "endColumn" in region:
        assert region["endColumn"] >= region["startColumn"] >= 1


def results(log: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = log["runs"][0]["results"]
    return found


def test_a_log_of_a_rule_file() -> None:
    problems = check(TEXT, "near.kgr")[1]
    log = sarif_log(problems, {"near.kgr": TEXT}, "https://example.org/k/", 2)
    validate(json.loads(json.dumps(log)))
    assert [r["ruleId"] for r in results(log)] == [p.code for p in problems]
    uris = {rule["helpUri"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert "https://example.org/k/docs/rule-language.md#unknown-relation" in uris
    duplicate = next(r for r in results(log) if r["ruleId"] == "duplicate")
    (note,) = duplicate["relatedLocations"]
    assert note["physicalLocation"]["region"] == {
        "startLine": 2,
        "startColumn": 10,
        "endColumn": 14,
    }
    assert note["message"]["text"] == "first declared here"


def test_every_help_names_an_entry_of_the_catalogue() -> None:
    catalogue = (ROOT / "docs" / "rule-language.md").read_text("utf-8")
    for problem in check(TEXT, "near.kgr")[1]:
        (rule,) = sarif_log([problem], {})["runs"][0]["tool"]["driver"]["rules"]
        file, _, code = rule["help"]["text"].partition("#")
        assert (ROOT / file).is_file()
        assert f"\n### `{code}`\n" in catalogue
        assert "helpUri" not in rule


def test_columns_are_utf16_code_units() -> None:
    problems = check(TEXT, "near.kgr")[1]
    problem = next(p for p in problems if p.subject == "Citty")
    assert problem.span is not None
    assert problem.span.column == 22
    log = sarif_log([problem], {"near.kgr": TEXT})
    region = results(log)[0]["locations"][0]["physicalLocation"]["region"]
    units = TEXT.split("\n")[2].encode("utf-16-le")
    cut = units[2 * (region["startColumn"] - 1) : 2 * (region["endColumn"] - 1)]
    assert cut.decode("utf-16-le") == "Citty"


NAMES = ("near", "neer", "City", "Citty", "oslo", "h:oslo", "near_to", "𝔫𝔢𝔞𝔯")


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=4))
@example([("near", "neer"), ("City", "Citty")])
def test_a_fix_takes_its_problem_away(changes: list[tuple[str, str]]) -> None:
    text = TEXT
    for old, new in changes:
        text = text.replace(old, new)
    problems = check(text, "near.kgr")[1]
    log = sarif_log(problems, {"near.kgr": text})
    validate(log)
    for problem, result in zip(problems, results(log), strict=True):
        for fix in result.get("fixes", []):
            (change,) = fix["artifactChanges"]
            (replacement,) = change["replacements"]
            fixed = _replaced(text, replacement)
            left = check(fixed, "near.kgr")[1]
            assert (problem.code, problem.message, problem.span) not in [
                (p.code, p.message, p.span) for p in left
            ]
            assert sum(p.is_error for p in left) < sum(p.is_error for p in problems)


def _replaced(text: str, replacement: dict[str, Any]) -> str:
    region = replacement["deletedRegion"]
    lines = text.split("\n")
    units = lines[region["startLine"] - 1].encode("utf-16-le")
    start, end = 2 * (region["startColumn"] - 1), 2 * (region["endColumn"] - 1)
    inserted = replacement["insertedContent"]["text"].encode("utf-16-le")
    lines[region["startLine"] - 1] = (units[:start] + inserted + units[end:]).decode("utf-16-le")
    return "\n".join(lines)


def test_a_hint_that_is_no_name_is_no_fix() -> None:
    span = Span("near.kgr", 8, 13, 17)
    for problem in (
        Problem("unknown-relation", "…", span, "did you mean `near`?", subject="other"),
        Problem("unknown-relation", "…", span, "write `near`", subject="neer"),
        Problem(
            "unknown-relation", "…", Span("near.kgr", 8), "did you mean `near`?", subject="neer"
        ),
        Problem(
            "unknown-relation", "…", Span("gone.kgr", 8, 13, 17), "did you mean `a`?", subject="a"
        ),
    ):
        assert "fixes" not in results(sarif_log([problem], {"near.kgr": TEXT}))[0]


spans = st.builds(
    Span,
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
    st.integers(0, 9),
    st.integers(0, 90),
    st.integers(0, 90),
)


@given(
    st.lists(
        st.builds(
            Problem,
            st.sampled_from(("a", "b-c")),
            st.text(),
            st.none() | spans,
            st.text(),
            st.sampled_from(("error", "warning")),
            st.lists(st.tuples(spans, st.text()), max_size=2).map(tuple),
            st.text(),
        )
    ),
    st.text(st.sampled_from("ab𝔫é\n\t"), max_size=40),
)
def test_any_problem_makes_a_valid_log(problems: list[Problem], text: str) -> None:
    sources = {problem.span.file: text for problem in problems if problem.span}
    log = sarif_log(problems, sources)
    validate(json.loads(json.dumps(log)))
    for problem, result in zip(problems, results(log), strict=True):
        if problem.span and not problem.span.file.startswith("/"):
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            assert unquote(uri) == Path(problem.span.file).as_posix()


@pytest.mark.parametrize("file", ["/tmp/a b#.kgr", "/ü/x.kgr"])
def test_absolute_files_are_file_uris(file: str) -> None:
    log = sarif_log([Problem("a", "b", Span(file, 1))], {})
    validate(log)
    uri = results(log)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("file:///")
    assert unquote(urlsplit(uri).path) == file
