"""What of a graph is counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.errors import KgverifyError
from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE, Builder
from kgverify.mining.relations import Relations, in_order

entities = st.sampled_from(["ea", "eb", "ec", "b0.x"])
facts = st.sets(st.tuples(entities, st.sampled_from("pq"), entities))


@given(facts)
def test_each_fact_lies_both_ways_in_each_layout(triples: set[tuple[str, str, str]]) -> None:
    r = Relations.of(Graph.from_triples(sorted(triples)))
    by_relation = set()
    for o in range(r.n_oriented):
        subjects, objects = r.facts(o)
        assert r.size(o) == len(subjects)
        assert r.n_subjects(o) == len(set(subjects.tolist()))
        assert len(np.unique(np.stack([subjects, objects]), axis=1).T) == len(subjects)
        for s, object_ in zip(subjects.tolist(), objects.tolist(), strict=True):
            by_relation.add((o, s, object_))
    forward = {(s, r.names[o // 2], e) for o, s, e in by_relation if o % 2 == 0}
    backward = {(s, r.names[o // 2], e) for o, e, s in by_relation if o % 2 == 1}
    assert {(r.keys[s], name, r.keys[o]) for s, name, o in forward} == triples
    assert forward == backward
    by_entity = {
        (int(r.nearby_by[e]), x, int(r.nearby[e]))
        for x in range(r.n_entities)
        for e in range(r.edges[x], r.edges[x + 1])
    }
    assert by_entity == by_relation
    kinds = {
        (x, int(o))
        for x in range(r.n_entities)
        for o in r.kinds[r.kind_rows[x] : r.kind_rows[x + 1]]
    }
    assert kinds == {(x, o) for o, x, _ in by_relation}
    two_paths = [
        sum(1 for _, a, b in by_relation if a == x for _, c, _ in by_relation if c == b)
        for x in range(r.n_entities)
    ]
    assert r.two_paths.tolist() == two_paths


def test_literals_types_and_denied_facts_are_left_out_and_periods_count_once() -> None:
    builder = Builder("test")
    builder.add_fact("ea", "p", "eb")
    builder.add_fact("ea", "p", "eb", qualifiers={"since": "1990"})
    builder.add_fact("ea", "born", "ldate 1990")
    builder.add_fact("ea", RDF_TYPE, "ePerson")
    builder.add_denied("eb", "p", "ea")
    graph = Graph(builder.columns())
    r = Relations.of(graph)
    assert {name: r.size(2 * n) for n, name in enumerate(r.names)} == {"born": 0, "p": 1}
    assert r.keys == ("ea", "eb")
    assert Relations.of(graph, [RDF_TYPE]).size(0) == 1


def test_a_relation_that_the_graph_lacks_is_named_with_its_neighbour() -> None:
    graph = Graph.from_triples([("ea", "treats", "eb")])
    with pytest.raises(KgverifyError) as caught:
        Relations.of(graph, ["treat"])
    (problem,) = caught.value.problems
    assert problem.code == "relation-not-in-graph"
    assert "treats" in problem.hint


numbers = st.integers(0, 9)


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1))
def test_rows_are_sorted_whether_or_not_they_fit_into_one_number(
    rows: list[tuple[int, int, int]],
) -> None:
    columns = tuple(np.array(column, np.int32) for column in zip(*rows, strict=True))
    for limits in ((10, 10, 10), (10, 1 << 31, 1 << 31)):
        found = zip(*(c.tolist() for c in in_order(columns, limits)), strict=True)
        assert list(found) == sorted(rows)
