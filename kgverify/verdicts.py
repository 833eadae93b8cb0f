"""Verdicts: what was decided about each candidate, ranked; evidence is looked up on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import structs

from kgverify.batches import Batch
from kgverify.believing import Believed
from kgverify.explaining import Account, status_of
from kgverify.reasoning.deciding import STATUSES, VERDICTS, Decision, Decisions, Request
from kgverify.reasoning.exact import Refined, Ruling
from kgverify.reasoning.plausibility import Plausibilities, Weighed
from kgverify.reasoning.texts import Stated, Texts
from kgverify.vocabulary import (
    Basis,
    Candidate,
    Constraint,
    Explanation,
    Pins,
    Question,
    Status,
)

# What the statuses of a verdict rest on, weakest last.
_BASES: tuple[Basis, ...] = ("asserted", "derived", "assumed", "admitted", "inferred")
_ASSUMED = _BASES.index("assumed")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one candidate of one question.

    `candidate` is the entity's exact id, `label` its name for people.  `support` is the weighted
    share of all constraints that are sat.  `basis` is the weakest kind of evidence that a sat
    verdict needs, "" for other verdicts, but `exact` for one of exact mode that no evidence
    decides, and `admitted` for one that is viol by admitted edges only.  `rank` counts from 1
    within the question; `kept` says what the policy does with the candidate.  `plausibility` is the
    share of the weight of all constraints that is open and plausible, less what is plausibly wrong;
    None where the rule file has no soft rules.  `stated` is the same share by the judge's scores of
    what passages state; None where none were read.  `constraints` are worked out when looked at."""

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
    _refined: Refined | None = field(default=None, repr=False, compare=False)
    _plausible: Plausibilities | None = field(default=None, repr=False, compare=False)
    plausibility: float | None = None
    _texts: Texts | None = field(default=None, repr=False, compare=False)
    stated: float | None = None
    _believed: Believed | None = field(default=None, repr=False, compare=False)

    @property
    def decision(self) -> Decision:
        """What the solver said, with the exact support."""
        return self._decisions[self._place]

    @property
    def _account(self) -> Account:
        candidate = self._request.candidates[self._place]
        ruling = Ruling(self._refined, self._request, self._place) if self._refined else None
        weighed = Weighed(self._plausible, self._place) if self._plausible else None
        stated = Stated(self._texts, self._place) if self._texts else None
        request, decision, believed = self._request, self.decision, self._believed
        if believed is None:
            return Account(self._batch, request, candidate, decision, ruling, weighed, stated)
        more = None, weighed, stated
        alone = Account(self._batch, request, candidate, believed.alone, *more)
        edges = believed.edges
        return Account(believed.batch, request, candidate, decision, *more, edges, alone)

    @property
    def statuses(self) -> dict[str, Status]:
        """Each constraint's status by its id; cheaper than `constraints`."""
        found = self.decision.statuses
        return {c.id: status_of(found[c.index]) for c in self._request.template.items}

    @property
    def parts(self) -> dict[str, Status]:
        """The same, with the members of groups."""
        found = self.decision.statuses
        return {c.id: status_of(found[c.index]) for c in self._request.template.constraints}

    @property
    def deciding(self) -> dict[str, Status]:
        """The members of groups that decide them, as many as it takes, with their statuses, by
        id."""
        return self._account.deciding

    @property
    def admitted(self) -> frozenset[str]:
        """The ids of the constraints whose status needs an admitted edge."""
        found = self.decision.admitted
        return frozenset(c.id for c in self._request.template.items if c.index in found)

    @property
    def plausibilities(self) -> dict[str, tuple[float, float]]:
        """How plausible it is that a constraint holds, and that it does not, by its id: of those
        that evidence leaves open and soft rules speak about."""
        return self._sides(self._plausible)

    @property
    def statements(self) -> dict[str, tuple[float, float]]:
        """How surely passages state that a constraint holds, and that it does not, by its id: of
        those that evidence leaves open and passages speak about."""
        return self._sides(self._texts.leaning if self._texts else None)

    def _sides(self, leaning: Plausibilities | None) -> dict[str, tuple[float, float]]:
        if leaning is None:
            return {}
        found = {}
        for constraint in self._request.template.items:
            sides = leaning.open_sides(self._place, constraint.index)
            if sides is not None:
                found[constraint.id] = float(sides[0]), float(sides[1])
        return found

    @property
    def _infer_from(self) -> str:
        """From which plausibility on an atom counted as true, exactly; "" for never."""
        from_ = self._plausible.infer_from if self._plausible else None
        return "" if from_ is None else str(from_)

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
        more = {"plausibility": self.plausibility, "stated": self.stated}
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
            **{name: share for name, share in more.items() if share is not None},
            "constraints": [c.to_dict() for c in self.constraints],
            "pins": msgspec.to_builtins(self.pins),
        }

    def explain(self) -> Explanation:
        """The proofs behind each constraint."""
        account = self._account
        explained = account.explained
        return Explanation(
            self.question,
            account.question_text,
            self.candidate,
            self.label,
            self.verdict,
            self.support,
            explained,
            self.pins,
            account.joint,
            account.joint_proof,
            self._plausible.how if self._plausible else "",
            self._infer_from,
            account.admitted(explained),
        )


