"""Lays out rule files: indents, spaces and columns.

Words, comments and line breaks stay the author's.  A gap of two blanks or more is the edge of a
column, and columns of neighbouring lines are set under each other, as far as the lines have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kgverify.errors import Problem, RuleError, Span
from kgverify.language.parsing import parse
from kgverify.language.printing import file_text
from kgverify.language.scanning import PARTS, Chunk, RoughToken, scan, with_comments

_INDENT = "    "
_GAP = 2  # blanks between columns
_WIDTH = 100  # where setting under each other would make a line longer, it is not done
_STATUSES = {"sat", "viol", "unk"}
# After these an opening bracket belongs to what follows, if there is a blank before it.
_BEFORE_BRACKET = PARTS | {"not", "count", "except"}
_PATH = {"/", "|", "^"}
_SPACED = {"=", "!", "<", ">", ":-", "{", "}"}


@dataclass(frozen=True, slots=True)
class _Line:
    """A line to be written: its cells stand in columns, and behind them perhaps a comment.

    `apart`: a blank line stands before it."""

    indent: int
    cells: tuple[str, ...]
    comment: str
    apart: bool


def format_rules(text: str, file: str = "<rules>") -> str:
    """The text of a rule file, laid out.  Laying out twice changes nothing more, and what the file
    says stays the same.

    Raises RuleError with everything that keeps the file from being read."""
    before, problems = parse(text, file)
    if problems:
        raise RuleError(problems)
    found = "".join(_written(list(_lines(text, file))))
    after, problems = parse(found, file)
    if problems or file_text(after) != file_text(before):
        message = "laying the file out would change what it says; nothing was changed"
        raise RuleError(Problem("formatting", message, Span(file), "report this as a fault"))
    return found


def _lines(text: str, file: str) -> Iterator[_Line]:
    chunks, _ = scan(file, text)
    places = {
        token.start: (chunk, number)
        for chunk in chunks
        for number, token in enumerate(chunk.tokens)
    }
    rows: list[list[RoughToken]] = []
    for token in with_comments(text):
        if not rows or rows[-1][0].line != token.line:
            rows.append([])
        rows[-1].append(token)
    indents = _indents(rows, places)
    last = 0
    for row, indent in zip(rows, indents, strict=True):
        behind = row[-1].text.rstrip() if len(row) > 1 and row[-1].kind == "comment" else ""
        cells = tuple(_cells(row[:-1] if behind else row, places))
        yield _Line(indent, cells, behind, bool(last) and row[0].line > last + 1)
        last = row[0].line


# ------------------------------------------------------------------ indents

_Places = dict[int, tuple[Chunk, int]]


def _indents(rows: Sequence[Sequence[RoughToken]], places: _Places) -> list[int]:
    """How far each line is set in, from the last to the first: a comment of its own stands as what
    follows it, unless it ends a statement."""
    found: list[int] = []
    following: RoughToken | None = None
    for number in range(len(rows) - 1, -1, -1):
        first = rows[number][0]
        if first.kind != "comment":
            following = first
            found.append(_indent(*places[first.start]))
        elif following is not None and places[following.start][1] > 0:
            found.append(found[-1] + (following.text == "}"))
        else:
            # Between two statements: one that is set in and directly below belongs to the first.
            found.append(int(first.column > 1 and _continues(rows, number)))
    return found[::-1]


def _continues(rows: Sequence[Sequence[RoughToken]], number: int) -> bool:
    """Does a comment stand directly below a statement, or below such a comment?"""
    while number and rows[number - 1][0].line == rows[number][0].line - 1:
        number -= 1
        if rows[number][0].kind != "comment":
            return True
        if rows[number][0].column == 1:
            return False
    return False


def _indent(chunk: Chunk, number: int) -> int:
    """How far a line is set in that begins with this token of a statement."""
    if not number:
        return 0
    token, before = chunk.tokens[number], chunk.tokens[:number]
    words = [one.text for one in before]
    round_ = _depth(before, "(", ")")
    braces = _depth(before, "{", "}") - (token.text == "}")
    match chunk.first.text:
        case "test":
            if braces <= 0:
                return int(token.text != "}")
            begins = words[-1] in {"{", ".", *_STATUSES} or token.text in ("ask", "}")
            return braces if begins else braces + 1
        case "question":
            asked = any(one.text in PARTS for one in before)
            if braces or token.text == "}":
                return 1 + braces
            if round_ or (asked and token.text not in PARTS):
                return 2
            return 1
        case "relation" | "class":
            return 2 if round_ or "phrases" in words else 1
        case "rule" | "soft":
            named = words[0] == "rule" or words[2:3] == ["rule"]
            return 2 if named and (":-" in words or token.text == ":-") else 1
    return 1


def _depth(tokens: Sequence[RoughToken], opening: str, closing: str) -> int:
    """How many brackets are open."""
    marks = [token.text for token in tokens if token.kind == "mark"]
    return marks.count(opening) - marks.count(closing)


# ------------------------------------------------------------------ spaces


def _cells(row: Sequence[RoughToken], places: _Places) -> Iterator[str]:
    """The texts of a line that stand in columns of their own."""
    cell = row[0].text.rstrip()
    for one, two in pairwise(row):
        blanks = two.start - one.end
        space = _space(one, two, blanks, *places[two.start])
        if space and blanks >= _GAP and _is_edge(one, two):
            yield cell
            cell = two.text
        else:
            cell += " " * space + two.text
    yield cell


def _is_edge(one: RoughToken, two: RoughToken) -> bool:
    """May a column begin between these?"""
    return (
        one.text in {".", ",", *PARTS}
        or two.kind in ("string", "iri")
        or two.text in {"phrases", "weight", "except", "assume", "at"}
    )


def _space(one: RoughToken, two: RoughToken, blanks: int, chunk: Chunk, number: int) -> int:
    """The blanks between two tokens of a line, none or one; `two` is this token of its statement,
    and so many stood between them."""
    left = one.text if one.kind in ("mark", "arrow") else ""
    right = two.text if two.kind in ("mark", "arrow") else ""
    if ":" in (left, right):
        return _beside_colon(chunk, number, blanks)
    if right in {",", ")", ".", "+"} or left == "(":
        return 0
    if left in _PATH or right in _PATH - {"^"}:
        return 0
    if right == "=" and left in {"<", ">", "!"} and not blanks:
        return 0
    if right == "(":
        if chunk.first.text == "relation" and _depth(chunk.tokens[:number], "(", ")") == 0:
            return 1
        if left in {")", "+"} or (one.kind == "word" and one.text not in _BEFORE_BRACKET):
            return 0
    if left in {",", ")"} or left in _SPACED or right in _SPACED:
        return 1
    return 1 if "string" in (one.kind, two.kind) else min(blanks, 1)


def _beside_colon(chunk: Chunk, number: int, blanks: int) -> int:
    """The blanks on one side of a colon, which is this token of a statement or the one before."""
    place = number if chunk.tokens[number].text == ":" else number - 1
    colon, before = chunk.tokens[place], chunk.tokens[:place]
    words = [token.text for token in before]
    kind = chunk.first.text
    heads = (kind == "rule" or words[2:3] == ["rule"]) and ":" not in words
    typed = kind == "question" and not PARTS & set(words) and _depth(before, "(", ")") > 0
    asks = kind == "test" and words[-1] == ")"
    follows = heads or typed or asks or kind == "prefix"
    if not follows and place + 1 < len(chunk.tokens):
        after = chunk.tokens[place + 1]
        if after.start == colon.end and after.kind in ("word", "number"):
            return min(blanks, 1)  # a name with a prefix, or with an empty one
    return int(place < number or not follows)


# ------------------------------------------------------------------ columns


def _written(lines: Sequence[_Line]) -> Iterator[str]:
    """The lines as text, their columns under each other, and their comments."""
    cells = [list(line.cells) for line in lines]
    for column in range(max(map(len, cells), default=0) - 1):
        rows = [column < len(line.cells) - 1 for line in lines]
        for run in _runs(lines, rows):
            texts = [cells[number][column] for number in run]
            behind = [_joined(lines[number], cells[number][column + 1 :]) for number in run]
            for number, text in zip(run, _padded(texts, behind), strict=True):
                cells[number][column] = text
    texts = [_joined(line, own) for line, own in zip(lines, cells, strict=True)]
    for run in _runs(lines, [bool(line.comment) for line in lines]):
        comments = [lines[number].comment for number in run]
        padded = _padded([texts[number] for number in run], comments)
        for number, text, comment in zip(run, padded, comments, strict=True):
            texts[number] = text + comment
    for line, text in zip(lines, texts, strict=True):
        yield "\n" * line.apart + text + "\n"


def _joined(line: _Line, cells: Sequence[str]) -> str:
    return _INDENT * line.indent + "".join(cells)


def _padded(texts: Sequence[str], behind: Sequence[str]) -> list[str]:
    """The texts with blanks after them, so that what stands behind begins in one column."""
    width = max(map(len, texts)) + _GAP
    if width + max(map(len, behind)) > _WIDTH:
        return [text + " " * _GAP for text in texts]
    return [text.ljust(width) for text in texts]


def _runs(lines: Sequence[_Line], rows: Sequence[bool]) -> Iterator[range]:
    """Those of the lines that follow each other, set in alike, without a blank line between."""
    start = 0
    for number in range(len(lines) + 1):
        ends = number == len(lines) or not rows[number] or lines[number].apart
        if number > start and (ends or lines[number].indent != lines[start].indent):
            yield range(start, number)
            start = number
        if number < len(lines) and not rows[number]:
            start = number + 1
