"""What a judge is asked, and what it answers: three labels, or an error that is no label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from kgverify.errors import Problem
from kgverify.evidence.passages import Extent, Passage

Label = Literal["ENTAILED", "UNCERTAIN", "NOT_ENTAILED"]
LABELS: tuple[Label, ...] = ("ENTAILED", "UNCERTAIN", "NOT_ENTAILED")


class RelationWords(msgspec.Struct, frozen=True):
    """How a relation is said in words.

    `sentence` has `{0}` for the subject and `{1}` for the object; `phrases` stand between the two,
    the subject first, or have the two places themselves.  `is_functional`: a subject has one object
    at a time; `is_inverse_functional`: an object has one subject; `is_symmetric`: it holds in both
    directions; `is_one_way`: it never holds in both.

    `fields` are phrases of titled fields (docs/rule-language.md): each has one place, and the title
    of a passage stands for the other.

    `implied_by` are phrases of narrower relations, which say no less and deny nothing, and
    `implied_by_fields` those that have the form of a field.
    `subject_words` and `object_words` are common nouns for the two, as in "the country"."""

    name: str
    sentence: str = ""
    phrases: tuple[str, ...] = ()
    is_functional: bool = False
    is_symmetric: bool = False
    is_inverse_functional: bool = False
    is_one_way: bool = False
    implied_by: tuple[str, ...] = ()
    subject_words: tuple[str, ...] = ()
    object_words: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    implied_by_fields: tuple[str, ...] = ()


class Value(msgspec.Struct, frozen=True):
    """A number, a date or a string that a claim is about, as it is written; `unit` is "" if none.

    `comparison` says how what the text states must compare with it."""

    kind: Literal["number", "date", "string"]
    text: str
    unit: str = ""
    comparison: Literal["=", "!=", "<", "<=", ">", ">="] = "="


class Claim(msgspec.Struct, frozen=True):
    """A fact that a passage may state: a relation between a subject and an object.

    Each of the two has one or several names, the usual one first.  `others` are names of further
    things that text may confuse with them, such as longer names that contain them.  `hypothesis` is
    the fact as a sentence.  `at` is when it should hold, a year, month or day; "" is now."""

    subject: tuple[str, ...]
    relation: RelationWords
    object: tuple[str, ...] | Value
    hypothesis: str
    others: tuple[str, ...] = ()
    at: str = ""


class Judgement(msgspec.Struct, frozen=True):
    """What a judge says of a claim and a passage.

    `score` is within [0, 1]: how sure the judge is of its label, by its own measure, which is no
    probability.  `extent` is where in the passage's text the label comes from; None where the judge
    names no place.  `reason` is for people."""

    label: Label
    score: float
    extent: Extent | None = None
    reason: str = ""


class Failure(msgspec.Struct, frozen=True):
    """A judge's answer that is none.  It is never a label: a policy may admit what is UNCERTAIN,
    and must not admit what nobody judged.  `raw` is what the judge said, whole."""

    problem: Problem
    raw: str = ""


class Judge(Protocol):
    """Says of claims whether passages state them."""

    @property
    def name(self) -> str:
        """The kind of judge and its model: two judges of one name are the same judge."""

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        """One answer for each pair.  The same pair has the same answer, whatever else is asked."""
