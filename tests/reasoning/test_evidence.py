"""Rules applied to evidence: backwards from an atom, and forwards from what is supposed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from kgverify.reasoning.datalog import Atom, Origin, Rule, Variable
from kgverify.reasoning.evidence import (
    SHOWN,
    Evidence,
    Forward,
    Ground,
    Joins,
    Step,
    bindings,
    opposite,
    read,
    stored,
    wanted,
)
from kgverify.reasoning.program import EVIDENCE, VIEWS
from kgverify.reasoning.solver import read_rules
from kgverify.resources import text


def evidence(*texts: str) -> Evidence:
    return Evidence(read(texts))


def atom(text: str) -> Ground:
    (found,) = read([text])
    return found


def said(found: Ground) -> str:
    return f"{found[0]}({','.join(map(str, found[1:]))})"


def shown(step: Step) -> str:
    """A step as its head, body and what else it needs."""
    extra = [f"{kind} {said(found)}" for kind, found in step.extra]
    return " ; ".join([said(step.head), *map(said, step.body), *extra])


def towards(rules: str | list[Rule], known: Evidence, *head: str | int | None) -> list[str]:
    found = read_rules(rules) if isinstance(rules, str) else rules
    steps = Joins(found, known).towards(found[0], head)
    return sorted(map(shown, steps))


# ---------------------------------------------------------------- atoms


def test_what_the_solver_shows_is_read() -> None:
    shown = ["for(road,12,-3)", 'is_a(1,"Old City")', "size(3,7)"]
    assert list(read(shown)) == [
        *(("for", "road", 12, -3), ("is_a", 1, "Old City"), ("size", 3, 7)),
    ]


def test_evidence_is_found_by_any_argument() -> None:
    below = evidence("for(p,1,2)", "for(p,1,3)", "for(q,4,2)", "is_a(1,c)")
    assert atom("for(p,1,2)") in below
    assert atom("for(p,2,1)") not in below
    assert list(map(said, below.matching("for", (None, None, 3)))) == ["for(p,1,3)"]
    assert list(map(said, below.matching("for", ("q", None, None)))) == ["for(q,4,2)"]
    assert list(below.matching("for", ("q", 9, None))) == []
    assert len(below.matching("for", (None, None, None))) == 3
    assert list(below.matching("against", (None, None, None))) == []
    more = Evidence([atom("for(p,5,3)")], below)
    assert atom("for(p,1,2)") in more
    assert atom("for(p,5,3)") in more
    assert atom("for(p,5,2)") not in more
    assert list(more) == [atom("for(p,5,3)")]
    found = list(map(said, more.matching("for", (None, None, 3))))
    assert found == ["for(p,1,3)", "for(p,5,3)"]


def test_atoms_have_contraries_and_are_stated() -> None:
    assert opposite(atom("for(p,1,2)")) == atom("against(p,1,2)")
    assert opposite(atom("isnt_a(1,c)")) == atom("is_a(1,c)")
    assert stored(atom("against(p,1,2)")) == atom("denied(p,1,2)")
    (rule,) = read_rules("for(p,X,Y) :- is_a(X,c), against(q,X,Y).")
    asked = [wanted(condition) for condition in rule.body]  # type: ignore[arg-type]
    assert list(map(str, asked)) == ["want_a(X,c)", "want(q,X,Y)"]


def test_what_is_shown_is_what_the_encodings_speak_of() -> None:
    rules = [rule for name in (*EVIDENCE, *VIEWS) for rule in read_rules(text("encodings", name))]
    atoms = [part for rule in rules for part in (rule.head, *rule.body) if isinstance(part, Atom)]
    spoken = {(found.predicate, len(found.arguments)) for found in atoms}
    assert set(SHOWN.items()) <= spoken | {("imprecise", 1)}  # … which proofs look at


# ---------------------------------------------------------------- backwards

TWO_STEPS = "for(p,X,Y) :- want(p,X,Y), for(q,X,Z), for(r,Z,Y)."


def test_a_rule_leads_to_a_head_in_every_way() -> None:
    known = evidence("for(q,1,2)", "for(q,1,3)", "for(r,2,5)", "for(r,3,5)", "for(r,2,6)")
    both = ["for(p,1,5) ; for(q,1,2) ; for(r,2,5)", "for(p,1,5) ; for(q,1,3) ; for(r,3,5)"]
    assert towards(TWO_STEPS, known, "for", "p", 1, 5) == both
    assert len(towards(TWO_STEPS, known, "for", "p", 1, None)) == 3
    assert len(towards(TWO_STEPS, known, "for", None, None, 6)) == 1
    assert towards(TWO_STEPS, known, "for", "q", 1, 5) == []
    assert towards(TWO_STEPS, known, "against", "p", 1, 5) == []


def test_the_values_of_a_step_are_found_from_what_it_rests_on() -> None:
    (rule,) = read_rules("for(p,X,Y) :- want(p,X,Y), for(q,X,Z), for(r,Z,Y), Z != X.")
    joins = Joins([rule], evidence("for(q,1,2)", "for(r,2,5)"))
    (step,) = joins.towards(rule, ("for", "p", 1, 5))
    assert bindings(step) == {Variable("X"): 1, Variable("Y"): 5, Variable("Z"): 2}


def test_the_body_stands_in_the_order_of_the_rule_each_atom_once() -> None:
    known = evidence("for(q,1,1)", "for(r,1,1)", "for(r,1,2)", "for(r,1,3)")
    rule = "for(p,X,Y) :- for(r,X,Y), for(q,X,X), for(q,X,X)."
    assert towards(rule, known, "for", "p", 1, 2) == ["for(p,1,2) ; for(r,1,2) ; for(q,1,1)"]


def test_equalities_pass_values_on() -> None:
    known = evidence("for(q,1,2)")
    assert towards("for(p,X,Y) :- X = 1, for(q,X,Y).", known, "for", "p", None, 2) == [
        "for(p,1,2) ; for(q,1,2)"
    ]
    assert towards("for(p,X,Y) :- 1 = X, for(q,X,Y).", known, "for", "p", None, None) == [
        "for(p,1,2) ; for(q,1,2)"
    ]
    assert towards("for(p,X,Y) :- for(q,X,Z), Y = Z.", known, "for", "p", 1, None) == [
        "for(p,1,2) ; for(q,1,2)"
    ]
    assert towards("for(p,X,Y) :- for(q,X,Z), Z = Y.", known, "for", "p", 1, None) == [
        "for(p,1,2) ; for(q,1,2)"
    ]
    assert towards("for(p,X,Y) :- for(q,X,Y), X = Y.", known, "for", "p", None, None) == []


@pytest.mark.parametrize(
    ("sign", "holds"),
    [("<", [1]), ("<=", [1, 2]), (">", [3]), (">=", [2, 3]), ("=", [2]), ("!=", [1, 3])],
)
def test_terms_are_compared(sign: str, holds: list[int]) -> None:
    known = evidence("for(q,1,2)", "for(q,2,2)", "for(q,3,2)")
    found = towards(f"for(p,X,Y) :- for(q,X,Y), X {sign} Y.", known, "for", "p", None, None)
    differs = [f" ; identity different({n},2)" if sign == "!=" else "" for n in holds]
    assert found == [f"for(p,{n},2) ; for(q,{n},2){d}" for n, d in zip(holds, differs, strict=True)]


def test_what_is_absent_is_looked_up_in_all_that_is_known() -> None:
    rule = "against(p,X,Y) :- for(q,X,Y), not for(p,X,Y), not maybe(p,X,Y)."
    known = evidence("for(q,1,2)", "for(q,1,3)", "for(q,1,4)", "for(p,1,3)", "maybe(p,1,4)")
    assert towards(rule, known, "against", "p", 1, None) == [
        "against(p,1,2) ; for(q,1,2) ; absence for(p,1,2)"
    ]
    # Of what may be joined, there is only a part here.
    part = evidence("for(q,1,2)", "for(q,1,3)")
    (only,) = read_rules(rule)
    steps = Joins([only], part, known).towards(only, ("against", "p", None, None))
    assert [step.head for step in steps] == [atom("against(p,1,2)")]


def test_steps_that_are_not_allowed_are_left_out() -> None:
    known = evidence("for(q,1,2)", "for(q,1,3)")
    (rule,) = read_rules("for(p,X,Y) :- for(q,X,Y).")
    joins = Joins([rule], known, allowed=lambda step: step.head[3] != 2)
    assert [s.head for s in joins.towards(rule, ("for", "p", 1, None))] == [atom("for(p,1,3)")]


AT_LEAST = "for(k,X,N) :- want(k,X,N), size(N,M), M {} #count {{ O : counted(p,X,O) }}."


@pytest.mark.parametrize(
    ("sign", "size", "chosen"),
    [
        ("<=", 2, ["7 8", "7 9", "8 9"]),
        ("<", 1, ["7 8", "7 9", "8 9"]),
        ("<=", 3, ["7 8 9"]),
        ("<", 2, ["7 8 9"]),
        ("<", 3, []),
        ("<=", 4, []),
        ("<=", 1, ["7", "8", "9"]),
        ("<=", 0, [""]),
        ("<", 0, ["7", "8", "9"]),
        ("<", -1, [""]),
        ("<=", -1, [""]),
    ],
)
def test_a_count_is_reached_by_as_many_as_it_takes(sign: str, size: int, chosen: list[str]) -> None:
    known = evidence(f"size(5,{size})", *(f"counted(p,1,{n})" for n in (7, 8, 9)))
    expected = []
    for terms in map(str.split, chosen):
        counted = [f"counted(p,1,{n})" for n in terms]
        differ = [f"identity different({','.join(terms)})"] if len(terms) > 1 else []
        expected.append(" ; ".join(["for(k,1,5)", f"size(5,{size})", *counted, *differ]))
    assert towards(AT_LEAST.format(sign), known, "for", "k", 1, 5) == sorted(expected)


def test_not_all_ways_to_reach_a_count_are_tried() -> None:
    known = evidence("size(5,2)", *(f"counted(p,1,{n})" for n in range(10, 20)))
    assert len(towards(AT_LEAST.format("<="), known, "for", "k", 1, 5)) == 20


AT_MOST = (
    "against(k,X,N) :- size(N,M), listed(p,X), M {} #count {{ O : for(p,X,O) }}, not maybe(k,X,N)."
)


@pytest.mark.parametrize(
    ("sign", "size", "holds"),
    [(">", 3, True), (">", 2, False), (">=", 2, True), (">=", 1, False)],
)
def test_a_count_stays_below_what_is_listed(sign: str, size: int, holds: bool) -> None:
    known = evidence(f"size(5,{size})", "listed(p,1)", "for(p,1,8)", "for(p,1,7)", "for(p,2,9)")
    found = towards(AT_MOST.format(sign), known, "against", "k", 1, 5)
    step = f"against(k,1,5) ; size(5,{size}) ; listed(p,1) ; listing for(p,1,7,8)"
    assert found == ([step] if holds else [])


UNIVERSAL = """
against(s,X,Y) :- want(s,X,Y), listed(a,X), not open(s,X,Y).
open(s,X,Y) :- want(s,X,Y), for(a,X,Z), not against(b,Z,Y).
"""


def test_that_no_way_is_open_rests_on_each_being_closed() -> None:
    known = evidence("listed(a,1)", "for(a,1,3)", "for(a,1,2)", "against(b,2,5)", "against(b,3,5)")
    assert towards(UNIVERSAL, known, "against", "s", 1, 5) == [
        "against(s,1,5) ; listed(a,1) ; against(b,2,5) ; against(b,3,5) ; listing for(a,1,2,3)"
    ]
    other = Evidence([atom("open(s,1,5)")], known)
    assert towards(UNIVERSAL, other, "against", "s", 1, 5) == []


def paths(kind: str, *parts: str) -> list[Rule]:
    """A rule that asks for absence along a path, and one that says what the path is made of."""
    rules = read_rules(
        "against(k,X,N) :- listed(w,X), N > #count { O : for(w,X,O) }. for(w,X,Y) :- for(a,X,Y)."
    )
    origin = Origin("schema", "", None, (kind, "w", *parts))
    return [rules[0], replace(rules[1], origin=origin)]


@pytest.mark.parametrize(
    ("kind", "parts", "listings"),
    [
        ("sequence", ("a", "b"), ["a,1,2,3", "b,2,4", "b,3"]),
        ("alternative", ("a", "b"), ["a,1,2,3", "b,1"]),
        ("closure", ("a",), ["a,1,2,3", "a,4"]),
        ("mirror", ("a",), ["w,1,4"]),
        ("single", ("a",), ["w,1,4"]),
    ],
)
def test_what_is_listed_along_a_path_is_listed_at_each_step(
    kind: str, parts: tuple[str, ...], listings: list[str]
) -> None:
    known = evidence("listed(w,1)", "for(a,1,2)", "for(a,1,3)", "for(b,2,4)", "for(w,1,4)")
    found = towards(paths(kind, *parts), known, "against", "k", 1, 9)
    extra = [f"listing for({listing})" for listing in listings]
    assert found == [" ; ".join(["against(k,1,9)", "listed(w,1)", *extra])]


def test_what_a_rule_lacks_is_what_its_conditions_ask_for() -> None:
    (rule,) = read_rules(TWO_STEPS)
    known = evidence("for(q,1,2)", "for(q,1,3)", "for(r,4,5)")
    joins = Joins([rule], known)
    head = atom("for(p,1,5)")
    assert sorted(joins.lacking(rule, head, [2])) == [
        *((atom("for(r,2,5)"),), (atom("for(r,3,5)"),)),
    ]
    assert list(joins.lacking(rule, head, [1])) == [(atom("for(q,1,4)"),)]
    assert list(joins.lacking(rule, atom("for(q,1,5)"), [1])) == []


# ---------------------------------------------------------------- forwards


def consequences(rules: str, known: Evidence, *new: str) -> list[str]:
    found = Forward(read_rules(rules)).consequences(known, read(new))
    return sorted(map(said, found))


def test_what_follows_from_a_new_atom_follows_with_what_is_known() -> None:
    rules = "for(p,X,Y) :- for(q,X,Z), for(r,Z,Y)."
    rules += "for(s,Y,X) :- for(p,X,Y). is_a(X,c) :- for(s,X,Y)."
    known = evidence("for(q,1,2)", "for(r,9,9)")
    assert consequences(rules, known, "for(r,2,5)") == [
        *("for(p,1,5)", "for(r,2,5)", "for(s,5,1)", "is_a(5,c)"),
    ]
    assert consequences(rules, known, "for(r,3,5)") == ["for(r,3,5)"]
    assert consequences(rules, known, "for(q,1,2)") == []  # it was known
    assert consequences(rules, known, "for(r,9,9)", "for(q,7,9)") == [
        *("for(p,7,9)", "for(q,7,9)", "for(s,9,7)", "is_a(9,c)"),
    ]


def test_a_circle_of_rules_ends() -> None:
    rules = "for(p,X,Y) :- for(p,Y,X). for(p,X,Z) :- for(p,X,Y), for(p,Y,Z)."
    assert consequences(rules, evidence(), "for(p,1,2)") == [
        *("for(p,1,1)", "for(p,1,2)", "for(p,2,1)", "for(p,2,2)"),
    ]


def test_rules_with_an_open_relation_or_class_follow_too() -> None:
    rules = "for(R,X,Y) :- triple(R,X,Y). is_a(X,C) :- member(X,C). for(p,X,X) :- is_a(X,c)."
    assert consequences(rules, evidence(), "triple(q,1,2)", "member(3,c)") == [
        *("for(p,3,3)", "for(q,1,2)", "is_a(3,c)", "member(3,c)", "triple(q,1,2)"),
    ]
    assert consequences(rules, evidence(), "member(3,d)") == ["is_a(3,d)", "member(3,d)"]


def test_an_atom_that_is_counted_may_reach_the_count() -> None:
    rules = "for(k,X,N) :- size(N,M), M <= #count { O : counted(p,X,O) }."
    known = evidence("size(5,2)", "counted(p,1,7)")
    assert consequences(rules, known, "counted(p,1,8)") == ["counted(p,1,8)", "for(k,1,5)"]
    assert consequences(rules, known, "counted(p,2,8)") == ["counted(p,2,8)"]
    assert consequences(rules, known, "counted(q,1,8)") == ["counted(q,1,8)"]


def test_what_rests_on_an_absence_comes_last() -> None:
    rules = """
