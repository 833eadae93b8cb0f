"""Which tests run which lines of the modules that decide, and a way to run only those.

One session of pytest collects the tests and, in place of running them all, hands them to some
work: to record what each runs, or to judge mutants, each in a forked process.  Hypothesis draws
few examples here, the same in every run, and shrinks nothing.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import json
import os
import resource
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from hypothesis import Phase, is_hypothesis_test

from tools.mutants import ROOT, Failures, repeatable, silently

_MEMORY = 3 * 2**30
# The package whose modules are changed: another one is named in the environment.
NAME = os.environ.get("MUTATED_PACKAGE", "reasoning")
FOLDER = ROOT / "kgverify" / NAME
PACKAGE = f"kgverify.{NAME}"
_TESTS = {
    "reasoning": [
        "tests/compile",
        "tests/completion",
        "tests/encodings",
        "tests/reasoning",
        "tests/cli/test_cli_exact.py",
        "tests/cli/test_cli_explain.py",
        "tests/cli/test_cli_values.py",
        "tests/test_answering.py",
        "tests/test_corpora.py",
        "tests/laws/test_exact.py",
        "tests/laws/test_exact_proofs.py",
        "tests/laws/test_laws.py",
        "tests/laws/test_merging.py",
        "tests/laws/test_oracle.py",
        "tests/laws/test_replay.py",
        "tests/laws/test_settling.py",
        "tests/laws/test_clashing.py",
        "tests/laws/test_evidence.py",
        "tests/laws/test_crosscheck.py",
    ],
    "completion": ["tests/completion", "tests/cli/test_cli_complete.py"],
}
TESTS = _TESTS[NAME]


# ---------------------------------------------------------------- a session


class _Session:
    """A plugin of pytest: `work` gets the tests instead of the usual loop over them."""

    def __init__(self, work: Callable[[Sequence[pytest.Item]], None], examples: int) -> None:
        self._work = work
        self._settings = repeatable(examples, Phase.explicit, Phase.generate)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            test = getattr(item, "obj", None)
            if test is not None and is_hypothesis_test(test):
                test._hypothesis_internal_use_settings = self._settings
        self._work(session.items)
        return True


def with_tests(
    work: Callable[[Sequence[pytest.Item]], None], examples: int, tests: Iterable[str]
) -> bool:
    """Collect these tests and do the work with them.  False when they can't even be collected.
    For a process of its own: it says nothing more."""
    code = silently(["-s", *tests], _Session(work, examples))
    return code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Run one test, and leave standing what the following one can use of its fixtures."""
    failed = Failures()
    item.config.pluginmanager.register(failed)
    try:
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
    finally:
        item.config.pluginmanager.unregister(failed)
    return not failed.ids


# ---------------------------------------------------------------- what runs what


@dataclass(frozen=True, slots=True)
class Run:
    """What one test does: how long it takes while it is followed, and for each module the lines
    that it runs, each a bit of a number.  `fails` when it fails on the code as it is, with so few
    examples."""

    seconds: float
    lines: dict[str, int]
    fails: bool

    def meets(self, module: str, lines: int) -> bool:
        return bool(self.lines.get(module, 0) & lines)


class _Trace:
    """Follows the modules of one folder, line by line, and nothing else."""

    def __init__(self) -> None:
        self._ran: dict[str, set[int]] = {str(path): set() for path in FOLDER.glob("*.py")}

    def __call__(self, frame: Any, event: str, value: object) -> Any:
        ran = self._ran.get(frame.f_code.co_filename)
        if ran is None:
            return None

        def local(frame: Any, event: str, value: object) -> Any:
            if event == "line":
                ran.add(frame.f_lineno)
            return local

        return local

    def __enter__(self) -> None:
        for ran in self._ran.values():
            ran.clear()
        threading.settrace(self)
        sys.settrace(self)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def lines(self) -> dict[str, int]:
        return {Path(p).stem: sum(1 << line for line in ran) for p, ran in self._ran.items() if ran}


def recorded(items: Sequence[pytest.Item], known: dict[str, Run]) -> Iterator[tuple[str, Run]]:
    """What each test runs, without those that are known already."""
    trace = _Trace()
    todo = [item for item in items if item.nodeid not in known]
    for item, following in zip_longest(todo, todo[1:]):
        start = time.process_time()
        with trace:
            good = passes(item, following)
        yield item.nodeid, Run(time.process_time() - start, trace.lines(), not good)


