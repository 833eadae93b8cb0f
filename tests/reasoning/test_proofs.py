"""Explanations: what they cite, in whose words, and from where."""

from __future__ import annotations

from pathlib import Path

import kgverify
from kgverify.vocabulary import Candidate, Node, Question

RULES = """
class Drug "{0} is a medicine"
class Disease, Effect
disjoint Drug, Disease
relation treats (Drug, Disease)  "{0} is given for {1}"
relation causes (Drug, Effect)   "{0} may lead to {1}"
relation in_class (Drug, Drug)
rule inherit "what a class does, its members do":
    causes(X, E) :- in_class(X, C), causes(C, E).
rule no "a drug that causes a thing is not given for what resembles it":
    not treats(X, D) :- causes(X, E), resembles(E, D).
relation resembles (Effect, Disease)
question q(d: Disease, e: Effect)
    "What helps against {d} without {e}?"
    answer x : Drug
    require treats(x, d)   "it must help"
    exclude causes(x, e)
"""
FACTS = """\
aspirin\ttreats\tpain
aspirin\tin_class\tnsaid
nsaid\tcauses\tulcer
ulcer\tresembles\tsore
"""


def explained(tmp_path: Path, **arguments: str) -> kgverify.Explanation:
    (tmp_path / "kg.tsv").write_text(FACTS)
    (tmp_path / "r.kgr").write_text(RULES)
    graph = kgverify.open_graph(tmp_path / "kg.tsv")
    rules = kgverify.load_rules(tmp_path / "r.kgr")
    question = Question("q", "q", arguments, (Candidate("aspirin"),))
    return kgverify.explain(question, "aspirin", graph, rules)


def outline(node: Node | None) -> list[str]:
    assert node is not None
    return [node.text, *("  " + line for child in node.children for line in outline(child))]


def test_a_derived_violation_is_told_down_to_the_lines(tmp_path: Path) -> None:
    explanation = explained(tmp_path, d="pain", e="ulcer")
    assert explanation.text == "What helps against pain without ulcer?"
    answer, treats, causes = explanation.constraints
    assert outline(answer.pro) == ["aspirin is a medicine", "  aspirin is given for pain"] or (
        outline(answer.pro) == ["aspirin is a medicine", "  in_class(aspirin, nsaid)"]
    )
    assert outline(treats.pro) == ["aspirin is given for pain"]
    assert treats.constraint.sentence == "it must help"
    assert outline(causes.con) == [
        "aspirin may lead to ulcer",
        "  in_class(aspirin, nsaid)",
        "  nsaid may lead to ulcer",
    ]
    assert causes.con is not None
    assert causes.con.why == "what a class does, its members do"
    assert [Path(leaf.source).name for leaf in causes.con.leaves()] == ["kg.tsv:2", "kg.tsv:3"]
    assert Path(causes.con.source).name == "r.kgr:8:1"
    assert causes.constraint.basis == "derived"


def test_a_denial_by_rule_cites_the_rule(tmp_path: Path) -> None:
    explanation = explained(tmp_path, d="sore", e="ulcer")
    treats = explanation.constraints[1]
    assert treats.constraint.status == "viol"
    assert outline(treats.con)[0] == "it is false that aspirin is given for sore"
    assert treats.con is not None
    assert {leaf.text for leaf in treats.con.leaves()} == {
        "in_class(aspirin, nsaid)",
        "nsaid may lead to ulcer",
        "resembles(ulcer, sore)",
    }


def test_the_facts_of_a_proof_suffice_and_each_is_needed(tmp_path: Path) -> None:
    """The cited facts alone give the status again; without any one of them it is open."""
    (tmp_path / "r.kgr").write_text(RULES)
    rules = kgverify.load_rules(tmp_path / "r.kgr")
    lines = FACTS.splitlines()
    question = Question("q", "q", {"d": "pain", "e": "ulcer"}, (Candidate("aspirin"),))

    def status(kept: list[str]) -> str:
        (tmp_path / "part.tsv").write_text("\n".join([*kept, "ulcer\ttype\tEffect"]) + "\n")
        graph = kgverify.open_graph(tmp_path / "part.tsv")
        (verdict,) = kgverify.verify(question, graph, rules)
        return verdict.statuses["c2"]

    cited = [lines[1], lines[2]]
    assert status(cited) == "viol"
    assert [status([line]) for line in cited] == ["unk", "unk"]


def test_the_links_of_a_chain_keep_their_own_proofs(tmp_path: Path) -> None:
    """What is passed on stands as one row of links; a link that is derived says from what."""
    (tmp_path / "kg.tsv").write_text("cell\tinside\tjail\njail\tinside\ttown\ntown\tinside\tland\n")
    (tmp_path / "r.kgr").write_text(
        "class Place\nrelation above (Place, Place) transitive\n"
        "relation within (Place, Place) transitive\n"
        "relation inside (Place, Place) sub of within\n"
        'question q(a: Place)\n    "Where is {a}?"\n    answer x : Place\n'
        "    require within(a, x)\n"
    )
    graph = kgverify.open_graph(tmp_path / "kg.tsv")
    rules = kgverify.load_rules(tmp_path / "r.kgr")
    question = Question("q", "q", {"a": "cell"}, (Candidate("land"),))
    proof = kgverify.explain(question, "land", graph, rules).constraints[1].pro
    links = [("cell", "jail"), ("jail", "town"), ("town", "land")]
    expected = ["within(cell, land)"]
    for one, other in links:
        expected += [f"  within({one}, {other})", f"    inside({one}, {other})"]
    assert outline(proof) == expected
    assert proof is not None
    assert "within" in proof.why
