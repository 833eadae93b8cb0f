"""Numbers of rules as a file states them and as a graph gives them, for people and programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kgverify.errors import counted, printable
from kgverify.mining.confirming import Compared, Confirmation
from kgverify.mining.formats.json import rule_object
from kgverify.mining.spelling import rule_line

_HEADINGS = {
    "support": "support",
    "head_size": "head",
    "body_size": "body",
    "pca_body_size": "PCA body",
    "head_coverage": "coverage",
    "confidence": "std conf",
    "pca_confidence": "PCA conf",
}


def print_confirmations(console: Console, found: Sequence[Confirmation]) -> None:
    """A line a rule: what the graph gives, and what the file says where that is another number."""
    table = Table(header_style="bold", box=None)
    table.add_column("line", justify="right")
    table.add_column("rule", overflow="fold")
    for heading in _HEADINGS.values():
        table.add_column(heading, justify="right")
    table.add_column("PCA side")
    for confirmation in found:
        span = confirmation.imported.span
        line = str(span.line) if span else ""
        rule = Text(printable(rule_line(confirmation.imported.rule)))
        if confirmation.measures is None:
            table.add_row(line, rule, *["?"] * len(_HEADINGS), "", style="yellow")
        else:
            cells = map(_cell, confirmation.numbers)
            table.add_row(line, rule, *cells, confirmation.measures.pca_side)
    console.print(table)


def _cell(number: Compared) -> Text:
    shown = _shown(number.found)
    if number.agrees:
        return Text(shown, style="" if number.stated is not None else "dim")
    return Text(f"{shown} (file: {_shown(number.stated)})", style="red")


def _shown(value: int | Fraction | Decimal | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, Fraction):
        return f"{float(value):.4f}"
    return str(value) if isinstance(value, Decimal) else f"{value:,}"


def summary(found: Sequence[Confirmation]) -> str:
    """How many rules agree, differ, state no number, and were not measured."""
    bare = sum(c.measures is not None and not c.stated for c in found)
    agree = sum(c.agrees for c in found) - bare
    open_ = sum(c.measures is None for c in found)
    parts = [f"{agree} confirmed", f"{len(found) - agree - bare - open_} with other numbers"]
    parts += [f"{bare} without numbers"] * bool(bare) + [f"{open_} not measured"] * bool(open_)
    return f"{counted(len(found), 'rule')}: {', '.join(parts)}"


def confirmation_lines(found: Iterable[Confirmation]) -> Iterator[str]:
    """One JSON object a rule."""
    for confirmation in found:
        span = confirmation.imported.span
        measured = confirmation.measures is not None
        row: dict[str, Any] = {
            "file": span.file if span else None,
            "line": span.line if span else None,
            "text": rule_line(confirmation.imported.rule),
            "rule": rule_object(confirmation.imported.rule),
            "confirmed": confirmation.agrees if measured and confirmation.stated else None,
            "pca_side": confirmation.measures and confirmation.measures.pca_side,
            "numbers": {
                number.name: {
                    "stated": _number(number.stated),
                    "found": _number(number.found),
                    "agrees": number.agrees,
                }
                for number in confirmation.numbers
            },
            "note": confirmation.problem.message if confirmation.problem else "",
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _number(value: int | Fraction | Decimal | None) -> int | float | None:
    return value if value is None or isinstance(value, int) else float(value)
