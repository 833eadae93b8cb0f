"""A small corpus of films whose article on the actress shares no name with the question, and plain
stand-ins for a retriever and a likeness."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Passage
from kgverify.evidence.retrieving import Hit, Query

PASSAGES = [
    Passage("p0", "Quiet Harbour is a 1961 drama starring Ada Lind.", "Quiet Harbour"),
    Passage("p1", "North Wind (1964) is a western. Ada Lind played in it.", "North Wind (film)"),
    Passage("p2", "Ada Lind was born in Visby. She liked boats.", "Ada Lind"),
    Passage("p3", "Visby is a town on Gotland.", "Visby"),
    Passage("p4", "Ships lie in it.", "Harbour"),
    Passage("p5", "Wind is moving air.", "Wind"),
]


def corpus() -> Corpus:
    return Corpus.of(PASSAGES)


class Overlap:
    """Finds passages by the number of words that they share with a query."""

    name = "overlap"

    def __init__(self, corpus: Corpus) -> None:
        self._words = [words(f"{p.title} {p.text}") for p in corpus]

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        found = []
        for query in queries:
            scores = [len(words(query.text) & own) for own in self._words]
            hits = [Hit(n, float(score)) for n, score in enumerate(scores) if score]
            found.append(sorted(hits, key=lambda hit: (-hit.score, hit.passage))[:most])
        return found


class Fixed:
    """The same likeness of entities, whatever the query is."""

    name = "fixed"

    def __init__(self, values: Sequence[float]) -> None:
        self._values = np.array(values, np.float64)

    def to(self, query: str) -> np.ndarray:
        return self._values


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
