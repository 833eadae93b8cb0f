"""The built-in judge: it works from the rule file's words, and says UNCERTAIN when it doesn't know.

It looks for the forms in which English says a relation's phrases (`phrasing`, `matching`), with the
claim's names in them (`naming`) or its value (`quantities`), and asks what the sentence does with
what it says (`cues`).  Of a passage with a heading it asks too what the field lists (`fields`).
It has no idea of the world.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kgverify.evidence import cues, quantities
from kgverify.evidence.english import FUNCTION, is_adverb
from kgverify.evidence.fields import field_findings
from kgverify.evidence.judging import Claim, Failure, Judgement, Label, Value
from kgverify.evidence.matching import Match, matches
from kgverify.evidence.naming import Names
from kgverify.evidence.passages import Extent, Passage
from kgverify.evidence.phrasing import Element, Form, forms_of
from kgverify.evidence.tokens import Token

VERSION = 2
_PLAIN, _LESS = 0.95, 0.85  # a form as it is, and one with a pronoun, a list or the like
_OTHER = 0.8  # another object where there can be one only
_OPEN, _NOTHING = 0.6, 0.5
_FIELD = -1  # the sentence of what a field says: it is in none
_LESS_PLAIN = frozenset(("list", "shared", "joined", "adjunct"))


@dataclass(frozen=True, slots=True)
class _Finding:
    """What one sentence says of the claim.  `kind` is `for`, `against`, `other` (another object or
    subject where there is one only) or `open`."""

    kind: str
    reason: str
    extent: Extent
    score: float
    sentence: int


class RuleJudge:
    """Judges by the rule file's phrases."""

    @property
    def name(self) -> str:
        """The judge's name, with the version of what it knows."""
        return f"built-in rules {VERSION}"

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        """One answer for each pair."""
        return [judge_pair(passage, claim) for passage, claim in pairs]


def judge_pair(passage: Passage, claim: Claim) -> Judgement:
    """Does a passage state a claim?"""
    found = sorted(
        {*_findings(passage, claim), *_of_field(passage, claim)},
        key=lambda f: (-f.score, f.extent.start, f.extent.end, f.reason),
    )
    speaks_for = [f for f in found if f.kind == "for"]
    against = [f for f in found if f.kind == "against"]
    others = [f for f in found if f.kind == "other"]
    opens = [f for f in found if f.kind == "open"]
    if speaks_for and against:
        reason = f"the passage disagrees with itself: {speaks_for[0].reason}; {against[0].reason}"
        return Judgement("UNCERTAIN", _NOTHING, speaks_for[0].extent, reason)
    if speaks_for:
        best = speaks_for[0]
        apart = [f for f in others if f.sentence not in {s.sentence for s in speaks_for}]
        if apart:
            reason = f"the passage disagrees with itself: {best.reason}; {apart[0].reason}"
            return Judgement("UNCERTAIN", _NOTHING, best.extent, reason)
        return _judgement("ENTAILED", best)
    if against:
        return _judgement("NOT_ENTAILED", against[0])
    if others:
        return _judgement("NOT_ENTAILED", others[0])
    if opens:
        return _judgement("UNCERTAIN", opens[0])
    return Judgement("UNCERTAIN", _NOTHING, None, _nothing(passage, claim))


def _judgement(label: Label, finding: _Finding) -> Judgement:
    return Judgement(label, finding.score, finding.extent, finding.reason)


def _nothing(passage: Passage, claim: Claim) -> str:
    """Why nothing was found."""
    names = Names(claim, passage)
    roles = {t.role for s in names.sentences(passage.text) for t in s.tokens} | {names.title}
    missing = [
        f"`{said[0]}`"
        for role, said in (("S", claim.subject), ("O", claim.object))
        if isinstance(said, tuple) and role not in roles
    ]
    if missing:
        return f"the passage does not name {' and '.join(missing)}"
    what = "them" if isinstance(claim.object, tuple) else f"`{claim.subject[0]}`"
    return f"the passage says nothing of {what} that the relation's phrases cover"


