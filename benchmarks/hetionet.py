"""Both engines on real graphs: Hetionet v1.0 and CoDEx-S.  They must agree, and are timed.

    KGVERIFY_DATA=… python benchmarks/hetionet.py
    KGVERIFY_DATA=… python benchmarks/hetionet.py --json benchmarks/results/hetionet.json

Hetionet: the questions of `kgverify experiment cespk` on its balanced mix of candidates; what
verification is worth there is in that experiment's report.  CoDEx-S: are its human-checked
negatives refuted, and is what it asserts confirmed (see `codex.py`)?
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import codex
import common

if TYPE_CHECKING:
    from kgverify import Question
    from kgverify.experiments.hetionet import Hetionet

SEED = 0
QUICK_DISEASES = 4


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few questions, one repetition")
    parser.add_argument("--repeat", type=int, default=5, help="repetitions (default: 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results")
    options = parser.parse_args()
    repeat = 1 if options.quick else max(1, options.repeat)
    data = common.data_folder("hetionet"), common.data_folder("kg/codex-s")
    with tempfile.TemporaryDirectory(prefix="kgverify-benchmark-") as folder:
        ours = measure(data[0], options.quick, repeat)
        common.say(report(ours))
        theirs = codex.measure(data[1], Path(folder), options.quick, repeat)
        common.say("\n" + codex.report(theirs))
    if options.json:
        results = {"benchmark": "hetionet", "machine": common.machine(), "seed": SEED}
        results |= {"hetionet": ours, "codex": theirs}
        common.write_json(options.json, results)
    if not (common.engines_agree(ours) and codex.as_it_must_be(theirs)):
        sys.exit("the engines DISAGREE, or a negative is not refuted")


def measure(data: Path, quick: bool, repeat: int) -> dict[str, Any]:
    """Ask everything, verify with both engines, compare."""
    from kgverify import load_rules
    from kgverify.experiments.hetionet import read
    from kgverify.resources import folder as resource

    hetionet = read(data)
    graph, seconds = common.timed(lambda: hetionet.graph(hetionet.edges))
    rules = load_rules(resource("rules") / "hetionet.kgr")
    asked = questions(hetionet, QUICK_DISEASES if quick else None)
    compared = common.compare_engines(graph, rules, asked, repeat)
    return {
        "graph": {
            "triples": len(graph.facts),
            "denied": len(graph.denied),
            "build_seconds": seconds,
        },
        "questions": len(asked),
        **compared.as_json(),
    }


def questions(hetionet: Hetionet, diseases: int | None = None) -> list[Question]:
    """The experiment's questions on its balanced mix, in every reading."""
    from kgverify.experiments.cespk.asking import BALANCED, TEMPLATES, Whole, asked, topics
    from kgverify.experiments.cespk.judging import as_question

    whole = Whole(hetionet)
    return [
        as_question(found, template)
        for name, readings in TEMPLATES.items()
        for found in asked(topics(whole, name, whole.diseases[:diseases], SEED), BALANCED, SEED)
        for template in readings.values()
    ]


def report(results: dict[str, Any]) -> str:
    """Everything, as plain text."""
    graph = results["graph"]
    heading = (
        f"Hetionet: {graph['triples']:,} triples, {graph['denied']:,} denied; "
        f"built in {common.seconds(graph['build_seconds'])}\n"
        f"{results['questions']:,} questions, {results['verdicts']:,} candidates"
    )
    return heading + "\n\n" + common.engines_text(results)


if __name__ == "__main__":
    main()
