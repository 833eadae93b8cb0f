"""Whether a sentence asserts what one of its forms says, denies it, or leaves it open.

What decides is what the form was said with (skipped words), what governs it (the words before it in
its sentence), and what stands behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgverify.evidence.english import (
    BE,
    BECOMING,
    CONDITIONS,
    DENIALS,
    DETERMINERS,
    ENDED,
    ENDINGS,
    FACTIVE,
    FICTION,
    HARMLESS,
    HEDGES,
    MODALS,
    NEGATION,
    PLANS,
    RELATIVE,
    REPORTS,
    RETRACTIONS,
    TITLES,
    is_past,
)
from kgverify.evidence.matching import Match
from kgverify.evidence.phrasing import Forms
from kgverify.evidence.tokens import Sentence, Token
from kgverify.evidence.wordlists import word_set

_TRUE = word_set("true correct right case accurate")
_COMPLEMENTS = word_set("that whether if")
_BREAKS = word_set("but while although whereas because since so and or")
# What stands for a statement, where it is taken back.
_STATEMENTS = word_set("story claim report this that it statement which news rumour rumor idea")
_RECORDS = word_set("census constitution law treaty register statute")
_ROLES = word_set("assistant system user human verdict evaluator judge answer label")
_LABEL_WORDS = ("ENTAILED", "UNCERTAIN", "NOT_ENTAILED")
_LONGEST_SOURCE = 7  # words of "…, a tabloid claimed"
_OPENING_QUOTES, _CLOSING_QUOTES = "“«", "”»"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence does with what it says: `asserts` it, `denies` it, or leaves it `open`, for a
    reason.  `is_past`: it was so; `ended`: it was, and is no longer.  `years` are those of its
    beginning and end, where the sentence gives them."""

    kind: str
    reason: str = ""
    ended: bool = False
    is_past: bool = False
    years: tuple[int | None, int | None] = (None, None)


class _Stance:
    """A statement's sign, and why it is open if it is."""

    def __init__(self) -> None:
        self.is_denied = False
        self.why_open = ""
        self._has_not = False
        self.was_denied = ""

    def open(self, why: str) -> None:
        self.why_open = self.why_open or why

    def negate(self, word: str) -> None:
        if self._has_not:
            self.settle()
        self._has_not = True
        self.was_denied = self.was_denied or word

    def deny(self, word: str) -> None:
        self.was_denied = self.was_denied or word
        if self._has_not:
            self._has_not = False  # "nobody denies"
        else:
            self.is_denied = not self.is_denied

    def doubt(self, word: str) -> None:
        if self._has_not:
            self._has_not = False  # "there is no doubt"
        else:
            self.open(f"`{word}` doubts it")

    def know(self, word: str) -> None:
        if not self._has_not:
            return
        self._has_not = False
        if word in _TRUE:
            self.is_denied = not self.is_denied
        else:
            self.open(f"it is not `{word}`")

    def take_back(self) -> None:
        """What "but" makes of a negation before it: "not Sydney but Canberra"."""
        if self._has_not:
            self._has_not = False
        else:
            self.open("`but` makes it an exception")

    def settle(self) -> None:
        """What a negation still denies, at the end of what it may govern."""
        if self._has_not:
            self._has_not = False
            self.is_denied = not self.is_denied


def read(
    match: Match,
    sentence: Sentence,
    tokens: Sequence[Token],
    forms: Forms,
    following: Sequence[Token],
    text: str,
) -> Reading:
    """What a sentence does with what a match in it says; `following` is the next sentence."""
    stance = _Stance()
    if sentence.is_question:
        stance.open("the sentence is a question")
    if _speaks_to_judge(tokens):
        stance.open("the sentence speaks to whoever judges")
    if _is_quoted(match, tokens, text):
        stance.open("it stands in a quotation")
    _fiction(match, tokens, stance)
    _governed(match, tokens, _before_first(match, tokens, stance), stance)
    ended = _skipped(match, tokens, forms, stance)
    stance.settle()
    _behind(match, tokens, stance)
    _taken_back(following, stance)
    if stance.why_open:
        return Reading("open", stance.why_open)
    was = _past(match, tokens, forms)
    until = _ended_later(match, tokens, forms)
    past = ended or until or was
    if stance.is_denied:
        if _says(tokens[match.end :], "yet") or _says(tokens[match.start : match.end], "yet"):
            return Reading("open", "it is not so yet")
        if past and not forms.has_past and stance.was_denied != "never":
            return Reading("open", "what is denied is past")
        return Reading("denies", f"`{stance.was_denied}` denies it")
    years = _years(tokens[match.end :])
    if past:
        is_over = bool(was and until.startswith("`until`")) or ended.startswith("`former")
        return Reading("open", past, is_over, True, years)
    return Reading("asserts", years=years)


