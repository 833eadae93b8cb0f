"""Where candidate objects come from: what passages name, or what a generator says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.extracting import Extractor, NamedObject
from kgverify.completion.generating import Generator
from kgverify.completion.linking import Linker, Unlinked
from kgverify.completion.targeting import subject_of
from kgverify.graph import Graph

PASSAGES = "passages"


class Finder(Protocol):
    """Finds candidate objects for missing edges."""

    @property
    def name(self) -> str:
        """Where the candidates come from."""

    @property
    def nothing(self) -> str:
        """What is to be said where there is no candidate."""

    def ask(self, missing: Breakpoint) -> tuple[str, ...]:
        """What somebody else says of a missing edge, asked once before the first round; () where
        nobody is asked.  Raises KgverifyError when there is no answer."""

    def objects(
        self, missing: Breakpoint, said: Sequence[str], passages: Sequence[int]
    ) -> tuple[list[NamedObject], tuple[Unlinked, ...]]:
        """The candidates, best first, with where the passages name them; and what was said that
        stands for none."""


class FromPassages:
    """What passages name of the right class, those first that most sources name."""

    name = PASSAGES
    nothing = "no passage names anything that could be the object"

    def __init__(self, graph: Graph, extractor: Extractor) -> None:
        self._graph, self._extractor = graph, extractor

    def ask(self, missing: Breakpoint) -> tuple[str, ...]:
        return ()

    def objects(
        self, missing: Breakpoint, said: Sequence[str], passages: Sequence[int]
    ) -> tuple[list[NamedObject], tuple[Unlinked, ...]]:
        subject = subject_of(self._graph, missing)
        return self._extractor.extract(subject, missing.relation, passages), ()


class FromGenerator:
    """What a generator says, in its order, whatever the passages name."""

    nothing = "nothing that was generated could be the object"

    def __init__(self, generator: Generator, linker: Linker, extractor: Extractor) -> None:
        self._generator, self._linker, self._extractor = generator, linker, extractor

    @property
    def name(self) -> str:
        return f"generator {self._generator.name}"

    def ask(self, missing: Breakpoint) -> tuple[str, ...]:
        return self._generator.generate(missing)

    def objects(
        self, missing: Breakpoint, said: Sequence[str], passages: Sequence[int]
    ) -> tuple[list[NamedObject], tuple[Unlinked, ...]]:
        linked, unlinked = self._linker.link(missing, said)
        return self._extractor.placed(linked, passages), unlinked