def fingerprint() -> str:
    """Of the modules: what was recorded of others is of no use."""
    text = b"".join(path.read_bytes() for path in sorted(FOLDER.glob("*.py")))
    return hashlib.sha256(text).hexdigest()[:16]


def read(path: Path) -> dict[str, Run]:
    """What is recorded of the modules as they are: a line for each test."""
    found = {}
    for line in path.read_text("utf-8").splitlines() if path.is_file() else []:
        of, test, seconds, lines, fails = json.loads(line)
        if of == fingerprint():
            found[test] = Run(seconds, {m: int(bits, 16) for m, bits in lines.items()}, fails)
    return found


def write(path: Path, runs: Iterable[tuple[str, Run]]) -> None:
    of = fingerprint()
    with path.open("a", encoding="utf-8") as out:
        for test, run in runs:
            lines = {module: f"{bits:x}" for module, bits in run.lines.items()}
            out.write(json.dumps([of, test, round(run.seconds, 4), lines, run.fails]) + "\n")
            out.flush()


# ---------------------------------------------------------------- a changed module


class Functions:
    """The functions and methods of the modules, which may get the code of a mutant in place of
    their own.  What a module keeps in a cache is forgotten then."""

    def __init__(self) -> None:
        self._before: dict[str, list[CodeType]] = {}
        for path in sorted(FOLDER.glob("*.py")):
            importlib.import_module(f"{PACKAGE}.{path.stem}")
            self._before[path.name] = list(_outer(compile(path.read_text("utf-8"), path, "exec")))
        self._of: dict[CodeType, list[FunctionType]] = {}
        self._caches: list[Any] = []
        for found in gc.get_objects():
            if not isinstance(found, FunctionType | _lru_cache_wrapper):
                continue
            if not str(found.__module__).startswith(PACKAGE):
                continue
            if isinstance(found, FunctionType):
                self._of.setdefault(found.__code__, []).append(found)
            else:
                self._caches.append(found)

    def become(self, file: str, text: str) -> None:
        after = _outer(compile(text, FOLDER / file, "exec"))
        for old, new in zip(self._before[file], after, strict=True):
            for function in self._of.get(old, ()):
                function.__code__ = new
        for cache in self._caches:
            cache.cache_clear()


def _outer(code: CodeType) -> Iterator[CodeType]:
    """The code of all functions and methods that lie in no other function, in their order."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 0x1:  # CO_OPTIMIZED: a function and not the body of a class
                yield constant
            else:
                yield from _outer(constant)


# ---------------------------------------------------------------- judging


def _file(test: str) -> str:
    return test.partition("::")[0]


class Order:
    """Which tests a mutant meets: those that run its lines, the quick ones first and those that
    noticed mutants of the same module, or whose file did, until some seconds are used up."""

    def __init__(self, runs: dict[str, Run], budget: float) -> None:
        self._runs = runs
        self._budget = budget
        self._noticed: dict[str, Counter[str]] = {}

    def noticed(self, module: str, test: str) -> None:
        noticed = self._noticed.setdefault(module, Counter())
        noticed[test] += 1
        noticed[_file(test)] += 1

    def tests(self, module: str, lines: int) -> list[str]:
        """Tests for a mutant of these lines; of no lines, for one of the whole module."""
        able = [
            test
            for test, run in self._runs.items()
            if not run.fails and run.meets(module, lines or -1)
        ]
        noticed = self._noticed.get(module, Counter())
        able.sort(
            key=lambda test: (
                (self._runs[test].seconds + 0.005) / (1 + noticed[test] + noticed[_file(test)] / 10)
            )
        )
        left, found = self._budget, []
        for test in able:
            left -= self._runs[test].seconds
            if found and left < 0:
                break
            found.append(test)
        return found

    def first_failing(self, items: dict[str, pytest.Item], tests: Sequence[str]) -> str | None:
        """The first of the tests that fails.  One that takes far longer than it should ends the
        process, and one that takes too much memory fails."""
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        for test, following in zip_longest(tests, tests[1:]):
            signal.setitimer(signal.ITIMER_REAL, 5 + 20 * self._runs[test].seconds)
            if not passes(items[test], items.get(following or "")):
                return test
        return None
