"""What is behind a name in a titled field: figures, notes in parentheses, and words.

"Telmar 12 km", "Telmar (2011 est.)" and "Telmar (since 1970)" list Telmar.  "Telmar (until 1990)"
denies it.  All other words may change what is meant, unless the rule file's phrase has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgverify.evidence.english import (
    ABOVE,
    APPROXIMATE,
    BELOW,
    CONDITIONS,
    DENIALS,
    ENDED,
    ENDINGS,
    FUNCTION,
    HEDGES,
    MONTHS,
    NEGATION,
    PLANS,
    REPORTS,
)
from kgverify.evidence.field_forms import FieldForm
from kgverify.evidence.listing import CLOSING, OPENING, depths
from kgverify.evidence.terms import terms
from kgverify.evidence.tokens import Token, is_dash
from kgverify.evidence.wordlists import word_set

_OVER = ENDED | ENDINGS
DENIED = NEGATION | _OVER | word_set("longer")
_ABOUT = APPROXIMATE | ABOVE | BELOW | word_set("less more than at least most up to < > ~ ≈ =")
_ESTIMATED = word_set("est estimate estimates estimated census of") | MONTHS.keys()
_DOUBTFUL = HEDGES | PLANS | REPORTS | DENIALS | CONDITIONS | DENIED
_INCLUDING = word_set("of including includes include excluding excludes exclude")


@dataclass(frozen=True, slots=True)
class Rest:
    """What is behind an entry's name.  `said` is `asserts`, `denies` or `open`; `is_less`: a note
    that may be anything is there."""

    said: str
    reason: str = ""
    is_less: bool = False


def read_rest(tokens: Sequence[Token], form: FieldForm) -> Rest:
    """What the words, figures and notes behind a name make of it."""
    has_note, is_any, has_figure = not form.note, False, False
    words: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if end := _closed(tokens, place):
            for note in _notes(tokens[place:end]):
                kind = _kind(note, has_figure, form)
                if kind in ("denies", "open"):
                    return _changed(kind, note)
                has_note = has_note or kind == "note"
                is_any = is_any or kind == "any"
            place = end
        elif length := _figure(tokens, place):
            number = tokens[place + length[0]]
            if not number.text.strip("0.,"):
                return _changed("open", [number])
            has_figure = True
            place += length[1]
        else:
            if token.kind != "mark" or not (is_dash(token) or token.text in ":,*"):
                words.append(token)
            place += 1
    if words and tuple(terms(" ".join(token.text for token in words))) != form.tail:
        return _changed("denies" if _denies(words, form) else "open", words)
    if form.tail and not words:
        return Rest("open", "the field goes on in other words than the phrase")
    if not has_note:
        return Rest("open", f"it is not said to be `{form.shown_note}`")
    return Rest("asserts", "", is_any)


def _changed(said: str, tokens: Sequence[Token]) -> Rest:
    shown = " ".join(token.text for token in tokens)
    what = "denies it" if said == "denies" else "may change what is meant"
    return Rest(said, f"`{shown}` {what}")


def _closed(tokens: Sequence[Token], start: int) -> int:
    """The end of the brackets that open at a place; 0 if none do."""
    if tokens[start].text not in OPENING:
        return 0
    depth = 0
    for place in range(start, len(tokens)):
        depth += (tokens[place].text in OPENING) - (tokens[place].text in CLOSING)
        if not depth:
            return place + 1
    return len(tokens)


def _kind(note: Sequence[Token], has_figure: bool, form: FieldForm) -> str:
    """What a note is: `figure`, `note` (the phrase's), `any`, `denies` or `open`."""
    own = [t for t in note if t.kind != "mark"]
    numbers = [t for t in note if t.kind in ("number", "value")]
    others = [t for t in own if t not in numbers]
    if _denies(note, form):
        return "denies"
    if numbers and all(t.lower in _ESTIMATED for t in others):
        is_year = not others and len(numbers) == 1 and _is_year(numbers[0])
        return "figure" if has_figure or not is_year else "open"
    if has_figure and own and own[0].lower in _INCLUDING:
        return "figure"
    said = [t.lower for t in own]
    if len(said) > 1 and said[-2] == "since" and _is_year(own[-1]):
        said = said[:-2]
        if not said:
            return "figure"
    if form.note and tuple(terms(" ".join(said))) == form.note:
        return "note"
    is_any = form.takes_any_note and not any(t.lower in _DOUBTFUL for t in own)
    return "any" if is_any else "open"


def _denies(tokens: Sequence[Token], form: FieldForm) -> bool:
    """Do words say that it is not so, or no longer?  Beside small words, figures and those of the
    phrase, any other may turn it."""
    note = set(form.note)
    words = [t.lower for t in tokens if t.kind not in ("number", "mark", "date", "value")]
    denials = [w for w in words if w in DENIED or (note and note == set(terms(_without(w))))]
    is_double = any(w in NEGATION for w in denials) and any(w in _OVER for w in denials)
    others = (w for w in words if w not in denials)
    is_plain = all(w in FUNCTION or w in MONTHS or note.issuperset(terms(w)) for w in others)
    return bool(denials) and is_plain and not is_double


def _without(word: str) -> str:
    """A word without what denies it: `unofficial`, `non-official`."""
    for before in ("un", "non-", "non", "ex-"):
        if word.startswith(before):
            return word[len(before) :]
    return ""


def _is_year(token: Token) -> bool:
    return token.kind == "number" and len(token.text) == 4 and token.text.isdigit()


def _notes(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The notes in a pair of brackets, which `,` and `;` part."""
    note: list[Token] = []
    for token, depth in zip(tokens, depths(tokens), strict=True):
        if depth == 1 and token.text in "()[]{}":
            continue
        if depth == 1 and token.text in (",", ";"):
            if note:
                yield note
            note = []
        else:
            note.append(token)
    if note:
        yield note


def _figure(tokens: Sequence[Token], start: int) -> tuple[int, int] | None:
    """Where the number is in a figure that begins at a place, and the figure's length with its
    unit; None if none does.  A year is none."""
    place = start
    while place < len(tokens) and (tokens[place].lower in _ABOUT or is_dash(tokens[place])):
        place += 1
    if place >= len(tokens) or tokens[place].kind not in ("number", "value"):
        return None
    end = place + 1
    if end < len(tokens) and tokens[end].text in ("%", "‰"):
        end += 1
    else:
        while end < len(tokens) and end - place < 3 and _is_unit(tokens[end]):
            end += 1
        if end == place + 1 and _is_year(tokens[place]):
            return None
    return place - start, end - start


def _is_unit(token: Token) -> bool:
    is_small = token.kind == "word" and token.text[:1].islower()
    return is_small and token.lower not in FUNCTION and token.lower not in _DOUBTFUL
