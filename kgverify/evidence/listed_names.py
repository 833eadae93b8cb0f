"""The names that a titled field may list, and titles that are a name."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from kgverify.evidence.english import lemma
from kgverify.evidence.tokens import Token, tokens_of
from kgverify.evidence.wordlists import word_set

_ALIKE = 0.6  # "Sanaa" may be another spelling of "Sana'a"
_LONGEST = 100  # letters of a name that are compared
_JOINTS = word_set("of de del della di da du la le el al bin ibn van von der den the und y e and")


def is_title(title: str, names: Sequence[str], kinds: Sequence[str]) -> bool:
    """Is a title one of some names, and nothing more than that?

    "Glass Tide (film)" is one of a thing that `kinds` calls a film."""
    said = _bare(title)
    if said[-3:-2] == ("(",) and said[-1:] == (")",) and said[-2] in kinds:
        said = said[:-3]
    return bool(said) and any(_bare(name) == said for name in names)


class ListedNames:
    """Names that are looked for, and others that may stand where they could.

    A name that ends with a common noun may be in the plural: `Tovian crowns`."""

    def __init__(self, own: Sequence[str], others: Sequence[str]) -> None:
        self._own = [name for name in own if _words(name)]
        self._index: dict[str, list[tuple[tuple[str, ...], bool, bool]]] = {}
        known = {_words(name) for name in self._own}
        for names, is_own in ((self._own, True), (others, False)):
            for name in names:
                words = _words(name)
                if words and (is_own or words not in known):
                    row = (words, is_own, _is_common(name))
                    self._index.setdefault(lemma(words[0]), []).append(row)
        for rows in self._index.values():
            rows.sort(key=lambda row: (-len(row[0]), not row[1]))

    def length(self, tokens: Sequence[Token], place: int) -> int:
        """The length of the longest name at a place; 0 if there is none."""
        return self._at(tokens, place)[0]

    def is_own(self, tokens: Sequence[Token], place: int = 0) -> bool:
        """Is the longest name at a place one that is looked for?"""
        return self._at(tokens, place)[1]

    def may_be_own(self, said: Sequence[Token]) -> bool:
        """May some words be another name, or spelling, of what is looked for?"""
        whole = "".join(token.lower for token in said)[:_LONGEST]
        words = {token.lower for token in said} - _JOINTS
        for name in self._own:
            mine = _words(name)
            matcher = SequenceMatcher(None, "".join(mine)[:_LONGEST], whole, False)
            if words & set(mine) or matcher.ratio() > _ALIKE:
                return True
        return False

    def _at(self, tokens: Sequence[Token], place: int) -> tuple[int, bool]:
        for words, is_own, is_common in self._index.get(lemma(tokens[place].lower), ()):
            said = [token.lower for token in tokens[place : place + len(words)]]
            if len(said) == len(words) and said[:-1] == list(words[:-1]):
                is_plural = is_common and lemma(said[-1]) == lemma(words[-1])
                if said[-1] == words[-1] or is_plural:
                    return len(words), is_own
        return 0, False


def looks_like_a_name(said: Sequence[Token]) -> bool:
    """Do some words all begin with a capital, but for small ones between them?"""
    return all(t.text[:1].isupper() or t.lower in _JOINTS for t in said) and any(
        t.text[:1].isupper() for t in said
    )


@lru_cache(maxsize=1 << 14)
def _words(name: str) -> tuple[str, ...]:
    """A name's words and marks, without case, accents, full stops and an article before it."""
    found = tuple(t.lower for t in tokens_of(name) if t.kind != "space" and t.text != ".")
    return found[1:] if len(found) > 1 and found[0] in ("the", "a", "an") else found


def _bare(name: str) -> tuple[str, ...]:
    return tuple(word for word in _words(name) if word != ",")


def _is_common(name: str) -> bool:
    last = name.split()[-1:]
    return bool(last) and last[0][:1].islower()
