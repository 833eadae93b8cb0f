"""Names of one entity: `same` statements and `owl:sameAs` facts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgverify
from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.identity import Identity
from kgverify.reasoning.knowledge import graph_warnings
from kgverify.rule_tests import run_tests
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question
from tests.reasoning.small import ask, graph, statuses

RULES = """
class City, Country, Old sub of City
disjoint City, Country
relation capital (Country, City) functional
relation twin (City, City) irreflexive
complete twin for "oslo"
question capital_of(c: Country)
    "What is the capital of {c}?"
    answer x : City
    require capital(c, x)
question twins(c: City)
    "Which are twins of {c}?"
    answer x : City
    require twin(c, x)
question others(c: City)
    "Which is not {c}?"
    answer x : City
    require x != c
question old(c: Country)
    "Which old city is not its capital?"
    answer x : Old
    exclude capital(c, x)
"""
SAME = "same oslo, kristiania\nsame kristiania, christiania\n"
ENGINES = pytest.mark.parametrize("engine", ["slice", "reference"])

numbers = st.integers(0, 12)
pairs = st.lists(st.tuples(numbers, numbers).filter(lambda p: p[0] != p[1]), max_size=12)


def ids(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def identity(joined: list[tuple[int, int]], blank: set[int]) -> Identity:
    left, right = ids(*(a for a, _ in joined)), ids(*(b for _, b in joined))
    return Identity(left, right, ids(*sorted(blank)))


@given(pairs, st.sets(numbers, max_size=6))
def test_groups_are_those_of_the_pairs(joined: list[tuple[int, int]], blank: set[int]) -> None:
    groups = [{n} for n in range(13)]
    for pair in joined:
        merged = set().union(*(g for g in groups if g & set(pair)))
        groups = [g for g in groups if not g & merged] + [merged]
    found = identity(joined, blank)
    assert bool(found) == bool(joined)
    for group in groups:
        first = min(group, key=lambda n: (n in blank, n))
        assert {found.one(n) for n in group} == {first}
        assert found.of(ids(*group)).tolist() == [first] * len(group)
        assert sorted(found.members(ids(first)).tolist()) == sorted(group)
    firsts = ids(*{found.one(n) for n in range(13)})
    places, members = found.spread(firsts)
    assert sorted(members.tolist()) == list(range(13))
    assert found.of(members).tolist() == firsts[places].tolist()


def test_without_pairs_nothing_is_merged() -> None:
    none = Identity()
    assert not none
    assert none.path(1, 2) == []
    one = Identity(ids(3), ids(4))
    assert one
    assert [one.merged(n) for n in (2, 3, 4)] == [False, True, True]
    assert not Identity().merged(3)


@given(pairs, numbers, numbers)
def test_a_path_joins_by_declared_pairs(joined: list[tuple[int, int]], one: int, two: int) -> None:
    found = identity(joined, set())
    path = found.path(one, two)
    assert bool(path) == (one != two and found.one(one) == found.one(two))
    here = one
    for pair in path:
        assert pair in joined
        here = pair[1] if pair[0] == here else pair[0]
    assert here == two or not path


@ENGINES
def test_evidence_about_one_counts_for_the_other(engine: str) -> None:
    kg = graph("norway capital oslo\nnot norway capital bergen\nbergen owl:sameAs bjorgvin")
    found = ask(
        RULES + SAME, kg, "capital_of", "christiania", "bjorgvin", c="norway", engine=engine
    )
    assert {name: statuses(v) for name, v in found.items()} == {
        "christiania": ["sat"],
        "bjorgvin": ["viol"],
    }


@ENGINES
def test_two_names_of_one_capital_are_no_conflict(engine: str) -> None:
    kg = graph("norway capital oslo\nnorway capital christiania")
    apart = ask(RULES, kg, "capital_of", "oslo", c="norway", engine=engine)
    one = ask(RULES + SAME, kg, "capital_of", "oslo", c="norway", engine=engine)
    assert [statuses(v) for v in (apart["oslo"], one["oslo"])] == [["unk conflict"], ["sat"]]


@ENGINES
def test_completeness_for_a_named_subject_counts_for_its_other_names(engine: str) -> None:
    kg = graph("christiania twin bergen\ntromso type City")
    found = ask(
        RULES + SAME, kg, "twins", "bergen", "tromso", "oslo", c="kristiania", engine=engine
    )
    assert {name: statuses(v) for name, v in found.items()} == {
        "bergen": ["sat"],
        "tromso": ["viol"],
        "oslo": ["viol"],
    }


@ENGINES
def test_identity_is_symmetric_and_transitive(engine: str) -> None:
    kg = graph("a owl:sameAs b\nc http://www.w3.org/2002/07/owl#sameAs b\nd type City")
    rules = RULES + "same d, c\n"
    for name in ("a", "b", "c", "d"):
        found = ask(rules, kg, "others", "a", "oslo", c=name, engine=engine)
        assert statuses(found["a"]) == ["viol"], name
        assert found["a"].constraints[0].status == "sat"


@ENGINES
def test_a_blank_node_that_is_somebody_is_known(engine: str) -> None:
    text = "norway capital _:x\nbergen type City"
    vague = ask(RULES, graph(text), "capital_of", "bergen", c="norway", engine=engine)
    assert statuses(vague["bergen"]) == ["unk missing"]
    known = graph(text + "\n_:x owl:sameAs oslo")
    found = ask(RULES, known, "capital_of", "bergen", "oslo", c="norway", engine=engine)
    assert [statuses(found[name]) for name in ("bergen", "oslo")] == [["viol"], ["sat"]]


@ENGINES
def test_two_blank_nodes_that_are_one_stay_vague(engine: str) -> None:
    kg = graph("norway capital _:x\n_:x owl:sameAs _:y\nbergen type City")
    found = ask(RULES, kg, "capital_of", "bergen", c="norway", engine=engine)
    assert statuses(found["bergen"]) == ["unk missing"]


@ENGINES
def test_classes_of_the_graph_may_be_one_and_those_of_the_rule_file_stay_two(engine: str) -> None:
    kg = graph(
        "oslo type Ancient\nAncient owl:sameAs Antique\nAntique subclass Old\n"
        "nice type City\nCity owl:sameAs Country\nnorway type Country"
    )
    found = ask(RULES, kg, "old", "oslo", "nice", c="norway", engine=engine)
    assert found["oslo"].constraints[0].status == "sat"
    warnings = graph_warnings(kg, load_rules_text(RULES))
    named = [p.message.split("`")[1] for p in warnings if p.code == "identity-of-class"]
    assert sorted(named) == ["City", "Country"]
    assert ask(RULES, kg, "others", "nice", c="oslo", engine=engine)["nice"].verdict == "sat"


def test_values_are_never_merged() -> None:
    kg = Graph.from_triples(
        [("ea", "owl:sameAs", "lstring x"), ("eb", "owl:sameAs", "lstring x"), ("ea", "p", "eb")]
    )
    found = ask(RULES, kg, "others", "a", c="b")
    assert statuses(found["a"]) == ["sat"]


def verdicts(rules: str, kg: Graph, question: Question) -> tuple[list[Verdict], list[str]]:
    verifier = Verifier(kg, load_rules_text(rules), "rank")
    ((found, problems),) = verifier.verify([question])
    return found, [str(problem) for problem in problems]


def test_verdicts_go_by_the_name_that_was_given() -> None:
    kg = graph("norway capital oslo\nbergen type City")
    names = ("christiania", "bergen", "oslo", "kristiania", "christiania")
    question = Question("q", "capital_of", {"c": "norway"}, tuple(map(Candidate, names)))
    found, problems = verdicts(RULES + SAME, kg, question)
    assert [(v.candidate, v.verdict) for v in found] == [
        ("christiania", "sat"),
        ("bergen", "viol"),
    ]
    assert [p.partition("]: ")[2] for p in problems] == [
        "candidate `oslo` is the same as `christiania`; they get one verdict",
        "candidate `kristiania` is the same as `christiania`; they get one verdict",
        "candidate `christiania` is listed twice; it gets one verdict",
    ]


def test_arguments_go_by_the_name_that_was_given() -> None:
    kg = graph("oslo twin bergen\ntromso type City")
    found = ask(RULES.replace("complete", "# "), kg, "twins", "tromso", c="oslo")
    other = ask(RULES.replace("complete", "# ") + SAME, kg, "twins", "tromso", c="kristiania")
    assert found["tromso"].constraints[1].text == "twin(oslo, x)"
    assert other["tromso"].constraints[1].text == "twin(kristiania, x)"
    assert other["tromso"].question_text == "Which are twins of kristiania?"
    assert other["tromso"].constraints[1].would_settle[0].facts == ("twin(kristiania, tromso)",)


def test_a_label_of_two_names_of_one_entity_is_not_ambiguous() -> None:
    facts = [("enorway", "capital", "eoslo"), ("ebergen", "rdf:type", "eCity")]
    facts += [("eoslo", "owl:sameAs", "eQ585")]
    kg = Graph.from_triples(facts, labels=[("eoslo", "Oslo"), ("eQ585", "Oslo")])
    assert statuses(ask(RULES, kg, "capital_of", "Oslo", c="norway")["Q585"]) == ["sat"]


def test_nobody_knows_two_names_of_nothing() -> None:
    kg = graph("norway capital oslo")
    found = ask(RULES + "same nowhere, erewhon\n", kg, "capital_of", "nowhere", c="norway")
    assert statuses(found["nowhere"]) == ["unk unresolved"]


def test_a_name_is_known_by_a_fact_of_the_rule_file_about_another() -> None:
    rules = RULES + 'same nowhere, "erewhon"\ncapital(norway, erewhon).\n'
    found = ask(rules, graph("oslo type City"), "capital_of", "nowhere", c="norway")
    assert statuses(found["nowhere"]) == ["sat"]


def test_names_joined_with_a_known_one_are_not_warned_of() -> None:
    rules = RULES + 'same "a", "b"\nsame "c", "b"\nsame "x", "y"\n'
    kg = graph("c type City\noslo capital oslo\noslo twin oslo")
    warned = [p for p in graph_warnings(kg, load_rules_text(rules)) if "entity" in p.code]
    assert [p.message.split("`")[1] for p in warned] == ["x", "y"]


def test_tests_of_a_rule_file_know_all_names() -> None:
    rules = (
        RULES
        + SAME
        + """
