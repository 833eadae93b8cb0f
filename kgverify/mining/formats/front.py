"""Which format a file of rules has, and how it is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from kgverify.errors import Problem, RuleError, Span
from kgverify.graph import Graph
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.rejects import Rejects
from kgverify.mining.formats import amie, anyburl, json
from kgverify.mining.formats.names import Names
from kgverify.mining.formats.values import ImportedRule, ImportedRules
from kgverify.mining.horn import HornRule, MinedRule

Format = Literal["amie", "anyburl", "json"]
FORMATS: tuple[Format, ...] = ("amie", "anyburl", "json")

_WRITERS: dict[Format, Callable[[Iterable[MinedRule]], str]] = {
    "amie": amie.write,
    "anyburl": anyburl.write,
    "json": json.write,
}
_READERS: dict[Format, Callable[[SourceFile, Names, Rejects], ImportedRules]] = {
    "amie": amie.read,
    "anyburl": anyburl.read,
    "json": json.read,
}
# JSON first: a rule in it may hold anything.
_RECOGNISED_BY: dict[Format, Callable[[str], bool]] = {
    "json": json.recognises,
    "amie": amie.recognises,
    "anyburl": anyburl.recognises,
}
_MOST_BYTES = 4 << 30


def write_mined_rules(rules: Iterable[MinedRule], format: Format) -> str:
    """The rules as the text of a file.  Raises RuleError for a rule that the format can't hold: in
    AnyBURL's, one with more than 26 variables."""
    return _WRITERS[format](rules)


def read_mined_rules(
    path: str | Path,
    graph: Graph | None = None,
    format: Format | None = None,
    on_error: Literal["stop", "skip"] = "stop",
) -> ImportedRules:
    """The rules of a file; with a graph, their names must be the graph's.

    The format is told by the first line that has one.  Raises RuleError with every problem of the
    file, unless lines with problems are to be skipped; GraphError if the file can't be read."""
    rejects = Rejects("skip")
    with SourceFile(Path(path), _MOST_BYTES, lambda _: None) as source:
        found = format or _recognised(source)
        rules = _READERS[found](source, Names(graph), rejects)
    if rejects.problems and on_error == "stop":
        raise RuleError(rejects.problems)
    warnings = (*rules.warnings, *_doubtful(rules.rules))
    if not rules.rules and not rejects.problems:
        message = "there is no rule in the file"
        warnings += (Problem("no-rules", message, Span(str(path)), "", "warning"),)
    return replace(rules, warnings=warnings, rejected=tuple(rejects.problems))


def _doubtful(rules: Iterable[ImportedRule]) -> Iterator[Problem]:
    """Rules that say nothing, and rules that are there already."""
    first: dict[HornRule, ImportedRule] = {}
    for rule in rules:
        if rule.rule.is_tautology:
            message = "the head of the rule is in its body, so it says nothing"
            yield Problem("tautology", message, rule.span, "leave it out", "warning")
        earlier = first.setdefault(rule.rule.canonical, rule)
        if earlier is not rule and earlier.span is not None:
            notes = ((earlier.span, "first written here"),)
            message = "this rule is there already"
            yield Problem("duplicate", message, rule.span, "keep one of them", "warning", notes)


def _recognised(source: SourceFile) -> Format:
    if source.name.endswith(".kgr"):
        message = "this is a rule file, and no file of mined rules"
        hint = "give what it was written from, as `kgverify mine --format json` writes it"
        raise RuleError(Problem("unknown-format", message, Span(source.name), hint))
    for line in source.head().decode(errors="replace").splitlines():
        for name, recognises in _RECOGNISED_BY.items():
            if recognises(line):
                return name
    hint = "say what it is: " + ", ".join(FORMATS)
    message = "no line looks like a rule of AMIE, of AnyBURL, or of JSON Lines"
    raise RuleError(Problem("unknown-format", message, Span(source.name), hint))
