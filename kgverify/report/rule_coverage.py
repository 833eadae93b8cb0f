"""What tests exercise of rule files: a table, JSON, and LCOV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from kgverify.errors import printable
from kgverify.report.problems import place_object
from kgverify.rule_coverage import RuleCoverage, RulePlace

if TYPE_CHECKING:
    from rich.console import Console


def share_of(coverages: Sequence[RuleCoverage]) -> Fraction:
    """The share of the places of some files that tests exercise; 1 where there are none."""
    places = sum(len(coverage.places) for coverage in coverages)
    missed = sum(len(coverage.missed) for coverage in coverages)
    return Fraction(places - missed, places) if places else Fraction(1)


def percentage(share: Fraction) -> str:
    """A share in whole per cent, rounded down: 100 % is all."""
    return f"{int(share * 100)}%"


def print_coverage(screen: Console, coverages: Sequence[RuleCoverage]) -> None:
    """A line a file, and what no test exercises, with its line numbers."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("file", overflow="fold")
    for name in ("tests", "places", "missed", "cover"):
        table.add_column(name, justify="right")
    for found in coverages:
        table.add_row(escape(printable(found.path)), *_numbers((found,)))
    if len(coverages) > 1:
        table.add_row("all", *_numbers(coverages), style="bold")
    screen.print(table)
    for found in coverages:
        _print_places(screen, f"{found.path}: no test exercises", found.missed)
        _print_places(screen, f"{found.path}: no question can rest on", found.idle)


def _print_places(screen: Console, title: str, places: Sequence[RulePlace]) -> None:
    if not places:
        return
    screen.print()
    screen.print(escape(printable(title)), soft_wrap=True)
    width = max(len(str(place.span.line)) for place in places)
    for place in places:
        line = f"  {place.span.line:>{width}}  {place}"
        screen.print(escape(printable(line)), soft_wrap=True)


def _numbers(coverages: Sequence[RuleCoverage]) -> Iterator[str]:
    yield f"{sum(found.tests for found in coverages):,}"
    yield f"{sum(len(found.places) for found in coverages):,}"
    yield f"{sum(len(found.missed) for found in coverages):,}"
    yield percentage(share_of(coverages))


def coverage_document(coverages: Sequence[RuleCoverage]) -> dict[str, Any]:
    """The same as a JSON object, with the tests that exercise each place."""
    return {
        "share": float(share_of(coverages)),
        "files": [
            {
                "file": found.path,
                "share": float(found.share),
                "tests": found.tests,
                "failed": len(found.failed),
                "places": [_object(place) for place in found.places],
                "idle": [_object(place) for place in found.idle],
            }
            for found in coverages
        ],
    }


def _object(place: RulePlace) -> dict[str, Any]:
    return {
        "kind": place.kind,
        "text": place.text.strip("`"),
        **({"way": place.way} if place.way else {}),
        **place_object(place.span),
        "tests": [str(span) for span in place.tests],
    }


def lcov(coverages: Sequence[RuleCoverage]) -> str:
    """The same in LCOV's format: a line is hit as often as expectations exercise something on it;
    the ways in which constraints, and members of groups, can come out are its branches."""
    return "".join(line + "\n" for found in coverages for line in _record(found))


def _record(found: RuleCoverage) -> Iterator[str]:
    lines: dict[int, set[str]] = {}
    branches: dict[int, list[RulePlace]] = {}
    for place in found.places:
        lines.setdefault(place.span.line, set()).update(map(str, place.tests))
        if place.way:
            branches.setdefault(place.span.line, []).append(place)
    yield "TN:"
    yield f"SF:{printable(found.path)}"
    for line, places in sorted(branches.items()):
        for number, place in enumerate(places):
            yield f"BRDA:{line},0,{number},{len(place.tests)}"
    every = [place for places in branches.values() for place in places]
    yield f"BRF:{len(every)}"
    yield f"BRH:{sum(place.is_exercised for place in every)}"
    for line, tests in sorted(lines.items()):
        yield f"DA:{line},{len(tests)}"
    yield f"LF:{len(lines)}"
    yield f"LH:{sum(bool(tests) for tests in lines.values())}"
    yield "end_of_record"