test "names" {
    capital(norway, oslo).
    ask capital_of(norway): christiania = sat, oslo = sat, bergen = viol
}
"""
    )
    outcomes = list(run_tests(load_rules_text(rules)))
    assert [(o.candidate, o.passed) for o in outcomes] == [
        ("christiania", True),
        ("oslo", True),
        ("bergen", False),
    ]


def test_proofs_say_which_names_are_one(tmp_path: Path) -> None:
    (tmp_path / "kg.tsv").write_text("norway\tcapital\tQ585\nQ585\towl:sameAs\toslo\n")
    (tmp_path / "r.kgr").write_text(RULES + SAME)
    kg = kgverify.open_graph(tmp_path / "kg.tsv")
    rules = kgverify.load_rules(tmp_path / "r.kgr")
    question = Question("q", "capital_of", {"c": "norway"})
    explanation = kgverify.explain(question, "christiania", kg, rules)
    node = explanation.constraints[1].pro
    assert node is not None
    line = RULES.count("\n")
    assert [
        leaf.text.split("/")[0] + leaf.source[len(str(tmp_path)) :] for leaf in node.leaves()
    ] == [
        "capital(norway, Q585)/kg.tsv:1",
        f"kristiania and christiania are the same/r.kgr:{line + 2}:1",
        f"oslo and kristiania are the same/r.kgr:{line + 1}:1",
        "Q585 and oslo are the same/kg.tsv:2",
    ]
    assert node.text == "capital(norway, christiania)"
    assert [c.split(" [")[0] for c in explanation.constraints[1].constraint.because] == [
        "capital(norway, Q585)",
        "kristiania and christiania are the same",
        "oslo and kristiania are the same",
        "Q585 and oslo are the same",
    ]


def test_a_fact_under_another_name_is_cited_with_what_makes_it_the_same(tmp_path: Path) -> None:
    (tmp_path / "kg.tsv").write_text("norway\tcapital\toslo\nQ585\towl:sameAs\toslo\n")
    (tmp_path / "r.kgr").write_text(RULES + SAME)
    kg = kgverify.open_graph(tmp_path / "kg.tsv")
    question = Question("q", "capital_of", {"c": "norway"})
    rules = kgverify.load_rules(tmp_path / "r.kgr")
    explanation = kgverify.explain(question, "Q585", kg, rules)
    assert [c.split(" [")[0] for c in explanation.constraints[1].constraint.because] == [
        "capital(norway, oslo)",
        "Q585 and oslo are the same",
    ]
