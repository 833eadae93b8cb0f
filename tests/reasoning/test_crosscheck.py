"""pyDatalog beside clingo: what each derives, and how a difference is told."""

from __future__ import annotations

import re
import sys
from itertools import product

import pytest

from kgverify.errors import EngineError, KgverifyError
from kgverify.language.checks import load_rules_text
from kgverify.reasoning import crosscheck
from kgverify.reasoning.crosscheck import (
    _joined,
    _path_rules,
    _reach,
    cross_check,
    derive,
    positive_rules,
)
from kgverify.reasoning.datalog import Atom, Rule, Variable
from kgverify.reasoning.deciding import Request, SliceEngine, evidence_rules
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.program import compile_question
from kgverify.reasoning.solver import read_rules
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question
from tests.reasoning.small import graph

S, M, O = Variable("S"), Variable("M"), Variable("O")  # noqa: E741
RULES = """
class Person
class Parent sub of Person
relation spouse (Person, Person) symmetric
relation parent_of (Parent, Person)
relation ancestor (Person, Person) transitive
relation in_law (Person, Person)
relation stranger_to (Person, Person)
ancestor(X, Y) :- parent_of(X, Y).
in_law(X, Y) :- spouse(X, Z), parent_of(Y, Z).
stranger_to(X, Y) :- X : Person, Y : Person, X != Y, not spouse(X, Y).
question ask(a: Person)
    "Who?"
    answer x : Person
    require spouse(a, x)
    prefer ancestor(x, a)
    prefer in_law(x, a)
    prefer stranger_to(x, a)
    prefer ^parent_of/spouse(a, x)
    prefer x : Parent
"""
FACTS = """
ann spouse bob
cid spouse fay
cid parent_of ann
cid parent_of dot
dot parent_of eve
eve type Person
not ann spouse eve
"""


def engine(rules: str = RULES) -> SliceEngine:
    knowledge = Knowledge(graph(FACTS), load_rules_text(rules))
    return SliceEngine(knowledge, evidence_rules(knowledge))


def request(engine: SliceEngine, argument: str) -> list[Request]:
    book = engine.knowledge.book
    template = compile_question(book, book.questions["ask"])
    ids, _ = engine.knowledge.resolve(
        [argument, "ann", "bob", "cid", "dot", "eve", "fay", "nobody"]
    )
    return [Request(template, (ids[0],), tuple(ids[1:]))]


@pytest.mark.parametrize("name", ["ann", "bob", "cid", "dot", "eve"])
def test_both_engines_agree_on_every_atom_asked(name: str) -> None:
    found = engine()
    # Seven atoms for each of six candidates; the stranger has none.
    assert cross_check(found, request(found, name)) == 42


def without(engine: SliceEngine, *texts: str) -> SliceEngine:
    """The engine with the rules left out whose text begins like this."""
    kept = [rule for rule in engine.rules if not str(rule).startswith(texts)]
    assert len(kept) == len(engine.rules) - len(texts)
    return SliceEngine(engine.knowledge, kept)


@pytest.mark.parametrize(
    ("argument", "text", "atom"),
    [
        ("bob", "for(spouse,O,S) :- for(spouse,S,O)", "spouse(bob, ann)"),
        ("eve", "for(ancestor,S,O) :- for(ancestor,S,M)", "ancestor(cid, eve)"),
        ("cid", "for(in_law,X,Y)", "in_law(bob, cid)"),
        ("ann", 'is_a(S,"Parent") :- for(parent_of,S,Any1)', "cid : Parent"),
        ("dot", 'for("^parent_of/spouse",X,Y)', "^parent_of/spouse(dot, fay)"),
    ],
)
def test_what_clingo_misses_is_told(argument: str, text: str, atom: str) -> None:
    broken = without(engine(), text)
    with pytest.raises(EngineError) as caught:
        cross_check(broken, request(broken, argument))
    messages = [p.message for p in caught.value.problems]
    assert any(m.startswith(f"pyDatalog derives {atom}") for m in messages), messages
    assert {p.code for p in caught.value.problems} == {"engines-differ"}


