"""Completing missing edges round by round: what is not admitted is searched for again, K times at
most, with the threshold that it had (TGComplete, section 4.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from kgverify.completion.admission import (
    SECONDS,
    Admission,
    Admitted,
    Conflicts,
    Rejected,
    decide,
)
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge
from kgverify.completion.policy import Policy


class Proposer(Protocol):
    """Finds candidate edges for missing ones, in a later round by a more targeted search."""

    def propose(self, missing: Sequence[Breakpoint], round: int) -> Sequence[CandidateEdge]:
        """Candidates for these, with what was read for them."""


class Excluder(Protocol):
    """Knows what excludes edges, beside the graph and the edges that are already admitted."""

    def conflicts(self, edges: Sequence[Edge], admitted: Collection[Edge]) -> Conflicts:
        """What excludes these edges."""

    def check(self, edges: Collection[Edge]) -> frozenset[Edge] | None:
        """Edges among these that can't all hold, as few as it takes; None if all can."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What came of missing edges: the edges admitted, those rejected in each round, the missing
    edges for which nothing was admitted, and whether each round's choice is proved the best."""

    policy: Policy
    admitted: tuple[Admitted, ...]
    rejected: tuple[Rejected, ...]
    abstained: tuple[Breakpoint, ...]
    rounds: int
    proven: bool


def complete(
    missing: Iterable[Breakpoint],
    proposer: Proposer,
    policy: Policy,
    excluder: Excluder | None = None,
    seconds: float = SECONDS,
) -> Completion:
    """Search for missing edges in 1 + k rounds at most; each round has so many seconds to choose.

    A missing edge for which an edge was admitted is searched for no more.  Candidates for others
    than those asked about are left out."""
    open_ = sorted(set(missing))
    admitted: list[Admitted] = []
    rejected: list[Rejected] = []
    proven, rounds = True, 0
    while open_ and rounds <= policy.k:
        proposed = proposer.propose(tuple(open_), rounds)
        asked = [candidate for candidate in proposed if candidate.breakpoint in open_]
        found = _decided(asked, [one.edge for one in admitted], policy, excluder, rounds, seconds)
        admitted += found.admitted
        rejected += found.rejected
        proven = proven and found.proven
        closed = {Breakpoint(one.edge.subject, one.edge.relation) for one in found.admitted}
        open_ = [place for place in open_ if place not in closed]
        rounds += 1
    return Completion(policy, tuple(admitted), tuple(rejected), tuple(open_), rounds, proven)


def _decided(
    asked: Sequence[CandidateEdge],
    before: Sequence[Edge],
    policy: Policy,
    excluder: Excluder | None,
    round: int,
    seconds: float,
) -> Admission:
    if excluder is None:
        return decide(asked, policy, round=round, seconds=seconds)
    edges = sorted({candidate.edge for candidate in asked})
    conflicts = excluder.conflicts(edges, before)

    def check(chosen: Collection[Edge]) -> frozenset[Edge] | None:
        """Edges of this round alone that are too much beside those of earlier rounds."""
        found = excluder.check([*before, *chosen])
        return None if found is None else found - set(before)

    return decide(asked, policy, conflicts, check, round=round, seconds=seconds)
