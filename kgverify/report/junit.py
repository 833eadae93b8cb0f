"""Outcomes of tests as JUnit XML, which continuous integration reads.

A test suite is a file that holds tests, and a test case is one expectation.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml
from collections.abc import Mapping, Sequence
from pathlib import Path

from kgverify.rule_tests import Outcome

# What XML 1.0 has no place for, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(outcomes: Mapping[str, Sequence[Outcome]], proofs: Mapping[Outcome, str]) -> str:
    """The outcomes by file; `proofs` says of one that fails what came out, and why."""
    every = [outcome for found in outcomes.values() for outcome in found]
    root = xml.Element("testsuites", _counts(every))
    for file, found in outcomes.items():
        suite = xml.SubElement(root, "testsuite", {"name": _text(file), **_counts(found)})
        for outcome in found:
            _add_case(suite, file, outcome, proofs.get(outcome, ""))
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, "unicode") + "\n"


def _counts(outcomes: Sequence[Outcome]) -> dict[str, str]:
    errors = sum(outcome.got == "error" for outcome in outcomes)
    failures = sum(not outcome.passed for outcome in outcomes) - errors
    counts = {"tests": len(outcomes), "failures": failures, "errors": errors}
    return {name: str(number) for name, number in counts.items()}


def _add_case(suite: xml.Element, file: str, outcome: Outcome, proof: str) -> None:
    stem = Path(file).stem
    name = f"{outcome.test}: {outcome.asked}: {outcome.candidate} = {outcome.expected}"
    case = xml.SubElement(
        suite,
        "testcase",
        {
            "classname": _text(stem),
            "name": _text(name),
            "file": _text(file),
            "line": str(outcome.span.line),
        },
    )
    if outcome.passed:
        return
    said = f"{outcome.candidate} should be {outcome.expected}, is {outcome.got}"
    kind = "error" if outcome.got == "error" else "failure"
    fault = xml.SubElement(case, kind, {"message": _text(said), "type": _text(outcome.got)})
    fault.text = _text("\n".join([f"{outcome.span}: {said}", *outcome.problems, proof]))


def _text(text: str) -> str:
    """The text with characters spelled out that XML has no place for."""
    return _FORBIDDEN.sub(lambda c: c[0].encode("unicode_escape").decode(), text)
