"""Several retrievers as one, by the ranks that they give."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kgverify.evidence.ranking import ranked
from kgverify.evidence.retrieving import Hit, Query, Retriever

DEPTH = 100


class Hybrid:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): a passage has from each
    retriever weight / (k + rank), the first rank being 1.

    All retrievers search the same corpus.  `depth` hits of each count, or as many as are wanted
    where that is more.  Ranks only are compared, so the retrievers' scores may be of any size."""

    def __init__(
        self,
        retrievers: Sequence[Retriever],
        weights: Sequence[float] | None = None,
        k: float = 60.0,
        depth: int = DEPTH,
    ) -> None:
        self._retrievers = list(retrievers)
        self._weights = [1.0] * len(self._retrievers) if weights is None else list(weights)
        if not self._retrievers:
            raise ValueError("a hybrid needs a retriever")
        if len(self._weights) != len(self._retrievers):
            raise ValueError("a hybrid has one weight for each retriever")
        if not all(math.isfinite(weight) and weight > 0 for weight in self._weights):
            raise ValueError("the weights of a hybrid are above 0")
        if not (math.isfinite(k) and k >= 0) or depth < 1:
            raise ValueError("k is 0 or more, and the depth at least 1")
        self._k, self._depth = k, depth

    @property
    def name(self) -> str:
        names = "+".join(retriever.name for retriever in self._retrievers)
        return f"hybrid({names})"

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        """For each query the best passages, at most so many."""
        if most < 1:
            return [[] for _ in queries]
        depth = max(most, self._depth)
        found = [retriever.search(queries, depth) for retriever in self._retrievers]
        return [self._fused(hits, most) for hits in zip(*found, strict=True)]

    def _fused(self, lists: Sequence[Sequence[Hit]], most: int) -> list[Hit]:
        shares: dict[int, list[float]] = {}
        for weight, hits in zip(self._weights, lists, strict=True):
            for rank, hit in enumerate(hits, 1):
                shares.setdefault(hit.passage, []).append(weight / (self._k + rank))
        passages = sorted(shares)
        # Summed exactly: the same shares in another order are the same score.
        scores = np.array([math.fsum(shares[passage]) for passage in passages])
        return [Hit(passages[hit.passage], hit.score) for hit in ranked(scores, most)]
