"""Lets through RDF/XML whose entities are plain abbreviations, and refuses the dangerous kinds.

Ontology editors write `<!DOCTYPE rdf:RDF [<!ENTITY owl "http://www.w3.org/2002/07/owl#">]>`.  An
entity that refers to another can expand to gigabytes, and an external one reads another file.  So
the declarations are read here, and the parser gets only the plain entities that were understood."""

from __future__ import annotations

import re

from kgverify.errors import KgverifyError
from kgverify.graph.reading.files import SourceFile

_LONGEST_PROLOG = 1 << 20  # bytes before the root element
_LONGEST_VALUE = 1000  # bytes of an entity; a namespace is far shorter

_ENCODING = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']""")
_SKIPPED = re.compile(rb"\s+|<!--.*?-->|<\?.*?\?>", re.DOTALL)
_DOCTYPE = re.compile(rb"<!doctype", re.IGNORECASE)
_DOCTYPE_HEAD = re.compile(rb"""<!DOCTYPE\s+[^\s\["'>]+\s*(PUBLIC|SYSTEM)?[^\[>]*([\[>])""")
_DOCTYPE_END = re.compile(rb"\]\s*>")
_OTHER_DECLARATION = re.compile(rb"""<!(?!ENTITY)[A-Z]+(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_ENTITY = re.compile(rb"""<!ENTITY\s+([^\s%"'&<>]+)\s+(?:"([^"]*)"|'([^']*)')\s*>""")
_PARAMETER_ENTITY = re.compile(rb"%|<!ENTITY\s+%")
_EXTERNAL_ENTITY = re.compile(rb"<!ENTITY\s+\S+\s+(?:SYSTEM|PUBLIC)\b")
# References that stand for one character and can't start another reference.
_HARMLESS = re.compile(rb"&(?:lt|gt|quot|apos|amp|#(?!0*38;|x0*26;)[0-9A-Fa-fx]+);")
_PARAMETER = re.compile(rb"%[A-Za-z_:][^;\s]*;")


class GuardedXml:
    """The bytes of an RDF/XML file, its prolog already checked.

    Raises an error at once for a prolog that is refused, and on reading a document type
    declaration further on."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._tail = b""
        self._ready = self._checked_prolog()

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes."""
        if not self._ready:
            return self._checked(self._source.stream.read(size))
        end = len(self._ready) if size < 0 else size
        data, self._ready = self._ready[:end], self._ready[end:]
        return data

    def _checked_prolog(self) -> bytes:
        """A prolog with the entities, and what was read beyond the file's own prolog."""
        data = b""
        entities: dict[bytes, bytes] = {}
        while True:
            more = self._source.stream.read(1 << 16)
            data += more
            root = self._find_root(data, entities, at_end=not more)
            if root is not None:
                break
            if not more or len(data) > _LONGEST_PROLOG:
                raise self._refusal("has no root element within its first MiB")
        declared = b"".join(b'<!ENTITY %b "%b">' % entity for entity in entities.items())
        return b"<!DOCTYPE rdf:RDF [%b]>" % declared + self._checked(data[root:])

    def _checked(self, data: bytes) -> bytes:
        """The data, if it is text without a document type declaration."""
        if b"\0" in data:
            raise self._refusal(
                "holds a NUL character: it is not UTF-8 text", "convert it to UTF-8"
            )
        # A parser may heed a declaration anywhere, also one that is cut in two here.
        if _DOCTYPE.search(self._tail + data):
            raise self._refusal("has a DOCTYPE after its first element")
        self._tail = (self._tail + data)[-len("<!doctype") :]
        return data

    def _find_root(self, data: bytes, entities: dict[bytes, bytes], at_end: bool) -> int | None:
        """Where the root element starts; None if more bytes are needed to tell.  Collects the
        entities that are declared before it."""
        declared = _ENCODING.match(data)
        if declared and declared[1].lower() not in (b"utf-8", b"utf8", b"us-ascii", b"ascii"):
            name = declared[1].decode(errors="replace")
            raise self._refusal(f"is encoded in {name}", "convert it to UTF-8")
        place = _skip(data, 0)
        if _DOCTYPE.match(data, place):
            end = self._read_doctype(data, place, entities, at_end)
            if end is None:
                return None
            place = _skip(data, end)
        root = data[place : place + 2]
        if len(root) == 2 and (root[:1] != b"<" or b"\0" in root):
            raise self._refusal("is not XML text in UTF-8", "convert it to UTF-8")
        return place if len(root) == 2 and root[1:] not in (b"!", b"?") else None

    def _read_doctype(
        self, data: bytes, place: int, entities: dict[bytes, bytes], at_end: bool
    ) -> int | None:
        head = _DOCTYPE_HEAD.match(data, place)
        if head is None:
            return None
        if head[1]:
            raise self._refusal("has an external document type; no other file is read")
        place = head.end()
        if head[2] == b">":
            return place
        while not (end := _DOCTYPE_END.match(data, place)):
            if entity := _ENTITY.match(data, place):
                value = entity[2] if entity[2] is not None else entity[3].replace(b'"', b"&#34;")
                self._check_entity(entity[1].decode(errors="replace"), value)
                entities.setdefault(entity[1], value)  # the first declaration of a name counts
                place = entity.end()
            elif match := _SKIPPED.match(data, place) or _OTHER_DECLARATION.match(data, place):
                place = match.end()
            elif _PARAMETER_ENTITY.match(data, place):
                raise self._refusal("has a parameter entity")
            elif _EXTERNAL_ENTITY.match(data, place):
                raise self._refusal("has an external entity; no other file is read")
            elif at_end or len(data) > _LONGEST_PROLOG:
                raise self._refusal("has a document type declaration that can't be read")
            else:
                return None
        return end.end()

    def _check_entity(self, name: str, value: bytes) -> None:
        if b"&" in _HARMLESS.sub(b"", value) or _PARAMETER.search(value):
            raise self._refusal(f"has an entity `{name}` that refers to another entity")
        if b"<" in value:
            raise self._refusal(f"has an entity `{name}` that holds markup")
        if len(value) > _LONGEST_VALUE:
            raise self._refusal(f"has an entity `{name}` of more than {_LONGEST_VALUE} bytes")

    def _refusal(
        self, why: str, hint: str = "entities may only be short plain texts, such as namespaces"
    ) -> KgverifyError:
        return self._source.problem("unsafe-xml", f"is refused: the file {why}", hint)


def _skip(data: bytes, place: int) -> int:
    """The place after blanks, comments and processing instructions."""
    while match := _SKIPPED.match(data, place):
        place = match.end()
    return place
