"""How like entities are to a query: by vectors of a model, or by words.

An entity is compared by a text: its name and the first sentence of what is written about it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kgverify.evidence.encoding import Encoder, Vectors
from kgverify.evidence.indexes import IndexFolder
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase
from kgverify.evidence.terms import terms

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


class VectorLikeness:
    """The cosine of vectors of a model.  With `index` those of the entities are kept in a folder,
    and mapped the next time."""

    def __init__(
        self, base: KnowledgeBase, encoder: Encoder, index: IndexFolder | None = None
    ) -> None:
        self._encoder = encoder
        self.name = f"cosine({encoder.path.name})"
        texts = entity_texts(base)
        if index is None:
            self._rows = _vectors(encoder, texts)
        else:
            digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
            shapes = {"vectors": ("<f4", encoder.width)}
            key = f"{digest}, {len(texts)} entities, {encoder.key}"
            made = index.arrays(
                "entities", key, shapes, lambda: {"vectors": _vectors(encoder, texts)}
            )
            self._rows = made["vectors"]

    def to(self, query: str) -> Floats:
        """The cosine of the query's vector and that of each entity."""
        found = np.asarray(self._rows @ self._encoder.vectors([query])[0], np.float64)
        # Rounding can take a cosine beyond 1, the score that seeds have.
        return np.asarray(np.minimum(found, 1.0))


class TextLikeness:
    """How like texts are to a query: the cosine of terms weighted by TF-IDF,
    (1 + ln tf) * (ln((1 + n) / (1 + df)) + 1)."""

    name = "tf-idf"

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(terms(text)) for text in texts]
        frequencies = Counter(term for found in counts for term in found)
        self._idf = {
            term: float(np.log((1 + len(counts)) / (1 + found))) + 1
            for term, found in frequencies.items()
        }
        rows: dict[str, list[tuple[int, float]]] = {}
        for entity, found in enumerate(counts):
            for term, weight in self._vector(found).items():
                rows.setdefault(term, []).append((entity, weight))
        self._rows = {
            term: (np.array([e for e, _ in found]), np.array([w for _, w in found]))
            for term, found in rows.items()
        }
        self._n = len(counts)

    def to(self, query: str) -> Floats:
        """The cosine of the query's terms and those of each text."""
        found = np.zeros(self._n)
        for term, weight in self._vector(Counter(terms(query))).items():
            if term in self._rows:
                entities, weights = self._rows[term]
                found[entities] += weight * weights
        return np.minimum(found, 1.0)

    def _vector(self, counts: Counter[str]) -> dict[str, float]:
        """The weights of terms, of length 1; those of no text weigh nothing."""
        weights = {
            term: (1 + float(np.log(times))) * self._idf[term]
            for term, times in sorted(counts.items())
            if term in self._idf
        }
        length = float(np.sqrt(sum(weight * weight for weight in weights.values())))
        return {term: weight / length for term, weight in weights.items()} if length else {}


class WordLikeness(TextLikeness):
    """How like entities are to a query by their words, as `TextLikeness` measures it."""

    def __init__(self, base: KnowledgeBase) -> None:
        super().__init__(entity_texts(base))


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


def _vectors(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """The vectors of texts; those of a length are encoded together, so that little is padded."""
    order = sorted(range(len(texts)), key=lambda number: (len(texts[number]), number))
    found = np.zeros((len(texts), encoder.width), np.float32)
    found[order] = encoder.vectors([texts[number] for number in order])
    return found
