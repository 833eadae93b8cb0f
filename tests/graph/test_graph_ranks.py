"""Ranks: the best facts are the graph's, lesser ones lie apart, deprecated ones are left out."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kgverify.graph import Graph, Table, build_store, info, open_graph
from kgverify.graph.building import RANKS, Builder
from kgverify.graph.storage import open_store, write

Stated = tuple[str, str, str, str]  # subject, relation, object, rank ("" = none is given)
names = st.sampled_from(["ea", "eb", "ec"])
stated = st.lists(st.tuples(names, st.sampled_from("pq"), names, st.sampled_from(("", *RANKS))))


def built(facts: list[Stated]) -> Graph:
    builder = Builder()
    for subject, relation, object_, rank in facts:
        builder.add_fact(subject, relation, object_, qualifiers={"rank": rank} if rank else None)
    return Graph(builder.columns())


def held(graph: Graph, table: Table) -> list[Stated]:
    found = []
    for relation, name in enumerate(graph.relations):
        pairs = table.all(relation)
        keys = zip(graph.keys(pairs.subjects), graph.keys(pairs.objects), strict=True)
        ranks = [table.qualifiers(row).get("rank", "") for row in pairs.rows.tolist()]
        found += [(s, name, o, rank) for (s, o), rank in zip(keys, ranks, strict=True)]
    return found


@given(stated)
def test_the_best_rank_of_a_subject_and_relation(facts: list[Stated]) -> None:
    graph = built(facts)
    topics = {(s, r) for s, r, _, rank in facts if rank == "preferred"}
    valid = {fact for fact in facts if fact[3] != "deprecated"}
    lesser = {f for f in valid if f[:2] in topics and f[3] != "preferred"}
    assert sorted(held(graph, graph.lesser)) == sorted(lesser)
    assert sorted(held(graph, graph.facts)) == sorted(valid - lesser)
    known = {key for fact in valid for key in (fact[0], fact[2])}
    assert graph.keys(range(graph.n_terms)) == sorted(known)
    assert info(graph).deprecated == sum(fact[3] == "deprecated" for fact in facts)


@given(stated)
def test_the_hash_covers_lesser_facts_and_no_deprecated_ones(facts: list[Stated]) -> None:
    valid = [fact for fact in facts if fact[3] != "deprecated"]
    assert built(facts).hash == built(valid[::-1]).hash
    outranked = built([("ea", "p", "eb", "preferred"), ("ea", "p", "ec", "")])
    assert outranked.hash != built([("ea", "p", "eb", "preferred"), ("ec", "q", "eb", "")]).hash


def test_a_deprecated_denial_is_left_out() -> None:
    builder = Builder()
    builder.add_denied("ea", "p", "eb", qualifiers={"rank": "deprecated"})
    builder.add_denied("ea", "p", "ec", qualifiers={"rank": "preferred"})
    builder.add_denied("ea", "p", "ed", qualifiers={"rank": "normal"})
    graph = Graph(builder.columns())
    assert (len(graph.denied), len(graph.lesser), builder.deprecated) == (2, 0, 1)


def test_a_store_keeps_all_three(tmp_path: Path) -> None:
    facts = [
        '{"subject": "a", "relation": "p", "object": "b", "rank": "preferred"}',
        '{"subject": "a", "relation": "p", "object": "c", "rank": "normal"}',
        '{"subject": "a", "relation": "p", "object": "d"}',
        '{"subject": "a", "relation": "p", "object": "e", "rank": "deprecated"}',
    ]
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join(facts))
    summary = build_store(path, tmp_path / "s")
    assert (summary.facts, summary.lesser, summary.deprecated, summary.duplicates) == (1, 2, 1, 0)
    graph = open_store(tmp_path / "s")
    assert graph.lesser.source(0) == (str(path), 2)
    assert graph.columns.deprecated == 1
    assert graph.hash == open_graph(path).hash
    write(graph, tmp_path / "again")
    assert open_store(tmp_path / "again").columns.deprecated == 1
