"""The values that pass between the stages: questions in, verdicts and proofs out.

All are frozen.  Statuses are the three words `sat`, `viol` and `unk`; a status or a verdict is
never anything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

Status = Literal["sat", "viol", "unk"]
Basis = Literal["asserted", "derived", "assumed", ""]


class Candidate(msgspec.Struct, frozen=True):
    """A proposed answer: an entity (id, CURIE, IRI or label) and the proposer's own score, where
    it gave one; higher is better."""

    entity: str
    score: float | None = None


class Question(msgspec.Struct, frozen=True):
    """A question template of the rule file with its arguments, and the candidates to verify.

    An argument is an entity (id, CURIE, IRI or label) or a literal value, as the parameter's type
    says."""

    id: str
    question: str
    arguments: dict[str, Any] = {}
    candidates: tuple[Candidate, ...] = ()


class WouldSettle(msgspec.Struct, frozen=True):
    """A fact that is missing, and what its addition would make of the constraint."""

    fact: str
    status: Status


class Constraint(msgspec.Struct, frozen=True):
    """One constraint of one candidate, decided.

    `text` is the constraint as written, with the arguments' labels; `sentence` the author's words
    for it, "" if none.  `reason` says why it is unk: `missing`, `conflict`, `unresolved`,
    `imprecise` or `ill-typed`.  `basis` is the weakest kind of evidence that the status needs;
    `assumed` where absence counts as falsehood because the question says so.  `because` cites the
    facts of a smallest proof, each with its source; a conflict cites those of both proofs."""

    id: str
    text: str
    sentence: str
    required: bool
    status: Status
    reason: str
    basis: Basis
    because: tuple[str, ...]
    would_settle: tuple[WouldSettle, ...]


class Pins(msgspec.Struct, frozen=True):
    """What a verdict rests on: SHA-256 of the graph's content and of the rule file's text, and
    the version of kgverify."""

    kg: str
    rules: str
    version: str


class Node(msgspec.Struct, frozen=True):
    """A step of a proof: what holds, why, where that is written, and the steps it needs.

    `kind` is `fact` (stated), `denial` (a stated negative), `absence` (a complete relation does not
    list it), `identity` (two things are the same, or differ), `value` (two values compare so),
    `schema`, `rule`, or `group` (enough of its members)."""

    text: str
    kind: str
    why: str = ""
    source: str = ""
    children: tuple[Node, ...] = ()

    def leaves(self) -> Iterator[Node]:
        """The steps that need no other, left to right."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


class Explained(msgspec.Struct, frozen=True):
    """A constraint with the proofs for it and against it; both are there on a conflict."""

    constraint: Constraint
    pro: Node | None
    con: Node | None


class Explanation(msgspec.Struct, frozen=True):
    """Why a candidate got its verdict, constraint by constraint."""

    question: str
    text: str
    candidate: str
    label: str
    verdict: Status
    support: float
    constraints: tuple[Explained, ...]
    pins: Pins
