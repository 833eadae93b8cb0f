"""When a predicted name and a right one are the same answer.

Appendix E of the paper: lower case, without articles, punctuation, needless blanks and the token
`<pad>`.  Three things are settled here that it leaves open.  `<pad>` goes first, since without its
brackets it would be a word.  A step that would leave nothing is not taken: "A", "The The" and "!!!"
stay names.  And a text is divided into answers at line ends and commas, not at blanks, for names
contain them; nor at the commas of a name that is known.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Articles = Literal["all", "leading"]
"""Which articles are left out: all of them, as in the paper, or the first word alone."""

_ARTICLES = frozenset(("a", "an", "the"))
_OF_ARTICLES = frozenset(a[i:j] for a in _ARTICLES for i in range(3) for j in range(i + 1, 4))
_SHORT = 200  # characters: longer texts are no names that come again
_WEIGHTLESS = 10  # parts in a run of which nothing need be in its form, beside a name's commas
_OPENING = "([{“”‘’\"'*¿¡"
_CLOSING = ")]}“”‘’\"'*.,;:!?…"
_NEGATIONS = re.compile(
    r"\b(not|no|never|neither|nor|none|without|except|cannot|\w+n['’]t|(ca|do|wo|is|did|does|was)nt)\b"
)


def normal_form(name: str, articles: Articles = "all") -> str:
    """The form in which names are compared; "" for what is no name."""
    return (_remembered if len(name) <= _SHORT else _normal_form)(name, articles)


def _normal_form(name: str, articles: Articles) -> str:
    text = unicodedata.normalize("NFC", name.lower()).replace("<pad>", " ")
    words = text.split()
    words = "".join(c for c in " ".join(words) if not _is_punctuation(c)).split() or words
    if articles == "leading":
        first = words[:1] if words[1:] and words[0] in _ARTICLES else []
        return " ".join(words[len(first) :])
    return " ".join([word for word in words if word not in _ARTICLES] or words)


_remembered = lru_cache(maxsize=1 << 16)(_normal_form)  # the same names come again and again


def marked_form(name: str) -> str:
    """The normal form with the signs and the punctuation that can make another name: `1.5` and
    `15`, `-5` and `5`, `C++` and `C#` differ in it, `"Rome".` and `Rome` do not."""
    text = unicodedata.normalize("NFC", name.lower()).replace("<pad>", " ")
    words = text.split()
    words = [word for w in words if (word := w.lstrip(_OPENING).rstrip(_CLOSING))] or words
    return " ".join([word for word in words if word not in _ARTICLES] or words)


def _is_punctuation(character: str) -> bool:
    return character in string.punctuation or unicodedata.category(character).startswith("P")


@dataclass(frozen=True, slots=True)
class Known:
    """The normal forms of all names that are known, the letters of the longest and the commas of
    the name that has most; and whether all of them are whole numbers: private ids, the only names
    that a blank divides."""

    forms: frozenset[str]
    only_numbers: bool
    letters: int = 0
    commas: int = 0

    @classmethod
    def of(cls, names: Iterable[str]) -> Known:
        every = {name: normal_form(name) for name in names}
        forms = frozenset(every.values()) - {""}
        return cls(
            forms,
            bool(forms) and all(form.isdecimal() for form in forms),
            max((len(form.replace(" ", "")) for form in forms), default=0),
            max((name.count(",") for name in every), default=0),
        )


def split(text: str, known: Known) -> list[str]:
    """The answers in a text: a line each, or several with commas between them.

    The longest run of parts that is a known name stays whole."""
    found = []
    for line in text.splitlines():
        parts = line.split(",")
        weights = [_weight(part) for part in parts]
        start = 0
        while start < len(parts):
            end = next(
                (
                    end
                    for end in range(_furthest(weights, start, known), start + 1, -1)
                    if normal_form(",".join(parts[start:end])) in known.forms
                ),
                start + 1,
            )
            found += _numbers(",".join(parts[start:end]), known)
            start = end
    return found


def _weight(part: str) -> int:
    """So many letters of a part are in the form of every run that it is in.  Punctuation may go,
    and an article, also one that comes together at a comma."""
    words = unicodedata.normalize("NFC", part.lower()).replace("<pad>", " ").split()
    bare = ("".join(c for c in word if not _is_punctuation(c)) for word in words)
    return sum(len(word) for word in bare if word not in _OF_ARTICLES)


def _furthest(weights: Sequence[int], start: int, known: Known) -> int:
    """Where a run from here on has more letters than any known name, or too many parts that have
    none."""
    letters = weightless = 0
    for place in range(start, len(weights)):
        letters += weights[place]
        weightless += not weights[place]
        if letters > known.letters or weightless > known.commas + _WEIGHTLESS:
            return place
    return len(weights)


def _numbers(part: str, known: Known) -> list[str]:
    """The ids that blanks divide, where names are ids."""
    words = part.split()
    if known.only_numbers and len(words) > 1 and all(word.isdecimal() for word in words):
        return words
    return [part]


class Texts:
    """Permissive: finds the names whose letters a prediction holds, wherever they are."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)
        self._sizes = {len(name) for name in names}

    def within(self, form: str) -> set[str]:
        if len(form) * len(self._sizes) > len(self._names):
            return {name for name in self._names if name in form}
        return {piece for piece in self._pieces(form) if piece in self._names}

    def _pieces(self, form: str) -> Iterator[str]:
        for size in self._sizes:
            yield from (form[start : start + size] for start in range(len(form) + 1 - size))


class Words:
    """Permissive: finds the names whose words a prediction holds, one after the other."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)
        self._sizes = {name.count(" ") + 1 for name in names}

    def within(self, form: str) -> set[str]:
        return {piece for piece in self._pieces(form.split()) if piece in self._names}

    def _pieces(self, words: list[str]) -> Iterator[str]:
        for size in self._sizes:
            yield from (" ".join(words[n : n + size]) for n in range(len(words) + 1 - size))


def is_negated(name: str) -> bool:
    """Does a text have a word of negation?  What holds the right answer may then deny it."""
    return _NEGATIONS.search(name.lower()) is not None
