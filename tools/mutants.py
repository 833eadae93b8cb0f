"""Mutants and their judges: what the two mutation scripts share.

A mutant is a file with one small change.  A judge runs tests against it and says which kind of
test noticed.  Every mutant is judged in a process of its own, forked from one in which all that
is dear has been done, so that none can spoil the next.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

ROOT = Path(__file__).resolve().parents[1]
INVALID, SURVIVED, SLOW = "invalid", "survived", "time"
QUIET = [
    "-q",
    *("-p", "no:cacheprovider"),
    # Imported before the fork: assertions that stay plain, and strategies that were drawn from.
    "-Wignore::pytest.PytestAssertRewriteWarning",
    "-Wignore::hypothesis.errors.HypothesisSideeffectWarning",
]


@dataclass(frozen=True, slots=True)
class Mutant:
    """`text` is the whole file with the change; `before` and `after` show the place."""

    file: str
    line: int
    kind: str
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}\n    {self.before}\n    {self.after}"


Judge = Callable[[Mutant], str]  # what noticed it, or INVALID or SURVIVED


def judged(
    mutants: Iterable[Mutant], judge: Judge, workers: int, seconds: int
) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with what its judge says; one that runs too long is killed by `time`."""
    context = multiprocessing.get_context("fork")
    running: dict[Connection, tuple[Mutant, multiprocessing.process.BaseProcess]] = {}

    def finished() -> Iterator[tuple[Mutant, str]]:
        for ready in wait(list(running)):
            assert isinstance(ready, Connection)
            mutant, process = running.pop(ready)
            try:
                verdict = ready.recv()
            except EOFError:
                verdict = SLOW
            process.join()
            if verdict == SLOW and process.exitcode != -signal.SIGALRM:
                raise RuntimeError(f"the judge itself failed, with {process.exitcode}, on {mutant}")
            yield mutant, verdict

    for mutant in mutants:
        if len(running) >= workers:
            yield from finished()
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_judge_alone, args=(mutant, judge, theirs, seconds))
        process.start()
        theirs.close()
        running[ours] = mutant, process
    while running:
        yield from finished()


def _judge_alone(mutant: Mutant, judge: Judge, answer: Connection, seconds: int) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)
    answer.send(judge(mutant))


def failing(*arguments: str) -> list[str]:
    """The tests that fail, by their ids; the first one only with `-x`.  For a process of its own:
    it says nothing more."""
    failures = Failures()
    code = silently(arguments, failures)
    if not failures.ids and code != pytest.ExitCode.OK:
        raise RuntimeError(f"pytest ended with {code!r}")
    return failures.ids


def silently(arguments: Sequence[str], plugin: object) -> int:
    """Run pytest with a plugin; its exit code.  For a process of its own: it says nothing more."""
    os.chdir(ROOT)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (until the process ends)
    return pytest.main([*QUIET, *arguments], [plugin])


class Failures:
    """A plugin of pytest that remembers what failed."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.ids.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.ids.append(report.nodeid)


def apart(work: Callable[[], Any]) -> Any:
    """What `work` gives, done in a process of its own."""
    ours, theirs = multiprocessing.get_context("fork").Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=lambda: theirs.send(work()))
    process.start()
    theirs.close()
    result = ours.recv()
    process.join()
    return result


def parser_of(page: str | None, what: str) -> argparse.ArgumentParser:
    """The options that both scripts have; `what` is mutated."""
    parser = argparse.ArgumentParser(description=(page or "").split("\n")[0])
    parser.add_argument("--only", action="append", help=f"{what}; may be given again")
    parser.add_argument("--sample", type=int, help="so many mutants instead of all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=int, default=300, help="for one mutant at most")
    parser.add_argument("--out", type=Path, help="JSON file for the results")
    return parser


def sampled(mutants: Sequence[Mutant], size: int | None, seed: int) -> list[Mutant]:
    """So many mutants, the same for the same seed, in the order of the files; None for all."""
    if size is None or size >= len(mutants):
        return list(mutants)
    places = sorted(random.Random(seed).sample(range(len(mutants)), size))
    return [mutants[place] for place in places]


def report(
    results: Iterable[tuple[Mutant, str]], explained: dict[str, str], out: Path | None, total: int
) -> int:
    """Print every mutant that nothing noticed, then the sums; write them to `out` under the name
    of the calling script.  The exit code: 1 when a survivor has no explanation."""
    counts: dict[str, Counter[str]] = {}
    survivors: list[dict[str, object]] = []
    start = time.monotonic()
    for number, (mutant, verdict) in enumerate(results, 1):
        counts.setdefault(mutant.file, Counter())[verdict] += 1
        if verdict == SURVIVED:
            reason = explained.get(key(mutant), "")
            fields = asdict(mutant)
            del fields["text"]
            survivors.append({**fields, "explained": reason})
            print(f"survived{' (explained)' if reason else ''}: {mutant}", flush=True)
        if number % 100 == 0:
            print(f"… {number} of {total}, {time.monotonic() - start:.0f} s", flush=True)
    sums: Counter[str] = sum(counts.values(), Counter())
    valid = sums.total() - sums[INVALID]
    killed = valid - sums[SURVIVED]
    print(f"{killed} of {valid} mutants killed; {sums[INVALID]} invalid ones left out")
    for name, found in sorted(counts.items()):
        print(f"  {name}: " + ", ".join(f"{n} {by}" for by, n in sorted(found.items())))
    if out is not None:
        recorded = json.loads(out.read_text()) if out.is_file() else {}
        recorded[Path(sys.argv[0]).stem] = {
            "killed": killed,
            "valid": valid,
            "invalid": sums[INVALID],
            "possible": total,
            "files": {name: dict(sorted(found.items())) for name, found in sorted(counts.items())},
            "survivors": survivors,
        }
        out.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")
    return int(any(not survivor["explained"] for survivor in survivors))


def key(mutant: Mutant) -> str:
    """How an explanation names a mutant, without its line, which moves."""
    return f"{mutant.file}: {mutant.before} => {mutant.after}"


def explanations(page: Path) -> dict[str, str]:
    """The equivalent mutants that a page lists: in `text` blocks, two lines each, `FILE: BEFORE`
    and `=> AFTER`; the reason is the paragraph above the block."""
    found = {}
    reason, block = "", None
    for line in page.read_text("utf-8").splitlines() if page.is_file() else []:
        if line.startswith("```"):
            block = [] if block is None and line == "```text mutants" else None
        elif block is not None:
            block.append(line.strip())
            if line.strip().startswith("=> "):
                found[" ".join(block[-2:])] = reason
        elif line.strip():
            reason = line.strip()
    return found


def fixed_worlds(number: int) -> list[Any]:
    """Random worlds, the same in every run.  (The package is imported here, not above, so that a
    mutant of it can take its place.)"""
    from kgverify.testing import worlds

    return fixed(worlds(size=10), number)


def repeatable(examples: int, *phases: Phase) -> settings:
    """So few examples, the same in every run, and none of them made smaller."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
    )


def fixed(strategy: Any, number: int) -> list[Any]:
    """What a strategy draws first: the same in every run."""
    found: list[Any] = []

    @repeatable(number, Phase.generate)
    @given(strategy)
    def draw(one: Any) -> None:
        found.append(one)

    draw()
    return found
