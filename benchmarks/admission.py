"""Times the joint choice among thousands of candidate edges that exclude each other.

`places`: each missing edge has four candidates, of which one can hold, and a quarter as many pairs
of edges of different places exclude each other.  `pairs`: as many pairs as edges, at random, about
where such problems are hardest.  In both most of the edges hang together, so the choice does not
fall apart into small ones.  Scores are those that the paper's policy gives.  The choice by clingo's
default strategy is timed beside it, and so is weighing what passages say of the same edges.
Processor time is what other processes disturb least.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from common import machine, seconds, spread, table, timed, write_json

if TYPE_CHECKING:
    from kgverify.completion.choosing import Clash

RESULTS = Path(__file__).parent / "results" / "admission.json"
SIZES = (500, 1_000, 2_000)
TARGET = 2_000, 1.0  # edges, seconds
LIMIT = 10.0  # seconds, for a choice


def contest(kind: str, size: int, seed: int) -> tuple[list[int], list[Clash]]:
    """Scores of so many edges, and what excludes each other."""
    from kgverify.completion.policy import PAPER

    random_ = random.Random(f"{kind} {size} {seed}")
    finals = {PAPER.final("ENTAILED", n) for n in range(4)}
    finals |= {PAPER.final("UNCERTAIN", n) for n in range(1, 4)}
    scores = [int(random_.choice(sorted(finals)) * PAPER.scale) for _ in range(size)]
    clashes: set[Clash] = set()
    if kind == "places":
        for first in range(0, size, 4):
            place = range(first, first + 4)
            clashes |= {frozenset({a, b}) for a in place for b in place if a < b}
    wanted = len(clashes) + (size // 4 if kind == "places" else size)
    while len(clashes) < wanted:
        clashes.add(frozenset(random_.sample(range(size), 2)))
    return scores, sorted(clashes, key=sorted)


def by_default(scores: list[int], clashes: list[Clash]) -> tuple[bool, float]:
    """Is the optimum proved by clingo's default strategy within the limit, and how long it took."""
    from kgverify.completion import choosing
    from kgverify.reasoning import solver

    plain = solver._grounded
    try:
        solver._grounded = lambda parts, *options: plain(parts)  # without the strategy
        found, taken = timed(lambda: choosing.choose(scores, clashes, LIMIT))
    finally:
        solver._grounded = plain
    return found.proven, taken


def weighing(size: int) -> float:
    """Seconds to decide as many edges with three passages each, none of which excludes another."""
    from kgverify.completion.admission import decide
    from kgverify.completion.breakpoints import CandidateEdge, Edge, Source
    from kgverify.completion.policy import CAREFUL
    from kgverify.evidence.judging import Judgement

    stated = Judgement("ENTAILED", 1.0)
    candidates = [
        CandidateEdge(
            Edge(f"s{n}", "r", f"o{n}"),
            tuple(Source(f"p{3 * n + m}", 3 * n + m, stated) for m in range(3)),
        )
        for n in range(size)
    ]
    return timed(lambda: decide(candidates, CAREFUL))[1]


def measure(kind: str, size: int, repeat: int) -> dict[str, Any]:
    """Times of choosing among so many edges, each time with other scores and conflicts."""
    from kgverify.completion.choosing import choose

    times, cpu, chosen, proven = [], [], [], 0
    for seed in range(repeat):
        scores, clashes = contest(kind, size, seed)
        start = time.process_time()
        found, taken = timed(lambda asked=(scores, clashes): choose(*asked, LIMIT))
        times.append(taken)
        cpu.append(time.process_time() - start)
        chosen.append(len(found.chosen))
        proven += found.proven
    default_proven, default_seconds = by_default(*contest(kind, size, 0))
    return {
        "kind": kind,
        "edges": size,
        "conflicts": len(contest(kind, size, 0)[1]),
        "seconds": times,
        "cpu": cpu,
        "chosen": chosen,
        "proven": proven,
        "default_proven": default_proven,
        "default_seconds": default_seconds,
        "weighing_seconds": [weighing(size) for _ in range(3)],
    }


def report(rows: list[dict[str, Any]]) -> str:
    """The medians as a table."""
    lines = []
    for row in rows:
        took, weighed = spread(row["cpu"]), spread(row["weighing_seconds"])
        default = seconds(row["default_seconds"])
        lines.append(
            (
                row["kind"],
                f"{row['edges']:,}",
                f"{row['conflicts']:,}",
                seconds(took.median),
                f"{seconds(took.least)}–{seconds(took.most)}",
                f"{row['proven']} of {len(row['seconds'])}",
                default if row["default_proven"] else f"not in {seconds(LIMIT)}",
                seconds(weighed.median),
            )
        )
    headers = (
        "conflicts",
        "edges",
        "pairs",
        "choice (cpu)",
        "least–most",
        "proved",
        "default",
        "weighing",
    )
    return table(headers, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    rows = [measure(kind, n, options.repeat) for kind in ("places", "pairs") for n in SIZES]
    print(report(rows))
    size, limit = TARGET
    for row in (row for row in rows if row["edges"] == size):  # a miss of `pairs` is told as well
        taken, every = spread(row["cpu"]).median, row["proven"] == len(row["seconds"])
        met = "met" if taken < limit and every else "missed"
        print(f"target: {size:,} edges ({row['kind']}) proved in under {seconds(limit)}: {met}")
    write_json(options.out, {"machine": machine(), "sizes": rows})


if __name__ == "__main__":
    main()
