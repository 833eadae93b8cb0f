"""Reads missing edges from lines of JSON, and says what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kgverify import strict_json
from kgverify.completion.breakpoints import Breakpoint
from kgverify.errors import EvidenceError, Problem, QuestionError, Span, did_you_mean
from kgverify.evidence.queries import named_entity
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook

_FIELDS = ("id", "subject", "relation")


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
    try:
        value = strict_json.loads(line.decode("utf-8-sig" if span.line == 1 else "utf-8"))
    except UnicodeDecodeError:
        yield Problem("not-utf8", "the line is not UTF-8", span)
        return
    except strict_json.NotJson as error:
        yield Problem("not-json", error.message, replace(span, column=error.column))
        return
    shape = '{"id": …, "subject": …, "relation": …}'
    if not isinstance(value, dict) or strict_json.has_halves(value):
        yield Problem("breakpoint-line", "the line is no missing edge", span, f"write {shape}")
        return
    wrong = [f for f in _FIELDS if not isinstance(value.get(f), str) or not value[f].strip()]
    wrong_keys = [key for key in value if key not in _FIELDS]
    for field in wrong:
        yield Problem("breakpoint-line", f"`{field}` is no text", span, f"write {shape}")
    for key in wrong_keys:
        hint = did_you_mean(key, _FIELDS) or f"write {shape}"
        yield Problem("breakpoint-line", f"there is no field `{key}`", span, hint)
    subject = relation = None
    if "subject" not in wrong and isinstance(value.get("subject"), str):
        try:
            subject = named_entity(graph, book, value["subject"])
        except QuestionError as error:
            yield from (replace(problem, span=span) for problem in error.problems)
    if "relation" not in wrong and isinstance(value.get("relation"), str):
        relation = value["relation"]
        error_ = _relation_problem(relation, span, book)
        if error_ is not None:
            yield error_
            relation = None
    if subject is not None and graph.key(subject)[:1] != "e":
        yield Problem("blank-subject", f"`{value['subject']}` is a blank node, without an id", span)
        subject = None
    if subject is None or relation is None or wrong or wrong_keys:
        return
    yield from _warnings(subject, relation, span, graph, book)
    yield Asked(value["id"], Breakpoint(graph.key(subject)[1:], relation))


def _relation_problem(relation: str, span: Span, book: RuleBook) -> Problem | None:
    if relation not in book.relations:
        hint = did_you_mean(relation, book.relations)
        message = f"the rule file has no relation `{relation}`"
        return Problem("unknown-relation", message, span, hint)
    if book.is_literal(relation):
        message = f"the objects of `{relation}` are values; only entities are searched for"
        return Problem("literal-relation", message, span)
    return None


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
