"""What a graph has against a rule file is what a plain look at its triples says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from kgverify import load_rules, load_rules_text, open_graph, resources, rules_against_graph
from kgverify.cli.app import app
from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE

RULES = """
class A, B, C
class A2 sub of A
disjoint A, B
relation f (A, A) functional
relation g (A, A) inverse of f
relation h (A, A) sub of f
relation i (A, A) inverse functional
relation a (A, A) asymmetric
relation n (A, A) irreflexive
relation c (C, C)
disjoint a, n
complete c for A
question q(x: A)
    "?"
    answer y : A
    require c(x, y)
"""
Triple = tuple[str, str, str]
things = st.sampled_from(["eu", "ev", "ew", "ex"])
triples = st.lists(
    st.one_of(
        st.tuples(things, st.sampled_from("fghianc"), things),
        st.tuples(things, st.just(RDF_TYPE), st.sampled_from(["eA", "eA2", "eB", "eC", "eD"])),
    ),
    max_size=14,
)


def counted(facts: list[Triple]) -> dict[tuple[str, str], tuple[int, int]]:
    """How many of how many break what is declared, by going through everything."""
    pairs = {name: {(s, o) for s, r, o in facts if r == name} for name in "fghianc"}
    # g is f turned round, and h is narrower than f.
    pairs["f"] |= pairs["h"] | {(o, s) for s, o in pairs["g"]}
    pairs["g"] = {(o, s) for s, o in pairs["f"]}
    found: dict[tuple[str, str], tuple[int, int]] = {}

    def add(code: str, name: str, broken: int, every: int) -> None:
        if broken:
            found[code, name] = broken, every

    objects = {s: {o for a, o in pairs["f"] if a == s} for s, _ in pairs["f"]}
    add("functional-broken", "f", sum(len(o) > 1 for o in objects.values()), len(objects))
    subjects = {o: {s for s, b in pairs["i"] if b == o} for _, o in pairs["i"]}
    add("functional-broken", "i", sum(len(s) > 1 for s in subjects.values()), len(subjects))
    both = sum((o, s) in pairs["a"] for s, o in pairs["a"])
    add("asymmetric-broken", "a", both, len(pairs["a"]))
    add("irreflexive-broken", "n", sum(s == o for s, o in pairs["n"]), len(pairs["n"]))
    shared = pairs["a"] & pairs["n"]
    add("disjoint-broken", "a", len(shared), len(shared))
    kinds = {e: {c[1:] for s, r, c in facts if r == RDF_TYPE and s == e} for e, _, _ in facts}
    inside = {e for e, _, _ in facts if kinds[e] & {"A", "A2"}}
    have = {s for s, _ in pairs["c"]}
    add("complete-without", "c", len(inside - have), len(inside))
    add("question-without-facts", "c", not pairs["c"], 1)
    return found


@given(triples)
@settings(max_examples=500, deadline=None)
def test_what_is_broken_is_counted(facts: list[Triple]) -> None:
    problems = rules_against_graph(load_rules_text(RULES), Graph.from_triples(facts))
    expected = counted(facts)
    codes = {code for code, _ in expected} | {"functional-broken", "complete-without"}
    said = {(p.code, p.subject): p for p in problems if p.code in codes}
    assert said.keys() == expected.keys()
    for key, (broken, every) in expected.items():
        if key[0] == "disjoint-broken":
            assert f"{broken} pairs" in said[key].message
        elif key[0] != "question-without-facts":
            assert f" {broken} of {every} " in said[key].message
    assert all(problem.severity == "warning" for problem in problems)


@given(triples)
@settings(max_examples=400, deadline=None)
def test_arguments_outside_their_signature_are_counted(facts: list[Triple]) -> None:
    problems = rules_against_graph(load_rules_text(RULES), Graph.from_triples(facts))
    said = {(p.code, p.subject, p.message.split()[3]): p for p in problems if "signature" in p.code}
    kinds = {e: {c[1:] for s, r, c in facts if r == RDF_TYPE and s == e} for t in facts for e in t}
    for name, wanted, excluded in (("n", {"A", "A2"}, {"B"}), ("c", {"C"}, set[str]())):
        for place, what in ((0, "subjects"), (2, "objects")):
            ends = {fact[place] for fact in facts if fact[1] == name}
            outside = {e for e in ends if kinds[e] & excluded}
            known = {e for e in ends if kinds[e] & {"A", "A2", "B", "C"}}
            elsewhere = {e for e in known - outside if not kinds[e] & wanted}
            for code, some in (("signature-broken", outside), ("signature-unstated", elsewhere)):
                problem = said.get((code, name, what))
                assert (problem is not None) == bool(some)
                if problem:
                    assert problem.message.startswith(f"{len(some)} of {len(ends)} {what}")


def test_dates_of_different_precision_break_nothing() -> None:
    book = load_rules_text("class P\nrelation born (P, date) functional\n")
    same = [("ex", "born", "ldate 1990"), ("ex", "born", "ldate 1990-05-01")]
    assert rules_against_graph(book, Graph.from_triples(same)) == []
    other = [*same, ("ex", "born", "ldate 1991")]
    (problem,) = rules_against_graph(book, Graph.from_triples(other))
    assert problem.code == "functional-broken"


def test_blank_nodes_may_be_the_same() -> None:
    book = load_rules_text("class P\nrelation r (P, P) functional\n")
    graph = Graph.from_triples([("ex", "r", "b0.y"), ("ex", "r", "ez")])
    assert rules_against_graph(book, graph) == []


def test_what_rules_conclude_is_not_missed() -> None:
    book = load_rules_text("""
class P
relation r (P, P)
relation s (P, P)
relation t (P, P) sub of s
t(X, Y) :- r(X, Y).
complete s for P
question q(p: P)
    "?"
    answer x : P
    require s(p, x)
""")
    graph = Graph.from_triples([("ex", "r", "ey"), ("ex", RDF_TYPE, "eP")])
    assert {p.code for p in rules_against_graph(book, graph)} <= {"relation-not-in-graph"}


@pytest.mark.data
def test_real_capitals_are_not_functional() -> None:
    root = os.environ.get("KGVERIFY_DATA")
    if root is None or not Path(root, "kg", "countries").is_dir():
        pytest.skip("KGVERIFY_DATA names no folder with kg/countries")
    folder = Path(root, "kg", "countries")
    graph = open_graph([folder / "triples.tsv", folder / "labels.tsv"])
    found = rules_against_graph(load_rules(resources.folder("rules") / "world.kgr"), graph)
    (capital,) = [p for p in found if p.code == "functional-broken" and p.subject == "capital"]
    assert "2 of 245 subjects" in capital.message
    assert "South Africa has Bloemfontein and Cape Town and Pretoria" in capital.message


def test_the_command_warns_and_goes_on(tmp_path: Path) -> None:
    rules, facts = tmp_path / "r.kgr", tmp_path / "f.tsv"
    rules.write_text("class P\nrelation r (P, P) functional\n", "utf-8")
    facts.write_text("x\tr\ty\nx\tr\tz\n", "utf-8")
    result = CliRunner().invoke(app, ["rules", "check", str(rules), "--kg", str(facts)])
    assert result.exit_code == 0
    assert "[functional-broken]" in result.stderr
    assert "2 warnings" in result.stdout  # it is used nowhere, too
