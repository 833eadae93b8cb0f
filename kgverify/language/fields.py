"""Phrases that have the form of a titled field: `"Capital: {1}"`, `"Languages: {1} (official)"`.

    HEADING: [LABEL:] PLACE [(NOTE)] [words]

Such a phrase has one place, for what the field lists; what its passage is about stands in the
passage's title, and has the other.  Behind the heading, more colons lead to a label within the
field.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ANYTHING = "…"  # a note that may be anything, or not be there
_PLACE = re.compile(r"\{([01])\}")
_BEHIND = re.compile(r"\s*(?:\(([^()]*)\))?\s*([^()]*)")


@dataclass(frozen=True, slots=True)
class FieldPhrase:
    """A titled field that states a relation.

    `headings` lead to the place, the wider ones first: the passage's heading, or its last parts,
    and perhaps a label in its text.  `place` is what is listed there: 0 for the subject, 1 for the
    object.  `note` stands in parentheses behind each item that is meant, "" if none does; `tail`
    are the words behind it."""

    headings: tuple[str, ...]
    place: int
    note: str = ""
    tail: str = ""


def is_field(phrase: str) -> bool:
    """Is a phrase meant as a field: has it one place only, and a colon before it?"""
    places = list(_PLACE.finditer(phrase))
    return len(places) == 1 and ":" in phrase[: places[0].start()]


def read_field(phrase: str) -> FieldPhrase:
    """A phrase that is meant as a field.  Raises ValueError, with what is wrong, if it has not the
    form of one."""
    place = _PLACE.search(phrase)
    if place is None or not is_field(phrase):
        raise ValueError("has no colon before its place")
    *headings, before = (part.strip() for part in phrase[: place.start()].split(":"))
    if before:
        raise ValueError(f"has `{before}` between its last colon and its place")
    if not all(re.search(r"[^\W_]", heading) for heading in headings):
        raise ValueError("has a colon without a heading before it")
    behind = _BEHIND.fullmatch(phrase[place.end() :])
    if behind is None:
        raise ValueError("has parentheses that don't stand by themselves right behind its place")
    note, tail = behind[1], behind[2].strip()
    if note is not None and not re.search(r"[^\W_]|…|\.\.\.", note):
        raise ValueError("has parentheses with nothing in them")
    if tail and not re.search(r"[^\W_]", tail):
        raise ValueError(f"has `{tail}` behind its place, which is no word")
    said = (note or "").strip()
    said = ANYTHING if said in ("…", "...") else said
    return FieldPhrase(tuple(headings), int(place[1]), said, tail)
