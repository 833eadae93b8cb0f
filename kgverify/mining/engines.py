"""Which way of counting is there."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

from kgverify.errors import KgverifyError, Problem
from kgverify.mining.counting import Counter
from kgverify.mining.relations import Relations

Engine = Literal["compiled", "sparse"]

_NEEDS = {"compiled": "numba", "sparse": "scipy"}


def default_engine() -> Engine:
    """Compiled loops where numba is installed, else sparse matrices."""
    return "compiled" if find_spec("numba") is not None else "sparse"


def counter(relations: Relations, engine: Engine | None = None) -> Counter:
    """A counter over the relations; the default engine if none is named.  Raises KgverifyError
    where its package is missing."""
    engine = engine or default_engine()
    require(_NEEDS[engine])
    if engine == "compiled":
        from kgverify.mining.compiled import Compiled

        return Compiled(relations)
    from kgverify.mining.sparse import Sparse

    return Sparse(relations)


def require(package: str) -> None:
    """Raises KgverifyError for a package that is not installed."""
    if find_spec(package) is None:
        raise KgverifyError(
            Problem(
                "missing-package",
                f"mining needs {package}, which is not installed",
                hint="pip install 'kgverify[mining]'",
            )
        )
