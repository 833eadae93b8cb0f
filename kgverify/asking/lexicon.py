"""The words that a rule file has for its classes and relations, as a question may use them.

A phrase `"{1} is the director of {0}"` has a place on its left and one on its right.  What stands
between them is a verb with a preposition (`is used for`, `directed`), whose left place is the
subject of the verb; or it makes the left place the bearer of a noun (`is the director of`).  `has
the side effect` gives the noun to the right place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kgverify.asking.words import Word, word_set, words
from kgverify.errors import in_words
from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook

ARTICLES = frozenset({"a", "an", "the"})
PREPOSITIONS = word_set(
    """of for in on at to with from into onto about under against through within among between
    during toward towards upon"""
)
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_HAVE = frozenset({"has", "have", "had", "having"})
_MODAL = frozenset({"can", "may", "could", "might", "will", "would", "should", "must", "often"})
_PLACES = re.compile(r"\{([01])\}")


@dataclass(frozen=True, slots=True)
class Lexeme:
    """Words that mean a relation.

    `kind` is `verb` or `noun`.  `forward`: the verb's subject, or the bearer of the noun, is the
    relation's subject.  `preposition` follows the words, "" where none does.  `score` is 1 for the
    rule file's own phrases, less for its names."""

    stems: tuple[str, ...]
    preposition: str
    kind: str
    relation: str
    forward: bool
    score: float


