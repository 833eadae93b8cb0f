"""What a titled field says of a claim: a passage whose title is what it is about, whose heading is
what it says of that, and whose text lists what it says.

A rule file's phrases of the form `"Capital: {1}"` say which fields state a relation.  Nothing is
made of an entry with a word too many: "New Telmar", "Telmar (claimed)" and "Telmar III" are not
Telmar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgverify.evidence import quantities
from kgverify.evidence.english import FUNCTION, HARMLESS
from kgverify.evidence.field_forms import FieldForm, Terms, field_forms
from kgverify.evidence.field_notes import DENIED, Rest, read_rest
from kgverify.evidence.judging import Claim, Value
from kgverify.evidence.listed_names import ListedNames, is_title, looks_like_a_name
from kgverify.evidence.listing import Entry, entries, field_tokens, heading_parts
from kgverify.evidence.passages import Extent, Passage
from kgverify.evidence.terms import terms
from kgverify.evidence.wordlists import word_set

_PLAIN, _LESS, _OTHER, _OPEN = 0.95, 0.85, 0.8, 0.6
_LONGEST_NAME = 12  # words
_NONE = word_set("none nil nobody nothing")
# What stands in a field that names nothing.
_BLANK = _NONE | word_set(
    "unknown na various varies vacant unspecified other others see undetermined undefined tbd "
    "disputed unclear yes no uninhabited"
)


@dataclass(frozen=True, slots=True)
class FieldFinding:
    """What an entry of a field says of a claim: `kind` is `for`, `against`, `other` (another object
    where there can be one only) or `open`."""

    kind: str
    reason: str
    extent: Extent
    score: float


def field_findings(passage: Passage, claim: Claim) -> Iterator[FieldFinding]:
    """What a passage with a heading says of a claim, by the relation's phrases of fields."""
    words = claim.relation
    if not passage.heading or not (words.fields or words.implied_by_fields):
        return
    headings = heading_parts(passage.heading)
    sides = (claim.subject, claim.object)
    for form in field_forms(words):
        if not form.is_heading(headings):
            continue
        for place in (form.place, 1 - form.place) if words.is_symmetric else (form.place,):
            owner = sides[1 - place]
            kinds = (words.subject_words, words.object_words)[1 - place]
            if isinstance(owner, tuple) and is_title(passage.title, owner, kinds):
                is_one = words.is_functional if place else words.is_inverse_functional
                is_one = is_one or (words.is_symmetric and words.is_functional)
                field = _Field(passage.text, claim, form, headings, place)
                yield from field.findings(is_one and not form.is_implied)


