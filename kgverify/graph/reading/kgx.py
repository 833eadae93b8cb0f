"""Records of the KGX format, from tables and from JSON lines alike."""

from __future__ import annotations

from collections.abc import Mapping

from kgverify.graph.reading.target import Target
from kgverify.graph.terms import entity_key

Record = Mapping[str, object]

_BOOLEANS = {"": False, "false": False, "0": False, "true": True, "1": True}
# What an edge says beside its three terms: the name of the qualifier that each column becomes.
_QUALIFIERS = {
    "primary_knowledge_source": "source",
    "knowledge_source": "source",
    "provided_by": "source",
    "publications": "publications",
    "knowledge_level": "knowledge_level",
    "agent_type": "agent_type",
    "since": "since",
    "until": "until",
    "rank": "rank",
}


class BadRecord(ValueError):
    """A record lacks a field or has an impossible one."""


def node(record: Record, target: Target, line: int) -> None:
    """Adds a node: its name, synonyms and categories.  Raises BadRecord."""
    name = _required(record, "id")
    key = entity_key(name)
    for text in _values(record, "name"):
        target.label(key, text)
    for column in ("synonym", "synonyms"):
        for text in _values(record, column):
            target.alias(key, text)
    for category in _values(record, "category"):
        target.type(name, category, line)


def edge(record: Record, target: Target, line: int) -> None:
    """Adds an edge; a negated one is a denied fact.  Raises BadRecord."""
    negated = _BOOLEANS.get(str(record.get("negated") or "").lower())
    if negated is None:
        raise BadRecord(f"`negated` is `{record['negated']}`; it may be `true` or `false`")
    target.table_fact(
        _required(record, "subject"),
        _required(record, "predicate"),
        _required(record, "object"),
        line,
        negated,
        _qualifiers(record),
    )


def _qualifiers(record: Record) -> dict[str, str]:
    """Sources, dates and the like; and the qualifiers proper, which narrow what the edge says."""
    found: dict[str, str] = {}
    for column, name in _QUALIFIERS.items():
        if name not in found and (values := _values(record, column)):
            found[name] = "|".join(values)
    for column in record:
        if (column.endswith("_qualifier") or column == "qualified_predicate") and (
            values := _values(record, column)
        ):
            found[column] = "|".join(values)
    return found


def _required(record: Record, column: str) -> str:
    value = record.get(column)
    if not isinstance(value, str) or not value.strip():
        raise BadRecord(f"`{column}` is missing" if value in (None, "") else f"bad `{column}`")
    return value


def _values(record: Record, column: str) -> list[str]:
    """The values of a column: a JSON list, or the parts of a text between `|`."""
    value = record.get(column)
    if value is None:
        return []
    parts = value if isinstance(value, list) else str(value).split("|")
    return [str(part) for part in parts if part not in (None, "")]
