"""A text as words, each with its place and its stem."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import snowballstemmer

# A name between brackets or quotation marks is one word, whatever is in it.
_WORD = re.compile(
    r"""\[(?P<bracket>[^\[\]]+)\]|"(?P<quoted>[^"]+)"|“(?P<curly>[^“”]+)”
    |(?P<date>\d{4}-\d\d(?:-\d\d)?)(?!\w)
    |(?P<number>[+-]?\d+(?:,\d{3})*(?:\.\d+)?)(?![^\W\d_])
    |(?P<word>[^\W_](?:['’](?!s\b)\w|\w)*)
    |(?P<possessive>['’]s\b)
    |(?P<comma>[,;])""",
    re.VERBOSE,
)
_WHOLE = {"cannot": ("can", "not"), "can't": ("can", "not"), "won't": ("will", "not")}
# Forms that no ending explains, each with the stem of its verb or noun.
_IRREGULAR = {
    **dict.fromkeys(("wrote", "written", "writing", "writes"), "write"),
    **dict.fromkeys(("bound", "binding", "binds"), "bind"),
    **dict.fromkeys(("people", "persons"), "person"),
    **dict.fromkeys(("children",), "child"),
    **dict.fromkeys(("made", "making", "makes"), "make"),
    **dict.fromkeys(("led", "leading", "leads"), "lead"),
    **dict.fromkeys(("held", "holding", "holds"), "hold"),
    **dict.fromkeys(("spoken", "spoke", "speaking", "speaks"), "speak"),
    **dict.fromkeys(("born",), "bear"),
    **dict.fromkeys(("wed", "wedded"), "wed"),
    **dict.fromkeys(("won", "winning", "wins"), "win"),
    **dict.fromkeys(("taken", "took", "taking", "takes"), "take"),
    **dict.fromkeys(("given", "gave", "giving", "gives"), "give"),
    **dict.fromkeys(("found", "finding", "finds"), "find"),
    **dict.fromkeys(("men",), "man"),
    **dict.fromkeys(("women",), "woman"),
}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: `text[start:end]`, or what stands between its brackets or quotation marks.

    `kind` is `word`, `name` (marked as such), `number`, `date`, `possessive` or `comma`."""

    text: str
    kind: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        return self.text.casefold()

    @property
    def stem(self) -> str:
        return stem(self.lower)


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as a text."""
    return frozenset(text.split())


def words(text: str) -> tuple[Word, ...]:
    """The words of a text, in order; contractions are taken apart."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        kind = str(match.lastgroup)
        inner = match[kind]
        start, end = match.span()
        if kind in ("bracket", "quoted", "curly"):
            if inner.strip():
                found.append(Word(inner.strip(), "name", start, end))
        elif kind == "word":
            found += _apart(inner, start, end)
        else:
            found.append(Word(inner, kind, start, end))
    return tuple(found)


def _apart(word: str, start: int, end: int) -> list[Word]:
    lower = word.casefold().replace("’", "'")
    if lower in _WHOLE:
        return [Word(part, "word", start, end) for part in _WHOLE[lower]]
    if lower.endswith("n't") and len(lower) > 3:
        middle = end - 3
        return [Word(word[:-3], "word", start, middle), Word("not", "word", middle, end)]
    return [Word(word, "word", start, end)]


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """A word without its English ending: `treats`, `treated` and `treating` are one."""
    return _IRREGULAR.get(word) or str(_stemmer().stemWord(word))


@cache
def _stemmer() -> Any:
    return snowballstemmer.stemmer("english")
