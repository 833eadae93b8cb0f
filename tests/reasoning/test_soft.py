"""Soft rules in small cases: what they say, what they don't, and what follows when they count."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from kgverify import Candidate, Question, Verifier, ask, check_explanation, explain, verify
from kgverify.errors import QuestionError
from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.verdicts import Verdict
from tests.reasoning.small import graph

DRUGS = """
class Compound, Disease, Effect
disjoint Compound, Disease, Effect
relation treats (Compound, Disease)
relation palliates (Compound, Disease) sub of treats
relation treated_by (Disease, Compound) inverse of treats
relation causes (Compound, Effect) functional
relation resembles (Compound, Compound) symmetric
soft 0.42 treats(X, D) :- resembles(X, Y), treats(Y, D), X != Y.
soft 0.6 causes(X, S) :- resembles(X, Y), causes(Y, S).
question safe(d: Disease, s: Effect)
    "Which compounds treat {d} but do not cause {s}?"
    answer x : Compound
    require treats(x, d)
    exclude causes(x, s)
"""
FACTS = """
    a treats pain
    b resembles a
    c resembles b
    a causes rash
    d type Compound
    pain type Disease
    rash type Effect
    sleep type Effect
"""
ENGINES = pytest.mark.parametrize("engine", ["slice", "reference"])


def asked(rules: str, facts: Graph, *names: str, **options: Any) -> dict[str, Verdict]:
    arguments = {"d": "pain", "s": "rash"}
    book = load_rules_text(rules)
    arguments = {p.name.text: arguments[p.name.text] for p in book.questions["safe"].parameters}
    question = Question("q", "safe", arguments, tuple(map(Candidate, names)))
    found = verify(question, facts, book, policy="rank", **options)
    return {verdict.candidate: verdict for verdict in found}


@ENGINES
def test_soft_rules_rank_and_decide_nothing(engine: str) -> None:
    found = asked(DRUGS, graph(FACTS), "b", "c", "d", engine=engine)
    assert {name: v.verdict for name, v in found.items()} == dict.fromkeys("bcd", "unk")
    assert found["b"].plausibilities == {"c1": (0.42, 0.0), "c2": (0.0, 0.6)}
    assert found["b"].plausibility == pytest.approx((0.42 - 0.6) / 3)
    assert found["c"].plausibilities == {}  # no soft rule rests on another
    assert [found[n].rank for n in ("d", "c", "b")] == [1, 2, 3]


@ENGINES
@pytest.mark.parametrize(
    ("from_", "treats", "causes"),
    [("0.42", "sat", "viol"), (0.43, "unk", "viol"), (Decimal("0.61"), "unk", "unk"),
     (Fraction(3, 5), "unk", "viol")],
)  # fmt: skip
def test_from_a_plausibility_on_an_atom_counts_as_true(
    engine: str, from_: Any, treats: str, causes: str
) -> None:
    found = asked(DRUGS, graph(FACTS), "b", infer_from=from_, engine=engine)["b"]
    assert list(found.statuses.values()) == ["sat", treats, causes]
    bases = [constraint.basis for constraint in found.constraints]
    assert bases == ["derived", *("inferred" if s != "unk" else "" for s in (treats, causes))]


def test_the_basis_of_an_inferred_verdict_is_inferred() -> None:
    rules = DRUGS.replace("    exclude causes(x, s)\n", "    prefer not causes(x, s)\n")
    found = asked(rules, graph(FACTS), "a", "b", infer_from=0.4)
    assert [(v.verdict, v.basis, v.rank) for v in found.values()] == [
        ("sat", "derived", 1),
        ("sat", "inferred", 2),
    ]


def test_a_guess_is_never_before_a_fact() -> None:
    rules = DRUGS.replace("    exclude causes(x, s)\n", "")
    found = asked(rules, graph(FACTS), "a", "b", infer_from=0.4)
    fact, guess = found["a"], found["b"]
    assert (fact.support, fact.verdict) == (guess.support, guess.verdict) == (1, "sat")
    assert (fact.plausibility or 0) < (guess.plausibility or 0)
    assert (fact.rank, guess.rank) == (1, 2)


@ENGINES
def test_evidence_is_never_overridden(engine: str) -> None:
    facts = FACTS + "not b treats pain\nb causes sleep\n"
    found = asked(DRUGS, graph(facts), "b", infer_from=0.1, engine=engine)["b"]
    assert list(found.statuses.values()) == ["sat", "viol", "sat"]
    assert found.plausibilities == {}
    both = asked(DRUGS, graph(facts + "b treats pain\n"), "b", infer_from=0.1, engine=engine)["b"]
    assert both.constraints[1].reason == "conflict"
    assert "c1" not in both.plausibilities


@ENGINES
@pytest.mark.parametrize(
    ("rule", "constraint", "plausible"),
    [
        ("soft 0.5 palliates(X, D) :- resembles(X, _), D : Disease.", "treats(x, d)", True),
        ("soft 0.5 treats(X, D) :- resembles(X, _), D : Disease.", "palliates(x, d)", False),
        ("soft 0.5 treated_by(D, X) :- resembles(X, _), D : Disease.", "treats(x, d)", True),
        ("soft 0.5 treats(X, D) :- resembles(X, _), D : Disease.", "treated_by(d, x)", True),
        ("soft 0.5 resembles(D, X) :- D : Compound, resembles(X, _), X != D.",
         "resembles(x, \"d\")", True),
        ("soft 0.5 treats(X, D) :- resembles(X, _), D : Disease.", "^treats(d, x)", True),
        ("soft 0.5 treats(X, D) :- resembles(X, _), D : Disease.",
         "(treats|palliates)(x, d)", False),
        ("soft 0.5 treats(X, D) :- resembles(X, _), D : Disease.", "count treats(x, _) > 0", False),
        ("soft 0.5 treats(X, D) :- resembles(X, _), D : Disease.", "treats(x, d) at 1995", False),
        ("soft 0.5 treats(X, pain) :- resembles(X, _).", "treats(x, d)", True),
        ("soft 0.5 treats(X, rash) :- resembles(X, _).", "treats(x, d)", False),
        ("soft 0.5 treats(X, D) :- resembles(X, Y), not causes(X, sleep), D : Disease.",
         "treats(x, d)", True),  # which is denied
        ("soft 0.5 treats(X, D) :- resembles(X, Y), not causes(X, rash), D : Disease.",
         "treats(x, d)", False),  # that nothing is known is no denial
        ("soft 0.5 treats(X, D) :- resembles(X, Y), D : Disease, X = Y.", "treats(x, d)", False),
    ],
)  # fmt: skip
def test_what_a_soft_rule_speaks_for(
    engine: str, rule: str, constraint: str, plausible: bool
) -> None:
    lines = [line for line in DRUGS.split("\n") if not line.startswith(("soft", "    exclude"))]
    text = "\n".join(lines).replace("d: Disease, s: Effect", "d: Disease")
    text = text.replace("do not cause {s}", "so on").replace("treats(x, d)", constraint)
    facts = graph(FACTS + "not b causes sleep\n")
    book = text + rule + "\n"
    found = asked(book, facts, "b", engine=engine)["b"]
    assert found.plausibilities == ({"c1": (0.5, 0.0)} if plausible else {})


@ENGINES
def test_a_class_is_plausible_and_so_is_what_it_is_a_kind_of(engine: str) -> None:
    rules = """