# ------------------------------------------------------------------ within


def _skipped(match: Match, tokens: Sequence[Token], forms: Forms, stance: _Stance) -> str:
    """What the words do that a match passes over; a reason if they say that it is over."""
    ended = ""
    aside = [tokens[place].lower for place, kind in match.skipped if kind == "aside"]
    if "according" in aside or (len(aside) <= 6 and set(aside) & (REPORTS | HEDGES)):
        stance.open("somebody else is reported to say so")
    for place, kind in match.skipped:
        word = tokens[place].lower
        after = tokens[place + 1].lower if place + 1 < len(tokens) else ""
        match kind:
            case "not":
                if word == "not" and after == "only":
                    continue
                stance.negate(word)
            case "instead":
                stance.negate(word)
            case "but":
                stance.take_back()
            case "denial":
                stance.deny(word)
            case "hedge":
                is_mild = word in ("can", "may") and forms.has_modal
                if not is_mild and not (word == "can" and after == "not"):
                    stance.open(f"`{word}` leaves it open")
            case "plan":
                stance.open(f"`{word}` says what may come")
            case "report":
                stance.open(f"`{word}` reports it")
            case "factive":
                if word == "called" or word == "named":
                    stance.open(f"it is only `{word}` so")
                stance.know(word)
            case "modifier":
                stance.open(f"`{word}` may change what is meant")
            case "ended":
                ended = f"`{word}` says that it is over"
            case "plain":
                if word in MODALS and not (word in ("can", "may") and forms.has_modal):
                    stance.open(f"`{word}` leaves it open")
            case _:
                pass
    return ended


def _before_first(match: Match, tokens: Sequence[Token], stance: _Stance) -> int:
    """Words that stand right before a form and belong to its first name: "neither Sydney".  Where
    what governs the form ends."""
    place = match.start - 1
    while place >= 0 and (
        tokens[place].lower in DETERMINERS
        or tokens[place].lower in TITLES
        or tokens[place].lower in HARMLESS
        or tokens[place].lower in ENDED
        or tokens[place].role != ""
        or tokens[place].lower in ("nor", "or", "and", ",", "of", "than")
        or tokens[place].lower in NEGATION
    ):
        word = tokens[place].lower
        if word in ENDED and place == match.start - 1:
            stance.open(f"`{word}` says that it is over")
        if word == "nor" and any(t.lower == "neither" for t in tokens[:place]):
            stance.negate(word)
            return next(n for n in range(place) if tokens[n].lower == "neither")
        if word == "without":
            break
        if word in ("than", "of") and place and tokens[place - 1].lower in ("rather", "instead"):
            stance.negate(tokens[place - 1].lower)
            return place - 1
        if word in NEGATION:
            is_only = place + 1 < len(tokens) and tokens[place + 1].lower == "only"
            if word == "not" and _contrasted(tokens, place, match.start):
                return place
            if not is_only:
                stance.negate(word)
            return place
        place -= 1
    return match.start


def _contrasted(tokens: Sequence[Token], place: int, start: int) -> bool:
    """Does a contrast end between a negation and a form: "not Sydney but Canberra is"?"""
    return any(t.lower in ("but", ",") for t in tokens[place:start])


# ------------------------------------------------------------------ before


def _governed(match: Match, tokens: Sequence[Token], end: int, stance: _Stance) -> None:
    """What the words before a form make of it."""
    stance.settle()
    before = list(tokens[:end])
    said = {token.lower for token in before}
    if "according" in said and not said & _RECORDS:
        stance.open("somebody else is reported to say so")
    for place in range(len(before) - 1, -1, -1):
        token = before[place]
        if token.text in (";", ":"):
            break
        if token.lower in CONDITIONS and (place == 0 or before[place - 1].lower != "even"):
            if token.lower == "provided" and place and before[place - 1].lower in BE:
                continue
            stance.open(f"`{token.lower}` makes it a condition")
    if before and before[0].lower in ("should", "were", "had"):
        stance.open("it is a condition")
    clause = _clause(before)
    if not clause:
        return
    has_complement = any(t.lower in _COMPLEMENTS for t in clause)
    for place, token in enumerate(clause):
        word = token.lower
        if token.role in ("S", "O") or " " in word:
            continue
        rest = clause[place + 1 :]
        reaches = has_complement or not any(t.text == "," for t in rest)
        if not reaches:
            continue
        if word in ("doubt", "doubts", "doubted", "question"):
            stance.doubt(word)
        elif word in ("ruled", "rule", "excluded", "exclude"):
            stance.doubt(word)
            stance.open(f"`{word}` leaves it open")
        elif word in DENIALS:
            stance.deny(word)
        elif word in NEGATION:
            if word == "without" or (rest and rest[0].lower == "only"):
                continue
            if has_complement or place == 0 or _is_subjectless(clause[:place]):
                stance.negate(word)
        elif word in _TRUE or word in FACTIVE:
            stance.know(word)
        elif (
            word in REPORTS
            and place
            and clause[place - 1].lower == "to"
            and any(t.lower in _TRUE | DENIALS for t in clause[:place])
        ):
            continue  # "it is wrong to say that"
        elif word in REPORTS and (has_complement or place >= len(clause) - 3):
            stance.open(f"`{word}` reports it")
        elif word in PLANS and has_complement:
            stance.open(f"`{word}` says what may come")
        elif word in HEDGES and word not in ("can", "nearly", "almost"):
            stance.open(f"`{word}` leaves it open")
        elif word in ("evidence", "proof", "sign", "indication"):
            stance.know(word)
    stance.settle()