# ------------------------------------------------------------------ findings


def _findings(passage: Passage, claim: Claim) -> Iterator[_Finding]:
    names = Names(claim, passage)
    forms = forms_of(claim.relation)
    value = claim.object if isinstance(claim.object, Value) else None
    if value is not None and value.kind == "date":
        forms = replace(forms, forms=tuple(map(_dated, forms.forms)))
    said = names.sentences(passage.text)
    marked = [
        quantities.Marked(sentence.tokens, {})
        if value is None or value.kind == "string"
        else quantities.mark(sentence.tokens, value.kind)
        for sentence in said
    ]
    for number, sentence in enumerate(said):
        tokens = marked[number].tokens
        if not _may_say({token.role for token in tokens}, claim):
            continue
        following = marked[number + 1].tokens if number + 1 < len(said) else ()
        for form in forms.forms:
            for match in matches(form, tokens):
                reading = cues.read(match, sentence, tokens, forms, following, passage.text)
                finding = _finding(match, reading, tokens, claim, marked[number].stated)
                if finding is not None:
                    yield replace(finding, sentence=number)


def _of_field(passage: Passage, claim: Claim) -> Iterator[_Finding]:
    for found in field_findings(passage, claim):
        yield _Finding(found.kind, found.reason, found.extent, found.score, _FIELD)


def _may_say(roles: set[str], claim: Claim) -> bool:
    """Can a sentence that names these say anything of the claim?  It names both sides, or one that
    can have no other beside it."""
    if isinstance(claim.object, Value) or {"S", "O"} <= roles:
        return "S" in roles
    words = claim.relation
    return ("S" in roles and words.is_functional) or ("O" in roles and words.is_inverse_functional)


def _finding(
    match: Match,
    reading: cues.Reading,
    tokens: Sequence[Token],
    claim: Claim,
    stated: dict[int, quantities.Stated],
) -> _Finding | None:
    subject, object_ = tokens[match.slot(0)], tokens[match.slot(1)]
    extent = Extent(tokens[match.start].start, tokens[match.end - 1].end)
    if object_.role == "V" and isinstance(claim.object, Value):
        if subject.role != "S":
            return None
        what = stated[object_.start]
        if not quantities.can_compare(what, claim.object):
            return None
        return _of_value(match, reading, what, claim, extent, tokens)
    if claim.at:
        reading = _at(reading, claim.at)
    roles = subject.role, object_.role
    if claim.relation.is_symmetric and roles in (("O", "S"), ("O", "X"), ("X", "S")):
        roles = roles[1], roles[0]
    if roles == ("S", "O"):
        return _direct(match, reading, tokens, extent)
    if match.form.is_implied or reading.kind != "asserts":
        return None
    if roles == ("O", "S"):
        is_named = all(token.how in ("name", "short") for token in (subject, object_))
        if claim.relation.is_one_way and is_named:
            reason = "the passage states it of the two exchanged"
            return _Finding("other", reason, extent, _OTHER, 0)
        return None
    if roles == ("S", "X") and claim.relation.is_functional:
        other = object_
    elif roles == ("X", "O") and claim.relation.is_inverse_functional:
        other = subject
    else:
        return None
    if other.how != "name" or _may_be(other, claim, roles.index("X")):
        return None
    if any(kind in _LESS_PLAIN for _, kind in match.skipped):
        return None
    which = "object" if roles[1] == "X" else "subject"
    return _Finding("other", f"the passage gives another {which}: {other.text}", extent, _OTHER, 0)


