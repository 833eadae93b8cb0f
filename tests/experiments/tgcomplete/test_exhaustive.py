"""Every passage that names both ends, against a search that tries every window of every text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Edge
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.gazetteer import Gazetteer
from kgverify.evidence.judging import Failure
from kgverify.evidence.passages import Passage
from kgverify.experiments.tgcomplete.exhaustive import (
    CoMention,
    CoMentions,
    Window,
    look,
    named,
    spurious,
    supports,
)
from tests.experiments.tgcomplete.small_corpus import (
    ANSWERS,
    CLAIMS,
    EDGES,
    FAILED,
    GRAPH,
    NAMES,
    Judge,
    Written,
    passages,
)

WINDOWS: tuple[Window, ...] = (1, 2, 3, 5, 8, None)


def mentions(text: str) -> Iterator[tuple[int, int, set[str]]]:
    """The first and the last word of each name of a text, and the entities that have it."""
    words = text.split()
    names = {tuple(name.split()): set[str]() for own in NAMES.values() for name in own}
    for entity, own in NAMES.items():
        for name in own:
            names[tuple(name.split())].add(entity)
    place = 0
    while place < len(words):
        here = [name for name in names if tuple(words[place : place + len(name)]) == name]
        if here:
            longest = max(here, key=len)
            yield place, place + len(longest) - 1, names[longest]
        place += max(map(len, here), default=1)


def naively(passage: Passage, edge: Edge, window: Window, titles: bool) -> bool:
    """Is there a window in which two different mentions name the two ends?"""
    text, title = list(mentions(passage.text)), list(mentions(passage.title))
    length = len(passage.text.split())
    size = length if window is None else window
    for start in range(max(1, length - size + 1)):
        inside = [one for one in text if start <= one[0] and one[1] < start + size]
        here = inside + (title if titles else [])
        for number, (_, _, one) in enumerate(here):
            for other_number, (_, _, other) in enumerate(here):
                if number != other_number and edge.subject in one and edge.object in other:
                    return True
    return False


def stored(found: list[Passage]) -> Corpus:
    """A corpus that has the mentions with it."""
    gazetteer = Gazetteer.of(GRAPH)
    return Corpus.of(
        found,
        mentions=gazetteer.mentions_in(p.text for p in found),
        title_mentions=gazetteer.mentions_in(p.title for p in found),
    )


@settings(max_examples=400)
@given(passages(), EDGES, st.booleans())
def test_co_mentions_are_what_trying_every_window_finds(
    read: list[Passage], edge: Edge, is_stored: bool
) -> None:
    corpus = stored(read) if is_stored else Corpus.of(read)
    found = CoMentions(corpus, GRAPH).of(edge)
    assert len({one.passage for one in found}) == len(found)
    for window in WINDOWS:
        for titles in (True, False):
            inside = {one.passage for one in found if one.within(window, titles)}
            expected = {
                n for n, passage in enumerate(read) if naively(passage, edge, window, titles)
            }
            assert inside == expected, (window, titles)
    nearness = [one.beside_title for one in found]
    assert nearness == sorted(nearness)
    assert all(one.words is None or one.beside_title <= one.words for one in found)


@settings(max_examples=200)
@given(passages(), EDGES)
def test_the_direction_of_an_edge_makes_no_difference(read: list[Passage], edge: Edge) -> None:
    places = CoMentions(Corpus.of(read), GRAPH)
    assert places.of(edge) == places.of(Edge(edge.object, edge.relation, edge.subject))


@settings(max_examples=200)
@given(passages(), st.sampled_from(sorted(NAMES)))
def test_passages_that_name_an_entity_are_counted(read: list[Passage], entity: str) -> None:
    naming = [
        passage
        for passage in read
        if any(entity in own for t in (passage.text, passage.title) for *_, own in mentions(t))
    ]
    assert CoMentions(Corpus.of(read), GRAPH).naming(entity) == len(naming)


@settings(max_examples=300)
@given(passages(), st.lists(EDGES, max_size=4), st.integers(1, 4), st.integers(0, 50))
def test_support_is_what_judging_every_passage_says(
    read: list[Passage], edges: list[Edge], most: int, seed: int
) -> None:
    judge = Judge(seed=seed)
    places = CoMentions(Corpus.of(read), GRAPH)
    found = look(edges, places, CLAIMS, judge, most)
    assert found.keys() == set(edges)
    assert judge.asked == sum(len(one.read) for one in found.values())
    for edge, one in found.items():
        every = places.of(edge)
        assert (*(r.place for r in one.read), *one.left_out) == every
        assert len(one.read) == min(most, len(every))
        for window in WINDOWS:
            for titles in (True, False):
                near = [p for p in read if naively(p, edge, window, titles)]
                assert one.named(window, titles) == len(near)
                assert one.is_named(window, titles) is bool(near)
                answers = [judge.of(p.id, edge) for p in near]
                stated = any(not isinstance(a, Failure) and a.label == "ENTAILED" for a in answers)
                failed = any(isinstance(a, Failure) for a in answers)
                support = one.support(window, titles)
                if not one.left_out:
                    assert support is (True if stated else None if failed else False)
                # With some left out it may say less, and nothing else.
                assert support is None or support is stated
                said = spurious([one], window, titles)
                assert len(said) == sum(r.place.within(window, titles) for r in one.read)
                assert (False in said) is (support is True)
    assert supports(found, 3) == {edge: one.support(3) for edge, one in found.items()}
    assert named(found, 3) == {edge: one.is_named(3) for edge, one in found.items()}


@settings(max_examples=200)
@given(passages(), EDGES, st.integers(0, 50))
def test_a_wider_window_and_the_title_never_support_less(
    read: list[Passage], edge: Edge, seed: int
) -> None:
    one = look([edge], CoMentions(Corpus.of(read), GRAPH), CLAIMS, Judge(seed=seed))[edge]
    for titles in (True, False):
        said = [one.support(window, titles) is True for window in WINDOWS]
        assert said == sorted(said)
    assert all(one.support(w, True) or not one.support(w, False) for w in WINDOWS)


def test_one_mention_does_not_name_two_things() -> None:
    edge = Edge("corda", "near", "other_corda")
    once = Passage("p0", "Corda is small.")
    twice = Passage("p1", "Corda is near the other Corda.")
    titled = Passage("p2", "Corda is small.", "Corda")
    found = CoMentions(Corpus.of([once, twice, titled]), GRAPH).of(edge)
    assert found == (CoMention(2, None, 1), CoMention(1, 6, 6))


def test_windows_are_counted_in_words() -> None:
    text = "Alma " + "word " * 48 + "Berro, and Alma."
    edge = Edge("alma", "near", "berro")
    (found,) = CoMentions(Corpus.of([Passage("p", text)]), GRAPH).of(edge)
    assert found.words == 3
    (far,) = CoMentions(Corpus.of([Passage("p", text[: text.index(",")])]), GRAPH).of(edge)
    assert far.words == 50
    assert far.within(50)
    assert not far.within(49)


def test_what_nobody_knows_is_not_unsupported() -> None:
    edge = Edge("alma", "near", "atlantis")
    places = CoMentions(Corpus.of([Passage("p", "Alma is near Atlantis.")]), GRAPH)
    assert places.unknown(edge) == ("atlantis",)
    one = look([edge], places, CLAIMS, Judge())[edge]
    assert (one.support(), one.is_named(), one.named()) == (None, None, 0)


def test_what_was_left_out_leaves_it_open() -> None:
    edge = Edge("alma", "near", "berro")
    read = [Passage("p0", "Alma, Berro"), Passage("p1", "Alma and Berro"), Passage("p2", "x")]
    places = CoMentions(Corpus.of(read), GRAPH)
    entailed, _, denied, _ = ANSWERS
    written = Written({"p0": denied, "p1": entailed})
    first = look([edge], places, CLAIMS, written, most=1)[edge]
    assert [one.id for one in first.read] == ["p0"]
    assert len(first.left_out) == 1
    assert (first.support(2), first.support(3)) == (False, None)
    assert look([edge], places, CLAIMS, written)[edge].support() is True
    failed = Written({"p0": FAILED, "p1": denied})
    assert look([edge], places, CLAIMS, failed)[edge].support() is None
    with pytest.raises(ValueError):
        look([edge], places, CLAIMS, written, most=0)
