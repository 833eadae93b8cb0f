"""Proofs that rest on other names of an entity: checked from what they cite, and against the
graph."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import kgverify
from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.language.rulebook import RuleBook
from kgverify.replay.checker import underivable
from kgverify.replay.names import Names
from kgverify.report.trace import trace
from kgverify.vocabulary import Citation, Explanation, Question
from tests.reasoning.small import ask, graph
from tests.reasoning.tampering import changed, faults, kinds, lessened, proof_of

RULES = """
class City, Country, Old sub of City
disjoint City, Country
relation capital (Country, City) functional
relation twin (City, City) irreflexive
relation near (City, City)
relation chief (Country, City)
relation passes (City, City)
relation meets (City, City) sub of passes
complete twin for "kristiania"
same oslo, kristiania
same kristiania, christiania
near("kristiania", drammen).
chief(C, X) :- capital(C, X), near("christiania", _).
question capital_of(c: Country)
    "What is the capital of {c}?"
    answer x : City
    require capital(c, x)
question not_capital(c: Country)
    "What is not the capital of {c}?"
    answer x : City
    exclude capital(c, x)
question twins(c: City)
    "Which are twins of {c}?"
    answer x : City
    require twin(c, x)
question twins_of_twins(c: City)
    "Which has a twin that is a twin of {c}?"
    answer x : City
    require twin/twin(c, x)
question others(c: City)
    "Which is not {c}?"
    answer x : City
    require x != c
question near(c: City)
    "Which is near {c}?"
    answer x : City
    require near(c, x)
question chief(c: Country)
    "What is the chief city of {c}?"
    answer x : City
    require chief(c, x)
question old(c: Country)
    "Which is old?"
    answer x : City
    require x : Old
question first(c: City)
    "Which is {c}, or its twin?"
    answer x : City
    require twin(c, x) except "oslo"
question neither(c: City)
    "Which is {c} under neither name?"
    answer x : City
    require all of { x != "oslo", x != "kristiania" }
question neither_but_near(c: City)
    "Which is near {c}, and is it under neither name?"
    answer x : City
    require all of { x != "oslo", x != "kristiania", near("christiania", x) }
question apart(c: City)
    "Which has nothing to do with {c}?"
    answer x : City
    require all of { not passes(c, x) assume closed, not meets(c, x) assume closed }
