"""How plausible an atom is that several soft rules speak for, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import Literal

from kgverify.reasoning.program import NOISY_OR, STRONGEST, encoding
from kgverify.reasoning.solver import solve

Combination = Literal["max", "noisy-or"]
COMBINATIONS: tuple[Combination, ...] = ("max", "noisy-or")
BILLION = 10**9  # weights are whole numbers of billionths
_LIMB = 1000
_MOST_WORK = 64**2  # of the solver: the squares of the sizes of the sets that it multiplies


def combine(
    sets: Sequence[tuple[int, ...]], weights: Sequence[Fraction], how: Combination
) -> list[Fraction]:
    """How plausible an atom is that the soft rules of a set speak for, exactly; for each set.  One
    that no rule speaks for is not plausible at all."""
    if how == "max":
        return _strongest(sets, weights)
    solved: list[tuple[int, ...]] = []
    work = 0
    for numbers in sorted(sets, key=len):
        work += len(numbers) ** 2
        if work > _MOST_WORK:
            break
        solved.append(numbers)
    # Beyond that the exact product is taken here: the same numbers, by the same definition.
    found = dict(zip(solved, _noisy_or(solved, weights), strict=True))
    return [
        found[numbers]
        if numbers in found
        else 1 - prod((1 - weights[n] for n in numbers), start=Fraction(1))
        for numbers in sets
    ]


def _strongest(sets: Sequence[tuple[int, ...]], weights: Sequence[Fraction]) -> list[Fraction]:
    used = sorted({number for numbers in sets for number in numbers})
    trust = "".join(f"trust({n},{int(weights[n] * BILLION)})." for n in used)
    found = [Fraction(0)] * len(sets)
    for place, weight in _numbers(solve(encoding(*STRONGEST), _backed(sets), trust)):
        found[place] = Fraction(weight, BILLION)
    return found


def _noisy_or(sets: Sequence[tuple[int, ...]], weights: Sequence[Fraction]) -> list[Fraction]:
    used = sorted({number for numbers in sets for number in numbers})
    doubts = []
    for number in used:
        doubt = BILLION - int(weights[number] * BILLION)
        limbs = doubt // _LIMB**2, doubt // _LIMB % _LIMB, doubt % _LIMB
        doubts.append(f"doubt({number},{','.join(map(str, limbs))}).")
    left = [Fraction(0 if numbers else 1) for numbers in sets]
    for place, limb, value in _numbers(solve(encoding(*NOISY_OR), _backed(sets), *doubts)):
        left[place] += Fraction(value, _LIMB**limb)
    return [1 - doubt for doubt in left]


def _backed(sets: Sequence[tuple[int, ...]]) -> str:
    return "".join(
        f"backed({place},{turn},{number})."
        for place, numbers in enumerate(sets)
        for turn, number in enumerate(numbers, 1)
    )


def _numbers(shown: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """The arguments of shown atoms, all of which are numbers."""
    for text in shown:
        yield tuple(map(int, text[text.index("(") + 1 : -1].split(",")))
