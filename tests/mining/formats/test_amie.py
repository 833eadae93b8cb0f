"""AMIE's files as its versions print them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgverify.errors import GraphError, RuleError
from kgverify.graph import Graph
from kgverify.mining.formats import ImportedRules, Stated
from kgverify.mining.formats import read_mined_rules as read
from kgverify.mining.horn import Atom, HornRule

MOVED = "?a  born in  ?b   => ?a  lives in  ?b"
AUNT = "?e  mother  ?b  ?e  sister  ?a   => ?a  aunt of  ?b"
NUMBERS = "0.583333333\t0.14893617\t0.333333333\t7\t47\t21"
AMIE3 = (
    "Rule\tHead Coverage\tStd Confidence\tPCA Confidence\tPositive Examples\tBody size\t"
    "PCA Body size\tFunctional variable"
)
MOVED_RULE = HornRule(Atom("lives in", 0, 1), (Atom("born in", 0, 1),))
AUNT_RULE = HornRule(Atom("aunt of", 0, 1), (Atom("mother", 2, 1), Atom("sister", 2, 0)))

LAYOUTS = {
    "amie 3": f"{AMIE3}\n{MOVED}\t{NUMBERS}\t?b\n",
    "amie+": f"{AMIE3}\tStd. Lower Bound\tPCA Lower Bound\tPCA Conf estimation\n"
    f"{MOVED}\t{NUMBERS}\t?b\t0.0\t0.0\t0.0\n",
    "without a header": f"{MOVED}\t{NUMBERS}\t?b\n",
    "amie+ without a header": f"{MOVED}\t{NUMBERS}\t?b\t0.0\t0.0\t0.0\n",
    "amie 3.5": "Rule\tHead Coverage\tStandard Confidence\tP CA Confidence\tSupport\tBody Size\t"
    f"P CA Body Size\tFunctional Variable\n{MOVED}\t{NUMBERS}\t?b\n",
    "before amie 3": "Rule\tSupport\tHead Coverage\tConfidence\tPCA Confidence\tPositive Examples\t"
    "Body size\tPCA Body size\tPrediction variable\tStd. Lower Bound\tPCA Lower Bound\n"
    f"{MOVED}\t0.0001\t{NUMBERS}\t?b\t0.0\t0.0\n",
    "before amie 3, without a header": f"{MOVED}\t0.0001\t{NUMBERS}\t?b\t0.0\t0.0\n",
    "decimal commas": f"{MOVED}\t{NUMBERS.replace('.', ',')}\t?b\n",
    "pasted from a terminal": f"{MOVED}\t{NUMBERS}\t?b\n".replace("\t", "      "),
    "columns in another order": "Rule\tPCA Body size\tPositive Examples\tBody size\t"
    f"Functional variable\tHead Coverage\n{MOVED}\t21\t7\t47\t?b\t0.583333333\n",
    "windows": f"\ufeff{AMIE3}\r\n{MOVED}\t{NUMBERS}\t?b\r\n",
}


def rules_in(folder: Path, text: str, graph: Graph | None = None) -> ImportedRules:
    file = folder / "rules.tsv"
    file.write_text(text, encoding="utf-8", newline="")
    return read(file, graph)


def problems_in(folder: Path, text: str, graph: Graph | None = None) -> list[tuple[str, str, str]]:
    with pytest.raises(RuleError) as caught:
        rules_in(folder, text, graph)
    return [
        (str(p.span).partition("rules.tsv:")[2], p.code, p.message) for p in caught.value.problems
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(tmp_path: Path, layout: str) -> None:
    found = rules_in(tmp_path, LAYOUTS[layout])
    assert [rule.rule for rule in found.rules] == [MOVED_RULE]
    stated = found.rules[0].stated
    counts = (stated.support, stated.head_size, stated.body_size, stated.pca_body_size)
    assert counts == (7, 12, 47, 21)
    assert stated.pca_side == "object"


def test_without_standard_confidence(tmp_path: Path) -> None:
    found = rules_in(tmp_path, f"{MOVED}\t0.583333333\t0.333333333\t7\t21\t-2\n").rules[0].stated
    assert (found.support, found.head_size, found.pca_body_size) == (7, 12, 21)
    assert (found.body_size, found.confidence, found.pca_side) == (None, None, None)


def test_numbers_that_were_not_counted(tmp_path: Path) -> None:
    text = f"{AMIE3}\n{MOVED}\t0.583333333\t-1\tNaN\t7\t-1\t\t?a\n"
    found = rules_in(tmp_path, text).rules[0].stated
    assert (found.support, found.head_size) == (7, 12)
    assert (found.body_size, found.confidence) == (None, None)
    assert (found.pca_body_size, found.pca_confidence) == (None, None)


def test_rules_alone(tmp_path: Path) -> None:
    found = rules_in(tmp_path, f"{MOVED}\n{AUNT}\n")
    assert [(rule.rule, rule.stated) for rule in found.rules] == [
        (MOVED_RULE, Stated()),
        (AUNT_RULE, Stated()),
    ]


def test_log_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    text = (
        "Loading files... \n  Starting kg.tsv\n\n"
        f"{AMIE3}\n{MOVED}\t{NUMBERS}\t?b\nMining done in 0.02 s\n{AUNT}\n2 rules mined.\n"
    )
    found = rules_in(tmp_path, text)
    assert (len(found.rules), found.skipped) == (2, 4)


def test_inequalities(tmp_path: Path) -> None:
    text = (
        "?a  p  ?c  ?c  p  ?b  ?a  !=  ?b   => ?a  q  ?b\n"
        "?a  p  ?c  ?c  p  ?b  ?a  differentFrom  ?b  ?b  !=  ?c  ?c  !=  ?a   => ?a  q  ?b\n"
        "?a  p  <oslo>  ?a  !=  <oslo>   => ?a  q  bergen\n"
    )
    one, every, constant = (rule.rule for rule in rules_in(tmp_path, text).rules)
    assert (one.injective, one.different) == (False, ((0, 1),))
    assert (every.injective, every.different) == (True, ())
    assert constant.different == ((0, "e<oslo>"),)
    assert constant.head == Atom("q", 0, "ebergen")


def test_variables_are_numbered_without_a_gap(tmp_path: Path) -> None:
    text = "?k  p  ?x12  ?x12  p  ?v900   => ?k  q  ?v900\n?a  p  ?d  ?d  p  ?b   => ?a  q  ?b\n"
    for rule in rules_in(tmp_path, text).rules:
        assert sorted(rule.rule.variables) == [0, 1, 2]
        assert rule.rule.type == "composition"


def test_names_are_those_of_the_graph(tmp_path: Path) -> None:
    graph = Graph.from_triples(
        [
            ("eoslo", "p", "enorway"),
            ("eoslo", "q", "lnumber 5"),
            ("eoslo", "r", "lstring five"),
            ('e"oslo"', "q", "eoslo"),
        ]
    )
    text = (
        '?a  <p>  <norway>   => ?a  q  5\n?a  p  norway   => ?a  r  "five"\n'
        "?a  q  ?b   => ?b  r  ?a\n"
    )
    five, quoted, _ = (rule.rule for rule in rules_in(tmp_path, text, graph).rules)
    assert five == HornRule(Atom("q", 0, "lnumber 5"), (Atom("p", 0, "enorway"),))
    assert quoted.head.object == "lstring five"
    wrong = '?a  P  ?b   => ?a  q  Norway\n?a  q  ?b   => ?b  r  "oslo"\n'
    assert problems_in(tmp_path, wrong, graph) == [
        ("1:5", "unknown-relation", "the graph has no relation `P`"),
        ("1:23", "unknown-entity", "the graph has no `Norway`"),
        ("2:23", "ambiguous-name", '`"oslo"` may be each of 2 terms of the graph'),
    ]


BAD = {
    "?a sibling ?g  ?g sibling ?b => ?a sibling ?b\n": [("1:1", "crowded-tokens")],
    "?a  p  ?g  ?g  q   => ?a  r  ?b\t0.5\t0.5\t0.5\t1\t2\t2\t?a\n": [("1:12", "bad-atom")],
    f"{AMIE3}\n{MOVED}\t0.5\t0.9\t0.5\t1\t2\t2\t?a\n": [("2:43", "contradicting-numbers")],
    f"{AMIE3}\n{MOVED}\t0.5\tmany\t0.5\t1\t2\t1.5\t?a\n": [
        ("2:43", "bad-number"),
        ("2:56", "bad-number"),
    ],
    f"{AMIE3}\n{MOVED}\t0.5\t1\t1\t3\t2\t3\t?a\n": [("2:43", "contradicting-numbers")],
    "?a  p  ?b   => ?a  r  ?c\n": [("1:1", "unsafe-variable")],
    "   => ?a  r  ?c\n": [("1:1", "no-body")],
    "?a  p  ?b   => ?a  r  ?b => ?b  r  ?a\n": [("1:26", "bad-rule")],
    "?a  p  ?b   => ?a  r  ?b  ?b  r  ?a\t0.5\n": [("1:27", "bad-rule")],
    "?a  p  ?b\t0.5   => ?a  r  ?b\n": [("1:1", "bad-rule")],
    f"{AMIE3}\n?a  p  ?b  ?a  r  ?b\t0.5\n": [("2:1", "bad-rule")],
    f"{MOVED}\t0.5\t0.9\n": [("1:39", "bad-columns")],
    "?a  p  ?b  ?a  !=  ?z   => ?a  r  ?b\n": [("1:1", "unsafe-variable")],
    "?a  p  ?b  ?a  !=  ?a   => ?a  r  ?b\n": [("1:1", "never-different")],
    "?a  p  ?b   => ?a  !=  ?b\n": [("1:16", "bad-rule")],
    "?a  p  ?b-c   => ?a  r  ?b\n": [("1:8", "bad-variable")],
}


@pytest.mark.parametrize("text", BAD)
def test_bad_lines(tmp_path: Path, text: str) -> None:
    assert [problem[:2] for problem in problems_in(tmp_path, text)] == BAD[text]


def test_all_bad_lines_are_told_and_nothing_is_half_read(tmp_path: Path) -> None:
    text = f"{MOVED}\n?a  p   => ?a  q  ?b\n{AUNT}\n?a  p  ?b   => ?a  q  ?c\n"
    assert [p[0] for p in problems_in(tmp_path, text)] == ["2:1", "4:1"]
    (tmp_path / "rules.tsv").write_text(text)
    found = read(tmp_path / "rules.tsv", on_error="skip")
    assert [rule.rule for rule in found.rules] == [MOVED_RULE, AUNT_RULE]
    assert [problem.code for problem in found.rejected] == ["bad-atom", "unsafe-variable"]


def test_files_that_are_none_of_these(tmp_path: Path) -> None:
    assert problems_in(tmp_path, "oslo\tcapital_of\tnorway\n")[0][1] == "unknown-format"
    with pytest.raises(GraphError):
        read(tmp_path / "nowhere.tsv")


def test_rules_that_say_nothing_or_are_there_already(tmp_path: Path) -> None:
    text = (
        "?a  p  ?b   => ?a  p  ?b\n?a  p  ?b  ?b  q  ?c   => ?a  p  ?b\n"
        "?b  p  ?a   => ?a  p  ?b\n?a  p  ?b   => ?b  p  ?a\n"
        "?a  p  ?c  ?c  q  ?b   => ?a  r  ?b\n?x  q  ?y  ?a  p  ?x   => ?a  r  ?y\n"
        "?a  p  ?c  ?b  q  ?c   => ?a  r  ?b\n?a  p  ?b  ?a  p  ?b   => ?a  r  ?b\n"
        "?a  p  ?c  ?c  q  ?b  ?a  !=  ?b   => ?a  r  ?b\n"
    )
    found = rules_in(tmp_path, text)
    assert len(found.rules) == 9
    assert [
        (p.span and p.span.line, p.code, [span.line for span, _ in p.notes]) for p in found.warnings
    ] == [
        (1, "tautology", []),
        (2, "tautology", []),
        (4, "duplicate", [3]),
        (6, "duplicate", [5]),
    ]