class Lexicon:
    """The words of a rule file."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book

    @cached_property
    def lexemes(self) -> Mapping[str, Sequence[Lexeme]]:
        """The words for relations, by their first stem."""
        found: defaultdict[str, list[Lexeme]] = defaultdict(list)
        best: dict[tuple[tuple[str, ...], str, str, str, bool], Lexeme] = {}
        for relation in self._book.relations.values():
            for lexeme in _lexemes(relation, self._book.kg_name(relation.name.text)):
                key = lexeme.stems, lexeme.preposition, lexeme.kind, lexeme.relation, lexeme.forward
                if key not in best or best[key].score < lexeme.score:
                    best[key] = lexeme
        for lexeme in best.values():
            found[lexeme.stems[0]].append(lexeme)
        return found

    @cached_property
    def classes(self) -> Mapping[str, Sequence[tuple[tuple[str, ...], str]]]:
        """The words for classes, by their first stem: all stems, and the class."""
        found: defaultdict[str, dict[tuple[tuple[str, ...], str], None]] = defaultdict(dict)
        for name, declared in self._book.classes.items():
            for text in (*declared.phrases, name, self._book.kg_name(name)):
                stems = tuple(word.stem for word in words(_spoken(text)) if word.kind == "word")
                if stems:
                    found[stems[0]][stems, name] = None
        return {first: tuple(entries) for first, entries in found.items()}

    @cached_property
    def prepositions(self) -> Mapping[str, frozenset[str]]:
        """For each relation, the prepositions that follow the words for it."""
        found: dict[str, set[str]] = {name: set() for name in self._book.relations}
        for lexemes in self.lexemes.values():
            for lexeme in lexemes:
                found[lexeme.relation].add(lexeme.preposition)
        return {name: frozenset(own - {""}) for name, own in found.items()}

    @cached_property
    def stems(self) -> frozenset[str]:
        """Every stem that some words for a class or a relation have."""
        texts = [*self.lexemes.values()]
        relations = {stem for found in texts for lexeme in found for stem in lexeme.stems}
        classes = {s_ for found in self.classes.values() for stems, _ in found for s_ in stems}
        return frozenset(relations | classes)

    @cached_property
    def documents(self) -> Mapping[str, Sequence[str]]:
        """For each relation, the stems of all that is said of it; what `BM25` looks through."""
        found = {}
        for name, relation in self._book.relations.items():
            texts = (*relation.spoken, relation.sentence, _spoken(name))
            said = (w for text in texts for w in words(_PLACES.sub(" ", text)))
            function = ARTICLES | PREPOSITIONS | _BE | _HAVE | _MODAL | {"by"}
            found[name] = [word.stem for word in said if word.lower not in function]
        return found


def _lexemes(relation: s.RelationDeclaration, kg_name: str) -> Iterator[Lexeme]:
    """All that a relation is called: in its phrases and its sentence, and by its names."""
    name = relation.name.text
    for phrase in relation.spoken:
        yield from _of_phrase(phrase, name, 1.0)
    if relation.sentence:
        yield from _of_phrase(relation.sentence, name, 0.98)
    names = [_spoken(name)] if _is_code(kg_name) else [_spoken(name), _spoken(kg_name)]
    for text in dict.fromkeys(names):
        yield from _of_name(text, relation)


def _of_phrase(phrase: str, relation: str, score: float) -> Iterator[Lexeme]:
    """The words of one phrase, whose places are in the order of the text."""
    places = _PLACES.findall(phrase)
    if not places:
        phrase, places = f"{{0}} {phrase} {{1}}", ["0", "1"]
    if len(places) != 2 or places[0] == places[1]:
        return
    before, middle, after = (words(part) for part in _PLACES.split(phrase)[::2])
    left_is_subject = places[0] == "0"
    if [word.lower for word in middle] == ["and"]:
        return  # "{0} and {1} interact" has no place for a subject
    core = _core(middle)
    if not core and before and before[-1].lower in PREPOSITIONS:
        # "the capital of {0} is {1}": the right place bears the noun.
        yield from _noun(before, relation, not left_is_subject, score)
    elif not core and after and len(middle) == 1 and middle[0].lower in _BE:
        yield from _noun(after, relation, left_is_subject, score)
    elif middle and middle[0].lower in _BE and _is_noun(middle[1:]):
        yield from _noun(middle[1:], relation, left_is_subject, score)
    else:
        yield from _verb(middle, relation, left_is_subject, score)


def _of_name(text: str, relation: s.RelationDeclaration) -> Iterator[Lexeme]:
    """The words of a name such as `directed_by`, `has genre`, `release year` or `capital`."""
    found = words(text)
    if not found or not all(word.kind == "word" for word in found):
        return
    yield from _verb(found, relation.name.text, True, 0.9)
    rest = found[1:] if found[0].lower in _HAVE | PREPOSITIONS else found
    is_verb = len(rest) == 1 and rest[0].lower.endswith("s")  # treats, causes
    if rest and not is_verb and rest[-1].lower not in PREPOSITIONS | {"by"}:
        # What a thing has of this name is on the right: the capital of a country, the year of a
        # film.  `child_of` is read as a verb above.
        yield from _noun(rest, relation.name.text, False, 0.9)


def _trimmed(found: Sequence[Word]) -> Sequence[Word]:
    """Without the article of what comes next: `is found in the`."""
    while found and found[-1].lower in ARTICLES:
        found = found[:-1]
    return found


def _verb(found: Sequence[Word], relation: str, forward: bool, score: float) -> Iterator[Lexeme]:
    found = _trimmed(found)
    if found and found[0].lower in _HAVE and len(_core(found)) > 0:
        yield from _noun(found[1:], relation, not forward, score)
        found = found[1:]
    if len(found) > 1 and found[-1].lower == "by":
        found, forward = found[:-1], not forward
    stems = _core(found)
    preposition = found[-1].lower if found and found[-1].lower in PREPOSITIONS else ""
    if stems:
        yield Lexeme(stems, preposition, "verb", relation, forward, score)
    elif preposition:  # "is about": the preposition is all there is
        yield Lexeme((preposition,), "", "verb", relation, forward, score)


def _noun(found: Sequence[Word], relation: str, bears: bool, score: float) -> Iterator[Lexeme]:
    found = _trimmed(found)
    preposition = found[-1].lower if found and found[-1].lower in PREPOSITIONS else ""
    stems = _core(found)
    if stems:
        yield Lexeme(stems, preposition or "of", "noun", relation, bears, score)


def _core(found: Sequence[Word]) -> tuple[str, ...]:
    """The stems of the words that carry the meaning: what can't be left out."""
    while found and found[0].lower in _BE | _MODAL | ARTICLES | {"one"}:
        found = found[1:]
    found = _trimmed(found)
    if found and found[0].lower == "of" and len(found) > 1:  # "one of the"
        found = found[1:]
    if found and found[-1].lower in PREPOSITIONS:
        found = found[:-1]
    return tuple(w.stem for w in found if w.lower not in ARTICLES | _HAVE)


def _is_noun(found: Sequence[Word]) -> bool:
    """Do the words after `is` name something that the left place is: `a risk gene of`?"""
    return len(found) > 2 and found[0].lower in ARTICLES and found[-1].lower in PREPOSITIONS


def _spoken(name: str) -> str:
    """A name in words: `SideEffect` and `side_effect` are `side effect`, and of an IRI only its
    last part counts."""
    local = re.split(r"[/#:]", name)[-1] if "/" in name or ":" in name else name
    return in_words(local)


def _is_code(name: str) -> bool:
    """Is the graph's name of a relation nothing that people say: `CtD`, `P36`?"""
    return not re.search(r"[a-z]{3}", re.split(r"[/#:]", name)[-1])
