"""How fast kgverify verifies candidates, on graphs of two sizes, and how its peers do.

    python benchmarks/verify.py                  # 2.25M and 250k edges
    python benchmarks/verify.py --quick          # small graphs, seconds
    python benchmarks/verify.py --json benchmarks/results/verify.json

The graphs have the shape of Hetionet; every candidate has five constraints (see `synthetic.py`).
Every contender is a process of its own (see `contenders.py`), and they take turns, so that whatever
else the machine does hits all alike.  Timed is verification alone, on an open graph.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import common
from contenders import CONTENDERS, STORE, Members, Row, Run, Worker, available
from synthetic import DENIED, EDGES, GRAPH, Plan, Shape, read_batches, read_shape, write

SLICE, REFERENCE, SHACL = "kgverify slice", "kgverify reference", "pySHACL"
CONSTRAINTS = ("answer class", "treats", "causes", "palliates", "rule or class")
# Batches by name; `alike` is about equally many entities in both graphs.
BATCHES = ("one", "hundred", "all")
SEED = 20_240_501


class Size(NamedTuple):
    """A graph to measure on."""

    name: str
    scale: float


@dataclass
class Settings:
    """What to run."""

    large: Size
    small: Size
    plan: Plan
    contenders: list[str]
    repeat: int
    repeat_reference: int
    repeat_shacl: int

    @property
    def sizes(self) -> tuple[Size, Size]:
        return self.large, self.small


@dataclass
class Built:
    """How a graph was written and its store was built."""

    shape: Shape
    seconds: float
    memory: float


@dataclass
class Results:
    """All measurements: seconds per call and repetition by (size, contender, batch)."""

    built: dict[str, Built] = field(default_factory=dict)
    opened: dict[tuple[str, str], float] = field(default_factory=dict)
    memory: dict[tuple[str, str], float] = field(default_factory=dict)
    seconds: dict[tuple[str, str, str], list[float]] = field(default_factory=dict)
    candidates: dict[tuple[str, str], float] = field(default_factory=dict)
    agreement: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, dict[str, int]] = field(default_factory=dict)
    same_outcomes: dict[str, int] = field(default_factory=dict)

    def rate(self, size: str, contender: str, batch: str) -> common.Spread:
        """Candidates a second over the repetitions."""
        per_call = self.candidates[size, batch]
        return common.spread([per_call / s for s in self.seconds[size, contender, batch]])

    def latency(self, size: str, contender: str, batch: str) -> float:
        """Median seconds of a call."""
        return common.spread(self.seconds[size, contender, batch]).median


def main() -> None:
    """Measure and print."""
    options = _arguments()
    settings = _settings(options)
    with tempfile.TemporaryDirectory(prefix="kgverify-benchmark-") as folder:
        results = measure(settings, Path(folder))
    common.say(report(settings, results))
    if options.json:
        common.write_json(options.json, as_json(settings, results))
    if not all_agree(results):
        sys.exit("the engines, or the peers, DISAGREE")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny graphs, one repetition")
    parser.add_argument("--repeat", type=int, default=5, help="repetitions (default: 5)")
    parser.add_argument(
        "--repeat-reference", type=int, default=1, help="of the reference engine (default: 1)"
    )
    parser.add_argument(
        "--repeat-shacl", type=int, default=3, help="of pySHACL's largest batch (default: 3)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all measurements")
    return parser.parse_args()


def _settings(options: argparse.Namespace) -> Settings:
    if options.quick:
        large, small = Size("30k", 1 / 75), Size("10k", 1 / 225)
        return Settings(large, small, Plan(4, 2, small.scale), available(), 1, 1, 1)
    large, small = Size("2.25M", 1.0), Size("250k", 1 / 9)
    plan = Plan(100, 20, small.scale)
    repeats = options.repeat, options.repeat_reference, options.repeat_shacl
    return Settings(large, small, plan, available(), *(max(1, n) for n in repeats))


# ---------------------------------------------------------------- measuring


def measure(settings: Settings, folder: Path) -> Results:
    """Build the graphs, check that all contenders agree, then time them in turns."""
    results = Results()
    for size in settings.sizes:
        common.say(f"writing {size.name} edges and building the store", progress=True)
        results.built[size.name] = _in_process(_build, folder / size.name, size, settings.plan)
    workers = dict(_open(settings, folder, results))
    for size in settings.sizes:
        common.say(f"comparing answers on {size.name} edges", progress=True)
        _compare(size.name, workers, results)
    _time(settings, workers, results)
    for key, worker in workers.items():
        results.memory[key] = worker.close()
    return results


def _open(
    settings: Settings, folder: Path, results: Results
) -> Iterator[tuple[tuple[str, str], Worker]]:
    """A process for each contender and size, opened one after the other."""
    for size in settings.sizes:
        common.say(f"opening {size.name} edges", progress=True)
        for batch, calls in read_batches(folder / size.name).items():
            count = sum(len(question.candidates) for call in calls for question in call)
            results.candidates[size.name, batch] = count / len(calls)
        for name in settings.contenders:
            worker = Worker(name, folder / size.name)
            results.opened[size.name, name] = worker.opened()
            yield (size.name, name), worker


def _in_process(function: Any, *arguments: Any) -> Any:
    """The function's result, worked out in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def _build(folder: Path, size: Size, plan: Plan) -> Built:
    from kgverify import build_store

    write(folder, size.scale, SEED, plan)
    summary = build_store(folder / GRAPH, folder / STORE, denied=folder / DENIED)
    return Built(read_shape(folder), summary.seconds, common.peak_memory())


