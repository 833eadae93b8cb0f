"""AnyBURL's and PyClause's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgverify.errors import RuleError
from kgverify.graph import Graph
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.formats import ImportedRules
from kgverify.mining.formats import read_mined_rules as read
from kgverify.mining.formats import write_mined_rules as write
from kgverify.mining.horn import Atom, HornRule, Measures, MinedRule

X, Y, A = 0, 1, 2
GRAPH = Graph.from_triples(
    ("e" + s, r, "e" + o)
    for s, r, o in [
        ("Wim Wenders", "directed", "Paris, Texas"),
        ("Paris, Texas", "set in", "Texas"),
        ("St. John's (Antigua)", "capital of", "Antigua"),
        ("X", "former name of", "X (platform)"),
        ("c", "language of", "unix"),
        ("a,b", "sister", "c d"),
        ("a", "sister", "b,c d"),
        ('He said "no"', "set in", "Texas"),
    ]
)


def rules_in(folder: Path, text: str, graph: Graph | None = GRAPH) -> ImportedRules:
    file = folder / "rules.txt"
    file.write_text(text, encoding="utf-8")
    return read(file, graph, "anyburl")


def problems_in(folder: Path, text: str, graph: Graph | None = GRAPH) -> list[tuple[str, ...]]:
    with pytest.raises(RuleError) as caught:
        rules_in(folder, text, graph)
    return [
        (str(p.span).partition("rules.txt:")[2], p.code, p.message, p.hint)
        for p in caught.value.problems
    ]


READ = {
    "directed(X,Paris, Texas) <= set in(Paris, Texas,A), directed(X,A)": HornRule(
        Atom("directed", X, "eParis, Texas"),
        (Atom("set in", "eParis, Texas", A), Atom("directed", X, A)),
        injective=True,
    ),
    "set in(X,Texas) <= set in(X,A), capital of(St. John's (Antigua),A)": HornRule(
        Atom("set in", X, "eTexas"),
        (Atom("set in", X, A), Atom("capital of", "eSt. John's (Antigua)", A)),
        injective=True,
    ),
    'set in(He said "no",Y) <= set in(He said "no",A), set in(A,Y)': HornRule(
        Atom("set in", 'eHe said "no"', Y),
        (Atom("set in", 'eHe said "no"', A), Atom("set in", A, Y)),
        injective=True,
    ),
    "former name of(X, X (platform)) <= set in(X, Texas)": HornRule(
        Atom("former name of", X, "eX (platform)"), (Atom("set in", X, "eTexas"),), injective=True
    ),
    'sister("a,b",c d) <= set in(X,Texas)': HornRule(
        Atom("sister", "ea,b", "ec d"), (Atom("set in", X, "eTexas"),), injective=True
    ),
    "sister(X,me_myself_i) <= set in(X,Y)": HornRule(
        Atom("sister", X, X), (Atom("set in", X, Y),), injective=True
    ),
}


@pytest.mark.parametrize("text", READ)
def test_names_are_known_by_the_graph(tmp_path: Path, text: str) -> None:
    found = rules_in(tmp_path, f"4\t2\t0.5\t{text}\n")
    assert [rule.rule.canonical for rule in found.rules] == [READ[text].canonical]
    stated = found.rules[0].stated
    assert (stated.body_size, stated.support, stated.pca_side) == (4, 2, None)


def test_two_ways_to_cut_a_line(tmp_path: Path) -> None:
    ((place, code, message, _),) = problems_in(
        tmp_path, "7\t2\t0.2857\tsister(a,b,c d) <= set in(X,Texas)\n"
    )
    assert (place, code) == ("1:12", "ambiguous-rule")
    assert "sister(“a”, “b,c d”)" in message
    assert "sister(“a,b”, “c d”)" in message


def test_unknown_names(tmp_path: Path) -> None:
    text = "8\t4\t0.5\tcapital off(X,Texass) <= set in(X,texas)\n"
    assert problems_in(tmp_path, text) == [
        (
            "1:9",
            "unknown-relation",
            "the graph has no relation `capital off`",
            "did you mean `capital of`?",
        ),
        ("1:23", "unknown-entity", "the graph has no `Texass`", "did you mean `Texas`?"),
        ("1:43", "unknown-entity", "the graph has no `texas`", "did you mean `Texas`?"),
    ]


def test_letters(tmp_path: Path) -> None:
    text = (
        "3\t1\t0.3333\tlanguage of(c,Y) <= language of(Y,c)\n"
        "3\t1\t0.3333\tset in(X,Texas) <= set in(X,A)\n3\t1\t0.3333\tset in(X,A) <= sister(X,A)\n"
    )
    found = rules_in(tmp_path, text)
    assert found.rules[0].rule.head == Atom("language of", "ec", 0)
    assert [(p.span and p.span.line, p.code) for p in found.warnings] == [
        (1, "one-letter-name"),
        (2, "variable-or-entity"),
    ]


def test_without_a_graph(tmp_path: Path) -> None:
    found = rules_in(tmp_path, "4\t2\t0.5\tp(X,a b) <= q(X,A), r(A,/m/01)\n", None)
    assert found.rules[0].rule == HornRule(
        Atom("p", 0, "ea b"), (Atom("q", 0, 1), Atom("r", 1, "e/m/01")), injective=True
    )
    text = "4\t2\t0.5\tp(X,Paris, Texas) <= q(X,A)\n4\t2\t0.5\tp(X,John (I)) <= q(X,A)\n"
    assert [p[:2] for p in problems_in(tmp_path, text, None)] == [
        ("1:9", "unreadable-rule"),
        ("2:9", "unreadable-rule"),
    ]


def test_confidences_of_other_kinds(tmp_path: Path) -> None:
    rules = [f"capital of(B,Y) <= {r}(B,Y)" for r in ("set in", "sister", "directed")]
    counts = ["20\t10\t0.4", "20\t10\t0.5", "20\t10\t0.7"]
    lines = (f"{c}\t{rule}\n" for c, rule in zip(counts, rules, strict=True))
    found = rules_in(tmp_path, "".join(lines))
    assert [rule.stated.support for rule in found.rules] == [10, 10, 10]
    assert [str(p).partition("rules.txt:")[2] for p in found.warnings] == [
        "1:7: warning[other-confidence]: the confidence 0.4 is not 10/20 but 10/(20 + 5), "
        "with unseen predictions (the counts are taken)",
        "3:7: warning[other-confidence]: the confidence 0.7 is not 10/20 (the counts are taken)",
    ]


def test_rules_without_a_body_are_counted(tmp_path: Path) -> None:
    found = rules_in(tmp_path, "9\t3\t0.3333\tset in(X,Texas) <= \n")
    assert (found.rules, found.skipped) == ((), 1)


BAD = {
    "4\t2\tset in(X,Texas) <= set in(X,A)": [("1:1", "bad-columns")],
    "4\ttwo\t0.5\tset in(X,Texas) <= set in(X,A)": [("1:3", "bad-number")],
    "4\t5\t0.5\tset in(X,Texas) <= set in(X,A)": [("1:3", "contradicting-numbers")],
    "4\t2\t0.5\tset in(X,Y) <= set in(X,A)": [("1:1", "unsafe-variable")],
    "4\t2\t0.5\tset in(X,Texas) set in(X,A)": [("1:9", "bad-rule")],
    "4\t2\t0.5\tset in(X,Texas <= set in(X,A)": [("1:9", "unreadable-rule")],
    "4\t2\t0.5\tset in(Texas,me_myself_i) <= set in(X,A)": [("1:16", "bad-atom")],
    "4\t2\t0.5\tset in(X,Texas) <= set in(X,A)\tmore": [("1:40", "bad-columns")],
    "4\t2\t0.5\tset in(X,Texas) <= set in(X,A)\tdifferent: X = A": [("1:40", "bad-columns")],
}


@pytest.mark.parametrize("text", BAD)
def test_bad_lines(tmp_path: Path, text: str) -> None:
    assert [problem[:2] for problem in problems_in(tmp_path, text + "\n")] == BAD[text]


def test_matching_is_injective_and_stays_so(tmp_path: Path) -> None:
    graph = Graph.from_triples(
        ("e" + s, r, "e" + o)
        for s, r, o in (
            line.split()
            for line in ["an knows bo", "bo knows an", "bo knows cy", "cy knows cy", "cy likes cy"]
        )
    )
    text = (
        "1\t0\t0\tknows(X,Y) <= knows(X,A), knows(A,Y)\n1\t0\t0\tlikes(X,cy) <= knows(X,cy)\n"
        "5\t2\t0.4\tknows(X,Y) <= knows(X,A), knows(A,Y)\tdifferent:\n"
        "2\t1\t0.5\tknows(X,Y) <= knows(X,A), knows(A,Y)\tdifferent: X != Y\n"
    )
    found = rules_in(tmp_path, text, graph)
    counts = [Evaluator(graph).measure(rule.rule) for rule in found.rules]
    assert [(c.support, c.body_size) for c in counts] == [(0, 1), (0, 1), (2, 5), (1, 2)]
    mined = [MinedRule(r.rule, m) for r, m in zip(found.rules, counts, strict=True)]
    again = rules_in(tmp_path, write(mined, "anyburl"), graph)
    assert [rule.rule for rule in again.rules] == [rule.rule for rule in found.rules]


def test_a_rule_that_is_injective_anyway_needs_no_fifth_column() -> None:
    ground = HornRule(Atom("p", "ea", "eb"), (Atom("q", "ea", "eb"),))
    assert write([MinedRule(ground, Measures(0, 0, 0, 0))], "anyburl").count("\t") == 3


def test_a_rule_with_more_variables_than_letters_is_not_written() -> None:
    ends = zip(range(30), range(1, 31), strict=True)
    chain = HornRule(Atom("h", 0, 30), tuple(Atom("p", one, other) for one, other in ends))
    with pytest.raises(RuleError, match="too-many-variables"):
        write([MinedRule(chain, Measures(1, 1, 1, 1))], "anyburl")
