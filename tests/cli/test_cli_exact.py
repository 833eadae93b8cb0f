"""`--exact` of `kgverify verify` and `kgverify explain`."""

from __future__ import annotations

import json

import pytest

from tests.cli.seaport import RULES, Seaport, ask

HOMES = """
question at_home_in_both(p: Port, q: Port)
    "Which ships have both {p} and {q} for their home?"
    answer x : Ship
    require home_port(x, p)
    require home_port(x, q)
question not_in_both(p: Port, q: Port)
    "Which ships have not both {p} and {q} for their home?"
    answer x : Ship
    require not all of { home_port(x, p), home_port(x, q) }
"""
WORLD = ("--kg", "facts.tsv", "--rules", "homes.kgr")


@pytest.fixture
def homes(port: Seaport) -> Seaport:
    """The seaport with questions that only exact mode decides."""
    port.write("homes.kgr", RULES + HOMES)
    ports = {"p": "bergen", "q": "oslo"}
    port.questions(
        ask("both", ["nordlys1"], "at_home_in_both", **ports),
        ask("not both", ["nordlys1", "aurora"], "not_in_both", **ports),
    )
    return port


def test_exact_mode_decides_what_evidence_leaves_open(homes: Seaport) -> None:
    plain = homes.run("verify", "asked.jsonl", *WORLD, "--format", "jsonl")
    verdicts = [json.loads(line) for line in plain.stdout.splitlines()]
    assert [v["verdict"] for v in verdicts] == ["unk", "sat", "unk"]
    exact = homes.run("verify", "asked.jsonl", *WORLD, "--format", "jsonl", "--exact")
    verdicts = [json.loads(line) for line in exact.stdout.splitlines()]
    found = [(v["candidate"], v["verdict"], v["basis"]) for v in verdicts]
    assert found == [
        ("nordlys1", "viol", "exact"),
        ("aurora", "sat", "derived"),
        ("nordlys1", "sat", "exact"),
    ]
    assert exact.exit_code == 1


def test_the_budget_is_told_with_its_own_exit_code(homes: Seaport) -> None:
    result = homes.run("verify", "asked.jsonl", *WORLD, "--exact", "--exact-atoms", "1")
    assert result.exit_code == 3
    assert "exact mode gave up on 1 candidate of question `both`" in result.stderr
    assert "[budget]" in result.stderr


def test_explaining_exactly(homes: Seaport) -> None:
    asked = ("explain", "asked.jsonl", *WORLD, "--candidate", "nordlys1", "--exact")
    result = homes.run(*asked, "--question", "both")
    assert result.exit_code == 0
    assert "no completion meets all required constraints" in result.stdout
    assert "`home_port` is functional" in result.stdout
    told = homes.run(*asked, "--question", "not both", "--format", "json")
    proof = json.loads(told.stdout)["constraints"][1]["pro"]
    assert (proof["kind"], [node["kind"] for node in proof["children"]]) == ("exact", ["schema"])
    limited = homes.run(*asked, "--question", "both", "--exact-atoms", "1")
    assert limited.exit_code == 3
    assert "(budget)" in limited.stdout


@pytest.mark.parametrize(("question", "verdict"), [("both", "viol"), ("not both", "sat")])
def test_exact_decisions_replay_and_are_traced(homes: Seaport, question: str, verdict: str) -> None:
    asked = ("explain", "asked.jsonl", *WORLD, "--candidate", "nordlys1", "--exact")
    told = homes.run(*asked, "--question", question, "--format", "json")
    homes.write("told.json", told.stdout)
    result = homes.run("replay", "told.json", *WORLD)
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"nordlys1 for {question} is {verdict}: replays, 2 proofs" in result.stdout
    found = json.loads(homes.run(*asked, "--question", question, "--format", "trace").stdout)
    step = next(s for s in found["inferences"] if s["ruleName"] == "no completion is otherwise")
    assert step["premises"] == [
        "bergen and oslo are different",
        "`home_port` is functional: a subject has one object",
    ]
    assert found["inferences"][-1]["conclusion"] == f"nordlys1 for {question} is {verdict}"
    assert step["conclusion"] in found["inferences"][-1]["premises"]
    forged = json.loads(told.stdout)
    proof = forged["joint_proof"] or forged["constraints"][1]["proof"]
    del proof["citations"][0]
    homes.write("told.json", json.dumps(forged))
    result = homes.run("replay", "told.json", *WORLD)
    assert result.exit_code == 1
    assert "does not follow from what is cited" in result.stderr


def test_limits_go_with_exact_mode(homes: Seaport) -> None:
    result = homes.run("verify", "asked.jsonl", *WORLD, "--exact-atoms", "10")
    assert result.exit_code == 2
    assert "--exact" in result.stderr
