"""From a query to evidence, each part switched off in turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage
from kgverify.evidence.retrieving import Query
from kgverify.evidence.synergy.building import titled_knowledge_base
from kgverify.evidence.synergy.gathering import Synergy, SynergyEvidence
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase, Link
from kgverify.evidence.synergy.options import SynergyOptions
from kgverify.evidence.synergy.provenance import sources_of
from kgverify.evidence.synergy.verbalising import evidence_text, path_text
from tests.evidence.synergy.worlds import Fixed, Overlap, corpus

ASKED = Query("Which actress was in Quiet Harbour and North Wind?")
N, P = 6, 6
entity, passage = st.integers(0, N - 1), st.integers(0, P - 1)
bases = st.builds(
    lambda texts, links, mentions, about: KnowledgeBase.of(
        Corpus.of(Passage(str(n), text) for n, text in enumerate(texts)),
        [f"e{n}" for n in range(N)],
        links,
        mentions,
        about,
    ),
    st.lists(st.sampled_from(["a b", "a", "b c", "c", "d"]), min_size=P, max_size=P),
    st.lists(st.builds(Link, entity, st.sampled_from("rs"), entity, passage), max_size=12),
    st.lists(st.tuples(passage, entity), max_size=12),
    st.lists(st.tuples(entity, passage), max_size=4),
)
likenesses = st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.9]), min_size=N, max_size=N)
small = st.builds(
    SynergyOptions,
    found=st.integers(1, 4),
    seeds=st.integers(0, 2),
    beam=st.integers(1, 3),
    depth=st.integers(0, 3),
    alpha=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    passages=st.integers(0, 3),
    paths=st.integers(0, 3),
    bridges=st.integers(0, 3),
    returned=st.sampled_from(["last", "kept"]),
    sources=st.sampled_from(["about", "mentions"]),
    votes=st.sampled_from(["number", "best"]),
)


def gathered(
    base: KnowledgeBase, likeness: list[float], options: SynergyOptions
) -> SynergyEvidence:
    synergy = Synergy(base, Overlap(base.corpus), Fixed(likeness), options=options)
    (found,) = synergy.gather([Query("a b c")])
    return found


def of_films(**options: object) -> tuple[KnowledgeBase, SynergyEvidence]:
    base, named = titled_knowledge_base(corpus())
    chosen = replace(SynergyOptions(found=2, seeds=0, passages=3, returned="kept"), **options)
    synergy = Synergy(base, Overlap(base.corpus), Fixed([0.1] * len(base)), named, chosen)
    (found,) = synergy.gather([ASKED])
    return base, found


def test_the_passage_that_shares_no_name_is_voted_for() -> None:
    base, found = of_films()
    assert [base.corpus[n].id for n in found.found] == ["p1", "p0"]
    assert [base.names[e] for e in found.seeds] == ["Quiet Harbour", "North Wind (film)"]
    assert [base.corpus[r.passage].id for r in found.passages] == ["p1", "p0", "p2"]
    assert {r.passage: r.votes for r in found.ranked}[2] == 2  # for Ada Lind and Visby
    _, plain = of_films(vote=False)
    assert [base.corpus[r.passage].id for r in plain.passages] == ["p1", "p0"]


def test_what_is_given_in_words() -> None:
    base, found = of_films(paths=1)
    text = evidence_text(base, found)
    assert text.startswith(
        "Paths through the graph:\n1. Quiet Harbour —(mentions, passage p0)→ Ada Lind "
        "←(mentions, passage p1)— North Wind (film)\n\n"
    )
    assert "[p2] Ada Lind: Ada Lind was born in Visby. She liked boats." in text
    assert path_text(base, (2, 3)) == ("Ada Lind —(mentions, passage p2)→ Visby")


def test_documents_are_those_of_passages_and_of_paths() -> None:
    base, found = of_films(passages=1, paths=1)
    assert [base.corpus[n].id for n in found.documents] == ["p0", "p1", "p2"]
    assert sources_of(base, (3,), "about") == {3}
    assert sources_of(base, (3,), "mentions") == {2, 3}


def test_an_orphan_is_bridged_from_the_memory() -> None:
    # A beam of one keeps the better neighbour; the passage found speaks of the other.
    base = KnowledgeBase.of(
        Corpus.of([Passage("a", "a"), Passage("b", "b")]),
        ["seed", "better", "worse"],
        [Link(0, "r", 1), Link(0, "s", 2)],
        [(0, 2)],
        [(2, 1)],
    )
    options = SynergyOptions(found=1, seeds=1, beam=1, depth=1, passages=1)
    synergy = Synergy(base, Overlap(base.corpus), Fixed([0.9, 0.8, 0.1]), options=options)
    (found,) = synergy.gather([Query("a")])
    assert [s.path for s in found.paths] == [(0, 1)]
    assert (found.orphans, [s.path for s in found.bridges]) == ((2,), [(0, 2)])
    assert found.bridges[0].is_bridge
    assert found.documents == (0, 1)
    assert path_text(base, (0, 2)) == "seed —(s)→ worse"
    with pytest.raises(ValueError, match="no link"):
        path_text(base, (1, 2))


@given(bases, likenesses, small)
def test_bridging_adds_and_removes_nothing(
    base: KnowledgeBase, likeness: list[float], options: SynergyOptions
) -> None:
    full = gathered(base, likeness, options)
    for change in ({"bridge": False}, {"remember": False}):
        less = gathered(base, likeness, replace(options, **change))
        assert full.paths == less.paths
        assert less.bridges == ()
        if "bridge" in change:
            assert set(less.documents) <= set(full.documents)


@given(bases, likenesses, small)
def test_alpha_one_is_text_alone(
    base: KnowledgeBase, likeness: list[float], options: SynergyOptions
) -> None:
    (hits,) = Overlap(base.corpus).search([Query("a b c")], P)
    only_text = replace(options, alpha=1.0)
    found = gathered(base, likeness, only_text)
    top = [hit.passage for hit in hits[: options.found]]
    assert [r.passage for r in found.ranked[: len(top)]] == top
    plain = gathered(base, likeness, replace(only_text, vote=False))
    assert [r.passage for r in plain.ranked] == top


@given(bases, likenesses, small)
def test_no_reward_is_the_base_order(
    base: KnowledgeBase, likeness: list[float], options: SynergyOptions
) -> None:
    none = gathered(base, likeness, replace(options, epsilon=0.0))
    off = gathered(base, likeness, replace(options, confirm=False))
    assert none == off
    scores = [scored.base for scored in none.paths]
    assert scores == sorted(scores, reverse=True)


@given(bases, likenesses, small)
def test_evidence_is_of_one_piece(
    base: KnowledgeBase, likeness: list[float], options: SynergyOptions
) -> None:
    found = gathered(base, likeness, options)
    assert found.passages == found.ranked[: options.passages]
    assert len(found.paths) <= options.paths
    assert len(found.bridges) <= options.bridges
    documents = {r.passage for r in found.passages}
    for scored in (*found.paths, *found.bridges):
        documents |= sources_of(base, scored.path, options.sources)
        path_text(base, scored.path)
    assert found.documents == tuple(sorted(documents))
    assert not set(found.orphans) & {e for p in found.paths for e in p.path}
    for scored in found.bridges:
        assert scored.path[-1] in found.orphans
    synergy = Synergy(base, Overlap(base.corpus), Fixed(likeness), options=options)
    (hits,) = synergy.search([Query("a b c")], options.found)
    assert [(hit.passage, hit.score) for hit in hits] == [
        (r.passage, r.score) for r in found.ranked[: options.found]
    ]


def test_nothing_to_find_gives_nothing() -> None:
    base = KnowledgeBase.of(Corpus.of([]), [], [], [])
    (found,) = Synergy(base, Overlap(base.corpus), Fixed([])).gather([Query("a")])
    assert (found.passages, found.paths, found.documents) == ((), (), ())
    assert evidence_text(base, found) == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha": 1.5},
        {"alpha": float("nan")},
        {"epsilon": -0.1},
        {"beam": 0},
        {"found": 0},
        {"neighbours": 0},
    ],
)
def test_options_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        SynergyOptions(**wrong)
