"""Why a constraint without evidence on either side is open: what the known values are like.

The status is the solver's; the reason is looked up when a verdict is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from kgverify.graph.terms import compatible, time_interval

Reason = Literal["missing", "imprecise", "ill-typed"]


def open_equality(values: Sequence[str], asked: str) -> Reason:
    """The reason why none of the values (as keys) is, or differs from, the one asked about."""
    if any(value.startswith("lill ") for value in values):
        return "ill-typed"
    return "imprecise" if any(compatible(value, asked) for value in values) else "missing"


def open_comparison(values: Sequence[str], bound: str) -> Reason:
    """The reason why a comparison with `bound` is open, from the values (as keys) that neither
    meet nor fail it."""
    literals = [value for value in values if value[0] == "l"]
    times = [value for value in literals if time_interval(value) and time_interval(bound)]
    if len(times) < len(literals):
        return "ill-typed"
    return "imprecise" if times else "missing"


def open_count(values: Sequence[str]) -> Reason:
    """The reason why a count is open, from all values (as keys) that are counted."""
    if any(value.startswith("lill ") for value in values):
        return "ill-typed"
    pairs = ((one, other) for one in values for other in values if one < other)
    return "imprecise" if any(compatible(*pair) for pair in pairs) else "missing"
