"""Sentences as people see them; windows that cover a text, overlap as asked, and end in time."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.evidence.passages import Extent
from kgverify.evidence.sentences import LONGEST, paragraphs, sentences
from kgverify.evidence.windows import windows


def said(text: str) -> list[list[str]]:
    """The sentences of each paragraph."""
    return [[s.of(text) for s in sentences(text, part)] for part in paragraphs(text)]


@pytest.mark.parametrize(
    "whole",
    [
        "Dr. Smith met J. R. R. Tolkien and Gen. Dallaire in St. Petersburg.",
        "The U.S. Army bought 3.5 tonnes (e.g. of rice) from Acme Inc. vs. none before.",
        "It rose by 17.3% (2011 est.) and fell on Jan. 5 at 5 p.m. sharp.",
        "C. S. Lewis saw Fig. 3 and No. 5 of vol. 2, pp. 3 f., cf. Mr. Brown.",
        "He asked who it was? and went.",
        "Wait ... what is it",
        "Norway\tOslo\nSweden\tStockholm",
    ],
)
def test_one_sentence(whole: str) -> None:
    assert said(whole) == [[whole]]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Lena Ort met Paul Vik in 1989. She married him.", 2),
        ('"Stop!" he said. "Go." Then he left. (So did she.) The end', 5),
        ("He lives in the U.S. The law is old. It is 5 p.m. The end.", 4),
        ("Did she marry? Nobody asked. No. He said no… Really?! Yes.", 6),
        ("He sat. Mary stood. He ate a fig. It was good. Vitamin C. The next.", 6),
        ("日本は国です。東京は首都です。", 2),
    ],
)
def test_several_sentences(text: str, parts: int) -> None:
    assert [len(sentences) for sentences in said(text)] == [parts]


def test_paragraphs_end_sentences() -> None:
    assert said("One ++ two is here. C is ++ D.") == [["One"], ["two is here.", "C is"], ["D."]]
    assert said("C++ and a ++b") == [["C++ and a ++b"]]
    assert said("# Head\nText\nwrapped here.\n- one\n- two\n\n\nNew. Last\n## End\n") == [
        ["# Head"],
        ["Text\nwrapped here."],
        ["- one"],
        ["- two"],
        ["New.", "Last"],
        ["## End"],
    ]


def test_a_sentence_that_is_too_long_is_cut_at_a_semicolon() -> None:
    text = "; ".join(f"entry {n} of a list" for n in range(200))
    parts = said(text)[0]
    assert len(parts) > 2
    assert all(len(part) <= LONGEST for part in parts)
    assert all(part.endswith(";") for part in parts[:-1])
    assert " ".join(parts) == text


def test_windows_overlap() -> None:
    text = "A one. B two. C three. D four. E five. ++ F six."
    assert [w.of(text) for w in windows(text, 3, 1)] == [
        "A one. B two. C three.",
        "C three. D four. E five.",
        "F six.",
    ]
    assert [w.of(text) for w in windows(text, 2, 0)] == [
        "A one. B two.",
        "C three. D four.",
        "E five.",
        "F six.",
    ]
    assert windows("", 3, 1) == [Extent(0, 0)]
    assert windows(" \n", 3, 1) == [Extent(0, 2)]


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (1, 1), (3, 4), (2, -1)])
def test_an_overlap_as_large_as_the_window_is_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        windows("A.", size, overlap)


pieces = st.sampled_from(
    [*"aB .!?\n\t#-+;)\"'”。", "Dr.", "U.S.", " The ", " ++ ", "\n\n", "e.g.", "3.5", "…", "é́"]
)
texts = st.lists(pieces, max_size=60).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=60
)
_UNCOVERED = re.compile(r"(?:\s|(?<=\s)\+\+(?=\s))*")


@settings(max_examples=600)
@given(texts, st.integers(1, 4), st.integers(0, 3))
def test_windows_cover_the_text_and_overlap_as_asked(text: str, size: int, overlap: int) -> None:
    overlap = min(overlap, size - 1)
    found = windows(text, size, overlap)
    assert found == windows(text, size, overlap)
    if not _UNCOVERED.sub("", text):
        assert found == [Extent(0, len(text))] or all(w.of(text) in ("+", "++") for w in found)
        return
    reached = 0
    for window in found:
        assert 0 <= window.start < window.end <= len(text)
        assert window.of(text) == window.of(text).strip()
        if window.start > reached:
            gap = text[max(0, reached - 1) : window.start + 1]
            assert _UNCOVERED.fullmatch(gap, 1 if reached else 0, len(gap) - 1)
        reached = window.end
    tail = text[max(0, reached - 1) :]
    assert _UNCOVERED.fullmatch(tail, 1 if reached else 0)
    expected = []
    for part in paragraphs(text):
        own = [w for w in found if part.start <= w.start and w.end <= part.end]
        of_part = sentences(text, part)
        starts = {s.start: n for n, s in enumerate(of_part)}
        ends = {s.end: n for n, s in enumerate(of_part)}
        ranges = [(starts[w.start], ends[w.end] + 1) for w in own]
        assert ranges[0][0] == 0
        assert ranges[-1][1] == len(of_part)
        for (first, last), (begin, end) in pairwise(ranges):
            assert last - first == size
            assert last - begin == overlap
            assert end > last
        expected += own
    assert expected == found


@pytest.mark.parametrize(
    "piece",
    [".", "a. ", "# ", "\n", ".)", "\n \n", "a", " ", "++ ", "# \n", "\n  -", "; ", ". .", "Dr. ",
     '."', "1. ", "。", "\t\n"],
)  # fmt: skip
def test_hostile_texts_end(piece: str) -> None:
    """A time that grows with the square of the length would never end here."""
    text = piece * 100_000
    found = windows(text)
    assert found[0].start <= len(piece)
    assert all(w.end - w.start <= 3 * (LONGEST + 3) for w in found) or not text.strip()
