"""Mining real graphs: the rules of AMIE 3.5 on Family, and every other graph to its end."""

from __future__ import annotations

import csv
import os
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from kgverify.graph import open_graph
from kgverify.mining import Atom, HornRule, Mined, Search, mine_graph

pytest.importorskip("numba", reason="the compiled loops need numba")
pytestmark = pytest.mark.data


def data(path: str) -> Path:
    root = os.environ.get("KGVERIFY_DATA")
    if not root or not Path(root, path).exists():
        pytest.skip(f"the environment variable KGVERIFY_DATA names no folder with {path}")
    return Path(root, path)


def mined(path: str, search: Search) -> Mined:
    return mine_graph(open_graph([str(data(path))]), search, threads=2)


def amie_rule(body: str, head: str) -> HornRule:
    """A rule as the reference tables write it: `?a aunt ?f , ?b brother ?f`."""
    numbers: dict[str, int] = {}

    def atom(text: str) -> Atom:
        subject, relation, object_ = text.split()
        first, second = (numbers.setdefault(v, len(numbers)) for v in (subject, object_))
        return Atom(relation, first, second)

    return HornRule(atom(head), tuple(map(atom, body.split(",")))).canonical


@pytest.mark.parametrize(
    ("table", "number", "confidence"),
    [("family_d3_std.tsv", 145, Fraction(3, 10)), ("family_d3.tsv", 169, Fraction(0))],
)
def test_family_has_the_rules_of_amie(table: str, number: int, confidence: Fraction) -> None:
    """Every count and share is AMIE's, to the six digits that it prints.  The second table has no
    standard confidence, for AMIE left it out."""
    with data(f"reference/amie/{table}").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    wanted = {amie_rule(row["body"], row["head"]): row for row in rows}
    assert len(wanted) == len(rows) == number
    found = mined("kg/family/facts.txt", Search(min_confidence=confidence)).rules
    assert {one.rule for one in found} == set(wanted)
    for one in found:
        row, measures = wanted[one.rule], one.measures
        assert measures.support == int(row["support"])
        assert f"{float(measures.head_coverage):.6f}" == row["head_coverage"]
        assert f"{float(measures.pca_confidence):.6f}" == row["pca_conf"]
        assert measures.pca_body_size == int(row["pca_body_size"])
        assert {"subject": "-1", "object": "-2"}[measures.pca_side] == row["functional_var"]
        if confidence:
            assert f"{float(measures.confidence):.6f}" == row["std_conf"]
            assert measures.body_size == int(row["body_size"])


def test_family_has_the_types_of_the_papers_table() -> None:
    found = mined("kg/family/facts.txt", Search()).rules
    types = Counter(one.rule.type for one in found)
    assert types == {"inversion": 6, "composition": 56, "other": 83}


def test_longer_rules_contain_the_shorter_ones_and_refine_them() -> None:
    """At length 4 the rules of length 3 are found again, and every longer one beats its parts."""
    short = mined("kg/family/facts.txt", Search()).rules
    long = mined("kg/family/facts.txt", Search(length=4)).rules
    assert set(short) == {one for one in long if len(one.rule) < 4}
    chains = [one for one in long if one.rule.motif == "chain"]
    assert chains
    assert all(one.measures.support >= one.measures.head_size / 10 for one in long)


@pytest.mark.parametrize(
    "path",
    [
        "kg/umls/facts.txt",
        "kg/kinship/facts.txt",
        "kg/nations/train.txt",
        "kg/wn18rr/train.txt.gz",
        "kg/codex-s/train.txt.gz",
        "hetionet/edges-core.tsv.gz",
        "kg/fb15k237/train.txt.gz",
    ],
)
def test_real_graphs_are_mined_to_their_end(path: str) -> None:
    search = Search()
    found = mined(path, search)
    assert not found.stopped
    assert found.heads
    assert len({one.rule for one in found.rules}) == len(found.rules)
    for one in found.rules:
        assert one.rule.is_closed
        assert one.rule.is_connected
        assert one.rule.is_safe
        assert one.measures.head_coverage >= search.min_head_coverage
        assert one.measures.confidence >= search.min_confidence
        assert one.measures.pca_confidence >= search.min_pca
