"""What the kernels share.

`g` is the graph as a tuple of arrays (see `Relations`): rows, subjects, starts, objects, edges,
nearby, nearby_by, kind_rows, kinds.  Once `halt[0]` is set from outside, a long loop breaks off and
what it returns means nothing.  All kernels release the interpreter's lock, so that threads
count several heads at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

# Where compiled code is kept is decided by who loads the kernels (`compiled.py`).
compiled = njit(nogil=True, cache=True)


@compiled
def first_from(values: Any, low: int, end: int, wanted: int) -> int:
    """The first place of an ascending range whose value is not below the wanted one; `end` if there
    is none."""
    high = end
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def neighbours(g: Any, o: int, x: int) -> Any:
    """Where the neighbours of x by o are among the objects: start and end."""
    rows, subjects, starts = g[0], g[1], g[2]
    end = rows[o + 1]
    place = first_from(subjects, rows[o], end, x)
    if place < end and subjects[place] == x:
        return starts[place], starts[place + 1]
    return np.int64(0), np.int64(0)


@compiled
def grown(values: Any, least: int) -> Any:
    """The array with room for at least so many values."""
    larger = np.empty(max(2 * len(values), least), values.dtype)
    larger[: len(values)] = values
    return larger
