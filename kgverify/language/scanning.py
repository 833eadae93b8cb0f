"""Cuts the text of a rule file into statements, so that one mistake hides none of the others.

A statement begins at a keyword or name that stands first on its line, once the one before is
complete or the line starts in column 1.  Quotes that never close and characters that the
language doesn't know are found here, because after them no grammar can be trusted.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kgverify.errors import Problem, Span

KEYWORDS = (
    *("prefix", "class", "disjoint", "relation", "complete", "same", "rule", "soft"),
    *("question", "test"),
)

_TOKEN = re.compile(
    r"""
      (?P<comment>  \#[^\n]*)
    | (?P<foreign>  (?<!\S)(?:%|//)[^\n]*)
    | (?P<iri>      <[^<>"{}|^`\\\s]+>)
    | (?P<string>   "(?:[^"\\\n]|\\.)*")
    | (?P<unclosed> "[^\n]*)
    | (?P<arrow>    :-)
    | (?P<number>   [+-]?\d[\w.+-]*\w|[+-]?\d)
    | (?P<word>     [^\W\d][\w-]*\w|[^\W\d])
    | (?P<mark>     [-:.,(){}=!<>|/^+%@_])
    | (?P<space>    \s+)
    | (?P<unknown>  .)
    """,
    re.VERBOSE,
)

# What is probably meant by characters that have no meaning outside quotes.
_MEANT = {
    ";": "write `,` between conditions, and `.` at the end of a rule or fact",
    "'": 'texts stand in double quotes, `"`',
    "“": 'texts stand in double quotes, `"`',
    "”": 'texts stand in double quotes, `"`',
    "*": "a path has `+` for one step or more, and nothing for none or more",
    "?": "a path has `+` for one step or more; what may be left out is an `any of`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "←": "write `:-`",
    "→": "write the head first: `head :- body.`",
    "∧": "write `,`",
    "&": "write `,`",
    "¬": "write `not`",
    "~": "write `not`",
}

# Words that stand first on a line inside a question.
PARTS = {"answer", "require", "exclude", "prefer"}
# The same, unless what follows shows that they are names.
_LATER_PARTS = {"weight", "except", "assume", "at", "phrases"}

# After one of these a statement can't be over, whatever follows.
_OPEN_ENDED = {",", ":-", "(", "{", ":", "=", "!", "<", ">", "/", "|", "^", "not", "of", "for"}


@dataclass(frozen=True, slots=True)
class RoughToken:
    """A rough token; offsets count characters from the beginning of the file."""

    kind: str
    text: str
    start: int
    line: int
    column: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def span(self, file: str) -> Span:
        return Span(file, self.line, self.column, self.column + len(self.text))


@dataclass(frozen=True, slots=True)
class Chunk:
    """The tokens of one statement; `broken` says that a problem was found in it already."""

    tokens: tuple[RoughToken, ...]
    broken: bool

    @property
    def first(self) -> RoughToken:
        return self.tokens[0]

    @property
    def last(self) -> RoughToken:
        return self.tokens[-1]

    @property
    def words(self) -> set[str]:
        return {token.text for token in self.tokens if token.kind == "word"}


def scan(file: str, text: str) -> tuple[list[Chunk], list[Problem]]:
    """The statements of `text` and what is wrong with its characters."""
    problems: list[Problem] = []
    chunks: list[Chunk] = []
    current: list[RoughToken] = []
    broken = False
    depth = 0
    last_line = 0
    tokens, foreign = _tokens(text)
    problems += [_no_comment(file, token) for token in foreign]
    for place, token in enumerate(tokens):
        first_on_line = token.line != last_line
        last_line = token.line
        if token.kind == "unclosed":
            problems.append(
                Problem(
                    "unclosed-quote",
                    "the quote opened here is never closed on its line",
                    Span(file, token.line, token.column, token.column + 1),
                    'end the text with `"`',
                )
            )
            broken = True
        elif token.kind == "unknown":
            problems.append(
                Problem(
                    "unknown-character",
                    f"the character `{token.text}` (U+{ord(token.text):04X}) has no meaning here",
                    token.span(file),
                    _MEANT.get(token.text, "put names that need it into double quotes"),
                )
            )
            broken = True
        after = tokens[place + 1 : place + 3]
        if current and first_on_line and _begins(token, after, current, depth):
            chunks.append(Chunk(tuple(current), broken and token.kind != "unclosed"))
            current, broken, depth = [], token.kind in ("unclosed", "unknown"), 0
        current.append(token)
        if token.text in ("(", "{") and token.kind == "mark":
            depth += 1
        elif token.text in (")", "}") and token.kind == "mark":
            depth = max(0, depth - 1)
    if current:
        chunks.append(Chunk(tuple(current), broken))
    starts = [token.start for token in foreign]
    return [
        replace(chunk, broken=True)
        if bisect(starts, chunk.first.start) < bisect(starts, chunk.last.start)
        else chunk
        for chunk in chunks
    ], problems


def _no_comment(file: str, token: RoughToken) -> Problem:
    mark = "%" if token.text[0] == "%" else "//"
    span = Span(file, token.line, token.column, token.column + len(mark))
    return Problem("syntax", f"`{mark}` begins no comment", span, "comments begin with `#`")


def _tokens(text: str) -> tuple[list[RoughToken], list[RoughToken]]:
    """The tokens of a text, and the comments of other languages, which hide nothing else."""
    found: list[RoughToken] = []
    foreign: list[RoughToken] = []
    for token in with_comments(text):
        if token.kind != "comment":
            (foreign if token.kind == "foreign" else found).append(token)
    return found, foreign


def with_comments(text: str) -> Iterator[RoughToken]:
    """All that stands in a text but white space, comments too."""
    line, line_start = 1, 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "unknown"
        if kind == "space":
            newlines = match.group().count("\n")
            if newlines:
                line += newlines
                line_start = match.start() + match.group().rindex("\n") + 1
        else:
            column = match.start() - line_start + 1
            yield RoughToken(kind, match.group(), match.start(), line, column)


def _begins(
    token: RoughToken, after: list[RoughToken], current: list[RoughToken], depth: int
) -> bool:
    """Does `token`, first on its line, begin a new statement after the tokens of `current`?"""
    if (token.kind == "number" and token.column != 1) or token.text in PARTS:
        return False
    following = after[0].text if after else ""
    if token.text in _LATER_PARTS and current[0].text in ("question", "relation"):
        # `at(a, b).` and `at : C.` are facts about something of that name; `:a` is an entity.
        entity = following == ":" and len(after) > 1 and after[0].end == after[1].start
        if entity or following not in ("(", ":"):
            return False
    keyword = token.text in KEYWORDS
    previous = current[-1]
    if token.column == 1 and keyword:
        return True
    if previous.text in (",", "(") and token.column == 1 and following == "(":
        return True  # an atom in column 1 after an open bracket: the statement before broke off
    if depth or previous.text in _OPEN_ENDED:
        return False
    return keyword or previous.text in (".", "}") or token.column == 1
