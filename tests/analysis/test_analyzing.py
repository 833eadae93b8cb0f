"""What the analysis of a rule file finds, and that it finds nothing where there is nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kgverify import Analysis, EngineError, analyze_rules, load_rules_text, run_tests
from kgverify.analysis import blocks
from kgverify.analysis.domains import Bound, in_scope, rules_domain
from kgverify.analysis.guessing import Deadline
from kgverify.analysis.rules import rule_findings
from kgverify.analysis.things import body_names, scope
from kgverify.testing import World
from tests.analysis.small import clashes, rule_files
from tests.oracle import Oracle

BASE = """\
class A, B
disjoint A, B
relation r (A, A)
relation s (A, A)
relation f (A, B) functional
relation n (A, integer) functional
"""
QUESTION = """\
question q(p: A)
    "What of {p}?"
    answer x : A
"""


def findings(text: str, bound: int = 2) -> Analysis:
    return analyze_rules(load_rules_text(text), bound, 600)


def codes(found: Analysis) -> list[tuple[str, int]]:
    return [(f.problem.code, f.problem.span.line) for f in found.findings]


def passing(text: str, found: Analysis) -> None:
    """All blocks of the findings pass as tests of the file."""
    for finding in found.findings:
        for block in finding.blocks:
            assert all(o.passed for o in run_tests(load_rules_text(f"{text}\n{block}\n")))


def test_a_sound_file_has_no_finding() -> None:
    text = BASE + "s(X, Y) :- r(Y, X).\n" + QUESTION + "    require s(x, p)\n    exclude r(x, p)\n"
    found = findings(text)
    assert (found.findings, found.left, found.questions, found.rules) == ((), (), 1, 1)


@pytest.mark.parametrize(
    ("rules", "items", "expected"),
    [
        # The rule excludes what the question asks for together.
        (
            ["not s(X, Y) :- r(X, Y)."],
            ["require r(x, p)", "require s(x, p)"],
            [("question-never-sat", 8), ("constraints-conflict", 12)],
        ),
        # A rule derives the second from the first.
        (
            ["s(X, Y) :- r(X, Y)."],
            ["require r(x, p)", "require s(x, p)"],
            [("constraint-implied", 12)],
        ),
        # … and the other way round.
        (
            ["s(X, Y) :- r(X, Y).", "r(X, Y) :- s(X, Y)."],
            ["require r(x, p)", "require s(x, p)"],
            [("constraints-equivalent", 13)],
        ),
        # A wish may say more than what is required, and no wish goes with what is excluded.
        (["s(X, Y) :- r(X, Y)."], ["require s(x, p)", "prefer r(x, p)"], []),
        (
            ["s(X, Y) :- r(X, Y)."],
            ["exclude s(x, p)", "prefer r(x, p)"],
            [("constraints-conflict", 12)],
        ),
        # Nobody is two, and nothing is known to be irreflexive by itself.
        (["not r(X, X) :- X : A."], ["require r(x, x)"], [("constraint-never-sat", 11)]),
        # What is always so of whatever is known.
        (["r(X, X) :- X : A.", "not s(X, X) :- X : A."], ["require r(x, p)"], []),
    ],
)
def test_questions(rules: list[str], items: list[str], expected: list[tuple[str, int]]) -> None:
    text = BASE + "".join(f"{x}\n" for x in rules) + QUESTION + "".join(f"    {x}\n" for x in items)
    found = findings(text)
    about = [code for code in codes(found) if not code[0].startswith(("rule", "derives"))]
    assert about == expected
    passing(text, found)


def test_facts_of_the_file_that_contradict_it() -> None:
    text = BASE.replace("s (A, A)", "s (A, A) irreflexive") + "s(c, c).\n"
    text += QUESTION + "    require r(x, p)\n    exclude s(x, p)\n"
    assert codes(findings(text)) == [("no-graph-agrees", 8)]


def test_what_the_file_alone_shows_is_proven() -> None:
    text = BASE + QUESTION + "    require n(x) > 3\n    require n(x) > 2\n    prefer n(x) < 1\n"
    claims = {f.problem.code: f.claim for f in findings(text).findings}
    assert claims == {"constraint-implied": "proven", "constraints-conflict": "proven"}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (["not s(X, Y) :- r(X, Y).", "r(X, Y) :- s(X, Y), r(X, Y), f(X, Z)."], "rule-never-fires"),
        (["s(X, Y) :- r(X, Y), f(Y, Z).", "s(X, Y) :- r(X, Y)."], "rule-superfluous"),
        (["s(X, Z) :- r(X, Y), f(Y, W), r(Y, Z).", "s(X, Y) :- r(Y, X)."], None),
    ],
)
def test_rules(rules: list[str], expected: str | None) -> None:
    text = BASE + "".join(f"{x}\n" for x in rules)
    found = [code for code, _ in codes(findings(text)) if code.startswith("rule")]
    assert found == ([expected] if expected else [])


def test_rules_that_the_file_alone_shows_to_be_useless() -> None:
    text = BASE + "s(X, Y) :- r(X, Y), X != X.\nr(X, Y) :- r(X, Y), s(Y, X).\n"
    assert [(f.problem.code, f.claim) for f in findings(text).findings] == [
        ("rule-never-fires", "proven"),
        ("rule-superfluous", "proven"),
    ]


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        (["s(X, Y) :- r(X, Y).", "not s(X, Y) :- f(X, Z), r(Y, X)."], 2),
        (["f(X, Z) :- r(X, Y), f(Y, Z)."], 3),  # two may have different objects
        (["not X : A :- s(X, Y)."], 1),  # the signature says that it is an A
    ],
)
def test_an_atom_and_its_negation(rules: list[str], size: int) -> None:
    text = BASE + "".join(f"{x}\n" for x in rules)
    found = findings(text, 3)
    torn = [f for f in found.findings if f.problem.code == "derives-both"]
    assert torn
    facts = "fact" if size == 1 else "facts"
    assert f"shown by a graph of {size} {facts}" in {f.claim for f in torn}
    passing(text, replace(found, findings=tuple(torn)))


def test_declarations_alone_and_denials_are_no_contradiction() -> None:
    text = BASE + "s(X, Y) :- r(X, Y).\n"
    assert not findings(text).findings


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(rule_files(), st.data())
def test_removing_a_superfluous_rule_changes_no_evidence(text: str, data: st.DataObject) -> None:
    """And a rule that never fires is not missed either; graphs are drawn, and judged by the
    oracle."""
    book = load_rules_text(text)
    rules = [rule for rule in book.rules if rule.body]
    assume(rules)
    rule = data.draw(st.sampled_from(rules))
    names = body_names(book, rule)
    useless = bool(list(rule_findings(book, rule, Bound(1), Deadline(600))))
    domain = rules_domain(book, names, Bound(1), True, [rule])
    kept = in_scope(book, scope([book], names))
    lines = text.splitlines()
    without = "\n".join(x for n, x in enumerate(lines, 1) if n != rule.span.line) + "\n"
    for _ in range(20):
        facts = data.draw(st.lists(st.sampled_from(domain.facts), max_size=4, unique=True))
        sides = [tuple(f.triple for f in facts if f.denied is denied) for denied in (False, True)]
        one, other = Oracle(World(text, *sides)), Oracle(World(without, *sides))
        if useless and not clashes(one, kept):
            lost = one.evidence - other.evidence
            assert not [a for a in lost if named(a) in kept and terms(a) <= set(other.universe)]


def named(atom: tuple[str, ...]) -> str:
    """The relation or class that evidence is about."""
    return atom[1] if atom[0] in ("for", "against") else atom[2]


def terms(atom: tuple[str, ...]) -> set[str]:
    """The things that it is about."""
    return set(atom[2:]) if atom[0] in ("for", "against") else {atom[1]}


def test_the_time_may_be_over() -> None:
    text = BASE + "s(X, Y) :- r(X, Y).\n" + QUESTION + "    require s(x, p)\n"
    found = analyze_rules(load_rules_text(text), 2, 0)
    assert not found.findings
    assert {one.late for one in found.left} == {True}
    assert {"question `q`", "rule `line 7`"} <= {one.what for one in found.left}


def test_questions_about_times_are_left_out_and_it_is_said() -> None:
    text = BASE + QUESTION + "    require f(x, \"b\") at 1990-01-01\n"
    found = findings(text)
    (left,) = found.left
    assert left.what == "question `q`"
    assert "time" in left.why


def test_a_graph_that_is_not_confirmed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    text = BASE + QUESTION + "    require r(x, p)\n"
    monkeypatch.setattr(blocks, "said_verdict", lambda example, prefix="": "unk")
    with pytest.raises(EngineError, match="unconfirmed"):
        analyze_rules(load_rules_text(text), 1, 600)
