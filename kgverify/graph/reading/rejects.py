"""Collects what couldn't be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from kgverify.errors import GraphError, KgverifyError, Problem, Span

_MOST_SHOWN = 20  # a file that is wrong throughout need not be read to its end to say so
_MOST_KEPT = 1000


class Rejects:
    """The lines that were rejected: `problems` holds the first thousand, `count` counts them all.

    When `on_error` is "stop", the twentieth problem raises `error` with all of them."""

    def __init__(
        self,
        on_error: Literal["stop", "skip"],
        on_reject: Callable[[Problem], None] | None = None,
        error: type[KgverifyError] = GraphError,
    ) -> None:
        self._error = error
        self.problems: list[Problem] = []
        self._on_reject = on_reject
        self.count = 0
        self._stops = on_error == "stop"

    def add(
        self,
        code: str,
        message: str,
        span: Span,
        hint: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        """Notes a rejected line."""
        self.count += 1
        problem = Problem(code, message, span, hint, notes=notes)
        if self._on_reject and not self._stops:
            self._on_reject(problem)
        if len(self.problems) < _MOST_KEPT:
            self.problems.append(problem)
        if self._stops and self.count == _MOST_SHOWN:
            raise self._error(self.problems)

    def check(self) -> None:
        """At the end of a file: raises the error if a problem must stop the reading."""
        if self._stops and self.problems:
            raise self._error(self.problems)
