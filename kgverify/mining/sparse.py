"""Counting with sparse matrices (scipy): the same counts as `compiled.py`, slower.

A body is the matrix of the pairs that it holds for: an atom is its relation's, atoms between the
same variables multiply elementwise, and a shared variable is a product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

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
    Body,
    edge,
    edges,
)
from kgverify.mining.counting import Candidates, Halt
from kgverify.mining.relations import Relations


class Sparse:
    """Counts with sparse matrices."""

    def __init__(self, relations: Relations) -> None:
        from scipy.sparse import csr_array

        self.relations = relations
        n = relations.n_entities
        self._matrices = [
            csr_array((np.ones(relations.size(o), np.int32), relations.facts(o)), shape=(n, n))
            for o in range(relations.n_oriented)
        ]

    def candidates(self, head: int, least: int, atoms: int, halt: Halt) -> Candidates:
        least = max(least, 1)
        supports = {}
        for body, matrix in self._frequent_parts(2 * head, least, atoms):
            if halt[0]:
                break
            if (support := self.support(matrix, 2 * head)) >= least:
                supports[body] = support
        columns = np.array(list(supports), np.int32).reshape(-1, 4).T
        return Candidates(Bodies(*columns), np.array(list(supports.values()), np.int64))

    def sizes(
        self,
        oriented: int,
        bodies: Bodies,
        support: Longs,
        most_body: Longs,
        most_pca: Longs,
        halt: Halt,
    ) -> tuple[Longs, Longs]:
        subjects = self.relations.subjects_of(oriented)
        body, pca = np.zeros_like(support), np.zeros_like(support)
        for number, one in enumerate(bodies.tuples()):
            if halt[0]:
                break
            rows = np.diff(self.matrix(one).indptr)
            body[number], pca[number] = rows.sum(), rows[subjects].sum()
        hopeless = (pca > most_pca) | ((body > most_body) & (pca > support))
        body[hopeless | (body > most_body)] = -1
        pca[hopeless] = -1
        return body, pca

    def _frequent_parts(self, h: int, least: int, atoms: int) -> Iterator[tuple[Body, Any]]:
        """The bodies, with their matrices, that may be frequent: each of their parts is."""
        a_matrix, n = self._matrices, self.relations.n_oriented
        head = a_matrix[h]
        from_x = [o for o in range(n) if self._held_by(a_matrix[o], head) >= least]
        from_y = [o for o in range(n) if self._held_by(a_matrix[o], a_matrix[h ^ 1]) >= least]
        one = [a for a in from_x if a != h and self.support(a_matrix[a], h) >= least]
        yield from self._with_matrices(map(edge, one))
        if atoms < 2:
            return
        yield from self._with_matrices(edges(a, b) for a, b in combinations(one, 2))
        paths = [(PATH, a, b ^ 1, NONE) for a in from_x for b in from_y]
        frequent = []
        for path, matrix in self._with_matrices(paths):
            if self.support(matrix, h) >= least:
                frequent.append(path)
                yield path, matrix
        if atoms < 3:
            return
        yield from self._with_matrices(
            [
                *((TRIPLE, a, b, c) for a, b, c in combinations(one, 3)),
                *((PATH_EDGE, a, b, c) for _, a, b, _ in frequent for c in one),
                *((FORK_AT_X, a, b, c) for a, b in combinations(from_x, 2) for c in one),
                *((FORK_AT_Y, a, b, c) for a, b in combinations(from_y, 2) for c in one),
                *((DOUBLE_AT_X, a, b, c ^ 1) for a, b in combinations(from_x, 2) for c in from_y),
                *((DOUBLE_AT_Y, a, b, c) for a, b in combinations(from_y, 2) for c in from_x),
            ]
        )
        for a in from_x:
            for b in range(n):
                opened = _product(a_matrix[a], a_matrix[b])
                if self._held_by(opened, head) >= least:
                    for c in from_y:
                        yield (CHAIN, a, b, c ^ 1), _product(opened, a_matrix[c ^ 1])

    def _with_matrices(self, bodies: Iterable[Body]) -> Iterator[tuple[Body, Any]]:
        return ((body, self.matrix(body)) for body in bodies)

    def matrix(self, body: Body) -> Any:
        """The pairs for which a body holds; 1 for each, and no zeros are stored."""
        shape, a, b, c = body
        m = self._matrices
        if shape == EDGE:
            return m[a]
        if shape == PATH:
            return _product(m[a], m[b])
        if shape == PATH_EDGE:
            return _both(_product(m[a], m[b]), m[c])
        if shape == CHAIN:
            return _product(_product(m[a], m[b]), m[c])
        both = _both(m[a], m[b])
        if shape == EDGES:
            return both
        if shape == TRIPLE:
            return _both(both, m[c])
        if shape == DOUBLE_AT_X:
            return _product(both, m[c])
        if shape == DOUBLE_AT_Y:
            return _product(m[c], both.T)
        here = (np.diff(both.indptr) > 0).astype(np.int32)
        if shape == FORK_AT_X:
            return _without_zeros(m[c].multiply(here[:, None]))
        return _without_zeros(m[c].multiply(here[None, :]))

    def support(self, matrix: Any, h: int) -> int:
        """How many facts of an oriented relation are among the pairs of a matrix."""
        return int(_both(matrix, self._matrices[h]).nnz)

    def _held_by(self, matrix: Any, head: Any) -> int:
        """How many facts of the head have a subject with something in the matrix."""
        return int(np.diff(head.indptr)[np.diff(matrix.indptr) > 0].sum())


def _product(left: Any, right: Any) -> Any:
    result = (left @ right).tocsr()
    result.data[:] = 1
    return result


def _both(left: Any, right: Any) -> Any:
    return _without_zeros(left.multiply(right))


def _without_zeros(matrix: Any) -> Any:
    result = matrix.tocsr()
    result.eliminate_zeros()
    return result
