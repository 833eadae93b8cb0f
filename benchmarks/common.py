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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from kgverify import Graph, Question, RuleBook, Verdict

T = TypeVar("T")

DATA_VARIABLE = "KGVERIFY_DATA"
WORDS = ("sat", "viol", "unk")


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


@dataclass(frozen=True)
class Compared:
    """The slice engine's verdicts by question, and how the reference engine's compare with them."""

    verdicts: dict[str, list[Verdict]]
    same: int
    problems: tuple[str, ...]
    slice_seconds: list[float]
    reference_seconds: float

    def as_json(self) -> dict[str, Any]:
        """How they compare, and how long they took."""
        return {
            "verdicts": sum(map(len, self.verdicts.values())),
            "same": self.same,
            "problems": list(self.problems),
            "slice_seconds": self.slice_seconds,
            "reference_seconds": self.reference_seconds,
        }


def engines_agree(results: dict[str, Any]) -> bool:
    """Did both engines answer everything alike?  `results` hold `Compared.as_json`."""
    return bool(results["same"] == results["verdicts"]) and not results["problems"]


def engines_text(results: dict[str, Any]) -> str:
    """`Compared.as_json` for people."""
    took, reference = spread(results["slice_seconds"]), results["reference_seconds"]
    lines = [
        f"slice and reference agree on {results['same']:,} of {results['verdicts']:,} candidates "
        "(verdict, support, basis, rank, all statuses)",
        f"slice {seconds(took.median)} ({seconds(took.least)}–{seconds(took.most)}), "
        f"{number(results['verdicts'] / took.median)} candidates a second; "
        f"reference {seconds(reference)}; ratio {number(reference / took.median)}",
    ]
    return "\n".join([*lines, *results["problems"]])


def compare_engines(
    graph: Graph, rules: RuleBook, questions: Sequence[Question], repeat: int
) -> Compared:
    """Verify with both engines: with the slice engine so many times, with the other once."""
    from kgverify import Verifier

    engines = {name: Verifier(graph, rules, "rank", name) for name in ("slice", "reference")}
    answers, slice_seconds = list(engines["slice"].verify(questions)), []
    for _ in range(repeat):
        slice_seconds.append(timed(lambda: list(engines["slice"].verify(questions)))[1])
    others, reference_seconds = timed(lambda: list(engines["reference"].verify(questions)))
    same = 0
    for (ours, _), (theirs, _) in zip(answers, others, strict=True):
        found = {v.candidate: outcome(v) for v in theirs}
        same += sum(found.get(v.candidate) == outcome(v) for v in ours)
    return Compared(
        {q.id: verdicts for q, (verdicts, _) in zip(questions, answers, strict=True)},
        same,
        tuple(str(p) for _, problems in answers for p in problems if p.is_error),
        slice_seconds,
        reference_seconds,
    )


def verdicts(
    graph: Graph, rules: RuleBook, questions: Sequence[Question]
) -> dict[str, list[Verdict]]:
    """The slice engine's verdicts by question."""
    from kgverify import Verifier

    answers = Verifier(graph, rules, "rank").verify(questions)
    return {q.id: found for q, (found, _) in zip(questions, answers, strict=True)}


def outcome(verdict: Verdict) -> tuple[object, ...]:
    """All that a verdict says."""
    v = verdict
    return v.verdict, v.support, v.basis, v.rank, v.statuses


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
    from importlib.metadata import PackageNotFoundError, version

    def installed(name: str) -> str:
        try:
            return version(name)
        except PackageNotFoundError:
            return ""

    packages = ("kgverify", "clingo", "numpy", "pyoxigraph", "pyshacl", "rdflib")
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "packages": {name: installed(name) for name in packages},
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
