"""Rules as JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgverify.errors import RuleError
from kgverify.graph import Graph
from kgverify.graph.near_names import MOST_NAMES
from kgverify.mining.formats import Stated, read_mined_rules
from kgverify.mining.horn import Atom, HornRule

HEAD = {"relation": "q", "subject": 0, "object": 1}
BODY = [{"relation": "p", "subject": 0, "object": 1}]
RULE = {"head": HEAD, "body": BODY}
GRAPH = Graph.from_triples([("eoslo", "p", "enorway"), ("eoslo", "q", "lnumber 5")])


def problems(folder: Path, *lines: object, graph: Graph | None = None) -> list[tuple[int, str]]:
    file = folder / "rules.jsonl"
    text = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text("\n".join(text) + "\n")
    with pytest.raises(RuleError) as caught:
        read_mined_rules(file, graph, "json")
    return [(p.span.line if p.span else 0, p.message) for p in caught.value.problems]


def test_what_may_be_missing(tmp_path: Path) -> None:
    file = tmp_path / "rules.jsonl"
    part = RULE | {"measures": {"support": 3}}
    file.write_text(f"{json.dumps(RULE)}\n\n{json.dumps(part)}\n")
    plain, measured = read_mined_rules(file).rules
    assert plain.rule == measured.rule == HornRule(Atom("q", 0, 1), (Atom("p", 0, 1),))
    assert (plain.stated, measured.stated) == (Stated(), Stated(support=3))
    assert plain.mined is None


BAD: list[tuple[object, str]] = [
    ("{", "Expecting property name"),
    ([], "$ is not an object"),
    ({"head": HEAD}, "$ has no `body`"),
    (RULE | {"weight": 1}, "$ has an unknown field `weight`"),
    (RULE | {"head": HEAD | {"subject": True}}, "$.head.subject is not the number of a variable"),
    (RULE | {"head": HEAD | {"object": "oops"}}, "$.head.object is not the number of a variable"),
    (RULE | {"head": HEAD | {"relation": 3}}, "$.head.relation is not a name"),
    (RULE | {"body": [BODY[0], 3]}, "$.body[1] is not an object"),
    (RULE | {"body": "p"}, "$.body is not a list"),
    (RULE | {"injective": 1}, "$.injective is not true or false"),
    (RULE | {"different": [[0]]}, "$.different[0] is not a pair of terms"),
    (RULE | {"different": [[0, "x"]]}, "$.different[0][1] is not the number of a variable"),
    (RULE | {"measures": {"support": -1}}, "$.measures.support is not a number of pairs"),
    (RULE | {"measures": {"pca_side": "both"}}, "$.measures.pca_side is not"),
    (RULE | {"measures": {"lift": 2}}, "$.measures has an unknown field `lift`"),
    (RULE | {"measures": {"support": 3, "body_size": 2}}, "$.measures: the support 3 is more"),
    (RULE | {"body": []}, "the rule has no body"),
    (RULE | {"body": [BODY[0] | {"object": 2}]}, "a variable of the rule's head"),
]


@pytest.mark.parametrize(("bad", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_lines(tmp_path: Path, bad: object, message: str) -> None:
    ((line, found),) = problems(tmp_path, RULE, bad)
    assert line == 2
    assert found.startswith(message)


def test_names_are_those_of_the_graph(tmp_path: Path) -> None:
    known = RULE | {"head": HEAD | {"object": "lnumber 5"}}
    unknown = {
        "head": HEAD | {"object": "eNorway"},
        "body": [BODY[0] | {"relation": "P", "object": 0}],
    }
    assert problems(tmp_path, known, unknown, graph=GRAPH) == [
        (2, "the graph has no `Norway`"),
        (2, "the graph has no relation `P`"),
    ]


def test_only_the_first_unknown_names_have_hints(tmp_path: Path) -> None:
    """More of them are no slips, and each costs a thousand look-ups."""
    slips = [
        "enorway"[:place] + letter + "enorway"[place + 1 :]
        for place in range(1, 7)
        for letter in "bcdefghijklmpqstuvxz"
    ][: MOST_NAMES + 5]
    file = tmp_path / "rules.jsonl"
    with file.open("w") as lines:
        for name in [*slips, slips[0]]:
            body = [{"relation": "p", "subject": 0, "object": name}, *BODY]
            lines.write(json.dumps({"head": HEAD, "body": body}) + "\n")
    with pytest.raises(RuleError) as caught:
        read_mined_rules(file, GRAPH, "json")
    hinted = ["`norway`" in problem.hint for problem in caught.value.problems]
    assert hinted == [True] * MOST_NAMES + [False] * 5 + [True]


def test_a_rule_file_is_no_file_of_mined_rules(tmp_path: Path) -> None:
    file = tmp_path / "mined.kgr"
    file.write_text("class A\nrelation p (A, A)\nsoft 0.5 p(X, Y) :- p(Y, X).  # <= of old\n")
    with pytest.raises(RuleError) as caught:
        read_mined_rules(file)
    (problem,) = caught.value.problems
    assert problem.code == "unknown-format"
    assert "this is a rule file" in problem.message
    assert "--format json" in problem.hint
