"""Where what is computed of a corpus is kept: arrays in a folder beside it, mapped when used again.

An index is derived from a corpus, so it may be deleted at any time, and one that is damaged or of
another version is made anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import EvidenceError, Problem
from kgverify.graph.folders import FolderFormat

Arrays = dict[str, NDArray[Any]]
_FORMAT = FolderFormat(
    "kgverify index", 1, "index.json", "index", "kgverify retrieve", EvidenceError
)


def _ignored(_: Problem) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class IndexFolder:
    """A folder for indexes.  Where it can't be written, indexes are made each time, and `report` is
    told so, as a warning."""

    path: Path
    report: Callable[[Problem], None] = field(default=_ignored)

    def arrays(
        self,
        kind: str,
        key: str,
        shapes: Mapping[str, tuple[str, int]],
        make: Callable[[], Arrays],
    ) -> Arrays:
        """The arrays of one index, made unless they are there.

        `kind` names its folder, `key` says all that the arrays depend on, and `shapes` has of each
        array its type and the number of its columns, 0 for a plain one."""
        place = self.path / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
        if _FORMAT.is_one(place):
            try:
                return _mapped(place, key, shapes)
            except EvidenceError as error:
                self._warn(error, "the index is made again")
        made = make()
        try:
            _FORMAT.write(place, {"key": key}, made)
        except EvidenceError as error:
            self._warn(error, "the index is not kept", "--index names another folder")
            return made
        return _mapped(place, key, shapes)

    def _warn(self, error: EvidenceError, what: str, hint: str = "") -> None:
        for problem in error.problems:
            message = f"{what}: {problem.message}"
            self.report(Problem(problem.code, message, problem.span, hint, "warning"))


def _mapped(place: Path, key: str, shapes: Mapping[str, tuple[str, int]]) -> Arrays:
    described = _FORMAT.describe(place, {"key": str})
    if described["key"] != key:
        raise _FORMAT.damaged(place, "index.json", "is that of another index")
    sizes = described["arrays"]
    return {
        name: np.asarray(_FORMAT.map(place, name, sizes, dtype, width))
        for name, (dtype, width) in shapes.items()
    }
