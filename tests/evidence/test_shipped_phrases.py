"""The built-in judge understands every sentence, phrase and field of the shipped rule files.

A phrase that it finds no form of is never found in a text, and nobody would notice.  So each is
said of two names that nobody has, which states the claim.
"""

from __future__ import annotations

import pytest

from kgverify import Claim, Claims, Judgement, Passage, RuleJudge, load_rules, resources
from kgverify.language.fields import ANYTHING, read_field

FILES = [
    *sorted(p for p in resources.folder("rules").glob("*.kgr") if not p.stem.endswith("_test")),
    resources.folder("corpora") / "entailment" / "entailment_phrases.kgr",
]
BOOKS = {path.stem: load_rules(path) for path in FILES}
# "its" is a word of a text that stands for a name, "one gets" has a subject of its own.
NOT_UNDERSTOOD = {
    "{0} has had its present capital since {1}",
    "{0} moved its capital in {1}",
    "one gets from {0} to {1} overland, but only through other countries",
}


def said(phrase: str, subject: str, object_: str) -> str:
    if "{0}" not in phrase:
        phrase = f"{{0}} {phrase} {{1}}"
    text = phrase.replace("{0}", subject).replace("{1}", object_) + "."
    return text[0].upper() + text[1:]


def claim(stem: str, relation: str) -> tuple[Claim, str]:
    """A claim of the relation, and its object as a text has it."""
    claims, datatype = Claims(BOOKS[stem]), BOOKS[stem].datatype(relation)
    if not datatype:
        return claims.of("Aldorin", relation, "Bemvor"), "Bemvor"
    text = "1964" if datatype == "date" else "40"
    return claims.of("Aldorin", relation, claims.value(relation, text)), text


@pytest.mark.parametrize(
    ("stem", "relation"),
    [(stem, relation) for stem, book in BOOKS.items() for relation in book.relations],
)
def test_a_phrase_states_its_relation(stem: str, relation: str) -> None:
    judged, object_ = claim(stem, relation)
    declared = BOOKS[stem].relations[relation]
    for phrase in (declared.sentence, *declared.spoken):
        assert phrase is not None
        passage = Passage("p", said(phrase, "Aldorin", object_))
        other = Passage("p", said(phrase, "Aldorin", "1234567" if object_ == "40" else "Corvane"))
        [answer, elsewhere] = RuleJudge().judge([(passage, judged), (other, judged)])
        assert isinstance(answer, Judgement)
        assert isinstance(elsewhere, Judgement)
        label = "UNCERTAIN" if phrase in NOT_UNDERSTOOD else "ENTAILED"
        assert (phrase, answer.label) == (phrase, label)
        assert elsewhere.label != "ENTAILED"


@pytest.mark.parametrize(
    ("stem", "relation", "phrase"),
    [
        (stem, name, phrase)
        for stem, book in BOOKS.items()
        for name, declared in book.relations.items()
        for phrase in declared.fields
    ],
)
def test_a_field_states_its_relation(stem: str, relation: str, phrase: str) -> None:
    judged, object_ = claim(stem, relation)
    field = read_field(phrase)
    heading, *label = field.headings
    note = f" ({field.note})" if field.note not in ("", ANYTHING) else ""
    ends = ("Aldorin", object_)

    def passage(listed: str) -> Passage:
        text = f"{label[0]}: " if label else ""
        text += f"{listed}{note} {field.tail}".strip()
        return Passage("p", text, ends[1 - field.place], heading=heading)

    [answer, elsewhere] = RuleJudge().judge(
        [(passage(ends[field.place]), judged), (passage("Corvane"), judged)]
    )
    assert isinstance(answer, Judgement)
    assert isinstance(elsewhere, Judgement)
    assert answer.label == "ENTAILED", answer.reason
    assert elsewhere.label != "ENTAILED"
