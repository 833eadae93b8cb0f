"""The values that pass between the stages: questions in, verdicts and proofs out.

All are frozen.  Statuses are the three words `sat`, `viol` and `unk`; a status or a verdict is
never anything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

Status = Literal["sat", "viol", "unk"]
Basis = Literal["asserted", "derived", "assumed", "admitted", "inferred", "exact", ""]


class Candidate(msgspec.Struct, frozen=True):
    """A proposed answer: an entity (id, CURIE, IRI or label) and the proposer's own score, where
    it gave one; higher is better."""

    entity: str
    score: float | None = None


class Question(msgspec.Struct, frozen=True):
    """A question template of the rule file with its arguments, and the candidates to verify.

    An argument is an entity (id, CURIE, IRI or label) or a literal value, as the parameter's type
    says.  A question in plain words has `text` instead, and an empty name and no arguments until
    it is read."""

    id: str
    question: str
    arguments: dict[str, Any] = {}
    candidates: tuple[Candidate, ...] = ()
    text: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The question as the JSON object of a question line."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        for left_out in ("question", "arguments") if self.text else ("text",):
            del found[left_out]
        return found


class Placeholder(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """Something without a name in facts that would settle a constraint: whatever meets all
    `conditions`, and contradicts nothing that is known, will do.

    `name` stands for it in the facts, as a variable of the rule language; `type` is its class or
    datatype.  `number`: so many of them are needed, all provably different, each with a fact of its
    own.  `examples` are as many that would do: values as they are written, names that are new."""

    name: str
    type: str
    conditions: tuple[str, ...] = ()
    number: int = 1
    examples: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As a JSON object."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


class WouldSettle(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """What is missing, as little as it takes, and what its addition together would make of the
    constraint.

    A fact that begins with `not` is a denied fact; one with `since …` or `until …` is stated for
    that period; `complete r for s` is no fact but a statement of completeness.  `where` says what
    stands for things without a name."""

    facts: tuple[str, ...]
    status: Status
    where: tuple[Placeholder, ...] = ()

    @property
    def fact(self) -> str:
        """The fact, where it is one; "" where several are needed together."""
        alone = len(self.facts) == 1 and all(found.number == 1 for found in self.where)
        return self.facts[0] if alone else ""

    def to_dict(self) -> dict[str, Any]:
        """As a JSON object; `fact` is there when one fact is enough, `where` when something has no
        name."""
        alone = {"fact": self.fact} if self.fact else {}
        where = {"where": [found.to_dict() for found in self.where]} if self.where else {}
        return {**alone, "facts": list(self.facts), **where, "status": self.status}


class Plausibility(msgspec.Struct, frozen=True):
    """How plausible soft rules make it that an open constraint holds, and that it does not.

    `rules` are those that speak for its atom, or for atoms of a group's open members: the weight,
    the words and the place of each."""

    pro: float
    con: float
    rules: tuple[str, ...]


class Quote(msgspec.Struct, frozen=True):
    """A passage that was read for a statement, and what the judge said.

    `text` is the part of the passage's text, from the character `start` up to `end`, that the label
    comes from; "" where the judge named none.  `label` is "" where the judge gave none that can be
    read; then `reason` says why."""

    passage: str
    title: str
    source: str
    label: str
    score: float
    text: str = ""
    start: int = 0
    end: int = 0
    reason: str = ""
    heading: str = ""


class TextEvidence(msgspec.Struct, frozen=True):
    """What passages say of a statement that evidence leaves open.  It decides nothing.

    `label` is `ENTAILED`, `UNCERTAIN` or `NOT_ENTAILED`, or "" where nothing could be judged;
    `score` the best with which a passage says so, by the judge's own measure.  `disagree`: some
    passage states it and another denies it.  `sources` independent ones state it, `together` name
    both its subject and its object."""

    statement: str
    label: str
    score: float
    disagree: bool
    sources: int
    together: int
    quotes: tuple[Quote, ...] = ()


class AdmittedEdge(msgspec.Struct, frozen=True):
    """An edge that no graph states, and that a policy admitted from passages.

    `subject` and `object` are ids of the graph, `relation` is one of the rule file; `text` says the
    edge with labels, "" where nobody was told of it yet.  `policy` admitted it in this `round` of
    searching, counted from 0, with the judge's `verdict`, the score `final`, exactly, and so many
    `sources`; `cited` are the passages that are its sources.  `quotes` are those passages, or where
    there are none all that were read for it."""

    subject: str
    relation: str
    object: str
    policy: str
    verdict: str
    final: str
    sources: int
    round: int
    cited: tuple[str, ...]
    quotes: tuple[Quote, ...]
    text: str = ""

    @property
    def source(self) -> str:
        """Where it comes from, in a few words."""
        return f"admitted from {', '.join(self.cited)}" if self.cited else "admitted"


class Constraint(msgspec.Struct, frozen=True):
    """One constraint of one candidate, decided.

    `text` is the constraint as written, with the arguments' labels; `sentence` the author's words
    for it, "" if none.  `reason` says why it is unk: `missing`, `conflict`, `unresolved`,
    `imprecise`, `ill-typed` or `budget`.  `basis` is the weakest kind of evidence that the status
    needs: `assumed` where absence counts as falsehood because the question says so, `exact` where
    evidence leaves it open and all completions agree.  `because` cites the facts and statements of
    a proof, each with its source; a conflict cites those of both proofs, and an exact status a
    minimal set of facts and rules that leaves no other.  `inferred` is the basis of what counts as
    decided because a plausible atom counts as true; it cites the soft rules too.  `admitted` is the
    basis of what the graph leaves open and edges from text decide; `admitted` are the edges that it
    cites.  `plausibility` is there where evidence leaves the constraint open and soft rules speak
    about it; `texts` are what passages say of its open atoms, where some were read."""

    id: str
    text: str
    sentence: str
    required: bool
    status: Status
    reason: str
    basis: Basis
    because: tuple[str, ...]
    would_settle: tuple[WouldSettle, ...]
    plausibility: Plausibility | None = None
    texts: tuple[TextEvidence, ...] = ()
    admitted: tuple[AdmittedEdge, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The constraint as a JSON object of a verdict line, which has no `sentence`."""
        soft = self.plausibility
        return {
            "id": self.id,
            "text": self.text,
            "required": self.required,
            "status": self.status,
            "reason": self.reason,
            "basis": self.basis,
            "because": list(self.because),
            "would_settle": [found.to_dict() for found in self.would_settle],
            **({} if soft is None else {"plausibility": msgspec.to_builtins(soft)}),
            **({"texts": msgspec.to_builtins(self.texts)} if self.texts else {}),
            **({"admitted": msgspec.to_builtins(self.admitted)} if self.admitted else {}),
        }


