"""The best of many scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgverify.evidence.retrieving import Hit


def ranked(scores: NDArray[np.floating], most: int) -> list[Hit]:
    """The passages with the highest scores above 0, best first and at most so many; among equals
    the first in the corpus.  `scores` has one of each passage."""
    if most < 1:
        return []
    found = np.flatnonzero(scores > 0)
    if len(found) > most:
        values = scores[found]
        least = np.partition(values, len(values) - most)[len(values) - most]
        above = found[values > least]
        equal = found[values == least][: most - len(above)]
        found = np.concatenate([above, equal])
    # By the score, then by the number: the last key of a lexical sort counts first.
    order = np.lexsort((found, -scores[found]))
    found = found[order]
    return [Hit(*pair) for pair in zip(found.tolist(), scores[found].tolist(), strict=True)]
