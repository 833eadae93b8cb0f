"""Verdicts that may rest on admitted edges: the questions are decided a second time, with the edges
that were admitted where reasoning stopped, by the same engine and the same encodings.

What a candidate's verdict may rest on are the edges for its own missing ones, and no other's.  So
it does not depend on who else is asked about.  What the graph decides stays as it is: edges with
which something would be decided otherwise, or be in conflict, are not believed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from kgverify.batches import Batch
from kgverify.completion.breakpoints import Breakpoint
from kgverify.errors import EvidenceError, Problem
from kgverify.explaining import Account
from kgverify.reasoning.backing import SoftRules
from kgverify.reasoning.deciding import STATUSES, Decision, Decisions, Request, SliceEngine
from kgverify.reasoning.knowledge import Edge, Knowledge
from kgverify.reasoning.program import schema
from kgverify.vocabulary import AdmittedEdge

_UNK, _CONFLICT = STATUSES.index("unk"), STATUSES.index("conflict")


@dataclass(frozen=True, slots=True)
class Completed:
    """The edges admitted for some missing ones, and what kept others from being searched for."""

    edges: tuple[AdmittedEdge, ...] = ()
    problems: tuple[Problem, ...] = ()


class Completer(Protocol):
    """Admits edges for missing ones.  `name` says what it rests on, for the record."""

    @property
    def name(self) -> str: ...

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        """Edges for these missing edges, which can hold together.  They depend on nothing that was
        asked before."""
        ...


@dataclass(frozen=True, slots=True)
class Believed:
    """The edges that a candidate's verdict may rest on; `batch` has the evidence with them, and
    `alone` is what was decided without."""

    edges: Mapping[Edge, AdmittedEdge]
    batch: Batch
    alone: Decision
    by: str


@dataclass(frozen=True, slots=True)
class Completions:
    """The decisions on a request, with admitted edges for the candidates at some places."""

    decisions: Decisions
    believed: Mapping[int, Believed]
    problems: tuple[Problem, ...] = ()


@dataclass(slots=True)
class _Draft:
    """The decisions on a request, while they are changed."""

    request: Request
    alone: Decisions
    rows: list[tuple[int, Decisions, int]] = field(default_factory=list)
    believed: dict[int, Believed] = field(default_factory=dict)
    problems: dict[Problem, None] = field(default_factory=dict)

    def done(self) -> Completions:
        return Completions(self._decisions(), self.believed, tuple(self.problems))

    def _decisions(self) -> Decisions:
        """What was decided, with the rows that admitted edges change."""
        if not self.rows:
            return self.alone
        before = self.alone
        found = replace(
            before,
            verdicts=before.verdicts.copy(),
            supports=list(before.supports),
            statuses=before.statuses.copy(),
            derived=before.derived.copy(),
            assumed=before.assumed.copy(),
            admitted=before.admitted.copy(),
        )
        for place, after, row in self.rows:
            moved = after.statuses[row] != before.statuses[place]
            found.verdicts[place] = after.verdicts[row]
            found.supports[place] = after.supports[row]
            found.statuses[place] = after.statuses[row]
            # What holds without the edges rests on what it rests on without them.
            found.derived[place] = np.where(moved, after.derived[row], before.derived[place])
            found.assumed[place] = np.where(moved, after.assumed[row], before.assumed[place])
            found.admitted[place] = moved
        return found


class Believer:
    """Decides with the edges that a completer admits for what is missing."""

    def __init__(self, completer: Completer, knowledge: Knowledge) -> None:
        self._completer = completer
        self._relations = searchable(knowledge)

    def believe(
        self,
        engine: SliceEngine,
        requests: Sequence[Request],
        decided: Sequence[Decisions],
        soft: SoftRules,
        decide: Callable[[SliceEngine, Sequence[Request]], Sequence[Decisions]],
    ) -> list[Completions]:
        """The decisions on each request, where `decided` is what was decided without edges.

        `engine` knows the evidence; `decide` decides requests by another one."""
        drafts = [_Draft(r, found) for r, found in zip(requests, decided, strict=True)]
        groups: dict[frozenset[Edge], list[tuple[_Draft, int]]] = {}
        told: dict[Edge, AdmittedEdge] = {}
        answers: dict[tuple[Breakpoint, ...], Mapping[Edge, AdmittedEdge]] = {}
        for draft in drafts:
            for place, missing in self._missing(draft, engine, soft):
                if missing not in answers:
                    found = self._completer.complete(missing)
                    answers[missing] = _usable(found, missing, engine.knowledge)
                    draft.problems |= dict.fromkeys(found.problems)
                told |= answers[missing]
                if answers[missing]:
                    groups.setdefault(frozenset(answers[missing]), []).append((draft, place))
        for edges, asked in groups.items():
            own = {edge: told[edge] for edge in sorted(edges)}
            known = engine.knowledge.admitting({edge: own[edge].source for edge in own})
            self._decide(SliceEngine(known, engine.rules), own, asked, soft, decide)
        return [draft.done() for draft in drafts]

    def _missing(
        self, draft: _Draft, engine: SliceEngine, soft: SoftRules
    ) -> Iterator[tuple[int, tuple[Breakpoint, ...]]]:
        """The candidates for which edges are missing that may be searched for, and which."""
        for place in np.flatnonzero((draft.alone.statuses == _UNK).any(axis=1)).tolist():
            candidate = draft.request.candidates[place]
            # Alone, so that it can't matter who else is asked about.
            alone = Batch(engine, [draft.request], soft)
            account = Account(alone, draft.request, candidate, draft.alone[place])
            missing = {
                Breakpoint(name, relation)
                for relation, subject in account.missing
                if relation in self._relations and (name := _id(engine.knowledge, subject))
            }
            if missing:
                yield place, tuple(sorted(missing))

    def _decide(
        self,
        engine: SliceEngine,
        edges: Mapping[Edge, AdmittedEdge],
        asked: Sequence[tuple[_Draft, int]],
        soft: SoftRules,
        decide: Callable[[SliceEngine, Sequence[Request]], Sequence[Decisions]],
    ) -> None:
        """Decide some candidates with the same edges, and take in what these decide."""
        places: dict[int, list[int]] = {}
        drafts = {id(draft): draft for draft, _ in asked}
        for draft, place in asked:
            places.setdefault(id(draft), []).append(place)
        requests = [_part(drafts[key].request, own) for key, own in places.items()]
        batch = Batch(engine, requests, soft)
        found = decide(engine, requests)
        for (key, own), after in zip(places.items(), found, strict=True):
            draft = drafts[key]
            for row, place in enumerate(own):
                if not _agrees(draft, place, after, row):
                    draft.problems[_contradiction(edges, draft, place, batch)] = None
                elif (after.statuses[row] != draft.alone.statuses[place]).any():
                    alone = draft.alone[place]
                    draft.rows.append((place, after, row))
                    draft.believed[place] = Believed(edges, batch, alone, self._completer.name)


def searchable(knowledge: Knowledge) -> frozenset[str]:
    """The relations whose edges may be searched for: those between entities, without those of which
    it matters when they hold, since nobody knows that of an admitted edge."""
    book, timed = knowledge.book, {"timed", "functional_at_a_time"}
    facts = (atom for atom, _ in schema(book, knowledge.constant))
    changing = {str(atom.arguments[0]) for atom in facts if atom.predicate in timed}
    links = (name for name in book.relations if not book.is_literal(name))
    return frozenset(links) - changing


def _id(knowledge: Knowledge, subject: int) -> str:
    """The id of an entity of the graph, "" for anything else."""
    inside = subject < knowledge.graph.n_terms
    key = knowledge.key(subject) if inside else ""
    return key[1:] if key[:1] == "e" else ""


def _usable(
    found: Completed, missing: Collection[Breakpoint], knowledge: Knowledge
) -> dict[Edge, AdmittedEdge]:
    """The edges that were asked for and that nobody states.  Raises EvidenceError for an end that
    the graph doesn't have."""
    edges: dict[Edge, AdmittedEdge] = {}
    for edge in found.edges:
        if Breakpoint(edge.subject, edge.relation) not in missing:
            continue
        ends = knowledge.graph.find(["e" + edge.subject, "e" + edge.object])
        if (ends < 0).any():
            message = f"{edge.relation}({edge.subject}, {edge.object}) is admitted, and the graph"
            problem = Problem("unknown-entity", f"{message} doesn't have both of its ends")
            raise EvidenceError(problem)
        one, other = knowledge.identity.of(ends.astype(np.int64))
        stated, _ = knowledge.facts.present(edge.relation, np.array([one]), np.array([other]))
        if not len(stated):
            edges.setdefault((edge.relation, int(one), int(other)), edge)
    return edges


def _part(request: Request, places: Sequence[int]) -> Request:
    """The request about some of its candidates."""
    return replace(
        request,
        candidates=tuple(request.candidates[place] for place in places),
        given_candidates=tuple(request.given_candidates[place] for place in places),
    )


def _agrees(draft: _Draft, place: int, after: Decisions, row: int) -> bool:
    """Do edges only decide what was open?"""
    single = [c.index for c in draft.request.template.constraints if c.kind != "group"]
    old, new = draft.alone.statuses[place, single], after.statuses[row, single]
    return bool(((old == new) | ((old == _UNK) & (new != _CONFLICT))).all())


def _contradiction(
    edges: Mapping[Edge, AdmittedEdge], draft: _Draft, place: int, batch: Batch
) -> Problem:
    said = ", ".join(batch.narrator.formal(("for", *edge)) for edge in edges)
    candidate = batch.knowledge.name(draft.request.given_candidates[place])
    message = f"for `{candidate}`, {said} would contradict what is known"
    hint = "its verdict rests on the graph alone"
    return Problem("admitted-contradiction", message, None, hint, severity="warning")
