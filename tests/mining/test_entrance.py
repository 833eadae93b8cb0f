"""Mining a graph in one call: what is asked for in vain is told."""

from __future__ import annotations

import pytest

from kgverify.errors import KgverifyError
from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE
from kgverify.mining import Search, mine_graph

pytest.importorskip("scipy", reason="sparse matrices need scipy")

GRAPH = Graph.from_triples(
    [
        *(("ea", "p", "eb"), ("eb", "p", "ea"), ("ea", "born", "ldate 1990")),
        *(("ea", RDF_TYPE, "eC"), ("eb", RDF_TYPE, "eC")),
    ]
)
ONE_OF_EACH = Search(min_support=1, constants=True)


def test_types_are_no_heads_unless_they_are_named_among_the_relations() -> None:
    with pytest.raises(KgverifyError) as caught:
        mine_graph(GRAPH, heads=[RDF_TYPE], engine="sparse")
    (problem,) = caught.value.problems
    assert problem.code == "head-left-out"
    assert "types and subclasses are left out otherwise" in problem.hint
    named = mine_graph(
        GRAPH, ONE_OF_EACH, relations=["p", RDF_TYPE], heads=[RDF_TYPE], engine="sparse"
    )
    assert {mined.rule.head.relation for mined in named.rules} == {RDF_TYPE}
    assert named.warnings == ()


def test_a_head_outside_of_the_relations_is_refused() -> None:
    with pytest.raises(KgverifyError, match="head-left-out"):
        mine_graph(GRAPH, relations=["p"], heads=["born"], engine="sparse")


def test_a_relation_to_values_has_no_rules_and_a_warning() -> None:
    found = mine_graph(GRAPH, heads=["born"], engine="sparse")
    assert found.rules == ()
    (warning,) = found.warnings
    assert (warning.code, warning.is_error) == ("nothing-to-mine", False)
    assert "`born` has no fact between entities" in warning.message
    assert mine_graph(GRAPH, engine="sparse").warnings == ()  # nobody asked for it


@pytest.mark.parametrize("triples", [[], [("ea", "born", "ldate 1990")], [("ea", RDF_TYPE, "eb")]])
def test_a_graph_without_facts_between_entities_is_told(
    triples: list[tuple[str, str, str]],
) -> None:
    found = mine_graph(Graph.from_triples(triples), engine="sparse")
    assert found.rules == ()
    assert [warning.code for warning in found.warnings] == ["nothing-to-mine"]
