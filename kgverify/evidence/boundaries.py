"""Whether a name that stands in a text is a name there, or a part of a longer word."""

from __future__ import annotations

import re
import unicodedata

_HYPHENS = "-‐‑–−"
_APOSTROPHES = "'’ʼ`´"
# What may be joined to a name by a hyphen without making another name of it: `non-EU`,
# `Berlin-based`, `Turkey-wide`.
_PREFIX = re.compile(r"(?<!\w)(?:non|anti|pro|ex|post|pre)[-‐‑–−]\Z", re.IGNORECASE)
_SUFFIX = re.compile(r"[-‐‑–−](?:[a-z]+(?:ed|ing)|born|free|held|like|style|wide)(?![\w'’-])")
_SENTENCE_START = re.compile(r"(?:\A|[.!?…:;\n#*•+|–—-])[\s\"'“”‘’«»(\[]*\Z")
_LONGEST_PREFIX = 5
_LONGEST_SUFFIX = 24


def is_word_character(character: str) -> bool:
    """Is it a letter, a digit, a mark on one, or an underscore?"""
    return (
        character.isalnum()
        or character == "_"
        or unicodedata.category(character) in ("Mn", "Mc", "Me")
    )


def stands_alone(text: str, start: int, end: int) -> bool:
    """Does a name at this place end where words end?

    `Niger` is no word of `Nigeria`, `Nigerian` or `Niger-Congo`; of `Niger's` it is one."""
    return _begins(text, start) and _stops(text, end)


def begins_a_sentence(text: str, start: int) -> bool:
    """Does a sentence, a line, a quotation or the like perhaps begin here?"""
    return _SENTENCE_START.search(text, max(0, start - 8), start) is not None


def _begins(text: str, start: int) -> bool:
    before = text[start - 1] if start else ""
    if not before:
        return True
    if is_word_character(before):
        return False
    earlier = text[start - 2] if start > 1 else " "
    if not is_word_character(earlier):
        return True
    if before in _HYPHENS:
        prefix = _PREFIX.search(text, max(0, start - _LONGEST_PREFIX), start)
        return prefix is not None and text[start].isupper()
    if before in _APOSTROPHES:
        return not earlier.isalpha()
    if before == ".":
        return not (earlier.islower() or earlier.isdigit())
    return before != "&"


def _stops(text: str, end: int) -> bool:
    after = text[end] if end < len(text) else ""
    if not after:
        return True
    if is_word_character(after):
        return False
    later = text[end + 1] if end + 1 < len(text) else " "
    if not is_word_character(later):
        return True
    if after in _HYPHENS:
        return _SUFFIX.match(text, end, end + _LONGEST_SUFFIX) is not None
    if after in _APOSTROPHES:
        is_possessive = later in "sS" and not is_word_character((text[end + 2 : end + 3]) or " ")
        return is_possessive or not later.isalpha()
    if after == ".":  # `amazon.com`, or a full stop without its blank
        is_initial = text[end - 1].isupper() and not text[max(0, end - 2)].isalpha()
        return later.isupper() and not is_initial
    return after not in "@&"
