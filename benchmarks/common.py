"""What the benchmarks share: timing, tables for people, results for machines."""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

DATA_VARIABLE = "KGVERIFY_DATA"


class Spread(NamedTuple):
    """Repeated measurements in brief."""

    median: float
    least: float
    most: float


def spread(values: Sequence[float]) -> Spread:
    """Median, least and most of the values."""
    return Spread(statistics.median(values), min(values), max(values))


def timed(function: Callable[[], T]) -> tuple[T, float]:
    """What the function returns, and the seconds it took."""
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start


def peak_memory() -> float:
    """The most memory, in MB, that this process has held at any time."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def data_folder(name: str) -> Path:
    """A folder of the real data.  Exits with a message when there is none."""
    root = os.environ.get(DATA_VARIABLE)
    if not root:
        sys.exit(f"set {DATA_VARIABLE} to the folder of the data sets")
    folder = Path(root) / name
    if not folder.is_dir():
        sys.exit(f"{folder} is missing; {DATA_VARIABLE} names the folder of the data sets")
    return folder


def machine() -> dict[str, Any]:
    """Where the results come from."""
    from importlib.metadata import version

    packages = ("kgverify", "clingo", "numpy", "pyoxigraph", "pyshacl", "rdflib")
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "packages": {name: version(name) for name in packages},
    }


def write_json(path: Path, results: dict[str, Any]) -> None:
    """Write results; the same results give the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A plain table; the first `left` columns are aligned to the left, the others to the right."""
    lines = [tuple(headers), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]

    def show(cells: Sequence[str]) -> str:
        aligned = (
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "  ".join(aligned).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([show(lines[0]), rule, *map(show, lines[1:])])


def number(value: float) -> str:
    """Three significant digits, thousands separated."""
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


def seconds(value: float) -> str:
    """A duration in a unit that suits it."""
    return f"{number(value)} s" if value >= 1 else f"{number(value * 1000)} ms"


def say(text: str = "", *, progress: bool = False) -> None:
    """Print a line; progress goes to standard error."""
    print(text, file=sys.stderr if progress else sys.stdout, flush=True)
