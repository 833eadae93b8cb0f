"""pyDatalog beside clingo: what each derives, and how a difference is told."""

from __future__ import annotations

import sys
from itertools import product

import pytest

from kgverify.errors import EngineError, KgverifyError
from kgverify.language.checks import load_rules_text
from kgverify.reasoning import crosscheck
from kgverify.reasoning.crosscheck import cross_check, derive
from kgverify.reasoning.datalog import Atom, Rule, Variable
from kgverify.reasoning.deciding import Request, SliceEngine, evidence_rules
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.program import compile_question
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
