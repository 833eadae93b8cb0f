"""Every look-up against the obvious answer from a list of triples."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.graph import Graph, Pairs, Table, info, sample
from kgverify.graph.building import Builder
from kgverify.graph.strings import StringIndex, Strings
from kgverify.graph.terms import Kind

NAMES = [f"e{letter}" for letter in "abcdefgh"] + ["lnumber 1", "lstring x", "b0.n", "eé", "e😀"]
terms = st.sampled_from(NAMES)
triples = st.lists(st.tuples(terms, st.sampled_from("pqr"), terms), max_size=60)
some_terms = st.lists(terms, max_size=8, unique=True)


def named(graph: Graph, pairs: Pairs) -> list[tuple[str, str]]:
    return list(zip(graph.keys(pairs.subjects), graph.keys(pairs.objects), strict=True))


def check_rows(table: Table, relation: int, pairs: Pairs) -> None:
    again = table.at(pairs.rows)
    assert again.subjects.tolist() == pairs.subjects.tolist()
    assert again.objects.tolist() == pairs.objects.tolist()
    assert set(table.relations_of(pairs.rows).tolist()) <= {relation}
    assert (pairs.subjects.dtype, pairs.objects.dtype, pairs.rows.dtype) == (
        np.int32,
        np.int32,
        np.int64,
    )


@settings(max_examples=300)
@given(triples, triples, some_terms, some_terms)
def test_lookups_agree_with_the_triples(
    facts: list[tuple[str, str, str]],
    denied: list[tuple[str, str, str]],
    subjects: list[str],
    objects: list[str],
) -> None:
    graph = Graph.from_triples(facts, denied)
    left, right = graph.find(subjects), graph.find(objects)
    for table, stated in ((graph.facts, set(facts)), (graph.denied, set(denied))):
        assert len(table) == len(stated)
        for name in ("p", "q", "r", "absent"):
            relation = graph.relation_id(name)
            known = {(s, o) for s, p, o in stated if p == name}
            assert table.count(relation) == len(known)
            assert named(graph, table.all(relation)) == sorted(known)
            for pairs, expected in (
                (
                    table.from_subjects(relation, left),
                    [(s, o) for s in subjects for o in sorted(o for s2, o in known if s2 == s)],
                ),
                (
                    table.from_objects(relation, right),
                    [(s, o) for o in objects for s in sorted(s for s, o2 in known if o2 == o)],
                ),
                (
                    table.between(relation, left, right),
                    sorted((s, o) for s, o in known if s in subjects and o in objects),
                ),
                (
                    table.some_object(relation, left),
                    [
                        (s, min(o for s2, o in known if s2 == s))
                        for s in subjects
                        if any(s2 == s for s2, _ in known)
                    ],
                ),
                (
                    table.some_subject(relation, right),
                    [
                        (min(s for s, o2 in known if o2 == o), o)
                        for o in objects
                        if any(o2 == o for _, o2 in known)
                    ],
                ),
            ):
                assert named(graph, pairs) == expected
                check_rows(table, relation, pairs)
            assert table.out_degrees(relation, left).tolist() == [
                sum(s2 == s for s2, _ in known) for s in subjects
            ]
            assert table.in_degrees(relation, right).tolist() == [
                sum(o2 == o for _, o2 in known) for o in objects
            ]
            n = min(len(left), len(right))
            rows = table.rows(relation, left[:n], right[:n]).tolist()
            asked = list(zip(subjects, objects, strict=False))
            assert [row >= 0 for row in rows] == [pair in known for pair in asked]
            found = table.at([row for row in rows if row >= 0])
            assert named(graph, found) == [pair for pair in asked if pair in known]


@settings(max_examples=200)
@given(triples, st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(
    facts: list[tuple[str, str, str]], rng: random.Random
) -> None:
    shuffled = facts + rng.sample(facts, len(facts) // 2)
    rng.shuffle(shuffled)
    assert Graph.from_triples(facts).hash == Graph.from_triples(shuffled).hash


@given(triples, triples)
def test_different_content_has_a_different_hash(
    facts: list[tuple[str, str, str]], others: list[tuple[str, str, str]]
) -> None:
    same = Graph.from_triples(facts).hash == Graph.from_triples(others).hash
    assert same == (set(facts) == set(others))


def test_denied_facts_labels_and_qualifiers_count_in_the_hash() -> None:
    hashes = {
        Graph.from_triples([("ea", "p", "eb")]).hash,
        Graph.from_triples([], [("ea", "p", "eb")]).hash,
        Graph.from_triples([("ea", "p", "eb")], labels=[("ea", "A")]).hash,
    }
    builder = Builder()
    builder.add_fact("ea", "p", "eb", qualifiers={"since": "1990"})
    assert len(hashes | {Graph(builder.columns()).hash}) == 4


@given(st.lists(st.text(max_size=6), max_size=30), st.lists(st.text(max_size=6), max_size=30))
def test_find(known: list[str], wanted: list[str]) -> None:
    graph = Graph.from_triples(("e" + name, "p", "e") for name in known)
    keys = ["e" + name for name in wanted + known] + ["", "zzz", "e\ud800"]
    ids = graph.find(keys).tolist()
    stored = {"e" + name for name in known} | ({"e"} if known else set())
    assert [id_ >= 0 for id_ in ids] == [key in stored for key in keys]
    assert graph.keys([id_ for id_ in ids if id_ >= 0]) == [key for key in keys if key in stored]
    assert [graph.key(id_) for id_ in range(graph.n_terms)] == sorted(stored)


def test_strings_with_one_hash_are_told_apart() -> None:
    strings = Strings.pack(["red", "green", "blue"])
    index = StringIndex.of(strings)
    clash = StringIndex(np.full(3, Strings.pack(["blue"]).hashes()[0]), index.order)
    assert clash.find(strings, ["blue", "red"]).tolist() == [2, -1]


def test_kinds_are_ranges_of_ids() -> None:
    graph = Graph.from_triples([("ea", "p", "lnumber 1"), ("b0.x", "p", "ea")])
    kinds = graph.kinds(graph.find(["ea", "lnumber 1", "b0.x"])).tolist()
    assert kinds == [Kind.ENTITY, Kind.LITERAL, Kind.BLANK]
    assert graph.entities() == 2


def test_a_triple_with_different_qualifiers_is_several_facts() -> None:
    builder = Builder()
    for since in ("1997", "1990", "1997"):
        builder.add_fact("ea", "p", "eb", line=int(since), qualifiers={"since": since})
    builder.add_fact("ea", "p", "eb", line=7)
    graph = Graph(builder.columns())
    ends = graph.find(["ea", "eb"])
    rows = graph.facts.between(0, ends[:1], ends[1:]).rows.tolist()
    assert builder.duplicates == 1
    assert [graph.facts.qualifiers(row) for row in rows] == [
        {},
        {"since": "1990"},
        {"since": "1997"},
    ]
    assert graph.facts.qualified(rows).tolist() == [False, True, True]
    assert graph.facts.rows(0, ends[:1], ends[1:]).tolist() == rows[:1]
    assert graph.facts.out_degrees(0, ends[:1]).tolist() == [3]


def test_the_first_place_of_a_fact_is_kept() -> None:
    builder = Builder()
    file = builder.add_source("a.tsv")
    for line in (3, 8):
        builder.add_fact("ea", "p", "eb", file, line)
    graph = Graph(builder.columns())
    assert graph.facts.source(0) == ("a.tsv", 3)
    assert Graph.from_triples([("ea", "p", "eb")]).facts.source(0) == ("", 0)


def test_names_find_terms() -> None:
    builder = Builder()
    builder.add_label("eQ90", "Paris", "fr")
    builder.add_label("eQ90", "Paris city", "en")
    builder.add_alias("eQ90", "City of  Light")
    builder.add_label("eQ167646", "paris")
    builder.add_alias("eQ5", "Straße")
    graph = Graph(builder.columns())
    city, trojan, street = graph.find(["eQ90", "eQ167646", "eQ5"]).tolist()
    assert graph.labels([city, trojan, street, city]) == ["Paris city", "paris", "", "Paris city"]
    assert set(graph.aliases(city)) == {"Paris", "City of  Light"}
    assert graph.aliases(trojan) == ()
    assert graph.by_label("Paris") == (city,)
    assert graph.by_label("PARIS") == tuple(sorted((city, trojan)))
    assert graph.by_label("city OF light") == (city,)
    assert graph.by_label("STRASSE") == (street,)
    assert graph.by_label("Pari") == ()


def test_the_special_relations_have_one_name() -> None:
    rdf, rdfs = (
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "http://www.w3.org/2000/01/rdf-schema#",
    )
    graph = Graph.from_triples(
        [
            ("ea", rdf + "type", "eC"),
            ("eb", "rdf:type", "eC"),
            ("eC", rdfs + "subClassOf", "eD"),
        ]
    )
    assert graph.relations == ("rdf:type", "rdfs:subClassOf")
    assert graph.facts.count(graph.type_relation) == 2
    assert graph.facts.count(graph.subclass_relation) == 1
    assert Graph.from_triples([]).type_relation == -1


def test_info_counts() -> None:
    graph = Graph.from_triples(
        [
            ("ea", "p", "eb"),
            ("ea", "p", "ec"),
            ("eb", "p", "ec"),
            ("ea", "rdf:type", "eC"),
            ("eb", "rdf:type", "eC"),
        ],
        [("ec", "p", "ea")],
    )
    counted = info(graph)
    relation = counted.relations[0]
    assert (relation.name, relation.facts, relation.denied) == ("p", 3, 1)
    assert (relation.subjects, relation.objects) == (2, 2)
    assert relation.functionality == relation.inverse_functionality == 2 / 3
    assert counted.classes == (("eC", 2),)
    assert info(Graph.from_triples([])).relations == ()


@settings(max_examples=300)
@given(triples, st.integers(0, 20))
def test_samples_are_facts_spread_over_the_relations(
    facts: list[tuple[str, str, str]], n: int
) -> None:
    graph = Graph.from_triples(facts)
    found = sample(graph, n)
    assert len(found) == len(set(found)) == min(n, len(set(facts)))
    assert set(found) <= set(facts)
    if n >= len(graph.relations):
        assert {name for _, name, _ in found} == {name for _, name, _ in facts}
