"""A text as sentences of tokens, each with its place."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from kgverify.evidence.english import lemma
from kgverify.evidence.sentences import paragraphs
from kgverify.evidence.sentences import sentences as split

_TOKEN = re.compile(
    r"""(?P<date>\d{4}-\d\d(?:-\d\d)?)(?![\w-])
    |(?P<number>\d{1,3}(?:[,\u00a0\u202f\u2009]\d{3})+(?:\.\d+)?|\d+(?:[.]\d+)?)
    |(?P<not>(?<=\w)n['’]t\b)
    |(?P<poss>['’]s\b|(?<=s)['’](?!\w))
    |(?P<clitic>['’](?:ll|re|ve|d|m)\b)
    |(?P<word>[^\W\d_](?:(?!n['’]t\b)(?:[^\W_]|\.(?=[^\W\d_]\.)|['’](?!(?:s|ll|re|ve|d|m|t)\b)\w))*\d*
        (?:-[^\W_]+)*)
    |(?P<space>\n\s*\n|\t|\n)
    |(?P<mark>\S)""",
    re.VERBOSE,
)
_ENDS = {".", "!", "?", "…"}
_STOPS = 3  # characters at a sentence's end that tell whether it asks
_DASHES = {"–", "—", "--"}
_KEPT = 4096  # texts whose tokens are remembered: a passage is read once for each claim
_SPLIT = {"cannot": ("can", "not"), "whilst": ("while",)}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark of a text: `text[start:end]`.

    `kind` is `word`, `number`, `date`, `poss`, `mark` or `name`.  A name is one token, however many
    words it has; `role` tells whose: `S` and `O` are a claim's subject and object, `X` is another.
    `how` says how the name is known: `name`, `short`, `pronoun`, `title` or `sort`."""

    text: str
    lower: str
    kind: str
    start: int
    end: int
    role: str = ""
    how: str = ""

    @property
    def stem(self) -> str:
        return lemma(self.lower)

    @property
    def is_capital(self) -> bool:
        return self.kind == "word" and self.text[:1].isupper()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence's tokens, without the mark that ends it; `is_question` where that is one."""

    tokens: tuple[Token, ...]
    is_question: bool
    start: int
    end: int


def plain(text: str) -> str:
    """A word without case and accents, as names and words are compared."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in spread if not unicodedata.combining(c)).replace("’", "'")


def tokens_of(text: str) -> list[Token]:
    """All tokens of a text, in order."""
    return list(_tokens(text))


@lru_cache(_KEPT)
def _tokens(text: str) -> tuple[Token, ...]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, said = str(match.lastgroup), match[0]
        start, end = match.span()
        lower = plain(said)
        if kind == "not":
            found.append(Token(said, "not", "word", start, end))
            if len(found) > 1 and found[-2].lower in ("ca", "wo", "sha"):  # can't, won't, shan't
                whole = {"ca": "can", "wo": "will", "sha": "shall"}[found[-2].lower]
                found[-2] = replace(found[-2], lower=whole)
        elif kind == "clitic":
            found.append(Token(said, lower, "word", start, end))
        elif kind == "word" and lower in _SPLIT:
            parts = _SPLIT[lower]
            middle = start + len(parts[0]) if len(parts) > 1 else end
            found.append(Token(text[start:middle], parts[0], "word", start, middle))
            if len(parts) > 1:
                found.append(Token(text[middle:end], parts[1], "word", middle, end))
        else:
            found.append(Token(said, lower, kind, start, end))
    return tuple(found)


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, in order; the cells of a table are apart."""
    return list(_sentences(text))


@lru_cache(_KEPT)
def _sentences(text: str) -> tuple[Sentence, ...]:
    found: list[Sentence] = []
    for paragraph in paragraphs(text):
        for whole in split(text, paragraph):
            said = whole.of(text)
            is_question = "?" in said[-_STOPS:]
            own: list[Token] = []
            for token in tokens_of(said):
                if token.kind == "space" and _is_border(said, token):
                    found += _closed(own, False)
                    own = []
                elif token.kind != "space" and token.text not in _ENDS:
                    start, end = token.start + whole.start, token.end + whole.start
                    own.append(replace(token, start=start, end=end))
            found += _closed(own, is_question)
    return tuple(found)


def _closed(tokens: list[Token], is_question: bool) -> list[Sentence]:
    if not tokens:
        return []
    return [Sentence(tuple(tokens), is_question, tokens[0].start, tokens[-1].end)]


def _is_border(text: str, token: Token) -> bool:
    """Is a blank that of a table: a tab, or the end of a row?"""
    line = text[text.rfind("\n", 0, token.start) + 1 : token.start]
    return "\t" in token.text or ("\n" in token.text and ("\t" in line or "|" in line))


def is_dash(token: Token) -> bool:
    return token.text in _DASHES or (token.kind == "mark" and token.text == "-")
