"""The forms in which English says what a relation's phrases say.

"{1} is the capital of {0}" is also said as "the capital of {0} is {1}", "{0}'s capital, {1}" or
"{1}, the capital of {0}"; "{0} directed {1}" as "{1} was directed by {0}".  A form is a sequence of
elements, which `matching` looks for in a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kgverify.evidence.english import (
    BE,
    BECOMING,
    LINKING,
    MODALS,
    NEGATION,
    PREPOSITIONS,
    SOMEBODY,
    is_past,
    lemma,
)
from kgverify.evidence.judging import RelationWords

_ARTICLES = frozenset(("the", "a", "an"))
_OWN = frozenset(("of", "to"))  # prepositions that a possessive can replace


@dataclass(frozen=True, slots=True)
class Element:
    """A part of a form: `slot` (0 is the subject, 1 the object), `be`, `word` (one of some stems),
    `comma` or `possessive`."""

    kind: str
    slot: int = -1
    stems: frozenset[str] = frozenset()
    is_noun: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One way to say a relation.  `is_implied`: it is a narrower relation's."""

    elements: tuple[Element, ...]
    is_implied: bool = False


@dataclass(frozen=True, slots=True)
class Forms:
    """All forms of a relation.  `has_past`: what its phrases say may be over; `has_modal`: they say
    what can be."""

    forms: tuple[Form, ...]
    has_past: bool
    has_modal: bool


BE_ELEMENT = Element("be")
COMMA = Element("comma")
POSSESSIVE = Element("possessive")


def _slot(number: int) -> Element:
    return Element("slot", number)


def _word(*words: str, noun: bool = False) -> Element:
    return Element("word", stems=frozenset(map(lemma, words)), is_noun=noun)


def _literal(*words: str) -> Element:
    return Element("word", stems=frozenset(words))


