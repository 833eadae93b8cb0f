"""Near-duplicates and sources, against comparing every pair."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.evidence.duplicates import (
    PERMUTATIONS,
    Union,
    copies,
    group_sizes,
    likeness,
    origins,
    shingles,
    signatures,
)
from kgverify.evidence.passages import Passage


def found(passages: list[Passage], least: float = 0.8) -> list[int]:
    return copies(passages, signatures(passages), least).tolist()


def of(*texts: str) -> list[Passage]:
    return [Passage(str(number), text) for number, text in enumerate(texts)]


def compared(passages: list[Passage], least: float) -> list[int]:
    """The groups, by the similarity of every pair; numbered by first passage."""
    groups = [{n} for n in range(len(passages))]
    sets = [shingles(p) for p in passages]
    for one, other in combinations(range(len(passages)), 2):
        if len(sets[one] & sets[other]) / len(sets[one] | sets[other]) >= least:
            joined = groups[one] | groups[other]
            for member in joined:
                groups[member] = joined
    leasts = [min(group) for group in groups]
    return [sorted(set(leasts)).index(least_one) for least_one in leasts]


def edited(rng: random.Random, words: list[str]) -> list[str]:
    made = list(words)
    for _ in range(rng.randint(0, 3)):
        made[rng.randrange(len(made))] = rng.choice("xyz") + str(rng.randrange(9))
    return made


@pytest.mark.parametrize("seed", range(250))
def test_the_same_as_comparing_every_pair(seed: int) -> None:
    rng = random.Random(seed)
    texts: list[list[str]] = []
    for _ in range(rng.randint(1, 12)):
        if texts and rng.random() < 0.6:
            texts.append(edited(rng, rng.choice(texts)))
        else:
            texts.append([rng.choice("abcdef") for _ in range(rng.randint(1, 40))])
    passages = of(*map(" ".join, texts))
    least = rng.choice([0.3, 0.5, 0.8, 0.8, 0.9, 1.0])
    assert found(passages, least) == compared(passages, least)


@settings(max_examples=200)
@given(st.lists(st.text("ab !", max_size=12), max_size=8), st.floats(0.3, 1))
def test_whatever_is_joined_is_alike(texts: list[str], least: float) -> None:
    passages = of(*texts)
    assert found(passages, least) == compared(passages, least)


def test_what_a_shingle_is() -> None:
    assert shingles(Passage("1", "two three, Four", "One")) == {"one two three", "two three four"}
    assert shingles(Passage("1", "One, two")) == {"one two"}
    assert shingles(Passage("1", "!?")) == {"!?"}
    assert shingles(Passage("1", "東京は首都")) == {"東 京 は", "京 は 首", "は 首 都"}
    assert likeness(frozenset("abc"), frozenset("bcd")) == 0.5


def test_texts_of_the_same_words_about_other_things() -> None:
    passages = [Passage("1", "Africa", "Angola"), Passage("2", "Africa", "Algeria")]
    assert found(passages) == [0, 1]
    assert found(of("Africa", "africa!", "?", "!")) == [0, 0, 1, 2]


def test_fields_of_two_things_with_one_text() -> None:
    """What is short is another text below another title.  What is long is a copy, headed or not:
    its title is a small part of it."""
    for heading in ("", "Exchange rates"):
        short = [Passage(title, "0 km", title, heading=heading) for title in ("Malta", "Fiji")]
        assert found(short) == [0, 1]
        text = " ".join(f"word{number}" for number in range(40))
        long = [Passage(title, text, title, heading=heading) for title in ("Malta", "Fiji")]
        assert found(long) == [0, 0]
    headed = Passage("1", "a b c", "T", heading="Capital")
    assert shingles(headed) == shingles(Passage("1", "a b c", "T"))


def test_signatures_are_always_the_same() -> None:
    passages = of("one two three four", "five six")
    signed = signatures(passages)
    assert signed.shape == (2, PERMUTATIONS)
    assert np.array_equal(signatures(passages[::-1])[::-1], signed)
    assert signed[0, :3].tolist() == signatures(passages[:1])[0, :3].tolist()


def test_what_counts_as_one_source() -> None:
    passages = [
        Passage("0", "a", "T", "Times"),
        Passage("1", "b", "U", " Times "),
        Passage("2", "c", "T"),
        Passage("3", "d", "T"),
        Passage("4", "e", "", "Post"),
        Passage("5", "f", ""),
        Passage("6", "g", ""),
    ]
    apart = np.arange(7, dtype=np.int32)
    assert origins(passages, apart).tolist() == [0, 0, 1, 2, 3, 4, 5]
    titled = origins(passages, apart, titles_are_sources=True)
    assert titled.tolist() == [0, 0, 1, 1, 2, 3, 4]
    copied = np.array([0, 1, 2, 3, 4, 5, 1], np.int32)  # the last is a copy of one of the Times
    assert origins(passages, copied).tolist() == [0, 0, 1, 2, 3, 4, 0]


def test_groups_are_numbered_by_their_first_member() -> None:
    union = Union(5)
    union.join(4, 2)
    union.join(3, 0)
    assert union.groups().tolist() == [0, 1, 2, 0, 2]
    assert group_sizes(union.groups()).tolist() == [2, 1, 2]
    assert Union(0).groups().tolist() == []
