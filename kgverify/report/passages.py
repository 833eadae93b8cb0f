"""Passages that a search found, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kgverify.errors import printable
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.highlighting import matched_names, matched_words
from kgverify.evidence.passages import Extent, Passage
from kgverify.evidence.retrieving import Hit, Query

_AROUND = 240  # characters of a long passage that are shown of its best part


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage with its rank from 1 on, and the places in its text of the query's words and
    names."""

    rank: int
    score: float
    passage: Passage
    words: tuple[Extent, ...]
    names: tuple[Extent, ...]


def found_passages(corpus: Corpus, query: Query, hits: Iterable[Hit]) -> list[FoundPassage]:
    """The passages of some hits, with what they have of the query."""
    found = []
    for rank, hit in enumerate(hits, 1):
        passage = corpus[hit.passage]
        words = tuple(matched_words(passage.text, query))
        names = tuple(matched_names(passage.text, query.names))
        found.append(FoundPassage(rank, hit.score, passage, words, names))
    return found


def json_text(query: Query, retriever: str, found: Sequence[FoundPassage]) -> str:
    """One object with the query and all passages."""
    asked = {"text": query.text, "names": query.names, "phrases": query.phrases}
    whole = {"query": asked, "retriever": retriever, "passages": list(map(_row, found))}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def json_lines(found: Iterable[FoundPassage]) -> Iterator[str]:
    """A line for each passage."""
    for one in found:
        yield json.dumps(_row(one), ensure_ascii=False) + "\n"


def print_passages(console: Console, found: Sequence[FoundPassage]) -> None:
    """A table; words of the query are bold, names underlined, and long passages are cut to the part
    that has most of them."""
    if not found:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("score", justify="right")
    table.add_column("title", overflow="fold")
    table.add_column("text", overflow="fold", ratio=1)
    table.add_column("source", overflow="fold")
    for one in found:
        passage = one.passage
        headed = ": ".join(said for said in (passage.title or passage.id, passage.heading) if said)
        titled = printable(headed)
        source = " ".join(part for part in (passage.source, passage.date) if part)
        table.add_row(
            str(one.rank), f"{one.score:.3f}", Text(titled), _shown(one), Text(printable(source))
        )
    console.print(table)


def _row(one: FoundPassage) -> dict[str, Any]:
    passage = one.passage
    return {
        "rank": one.rank,
        "score": one.score,
        "id": passage.id,
        "title": passage.title,
        "heading": passage.heading,
        "text": passage.text,
        "source": passage.source,
        "date": passage.date,
        "words": [[extent.start, extent.end] for extent in one.words],
        "names": [[extent.start, extent.end] for extent in one.names],
    }


def _shown(one: FoundPassage) -> Text:
    text = one.passage.text
    first, last = _best_part(text, one.words)
    marked = Text("… " if first else "")
    # Characters that would drive the terminal are spelled out, which moves what follows them.
    places = [len(marked)]
    for character in text[first:last]:
        marked.append(printable(character) if character not in "\r\n\t" else " ")
        places.append(len(marked))
    for extents, style in ((one.words, "bold"), (one.names, "underline")):
        for extent in extents:
            start, end = max(extent.start, first), min(extent.end, last)
            if start < end:
                marked.stylize(style, places[start - first], places[end - first])
    if last < len(text):
        marked.append(" …")
    return marked


def _best_part(text: str, words: Sequence[Extent]) -> tuple[int, int]:
    """The stretch of a long text that has most of the words, and among those the first."""
    if len(text) <= _AROUND:
        return 0, len(text)
    best, most = 0, 0
    for word in words:
        start = max(0, word.start - _AROUND // 8)
        inside = sum(start <= w.start and w.end <= start + _AROUND for w in words)
        if inside > most:
            best, most = start, inside
    last = min(len(text), best + _AROUND)
    while best > 0 and text[best - 1].isalnum() and text[best].isalnum():
        best -= 1
    while last < len(text) and text[last - 1].isalnum() and text[last].isalnum():
        last += 1
    return best, last