class _Field:
    """A field whose title and heading fit a phrase; `place` is the side of the claim that is looked
    for in its text."""

    def __init__(
        self, text: str, claim: Claim, form: FieldForm, headings: Sequence[Terms], place: int
    ) -> None:
        self._claim, self._form, self._headings = claim, form, headings
        listed, owner = (claim.subject, claim.object)[:: -1 if place else 1]
        self._tokens = field_tokens(text)
        self._stated: dict[int, quantities.Stated] = {}
        self._value: Value | None = None
        if not isinstance(listed, Value):
            own = listed
        elif listed.kind == "string":
            own = (listed.text,)
        else:
            own, self._value = (), listed
            marked = quantities.mark(self._tokens, listed.kind)
            self._tokens, self._stated = list(marked.tokens), marked.stated
        others = owner if isinstance(owner, tuple) else ()
        self._names = ListedNames(own, (*claim.others, *others))
        self._entries = entries(self._tokens, text, self._names.length)

    def findings(self, is_one: bool) -> Iterator[FieldFinding]:
        """What the entries say; `is_one`: the field can list one thing only."""
        in_place = [(entry, *self._read(entry)) for entry in self._entries if self._fits(entry)]
        stated = [
            entry
            for entry, _, rest in in_place
            if rest.said != "denies" and any(token.kind != "number" for token in entry.tokens)
        ]
        for entry, named, rest in in_place:
            if self._value is not None:
                yield from self._of_value(entry, rest, self._value, is_one, len(stated))
            elif self._names.is_own(entry.tokens):
                yield self._of_own(entry, rest, is_one and len(stated) > 1)
            elif self._form.is_implied:
                continue
            elif self._is_denied(entry):
                yield self._finding("against", rest.reason, entry, _LESS)
            elif stated == [entry] and is_one and self._is_other(entry, named, rest):
                said = " ".join(token.text for token in entry.tokens[:named])
                yield self._finding("other", f"the field gives another: {said}", entry, _OTHER)
        if not self._form.is_implied and self._value is None:
            yield from self._elsewhere()

    # ------------------------------------------------------------ places

    def _fits(self, entry: Entry) -> bool:
        """Does an entry stand in the phrase's place?  The label `name` says no more than the
        heading does."""
        label = () if entry.label_words == ("name",) else entry.label
        return self._form.leads_to(self._headings, label)

    def _elsewhere(self) -> Iterator[FieldFinding]:
        """What is denied below a label of its own ("former capital: …"), or in the whole field."""
        bare = [entry for entry in self._entries if not entry.label]
        is_none = len(bare) == 1 and [token.lower in _NONE for token in bare[0].tokens] == [True]
        if is_none and not self._is_said():
            yield self._finding("against", "the field has none", bare[0], _LESS)
        for entry in self._entries:
            words = [word for word in entry.label_words if word not in DENIED]
            is_denied = len(words) < len(entry.label_words) and self._are_own(words)
            if is_denied and self._names.is_own(entry.tokens):
                _, rest = self._read(entry)
                if rest.said != "open":
                    yield self._finding("against", "the field denies it", entry, _LESS)

    def _are_own(self, words: Sequence[str]) -> bool:
        """Are these words those of the relation, or small ones?"""
        relation = self._claim.relation
        own = {term for part in self._form.path for term in part}
        own |= {term for text in (relation.sentence, *relation.phrases) for term in terms(text)}
        small = FUNCTION | HARMLESS
        return all(word in small or own.issuperset(terms(word)) for word in words)

    # ------------------------------------------------------------ entries

    def _read(self, entry: Entry) -> tuple[int, Rest]:
        """The length of an entry's name, and what is behind it."""
        tokens = entry.tokens
        named = entry.named
        if self._value is not None:
            named = 1
        elif not named:
            while named < len(tokens) and tokens[named].kind == "word":
                named += 1
            tail = self._form.tail
            said = tuple(terms(" ".join(token.text for token in tokens[:named])))
            named -= len(tail) if tail and said[-len(tail) :] == tail else 0
        if self._is_denied(entry):
            return named, Rest("denies", "the field denies it")
        rest = read_rest(tokens[named:], self._form)
        if not entry.is_apart and rest.said == "asserts":
            return named, Rest("open", "it may be a part of a longer name")
        return named, rest

    def _of_own(self, entry: Entry, rest: Rest, is_several: bool) -> FieldFinding:
        if rest.said == "denies" and not self._form.is_implied:
            return self._finding("against", rest.reason, entry, _LESS)
        if rest.said != "asserts":
            return self._finding("open", rest.reason, entry, _OPEN)
        if is_several:
            return self._finding("open", "the field lists several where one can be", entry, _OPEN)
        if self._claim.at:
            reason = f"the field does not tell of {self._claim.at}"
            return self._finding("open", reason, entry, _OPEN)
        is_less = rest.is_less or entry.is_joined or self._form.is_implied
        return self._finding("for", "the field lists it", entry, _LESS if is_less else _PLAIN)

    def _of_value(
        self, entry: Entry, rest: Rest, value: Value, is_one: bool, count: int
    ) -> Iterator[FieldFinding]:
        first = entry.tokens[0]
        stated = self._stated.get(first.start)
        if stated is None or self._claim.at or not quantities.can_compare(stated, value):
            return
        answer = quantities.compare(stated, value)
        reason = f"the field states {first.text}"
        if rest.said != "asserts" or answer == "open" or (is_one and count > 1):
            yield self._finding("open", rest.reason or reason, entry, _OPEN)
        elif answer == "yes":
            yield self._finding("for", reason, entry, _PLAIN)
        elif is_one:
            yield self._finding("other", reason, entry, _OTHER)

    def _is_denied(self, entry: Entry) -> bool:
        """Does a denial lead to a name that is looked for: "formerly Telmar"?"""
        tokens = entry.tokens
        if tokens[0].lower not in DENIED or entry.named:
            return False
        for place in range(1, len(tokens)):
            if self._names.is_own(tokens, place):
                words = [token.lower for token in tokens[1:place] if token.lower not in DENIED]
                behind = tokens[place + self._names.length(tokens, place) :]
                is_whole = read_rest(behind, self._form).said != "open" or bool(self._form.note)
                return is_whole and self._are_own(words)
        return False

    def _is_other(self, entry: Entry, named: int, rest: Rest) -> bool:
        """Does an entry surely name another thing than the one that is looked for?"""
        said = entry.tokens[:named]
        is_name = 0 < named <= _LONGEST_NAME and said[0].lower not in _BLANK
        if rest.said != "asserts" or not is_name or self._claim.at:
            return False
        is_name = looks_like_a_name(said) and not self._names.may_be_own(said)
        return is_name and not self._is_said()

    def _is_said(self) -> bool:
        """Does a name that is looked for stand anywhere in the field?"""
        return any(self._names.is_own(self._tokens, place) for place in range(len(self._tokens)))

    def _finding(self, kind: str, reason: str, entry: Entry, score: float) -> FieldFinding:
        extent = Extent(entry.tokens[0].start, entry.tokens[-1].end)
        return FieldFinding(kind, reason, extent, score)
