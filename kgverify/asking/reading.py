"""What came of a question in plain words."""

from __future__ import annotations

from typing import Any

import msgspec

from kgverify.errors import Problem, Span, article


class Part(msgspec.Struct, frozen=True):
    """One constraint that a question was read as, or its answer class.

    `demand` is `answer`, `require` or `exclude`; `text` says it in the rule language and `words`
    in plain words; `spans` are the places of the question's text that it came from, each with its
    start and end.  `confidence` is between 0 and 1, no probability."""

    demand: str
    text: str
    words: str
    spans: tuple[tuple[int, int], ...]
    confidence: float


def answer_words(cls: str) -> str:
    """An answer class in plain words; `Anything`, the class of mined rule files, says nothing."""
    return f"the answer is {'anything' if cls == 'Anything' else article(cls)}"


class Name(msgspec.Struct, frozen=True):
    """An entity that the text names: by what words, which entity, and how it was found (`id`,
    `label`, `folded`: but for case and spacing, `fuzzy`: nearly)."""

    text: str
    span: tuple[int, int]
    entity: str
    label: str
    how: str
    score: float


class Reading(msgspec.Struct, frozen=True):
    """How a question was understood.

    `statement` is a `question` statement of the rule language that says it, `name` its name and
    `arguments` what it is asked about, by parameter.  `source` is `template` (a question of the
    rule file, whose statement is then ""), `grammar`, or `llm` (a language model).  `unused` are
    words of which nothing was made.  `confidence` is between 0 and 1, no probability.  `warnings`
    are what another way to read it said."""

    text: str
    name: str
    statement: str
    arguments: dict[str, Any]
    parts: tuple[Part, ...]
    names: tuple[Name, ...]
    unused: tuple[str, ...]
    confidence: float
    source: str
    warnings: tuple[str, ...] = ()

    def problems(self, span: Span | None = None) -> list[Problem]:
        """The warnings as problems, for messages."""
        return [
            Problem("second-reading", warning, span, severity="warning")
            for warning in self.warnings
        ]

    def to_dict(self) -> dict[str, Any]:
        """The reading as a JSON object."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found
