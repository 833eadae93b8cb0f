"""Counting with compiled loops (numba)."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import LimitReached, Problem
from kgverify.graph.strings import Longs
from kgverify.mining.bodies import (
    CHAIN,
    DOUBLE_AT_X,
    DOUBLE_AT_Y,
    EDGE,
    EDGES,
    FORK_AT_X,
    FORK_AT_Y,
    NONE,
    PATH,
    PATH_EDGE,
    TRIPLE,
    Bodies,
)
from kgverify.mining.counting import Candidates, Halt
from kgverify.mining.relations import Relations

CACHE_VARIABLE = "KGVERIFY_CACHE"
_MOST_OPEN = 1 << 27  # entries of a table of chains: half a GB, and as much for its stamps
_MOST_REMEMBERED = 1 << 26  # objects of the rows of a chain's end: 256 MB
_MOST_ENTRIES = 1 << 28  # entries of the tables of three other atoms: 2 GB, and 2 more for stamps


class Compiled:
    """Counts with compiled loops.  Heads may be counted in several threads at once."""

    def __init__(self, relations: Relations) -> None:
        self.relations = relations
        self._supports = _kernels("supports")
        self._sizes = _kernels("sizes")
        r = relations
        self._graph = (
            *(r.rows, r.subjects, r.starts, r.objects),
            *(r.edges, r.nearby, r.nearby_by, r.kind_rows, r.kinds),
        )

    def candidates(self, head: int, least: int, atoms: int, halt: Halt) -> Candidates:
        search = _HeadSearch(self._supports, self._graph, self.relations, head, max(least, 1), halt)
        search.pairs(atoms)
        if atoms > 2:
            search.triples()
            search.chains()
        return Candidates(Bodies.joined(search.bodies), np.concatenate(search.supports))

    def sizes(
        self,
        oriented: int,
        bodies: Bodies,
        support: Longs,
        most_body: Longs,
        most_pca: Longs,
        halt: Halt,
    ) -> tuple[Longs, Longs]:
        order = np.lexsort((bodies.a, bodies.c, bodies.b, bodies.shape))
        ordered = bodies[order]
        columns = (ordered.shape, ordered.a, ordered.b, ordered.c)
        found = self._sizes.measure(
            *(self._graph, halt, oriented, *columns),
            *(support[order], most_body[order], most_pca[order], _MOST_REMEMBERED),
        )
        size, pca_size = np.empty_like(support), np.empty_like(support)
        size[order], pca_size[order] = found
        return size, pca_size


class _HeadSearch:
    """The frequent bodies of one head, level by level: a body is counted only if its parts are
    frequent, since a part's support is never less."""

    def __init__(
        self,
        kernels: ModuleType,
        graph: tuple[Any, ...],
        relations: Relations,
        head: int,
        least: int,
        halt: Halt,
    ) -> None:
        self.kernels, self.graph, self.relations = kernels, graph, relations
        self.least, self.halt = least, halt
        self.head = 2 * head
        self.from_x = np.flatnonzero(kernels.count_kinds(graph, self.head) >= least)
        self.from_y = np.flatnonzero(kernels.count_kinds(graph, self.head ^ 1) >= least)
        self.nx, self.ny = len(self.from_x), len(self.from_y)
        self.X = _numbered(relations.n_oriented, self.from_x)
        self.Y = _numbered(relations.n_oriented, self.from_y)
        self.bodies: list[Bodies] = []
        self.supports: list[Longs] = [np.empty(0, np.int64)]

    def pairs(self, atoms: int) -> None:
        """One and two atoms."""
        self.edge, self.edges, self.path = self.kernels.count_pairs(
            self.graph, self.halt, self.head, self.X, self.Y, self.nx, self.ny
        )
        x, y = self.from_x, self.from_y
        self._add(EDGE, self.edge, lambda a: (x[a], None, None))
        if atoms > 1:
            self._add(EDGES, self.edges, lambda a, b: (x[a], x[b], None))
            self._add(PATH, self.path, lambda a, b: (x[a], y[b] ^ 1, None))

    def triples(self) -> None:
        """Three atoms that are no chain."""
        x, y, nx, ny = self.from_x, self.from_y, self.nx, self.ny
        fork_x = self.kernels.count_forks(self.graph, self.head, self.X, nx)
        fork_y = self.kernels.count_forks(self.graph, self.head ^ 1, self.Y, ny)
        (edge, edges), (two, twos), (path, paths) = (
            self._frequent(t) for t in (self.edge, self.edges, self.path)
        )
        (at_x, forks_x), (at_y, forks_y) = self._frequent(fork_x), self._frequent(fork_y)
        self._within_memory(
            *(len(edges) * len(other) for other in (twos, paths, forks_x, forks_y)),
            *(len(forks_x) * ny, len(forks_y) * nx),
        )
        counted = self.kernels.count_triples(
            *(self.graph, self.halt, self.head, self.X, self.Y, edge, len(edges), two, len(twos)),
            *(path, len(paths), at_x, len(forks_x), at_y, len(forks_y)),
        )
        e = x[edges]
        (a2, b2), (ap, bp) = np.divmod(twos, max(nx, 1)), np.divmod(paths, max(ny, 1))
        (ax, bx), (ay, by) = np.divmod(forks_x, max(nx, 1)), np.divmod(forks_y, max(ny, 1))
        self._add(TRIPLE, counted[0], lambda k, c: (x[a2[k]], x[b2[k]], e[c]))
        self._add(PATH_EDGE, counted[1], lambda k, c: (x[ap[k]], y[bp[k]] ^ 1, e[c]))
        self._add(FORK_AT_X, counted[2], lambda k, c: (x[ax[k]], x[bx[k]], e[c]))
        self._add(FORK_AT_Y, counted[3], lambda k, c: (y[ay[k]], y[by[k]], e[c]))
        self._add(DOUBLE_AT_X, counted[4], lambda k, c: (x[ax[k]], x[bx[k]], y[c] ^ 1))
        self._add(DOUBLE_AT_Y, counted[5], lambda k, c: (y[ay[k]], y[by[k]], x[c]))

    def chains(self) -> None:
        """Chains, counted from the side from which fewer ways lead on."""
        backwards = self._work(self.head ^ 1) < self._work(self.head)
        h, X, Y, x, y = self.head, self.X, self.Y, self.from_x, self.from_y
        if backwards:
            h, X, Y, x, y = h ^ 1, Y, X, y, x
        if not len(x) or not len(y):
            return
        ends = self.kernels.count_ends(self.graph, h, X, Y, len(x), len(y)) >= self.least
        onward = self.kernels.count_open(self.graph, h, X, len(x))
        back = self.kernels.count_open(self.graph, h ^ 1, Y, len(y)) >= self.least
        onward[:, ~back.any(axis=0)[np.arange(onward.shape[1]) ^ 1]] = 0
        _, ways = self._frequent(onward)
        # A slice of the ways at a time, so that the table keeps within memory.
        slice_ = max(1, _MOST_OPEN // len(y))
        for first in range(0, len(ways), slice_):
            a, b = np.divmod(ways[first : first + slice_], onward.shape[1])
            opened = np.full(onward.shape, -1, np.int32)
            opened[a, b] = np.arange(len(a))
            allowed = ends[a] & back[:, b ^ 1].T
            table = self.kernels.count_chains(
                *(self.graph, self.halt, h, X, Y), opened, len(a), allowed
            )
            if backwards:
                self._add(CHAIN, table, lambda k, c: (y[c], b[k] ^ 1, x[a[k]] ^ 1))  # noqa: B023
            else:
                self._add(CHAIN, table, lambda k, c: (x[a[k]], b[k], y[c] ^ 1))  # noqa: B023

    def _work(self, oriented: int) -> int:
        """The two-paths from the subjects of an oriented relation."""
        return int(self.relations.two_paths[self.relations.subjects_of(oriented)].sum())

    def _within_memory(self, *sizes: int) -> None:
        if sum(sizes) > _MOST_ENTRIES:
            name = self.relations.names[self.head >> 1]
            message = f"too many bodies of three atoms are frequent for `{name}`"
            hint = "raise --min-support or --min-head-coverage, or name --relations"
            raise LimitReached(Problem("too-many-bodies", message, hint=hint))

    def _frequent(self, table: Longs) -> tuple[NDArray[np.int32], Longs]:
        """Numbers for the frequent entries, and the entries (as flat indices) by their number."""
        entries = np.flatnonzero(table >= self.least)
        return _numbered(table.size, entries).reshape(table.shape), entries

    def _add(self, shape: int, table: NDArray[Any], atoms: Any) -> None:
        """The frequent entries of a table as bodies."""
        places = np.nonzero(table >= self.least)
        support = table[places].astype(np.int64)
        columns = (
            np.full(len(support), NONE, np.int32) if c is None else c.astype(np.int32)
            for c in atoms(*places)
        )
        self.bodies.append(Bodies(np.full(len(support), shape, np.int32), *columns))
        self.supports.append(support)


def _numbered(size: int, chosen: Longs) -> NDArray[np.int32]:
    """The number of each of the chosen, -1 for all others."""
    numbers = np.full(size, -1, np.int32)
    numbers[chosen] = np.arange(len(chosen))
    return numbers


def _kernels(name: str) -> ModuleType:
    """A module of kernels, its compiled code kept in a folder of the user's.

    numba decides where when a function is decorated, and by one variable for all that it compiles:
    it is set for as long as the module loads."""
    from numba.core import config as numba_config

    config: Any = numba_config  # its settings are made when it loads
    whole = f"kgverify.mining.kernels.{name}"
    if whole in sys.modules:
        return sys.modules[whole]
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_cache_folder())
    try:
        return import_module(whole)
    finally:
        config.CACHE_DIR = before


def _cache_folder() -> Path:
    """Where compiled code is kept: KGVERIFY_CACHE, else the system's place for caches."""
    named = os.environ.get(CACHE_VARIABLE)
    folder = (Path(named) if named else _caches() / "kgverify") / "numba"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _unkept()
    return folder if os.access(folder, os.W_OK) else _unkept()


def _unkept() -> Path:
    """A folder for this process only: where nothing can be kept, it compiles anew each time."""
    folder = Path(tempfile.mkdtemp(prefix="kgverify-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _caches() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
