"""Verdicts: what was decided about each candidate, ranked; evidence is looked up on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kgverify.language import syntax as s
from kgverify.language.printing import condition_text, term_text
from kgverify.reasoning.deciding import VERDICTS, Decision, Decisions, Request, SliceEngine
from kgverify.reasoning.explanation import SHOW, Evidence, Ground, Narrator, Proof, Prover, fill
from kgverify.reasoning.program import CompiledConstraint
from kgverify.reasoning.solver import solve
from kgverify.vocabulary import (
    Basis,
    Candidate,
    Constraint,
    Explained,
    Explanation,
    Node,
    Pins,
    Question,
    Status,
    WouldSettle,
)


class Batch:
    """Requests that were decided together; their evidence is worked out when first asked for."""

    def __init__(self, engine: SliceEngine, requests: Sequence[Request]) -> None:
        self.knowledge = engine.knowledge
        self._engine = engine
        self._requests = requests

    @cached_property
    def narrator(self) -> Narrator:
        return Narrator(self.knowledge)

    @cached_property
    def prover(self) -> Prover:
        shown = solve(*self._engine.program(self._requests), SHOW)
        return Prover(self._engine.rules, Evidence(shown))

    def decided(self, constraint: CompiledConstraint, request: Request, candidate: int) -> Atoms:
        """The ground atoms that speak for and against a constraint of a candidate."""
        values = dict(zip(request.template.parameters, request.arguments, strict=True))
        values[request.template.question.answer.text] = candidate
        relation = constraint.name if constraint.kind == "relation" else None
        ids = []
        for place, term in enumerate(constraint.terms):
            if term.kind is s.TermKind.NAME and term.text in values:
                ids.append(values[term.text])
            elif relation and place:
                ids.append(self.knowledge.object(relation, term))
            else:
                ids.append(self.knowledge.entity(term))
        pair: tuple[Ground, Ground]
        match constraint.kind:
            case "relation":
                pair = ("for", constraint.name, *ids), ("against", constraint.name, *ids)
            case "class":
                pair = ("is_a", *ids, constraint.name), ("isnt_a", *ids, constraint.name)
            case _:
                pair = ("same", *ids), ("different", *ids)
        return Atoms(tuple(ids), *(pair[::-1] if constraint.negated else pair))


@dataclass(frozen=True, slots=True)
class Atoms:
    """The terms of a constraint and the atoms that speak for and against it."""

    ids: tuple[int, ...]
    pro: Ground
    con: Ground


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
    def _id(self) -> int:
        return self._request.candidates[self._place]

    @property
    def statuses(self) -> dict[str, Status]:
        """Each constraint's status by its id; cheaper than `constraints`."""
        constraints = self._request.template.constraints
        return {
            c.id: _status(found)
            for c, found in zip(constraints, self.decision.statuses, strict=True)
        }

    @property
    def constraint_texts(self) -> tuple[tuple[str, bool], ...]:
        """The constraints as written, with the question's arguments; and which are required."""
        return tuple((self._text(c), c.required) for c in self._request.template.constraints)

    @property
    def question_text(self) -> str:
        """The question in the rule file's words."""
        return fill(self._request.template.question.sentences[0], self._labels())

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Every constraint with its status, reason, evidence and what would settle it."""
        return tuple(self._constraint(c) for c in self._request.template.constraints)

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
            "constraints": [_constraint_dict(c) for c in self.constraints],
            "pins": {"kg": self.pins.kg, "rules": self.pins.rules, "version": self.pins.version},
        }

    def explain(self) -> Explanation:
        """The proofs behind each constraint."""
        explained = []
        for compiled in self._request.template.constraints:
            pro, con = self._nodes(compiled)
            explained.append(Explained(self._constraint(compiled), pro, con))
        return Explanation(
            self.question,
            self.question_text,
            self.candidate,
            self.label,
            self.verdict,
            self.support,
            tuple(explained),
            self.pins,
        )

    def _labels(self) -> dict[str, str]:
        label = self._batch.knowledge.label
        parameters = self._request.template.parameters
        return {p: label(id_) for p, id_ in zip(parameters, self._request.arguments, strict=True)}

    def _constraint(self, compiled: CompiledConstraint) -> Constraint:
        found = self.decision.statuses[compiled.index]
        status, reason, basis = _status(found), "", ""
        atoms = self._batch.decided(compiled, self._request, self._id)
        because: list[str] = []
        settle: tuple[WouldSettle, ...] = ()
        if status != "unk" or found == "conflict":
            asserted = compiled.index not in self.decision.derived
            basis = "" if found == "conflict" else "asserted" if asserted else "derived"
            for proof in self._proofs(compiled):
                if proof is not None:
                    because += self._batch.narrator.because(proof)
            if not because and compiled.kind == "same":
                because = [
                    self._batch.narrator.formal(atoms.con if status == "viol" else atoms.pro)
                ]
        if status == "unk":
            reason = "conflict" if found == "conflict" else "missing"
            strangers = any(self._batch.knowledge.is_stranger(id_) for id_ in atoms.ids)
            reason = "unresolved" if strangers else reason
            if reason == "missing":
                settle = self._would_settle(compiled, atoms)
        return Constraint(
            compiled.id,
            self._text(compiled),
            fill(compiled.sentence, self._labels()),
            compiled.required,
            status,
            reason,
            basis,  # type: ignore[arg-type]
            tuple(dict.fromkeys(because)),
            settle,
        )

    def _text(self, compiled: CompiledConstraint) -> str:
        """The constraint as written, with the arguments' labels for its parameters."""
        labels = self._labels()

        def place(term: s.Term) -> s.Term:
            if term.kind is s.TermKind.NAME and term.text in labels:
                return s.Term(s.TermKind.NAME, labels[term.text], term.span)
            return term

        condition = compiled.condition
        if isinstance(condition, s.Comparison):
            left, right = term_text(place(condition.left)), term_text(place(condition.right))
            return f"{left} {'!=' if compiled.negated else '='} {right}"
        atom = condition.atom
        if isinstance(atom, s.ClassAtom):
            filled: s.Atom = s.ClassAtom(place(atom.term), atom.cls, atom.span)
        else:
            terms = tuple(map(place, atom.arguments))
            filled = s.RelationAtom(atom.relation, terms, atom.span)
        return condition_text(s.Literal(filled, compiled.negated, condition.span))

    def _nodes(self, compiled: CompiledConstraint) -> tuple[Node | None, Node | None]:
        """The proofs for and against the constraint, in words."""
        found = self.decision.statuses[compiled.index]
        narrator = self._batch.narrator
        if compiled.kind == "same":
            atoms = self._batch.decided(compiled, self._request, self._id)
            pro = Node(narrator.formal(atoms.pro), "identity") if found == "sat" else None
            con = Node(narrator.formal(atoms.con), "identity") if found == "viol" else None
            return pro, con
        proofs = self._proofs(compiled)
        pro, con = (narrator.tell(proof) if proof else None for proof in proofs)
        return pro, con

    def _proofs(self, compiled: CompiledConstraint) -> tuple[Proof | None, Proof | None]:
        """The proofs for and against the constraint; decided statuses have exactly one."""
        found = self.decision.statuses[compiled.index]
        if found == "unk" or compiled.kind == "same":
            return None, None
        atoms = self._batch.decided(compiled, self._request, self._id)
        pro = self._batch.prover.prove(atoms.pro) if found in ("sat", "conflict") else None
        con = self._batch.prover.prove(atoms.con) if found in ("viol", "conflict") else None
        return pro, con

    def _would_settle(self, compiled: CompiledConstraint, atoms: Atoms) -> tuple[WouldSettle, ...]:
        if compiled.kind == "same":
            return ()
        formal = self._batch.narrator.formal
        return (WouldSettle(formal(atoms.pro), "sat"), WouldSettle(formal(atoms.con), "viol"))


