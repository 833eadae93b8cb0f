"""Questions in plain words among those of a file or a stream: read, and told how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgverify import Asker, Graph, Problem, Question, Reading, RuleBook
    from kgverify.errors import Span


class Wording:
    """Reads the questions with a text; the others pass.

    `book` is the rule file with the questions that the last texts were read as, `readings` how
    they were read, by the question's id."""

    def __init__(self, graph: Graph, rules: RuleBook) -> None:
        self._graph, self._rules = graph, rules
        self._asker: Asker | None = None
        self.book = rules
        self.readings: dict[str, Reading] = {}

    def read(
        self, asked: Sequence[tuple[Span, Question]]
    ) -> tuple[list[tuple[Span, Question]], list[Problem]]:
        """The questions, those in plain words read; and why others can't be, which are left out."""
        self.book, self.readings = self._rules, {}
        if not any(question.text for _, question in asked):
            return list(asked), []
        from kgverify import Asker, read_texts

        self._asker = self._asker or Asker(self._graph, self._rules)
        texts = read_texts(asked, self._asker)
        self.book, self.readings = texts.book, texts.readings
        return list(texts.questions), list(texts.problems)
