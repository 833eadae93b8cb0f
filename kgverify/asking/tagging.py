"""What the words of a question may be: an entity, a class, words for a relation, a function word.

A span of words with one of these meanings is an arc; a question is read along a path of arcs from
its first word to its last.  The likeliest paths come first.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from rapidfuzz import fuzz, process

from kgverify.asking.guessing import Guesser
from kgverify.asking.lexicon import ARTICLES, PREPOSITIONS, Lexeme, Lexicon
from kgverify.asking.linking import Link, Linker
from kgverify.asking.words import Word, word_set

LONGEST_NAME = 12  # words of an entity's name, without quotation marks
_PER_ARC = 0.999  # fewer, longer arcs are likelier
_UNUSED = 0.7  # a word of which nothing can be made
_UNKNOWN = 0.55  # the same, of a word that nobody has given a meaning
_TURNING = 0.4  # the same, where without it the question would ask something else
_MISSPELT = 82.0  # the least likeness, of 100, of a misspelt word
_GUESSED = 0.7  # words that are only like those of a relation
_BESIDE = 2  # known words on either side that an unknown one may belong to
_LONGEST_GUESS = 4

_TAGS = {
    "WHO": "who whom",
    "WHICH": "what which this these",
    "WHEN": "when",
    "WHERE": "where",
    "WHOSE": "whose",
    "THAT": "that",
    "BE": "is are was were be been being",
    "DO": "do does did",
    "HAVE": "has have had having",
    "NOT": "not never no",
    "WITHOUT": "without lacking avoiding",
    "EXCEPT": "except excluding besides barring",
    "AND": "and",
    "OR": "or",
    "BUT": "but yet",
    "BY": "by",
    "ALSO": "also too other another",
    "SAME": "same",
    "SHARE": "share shares shared sharing",
    "CO": "co together jointly alongside",
    "IT": "it they them",
    "ASK": "name list give find show tell suggest",
    "PREP": " ".join(PREPOSITIONS),
}
_FUNCTION: Mapping[str, str] = {word: tag for tag, all_ in _TAGS.items() for word in all_.split()}
_ASKING = frozenset({"WHO", "WHICH", "WHEN", "WHERE", "THAT", "IT"})  # "who's" is "who is"
_PHRASES: Mapping[tuple[str, ...], tuple[str, str]] = {
    ("other", "than"): ("EXCEPT", ""),
    ("apart", "from"): ("EXCEPT", ""),
    ("aside", "from"): ("EXCEPT", ""),
    ("except", "for"): ("EXCEPT", ""),
    ("as", "well", "as"): ("AND", ""),
    ("together", "with"): ("CO", ""),
    # Turns that say nothing.
    ("in", "a", "few", "words"): ("", ""),
    ("in", "the", "world"): ("", ""),
    ("in", "short"): ("", ""),
    ("a", "few"): ("", ""),
    ("a", "list", "of"): ("", ""),
    ("listed", "as"): ("", ""),
    **{
        tuple(words.split()): ("COMP", operator)
        for operator, all_ in {
            ">": "more than|greater than|higher than|larger than|later than|longer than|over|above"
            "|after|exceeding",
            ">=": "at least|no less than|no fewer than|since|from at least",
            "<": "less than|fewer than|lower than|smaller than|earlier than|under|below|before",
            "<=": "at most|no more than|up to|until",
            "=": "exactly|equal to",
        }.items()
        for words in all_.split("|")
    },
}
_TO_TWELVE = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {word: str(number) for number, word in enumerate(_TO_TWELVE.split())}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
# Words that ask politely or say nothing that a constraint could.
_STOP = ARTICLES | word_set(
    """please can could may might would will you me us i we all any some every each there ones only
    kind kinds sort sorts as known called just ever both must should
    their its his her"""
)
# Kinds of words, and words, that can't be left out without asking something else.
_TURNING_TAGS = frozenset(
    {"NOT", "WITHOUT", "EXCEPT", "COMP", "VAL", "OR", "WHOSE", "WHO", "WHICH"}
)
_TURNS = word_set(
    """neither nor hardly rarely seldom scarcely barely only unless unlike instead many much few
    fewer fewest most least more less best worst first last oldest youngest largest smallest biggest
    highest lowest longest shortest never nobody nothing none no cannot nowhere if"""
)


@dataclass(frozen=True, slots=True)
class Arc:
    """Words `start` to `end` (exclusive) taken for one thing; `tag` "" when they are left out.

    One of the others says what: `links` the entities that are named, `classes`, `lexemes` of
    relations, `text` of a value, or the operator of a comparison.  `is_guess`: the rule file does
    not have these words."""

    start: int
    end: int
    tag: str
    score: float
    links: tuple[Link, ...] = ()
    classes: tuple[str, ...] = ()
    lexemes: tuple[Lexeme, ...] = ()
    text: str = ""
    is_guess: bool = False


@dataclass(frozen=True, slots=True)
class Tagging:
    """One way to take all the words; `unused` are the places of those of which nothing is made."""

    arcs: tuple[Arc, ...]
    unused: tuple[int, ...]
    score: float

    @property
    def tags(self) -> str:
        """The kinds of things, one word each, as the grammar reads them."""
        return " ".join(arc.tag for arc in self.arcs)


class Tagger:
    """Finds what the words of a question may be."""

    def __init__(self, lexicon: Lexicon, linker: Linker, guesser: Guesser) -> None:
        self._lexicon, self._linker, self._guesser = lexicon, linker, guesser

    def arcs(self, text: str, found: Sequence[Word]) -> list[list[Arc]]:
        """For each word, the arcs that begin there; every word can also be left out."""
        arcs: list[list[Arc]] = []
        # Who marks one name marks all: the other words are words.
        is_marked = any(word.kind == "name" for word in found)
        for place, word in enumerate(found):
            if word.kind == "name":
                own = list(self._marked(place, word))
            else:
                own = [
                    *self._function(place, found),
                    *_values(place, found),
                    *self._schema(place, found),
                ]
                if not is_marked:
                    own += self._entities(place, found, text)
            arcs.append(own)
        gaps = list(_gaps(found, arcs))
        guessed = list(self._relations(gaps, found, arcs))
        for start, end in gaps:
            arcs[start] += self._guesses(start, end, found, "" if is_marked else text)
        for arc in guessed:
            arcs[arc.start].append(arc)
        for place, word in enumerate(found):
            if word.kind == "name":
                continue  # it was marked to be used
            arcs[place].append(Arc(place, place + 1, "", self._left_out(word, arcs[place])))
        return arcs

    def _left_out(self, word: Word, own: Sequence[Arc]) -> float:
        """How likely a reading is that makes nothing of a word."""
        if word.lower in _TURNS or any(arc.tag in _TURNING_TAGS for arc in own):
            return _TURNING
        if _says_nothing(word):
            return 1.0
        return _UNUSED if any(arc.tag and not arc.is_guess for arc in own) else _UNKNOWN

    def _marked(self, place: int, word: Word) -> Iterator[Arc]:
        links = self._linker.exact(word.text) or self._linker.near(word.text)
        if links:
            yield Arc(place, place + 1, "ENT", links[0].score, links=links)

    def _function(self, place: int, found: Sequence[Word]) -> Iterator[Arc]:
        word = found[place]
        for length in (4, 3, 2, 1):
            phrase = tuple(w.lower for w in found[place : place + length])
            if len(phrase) == length and phrase in _PHRASES:
                tag, operator = _PHRASES[phrase]
                yield Arc(place, place + length, tag, 1.0, text=operator)
        if word.kind == "comma":
            yield Arc(place, place + 1, "COMMA", 1.0)
        elif word.kind == "possessive":
            before = found[place - 1].lower if place else ""
            is_verb = _FUNCTION.get(before, "") in _ASKING
            yield Arc(place, place + 1, "BE" if is_verb else "POSS", 1.0)
        elif word.lower in _FUNCTION:
            yield Arc(place, place + 1, _FUNCTION[word.lower], 1.0, text=word.lower)

    def _schema(self, place: int, found: Sequence[Word]) -> Iterator[Arc]:
        word = found[place]
        if word.kind != "word":
            return
        by_end: defaultdict[tuple[int, str], list[Lexeme]] = defaultdict(list)
        for lexeme in self._lexicon.lexemes.get(word.stem, ()):
            end = _matched(lexeme.stems, place, found)
            if end:
                by_end[end, lexeme.kind].append(lexeme)
        for (end, kind), lexemes in by_end.items():
            tag = "REL" if kind == "verb" else "NOUN"
            yield Arc(place, end, tag, max(x.score for x in lexemes), lexemes=tuple(lexemes))
        classes: defaultdict[int, dict[str, None]] = defaultdict(dict)
        for stems, name in self._lexicon.classes.get(word.stem, ()):
            end = _matched(stems, place, found)
            if end:
                classes[end][name] = None
        for end, names in classes.items():
            yield Arc(place, end, "CLS", 1.0, classes=tuple(names))

    def _entities(self, place: int, found: Sequence[Word], text: str) -> Iterator[Arc]:
        for end in range(place + 1, min(place + LONGEST_NAME, len(found)) + 1):
            if found[end - 1].kind == "name":
                return
            inside = found[place:end]
            if all(w.lower in _FUNCTION or _says_nothing(w) for w in inside):
                continue
            links = self._linker.exact(text[inside[0].start : inside[-1].end])
            if links:
                yield Arc(place, end, "ENT", links[0].score, links=links)

    def _guesses(self, start: int, end: int, found: Sequence[Word], text: str) -> Iterator[Arc]:
        """What words that are nothing known may be: a misspelt name, or words of the schema that
        are misspelt or partly the same."""
        span = text[found[start].start : found[end - 1].end]
        links = self._linker.near(span) if span else ()
        if links:
            yield Arc(start, end, "ENT", links[0].score, links=links)
        for place in range(start, end):
            yield from self._misspelt(place, found)

    def _relations(
        self,
        gaps: Sequence[tuple[int, int]],
        found: Sequence[Word],
        arcs: Sequence[Sequence[Arc]],
    ) -> Iterator[Arc]:
        """Unknown words, with known ones beside them, that are like those of a relation."""
        named = {n for own in arcs for a in own if a.tag == "ENT" for n in range(a.start, a.end)}
        around = {
            (start, end): None
            for first, last in gaps
            for start in range(max(0, first - _BESIDE), last)
            for end in range(max(start, first) + 1, min(last + _BESIDE, len(found)) + 1)
            if end - start <= _LONGEST_GUESS
            and all(n not in named and self._is_common(n, found) for n in range(start, end))
            and not any(word.lower in _TURNS for word in found[start:end])
        }
        spans = list(around)
        guesses = self._guesser.lexemes([found[start:end] for start, end in spans])
        for (start, end), (likeness, lexemes) in zip(spans, guesses, strict=True):
            # It counts twice: as a way to take the words, and as a choice of the relation.
            score = math.sqrt(_GUESSED * likeness)
            for tag, kind in (("REL", "verb"), ("NOUN", "noun")):
                own = tuple(lexeme for lexeme in lexemes if lexeme.kind == kind)
                if own:
                    yield Arc(start, end, tag, score, lexemes=own, is_guess=True)

    def _is_common(self, place: int, found: Sequence[Word]) -> bool:
        """May the word carry the meaning of a relation?  A capital marks a name."""
        word = found[place]
        return (
            word.kind == "word"
            and word.lower not in _FUNCTION
            and not _says_nothing(word)
            and (place == 0 or not word.text[0].isupper())
        )

    def _misspelt(self, place: int, found: Sequence[Word]) -> Iterator[Arc]:
        word = found[place]
        if word.kind != "word" or len(word.text) < 4 or word.lower in _TURNS:
            return
        near = process.extractOne(
            word.stem, self._lexicon.stems, scorer=fuzz.ratio, score_cutoff=_MISSPELT
        )
        if near is None:
            return
        meant = Word(near[0], "word", word.start, word.end)
        changed = [*found[:place], meant, *found[place + 1 :]]
        for arc in self._schema(place, changed):
            yield Arc(arc.start, arc.end, arc.tag, 0.8 * arc.score, (), arc.classes, arc.lexemes)


def _values(place: int, found: Sequence[Word]) -> Iterator[Arc]:
    word = found[place]
    text = _NUMBERS.get(word.lower, "") if word.kind == "word" else ""
    if word.kind in ("number", "date"):
        text = word.text.replace(",", "")
    if not text:
        return
    scale = _SCALES.get(found[place + 1].lower) if place + 1 < len(found) else None
    if scale and word.kind != "date":
        whole, _, part = text.partition(".")
        digits = len(str(scale)) - 1
        if len(part) <= digits:
            text = str(int(whole + part.ljust(digits, "0")))
            yield Arc(place, place + 2, "VAL", 1.0, text=text)
            return
    yield Arc(place, place + 1, "VAL", 1.0, text=text)


def _says_nothing(word: Word) -> bool:
    return word.lower in _STOP or word.kind == "comma"


def values_of(found: Sequence[Word]) -> frozenset[str]:
    """The values that some words may be: numbers, also in words, and dates."""
    return frozenset(arc.text for place in range(len(found)) for arc in _values(place, found))


def is_function_word(word: Word) -> bool:
    """Does a word only hold others together, or say nothing that a constraint could?"""
    return word.kind == "possessive" or word.lower in _FUNCTION or _says_nothing(word)


def denials(found: Sequence[Word]) -> list[Word]:
    """The words that say that something is not so; in `no more than` nothing does."""
    texts = [word.lower if word.kind == "word" else "" for word in found]
    compared = {
        place + n
        for place in range(len(found))
        for phrase, (tag, _) in _PHRASES.items()
        if tag == "COMP" and tuple(texts[place : place + len(phrase)]) == phrase
        for n in range(len(phrase))
    }
    return [
        word
        for place, word in enumerate(found)
        if place not in compared
        and (
            _FUNCTION.get(texts[place]) in ("NOT", "WITHOUT", "EXCEPT")
            or _PHRASES.get(tuple(texts[place : place + 2]), ("", ""))[0] == "EXCEPT"
        )
    ]


def _matched(stems: Sequence[str], place: int, found: Sequence[Word]) -> int:
    """Where the words with these stems end, articles between them; 0 when they aren't there."""
    for stem in stems:
        while place < len(found) and found[place].lower in ARTICLES:
            place += 1
        if place == len(found) or found[place].kind != "word" or found[place].stem != stem:
            return 0
        place += 1
    return place


