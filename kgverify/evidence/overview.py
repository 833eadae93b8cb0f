"""What is in a corpus: sizes, sources, copies, mentions, some titles, and headings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kgverify.evidence.building import open_corpus
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.duplicates import group_sizes
from kgverify.evidence.reading import PathLike
from kgverify.evidence.storage import is_corpus, open_stored

_SHOWN = 5
_TITLES = 10


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """A corpus, counted.

    `longest` are the ids of the longest passages with their characters; `named_sources` the sources
    that are named most often; `sources` counts what counts as one source.  `groups` counts the
    groups of near-duplicates, and `largest_groups` are the ids in the largest of them.  `mentions`
    counts those in texts and titles, of `mentioned` entities, None where none were looked for, and
    `classes` counts them by class.  `titles` are spread evenly over the corpus.  `headings` counts
    the different headings, of `headed` passages, and `common_headings` are those of most."""

    name: str
    hash: str
    passages: int
    windows: int
    words: int
    characters: int
    longest: tuple[tuple[str, int], ...]
    sources: int
    named_sources: tuple[tuple[str, int], ...]
    groups: int
    largest_groups: tuple[tuple[str, ...], ...]
    mentions: int | None
    mentioned: int
    classes: tuple[tuple[str, int], ...]
    titles: tuple[str, ...]
    headings: int = 0
    headed: int = 0
    common_headings: tuple[tuple[str, int], ...] = ()


def corpus_info(source: PathLike) -> CorpusInfo:
    """Counts what is in a corpus that was built, or in a file of passages.

    Raises EvidenceError."""
    if is_corpus(Path(source)):
        stored = open_stored(source)
        return _info(stored.corpus, stored.classes)
    return _info(open_corpus(source), ())


def _info(corpus: Corpus, classes: tuple[tuple[str, int], ...]) -> CorpusInfo:
    words, lengths = 0, np.zeros(len(corpus), np.int64)
    named: dict[str, int] = {}
    headings: dict[str, int] = {}
    for number, passage in enumerate(corpus):
        words += len(passage.text.split())
        lengths[number] = len(passage.text)
        if source := passage.source.strip():
            named[source] = named.get(source, 0) + 1
        if passage.heading:
            headings[passage.heading] = headings.get(passage.heading, 0) + 1
    sizes = group_sizes(corpus.copies)
    largest = np.argsort(-sizes, kind="stable")[:_SHOWN]
    largest = largest[sizes[largest] > 1]
    found = [m for m in (corpus.mentions, corpus.title_mentions) if m is not None]
    mentioned = {entity for mentions in found for entity in mentions.mentioned.tolist()}
    longest = np.argsort(-lengths, kind="stable")[:_SHOWN].tolist()
    places = np.arange(min(_TITLES, len(corpus))) * len(corpus) // min(_TITLES, len(corpus))
    return CorpusInfo(
        corpus.name,
        corpus.hash,
        len(corpus),
        len(corpus.windows),
        words,
        int(lengths.sum()),
        tuple((corpus.ids[number], int(lengths[number])) for number in longest),
        len(np.unique(corpus.origins)),
        _most(named, _SHOWN),
        int((sizes > 1).sum()),
        tuple(
            tuple(corpus.ids.many(np.flatnonzero(corpus.copies == group)))
            for group in largest.tolist()
        ),
        sum(map(len, found)) if found else None,
        len(mentioned),
        classes,
        tuple(corpus.titles.many(places)),
        len(headings),
        sum(headings.values()),
        _most(headings, _TITLES),
    )


def _most(counts: Mapping[str, int], shown: int) -> tuple[tuple[str, int], ...]:
    """The names with the greatest counts, equals in alphabetical order."""
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:shown])
