"""Support: for how many head pairs a body holds, counted for all bodies at once.

`g` is the graph as a tuple of arrays (see `Relations`): rows, subjects, starts, objects, edges,
nearby, nearby_by, kind_rows, kinds.  `h` is the head as an oriented relation, x its subject and y
its object.  `X` and `Y` number the oriented relations that may start at x and at y from 0, -1 for
the others; tables have these numbers as indices.  Every count is one of distinct head pairs: a
table of stamps remembers the pair that an entry was last counted for.

The work is that of finding the triangles, and for chains the squares, that a head's facts are a
side of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kgverify.mining.kernels.lookup import compiled, first_from, grown, neighbours


@compiled
def count_kinds(g: Any, h: int) -> Any:
    """For each oriented relation, the facts of h whose subject is one of its subjects."""
    rows, subjects, starts, kind_rows, kinds = g[0], g[1], g[2], g[7], g[8]
    counts = np.zeros(len(rows) - 1, np.int64)
    for i in range(rows[h], rows[h + 1]):
        x = subjects[i]
        for k in range(kind_rows[x], kind_rows[x + 1]):
            counts[kinds[k]] += starts[i + 1] - starts[i]
    return counts


@compiled
def mark_near(g: Any, x: int, stamp: int, seen: Any, place: Any) -> int:
    """Remember where each neighbour of x begins among the edges of x; how many there are."""
    edges, nearby = g[4], g[5]
    number = 0
    last = -1
    for e in range(edges[x], edges[x + 1]):
        z = nearby[e]
        if z != last:
            seen[z] = stamp
            place[z] = e
            last = z
            number += 1
    return number


@compiled
def meet(g: Any, x: int, y: int, near: int, stamp: int, seen: Any, place: Any, found: Any) -> int:
    """The common neighbours of x (marked) and y: into `found`, where each begins among the edges of
    x and of y; how many there are.  Goes through the edges of whichever has fewer."""
    edges, nearby = g[4], g[5]
    start, end = edges[y], edges[y + 1]
    number = 0
    if end - start <= near * 8:
        last = -1
        for e in range(start, end):
            z = nearby[e]
            if z != last:
                last = z
                if seen[z] == stamp:
                    found[number, 0] = place[z]
                    found[number, 1] = e
                    number += 1
        return number
    last = -1
    low = start
    for f in range(edges[x], edges[x + 1]):
        z = nearby[f]
        if z == last:
            continue
        last = z
        low = first_from(nearby, low, end, z)
        if low == end:
            break
        if nearby[low] == z:
            found[number, 0] = f
            found[number, 1] = low
            number += 1
    return number


@compiled
def count_pairs(g: Any, halt: Any, h: int, X: Any, Y: Any, nx: int, ny: int) -> Any:
    """Heads' facts by bodies of one and two atoms: one edge [nx], two edges [nx, nx] (the smaller
    number first), paths [nx, ny] (the second atom by the number of its way from y)."""
    rows, subjects, starts, objects = g[0], g[1], g[2], g[3]
    edges, nearby, nearby_by = g[4], g[5], g[6]
    n = len(edges) - 1
    one = np.zeros(nx, np.int64)
    two = np.zeros((nx, nx), np.int64)
    path = np.zeros((nx, ny), np.int64)
    stamps = np.full((nx, ny), -1, np.int64)
    seen = np.full(n, -1, np.int64)
    place = np.empty(n, np.int64)
    found = np.empty((n, 2), np.int64)
    for i in range(rows[h], rows[h + 1]):
        if halt[0]:
            break
        x = subjects[i]
        near = mark_near(g, x, i, seen, place)
        for fact in range(starts[i], starts[i + 1]):
            y = objects[fact]
            if seen[y] == i:
                e = place[y]
                while e < edges[x + 1] and nearby[e] == y:
                    a = X[nearby_by[e]]
                    if a >= 0 and nearby_by[e] != h:
                        one[a] += 1
                        f = e + 1
                        while f < edges[x + 1] and nearby[f] == y:
                            b = X[nearby_by[f]]
                            if b >= 0 and nearby_by[f] != h:
                                two[a, b] += 1
                            f += 1
                    e += 1
            for k in range(meet(g, x, y, near, i, seen, place, found)):
                e, first = found[k, 0], found[k, 1]
                z = nearby[e]
                while e < edges[x + 1] and nearby[e] == z:
                    a = X[nearby_by[e]]
                    if a >= 0:
                        f = first
                        while f < edges[y + 1] and nearby[f] == z:
                            b = Y[nearby_by[f]]
                            if b >= 0 and stamps[a, b] != fact:
                                stamps[a, b] = fact
                                path[a, b] += 1
                            f += 1
                    e += 1
    return one, two, path


@compiled
def forks(g: Any, x: int, X: Any, index: Any, stamps: Any, stamp: int, found: Any) -> int:
    """The pairs a, b with a common neighbour of x, once each: their numbers in `index` (-1 for
    those that don't count) into `found`; how many there are."""
    edges, nearby, nearby_by = g[4], g[5], g[6]
    number = 0
    for e in range(edges[x], edges[x + 1]):
        a = X[nearby_by[e]]
        if a < 0:
            continue
        f = e + 1
        while f < edges[x + 1] and nearby[f] == nearby[e]:
            b = X[nearby_by[f]]
            if b >= 0:
                k = index[a, b]
                if k >= 0 and stamps[k] != stamp:
                    stamps[k] = stamp
                    found[number] = k
                    number += 1
            f += 1
    return number


@compiled
def count_forks(g: Any, h: int, X: Any, nx: int) -> Any:
    """The facts of h whose subject has a common neighbour by a and by b.  [nx, nx]"""
    rows, subjects, starts = g[0], g[1], g[2]
    table = np.zeros((nx, nx), np.int64)
    index = np.arange(nx * nx).reshape((nx, nx))
    stamps = np.full(nx * nx, -1, np.int64)
    found = np.empty(nx * nx, np.int64)
    for i in range(rows[h], rows[h + 1]):
        for k in range(forks(g, subjects[i], X, index, stamps, i, found)):
            table[found[k] // nx, found[k] % nx] += starts[i + 1] - starts[i]
    return table


@compiled
def count_open(g: Any, h: int, X: Any, nx: int) -> Any:
    """The facts of h from whose subject a way by a and then b starts.  [nx, oriented]"""
    rows, subjects, starts, objects = g[0], g[1], g[2], g[3]
    kind_rows, kinds = g[7], g[8]
    table = np.zeros((nx, len(rows) - 1), np.int64)
    stamps = np.full((nx, len(rows) - 1), -1, np.int64)
    for i in range(rows[h], rows[h + 1]):
        x = subjects[i]
        for k in range(kind_rows[x], kind_rows[x + 1]):
            a = X[kinds[k]]
            if a < 0:
                continue
            start, end = neighbours(g, kinds[k], x)
            for e in range(start, end):
                z = objects[e]
                for t in range(kind_rows[z], kind_rows[z + 1]):
                    b = kinds[t]
                    if stamps[a, b] != i:
                        stamps[a, b] = i
                        table[a, b] += starts[i + 1] - starts[i]
    return table


@compiled
def count_ends(g: Any, h: int, X: Any, Y: Any, nx: int, ny: int) -> Any:
    """The facts of h whose subject is one of a's and whose object is one of b's.  [nx, ny]"""
    rows, subjects, starts, objects = g[0], g[1], g[2], g[3]
    kind_rows, kinds = g[7], g[8]
    table = np.zeros((nx, ny), np.int64)
    for i in range(rows[h], rows[h + 1]):
        x = subjects[i]
        for fact in range(starts[i], starts[i + 1]):
            y = objects[fact]
            for k in range(kind_rows[x], kind_rows[x + 1]):
                a = X[kinds[k]]
                if a < 0:
                    continue
                for t in range(kind_rows[y], kind_rows[y + 1]):
                    b = Y[kinds[t]]
                    if b >= 0:
                        table[a, b] += 1
    return table


@compiled
def count_triples(
    g: Any,
    halt: Any,
    h: int,
    X: Any,
    Y: Any,
    edge: Any,
    n_edges: int,
    two: Any,
    n_two: int,
    path: Any,
    n_paths: int,
    fork_x: Any,
    n_fork_x: int,
    fork_y: Any,
    n_fork_y: int,
) -> Any:
    """Heads' facts by bodies of three atoms that are no chain.  `edge`, `two`, `path` and the forks
    number what is frequent among one and two atoms, -1 for the rest."""
    rows, subjects, starts, objects = g[0], g[1], g[2], g[3]
    edges, nearby, nearby_by = g[4], g[5], g[6]
    n = len(edges) - 1
    nx, ny = path.shape
    triple = np.zeros((n_two, n_edges), np.int64)
    path_edge = np.zeros((n_paths, n_edges), np.int64)
    fork_at_x = np.zeros((n_fork_x, n_edges), np.int64)
    fork_at_y = np.zeros((n_fork_y, n_edges), np.int64)
    double_at_x = np.zeros((n_fork_x, ny), np.int64)
    double_at_y = np.zeros((n_fork_y, nx), np.int64)
    stamps_at_x = np.full((n_fork_x, ny), -1, np.int64)
    stamps_at_y = np.full((n_fork_y, nx), -1, np.int64)
    path_stamps = np.full(n_paths, -1, np.int64)
    x_stamps = np.full(n_fork_x, -1, np.int64)
    y_stamps = np.full(n_fork_y, -1, np.int64)
    paths = np.empty(n_paths, np.int64)
    x_forks = np.empty(n_fork_x, np.int64)
    y_forks = np.empty(n_fork_y, np.int64)
    here = np.empty(n_edges, np.int64)
    ends = np.empty(len(rows), np.int64)
    seen = np.full(n, -1, np.int64)
    place = np.empty(n, np.int64)
    found = np.empty((n, 2), np.int64)
    for i in range(rows[h], rows[h + 1]):
        if halt[0]:
            break
        x = subjects[i]
        near = mark_near(g, x, i, seen, place)
        n_x_forks = -1
        for fact in range(starts[i], starts[i + 1]):
            y = objects[fact]
            n_here = 0
            if seen[y] == i:
                e = place[y]
                while e < edges[x + 1] and nearby[e] == y:
                    a = X[nearby_by[e]]
                    if a >= 0 and edge[a] >= 0:
                        here[n_here] = edge[a]
                        ends[n_here] = a
                        n_here += 1
                    e += 1
            for p in range(n_here):
                for q in range(p + 1, n_here):
                    k = two[ends[p], ends[q]]
                    if k >= 0:
                        for r in range(q + 1, n_here):
                            triple[k, here[r]] += 1
            if n_here:
                if n_x_forks < 0:
                    n_x_forks = forks(g, x, X, fork_x, x_stamps, i, x_forks)
                for k in range(n_x_forks):
                    for p in range(n_here):
                        fork_at_x[x_forks[k], here[p]] += 1
                for k in range(forks(g, y, Y, fork_y, y_stamps, fact, y_forks)):
                    for p in range(n_here):
                        fork_at_y[y_forks[k], here[p]] += 1
            found_paths = 0
            for m in range(meet(g, x, y, near, i, seen, place, found)):
                first, e2 = found[m, 0], found[m, 1]
                z = nearby[first]
                e = first
                while e < edges[x + 1] and nearby[e] == z:
                    a = X[nearby_by[e]]
                    f = e2
                    while a >= 0 and f < edges[y + 1] and nearby[f] == z:
                        b = Y[nearby_by[f]]
                        if b < 0 or path[a, b] < 0:
                            f += 1
                            continue
                        k = path[a, b]
                        if path_stamps[k] != fact:
                            path_stamps[k] = fact
                            paths[found_paths] = k
                            found_paths += 1
                        e3 = e + 1
                        while e3 < edges[x + 1] and nearby[e3] == z:
                            a2 = X[nearby_by[e3]]
                            if a2 >= 0:
                                t = fork_x[a, a2]
                                if t >= 0 and stamps_at_x[t, b] != fact:
                                    stamps_at_x[t, b] = fact
                                    double_at_x[t, b] += 1
                            e3 += 1
                        f3 = f + 1
                        while f3 < edges[y + 1] and nearby[f3] == z:
                            b2 = Y[nearby_by[f3]]
                            if b2 >= 0:
                                t = fork_y[b, b2]
                                if t >= 0 and stamps_at_y[t, a] != fact:
                                    stamps_at_y[t, a] = fact
                                    double_at_y[t, a] += 1
                            f3 += 1
                        f += 1
                    e += 1
            for k in range(found_paths):
                for p in range(n_here):
                    path_edge[paths[k], here[p]] += 1
    return triple, path_edge, fork_at_x, fork_at_y, double_at_x, double_at_y


@compiled
def count_chains(
    g: Any, halt: Any, h: int, X: Any, Y: Any, opened: Any, n_open: int, allowed: Any
) -> Any:
    """Heads' facts by chains.  `opened` numbers the ways by a and b that are frequent from x, and
    `allowed[way, c]` says which c may follow (by the number of its way from y).  [n_open, ny]

    From x nearly every neighbour of y is reached, by h and back over it; so all are looked at."""
    rows, subjects, starts, objects = g[0], g[1], g[2], g[3]
    edges, nearby, nearby_by, kind_rows, kinds = g[4], g[5], g[6], g[7], g[8]
    n = len(edges) - 1
    ny = allowed.shape[1]
    table = np.zeros((n_open, ny), np.int32)
    stamps = np.full((n_open, ny), -1, np.int32)
    seen = np.full(n, -1, np.int64)
    latest = np.empty(n, np.int64)
    ways = np.empty(1024, np.int32)
    starts_by = np.empty(1024, np.int32)
    before = np.empty(1024, np.int64)
    for i in range(rows[h], rows[h + 1]):
        if halt[0]:
            break
        x = subjects[i]
        size = 0
        for k in range(kind_rows[x], kind_rows[x + 1]):
            a = X[kinds[k]]
            if a < 0:
                continue
            start, end = neighbours(g, kinds[k], x)
            for m in range(start, end):
                z = objects[m]
                for e in range(edges[z], edges[z + 1]):
                    way = opened[a, nearby_by[e]]
                    if way < 0:
                        continue
                    w = nearby[e]
                    last = np.int64(-1)
                    if seen[w] == i:
                        last = latest[w]
                        # What the same a reached lies on top, so that each way is there once.
                        t = last
                        while t >= 0 and starts_by[t] == a and ways[t] != way:
                            t = before[t]
                        if t >= 0 and ways[t] == way:
                            continue
                    else:
                        seen[w] = i
                    if size == len(ways):
                        ways = grown(ways, 0)
                        starts_by = grown(starts_by, 0)
                        before = grown(before, 0)
                    ways[size] = way
                    starts_by[size] = a
                    before[size] = last
                    latest[w] = size
                    size += 1
        if size == 0:
            continue
        for fact in range(starts[i], starts[i + 1]):
            y = objects[fact]
            stamp = fact - starts[rows[h]]
            for f in range(edges[y], edges[y + 1]):
                w = nearby[f]
                if seen[w] != i:
                    continue
                c = Y[nearby_by[f]]
                if c < 0:
                    continue
                t = latest[w]
                while t >= 0:
                    way = ways[t]
                    if stamps[way, c] != stamp and allowed[way, c]:
                        stamps[way, c] = stamp
                        table[way, c] += 1
                    t = before[t]
    return table
