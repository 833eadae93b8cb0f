"""Which terms stand for values, and of which datatype."""

from __future__ import annotations

import pytest

from kgverify.language import syntax as s
from kgverify.language.checks import load_rules_text
from kgverify.language.datatypes import joined_values, side_datatype, value_variables
from kgverify.language.rulebook import RuleBook

SCHEMA = """
class A, B
relation p (A, A)
relation q (A, B)
relation age (A, integer)
relation born (A, date)
"""


def book(text: str) -> RuleBook:
    return load_rules_text(SCHEMA + text)


def test_the_datatype_of_objects() -> None:
    rules = book("")
    assert [rules.datatype(name) for name in ("p", "q", "age", "born")] == [
        *("", "", "integer", "date"),
    ]


NAME, VARIABLE = s.TermKind.NAME, s.TermKind.VARIABLE
NUMBER, DATE, STRING = s.TermKind.NUMBER, s.TermKind.DATE, s.TermKind.STRING


@pytest.mark.parametrize(
    ("left", "right", "datatype"),
    [
        ((NAME, "d"), (NUMBER, "1990"), "date"),  # a parameter says it
        ((NUMBER, "1990"), (VARIABLE, "d"), "date"),  # or a variable
        ((STRING, "d"), (NUMBER, "1990"), ""),  # a string of the same text does not
        ((NUMBER, "5"), (NUMBER, "6"), "number"),
        ((DATE, "1990-01"), (DATE, "1990-02"), "date"),
        ((DATE, "1990-01"), (NUMBER, "1990"), ""),
        ((NAME, "x"), (NAME, "y"), ""),
    ],
)
def test_the_datatype_of_both_sides(
    left: tuple[s.TermKind, str], right: tuple[s.TermKind, str], datatype: str
) -> None:
    rules = book("p(X, Y) :- p(X, Y), X != Y.\n")
    span = rules.rules[0].span
    sides = [s.Term(kind, text, span) for kind, text in (left, right)]
    assert side_datatype(s.Comparison(sides[0], "=", sides[1], span), {"d": "date"}) == datatype


def test_variables_that_stand_for_values_and_those_that_must_be_known_exactly() -> None:
    rules = book("p(X, Y) :- age(X, N), age(Y, N), born(X, D), born(Y, E), D != E.\n")
    (rule,) = rules.rules
    found = value_variables(rules, rule)
    assert found == {"N": "integer", "D": "date", "E": "date"}
    assert joined_values(rule, found) == ["N"]


def test_what_an_atom_says_in_other_words() -> None:
    rules = load_rules_text("""
class A
relation near (A, A) symmetric
relation beside (A, A) sub of near
relation left_of (A, A) sub of beside
relation right_of (A, A) inverse of left_of
""")
    assert rules.says("near") == {("near", False), ("near", True)}
    assert rules.says("right_of") == {
        ("right_of", False),
        ("left_of", True),
        *((name, turned) for name in ("near",) for turned in (False, True)),
        ("beside", True),
    }
    assert rules.says("nothing") == {("nothing", False)}
