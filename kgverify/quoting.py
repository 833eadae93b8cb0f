"""What passages say of statements, as the values that are shown: quotes with their places."""

from __future__ import annotations

from fractions import Fraction

from kgverify.evidence.judging import Failure, Judgement
from kgverify.evidence.passages import Extent, Passage
from kgverify.reasoning.texts import MILLION, Said, millionths
from kgverify.vocabulary import Quote, TextEvidence


def text_evidence(said: Said) -> TextEvidence:
    """What passages say of a statement, with quotes."""
    return TextEvidence(
        said.findings.hypothesis,
        said.label or "",
        float(said.score),
        said.disagree,
        said.sources,
        said.together,
        tuple(quote(found.passage, found.answer) for found in said.findings.found),
    )


def quote(passage: Passage, answer: Judgement | Failure) -> Quote:
    """A passage, and what the judge said of it."""
    if isinstance(answer, Failure):
        return Quote(
            passage.id,
            passage.title,
            passage.source,
            "",
            0.0,
            reason=str(answer.problem),
            heading=passage.heading,
        )
    extent = answer.extent or Extent(0, 0)
    return Quote(
        passage.id,
        passage.title,
        passage.source,
        answer.label,
        float(Fraction(millionths(answer.score), MILLION)),
        extent.of(passage.text),
        extent.start,
        extent.end,
        answer.reason,
        passage.heading,
    )
