"""What is asked, and what a method did: its answers, the edges that it proposed, what it cost.

Methods write these values, measures read them; neither knows the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge
from kgverify.evidence.judging import Label


@dataclass(frozen=True, slots=True)
class PathQuestion:
    """A question whose answers stand at the end of a path: from the topic along these relations,
    each from subject to object.  `answers` are those of the complete graph, as ids."""

    id: str
    text: str
    topic: str
    path: tuple[str, ...]
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Proposed:
    """An edge that a method proposed, and whether it was admitted.

    `verdict` is what the method's own judge said, None where none was asked; `passages` are the ids
    of those that the edge cites, `reasons` the codes of why it was not admitted."""

    edge: Edge
    admitted: bool
    verdict: Label | None = None
    score: Fraction | None = None
    passages: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    round: int = 0


@dataclass(frozen=True, slots=True)
class Answered:
    """What a method answered to a question, best first, and where the path stopped."""

    question: str
    answers: tuple[str, ...]
    missing: tuple[Breakpoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run cost: searches of the corpus, pairs of edge and passage that were judged, calls of
    a language model, seconds."""

    searches: int = 0
    judged: int = 0
    calls: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class MethodRun:
    """A method on all questions of a setting.

    `generator` and `judge` are the names of the models that propose and judge, "" where there is
    none.  `candidates` are all edges that were proposed, with what was read for them, so that other
    policies can decide them anew."""

    method: str
    answered: tuple[Answered, ...]
    edges: tuple[Proposed, ...] = ()
    candidates: tuple[CandidateEdge, ...] = ()
    generator: str = ""
    judge: str = ""
    cost: Cost = Cost()
