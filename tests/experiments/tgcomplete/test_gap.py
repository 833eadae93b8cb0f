"""The provenance gap, against plain counting."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Edge
from kgverify.completion.curves import edge_scores
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage
from kgverify.experiments.tgcomplete import gap as g
from kgverify.experiments.tgcomplete.exhaustive import CoMentions, Window, look
from kgverify.experiments.tgcomplete.rates import Rate
from tests.experiments.tgcomplete.small_corpus import CLAIMS, EDGES, GRAPH, Judge, passages

STATED = st.sampled_from((True, False, None))
LISTS = st.lists(EDGES, max_size=8)


@st.composite
def supported(draw: st.DrawFn) -> tuple[list[Edge], dict[Edge, bool | None]]:
    edges = draw(LISTS)
    return edges, {edge: draw(STATED) for edge in edges}


@settings(max_examples=300)
@given(supported(), st.sets(EDGES))
def test_the_matrix_counts_each_edge_once(
    drawn: tuple[list[Edge], dict[Edge, bool | None]], right: set[Edge]
) -> None:
    edges, support = drawn
    found = g.matrix(edges, right, support)
    counted = {
        (is_right, stated): sum(
            (edge in right) is is_right and support[edge] is stated for edge in set(edges)
        )
        for is_right in (True, False)
        for stated in (True, False, None)
    }
    assert (found.right_stated, found.right_unstated) == (
        counted[True, True],
        counted[True, False],
    )
    assert (found.wrong_stated, found.wrong_unstated) == (
        counted[False, True],
        counted[False, False],
    )
    assert (found.right_unknown, found.wrong_unknown) == (counted[True, None], counted[False, None])
    assert found.gap == g.unstated((edge for edge in edges if edge in right), support)
    assert found.gap_of_wrong == g.unstated((e for e in edges if e not in right), support)
    stated = [edge in right for edge in set(edges) if support[edge] is True]
    assert found.right_of_stated == Rate(sum(stated), len(stated))
    unstated = [edge in right for edge in set(edges) if support[edge] is False]
    assert found.right_of_unstated == Rate(sum(unstated), len(unstated))


@settings(max_examples=300)
@given(LISTS, LISTS, LISTS, st.sampled_from((frozenset(), frozenset({"near"}))))
def test_right_edges_are_those_that_edge_scores_count(
    edges: list[Edge], deleted: list[Edge], graph: list[Edge], symmetric: frozenset[str]
) -> None:
    right = g.correct(edges, [*deleted, *graph], symmetric=symmetric)
    scores = edge_scores(right, [], deleted, graph, "declared", symmetric)
    assert scores.correct == scores.admitted
    wrong = set(edges) - right
    assert edge_scores(wrong, [], deleted, graph, "declared", symmetric).correct == 0
    assert right <= set(edges)


@settings(max_examples=300)
@given(passages(), LISTS, st.integers(0, 50), st.booleans(), st.integers(1, 3), st.data())
def test_the_gap_is_plain_counting(
    read: list[Passage],
    edges: list[Edge],
    seed: int,
    titles: bool,
    most: int,
    data: st.DataObject,
) -> None:
    looked = look(edges, CoMentions(Corpus.of(read), GRAPH), CLAIMS, Judge(seed=seed), most)
    windows: tuple[Window, ...] = (2, 4, None)
    baseline: Mapping[Edge, bool | None] | None = None
    if data.draw(st.booleans()):
        baseline = {edge: data.draw(STATED) for edge in edges}
    found = g.gap(edges, looked, baseline, windows, titles)
    own = set(edges)
    assert (found.edges, found.titles) == (len(own), titles)
    if baseline is None:
        assert found.baseline is None
    else:
        said = [baseline[edge] for edge in own]
        assert found.baseline == Rate(
            said.count(False), said.count(False) + said.count(True), said.count(None)
        )
    for window in windows:
        support = [looked[edge].support(window, titles) for edge in own]
        counts = [support.count(one) for one in (False, True, None)]
        assert found.exhaustive[window] == Rate(counts[0], counts[0] + counts[1], counts[2])
        bare = sum(not looked[edge].named(window, titles) for edge in own)
        assert found.unnamed[window] == Rate(bare, len(own))
        # What nothing names, nothing states.
        assert bare <= counts[0]
        read_pairs = [
            r.states for e in own for r in looked[e].read if r.place.within(window, titles)
        ]
        failed = read_pairs.count(None)
        assert found.spurious[window] == Rate(
            read_pairs.count(False), len(read_pairs) - failed, failed
        )
    if baseline is None:
        nothing = [edge for edge in own if not looked[edge].named(2, titles)]
    else:
        nothing = [edge for edge in own if baseline[edge] is False]
    assert found.recovered == Rate.of(looked[edge].support(None, titles) for edge in nothing)
    # A wider window states no less.
    stated = [found.exhaustive[w].whole - found.exhaustive[w].part for w in windows]
    assert stated == sorted(stated)


@settings(max_examples=300)
@given(supported())
def test_relations_make_up_the_whole(drawn: tuple[list[Edge], dict[Edge, bool | None]]) -> None:
    edges, support = drawn
    found = g.by_relation(edges, support)
    assert list(found) == sorted({edge.relation for edge in edges})
    whole = g.unstated(edges, support)
    assert sum(rate.part for rate in found.values()) == whole.part
    assert sum(rate.whole for rate in found.values()) == whole.whole
    assert sum(rate.unknown for rate in found.values()) == whole.unknown
    for relation, rate in found.items():
        assert rate == g.unstated([e for e in edges if e.relation == relation], support)


@settings(max_examples=400)
@given(
    supported(),
    st.integers(1, 5),
    st.sampled_from(("rarer", "subject", "object")),
    st.lists(st.integers(0, 4), min_size=5, max_size=5),
)
def test_bins_lie_between_quantiles(
    drawn: tuple[list[Edge], dict[Edge, bool | None]], bins: int, end: g.End, known: list[int]
) -> None:
    edges, support = drawn
    names = ("alma", "berro", "corda", "other_corda", "upper")
    of = dict(zip(names, known, strict=True))

    def frequency(edge: Edge) -> int:
        if end == "rarer":
            return min(of[edge.subject], of[edge.object])
        return of[edge.subject if end == "subject" else edge.object]

    found = g.by_frequency(edges, support, of.__getitem__, end, bins)
    own = set(edges)
    assert len(found) <= bins
    # Every edge is in the one bin that holds its frequency.
    for one in found:
        inside = [edge for edge in own if one.low <= frequency(edge) <= one.high]
        assert inside
        assert one.gap == g.unstated(inside, support)
        assert {one.low, one.high} <= {frequency(edge) for edge in inside}
    assert all(a.high < b.low for a, b in pairwise(found))
    assert sum(one.gap.whole + one.gap.unknown for one in found) == len(own)
    # A bin ends at the least frequency at or below which its share of the edges is.
    ends = {one.high for one in found}
    expected = set()
    for number in range(1, bins + 1):
        for value in sorted(frequency(edge) for edge in own):
            below = sum(frequency(e) <= value for e in own)
            if Fraction(below, len(own)) >= Fraction(number, bins):
                expected.add(value)
                break
    assert ends == expected


def test_a_bin_at_least() -> None:
    assert g.by_frequency([], {}, {}.__getitem__) == ()
    with pytest.raises(ValueError):
        g.by_frequency([], {}, {}.__getitem__, bins=0)


@settings(max_examples=200)
@given(LISTS)
def test_degrees(edges: list[Edge]) -> None:
    found = g.degrees(edges)
    for entity in ("alma", "berro", "corda"):
        assert found[entity] == sum(entity in (e.subject, e.object) for e in set(edges))
    assert found["nowhere"] == 0