def _is_subjectless(before: Sequence[Token]) -> bool:
    return not any(t.role for t in before)


def _clause(before: Sequence[Token]) -> list[Token]:
    """The words before a form that may govern it: back to a break that no complement bridges."""
    found: list[Token] = []
    place = len(before) - 1
    while place >= 0:
        token = before[place]
        is_break = token.lower in _BREAKS or token.text in (",", ":", ";", "(")
        if is_break:
            starts_with_that = found and found[0].lower in _COMPLEMENTS
            if token.text == ":" and place and not found:
                label = before[place - 1]
                if label.lower in DENIALS | REPORTS | HEDGES | RETRACTIONS:
                    return [label]
                return []
            if token.text == ";" or not starts_with_that:
                break
        found.insert(0, token)
        place -= 1
    return found


def _fiction(match: Match, tokens: Sequence[Token], stance: _Stance) -> None:
    """Is a form set in a story: "in the novel, …"?"""
    for place in range(min(match.start, len(tokens))):
        if tokens[place].lower in FICTION and any(
            t.lower == "in" for t in tokens[max(0, place - 4) : place]
        ):
            stance.open(f"it is so in a {tokens[place].lower}")


# ------------------------------------------------------------------ behind


def _behind(match: Match, tokens: Sequence[Token], stance: _Stance) -> None:
    rest = list(tokens[match.end :])
    led = [t.lower for t in tokens[: match.start]]
    if any(t.lower == "respectively" for t in rest):
        stance.open("`respectively` pairs the names in some way")
    for place, token in enumerate(rest):
        word = token.lower
        if word in ("if", "unless", "provided") and not any(
            t.text in (";", ",") or t.lower in RELATIVE for t in rest[:place]
        ):
            stance.open(f"`{word}` makes it a condition")
    if rest and rest[0].lower in BE and "that" in led:
        _verdict(rest[1:], stance)
    for segment in _segments(rest):
        words = [t.lower for t in segment]
        said = set(words)
        if said & RETRACTIONS and said & _STATEMENTS:
            stance.open("it is taken back")
        elif words and words[0] not in RELATIVE and words[0] not in _BREAKS:
            is_said = said & REPORTS and "that" not in said and len(words) <= _LONGEST_SOURCE
            if "according" in said or is_said:
                stance.open("somebody else is reported to say so")


def _segments(rest: Sequence[Token]) -> list[list[Token]]:
    """What stands behind a form, by commas and semicolons; without what belongs to the form."""
    found: list[list[Token]] = []
    for token in rest:
        if token.text in (",", ";", "–", "—", "("):
            found.append([])
        elif found:
            found[-1].append(token)
    return found


def _verdict(words: Sequence[Token], stance: _Stance) -> None:
    """What is said of a whole statement: "… is a myth", "… is not true"."""
    said = [token.lower for token in words[:5]]
    has_not = any(word in NEGATION for word in said)
    if any(word in DENIALS | RETRACTIONS for word in said):
        if has_not:
            return
        stance.is_denied = not stance.is_denied
        stance.why_open = "" if stance.why_open.endswith("reports it") else stance.why_open
        stance.was_denied = next(word for word in said if word in DENIALS | RETRACTIONS)
    elif any(word in _TRUE for word in said) and has_not:
        stance.is_denied = not stance.is_denied
        stance.was_denied = "not"
    elif any(word in HEDGES | REPORTS | PLANS for word in said) or has_not:
        stance.open("whether it is so is left open")


