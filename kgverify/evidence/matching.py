"""Where a sentence has the form of a relation, with what it skips on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgverify.evidence.english import (
    AUXILIARY,
    BE,
    BECOMING,
    CONDITIONS,
    DENIALS,
    DETERMINERS,
    ENDED,
    FACTIVE,
    FUNCTION,
    HARMLESS,
    HEDGES,
    LINKING,
    MODALS,
    NEGATION,
    PLANS,
    PREPOSITIONS,
    RELATIVE,
    REPORTS,
    SOMEBODY,
    SORTS,
    TITLES,
    is_adverb,
    is_past,
    lemma,
)
from kgverify.evidence.phrasing import COMMA, Form
from kgverify.evidence.tokens import Token, is_dash
from kgverify.evidence.wordlists import word_set

_MOST_SKIPPED = 24  # tokens that a match passes over
_LONGEST_ASIDE = 16  # tokens between two commas
_LONGEST_ITEM = 3  # words of an item of a list that has no capitals
_OPENS, _CLOSES = frozenset("(["), frozenset(")]")
_QUOTES = frozenset("\"“”‘'«»")
_EXCEPT = word_set("unlike except like without excluding barring besides")
_EVERYTHING = word_set("anything everything all nothing none every nobody everyone any")
_CALLED = word_set("called named known")

Skip = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Match:
    """A form found in a sentence: the places of its elements in the tokens, and what was skipped,
    each with what it is taken for."""

    form: Form
    places: tuple[int, ...]
    skipped: tuple[Skip, ...]

    @property
    def start(self) -> int:
        return min(self.places)

    @property
    def end(self) -> int:
        return max(self.places) + 1

    def slot(self, number: int) -> int:
        """The place of the subject (0) or object (1)."""
        return next(
            place
            for place, element in zip(self.places, self.form.elements, strict=True)
            if element.kind == "slot" and element.slot == number
        )


def matches(form: Form, tokens: Sequence[Token]) -> Iterator[Match]:
    """The matches of a form that begin at different places, those that skip least first."""
    matcher = _Matcher(form, tokens)
    for place in range(matcher.last + 1):
        if matcher.fits(0, place) and matcher.may_begin(place):
            yield from matcher.from_(1, place + 1, (place,), ())


class _Matcher:
    def __init__(self, form: Form, tokens: Sequence[Token]) -> None:
        self.form, self.elements, self.tokens = form, form.elements, tokens
        # The last places at which each element, and all behind it, can stand.
        self._last: list[int] = []
        end = len(tokens)
        for number in reversed(range(len(self.elements))):
            end = next((place for place in reversed(range(end)) if self.fits(number, place)), -1)
            self._last.insert(0, end)

    @property
    def last(self) -> int:
        """The last place at which the form can begin; -1 where it is nowhere."""
        return self._last[0]

    def fits(self, number: int, place: int) -> bool:
        element, token = self.elements[number], self.tokens[place]
        match element.kind:
            case "slot":
                if token.role == "V" and not number and self.elements[1] == COMMA:
                    return False  # "in 2021, the population of …"
                if number and token.how == "pronoun" and self.elements[number - 1] == COMMA:
                    return False
                return token.role != "" and (token.role != "V" or element.slot == 1)
            case "be":
                words = BE | LINKING | BECOMING
                return token.lower in words or (token.kind == "poss" and token.lower == "'s")
            case "comma":
                return token.text in (",", "(", ":") or is_dash(token)
            case "possessive":
                return token.kind == "poss"
            case _:
                if token.kind != "word":
                    return False
                return token.lower in element.stems or (
                    token.lower not in PREPOSITIONS and token.stem in element.stems
                )

    def may_begin(self, place: int) -> bool:
        """Can what stands at a place begin the form?  A name behind a preposition is no subject."""
        if self.elements[0].kind != "slot":
            return True
        before = place - 1
        while before >= 0 and (
            self.tokens[before].lower in DETERMINERS
            or self.tokens[before].lower in TITLES
            or self.tokens[before].text in _QUOTES
            or self.tokens[before].lower in HARMLESS
        ):
            before -= 1
        if before < 0:
            return True
        word = self.tokens[before]
        if word.lower in _EXCEPT or (
            word.lower == "but" and before and self.tokens[before - 1].lower in _EVERYTHING
        ):
            return False
        if self.elements[1].kind == "possessive" or word.lower not in PREPOSITIONS:
            return True
        if self.elements[1].kind == "comma" or self.elements[1].stems == {"as"}:
            return True  # "in Canberra, the capital of Australia", "with Canberra as its capital"
        if word.lower in ("than", "until", "since", "before", "after", "as"):
            return True
        return word.lower == "of" and before > 0 and self.tokens[before - 1].lower in SORTS

    def from_(
        self, number: int, place: int, places: tuple[int, ...], skipped: tuple[Skip, ...]
    ) -> Iterator[Match]:
        if number == len(self.elements):
            if self._may_end(place - 1, places):
                yield Match(self.form, places, skipped)
            return
        if place > self._last[number] or len(skipped) > _MOST_SKIPPED:
            return
        if self.fits(number, place) and not self._is_inside(number, place):
            yield from self.from_(number + 1, place + 1, (*places, place), skipped)
        for after, why in self._skips(number, place, places, skipped):
            yield from self.from_(number, after, places, (*skipped, *why))

    def _is_inside(self, number: int, place: int) -> bool:
        """Is a name at a place only a part of what fills the slot, as in "Kenya's president"?"""
        if self.elements[number].kind != "slot":
            return False
        after = self.tokens[place + 1] if place + 1 < len(self.tokens) else None
        if after is None or number + 1 < len(self.elements):
            return False
        return after.kind == "poss"

    def _may_end(self, last: int, places: Sequence[int]) -> bool:
        """Can a form end here?  "and X border" needs no object behind it, a comma needs an end."""
        element = self.elements[-1]
        after = self.tokens[last + 1] if last + 1 < len(self.tokens) else None
        if element.kind == "word" and element.stems & {"each", "one"}:
            return after is not None and after.lower in ("other", "another")
        is_joint = len(self.elements) > 2 and self.elements[1].stems == {"and"}
        if is_joint and element.kind == "word" and self.elements[-2].kind == "slot":
            return after is None or after.kind in ("mark", "number") or after.lower in FUNCTION
        return True

    # -------------------------------------------------------- what may be skipped

    def _skips(
        self, number: int, place: int, places: tuple[int, ...], skipped: tuple[Skip, ...]
    ) -> Iterator[tuple[int, tuple[Skip, ...]]]:
        token = self.tokens[place]
        before, element = self.elements[number - 1], self.elements[number]
        if token.text in _QUOTES:
            yield place + 1, ((place, "plain"),)
        if element.kind in ("possessive", "comma"):
            return
        if before.kind == "possessive" and token.kind == "poss":
            return
        aside = self._aside(place)
        if aside:
            kind = "contrast" if self.tokens[place + 1].lower == "not" else "aside"
            yield aside, tuple((n, kind) for n in range(place, aside))
        if before.kind == "comma" and token.lower == "since":
            year = place + 1
            if year < len(self.tokens) and self.tokens[year].kind in ("number", "value"):
                yield year + 1, ((place, "plain"), (year, "plain"))
        if token.kind == "word":
            kind = self._kind(number, place)
            if kind:
                yield place + 1, ((place, kind),)
        if before.kind == "slot" and element.kind in ("be", "word"):
            yield from self._behind_subject(number, place, places)
        elif element.kind == "slot":
            yield from self._before_object(number, place)
        elif element.kind == "be" and before.kind == "word" and token.lower == "and":
            for end in range(place + 1, min(len(self.tokens), place + 6)):
                if self.fits(number, end):
                    yield end, tuple((n, "joined") for n in range(place, end))
                if self.tokens[end].kind != "word" or self.tokens[end].lower in PREPOSITIONS:
                    break
        elif element.kind == "word" and before.kind in ("be", "word", "comma", "possessive"):
            yield from self._within_noun(number, place)

    def _kind(self, number: int, place: int) -> str:
        """What a word is that a match passes over; "" if it can't be passed over here."""
        word = self.tokens[place].lower
        before, element = self.elements[number - 1], self.elements[number]
        after_slot = before.kind == "slot"
        if word in BE and (before.stems == {"have"} or before.kind == "comma"):
            return ""
        if word in NEGATION:
            return "not"
        if word in DENIALS:
            return "denial"
        if word in HEDGES:
            return "hedge"
        if word in PLANS:
            return "plan"
        if word in REPORTS and not after_slot:
            return "report"
        if word in REPORTS and element.kind in ("be", "word") and self._leads_on(place):
            return "report"
        if word in ENDED:
            return "ended"
        if word in DETERMINERS or word in MODALS or word in AUXILIARY or is_adverb(word):
            return "plain"
        if word in FACTIVE or word in _CALLED:
            return "factive"
        if word == "to" and element.kind in ("be", "word") and place:
            return "plain" if self.tokens[place - 1].lower not in PREPOSITIONS else ""
        if element.kind == "slot" or before.kind in ("be", "comma", "possessive"):
            if word in HARMLESS:
                return "plain"
            if word in TITLES or word in SORTS:
                return "sort"
            if word == "of" and place and self.tokens[place - 1].lower in SORTS:
                return "sort"
        if element.kind == "word" and word in HARMLESS:
            return "plain"
        if element.kind == "word" and before.kind == "word" and word in SORTS:
            return "plain"
        if element.stems >= SOMEBODY and word in SOMEBODY:
            return "plain"
        if word in ("as", "one") and before.kind == "be":
            return "plain"
        if word == "of" and place and self.tokens[place - 1].lower in ("one", "some", "many"):
            return "plain"
        after = self.tokens[place + 1] if place + 1 < len(self.tokens) else None
        if (
            element.kind == "slot"
            and after is not None
            and after.role
            and (after.text[:1].isupper() and word not in FUNCTION and self._is_led(place))
        ):
            return "sort"  # "the painter Paul Vik"
        is_open = element.is_noun or element.kind == "slot"
        if is_open and word not in FUNCTION and not self.tokens[place].is_capital:
            return "modifier"
        return ""

    def _is_led(self, place: int) -> bool:
        """Does an article or the like stand before a word, or one word earlier?"""
        return any(t.lower in DETERMINERS for t in self.tokens[max(0, place - 2) : place])

    def _leads_on(self, place: int) -> bool:
        """Is a verb of saying followed by what is said, as in "claimed to be"?"""
        after = self.tokens[place + 1] if place + 1 < len(self.tokens) else None
        return after is not None and (after.lower == "to" or after.lower.endswith("ing"))

    def _aside(self, place: int) -> int:
        """The end of what stands between brackets, dashes or commas from a place on; 0 if none."""
        token = self.tokens[place]
        end = min(len(self.tokens), place + _LONGEST_ASIDE)
        if token.text in _OPENS:
            closes = (n for n in range(place + 1, end) if self.tokens[n].text in _CLOSES)
        elif is_dash(token) and place + 1 < len(self.tokens):
            closes = (n for n in range(place + 1, end) if is_dash(self.tokens[n]))
        elif token.text == ",":
            closes = (n for n in range(place + 1, end) if self.tokens[n].text == ",")
        else:
            return 0
        found = next(closes, None)
        if found is None or found == place + 1:
            return 0
        first = self.tokens[place + 1].lower
        inner = self.tokens[place + 1 : found]
        if token.text == "," and first in ("and", "or", "but", "while", "whereas", "so"):
            return 0
        if token.text == "," and first not in RELATIVE | {"not"}:
            # A clause of its own is no aside.
            verbs = [t for t in inner if t.lower in BE or t.lower in MODALS]
            if verbs and first not in PREPOSITIONS:
                return 0
        return found + 1

    def _behind_subject(
        self, number: int, place: int, places: tuple[int, ...]
    ) -> Iterator[tuple[int, tuple[Skip, ...]]]:
        """Between a subject and its verb: relative pronouns, the rest of a list, another verb."""
        token = self.tokens[place]
        after = self.tokens[place + 1] if place + 1 < len(self.tokens) else None
        if token.lower in ("who", "which", "that"):
            yield place + 1, ((place, "plain"),)
        elif token.lower in BE and number == 1:
            end = self._kind_of(place)
            if end:
                yield end, tuple((n, "kind") for n in range(place, end))
        elif token.text == "," and after is not None:
            if after.lower in ("who", "which", "that"):
                yield place + 2, ((place, "plain"), (place + 1, "plain"))
            elif after.lower.endswith("ing") or after.lower == "not":
                yield place + 1, ((place, "plain"),)
        before = places[-1] - 1 if places else -1
        if token.text == "," and before >= 0 and self._contrasts(before):
            yield place + 1, ((place, "plain"),)
        if token.lower in ("and", "but") and after is not None and after.lower == "not":
            end = self._item(place + 2, number)
            if end:
                yield end, tuple((n, "contrast") for n in range(place, end))
        if token.text == "," or token.lower in ("and", "or", "as", "nor"):
            end = self._rest_of_list(number, place)
            if end:
                yield end, tuple((n, "list") for n in range(place, end))
        if places and place == places[-1] + 1:
            yield from self._second_verbs(number, place, places)

    def _kind_of(self, place: int) -> int:
        """The end of "is the only country that" and the like; 0 if there is none."""
        for end in range(place + 1, min(len(self.tokens), place + 8)):
            token = self.tokens[end]
            if token.lower in ("that", "which", "who") and end > place + 2:
                return end + 1
            is_one_of = token.lower == "of" and self.tokens[end - 1].lower == "one"
            if token.kind != "word" or (
                token.lower in (PREPOSITIONS | NEGATION | DENIALS | MODALS | CONDITIONS)
                and not is_one_of
            ):
                return 0
        return 0

    def _contrasts(self, place: int) -> bool:
        """Does a contrast end at a place: "not", "rather than", "instead of"?"""
        word, before = self.tokens[place].lower, self.tokens[max(0, place - 1)].lower
        return word == "not" or (before, word) in (("rather", "than"), ("instead", "of"))

    def _rest_of_list(self, number: int, place: int) -> int:
        """The end of a list's further items from a place on; 0 if it has none."""
        end, found = place, 0
        while end < len(self.tokens):
            start = end
            while end < len(self.tokens) and (
                self.tokens[end].text == ","
                or self.tokens[end].lower in ("and", "or", "as", "well", "both", "nor")
            ):
                end += 1
            if end == start:
                break
            end = self._item(end, number)
            if not end:
                break
            found = end
        words = {token.lower for token in self.tokens[place:found]}
        return found if words & {"and", "or", "as", "nor", "&"} else 0

    def _item(self, place: int, verb: int = -1) -> int:
        """The end of one item of a list: a name, or up to three words before an element; 0 if there
        is none."""
        end = place
        while (
            end < len(self.tokens)
            and not self.tokens[end].role
            and (self.tokens[end].lower in DETERMINERS or self.tokens[end].lower in HARMLESS)
        ):
            end += 1
        if end < len(self.tokens) and self.tokens[end].role:
            after = self.tokens[end + 1] if end + 1 < len(self.tokens) else None
            if after is None or after.kind != "poss":
                return end + 1
            end += 2
        words = 0
        while end < len(self.tokens) and words < _LONGEST_ITEM:
            token = self.tokens[end]
            if token.kind != "word" or token.lower in FUNCTION:
                break
            if verb >= 0 and words and self.fits(verb, end):
                break
            after = self.tokens[end + 1] if end + 1 < len(self.tokens) else None
            if words == 0 and _looks_like_verb(token.lower) and _goes_on(after):
                return 0
            words += 1
            end += 1
        if words and end < len(self.tokens) and self.tokens[end].role and verb >= 0:
            end += 1  # "and his wife Emma"
        return end if words else 0

    def _second_verbs(
        self, number: int, place: int, places: tuple[int, ...]
    ) -> Iterator[tuple[int, tuple[Skip, ...]]]:
        """Past a first verb of the same subject: "A lowers pain and (treats …)"."""
        subject = places[-1]
        opens = not any(
            t.lower in BE or t.lower in MODALS or t.lower in RELATIVE for t in self.tokens[:subject]
        )
        if number != 1 or not opens or place >= len(self.tokens):
            return
        first = self.tokens[place]
        has_verb = (
            first.lower in AUXILIARY | MODALS
            or _looks_like_verb(first.lower)
            or is_past(first.lower)
        )
        if first.kind != "word" or not has_verb or lemma(first.lower) in PREPOSITIONS:
            return
        for end in range(place + 1, min(len(self.tokens), place + 20)):
            token = self.tokens[end]
            if (
                token.lower in RELATIVE
                or token.text in (";", ":")
                or token.lower
                in (
                    "while",
                    "because",
                    "although",
                    "if",
                    "whereas",
                    "than",
                    "as",
                )
            ):
                return
            starts = self.tokens[end + 1] if end + 1 < len(self.tokens) else None
            is_clause = (
                token.role and starts is not None and (starts.lower in BE or starts.lower in MODALS)
            )
            if is_clause:
                return
            if token.lower in ("and", "but") and starts is not None:
                later = end + 1
                while later < len(self.tokens) and is_adverb(self.tokens[later].lower):
                    later += 1
                if later < len(self.tokens) and (
                    self.fits(number, later)
                    or self.tokens[later].lower in AUXILIARY | MODALS | {"never", "not"}
                ):
                    yield end + 1, tuple((n, "shared") for n in range(place, end + 1))

    def _before_object(self, number: int, place: int) -> Iterator[tuple[int, tuple[Skip, ...]]]:
        """Before what fills a slot: the first items of a list, or a contrast."""
        token = self.tokens[place]
        previous = self.tokens[place - 1]
        after = self.tokens[place + 1] if place + 1 < len(self.tokens) else None
        if token.lower == "not" and after is not None:
            # "not Sydney but Canberra", "not only rich but famous"
            for end in range(place + 1, min(len(self.tokens), place + 8)):
                if self.tokens[end].lower == "but" or self.tokens[end].text == ";":
                    yield end + 1, tuple((n, "contrast") for n in range(place, end + 1))
                    break
        if token.text in (":", ",") and any(t.lower == "but" for t in self.tokens[:place]):
            yield place + 1, ((place, "plain"),)
        if token.text == "," and after is not None and after.lower == "not":
            yield place + 1, ((place, "plain"),)
        follows = after.lower if after is not None else ""
        if (token.lower, follows) in (("rather", "than"), ("instead", "of")):
            yield place + 2, ((place, "not"), (place + 1, "plain"))
        is_start = previous.lower in DETERMINERS or self.fits(number - 1, place - 1)
        if is_start or previous.kind == "word":
            end = self._item(place)
            while end and end < len(self.tokens):
                contrast = self._contrast(end)
                if contrast:
                    after_it, kind = contrast
                    yield (
                        after_it,
                        (
                            *((n, "list") for n in range(place, after_it - 1)),
                            (after_it - 1, kind),
                        ),
                    )
                    break
                end = self._direction(end)
                ends = end
                while ends < len(self.tokens) and (
                    self.tokens[ends].text == ","
                    or self.tokens[ends].lower in ("and", "or", "as", "well", "&", "nor")
                ):
                    ends += 1
                if ends == end:
                    break
                if ends < len(self.tokens) and self.tokens[ends].lower in self._led_by(number):
                    ends += 1  # "of Alice and of Charles"
                yield ends, tuple((n, "list") for n in range(place, ends))
                end = self._item(ends)
        # Where and when stand between a verb and its last words: "born at X on …".
        led = self.elements[number - 1]
        if led.kind == "word" and token.role == "X" and follows == ",":
            yield place + 2, ((place, "list"), (place + 1, "list"))

    def _led_by(self, number: int) -> frozenset[str]:
        """The prepositions of the element before a slot."""
        return self.elements[number - 1].stems & PREPOSITIONS

    def _direction(self, place: int) -> int:
        """The end of "to the north" and the like at a place; the place if there is none."""
        words = [token.lower for token in self.tokens[place : place + 3]]
        is_one = len(words) == 3 and words[0] in ("to", "in", "on") and words[1] == "the"
        last = self.tokens[place + 2] if is_one else None
        return place + 3 if last is not None and last.kind == "word" and not last.role else place

    def _contrast(self, place: int) -> tuple[int, str] | None:
        """The end of "but", "but not", "rather than" and the like behind an item, with whether it
        takes back a denial or denies."""
        at = place + 1 if place < len(self.tokens) and self.tokens[place].text == "," else place
        words = [token.lower for token in self.tokens[at : at + 2]]
        if words[:1] == ["not"]:
            return at + 1, "not"
        if words[:1] in (["except"], ["excluding"]):
            return at + 1 + (words[1:] == ["for"]), "not"
        if words in (["but", "not"], ["and", "not"], ["rather", "than"], ["instead", "of"]):
            return at + 2, "not" if words[1] == "not" else "instead"
        if words[:1] == ["but"]:
            return at + 1, "but"
        return None

    def _within_noun(self, number: int, place: int) -> Iterator[tuple[int, tuple[Skip, ...]]]:
        """Between the words of a phrase: other nouns joined by `and`, places and times."""
        token = self.tokens[place]
        element = self.elements[number]
        is_preposition = bool(element.stems & PREPOSITIONS)
        if is_preposition and (token.lower == "and" or token.text == ","):
            end = place + 1
            while end < min(len(self.tokens), place + 7):
                word = self.tokens[end]
                if self.fits(number, end):
                    yield end, tuple((n, "joined") for n in range(place, end))
                    break
                if word.kind != "word" or word.lower in FUNCTION - DETERMINERS - {"most", "and"}:
                    break
                end += 1
        if is_preposition and (token.lower in ("in", "on", "at", "near", "by", "to", "as", "for")):
            end = place + 1
            while end < min(len(self.tokens), place + 10):
                word = self.tokens[end]
                if self.fits(number, end) and end > place + 1:
                    yield end, tuple((n, "adjunct") for n in range(place, end))
                    break
                is_part = (
                    word.role
                    or word.kind in ("number", "date")
                    or word.lower in PREPOSITIONS
                    or word.lower in DETERMINERS
                    or word.is_capital
                    or word.text == ","
                    or (word.lower not in FUNCTION and end <= place + 3 and word.kind == "word")
                )
                if not is_part:
                    break
                end += 1
        if element.is_noun and not is_preposition and self.elements[number - 1].kind != "word":
            end = place
            while end < min(len(self.tokens), place + 6):
                word = self.tokens[end]
                if word.lower == "and" and end > place:
                    yield end + 1, tuple((n, "joined") for n in range(place, end + 1))
                    break
                if word.kind != "word" or word.lower in FUNCTION - DETERMINERS - {"most"}:
                    break
                if word.lower in NEGATION | ENDED | HEDGES | DENIALS:
                    break
                end += 1


def _looks_like_verb(word: str) -> bool:
    return (word.endswith(("s", "ed")) and not word.endswith(("ss", "us", "is"))) or word in BE


def _goes_on(after: Token | None) -> bool:
    return after is not None and (
        after.role != "" or (after.kind == "word" and after.lower not in ("and", "or"))
    )
