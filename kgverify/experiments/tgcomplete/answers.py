"""How good a method's answers are: strictly, and by all names of the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kgverify.experiments.scoring.comparing import McNemar, mcnemar, paired
from kgverify.experiments.scoring.matching import normal_form
from kgverify.experiments.scoring.measuring import Outcome
from kgverify.experiments.statistics import Interval, paired_difference
from kgverify.experiments.tgcomplete.records import Answered, MethodRun, PathQuestion

Names = Mapping[str, tuple[str, ...]]


def strictly(
    questions: Sequence[PathQuestion],
    answered: Iterable[Answered],
    names: Names | None = None,
) -> tuple[Outcome, ...]:
    """What came of each question, in their order: an answer is right if it is the id of a right
    one.  An answer that is no id of `names` is right too if it is the first name of one, letter by
    letter.

    `Outcome.first` is the paper's exact match (EM): the best answer is right.  `Outcome.exact` says
    that the answers are the right ones, no more and no less.  Questions without right answers are
    left out, for their recall is one of nothing.

    Raises ValueError unless each question is answered once, and no other."""
    known = names or {}

    def matcher(right: frozenset[str]) -> Callable[[str], str | None]:
        usual = {known[id_][0]: id_ for id_ in sorted(right, reverse=True) if known.get(id_)}

        def match(answer: str) -> str | None:
            if answer in right:
                return answer
            return None if answer in known else usual.get(answer)

        return match

    return _outcomes(questions, answered, matcher, lambda answer: answer)


def by_names(
    questions: Sequence[PathQuestion], answered: Iterable[Answered], names: Names
) -> tuple[Outcome, ...]:
    """The same, but an answer is right too if one of its names is one of a right answer's.

    `names` has the label and the other names of each id; an answer that is no id of it is a name
    itself.  Names are compared without case, punctuation and articles.  Two things of one name
    can't be told apart by it, so the one is right where the other is."""

    def forms(answer: str) -> list[str]:
        return [form for name in names.get(answer, (answer,)) if (form := normal_form(name))]

    def matcher(right: frozenset[str]) -> Callable[[str], str | None]:
        owners = {form: id_ for id_ in sorted(right, reverse=True) for form in forms(id_)}

        def match(answer: str) -> str | None:
            if answer in right:
                return answer
            return next((owners[form] for form in forms(answer) if form in owners), None)

        return match

    def plain(answer: str) -> str:
        return answer if answer in names else normal_form(answer)

    return _outcomes(questions, answered, matcher, plain)


def _outcomes(
    questions: Sequence[PathQuestion],
    answered: Iterable[Answered],
    matcher: Callable[[frozenset[str]], Callable[[str], str | None]],
    plain: Callable[[str], str],
) -> tuple[Outcome, ...]:
    """`matcher` finds the right answer that an answer is; wrong ones are one if `plain` makes them
    equal."""
    given = [(one.question, one.answers) for one in answered]
    ids = [question.id for question in questions]
    if len(dict(given)) < len(given) or len(set(ids)) < len(ids):
        raise ValueError("a question is there twice")
    _, found = paired(dict.fromkeys(ids), dict(given))
    answers = dict(zip(sorted(ids), found, strict=True))
    outcomes = []
    for question in questions:
        if question.answers:
            match = matcher(question.answers)
            matched = [(match(answer), answer) for answer in answers[question.id]]
            right = {id_ for id_, _ in matched if id_ is not None}
            wrong = {plain(answer) for id_, answer in matched if id_ is None}
            outcomes.append(
                Outcome(
                    id=question.id,
                    type=f"{len(question.path)} hops",
                    predicted=len(right) + len(wrong),
                    right=len(right),
                    gold=len(question.answers),
                    found=len(right),
                    hard=None,
                    first=bool(matched) and matched[0][0] is not None,
                )
            )
    return tuple(outcomes)


# ------------------------------------------------------------------ two methods


@dataclass(frozen=True, slots=True)
class Compared:
    """Two methods on the same questions: McNemar's test on first answers and on whole sets, and the
    mean differences, first minus second, with the interval of the paired bootstrap."""

    questions: int
    first: McNemar
    exact: McNemar
    first_difference: Interval
    exact_difference: Interval
    f1_difference: Interval


def compare(ours: Sequence[Outcome], theirs: Sequence[Outcome], seed: int) -> Compared:
    """The paired tests.  Raises ValueError when the two are not about the same questions."""
    one, other = paired({o.id: o for o in ours}, {o.id: o for o in theirs})
    firsts = [o.first for o in one], [o.first for o in other]
    exacts = [o.exact for o in one], [o.exact for o in other]
    scores = [float(o.f1) for o in one], [float(o.f1) for o in other]
    return Compared(
        questions=len(one),
        first=mcnemar(*firsts),
        exact=mcnemar(*exacts),
        first_difference=paired_difference(*firsts, seed=seed),
        exact_difference=paired_difference(*exacts, seed=seed),
        f1_difference=paired_difference(*scores, seed=seed),
    )


@dataclass(frozen=True, slots=True)
class CostPerQuestion:
    """What a question costs on average."""

    searches: Fraction
    judged: Fraction
    calls: Fraction
    seconds: float


def cost_per_question(run: MethodRun) -> CostPerQuestion | None:
    """The mean cost of the questions that a run answered; None of none."""
    number, cost = len(run.answered), run.cost
    if not number:
        return None
    return CostPerQuestion(
        Fraction(cost.searches, number),
        Fraction(cost.judged, number),
        Fraction(cost.calls, number),
        cost.seconds / number,
    )
