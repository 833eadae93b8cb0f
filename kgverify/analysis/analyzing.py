"""The analysis of a rule file: its questions, its rules, and what contradicts what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from kgverify.analysis.domains import Bound, not_analysed
from kgverify.analysis.guessing import Deadline
from kgverify.analysis.questions import QuestionAnalysis
from kgverify.analysis.results import Analysis, Finding, Omission
from kgverify.analysis.rules import Contradictions, rule_findings
from kgverify.errors import LimitReached
from kgverify.language.rulebook import RuleBook

LATE = "the time was over"
ALIKE = "not all ways to ask it, with things that are named or the same, were looked at"


def analyze_rules(book: RuleBook, bound: int = 4, seconds: float = 60) -> Analysis:
    """What is wrong with a rule file that only a look at graphs shows: up to `bound` facts and as
    many things without names.

    Graphs and verdicts come from the encodings that decide verdicts, and every graph that is shown
    was confirmed by a `Verifier`.  What there was no time for in `seconds` is told.  Raises
    EngineError when a graph is not confirmed, which is a fault of kgverify."""
    limits, deadline = Bound(bound), Deadline(seconds)
    findings: list[Finding] = []
    left: list[Omission] = []

    def run(what: str, find: Callable[[], Iterator[Finding]]) -> bool:
        try:
            # One by one: what was found before the time is over counts.
            for finding in find():
                findings.append(finding)
        except LimitReached:
            left.append(Omission(what, LATE, late=True))
            return False
        return True

    questions = rules = 0
    for name in book.questions:
        why = not_analysed(book, name)
        if why:
            left.append(Omission(f"question `{name}`", why))
            continue

        def ask(name: str = name) -> Iterator[Finding]:
            analysis = QuestionAnalysis(book, name, limits, deadline)
            if not analysis.full:
                left.append(Omission(f"question `{name}`", ALIKE))
            return analysis.findings()

        questions += run(f"question `{name}`", ask)
    found = [rule for rule in book.rules if rule.body]
    for rule in found:
        what = f"rule `{book.rule_id(rule)}`"
        rules += run(what, partial(rule_findings, book, rule, limits, deadline))
    for name in (*book.classes, *book.relations) if found else ():
        what = f"what is for and against `{name}`"
        run(what, Contradictions(book, name, limits, deadline).findings)
    findings.sort(key=lambda finding: _place(finding))
    return Analysis(tuple(findings), tuple(left), questions, rules)


def _place(finding: Finding) -> tuple[int, int, str]:
    span = finding.problem.span
    return (span.line, span.column, finding.problem.code) if span else (0, 0, "")
