"""Scenarios pass as tests of their rule file, and reach what can be reached."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from kgverify import check_rules, find_scenarios, load_rules, load_rules_text, run_tests
from kgverify.report.analysis import scenario_text
from tests.analysis.small import rule_files

RULES = Path(__file__).parents[2] / "rules"


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files())
def test_scenarios_of_any_rule_file_pass(text: str) -> None:
    book = load_rules_text(text)
    (found,) = find_scenarios(book, ["q"], 1, 600)
    longer = load_rules_text("\n".join([text, *scenario_text([found], "a.kgr")]) + "\n")
    outcomes = list(run_tests(longer))
    assert len(outcomes) == len(found.scenarios) > 0
    assert all(outcome.passed for outcome in outcomes)
    reached = [words for scenario in found.scenarios for words in scenario.reaches]
    assert len(set(reached)) == len(reached)
    assert not set(reached) & set(found.unreached)
    for verdict in ("sat", "viol", "unk"):
        words = f"the verdict is {verdict}"
        shown = {s.found.verdict.verdict for s in found.scenarios}
        assert (words in reached) == (verdict in shown)
        assert (words in reached) != (words in found.unreached)


@pytest.mark.parametrize("file", ["movies", "countries"])
def test_scenarios_of_shipped_files_pass(file: str, tmp_path: Path) -> None:
    book = load_rules(RULES / f"{file}.kgr")
    names = list(book.questions)[:3]
    found = find_scenarios(book, names, 2, 600)
    path = tmp_path / f"{file}.kgr"
    path.write_text("\n".join([book.text, *scenario_text(found, file)]) + "\n", encoding="utf-8")
    longer, problems = check_rules(path)
    assert not [p for p in problems if p.is_error]
    assert len(longer.tests) - len(book.tests) == sum(len(one.scenarios) for one in found)
    outcomes = list(run_tests(longer))
    assert [o.test for o in outcomes if not o.passed] == []
    for one in found:
        words = {w for s in one.scenarios for w in s.reaches}
        assert {f"the verdict is {v}" for v in ("sat", "viol", "unk")} <= words


DATES = """\
class P
relation born (P, date) functional
question young()
    "Who is young?"
    answer x : P
    require born(x) > 1990-06-15
"""


def test_values_come_from_the_comparisons() -> None:
    (found,) = find_scenarios(load_rules_text(DATES), ["young"], 2, 600)
    by_words = {words: s for s in found.scenarios for words in s.reaches}
    reasons = {
        f"`born(x) > 1990-06-15` is unk: {reason}": reason
        for reason in ("missing", "imprecise", "unresolved", "conflict")
    }
    for words, reason in reasons.items():
        assert by_words[words].found.verdict.constraints[1].reason == reason
    assert "born(x1, 1990-06-16)." in by_words["the verdict is sat"].block
    assert not found.unreached


def test_questions_about_times_are_left_out_and_it_is_said() -> None:
    text = DATES.replace(" functional", " functional at a time")
    (found,) = find_scenarios(load_rules_text(text), ["young"], 2)
    assert not found.scenarios
    assert found.left[0].why == (
        "`born` is functional at a time, and facts are guessed without periods"
    )


def test_the_time_may_be_over() -> None:
    (found,) = find_scenarios(replace(load_rules_text(DATES)), ["young"], 2, 0)
    assert [one.late for one in found.left] == [True]
    assert not found.scenarios
