"""Turtle, TriG, RDF/XML and JSON-LD, parsed by pyoxigraph, and rdflib graphs.

No parser opens a file or a socket: pyoxigraph gets a stream of bytes, and RDF/XML and JSON-LD pass
a guard first.  Prefixes are not kept; named graphs are merged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from kgverify.graph.building import Builder
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.jsonld import check_jsonld
from kgverify.graph.reading.options import Options
from kgverify.graph.reading.rejects import Rejects
from kgverify.graph.reading.statements import Statements
from kgverify.graph.reading.target import Target
from kgverify.graph.reading.xmlguard import GuardedXml
from kgverify.graph.terms import entity_key, literal_key

if TYPE_CHECKING:
    import pyoxigraph
    import rdflib

# How the two parsers name a blank node that has no label.
_UNLABELLED = re.compile(r"N?[0-9a-f]{28,32}")
_POSITION = re.compile(r"^Parser error (?:at|between) line .*?: ")
_IRI = re.compile(r"parsing IRI '(.*?)':", re.DOTALL)
_CODE_POINT = re.compile(r"Invalid IRI code point '(.)'", re.DOTALL)


class _Bytes(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


def read_turtle(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """Turtle.  A statement with an error is left out up to its full stop."""
    from pyoxigraph import RdfFormat

    _read(source, _Text(source), RdfFormat.TURTLE, target, rejects)


def read_trig(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """TriG, as Turtle."""
    from pyoxigraph import RdfFormat

    _read(source, _Text(source), RdfFormat.TRIG, target, rejects)


def read_rdfxml(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """RDF/XML.  Raises GraphError on the first error: the rest of the file means nothing then."""
    from pyoxigraph import RdfFormat

    _read(source, GuardedXml(source), RdfFormat.RDF_XML, target, rejects)


def read_jsonld(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """JSON-LD with inline contexts.  Raises GraphError on the first error."""
    from pyoxigraph import RdfFormat

    text = source.text()
    check_jsonld(text, source, rejects)
    _read(source, text.encode(), RdfFormat.JSON_LD, target, rejects)


def read_rdflib(graph: rdflib.Graph, builder: Builder, options: Options) -> None:
    """All triples of an rdflib graph, or of all graphs of a dataset."""
    import rdflib

    target = Target(builder, options, "", denied=False)
    statements = Statements(target)
    blanks = _Blanks(target)

    def key(term: object) -> str:
        if isinstance(term, rdflib.Literal):
            datatype = str(term.datatype) if term.datatype else None
            return literal_key(str(term), datatype, term.language)
        return blanks.key(str(term)) if isinstance(term, rdflib.BNode) else entity_key(str(term))

    triples: Iterable[Any] = graph
    for subject, predicate, object, *_ in triples:
        is_literal = isinstance(object, rdflib.Literal)
        statements.add(
            key(subject),
            str(predicate),
            key(object),
            0,
            str(object) if is_literal else None,
            (object.language or "") if is_literal else "",
        )
    rejects = Rejects("stop")
    statements.finish("", rejects)
    rejects.check()


def _read(
    source: SourceFile,
    data: _Bytes | bytes,
    format: pyoxigraph.RdfFormat,
    target: Target,
    rejects: Rejects,
) -> None:
    import pyoxigraph

    statements = Statements(target)
    blanks = _Blanks(target)
    recovers = format in (pyoxigraph.RdfFormat.TURTLE, pyoxigraph.RdfFormat.TRIG)
    # pyoxigraph takes any object with a `read` method, though its types say otherwise.
    quads = pyoxigraph.parse(data, format=format)  # type: ignore[arg-type]
    while True:
        try:
            quad = next(quads)
        except StopIteration:
            break
        except SyntaxError as error:
            _reject(error, source, rejects, recovers)
            continue
        subject, object = quad.subject, quad.object
        if isinstance(subject, pyoxigraph.Triple) or isinstance(object, pyoxigraph.Triple):
            rejects.add("triple-term", "triple terms are not supported", source.span())
            continue
        subject_key = (
            blanks.key(subject.value)
            if isinstance(subject, pyoxigraph.BlankNode)
            else entity_key(subject.value)
        )
        if isinstance(object, pyoxigraph.Literal):
            lang = object.language or ""
            key = literal_key(object.value, object.datatype.value, lang)
            statements.add(subject_key, quad.predicate.value, key, 0, object.value, lang)
        elif isinstance(object, pyoxigraph.BlankNode):
            statements.add(subject_key, quad.predicate.value, blanks.key(object.value))
        else:
            statements.add(subject_key, quad.predicate.value, entity_key(object.value))
    statements.finish(source.name, rejects)


def _reject(error: SyntaxError, source: SourceFile, rejects: Rejects, recovers: bool) -> None:
    """Reports what the parser says, in our words where a user can repair it."""
    message, hint = _POSITION.sub("", error.msg), ""
    line, column = error.lineno or 0, error.offset or 0
    if match := _CODE_POINT.search(message):
        from kgverify.graph.reading.ntriples import illegal_character

        iri = _IRI.search(message)
        message = illegal_character(match[1]) + (f": `{iri[1]}`" if iri else "")
        hint = f"an IRI may have it percent-encoded: %{ord(match[1]):02X}"
    elif "No scheme found" in message:
        message, hint = "a relative IRI, and no base to resolve it", "declare a base in the file"
    end = (error.end_offset or 0) if error.end_lineno == error.lineno else 0
    span = source.span(line, column, end)
    if recovers:
        rejects.add("bad-rdf", message, span, hint)
    else:
        raise source.problem("bad-rdf", message, hint, line) from error


class _Text:
    """The bytes of a file; a NUL character, which the parser would let pass, raises GraphError."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._line = 1

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes."""
        data = self._source.stream.read(size)
        place = data.find(b"\0")
        if place >= 0:
            line = self._line + data.count(b"\n", 0, place)
            raise self._source.problem("nul-character", "a NUL character", line=line)
        self._line += data.count(b"\n")
        return data


class _Blanks:
    """Keys of a file's blank nodes.  Those without a label of their own, which a parser names at
    random, are numbered as they come, so that the same file gives the same graph."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._numbers: dict[str, int] = {}

    def key(self, label: str) -> str:
        if _UNLABELLED.fullmatch(label):
            number = self._numbers.setdefault(label, len(self._numbers))
            label = f"[{number}]"  # no label in a file has brackets
        return self._target.blank(label)