def _direct(
    match: Match, reading: cues.Reading, tokens: Sequence[Token], extent: Extent
) -> _Finding:
    kinds = {kind for _, kind in match.skipped}
    ends = [tokens[match.slot(number)] for number in (0, 1)]
    is_plain = not kinds & _LESS_PLAIN and all(token.how == "name" for token in ends)
    score = _PLAIN if is_plain else _LESS
    if reading.kind == "asserts":
        after = _goes_on(match, tokens)
        if after:
            return _Finding("open", f"`{after}` may change what is meant", extent, _OPEN, 0)
        return _Finding("for", "the passage states it", extent, score, 0)
    if reading.kind == "denies":
        if match.form.is_implied:
            reason = f"{reading.reason}, but only something narrower"
            return _Finding("open", reason, extent, _OPEN, 0)
        return _Finding("against", reading.reason, extent, score, 0)
    if reading.ended and not match.form.is_implied and is_plain:
        return _Finding("against", reading.reason, extent, _OTHER, 0)
    return _Finding("open", reading.reason, extent, _OPEN, 0)


def _at(reading: cues.Reading, at: str) -> cues.Reading:
    """What a sentence says of a time, from the years that it gives."""
    if reading.kind == "denies" or (reading.kind == "open" and not reading.is_past):
        return reading
    first, last = reading.years
    if not at[:4].isdigit():
        return cues.Reading("open", "the claim's time can't be read")
    year = int(at[:4])
    if last is not None and year > last:
        return cues.Reading("denies", f"it was so until {last}")
    if first is not None and year < first:
        return cues.Reading("open", f"the passage tells of the time since {first}")
    is_within = first is not None and (last is None or year < last) and year != first
    if is_within and (last is not None or reading.kind == "asserts"):
        return cues.Reading("asserts")
    return cues.Reading("open", f"the passage does not tell of {year}")


def _of_value(
    match: Match,
    reading: cues.Reading,
    stated: quantities.Stated,
    claim: Claim,
    extent: Extent,
    tokens: Sequence[Token],
) -> _Finding:
    assert isinstance(claim.object, Value)
    text = tokens[match.slot(1)].text
    if reading.kind == "open":
        return _Finding("open", reading.reason, extent, _OPEN, 0)
    answer = quantities.compare(stated, claim.object)
    if reading.kind == "denies":
        if answer == "yes" and claim.object.comparison == "=":
            return _Finding("against", reading.reason, extent, _LESS, 0)
        return _Finding("open", f"the passage denies {text} only", extent, _OPEN, 0)
    if answer == "yes":
        return _Finding("for", f"the passage states {text}", extent, _PLAIN, 0)
    if answer == "no" and claim.relation.is_functional:
        return _Finding("other", f"the passage states {text}", extent, _LESS, 0)
    return _Finding("open", f"the passage states {text}, which leaves it open", extent, _OPEN, 0)


def _dated(form: Form) -> Form:
    """A form for dates: a day is `on` what a year is `in`."""

    def wide(element: Element) -> Element:
        if element.kind == "word" and element.stems & {"on", "in"}:
            return replace(element, stems=element.stems | {"on", "in"})
        return element

    return replace(form, elements=tuple(map(wide, form.elements)))


def _may_be(other: Token, claim: Claim, place: int) -> bool:
    """May another name be a shorter or longer one of the same thing?"""
    own = claim.object if place == 1 else claim.subject
    if not isinstance(own, tuple):
        return True
    words = set(other.lower.split())
    return any(words & set(name.casefold().split()) for name in own)


def _goes_on(match: Match, tokens: Sequence[Token]) -> str:
    """The noun behind a form's last name of which that is a part, as in "asthma inhalers"; "" if
    there is none."""
    last = match.end - 1
    if match.form.elements[match.places.index(last)].kind != "slot" or tokens[last].how != "name":
        return ""
    after = tokens[last + 1] if last + 1 < len(tokens) else None
    if after is None or after.kind != "word" or after.is_capital or tokens[last].role == "V":
        return ""
    word = after.lower
    is_other = word in FUNCTION or is_adverb(word) or word.endswith(("ed", "ing"))
    return "" if is_other or word in ("well", "away", "respectively", "north", "south") else word
