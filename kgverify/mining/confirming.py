"""Every number that a file states of a rule, beside the number that a graph gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from kgverify.errors import LimitReached, Problem
from kgverify.graph import Graph
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.formats.numbers import agrees
from kgverify.mining.formats.values import COUNTS, SHARES, ImportedRule
from kgverify.mining.horn import Measures, MinedRule

NUMBERS = (*COUNTS, *SHARES)


@dataclass(frozen=True, slots=True)
class Compared:
    """One number of a rule: as the file states it, None if it doesn't, and as the graph gives it,
    None for a share of nothing.  `agrees` when nothing is stated, too."""

    name: str
    stated: int | Decimal | None
    found: int | Fraction | None
    agrees: bool


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A rule of a file, measured on a graph; `measures` are None where that would take too long,
    and `problem` says so."""

    imported: ImportedRule
    measures: Measures | None
    problem: Problem | None = None

    @property
    def numbers(self) -> tuple[Compared, ...]:
        """All numbers, in the order of `NUMBERS`; none where the rule was not measured."""
        return tuple(self._compared()) if self.measures is not None else ()

    @property
    def mined(self) -> MinedRule | None:
        """The rule with the numbers that the graph gives."""
        return None if self.measures is None else MinedRule(self.imported.rule, self.measures)

    @property
    def stated(self) -> int:
        """How many numbers the file states."""
        return sum(getattr(self.imported.stated, name) is not None for name in NUMBERS)

    @property
    def agrees(self) -> bool:
        """Whether the graph gives every number that the file states."""
        return self.measures is not None and all(number.agrees for number in self.numbers)

    def _compared(self) -> Iterator[Compared]:
        assert self.measures is not None
        for name in COUNTS:
            stated, found = getattr(self.imported.stated, name), getattr(self.measures, name)
            yield Compared(name, stated, found, stated is None or stated == found)
        for name, whole in SHARES.items():
            printed: Decimal | None = getattr(self.imported.stated, name)
            exact: Fraction = getattr(self.measures, name)
            defined = getattr(self.measures, whole) > 0
            same = printed is None or agrees(printed, exact)
            yield Compared(name, printed, exact if defined else None, same)


def confirm_rules(rules: Iterable[ImportedRule], graph: Graph) -> Iterator[Confirmation]:
    """Every rule measured on the graph.

    The partial completeness assumption is made on the side that the file names; where it names
    none, on AMIE's (see `sides.py`)."""
    evaluator = Evaluator(graph)
    for imported in rules:
        side = imported.stated.pca_side or evaluator.functional_side(imported.rule)
        try:
            yield Confirmation(imported, evaluator.measure(imported.rule, side))
        except LimitReached as error:
            problem = error.problems[0]
            located = Problem(problem.code, problem.message, imported.span, problem.hint, "warning")
            yield Confirmation(imported, None, located)
