"""Semantic beam search, held against all simple paths, enumerated plainly."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.evidence.synergy.beam_search import Path, Search, Visit, beam_search

N = 6
likenesses = st.lists(st.sampled_from([-0.5, 0.0, 0.25, 0.25, 0.5, 1.0]), min_size=N, max_size=N)
graphs = st.sets(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=12)
seed_lists = st.lists(st.integers(0, N - 1), max_size=3)


def neighbours_of(edges: set[tuple[int, int]]):
    def neighbours(entity: int) -> list[int]:
        met = {b for a, b in edges if a == entity} | {a for a, b in edges if b == entity}
        return sorted(met - {entity})

    return neighbours


def simple_paths(edges: set[tuple[int, int]], seeds: list[int], steps: int) -> set[Path]:
    """All paths of so many steps that begin at a seed and visit nothing twice."""
    if not steps:
        return {(seed,) for seed in seeds}
    return {
        (*path, other)
        for path in simple_paths(edges, seeds, steps - 1)
        for other in range(N)
        if other not in path and ({(path[-1], other), (other, path[-1])} & edges)
    }


@given(graphs, seed_lists, likenesses, st.integers(0, 4))
def test_a_wide_beam_keeps_every_simple_path(
    edges: set[tuple[int, int]], seeds: list[int], likeness: list[float], depth: int
) -> None:
    found = beam_search(seeds, neighbours_of(edges), likeness, 10_000, depth)
    assert len(found.levels) == depth + 1
    for steps, level in enumerate(found.levels):
        assert len(level) == len(set(level))
        assert set(level) == simple_paths(edges, seeds, steps)
    assert set(found.memory) == {entity for path in found.kept for entity in path}


@given(graphs, seed_lists, likenesses, st.integers(1, 3), st.integers(0, 4))
def test_what_is_kept_is_remembered_and_what_is_remembered_is_a_path(
    edges: set[tuple[int, int]], seeds: list[int], likeness: list[float], beam: int, depth: int
) -> None:
    neighbours = neighbours_of(edges)
    found = beam_search(seeds, neighbours, likeness, beam, depth)
    assert {entity for path in found.kept for entity in path} <= set(found.memory)
    for entity, visit in found.memory.items():
        assert visit.path[-1] == entity
        assert visit.path[0] in seeds
        assert len(set(visit.path)) == len(visit.path) <= depth + 1
        assert all(b in neighbours(a) for a, b in pairwise(visit.path))
        assert visit.score == (1.0 if entity in seeds else likeness[entity])
    assert all(len(level) <= beam for level in found.levels[1:])
    assert found.last == found.levels[-1]


@given(graphs, seed_lists, likenesses, st.integers(1, 3), st.integers(0, 4))
def test_it_does_what_the_paper_writes(
    edges: set[tuple[int, int]], seeds: list[int], likeness: list[float], beam: int, depth: int
) -> None:
    """Algorithm 1, line by line, with the best chosen one by one."""
    neighbours = neighbours_of(edges)
    current = [(seed,) for seed in dict.fromkeys(seeds)]
    memory = {seed: Visit((seed,), 1.0) for seed in seeds}
    for _ in range(depth):
        candidates = []
        for path in current:
            for n in neighbours(path[-1]):
                if n not in path:
                    if n not in memory or likeness[n] > memory[n].score:
                        memory[n] = Visit((*path, n), likeness[n])
                    candidates.append(((*path, n), likeness[n]))
        current = []
        while candidates and len(current) < beam:
            best = max(sim for _, sim in candidates)
            chosen = min(path for path, sim in candidates if sim == best)
            current.append(chosen)
            candidates.remove((chosen, best))
    found = beam_search(seeds, neighbours, likeness, beam, depth)
    assert list(found.last) == current
    assert found.memory == memory


def test_by_hand() -> None:
    # 0 is the seed; 1 is better than 2 and 3, and a beam of one keeps it alone.
    edges = {(0, 1), (0, 2), (0, 3), (1, 4), (2, 5)}
    found = beam_search([0], neighbours_of(edges), [0.1, 0.9, 0.5, 0.5, 0.2, 0.8], 1, 2)
    assert found == Search(
        (((0,),), ((0, 1),), ((0, 1, 4),)),
        {
            0: Visit((0,), 1.0),
            1: Visit((0, 1), 0.9),
            2: Visit((0, 2), 0.5),
            3: Visit((0, 3), 0.5),
            4: Visit((0, 1, 4), 0.2),
        },
    )


def test_a_search_that_ends_early_returns_nothing_of_its_last_level() -> None:
    found = beam_search([0], neighbours_of({(0, 1)}), [0.0] * N, 5, 3)
    assert found.last == ()
    assert found.kept == ((0,), (0, 1))


@pytest.mark.parametrize(("beam", "depth"), [(0, 3), (5, -1)])
def test_no_beam_and_no_depth_are_refused(beam: int, depth: int) -> None:
    with pytest.raises(ValueError):
        beam_search([0], lambda _: [], [0.0], beam, depth)
