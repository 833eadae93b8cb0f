"""What is deleted, what is asked, and where reasoning stops, against plain search."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Edge
from kgverify.experiments.tgcomplete.deleting import deleted
from kgverify.experiments.tgcomplete.questions import needed, questions, sample
from kgverify.experiments.tgcomplete.records import PathQuestion
from kgverify.experiments.tgcomplete.walking import where_deleted, where_nothing_is
from kgverify.experiments.tgcomplete.worlds import Paths
from tests.experiments.tgcomplete.small_world import BORDERS, CAPITALS, KINDS, world

ENDS = st.sampled_from("abcd")
EDGES = st.frozensets(st.builds(Edge, ENDS, st.sampled_from(("r", "near")), ENDS), max_size=12)
SHARES = st.floats(0, 1)


def by_relation(edges: frozenset[Edge]) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for edge in sorted(edges):
        found.setdefault(edge.relation, []).append(edge)
    return found


@settings(max_examples=200)
@given(EDGES, SHARES, st.integers(0, 5))
def test_each_relation_loses_its_share_and_pairs_go_whole(
    edges: frozenset[Edge], share: float, seed: int
) -> None:
    gone = deleted(by_relation(edges), share, seed, ["near"])
    assert gone <= edges
    for relation, found in by_relation(edges).items():
        ends = (lambda e: frozenset((e.subject, e.object))) if relation == "near" else (lambda e: e)
        groups = Counter(map(ends, found))
        lost = Counter(ends(edge) for edge in gone if edge.relation == relation)
        assert all(lost[group] in (0, groups[group]) for group in groups)
        assert len(lost) == int(share * len(groups) + 0.5)


@settings(max_examples=100)
@given(EDGES, st.lists(SHARES, min_size=2, max_size=4).map(sorted), st.integers(0, 5))
def test_a_greater_share_deletes_more_of_the_same(
    edges: frozenset[Edge], shares: list[float], seed: int
) -> None:
    found = [deleted(by_relation(edges), share, seed, ["near"]) for share in shares]
    assert all(less <= more for less, more in pairwise(found))


def plain_paths(topic: str, path: tuple[str, ...], edges: frozenset[Edge]) -> set[tuple[str, ...]]:
    """Every walk along the path, by trying all entities at each step."""

    def holds(one: str, relation: str, other: str) -> bool:
        back = relation == "near" and Edge(other, relation, one) in edges
        return Edge(one, relation, other) in edges or back

    walks = ((topic, *rest) for rest in product("abcd", repeat=len(path)))
    return {w for w in walks if all(holds(w[i], r, w[i + 1]) for i, r in enumerate(path))}


@settings(max_examples=300)
@given(EDGES, ENDS, st.lists(st.sampled_from(("r", "near")), min_size=1, max_size=3).map(tuple))
def test_answers_and_needed_edges_are_what_every_walk_gives(
    edges: frozenset[Edge], topic: str, path: tuple[str, ...]
) -> None:
    paths = Paths(edges, ["near"])
    walks = plain_paths(topic, path, edges)
    assert set(paths.ends(topic, path)) == {walk[-1] for walk in walks} - {topic}
    question = PathQuestion("q", "?", topic, path, frozenset())
    # Also the edges of walks that come to nothing further on.
    begun = {w for n in range(1, len(path) + 1) for w in plain_paths(topic, path[:n], edges)}
    wanted = {Edge(w[i], path[i], w[i + 1]) for w in begun for i in range(len(w) - 1)}
    assert needed(question, paths) == wanted


@settings(max_examples=200)
@given(EDGES, SHARES, st.integers(0, 3), ENDS, st.sampled_from(("r", "near")))
def test_where_reasoning_stops(
    edges: frozenset[Edge], share: float, seed: int, subject: str, relation: str
) -> None:
    gone = deleted(by_relation(edges), share, seed, ["near"])
    left = edges - gone

    def about(found: frozenset[Edge]) -> bool:
        ends = {(e.subject, e.relation) for e in found}
        ends |= {(e.object, e.relation) for e in found if e.relation == "near"}
        return (subject, relation) in ends

    assert where_nothing_is(Paths(left, ["near"]))(subject, relation) is not about(left)
    assert where_deleted(gone, ["near"])(subject, relation) is about(gone)


def test_a_share_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="is no share"):
        deleted({"r": [Edge("a", "r", "b")]}, 1.2, 0)


def test_every_template_is_asked_of_every_topic_that_it_has_answers_for() -> None:
    found = {q.id: q for q in questions(world())}
    assert found["0/no"].text == "What is the capital of Norway?"
    assert found["0/no"].answers == {"oslo"}
    # Finland's border is in the graph from the Swedish side only.
    assert found["1/fi"].answers == {"stockholm"}
    assert found["1/se"].answers == {"helsinki", "oslo"}
    assert set(found) == {"0/fi", "0/is", "0/no", "0/se", "1/fi", "1/no", "1/se"}


def test_a_sample_has_as_many_of_each_length() -> None:
    whole = questions(world())
    assert sample(whole, 100, 0) == whole
    few = sample(whole, 4, 3)
    assert Counter(len(q.path) for q in few) == {1: 2, 2: 2}
    assert few == sample(whole, 4, 3)
    assert len({tuple(q.id for q in sample(whole, 4, seed)) for seed in range(20)}) > 3
    # What one length lacks the other has more of.
    assert Counter(len(q.path) for q in sample(whole, 7, 0)) == {1: 4, 2: 3}


def test_a_world_s_graph_has_names_and_classes_without_its_edges() -> None:
    small = world()
    graph = small.graph([])
    assert graph.entities() == len(KINDS) + len(set(KINDS.values()))
    (norway,) = graph.by_label("Norway")
    assert graph.key(norway) == "eno"
    assert small.all_edges == {*CAPITALS, *BORDERS}
    assert small.symmetric == {"borders"}
