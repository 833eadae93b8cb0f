"""Printing a rule file and parsing it again gives the same statements."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from rule_file_strategies import NOWHERE, conditions, constraints, paths, rule_files, terms

from kgverify import resources
from kgverify.language import syntax as s
from kgverify.language.parsing import parse
from kgverify.language.printing import condition_text, file_text, path_text, term_text

SHIPPED = sorted(resources.folder("rules").glob("*.kgr"))


@given(rule_files)
@settings(max_examples=600, deadline=None)
def test_parse_undoes_print(file: s.RuleFile) -> None:
    text = file_text(file)
    again, problems = parse(text, "generated")
    assert problems == []
    assert again == file


@given(rule_files)
@settings(max_examples=200, deadline=None)
def test_printing_is_idempotent(file: s.RuleFile) -> None:
    once = file_text(file)
    assert file_text(parse(once)[0]) == once


@given(terms)
@settings(max_examples=300, deadline=None)
@example(s.Term(s.TermKind.STRING, 'C:\\dir\\new "x"', NOWHERE))
@example(s.Term(s.TermKind.STRING, "\u2028\x85\x0b\x00", NOWHERE))
def test_a_term_survives_as_an_argument(term: s.Term) -> None:
    (rule,) = parse(f"r({term_text(term)}, x).")[0].statements
    assert isinstance(rule, s.Rule)
    assert isinstance(rule.head.atom, s.RelationAtom)
    assert rule.head.atom.arguments[0] == term


@given(conditions)
@settings(max_examples=300, deadline=None)
def test_a_condition_survives_in_a_body(condition: s.Condition) -> None:
    (rule,) = parse(f"r(X, Y) :- {condition_text(condition)}.")[0].statements
    assert isinstance(rule, s.Rule)
    assert rule.body == (condition,)


QUESTION = 'question q()\n    "?"\n    answer x : C\n    require {}\n'


@given(constraints)
@settings(max_examples=500, deadline=None)
def test_a_constraint_survives_in_a_question(constraint: s.Constraint) -> None:
    (question,) = parse(QUESTION.format(condition_text(constraint)))[0].statements
    assert isinstance(question, s.Question)
    assert [item.condition for item in question.items] == [constraint]


@given(paths)
@settings(max_examples=300, deadline=None)
def test_a_path_survives_with_as_few_brackets_as_it_needs(path: s.Path) -> None:
    text = path_text(path, 1)
    (question,) = parse(QUESTION.format(f"count {text}(x, _) >= 1"))[0].statements
    assert isinstance(question, s.Question)
    (item,) = question.items
    assert isinstance(item.condition, s.Literal)
    assert isinstance(item.condition.atom, s.CountAtom)
    assert item.condition.atom.path == path


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("(r)", "r"),
        ("((r)/(s))", "r/s"),
        ("r/(s/t)", "r/(s/t)"),
        ("(r/s)/t", "(r/s)/t"),
        ("(r|s)|t", "((r|s)|t)"),
        ("r/s|t", "(r/s|t)"),
        ("(r|s)/t", "(r|s)/t"),
        ("^r+", "^r+"),
        ("^(r+)", "^(r+)"),
        ("^(^r)", "^^r"),
        ("(r+)+", "(r+)+"),
        ("(r/s)+", "(r/s)+"),
        ("^(r|s)", "^(r|s)"),
    ],
)
def test_brackets_are_kept_where_they_matter(written: str, printed: str) -> None:
    (question,) = parse(QUESTION.format(f"({written})(x, y)"))[0].statements
    assert isinstance(question, s.Question)
    assert condition_text(question.items[0].condition) == f"{printed}(x, y)"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_files_survive(path) -> None:
    text = path.read_text("utf-8")
    file, problems = parse(text, path.name)
    assert problems == []
    assert len(file.statements) > (3 if path.stem.endswith("_test") else 10)
    again, problems = parse(file_text(file), path.name)
    assert problems == []
    assert again == file


@given(rule_files)
@settings(max_examples=150, deadline=None)
def test_every_place_is_inside_the_text(file: s.RuleFile) -> None:
    text = file_text(file)
    lines = text.split("\n")
    for statement in parse(text, "f")[0].statements:
        span = statement.span
        assert span.file == "f"
        assert 1 <= span.line <= len(lines)
        assert 1 <= span.column < span.end_column
        assert lines[span.line - 1][span.column - 1 :].strip()