def test_what_clingo_invents_is_told() -> None:
    invented = Rule(Atom("for", ("spouse", S, O)), (Atom("for", ("parent_of", S, O)),))
    found = engine()
    broken = SliceEngine(found.knowledge, [*found.rules, invented])
    with pytest.raises(
        EngineError, match="clingo derives spouse\\(cid, dot\\), pyDatalog does not"
    ):
        cross_check(broken, request(broken, "cid"))


def test_clingo_may_derive_more_only_where_a_rule_was_left_out() -> None:
    found = engine()
    atoms = [Atom("for", ("stranger_to", S, O)), Atom("for", ("ancestor", S, O))]
    for head, allowed in zip(atoms, (True, False), strict=True):
        invented = Rule(head, (Atom("for", ("spouse", S, O)),))
        more = SliceEngine(found.knowledge, [*found.rules, invented])
        if allowed:
            assert cross_check(more, request(more, "bob")) == 42
        else:
            with pytest.raises(EngineError, match="clingo derives ancestor"):
                cross_check(more, request(more, "bob"))


def test_many_differences_are_named_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crosscheck, "derive", lambda rules: set())
    monkeypatch.setattr(crosscheck, "NAMED", 2)
    found = engine()
    with pytest.raises(EngineError) as caught:
        cross_check(found, request(found, "dot"))
    assert len(caught.value.problems) == 3
    assert caught.value.problems[-1].message.startswith("and ")


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_rules_that_ask_for_one_another_in_a_circle_end(size: int) -> None:
    names = [f"r{n}" for n in range(size)]
    links = [
        Rule(Atom("for", (name, S, O)), (Atom("for", (names[n - 1], O, S)),))
        for n, name in enumerate(names)
    ]
    steps = [
        Rule(
            Atom("for", (name, S, O)),
            (Atom("for", (names[n - 1], S, M)), Atom("for", (name, M, O))),
        )
        for n, name in enumerate(names)
    ]
    facts = [Rule(Atom("for", (names[0], n, (n + 1) % 4))) for n in range(4)]
    every = {("for", name, a, b) for name, a, b in product(names, range(4), range(4))}
    assert derive([*links, *steps, *facts]) == every


def test_a_constant_or_a_repeated_variable_in_a_rule_selects() -> None:
    facts = [Rule(Atom("for", ("r", *pair))) for pair in ((1, 1), (1, 2), (2, 2))]
    loops = Rule(Atom("is_a", (S, 7)), (Atom("for", ("r", S, S)),))
    named = Rule(Atom("is_a", (O, 8)), (Atom("for", ("r", 1, O)),))
    found = derive([*facts, loops, named])
    assert {atom[1:] for atom in found if atom[0] == "is_a"} == {(1, 7), (2, 7), (1, 8), (2, 8)}


def test_nothing_follows_from_nothing() -> None:
    assert derive([]) == set()


def test_the_program_that_the_caller_has_in_pydatalog_stays() -> None:
    crosscheck.require_pydatalog()  # hides the warnings of a first import
    from pyDatalog import pyDatalog

    pyDatalog.clear()
    pyDatalog.assert_fact("mine", 1)
    derive([Rule(Atom("for", ("r", 1, 2)))])
    assert pyDatalog.ask("mine(X)").answers == [(1,)]
    pyDatalog.clear()


EQUATIONS = """
class Thing
relation p (Thing, Thing)
relation q (Thing, Thing)
q(X, Y) :- p(X, Z), Z = Y.
q(X, "ann") :- p(X, Z), Z = "bob", Z = "bob".
q(X, "cid") :- p(X, Z), "ann" = "bob".
question ask(a: Thing)
    "Which?"
    answer x : Thing
    require q(a, x)
"""


def test_equations_in_rules_are_kept() -> None:
    kg = graph("ann p bob\n cid p cid")
    verifier = Verifier(kg, load_rules_text(EQUATIONS), cross_check=True)
    candidates = tuple(map(Candidate, ("ann", "bob", "cid")))
    asked = [Question(a, "ask", {"a": a}, candidates) for a in ("ann", "cid")]
    found = {v.candidate: v.verdict for vs, _ in verifier.verify(asked[:1]) for v in vs}
    assert found == {"ann": "sat", "bob": "sat", "cid": "unk"}
    assert verifier.cross_checked == 6
    list(verifier.verify(asked[1:]))
    assert verifier.cross_checked == 12