def _status(found: str) -> Status:
    return found if found in ("sat", "viol") else "unk"  # type: ignore[return-value]


def _constraint_dict(constraint: Constraint) -> dict[str, Any]:
    return {
        "id": constraint.id,
        "text": constraint.text,
        "required": constraint.required,
        "status": constraint.status,
        "reason": constraint.reason,
        "basis": constraint.basis,
        "because": list(constraint.because),
        "would_settle": [{"fact": w.fact, "status": w.status} for w in constraint.would_settle],
    }


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
    names = batch.knowledge.names(request.candidates)
    labels = batch.knowledge.labels(request.candidates)
    required = [c.index for c in request.template.constraints if c.required]
    derived = [bool(row.any()) for row in decisions.derived[:, required]]
    codes = decisions.verdicts.tolist()
    scores = [float("inf") if c.score is None else -c.score for c in candidates]
    order = sorted(
        range(len(names)),
        key=lambda n: (codes[n], -decisions.supports[n], derived[n], scores[n], names[n]),
    )
    bases: tuple[Basis, Basis] = ("asserted", "derived")
    return [
        Verdict(
            question.id,
            names[n],
            labels[n],
            VERDICTS[codes[n]],  # type: ignore[arg-type]
            decisions.supports[n] / decisions.whole,
            bases[derived[n]] if VERDICTS[codes[n]] == "sat" else "",
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
