"""Shares of things of which some could not be decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from kgverify.experiments.scoring.measuring import share
from kgverify.experiments.statistics import Interval, wilson


@dataclass(frozen=True, slots=True)
class Rate:
    """`part` of `whole` things; `unknown` further ones are neither, since nobody could say: a judge
    failed on them, or there was too much to judge."""

    part: int
    whole: int
    unknown: int = 0

    @classmethod
    def of(cls, answers: Iterable[bool | None]) -> Rate:
        """The share of the answers that are true, None being unknown."""
        found = list(answers)
        decided = [answer for answer in found if answer is not None]
        return cls(sum(decided), len(decided), len(found) - len(decided))

    @property
    def value(self) -> Fraction | None:
        """The share; of nothing there is none."""
        return share(self.part, self.whole)

    @property
    def least(self) -> Fraction | None:
        """What the share would be if none of the unknown counted."""
        return share(self.part, self.whole + self.unknown)

    @property
    def most(self) -> Fraction | None:
        """What it would be if all of them did."""
        return share(self.part + self.unknown, self.whole + self.unknown)

    @property
    def interval(self) -> Interval:
        """The share with Wilson's interval at 95 %, which does not speak of the unknown."""
        return wilson(self.part, self.whole)