def rank(
    question: Question,
    candidates: Sequence[Candidate],
    request: Request,
    decisions: Decisions,
    batch: Batch,
    policy: str,
    pins: Pins,
    refined: Refined | None = None,
    plausible: Plausibilities | None = None,
    texts: Texts | None = None,
    believed: Mapping[int, Believed] | None = None,
) -> list[Verdict]:
    """The verdicts of one question, best first: by verdict, support, evidence, score, id.

    Evidence is first whether something had to be inferred, or admitted, then what passages state of
    what is open, then how plausible the soft rules make it, then what else the decided constraints
    rest on."""
    believed = believed or {}
    names = [batch.names[id_][0] for id_ in request.given_candidates]
    labels = [batch.names[id_][1] for id_ in request.given_candidates]
    required = [c.index for c in request.template.items if c.required]
    weakness = [
        max((place for place, rests in enumerate(row, 1) if rests.any()), default=0)
        for row in zip(
            decisions.derived[:, required],
            decisions.assumed[:, required],
            decisions.admitted[:, required],
            decisions.inferred[:, required],
            strict=True,
        )
    ]
    nothing = [Fraction(0)] * len(names)
    shares = plausible.shares if plausible else nothing
    stated = texts.shares if texts else nothing
    codes = decisions.verdicts.tolist()
    scores = [float("inf") if c.score is None else -c.score for c in candidates]
    order = sorted(
        range(len(names)),
        key=lambda n: (
            codes[n],
            -decisions.supports[n],
            max(weakness[n], _ASSUMED),
            -stated[n],
            -shares[n],
            weakness[n],
            scores[n],
            names[n],
        ),
    )

    def basis(n: int) -> Basis:
        if refined and _needs_completions(refined, n, required):
            rests = refined.assumed[n] if refined.joint[n] else weakness[n] == _ASSUMED
            return "assumed" if rests else "exact"
        if VERDICTS[codes[n]] == "viol":
            return "admitted" if _needs_edges(decisions, n, required) else ""
        return _BASES[weakness[n]] if VERDICTS[codes[n]] == "sat" else ""

    def pinned(n: int) -> Pins:
        return structs.replace(pins, admitted=believed[n].by) if n in believed else pins

    return [
        Verdict(
            question.id,
            names[n],
            labels[n],
            VERDICTS[codes[n]],  # type: ignore[arg-type]
            decisions.supports[n] / decisions.whole,
            basis(n),
            place,
            _kept(VERDICTS[codes[n]], policy),
            candidates[n].score,
            pinned(n),
            decisions,
            n,
            request,
            batch,
            refined,
            plausible,
            float(shares[n]) if plausible else None,
            texts,
            float(stated[n]) if texts else None,
            believed.get(n),
        )
        for place, n in enumerate(order, 1)
    ]


def _needs_completions(refined: Refined, place: int, required: list[int]) -> bool:
    """Did only exact mode decide the verdict?"""
    if refined.joint[place]:
        return True
    statuses = refined.decisions.statuses[place, required]
    exact = refined.exact[place, required]
    match VERDICTS[refined.decisions.verdicts[place]]:
        case "sat":
            return bool(exact.any())
        case "viol":
            return bool(exact[statuses == STATUSES.index("viol")].all())
        case _:
            return False


def _needs_edges(decisions: Decisions, place: int, required: list[int]) -> bool:
    """Is a verdict viol by admitted edges only?"""
    violated = decisions.statuses[place, required] == STATUSES.index("viol")
    return bool(decisions.admitted[place, required][violated].all())


def _kept(verdict: str, policy: str) -> bool:
    return policy == "rank" or verdict == "sat" or (policy == "filter" and verdict == "unk")
