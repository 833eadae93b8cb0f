"""A completer that admits what it is told to."""

from __future__ import annotations

from collections.abc import Sequence

from kgverify.believing import Completed
from kgverify.completion.breakpoints import Breakpoint
from kgverify.graph.store import KeyTriple
from kgverify.vocabulary import AdmittedEdge, Quote


class Fixed:
    """Admits some edges, wherever they are missing."""

    name = "fixed"

    def __init__(self, edges: Sequence[KeyTriple]) -> None:
        self.edges = edges
        self.asked: set[Breakpoint] = set()

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        self.asked |= set(missing)
        return Completed(
            tuple(
                admitted(subject[1:], relation, object_[1:])
                for subject, relation, object_ in self.edges
                if Breakpoint(subject[1:], relation) in missing
            )
        )


def admitted(subject: str, relation: str, object_: str) -> AdmittedEdge:
    quote = Quote("p1", "", "a book", "ENTAILED", 1.0, "so it is", 0, 8)
    score = "23/30"
    return AdmittedEdge(
        subject, relation, object_, "careful", "ENTAILED", score, 1, 0, ("p1",), (quote,)
    )