def _time(settings: Settings, workers: dict[tuple[str, str], Worker], results: Results) -> None:
    for turn in range(max(settings.repeat, settings.repeat_reference, settings.repeat_shacl)):
        common.say(f"timing, repetition {turn + 1}", progress=True)
        for size, name, batch in _turns(settings, turn):
            seconds = workers[size, name].run(batch).seconds
            measured = results.seconds.setdefault((size, name, batch), [])
            measured.append(sum(seconds) / len(seconds))


def _turns(settings: Settings, turn: int) -> Iterator[tuple[str, str, str]]:
    """What is run in a repetition: batch by batch, so that what is compared lies close in time.

    The reference engine's first repetition is the one that was compared."""
    for batch in (*BATCHES, "alike"):
        for name in settings.contenders:
            for size in settings.sizes:
                times = settings.repeat
                if name == REFERENCE:
                    times = settings.repeat_reference - 1 if batch == "all" else 0
                elif batch == "alike" and name != SLICE:
                    times = 0
                elif batch == "all" and name == SHACL:
                    times = settings.repeat_shacl
                if turn < times:
                    yield size.name, name, batch


def _compare(size: str, workers: dict[tuple[str, str], Worker], results: Results) -> None:
    """Do all find the same about the largest batch?  This also warms every contender up."""
    runs = {name: w.run("all", keep=True) for (place, name), w in workers.items() if place == size}
    results.seconds[size, REFERENCE, "all"] = list(runs[REFERENCE].seconds)
    ours = runs[SLICE]
    results.rows[size] = len(ours.outcomes)
    results.same_outcomes[size] = _same_outcomes(ours, runs[REFERENCE])
    counts: dict[str, int] = dict.fromkeys(("sat", "viol", "unk"), 0)
    for outcome in ours.outcomes.values():
        counts[str(outcome[0])] += 1
    results.verdicts[size] = counts
    for name, run in runs.items():
        results.agreement[size, name] = _agreement(ours.members, run.members)


def _same_outcomes(one: Run, other: Run) -> int:
    """How many candidates have the same verdict, support, basis, rank and statuses."""
    return sum(other.outcomes.get(row) == outcome for row, outcome in one.outcomes.items())


def _agreement(one: Members, other: Members) -> list[int]:
    """For each constraint, of how many candidates both say the same."""
    none: tuple[bool, ...] = ()

    def same(row: Row, place: int) -> bool:
        found = other.get(row, none)
        return place < len(found) and found[place] == one[row][place]

    return [sum(same(row, place) for row in one) for place in range(len(CONSTRAINTS))]


def all_agree(results: Results) -> bool:
    """Did nobody find anything different?"""
    engines = all(results.same_outcomes[size] == rows for size, rows in results.rows.items())
    return engines and all(
        count == results.rows[size]
        for (size, _), found in results.agreement.items()
        for count in found
    )


# ---------------------------------------------------------------- the report


def report(settings: Settings, results: Results) -> str:
    """Everything, as plain text."""
    parts = [_graphs(settings, results), _agreements(settings, results)]
    parts += [_rates(size.name, settings, results) for size in settings.sizes]
    parts += [_growth(settings, results), _headlines(settings, results)]
    return "\n\n".join(parts)


def _graphs(settings: Settings, results: Results) -> str:
    rows = []
    for size in settings.sizes:
        built = results.built[size.name]
        counts = results.verdicts[size.name]
        rows.append(
            (
                f"{built.shape.edges:,} edges",
                f"{built.shape.nodes:,}",
                f"{built.shape.degree:.0f}",
                common.seconds(built.seconds),
                f"{built.memory:,.0f}",
                ", ".join(f"{count:,} {word}" for word, count in counts.items()),
            )
        )
    headers = ("graph", "nodes", "degree", "store built", "MB", "verdicts on the largest batch")
    return (
        "Graphs (degree: mean, of the compounds in the batch that is alike in both; MB: peak while "
        "writing\nthe graph and building the store)\n\n" + common.table(headers, rows)
    )


def _agreements(settings: Settings, results: Results) -> str:
    lines = ["Correctness"]
    for size in settings.sizes:
        same, rows = results.same_outcomes[size.name], results.rows[size.name]
        lines.append(
            f"{size.name}: slice and reference agree on {same:,} of {rows:,} candidates "
            "(verdict, support, basis, rank, all statuses)"
        )
    rows_ = [
        (f"{name}, {size.name}", *(f"{n:,}" for n in results.agreement[size.name, name]))
        for size in settings.sizes
        for name in settings.contenders
        if name != SLICE
    ]
    lines += [
        "\nAgreement with the slice engine on who is in the relation, by constraint",
        "",
        common.table(("contender", *CONSTRAINTS), rows_),
    ]
    return "\n".join(lines)


