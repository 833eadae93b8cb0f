"""Semantic beam search that remembers what it saw (Algorithm 1 of the paper).

Like(n)        how like the entity n is to the query
P_0            the paths of one seed each, M[seed] = ([seed], 1.0)
candidates_d   p + [n] for p in P_(d-1) and each neighbour n of p's last entity that p lacks;
               M[n] = (p + [n], Like(n)) if n is new in M, or more like than M has it
P_d            the K candidates whose last entity is most like the query
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Path = tuple[int, ...]  # entities, each connected with the next

BEAM = 20
DEPTH = 3


class Visit(NamedTuple):
    """How the search came to an entity, and how like the query that is."""

    path: Path
    score: float


@dataclass(frozen=True)
class Search:
    """What a search found: `levels[d]` are the paths of d steps that were kept, the best first;
    `memory` has every entity that was seen, whether it was kept or not."""

    levels: tuple[tuple[Path, ...], ...]
    memory: Mapping[int, Visit]

    @property
    def last(self) -> tuple[Path, ...]:
        """The paths that the algorithm returns, those of the last level; () when no path is so
        long."""
        return self.levels[-1]

    @property
    def kept(self) -> tuple[Path, ...]:
        """The paths that were kept at any level, the shortest first."""
        return tuple(path for level in self.levels for path in level)


def beam_search(
    seeds: Sequence[int],
    neighbours: Callable[[int], Sequence[int]],
    likeness: Sequence[float],
    beam: int = BEAM,
    depth: int = DEPTH,
) -> Search:
    """Searches from the seeds, which are all kept.  Of equally good paths those with the lower
    numbers are kept, so that equal input has equal output."""
    if beam < 1 or depth < 0:
        raise ValueError("a beam search keeps at least one path and goes no negative depth")
    paths: tuple[Path, ...] = tuple((seed,) for seed in dict.fromkeys(seeds))
    memory = {path[-1]: Visit(path, 1.0) for path in paths}
    levels = [paths]
    for _ in range(depth):
        candidates: list[tuple[float, Path]] = []
        for path in paths:
            for other in neighbours(path[-1]):
                if other in path:
                    continue  # no circles
                score, longer = float(likeness[other]), (*path, other)
                if other not in memory or score > memory[other].score:
                    memory[other] = Visit(longer, score)
                candidates.append((score, longer))
        candidates.sort(key=lambda found: (-found[0], found[1]))
        paths = tuple(path for _, path in candidates[:beam])
        levels.append(paths)
    return Search(tuple(levels), memory)
