"""Steps of a walk over a graph, and how they are chosen: by likeness to the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from kgverify.evidence.encoding import Encoder
from kgverify.evidence.synergy.likeness import TextLikeness

_DIGITS = 9  # of a likeness; beyond them machines differ


class Step(NamedTuple):
    """A relation of the rule file, from subject to object (`capital`) or backward (`^capital`)."""

    relation: str
    backward: bool = False

    def __str__(self) -> str:
        return f"^{self.relation}" if self.backward else self.relation


class Offer(NamedTuple):
    """A step that could be taken, and words for it."""

    step: Step
    words: str


class Likeness(Protocol):
    """Compares a text with others."""

    @property
    def name(self) -> str:
        """What the measure is called in results."""

    def to(self, query: str, texts: Sequence[str]) -> list[float]:
        """For each text a number of at most 1; higher is more like the query."""


class ByWords:
    """Likeness by words: TF-IDF, among the texts that are compared."""

    name = TextLikeness.name

    def to(self, query: str, texts: Sequence[str]) -> list[float]:
        return [round(found, _DIGITS) for found in TextLikeness(texts).to(query).tolist()]


class ByVectors:
    """Likeness by the vectors of a model: their cosine."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.name = f"cosine({encoder.path.name})"

    def to(self, query: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        rows = self._encoder.vectors([query, *texts]).astype(np.float64)
        return [round(min(found, 1.0), _DIGITS) for found in (rows[1:] @ rows[0]).tolist()]


class StepChooser(Protocol):
    """Says which steps a question speaks of."""

    @property
    def name(self) -> str:
        """How it chooses."""

    @property
    def calls(self) -> int:
        """How often a language model was asked so far."""

    def scores(self, question: str, offered: Sequence[Offer]) -> list[float | None]:
        """For each step that is offered how well it fits; None for one that is not to be taken.

        Raises ModelError where there is no answer, or none that can be read."""


class LikenessChooser:
    """Chooses by how like the question is to a step's words; nothing is ruled out."""

    calls = 0

    def __init__(self, likeness: Likeness) -> None:
        self._likeness = likeness
        self.name = likeness.name

    def scores(self, question: str, offered: Sequence[Offer]) -> list[float | None]:
        return list(self._likeness.to(question, [offer.words for offer in offered]))
