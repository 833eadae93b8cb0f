"""Search by words: BM25 in a fast form over arrays, and in a slow one that is held against it.

Both score a passage d for a query q by

    sum over the terms t of q:  w(t) · idf(t) · f·(k1 + 1) / (f + k1·(1 - b + b·|d|/avg))

with f the number of times that t is in d, |d| the number of terms of d, and avg its mean (Robertson
and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009).  The idf is Lucene's,
ln(1 + (N - n + 0.5)/(n + 0.5)), which is above 0 even for a term that is in every passage; the one
of `rank_bm25` is below 0 there, and is replaced.

A title counts as text that stands in the passage several times, and so does a heading: BM25F
(Robertson, Zaragoza and Taylor, 2004) with one length for all fields.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.indexes import Arrays, IndexFolder
from kgverify.evidence.passages import Passage
from kgverify.evidence.ranking import ranked
from kgverify.evidence.retrieving import Hit, Query
from kgverify.evidence.terms import is_stop_word, reduction, terms
from kgverify.graph.strings import StringIndex, Strings

Floats = NDArray[np.float64]

_SHAPES = {
    "postings.scores": ("<f8", 0),
    "postings.passages": ("<i4", 0),
    "postings.starts": ("<i8", 0),
    "terms.blob": ("|u1", 0),
    "terms.offsets": ("<i8", 0),
    "terms.hashes": ("<u8", 0),
    "terms.order": ("<i4", 0),
}


@dataclass(frozen=True, slots=True)
class Bm25Options:
    """How passages and queries are weighed; the defaults were measured, see docs/text.md.

    `k1` and `b` are those of the formula.  `title` is how often a title, with its heading, counts
    as text, 0 for not at all.  `names` and `phrases` are the weights of a term of a query's names
    and phrases where one of its text has 1."""

    k1: float = 1.2
    b: float = 0.4
    title: int = 4
    names: float = 1.5
    phrases: float = 0.5

    def __post_init__(self) -> None:
        numbers = (self.k1, self.b, self.title, self.names, self.phrases)
        if not all(math.isfinite(number) and number >= 0 for number in numbers):
            raise ValueError("the options of BM25 are numbers from 0 on")
        if self.b > 1 or self.k1 == 0:
            raise ValueError("k1 is above 0, and b between 0 and 1")

    def weights(self, query: Query) -> dict[str, float]:
        """The terms of a query with their weights, in alphabetical order.

        A term that stands in several places has the greatest of their weights, so that a word which
        many phrases share counts no more than one in a single phrase."""
        parts = [(query.text, 1.0)]
        parts += [(name, self.names) for name in query.names]
        parts += [(phrase, self.phrases) for phrase in query.phrases]
        found: dict[str, float] = {}
        for text, weight in parts:
            for term in terms(text):
                found[term] = max(found.get(term, 0.0), weight)
        told = {term: weight for term, weight in found.items() if not is_stop_word(term)}
        return {term: weight for term, weight in sorted((told or found).items()) if weight > 0}

    def document(self, passage: Passage) -> list[str]:
        """The terms of a passage, those of its title and heading as often as they count."""
        headed = terms(passage.title) + terms(passage.heading)
        return headed * self.title + terms(passage.text)


class Bm25Reference:
    """BM25 by rank-bm25, which looks at every passage for every term: obviously right, and slow."""

    name = "bm25-reference"

    def __init__(self, corpus: Corpus, options: Bm25Options | None = None) -> None:
        self._options = options or Bm25Options()
        self._length = len(corpus)
        documents = [self._options.document(passage) for passage in corpus]
        # Without any term there is nothing to divide by.
        self._okapi = _okapi(documents, self._options) if any(documents) else None

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        """For each query the best passages, at most so many."""
        return [ranked(self._scores(query), most) for query in queries]

    def _scores(self, query: Query) -> Floats:
        found = np.zeros(self._length)
        if self._okapi is not None:
            # With b = 1 a passage without terms has 0/0, which is above nothing: it is no hit.
            with np.errstate(invalid="ignore"):
                for term, weight in self._options.weights(query).items():
                    found += weight * self._okapi.get_scores([term])
        return found


class Bm25:
    """BM25 whose scores of terms in passages bm25s computes once; a search adds a few of them up.

    With `index` they are kept in a folder and mapped the next time."""

    name = "bm25"

    def __init__(
        self,
        corpus: Corpus,
        options: Bm25Options | None = None,
        index: IndexFolder | None = None,
    ) -> None:
        self._options = options or Bm25Options()
        self._length = len(corpus)
        if index is None:
            arrays = _index(corpus, self._options)
        else:
            o = self._options
            key = f"{corpus.hash}, k1 {o.k1!r}, b {o.b!r}, title {o.title}, {reduction()}"
            arrays = index.arrays("bm25", key, _SHAPES, lambda: _index(corpus, self._options))
        self._scores = arrays["postings.scores"]
        self._passages = arrays["postings.passages"]
        self._starts = arrays["postings.starts"]
        self._terms = Strings(arrays["terms.blob"], arrays["terms.offsets"])
        self._term_index = StringIndex(arrays["terms.hashes"], arrays["terms.order"])

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        """For each query the best passages, at most so many."""
        return [ranked(self._added(query), most) for query in queries]

    def _added(self, query: Query) -> Floats:
        weights = self._options.weights(query)
        found = np.zeros(self._length)
        numbers = self._term_index.find(self._terms, list(weights)).tolist()
        for number, weight in zip(numbers, weights.values(), strict=True):
            if number >= 0:
                start, end = self._starts[number : number + 2].tolist()
                # A passage is in a term's list once.
                found[self._passages[start:end]] += weight * self._scores[start:end]
        return found


def _okapi(documents: list[list[str]], options: Bm25Options) -> Any:
    import rank_bm25

    class Okapi(rank_bm25.BM25Okapi):  # type: ignore[misc]
        """With Lucene's idf."""

        def _calc_idf(self, nd: dict[str, int]) -> None:
            count = self.corpus_size
            self.idf = {t: math.log(1 + (count - n + 0.5) / (n + 0.5)) for t, n in nd.items()}

    return Okapi(documents, k1=options.k1, b=options.b)


def _index(corpus: Corpus, options: Bm25Options) -> Arrays:
    """The scores of all terms in all passages, term by term."""
    numbers: dict[str, int] = {}
    documents = [
        [numbers.setdefault(term, len(numbers)) for term in options.document(passage)]
        for passage in corpus
    ]
    words = Strings.pack(numbers)
    hashed = StringIndex.of(words)
    if numbers:
        # Heavy to load, and not needed where the index is kept.
        import bm25s

        model = bm25s.BM25(
            k1=options.k1, b=options.b, method="atire", idf_method="lucene", dtype="float64"
        )
        found = model.build_index_from_ids(list(range(len(numbers))), documents, False)
    else:
        found = {"data": [], "indices": [], "indptr": [0]}
    return {
        "postings.scores": np.asarray(found["data"], np.float64),
        "postings.passages": np.asarray(found["indices"], np.int32),
        "postings.starts": np.asarray(found["indptr"], np.int64),
        "terms.blob": words.blob,
        "terms.offsets": words.offsets,
        "terms.hashes": hashed.hashes,
        "terms.order": hashed.order,
    }
