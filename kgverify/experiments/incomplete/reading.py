"""Reads the folder of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgverify import strict_json
from kgverify.errors import GraphError, KgverifyError, Problem, Span
from kgverify.experiments.incomplete.answering import Query
from kgverify.experiments.incomplete.balancing import PARTS
from kgverify.experiments.scoring.gold import GoldQuestion, gold_of
from kgverify.experiments.scoring.lines import Record, opened, records

GRAPHS = ("complete", "incomplete")


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """A question as gold, and what it asks."""

    gold: GoldQuestion
    query: Query


def check_folder(folder: Path) -> None:
    """Raises GraphError when this is no benchmark."""
    names = [*(f"{g}.tsv" for g in GRAPHS), *(f"{p}.jsonl" for p in PARTS), "results.json"]
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        message = f"is no benchmark: there is no {missing[0]}"
        hint = "a folder that `kgverify bench build` wrote"
        raise GraphError(Problem("not-a-benchmark", message, Span(str(folder)), hint))


def read_part(folder: Path, part: str) -> list[BenchQuestion]:
    """The questions of one part.  Raises KgverifyError with every bad line."""
    found, problems = records(folder / f"{part}.jsonl")
    questions, faults = gold_of(found, problems) if found or problems else ([], [])
    faults += [
        record.problem("benchmark-line", "there is no topic, relation or side")
        for record in found
        if not _is_asked(record)
    ]
    if faults:
        raise KgverifyError(faults)
    return [
        BenchQuestion(
            question,
            Query(record.fields["topic"], record.fields["relation"], record.fields["asks"]),
        )
        for question, record in zip(questions, found, strict=True)
    ]


def _is_asked(record: Record) -> bool:
    fields = record.fields
    named = all(isinstance(fields.get(name), str) for name in ("topic", "relation"))
    return named and fields.get("asks") in ("subject", "object")


def about(folder: Path) -> dict[str, Any]:
    """What the benchmark says of itself: its record and its statistics.  Raises KgverifyError when
    that can't be read."""
    path = folder / "results.json"
    with opened(path) as source:
        text = source.text()
    try:
        found = strict_json.loads(text)
    except strict_json.NotJson as error:
        message = f"not JSON: {error.message}"
        place = source.span(error.line, error.column)
        raise KgverifyError(Problem("malformed-json", message, place)) from error
    if not isinstance(found, dict) or not isinstance(found.get("statistics"), dict):
        message = "expected an object with the statistics of a benchmark"
        raise KgverifyError(Problem("benchmark-line", message, Span(str(path))))
    return found
