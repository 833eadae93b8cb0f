"""Text to graph: paths whose entities the passages mention are confirmed (equation 3).

    base(p) = mean over p's entities of Like(e) + gamma * mean over p's entities of Weight(e)
    conf(p) = base(p) + epsilon * |entities of p that passages mention|

The paper says of the base that it is made of likeness and of structural importance, not how.  Here
the importance is ln(1 + degree), as a share of the greatest in the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from kgverify.evidence.synergy.beam_search import Path

EPSILON = 0.4
GAMMA = 0.1


class ScoredPath(msgspec.Struct, frozen=True):
    """A path; `confirmed` are those of its entities that the passages mention."""

    path: Path
    score: float
    base: float
    confirmed: tuple[int, ...] = ()
    is_bridge: bool = False


def weights(degrees: NDArray[np.int64]) -> NDArray[np.float64]:
    """How important entities are by their number of neighbours, from 0 to 1."""
    logs: NDArray[np.float64] = np.log1p(degrees)
    greatest = float(logs.max()) if len(logs) else 0.0
    return logs / greatest if greatest else logs


def base_score(
    likeness: Sequence[float], weight: Sequence[float], gamma: float = GAMMA
) -> Callable[[Path], float]:
    """The base score of paths."""

    def score(path: Path) -> float:
        like = sum(float(likeness[entity]) for entity in path)
        heavy = sum(float(weight[entity]) for entity in path)
        return (like + gamma * heavy) / len(path)

    return score


def confirm(
    paths: Iterable[Path],
    mentioned: Collection[int],
    base: Callable[[Path], float],
    epsilon: float = EPSILON,
    *,
    is_bridge: bool = False,
) -> list[ScoredPath]:
    """The paths, best first; of equals the shorter one, then the one with the lower numbers."""
    found = []
    for path in dict.fromkeys(paths):
        confirmed = tuple(entity for entity in path if entity in mentioned)
        score = base(path)
        found.append(
            ScoredPath(path, score + epsilon * len(confirmed), score, confirmed, is_bridge)
        )
    return sorted(found, key=lambda s: (-s.score, len(s.path), s.path))