for(p,X,Y) :- for(q,X,Z), for(r,Z,Y).
against(p,X,Y) :- listed(p,X), want(p,X,Y), not for(p,X,Y), not maybe(p,X,Y).
is_a(X,c) :- against(p,X,Y).
"""
    known = evidence("for(q,1,2)", "want(p,1,5)", "want(p,1,6)")
    assert consequences(rules, known, "listed(p,1)") == [
        *("against(p,1,5)", "against(p,1,6)", "is_a(1,c)", "listed(p,1)"),
    ]
    # Here the first is derived after all.
    both = consequences(rules, known, "listed(p,1)", "for(r,2,5)")
    assert both == [
        *("against(p,1,6)", "for(p,1,5)", "for(r,2,5)", "is_a(1,c)", "listed(p,1)"),
    ]
    assert both == consequences(rules, known, "for(r,2,5)", "listed(p,1)")
    held_back = consequences(rules, known, "maybe(p,1,5)", "listed(p,1)")
    assert "against(p,1,5)" not in held_back
    assert "against(p,1,6)" in held_back


def test_steps_forward_may_be_restricted_too() -> None:
    rules = read_rules("for(p,X,Y) :- for(q,X,Y). for(s,X,Y) :- for(q,X,Y).")

    def allowed(step: Step) -> bool:
        return step.head[1] == "p"

    def found(new: Iterator[Ground]) -> list[str]:
        added = Forward(rules).consequences(evidence(), new, allowed=allowed)
        return sorted(map(said, added))

    assert found(read(["for(q,1,2)"])) == ["for(p,1,2)", "for(q,1,2)"]


def test_onward_a_rule_is_applied_with_an_atom_at_its_place() -> None:
    (rule,) = read_rules("for(p,X,Y) :- for(q,X,Z), for(q,Z,Y).")
    known = evidence("for(q,1,2)", "for(q,2,3)", "for(q,2,4)")
    joins = Joins([rule], known)
    first = [shown(step) for step in joins.onward(rule, 0, atom("for(q,1,2)"))]
    assert sorted(first) == [
        *("for(p,1,3) ; for(q,1,2) ; for(q,2,3)", "for(p,1,4) ; for(q,1,2) ; for(q,2,4)"),
    ]
    second = [shown(step) for step in joins.onward(rule, 1, atom("for(q,2,3)"))]
    assert second == ["for(p,1,3) ; for(q,1,2) ; for(q,2,3)"]
    assert list(joins.onward(rule, 0, atom("for(r,1,2)"))) == []
