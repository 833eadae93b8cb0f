"""The paper's measures (section 4.3), for each question and over all, as exact fractions.

P is the set of predicted answers of a question, A that of its right ones, a its hard answer:

    Hits@Any    share of the questions with an answer in both P and A
    Hits@Hard   share of the questions with a in P
    HHR         Hits@Hard / Hits@Any
    precision   mean of |P and A| / |P|         recall   mean of |P and A| / |A|
    F1          mean of 2 |P and A| / (|P| + |A|)

What it leaves open: a question that predicts nothing has precision, recall and F1 0 and stays in
every mean.  One without right answers is in none.  HHR is undefined (None) without a hit, and what
is about hard answers is taken over the questions that have one.  The micro measures are of the
sums over all questions; a micro precision of nothing at all is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kgverify.experiments.scoring.gold import GoldQuestion
from kgverify.experiments.scoring.matching import (
    Articles,
    Texts,
    Words,
    is_negated,
    marked_form,
    normal_form,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question: `predicted` different answers, of which `right` are right; `gold`
    right ones, of which `found` are predicted.  By strict matching the two are the same number.

    `hard`: whether the hard answer is predicted, None where none is marked.  `first`: whether the
    first prediction is right."""

    id: str
    type: str
    predicted: int
    right: int
    gold: int
    found: int
    hard: bool | None
    first: bool

    @property
    def hit(self) -> bool:
        return self.found > 0

    @property
    def exact(self) -> bool:
        """Are the predicted answers the right ones, no more and no less?"""
        return self.right == self.predicted and self.found == self.gold

    @property
    def precision(self) -> Fraction:
        return Fraction(self.right, self.predicted) if self.predicted else Fraction(0)

    @property
    def recall(self) -> Fraction:
        return Fraction(self.found, self.gold)

    @property
    def f1(self) -> Fraction:
        """The harmonic mean of precision and recall, 0 where both are."""
        return _harmonic(self.precision, self.recall) or Fraction(0)


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures over questions.  None is undefined: a share of nothing."""

    questions: int
    hits: int
    hard_questions: int
    hard_hits: int
    hits_any: Fraction | None
    hits_hard: Fraction | None
    hhr: Fraction | None
    precision: Fraction | None
    recall: Fraction | None
    f1: Fraction | None
    micro_precision: Fraction | None
    micro_recall: Fraction | None
    micro_f1: Fraction | None
    exact: Fraction | None
    first: Fraction | None
    empty_predictions: int


def measures(outcomes: Sequence[Outcome]) -> Measures:
    """The measures over these questions."""
    number = len(outcomes)
    hits = sum(o.hit for o in outcomes)
    marked = [o for o in outcomes if o.hard is not None]
    hard_hits = sum(bool(o.hard) for o in marked)
    micro_precision = share(sum(o.right for o in outcomes), sum(o.predicted for o in outcomes))
    micro_recall = share(sum(o.found for o in outcomes), sum(o.gold for o in outcomes))
    return Measures(
        questions=number,
        hits=hits,
        hard_questions=len(marked),
        hard_hits=hard_hits,
        hits_any=share(hits, number),
        hits_hard=share(hard_hits, len(marked)),
        hhr=share(hard_hits, sum(o.hit for o in marked)),
        precision=mean(o.precision for o in outcomes),
        recall=mean(o.recall for o in outcomes),
        f1=mean(o.f1 for o in outcomes),
        micro_precision=micro_precision,
        micro_recall=micro_recall,
        micro_f1=(
            None
            if micro_recall is None
            else _harmonic(micro_precision or Fraction(0), micro_recall)
        ),
        exact=share(sum(o.exact for o in outcomes), number),
        first=share(sum(o.first for o in outcomes), number),
        empty_predictions=sum(not o.predicted for o in outcomes),
    )


def share(part: int, whole: int) -> Fraction | None:
    """A share; undefined of nothing."""
    return Fraction(part, whole) if whole else None


def mean(values: Iterable[Fraction]) -> Fraction | None:
    """The mean; undefined of nothing."""
    found = list(values)
    return sum(found, Fraction(0)) / len(found) if found else None


def as_floats(value: Any) -> Any:
    """A value for JSON: every fraction in it as the nearest float, tuples as lists."""
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, dict):
        return {key: as_floats(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [as_floats(inner) for inner in value]
    return value


def _harmonic(one: Fraction, other: Fraction) -> Fraction:
    return 2 * one * other / (one + other) if one + other else Fraction(0)


def by_type(outcomes: Sequence[Outcome]) -> dict[str, Measures]:
    """The measures of each rule type that questions have."""
    types = sorted({o.type for o in outcomes} - {""})
    return {type_: measures([o for o in outcomes if o.type == type_]) for type_ in types}


def strict(
    question: GoldQuestion,
    predicted: Sequence[str],
    articles: Articles = "all",
    aliases: bool = True,
) -> Outcome:
    """A prediction is right when it has the normal form of a right answer or of its alias.

    Predictions of one form, or that are names of one right answer, are one.  An answer's own name
    comes before another's alias."""
    return _by_form(question, predicted, lambda name: normal_form(name, articles), aliases)


