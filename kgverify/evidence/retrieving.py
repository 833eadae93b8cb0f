"""What is searched for, what is found, and what every retriever offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec


class Query(msgspec.Struct, frozen=True):
    """What a passage should be about.

    `text` is what a person would ask.  `names` are those of the things that it is about, `phrases`
    are other words for what is said of them; both widen a search by words and leave one by meaning
    as it is."""

    text: str
    names: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()


class Hit(msgspec.Struct, frozen=True):
    """A passage that was found, by its number in the corpus; a higher score is better.

    Scores of one search can be compared with each other, and with nothing else."""

    passage: int
    score: float


class Retriever(Protocol):
    """Finds passages of one corpus."""

    @property
    def name(self) -> str:
        """What the retriever is called in results, with the model's name where it has one."""

    def search(self, queries: Sequence[Query], most: int) -> list[list[Hit]]:
        """For each query the best passages, best first and at most so many.

        Passages with equal scores stand in the order of the corpus, so that equal input has equal
        output.  A passage that shares nothing with the query is not a hit."""
