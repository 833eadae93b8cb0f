"""`kgverify bench` and `kgverify experiment incomplete`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kgverify.experiments.runs import file_hash
from kgverify.mining.formats import write_mined_rules
from tests.asking.chat_server import chat_server
from tests.cli.seaport import Seaport
from tests.experiments.incomplete.families import families, graph_of, mined

TAU = ("--tau", "1")


@pytest.fixture
def files(port: Seaport) -> Seaport:
    facts = families(30)
    port.write("families.tsv", "".join("\t".join(fact) + "\n" for fact in facts))
    port.write("mined.jsonl", write_mined_rules(mined(graph_of(facts)), "json"))
    return port


def test_a_benchmark_is_built_checked_and_answered(files: Seaport, tmp_path: Path) -> None:
    out, run = str(tmp_path / "bench"), str(tmp_path / "run")
    built = files.run(
        "bench", "build", "families.tsv", "--rules", "mined.jsonl", "--out", out, *TAU
    )
    assert (built.exit_code, built.stderr) == (0, "")
    assert "removed;" in built.stdout
    checked = files.run("bench", "check", out)
    assert (checked.exit_code, checked.stderr) == (0, "")
    assert "inferable by" in checked.stdout
    answered = files.run("experiment", "incomplete", out, "--out", run, "--quick")
    assert answered.exit_code == 0, answered.stderr
    scored = files.run("score", f"{run}/bench-incomplete.jsonl", "--gold", f"{out}/test.jsonl")
    assert scored.exit_code == 0, scored.stderr
    record = json.loads((tmp_path / "bench" / "results.json").read_text("utf-8"))["record"]
    assert set(record["inputs"]) == {"families.tsv", "mined.jsonl", "graph"}


def test_inputs_of_one_name_are_recorded_each(files: Seaport, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    more = tmp_path / "more" / "families.tsv"
    more.write_text("me\tlikes\tyou\n", encoding="utf-8")
    (tmp_path / "more" / "graph").write_bytes((files.folder / "mined.jsonl").read_bytes())
    rules, out = str(tmp_path / "more" / "graph"), tmp_path / "bench"
    built = files.run(
        "bench", "build", "families.tsv", str(more), "--rules", rules, "--out", str(out), *TAU
    )
    assert built.exit_code == 0, built.stderr
    found = json.loads((out / "results.json").read_text("utf-8"))["record"]["inputs"]
    assert set(found) == {"families.tsv", "families.tsv (2)", "graph", "graph (2)"}
    assert found["families.tsv (2)"] == file_hash(more)


def test_a_broken_benchmark_is_told_with_code_1(files: Seaport, tmp_path: Path) -> None:
    out = tmp_path / "bench"
    files.run("bench", "build", "families.tsv", "--rules", "mined.jsonl", "--out", str(out), *TAU)
    (out / "incomplete.tsv").write_text((out / "complete.tsv").read_text("utf-8"), "utf-8")
    found = files.run("bench", "check", str(out))
    assert found.exit_code == 1
    assert "is said to be removed, but is there [not-removed]" in found.stderr


def test_wrong_input(files: Seaport, tmp_path: Path) -> None:
    common = ("bench", "build", "families.tsv", "--out", str(tmp_path / "out"))
    files.write("empty.jsonl", "")
    for rules, more, text in [
        ("none.jsonl", (), "none.jsonl"),
        ("empty.jsonl", (), "unknown-format"),
        ("mined.jsonl", ("--tau", "0"), "τ is above 0"),
        ("mined.jsonl", ("--tau", "1/0"), "τ is above 0"),
        ("mined.jsonl", ("--tau", "1/100000"), "tau-too-small"),
        ("mined.jsonl", ("--llm", "http://localhost:1/v1"), "goes with --llm-model"),
        ("mined.jsonl", ("--llm-model", "small"), "goes with --llm"),
    ]:
        result = files.run(*common, "--rules", rules, *more)
        assert result.exit_code == 2, text
        assert text in result.stderr
    assert not (tmp_path / "out").exists()
    assert files.run("bench", "check", str(tmp_path)).exit_code == 2


def test_a_language_model_words_the_questions(
    files: Seaport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGVERIFY_LLM_KEY", " key-1\n")
    with chat_server(json.dumps({"question": "Who?"})) as server:
        built = files.run(
            *("bench", "build", "families.tsv", "--rules", "mined.jsonl", *TAU),
            *("--out", str(tmp_path / "bench"), "--llm", server.url, "--llm-model", "small"),
        )
        assert server.headers[0]["Authorization"] == "Bearer key-1"
        (form,) = {json.dumps(a["response_format"], sort_keys=True) for a in server.asked}
    assert built.exit_code == 0, built.stderr
    assert "kept the template's words [llm-reply]" in built.stderr
    assert '"required": ["question"]' in form
    record = json.loads((tmp_path / "bench" / "results.json").read_text("utf-8"))["record"]
    assert record["options"]["words"] == "small"


@pytest.mark.data
def test_the_family_graph_of_the_paper(port: Seaport, tmp_path: Path) -> None:
    """As many triples as the paper's, and every promise kept."""
    data = os.environ.get("KGVERIFY_DATA")
    if not data:
        pytest.skip("KGVERIFY_DATA is not set")
    reference = Path(data) / "reference" / "amie" / "family_d3_std.tsv"
    rules = []
    for line in reference.read_text("utf-8").splitlines()[1:]:
        body, head = line.split("\t")[:2]
        rules.append("  ".join([*body.replace(" , ", " ").split(), "", "=>", "", *head.split()]))
    port.write("amie.tsv", "\n".join(r.replace("    ", "  ") for r in rules) + "\n")
    facts, out = f"triples:{data}/kg/family/facts.txt", str(tmp_path / "family")
    built = port.run("bench", "build", facts, "--rules", "amie.tsv", "--out", out)
    assert built.exit_code == 0, built.stderr
    numbers = json.loads((tmp_path / "family" / "results.json").read_text("utf-8"))["statistics"]
    assert numbers["rules"] == {
        "symmetry": 0,
        "inversion": 6,
        "hierarchy": 0,
        "composition": 56,
        "other": 83,
    }
    assert numbers["triples"]["complete"] == 17_615
    assert numbers["groundings"]["rules_without"] == 0
    assert port.run("bench", "check", out).exit_code == 0
    quick = port.run("experiment", "incomplete", out, "--out", str(tmp_path / "run"), "--quick")
    assert quick.exit_code == 0, quick.stderr
    found = json.loads((tmp_path / "run" / "results.json").read_text("utf-8"))["benchmarks"]
    measured = found["family"]["incomplete"]["methods"]
    assert measured["all rules"]["hhr"] > 0.8
    assert measured["chosen"]["f1"] > measured["lookup"]["f1"] + 0.1
