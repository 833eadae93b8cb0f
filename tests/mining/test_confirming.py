"""Numbers that a file states, beside those that a graph gives."""

from __future__ import annotations

import csv
import json
import os
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.graph import Graph, open_graph
from kgverify.mining import Search, confirming, mine_graph
from kgverify.mining.confirming import confirm_rules
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.formats import ImportedRule, Stated, read_mined_rules
from kgverify.mining.horn import Atom, HornRule
from kgverify.mining.sides import Pca
from kgverify.report.confirmations import confirmation_lines, summary

SIBLINGS = Graph.from_triples(
    ("e" + s, r, "e" + o)
    for s, r, o in [
        ("ann", "parent", "pat"),
        ("bob", "parent", "pat"),
        ("ann", "sibling", "bob"),
        ("bob", "sibling", "ann"),
    ]
)
SHARED = HornRule(Atom("sibling", 0, 1), (Atom("parent", 0, 2), Atom("parent", 1, 2)))


def differences(rule: HornRule, stated: Stated, graph: Graph = SIBLINGS) -> set[str]:
    (found,) = confirm_rules([ImportedRule(rule, stated)], graph)
    wrong = {number.name for number in found.numbers if not number.agrees}
    assert found.agrees == (not wrong)
    return wrong


RIGHT = Stated(2, 2, 4, 4, "subject", Decimal("1.0"), Decimal("0.5"), Decimal("0.500000"))


def test_numbers_that_agree() -> None:
    assert differences(SHARED, RIGHT) == set()
    assert differences(SHARED, Stated()) == set()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("support", 1),
        ("head_size", 3),
        ("body_size", 5),
        ("pca_body_size", 2),
        ("head_coverage", Decimal("0.9")),
        ("confidence", Decimal("0.51")),
        ("pca_confidence", Decimal("0.333333")),
    ],
)
def test_every_number_that_differs_is_named(name: str, value: int | Decimal) -> None:
    stated = {field: getattr(RIGHT, field) for field in RIGHT.__slots__} | {name: value}
    assert differences(SHARED, Stated(**stated)) == {name}


def test_shares_are_compared_to_the_digits_that_are_printed() -> None:
    thirds = Graph.from_triples(
        [("ea", "q", "eb"), ("ea", "p", "eb"), ("ec", "p", "eb"), ("ed", "p", "eb")]
    )
    rule = HornRule(Atom("q", 0, 1), (Atom("p", 0, 1),))
    for printed in ("0.333333333", "0.33", "0.34", "0.3", "0.333334"):
        assert differences(rule, Stated(confidence=Decimal(printed)), thirds) == set()
    for printed in ("0.32", "0.35", "0.3332", "0.3335"):
        assert differences(rule, Stated(confidence=Decimal(printed)), thirds) == {"confidence"}


def test_the_side_is_that_of_the_file_or_amies() -> None:
    graph = Graph.from_triples(
        ("e" + s, r, "e" + o)
        for s, r, o in [
            *(("x", "contains", c) for c in ("c1", "c2", "c3")),
            ("y", "contains", "c4"),
            *(("x", "claims", c) for c in ("c1", "c9", "c8")),
            ("y", "claims", "c2"),
            ("z", "claims", "c4"),
        ]
    )
    rule = HornRule(Atom("contains", 0, 1), (Atom("claims", 0, 1),))
    (amie, subject) = confirm_rules(
        [ImportedRule(rule), ImportedRule(rule, Stated(pca_side="subject"))], graph
    )
    assert amie.measures is not None
    assert subject.measures is not None
    assert (amie.measures.pca_side, amie.measures.pca_body_size) == ("object", 3)
    assert (subject.measures.pca_side, subject.measures.pca_body_size) == ("subject", 4)


def test_shares_of_nothing_are_undefined() -> None:
    nothing = HornRule(Atom("sibling", 0, 1), (Atom("nowhere", 0, 1),))
    (found,) = confirm_rules([ImportedRule(nothing)], SIBLINGS)
    numbers = {number.name: number.found for number in found.numbers}
    assert numbers["confidence"] is None
    assert numbers["pca_confidence"] is None
    assert numbers["head_coverage"] == 0


def test_a_rule_that_takes_too_long_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirming, "Evaluator", lambda graph: Evaluator(graph, most_rows=1))
    found = list(confirm_rules([ImportedRule(SHARED, RIGHT)], SIBLINGS))
    assert found[0].measures is None
    assert not found[0].agrees
    assert found[0].problem is not None
    assert summary(found) == "1 rule: 0 confirmed, 0 with other numbers, 1 not measured"
    (line,) = confirmation_lines(found)
    assert json.loads(line)["confirmed"] is None


ends = st.sampled_from(["ea", "eb", "ec", "b0.x", "lnumber 5", "lstring five"])


@settings(max_examples=100, deadline=None)
@given(
    st.sets(st.tuples(ends, st.sampled_from("pqr"), ends), max_size=14),
    st.sampled_from(["functional", "subject", "object"]),
)
def test_the_numbers_of_mined_rules_are_confirmed(
    triples: set[tuple[str, str, str]], pca: Pca
) -> None:
    """Also where a relation has entities and values: both leave the values out."""
    pytest.importorskip("scipy")
    graph = Graph.from_triples(sorted(t for t in triples if t[0][0] != "l"))
    search = Search(
        **{"min_support": 1, "improving": False, "refine_perfect": True, "constants": True},
        **{name: Fraction(0) for name in ("min_head_coverage", "min_confidence", "min_pca")},
        pca=pca,
    )
    rules = mine_graph(graph, search, engine="sparse").rules
    evaluator = Evaluator(graph)
    found = confirm_rules([ImportedRule(mined.rule) for mined in rules], graph)
    for mined, confirmed in zip(rules, found, strict=True):
        assert evaluator.measure(mined.rule, mined.measures.pca_side) == mined.measures
        if pca == "functional":
            assert confirmed.measures == mined.measures


@pytest.mark.data
def test_amie_is_confirmed_on_family(tmp_path: Path) -> None:
    root = Path(os.environ.get("KGVERIFY_DATA", "nowhere"))
    if not (root / "reference" / "amie").exists():
        pytest.skip("the environment variable KGVERIFY_DATA names no folder with reference/amie")
    lines = []
    with (root / "reference" / "amie" / "family_d3_std.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            body, head = (row[k].replace(" , ", "  ").replace(" ", "  ") for k in ("body", "head"))
            shares = [row[k] for k in ("head_coverage", "std_conf", "pca_conf")]
            counts = [row[k] for k in ("support", "body_size", "pca_body_size", "functional_var")]
            lines.append("\t".join([f"{body}   => {head}".replace("    ", "  "), *shares, *counts]))
    rules = tmp_path / "rules.tsv"
    rules.write_text("\n".join(lines) + "\n")
    graph = open_graph(root / "kg" / "family" / "facts.txt")
    found = list(confirm_rules(read_mined_rules(rules, graph).rules, graph))
    assert summary(found) == "145 rules: 145 confirmed, 0 with other numbers"
    assert all(c.stated >= 6 for c in found)
