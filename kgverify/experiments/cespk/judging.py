"""Candidates, verified: what was decided about each, reduced to what is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgverify.errors import QuestionError
from kgverify.experiments import metrics
from kgverify.experiments.cespk.asking import GOLD, KINDS, Asked
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question, Status

POLICIES: dict[str, tuple[Status, ...]] = {
    "none": ("sat", "viol", "unk"),
    "filter": ("sat", "unk"),
    "strict": ("sat",),
}
_LEVEL = {"sat": 2.0, "unk": 1.0, "viol": 0.0}


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate of a question, its kind, and what was decided: `support` is the share of all
    constraints that are sat, `decided` their share of those that are decided."""

    question: str
    candidate: str
    kind: str
    verdict: Status
    support: float
    decided: float
    statuses: Mapping[str, Status]

    @property
    def is_gold(self) -> bool:
        return self.kind == GOLD

    @property
    def standing(self) -> float:
        """Where the policy `rank` puts it: by verdict, then by support."""
        return _LEVEL[self.verdict] + self.support / 2


def judge(
    verifier: Verifier, sets: Sequence[tuple[Sequence[Asked], str]]
) -> Iterator[list[Judged]]:
    """Verifies sets of questions, each as questions of one of the rule file's templates."""
    made = [
        as_question(q, template, f"{n} ")
        for n, (questions, template) in enumerate(sets)
        for q in questions
    ]
    answers = verifier.verify(made)
    for questions, _ in sets:
        found = []
        for question in questions:
            verdicts, problems = next(answers)
            faults = [problem for problem in problems if problem.is_error]
            if faults:
                raise QuestionError(faults)
            found += [_judged(question, verdict) for verdict in verdicts]
        yield found


def as_question(asked: Asked, template: str, mark: str = "") -> Question:
    """The question that the verifier is asked; `mark` begins its id."""
    candidates = tuple(map(Candidate, asked.kinds))
    return Question(f"{mark}{template} {asked.id}", template, dict(asked.arguments), candidates)


def _judged(question: Asked, verdict: Verdict) -> Judged:
    v, statuses = verdict, verdict.statuses
    decided = metrics.support(statuses, decided=True)
    kind = question.kinds[v.candidate]
    return Judged(question.id, v.candidate, kind, v.verdict, v.support, decided, statuses)


def measures(judged: Sequence[Judged]) -> dict[str, float | None]:
    """Everything that is measured of a set of questions, all candidates taken together."""
    gold = [j for j in judged if j.is_gold]
    others = [j for j in judged if not j.is_gold]
    found: dict[str, float | None] = {}
    for policy, kept in POLICIES.items():
        selected = metrics.selection((j.is_gold, j.verdict in kept) for j in judged)
        found[f"{policy} precision"] = selected.precision
        found[f"{policy} recall"] = selected.recall
        found[f"{policy} F1"] = selected.f1
    for name, group in (("gold", gold), ("others", others)):
        found[f"{name} support"] = metrics.mean(j.support for j in group)
        found[f"{name} decided support"] = metrics.mean(j.decided for j in group)
        for verdict in ("sat", "unk", "viol"):
            count = sum(j.verdict == verdict for j in group)
            found[f"{name} {verdict}"] = metrics.ratio(count, len(group))
    for name, score in SCORES.items():
        found[f"{name} MAP"] = metrics.mean(_average_precisions(judged, score))
    return found


# By what candidates may be ranked.
SCORES: dict[str, Callable[[Judged], float]] = {
    "rank": lambda j: j.standing,
    "support": lambda j: j.support,
    "decided support": lambda j: j.decided,
}


def _average_precisions(
    judged: Sequence[Judged], score: Callable[[Judged], float]
) -> list[float | None]:
    """The average precision of each question's ranking by a score."""
    questions: dict[str, list[tuple[float, bool]]] = {}
    for j in judged:
        questions.setdefault(j.question, []).append((score(j), j.is_gold))
    return [metrics.average_precision(scored) for scored in questions.values()]


def counts(judged: Sequence[Judged]) -> dict[str, dict[str, int]]:
    """How many candidates of each kind have each verdict."""
    return {
        kind: {
            verdict: sum(j.kind == kind and j.verdict == verdict for j in judged)
            for verdict in ("sat", "unk", "viol")
        }
        for kind in KINDS
        if any(j.kind == kind for j in judged)
    }
