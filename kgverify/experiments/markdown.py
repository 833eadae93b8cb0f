"""Reports as Markdown: tables, and numbers as people read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kgverify.experiments.statistics import Interval

UNDEFINED = "–"


def paragraphs(*parts: str) -> str:
    """The parts that are not empty, one below the other."""
    return "\n\n".join(part for part in parts if part)


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are escaped."""
    lines = [tuple(headers), ("---",) * len(headers), *map(tuple, rows)]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", text).replace("\n", " ")


def literally(text: str) -> str:
    """A name that is shown as it is, whatever it has of what Markdown reads."""
    return re.sub(r"([\\`*_{}\[\]<>()#!|$~&])", r"\\\1", " ".join(text.split()))


def number(value: float | None, digits: int = 2) -> str:
    """A number to so many digits behind the point."""
    return UNDEFINED if value is None else f"{value:.{digits}f}".replace("-", "−")


def interval(found: Interval, digits: int = 2) -> str:
    """A mean and its interval, `0.62 (0.60 to 0.64)`; the mean alone where there is no interval, or
    none that can be seen at so many digits."""
    middle = number(found.mean, digits)
    if found.low is None or found.high is None:
        return middle
    low, high = number(found.low, digits), number(found.high, digits)
    return middle if low == middle == high else f"{middle} ({low} to {high})"


def percent(value: float) -> str:
    """A share as `20 %`."""
    return f"{100 * value:g} %"
