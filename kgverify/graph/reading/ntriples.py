"""N-Triples and N-Quads, line by line, so that every bad line is reported with what is wrong in it.

Named graphs are merged.  The terms follow https://www.w3.org/TR/n-triples/#n-triples-grammar."""

from __future__ import annotations

import re
from typing import NamedTuple

from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.rejects import Rejects
from kgverify.graph.reading.statements import Statements
from kgverify.graph.reading.target import Target, unescape
from kgverify.graph.terms import entity_key, literal_key

_IRI = r'<([A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>"{}|^`\\]*)>'
_BLANK = r"_:([\w](?:[\w.\-·]*[\w\-·])?)"
_TEXT = r'"([^"\\]*(?:\\.[^"\\]*)*)"'
_LANG = r"@([A-Za-z]+(?:-[A-Za-z0-9]+)*)(?:--(?:ltr|rtl))?"
_LINE = re.compile(
    rf"[ \t]*(?:{_IRI}|{_BLANK})[ \t]*{_IRI}[ \t]*"
    rf"(?:{_IRI}|{_BLANK}|{_TEXT}(?:\^\^{_IRI}|{_LANG})?)"
    rf"[ \t]*(?:(?:{_IRI}|{_BLANK})[ \t]*)?\.[ \t]*(?:#.*)?"
)
_SPACE = re.compile(r"[ \t]*")
_IRI_START = re.compile(r"<([^>]*)(>?)")
_BLANK_TERM = re.compile(_BLANK)
_TEXT_START = re.compile(_TEXT)
_LANG_TAG = re.compile(_LANG)
_IRI_CHARACTER = re.compile(r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|.", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
ILLEGAL_IN_IRI = frozenset('<>"{}|^`\\') | frozenset(map(chr, range(0x21)))


class BadLine(ValueError):
    """A line is no triple; `column` (from 1) says where."""

    def __init__(
        self, code: str, message: str, column: int, width: int = 1, hint: str = ""
    ) -> None:
        super().__init__(message)
        self.code, self.column, self.width, self.hint = code, column, width, hint


class _Term(NamedTuple):
    key: str
    text: str | None  # of a literal: its lexical form and language
    lang: str
    end: int  # the place after the term in its line


def read_ntriples(source: SourceFile, target: Target, rejects: Rejects) -> None:
    """Reads N-Triples or N-Quads."""
    statements = Statements(target)
    for number, line in source.lines(rejects):
        match = _LINE.fullmatch(line)
        try:
            if match and "\\" not in (match[6] or ""):
                _add_match(match, number, target, statements)
            elif (stripped := line.strip(" \t\r")) and stripped[0] != "#":
                _add_slowly(line, number, target, statements)
        except BadLine as error:
            span = source.span(number, error.column, error.column + error.width)
            rejects.add(error.code, str(error), span, error.hint)
    statements.finish(source.name, rejects)


def illegal_character(character: str) -> str:
    """Names a character that an IRI may not have, so that also a blank can be seen."""
    shown = f" `{character}`" if character.isprintable() and character != " " else ""
    return f"the character U+{ord(character):04X}{shown} is not allowed in an IRI"


def _add_match(match: re.Match[str], number: int, target: Target, statements: Statements) -> None:
    subject_iri, subject_blank, relation, iri, blank, text, datatype, lang = match.groups()[:8]
    subject = entity_key(subject_iri) if subject_iri else target.blank(subject_blank)
    if text is not None:
        key = literal_key(text, datatype, lang)
        statements.add(subject, relation, key, number, text, lang or "")
    else:
        statements.add(subject, relation, entity_key(iri) if iri else target.blank(blank), number)


def _add_slowly(line: str, number: int, target: Target, statements: Statements) -> None:
    """Reads a line that has escapes or is wrong.  Raises BadLine."""
    subject = _resource(line, 0, target, "subject")
    if line.startswith("_:", subject.end):
        raise BadLine("bad-triple", "a blank node can't be a predicate", subject.end + 1, 2)
    relation = _resource(line, subject.end, target, "predicate")
    object = _object(line, relation.end, target)
    end = object.end
    if line[end : end + 1] in ("<", "_"):
        end = _resource(line, end, target, "graph name").end
    if line[end : end + 1] != ".":
        found = f"`{line[end]}`" if end < len(line) else "the end of the line"
        raise BadLine("bad-triple", f"`.` is expected, not {found}", end + 1)
    rest = line[end + 1 :].lstrip(" \t")
    if rest and rest[0] != "#":
        column = len(line) - len(rest) + 1
        raise BadLine("bad-triple", "something follows the triple's `.`", column, len(rest))
    statements.add(subject.key, relation.key[1:], object.key, number, object.text, object.lang)


def _resource(line: str, place: int, target: Target, role: str) -> _Term:
    """The IRI or blank node at a place, after blanks."""
    place = _after_space(line, place)
    if match := _BLANK_TERM.match(line, place):
        return _Term(target.blank(match[1]), None, "", _after_space(line, match.end()))
    iri, end = _iri(line, place, role)
    return _Term(entity_key(iri), None, "", _after_space(line, end))


def _object(line: str, place: int, target: Target) -> _Term:
    if line[place : place + 1] != '"':
        return _resource(line, place, target, "object")
    match = _TEXT_START.match(line, place)
    if match is None:
        raise BadLine("bad-triple", "the string has no closing quote", place + 1)
    try:
        text = unescape(match[1])
    except ValueError as error:
        raise BadLine("bad-escape", str(error), place + 1, match.end() - place) from error
    end, datatype, lang = match.end(), None, ""
    if line.startswith("^^", end):
        datatype, end = _iri(line, end + 2, "datatype")
    elif tag := _LANG_TAG.match(line, end):
        lang, end = tag[1], tag.end()
    return _Term(literal_key(text, datatype, lang), text, lang, _after_space(line, end))


def _iri(line: str, place: int, role: str) -> tuple[str, int]:
    """The IRI at a place, its escapes resolved, and the place after it."""
    match = _IRI_START.match(line, place)
    if match is None or line.startswith("<<", place):
        found = f"`{line[place]}`" if place < len(line) else "the end of the line"
        hint = "triple terms are not supported" if line.startswith("<<", place) else ""
        raise BadLine("bad-triple", f"the {role} is expected, not {found}", place + 1, hint=hint)
    characters = []
    for part in _IRI_CHARACTER.finditer(match[1]):
        column = place + 2 + part.start()
        try:
            character = unescape(part[0]) if len(part[0]) > 1 else part[0]
        except ValueError as error:
            raise BadLine("bad-escape", str(error), column, len(part[0])) from error
        if part[0] == "\\":
            message = "a backslash in an IRI starts an escape: \\u and 4 digits, or \\U and 8"
            raise BadLine("bad-iri", message, column)
        if character in ILLEGAL_IN_IRI:
            hint = f"an IRI may have it percent-encoded: %{ord(character):02X}"
            message = illegal_character(character)
            raise BadLine("bad-iri", message, column, len(part[0]), hint)
        characters.append(character)
    iri = "".join(characters)
    if not match[2]:
        raise BadLine("bad-iri", "the IRI has no closing `>`", place + 1, len(match[0]))
    if not _SCHEME.match(iri):
        hint = "N-Triples has no relative IRIs"
        raise BadLine("bad-iri", f"the IRI `{iri}` has no scheme", place + 1, len(match[0]), hint)
    return iri, match.end()


def _after_space(line: str, place: int) -> int:
    match = _SPACE.match(line, place)
    return match.end() if match else place
