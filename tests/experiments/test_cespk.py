"""CES-PK on small graphs: gold, mixes, rules and shapes by brute force; and the whole command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")

from kgverify import resources
from kgverify.cli.app import app
from kgverify.experiments import metrics
from kgverify.experiments.cespk import plausibility, shapes
from kgverify.experiments.cespk.asking import (
    BALANCED,
    CLOSED,
    DENIED,
    EXCLUDED,
    EXCLUDED_OTHER,
    GOLD,
    MIXES,
    PAPER,
    SAME,
    TEMPLATES,
    UNKNOWN,
    WRONG,
    Whole,
    asked,
    calibrated,
    topics,
)
from kgverify.experiments.cespk.drawing import plots
from kgverify.experiments.cespk.judging import SCORES, Judged, counts, judge, measures
from kgverify.experiments.cespk.measuring import plan
from kgverify.experiments.cespk.report import report
from kgverify.experiments.cespk.results import Results
from kgverify.experiments.hetionet import Hetionet, read
from kgverify.experiments.masking import masked
from kgverify.experiments.runs import RunRecord
from kgverify.language.checks import load_rules, load_rules_text
from kgverify.verification import Verifier
from tests.experiments.small_hetionet import write

RULES = load_rules(resources.folder("rules") / "hetionet.kgr")


@pytest.fixture(scope="module")
def hetionet(tmp_path_factory: pytest.TempPathFactory) -> Hetionet:
    return read(write(tmp_path_factory.mktemp("small")))


@pytest.fixture(scope="module")
def whole(hetionet: Hetionet) -> Whole:
    return Whole(hetionet)


# ---------------------------------------------------------------- gold and mixes


def answers(hetionet: Hetionet, question: str, arguments: dict[str, str]) -> set[str]:
    """The question's answers, edge by edge."""
    has = {name: set(pairs) for name, pairs in hetionet.edges.items()}
    found = set()
    for x in hetionet.nodes["Compound"]:
        genes = [g for g in hetionet.nodes["Gene"] if (x, g) in has["CbG"]]
        treats = (x, arguments["d"]) in has["CtD"]
        if question == "Q1":
            is_answer = treats
        elif question == "Q2":
            is_answer = treats and (x, arguments["s"]) not in has["CcSE"]
        elif question == "Q3":
            is_answer = any(
                (e, g) in has["DaG"] and ({(e, arguments["d"]), (arguments["d"], e)} & has["DrD"])
                for g in genes
                for e in hetionet.nodes["Disease"]
            )
        else:
            is_answer = treats and not any((g, arguments["p"]) in has["GpPW"] for g in genes)
        if is_answer:
            found.add(x)
    return found


@pytest.mark.parametrize("question", MIXES)
def test_gold_is_what_meets_the_question_on_the_whole_graph(
    hetionet: Hetionet, whole: Whole, question: str
) -> None:
    found = list(topics(whole, question, whole.diseases, 0))
    assert found
    for topic in found:
        expected = answers(hetionet, question, dict(topic.arguments))
        assert set(topic.pools[GOLD]) == expected - set(topic.pools[DENIED])
        kinds = Counter(x for pool in topic.pools.values() for x in pool)
        assert set(kinds.values()) == {1}  # nobody is of two kinds
        assert set(hetionet.nodes["Compound"]) < set(kinds)
        if question in ("Q2", "Q4"):
            assert topic.pools[EXCLUDED]


def test_the_calibrated_mixes_have_the_papers_precisions() -> None:
    for question, (before, after) in PAPER.items():
        amounts = {part.kinds[0]: part.amount for part in calibrated(question).parts}
        assert all(amount is not None and amount > 0 for amount in amounts.values())
        total = 1 + sum(amount or 0.0 for amount in amounts.values())
        assert 1 / total == pytest.approx(before)
        assert 1 / (1 + (amounts[SAME] or 0.0)) == pytest.approx(after)


