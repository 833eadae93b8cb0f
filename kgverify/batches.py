"""Requests that were decided together, and what explaining any of their candidates needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec import structs

from kgverify.inquiring import Inquiry
from kgverify.language import syntax as s
from kgverify.reasoning.backing import SoftRules
from kgverify.reasoning.datalog import Origin
from kgverify.reasoning.deciding import Request, SliceEngine
from kgverify.reasoning.evidence import Ground
from kgverify.reasoning.exact import Cited
from kgverify.reasoning.explanation import Narrator, citation_line
from kgverify.reasoning.knowledge import Edge
from kgverify.reasoning.program import CompiledConstraint
from kgverify.reasoning.proofs import Derivation
from kgverify.reasoning.supposing import Proposal
from kgverify.reasoning.views import View
from kgverify.vocabulary import AdmittedEdge, Citation, Node

_ALONE = 3  # so many candidates of a batch are explained from slices of their own
ASSUMED = "the question counts absence as falsehood: `assume closed`"


class Batch:
    """Requests that were decided together."""

    def __init__(self, engine: SliceEngine, requests: Sequence[Request], soft: SoftRules) -> None:
        self.knowledge, self.rules = engine.knowledge, engine.rules
        self.engine, self.soft = engine, soft
        self._requests = requests
        self._inquiries: dict[tuple[int, int], Inquiry] = {}
        self._given: dict[int, dict[int, int]] = {}

    @cached_property
    def narrator(self) -> Narrator:
        return Narrator(self.knowledge, self.views)

    @cached_property
    def views(self) -> dict[str, View]:
        """The relations that the questions make."""
        views: dict[str, View] = {}
        for request in self._requests:
            views |= request.template.views
        return views

    @cached_property
    def soft_engine(self) -> SliceEngine:
        """The engine with the soft rules among its rules."""
        return SliceEngine(self.knowledge, [*self.rules, *self.soft.rules])

    @cached_property
    def names(self) -> dict[int, tuple[str, str]]:
        """The exact name and the label of every candidate of the batch."""
        ids = list({id_ for request in self._requests for id_ in request.given_candidates})
        pairs = zip(self.knowledge.names(ids), self.knowledge.labels(ids), strict=True)
        return dict(zip(ids, pairs, strict=True))

    @cached_property
    def _together(self) -> Inquiry:
        targets = (
            atom
            for request in self._requests
            for candidate in request.candidates
            for atom in self._targets(request, candidate)
        )
        return Inquiry(self.engine, self._requests, targets, self.views)

    def _targets(self, request: Request, candidate: int) -> Iterator[Ground]:
        """The atoms for and against the constraints about a candidate."""
        for constraint in request.template.constraints:
            if constraint.kind in ("relation", "class"):
                atoms = self.decided(constraint, request, candidate)
                if not any(map(self.knowledge.is_stranger, atoms.ids)):
                    yield from (atoms.pro, atoms.con)

    def inquiry(self, request: Request, candidate: int) -> Inquiry:
        """The evidence about a candidate: gathered for it alone, so that one explanation costs
        what one decision does; for all candidates together once several are explained."""
        key = id(request), candidate
        if key not in self._inquiries:
            if len(self._inquiries) >= _ALONE:
                return self._together
            alone = Request(request.template, request.arguments, (candidate,))
            targets = self._targets(request, candidate)
            self._inquiries[key] = Inquiry(self.engine, [alone], targets, self.views)
        return self._inquiries[key]

    def tell(self, part: Cited) -> Node:
        """A statement that an exact decision follows from, in words."""
        statement, origin = part
        if isinstance(statement, Origin):
            return Node(statement.text, statement.kind, "", str(statement.span or ""))
        if statement[0] == "supposed":
            return Node(ASSUMED, "absence")
        if origin is not None:
            _, relation, subject = statement
            text = f"the graph lists every `{relation}` of {self.narrator.label(subject)}"
            return Node(text, "absence", origin.text, str(origin.span or ""))
        return self.narrator.tell(Derivation(statement, None))

    def cite(self, part: Cited) -> str:
        """The same as one line, with its place."""
        statement, origin = part
        if origin is None and isinstance(statement, tuple) and statement[0] != "supposed":
            return citation_line(self.narrator.stored(statement))
        node = self.tell(part)
        return citation_line(Citation("statement", node.text, node.source))

    def node(self, goal: Ground, derivations: Mapping[Ground, Derivation], place: str) -> Node:
        """The proof of an atom in words; `place` is where the constraint is written."""
        if goal in derivations:
            return self.narrator.tell(derivations[goal])
        if goal[0] == "assumed":
            text = f"nothing is known of {self.narrator.formal(goal[1:])}"
            return Node(text, "absence", ASSUMED, place)
        return self.narrator.identity(goal)

    def proposed(self, proposal: Proposal, atoms: Atoms) -> Iterator[str]:
        """The facts of a proposal, with what stands for things that have no name."""
        narrator = self.narrator.calling(proposal.names)
        if proposal.complete:
            for relation, subject in proposal.complete:
                yield f"complete {relation} for {narrator.label(subject)}"
            return
        for fact in proposal.facts:
            if fact[0] == "during":
                stated = narrator.formal(("for", *fact[1:4]))
                yield f"{stated} {proposal.periods[int(fact[4])]}"
            else:
                own = fact in (atoms.pro, atoms.con)
                yield narrator.formal(atoms.as_named(fact) if own else fact)

    def edges_cited(
        self, edges: Mapping[Edge, AdmittedEdge], citations: Iterable[Citation]
    ) -> tuple[AdmittedEdge, ...]:
        """The admitted edges among some citations, each once, and told with labels."""
        key, formal = self.knowledge.key, self.narrator.formal
        named = {
            (relation, key(one), key(other)): structs.replace(
                edge, text=formal(("for", relation, one, other))
            )
            for (relation, one, other), edge in edges.items()
        }
        cited = (c for c in citations if c.kind == "admitted")
        return tuple(dict.fromkeys(named[c.name, c.terms[0], c.terms[1]] for c in cited))

    def decided(self, constraint: CompiledConstraint, request: Request, candidate: int) -> Atoms:
        """The ground atoms that speak for and against a constraint of a candidate."""
        parameters = (*request.template.parameters, request.template.question.answer.text)
        arguments = (*request.given_arguments, self.given(request, candidate))
        given = dict(zip(parameters, arguments, strict=True))
        named = tuple(
            given[term.text]
            if term.kind is s.TermKind.NAME and term.text in given
            else self.knowledge.named(term, datatype)
            for term, datatype in zip(constraint.terms, constraint.datatypes, strict=True)
        )
        ids = tuple(map(self.knowledge.identity.one, named))
        pair: tuple[Ground, Ground]
        match constraint.kind:
            case "relation":
                pair = ("for", constraint.name, *ids), ("against", constraint.name, *ids)
            case "class":
                pair = ("is_a", *ids, constraint.name), ("isnt_a", *ids, constraint.name)
            case _:
                pair = ("same", *named), ("different", *named)
        return Atoms(ids, named, *(pair[::-1] if constraint.denies else pair))

    def given(self, request: Request, candidate: int) -> int:
        """The id by which the question named a candidate."""
        if id(request) not in self._given:
            pairs = zip(request.candidates, request.given_candidates, strict=True)
            self._given[id(request)] = dict(pairs)
        return self._given[id(request)][candidate]


@dataclass(frozen=True, slots=True)
class Atoms:
    """The terms of a constraint, as representatives and as they are named, and the atoms that speak
    for and against it."""

    ids: tuple[int, ...]
    named: tuple[int, ...]
    pro: Ground
    con: Ground

    def as_named(self, atom: Ground) -> Ground:
        """One of the two atoms, about the terms as they are named."""
        terms = slice(1, 2) if atom[0] in ("is_a", "isnt_a") else slice(2, 4)
        parts = list(atom)
        parts[terms] = self.named
        return tuple(parts)
