"""`kgverify explain`: proofs as a tree and as JSON."""

from __future__ import annotations

import json

import pytest

from tests.cli.seaport import Seaport

WORLD = ("--kg", "facts.tsv", "--kg", "labels.tsv", "--rules", "port.kgr")


def explain(port: Seaport, question: str, candidate: str, *more: str):
    return port.run(
        "explain",
        "questions.jsonl",
        *WORLD,
        "--question",
        question,
        "--candidate",
        candidate,
        *more,
    )


def test_a_proof_speaks_the_rule_files_sentences_and_names_its_sources(port: Seaport) -> None:
    result = explain(port, "q3", "bergen")
    assert result.exit_code == 0
    lines = [line.strip("│├└─ ") for line in result.stdout.splitlines()]
    assert lines[0].startswith("Bergen for “Where is oil served?”: ✓ sat, support 1.00")
    assert "Bergen serves oil" in result.stdout
    assert "because a port serves what its ships carry  [port.kgr:10:1]" in lines
    assert "borealis docks at Bergen  [facts.tsv:7]" in lines
    assert "borealis carries oil  [facts.tsv:8]" in lines


def test_absence_is_told_with_the_statement_that_makes_it_count(port: Seaport) -> None:
    shown = explain(port, "q1", "cygnus").stdout
    assert "the graph does not list that cygnus carries oil" in shown
    assert "port.kgr:9:1" in shown
    assert "facts.tsv:10" in shown


def test_an_open_constraint_says_what_would_settle_it(port: Seaport) -> None:
    shown = explain(port, "q1", "aurora").stdout
    assert "unk (missing)" in shown
    assert "adding carries(MS Aurora, oil) would make it viol" in shown
    assert "adding not carries(MS Aurora, oil) would make it sat" in shown


def test_a_functional_relation_refutes_by_the_value_that_is_there(port: Seaport) -> None:
    shown = explain(port, "q2", "borealis").stdout
    assert "borealis has 1 tons  [facts.tsv:9]" in shown
    assert "`tonnage` is functional" in shown


def test_a_conflict_shows_both_proofs(port: Seaport) -> None:
    facts = (port.folder / "facts.tsv").read_text() + "borealis\ttonnage\t2\n"
    port.write("facts.tsv", facts.replace("4294967297", "1"))
    port.write(
        "questions.jsonl",
        json.dumps(
            {
                "id": "q2",
                "question": "of_tonnage",
                "arguments": {"t": 1},
                "candidates": ["borealis"],
            }
        ),
    )
    shown = explain(port, "q2", "borealis").stdout
    assert "unk (conflict)" in shown
    assert "for it" in shown
    assert "against it" in shown
    assert "facts.tsv:9" in shown
    assert "facts.tsv:21" in shown


def test_json_is_the_same_proof(port: Seaport) -> None:
    result = explain(port, "q3", "bergen", "--format", "json")
    assert result.exit_code == 0
    proof = json.loads(result.stdout)
    assert (proof["question"], proof["candidate"], proof["label"]) == ("q3", "bergen", "Bergen")
    assert (proof["verdict"], proof["support"]) == ("sat", 1.0)
    served = proof["constraints"][1]
    assert served["con"] is None
    assert served["pro"]["kind"] == "rule"
    assert [leaf["source"] for leaf in served["pro"]["children"]] == ["facts.tsv:7", "facts.tsv:8"]
    assert set(proof["pins"]) == {"kg", "rules", "version"}


@pytest.mark.parametrize(
    ("question", "candidate"),
    [("q1", "cygnus"), ("q1", "aurora"), ("q1", "ghost"), ("q2", "borealis"), ("q3", "oslo")],
)
def test_explain_and_verify_agree(port: Seaport, question: str, candidate: str) -> None:
    proof = json.loads(explain(port, question, candidate, "--format", "json").stdout)
    (verdict,) = [
        v
        for v in port.verdicts("questions.jsonl")
        if (v["question"], v["candidate"]) == (question, candidate)
    ]
    assert proof["verdict"] == verdict["verdict"]
    assert proof["support"] == verdict["support"]
    constraints = [c["constraint"] for c in proof["constraints"]]
    for constraint in constraints:
        del constraint["sentence"]  # the proof alone repeats the author's words
    assert constraints == verdict["constraints"]


def test_a_candidate_need_not_be_listed(port: Seaport) -> None:
    assert explain(port, "q1", "nordlys1").exit_code == 0


def test_a_violated_candidate_is_no_failure_of_explain(port: Seaport) -> None:
    assert explain(port, "q1", "borealis").exit_code == 0


@pytest.mark.parametrize(
    ("question", "candidate", "word"),
    [
        ("q9", "aurora", "no question has the id `q9`"),
        ("nine", "aurora", "the ids are `q1`, `q2`, `q3`"),
        ("q1", "Nordlys", "`nordlys1`, `nordlys2`"),
    ],
)
def test_wrong_names_are_errors(port: Seaport, question: str, candidate: str, word: str) -> None:
    result = explain(port, question, candidate)
    assert result.exit_code == 2
    assert word in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("left_out", ["--question", "--candidate", "--kg", "--rules"])
def test_every_option_is_needed(port: Seaport, left_out: str) -> None:
    options = {
        "--question": "q1",
        "--candidate": "aurora",
        "--kg": "facts.tsv",
        "--rules": "port.kgr",
    }
    arguments = [
        part for name, value in options.items() if name != left_out for part in (name, value)
    ]
    result = port.run("explain", "questions.jsonl", *arguments)
    assert result.exit_code == 2
    assert left_out in result.stderr


def test_markup_in_names_is_text(port: Seaport) -> None:
    port.write("more.tsv", "[red]x[/red]\ttype\tShip\n[red]x[/red]\tdocks_at\tbergen\n")
    shown = explain(port, "q1", "[red]x[/red]", "--kg", "more.tsv").stdout
    assert "[red]x[/red] docks at Bergen" in shown


def test_denied_facts_are_cited(port: Seaport) -> None:
    port.write("denied.tsv", "aurora\tcarries\toil\n")
    shown = explain(port, "q1", "aurora", "--denied", "denied.tsv").stdout
    assert "denied.tsv:1" in shown