"""
WORLD = """
norway capital oslo
sweden capital _:x
_:x owl:sameAs stockholm
finland capital Q1757
Q1757 http://www.w3.org/2002/07/owl#sameAs helsinki
helsinki owl:sameAs helsingfors
Q1757 owl:sameAs helsingfors
not norway capital bergen
bergen owl:sameAs bjorgvin
oslo twin bergen
bergen twin oslo
tromso type City
rome type Ancient
Antique owl:sameAs Ancient
Antique subclass Old
"""


def explained(
    question: str, candidate: str, **arguments: Any
) -> tuple[Explanation, Graph, RuleBook]:
    found = ask(RULES, graph(WORLD), question, candidate, **arguments)[candidate]
    return found.explain(), graph(WORLD), load_rules_text(RULES)


CASES = [
    ("capital_of", "kristiania", {"c": "norway"}, "sat", ["fact", "same"]),
    ("capital_of", "christiania", {"c": "norway"}, "sat", ["fact", "same"]),
    ("capital_of", "oslo", {"c": "norway"}, "sat", ["fact"]),
    ("capital_of", "bjorgvin", {"c": "norway"}, "viol", ["denial", "same"]),
    ("not_capital", "bjorgvin", {"c": "norway"}, "sat", ["denial", "same"]),
    ("capital_of", "stockholm", {"c": "sweden"}, "sat", ["fact", "same"]),
    ("capital_of", "tromso", {"c": "sweden"}, "viol", ["fact", "identity", "same", "statement"]),
    ("capital_of", "helsingfors", {"c": "finland"}, "sat", ["fact", "same"]),
    ("capital_of", "tromso", {"c": "finland"}, "viol", ["fact", "identity", "statement"]),
    ("twins", "tromso", {"c": "oslo"}, "viol", ["absence", "same", "statement"]),
    ("twins", "tromso", {"c": "kristiania"}, "viol", ["absence", "same", "statement"]),
    ("twins", "bjorgvin", {"c": "christiania"}, "sat", ["fact", "same"]),
    ("twins_of_twins", "christiania", {"c": "kristiania"}, "sat", ["fact", "same"]),
    ("others", "christiania", {"c": "oslo"}, "viol", ["same"]),
    ("others", "tromso", {"c": "christiania"}, "sat", ["identity"]),
    ("near", "drammen", {"c": "oslo"}, "sat", ["fact", "same"]),
    ("near", "drammen", {"c": "kristiania"}, "sat", ["fact"]),
    ("chief", "oslo", {"c": "norway"}, "sat", ["fact", "same", "statement"]),
    ("old", "rome", {"c": "norway"}, "sat", ["fact", "same"]),
    ("first", "christiania", {"c": "bergen"}, "sat", ["same"]),
    ("neither", "tromso", {"c": "oslo"}, "sat", ["identity"]),
    ("neither_but_near", "drammen", {"c": "oslo"}, "sat", ["fact", "identity", "same"]),
    ("apart", "tromso", {"c": "christiania"}, "sat", ["assumption", "same"]),
]


@pytest.mark.parametrize(("question", "candidate", "arguments", "status", "cited"), CASES)
def test_names_replay_from_all_that_is_cited_and_from_nothing_less(
    question: str, candidate: str, arguments: dict[str, Any], status: str, cited: list[str]
) -> None:
    explanation, kg, book = explained(question, candidate, **arguments)
    assert (proof_of(explanation).status, kinds(explanation)) == (status, cited)
    assert faults(explanation, kg, book) == []
    for citation, less in lessened(explanation):
        found = faults(less, kg, book)
        assert any("does not follow from what is cited" in m for m in found), citation


@pytest.mark.parametrize(("question", "candidate", "arguments", "status", "cited"), CASES)
def test_a_fact_is_cited_under_the_names_that_it_is_stated_with(
    question: str, candidate: str, arguments: dict[str, Any], status: str, cited: list[str]
) -> None:
    explanation, kg, book = explained(question, candidate, **arguments)
    others = {"eoslo": "ekristiania", "ebergen": "ebjorgvin", "eQ1757": "ehelsinki"}

    def renamed(citation: Citation) -> Citation:
        terms = tuple(others.get(term, term) for term in citation.terms)
        is_stated = citation.kind in ("fact", "denial")
        return structs.replace(citation, terms=terms) if is_stated else citation

    forged = changed(explanation, renamed)
    if forged != explanation:
        found = faults(forged, kg, book)
        assert any("no such fact" in message for message in found), found


def _joined(name: str, *terms: str) -> Any:
    def change(citation: Citation) -> Citation:
        if citation.kind != "same":
            return citation
        return structs.replace(citation, name=name, terms=terms)

    return change


@pytest.mark.parametrize(
    ("name", "terms", "message"),
    [
        ("same", ("eoslo", "etromso"), "does not follow"),  # the rule file says no such thing
        ("same", ("eoslo", "ekristiania", "etromso"), "does not follow"),
        ("owl:sameAs", ("eoslo", "etromso"), "nothing declares that the two are one"),
        ("owl:sameAs", ("eoslo", "ekristiania"), ""),  # declared, though elsewhere
        ("near", ("eoslo", "ekristiania"), "does not follow"),
        ("owl:sameAs", ("eoslo", "lstring x"), "does not follow"),
        ("owl:sameAs", ("eCity", "eCountry"), "does not follow"),
    ],
)
def test_names_that_nothing_joins(name: str, terms: tuple[str, ...], message: str) -> None:
    explanation, kg, book = explained("capital_of", "kristiania", c="norway")
    found = faults(changed(explanation, _joined(name, *terms)), kg, book)
    assert [m for m in found if message and message in m] or (not message and not found)


def test_names_of_one_entity_are_not_different() -> None:
    """Neither by what is cited, nor by the graph."""
    explanation, kg, book = explained("others", "tromso", c="christiania")
    proof = proof_of(explanation)
    assert underivable(proof, book) == []
    terms = ("echristiania", "eoslo")
    claim = structs.replace(proof.claim, terms=terms)
    (said,) = proof.citations
    said = structs.replace(said, terms=terms)
    forged = structs.replace(proof, claim=claim, citations=(said,))
    assert underivable(forged, book) == []  # nothing that is cited says otherwise
    first, second = explanation.constraints
    second = structs.replace(second, proof=forged)
    found = faults(structs.replace(explanation, constraints=(first, second)), kg, book)
    assert any("these are names of one entity" in message for message in found)
    pairs = (("ekristiania", "eoslo"), ("ekristiania", "echristiania"))
    joined = [Citation("same", "", "", "same", pair) for pair in pairs]
    assert underivable(structs.replace(forged, citations=(said, *joined)), book)


def test_a_graph_that_no_longer_joins_two_names() -> None:
    explanation, _, book = explained("capital_of", "helsingfors", c="finland")
    less = graph(WORLD.replace("owl:sameAs", "resembles"))
    found = faults(explanation, less, book)
    assert any("nothing declares that the two are one" in message for message in found)


def test_a_trace_derives_every_premise_under_all_names(tmp_path: Path) -> None:
    lines = ["norway\tcapital\toslo", "drammen\ttwin\toslo", "oslo\ttwin\tdrammen"]
    (tmp_path / "kg.tsv").write_text("\n".join(lines))
    rules, kg = load_rules_text(RULES), kgverify.open_graph(tmp_path / "kg.tsv")
    for name, arguments in (("capital_of", {"c": "norway"}), ("twins_of_twins", {"c": "oslo"})):
        found = kgverify.explain(Question("q", name, arguments), "christiania", kg, rules)
        derived: set[str] = set()
        for step in trace(found)["inferences"]:
            assert set(step["premises"]) <= derived, (step, json.dumps(trace(found), indent=1))
            derived.add(step["conclusion"])


numbers = st.integers(0, 9).map(lambda n: f"{'b' if n < 3 else 'e'}{n}")
pairs = st.lists(st.tuples(numbers, numbers), max_size=10)


@given(pairs)
def test_names_are_closed_under_what_is_declared(joined: list[tuple[str, str]]) -> None:
    keys = [f"{'b' if n < 3 else 'e'}{n}" for n in range(10)]
    groups = [{key} for key in keys]
    for pair in joined:
        merged = set().union(*(group for group in groups if group & set(pair)))
        groups = [group for group in groups if not group & merged] + [merged]
    names = Names(joined)
    for group in groups:
        ones = set(names.of(sorted(group)))
        assert len(ones) == 1
        assert ones <= group
        assert ones.pop()[0] == "e" or all(key[0] == "b" for key in group)


def _texts(citations: Iterable[Citation], kind: str) -> list[str]:
    return [citation.text for citation in citations if citation.kind == kind]


def test_the_shortest_way_is_cited_and_no_name_on_the_side() -> None:
    explanation, _, _ = explained("capital_of", "helsingfors", c="finland")
    assert _texts(proof_of(explanation).citations, "same") == ["Q1757 and helsingfors are the same"]
    same = [line for line in explanation.constraints[1].constraint.because if "same" in line]
    assert len(same) == 1
