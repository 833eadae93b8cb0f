"""A corpus in memory: what is put in comes out, by number, by id and by window."""

from __future__ import annotations

import hashlib

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Extent, Passage, Window

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
passages = st.lists(
    st.builds(Passage, texts, texts, texts, texts, texts, texts),
    max_size=8,
    unique_by=lambda p: p.id,
)


@given(passages)
def test_passages_come_out_as_they_were_put_in(found: list[Passage]) -> None:
    corpus = Corpus.of(found)
    assert list(corpus) == found
    assert corpus.find([p.id for p in found]).tolist() == list(range(len(found)))
    for number, passage in enumerate(found):
        whole = Window(number, Extent(0, len(passage.text)))
        assert corpus.windows_of(number) == [whole]
        assert whole.extent.of(passage.text) == passage.text
    assert corpus.find(["\0 no such id, and longer than any"]).tolist() == [-1]
    assert Corpus.of(found).hash == corpus.hash


@given(passages)
def test_a_corpus_without_headings_has_the_hash_that_it_had(found: list[Passage]) -> None:
    """Indexes and records of corpora that were built before there were headings stay theirs."""
    bare = [msgspec.structs.replace(passage, heading="") for passage in found]
    corpus = Corpus.of(bare)
    digest = hashlib.sha256()
    for field in ("ids", "titles", "texts", "sources", "dates"):
        strings = getattr(corpus, field)
        digest.update(strings.offsets.tobytes())
        digest.update(strings.blob.tobytes())
    for array in (corpus.windows, corpus.origins, corpus.copies):
        digest.update(array.tobytes())
    assert corpus.hash == digest.hexdigest()
    assert (Corpus.of(found).hash == corpus.hash) == (found == bare)


def test_a_number_beyond_the_corpus_is_no_passage() -> None:
    with pytest.raises(IndexError):
        Corpus.of([])[0]


def test_ids_are_not_shared() -> None:
    with pytest.raises(ValueError, match="same id"):
        Corpus.of([Passage("a", "x"), Passage("a", "y")])


def test_sources_of_one_origin_count_once() -> None:
    given_ = [Passage(str(n), "x") for n in range(4)]
    corpus = Corpus.of(given_, origins=np.array([0, 1, 0, 2], np.int32))
    assert corpus.independent([0, 2]) == 1
    assert corpus.independent([0, 1, 2, 3]) == 3
    assert corpus.independent([]) == 0