class Animal
class Bird sub of Animal
relation lays (Animal, Egg)
class Egg
soft 0.7 X : Bird :- lays(X, _).
question safe()
    "Which are birds?"
    answer x : Animal
    require x : Bird
    prefer any of { x : Egg, x : Bird }
"""
    found = asked(rules, graph("hen lays egg\n"), "hen", engine=engine)["hen"]
    assert found.plausibilities == {"c1": (0.7, 0.0), "c2": (0.7, 0.0)}
    inferred = asked(rules, graph("hen lays egg\n"), "hen", engine=engine, infer_from="0.7")
    assert (inferred["hen"].verdict, inferred["hen"].support) == ("sat", 1.0)


@ENGINES
def test_a_relation_at_some_time_is_plausible_too(engine: str) -> None:
    rules = """
class City, Land
relation capital (Land, City) functional at a time
relation seat (Land, City)
soft 0.25 capital(L, C) :- seat(L, C).
question safe()
    "Of what?"
    answer x : Land
    require capital(x, "c")
    prefer capital(x, "c") at 1990
"""
    found = asked(rules, graph("l seat c\n"), "l", engine=engine)["l"]
    assert found.plausibilities == {"c1": (0.25, 0.0)}


def test_several_rules_are_combined() -> None:
    rules = DRUGS + "soft 0.5 treats(X, D) :- resembles(X, Y), treats(Y, D), causes(Y, _).\n"
    strongest = asked(rules, graph(FACTS), "b")["b"]
    together = asked(rules, graph(FACTS), "b", combine="noisy-or")["b"]
    assert strongest.plausibilities["c1"] == (0.5, 0.0)
    assert together.plausibilities["c1"] == (0.71, 0.0)  # 1 - 0.58 * 0.5
    assert asked(rules, graph(FACTS), "b", infer_from="0.71")["b"].statuses["c1"] == "unk"
    at = asked(rules, graph(FACTS), "b", combine="noisy-or", infer_from="0.71")["b"]
    assert at.statuses["c1"] == "sat"  # exactly as plausible as is asked
    over = asked(rules, graph(FACTS), "b", combine="noisy-or", infer_from="0.7100000001")["b"]
    assert over.statuses["c1"] == "unk"


def test_one_rule_counts_once_however_often_it_fires() -> None:
    facts = graph(FACTS + "b resembles a2\na2 treats pain\n")
    found = asked(DRUGS, facts, "b", combine="noisy-or")["b"]
    assert found.plausibilities["c1"] == (0.42, 0.0)


LONG = "soft 0.5 treats(X, D) :- " + ", ".join(
    ["resembles(X, Y1)", *(f"resembles(Y{n}, Y{n + 1})" for n in range(1, 7)), "treats(Y7, D)"]
)
TWICE = [
    ("soft 0.5 treats(X, D) :- resembles(X, Y), treats(Y, D).", "", ""),
    (LONG + ".", "", ""),  # eight conditions
    ("soft 0.5 treats(X, pain) :- resembles(X, a).",
     "soft 0.5 treats(X, pain) :- resembles(X, a2).", "a sameAs a2"),
    ("soft 0.5 treats(X, pain) :- resembles(X, a), rank(X, 1).",
     "soft 0.5 treats(X, pain) :- resembles(X, a), rank(X, 1.0).", ""),
    ("soft 0.5 treats(X, D) :- resembles(X, Y), treats(Y, D).",
     "soft 0.5 treated_by(D, X) :- resembles(Y, X), treated_by(D, Y).", ""),
    ("soft 0.5 treats(X, D) :- resembles(X, Y), treats(Y, D).",
     "soft 0.5 palliates(X, D) :- resembles(X, Y), treats(Y, D).", ""),
    ("soft 0.5 treats(X, D) :- resembles(X, Y), treats(Y, D).",
     "soft 0.4 treats(X, D) :- resembles(X, Y), treats(Y, D), Y : Compound.", ""),
]  # fmt: skip


@ENGINES
@pytest.mark.parametrize(("one", "other", "more"), TWICE)
def test_rules_that_say_the_same_count_once(one: str, other: str, more: str, engine: str) -> None:
    rules = "".join(line + "\n" for line in DRUGS.split("\n") if not line.startswith("soft"))
    rules = rules.replace("question", "relation rank (Compound, number)\nquestion", 1)
    first, second = (load_rules_text(rules + line) for line in (one, other or one))
    book = replace(first, soft=(*first.soft, *second.soft))  # whatever the checks have told
    lines = (FACTS + "b rank 1\n" + more.replace("sameAs", "owl:sameAs")).split("\n")
    facts = graph("\n".join(lines), rank="number")
    question = Question("q", "safe", {"d": "pain", "s": "rash"}, (Candidate("b"),))
    (found,) = verify(
        question, facts, book, combine="noisy-or", infer_from="0.7", policy="rank", engine=engine
    )
    assert found.plausibilities["c1"] == (0.5, 0.0)
    assert found.statuses["c1"] == "unk"
    told = found.explain()
    assert [p for p in check_explanation(told, facts, book) if p.is_error] == []


def test_a_rule_that_asks_for_more_is_a_reason_of_its_own() -> None:
    more = "soft 0.5 treats(X, D) :- resembles(X, Y), treats(Y, D), X != Y, Y : Compound, "
    rules = DRUGS + more + "causes(Y, _).\n"
    found = asked(rules, graph(FACTS), "b", combine="noisy-or")["b"]
    assert found.plausibilities["c1"] == (0.71, 0.0)


GROUPS = [
    ("any of { treats(x, d), causes(x, s) }", (0.6, 0.0)),
    ("all of { treats(x, d), causes(x, s) }", (0.42, 0.0)),
    ("all of { treats(x, d), not causes(x, s) }", (0.0, 0.6)),
    ("not all of { treats(x, d), causes(x, s) }", (0.0, 0.42)),
    ("any of { not treats(x, d), not causes(x, s) }", (0.0, 0.42)),
    ("at least 2 of { treats(x, d), causes(x, s), x : Compound }", (0.6, 0.0)),
    ("all of { treats(x, d), x : Compound }", (0.42, 0.0)),  # what is sat stands in no way
    ('at least 2 of { not resembles(x, "a"), not treats(x, d), x : Compound }', (0.0, 0.42)),
]


@ENGINES
@pytest.mark.parametrize(("group", "sides"), GROUPS)
def test_a_group_is_as_plausible_as_what_it_needs(
    engine: str, group: str, sides: tuple[float, float]
) -> None:
    rules = DRUGS.replace(
        "    require treats(x, d)\n    exclude causes(x, s)\n", f"    require {group}\n"
    )
    found = asked(rules, graph(FACTS), "b", engine=engine)["b"]
    assert found.plausibilities == {"c1": sides}
    for value, word in zip(sides, ("sat", "viol"), strict=True):
        if value:
            inferred = asked(rules, graph(FACTS), "b", engine=engine, infer_from=value)["b"]
            assert inferred.statuses["c1"] == word
            assert inferred.constraints[1].basis == "inferred"


def test_what_evidence_decides_of_a_group_is_not_inferred() -> None:
    group = 'any of { treats(x, d), resembles(x, "a") }'
    rules = DRUGS.replace("    exclude causes(x, s)\n", f"    prefer {group} weight 2\n")
    rules = rules.replace("(d: Disease, s: Effect)", "(d: Disease)").replace("{s}", "harm")
    found = asked(rules, graph(FACTS), "b", infer_from=0.4)["b"]
    assert [c.basis for c in found.constraints] == ["derived", "inferred", "asserted"]
    assert found.constraints[2].because == ("resembles(b, a)",)
    told = found.explain()
    book = load_rules_text(rules)
    assert check_explanation(told, graph(FACTS), book) == []


def test_what_evidence_decides_keeps_its_basis() -> None:
    more = "    prefer palliates(x, d) assume closed\n    prefer x : Compound\n"
    facts = graph(FACTS + "b causes sleep\nnot c treats pain\nnot b2 causes rash\n")
    names = ("a", "b", "c", "d", "b2")
    plain = asked(DRUGS + more, facts, *names)
    found = asked(DRUGS + more, facts, *names, infer_from=0.4)
    seen = set()
    for name in names:
        for before, after in zip(plain[name].constraints, found[name].constraints, strict=True):
            if before.status != "unk" or before.reason == "conflict":
                assert (after.status, after.basis) == (before.status, before.basis)
                seen.add((before.status, before.basis))
    assert seen == {
        (status, basis) for status in ("sat", "viol") for basis in ("asserted", "derived")
    } | {("viol", "assumed")}
    assert found["b"].constraints[1].basis == "inferred"


def test_an_explanation_shows_the_rule_its_weight_and_its_facts() -> None:
    book, facts = load_rules_text(DRUGS), graph(FACTS)
    question = Question("q", "safe", {"d": "pain", "s": "rash"})
    told = explain(question, "b", facts, book)
    plausible = told.constraints[1].plausible
    assert plausible is not None
    (backing,) = plausible.backings
    assert (backing.statement, backing.weight) == (
        "treats(X, D) :- resembles(X, Y), treats(Y, D), X != Y",
        "0.42",
    )
    assert backing.node.kind == "soft"
    cited = [c.text for proof in backing.proofs for c in proof.citations]
    assert cited == ["resembles(b, a)", "treats(a, pain)", "a and b are different"]
    assert told.constraints[1].constraint.plausibility is not None
    assert told.constraints[1].constraint.plausibility.rules[0].startswith("soft 0.42 treats(X, D)")
    assert check_explanation(told, facts, book) == []
    other = load_rules_text(DRUGS.replace("soft 0.42", "soft 0.43"))
    assert any(p.is_error for p in check_explanation(told, facts, other))


def test_names_of_one_entity_are_one() -> None:
    facts = graph(FACTS.replace("b resembles a", "b2 resembles a"))
    rules = DRUGS + 'same b, b2, "bee"\nsame a, a2\n'
    book = load_rules_text(rules)
    question = Question("q", "safe", {"d": "pain", "s": "rash"})
    told = explain(question, "b", facts, book)
    assert told.constraints[1].plausible is not None
    assert check_explanation(told, facts, book) == []


def test_rules_with_terms_that_only_they_name() -> None:
    rules = DRUGS + "soft 0.9 treats(X, D) :- treats(Y, D), resembles(X, Y), X != nobody.\n"
    with_stranger = asked(rules, graph(FACTS), "b", "nobody")
    assert with_stranger["b"].plausibilities["c1"] == (0.42, 0.0)  # nobody may be anything
    assert {c.reason for c in with_stranger["nobody"].constraints} == {"unresolved"}
    assert with_stranger["nobody"].plausibilities == {}


@ENGINES
def test_what_is_unresolved_is_not_plausible(engine: str) -> None:
    rules = DRUGS + "soft 0.9 treats(nobody, D) :- D : Disease.\n"
    found = asked(rules, graph(FACTS), "nobody", "b", engine=engine, infer_from=0.4)
    assert found["b"].plausibilities["c1"] == (0.42, 0.0)
    assert found["nobody"].plausibilities == {}
    assert set(found["nobody"].statuses.values()) == {"unk"}


@ENGINES
def test_each_question_of_a_batch_has_plausibilities_of_its_own(engine: Any) -> None:
    facts = graph(FACTS + "fever type Disease\nitch type Disease\na treats fever\n")
    questions = [
        Question(d, "safe", {"d": d, "s": "rash"}, tuple(map(Candidate, names)))
        for d, names in (("pain", "bc"), ("fever", "b"), ("itch", "cb"))
    ]
    verifier = Verifier(facts, load_rules_text(DRUGS), "rank", engine, combine="noisy-or")
    found = {
        (verdict.question, verdict.candidate): verdict.plausibilities.get("c1")
        for verdicts, _ in verifier.verify(questions)
        for verdict in verdicts
    }
    assert found == {
        ("pain", "b"): (0.42, 0.0),
        ("pain", "c"): None,
        ("fever", "b"): (0.42, 0.0),
        ("itch", "b"): None,
        ("itch", "c"): None,
    }


@pytest.mark.parametrize("value", [0, -0.1, 1.0001, "0", "x", "nan", "inf", float("nan")])
def test_a_plausibility_lies_above_0_and_up_to_1(value: Any) -> None:
    with pytest.raises(QuestionError, match="no plausibility"):
        Verifier(graph(FACTS), load_rules_text(DRUGS), infer_from=value)


def test_options_that_say_nothing_are_refused() -> None:
    book = load_rules_text(DRUGS)
    with pytest.raises(QuestionError, match="combine"):
        Verifier(graph(FACTS), book, combine="average")  # type: ignore[arg-type]
    with pytest.raises(QuestionError, match="exact mode"):
        Verifier(graph(FACTS), book, exact=True, infer_from=0.5)


def test_exact_mode_decides_before_soft_rules_rank() -> None:
    rules = DRUGS.replace(
        "require treats(x, d)", "require any of { treats(x, d), not treats(x, d) }"
    )
    found = asked(rules, graph(FACTS), "b", exact=True)["b"]
    assert found.statuses["c1"] == "sat"
    assert found.plausibilities == {"c2": (0.0, 0.6)}


def test_asking_in_plain_words_infers_too() -> None:
    rules = DRUGS.replace(
        "(Compound, Disease)\nrelation pall", '(Compound, Disease) "{0} treats {1}"\nrelation pall'
    )
    book = load_rules_text(rules)
    text = "Which compounds treat pain but do not cause sleep?"
    plain = ask(text, graph(FACTS), book, policy="rank")
    assert {v.candidate: v.verdict for v in plain.verdicts}["b"] == "unk"
    found = ask(text, graph(FACTS + "not b causes sleep\n"), book, policy="rank", infer_from=0.4)
    assert {v.candidate: v.verdict for v in found.verdicts}["b"] == "sat"
