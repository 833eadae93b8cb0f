"""The whole run: read, measure, draw, report, write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from kgverify import resources
from kgverify.experiments.runs import (
    RunRecord,
    check_place,
    packages,
    require,
    rounded,
    text_hash,
    write_run,
)

RULES = "hetionet.kgr"


def run(
    data: Path, out: Path, quick: bool, seed: int, progress: Callable[[str], None]
) -> RunRecord:
    """Does the experiment on the files in `data` and writes the folder `out`.

    Raises KgverifyError when a package, a file or a place to write is missing."""
    require("scipy", "matplotlib")
    check_place(out)
    from kgverify.experiments import hetionet
    from kgverify.experiments.cespk.drawing import plots
    from kgverify.experiments.cespk.measuring import measure, plan
    from kgverify.experiments.cespk.report import report
    from kgverify.experiments.cespk.results import Results
    from kgverify.language.checks import load_rules_text

    progress("reading the graph")
    found = hetionet.read(data)
    text = resources.text("rules", RULES)
    wanted = plan(seed, quick)
    record = RunRecord(
        experiment="cespk",
        quick=quick,
        seeds=wanted.seeds,
        options=asdict(wanted),
        inputs={**found.hashes, f"rules/{RULES}": text_hash(text)},
        packages=packages("clingo", "numpy", "scipy", "matplotlib", "pyshacl", "rdflib"),
    )
    plain = rounded(measure(found, load_rules_text(text, RULES), wanted, progress))
    results = Results(plain)
    progress("drawing")
    drawn = plots(results)
    write_run(out, record, plain, report(results, record, list(drawn)), drawn)
    return record
