"""Verdicts: what was decided about each candidate, ranked; evidence is looked up on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kgverify.explaining import Account, Batch, status_of
from kgverify.reasoning.deciding import VERDICTS, Decision, Decisions, Request
from kgverify.vocabulary import (
    Basis,
    Candidate,
    Constraint,
    Explanation,
    Pins,
    Question,
    Status,
)

# Why a constraint is open, gravest first.
REASONS = ("conflict", "ill-typed", "imprecise", "missing", "unresolved")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one candidate of one question.

    `candidate` is the entity's exact id, `label` its name for people.  `support` is the weighted
    share of all constraints that are sat.  `basis` is the weakest kind of evidence that a sat
    verdict needs, "" for other verdicts.  `rank` counts from 1 within the question; `kept` says
    what the policy does with the candidate.  `constraints` are worked out when looked at."""

    question: str
    candidate: str
    label: str
    verdict: Status
    support: float
    basis: Basis
    rank: int
    kept: bool
    score: float | None
    pins: Pins
    _decisions: Decisions = field(repr=False, compare=False)
    _place: int = field(repr=False, compare=False)
    _request: Request = field(repr=False, compare=False)
    _batch: Batch = field(repr=False, compare=False)

    @property
    def decision(self) -> Decision:
        """What the solver said, with the exact support."""
        return self._decisions[self._place]

    @property
    def _account(self) -> Account:
        candidate = self._request.candidates[self._place]
        return Account(self._batch, self._request, candidate, self.decision)

    @property
    def statuses(self) -> dict[str, Status]:
        """Each constraint's status by its id; cheaper than `constraints`."""
        found = self.decision.statuses
        return {c.id: status_of(found[c.index]) for c in self._request.template.items}

    @property
    def constraint_texts(self) -> tuple[tuple[str, bool], ...]:
        """The constraints as written, with the question's arguments; and which are required."""
        return self._account.constraint_texts

    @property
    def question_text(self) -> str:
        """The question in the rule file's words."""
        return self._account.question_text

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Every constraint with its status, reason, evidence and what would settle it."""
        return self._account.constraints

    def to_dict(self) -> dict[str, Any]:
        """The verdict as a JSON object."""
        return {
            "question": self.question,
            "candidate": self.candidate,
            "label": self.label,
            "verdict": self.verdict,
            "support": self.support,
            "basis": self.basis,
            "rank": self.rank,
            "kept": self.kept,
            "score": self.score,
            "constraints": [c.to_dict() for c in self.constraints],
            "pins": {"kg": self.pins.kg, "rules": self.pins.rules, "version": self.pins.version},
        }

    def explain(self) -> Explanation:
        """The proofs behind each constraint."""
        account = self._account
        return Explanation(
            self.question,
            account.question_text,
            self.candidate,
            self.label,
            self.verdict,
            self.support,
            account.explained,
            self.pins,
        )


def rank(
    question: Question,
    candidates: Sequence[Candidate],
    request: Request,
    decisions: Decisions,
    batch: Batch,
    policy: str,
    pins: Pins,
) -> list[Verdict]:
    """The verdicts of one question, best first: by verdict, support, evidence, score, id."""
    names = [batch.names[id_][0] for id_ in request.given_candidates]
    labels = [batch.names[id_][1] for id_ in request.given_candidates]
    required = [c.index for c in request.template.items if c.required]
    weakness = [
        2 if assumed.any() else int(derived.any())
        for derived, assumed in zip(
            decisions.derived[:, required], decisions.assumed[:, required], strict=True
        )
    ]
    codes = decisions.verdicts.tolist()
    scores = [float("inf") if c.score is None else -c.score for c in candidates]
    order = sorted(
        range(len(names)),
        key=lambda n: (codes[n], -decisions.supports[n], weakness[n], scores[n], names[n]),
    )
    bases: tuple[Basis, ...] = ("asserted", "derived", "assumed")
    return [
        Verdict(
            question.id,
            names[n],
            labels[n],
            VERDICTS[codes[n]],  # type: ignore[arg-type]
            decisions.supports[n] / decisions.whole,
            bases[weakness[n]] if VERDICTS[codes[n]] == "sat" else "",
            place,
            _kept(VERDICTS[codes[n]], policy),
            candidates[n].score,
            pins,
            decisions,
            n,
            request,
            batch,
        )
        for place, n in enumerate(order, 1)
    ]


def _kept(verdict: str, policy: str) -> bool:
    return policy == "rank" or verdict == "sat" or (policy == "filter" and verdict == "unk")
