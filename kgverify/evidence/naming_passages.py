"""Which entities of a graph the passages of a corpus name, and where."""

from __future__ import annotations

from functools import cached_property

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.gazetteer import Gazetteer
from kgverify.evidence.mentions import Mentions
from kgverify.evidence.passages import Mention
from kgverify.graph import Graph


class NamesInPassages:
    """Finds the names of a graph's entities in passages: those that the corpus has stored, if they
    are of this graph, else by looking for them."""

    def __init__(self, corpus: Corpus, graph: Graph) -> None:
        self._corpus, self._graph = corpus, graph

    def of(self, passage: int) -> tuple[list[Mention], list[Mention]]:
        """The mentions in a passage's title and in its text, each in the order of places."""
        if self._stored is not None:
            titles, texts = (list(m.at(m.in_passages([passage]))) for m in self._stored)
            return titles, texts
        read = self._corpus[passage]
        title, text = (
            [
                Mention(passage, extent, entity)
                for extent, entities in self._gazetteer.mentions(words)
                for entity in entities
            ]
            for words in (read.title, read.text)
        )
        return title, text

    def entities(self, passage: int) -> set[int]:
        """The entities that a passage names, in its title or its text."""
        return {mention.entity for mentions in self.of(passage) for mention in mentions}

    @cached_property
    def everywhere(self) -> tuple[Mentions, Mentions]:
        """All mentions in titles, and all in texts."""
        if self._stored is not None:
            return self._stored
        corpus, numbers = self._corpus, range(len(self._corpus))
        titles = self._gazetteer.mentions_in(corpus.titles[number] for number in numbers)
        return titles, self._gazetteer.mentions_in(corpus.texts[number] for number in numbers)

    @property
    def _stored(self) -> tuple[Mentions, Mentions] | None:
        titles, texts = self._corpus.title_mentions, self._corpus.mentions
        if texts is None or titles is None or texts.graph != self._graph.hash:
            return None
        return titles, texts

    @cached_property
    def _gazetteer(self) -> Gazetteer:
        return Gazetteer.of(self._graph)
