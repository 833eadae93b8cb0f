"""Problems as a SARIF 2.1.0 log, which editors and code scanners read.

Columns are counted in UTF-16 code units, as `columnKind` says; ours count characters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kgverify.errors import Problem, Span
from kgverify.version import VERSION

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
CATALOGUE = "docs/rule-language.md"  # each code has its heading there
_SUGGESTED = re.compile(r"did you mean `([^`]+)`\?(?: \(the case differs\))?")


def sarif_log(
    problems: Sequence[Problem], sources: Mapping[str, str], docs: str = "", exit_code: int = 0
) -> dict[str, Any]:
    """The log of one run.

    `sources` maps each file's name to its text; in a file that is not there, columns count
    characters.  `docs` is the address under which the documentation is published, where `docs/`
    is; without it a code's entry is named, and not linked."""
    codes = sorted({problem.code for problem in problems})
    rules = [_rule(code, docs) for code in codes]
    lines = {file: text.split("\n") for file, text in sources.items()}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "kgverify", "version": VERSION, "rules": rules}},
                "columnKind": "utf16CodeUnits",
                "newlineSequences": ["\r\n", "\n", "\r"],
                "invocations": [{"executionSuccessful": True, "exitCode": exit_code}],
                "results": [_result(problem, codes, lines) for problem in problems],
            }
        ],
    }


def _rule(code: str, docs: str) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": code,
        "shortDescription": {"text": code.replace("-", " ")},
        "help": {"text": f"{CATALOGUE}#{code}"},
    }
    if docs:
        rule["helpUri"] = f"{docs.rstrip('/')}/{CATALOGUE}#{code}"
    return rule


def _result(
    problem: Problem, codes: Sequence[str], lines: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    said = f"{problem.message}: {problem.hint}" if problem.hint else problem.message
    result: dict[str, Any] = {
        "ruleId": problem.code,
        "ruleIndex": codes.index(problem.code),
        "level": "error" if problem.is_error else "warning",
        "message": {"text": said},
    }
    if problem.span:
        result["locations"] = [_location(problem.span, lines)]
        fix = _fix(problem, problem.span, lines)
        if fix:
            result["fixes"] = [fix]
    if problem.notes:
        result["relatedLocations"] = [
            {"id": number, **_location(span, lines), "message": {"text": text}}
            for number, (span, text) in enumerate(problem.notes)
        ]
    return result


def _location(span: Span, lines: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(span)}
    if span.line:
        place["region"] = _region(span, lines)
    return {"physicalLocation": place}


def _artifact(span: Span) -> dict[str, str]:
    path = Path(span.file)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}


def _region(span: Span, lines: Mapping[str, Sequence[str]]) -> dict[str, int]:
    region = {"startLine": span.line}
    if span.column:
        text = _line(span, lines)
        region["startColumn"] = _units(text, span.column)
        if span.end_column:
            region["endColumn"] = _units(text, max(span.column, span.end_column))
    return region


def _line(span: Span, lines: Mapping[str, Sequence[str]]) -> str:
    found = lines.get(span.file, ())
    return found[span.line - 1] if span.line <= len(found) else ""


def _units(text: str, column: int) -> int:
    """A column in UTF-16 code units; beyond the end of the line every character is one."""
    before = text[: column - 1]
    return column + sum(ord(character) > 0xFFFF for character in before)


def _fix(problem: Problem, span: Span, lines: Mapping[str, Sequence[str]]) -> dict[str, Any] | None:
    """The replacement of a name that is unknown by the one that is perhaps meant; None where the
    place holds anything else than the name."""
    suggested = _SUGGESTED.fullmatch(problem.hint)
    written = _line(span, lines)[max(0, span.column - 1) : max(0, span.end_column - 1)]
    if suggested is None or not written or written != problem.subject:
        return None
    replacement = {"deletedRegion": _region(span, lines), "insertedContent": {"text": suggested[1]}}
    change = {"artifactLocation": _artifact(span), "replacements": [replacement]}
    return {"description": {"text": problem.hint}, "artifactChanges": [change]}