class Pins(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a verdict rests on: SHA-256 of the graph's content and of the rule file's text, and
    the version of kgverify; where passages were read, what was read and how, in `texts`; where
    admitted edges were used, what admitted them, in `admitted`."""

    kg: str
    rules: str
    version: str
    texts: str = ""
    admitted: str = ""


class Node(msgspec.Struct, frozen=True):
    """A step of a proof: what holds, why, where that is written, and the steps it needs.

    `kind` is `fact` (stated), `admitted` (an edge that nobody states, and that was admitted from
    text), `denial` (a stated negative), `absence` (a complete relation does not
    list it), `identity` (two things are the same, or differ), `value` (two values compare so),
    `schema`, `rule`, `soft` (a soft rule, which makes it plausible), `group` (enough of its
    members), or `exact` (no completion of what stands below says otherwise)."""

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


class Citation(msgspec.Struct, frozen=True):
    """Something that a proof rests on, none of which can be left out.

    `kind` is `fact`, `admitted` (an edge that was admitted from text), `denial`, `period` (the
    graph states the fact for this period, with the best rank), `outranked` (the same of a fact that
    is outranked, which counts at a time only),
    `absence` (the graph does not list this, nor anything that may be it), `listing` (the graph
    lists no other objects of this subject), `assumption` (nothing is known of this, and the
    question counts that as its falsehood), `identity` (the terms are provably different), `same`
    (the two are declared to be names of one entity) or `statement` (of the rule file).
    `text` says it with labels; `name` and `terms` say it exactly, in term keys: a relation (or
    `rdf:type`, `rdfs:subClassOf`) with subject and object, as they are named where it is stated,
    and with `since` and `until` of a period, "" for none; a relation with subject and all objects,
    `^r` for the relation read backwards; `r at 1995` for a relation at a time; what declares two
    names the same, `same` of the rule file or the graph's relation; or the kind of statement with
    its arguments."""

    kind: str
    text: str
    source: str = ""
    name: str = ""
    terms: tuple[str, ...] = ()


class Inference(msgspec.Struct, frozen=True):
    """One step: the `conclusion` follows from the `premises` by a rule, or by a statement of the
    schema, whose words and place are `rule` and `source`."""

    rule: str
    source: str
    conclusion: str
    premises: tuple[str, ...]


class Claim(msgspec.Struct, frozen=True):
    """What a proof is of: a constraint in exact terms (term keys).

    `kind` is `relation`, `path`, `value` (a comparison), `count`, `time` (a relation at a time),
    `ever` (a relation that may change, at some time), `class`, `same` or `group`.  `name` is the
    relation or class; of a path, a comparison, a count or a time what the rule language has without
    the arguments (`a/b+`, `born <`, `count child >=`, `capital at 1995`).  `terms` are the subject
    and the object or bound, as the question names them.  `negated`: it holds when the atom does
    not.  `pro` and `con` say, with labels, what speaks for it and against it.  A group of `size`
    members holds when at least `least` of them do; `members` are those that decide it, as many as
    it takes, and all of them where completions decide.  `closed`: absence counts as falsehood."""

    text: str
    kind: str
    name: str = ""
    terms: tuple[str, ...] = ()
    negated: bool = False
    pro: str = ""
    con: str = ""
    least: int = 0
    size: int = 0
    members: tuple[Claim, ...] = ()
    closed: bool = False


class Proof(msgspec.Struct, frozen=True):
    """Why a claim has its status, `sat`, `viol` or `conflict` (evidence on both sides), from the
    citations alone; the inferences lead there step by step, premises first.  `exact`: evidence
    leaves it open, and what is cited has no completion in which it is otherwise."""

    claim: Claim
    status: Literal["sat", "viol", "conflict"]
    citations: tuple[Citation, ...]
    inferences: tuple[Inference, ...]
    exact: bool = False


class Backing(msgspec.Struct, frozen=True):
    """A soft rule that speaks for an atom, and why its body holds.

    `statement` is the rule as it is written, `weight` its weight, exactly.  `name` and `terms`
    (term keys) are what its head says here: the atom, or what says the same in other words.  `node`
    tells it in words; `proofs` show the conditions of the body one by one."""

    statement: str
    weight: str
    name: str
    terms: tuple[str, ...]
    node: Node
    proofs: tuple[Proof, ...]


class Plausible(msgspec.Struct, frozen=True):
    """How plausible a constraint is: that its `claim` holds, and that it does not.

    Of an open constraint about an atom, `backings` are the soft rules that speak for the atom.  An
    open group is as plausible as its `members` make it.  What evidence decides has a `proof`."""

    claim: Claim
    pro: float
    con: float
    backings: tuple[Backing, ...] = ()
    members: tuple[Plausible, ...] = ()
    proof: Proof | None = None


class Explained(msgspec.Struct, frozen=True):
    """A constraint with the proofs for it and against it, in words; both are there on a conflict.

    `proof` is the same for programs; None where nothing is decided or in conflict.  `plausible` is
    there where evidence leaves the constraint open and soft rules speak about it."""

    constraint: Constraint
    pro: Node | None
    con: Node | None
    proof: Proof | None = None
    plausible: Plausible | None = None


class Explanation(msgspec.Struct, frozen=True):
    """Why a candidate got its verdict, constraint by constraint.

    `joint` is there when no completion meets all required constraints, though each may be met: what
    that follows from; `joint_proof` is the same for programs, of the claim that all are met.
    `combine` says how several soft rules that speak for one atom were combined; from `infer_from`
    on, "" for never, an atom counted as true.  `admitted` are the edges from text that proofs cite,
    each with what admitted it."""

    question: str
    text: str
    candidate: str
    label: str
    verdict: Status
    support: float
    constraints: tuple[Explained, ...]
    pins: Pins
    joint: Node | None = None
    joint_proof: Proof | None = None
    combine: str = ""
    infer_from: str = ""
    admitted: tuple[AdmittedEdge, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The explanation as a JSON object."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        for part, explained in zip(found["constraints"], self.constraints, strict=True):
            constraint = explained.constraint
            part["constraint"] = {**constraint.to_dict(), "sentence": constraint.sentence}
            if explained.plausible is None:
                del part["plausible"]
        for name in ("combine", "infer_from", "admitted"):
            if not found[name]:
                del found[name]
        return found
