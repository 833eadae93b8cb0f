"""JSON: facts and KGX records, one a line or in one document, and Hetionet's file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from kgverify.graph.reading import kgx
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.kgx import BadRecord
from kgverify.graph.reading.rejects import Rejects
from kgverify.graph.reading.target import Target
from kgverify.graph.terms import XSD, entity_key, literal_key, value_key

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_FACT = frozenset({"subject", "relation", "object", "denied"})


class _Number(str):
    """A JSON number as it is written: a float would lose digits."""


def read_jsonl(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """One JSON object a line: a fact (`relation`), a KGX edge (`predicate`) or a KGX node (`id`).

    A fact has `subject`, `relation` and `object`, and optionally `denied`, `since` and `until`
    (dates), `rank`, `source` and other qualifiers.  The object is an entity's name, a number, a
    boolean, or `{"value": …, "datatype": …, "lang": …}`."""
    for number, line in source.lines(rejects):
        if not line.strip():
            continue
        try:
            _add(_parse(line), target, number)
        except json.JSONDecodeError as error:
            rejects.add("bad-json", error.msg, source.span(number, error.colno))
        except ValueError as error:
            rejects.add("bad-record", str(error), source.span(number))


def read_json(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """One JSON document: Hetionet's (`metaedge_tuples`, `nodes`, `edges`), KGX's (`nodes`,
    `edges`), or a list of the records of `read_jsonl`.  It is read into memory whole."""
    try:
        document = _parse(source.text())
    except json.JSONDecodeError as error:
        raise source.problem("bad-json", error.msg, line=error.lineno) from error
    except BadRecord as error:
        raise source.problem("bad-json", str(error)) from error
    records = document if isinstance(document, list) else None
    add = _add
    if isinstance(document, dict) and ("nodes" in document or "edges" in document):
        records = _list(document, "nodes", source) + _list(document, "edges", source)
        if "kind_to_abbrev" in document or "metaedge_tuples" in document:
            add = _Hetionet(document.get("kind_to_abbrev")).add
    if records is None:
        hint = "Hetionet JSON, KGX JSON and JSON-LD (with `@context`) are read"
        raise source.problem("unknown-format", "this JSON is no graph format that is known", hint)
    for place, record in enumerate(records, 1):
        try:
            add(record, target, 0)
        except ValueError as error:
            rejects.add("bad-record", f"record {place}: {error}", source.span())


def _list(document: Mapping[str, object], field: str, source: SourceFile) -> list[object]:
    value = document.get(field, [])
    if not isinstance(value, list):
        raise source.problem("bad-json", f"`{field}` is no list")
    return value


def _parse(text: str) -> object:
    """Raises JSONDecodeError, or BadRecord for JSON that is beyond limits."""
    try:
        value = json.loads(text, parse_int=_Number, parse_float=_Number, parse_constant=_constant)
        if _ESCAPED_SURROGATE.search(text):  # half of a pair, or alone?
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError as error:
        raise BadRecord("the JSON is nested too deeply") from error
    except UnicodeEncodeError as error:
        raise BadRecord("a lone surrogate is no character") from error
    return value


def _constant(name: str) -> object:
    raise BadRecord(f"{name} is not JSON")


def _add(record: object, target: Target, line: int) -> None:
    if not isinstance(record, dict):
        raise BadRecord("not a JSON object")
    if "relation" in record and "predicate" not in record:
        _add_fact(record, target, line)
    elif "predicate" in record:
        kgx.edge(record, target, line)
    elif "id" in record:
        kgx.node(record, target, line)
    else:
        raise BadRecord("neither `relation` (a fact), `predicate` (an edge) nor `id` (a node)")


def _add_fact(record: Mapping[str, object], target: Target, line: int) -> None:
    subject, relation = _name(record, "subject"), _name(record, "relation")
    denied = record.get("denied", False)
    if not isinstance(denied, bool):
        raise BadRecord("`denied` is neither true nor false")
    target.fact(
        entity_key(subject),
        target.relation(relation),
        _object(record.get("object"), relation, target),
        line,
        denied,
        _qualifiers(record),
    )


def _object(value: object, relation: str, target: Target) -> str:
    if isinstance(value, (bool, _Number)) and (declared := target.datatype(relation)):
        return value_key(str(value).lower(), declared)
    if isinstance(value, bool):
        return literal_key(str(value).lower(), XSD + "boolean")
    if isinstance(value, _Number):
        return literal_key(value, XSD + "double")
    if isinstance(value, str) and value.strip():
        return target.table_object(relation, value)
    if isinstance(value, dict) and isinstance(text := value.get("value"), (str, bool)):
        parts = [value.get("datatype"), value.get("lang")]
        datatype, lang = (part if isinstance(part, str) else None for part in parts)
        if isinstance(text, (bool, _Number)) and not datatype and not lang:
            return _object(text, relation, target)
        if datatype and datatype.startswith("xsd:"):
            datatype = XSD + datatype[4:]
        return literal_key(str(text).lower() if isinstance(text, bool) else text, datatype, lang)
    raise BadRecord("`object` is missing" if value in (None, "") else "bad `object`")


def _qualifiers(record: Mapping[str, object]) -> dict[str, str]:
    found: dict[str, str] = {}
    for field, value in record.items():
        if field in _FACT or value is None:
            continue
        if isinstance(value, (dict, list)):
            raise BadRecord(f"the qualifier `{field}` is no plain value")
        found[field] = str(value).lower() if isinstance(value, bool) else str(value)
    return found


def _name(record: Mapping[str, object], field: str) -> str:
    value = record.get(field)
    if isinstance(value, _Number):
        raise BadRecord(f"bad `{field}`: an entity's name is a string, so {value} needs quotes")
    if not isinstance(value, str) or not value.strip():
        raise BadRecord(f"`{field}` is missing" if value in (None, "") else f"bad `{field}`")
    return value


class _Hetionet:
    """Records of Hetionet's JSON.  Ids are unique only within a kind, so the kind is a part of the
    name: `Compound::DB00014`.  A metaedge is named by its abbreviation, `CtD`, as in the tables, or
    where that can't be told by the edge's kind."""

    def __init__(self, abbreviations: object) -> None:
        self._abbreviations = abbreviations if isinstance(abbreviations, dict) else {}

    def add(self, record: object, target: Target, line: int) -> None:
        """Adds a node or an edge.  Raises BadRecord."""
        if not isinstance(record, dict):
            raise BadRecord("not a JSON object")
        if "source_id" in record:
            self._add_edge(record, target)
        else:
            name = _qualified([record.get("kind"), record.get("identifier")])
            if label := record.get("name"):
                target.label(entity_key(name), str(label))
            target.type(name, str(record["kind"]), line)

    def _add_edge(self, record: Mapping[str, object], target: Target) -> None:
        ends = [record.get("source_id"), record.get("target_id")]
        direction = record.get("direction", "both")
        if direction not in ("both", "forward", "backward"):
            raise BadRecord(f"bad `direction`: {direction}")
        if direction == "backward":
            ends.reverse()
        subject, object = _qualified(ends[0]), _qualified(ends[1])
        kind = _name(record, "kind")
        kinds = [subject.partition("::")[0], kind, object.partition("::")[0]]
        parts = [self._abbreviations.get(each) for each in kinds]
        arrow = "" if direction == "both" else ">"
        relation = f"{parts[0]}{parts[1]}{arrow}{parts[2]}" if all(parts) else kind
        target.fact(entity_key(subject), relation, entity_key(object))


def _qualified(pair: object) -> str:
    if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(p, str) for p in pair)):
        raise BadRecord(f"a node is named by its kind and its identifier, not by {pair}")
    return f"{pair[0]}::{pair[1]}"
