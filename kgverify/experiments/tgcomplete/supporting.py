"""Is there a passage in the whole corpus that states an edge?  (TGComplete's exhaustive retrieval,
section 5.3.)

Every passage is looked at that names both ends, and a judge says which of them state the edge.  How
near to each other the two are named is a window, from 50 words to the whole text with its title.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgverify.completion.breakpoints import Edge
from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.gazetteer import Gazetteer
from kgverify.evidence.judging import Failure, Judge
from kgverify.experiments.tgcomplete.worlds import World

WORDS = (50, 100, 200)
TEXT, TITLED = "text", "full text"
WINDOWS = (*(f"{words} words" for words in WORDS), TEXT, TITLED)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Support:
    """What a corpus has on an edge: by window, how many passages name both ends within it, and how
    many of these state the edge.  `failed` pairs were judged by nobody."""

    named: Mapping[str, int]
    stating: Mapping[str, int]
    failed: int = 0

    def is_stated(self, window: str = TITLED) -> bool:
        """Does any passage within the window state it?"""
        return self.stating[window] > 0


class Exhaustive:
    """Looks an edge up in all passages; each edge once.

    Windows of words are within a passage's text; `text` is all of it, and in the `full text` an end
    may be named by the title alone, as that of an article names what the whole article is about."""

    def __init__(self, world: World, corpus: Corpus, judge: Judge) -> None:
        graph = world.graph(world.all_edges)
        self._corpus, self._judge = corpus, judge
        self._claims = Claims(world.book, graph)
        gazetteer = Gazetteer.of(graph)
        self._texts: dict[str, dict[int, list[int]]] = defaultdict(dict)
        self._titles: dict[str, set[int]] = defaultdict(set)
        for mention in gazetteer.mentions_in(corpus.texts[n] for n in range(len(corpus))):
            places = self._texts[graph.key(mention.entity)[1:]]
            places.setdefault(mention.passage, []).append(mention.extent.start)
        for mention in gazetteer.mentions_in(corpus.titles[n] for n in range(len(corpus))):
            self._titles[graph.key(mention.entity)[1:]].add(mention.passage)
        self._known: dict[Edge, Support] = {}

    def of(self, edges: Iterable[Edge]) -> dict[Edge, Support]:
        """What the corpus has on each of these."""
        asked = list(dict.fromkeys(edges))
        for edge in asked:
            if edge not in self._known:
                self._known[edge] = self._look(edge)
        return {edge: self._known[edge] for edge in asked}

    def states(self, edge: Edge, passages: Sequence[str]) -> bool:
        """Does one of these passages, by their ids, state an edge?"""
        claim = self._claims.of(edge.subject, edge.relation, edge.object)
        numbers = self._corpus.find(passages).tolist()
        answers = self._judge.judge([(self._corpus[number], claim) for number in numbers])
        return any(not isinstance(a, Failure) and a.label == "ENTAILED" for a in answers)

    def _look(self, edge: Edge) -> Support:
        found = self._windows(edge)
        claim = self._claims.of(edge.subject, edge.relation, edge.object)
        answers = self._judge.judge([(self._corpus[number], claim) for number in sorted(found)])
        named, stating, failed = dict.fromkeys(WINDOWS, 0), dict.fromkeys(WINDOWS, 0), 0
        for number, answer in zip(sorted(found), answers, strict=True):
            failed += isinstance(answer, Failure)
            states = not isinstance(answer, Failure) and answer.label == "ENTAILED"
            for window in WINDOWS[found[number] :]:
                named[window] += 1
                stating[window] += states
        return Support(named, stating, failed)

    def _windows(self, edge: Edge) -> dict[int, int]:
        """The passages that name both ends, with the place of the narrowest window that has both."""
        one, other = (self._texts.get(end, {}) for end in (edge.subject, edge.object))
        titles = [self._titles.get(end, set()) for end in (edge.subject, edge.object)]
        found = {}
        for number in (one.keys() | titles[0]) & (other.keys() | titles[1]):
            place = WINDOWS.index(TITLED)
            if number in one and number in other:
                near = _words_between(self._corpus.texts[number], one[number], other[number])
                place = bisect_right(WORDS, near - 1)
            found[number] = place
        return found


def _words_between(text: str, ones: Iterable[int], others: Iterable[int]) -> int:
    """How many words the shortest stretch has that begins with the one and ends with the other's
    first word, or the other way round."""
    starts = [match.start() for match in _WORD.finditer(text)]
    places = [[bisect_right(starts, start) for start in found] for found in (ones, others)]
    return 1 + min(abs(a - b) for a in places[0] for b in places[1])
