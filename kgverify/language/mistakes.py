"""Mistakes of syntax that have a name: what was meant, where the grammar only knows that it fits
nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kgverify.errors import did_you_mean
from kgverify.language.scanning import KEYWORDS

# Code, message and repair; the message is empty where "`…` can't stand here" will do.
Mistake = tuple[str, str, str]

_PROPERTIES = (
    "functional",
    "functional at a time",
    "inverse functional",
    "symmetric",
    "asymmetric",
    "irreflexive",
    "transitive",
    "inverse of",
    "sub of",
    "phrases",
)
_QUESTION_WORDS = ("require", "exclude", "prefer", "except", "weight", "assume", "assume closed")
_ORDER = "what follows a constraint has an order: `at`, `assume closed`, `except`, `weight`, text"
_OPERATORS = {"=>": ">=", "==": "=", "=<": "<=", "<>": "!="}
_IN_QUESTIONS_ONLY = {"/", "|", "^", "+", "<", ">"}


@dataclass(frozen=True)
class Place:
    """Where the grammar gave up: the statement's first word, the words before the place, what was
    found there ("" at the end), the word after it, and the grammar's names for what it expected."""

    first: str
    before: tuple[str, ...]
    found: str
    after: tuple[str, ...]
    expected: frozenset[str]

    def last(self, back: int = 1) -> str:
        """A word before the place, counted backwards from it."""
        return self.before[-back] if len(self.before) >= back else ""

    @property
    def is_word(self) -> bool:
        return self.found[:1].isalpha()


def named_mistake(at: Place) -> Mistake | None:
    """The mistake, if it is one of those that people make."""
    if at.first == "soft":
        steps = _IN_SOFT_RULES
    elif at.first in ("rule", *_no_keyword(at)):
        steps = _IN_RULES
    elif at.first == "relation":
        steps = _IN_RELATIONS
    elif at.first == "question":
        steps = _IN_QUESTIONS
    else:
        return None
    return next((mistake for step in steps for mistake in step(at)), None)


def _no_keyword(at: Place) -> tuple[str, ...]:
    return () if at.first in KEYWORDS else (at.first,)


def _hint(text: str) -> Mistake:
    return "syntax", "", text


# ---------------------------------------------------------------- rules


def _of_questions(at: Place) -> Iterator[Mistake]:
    group = at.found == "of" and at.last() in ("all", "any")
    group = group or (at.found == "least" and at.last() == "at")
    counts = at.last() == "count" and at.is_word
    time = at.found == "at" and at.last() == ")"
    if at.found in _IN_QUESTIONS_ONLY or group or counts or time:
        yield (
            "syntax",
            f"`{at.last() if counts else at.found}` can't stand in a rule",
            "paths, comparisons by size, counts, times and groups stand in questions only",
        )


def _soft(at: Place) -> Iterator[Mistake]:
    if at.before == ("soft",):
        yield _hint("the weight follows `soft`, as in `soft 0.4 near(X, Y) :- near(Y, X).`")
    elif at.found == "." and ":-" not in at.before:
        yield (
            "syntax",
            "a soft rule without a body",
            "a fact is certain, and has no `soft`; a soft rule says what makes its head plausible",
        )


# ---------------------------------------------------------------- relations


def _property(at: Place) -> Iterator[Mistake]:
    if at.last() == "functional" and at.found == "at":
        yield _hint("write `functional at a time`")
    elif at.is_word and at.expected & {"FLAG", "OF"}:
        hint = did_you_mean(at.found, _PROPERTIES)
        if hint:
            yield _hint(hint)


# ---------------------------------------------------------------- questions


def _head(at: Place) -> Iterator[Mistake]:
    if at.found in ("require", "exclude", "prefer") and "answer" not in at.before:
        yield (
            "missing-answer",
            "the question has no `answer` line",
            "write `answer x : Class` before its constraints",
        )
    elif at.found == "answer" and "answer" in at.before:
        yield _hint("a question has one answer")
    elif at.found == "answer" and "STRING" in at.expected:
        yield (
            "syntax",
            "the question has no text",
            'write one in "…" before `answer`, such as "Which ships call at {p}?"',
        )