@lru_cache(maxsize=512)
def forms_of(relation: RelationWords) -> Forms:
    """The forms of a relation's sentence and phrases."""
    own = [relation.sentence, *relation.phrases]
    if not any(text.strip() for text in own):
        own = [relation.name.replace("_", " ")]
    found: dict[Form, None] = {}
    for texts, is_implied in ((own, False), (relation.implied_by, True)):
        for text in texts:
            if text.strip():
                for elements in _forms(_parsed(text), relation.is_symmetric):
                    found.setdefault(Form(tuple(elements), is_implied))
    said = [_parsed(text).words for text in own if text.strip()]
    return Forms(
        tuple(found),
        any(map(_is_past, said)),
        any(word in ("can", "may") for words in said for word in words),
    )


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A phrase: the words before its first slot, between the two, and behind the second; each with
    whether an article stands before it."""

    first: int
    second: int
    before: tuple[tuple[str, bool], ...]
    middle: tuple[tuple[str, bool], ...]
    behind: tuple[tuple[str, bool], ...]

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for word, _ in (*self.before, *self.middle, *self.behind))


def _parsed(text: str) -> _Parsed:
    if "{0}" not in text or "{1}" not in text:
        text = "{0} " + re.sub(r"\{[01]\}", " ", text) + " {1}"
    pieces = re.findall(r"\{[01]\}|[^\W_][\w'’-]*", text)
    parts: list[list[tuple[str, bool]]] = [[], [], []]
    slots: list[int] = []
    has_article = False
    for piece in pieces:
        if piece.startswith("{"):
            if len(slots) < 2:
                slots.append(int(piece[1]))
            has_article = False
        elif piece.casefold() in _ARTICLES:
            has_article = True
        else:
            parts[len(slots)].append((piece.casefold().replace("’", "'"), has_article))
            has_article = False
    return _Parsed(slots[0], slots[1], *map(tuple, parts))


def _is_past(words: Sequence[str]) -> bool:
    """Does a phrase tell of what was?"""
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        if is_past(word) and not (before in BE and before not in ("was", "were")):
            return True
    return False


def _forms(phrase: _Parsed, is_symmetric: bool) -> Iterator[Sequence[Element]]:
    first, second = _slot(phrase.first), _slot(phrase.second)
    yield _plain(phrase)
    words = phrase.middle
    if phrase.before:
        if (
            phrase.before[-1][0] in PREPOSITIONS
            and [word for word, _ in words] in (["is"], ["was"], ["are"], ["were"])
            and not phrase.behind
        ):
            yield from _noun_forms(phrase.before[:-1], phrase.before[-1][0], first, second)
        return
    if phrase.behind:
        if [word for word, _ in words] == ["and"]:
            yield (second, _literal("and"), first, *_sequence(phrase.behind))
        return
    if not words:
        return
    if words[0][0] in BE or words[0][0] in LINKING:
        rest = words[1:]
        if not rest:
            return
        last = rest[-1][0]
        is_noun = rest[0][1] or (last == "of" and len(rest) > 1)
        if is_noun and last in PREPOSITIONS and len(rest) > 1:
            yield from _noun_forms(rest[:-1], last, second, first, is_symmetric)
        else:
            yield from _participle_forms(rest, first, second, is_symmetric)
    else:
        yield from _verb_forms(words, first, second, is_symmetric)


def _plain(phrase: _Parsed) -> list[Element]:
    """The phrase as it stands."""
    return [
        *_sequence(phrase.before),
        _slot(phrase.first),
        *_sequence(phrase.middle),
        _slot(phrase.second),
        *_sequence(phrase.behind),
    ]


def _sequence(words: Iterable[tuple[str, bool]]) -> list[Element]:
    found: list[Element] = []
    follows_be = False
    for word, has_article in words:
        if word in BE or word in BECOMING:
            if not found or found[-1].kind != "be":
                found.append(BE_ELEMENT)
            follows_be = True
        elif word in PREPOSITIONS or word in MODALS or word in NEGATION:
            found.append(_literal(word))
        else:
            found.append(_word(word, noun=has_article or (follows_be and has_article)))
    return found


def _noun_forms(
    head: Sequence[tuple[str, bool]],
    preposition: str,
    owner: Element,
    value: Element,
    is_symmetric: bool = False,
) -> Iterator[Sequence[Element]]:
    """Forms of "VALUE is the HEAD of OWNER"."""
    noun = [_word(word, noun=place == 0) for place, (word, _) in enumerate(head)]
    of = _literal(preposition, "for") if preposition == "of" else _literal(preposition)
    whole = [*noun, of, owner]
    yield value, BE_ELEMENT, *whole
    yield *whole, BE_ELEMENT, value
    yield value, COMMA, *whole
    yield *whole, COMMA, value
    yield value, _literal("as"), *whole
    if preposition in _OWN:
        owned = [owner, POSSESSIVE, *noun]
        yield *owned, BE_ELEMENT, value
        yield *owned, COMMA, value
        yield *owned, value
        yield value, BE_ELEMENT, *owned
        yield value, COMMA, *owned
        yield value, _literal("as"), *owned
        yield owner, _word("has"), *noun, value
        yield owner, _word("has"), *noun, _literal("of"), value
        yield owner, _literal("with"), *noun, _literal("of"), value
        yield owner, COMMA, *noun, value
        yield owner, _word("has"), *noun, COMMA, value
        yield *whole, _literal("at"), value
        yield owner, COMMA, *noun, COMMA, value
    if is_symmetric:
        joint = [_literal("and"), BE_ELEMENT, *noun]
        yield value, joint[0], owner, *joint[1:]
        yield owner, joint[0], value, *joint[1:]


def _participle_forms(
    words: Sequence[tuple[str, bool]], first: Element, second: Element, is_symmetric: bool
) -> Iterator[Sequence[Element]]:
    """Forms of "FIRST is WORDS SECOND", where the words end with a preposition, as a rule."""
    said = _sequence(words)
    last = words[-1][0]
    is_led = last in PREPOSITIONS and len(words) > 1
    if len(words) == 3 and words[1][0] == "to":  # "is used to treat"
        yield from _verb_forms(words[2:], first, second, is_symmetric)
    if len(words) > 1 or last not in PREPOSITIONS:
        yield first, COMMA, *said, second
    if is_led:
        short = said[:-1]
        led = [_literal(last), second]
        yield *led, first, BE_ELEMENT, *short
        yield *led, COMMA, first, BE_ELEMENT, *short
        if last in ("in", "at", "on"):
            yield second, _literal("where"), first, BE_ELEMENT, *short
            yield second, BE_ELEMENT, _literal("where"), first, BE_ELEMENT, *short
        if is_symmetric:
            yield first, _literal("and"), second, BE_ELEMENT, *short
            yield second, _literal("and"), first, BE_ELEMENT, *short
        if len(words) == 2:
            if is_symmetric:
                yield first, said[0], second
                yield second, said[0], first
            if last == "by":
                yield second, said[0], first
                yield from _agent_forms(words[0][0], second, first)
            elif last in ("in", "on", "at"):
                somebody = _literal(*SOMEBODY)
                yield *led, somebody, said[0], first
                yield *led, COMMA, somebody, said[0], first
                yield somebody, *led, said[0], first


def _agent_forms(verb: str, agent: Element, other: Element) -> Iterator[Sequence[Element]]:
    """Forms of "AGENT is the inhibitor of OTHER" for a verb."""
    stem = lemma(verb)
    ends = ("er", "or", "r", "ers", "ors", "rs")
    noun = Element("word", stems=frozenset(lemma(stem + end) for end in ends), is_noun=True)
    of = _literal("of")
    yield agent, BE_ELEMENT, noun, of, other
    yield noun, of, other, BE_ELEMENT, agent
    yield agent, COMMA, noun, of, other
    yield other, POSSESSIVE, noun, COMMA, agent
    yield other, POSSESSIVE, noun, BE_ELEMENT, agent


def _verb_forms(
    words: Sequence[tuple[str, bool]], first: Element, second: Element, is_symmetric: bool
) -> Iterator[Sequence[Element]]:
    """Forms of "FIRST WORDS SECOND"."""
    said = _sequence(words)
    is_short = len(words) == 1 or (len(words) == 2 and words[1][0] in PREPOSITIONS)
    can = len(words) == 2 and words[0][0] in MODALS
    if can:
        said, is_short = said[1:], True
        yield first, *said, second
    for relative in ("which", "that", "whom", "who"):
        if is_short:
            yield second, _literal(relative), first, *said
    if len(words) == 1 and not is_symmetric:
        yield from _agent_forms(words[0][0], first, second)
    if is_short:
        by = _literal("by") if is_symmetric else _literal("by", "with", "using")
        yield second, BE_ELEMENT, *said, by, first
        yield second, COMMA, *said, by, first
        if is_symmetric:
            verb = said[0]
            for one, other in ((first, second), (second, first)):
                yield one, _literal("and"), other, verb
                yield one, _literal("and"), other, verb, _literal("each", "one")
    elif len(words) > 1 and words[0][0] in ("has", "have", "had") and not can:
        yield first, _literal("with"), *said[1:], second
