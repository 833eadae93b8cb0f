"""Where reasoning stops for want of an edge, and the edges proposed there with what was read."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from kgverify.evidence.findings import Finding
from kgverify.evidence.judging import Failure, Judgement


class Edge(msgspec.Struct, frozen=True, order=True):
    """A relation of the rule file between a subject and an object, by their names in the graph."""

    subject: str
    relation: str
    object: str

    def __str__(self) -> str:
        return f"{self.relation}({self.subject}, {self.object})"


class Breakpoint(msgspec.Struct, frozen=True, order=True):
    """A missing edge: an object of this relation is needed for this subject."""

    subject: str
    relation: str

    def __str__(self) -> str:
        return f"{self.relation}({self.subject}, ?)"


class Source(msgspec.Struct, frozen=True):
    """A passage that was read for an edge, by its id, and what the judge said of the two.

    `origin` is the number under which copies of one text count as one; `article` is what the
    passage is a part of, "" where that is not known.  `names_both`: it names subject and object."""

    passage: str
    origin: int
    answer: Judgement | Failure
    article: str = ""
    names_both: bool = True

    @classmethod
    def of(cls, finding: Finding) -> Source:
        """A finding as a source; an article is known by its title."""
        both = finding.names_subject and finding.names_object
        passage = finding.passage
        return cls(passage.id, finding.origin, finding.answer, passage.title, both)


class CandidateEdge(msgspec.Struct, frozen=True):
    """An edge that is proposed for a missing one, with all that was read for it."""

    edge: Edge
    sources: tuple[Source, ...] = ()

    @property
    def breakpoint(self) -> Breakpoint:
        """The missing edge that it would complete."""
        return Breakpoint(self.edge.subject, self.edge.relation)


def merged(candidates: Iterable[CandidateEdge]) -> list[CandidateEdge]:
    """Each edge once, in the order of edges, with the sources of all its proposals, each once and
    in the order of their ids.

    Raises ValueError when a passage was read twice for one edge, with different results."""
    found: dict[Edge, dict[str, Source]] = {}
    for candidate in candidates:
        sources = found.setdefault(candidate.edge, {})
        for source in candidate.sources:
            if sources.setdefault(source.passage, source) != source:
                said = f"passage {source.passage} was read twice for {candidate.edge}"
                raise ValueError(f"{said}, with different results")
    return [
        CandidateEdge(edge, tuple(found[edge][passage] for passage in sorted(found[edge])))
        for edge in sorted(found)
    ]
