"""Program text as values."""

from __future__ import annotations

import pytest

from kgverify.reasoning.datalog import (
    Aggregate,
    Atom,
    Compare,
    Origin,
    Rule,
    Variable,
    match,
    mentions,
    renamed,
    specialise,
    substitute,
    symbol,
)

X, Y, Z = map(Variable, "XYZ")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        ("road", "road"),
        ("not", '"not"'),
        ("Road", '"Road"'),
        ("a b", '"a b"'),
        ('a"\\\n', '"a\\"\\\\\\n"'),
    ],
)
def test_a_name_that_is_no_plain_symbol_is_quoted(value: str | int, text: str) -> None:
    assert symbol(value) == text


def test_parts_of_rules_are_written_as_program_text() -> None:
    assert str(Atom("p", (X, "a b", 3))) == 'p(X,"a b",3)'
    assert str(Atom("p", (), absent=True)) == "not p()"
    assert str(Compare(X, "!=", "B")) == 'X != "B"'
    assert str(Compare("B", "=", 3)) == '"B" = 3'
    assert str(Aggregate(3, "<=", X, Atom("p", (X, Y)))) == "3 <= #count { X : p(X,Y) }"
    assert str(Aggregate(Z, "<=", X, Atom("p", (X, Y)))) == "Z <= #count { X : p(X,Y) }"
    assert str(Rule(Atom("p", (X,)))) == "p(X)."
    assert str(Rule(Atom("p", (X,)), (Atom("q", (X,)), Compare(X, "=", 1)))) == (
        "p(X) :- q(X), X = 1."
    )


def test_variables_of_conditions() -> None:
    assert Atom("p", (X, "a", Y)).variables == (X, Y)
    assert Compare(X, "=", 1).variables == (X,)
    assert Aggregate(Z, "<=", X, Atom("p", (X, Y))).variables == (Z, Y)
    assert Aggregate(3, "<=", X, Atom("p", (X, Y))).variables == (Y,)


def test_variables_are_replaced_and_constants_renamed() -> None:
    counted = Aggregate(Y, "<=", Z, Atom("r", (Z, "a")))
    rule = Rule(Atom("p", (X, "a")), (Compare(X, "=", Y), counted), Origin("rule", "a or ab"))
    found = substitute(rule, {X: "a", Y: 3})
    assert str(found) == "p(a,a) :- a = 3, 3 <= #count { Z : r(Z,a) }."
    found = renamed(rule, {"a": "b", "ab": "c", "X": "Y"})
    assert str(found) == "p(X,b) :- X = Y, Y <= #count { Z : r(Z,b) }."
    assert found.origin.text == "b or c"  # the longest name first


def test_a_rule_mentions_the_constants_of_its_atoms() -> None:
    rule = Rule(Atom("p", ("a",)), (Atom("q", ("b",)), Compare(X, "=", "c")))
    assert [mentions(rule, [name]) for name in "abc"] == [True, True, False]


def test_an_atom_matches_a_fact() -> None:
    fact = Atom("p", (1, 2, 1))
    assert match(Atom("p", (X, Y, X)), fact) == {X: 1, Y: 2}
    assert match(Atom("p", (X, 2, Z)), fact) == {X: 1, Z: 1}
    assert match(Atom("p", (X, X, Z)), fact) is None
    assert match(Atom("p", (X, 3, Z)), fact) is None
    assert match(Atom("p", (X, Y)), fact) is None
    assert match(Atom("q", (X, Y, Z)), fact) is None
    assert match(Atom("p", ()), Atom("p", ())) == {}


def test_templates_are_specialised_to_the_schema() -> None:
    own, said = Origin("encoding", "own words"), Origin("schema", "said", None, ("s",))
    swap = Rule(Atom("for", (X, Z, Y)), (Atom("symmetric", (X,)), Atom("for", (X, Y, Z))), own)
    two = Rule(
        Atom("bad", (X,)),
        (Atom("at", (X, Y)), Atom("symmetric", (X,)), Atom("domain", (X, Y))),
        own,
    )
    plain = Rule(Atom("for", (X, Y, Z)), (Atom("triple", (X, Y, Z)),))
    schema = [
        (Atom("symmetric", ("p",)), said),
        (Atom("symmetric", ("q",)), Origin("schema", "")),
        (Atom("symmetric", ("p",)), said),
        (Atom("domain", ("q", "C")), said),
    ]
    found = specialise([swap, plain, two], schema, frozenset({"symmetric", "domain"}))
    assert list(map(str, found)) == [
        "for(p,Z,Y) :- for(p,Y,Z).",
        "for(q,Z,Y) :- for(q,Y,Z).",
        "for(X,Y,Z) :- triple(X,Y,Z).",
        'bad(q) :- at(q,"C").',
    ]
    # In the schema's words where it has any.
    assert [rule.origin.text for rule in found] == ["said", "own words", "", "said"]
    assert found[0].origin is said


def test_rules_are_the_same_wherever_they_come_from() -> None:
    one, other = (Rule(Atom("p", (X,)), (), Origin("rule", text)) for text in ("one", "other"))
    assert one == other
    assert len({one, other}) == 1
