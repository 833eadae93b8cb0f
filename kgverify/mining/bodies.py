"""The shapes that the body of a closed rule with up to three atoms can have.

A body is said from one of the head's two variables, x, to the other, y.  Its atoms are oriented
relations a, b, c (see `relations.py`), so each shape stands for every direction of its atoms:

    EDGE         a(x,y)
    EDGES        a(x,y)  b(x,y)                a < b
    PATH         a(x,z)  b(z,y)
    TRIPLE       a(x,y)  b(x,y)  c(x,y)        a < b < c
    PATH_EDGE    a(x,z)  b(z,y)  c(x,y)
    FORK_AT_X    a(x,z)  b(x,z)  c(x,y)        a < b
    FORK_AT_Y    a(y,z)  b(y,z)  c(x,y)        a < b
    DOUBLE_AT_X  a(x,z)  b(x,z)  c(z,y)        a < b
    DOUBLE_AT_Y  a(y,z)  b(y,z)  c(x,z)        a < b
    CHAIN        a(x,z)  b(z,w)  c(w,y)

These are all connected, closed and safe bodies in which an atom joins two different variables:
every further variable needs two of the atoms' places, so there are at most two of them, and two
only in a chain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kgverify.mining.horn import Atom, HornRule

EDGE, EDGES, PATH, TRIPLE, PATH_EDGE, FORK_AT_X, FORK_AT_Y, DOUBLE_AT_X, DOUBLE_AT_Y, CHAIN = range(
    10
)
NONE = -1  # in the place of an atom that a shape hasn't

_ATOMS = {
    EDGE: ("xy",),
    EDGES: ("xy", "xy"),
    PATH: ("xz", "zy"),
    TRIPLE: ("xy", "xy", "xy"),
    PATH_EDGE: ("xz", "zy", "xy"),
    FORK_AT_X: ("xz", "xz", "xy"),
    FORK_AT_Y: ("yz", "yz", "xy"),
    DOUBLE_AT_X: ("xz", "xz", "zy"),
    DOUBLE_AT_Y: ("yz", "yz", "xz"),
    CHAIN: ("xz", "zw", "wy"),
}
_VARIABLES = {"x": 0, "y": 1, "z": 2, "w": 3}

Body = tuple[int, int, int, int]  # shape, a, b, c


@dataclass(frozen=True, slots=True)
class Bodies:
    """Bodies as parallel columns."""

    shape: NDArray[np.int32]
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    c: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.shape)

    def __getitem__(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> Bodies:
        return Bodies(self.shape[which], self.a[which], self.b[which], self.c[which])

    @staticmethod
    def joined(parts: list[Bodies]) -> Bodies:
        """All bodies of several lists."""
        columns = ("shape", "a", "b", "c")
        empty = [np.empty(0, np.int32)]
        return Bodies(*(np.concatenate([getattr(p, c) for p in parts] or empty) for c in columns))

    def tuples(self) -> list[Body]:
        return list(
            zip(self.shape.tolist(), self.a.tolist(), self.b.tolist(), self.c.tolist(), strict=True)
        )

    @property
    def backwards(self) -> Bodies:
        """The same bodies said from y to x."""
        shape, a, b, c = (column.copy() for column in (self.shape, self.a, self.b, self.c))
        straight = np.isin(self.shape, (EDGE, EDGES, TRIPLE))
        for column in (a, b, c):
            column[straight] ^= 1
        for first, last in ((PATH, "b"), (PATH_EDGE, "b"), (CHAIN, "c")):
            here = self.shape == first
            end = getattr(self, last)
            a[here] = end[here] ^ 1
            (b if last == "b" else c)[here] = self.a[here] ^ 1
        b[self.shape == CHAIN] ^= 1
        turned = np.isin(self.shape, (PATH_EDGE, FORK_AT_X, FORK_AT_Y))
        c[turned] ^= 1
        for one, other in ((FORK_AT_X, FORK_AT_Y), (DOUBLE_AT_X, DOUBLE_AT_Y)):
            shape[self.shape == one], shape[self.shape == other] = other, one
        doubled = np.isin(self.shape, (DOUBLE_AT_X, DOUBLE_AT_Y))
        c[doubled] ^= 1
        c[np.isin(self.shape, (EDGE, EDGES, PATH))] = NONE
        b[self.shape == EDGE] = NONE
        return Bodies(shape, a, b, c)


def parents(body: Body) -> list[Body]:
    """The closed bodies that are a proper part of this one's atoms."""
    shape, a, b, c = body
    if shape == EDGES:
        return [edge(a), edge(b)]
    if shape == TRIPLE:
        return [edge(a), edge(b), edge(c), edges(a, b), edges(a, c), edges(b, c)]
    if shape == PATH_EDGE:
        return [edge(c), (PATH, a, b, NONE)]
    if shape in (FORK_AT_X, FORK_AT_Y):
        return [edge(c)]
    if shape == DOUBLE_AT_X:
        return [(PATH, a, c, NONE), (PATH, b, c, NONE)]
    if shape == DOUBLE_AT_Y:
        return [(PATH, c, a ^ 1, NONE), (PATH, c, b ^ 1, NONE)]
    return []


def edge(a: int) -> Body:
    return EDGE, a, NONE, NONE


def edges(a: int, b: int) -> Body:
    return EDGES, a, b, NONE


def atoms(body: Body) -> list[tuple[int, str]]:
    """The oriented relations with their ends, as "xz"."""
    shape, *relations = body
    return list(zip(relations, _ATOMS[shape], strict=False))


def rule(names: tuple[str, ...], head: int, body: Body) -> HornRule:
    """The rule in its canonical spelling; the body is said from the head's subject."""
    found = []
    for oriented, ends in atoms(body):
        start, end = (_VARIABLES[v] for v in ends)
        if oriented & 1:
            start, end = end, start
        found.append(Atom(names[oriented >> 1], start, end))
    return HornRule(Atom(names[head], 0, 1), tuple(found)).canonical
