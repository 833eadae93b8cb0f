"""The phrases of titled fields, as terms that can be compared with headings and labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kgverify.evidence.judging import RelationWords
from kgverify.evidence.terms import terms
from kgverify.language.fields import ANYTHING, read_field

Terms = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldForm:
    """A phrase of a field: the headings that lead to what is listed, which side of a claim that is
    (0 the subject, 1 the object), the note that each item has, as terms and as written, and the
    words behind it.

    `takes_any_note`: a note may be anything.  `is_implied`: the phrase is a narrower relation's."""

    path: tuple[Terms, ...]
    place: int
    note: Terms
    shown_note: str
    takes_any_note: bool
    tail: Terms
    is_implied: bool

    def is_heading(self, headings: Sequence[Terms]) -> bool:
        """Is this a passage's heading, or does it end with it, but perhaps for a label?"""
        whole = tuple(headings)
        return any(part and whole[-len(part) :] == part for part in (self.path, self.path[:-1]))

    def leads_to(self, headings: Sequence[Terms], label: Terms) -> bool:
        """Is this the end of what leads to an entry below a label, from the heading on?"""
        behind = (label,) if label else ()
        is_headed = len(self.path) > len(behind)
        return is_headed and (*headings, *behind)[-len(self.path) :] == self.path


@lru_cache(maxsize=512)
def field_forms(words: RelationWords) -> tuple[FieldForm, ...]:
    """The forms of a relation's fields."""
    found = []
    for phrases, is_implied in ((words.fields, False), (words.implied_by_fields, True)):
        for phrase in phrases:
            read = read_field(phrase)
            path = tuple(tuple(terms(part)) for part in read.headings)
            is_any = read.note == ANYTHING
            note = () if is_any else tuple(terms(read.note))
            tail = tuple(terms(read.tail))
            found.append(FieldForm(path, read.place, note, read.note, is_any, tail, is_implied))
    return tuple(found)
