"""Facts of the graph and of the rule file, looked up together, by representatives."""

from __future__ import annotations

import numpy as np
import pytest

from kgverify.errors import Span
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.reasoning.identity import Identity
from kgverify.reasoning.layers import Layer

SPAN = Span("rules.kgr", 3, 1)
A, B, C, D, E = range(5)  # by the order of their names
NAMES = [f"e{name}" for name in "abcde"]


def ids(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def pairs(found: tuple[np.ndarray, np.ndarray]) -> list[tuple[int, int]]:
    return sorted(zip(found[0].tolist(), found[1].tolist(), strict=True))


@pytest.fixture
def graph() -> Graph:
    builder = Builder()
    file = builder.add_source("kg.tsv")
    builder.add_fact("ea", "road", "eb", file, 7)
    builder.add_fact("ea", "road", "ec", file)
    builder.add_fact("ed", "road", "ee")
    for name in NAMES:
        builder.add_fact(name, "way", name)
    found = Graph(builder.columns())
    assert found.find(NAMES).tolist() == [A, B, C, D, E]
    assert found.facts.rows(found.relation_id("road"), [A], [B]).tolist() == [0]
    return found


def layer(graph: Graph, *same: tuple[int, int]) -> Layer:
    identity = Identity(ids(*(a for a, _ in same)), ids(*(b for _, b in same)))
    names = ("road", "way")
    found = Layer(graph.facts, {name: graph.relation_id(name) for name in names}, identity)
    found.add("road", B, C, SPAN)
    found.add("road", E, C, SPAN)
    return found


def test_what_is_stated_is_found_from_either_end(graph: Graph) -> None:
    plain = layer(graph)
    assert pairs(plain.all("road")) == [(A, B), (A, C), (B, C), (D, E), (E, C)]
    assert pairs(plain.from_subjects("road", ids(A, B))) == [(A, B), (A, C), (B, C)]
    assert pairs(plain.from_objects("road", ids(C))) == [(A, C), (B, C), (E, C)]
    assert pairs(plain.between("road", ids(A, B), ids(B, E))) == [(A, B)]
    assert pairs(plain.between("road", ids(A, B), ids(C))) == [(A, C), (B, C)]
    assert pairs(plain.present("road", ids(A, B, B, D), ids(C, C, D, E))) == [
        *((A, C), (B, C), (D, E)),
    ]
    assert pairs(plain.present("road", ids(A), ids(B))) == [(A, B)]
    assert pairs(plain.some_subject("road", ids(B, E))) == [(A, B), (D, E)]
    found = pairs(plain.some_object("road", ids(A, B, C)))
    assert {a for a, _ in found} == {A, B}
    assert plain.stores("road")
    assert not plain.stores("path")


def test_what_two_names_of_one_have_is_found_by_the_representative(graph: Graph) -> None:
    one = layer(graph, (A, D), (C, E))
    assert pairs(one.all("road")) == [(A, B), (A, C), (A, C), (B, C), (C, C)]
    assert pairs(one.from_subjects("road", ids(A))) == [(A, B), (A, C), (A, C)]
    assert pairs(one.from_objects("road", ids(C))) == [(A, C), (A, C), (B, C), (C, C)]
    assert pairs(one.present("road", ids(A, A, B, C), ids(C, D, C, C))) == [(A, C), (B, C), (C, C)]
    assert pairs(one.between("way", ids(A), ids(A, C))) == [(A, A), (A, A)]


def test_rows_of_the_table_are_found_under_all_names(graph: Graph) -> None:
    one = layer(graph, (A, D), (C, E))

    def rows(subjects: np.ndarray | None, objects: np.ndarray | None) -> list[tuple[int, int]]:
        found = one.rows("road", subjects, objects)
        return sorted(zip(found.subjects.tolist(), found.objects.tolist(), strict=True))

    assert rows(None, None) == [(A, B), (A, C), (D, E)]
    assert rows(ids(A), None) == [(A, B), (A, C), (D, E)]
    assert rows(None, ids(C)) == [(A, C), (D, E)]
    assert rows(ids(A), ids(B)) == [(A, B)]
    assert len(one.rows("path", None, None).subjects) == 0


def test_facts_of_the_rule_file_are_found_alone(graph: Graph) -> None:
    plain = layer(graph)
    assert pairs(plain.added("road")) == [(B, C), (E, C)]
    assert pairs(plain.added("road", ids(B))) == [(B, C)]
    assert pairs(plain.added("road", None, ids(B))) == []
    assert pairs(plain.added("road", ids(B, E), ids(C))) == [(B, C), (E, C)]
    assert pairs(plain.added("road", ids(B, E), ids(B))) == []
    assert pairs(plain.added("way")) == []


def test_facts_may_be_supposed_and_the_layer_stays(graph: Graph) -> None:
    plain = layer(graph)
    more = plain.supposing([("road", C, D), ("road", C, E), ("way", A, B)])
    assert pairs(more.from_subjects("road", ids(B, C))) == [(B, C), (C, D), (C, E)]
    assert pairs(more.added("way")) == [(A, B)]
    assert pairs(plain.added("road")) == [(B, C), (E, C)]
    assert pairs(plain.added("way")) == []


def test_a_fact_has_a_source(graph: Graph) -> None:
    plain = layer(graph)
    assert plain.source("road", A, B) == "kg.tsv:7"
    assert plain.source("road", A, C) == "kg.tsv"
    assert plain.source("road", B, C) == "rules.kgr:3:1"
    assert plain.source("road", C, B) == ""
    assert layer(graph, (D, E)).source("road", A, B) == "kg.tsv:7"
    assert layer(graph, (A, D), (B, E)).source("road", A, B) == "kg.tsv:7"
    one = layer(graph, (B, C))
    one.add("road", C, E, Span("rules.kgr", 9, 1))
    one.add("road", B, E, Span("rules.kgr", 10, 1))
    assert one.source("road", B, E) == "rules.kgr:9:1"  # the first that says so


def test_a_fact_is_stated_under_the_names_that_it_has(graph: Graph) -> None:
    one = layer(graph, (A, D), (C, E))
    one.add("road", D, D, SPAN)
    one.add("road", A, D, SPAN)
    assert one.stated_as("road", A, A) == (D, D)  # the first
    assert one.stated_as("road", A, C) == (A, C)
    assert one.stated_as("road", C, C) == (E, C)
    assert one.stated_as("road", A, B) == (A, B)
    assert layer(graph, (B, E), (C, E)).stated_as("road", A, B) == (A, B)
    assert layer(graph, (B, E), (C, E)).stated_as("road", D, B) == (D, E)
    assert layer(graph, (A, B)).stated_as("road", A, A) == (A, B)
    assert one.stated_as("way", A, A) == (A, A)
    assert one.stated_as("road", B, B) == (B, B)  # nowhere
    assert layer(graph, (C, E), (A, B)).stated_as("road", D, C) == (D, E)

    # Best under the very names given, though another comes first.
    names = {name: graph.relation_id(name) for name in ("road", "way")}
    blank = Layer(graph.facts, names, Identity(ids(B), ids(C), ids(B)))
    assert blank.stated_as("road", A, C) == (A, C)

    assert [one.writes("road", *pair) for pair in ((D, D), (A, D), (D, A), (A, A))] == [
        *(True, True, False, False),
    ]
    assert [one.states("road", *pair) for pair in ((D, D), (A, B), (D, E), (D, C), (A, A))] == [
        *(True, True, True, False, False),
    ]
    assert not one.states("path", A, B)
