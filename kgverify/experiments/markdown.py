"""Reports as Markdown: tables, and numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgverify.experiments.statistics import Interval

UNDEFINED = "–"


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are escaped."""
    lines = [tuple(headers), ("---",) * len(headers), *map(tuple, rows)]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def number(value: float | None, digits: int = 2) -> str:
    """A number to so many digits behind the point."""
    return UNDEFINED if value is None else f"{value:.{digits}f}"


def interval(found: Interval, digits: int = 2) -> str:
    """A mean and its interval, `0.62 (0.60–0.64)`; the mean alone where nothing varies or there is
    one value."""
    if found.mean is None or found.low is None or found.high is None or found.low == found.high:
        return number(found.mean, digits)
    bounds = (number(bound, digits).replace("-", "−") for bound in (found.low, found.high))
    return f"{number(found.mean, digits).replace('-', '−')} ({' to '.join(bounds)})"


def percent(value: float) -> str:
    """A share as `20 %`."""
    return f"{100 * value:g} %"