def test_fractions_and_shortages_are_made_up_for(whole: Whole) -> None:
    """The drawn candidates have the mix's proportions as far as the pools go."""
    mix = calibrated("Q1")
    found = asked(topics(whole, "Q1", whole.diseases, 3), mix, 3)
    drawn = Counter(kind for question in found for kind in question.kinds.values())
    for part in mix.parts:
        assert abs(drawn[part.kinds[0]] - (part.amount or 0.0) * drawn[GOLD]) <= 0.5
    excluded = calibrated("Q2")
    found = asked(topics(whole, "Q2", whole.diseases, 3), excluded, 3)
    for question, topic in zip(found, topics(whole, "Q2", whole.diseases, 3), strict=True):
        drawn = Counter(question.kinds.values())
        if drawn[EXCLUDED_OTHER]:
            assert drawn[EXCLUDED] == len(topic.pools[EXCLUDED])  # these come first


@pytest.mark.parametrize("question", MIXES)
def test_the_balanced_mix(whole: Whole, question: str) -> None:
    found = asked(topics(whole, question, whole.diseases, 1), BALANCED, 1)
    again = asked(topics(whole, question, whole.diseases, 1), BALANCED, 1)
    other = asked(topics(whole, question, whole.diseases, 2), BALANCED, 2)
    assert [list(q.kinds.items()) for q in found] == [list(q.kinds.items()) for q in again]
    assert [q.kinds for q in found] != [q.kinds for q in other]
    pools = {
        " ".join(t.arguments.values()): t.pools for t in topics(whole, question, whole.diseases, 1)
    }
    for q in found:
        drawn = Counter(q.kinds.values())
        for kind, pool in pools[q.id].items():
            assert drawn[kind] == (len(pool) if kind == DENIED else min(5, len(pool)))
            assert {x for x, k in q.kinds.items() if k == kind} <= set(pool)


# ---------------------------------------------------------------- verdicts


def judged(
    hetionet: Hetionet, whole: Whole, share: float, denied: bool = True
) -> Iterator[tuple[str, str, list[Judged]]]:
    left = masked(hetionet.edges, share, 0)
    verifier = Verifier(hetionet.graph(left, denied), RULES, "rank")
    forms = [(question, reading) for question in TEMPLATES for reading in TEMPLATES[question]]
    sets = [
        (
            asked(topics(whole, question, whole.diseases, 0), BALANCED, 0),
            TEMPLATES[question][reading],
        )
        for question, reading in forms
    ]
    yield from (
        (question, reading, found)
        for (question, reading), found in zip(forms, judge(verifier, sets), strict=True)
    )


def test_verdicts_on_the_whole_graph_are_known(hetionet: Hetionet, whole: Whole) -> None:
    for question, reading, found in judged(hetionet, whole, 0.0):
        expected = {
            GOLD: "unk" if reading == UNKNOWN else "sat",
            DENIED: "viol",
            EXCLUDED: "viol",
            EXCLUDED_OTHER: "viol",
            SAME: "unk",
            WRONG: "viol",
        }
        assert found
        assert {(j.kind, j.verdict) for j in found} == {
            (kind, expected[kind]) for kind in {j.kind for j in found}
        }
        if question == "Q1":
            assert counts(found)[GOLD] == {
                "sat": sum(j.is_gold for j in found),
                "unk": 0,
                "viol": 0,
            }


def test_removal_opens_and_never_turns(hetionet: Hetionet, whole: Whole) -> None:
    before = {
        (q, r, j.question, j.candidate): j for q, r, js in judged(hetionet, whole, 0.0) for j in js
    }
    changed = Counter[tuple[str, str, str]]()
    for question, reading, found in judged(hetionet, whole, 0.4):
        for j in found:
            earlier = before[question, reading, j.question, j.candidate]
            changed[reading, earlier.verdict, j.verdict] += 1
            if j.is_gold:
                assert j.verdict != "viol"
    for (reading, earlier_, later), count in changed.items():
        assert count
        if earlier_ != later and reading != CLOSED:
            assert later == "unk"
    assert changed[CLOSED, "viol", "sat"] > 0  # where assuming closed errs
    assert changed["", "sat", "unk"] > 0


def test_without_denied_facts_non_indications_are_open(hetionet: Hetionet, whole: Whole) -> None:
    for question, _, found in judged(hetionet, whole, 0.0, denied=False):
        if question == "Q1":
            assert {j.verdict for j in found if j.kind == DENIED} == {"unk"}


