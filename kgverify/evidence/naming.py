"""Where a text names a claim's subject and object, and where it names something else.

A name within a longer name is none: `Cyprus` is not named by "James II of Cyprus", nor `Guinea` by
"Equatorial Guinea".  Pronouns stand for what their sentence, the one before, or the title is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kgverify.evidence.english import (
    AUXILIARY,
    BE,
    DENIALS,
    DETERMINERS,
    ENDED,
    FACTIVE,
    FUNCTION,
    HARMLESS,
    HEDGES,
    MODALS,
    MONTHS,
    OBJECT_PRONOUNS,
    PLANS,
    POSSESSIVE_PRONOUNS,
    PREPOSITIONS,
    REPORTS,
    SOMEBODY,
    SORTS,
    SUBJECT_PRONOUNS,
    TITLES,
    is_adverb,
    lemma,
)
from kgverify.evidence.judging import Claim, RelationWords
from kgverify.evidence.passages import Passage
from kgverify.evidence.tokens import Sentence, Token, sentences, tokens_of
from kgverify.evidence.wordlists import word_set

_JOINTS = word_set("of de del della di da du la le el al bin ibn van von der den the und y e")
_ROLES = TITLES | SORTS | word_set("prime foreign vice first deputy head")
_COMMON = FUNCTION | HARMLESS | HEDGES | REPORTS | DENIALS | PLANS | FACTIVE | ENDED | SOMEBODY
_PARTS = word_set("new old north south east west great upper lower northern southern")
_WEEKDAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")


@dataclass(frozen=True, slots=True)
class _Name:
    words: tuple[str, ...]
    texts: tuple[str, ...]
    role: str
    how: str = "name"


class Names:
    """The names that matter for one claim and passage."""

    def __init__(self, claim: Claim, passage: Passage) -> None:
        self._claim = claim
        own = [("S", claim.subject)]
        if isinstance(claim.object, tuple):
            own.append(("O", claim.object))
        found = [_name(text, role) for role, names in own for text in names if text.strip()]
        known = {name.words for name in found}
        others = [_name(text, "X") for text in claim.others if text.strip()]
        title = re.sub(r"^(the|an?)\s+|\s*\([^()]*\)\s*$", "", passage.title, flags=re.I).strip()
        longer = _name(title, "X") if title else None
        if longer and longer.words and self._covers(longer, found):
            others.append(longer)
        found += [name for name in others if name.words not in known]
        text = f"{passage.title} {passage.text}"
        found += [
            _Name(name.words, name.words, name.role)
            for name in found
            if name.role != "X" and _is_only_small(name, text)
        ]
        self._index: dict[str, list[_Name]] = {}
        for name in found:
            if name.words:
                self._index.setdefault(name.words[0], []).append(name)
        self._phrase_words = _capital_words(claim.relation)
        for short in _short_forms([n for n in found if n.role != "X"], found, text):
            self._index.setdefault(short.words[0], []).append(short)
        for names in self._index.values():
            names.sort(key=lambda name: (-len(name.words), name.how != "name"))
        self.title = self._title_role(title)

    @staticmethod
    def _covers(title: _Name, found: Iterable[_Name]) -> bool:
        """Is a title a longer name that contains one of the claim's, and not the other too?"""
        within = {
            name.role
            for name in found
            if len(name.words) < len(title.words) and _contains(title.words, name.words)
        }
        small = [t for t in title.texts if t[:1].islower() and t not in _JOINTS]
        return len(within) == 1 and not small and "'s" not in title.words

    def _title_role(self, title: str) -> str:
        marked = self._marked(tokens_of(title))
        names = [token for token in marked if token.role]
        if len(names) == 1 and len([t for t in marked if t.lower not in DETERMINERS]) == 1:
            return names[0].role
        return "X" if title else ""

    # -------------------------------------------------------- names

    def _marked(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with each name as one."""
        found: list[Token] = []
        place = 0
        while place < len(tokens):
            name = self._at(tokens, place)
            end = self._run_end(tokens, place)
            if name is not None and (length := place + len(name.words)) >= 0:
                role = name.role
                if tokens[place].text[:1].isupper() and tokens[place].kind == "word":
                    if role != "X" and end > length and not self._at(tokens, length):
                        if not _is_same_thing(tokens, place, length, end):
                            role, length = "X", end
                        elif _is_extended(tokens, length):
                            length = end
                    if role != "X" and _is_within(tokens, place, found):
                        role = "X"
                found.append(_joined(tokens[place:length], role, name.how))
                place = length
            elif end > place:
                # A name that holds one of the claim's begins before it.
                inner = next(
                    (n for n in range(place + 1, end) if self._starts_here(tokens, place, n)), None
                )
                if inner is not None:
                    found += tokens[place:inner]
                    place = inner
                else:
                    found.append(_joined(tokens[place:end], "X", "name"))
                    place = end
            else:
                found.append(tokens[place])
                place += 1
        return found

    def _run_end(self, tokens: Sequence[Token], place: int) -> int:
        """The end of the run of capitals at a place, without words of the relation's phrases."""
        end = _run_end(tokens, place)
        if tokens[place].lower in self._phrase_words:
            return place
        stops = (n for n in range(place, end) if tokens[n].lower in self._phrase_words)
        return next(stops, end)

    def _starts_here(self, tokens: Sequence[Token], start: int, place: int) -> bool:
        """Does a name of its own begin within a run of capitals, behind titles alone?"""
        if self._at(tokens, place) is None:
            return False
        before = tokens[start:place]
        return all(t.lower in _ROLES or t.lower in _JOINTS for t in before) or _opens(tokens, start)

    def _at(self, tokens: Sequence[Token], place: int) -> _Name | None:
        for name in self._index.get(tokens[place].lower, ()):
            part = tokens[place : place + len(name.words)]
            if tuple(t.lower for t in part) == name.words and _same_case(name, part):
                return name
        return None

    # -------------------------------------------------------- sentences

    def sentences(self, text: str) -> list[Sentence]:
        """The sentences of a text with the names marked, pronouns included."""
        found: list[Sentence] = []
        topic = self.title
        before: list[str] = []
        for sentence in sentences(text):
            marked = self._marked(sentence.tokens)
            tokens, seen = self._resolved(marked, topic, before)
            found.append(replace(sentence, tokens=tuple(tokens)))
            topic = _topic(tokens, topic)
            before = seen or before
        return found

    def _resolved(
        self, tokens: Sequence[Token], topic: str, before: Sequence[str]
    ) -> tuple[list[Token], list[str]]:
        found: list[Token] = []
        seen: list[str] = []
        for place, token in enumerate(tokens):
            after = tokens[place + 1] if place + 1 < len(tokens) else None
            if token.role:
                seen.append(token.role)
                found.append(token)
                continue
            if token.kind != "word":
                found.append(token)
                continue
            word = token.lower
            if word == "whose" and (role := _antecedent(found)):
                found += _possessive(token, role)
            elif word in POSSESSIVE_PRONOUNS and _is_possessive(word, after):
                found += _possessive(token, seen[0] if seen else topic)
            elif word in SUBJECT_PRONOUNS and _is_subject(tokens, place):
                role = "" if _is_expletive(tokens, place) else (seen[0] if seen else topic)
                found.append(_standing(token, role))
                seen += [role] if role else []
            elif word in OBJECT_PRONOUNS:
                role = _other(seen, before, topic)
                found.append(_standing(token, role))
                seen += [role] if role else []
            elif sort := self._sort(tokens, place, seen, before, topic):
                if found and found[-1].lower in ("the", "this", "that"):
                    token = replace(token, start=found.pop().start)
                found.append(replace(token, kind="name", role=sort, how="sort"))
                seen.append(sort)
            else:
                found.append(token)
        return found, seen

    def _sort(
        self,
        tokens: Sequence[Token],
        place: int,
        seen: Sequence[str],
        before: Sequence[str],
        topic: str,
    ) -> str:
        """The role that "the country" or "this drug" stands for; "" if none."""
        if not place or tokens[place - 1].lower not in ("the", "this", "that"):
            return ""
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if after is not None and (
            after.role
            or after.lower == "of"
            or (after.kind == "word" and after.lower not in FUNCTION and not _is_verbal(after))
        ):
            return ""
        known = {topic, *seen, *before}
        word = lemma(tokens[place].lower)
        words = self._claim.relation
        kinds = {
            "S": {lemma(said) for said in words.subject_words},
            "O": {lemma(said) for said in words.object_words},
        }
        fits = [role for role, said in kinds.items() if word in said]
        if len(fits) == 2:  # "the country" of two: the one that the text is about
            return topic if topic in fits else ""
        return fits[0] if fits and fits[0] in known else ""


def _name(text: str, role: str) -> _Name:
    # As in sentences, the full stop of an initial is left out.
    tokens = [t for t in tokens_of(text) if t.kind != "space" and t.text != "."]
    return _Name(tuple(t.lower for t in tokens), tuple(t.text for t in tokens), role)


def _is_only_small(name: _Name, text: str) -> bool:
    """Does a text write a name of one capital word without it, and never with it inside a
    sentence?  "Aspirin" as a label is `aspirin` in a text."""
    word = name.texts[0]
    is_label = word[:1].isupper() and word[1:].islower()
    if not is_label or any(text[:1].isupper() for text in name.texts[1:]):
        return False
    tokens = tokens_of(text)
    own = [n for n, token in enumerate(tokens) if token.lower == name.words[0]]
    is_small = any(tokens[n].text[:1].islower() for n in own)
    within = [n for n in own if n and tokens[n - 1].kind == "word" and tokens[n].is_capital]
    return is_small and not [n for n in within if tokens[n - 1].text[:1].islower()]


def _capital_words(relation: RelationWords) -> frozenset[str]:
    """The capital words of a relation's phrases, as in "joined the European Union in"."""
    texts = (relation.sentence, *relation.phrases, *relation.implied_by)
    words = [token for text in texts for token in tokens_of(re.sub(r"\{[01]\}", "", text))]
    return frozenset(token.lower for token in words if token.is_capital)


def _short_forms(own: Sequence[_Name], found: Sequence[_Name], text: str) -> list[_Name]:
    """Last words of the claim's names, where the whole name stands in the text too."""
    said = [token.lower for token in tokens_of(text)]
    shorts: dict[tuple[str, ...], _Name] = {}
    for name in own:
        words, texts = name.words, name.texts
        capitals = all(t[:1].isupper() for t in texts if t.lower() not in _JOINTS)
        if len(words) < 2 or not capitals or "," in words or "of" in words:
            continue
        if not _contains(said, words):
            continue
        cut = 1 if words[0] in TITLES else len(words) - 1
        short = _Name(words[cut:], texts[cut:], name.role, "short")
        rivals = [other for other in found if other.role != name.role]
        if not any(word in rival.words for rival in rivals for word in short.words):
            shorts[short.words] = short
    return list(shorts.values())


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(
        tuple(words[n : n + len(part)]) == tuple(part) for n in range(len(words) - len(part) + 1)
    )


def _same_case(name: _Name, part: Sequence[Token]) -> bool:
    """A name that is written with capitals is not named by a word without any."""
    if not any(text[:1].isupper() for text in name.texts):
        return True
    if len(name.texts[0]) > 1 and name.texts[0].isupper() and len(name.texts) == 1:
        return part[0].text.isupper() or not name.texts[0].isalpha()
    return any(token.text[:1].isupper() or token.text[:1].isdigit() for token in part)


def _is_name_part(token: Token) -> bool:
    return token.is_capital and token.lower not in MONTHS and token.lower not in _WEEKDAYS


def _opens(tokens: Sequence[Token], place: int) -> bool:
    """Does a sentence, or a quotation in it, begin at a place?"""
    return place == 0 or tokens[place - 1].text in (
        '"',
        "“",
        "”",
        "(",
        ":",
        "'",
        "‘",
        "•",
        "-",
        "*",
    )


def _run_end(tokens: Sequence[Token], place: int) -> int:
    """The end of the run of capitals that begins at a place; the place itself if none does."""
    token = tokens[place]
    if not _is_name_part(token):
        return place
    if _opens(tokens, place) and _is_common(token):
        return place
    if token.lower == "i":
        return place
    end = place + 1
    while end < len(tokens):
        if _is_name_part(tokens[end]) or (
            tokens[end].kind == "number"
            and tokens[end - 1].is_capital
            and len(tokens[end].text) < 4
        ):
            end += 1
            continue
        joints = end
        while joints < len(tokens) and joints - end < 2 and tokens[joints].lower in _JOINTS:
            joints += 1
        if end < joints < len(tokens) and _is_name_part(tokens[joints]):
            end = joints + 1
            continue
        break
    return end


def _is_common(token: Token) -> bool:
    """Is a capital word that begins a sentence no name?"""
    word = token.lower
    if word in _PARTS:
        return False
    return word in _COMMON or is_adverb(word) or word.endswith(("ing", "ed"))


def _is_same_thing(tokens: Sequence[Token], start: int, end: int, run: int) -> bool:
    """Is a name, with the capitals behind it, still a name of the same thing?"""
    # "Prince Albert of Saxe-Coburg": two words are enough to tell who it is.
    return tokens[end].lower == "of" and end - start > 1


def _is_extended(tokens: Sequence[Token], end: int) -> bool:
    return end < len(tokens) and tokens[end].lower == "of"


def _is_within(tokens: Sequence[Token], place: int, found: Sequence[Token]) -> bool:
    """Does a longer name begin before a place and reach up to it?"""
    before = place - 1
    if before < 0:
        return False
    if tokens[before].lower in ("of", "the"):
        back = before
        while back >= 0 and tokens[back].lower in ("of", "the"):
            back -= 1
        if back < 0 or "of" not in [t.lower for t in tokens[back + 1 : place]]:
            return False
        head = tokens[back]
        if not _is_name_part(head) or head.lower in _ROLES:
            return False
        is_first = back == 0
        # "Residents of Cyprus" begins a sentence, as "Gulf of Guinea" may.
        return not (is_first and (_is_common(head) or head.lower.endswith("s")))
    head = tokens[before]
    if found and found[-1].role:
        return found[-1].role == "X" and found[-1].end + 1 == tokens[place].start
    if not _is_name_part(head) or head.lower in _ROLES or head.lower in FUNCTION:
        return False
    return not (_opens(tokens, before) and _is_common(head))


def _joined(tokens: Sequence[Token], role: str, how: str) -> Token:
    first, last = tokens[0], tokens[-1]
    text = " ".join(token.text for token in tokens)
    lower = " ".join(token.lower for token in tokens)
    return Token(text, lower, "name", first.start, last.end, role, how)


def _possessive(token: Token, role: str) -> list[Token]:
    if not role:
        return [token]
    return [
        replace(token, kind="name", role=role, how="pronoun"),
        Token("", "'s", "poss", token.end, token.end),
    ]


def _standing(token: Token, role: str) -> Token:
    return replace(token, kind="name", role=role, how="pronoun") if role else token


def _antecedent(tokens: Sequence[Token]) -> str:
    """The role of the name right before a relative pronoun; "" if a common noun is there."""
    before = [token for token in tokens[-2:] if token.text != ","]
    return before[-1].role if before else ""


def _is_verbal(token: Token) -> bool:
    word = token.lower
    return word in BE or word in AUXILIARY or word in MODALS or word.endswith(("ed", "s"))


def _is_possessive(word: str, after: Token | None) -> bool:
    if after is None or after.kind not in ("word", "number"):
        return False
    return word != "her" or after.lower not in FUNCTION


def _is_subject(tokens: Sequence[Token], place: int) -> bool:
    if tokens[place].lower != "it":
        return True
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    before = tokens[place - 1] if place else None
    if before is not None and before.lower in PREPOSITIONS:
        return False
    is_led = before is None or before.kind == "mark" or before.lower in FUNCTION
    has_verb = after is not None and after.lower in AUXILIARY | MODALS
    return has_verb or (is_led and after is not None and after.kind == "word")


def _is_expletive(tokens: Sequence[Token], place: int) -> bool:
    """Does `it` stand for what follows: "it is not true that", "it is said that"?"""
    if tokens[place].lower != "it":
        return False
    after = [token.lower for token in tokens[place + 1 : place + 9]]
    verbs = [n for n, word in enumerate(after[:3]) if word in BE or word in ("seems", "appears")]
    return bool(verbs) and ("that" in after or "whether" in after)


def _other(seen: Sequence[str], before: Sequence[str], topic: str) -> str:
    """What an object's pronoun stands for: not the subject of its own sentence."""
    subject = seen[0] if seen else topic
    for role in (*reversed(seen), *reversed(before)):
        if role != subject:
            return role
    return ""


def _topic(tokens: Sequence[Token], topic: str) -> str:
    """What a sentence is about, for the pronouns of the next; "" if that can't be told."""
    for place, token in enumerate(tokens):
        if token.role:
            return token.role
        if token.lower in BE or token.lower in MODALS:
            return ""
        if place > 0 and token.kind == "word" and token.lower not in FUNCTION and place > 8:
            return ""
    return topic if tokens and tokens[0].lower in FUNCTION else ""
