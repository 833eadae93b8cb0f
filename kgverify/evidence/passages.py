"""Passages of text and places in them."""

from __future__ import annotations

import msgspec


class Passage(msgspec.Struct, frozen=True):
    """A piece of text that stands on its own: a paragraph, a field of a profile, an abstract.

    `id` is unique in its corpus.  `title` says what it is about, "" if nothing does; `heading` what
    part of that, such as a field of an infobox or a section of an article, "" if it has none.
    `source` says where the passage is from, and `date` when it was written (a year, month or day),
    both as the corpus has it.
    """

    id: str
    text: str
    title: str = ""
    source: str = ""
    date: str = ""
    heading: str = ""


class Extent(msgspec.Struct, frozen=True, order=True):
    """A stretch of a passage's text: the characters from `start` up to, but not at, `end`."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The characters themselves."""
        return text[self.start : self.end]


class Window(msgspec.Struct, frozen=True):
    """Some neighbouring sentences of a passage, by the number of the passage in its corpus."""

    passage: int
    extent: Extent


class Mention(msgspec.Struct, frozen=True):
    """A name of an entity that stands in a passage, as a graph's number of the entity."""

    passage: int
    extent: Extent
    entity: int
