"""The whole run: read, answer, measure, draw, report, write."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from kgverify import resources
from kgverify.experiments.metaqa.questions import MetaQuestion, read
from kgverify.experiments.runs import (
    RunRecord,
    check_place,
    file_hash,
    names_of,
    packages,
    require,
    text_hash,
    write_run,
)

RULES = "movies.kgr"
QUICK = 300  # questions of each file


def run(
    kg: Path,
    questions: Sequence[Path],
    out: Path,
    quick: bool,
    seed: int,
    progress: Callable[[str], None],
) -> RunRecord:
    """Reads and answers the questions of each file and writes the folder `out`.

    Raises KgverifyError when a package, a file or a place to write is missing."""
    require("matplotlib")
    check_place(out)
    from kgverify.experiments.metaqa.answering import answer_all
    from kgverify.experiments.metaqa.measuring import by_type
    from kgverify.experiments.metaqa.report import drawn, report
    from kgverify.graph import open_graph
    from kgverify.language.checks import load_rules_text

    text = resources.text("rules", RULES)
    rules = load_rules_text(text, RULES)
    files = names_of(questions)
    asked = {name: _sample(read(path), quick, seed) for name, path in files.items()}
    hashes = {name: file_hash(path) for name, path in (files | names_of([kg], files)).items()}
    progress("reading the graph")
    graph = open_graph(str(kg))
    record = RunRecord(
        experiment="metaqa",
        quick=quick,
        seeds=(seed,),
        options={"questions": QUICK if quick else "all"},
        inputs={**hashes, f"rules/{RULES}": text_hash(text)},
        packages=packages("clingo", "lark", "numpy", "rapidfuzz", "snowballstemmer", "matplotlib"),
    )
    outcomes = {name: answer_all(found, graph, rules, progress) for name, found in asked.items()}
    results = {name: by_type(found) for name, found in outcomes.items()}
    plots = drawn(results)
    write_run(
        out, record, {"files": results}, report(results, outcomes, record, list(plots)), plots
    )
    return record


def _sample(questions: list[MetaQuestion], quick: bool, seed: int) -> list[MetaQuestion]:
    if not quick or len(questions) <= QUICK:
        return questions
    return random.Random(seed).sample(questions, QUICK)
