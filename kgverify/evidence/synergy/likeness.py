"""How like entities are to a query: by vectors of a model, or by words.

An entity is compared by a text: its name and the first sentence of what is written about it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kgverify.evidence.synergy.knowledge_base import KnowledgeBase

Floats = NDArray[np.float64]
_SENTENCE = re.compile(r".*?[.!?](?=\s+[\"'(]?[A-Z0-9])", re.DOTALL)
_LONGEST = 300  # characters of a first sentence that count


class Likeness(Protocol):
    """Compares a query with the entities of one knowledge base."""

    @property
    def name(self) -> str:
        """What the measure is called in results."""

    def to(self, query: str) -> Floats:
        """For each entity a number of at most 1; higher is more like the query."""


class VectorsOfTexts(Protocol):
    """What makes vectors of texts, row by row, each of length 1."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


class ByVectors:
    """The cosine of vectors, by a model such as `Encoder`."""

    def __init__(self, base: KnowledgeBase, encoder: VectorsOfTexts, model: str) -> None:
        self._encoder = encoder
        self._rows = encoder.vectors(entity_texts(base))
        self.name = f"cosine ({model})"

    def to(self, query: str) -> Floats:
        if not len(self._rows):
            return np.zeros(0)
        # Rounding can take a cosine beyond 1, the score that seeds have.
        found = (self._rows @ self._encoder.vectors([query])[0]).astype(np.float64)
        return np.minimum(found, 1.0)


class ByWords:
    """The cosine of words weighted by TF-IDF, 1 + ln tf and ln((1 + n) / (1 + df)) + 1.

    `words` takes a text apart; without it words are what letters and digits make, in lower case."""

    name = "tf-idf"

    def __init__(
        self, base: KnowledgeBase, words: Callable[[str], Sequence[str]] | None = None
    ) -> None:
        self._words = words or _words
        counts = [Counter(self._words(text)) for text in entity_texts(base)]
        frequencies = Counter(word for found in counts for word in found)
        self._idf = {
            word: float(np.log((1 + len(counts)) / (1 + found))) + 1
            for word, found in frequencies.items()
        }
        rows: dict[str, list[tuple[int, float]]] = {}
        for entity, found in enumerate(counts):
            for word, weight in self._vector(found).items():
                rows.setdefault(word, []).append((entity, weight))
        self._rows = {
            word: (np.array([e for e, _ in found]), np.array([w for _, w in found]))
            for word, found in rows.items()
        }
        self._n = len(counts)

    def to(self, query: str) -> Floats:
        found = np.zeros(self._n)
        for word, weight in self._vector(Counter(self._words(query))).items():
            if word in self._rows:
                entities, weights = self._rows[word]
                found[entities] += weight * weights
        return np.minimum(found, 1.0)

    def _vector(self, counts: Counter[str]) -> dict[str, float]:
        """The weights of words, of length 1; those of no entity's text weigh nothing."""
        weights = {
            word: (1 + float(np.log(times))) * self._idf[word]
            for word, times in sorted(counts.items())
            if word in self._idf
        }
        length = float(np.sqrt(sum(weight * weight for weight in weights.values())))
        return {word: weight / length for word, weight in weights.items()} if length else {}


def entity_texts(base: KnowledgeBase) -> list[str]:
    """What each entity is compared by."""
    return [_text(base, entity) for entity in range(len(base))]


def _text(base: KnowledgeBase, entity: int) -> str:
    name = base.names[entity]
    own = base.about[entity]
    if not len(own):
        return name
    text = base.corpus.texts[int(own[0])]
    first = _SENTENCE.match(text)
    return f"{name}. {(first[0] if first else text)[:_LONGEST]}"


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
