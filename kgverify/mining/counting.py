"""What the search asks to be counted; `compiled.py` and `sparse.py` each do it in their own way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kgverify.graph.strings import Longs
from kgverify.mining.bodies import Bodies
from kgverify.mining.relations import Relations

Halt = NDArray[np.bool_]
"""A single flag.  Once it is set, counting may break off, and what it returns means nothing."""

UNLIMITED = np.iinfo(np.int64).max >> 1


@dataclass(frozen=True, slots=True)
class Candidates:
    """Bodies, said from the head's subject, with the rules' support (int64[bodies])."""

    bodies: Bodies
    support: Longs


class Counter(Protocol):
    """Counts over the relations that it was made for."""

    relations: Relations

    def candidates(self, head: int, least: int, atoms: int, halt: Halt) -> Candidates:
        """All bodies of up to so many atoms (see `bodies.py`) with which a rule for relation `head`
        has the support `least` or more; the head's own atom is no part of a body.

        Raises LimitReached where what must be counted doesn't fit into memory."""

    def sizes(
        self,
        oriented: int,
        bodies: Bodies,
        support: Longs,
        most_body: Longs,
        most_pca: Longs,
        halt: Halt,
    ) -> tuple[Longs, Longs]:
        """The body sizes and PCA body sizes of rules whose head is this oriented relation; bodies
        and the assumption's side are those of its subject.  All arrays are int64[bodies].

        -1 stands for a PCA body larger than `most_pca`, and for a body larger than `most_body`.
        Where the body is too large and the PCA body larger than the support, both are -1."""
