"""What a file of rules holds: rules, the numbers that it states of them, and where it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from kgverify.errors import Problem, Span
from kgverify.mining.horn import HornRule, Measures, MinedRule, Side

COUNTS = ("support", "head_size", "body_size", "pca_body_size")
SHARES = {
    "head_coverage": "head_size",
    "confidence": "body_size",
    "pca_confidence": "pca_body_size",
}
"""The shares of the support, and the counts that they are of."""


@dataclass(frozen=True, slots=True)
class Stated:
    """The numbers that a file states of a rule; None where it doesn't.  Shares are kept as they
    are printed, so that a difference in their last digit can be told from rounding."""

    support: int | None = None
    head_size: int | None = None
    body_size: int | None = None
    pca_body_size: int | None = None
    pca_side: Side | None = None
    head_coverage: Decimal | None = None
    confidence: Decimal | None = None
    pca_confidence: Decimal | None = None

    @property
    def measures(self) -> Measures | None:
        """The numbers as measures, where all of them are stated."""
        counts = (self.support, self.head_size, self.body_size, self.pca_body_size)
        support, head_size, body_size, pca_body_size = counts
        if support is None or head_size is None or body_size is None or pca_body_size is None:
            return None
        return Measures(support, head_size, body_size, pca_body_size, self.pca_side or "subject")


@dataclass(frozen=True, slots=True)
class ImportedRule:
    """A rule as a file has it; its place is no part of what it is."""

    rule: HornRule
    stated: Stated = Stated()
    span: Span | None = field(default=None, compare=False)

    @property
    def mined(self) -> MinedRule | None:
        """The rule with the measures that the file states, where it states all."""
        measures = self.stated.measures
        return None if measures is None else MinedRule(self.rule, measures)


@dataclass(frozen=True, slots=True)
class ImportedRules:
    """All rules of a file, what deserves a warning, how many lines were no rules (log lines and
    rules without a body), and the problems of lines that were left out."""

    rules: tuple[ImportedRule, ...]
    warnings: tuple[Problem, ...] = ()
    skipped: int = 0
    rejected: tuple[Problem, ...] = ()

    @property
    def mined(self) -> tuple[MinedRule, ...]:
        """The rules for which the file states every number."""
        return tuple(rule.mined for rule in self.rules if rule.mined is not None)
