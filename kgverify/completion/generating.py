"""Generate-to-complete (GoG): objects of missing edges from what somebody knows, not from text.

GoG admits all that is generated.  To have the same objects verified, give the generator to the
`Searcher`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from kgverify.completion.breakpoints import Breakpoint, Edge
from kgverify.completion.linking import Linker, Unlinked
from kgverify.errors import KgverifyError, Problem


class Generator(Protocol):
    """Says objects of missing edges by name, without looking anything up."""

    @property
    def name(self) -> str:
        """The kind of generator and its model: two of one name generate the same."""

    @property
    def model(self) -> str | None:
        """The language model that generates: "" where none does, None where nobody knows which."""

    @property
    def calls(self) -> int:
        """How often a language model was asked so far."""

    def generate(self, missing: Breakpoint) -> tuple[str, ...]:
        """Names of objects, the likeliest first; () where it knows none.

        Raises KgverifyError when it gives no answer, or none that can be read."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What was generated for a missing edge: the names as they were said, the edges to what they
    stand for, all of which are admitted, and the names that stand for nothing.  Where the generator
    failed there is nothing else."""

    missing: Breakpoint
    names: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    unlinked: tuple[Unlinked, ...] = ()
    failure: Problem | None = None


def generate_to_complete(
    missing: Iterable[Breakpoint], generator: Generator, linker: Linker
) -> list[Generated]:
    """What GoG makes of missing edges, each once and in their order."""
    return [_generated(place, generator, linker) for place in dict.fromkeys(missing)]


def _generated(missing: Breakpoint, generator: Generator, linker: Linker) -> Generated:
    try:
        names = generator.generate(missing)
    except KgverifyError as error:
        return Generated(missing, failure=error.problems[0])
    objects, unlinked = linker.link(missing, names)
    edges = tuple(Edge(missing.subject, missing.relation, linker.id(one)) for one in objects)
    return Generated(missing, names, edges, unlinked)
