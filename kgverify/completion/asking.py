"""Reads missing edges from lines of JSON, and says what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.lines import is_text, line_object, missing_in, place_of
from kgverify.errors import EvidenceError, Problem, Span
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook

_FIELDS = ("id", "subject", "relation")
_CODE = "breakpoint-line"
_SHAPE = '{"id": …, "subject": …, "relation": …}'


@dataclass(frozen=True, slots=True)
class Asked:
    """A missing edge, its subject an id of the graph, under the name by which it was asked for."""

    id: str
    missing: Breakpoint


def read_breakpoints(
    lines: Iterable[bytes], name: str, graph: Graph, book: RuleBook
) -> tuple[list[Asked], list[Problem]]:
    """The missing edges of a file, and warnings about them.

    Raises EvidenceError with everything that is wrong with any line."""
    asked: list[Asked] = []
    problems: list[Problem] = []
    spans: dict[str, Span] = {}
    for number, line in enumerate(lines, 1):
        span = Span(name, number)
        if not line.strip():
            continue
        found = list(_read(line, span, graph, book))
        problems += [one for one in found if isinstance(one, Problem)]
        for one in found:
            if isinstance(one, Asked):
                if spans.setdefault(one.id, span) is not span:
                    message = f"the id `{one.id}` is used twice"
                    notes = ((spans[one.id], "first used here"),)
                    problems.append(Problem("duplicate-breakpoint", message, span, notes=notes))
                asked.append(one)
    if not asked and not problems:
        problems.append(Problem("empty-file", "there are no missing edges", Span(name)))
    if any(problem.is_error for problem in problems):
        raise EvidenceError(problems)
    return asked, problems


def _read(line: bytes, span: Span, graph: Graph, book: RuleBook) -> Iterator[Asked | Problem]:
    value, problems = line_object(line, span, "missing edge", _CODE, _SHAPE, _FIELDS)
    if value is None:
        yield from problems
        return
    problems += [
        Problem(_CODE, f"`{field}` is no text", place_of(line, field, span), f"write {_SHAPE}")
        for field in _FIELDS
        if not is_text(value.get(field))
    ]
    subject, relation, more = missing_in(value, line, span, graph, book)
    yield from (*problems, *more)
    if problems or subject is None or relation is None:
        return
    yield from _warnings(subject, relation, span, graph, book)
    yield Asked(value["id"], Breakpoint(graph.key(subject)[1:], relation))


def _warnings(
    subject: int, relation: str, span: Span, graph: Graph, book: RuleBook
) -> Iterator[Problem]:
    """What makes a search poor."""
    if not graph.label(subject):
        message = f"`{graph.key(subject)[1:]}` has no label; its id is searched for"
        yield Problem("no-label", message, span, severity="warning")
    declared = book.relations[relation]
    if not declared.phrases:
        message = f"`{relation}` has no phrases; few passages may be found, and judged"
        hint = "write `phrases` below the relation in the rule file"
        yield Problem("no-phrases", message, span, hint, severity="warning")
