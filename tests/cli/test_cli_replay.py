"""`kgverify replay`: explanations are believed only as far as graph and rule file bear them out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.seaport import Seaport

WORLD = ("--kg", "facts.tsv", "--kg", "labels.tsv", "--rules", "port.kgr")


def explained(port: Seaport, question: str, candidate: str) -> dict[str, Any]:
    chosen = ("--question", question, "--candidate", candidate, "--format", "json")
    result = port.run("explain", "questions.jsonl", *WORLD, *chosen)
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def replay(port: Seaport, explanation: object, *world: str) -> Any:
    port.write("explanation.json", json.dumps(explanation))
    return port.run("replay", "explanation.json", *(world or WORLD))


@pytest.mark.parametrize(
    ("question", "candidate"),
    [("q1", "cygnus"), ("q1", "aurora"), ("q1", "ghost"), ("q2", "borealis"), ("q3", "bergen")],
)
def test_what_explain_writes_replays(port: Seaport, question: str, candidate: str) -> None:
    result = replay(port, explained(port, question, candidate))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "replays" in result.stdout


Change = Callable[[dict[str, Any]], None]


def _status(found: dict[str, Any]) -> None:
    found["constraints"][1]["constraint"]["status"] = "viol"


def _verdict(found: dict[str, Any]) -> None:
    found["verdict"] = "viol"


def _proof(found: dict[str, Any]) -> None:
    found["constraints"][1]["proof"] = None


def _citation(found: dict[str, Any]) -> None:
    del found["constraints"][1]["proof"]["citations"][0]


def _fact(found: dict[str, Any]) -> None:
    """Another ship docks there, in the citations and so in what follows."""
    proof = found["constraints"][1]["proof"]
    text = json.dumps(proof).replace("borealis", "aurora")
    found["constraints"][1]["proof"] = json.loads(text)


def _rule(found: dict[str, Any]) -> None:
    for citation in found["constraints"][1]["proof"]["citations"]:
        if citation["name"] == "rule":
            citation["terms"] = ["serves(P, C) :- docks_at(S, P), P : Port, C : Cargo"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_status, "is viol, its proof sat"),
        (_verdict, "the verdict is sat, not viol"),
        (_proof, "is sat without proof"),
        (_citation, "does not follow from what is cited"),
        (_fact, "the graph has no such fact"),
        (_rule, "does not follow from what is cited"),
    ],
)
def test_what_does_not_hold_is_found(port: Seaport, change: Change, message: str) -> None:
    found = explained(port, "q3", "bergen")
    change(found)
    result = replay(port, found)
    assert result.exit_code == 1
    assert message in result.stderr
    assert "does not replay" in result.stdout


def test_a_graph_that_lost_a_fact(port: Seaport) -> None:
    found = explained(port, "q3", "bergen")
    lines = (port.folder / "facts.tsv").read_text().splitlines(keepends=True)
    port.write("less.tsv", "".join(line for line in lines if "docks_at\tbergen" not in line))
    world = ("--kg", "less.tsv", "--kg", "labels.tsv", "--rules", "port.kgr")
    result = replay(port, found, *world)
    assert result.exit_code == 1
    assert "the graph has no such fact: docks_at(borealis, Bergen)" in result.stderr
    assert "another graph" in result.stderr


def test_an_absence_that_is_none(port: Seaport) -> None:
    found = explained(port, "q1", "cygnus")
    port.write("more.tsv", (port.folder / "facts.tsv").read_text() + "cygnus\tcarries\toil\n")
    world = ("--kg", "more.tsv", "--kg", "labels.tsv", "--rules", "port.kgr")
    result = replay(port, found, *world)
    assert result.exit_code == 1
    assert "there is evidence for it" in result.stderr


def test_other_json_is_a_mistake(port: Seaport) -> None:
    result = replay(port, {"question": "q1"})
    assert result.exit_code == 2
    assert "malformed-explanation" in result.stderr


def test_a_trace_ends_in_the_verdict_and_derives_every_premise(port: Seaport) -> None:
    chosen = ("--question", "q3", "--candidate", "bergen", "--format", "trace")
    result = port.run("explain", "questions.jsonl", *WORLD, *chosen)
    trace = json.loads(result.stdout)
    assert set(trace) == {"finalConclusion", "inferences"}
    derived: set[str] = set()
    for step in trace["inferences"]:
        assert set(step) == {"ruleName", "conclusion", "premises"}
        assert set(step["premises"]) <= derived, step
        derived.add(step["conclusion"])
    assert trace["inferences"][-1]["conclusion"] == trace["finalConclusion"]
    assert trace["finalConclusion"] == "bergen for q3 is sat"
