"""What became of the laws, as a table and as JSON; a law that fails with its smallest world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kgverify.errors import KgverifyError, printable
from kgverify.testing import Counterexample, Outcome, World
from kgverify.verdicts import Verdict

_RESULT = {
    "holds": ("✓ holds", "green"),
    "fails": ("✗ fails", "red"),
    "unchecked": ("– not checked", "yellow"),
}


def print_outcomes(console: Console, outcomes: Sequence[Outcome]) -> None:
    """A line for each law: its number, what it says and when, how many worlds, and the result."""
    table = Table(box=None, header_style="bold")
    table.add_column("law", justify="right")
    table.add_column("says", overflow="fold", ratio=1)
    table.add_column("worlds", justify="right")
    table.add_column("result")
    for outcome in outcomes:
        law = outcome.law
        says = Text(law.statement)
        if law.condition:
            says.append(f"\nwhere {law.condition}", style="dim")
        if outcome.note:
            says.append(f"\n{printable(outcome.note)}", style="yellow")
        worlds = str(outcome.examples) if outcome.examples else ""
        table.add_row(str(law.number), says, worlds, Text(*_RESULT[outcome.result]))
    console.print(table)


def print_counterexample(console: Console, outcome: Outcome) -> None:
    """The smallest world that breaks a law, as files, and the verdicts before and after."""
    found = outcome.counterexample
    if found is None:
        return
    lines = [f"{outcome.law} fails: {found.breach.what}", f"change: {found.change}"]
    for name, text in found.world.files().items():
        lines += [f"--- {name}", text.rstrip("\n")]
    lines.append("---")
    lines += _verdicts(found)
    console.print(Text("\n".join(map(_printable, lines))), soft_wrap=True)


def _printable(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def _verdicts(found: Counterexample) -> Iterator[str]:
    breach = found.breach
    for when, verdict in (("before", breach.before), ("after", breach.after)):
        if verdict is not None:
            constraints = "; ".join(
                f"{text} {status}"
                for (text, _), status in zip(
                    verdict.constraint_texts, verdict.statuses.values(), strict=True
                )
            )
            asked = f"question {verdict.question}, candidate {verdict.candidate}"
            yield f"{when}: {asked}: {verdict.verdict} ({constraints})"


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many laws hold, fail, and could not be checked."""
    count = {result: sum(o.result == result for o in outcomes) for result in _RESULT}
    return (
        f"{count['holds']} hold, {count['fails']} fail, {count['unchecked']} could not be checked"
    )


def outcomes_json(file: str, seed: int, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """All outcomes as a JSON object."""
    return {"file": file, "seed": seed, "laws": [_row(outcome) for outcome in outcomes]}


def _row(outcome: Outcome) -> dict[str, Any]:
    law, found = outcome.law, outcome.counterexample
    return {
        "law": law.number,
        "name": law.name,
        "statement": law.statement,
        "condition": law.condition,
        "result": outcome.result,
        "examples": outcome.examples,
        "note": outcome.note,
        "failure": found and _failure(found),
    }


def _failure(found: Counterexample) -> dict[str, Any]:
    breach = found.breach
    return {
        "what": breach.what,
        "change": str(found.change),
        "before": breach.before and _verdict(breach.before),
        "after": breach.after and _verdict(breach.after),
        "files": worlds_files(found),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "question": verdict.question,
        "candidate": verdict.candidate,
        "verdict": verdict.verdict,
        "support": verdict.support,
        "constraints": verdict.statuses,
    }


def worlds_files(found: Counterexample) -> dict[str, dict[str, str]]:
    """The files of the world `before` the change and, where there is a change and a world, `after`
    it; by folder and name."""
    files = {"before": found.world.files()}
    after = _after(found)
    if after is not None and after.files() != files["before"]:
        files["after"] = after.files()
    return files


def _after(found: Counterexample) -> World | None:
    try:
        world: World = found.change.apply(found.world)
    except KgverifyError:
        return None  # the change leaves no rule file that can be read
    return world
