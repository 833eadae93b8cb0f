"""Cuts the text of a rule file into statements, so that one mistake hides none of the others.

A statement begins at a keyword or name that stands first on its line, once the one before is
complete or the line starts in column 1.  Quotes that never close and characters that the
language doesn't know are found here, because after them no grammar can be trusted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgverify.errors import Problem, Span

KEYWORDS = ("prefix", "class", "disjoint", "relation", "complete", "rule", "question", "test")

# Statements of the language's design that this version does not evaluate yet.
RESERVED = {
    "soft": "soft rules are not supported yet",
    "same": "`same` declarations are not supported yet",
}

_TOKEN = re.compile(
    r"""
      (?P<comment>  \#[^\n]*)
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

# Words that stand first on a line inside a question.
_PARTS = {"answer", "require", "exclude", "prefer", "weight", "phrases"}

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
    tokens = _tokens(text)
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
                    "put names that need it into double quotes",
                )
            )
            broken = True
        following = tokens[place + 1].text if place + 1 < len(tokens) else ""
        if current and first_on_line and _begins(token, following, current, depth):
            chunks.append(Chunk(tuple(current), broken and token.kind != "unclosed"))
            current, broken, depth = [], token.kind in ("unclosed", "unknown"), 0
        current.append(token)
        if token.text in ("(", "{") and token.kind == "mark":
            depth += 1
        elif token.text in (")", "}") and token.kind == "mark":
            depth = max(0, depth - 1)
    if current:
        chunks.append(Chunk(tuple(current), broken))
    return chunks, problems


def _tokens(text: str) -> list[RoughToken]:
    found: list[RoughToken] = []
    line, line_start = 1, 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "unknown"
        if kind == "space":
            newlines = match.group().count("\n")
            if newlines:
                line += newlines
                line_start = match.start() + match.group().rindex("\n") + 1
        elif kind != "comment":
            column = match.start() - line_start + 1
            found.append(RoughToken(kind, match.group(), match.start(), line, column))
    return found


def _begins(token: RoughToken, following: str, current: list[RoughToken], depth: int) -> bool:
    """Does `token`, first on its line, begin a new statement after the tokens of `current`?"""
    if (token.kind == "number" and token.column != 1) or token.text in _PARTS:
        return False
    keyword = token.text in KEYWORDS or token.text in RESERVED
    previous = current[-1]
    if token.column == 1 and keyword:
        return True
    if previous.text in (",", "(") and token.column == 1 and following == "(":
        return True  # an atom in column 1 after an open bracket: the statement before broke off
    if depth or previous.text in _OPEN_ENDED:
        return False
    return keyword or previous.text in (".", "}") or token.column == 1