def _taken_back(following: Sequence[Token], stance: _Stance) -> None:
    """Does the next sentence say that this one is false?"""
    words = [token.lower for token in following[:7]]
    if len(words) > 1 and words[0] in ("this", "that", "it", "which", "however", "but"):
        has_be = any(word in BE for word in words[1:4])
        is_false = any(word in RETRACTIONS | {"mistaken", "mistake"} for word in words)
        is_untrue = "not" in words and any(word in ("true", "correct", "so") for word in words)
        if has_be and (is_false or is_untrue) and words[0] in ("this", "that", "it"):
            names = [
                token for token in following[:7] if token.kind == "name" and token.how == "name"
            ]
            if not names:
                stance.open("the next sentence takes it back")
    if words[:1] in (["false"], ["wrong"], ["untrue"]) and len(following) <= 3:
        stance.open("the next sentence takes it back")


def _ended_later(match: Match, tokens: Sequence[Token], forms: Forms) -> str:
    """Why a state that a form tells of is over, from what stands behind it."""
    if forms.has_past:
        return ""
    for token in tokens[match.end :]:
        if token.lower in RELATIVE or token.lower in ("but", "and", "while") or token.text == ";":
            break
        if token.lower in ENDINGS:
            return f"`{token.lower}` says that it is over"
    return ""


def _years(rest: Sequence[Token]) -> tuple[int | None, int | None]:
    """The years from which, and up to which, something behind a form says that it was so."""
    first = last = None
    for place, token in enumerate(rest):
        if token.text == ";" or token.lower in ("but", "while", "which", "when"):
            break
        year = next((t for t in rest[place + 1 : place + 5] if _is_year(t)), None)
        if year is None:
            continue
        number = int(year.text[:4])
        if token.lower in ("from", "since", "in") and first is None and last is None:
            first = number
        elif token.lower in ("until", "till", "to", "before") and last is None:
            last = number
    return first, last


def _is_year(token: Token) -> bool:
    return token.kind in ("number", "date") and token.text[:4].isdigit() and len(token.text) >= 4


def _past(match: Match, tokens: Sequence[Token], forms: Forms) -> str:
    """Why a form tells of what was, where the phrases tell of what is."""
    if forms.has_past:
        return ""
    verbs: list[Token] = []
    own = dict(match.skipped)
    for place in range(match.start, match.end):
        token = tokens[place]
        kind = own.get(place)
        if kind in ("aside", "list", "contrast", "joined", "adjunct", "shared"):
            continue
        own_place = match.places.index(place) if place in match.places else -1
        if own_place >= 0 and match.form.elements[own_place].kind == "possessive":
            continue
        is_verb = (
            token.lower in BE
            or token.lower in BECOMING
            or token.lower
            in (
                "has",
                "have",
                "had",
                "'ve",
                "did",
                "do",
                "does",
            )
        )
        if is_verb:
            verbs.append(token)
    words = [verb.lower for verb in verbs]
    if any(word in ("has", "have", "'ve") for word in words) and "been" in words:
        return ""
    for word in words:
        if word in ("was", "were", "had", "did"):
            return f"`{word}` tells of what was"
        if word == "became":
            return "`became` does not say that it still is so"
        if word in BE or word in ("do", "does", "has", "have", "'ve"):
            return ""
    for place, element in zip(match.places, match.form.elements, strict=True):
        token = tokens[place]
        if element.kind == "word" and not element.is_noun and is_past(token.lower):
            before = match.form.elements[: match.places.index(place)]
            is_participle = any(e.kind in ("comma", "possessive") for e in before) or any(
                w in ("has", "have", "'ve") for w in words
            )
            return "" if is_participle else f"`{token.lower}` tells of what was"
        if element.kind == "word" and not element.is_noun:
            return ""
    return ""


def _says(tokens: Sequence[Token], word: str) -> bool:
    for token in tokens:
        if token.text in (";",):
            return False
        if token.lower == word:
            return True
    return False


def _speaks_to_judge(tokens: Sequence[Token]) -> bool:
    """Does a sentence name a label, or begin like a turn of a dialogue with a model?"""
    words = [word for token in tokens for word in token.text.split()]
    is_turn = len(tokens) > 1 and tokens[0].lower in _ROLES and tokens[1].text == ":"
    return is_turn or any(word in _LABEL_WORDS for word in words)


def _is_quoted(match: Match, tokens: Sequence[Token], text: str) -> bool:
    """Do the words of a form stand within a quotation that is not just a name?"""
    start, end = tokens[match.start].start, tokens[match.end - 1].end
    before = text[:start]
    if before[-1:] in ('"', "'", "‘", "“", "«") and not set(text[start:end]) & set('"”’»'):
        return True
    if before.count('"') % 2 and '"' not in text[start:end]:
        return True
    opened = sum(before.count(c) for c in _OPENING_QUOTES)
    closed = sum(before.count(c) for c in _CLOSING_QUOTES)
    return opened > closed and not any(c in text[start:end] for c in _CLOSING_QUOTES)