def _rates(size: str, settings: Settings, results: Results) -> str:
    rows = []
    for name in settings.contenders:
        cells = [name]
        for batch in BATCHES:
            if (size, name, batch) in results.seconds:
                rate = results.rate(size, name, batch)
                cells.append(
                    f"{common.number(rate.median)} "
                    f"({common.number(rate.least)}–{common.number(rate.most)})"
                )
            else:
                cells.append("")
        cells.append(_ratio(size, name, results))
        cells.append(common.seconds(results.opened[size, name]))
        cells.append(f"{results.memory[size, name]:,.0f}")
        rows.append(tuple(cells))
    counts = (f"{results.candidates[size, batch]:,.0f}" for batch in BATCHES)
    headers = ("contender", *(f"batch of {c}" for c in counts), "× slice", "opened", "MB")
    return (
        f"Candidates a second, {size} edges: median (least–most)\n"
        "× slice: time for the largest batch over that of the slice engine\n\n"
        + common.table(headers, rows)
        + "\n\nkgverify returns ranked verdicts in three values.  SPARQL and quad look-ups only say"
        "\nwhich memberships hold, pySHACL which shapes fail; pySHACL has just the triples that the"
        "\nquestions touch." + _missing(settings)
    )


def _missing(settings: Settings) -> str:
    missing = [name for name in CONTENDERS if name not in settings.contenders]
    return f"\nNot installed: {'; '.join(missing)}." if missing else ""


def _ratio(size: str, name: str, results: Results) -> str:
    own = results.latency(size, name, "all")
    return common.number(own / results.latency(size, SLICE, "all"))


def growth(settings: Settings, results: Results) -> dict[str, float]:
    """For each batch, the slice engine's latency on the large graph over that on the small one."""
    large, small = (size.name for size in settings.sizes)
    return {
        batch: results.latency(large, SLICE, batch) / results.latency(small, SLICE, batch)
        for batch in ("one", "hundred", "alike")
    }


def _growth(settings: Settings, results: Results) -> str:
    large, small = (size.name for size in settings.sizes)
    rows = [
        (
            f"{results.candidates[large, batch]:,.0f}",
            common.seconds(results.latency(large, SLICE, batch)),
            common.seconds(results.latency(small, SLICE, batch)),
            f"{ratio:.2f}",
        )
        for batch, ratio in growth(settings, results).items()
    ]
    return (
        "Latency of the slice engine on both graphs (the largest batch here is about equally many\n"
        "entities in both: as many as the small graph has)\n\n"
        + common.table(("candidates", large, small, "ratio"), rows)
    )


def speedup(settings: Settings, results: Results) -> dict[str, float]:
    """The reference engine's time over the slice engine's, for the largest batch and graph: by the
    medians, and by the fastest runs, which other work on the machine disturbed least."""
    ours, theirs = (
        common.spread(results.seconds[settings.large.name, name, "all"])
        for name in (SLICE, REFERENCE)
    )
    return {"median": theirs.median / ours.median, "fastest": theirs.least / ours.least}


def _headlines(settings: Settings, results: Results) -> str:
    large, small = (size.name for size in settings.sizes)
    largest = f"{results.candidates[large, 'all']:,.0f}"
    ratio = speedup(settings, results)
    return "\n".join(
        (
            f"slice against reference, {largest} candidates on {large} edges: "
            f"{ratio['median']:.1f}× as fast by medians, "
            f"{ratio['fastest']:.1f}× by the fastest runs (aim: 30×)",
            f"slice latency on {large} against {small} edges, the worst of the three batches: "
            f"{max(growth(settings, results).values()):.2f} (aim: at most 1.5)",
        )
    )


def as_json(settings: Settings, results: Results) -> dict[str, Any]:
    """Everything, for a file."""
    return {
        "benchmark": "verify",
        "machine": common.machine(),
        "seed": SEED,
        "edges_of_scale_1": EDGES,
        "settings": {
            "sizes": {size.name: size.scale for size in settings.sizes},
            "plan": asdict(settings.plan),
            "repeat": settings.repeat,
            "repeat_reference": settings.repeat_reference,
            "repeat_shacl": settings.repeat_shacl,
        },
        "graphs": {name: asdict(built) for name, built in results.built.items()},
        "candidates": results.rows,
        "verdicts": results.verdicts,
        "slice_equals_reference": results.same_outcomes,
        "agreement": _nested(results.agreement),
        "seconds_per_call": _nested(results.seconds),
        "candidates_per_call": _nested(results.candidates),
        "seconds_to_open": _nested(results.opened),
        "peak_mb": _nested(results.memory),
        "headlines": {
            "slice_over_reference": speedup(settings, results),
            "large_over_small": growth(settings, results),
        },
    }


def _nested(flat: dict[Any, Any]) -> dict[str, Any]:
    """Tuple keys as nested objects."""
    nested: dict[str, Any] = {}
    for (*path, last), value in flat.items():
        place = nested
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return nested


if __name__ == "__main__":
    main()
