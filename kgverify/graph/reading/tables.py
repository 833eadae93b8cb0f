"""Tab-separated files: triples, Hetionet, KGX, labels and types.  UTF-8, one record a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.kgx import edge, node
from kgverify.graph.reading.rejects import Rejects
from kgverify.graph.reading.target import Target
from kgverify.graph.terms import entity_key

_DENIED = {"": False, "denied": True, "not": True}
_TRIPLE_HEADERS = frozenset(
    {
        ("subject", "relation", "object"),
        ("head", "relation", "tail"),
        ("source", "metaedge", "target"),
    }
)
_ENTITY_COLUMNS = ("id", "entity", "node")
LABEL_HEADERS = frozenset((id, name) for id in _ENTITY_COLUMNS for name in ("label", "name"))
TYPE_HEADERS = frozenset((id, name) for id in _ENTITY_COLUMNS for name in ("class", "type"))


def read_triples(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """`subject<tab>relation<tab>object`, and optionally `denied` or `not` in a fourth column.

    The first line may be a header: that of Hetionet's edges, or the names of the three columns."""
    for number, line, fields in _records(source, rejects, 3, 4):
        if number == 1 and tuple(fields[:3]) in _TRIPLE_HEADERS:
            continue
        denied = _DENIED.get(fields[3].casefold()) if len(fields) == 4 else False
        if denied is None:
            column = len(line) - len(fields[3]) + 1
            rejects.add(
                "bad-column",
                f"the fourth column says `{fields[3]}`",
                source.span(number, column, len(line) + 1),
                "it may be `denied`, `not` or empty; names hold no tabs",
            )
            continue
        try:
            target.table_fact(fields[0], fields[1], fields[2], number, denied)
        except ValueError as error:
            rejects.add("bad-literal", str(error), source.span(number, line.rindex('"') + 1))


def read_labels(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """`id<tab>label`, and optionally the entity's class in a third column.

    Hetionet's nodes (`id name kind`) have this form."""
    for number, _, fields in _records(source, rejects, 2, 3):
        if number == 1 and tuple(fields[:2]) in LABEL_HEADERS:
            continue
        target.label(entity_key(fields[0]), fields[1])
        if len(fields) == 3 and fields[2]:
            target.type(fields[0], fields[2], number)


def read_types(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """`entity<tab>class`."""
    for number, _, fields in _records(source, rejects, 2, 2):
        if number != 1 or tuple(fields) not in TYPE_HEADERS:
            target.type(fields[0], fields[1], number)


def read_kgx_nodes(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """KGX nodes: a header with `id` and `category`; several values are separated by `|`."""
    _read_kgx(source, target, rejects, node)


def read_kgx_edges(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """KGX edges: a header with `subject`, `predicate` and `object`; `negated` edges are denied."""
    _read_kgx(source, target, rejects, edge)


def _read_kgx(
    source: SourceFile,
    target: Target,
    rejects: Rejects,
    add: Callable[[dict[str, object], Target, int], None],
) -> None:
    columns: list[str] = []
    for number, line in source.lines(rejects):
        fields = line.split("\t")
        if number == 1:
            columns = fields
        elif len(fields) != len(columns) and line:
            message = f"{len(fields)} columns where the header has {len(columns)}"
            rejects.add("wrong-columns", message, source.span(number))
        elif line:
            record: dict[str, object] = dict(zip(columns, fields, strict=True))
            try:
                add(record, target, number)
            except ValueError as error:
                rejects.add("bad-record", str(error), source.span(number))


def _records(
    source: SourceFile, rejects: Rejects, least: int, most: int
) -> Iterator[tuple[int, str, list[str]]]:
    """(line number, line, fields) of the lines with the right number of columns; the first `least`
    of them are not empty.  Empty lines are passed over."""
    for number, line in source.lines(rejects):
        fields = line.split("\t")
        if not least <= len(fields) <= most:
            if line.strip():
                _reject_columns(source, rejects, number, len(fields), least, most)
            continue
        if all(map(str.strip, fields[:least])):
            yield number, line, fields
        else:
            empty = next(i for i in range(least) if not fields[i].strip())
            column = sum(len(field) + 1 for field in fields[:empty]) + 1
            message = f"column {empty + 1} of {len(fields)} is empty"
            rejects.add("empty-field", message, source.span(number, column))


def _reject_columns(
    source: SourceFile, rejects: Rejects, number: int, count: int, least: int, most: int
) -> None:
    wanted = str(least) if least == most else f"{least} or {most}"
    hint = "columns are separated by tabs, and this line has none" if count == 1 else ""
    if count > most:
        hint = "names hold no tabs"
    message = f"{count} column{'s' * (count > 1)} where {wanted} are expected"
    rejects.add("wrong-columns", message, source.span(number), hint)
