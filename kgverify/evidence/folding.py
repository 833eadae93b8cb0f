"""Texts without what names are written with or without: diacritics, compatibility forms, kinds of
dashes and apostrophes, and the number of blanks; with the way back to the places in the text."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

# Letters that Unicode doesn't take apart, and marks that stand for one another.
_ALIKE = {
    "ß": "ss",
    "ẞ": "SS",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "ð": "d",
    "Ð": "D",
    "þ": "th",
    "Þ": "Th",
    "ı": "i",
    **dict.fromkeys("‘’ʼ′ʻ`´", "'"),
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("“”„″", '"'),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
}
_PLAIN_BLANKS = str.maketrans("\t\n\r\f\v", "     ")
_BLANKS = re.compile(r"[\s\x1c-\x1f]{2}|[\x1c-\x1f]")


class Folded:
    """A text, folded: `kept` has the case of the text, `low` has none; a character of one stands
    where its counterpart stands in the other."""

    def __init__(self, text: str) -> None:
        self._places: NDArray[np.int64] | None = None
        if text.isascii() and not _BLANKS.search(text):
            self.kept = text.translate(_PLAIN_BLANKS)
        else:
            self.kept = self._taken_apart(text)
        self.low = self.kept.lower()
        if len(self.low) != len(self.kept):  # a few capitals have longer small letters
            self.low = "".join(c if len(c.lower()) != 1 else c.lower() for c in self.kept)

    def _taken_apart(self, text: str) -> str:
        parts = [_fold_one(c) for c in text]
        lengths = np.fromiter(map(len, parts), np.int64, len(parts))
        places = np.repeat(np.arange(len(text)), lengths)
        kept = "".join(parts)
        if "  " in kept:
            codes = np.frombuffer(kept.encode("utf-32-le", "surrogatepass"), np.uint32)
            stays = np.ones(len(codes), np.bool_)
            stays[1:] = (codes[1:] != 32) | (codes[:-1] != 32)
            places = places[stays]
            kept = re.sub(" {2,}", " ", kept)
        self._places = np.append(places, len(text))
        return kept

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The place in the text of a stretch that isn't empty; None if it begins or ends within a
        character.  Marks that belong to its last character are in it."""
        if self._places is None:
            return start, end
        places = self._places
        first, after = int(places[start]), int(places[end])
        if (start and places[start - 1] == first) or places[end - 1] == after:
            return None
        return first, after


def fold_name(name: str) -> tuple[str, str]:
    """A name with its case and without, folded and without blanks at its ends."""
    folded = Folded(name.strip())
    return folded.kept.strip(), folded.low.strip()


@cache
def _fold_one(character: str) -> str:
    found = _ALIKE.get(character)
    if found is not None:
        return found
    if character.isspace():
        return " "
    apart = unicodedata.normalize("NFKD", character)
    if not character.isalnum() and any(map(str.isalnum, apart)):
        return character  # `™` ends a name as any sign does, and is no `TM`
    return "".join(_ALIKE.get(c, c) for c in apart if not unicodedata.combining(c))