def test_measures_by_counting() -> None:
    def one(kind: str, verdict: Any, support: float, decided: float, question: str = "q") -> Judged:
        return Judged(question, f"{kind} {verdict}", kind, verdict, support, decided, {})

    found = measures(
        [
            one(GOLD, "sat", 1.0, 1.0),
            one(GOLD, "unk", 0.5, 1.0),
            one(SAME, "unk", 0.5, 1.0),
            one(WRONG, "viol", 0.0, 0.0),
        ]
    )
    assert found["none precision"] == 1 / 2
    assert found["filter precision"] == 2 / 3
    assert found["filter recall"] == 1.0
    assert found["strict precision"] == 1.0
    assert found["strict recall"] == 1 / 2
    assert found["strict F1"] == 2 / 3
    assert found["gold support"] == 0.75
    assert found["others support"] == 0.25
    assert found["gold decided support"] == 1.0
    assert found["others decided support"] == 0.5
    assert (found["gold sat"], found["gold unk"], found["gold viol"]) == (0.5, 0.5, 0.0)
    assert found["rank MAP"] == pytest.approx((1 + 2 / 3) / 2)
    assert found["decided support MAP"] == pytest.approx(2 / 3)
    assert measures([one(WRONG, "viol", 0.0, 0.0)])["gold support"] is None


def test_standing_is_the_order_of_the_policy_rank(hetionet: Hetionet, whole: Whole) -> None:
    for _, _, found in judged(hetionet, whole, 0.2):
        standing: dict[str, float] = {}
        for j in found:  # verdicts come best first
            assert SCORES["rank"](j) <= standing.get(j.question, 9.0)
            standing[j.question] = SCORES["rank"](j)


# ---------------------------------------------------------------- plausibility


def holds(hetionet: Hetionet, edges: Any, rule: str, x: str, d: str) -> bool:
    """Does a rule find x for d, by something other than x itself, or d?"""
    has = {name: set(pairs) for name, pairs in edges.items()}
    compounds = [y for y in hetionet.nodes["Compound"] if y != x]
    treating = [y for y in compounds if (y, d) in has["CtD"]]
    match rule:
        case "shared target":
            return any(
                (x, g) in has["CbG"] and (y, g) in has["CbG"]
                for y in treating
                for g in hetionet.nodes["Gene"]
            )
        case "similar structure":
            return any({(x, y), (y, x)} & has["CrC"] for y in treating)
        case "shared class":
            return any(
                (k, x) in has["PCiC"] and (k, y) in has["PCiC"]
                for y in treating
                for k in hetionet.nodes["Pharmacologic Class"]
            )
        case "similar disease":
            return any(
                (x, e) in has["CtD"] and {(e, d), (d, e)} & has["DrD"]
                for e in hetionet.nodes["Disease"]
                if e != d
            )
        case "gene of the disease":
            return any(
                (x, g) in has["CbG"] and (d, g) in has["DaG"] for g in hetionet.nodes["Gene"]
            )
    raise AssertionError(rule)


def test_rules_and_their_confidence_by_brute_force(hetionet: Hetionet, whole: Whole) -> None:
    left = masked(hetionet.edges, 0.2, 0)
    confidence = plausibility.confidences(hetionet, left)
    for id_, rule in plausibility.RULES.items():
        pairs = [
            (x, d) in set(left["CtD"])
            for x in hetionet.nodes["Compound"]
            for d in hetionet.nodes["Disease"]
            if holds(hetionet, left, rule, x, d)
        ]
        assert confidence[id_] == pytest.approx(sum(pairs) / len(pairs)), rule
    # The same rules as the verifier's preferences, of pairs that are open.
    verifier = Verifier(hetionet.graph(left), RULES, "rank")
    questions = plausibility.removed_treatments(whole, left, 20, 0)
    (found,) = judge(verifier, [(questions, plausibility.TEMPLATE)])
    assert {j.verdict for j in found} == {"unk"}
    for j in found:
        for id_, rule in plausibility.RULES.items():
            expected = holds(hetionet, left, rule, j.candidate, j.question)
            assert (j.statuses[id_] == "sat") == expected, (rule, j)


