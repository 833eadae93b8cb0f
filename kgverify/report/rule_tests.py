"""Outcomes of the tests of rule files, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.markup import escape

from kgverify.errors import printable
from kgverify.report.problems import place_object
from kgverify.report.tables import print_explanation
from kgverify.rule_tests import Outcome

_WIDTH = 160


def print_failures(console: Console, outcomes: Sequence[Outcome]) -> None:
    """The tests that fail: what was expected beside what came out, and why that came out."""
    for _, found in groupby(outcomes, lambda o: (o.span.file, o.test)):
        test = list(found)
        if all(outcome.passed for outcome in test):
            continue
        for line in _difference(test):
            console.print(escape(printable(line)), soft_wrap=True)
        for outcome in test:
            if not outcome.passed:
                _print_reason(console, outcome)


def _difference(test: Sequence[Outcome]) -> Iterator[str]:
    """A test block, with a line for what was expected and one for what came out where these
    differ."""
    first = test[0]
    yield f'{first.span.file}: test "{first.test}" fails'
    for asked, found in groupby(test, lambda outcome: outcome.asked):
        yield f"      ask {asked}:"
        for outcome in found:
            if outcome.passed:
                yield f"          {outcome.candidate} = {outcome.got}"
            else:
                yield f"    -     {outcome.candidate} = {outcome.expected}"
                yield f"    +     {outcome.candidate} = {outcome.got}"


def _print_reason(console: Console, outcome: Outcome) -> None:
    said = f"{outcome.candidate} should be {outcome.expected}, is {outcome.got}"
    console.print(escape(printable(f"{outcome.span}: {said}")), soft_wrap=True)
    for problem in outcome.problems:
        console.print(escape(printable(f"    {problem}")), soft_wrap=True)
    if outcome.verdict is not None:
        print_explanation(console, outcome.verdict.explain())


def proofs_as_text(outcomes: Sequence[Outcome]) -> dict[Outcome, str]:
    """Why each expectation that fails came out as it did; none for one that could not be asked."""
    found = {}
    for outcome in outcomes:
        if outcome.verdict is not None and not outcome.passed:
            stream = StringIO()
            screen = Console(file=stream, width=_WIDTH, highlight=False, emoji=False)
            print_explanation(screen, outcome.verdict.explain())
            found[outcome] = stream.getvalue()
    return found


def outcomes_document(outcomes: Mapping[str, Sequence[Outcome]]) -> dict[str, Any]:
    """The outcomes by file, as a JSON object; with the explanation of each that fails."""
    every = [outcome for found in outcomes.values() for outcome in found]
    failed = sum(not outcome.passed for outcome in every)
    return {
        "passed": len(every) - failed,
        "failed": failed,
        "files": [
            {"file": file, "expectations": [_object(outcome) for outcome in found]}
            for file, found in outcomes.items()
        ],
    }


def _object(outcome: Outcome) -> dict[str, Any]:
    failed = outcome.verdict if not outcome.passed else None
    return {
        "test": outcome.test,
        "asked": outcome.asked,
        "candidate": outcome.candidate,
        "expected": outcome.expected,
        "got": outcome.got,
        **place_object(outcome.span),
        **({"problems": list(outcome.problems)} if outcome.problems else {}),
        **({"explanation": failed.explain().to_dict()} if failed is not None else {}),
    }
