"""Exhaustive retrieval: every passage of a corpus in which the names of both ends of an edge stand
near to each other, and which of these passages state the edge (TGComplete, section 5.3).

How near is a window: so many words of the text, or all of it.  A word is what stands between
blanks.  The title may count as a part of every window, since it says what its text is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kgverify.completion.breakpoints import Edge
from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import Failure, Judge, Judgement
from kgverify.evidence.mentions import Mentions
from kgverify.evidence.naming_passages import NamesInPassages
from kgverify.graph import Graph

Window = int | None
WINDOWS: tuple[Window, ...] = (50, 100, 200, 400, None)  # words; None is the full text
MOST = 100  # passages that are judged for an edge
_BATCH = 256  # pairs that a judge is given at once
_WORD = re.compile(r"\S+")
_SHIFT = 32  # a passage and a place in it make one number

Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CoMention:
    """A passage, by its number, that names both ends of an edge.

    `words`: the fewest words of its text that hold a name of each; None where the text alone does
    not name both.  `beside_title`: the fewest that do if the title is there as well, 0 where it
    names both; never more than `words`."""

    passage: int
    words: int | None
    beside_title: int

    def within(self, window: Window, titles: bool = True) -> bool:
        """Do both ends stand in a window of so many words, the title being a part of it or not?"""
        words = self.beside_title if titles else self.words
        return words is not None and (window is None or words <= window)


class CoMentions:
    """Finds the passages of a corpus that name both ends of edges."""

    def __init__(self, corpus: Corpus, graph: Graph) -> None:
        self.corpus, self._graph = corpus, graph
        self._numbers: dict[str, int] = {}
        titles, texts = NamesInPassages(corpus, graph).everywhere
        first, last = _words(corpus, texts)
        self._texts = _Places(texts, first, last)
        # In titles only the order matters.
        self._titles = _Places(titles, titles.starts.astype(np.int64), titles.ends.astype(np.int64))

    def unknown(self, edge: Edge) -> tuple[str, ...]:
        """The ends of an edge that the graph does not have, so that nobody knows their names."""
        ends = dict.fromkeys((edge.subject, edge.object))
        return tuple(end for end in ends if self._number(end) < 0)

    def naming(self, entity: str) -> int:
        """How many passages name an entity, in their title or their text."""
        number = self._number(entity)
        return len(np.union1d(self._texts.passages(number), self._titles.passages(number)))

    def of(self, edge: Edge) -> tuple[CoMention, ...]:
        """The passages that name both ends of an edge by two different mentions, the nearest first:
        by `beside_title`, then by `words`, then in the order of the corpus."""
        ends = self._number(edge.subject), self._number(edge.object)
        within = self._texts.nearest(*ends)
        beside = dict(within)
        for passage in self._titles.nearest(*ends):
            beside[passage] = 0
        for inside, outside in (ends, ends[::-1]):
            titled = self._titles.passages(outside)
            for passage, words in self._texts.shortest(inside, titled).items():
                beside[passage] = min(words, beside.get(passage, words))
        found = (CoMention(p, within.get(p), words) for p, words in beside.items())
        return tuple(
            sorted(
                found,
                key=lambda c: (c.beside_title, c.words is None, c.words or 0, c.passage),
            )
        )

    def _number(self, entity: str) -> int:
        if entity not in self._numbers:
            (self._numbers[entity],) = self._graph.find(["e" + entity]).tolist()
        return self._numbers[entity]


class _Places:
    """Mentions with the number of the first and the last word of each.

    Names in a text don't overlap, unless they are one name of several entities; so of the names
    behind a name the next one is the nearest, and of those before it the last one."""

    def __init__(self, mentions: Mentions, first: Longs, last: Longs) -> None:
        self._mentions, self._first, self._last = mentions, first, last
        self._passages = mentions.passages.astype(np.int64)
        self._places = (self._passages << _SHIFT) + mentions.starts
        self._rows: dict[int, Longs] = {}

    def passages(self, entity: int) -> Longs:
        """The passages that mention an entity, ascending."""
        return np.unique(self._passages[self._of(entity)])

    def nearest(self, one: int, other: int) -> dict[int, int]:
        """By passage, the fewest words that hold a mention of each."""
        rows, others = self._of(one), self._of(other)
        if not len(rows) or not len(others):
            return {}
        found: list[tuple[Longs, Longs]] = []
        places = self._places[others]
        before = np.searchsorted(places, self._places[rows], "left") - 1
        behind = np.searchsorted(places, self._places[rows], "right")
        for near in (before, behind):
            inside = (near >= 0) & (near < len(others))
            mine, theirs = rows[inside], others[near[inside]]
            same = self._passages[mine] == self._passages[theirs]
            mine, theirs = mine[same], theirs[same]
            last = np.maximum(self._last[mine], self._last[theirs])
            words = last - np.minimum(self._first[mine], self._first[theirs]) + 1
            found.append((self._passages[mine], words))
        return _least(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def shortest(self, entity: int, passages: Longs) -> dict[int, int]:
        """By passage, of these, the fewest words that hold a mention of an entity."""
        rows = self._of(entity)
        if not len(rows) or not len(passages):
            return {}
        rows = rows[np.isin(self._passages[rows], passages)]
        return _least(self._passages[rows], self._last[rows] - self._first[rows] + 1)

    def _of(self, entity: int) -> Longs:
        """The rows of the mentions of an entity, in the order of their places."""
        if entity not in self._rows:
            self._rows[entity] = self._mentions.of_entities([entity])
        return self._rows[entity]


def _least(passages: Longs, words: Longs) -> dict[int, int]:
    """The least number of words of each passage."""
    order = np.lexsort((words, passages))
    found, places = np.unique(passages[order], return_index=True)
    return dict(zip(found.tolist(), words[order][places].tolist(), strict=True))


def _words(corpus: Corpus, mentions: Mentions) -> tuple[Longs, Longs]:
    """The numbers of the first and the last word of each mention, in its text."""
    first = np.zeros(len(mentions), np.int64)
    last = np.zeros(len(mentions), np.int64)
    for passage in np.unique(mentions.passages).tolist():
        rows = slice(*mentions.passage_offsets[passage : passage + 2].tolist())
        starts = [word.start() for word in _WORD.finditer(corpus.texts[passage])]
        first[rows] = np.searchsorted(starts, mentions.starts[rows], "right") - 1
        last[rows] = np.searchsorted(starts, mentions.ends[rows] - 1, "right") - 1
    return first, last


@dataclass(frozen=True, slots=True)
class Read:
    """A passage that names both ends of an edge, and what the judge said of the two."""

    place: CoMention
    id: str
    answer: Judgement | Failure

    @property
    def states(self) -> bool | None:
        """Does it state the edge?  None where the judge failed."""
        return None if isinstance(self.answer, Failure) else self.answer.label == "ENTAILED"


@dataclass(frozen=True, slots=True)
class Looked:
    """What a whole corpus has on an edge: the passages that name both ends, the nearest first, with
    what the judge said of them; those in `left_out` were too many to be judged.  `unknown` are
    the ends whose names nobody knows, so that nothing could be looked for."""

    edge: Edge
    read: tuple[Read, ...] = ()
    left_out: tuple[CoMention, ...] = ()
    unknown: tuple[str, ...] = ()

    def named(self, window: Window = None, titles: bool = True) -> int:
        """How many passages name both ends in a window."""
        places = (*(one.place for one in self.read), *self.left_out)
        return sum(place.within(window, titles) for place in places)

    def is_named(self, window: Window = None, titles: bool = True) -> bool | None:
        """Does any passage?  None where an end is unknown."""
        return None if self.unknown else self.named(window, titles) > 0

    def support(self, window: Window = None, titles: bool = True) -> bool | None:
        """Does any passage that names both ends in a window state the edge?

        None where none was found to, and nobody can say: the judge failed on one, one was left out,
        or an end is unknown."""
        inside = [one.states for one in self.read if one.place.within(window, titles)]
        if True in inside:
            return True
        is_open = any(place.within(window, titles) for place in self.left_out)
        return None if self.unknown or is_open or None in inside else False


def look(
    edges: Iterable[Edge],
    mentions: CoMentions,
    claims: Claims,
    judge: Judge,
    most: int = MOST,
) -> dict[Edge, Looked]:
    """What the corpus has on each edge.  Of the passages that name both ends the `most` nearest are
    judged, each as a whole and once, whatever the window; the others are in `left_out`.

    Raises what the judge raises when it stops."""
    if most < 1:
        raise ValueError("at least one passage of an edge is judged")
    asked = list(dict.fromkeys(edges))
    unknown = {edge: mentions.unknown(edge) for edge in asked}
    places = {edge: mentions.of(edge) for edge in asked if not unknown[edge]}
    answers = iter(
        judged(
            judge,
            mentions.corpus,
            claims,
            ((edge, p.passage) for edge, found in places.items() for p in found[:most]),
        )
    )
    looked = {}
    for edge in asked:
        found = places.get(edge, ())
        read = (Read(p, mentions.corpus.ids[p.passage], next(answers)) for p in found[:most])
        looked[edge] = Looked(edge, tuple(read), found[most:], unknown[edge])
    return looked


def judged(
    judge: Judge, corpus: Corpus, claims: Claims, pairs: Iterable[tuple[Edge, int]]
) -> list[Judgement | Failure]:
    """What a judge says of each edge and passage, which is given by its number."""
    asked = list(pairs)
    answers: list[Judgement | Failure] = []
    for start in range(0, len(asked), _BATCH):
        part = asked[start : start + _BATCH]
        answers += judge.judge(
            [(corpus[n], claims.of(e.subject, e.relation, e.object)) for e, n in part]
        )
    return answers


def supports(
    looked: Mapping[Edge, Looked], window: Window = None, titles: bool = True
) -> dict[Edge, bool | None]:
    """The support of each edge by a window."""
    return {edge: found.support(window, titles) for edge, found in looked.items()}


def named(
    looked: Mapping[Edge, Looked], window: Window = None, titles: bool = True
) -> dict[Edge, bool | None]:
    """Whether any passage names both ends of each edge in a window."""
    return {edge: found.is_named(window, titles) for edge, found in looked.items()}


def spurious(
    looked: Iterable[Looked], window: Window = None, titles: bool = True
) -> Sequence[bool | None]:
    """Of the passages that name both ends of an edge in a window and were judged: does each *not*
    state it?  None where the judge failed."""
    states = (r.states for one in looked for r in one.read if r.place.within(window, titles))
    return [None if said is None else not said for said in states]