def test_weights_are_those_that_a_rule_file_would_give(hetionet: Hetionet, whole: Whole) -> None:
    """Support that is worked out from statuses is the verifier's, with the weights written down."""
    left = masked(hetionet.edges, 0.2, 0)
    confidence = plausibility.confidences(hetionet, left)
    weights = {id_: round(value, 6) for id_, value in confidence.items()}
    assert all(weights.values())
    head, question, rest = re.split(
        r"(?ms)^(question treats_likely.*?)^(?=question)", resources.text("rules", "hetionet.kgr")
    )
    values = iter(weights.values())
    question = re.sub(
        r'(?m)^(    prefer .*?\)) *(")', lambda m: f"{m[1]} weight {next(values)} {m[2]}", question
    )
    weighted = load_rules_text(head + question + rest, "weighted.kgr")
    questions = plausibility.removed_treatments(whole, left, 20, 0)
    graph = hetionet.graph(left)
    (plain,) = judge(Verifier(graph, RULES, "rank"), [(questions, plausibility.TEMPLATE)])
    (found,) = judge(Verifier(graph, weighted, "rank"), [(questions, plausibility.TEMPLATE)])
    expected = {(j.question, j.candidate): metrics.support(j.statuses, weights) for j in plain}
    for j in found:
        assert j.support == pytest.approx(expected[j.question, j.candidate])
    for j in plain:
        assert j.support == pytest.approx(metrics.support(j.statuses))


def test_removed_treatments_are_all_there(hetionet: Hetionet, whole: Whole) -> None:
    left = masked(hetionet.edges, 0.4, 0)
    questions = plausibility.removed_treatments(whole, left, 7, 0)
    gold = {(x, q.arguments["d"]) for q in questions for x, kind in q.kinds.items() if kind == GOLD}
    assert gold == set(hetionet.edges["CtD"]) - set(left["CtD"])
    for q in questions:
        others = {x for x, kind in q.kinds.items() if kind != GOLD}
        assert len(others) == 7
        assert not others & whole.treating[q.arguments["d"]]


# ---------------------------------------------------------------- shapes


@pytest.mark.skipif(not shapes.available(), reason="pySHACL is not installed")
@pytest.mark.parametrize("question", MIXES)
@pytest.mark.parametrize("share", [0.0, 0.4])
def test_shapes_report_what_a_closed_graph_lacks(
    hetionet: Hetionet, whole: Whole, question: str, share: float
) -> None:
    left = masked(hetionet.edges, share, 0)
    closed = Hetionet(hetionet.kinds, hetionet.labels, left, (), {})
    questions = asked(topics(whole, question, whole.diseases, 0), BALANCED, 0)
    expected = {
        (place, x)
        for place, q in enumerate(questions)
        for x in q.kinds.keys() - answers(closed, question, dict(q.arguments))
    }
    assert shapes.violations(question, questions, left, hetionet.kinds) == expected
    found = shapes.measures(question, questions, left, hetionet.kinds)
    if not share:
        assert found["gold violating"] == 0.0


