"""Mined rules are read for a benchmark each once, with measures on a side that is told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kgverify.errors import KgverifyError
from kgverify.experiments.incomplete.building import Options, build
from kgverify.experiments.incomplete.files import read_rules
from kgverify.experiments.incomplete.writing import files
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.formats import write_mined_rules
from kgverify.mining.horn import Atom, HornRule, MinedRule
from tests.experiments.incomplete.families import families, graph_of, mined

FEW_FATHERS = HornRule(Atom("father", 0, 1), (Atom("parent", 0, 1),))
FACTS = [
    *(("a", "parent", name) for name in "bcd"),
    *(("e", "parent", name) for name in "fg"),
    *(("a", "father", name) for name in "bc"),
    ("e", "father", "f"),
]


def written(path: Path, *measures: dict[str, object]) -> Path:
    rule = {
        "head": {"relation": "father", "subject": 0, "object": 1},
        "body": [{"relation": "parent", "subject": 0, "object": 1}],
    }
    lines = [json.dumps(rule | ({"measures": m} if m else {})) for m in measures]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_what_a_file_states_is_kept_with_its_side(tmp_path: Path) -> None:
    graph = graph_of(FACTS)
    for side in ("subject", "object"):
        stated = replace(Evaluator(graph).measure(FEW_FATHERS, side), support=1)  # type: ignore[arg-type]
        path = tmp_path / "stated.jsonl"
        path.write_text(write_mined_rules([MinedRule(FEW_FATHERS, stated)], "json"), "utf-8")
        ((found,), _) = read_rules(path, graph)
        assert found.measures == stated
        assert found.measures.pca_side == side


def test_what_a_file_does_not_state_is_measured_on_the_side_that_it_names(tmp_path: Path) -> None:
    """Each object has one father, so that is the more functional side."""
    graph = graph_of(FACTS)
    bodies = {}
    for side in ("subject", "object"):
        path = written(tmp_path / "side.jsonl", {"pca_side": side})
        ((found,), _) = read_rules(path, graph)
        assert found.measures.pca_side == side
        bodies[side] = found.measures.pca_body_size
    assert bodies == {"subject": 5, "object": 3}
    ((found,), _) = read_rules(written(tmp_path / "plain.jsonl", {}), graph)
    assert (found.measures.pca_side, found.measures.pca_body_size) == ("object", 3)


def test_a_rule_counts_once_and_a_file_has_one_at_least(tmp_path: Path) -> None:
    graph = graph_of(FACTS)
    found, warnings = read_rules(written(tmp_path / "twice.jsonl", {}, {}), graph)
    assert [m.rule for m in found] == [FEW_FATHERS]
    assert [warning.code for warning in warnings] == ["duplicate"]
    header = "Rule\tHead Coverage\tStd Confidence\tPCA Confidence\n"
    (tmp_path / "none.tsv").write_text(header, encoding="utf-8")
    with pytest.raises(KgverifyError, match="no-rules"):
        read_rules(tmp_path / "none.tsv", graph)


def test_the_written_rules_name_the_side() -> None:
    graph = graph_of(families(20))
    rules = [
        MinedRule(m.rule, Evaluator(graph).measure(m.rule, side))  # type: ignore[arg-type]
        for m, side in zip(mined(graph), ("subject", "object") * 3, strict=False)
    ]
    lines = files(build(graph, rules, Options(tau=1)))["rules.jsonl"]  # type: ignore[arg-type]
    found = {
        (line["head"][1], len(line["body"])): (line["pca_side"], line["pca_body_size"])
        for line in map(json.loads, lines.splitlines())
    }
    assert found == {
        (m.rule.head.relation, len(m.rule.body)): (m.measures.pca_side, m.measures.pca_body_size)
        for m in rules
    }
