"""What each rule of a rule file becomes in the program."""

from __future__ import annotations

import pytest

from kgverify.language import syntax as s
from kgverify.language.checks import load_rules_text
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.rules import (
    compile_rule,
    hard_rules,
    soft_facts,
    soft_rules,
)

SCHEMA = """
class A, B
relation p (A, A)
relation q (A, B)
relation age (A, integer)
relation born (A, date)
"""


def book(text: str) -> RuleBook:
    return load_rules_text(SCHEMA + text)


def shown(term: s.Term, datatype: str) -> str:
    """A term of the rule file with the datatype that it is resolved as."""
    return f"{term.text}:{datatype}"


def program(rule: str) -> list[str]:
    rules = book(rule)
    return [str(found) for found in compile_rule(rules, rules.rules[0], shown)]


def test_anonymous_terms_get_variables_that_the_rule_does_not_have() -> None:
    assert program("p(X, Y) :- p(X, _), q(_, Z), p(Y, _).") == [
        "for(p,X,Y) :- for(p,X,Any1), for(q,Any2,Z), for(p,Y,Any3)."
    ]
    assert program("p(X, Any1) :- p(X, _), p(Any1, _).") == [
        "for(p,X,Any1) :- for(p,X,Any2), for(p,Any1,Any3)."
    ]


def test_a_variable_keeps_its_name_where_the_program_can_have_it() -> None:
    a_umlaut, v_1 = "V_c384", "V_" + b"V_1".hex()
    assert program("p(X1, Y) :- p(Ä, V_1), p(V_1, X1), q(Y, Ä).") == [
        f"for(p,X1,Y) :- for(p,{a_umlaut},{v_1}), for(p,{v_1},X1), for(q,Y,{a_umlaut})."
    ]


def test_what_is_refuted_is_asked_for_before_and_what_is_denied_after_the_rest() -> None:
    assert program("not p(X, Y) :- X : A, not Y : B, q(Y, X), not age(X, 3).") == [
        'against(p,X,Y) :- want(p,X,Y), is_a(X,"A"), for(q,Y,X), isnt_a(Y,"B"),'
        ' against(age,X,"3:integer").',
        'want_a(Y,"B") :- want(p,X,Y), is_a(X,"A"), for(q,Y,X).',
        'want(age,X,"3:integer") :- want(p,X,Y), is_a(X,"A"), for(q,Y,X).',
    ]
    assert program("not X : A :- X : B.") == ['isnt_a(X,"A") :- want_a(X,"A"), is_a(X,"B").']
    assert program("X : A :- q(ada, X).") == ['is_a(X,"A") :- for(q,"ada:",X).']


def test_a_value_at_two_places_must_be_exact() -> None:
    assert program("p(X, Y) :- age(X, N), age(Y, N).") == [
        "for(p,X,Y) :- for(age,X,N), for(age,Y,N), not imprecise(N)."
    ]
    # Two dates that are joined, in the order of the rule; a number that stands once.
    assert program("p(X, Y) :- born(X, E), born(X, D), born(Y, D), born(Y, E), age(X, N).") == [
        "for(p,X,Y) :- for(born,X,E), for(born,X,D), for(born,Y,D), for(born,Y,E), for(age,X,N),"
        " not imprecise(E), not imprecise(D)."
    ]


@pytest.mark.parametrize(
    "body",
    [
        "age(X, N), age(X, N)",  # one condition, written twice
        "age(X, N), not age(Y, N)",  # a denial speaks of the value itself
        "age(X, N), N != 5",  # likewise
        "p(X, Z), p(Z, Y)",  # an entity
        "age(X, _), age(Y, _)",
    ],
)
def test_a_value_at_one_place_need_not_be(body: str) -> None:
    assert "imprecise" not in program(f"p(X, Y) :- p(X, Y), {body}.")[0]


def test_both_sides_of_an_equation_are_places() -> None:
    assert program("p(X, X) :- age(X, N), N = 5.") == [
        'for(p,X,X) :- for(age,X,N), N = "5:integer", not imprecise(N).'
    ]


def test_what_differs_must_be_known_to() -> None:
    assert program("p(X, Y) :- born(X, D), p(X, Y), 1990 != D, X != Y.") == [
        'for(p,X,Y) :- for(born,X,D), for(p,X,Y), "1990:date" != D, not vague("1990:date"),'
        ' not vague(D), not overlap("1990:date",D), X != Y, not vague(X), not vague(Y),'
        " not overlap(X,Y)."
    ]


def test_the_origin_of_a_rule_is_its_sentence_or_its_name() -> None:
    rules = book('rule one "it is so": p(X, Y) :- q(X, Y).\nrule two: p(X, Y) :- q(Y, X).\n')
    origins = [found.origin for found in hard_rules(rules, shown)]
    assert [origin.text for origin in origins] == ["it is so", "rule two"]
    assert [origin.statement for origin in origins] == [
        ("rule", "p(X, Y) :- q(X, Y)"),
        ("rule", "p(X, Y) :- q(Y, X)"),
    ]


def test_a_fact_of_the_rule_file_is_no_rule() -> None:
    rules = book("p(ada, bob).\nnot q(ada, bob).\np(X, Y) :- q(X, Y).\n")
    assert [str(found) for found in hard_rules(rules, shown)] == ["for(p,X,Y) :- for(q,X,Y)."]


def test_soft_rules_conclude_in_relations_of_their_own() -> None:
    rules = book(
        "soft 0.7 p(X, Y) :- q(X, Y).\n"
        "soft 0.3 Y : A :- q(X, Y), not p(X, Y).\n"
        "soft 0.5 X : B :- p(X, X).\n"
    )
    assert [str(found) for found in soft_rules(rules, shown)] == [
        'for("soft:0",X,Y) :- for(q,X,Y).',
        'for("soft:1",Y,Y) :- for(q,X,Y), against(p,X,Y).',
        "want(p,X,Y) :- for(q,X,Y).",
        'for("soft:2",X,X) :- for(p,X,X).',
    ]
    assert [str(found) for found in soft_facts(rules)] == [
        'soft(0,"soft:0",p).',
        'soft_a(1,"soft:1","A").',
        'soft_a(2,"soft:2","B").',
    ]