# ---------------------------------------------------------------- the whole run


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["experiment", "cespk", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quick")
    write(folder / "data" / "hetionet")
    code, shown, errors = run("--data", folder / "data", "--out", folder / "run", "--quick")
    assert (code, errors) == (0, "")
    assert "cespk, seeds 0, 1; " in shown
    return folder


def test_the_same_seed_gives_the_same_bytes(quick: Path) -> None:
    """In another process too, whose sets have another order."""
    command = [sys.executable, "-m", "kgverify", "experiment", "cespk", "--quick"]
    subprocess.run(
        [*command, "--data", str(quick / "data"), "--out", str(quick / "again")],
        env=os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
    )
    assert contents(quick / "again") == contents(quick / "run")
    arguments = ("--data", quick / "data", "--out", quick / "again", "--quick", "--seed", "5")
    code, shown, _ = run(*arguments)
    assert (code, "seeds 5, 6" in shown) == (0, True)
    assert contents(quick / "again") != contents(quick / "run")


def test_the_report_has_its_plots_and_its_record(quick: Path) -> None:
    files = contents(quick / "run")
    report = files["report.md"].decode()
    for name in re.findall(r"\]\((\S+\.svg)\)", report):
        assert files[name].startswith(b"<?xml")
    assert len(files) == 2 + len(set(re.findall(r"\]\((\S+\.svg)\)", report)))
    assert "nan" not in report
    results = json.loads(files["results.json"])
    record = results["record"]
    assert (record["experiment"], record["quick"], record["seeds"]) == ("cespk", True, [0, 1])
    assert {"nodes.tsv.gz", "edges.tsv.gz", "rules/hetionet.kgr"} < set(record["inputs"])
    assert all(len(value) == 64 for value in record["inputs"].values())
    assert record["packages"]["scipy"]


def test_report_and_plots_can_be_made_again_from_the_results(quick: Path) -> None:
    files = contents(quick / "run")
    plain = json.loads(files["results.json"])
    record = RunRecord(**plain.pop("record"))
    results = Results(plain)
    drawn = plots(results)
    assert report(results, record, list(drawn)).encode() == files["report.md"]
    assert {name: text.encode() for name, text in drawn.items()} == {
        name: data for name, data in files.items() if name.endswith(".svg")
    }


def test_the_results_are_as_the_semantics_demands(quick: Path) -> None:
    results = json.loads(contents(quick / "run")["results.json"])
    wanted = plan(0, quick=True)
    assert {cell["removed"] for cell in results["cells"]} == set(wanted.removals)
    for cell in results["cells"]:
        found = {name: value["mean"] for name, value in cell["measures"].items()}
        assert found["gold viol"] == 0.0  # nothing is complete, so no gold is ever refuted
        assert found["filter recall"] == 1.0
        assert found["none precision"] <= found["filter precision"]
        if cell["reading"] != CLOSED:
            assert found["others sat"] == 0.0
        for value in cell["measures"].values():
            assert len(value["values"]) == 2
    for curve in results["curves"]:
        assert curve["points"][-1][2] == 1.0
        recall = [point[2] for point in curve["points"]]
        assert recall == sorted(recall)


def test_without_pyshacl_the_report_says_so(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "available", lambda: False)
    assert run("--data", quick / "data", "--out", quick / "bare", "--quick")[0] == 0
    files = contents(quick / "bare")
    assert "pip install 'kgverify[shacl]'" in files["report.md"].decode()
    assert "shapes.svg" not in files
    assert json.loads(files["results.json"])["shapes"] == []


@pytest.mark.parametrize(
    ("data", "out", "message"),
    [
        ("nothing", "new", "nodes.tsv.gz: error: there is no such file [missing-file]"),
        ("data", "data", "[not-a-run]"),
    ],
)
def test_wrong_usage(quick: Path, data: str, out: str, message: str) -> None:
    code, shown, errors = run("--data", quick / data, "--out", quick / out, "--quick")
    assert (code, shown) == (2, "")
    assert message in errors


def test_a_graph_that_answers_little(tmp_path: Path) -> None:
    """Only treatments: Q2 to Q4 have no question, and their measures are undefined."""
    write(tmp_path / "data", only=("CtD",))
    assert run("--data", tmp_path / "data", "--out", tmp_path / "run", "--quick")[0] == 0
    results = json.loads(contents(tmp_path / "run")["results.json"])
    for cell in results["cells"]:
        precision = cell["measures"]["filter precision"]
        assert (precision["n"] == 2) == (cell["question"] == "Q1")
        assert (precision["mean"] is None) == (cell["question"] != "Q1")
    write(tmp_path / "data", only=("CcSE",))
    code, _, errors = run("--data", tmp_path / "data", "--out", tmp_path / "run", "--quick")
    assert (code, "nothing-to-ask" in errors) == (2, True)


@pytest.mark.data
def test_hetionet_itself(tmp_path: Path) -> None:
    data = os.environ.get("KGVERIFY_DATA")
    if not data or not Path(data, "hetionet").is_dir():
        pytest.skip("the environment variable KGVERIFY_DATA names no folder with hetionet")
    code, _, errors = run("--data", data, "--out", tmp_path / "run", "--quick")
    assert (code, errors) == (0, "")
    results = json.loads((tmp_path / "run" / "results.json").read_text("utf-8"))
    cells = {
        (c["question"], c["mix"]): {name: m["mean"] for name, m in c["measures"].items()}
        for c in results["cells"]
        if c["removed"] == 0 and c["denied"] and c["reading"] != UNKNOWN
    }
    for question, (before, after) in PAPER.items():
        found = cells[question, "paper"]
        assert found["none precision"] == pytest.approx(before, abs=0.02)
        assert found["filter precision"] == pytest.approx(after, abs=0.02)
        assert found["gold support"] == 1.0
    assert cells["Q1", "paper"]["others support"] == pytest.approx(0.42, abs=0.02)
    mined = [p for p in results["plausibility"] if p["method"] == plausibility.MINED]
    assert all(found["gain"]["low"] > 0 for found in mined)
