"""How many objects of a relation are entities and literals, against counting them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.graph import Graph
from kgverify.graph.terms import Kind

TERMS = st.sampled_from(["ea", "ez", "b0.x", "lnumber 1", "lstring z"])


@settings(max_examples=300, deadline=None)
@given(
    st.sets(
        st.tuples(st.sampled_from(["ea", "ez", "b0.x"]), st.sampled_from(["p", "q"]), TERMS),
        min_size=1,
    )
)
def test_object_kinds_are_counted(triples: set[tuple[str, str, str]]) -> None:
    graph = Graph.from_triples(triples)
    for name in ("p", "q", "absent"):
        relation = graph.relation_id(name)
        kinds = graph.kinds(graph.facts.all(relation).objects).tolist()
        counted = kinds.count(Kind.ENTITY), kinds.count(Kind.LITERAL)
        assert graph.object_kinds(relation) == counted