def with_marks(question: GoldQuestion, predicted: Sequence[str]) -> Outcome:
    """The same, but punctuation and signs count where they can make another name."""
    return _by_form(question, predicted, marked_form, aliases=True)


def _by_form(
    question: GoldQuestion,
    predicted: Sequence[str],
    form_of: Callable[[str], str],
    aliases: bool,
) -> Outcome:
    owners = _owners(question, form_of, aliases)
    forms = [form for name in predicted if (form := form_of(name))]
    right = {owners[form] for form in forms if form in owners}
    wrong = {form for form in forms if form not in owners}
    hard = None if question.hard is None else form_of(question.hard) in right
    return Outcome(
        id=question.id,
        type=question.type,
        predicted=len(right) + len(wrong),
        right=len(right),
        gold=len({*owners.values()}),
        found=len(right),
        hard=hard,
        first=bool(forms) and forms[0] in owners,
    )


def _owners(
    question: GoldQuestion, form_of: Callable[[str], str], aliases: bool
) -> Mapping[str, str]:
    """The form of each name of a right answer, with that of the answer."""
    owners = {}
    for answer, others in question.aliases.items() if aliases else ():
        for name in others:
            owners[form_of(name)] = form_of(answer)
    for answer in question.answers:
        form = form_of(answer)
        owners[form] = form
    return owners


Finder = type[Texts] | type[Words]
PERMISSIVE: Mapping[str, Finder] = {"whole words": Words, "substring": Texts}


def permissive(question: GoldQuestion, predicted: Sequence[str], finder: Finder) -> Outcome:
    """A prediction is right when it holds a right answer, or one of its aliases, anywhere.

    Precision is the share of the predictions that do, so that it is never above 1."""
    owners = _owners(question, normal_form, aliases=True)
    forms = list(dict.fromkeys(form for name in predicted if (form := normal_form(name))))
    names = finder(owners)
    held = {form: {owners[name] for name in names.within(form)} for form in forms}
    found = set().union(*held.values())
    hard = None if question.hard is None else normal_form(question.hard) in found
    return Outcome(
        id=question.id,
        type=question.type,
        predicted=len(forms),
        right=sum(bool(h) for h in held.values()),
        gold=len({*owners.values()}),
        found=len(found),
        hard=hard,
        first=bool(forms) and bool(held[forms[0]]),
    )


def denied(question: GoldQuestion, predicted: Sequence[str]) -> bool:
    """Does a prediction hold a right answer together with a word of negation?"""
    if strict(question, predicted).hit:
        return False
    return any(is_negated(name) and permissive(question, [name], Words).hit for name in predicted)
