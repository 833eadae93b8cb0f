"""What passages say of statements: the values between reading text and weighing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from kgverify.evidence.judging import Failure, Judgement
from kgverify.evidence.passages import Passage


class Statement(NamedTuple):
    """A relation of the rule file between two terms, as term keys."""

    relation: str
    subject: str
    object: str


class Finding(msgspec.Struct, frozen=True):
    """A passage that was read for a statement, and what the judge said of the two.

    `origin` is the number of the source that the passage counts under.  `names_subject` and
    `names_object`: it mentions them, in its text or its title."""

    passage: Passage
    origin: int
    answer: Judgement | Failure
    names_subject: bool = False
    names_object: bool = False


class Findings(msgspec.Struct, frozen=True):
    """All that was read for a statement; `hypothesis` says the statement in words."""

    hypothesis: str
    found: tuple[Finding, ...] = ()


class Reader(Protocol):
    """Finds passages about statements and has them judged."""

    @property
    def name(self) -> str:
        """What it reads and how: two readers of one name find the same."""

    def read(self, asked: Sequence[Statement]) -> list[Findings]:
        """What was read for each statement, the best passage first."""
