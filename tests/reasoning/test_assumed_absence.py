"""`assume closed` beside blank nodes: what is stated about one may be stated about the subject."""

from __future__ import annotations

import pytest

from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.replay.rechecking import check_explanation
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question
from tests.reasoning.small import ask, graph, statuses

RULES = """
class Person, Doctor, Town
disjoint Person, Town
relation child (Person, Person)
relation lives (Person, Town)
relation born (Person, date)
question which(a: Town)
    "Which?"
    answer x : Person
    require {constraint}
"""
KNOWN = """
ann type Person
bob type Person
oslo type Town
"""
ENGINES = ("slice", "reference")
CASES = [
    # A class: the blank node is in it, or may be anybody in another.
    ("x : Doctor", "", "viol"),
    ("x : Doctor", "_:b type Doctor", "unk missing"),
    ("not x : Doctor", "_:b type Doctor", "unk missing"),
    ("x : Doctor", "_:b type Nurse \n bob type Doctor", "viol"),
    # A comparison, or a count: the blank node has what is looked at.
    ("born(x) < 1990", "bob born 1950", "viol"),
    ("born(x) < 1990", "_:b born 1950", "unk missing"),
    ("count child(x, _) >= 1", "bob child cleo \n bob child _:b", "viol"),
    ("count child(x, _) >= 1", "_:b child cleo", "unk missing"),
    ("count child(x, _) < 2", "ann child cleo \n _:b child dan", "unk missing"),
    ("count child(_, x) >= 1", "_:b child cleo", "viol"),
    ("count child(_, x) >= 1", "bob child _:b", "unk missing"),
    # A path of several steps: the blank node is at its beginning, or on the way.
    ("child/lives(x, a)", "ann child bob \n bob lives rome", "viol"),
    ("child/lives(x, a)", "_:b child bob \n bob lives oslo", "unk missing"),
    ("child/lives(x, a)", "ann child bob \n _:b lives oslo", "unk missing"),
    ("child/lives(x, a)", "ann child _:b \n bob lives oslo", "unk missing"),
    ("child|^child(x, x)", "bob child _:b", "viol"),
    ("child|^child(x, x)", "_:b child ann", "unk missing"),
    ("count child+(x, _) >= 2", "ann child _:b \n bob child cleo", "unk missing"),
    ("(child|(child/child))/lives(x, a)", "_:b child cleo", "unk missing"),
]


def rules(constraint: str) -> str:
    return RULES.replace("{constraint}", f"{constraint} assume closed")


@pytest.mark.parametrize(("constraint", "kg", "status"), CASES)
@pytest.mark.parametrize("engine", ENGINES)
def test_absence_counts_unless_a_blank_node_may_be_there(
    constraint: str, kg: str, status: str, engine: str
) -> None:
    known = graph(KNOWN + kg, born="date")
    verdict = ask(rules(constraint), known, "which", "ann", engine=engine, a="oslo")["ann"]
    assert statuses(verdict) == [status]


def exactly(constraint: str, kg: Graph, engine: str) -> Verdict:
    verifier = Verifier(kg, load_rules_text(rules(constraint)), "rank", engine, exact=True)  # type: ignore[arg-type]
    question = Question("q", "which", {"a": "oslo"}, (Candidate("ann"),))
    ((verdicts, _),) = verifier.verify([question])
    return verdicts[0]


@pytest.mark.parametrize(("constraint", "kg", "status"), CASES)
@pytest.mark.parametrize("engine", ENGINES)
def test_exact_mode_says_the_same(constraint: str, kg: str, status: str, engine: str) -> None:
    """In one completion the blank node is ann, or on her way, and in another it is nobody known."""
    verdict = exactly(constraint, graph(KNOWN + kg, born="date"), engine)
    assert statuses(verdict)[0].partition(" ")[0] == status.partition(" ")[0]


@pytest.mark.parametrize(
    ("constraint", "kg"), [(c, kg) for c, kg, status in CASES if status != "viol" and kg]
)
def test_an_assumption_is_looked_up_beside_blank_nodes(constraint: str, kg: str) -> None:
    """The proof from a graph without the blank node does not pass in one that has it."""
    book = load_rules_text(rules(constraint))
    lines = [line for line in kg.split("\n") if "_:b" not in line]
    known, richer = (graph(KNOWN + text, born="date") for text in ("\n".join(lines), kg))
    question = Question("q", "which", {"a": "oslo"}, (Candidate("ann"),))
    ((verdicts, _),) = Verifier(known, book, "rank").verify([question])
    explanation = verdicts[0].explain()
    assert check_explanation(explanation, known, book) == []
    messages = [p.message for p in check_explanation(explanation, richer, book)]
    assert any("there is evidence for it, or for what may be it" in m for m in messages), messages