def _operator(at: Place) -> Iterator[Mistake]:
    sign = _OPERATORS.get(at.last() + at.found)
    if sign:
        yield _hint(f"write `{sign}`")
    elif at.found in ("<", ">") and at.last()[:1] in tuple('0123456789-+"'):
        yield _hint("the path comes first, as in `born(x) < 1950-01-01`")


def _path(at: Place) -> Iterator[Mistake]:
    opened = _opening(at.before)
    if at.found == "^" and at.last() not in ("(", "/", "|", "^", ""):
        yield _hint("`^` stands before the relation that is walked backwards")
    elif at.found == "," and opened > 0 and at.before[opened - 1] in ("/", "|", "^"):
        yield (
            "syntax",
            f"a relation is missing behind `{at.before[opened - 1]}`",
            "`/` and `|` stand between two relations, `^` before one",
        )


def _opening(before: tuple[str, ...]) -> int:
    """The place of the innermost bracket that is still open; -1 if there is none."""
    depth = 0
    for place in range(len(before) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(before[place], 0)
        if depth < 0:
            return place
    return -1


def _count(at: Place) -> Iterator[Mistake]:
    if at.found == "(" and at.last(2) == "(" and at.last(3) == "count":
        yield _hint(f"write `count {at.last()}(x, _)`, without brackets around the atom")


def _group(at: Place) -> Iterator[Mistake]:
    if at.found == "{" and at.last() in ("all", "any"):
        yield _hint(f"write `{at.last()} of {{ … }}`")
    elif at.last() == "at" and at.found == "least":
        yield _hint("write the number in digits, as in `at least 2 of { … }`")
    elif at.last() == "at" and at.found == "most":
        yield _hint("there is no `at most`; `not at least 3 of { … }` is at most 2")
    elif at.found == "except" and "{" in at.before and at.before.count("{") > at.before.count("}"):
        yield _hint("exceptions belong to a whole constraint, not to a member of a group")


def _following(at: Place) -> Iterator[Mistake]:
    """Words behind a constraint."""
    if not at.expected & {"DEMAND", "WEIGHT", "EXCEPT"}:
        return
    if at.last() == "at":  # what is there begins like a year, and is none
        yield _hint("a date or a date parameter follows `at`: YYYY, YYYY-MM or YYYY-MM-DD")
    if not at.is_word:
        return
    if at.found in ("and", "or"):
        any_of = "write `any of { …, … }`"
        yield _hint("give each constraint its line" if at.found == "and" else any_of)
    elif at.found == "assume" and at.after[:1] != ("closed",):
        yield _hint("did you mean `assume closed`?")
    elif at.found in ("at", "assume") and (at.last() != ")" or _is_followed(at)):
        yield _hint(_ORDER if _is_followed(at) else _ATOMS_ONLY)
    elif at.found == "at":
        yield _hint("a date or a date parameter follows `at`")
    elif at.found in ("except", "weight"):
        yield _hint(_ORDER)
    elif hint := did_you_mean(at.found, _QUESTION_WORDS):
        yield _hint(hint)


_ATOMS_ONLY = (
    "`at` and `assume closed` belong to atoms, not to groups or to comparisons of entities"
)


def _is_followed(at: Place) -> bool:
    """Does the constraint have something already that comes after `at`?"""
    begin = max(
        (n for n, word in enumerate(at.before) if word in ("require", "exclude", "prefer")),
        default=0,
    )
    return bool({"closed", "except", "weight"} & set(at.before[begin:]))


_Step = Callable[[Place], Iterator[Mistake]]
_IN_RULES: tuple[_Step, ...] = (_of_questions,)
_IN_SOFT_RULES: tuple[_Step, ...] = (_soft, _of_questions)
_IN_RELATIONS: tuple[_Step, ...] = (_property,)
_IN_QUESTIONS: tuple[_Step, ...] = (_head, _operator, _path, _count, _group, _following)
