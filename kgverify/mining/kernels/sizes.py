"""Sizes of bodies: for how many pairs a body holds, and how many of them count under the partial
completeness assumption.

Bodies are said from the variable that the assumption is about, so that a row, the distinct y of
one x, counts whole or not at all.  Counting stops as soon as the rule can't reach the confidence
that is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kgverify.mining.bodies import (
    CHAIN,
    DOUBLE_AT_X,
    DOUBLE_AT_Y,
    EDGE,
    EDGES,
    FORK_AT_X,
    FORK_AT_Y,
    PATH,
    PATH_EDGE,
    TRIPLE,
)
from kgverify.mining.kernels.lookup import compiled, first_from, grown, neighbours


@compiled
def among(objects: Any, low: int, end: int, wanted: int) -> bool:
    """Whether a value is in an ascending range of the objects."""
    place = first_from(objects, low, end, wanted)
    return bool(place < end and objects[place] == wanted)


@compiled
def overlap(objects: Any, e: int, e_end: int, f: int, f_end: int) -> bool:
    """Whether two ascending ranges of the objects have a value in common."""
    while e < e_end and f < f_end:
        if objects[e] == objects[f]:
            return True
        if objects[e] < objects[f]:
            e += 1
        else:
            f += 1
    return False


@compiled
def row(
    g: Any, shape: int, a: int, b: int, c: int, x: int, most: int, marks: Any, ticks: Any
) -> int:
    """How many distinct y a body that is no chain has for x; at most `most` + 1 are counted.

    `marks` and `ticks` (the last tick of each of both uses) tell what was met in this row."""
    objects = g[3]
    number = 0
    ticks[0] += 1
    tick = ticks[0]
    start, end = neighbours(g, a, x)
    if shape == EDGE:
        return int(end - start)
    if shape in (EDGES, TRIPLE):
        b_start, b_end = neighbours(g, b, x)
        c_start, c_end = neighbours(g, c, x) if shape == TRIPLE else (b_start, b_end)
        for e in range(start, end):
            y = objects[e]
            if among(objects, b_start, b_end, y) and among(objects, c_start, c_end, y):
                number += 1
        return number
    if shape == PATH:
        for e in range(start, end):
            f_start, f_end = neighbours(g, b, objects[e])
            for f in range(f_start, f_end):
                y = objects[f]
                if marks[y] != tick:
                    marks[y] = tick
                    number += 1
                    if number > most:
                        return number
        return number
    c_start, c_end = neighbours(g, c, x)
    if shape == PATH_EDGE:
        for e in range(start, end):
            marks[objects[e]] = tick
        for e in range(c_start, c_end):
            f_start, f_end = neighbours(g, b ^ 1, objects[e])
            for f in range(f_start, f_end):
                if marks[objects[f]] == tick:
                    number += 1
                    break
        return number
    if shape == FORK_AT_X:
        b_start, b_end = neighbours(g, b, x)
        return int(c_end - c_start) if overlap(objects, start, end, b_start, b_end) else 0
    if shape == FORK_AT_Y:
        for e in range(c_start, c_end):
            start, end = neighbours(g, a, objects[e])
            b_start, b_end = neighbours(g, b, objects[e])
            if overlap(objects, start, end, b_start, b_end):
                number += 1
        return number
    if shape == DOUBLE_AT_X:
        b_start, b_end = neighbours(g, b, x)
        for e in range(start, end):
            if not among(objects, b_start, b_end, objects[e]):
                continue
            f_start, f_end = neighbours(g, c, objects[e])
            for f in range(f_start, f_end):
                y = objects[f]
                if marks[y] != tick:
                    marks[y] = tick
                    number += 1
                    if number > most:
                        return number
        return number
    # DOUBLE_AT_Y
    for m in range(c_start, c_end):
        start, end = neighbours(g, a ^ 1, objects[m])
        b_start, b_end = neighbours(g, b ^ 1, objects[m])
        for e in range(start, end):
            y = objects[e]
            if marks[y] != tick and among(objects, b_start, b_end, y):
                marks[y] = tick
                number += 1
                if number > most:
                    return number
    return number


@compiled
def first_atom(shape: int, a: int, c: int) -> int:
    """The oriented relation whose subjects are all that x can be."""
    if shape in (PATH_EDGE, FORK_AT_Y, DOUBLE_AT_Y):
        return c
    return a


@compiled
def measure(
    g: Any,
    halt: Any,
    h: int,
    shapes: Any,
    a: Any,
    b: Any,
    c: Any,
    support: Any,
    most_body: Any,
    most_pca: Any,
    remembered: int,
) -> Any:
    """Body sizes and PCA body sizes of rules with the oriented head h.

    A rule whose PCA body is larger than `most_pca` gets -1 for both.  One whose body is larger than
    `most_body` gets -1 for the body; its PCA body is known if it is no larger than the support,
    otherwise -1 too.  Chains are fastest when those with the same b and c stand together: about
    `remembered` objects of theirs are kept at a time."""
    rows, subjects, starts, objects, edges = g[0], g[1], g[2], g[3], g[4]
    n = len(edges) - 1
    bodies = np.full(len(shapes), -1, np.int64)
    pca_bodies = np.full(len(shapes), -1, np.int64)
    marks = np.zeros(n, np.int64)
    ticks = np.zeros(1, np.int64)
    # The rows by b and c of the z that were met, for as long as b and c stay the same.
    epoch = 0
    b_now, c_now = -1, -1
    used = 0
    memo = np.empty(1024, np.int32)
    memo_of = np.zeros(n, np.int64)
    memo_start = np.empty(n, np.int64)
    memo_end = np.empty(n, np.int64)
    w_marks = np.zeros(n, np.int64)
    # The subjects of h by entity.
    subject = np.zeros(n, np.bool_)
    for i in range(rows[h], rows[h + 1]):
        subject[subjects[i]] = True
    for r in range(len(shapes)):
        if halt[0]:
            break
        shape = shapes[r]
        if shape == CHAIN and (b[r] != b_now or c[r] != c_now):
            b_now, c_now = b[r], c[r]
            epoch += 1
            used = 0
        body, pca = 0, 0
        too_large = False
        failed = False
        o = first_atom(shape, a[r], c[r])
        for i in range(rows[o], rows[o + 1]):
            x = subjects[i]
            counts = subject[x]
            if counts:
                most = most_pca[r] - pca
            elif too_large:
                continue
            else:
                most = most_body[r] - body
            if shape != CHAIN:
                number = row(g, shape, a[r], b[r], c[r], x, most, marks, ticks)
            else:
                number = 0
                ticks[0] += 1
                row_tick = ticks[0]
                for m in range(starts[i], starts[i + 1]):
                    z = objects[m]
                    if memo_of[z] != epoch:
                        if used > remembered:
                            epoch += 1
                            used = 0
                        memo_of[z] = epoch
                        memo_start[z] = used
                        ticks[0] += 1
                        tick = ticks[0]
                        w_start, w_end = neighbours(g, b_now, z)
                        for f in range(w_start, w_end):
                            y_start, y_end = neighbours(g, c_now, objects[f])
                            if used + y_end - y_start > len(memo):
                                memo = grown(memo, used + y_end - y_start)
                            for t in range(y_start, y_end):
                                if w_marks[objects[t]] != tick:
                                    w_marks[objects[t]] = tick
                                    memo[used] = objects[t]
                                    used += 1
                        memo_end[z] = used
                    for t in range(memo_start[z], memo_end[z]):
                        if marks[memo[t]] != row_tick:
                            marks[memo[t]] = row_tick
                            number += 1
                    if number > most:
                        break
            body += number
            if counts:
                pca += number
                if pca > most_pca[r]:
                    failed = True
                    break
            if body > most_body[r]:
                too_large = True
            if too_large and pca > support[r]:
                failed = True
                break
        if failed:
            continue
        pca_bodies[r] = pca
        if not too_large:
            bodies[r] = body
    return bodies, pca_bodies
