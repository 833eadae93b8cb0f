"""Which admissible edges are added together, where they can't all hold: at the optimum."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import gcd

from kgverify.completion.policy import MOST
from kgverify.errors import EngineError, LimitReached, Problem
from kgverify.reasoning.program import ADMISSION, encoding
from kgverify.reasoning.solver import optimum

Clash = frozenset[int]  # edges, by number, that can't all hold


@dataclass(frozen=True, slots=True)
class Choice:
    """The edges chosen, by number.  `proven`: no choice is better; otherwise it is the best that
    was found in the time, and which that is may differ from run to run."""

    chosen: frozenset[int]
    proven: bool


def choose(scores: Sequence[int], clashes: Iterable[Clash], seconds: float) -> Choice:
    """The edges of the greatest total score among which no clash is whole; of several such sets the
    largest, of several such the one with the first edge in which they differ.

    Scores are positive whole numbers, below 2**31.  Raises LimitReached when nothing was found in
    the time, or when conflicts join edges whose scores sum up to more than the solver can hold."""
    distinct = sorted(set(clashes), key=sorted)
    if not all(distinct) or any(not 0 <= edge < len(scores) for edge in chain(*distinct)):
        raise ValueError("a clash is of edges that there are")
    if any(not 0 < score <= MOST for score in scores):
        raise ValueError("scores are positive integers of the solver")
    end = time.monotonic() + seconds
    chosen = set(range(len(scores))) - set(chain(*distinct))
    proven = True
    for group in _batches(_joined(distinct), scores):
        found = _best(scores, group, max(0.0, end - time.monotonic()))
        chosen |= found.chosen
        proven = proven and found.proven
    return Choice(frozenset(chosen), proven)


def _joined(clashes: Sequence[Clash]) -> list[list[Clash]]:
    """The clashes, those together that share edges, directly or by others: what is chosen of one
    such group says nothing about another."""
    above: dict[int, int] = {}

    def top(edge: int) -> int:
        while above.setdefault(edge, edge) != edge:
            above[edge] = edge = above[above[edge]]
        return edge

    for first, *others in map(sorted, clashes):
        for other in others:
            above[top(other)] = top(first)
    groups: dict[int, list[Clash]] = {}
    for clash in clashes:
        groups.setdefault(top(min(clash)), []).append(clash)
    return list(groups.values())


def _batches(groups: Iterable[list[Clash]], scores: Sequence[int]) -> Iterator[list[Clash]]:
    """The groups, as many together as have a sum of scores that the solver can hold."""
    batch: list[Clash] = []
    total = 0
    for group in groups:
        size = sum(scores[edge] for edge in frozenset[int]().union(*group))
        if size > MOST:
            message = f"scores of edges in conflict sum up to {size:,}, beyond the solver's numbers"
            hint = "write the policy's numbers with fewer decimal places, or decide fewer edges"
            raise LimitReached(Problem("admission-size", message, None, hint))
        if total + size > MOST:
            yield batch
            batch, total = [], 0
        batch.extend(group)
        total += size
    if batch:
        yield batch


def _best(scores: Sequence[int], clashes: Sequence[Clash], seconds: float) -> Choice:
    edges = sorted(frozenset[int]().union(*clashes))
    unit = gcd(*(scores[edge] for edge in edges))
    facts = [
        f"final({edge},{scores[edge] // unit}).place({edge},{place})."
        for place, edge in enumerate(edges)
    ]
    for number, clash in enumerate(clashes):
        facts.append(f"clash({number},({';'.join(map(str, sorted(clash)))})).")
    found = optimum([encoding(*ADMISSION), *facts], seconds)
    if found is None:  # to choose nothing is always possible
        raise EngineError(Problem("no-answer-set", "the solver found no choice of edges"))
    chosen = frozenset(int(atom[len("admit(") : -1]) for atom in found.shown)
    _check(chosen, clashes, found.cost[:2], [scores[edge] // unit for edge in chosen])
    return Choice(chosen, found.proven)


def _check(
    chosen: Collection[int], clashes: Iterable[Clash], cost: Sequence[int], scores: Sequence[int]
) -> None:
    """What the solver says holds: a sum that wrapped would choose wrongly, and not tell."""
    if any(clash <= frozenset(chosen) for clash in clashes):
        raise EngineError(Problem("solver", "the solver chose edges in conflict"))
    if tuple(cost) != (-sum(scores), -len(scores)):
        raise EngineError(Problem("solver", "the solver's sum of scores is wrong"))
