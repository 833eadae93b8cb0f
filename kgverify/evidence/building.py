"""Builds corpora, and opens them, whatever they are kept in.

What an older corpus in the same place knows of a passage that has not changed is used again: its
windows, its MinHash signature, and its mentions if the graph has not changed either.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from kgverify.errors import EvidenceError, Problem, Span
from kgverify.evidence import duplicates
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.gazetteer import Gazetteer
from kgverify.evidence.mentions import Mentions, by_class
from kgverify.evidence.options import CorpusOptions
from kgverify.evidence.passages import Passage
from kgverify.evidence.reading import PathLike, Read, read_passages
from kgverify.evidence.storage import (
    DIGEST,
    Stored,
    check_place,
    is_corpus,
    open_stored,
    write,
)
from kgverify.evidence.windows import windows
from kgverify.graph.store import Graph
from kgverify.graph.strings import spread

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

_OFTEN = 1000  # passages after which progress is told


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """What building a corpus did.

    `copies` passages are near-duplicates of others, in `groups`; `sources` are independent.
    `mentions` counts those in texts and titles, None without a graph.  Of `reused` passages an
    older corpus knew all that it could.  `rejected` has the first thousand problems."""

    passages: int
    windows: int
    words: int
    copies: int
    groups: int
    sources: int
    mentions: int | None
    reused: int
    rejected: tuple[Problem, ...]
    rejected_count: int
    seconds: float


def open_corpus(
    source: PathLike | Sequence[PathLike],
    graph: Graph | None = None,
    options: CorpusOptions | None = None,
) -> Corpus:
    """The corpus in a folder that `build_corpus` wrote, or in files of passages.

    With a graph, `mentions` and `title_mentions` are those of its entities: what is stored if that
    is of this very graph and of these options, else looked for now.  Without `options`, a stored
    corpus is as it was built.  Raises EvidenceError."""
    paths = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    stored = [path for path in paths if is_corpus(Path(path))]
    if len(stored) < len(paths) or not paths:
        if stored:
            message = "a corpus that was built is opened alone; it can't be joined with others"
            hint = "build one corpus from all files of passages"
            span = Span(str(stored[0]))
            raise EvidenceError(Problem("corpus-with-files", message, span, hint))
        options = options or CorpusOptions()
        return _built(read_passages(paths, options), _name(paths[0]), options, graph, None)[
            0
        ].corpus
    if len(stored) > 1:
        message = "one corpus is opened at a time"
        raise EvidenceError(Problem("corpus-with-files", message, Span(str(stored[1]))))
    found = open_stored(stored[0])
    corpus = found.corpus
    if graph is None:
        return corpus
    made = found.made
    if options is None:
        options = CorpusOptions(
            types=tuple(made.get("types", ())), lower_case=tuple(made.get("lower_case", ()))
        )
    if corpus.mentions is not None and _same_mentions(found, _made(options), graph):
        return corpus
    gazetteer = Gazetteer.of(graph, types=options.types, lower_case=options.lower_case)
    return replace(
        corpus,
        mentions=gazetteer.mentions_in(corpus.texts[n] for n in range(len(corpus))),
        title_mentions=gazetteer.mentions_in(corpus.titles[n] for n in range(len(corpus))),
    )


def build_corpus(
    sources: PathLike | Sequence[PathLike],
    out: PathLike,
    options: CorpusOptions | None = None,
    graph: Graph | None = None,
) -> CorpusSummary:
    """Reads passages and writes the folder `out`, replacing a corpus that is there.

    The same files and options give the same bytes, whether an older corpus was there or not.
    Raises EvidenceError; then `out` is as it was."""
    start = time.perf_counter()
    options = options or CorpusOptions()
    place = Path(out)
    check_place(place)
    paths = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    read = read_passages(paths, options)
    stored, reused = _built(read, _name(paths[0]), options, graph, _older(place))
    write(stored, place)
    corpus = stored.corpus
    sizes = duplicates.group_sizes(corpus.copies)
    found = [m for m in (corpus.mentions, corpus.title_mentions) if m is not None]
    return CorpusSummary(
        len(corpus),
        len(corpus.windows),
        sum(len(passage.text.split()) for passage in read.passages),
        int(sizes[sizes > 1].sum()),
        int((sizes > 1).sum()),
        len(np.unique(corpus.origins)),
        sum(map(len, found)) if found else None,
        reused,
        read.rejected,
        read.rejected_count,
        time.perf_counter() - start,
    )


def _name(path: PathLike) -> str:
    """A file's name without its endings."""
    name = Path(path).resolve().name
    return name.split(".")[0] or name


def _older(place: Path) -> Stored | None:
    """The corpus that is in a place; None if there is none that can be used."""
    if not is_corpus(place):
        return None
    try:
        return open_stored(place)
    except EvidenceError:
        return None  # damaged, or of another version: it is replaced anyway


