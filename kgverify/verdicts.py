"""Verdicts: what was decided about each candidate, ranked; evidence is looked up on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from kgverify.errors import EngineError, Problem
from kgverify.language import syntax as s
from kgverify.language.printing import condition_text, exceptions_text
from kgverify.reasoning.deciding import VERDICTS, Decision, Decisions, Request, SliceEngine
from kgverify.reasoning.explanation import SHOW, Evidence, Ground, Narrator, Proof, Prover, fill
from kgverify.reasoning.program import CompiledConstraint
from kgverify.reasoning.reasons import Reason, open_comparison, open_count, open_equality
from kgverify.reasoning.solver import solve
from kgverify.reasoning.views import COMPARISONS, View
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

# Why a constraint is open, gravest first.
REASONS = ("conflict", "ill-typed", "imprecise", "missing", "unresolved")


class Batch:
    """Requests that were decided together; their evidence is worked out when first asked for."""

    def __init__(self, engine: SliceEngine, requests: Sequence[Request]) -> None:
        self.knowledge = engine.knowledge
        self._engine = engine
        self._requests = requests

    @cached_property
    def narrator(self) -> Narrator:
        views: dict[str, View] = {}
        for request in self._requests:
            views |= request.template.views
        return Narrator(self.knowledge, views)

    @cached_property
    def prover(self) -> Prover:
        shown = solve(*self._engine.program(self._requests), SHOW)
        return Prover(self._engine.rules, Evidence(shown))

    def values(self, relation: str, subject: int) -> list[str]:
        """The keys of the objects that there is evidence for."""
        return [self.knowledge.key(id_) for id_ in self._objects(relation, subject)]

    def uncompared(self, view: View, subject: int, bound: int) -> list[str]:
        """The keys of the values that neither meet nor fail a comparison."""
        short = COMPARISONS[view.operator]
        atoms = self.prover.evidence.atoms
        return [
            self.knowledge.key(id_)
            for id_ in self._objects(view.base, subject)
            if not {("meets", short, id_, bound), ("fails", short, id_, bound)} & atoms
        ]

    def _objects(self, relation: str, subject: int) -> list[int]:
        """What there is evidence for; stored facts that no constraint looks at are looked up."""
        found = {
            int(atom[3])
            for atom in self.prover.evidence.matching("for", (relation, subject, None))
            if atom[1:3] == (relation, subject)
        }
        if self.knowledge.facts.stores(relation):
            _, objects = self.knowledge.facts.from_subjects(relation, np.array([subject]))
            found.update(objects.tolist())
        return sorted(found)

    @cached_property
    def names(self) -> dict[int, tuple[str, str]]:
        """The exact name and the label of every candidate of the batch."""
        ids = list({id_ for request in self._requests for id_ in request.candidates})
        pairs = zip(self.knowledge.names(ids), self.knowledge.labels(ids), strict=True)
        return dict(zip(ids, pairs, strict=True))

    def prove(self, atom: Ground) -> Proof:
        """The smallest proof of an atom that decided a constraint.

        Raises EngineError when there is none: then proof search and solver disagree."""
        proof = self.prover.prove(atom)
        if proof is None:
            message = f"no proof of {self.narrator.formal(atom)} was found"
            raise EngineError(Problem("no-proof", message, hint="this is a fault of kgverify"))
        return proof

    def decided(self, constraint: CompiledConstraint, request: Request, candidate: int) -> Atoms:
        """The ground atoms that speak for and against a constraint of a candidate."""
        values = dict(zip(request.template.parameters, request.arguments, strict=True))
        values[request.template.question.answer.text] = candidate
        ids = [
            values[term.text]
            if term.kind is s.TermKind.NAME and term.text in values
            else self.knowledge.constant(term, datatype)
            for term, datatype in zip(constraint.terms, constraint.datatypes, strict=True)
        ]
        pair: tuple[Ground, Ground]
        match constraint.kind:
            case "relation":
                pair = ("for", constraint.name, *ids), ("against", constraint.name, *ids)
            case "class":
                pair = ("is_a", *ids, constraint.name), ("isnt_a", *ids, constraint.name)
            case _:
                pair = ("same", *ids), ("different", *ids)
        return Atoms(tuple(ids), *(pair[::-1] if constraint.denies else pair))


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
        found = self.decision.statuses
        return {c.id: _status(found[c.index]) for c in self._request.template.items}

    @property
    def constraint_texts(self) -> tuple[tuple[str, bool], ...]:
        """The constraints as written, with the question's arguments; and which are required."""
        return tuple((self._text(c), c.required) for c in self._request.template.items)

    @property
    def question_text(self) -> str:
        """The question in the rule file's words."""
        return fill(self._request.template.question.sentences[0], self._labels())

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Every constraint with its status, reason, evidence and what would settle it."""
        return tuple(self._constraint(c) for c in self._request.template.items)

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
        for compiled in self._request.template.items:
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
        status, basis = _status(found), ""
        if status != "unk":
            basis = "derived" if compiled.index in self.decision.derived else "asserted"
            basis = "assumed" if compiled.index in self.decision.assumed else basis
        return Constraint(
            compiled.id,
            self._text(compiled),
            fill(compiled.sentence, self._labels()),
            compiled.required,
            status,
            self._reason(compiled),
            basis,  # type: ignore[arg-type]
            tuple(dict.fromkeys(self._because(compiled))),
            self._would_settle(compiled) if status == "unk" else (),
        )

    def _members(self, group: CompiledConstraint) -> list[CompiledConstraint]:
        return [self._request.template.constraints[index] for index in group.members]

    def _found(self, compiled: CompiledConstraint) -> str:
        return self.decision.statuses[compiled.index]

    def _atoms(self, compiled: CompiledConstraint) -> Atoms:
        return self._batch.decided(compiled, self._request, self._id)

    def _reason(self, compiled: CompiledConstraint) -> str:
        """Why a constraint is unk, "" when it isn't.  A group gives the gravest reason of its open
        members, in the order of `REASONS`."""
        found = self._found(compiled)
        if found in ("sat", "viol"):
            return ""
        if compiled.kind == "group":
            reasons = {self._reason(member) for member in self._members(compiled)}
            return next(reason for reason in REASONS if reason in reasons)
        if found == "conflict":
            return "conflict"
        ids = self._atoms(compiled).ids
        if any(map(self._batch.knowledge.is_stranger, ids)):
            return "unresolved"
        return self._open_reason(compiled, ids)

    def _open_reason(self, compiled: CompiledConstraint, ids: tuple[int, ...]) -> Reason:
        """Why a constraint with known entities has evidence on neither side."""
        batch = self._batch
        view = self._request.template.views.get(compiled.name)
        if compiled.kind != "relation" or not compiled.datatypes[1]:
            return "missing"
        asked = batch.knowledge.key(ids[1])
        if view is None or not view.base:
            return open_equality(batch.values(compiled.name, ids[0]), asked)
        if not isinstance(compiled.condition, s.Literal):
            return "missing"
        if isinstance(compiled.condition.atom, s.CountAtom):
            return open_count(batch.values(view.base, ids[0]))
        return open_comparison(batch.uncompared(view, ids[0], ids[1]), asked)

    def _deciding(self, group: CompiledConstraint) -> list[CompiledConstraint]:
        """As many members as it takes to decide the group the way it is decided; all that are in
        conflict when it is open."""
        found, members = self._found(group), self._members(group)
        if found == "sat":
            return [m for m in members if self._found(m) == "sat"][: group.least]
        if found == "viol":
            needed = len(members) - group.least + 1
            return [m for m in members if self._found(m) == "viol"][:needed]
        return [m for m in members if self._reason(m) == "conflict"]

    def _because(self, compiled: CompiledConstraint) -> list[str]:
        """The facts and rules that decide the constraint, or that contradict each other."""
        narrator = self._batch.narrator
        if compiled.kind == "group":
            return [line for member in self._deciding(compiled) for line in self._because(member)]
        if compiled.kind == "same" and self._found(compiled) != "unk":
            atoms = self._atoms(compiled)
            return [narrator.formal(atoms.pro if self._found(compiled) == "sat" else atoms.con)]
        if compiled.index in self.decision.assumed:
            return [f"assumed: {narrator.formal(self._absent(compiled))} is not known"]
        proofs = [proof for proof in self._proofs(compiled) if proof is not None]
        return [line for proof in proofs for line in narrator.because(proof)]

    def _text(self, compiled: CompiledConstraint) -> str:
        """A constraint as written, with the arguments' labels for its parameters."""
        labels = self._labels()

        def place(term: s.Term) -> s.Term:
            if term.kind is s.TermKind.NAME and term.text in labels:
                return s.Term(s.TermKind.NAME, labels[term.text], term.span)
            return term

        shown = s.map_terms(compiled.condition, place)
        if isinstance(shown, s.Comparison):
            shown = replace(shown, operator="!=" if compiled.negated else "=")
        else:
            shown = replace(shown, negated=compiled.negated)
        return condition_text(shown) + exceptions_text(compiled.exceptions)

    def _nodes(self, compiled: CompiledConstraint) -> tuple[Node | None, Node | None]:
        """The proofs for and against the constraint, in words."""
        found, narrator = self._found(compiled), self._batch.narrator
        if compiled.kind == "group":
            parts = [node for m in self._deciding(compiled) for node in self._nodes(m) if node]
            if not parts or found not in ("sat", "viol"):
                return None, None
            text = self._text(compiled)
            node = Node(text, "group", children=tuple(parts))
            return (node, None) if found == "sat" else (None, node)
        if compiled.kind == "same":
            atoms = self._atoms(compiled)
            pro = Node(narrator.formal(atoms.pro), "identity") if found == "sat" else None
            con = Node(narrator.formal(atoms.con), "identity") if found == "viol" else None
            return pro, con
        if compiled.index in self.decision.assumed:
            text = f"nothing is known of {narrator.formal(self._absent(compiled))}"
            why = "the question counts absence as falsehood: `assume closed`"
            node = Node(text, "absence", why, str(compiled.condition.span))
            return (node, None) if found == "sat" else (None, node)
        pro, con = (narrator.tell(p) if p else None for p in self._proofs(compiled))
        return pro, con

    def _absent(self, compiled: CompiledConstraint) -> Ground:
        """The atom whose absence counts as its falsehood."""
        atoms = self._atoms(compiled)
        return atoms.con if compiled.denies else atoms.pro

    def _proofs(self, compiled: CompiledConstraint) -> tuple[Proof | None, Proof | None]:
        """The proofs for and against the constraint; decided statuses have exactly one."""
        found = self._found(compiled)
        if found == "unk" or compiled.kind == "same":
            return None, None
        atoms = self._atoms(compiled)
        pro = self._batch.prove(atoms.pro) if found in ("sat", "conflict") else None
        con = self._batch.prove(atoms.con) if found in ("viol", "conflict") else None
        return pro, con

    def _would_settle(self, compiled: CompiledConstraint) -> tuple[WouldSettle, ...]:
        """The facts each of which would decide the constraint alone."""
        if compiled.kind == "group":
            return tuple(dict.fromkeys(self._group_settles(compiled)))
        if compiled.kind == "same" or self._reason(compiled) != "missing":
            return ()
        atoms, formal = self._atoms(compiled), self._batch.narrator.formal
        return (WouldSettle(formal(atoms.pro), "sat"), WouldSettle(formal(atoms.con), "viol"))

    def _group_settles(self, group: CompiledConstraint) -> Iterator[WouldSettle]:
        """What settles a member settles the group when no other member is needed for that."""
        members = self._members(group)
        found = [self._found(member) for member in members]
        one_short = {
            "sat": found.count("sat") == group.least - 1,
            "viol": found.count("viol") == len(members) - group.least,
        }
        for member in members:
            if _status(self._found(member)) == "unk":
                yield from (w for w in self._would_settle(member) if one_short[w.status])


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
    names = [batch.names[id_][0] for id_ in request.candidates]
    labels = [batch.names[id_][1] for id_ in request.candidates]
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