def _gaps(found: Sequence[Word], arcs: Sequence[Sequence[Arc]]) -> Iterator[tuple[int, int]]:
    """The longest runs of words that no arc covers."""
    covered = {place for own in arcs for arc in own for place in range(arc.start, arc.end)}
    start = None
    for place, word in enumerate(found):
        free = place not in covered and word.kind == "word" and word.lower not in _STOP
        if free and start is None:
            start = place
        if not free and start is not None:
            yield start, place
            start = None
    if start is not None:
        yield start, len(found)


def taggings(arcs: Sequence[Sequence[Arc]], most: int) -> Iterator[Tagging]:
    """The ways to take the words, the likeliest first, `most` at the most."""
    order = count()
    # What the rest costs at least: with it the search goes straight to the next best end.
    rest = [0.0] * (len(arcs) + 1)
    for place in reversed(range(len(arcs))):
        rest[place] = (
            min(_cost(arc) + rest[arc.end] for arc in arcs[place]) if arcs[place] else math.inf
        )
    todo: list[tuple[float, int, int, float, int, tuple[Arc, ...], tuple[int, ...]]] = [
        (rest[0], 0, next(order), 0.0, 0, (), ())
    ]
    seen: set[tuple[Arc, ...]] = set()
    while todo and len(seen) < most:
        _, _, _, cost, place, path, unused = heapq.heappop(todo)
        if place == len(arcs):
            if path and path not in seen:
                seen.add(path)
                yield Tagging(path, unused, math.exp(-cost))
            continue
        for arc in arcs[place]:
            left_out = not arc.tag
            dropped = (*unused, place) if left_out and arc.score < 1 else unused
            after = cost + _cost(arc)
            next_path = path if left_out else (*path, arc)
            total = round(after + rest[arc.end], 9)
            entry = (total, -arc.end, next(order), after, arc.end, next_path, dropped)
            if total < math.inf:
                heapq.heappush(todo, entry)


def _cost(arc: Arc) -> float:
    return -math.log(arc.score * (_PER_ARC if arc.tag else 1))
