"""The whole run: read, delete, ask, complete, measure, report, write."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgverify.completion.generating import Generator
from kgverify.completion.generating_by_model import ModelGenerator
from kgverify.completion.independence import require_independent
from kgverify.completion.recorded import Recorded, read_generations
from kgverify.errors import KgverifyError, Problem, missing_file
from kgverify.evidence.claims import Claims
from kgverify.evidence.judging import Judge
from kgverify.evidence.language_model import LanguageModel
from kgverify.evidence.rule_judge import RuleJudge
from kgverify.evidence.synergy.recording import Recorder
from kgverify.experiments.runs import (
    RunRecord,
    check_place,
    file_hash,
    names_of,
    packages,
    require,
    rounded,
    write_run,
)
from kgverify.experiments.tgcomplete import settings as s
from kgverify.experiments.tgcomplete.cases import Case, Reading
from kgverify.experiments.tgcomplete.completers import RememberingJudge
from kgverify.experiments.tgcomplete.independent import FieldReader
from kgverify.experiments.tgcomplete.labelling import measured
from kgverify.experiments.tgcomplete.methods import PAPERS, Generators, methods
from kgverify.experiments.tgcomplete.tabulating import Runs, tabulated
from kgverify.experiments.tgcomplete.varying import curve_of
from kgverify.experiments.tgcomplete.worlds import World

QUESTIONS, MISSING = "questions.jsonl", "missing.jsonl"


@dataclass(frozen=True)
class Sources:
    """What a run reads.

    `second` is the judge that says what is stated, the field reader where none is given.
    `generations` are files of recorded generations, each with the world that it is of; `llm`
    generates where it is given, and `replies` is the file where what it says is kept."""

    data: Path
    second: Judge | None = None
    generations: tuple[tuple[str, Path], ...] = ()
    llm: LanguageModel | None = None
    replies: Path | None = None


def run(
    sources: Sources, out: Path, quick: bool, seed: int, progress: Callable[[str], None]
) -> RunRecord:
    """Runs every method in every setting and writes the folder `out`.

    Raises KgverifyError when a package, a file or a place to write is missing, and when a judge
    would say of its own work how good it is."""
    require("matplotlib", "scipy", "statsmodels")
    check_place(out)
    from kgverify.experiments.tgcomplete.drawing import drawn
    from kgverify.experiments.tgcomplete.report import report

    second = sources.second or FieldReader()
    _check_judges(second, sources.llm)
    seeds = tuple(range(seed, seed + (1 if quick else s.SEEDS)))
    shares = s.QUICK_SHARES if quick else s.SHARES
    most = s.QUICK_QUESTIONS if quick else s.QUESTIONS
    progress("reading")
    worlds = {name: read(sources.data) for name, read in s.READERS.items()}
    recorded = _recorded(sources, worlds, second)
    readings: dict[tuple[str, str], Reading] = {}
    found: dict[str, Any] = {}
    curves: dict[str, Any] = {}
    asked: dict[tuple[str, str], dict[str, Any]] = {}
    missing: set[tuple[str, str, str]] = set()
    with ExitStack() as stack:
        replies = None
        if sources.llm is not None and sources.replies is not None:
            replies = stack.enter_context(Recorder(sources.llm, sources.replies))
        for setting in s.SETTINGS:
            world, key = worlds[setting.world], (setting.world, setting.reading)
            if key not in readings:
                progress(f"indexing {setting.reading}")
                judges = RememberingJudge(RuleJudge()), RememberingJudge(second)
                readings[key] = Reading.of(world, setting.reading, *judges)
            compared = methods(_generators(recorded.get(setting.world, {}), replies))
            found[setting.name] = {"note": setting.note, "shares": {}}
            for share in shares:
                cases = [Case(readings[key], share, n, most, setting.stopping) for n in seeds]
                where = f"{setting.name}, {share:g} deleted, "
                numbers, runs = tabulated(cases, compared, lambda x, w=where: progress(w + x))  # type: ignore[misc]
                found[setting.name]["shares"][f"{share:g}"] = numbers
                curves[f"{setting.name}, {share:g}"] = curve_of(cases[0], runs[0][PAPERS])
                for case in cases:
                    asked.update(_asked(world, case))
                missing |= _missing(world, runs)
        results = rounded({"judges": _judges(readings), "settings": found})
    files = [path for _, path in sources.generations]
    record = RunRecord(
        "tgcomplete",
        quick,
        seeds,
        {
            "questions": most,
            "shares": list(shares),
            "judge": RuleJudge().name,
            "second": second.name,
            "language_model": sources.llm.model if sources.llm else "",
        },
        {name: value for world in worlds.values() for name, value in world.hashes.items()}
        | {name: file_hash(path) for name, path in names_of(files).items()},
        packages("clingo", "numpy", "scipy", "statsmodels", "matplotlib", "torch", "transformers"),
    )
    plots = drawn(results, curves)
    lines = {
        QUESTIONS: _lines(asked[key] for key in sorted(asked)),
        MISSING: _lines(
            {"world": world, "subject": subject, "relation": relation}
            for world, subject, relation in sorted(missing)
        ),
    }
    write_run(out, record, results, report(results, record, list(plots)), plots | lines)
    return record


def _check_judges(second: Judge, llm: LanguageModel | None) -> None:
    """Raises KgverifyError when the second judge is the first one, or the generator."""
    if second.name == RuleJudge().name:
        message = "the second judge is the one that admits edges"
        hint = "leave --judge away, or name an NLI model or an endpoint"
        raise KgverifyError(Problem("same-judge", message, None, hint))
    if llm is not None:
        require_independent(llm.model, second.name)


def _recorded(
    sources: Sources, worlds: Mapping[str, World], second: Judge
) -> dict[str, dict[str, Recorded]]:
    """The recorded generations of each world, by the name under which they are shown."""
    found: dict[str, dict[str, Recorded]] = {}
    names = {path: name for name, path in names_of([p for _, p in sources.generations]).items()}
    for name, path in sources.generations:
        if name not in worlds:
            message = f"there is no world `{name}`"
            hint = f"there are {' and '.join(worlds)}"
            raise KgverifyError(Problem("unknown-world", message, None, hint))
        if not path.is_file():
            raise KgverifyError(missing_file(path))
        world = worlds[name]
        with path.open("rb") as lines:
            graph = world.graph(world.all_edges)
            generations = read_generations(lines, str(path), graph, world.book)
        require_independent(generations.model, second.name)
        found.setdefault(name, {})[names[path]] = generations
    return found


def _generators(recorded: Mapping[str, Recorded], replies: Recorder | None) -> Generators:
    def fixed(generator: Generator) -> Callable[[Case], Generator]:
        return lambda case: generator

    found = {name: fixed(generator) for name, generator in recorded.items()}
    if replies is not None:
        llm = replies
        found[llm.model] = lambda case: ModelGenerator(llm, case.graph, case.world.book)
    return found


def _judges(readings: Mapping[tuple[str, str], Reading]) -> list[dict[str, Any]]:
    """Both judges against the pairs that were labelled by hand."""
    found = []
    for (_, name), reading in readings.items():
        claims = Claims(reading.world.book, reading.world.graph(reading.world.all_edges))
        for judge in (reading.judge, reading.second):
            found.append({"reading": name, **measured(judge, reading.corpus, claims)})
    return found


def _asked(world: World, case: Case) -> dict[tuple[str, str], dict[str, Any]]:
    """The questions of a case, for those who want to have them answered by somebody else."""
    return {
        (world.name, q.id): {
            "world": world.name,
            "id": q.id,
            "question": q.text,
            "topic": q.topic,
            "path": q.path,
        }
        for q in case.questions
    }


def _missing(world: World, runs: list[Runs]) -> set[tuple[str, str, str]]:
    """Where reasoning stopped, for those who want to record what a model generates there."""
    return {
        (world.name, place.subject, place.relation)
        for of_case in runs
        for run in of_case.values()
        for one in run.answered
        for place in one.missing
    }


def _lines(rows: Any) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
