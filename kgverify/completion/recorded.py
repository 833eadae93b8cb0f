"""What was generated elsewhere, from a file: a missing edge with its objects a line.

    {"subject": "Norway", "relation": "capital", "objects": ["Oslo"], "model": "name"}

Subjects and relations are names of the graph and the rule file; objects are taken as they were
said.  `model` says which model generated, and may be left out of all lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.lines import is_text, line_object, missing_in, place_of
from kgverify.errors import EvidenceError, ModelError, Problem, Span
from kgverify.evidence.endpoint_judge import same_model
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook

_CODE = "generation-line"
_FIELDS = ("subject", "relation", "objects", "model")
_SHAPE = '{"subject": …, "relation": …, "objects": […], "model": …}'


@dataclass(frozen=True, slots=True)
class _Line:
    missing: Breakpoint
    objects: tuple[str, ...]
    model: str | None
    span: Span


class Recorded:
    """Generates what is on record; a missing edge that is not is a failure, and not nothing."""

    calls = 0

    def __init__(
        self, objects: Mapping[Breakpoint, tuple[str, ...]], model: str | None = None
    ) -> None:
        self._objects = dict(objects)
        self.model = model
        said = [[m.subject, m.relation, *self._objects[m]] for m in sorted(self._objects)]
        digest = hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()
        self.name = f"recorded {digest[:16]} {model or 'unknown'}"

    def __len__(self) -> int:
        return len(self._objects)

    def generate(self, missing: Breakpoint) -> tuple[str, ...]:
        """The objects on record.  Raises ModelError where there is no line."""
        if missing not in self._objects:
            message = f"nothing is on record for {missing}"
            hint = 'add a line; with "objects": [] where the model said nothing'
            raise ModelError(Problem("no-generation", message, None, hint))
        return self._objects[missing]


def read_generations(lines: Iterable[bytes], name: str, graph: Graph, book: RuleBook) -> Recorded:
    """The generations of a file.  Raises EvidenceError with everything that is wrong with any
    line."""
    found: list[_Line] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            read = list(_read(line, Span(name, number), graph, book))
            found += [one for one in read if isinstance(one, _Line)]
            problems += [one for one in read if isinstance(one, Problem)]
    if not found and not problems:
        problems.append(Problem("empty-file", "there are no generations", Span(name)))
    objects: dict[Breakpoint, _Line] = {}
    for one in found:
        first = objects.setdefault(one.missing, one)
        if first is not one:
            message = f"there are two lines for {one.missing}"
            notes = ((first.span, "first here"),)
            problems.append(Problem("duplicate-generation", message, one.span, notes=notes))
    problems += _of_one_model(found)
    if problems:
        raise EvidenceError(problems)
    model = found[0].model
    return Recorded({missing: line.objects for missing, line in objects.items()}, model)


def _of_one_model(found: list[_Line]) -> Iterator[Problem]:
    """A file is of one model, or of one that nobody knows."""
    for one in found:
        first = found[0]
        if one.model != first.model and not same_model(one.model, first.model):
            this, other = (_named(line.model) for line in (one, first))
            message = f"this line is of {this}, another of {other}"
            hint = "write a file for each model"
            notes = ((first.span, "the other line"),)
            yield Problem("several-models", message, one.span, hint, notes=notes)


def _named(model: str | None) -> str:
    return "a model that is not named" if model is None else f"the model `{model}`"


def _read(line: bytes, span: Span, graph: Graph, book: RuleBook) -> Iterator[_Line | Problem]:
    value, problems = line_object(line, span, "generation", _CODE, _SHAPE, _FIELDS)
    if value is None:
        yield from problems
        return
    problems += _wrong(value, line, span)
    subject, relation, more = missing_in(value, line, span, graph, book)
    yield from (*problems, *more)
    if problems or subject is None or relation is None:
        return
    missing = Breakpoint(graph.key(subject)[1:], relation)
    yield _Line(missing, tuple(value["objects"]), value.get("model"), span)


def _wrong(value: dict[str, Any], line: bytes, span: Span) -> Iterator[Problem]:
    """What is wrong with the form of a line's values."""
    hint = f"write {_SHAPE}"
    for field in ("subject", "relation"):
        if not is_text(value.get(field)):
            yield Problem(_CODE, f"`{field}` is no text", place_of(line, field, span), hint)
    objects = value.get("objects")
    if not isinstance(objects, list) or not all(map(is_text, objects)):
        message = "`objects` is no list of texts"
        yield Problem(_CODE, message, place_of(line, "objects", span), hint)
    if "model" in value and not is_text(value["model"]):
        yield Problem(_CODE, "`model` is no text", place_of(line, "model", span), hint)