def test_without_pydatalog_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyDatalog", None)
    with pytest.raises(KgverifyError) as caught:
        Verifier(graph(FACTS), load_rules_text(RULES), cross_check=True)
    (problem,) = caught.value.problems
    assert problem.code == "missing-package"
    assert problem.hint == "pip install 'kgverify[cross-check]'"
    Verifier(graph(FACTS), load_rules_text(RULES))


# ---------------------------------------------------------------- the positive program

SCHEMA = """
class A
class B sub of A
relation p (A, B) symmetric
relation t (A, A) transitive
relation back (B, A) inverse of p
relation low (A, B) sub of p
relation age (A, integer)
{}
question ask(a: A)
    "Who?"
    answer x : A
    require p(a, x)
"""


def positive(rules: str) -> tuple[list[str], list[str]]:
    """The rules of a rule file that are kept and left out, without those of the schema; classes
    are written by their names."""
    knowledge = Knowledge(graph("ann p bob"), load_rules_text(SCHEMA.format(rules)))
    plain = Knowledge(graph("ann p bob"), load_rules_text(SCHEMA.format("")))
    known = set(map(str, positive_rules(plain)[0]))
    ids = {str(id_): name for name, id_ in knowledge.class_ids.items()}
    terms = {str(knowledge.term(f"e{name}")): name for name in ("ann", "bob")}

    def told(rule: Rule) -> str:
        return re.sub(r"(?<=,)\d+", lambda m: {**terms, **ids}.get(m[0], m[0]), str(rule))

    kept, left_out = positive_rules(knowledge)
    return [told(r) for r in kept if str(r) not in known], list(map(told, left_out))


def test_the_schema_is_read_as_positive_rules() -> None:
    knowledge = Knowledge(graph("ann p bob"), load_rules_text(SCHEMA.format("")))
    a, b = knowledge.class_ids["A"], knowledge.class_ids["B"]
    kept, left_out = positive_rules(knowledge)
    assert left_out == []
    assert list(map(str, kept)) == [
        "is_a(E,D) :- is_a(E,C), subclass(C,D).",
        *(f"is_a(S,{a}) :- for(p,S,O).", f"is_a(O,{b}) :- for(p,S,O)."),
        "for(p,S,O) :- for(p,O,S).",
        *(f"is_a(S,{a}) :- for(t,S,O).", f"is_a(O,{a}) :- for(t,S,O)."),
        "for(t,S,O) :- for(t,S,M), for(t,M,O).",
        *(f"is_a(S,{b}) :- for(back,S,O).", f"is_a(O,{a}) :- for(back,S,O)."),
        *("for(p,S,O) :- for(back,O,S).", "for(back,O,S) :- for(p,S,O)."),
        *(f"is_a(S,{a}) :- for(low,S,O).", f"is_a(O,{b}) :- for(low,S,O)."),
        "for(p,S,O) :- for(low,S,O).",
        f"is_a(S,{a}) :- for(age,S,O).",
    ]


@pytest.mark.parametrize(
    ("rule", "kept", "left_out"),
    [
        ("t(X, Y) :- p(X, Y), X : B.", "for(t,X,Y) :- for(p,X,Y), is_a(X,B).", ""),
        ("X : B :- p(X, Y).", "is_a(X,B) :- for(p,X,Y).", ""),
        ("not t(X, Y) :- p(X, Y).", "", ""),
        ("not X : B :- p(X, Y).", "", ""),
        (
            "t(X, Y) :- p(X, Y), not t(Y, X).",
            "",
            "for(t,X,Y) :- for(p,X,Y), against(t,Y,X).",
        ),
        (
            "t(X, Y) :- p(X, Y), not Y : B.",
            "",
            'for(t,X,Y) :- for(p,X,Y), isnt_a(Y,"B").',
        ),
        (
            "t(X, Y) :- age(X, N), age(Y, N).",
            "",
            "for(t,X,Y) :- for(age,X,N), for(age,Y,N), not imprecise(N).",
        ),
        ("t(X, Y) :- p(X, Z), Y = Z.", "for(t,X,Z) :- for(p,X,Z).", ""),
        ("t(X, X) :- p(X, Y), ann = Y.", "for(t,X,X) :- for(p,X,ann).", ""),
        ("t(X, X) :- p(X, Y), ann = bob.", "", ""),
        ("t(X, X) :- p(X, Y), ann = ann.", "for(t,X,X) :- for(p,X,Y).", ""),
    ],
)
def test_which_rules_are_kept(rule: str, kept: str, left_out: str) -> None:
    assert positive(rule) == ([kept] if kept else [], [left_out] if left_out else [])


