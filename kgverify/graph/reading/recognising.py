"""Tells what format a file has, by its name and its first bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from kgverify.graph.reading import rdf, records, tables
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.ntriples import read_ntriples
from kgverify.graph.reading.rejects import Rejects
from kgverify.graph.reading.target import Target

Reader: TypeAlias = Callable[[SourceFile, Target, Rejects], None]

ROLES: dict[str, Reader] = {
    "labels": tables.read_labels,
    "types": tables.read_types,
    "triples": tables.read_triples,
}
_BY_NAME: dict[str, Reader] = {
    ".nt": read_ntriples,
    ".nq": read_ntriples,
    ".ttl": rdf.read_turtle,
    ".trig": rdf.read_trig,
    ".jsonld": rdf.read_jsonld,
    ".jsonl": records.read_jsonl,
    ".ndjson": records.read_jsonl,
}
_TURTLE = re.compile(rb"\s*(?:#[^\n]*\s+)*(?:@prefix|@base|prefix|base)\s", re.IGNORECASE)
_NTRIPLES = re.compile(rb"\s*(?:#[^\n]*\s+)*(?:<[\w+.-]+:[^>]*>|_:\S+)[ \t]*<[\w+.-]+:[^>]*>")
_XML = (b"<?xml", b"<rdf:RDF", b"<!DOCTYPE")
_LINKED_DATA = re.compile(rb'"@(?:context|graph|id)"')


def recognise(source: SourceFile) -> Reader:
    """The reader for a file.  Raises GraphError for an empty file and for an unknown format."""
    name = source.path.name.lower().removesuffix(".gz")
    ending = name[name.rfind(".") :] if "." in name else ""
    head = source.head()
    if not head.strip():
        raise source.problem("empty-file", "is empty")
    if ending in _BY_NAME:
        return _BY_NAME[ending]
    start = head.lstrip()
    if ending in (".rdf", ".owl", ".xml") or start.startswith(_XML):
        return _ontology(source, start)
    if ending == ".json":
        return rdf.read_jsonld if _LINKED_DATA.search(head) else records.read_json
    if ending == ".csv":
        hint = "write the columns separated by tabs, as .tsv"
        raise source.problem("foreign-format", "comma-separated files are not read", hint)
    if ending not in (".tsv", ".tab", ".txt") and (reader := _by_content(head, start)):
        return reader
    return _table(name, head)


def _by_content(head: bytes, start: bytes) -> Reader | None:
    if start.startswith((b"{", b"[")):
        if _LINKED_DATA.search(head):
            return rdf.read_jsonld
        first_line = start.split(b"\n", 1)[0].rstrip()
        one_a_line = first_line.startswith(b"{") and first_line.endswith(b"}")
        return records.read_jsonl if one_a_line else records.read_json
    if _TURTLE.match(head):
        return rdf.read_turtle
    return read_ntriples if _NTRIPLES.match(head) else None


def _ontology(source: SourceFile, start: bytes) -> Reader:
    """OWL comes in several syntaxes under one name."""
    hint = "save it as RDF/XML or Turtle"
    if start.startswith((b"Prefix(", b"Ontology(")):
        raise source.problem("foreign-format", "this is OWL in functional syntax", hint)
    if re.search(rb"<(?:owl:)?Ontology\s[^>]*xmlns=\"http://www.w3.org/2002/07/owl#\"", start):
        raise source.problem("foreign-format", "this is OWL/XML, which is not RDF/XML", hint)
    if start.startswith(_XML) or (start.startswith(b"<") and not _NTRIPLES.match(start)):
        return rdf.read_rdfxml
    return _by_content(start, start) or rdf.read_turtle


def _table(name: str, head: bytes) -> Reader:
    fields = head.split(b"\n", 1)[0].decode(errors="replace").rstrip("\r").split("\t")
    columns = set(fields)
    if {"subject", "predicate", "object"} <= columns:
        return tables.read_kgx_edges
    if {"id", "category"} <= columns:
        return tables.read_kgx_nodes
    if "labels" in name or tuple(fields[:2]) in tables.LABEL_HEADERS:
        return tables.read_labels
    if "types" in name or tuple(fields) in tables.TYPE_HEADERS:
        return tables.read_types
    return tables.read_triples
