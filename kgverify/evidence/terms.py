"""A text as terms: its words without case, accents and English endings, each with its place.

A search by words compares terms, so that `Bogota` finds `BOGOTÁ` and `borders` finds `bordering`.
Writing without spaces between words, as Chinese has, is one term from one mark to the next.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import snowballstemmer

from kgverify.evidence.passages import Extent

# Words that say nothing of what a passage is about.  They are terms of passages like all others;
# a query does without them, unless it has nothing else.
_STOP_WORDS = """
    a about an and any are as at be been being but by can did do does for from had has have he
    her his how i if in into is it its me my no not of on or our she so some such than that the
    their them then there these they this those to was we were what when where which who whom
    whose why will with would you your
"""
# Letters that no decomposition reduces to the plain one for which people write them.
_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)


def terms(text: str) -> list[str]:
    """The terms of a text, in order."""
    found = (_term(match[1]) for match in _pattern(text).finditer(text))
    return [term for term in found if term]


def placed_terms(text: str) -> Iterator[tuple[str, Extent]]:
    """The terms of a text, in order, with the words that they come from."""
    for match in _pattern(text).finditer(text):
        term = _term(match[1])
        if term:
            yield term, Extent(match.start(1), match.end(1))


def is_stop_word(term: str) -> bool:
    """Does a term say nothing of what a passage is about?"""
    return term in _stop_terms()


def _pattern(text: str) -> re.Pattern[str]:
    """What a word of this text is: letters and digits, with the marks that are set on them."""
    if text.isascii():
        return _words("")
    marks = (c for c in set(text) if not c.isascii() and unicodedata.category(c).startswith("M"))
    return _words("".join(sorted(marks)))


@lru_cache(1 << 10)
def _words(marks: str) -> re.Pattern[str]:
    letter = r"[^\W_]"
    more = f"(?:{letter}|[{re.escape(marks)}])" if marks else letter
    # The ending of a possessive is no word.
    return re.compile(rf"({letter}{more}*)(?:['’]s(?!{more}))?")


@lru_cache(1 << 18)
def _term(word: str) -> str:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", word).casefold())
    plain = "".join(c for c in folded if not unicodedata.combining(c)).translate(_PLAIN)
    return str(_stemmer().stemWord(plain))


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(map(_term, _STOP_WORDS.split()))


@cache
def _stemmer() -> Any:
    return snowballstemmer.stemmer("english")


@cache
def reduction() -> str:
    """By what words become terms: an index of terms serves only where this is the same."""
    from importlib.metadata import version

    kind = type(_stemmer()).__module__
    return f"terms 1, {kind} of snowballstemmer {version('snowballstemmer')}, " + (
        f"Unicode {unicodedata.unidata_version}"
    )