def test_the_paths_of_a_question_are_rules() -> None:
    book = load_rules_text(RULES.replace("^parent_of/spouse(a, x)", "(spouse|^in_law)+(a, x)"))
    rules = list(map(str, _path_rules(compile_question(book, book.questions["ask"]))))
    either, steps = '"(^in_law|spouse)"', '"(^in_law|spouse)+"'
    assert sorted(rules) == sorted(
        [
            'for("^in_law",S,O) :- for(in_law,O,S).',
            f'for({either},S,O) :- for("^in_law",S,O).',
            f"for({either},S,O) :- for(spouse,S,O).",
            f"for({steps},S,O) :- for({either},S,O).",
            f"for({steps},S,O) :- for({steps},S,M), for({either},M,O).",
        ]
    )


def test_what_rests_on_what() -> None:
    rules = read_rules(
        "for(p,X,Y) :- for(q,X,Y). for(r,X,Y) :- for(p,X,Z), is_a(Z,c). is_a(X,d) :- for(r,X,Y)."
        "for(s,X,Y) :- for(t,X,Y). for(t,X,Y) :- for(s,X,Y)."
    )
    rules.append(Rule(Atom("subclass", ("d", "e"))))
    assert _reach({"q"}, rules) == {"q", "p", "r", "d", "e"}
    assert _reach({"c"}, rules) == {"c", "r", "d", "e"}
    assert _reach({"e"}, rules) == {"e"}
    assert _reach({"s", "e"}, rules) == {"s", "t", "e"}
    assert _reach(set(), rules) == set()


def test_a_body_is_joined_with_the_most_bound_first() -> None:
    (rule,) = read_rules("for(p,X,Y) :- for(q,X,Z), for(r,V,W), for(s,Z,V), for(t,W,Y).")
    orders = [[str(a.arguments[0]) for a in _joined(rule, place)] for place in range(4)]
    assert orders == [["q", "s", "r", "t"], ["r", "s", "q", "t"], ["s", "q", "r", "t"],
                      ["t", "r", "s", "q"]]  # fmt: skip


def test_twenty_differences_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert crosscheck.NAMED == 20
    monkeypatch.setattr(crosscheck, "derive", lambda rules: set())
    for named, last in ((3, "and 2 other atoms"), (4, "and 1 other atom"), (5, "")):
        monkeypatch.setattr(crosscheck, "NAMED", named)
        found = engine()
        with pytest.raises(EngineError) as caught:
            cross_check(found, request(found, "ann"))
        told = caught.value.problems
        assert len(told) == named + bool(last)
        assert [p.message for p in told[named:]] == [last] * bool(last)
        assert "no verdict is given" in told[0].hint


def test_a_program_of_the_callers_with_the_same_names_stays() -> None:
    engine = crosscheck._pydatalog()
    before = engine.Logic(True)
    try:
        engine.Logic()
        crosscheck._forget(engine, "known", "for")
        crosscheck._state(engine, ("known for", ("mine", 1, 2)))
        assert derive([Rule(Atom("for", ("r", 3, 4)))]) == {("for", "r", 3, 4)}
        found = crosscheck._literal(engine, "known for", (S, M, O)).ask()
        assert [tuple(terms) for terms in found] == [("mine", 1, 2)]
    finally:
        engine.Logic(before)


def test_comparisons_and_times_are_not_compared() -> None:
    text = RULES.replace("prefer x : Parent", "prefer age(x) > 5\n    {}")
    text = text.replace("relation spouse", "relation age (Person, integer)\nrelation spouse")
    for more, atoms in (("", 36), ("prefer x : Parent", 42), ("prefer spouse(x, a) at 1990", 36)):
        found = engine(text.format(more))
        assert cross_check(found, request(found, "ann")) == atoms
