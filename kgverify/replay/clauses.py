"""Implications, as the checker of proofs writes them down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Var:
    """A variable of an implication."""

    name: str


Pattern = tuple[str | Var, ...]
Clause = tuple[Pattern, tuple[Pattern, ...]]  # a head, and all that it takes
X, Y, Z = Var("X"), Var("Y"), Var("Z")
P, Q = Var("P"), Var("Q")  # periods


@dataclass(frozen=True)
class Implication:
    """`head` holds when all of `body` does; `bits` mark the citations that say so."""

    head: Pattern
    body: tuple[Pattern, ...]
    bits: int


def conjunction(
    head: Pattern, body: tuple[Pattern, ...], bits: int, most: int = 20
) -> Iterator[Implication]:
    """One implication; with a long body, several that lead to it by steps of their own.

    `head` names what is concluded apart from all else, and has the variables of the body."""
    if len(body) <= most:
        yield Implication(head, body, bits)
        return
    open_ = tuple(part for part in head if isinstance(part, Var))
    parts = []
    for start in range(0, len(body), most):
        part: Pattern = ("part", f"{head}[{most}/{start}]", *open_)
        parts.append(part)
        yield Implication(part, body[start : start + most], 0)
    yield from conjunction(head, tuple(parts), bits, most)
