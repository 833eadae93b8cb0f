"""Words that the rule file does not have as they stand: which relations they may mean.

`treatment` is not `treats`, and `affected organ` not `affects the`, but they have words in common;
`remedy` has none, and only a language model knows what it is like.  What is found is a guess: its
likeness makes the reading's confidence less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from rank_bm25 import BM25Plus

from kgverify.asking.lexicon import Lexeme, Lexicon
from kgverify.asking.words import Word

_AS_GOOD = 0.9  # scores with this share of the best one do not tell relations apart
_LEAST = 0.3  # relations with less of the best score are no rivals
_MOST = 8  # relations that some words may mean
# Endings that make other words of a word, beyond those that the stems are without: `treatment` and
# `treats`, `director` and `directed`.
_ENDINGS = ("ment", "ation", "ition", "tion", "ion", "ive", "ist", "er", "or", "able", "ance")
_DOERS = ("er", "or", "ist")  # what makes a noun of a verb for its subject
_ROOT = 3  # letters that have to be left


@dataclass(frozen=True, slots=True)
class Guess:
    """A relation that some words may mean; `likeness` is above 0, and 1 at the most."""

    relation: str
    likeness: float


class Matcher(Protocol):
    """Finds relations that are like some words."""

    def guesses(self, spans: Sequence[Sequence[Word]]) -> Sequence[Sequence[Guess]]:
        """For each of some spans of words the relations that it may mean, the likeliest first."""


class CommonWords:
    """Finds relations by words in common, rare ones before frequent ones (BM25: Robertson and
    Zaragoza, "The Probabilistic Relevance Framework", 2009)."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def guesses(self, spans: Sequence[Sequence[Word]]) -> Sequence[Sequence[Guess]]:
        return [self._of([root(word.stem) for word in span]) for span in spans]

    def _of(self, query: Sequence[str]) -> list[Guess]:
        if self._index is None or not any(word in said for said in self._said for word in query):
            return []
        scores = self._index.get_scores(query).tolist()
        best = max(scores)
        # The same words in a longer entry are as good, but words that it lacks are missed.
        common = max(
            len(said.intersection(query))
            for said, score in zip(self._said, scores, strict=True)
            if score == best
        )
        found = common / len(set(query))  # a word that no entry has may change the meaning
        guesses = [
            Guess(name, found * (1.0 if score >= _AS_GOOD * best else score / best))
            for name, score in zip(self._lexicon.documents, scores, strict=True)
            if score >= _LEAST * best
        ]
        return sorted(guesses, key=lambda guess: -guess.likeness)[:_MOST]

    @cached_property
    def _said(self) -> list[frozenset[str]]:
        return [frozenset(map(root, said)) for said in self._lexicon.documents.values()]

    @cached_property
    def _index(self) -> BM25Plus | None:
        """The entries of the relations.  Of the variants, this one has no words of weight 0 where
        there are few entries; delta 0 gives nothing to an entry without the word."""
        entries = [[root(stem) for stem in said] for said in self._lexicon.documents.values()]
        return BM25Plus(entries, delta=0.0) if any(entries) else None


def root(stem: str) -> str:
    """A stem without an ending that makes another word of it."""
    for ending in _ENDINGS:
        if stem.endswith(ending) and len(stem) - len(ending) >= _ROOT:
            return stem.removesuffix(ending)
    return stem


class Guesser:
    """Asks several matchers, and says how the words are used that they find."""

    def __init__(self, lexicon: Lexicon, matchers: Sequence[Matcher]) -> None:
        self._lexicon, self._matchers = lexicon, matchers

    def lexemes(self, spans: Sequence[Sequence[Word]]) -> Iterator[tuple[float, Sequence[Lexeme]]]:
        """For each of some spans of words the likeness of the likeliest relation, and what the
        words are then, as verbs and as nouns; 0 and nothing where no relation is like them."""
        each = [matcher.guesses(spans) for matcher in self._matchers]
        for number, span in enumerate(spans):
            likeness: dict[str, float] = {}
            for guesses in each:
                for guess in guesses[number]:
                    known = likeness.get(guess.relation, 0.0)
                    likeness[guess.relation] = max(known, guess.likeness)
            best = max(likeness.values(), default=0.0)
            yield (
                best,
                [
                    lexeme
                    for relation, own in likeness.items()
                    for lexeme in self._as_used(relation, own / best, span)
                ],
            )

    def _as_used(self, relation: str, score: float, span: Sequence[Word]) -> Iterator[Lexeme]:
        """A relation as a verb and as a noun.  Which way round it is, the relation's own words of
        that kind say, where one of them is among those of the question; a `director` is who
        directs; types decide the rest."""
        stems = tuple(word.stem for word in span)
        ways = {kind: self._ways(relation, kind, span) for kind in ("verb", "noun")}
        if not ways["noun"] and span[-1].lower.rstrip("s").endswith(_DOERS):
            ways["noun"] = self._ways(relation, "verb", span[-1:])
        for kind, own in ways.items():
            for forward in sorted(own or (True, False), reverse=True):
                yield Lexeme(stems, "", kind, relation, forward, score)

    def _ways(self, relation: str, kind: str, span: Sequence[Word]) -> set[bool]:
        """The ways round that a relation's own words have, where some are like those of a span."""
        roots = {root(word.stem) for word in span}
        return {
            lexeme.forward
            for lexeme in self._by_relation[relation]
            if lexeme.kind == kind and roots.intersection(map(root, lexeme.stems))
        }

    @cached_property
    def _by_relation(self) -> Mapping[str, Sequence[Lexeme]]:
        found: defaultdict[str, list[Lexeme]] = defaultdict(list)
        for lexemes in self._lexicon.lexemes.values():
            for lexeme in lexemes:
                found[lexeme.relation].append(lexeme)
        return found
