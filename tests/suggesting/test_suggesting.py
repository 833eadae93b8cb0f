"""What a graph suggests is what a plain look at its triples says."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kgverify import open_graph, suggest_rules
from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE, SUBCLASS_OF
from kgverify.language.checks import check
from kgverify.suggesting import relations
from kgverify.suggesting.classes import Classes
from kgverify.suggesting.relations import profiles


def data(*parts: str) -> Path:
    """A folder of the real data, or the test is skipped."""
    root = os.environ.get("KGVERIFY_DATA")
    if root is None or not Path(root, *parts).is_dir():
        pytest.skip(f"KGVERIFY_DATA names no folder with {'/'.join(parts)}")
    return Path(root, *parts)


Triple = tuple[str, str, str]
things = st.sampled_from([f"e{n}" for n in range(5)])
facts = st.lists(st.tuples(things, st.sampled_from("rst"), things), max_size=25)


def graph_of(triples: list[Triple]) -> Graph:
    return Graph.from_triples(triples)


# ------------------------------------------------------------------ properties


def tried(triples: list[Triple], relation: str, kind: str, target: str) -> tuple[int, int]:
    """How often a property was tried and failed, by going through everything."""
    pairs = {(s, o) for s, r, o in triples if r == relation}
    others = {(s, o) for s, r, o in triples if r == target}
    proper = {(s, o) for s, o in pairs if s != o}
    turned = {(o, s) for s, o in others}
    objects = {s: {o for a, o in pairs if a == s} for s, _ in pairs}
    subjects = {o: {s for s, b in pairs if b == o} for _, o in pairs}
    chains = [(a, d) for (a, b), (c, d) in product(proper, proper) if b == c and a != d]
    match kind:
        case "functional":
            return len(objects), sum(len(some) > 1 for some in objects.values())
        case "inverse_functional":
            return len(subjects), sum(len(some) > 1 for some in subjects.values())
        case "irreflexive":
            return len(objects.keys() & subjects.keys()), len(pairs - proper)
        case "symmetric":
            return len(proper), sum((o, s) not in proper for s, o in proper)
        case "asymmetric":
            return len(proper), sum((o, s) in proper for s, o in proper)
        case "transitive":
            return len(chains), sum(chain not in pairs for chain in chains)
        case "subrelation":
            return len(pairs), len(pairs - others)
        case "inverse":
            return len(pairs) + len(others), len(pairs - turned) + len(turned - pairs)
    raise AssertionError(kind)


@given(facts)
@settings(max_examples=600, deadline=None)
@example([("e0", "r", "e1"), ("e1", "s", "e0"), ("e1", "r", "e1"), ("e1", "s", "e1")])
def test_what_was_tried_is_counted(triples: list[Triple]) -> None:
    for profile in profiles(graph_of(triples)):
        pairs = {(s, o) for s, r, o in triples if r == profile.name}
        assert profile.facts == len(pairs)
        for held in profile.held:
            counted = held.tried, held.exceptions
            assert counted == tried(triples, profile.name, held.kind, held.target), held
            assert len(held.examples) == min(held.exceptions, relations.EXAMPLES) or (
                held.kind in ("transitive", "inverse")
            )


@given(facts)
@settings(max_examples=400, deadline=None)
def test_links_that_hold_are_all_found(triples: list[Triple]) -> None:
    found = {
        (p.name, held.target, held.kind)
        for p in profiles(graph_of(triples))
        for held in p.held
        if held.target and not held.exceptions
    }
    pairs = {r: {(s, o) for s, n, o in triples if n == r} for r in {r for _, r, _ in triples}}
    expected = set()
    for one, other in product(sorted(pairs), sorted(pairs)):
        below = pairs[one] < pairs[other] or (pairs[one] == pairs[other] and one < other)
        if below:
            expected.add((one, other, "subrelation"))
        if one < other and pairs[one] == {(o, s) for s, o in pairs[other]}:
            expected.add((one, other, "inverse"))
    assert found == expected


def test_too_many_chains_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of([("e0", "r", "e1"), ("e1", "r", "e2"), ("e0", "r", "e2")])
    assert "transitive" in {held.kind for p in profiles(graph) for held in p.held}
    monkeypatch.setattr(relations, "MOST_CHAINS", 0)
    assert "transitive" not in {held.kind for p in profiles(graph) for held in p.held}


# ------------------------------------------------------------------ classes

classes = st.sampled_from(["eA", "eB", "eC", "eD"])
typed = st.tuples(
    st.lists(st.tuples(things, classes), max_size=12),
    st.lists(st.tuples(classes, classes), max_size=5),
)


def members(types: list[tuple[str, str]], below: list[tuple[str, str]]) -> dict[str, set[str]]:
    """The entities of each class, those of lower classes included, by going round until nothing
    more is found."""
    found: dict[str, set[str]] = {c: set() for pair in below for c in pair}
    for entity, cls in types:
        found.setdefault(cls, set()).add(entity)
    while True:
        before = sum(map(len, found.values()))
        for one, other in below:
            found[other] |= found[one]
        if sum(map(len, found.values())) == before:
            return found


@given(typed, st.sets(things, min_size=1))
@settings(max_examples=600, deadline=None)
def test_the_smallest_class_of_all_is_found(
    given_: tuple[list[tuple[str, str]], list[tuple[str, str]]], some: set[str]
) -> None:
    types, below = given_
    triples = [(e, RDF_TYPE, c) for e, c in types] + [(a, SUBCLASS_OF, b) for a, b in below]
    triples += [(e, "r", e) for e in sorted(some)]
    graph = graph_of(triples)
    ids = graph.find(sorted(some))
    found = Classes(graph).covering(ids)
    every = members(types, below)
    with_class = {e for e in some if any(e in held for held in every.values())}
    whole = [len(held) for held in every.values() if with_class <= held]
    assert found.untyped == len(some - with_class)
    assert (found.cls is None) == (not with_class or not whole)
    if found.cls is not None:
        assert with_class <= every[graph.key(found.cls)]
        assert len(every[graph.key(found.cls)]) == min(whole)


@given(typed)
@settings(max_examples=400, deadline=None)
def test_classes_said_to_be_disjoint_share_nothing(
    given_: tuple[list[tuple[str, str]], list[tuple[str, str]]],
) -> None:
    types, below = given_
    triples = [(e, RDF_TYPE, c) for e, c in types] + [(a, SUBCLASS_OF, b) for a, b in below]
    graph = graph_of(triples)
    every = members(types, below)
    for group in Classes(graph).apart(1):
        names = [graph.key(term) for term in group]
        assert len(names) > 1
        assert all(every[name] for name in names)
        assert not any(every[a] & every[b] for a in names for b in names if a < b)


# ------------------------------------------------------------------ the text

names = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), min_size=1, max_size=8)
hostile = st.sampled_from(
    ["rule", "not", "of", "string", "a b", '"', "\\", "http://x.org/a#b", "1", "/a/b.c", "{0}", "é"]
)


@given(
    st.lists(
        st.tuples(
            (names | hostile).map("e{}".format),
            names | hostile,
            (names | hostile).map("e{}".format) | st.just("lnumber 1"),
        ),
        max_size=8,
    ),
    st.lists(st.tuples((names | hostile), (names | hostile)), max_size=4),
)
@settings(max_examples=500, deadline=None)
def test_whatever_things_are_called_the_file_has_no_error(
    triples: list[Triple], types: list[tuple[str, str]]
) -> None:
    every = [*triples, *((f"e{e}", RDF_TYPE, f"e{c}") for e, c in types)]
    graph = graph_of([t for t in every if t[1] != SUBCLASS_OF])
    text = suggest_rules(graph, least=1)
    book, problems = check(text)
    assert [str(problem) for problem in problems if problem.is_error] == []
    declared = {book.kg_name(name) for name in book.relations}
    wanted = {p.name for p in profiles(graph) if not p.mixed}
    assert declared == wanted


def test_values_in_a_table_make_a_relation_to_values() -> None:
    triples = [("ea", "age", "e41"), ("eb", "age", "e7"), ("ea", "born", "e1990-05-01")]
    triples += [("ea", "alive", "etrue"), ("e7", "next", "e8"), ("ea", "size", "e1.5")]
    text = suggest_rules(graph_of([t for t in triples if t[1] != "next"]))
    for line in ("age (Entity, integer)", "born (Entity, date)", "alive (Entity, boolean)"):
        assert f"relation {line}" in text
    assert "relation size (Entity, number)" in text
    # Where 7 is the subject of something, it is no number.
    assert "relation age (Entity, Entity)" in suggest_rules(graph_of(triples))


def test_a_relation_with_both_kinds_of_objects_is_a_comment() -> None:
    text = suggest_rules(graph_of([("ea", "r", "eb"), ("ea", "r", "lnumber 1")]))
    assert "# relation r (Entity, integer)" in text
    assert not check(text)[0].relations


def test_an_empty_graph_suggests_nothing() -> None:
    assert "0 relations, 0 classes" in suggest_rules(graph_of([]))


@pytest.mark.data
def test_hetionet_suggests_its_own_metagraph() -> None:
    folder = data("hetionet")
    graph = open_graph([folder / "edges.tsv.gz", folder / "nodes.tsv.gz"])
    text = suggest_rules(graph)
    book, problems = check(text)
    assert not [problem for problem in problems if problem.is_error]
    ends = {name: (r.domain.text, r.range.text) for name, r in book.relations.items()}
    assert ends["CtD"] == ("Compound", "Disease")
    assert ends["PCiC"] == ("PharmacologicClass", "Compound")
    assert ends["DpS"] == ("Disease", "Symptom")
    assert len(ends) == 10


@pytest.mark.data
def test_countries_suggest_what_is_known_of_them() -> None:
    folder = data("kg", "countries")
    text = suggest_rules(open_graph([folder / "triples.tsv", folder / "labels.tsv"]))
    # The one border that the source has in one direction only, and countries with several capitals.
    assert "nearly symmetric: 1 of 649 facts" in text
    assert "(Sri Lanka, India)" in text
    assert "nearly functional: 2 of 245 subjects" in text
