"""Search by meaning: the cosine of a query's vector and those of a corpus's windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.encoding import Encoder, Vectors
from kgverify.evidence.indexes import Arrays, IndexFolder
from kgverify.evidence.ranking import ranked
from kgverify.evidence.retrieving import Hit, Query

_BLOCK = 1 << 14  # texts whose vectors are multiplied at once: bounds the memory


class Dense:
    """Finds the passages one of whose windows is most like the text of a query.

    A window is read with its passage's title and heading before it, unless `titles` is false.
    Equal texts have one vector, so that they have equal scores.  A passage whose likeness is 0 or
    less is no hit.  With `index` the vectors are kept in a folder and mapped the next time;
    `progress` is told of how many texts of how many they are made."""

    def __init__(
        self,
        corpus: Corpus,
        encoder: Encoder,
        index: IndexFolder | None = None,
        *,
        titles: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._encoder, self._length = encoder, len(corpus)
        self._titles, self._progress = titles, progress
        shapes = {
            "vectors": ("<f4", encoder.width),
            "windows.passages": ("<i4", 0),
            "windows.texts": ("<i4", 0),
        }
        if index is None:
            arrays = self._index(corpus)
        else:
            key = f"{corpus.hash}, titles {titles}, vectors 1, {encoder.key}"
            arrays = index.arrays("dense", key, shapes, lambda: self._index(corpus))
        self._vectors = arrays["vectors"]
        self._passages, self._texts = arrays["windows.passages"], arrays["windows.texts"]

    @property
    def name(self) -> str:
        return f"dense({self._encoder.path.name})"

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        """For each query the best passages, at most so many."""
        # Each query by itself: sums of floats depend on what else is computed with them.
        rows = [self._vector(query) for query in queries]
        found = [np.zeros(len(self._vectors), np.float32) for _ in queries]
        for first in range(0, len(self._vectors), _BLOCK):
            block = np.ascontiguousarray(self._vectors[first : first + _BLOCK])
            for row, likeness in zip(rows, found, strict=True):
                if row is not None:
                    likeness[first : first + len(block)] = block @ row
        return [ranked(self._best(likeness), most) for likeness in found]

    def _vector(self, query: Query) -> Vectors | None:
        """None for a query without words: the model's own marks are like something, too."""
        has_words = any(character.isalnum() for character in query.text)
        return self._encoder.vectors([query.text])[0] if has_words else None

    def _best(self, likeness: Vectors) -> NDArray[np.float32]:
        """The likeness of each passage's best window."""
        found = np.zeros(self._length, np.float32)
        np.maximum.at(found, self._passages, likeness[self._texts])
        return found

    def _index(self, corpus: Corpus) -> Arrays:
        numbers: dict[str, int] = {}
        passages, texts = [], []
        for number, passage in enumerate(corpus):
            for window in corpus.windows_of(number):
                text = window.extent.of(passage.text)
                if self._titles:
                    headed = (passage.title, passage.heading)
                    text = "".join(f"{said}: " for said in headed if said) + text
                passages.append(number)
                texts.append(numbers.setdefault(text, len(numbers)))
        found = np.zeros((len(numbers), self._encoder.width), np.float32)
        listed = list(numbers)
        # Texts of a length together, so that little is padded.
        order = sorted(range(len(listed)), key=lambda number: (len(listed[number]), number))
        found[order] = self._encoder.vectors([listed[n] for n in order], self._progress)
        return {
            "vectors": found,
            "windows.passages": np.array(passages, np.int32),
            "windows.texts": np.array(texts, np.int32),
        }