def _built(
    read: Read, name: str, options: CorpusOptions, graph: Graph | None, older: Stored | None
) -> tuple[Stored, int]:
    """The corpus of some passages, and of how many all was known that could be."""
    passages = read.passages
    made = _made(options)
    digests = _digests(passages)
    known = _known(digests, older)
    rows = _windows(passages, options, _if(older, lambda o: _same(o, made, _WINDOWS)), known)
    signed = _signatures(passages, options, older, known)
    unchanged = older is not None and _same(older, made, ("likeness",))
    if older is not None and unchanged and np.array_equal(older.digests, digests):
        copied = np.array(older.corpus.copies)
    else:
        told = options.told("comparing")
        copied = duplicates.copies(
            passages, signed, options.likeness, lambda done: told(done, len(passages))
        )
    origins = duplicates.origins(passages, copied, titles_are_sources=options.titles_are_sources)
    mentions: list[Mentions | None] = [None, None]
    if graph is not None:
        gazetteer = Gazetteer.of(graph, types=options.types, lower_case=options.lower_case)
        usable = _if(older, lambda o: _same_mentions(o, made, graph))
        columns = [[p.text for p in passages], [p.title for p in passages]]
        olds = [usable.corpus.mentions, usable.corpus.title_mentions] if usable else [None, None]
        told = options.told("looking for names")
        mentions = [
            _mentions(column, gazetteer, old, known, told)
            for column, old in zip(columns, olds, strict=True)
        ]
    corpus = Corpus.of(
        passages,
        name,
        windows=rows,
        origins=origins,
        copies=copied,
        mentions=mentions[0],
        title_mentions=mentions[1],
    )
    same = older is not None and _same(older, made, _WINDOWS)
    same = same and (graph is None or (older is not None and _same_mentions(older, made, graph)))
    reused = int((known >= 0).sum()) if same else 0
    classes = by_class(mentions, graph) if graph is not None else ()
    return Stored(corpus, made, digests, signed, classes), reused


# ---------------------------------------------------------------- what is known already

_WINDOWS = ("window", "overlap")


def _made(options: CorpusOptions) -> dict[str, Any]:
    """The options that what is stored depends on."""
    return {
        "window": options.window,
        "overlap": options.overlap,
        "likeness": options.likeness,
        "titles_are_sources": options.titles_are_sources,
        "types": sorted(set(options.types)),
        "lower_case": sorted(set(options.lower_case)),
    }


def _same(older: Stored, made: Mapping[str, Any], fields: Sequence[str]) -> bool:
    return all(older.made.get(field) == made[field] for field in fields)


def _same_mentions(older: Stored, made: Mapping[str, Any], graph: Graph) -> bool:
    mentions = older.corpus.mentions
    is_same = mentions is not None and mentions.graph == graph.hash
    return is_same and _same(older, made, ("types", "lower_case"))


def _if(older: Stored | None, test: Callable[[Stored], bool]) -> Stored | None:
    return older if older is not None and test(older) else None


def _digests(passages: Sequence[Passage]) -> NDArray[np.uint8]:
    """What tells passages with different contents apart.  uint8[n, 16]"""
    found = []
    for passage in passages:
        digest = hashlib.blake2b(digest_size=DIGEST)
        for field in msgspec.structs.astuple(passage):
            data = field.encode("utf-8")
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
        found.append(digest.digest())
    return np.frombuffer(b"".join(found), np.uint8).reshape(-1, DIGEST)


def _known(digests: NDArray[np.uint8], older: Stored | None) -> Longs:
    """The number of each passage in the older corpus; -1 if it is not in it.  int64[n]"""
    if older is None:
        return np.full(len(digests), -1, np.int64)
    numbers = {row.tobytes(): number for number, row in enumerate(np.asarray(older.digests))}
    return np.array([numbers.get(row.tobytes(), -1) for row in digests], np.int64)


def _windows(
    passages: Sequence[Passage], options: CorpusOptions, older: Stored | None, known: Longs
) -> Ints:
    told = options.told("cutting")
    rows: list[tuple[int, int, int]] = []
    old = older.corpus if older is not None else None
    for number, (passage, before) in enumerate(zip(passages, known.tolist(), strict=True)):
        if old is not None and before >= 0:
            extents = [window.extent for window in old.windows_of(before)]
        else:
            extents = windows(passage.text, options.window, options.overlap)
        rows += [(number, extent.start, extent.end) for extent in extents]
        if number % _OFTEN == 0:
            told(number, len(passages))
    return np.array(rows, np.int32).reshape(-1, 3)


def _signatures(
    passages: Sequence[Passage], options: CorpusOptions, older: Stored | None, known: Longs
) -> duplicates.Signatures:
    told = options.told("signing")
    found = np.empty((len(passages), duplicates.PERMUTATIONS), np.uint32)
    new = np.flatnonzero(known < 0)
    if older is not None:
        found[known >= 0] = older.signatures[known[known >= 0]]
    fresh = [passages[number] for number in new.tolist()]
    found[new] = duplicates.signatures(fresh, lambda done: told(done, len(fresh)))
    return found


def _mentions(
    texts: Sequence[str],
    gazetteer: Gazetteer,
    old: Mentions | None,
    known: Longs,
    told: Callable[[int, int], None],
) -> Mentions:
    """The mentions in some texts; those of texts that are known are taken from an older corpus."""
    if old is None:
        known = np.full(len(texts), -1, np.int64)
    new = np.flatnonzero(known < 0)
    fresh = gazetteer.mentions_in(
        (texts[number] for number in new.tolist()), lambda done: told(done, len(new))
    )
    parts = [np.column_stack([new[fresh.passages], fresh.starts, fresh.ends, fresh.entities])]
    if old is not None:
        kept = np.flatnonzero(known >= 0)
        before = known[kept]
        starts = old.passage_offsets[before]
        lengths = old.passage_offsets[before + 1] - starts
        rows = spread(starts, lengths)
        owners = np.repeat(kept, lengths)
        parts.append(
            np.column_stack([owners, old.starts[rows], old.ends[rows], old.entities[rows]])
        )
    rows_of_all = np.concatenate(parts)
    return Mentions.of(rows_of_all, len(texts), gazetteer.n_entities, gazetteer.graph)
