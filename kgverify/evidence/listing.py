"""What a titled field lists: a text such as "total: 12 km; border countries (2): A 5 km, B 7 km".

A text is cut into parts at `;`, ` ++ `, `|`, bullets and the ends of lines, and a part into entries
at `,` and at its last `and`; a label with a colon before an entry holds for what follows it.
Nothing is cut within parentheses, in a number, or in a name that is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kgverify.evidence.terms import terms
from kgverify.evidence.tokens import Token, is_dash, tokens_of
from kgverify.evidence.wordlists import word_set

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
_HARD = frozenset(";|•·")
_AND = frozenset(("and", "&"))
_ARTICLES = word_set("the a an")
_NOTES = word_set("note notes")
_LONGEST_LABEL = 8  # words
# Words that a list in alphabetical order puts behind a name: "Korea, South", "Gambia, The".
_INVERTED = word_set(
    "republic kingdom democratic people's peoples federated federal states state islamic of the "
    "north south east west northern southern eastern western dem rep federation union islands"
)

Known = Callable[[Sequence[Token], int], int]
_Row = tuple[tuple[str, ...], Sequence[Token], int]  # label, tokens, length of the name


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a field lists.

    `label` has the words before the colon that leads to it, as terms, and `label_words` as they
    are.  `tokens` are its own, from its first word on; the first `named` of them are a name that is
    known.  `is_joined`: an `and` joins it with another; `is_apart` is false where that, or what
    follows, may make it a part of a longer name."""

    label: tuple[str, ...]
    label_words: tuple[str, ...]
    tokens: tuple[Token, ...]
    named: int = 0
    is_joined: bool = False
    is_apart: bool = True


def field_tokens(text: str) -> list[Token]:
    """The tokens of a field, without full stops; an end of a line is one."""
    found = []
    for token in tokens_of(text):
        if token.kind == "space" or token.text != ".":
            found.append(token)
    return found


def entries(tokens: Sequence[Token], text: str, known: Known) -> list[Entry]:
    """The entries of a field in order; `known` gives the length of the longest known name that
    begins at a place, 0 if none does."""
    found: list[Entry] = []
    lasting: tuple[str, ...] = ()
    for part in _parts(tokens):
        place, words = _label(part, 0, text)
        # A label at the beginning of a part lasts, one within its list up to the part's end.
        label = lasting = words or lasting
        rows: list[_Row] = []
        while place < len(part):
            after, words = _label(part, place, text)
            label, place = words or label, after
            place = _begin(part, place)
            named = known(part, place) if place < len(part) else 0
            end = _until(part, place + named, frozenset(","))
            rows.append((label, part[place:end], named))
            place = end + 1
        found += _entries(rows, known)
    return found


def depths(tokens: Sequence[Token]) -> list[int]:
    """How many brackets are open around each token; a bracket is in itself."""
    found, depth = [], 0
    for token in tokens:
        if token.text in OPENING:
            depth += 1
        found.append(depth)
        if token.text in CLOSING and depth:
            depth -= 1
    return found


def _parts(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    part: list[Token] = []
    for place, (token, depth) in enumerate(zip(tokens, depths(tokens), strict=True)):
        is_plus = token.text == "+" and (_is_plus(tokens, place + 1) or _is_plus(tokens, place - 1))
        if not depth and (token.kind == "space" or token.text in _HARD or is_plus):
            yield part
            part = []
        elif token.kind != "space":
            part.append(token)
    yield part


def _is_plus(tokens: Sequence[Token], place: int) -> bool:
    return 0 <= place < len(tokens) and tokens[place].text == "+"


def _until(tokens: Sequence[Token], start: int, marks: frozenset[str]) -> int:
    """The place of the next of some marks outside of brackets, from a place on."""
    depth = 0
    for place in range(start, len(tokens)):
        text = tokens[place].text
        if not depth and tokens[place].lower in marks:
            return place
        depth = max(0, depth + (text in OPENING) - (text in CLOSING))
    return len(tokens)


def _label(tokens: Sequence[Token], start: int, text: str) -> tuple[int, tuple[str, ...]]:
    """Where a label that begins at a place ends, and its words; the place itself and none if there
    is none.

    The count in "border countries (7):" is none of its words."""
    words: list[str] = []
    near = tokens[start : start + 3 * _LONGEST_LABEL]
    for place, (token, depth) in enumerate(zip(near, depths(near), strict=True), start):
        is_note = len(words) == 1 and words[0] in _NOTES and is_dash(token)
        is_colon = token.text == ":" and not text[token.end : token.end + 1].strip()
        if words and not depth and (is_note or is_colon):
            return place + 1, tuple(words)
        if token.kind == "word" or (token.kind == "number" and not depth):
            words.append(token.lower)
        elif not depth and token.kind != "poss":
            break
        if len(words) > _LONGEST_LABEL:
            break
    return start, ()


def _begin(tokens: Sequence[Token], place: int) -> int:
    """The first token of an entry: behind bullets, articles and an `and`."""
    while place < len(tokens) and (
        tokens[place].lower in _ARTICLES
        or tokens[place].lower in _AND
        or tokens[place].text == "*"
        or is_dash(tokens[place])
    ):
        place += 1
    return place


def _entries(rows: Sequence[_Row], known: Known) -> Iterator[Entry]:
    """The entries of a part, from what stands between its commas."""
    figured = sum(_is_figured(tokens) for _, tokens, _ in rows)
    for number, (words, tokens, named) in enumerate(rows):
        if not tokens:
            continue
        label = tuple(terms(" ".join(words)))
        following = rows[number + 1][1] if number + 1 < len(rows) else None
        is_apart = following is None or not _is_inverted(following)
        pieces = list(_joined(tokens, named, known))
        for place, (piece, length) in enumerate(pieces):
            sure = is_apart or place + 1 < len(pieces)
            if len(pieces) > 1 and not any(map(_has_detail, (p for p, _ in pieces[:-1]))):
                rest = figured - _is_figured(tokens)
                is_last = number + 1 == len(rows)
                is_one = not is_last or rest > 0 or _is_figured(pieces[-1][0])
                is_shared = _has_detail(pieces[-1][0]) and place + 1 < len(pieces)
                sure = sure and not is_one and not is_shared
            yield Entry(label, words, tuple(piece), length, len(pieces) > 1, sure)


def _joined(
    tokens: Sequence[Token], named: int, known: Known
) -> Iterator[tuple[Sequence[Token], int]]:
    """The pieces between `and`s, each with the length of its name."""
    start = 0
    while start < len(tokens):
        end = _until(tokens, start + named, _AND)
        if end > start:
            yield tokens[start:end], named
        start = _begin(tokens, end)
        named = known(tokens, start) if start < len(tokens) else 0


def _is_figured(tokens: Sequence[Token]) -> bool:
    """Does an entry have a number outside of brackets?"""
    pairs = zip(tokens, depths(tokens), strict=True)
    return any(token.kind == "number" and not depth for token, depth in pairs)


def _has_detail(tokens: Sequence[Token]) -> bool:
    return any(token.kind == "number" or token.text in OPENING for token in tokens)


def _is_inverted(tokens: Sequence[Token]) -> bool:
    """Do these words belong to the name before the comma?"""
    return all(token.lower in _INVERTED for token in tokens)


def heading_parts(heading: str) -> tuple[tuple[str, ...], ...]:
    """The parts of a heading, between colons, as terms."""
    parts = (tuple(terms(part)) for part in re.split(r":(?=\s|\Z)", heading))
    return tuple(part for part in parts if part)
