"""What the analysis of rule files found, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kgverify.analysis.results import Analysis, Difference, Omission, RuleComparison, Scenarios
from kgverify.errors import Problem, counted, printable


def analysis_text(file: str, found: Analysis) -> Iterator[str]:
    """The findings with the blocks that show them, then what was left out, and a summary."""
    for finding in found.findings:
        problem = finding.problem
        yield f"{problem.span}: {problem.severity}[{problem.code}]: {problem.message}"
        yield from (f"    see {span}: {words}" for span, words in problem.notes)
        yield f"    {finding.claim}; {problem.hint}" if problem.hint else f"    {finding.claim}"
        for block in finding.blocks:
            yield from _indented(block)
    yield from _left(found.left)
    yield (
        f"{file}: {counted(len(found.findings), 'finding')}; "
        f"{counted(found.questions, 'question')} and {counted(found.rules, 'rule')} analysed"
    )


def comparison_lines(found: RuleComparison) -> Iterator[str]:
    """What is said of the questions without a difference, and a summary."""
    yield from (f"{x.question}: no difference, {x.claim}" for x in found.alike)
    yield from (f"{old}: now called {new}" for old, new in found.renamed)
    yield from (f"{name}: only in the older version" for name in found.removed)
    yield from (f"{name}: only in the newer version" for name in found.added)
    yield from _left(found.left)
    yield (
        f"{counted(len(found.different), 'question')} with a difference, "
        f"{len(found.alike)} without one, {_unlooked(found.left)} not compared"
    )


def difference_lines(found: Difference) -> Iterator[str]:
    """On which graph two versions differ, and how."""
    old, new = found.old.verdict.verdict, found.new.verdict.verdict
    yield f"{found.question}: {old} before, {new} now, on a graph of {_facts(found)}"
    if not found.agrees:
        yield "    (in one of the versions the graph has evidence for and against one atom)"
    if found.block:
        yield from _indented(found.block)
    else:
        yield from (f"    {fact}." for fact in found.facts)


def _facts(found: Difference) -> str:
    return counted(len(found.facts), "fact")


def scenario_text(found: Sequence[Scenarios], rule_file: str) -> Iterator[str]:
    """The scenarios as a rule file's statements; what none reaches as comments."""
    yield f"# Scenarios of {printable(rule_file)}, to review."
    for one in found:
        yield ""
        yield f"# ---- {one.question}"
        yield from (f"# {line}" for line in _left(one.left))
        for scenario in one.scenarios:
            yield ""
            yield from (f"# {printable(words)}" for words in scenario.reaches)
            yield scenario.block
        if one.unreached:
            yield ""
            yield f"# On no graph of {one.claim}, with the values tried:"
            yield from (f"#     {printable(words)}" for words in one.unreached)


def _left(left: Iterable[Omission]) -> Iterator[str]:
    for one in left:
        yield f"{one.what}: {'not finished' if one.late else 'not all was looked at'}: {one.why}"


def _unlooked(left: Iterable[Omission]) -> int:
    return len({one.what for one in left})


def _indented(block: str) -> Iterator[str]:
    return (f"    {line}" for line in block.splitlines())


# ---------------------------------------------------------------- JSON


def analysis_json(file: str, found: Analysis) -> dict[str, Any]:
    """The findings as a JSON object."""
    return {
        "file": file,
        "findings": [
            {**_problem(f.problem), "claim": f.claim, "blocks": list(f.blocks)}
            for f in found.findings
        ],
        "left": _left_json(found.left),
        "questions": found.questions,
        "rules": found.rules,
    }


def comparison_json(found: RuleComparison) -> dict[str, Any]:
    """What two versions make of their questions, as a JSON object."""
    return {
        "different": [
            {
                "question": d.question,
                "old": d.old.verdict.explain().to_dict(),
                "new": d.new.verdict.explain().to_dict(),
                "facts": list(d.facts),
                "agrees": d.agrees,
                "block": d.block,
            }
            for d in found.different
        ],
        "alike": [{"question": x.question, "claim": x.claim} for x in found.alike],
        "renamed": [list(pair) for pair in found.renamed],
        "removed": list(found.removed),
        "added": list(found.added),
        "left": _left_json(found.left),
    }


def _problem(problem: Problem) -> dict[str, Any]:
    span = problem.span
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "file": span.file if span else "",
        "line": span.line if span else 0,
        "column": span.column if span else 0,
        "hint": problem.hint,
        "notes": [{"place": str(span), "text": text} for span, text in problem.notes],
    }


def _left_json(left: Iterable[Omission]) -> list[dict[str, Any]]:
    return [{"what": one.what, "why": one.why, "time": one.late} for one in left]
