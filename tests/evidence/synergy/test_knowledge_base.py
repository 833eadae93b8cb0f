"""The knowledge base: links both ways, mentions both ways, held against plain sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase, Link

N, P = 5, 4
CORPUS = Corpus.of(Passage(str(n), f"text {n}") for n in range(P))
NAMES = [f"e{n}" for n in range(N)]
entity, passage = st.integers(0, N - 1), st.integers(0, P - 1)
link_sets = st.lists(
    st.builds(Link, entity, st.sampled_from("rs"), entity, st.integers(-1, P - 1)), max_size=15
)


@given(
    link_sets,
    st.lists(st.tuples(passage, entity), max_size=10),
    st.lists(st.tuples(entity, passage), max_size=5),
)
def test_it_says_what_it_was_given(
    links: list[Link], mentions: list[tuple[int, int]], about: list[tuple[int, int]]
) -> None:
    base = KnowledgeBase.of(CORPUS, NAMES, links, mentions, about)
    real = {link for link in links if link.subject != link.object}
    assert [base.link(n) for n in range(len(base.links))] == sorted(real)
    pairs = {*mentions, *((p, e) for e, p in about)}
    for one in range(N):
        ends = [
            link.object if link.subject == one else link.subject
            for link in real
            if one in (link.subject, link.object)
        ]
        assert base.neighbours(one) == sorted(set(ends))
        assert base.degrees()[one] == len(set(ends))
        heaviest = sorted(set(ends), key=lambda e: (-ends.count(e), e))[:2]
        assert base.neighbours(one, 2) == sorted(heaviest)
        assert base.passages_of[one].tolist() == sorted({p for p, e in pairs if e == one})
        assert base.about[one].tolist() == sorted({p for e, p in about if e == one})
        for other in range(N):
            between = {x for x in real if {x.subject, x.object} == {one, other}}
            assert set(base.links_between(one, other)) == between
            assert len(base.links_between(one, other)) == len(between)
    for place in range(P):
        assert base.entities_of[place].tolist() == sorted({e for p, e in pairs if p == place})


@pytest.mark.parametrize(
    ("links", "mentions", "about"),
    [
        ([Link(0, "r", N)], [], []),
        ([Link(-1, "r", 0)], [], []),
        ([Link(0, "r", 1, P)], [], []),
        ([Link(0, "r", 1, -2)], [], []),
        ([], [(P, 0)], []),
        ([], [(0, N)], []),
        ([], [], [(N, 0)]),
        ([], [], [(0, P)]),
    ],
)
def test_what_is_not_there_is_refused(links: list, mentions: list, about: list) -> None:
    with pytest.raises(ValueError):
        KnowledgeBase.of(CORPUS, NAMES, links, mentions, about)


def test_nothing_at_all_is_a_knowledge_base() -> None:
    base = KnowledgeBase.of(Corpus.of([]), [], [], [])
    assert len(base) == len(base.links) == len(base.degrees()) == 0
