"""Relations found by likeness of meaning, with a model on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kgverify.asking.guessing import Guess
from kgverify.asking.words import Word
from kgverify.evidence.encoding import Encoder, Vectors
from kgverify.language.rulebook import RuleBook

LEAST_LIKENESS = 0.6
_MOST = 8  # relations that some words may mean
_LONGEST = 64  # tokens of a phrase that count


class Embeddings:
    """A model, from a folder in which transformers has saved it with its tokenizer.

    `least_likeness`: relations whose words are less like the question's are not meant.  What is
    enough depends on the model.  The vectors of a rule file's words are kept in memory."""

    def __init__(self, path: str | Path, least_likeness: float = LEAST_LIKENESS) -> None:
        self._least = least_likeness
        self._encoder = Encoder(path, _LONGEST)
        self._kept: dict[str, tuple[list[str], Vectors]] = {}

    def matcher(self, book: RuleBook) -> LikeWords:
        """What finds the relations of a rule file by their likeness to words."""
        if book.hash not in self._kept:
            said = [(name, text) for name, text in _said(book) if text]
            names = [name for name, _ in said]
            self._kept[book.hash] = names, self._encoder.vectors([text for _, text in said])
        return LikeWords(self._encoder, *self._kept[book.hash], self._least)


class LikeWords:
    """Finds relations one of whose phrases, sentence or name is like the words."""

    def __init__(self, encoder: Encoder, names: Sequence[str], rows: Vectors, least: float) -> None:
        self._encoder, self._names, self._rows, self._least = encoder, names, rows, least

    def guesses(self, spans: Sequence[Sequence[Word]]) -> Sequence[Sequence[Guess]]:
        if not spans or not self._names:
            return [() for _ in spans]
        own = self._encoder.vectors([" ".join(w.lower for w in span) for span in spans])
        return [self._best(row) for row in own @ self._rows.T]

    def _best(self, likeness: Vectors) -> list[Guess]:
        best: dict[str, float] = {}
        for name, one in zip(self._names, likeness.tolist(), strict=True):
            if one >= self._least and one > best.get(name, 0.0):
                best[name] = min(one, 1.0)
        found = [Guess(name, one) for name, one in best.items()]
        return sorted(found, key=lambda guess: -guess.likeness)[:_MOST]


def _said(book: RuleBook) -> Iterator[tuple[str, str]]:
    """What the rule file says of each relation, without the places."""
    for name, relation in book.relations.items():
        for text in dict.fromkeys((*relation.spoken, relation.sentence, name.replace("_", " "))):
            yield name, " ".join(re.sub(r"\{[01]\}|[^\w\s]", " ", text).lower().split())
