"""`kgverify replay`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kgverify.cli import console
from kgverify.cli.options import DeniedPaths, KgPaths, RulesPath, open_kg
from kgverify.errors import counted, printable

EPILOG = (
    "Example: kgverify replay lisinopril.json --kg corpora/pharmacy/facts.tsv "
    "--rules rules/pharmacy.kgr"
)


def replay(
    explanation: Annotated[
        Path, typer.Argument(help="An explanation: what `kgverify explain --format json` wrote.")
    ],
    kg: KgPaths,
    rules: RulesPath,
    denied: DeniedPaths = [],  # noqa: B006  (typer reads the default)
) -> None:
    """Check an explanation: that its facts are in the graph, and that its statuses follow from
    what it cites alone.  Exit code 1 when they don't."""
    with console.mistakes_shown():
        from kgverify import check_explanation, load_rules, read_explanation

        found = read_explanation(explanation.read_bytes(), str(explanation))
        book = load_rules(rules)
        problems = check_explanation(found, open_kg(kg, denied, book), book)
        console.report(problems)
        faults = sum(problem.is_error for problem in problems)
        proofs = sum(explained.proof is not None for explained in found.constraints)
        proofs += found.joint_proof is not None
        said = printable(f"{found.candidate} for {found.question} is {found.verdict}")
        ending = "does not replay" if faults else f"replays, {counted(proofs, 'proof')}"
        sys.stdout.write(f"{said}: {ending}\n")
    raise SystemExit(console.SOMETHING_VIOLATED if faults else console.NOTHING_VIOLATED)
