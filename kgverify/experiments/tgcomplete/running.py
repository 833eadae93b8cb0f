"""The whole run: read, delete, ask, complete, measure, report, write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgverify.completion.generating import Generator
from kgverify.completion.generating_by_model import ModelGenerator
from kgverify.completion.independence import require_independent
from kgverify.completion.recorded import Recorded, read_generations
from kgverify.errors import KgverifyError, Problem, missing_file
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
from kgverify.experiments.tgcomplete.cases import Case
from kgverify.experiments.tgcomplete.completers import RememberingJudge
from kgverify.experiments.tgcomplete.independent import FieldReader
from kgverify.experiments.tgcomplete.labelling import measured
from kgverify.experiments.tgcomplete.lookup import Reading
from kgverify.experiments.tgcomplete.methods import Generators, Predictions, methods
from kgverify.experiments.tgcomplete.predicted import read_answers
from kgverify.experiments.tgcomplete.questions import questions
from kgverify.experiments.tgcomplete.records import Answered
from kgverify.experiments.tgcomplete.tabulating import Runs, tabulated
from kgverify.experiments.tgcomplete.worlds import World

QUESTIONS, MISSING = "questions.jsonl", "missing.jsonl"


@dataclass(frozen=True)
class Sources:
    """What a run reads.

    `second` is the judge that says what is stated, the field reader where none is given.
    `generations` are files of recorded generations, and `predictions` of answers, each with the
    world that it is of; `llm` generates where it is given, and `replies` is the file where what it
    says is kept."""

    data: Path
    second: Judge | None = None
    generations: tuple[tuple[str, Path], ...] = ()
    predictions: tuple[tuple[str, Path], ...] = ()
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
    settings = s.QUICK_SETTINGS if quick else s.SETTINGS
    progress("reading")
    worlds = {name: read(sources.data) for name, read in s.READERS.items()}
    recorded = _recorded(sources, worlds, second)
    predicted = _predicted(sources, worlds)
    readings: dict[tuple[str, str], Reading] = {}
    found: dict[str, Any] = {}
    curves: dict[str, Any] = {}
    asked: dict[tuple[str, str], dict[str, Any]] = {}
    missing: set[tuple[str, str, str]] = set()
    with ExitStack() as stack:
        replies = None
        if sources.llm is not None and sources.replies is not None:
            replies = stack.enter_context(Recorder(sources.llm, sources.replies))
        for setting in settings:
            world, key = worlds[setting.world], (setting.world, setting.reading)
            if key not in readings:
                progress(f"indexing {setting.reading}")
                judges = RememberingJudge(RuleJudge()), RememberingJudge(second)
                readings[key] = Reading.of(world, setting.reading, *judges)
            compared = methods(
                _generators(recorded.get(setting.world, {}), replies),
                predicted.get(setting.world, {}),
            )
            found[setting.name] = {"note": setting.note, "shares": {}}
            for share in shares:
                most = s.QUICK_QUESTIONS if quick else setting.questions
                cases = [Case(readings[key], share, n, most, setting.stopping) for n in seeds]
                where = f"{setting.name}, {share:g} deleted, "
                done = tabulated(cases, compared, _told(progress, where))
                numbers, runs, curves[f"{setting.name}, {100 * share:g} %"] = done
                found[setting.name]["shares"][f"{share:g}"] = numbers
                for case in cases:
                    asked.update(_asked(world, case))
                missing |= _missing(world, runs)
        results = rounded({"judges": _judges(readings), "settings": found})
    files = [path for _, path in (*sources.generations, *sources.predictions)]
    record = RunRecord(
        "tgcomplete",
        quick,
        seeds,
        {
            "questions": {
                one.name: s.QUICK_QUESTIONS if quick else one.questions for one in settings
            },
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


def _told(progress: Callable[[str], None], where: str) -> Callable[[str], None]:
    return lambda text: progress(where + text)


def _check_judges(second: Judge, llm: LanguageModel | None) -> None:
    """Raises KgverifyError when the second judge is the first one, or the generator."""
    if second.name == RuleJudge().name:
        message = "the second judge is the one that admits edges"
        hint = "leave --judge away, or name an NLI model or an endpoint"
        raise KgverifyError(Problem("same-judge", message, None, hint))
    if llm is not None:
        require_independent(llm.model, second.name)


def _given(
    files: tuple[tuple[str, Path], ...], worlds: Mapping[str, World]
) -> Iterator[tuple[World, str, Path]]:
    """Each file with its world and a name.  Raises KgverifyError for what is not there."""
    names = {path: name for name, path in names_of([path for _, path in files]).items()}
    for name, path in files:
        if name not in worlds:
            message = f"there is no world `{name}`"
            hint = f"there are {' and '.join(worlds)}"
            raise KgverifyError(Problem("unknown-world", message, None, hint))
        if not path.is_file():
            raise KgverifyError(missing_file(path))
        yield worlds[name], names[path], path


def _recorded(
    sources: Sources, worlds: Mapping[str, World], second: Judge
) -> dict[str, dict[str, Recorded]]:
    """The recorded generations of each world, by the name under which they are shown."""
    found: dict[str, dict[str, Recorded]] = {}
    for world, name, path in _given(sources.generations, worlds):
        with path.open("rb") as lines:
            generations = read_generations(
                lines, str(path), world.graph(world.all_edges), world.book
            )
        require_independent(generations.model, second.name)
        found.setdefault(world.name, {})[name] = generations
    return found


def _predicted(sources: Sources, worlds: Mapping[str, World]) -> dict[str, Predictions]:
    """The answers that somebody else predicted, in each world, by the name of the file."""
    found: dict[str, dict[str, dict[str, Answered]]] = {}
    for world, name, path in _given(sources.predictions, worlds):
        graph = world.graph(world.all_edges)
        answered, _ = read_answers(path, questions(world), graph, world.book)
        found.setdefault(world.name, {})[name] = {one.question: one for one in answered}
    return dict(found)


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
        for judge in (reading.judge, reading.second):
            measures = measured(judge, reading.corpus, reading.claims)
            found.append({"reading": name, **measures})
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


def _lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
