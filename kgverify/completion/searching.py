"""Searching text for missing edges: 1 + K rounds, each more targeted, with one threshold
(TGComplete, section 4 and algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kgverify.completion.admission import SECONDS, Admitted, Rejected
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge, Source
from kgverify.completion.extracting import Extractor, NamedObject
from kgverify.completion.journal import Answer, Journal, Pins, Reading
from kgverify.completion.policy import Policy
from kgverify.completion.rounds import Completion, Excluder, complete
from kgverify.errors import EvidenceError, KgverifyError, Problem, counted
from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.findings import Finding
from kgverify.evidence.judging import Failure, Judge, Judgement
from kgverify.evidence.naming_passages import NamesInPassages
from kgverify.evidence.queries import names_of, worded_query
from kgverify.evidence.retrieving import Query, Retriever
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import Knowledge
from kgverify.version import VERSION

MOST = 20  # candidates of a missing edge that are judged
_NEIGHBOURS = 5  # names of neighbours that a round adds to its query


@dataclass(frozen=True, slots=True)
class Trail:
    """What was read for a missing edge, round by round, and the candidates that the passages of
    all rounds name, best first; `left_out` of them were too many to be judged."""

    readings: tuple[Reading, ...] = ()
    candidates: tuple[NamedObject, ...] = ()
    left_out: int = 0
    failure: Problem | None = None


class Searcher:
    """Proposes edges from the passages of a corpus.

    What was read in earlier rounds is not forgotten: each candidate is proposed again, with all
    passages that were read for its missing edge, of whichever round.  So what one passage denies
    is not admitted later by a search that misses it.

    A missing edge on which the judge stops is given up; nothing of this round is kept for it."""

    def __init__(
        self,
        graph: Graph,
        book: RuleBook,
        corpus: Corpus,
        retriever: Retriever,
        judge: Judge,
        policy: Policy,
        journal: Path | None = None,
        most: int = MOST,
        progress: Callable[[Breakpoint, int], None] | None = None,
    ) -> None:
        self.corpus, self._graph, self._book = corpus, graph, book
        self._retriever, self._judge = retriever, judge
        self._policy, self._most, self._progress = policy, most, progress
        self._knowledge = Knowledge(graph, book)
        self._extractor = Extractor(self._knowledge, corpus)
        self._names = NamesInPassages(corpus, graph)
        self._claims = Claims(book, graph)
        pins = Pins(
            VERSION,
            graph.hash,
            book.hash,
            corpus.hash,
            retriever.name,
            judge.name,
            policy.top_k,
            most,
        )
        self.pins = pins
        self.journal = Journal(pins, journal)
        self._trails: dict[Breakpoint, Trail] = {}
        self._judged: dict[tuple[Edge, str], Judgement | Failure] = {}

    def trail(self, missing: Breakpoint) -> Trail:
        """What was read for a missing edge so far."""
        return self._trails.get(missing, Trail())

    def propose(self, missing: Sequence[Breakpoint], round: int) -> list[CandidateEdge]:
        """The candidates for these, with all that was read for them in this and earlier rounds."""
        found: list[CandidateEdge] = []
        for place in missing:
            if self.trail(place).failure is None:
                self._search(place, round)
            if self.trail(place).failure is None:
                found += self.candidates(place)
            if self._progress:
                self._progress(place, round)
        return found

    def query(self, missing: Breakpoint, round: int) -> Query:
        """What a round searches for: first the relation's sentence with the subject's label; then
        all of its phrases and names, and words for the object's class; then beside these, a few in
        each round, what the subject is connected with in the graph."""
        subject = self._subject(missing)
        names = names_of(self._graph, subject)
        wide = worded_query(self._book, missing.relation, names)
        if round == 0:
            return Query(wide.text, names[:1])
        words = self._claims.words(missing.relation).object_words[:1]
        beside: tuple[str, ...] = ()
        if round > 1:
            beside = self._neighbours(subject)[(round - 2) * _NEIGHBOURS :][:_NEIGHBOURS]
        text = " ".join((wide.text, *words, *beside))
        return Query(text, wide.names, tuple(dict.fromkeys((*wide.phrases, *beside))))

    def _neighbours(self, subject: int) -> tuple[str, ...]:
        """The names of entities that share a fact with the subject, in the order of their ids;
        classes are none."""
        facts, graph = self._graph.facts, self._graph
        one = np.array([subject])
        found: set[int] = set()
        for relation in range(len(graph.relations)):
            if relation not in (graph.type_relation, graph.subclass_relation):
                found.update(facts.from_subjects(relation, one).objects.tolist())
                found.update(facts.from_objects(relation, one).subjects.tolist())
        keys = {graph.key(entity): entity for entity in found - {subject}}
        entities = [keys[key] for key in sorted(keys) if key[:1] == "e"]
        return tuple(dict.fromkeys(names_of(graph, entity)[0] for entity in entities))

    def _subject(self, missing: Breakpoint) -> int:
        (number,) = self._graph.find(["e" + missing.subject]).tolist()
        if number < 0:
            message = f"the graph has no entity `{missing.subject}`"
            raise EvidenceError(Problem("unknown-entity", message))
        return int(number)

    def _search(self, missing: Breakpoint, round: int) -> None:
        """One round for a missing edge: from the journal, or by searching and judging."""
        trail, subject = self.trail(missing), self._subject(missing)
        kept = self.journal.get(missing, round)
        if kept is not None:
            query, hits = kept.query, self.corpus.find(kept.passages).tolist()
        else:
            asked = self.query(missing, round)
            (found,) = self._retriever.search([asked], self._policy.top_k)
            query, hits = asked.text, [hit.passage for hit in found]
        ids = tuple(self.corpus[number].id for number in hits)
        passages = self._passages(trail, ids)
        named = self._extractor.extract(subject, missing.relation, passages)
        # What was judged in an earlier round stays a candidate, whatever is named more often now.
        before = {one.entity for one in trail.candidates}
        new = [one for one in named if one.entity not in before]
        room = max(0, self._most - len(before))
        chosen = before | {one.entity for one in new[:room]}
        candidates = tuple(one for one in named if one.entity in chosen)
        pairs = [
            (one, number)
            for one in candidates
            for number in passages
            if (_edge(missing, one), self.corpus[number].id) not in self._judged
        ]
        if kept is not None:
            reading = kept
            if [(a.object, a.passage) for a in kept.answers] != self._ids(pairs):
                message = f"the journal does not fit what passages name for {missing}"
                raise EvidenceError(Problem("journal-other-run", message))
        else:
            try:
                said = self._ask(missing, pairs)
            except KgverifyError as error:
                self._trails[missing] = Trail(
                    trail.readings, trail.candidates, trail.left_out, error.problems[0]
                )
                return
            answers = tuple(
                Answer.of(object_, passage, answer)
                for (object_, passage), answer in zip(self._ids(pairs), said, strict=True)
            )
            reading = Reading(missing, round, query, ids, answers)
            self.journal.add(reading)
        for answer in reading.answers:
            edge = Edge(missing.subject, missing.relation, answer.object)
            self._judged[edge, answer.passage] = answer.said
        self._trails[missing] = Trail(
            (*trail.readings, reading), candidates, len(named) - len(candidates)
        )

    def _passages(self, trail: Trail, more: Iterable[str] = ()) -> list[int]:
        """The passages of all rounds, each once, in the order in which they were found."""
        ids = [id_ for reading in trail.readings for id_ in reading.passages]
        return list(map(int, self.corpus.find(list(dict.fromkeys((*ids, *more))))))

    def _ids(self, pairs: Iterable[tuple[NamedObject, int]]) -> list[tuple[str, str]]:
        return [(one.id, self.corpus[number].id) for one, number in pairs]

    def _ask(
        self, missing: Breakpoint, pairs: Sequence[tuple[NamedObject, int]]
    ) -> list[Judgement | Failure]:
        """What the judge says of each object and passage."""
        if not pairs:
            return []
        claims = {
            one.id: self._claims.of(missing.subject, missing.relation, one.id) for one, _ in pairs
        }
        return self._judge.judge([(self.corpus[number], claims[one.id]) for one, number in pairs])

    def candidates(self, missing: Breakpoint) -> list[CandidateEdge]:
        """All candidates of a missing edge, each with every passage that was read for it."""
        trail = self.trail(missing)
        one = self._knowledge.identity.one
        passages = self._passages(trail)
        named = {number: set(map(one, self._names.entities(number))) for number in passages}
        subject = one(self._subject(missing))
        found = []
        for candidate in trail.candidates:
            edge = _edge(missing, candidate)
            findings = (
                Finding(
                    self.corpus[number],
                    int(self.corpus.origins[number]),
                    self._judged[edge, self.corpus[number].id],
                    subject in named[number],
                    candidate.entity in named[number],
                )
                for number in passages
            )
            found.append(CandidateEdge(edge, tuple(map(Source.of, findings))))
        return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one missing edge.  `why` says what it lacks where nothing was admitted."""

    missing: Breakpoint
    admitted: tuple[Admitted, ...]
    rejected: tuple[Rejected, ...]
    trail: Trail
    sources: dict[Edge, tuple[Source, ...]]
    why: str = ""


def search(
    missing: Iterable[Breakpoint],
    searcher: Searcher,
    policy: Policy,
    excluder: Excluder,
    seconds: float = SECONDS,
) -> tuple[Completion, list[Outcome]]:
    """Complete missing edges from text; what came of all of them, and of each in their order."""
    asked = list(dict.fromkeys(missing))
    done = complete(asked, searcher, policy, excluder, seconds)
    return done, [_outcome(place, done, searcher) for place in asked]


def _outcome(missing: Breakpoint, done: Completion, searcher: Searcher) -> Outcome:
    admitted = tuple(one for one in done.admitted if _place(one.edge) == missing)
    rejected = tuple(one for one in done.rejected if _place(one.edge) == missing)
    trail = searcher.trail(missing)
    sources = {candidate.edge: candidate.sources for candidate in searcher.candidates(missing)}
    return Outcome(
        missing, admitted, rejected, trail, sources, "" if admitted else _why(missing, trail)
    )


def _why(missing: Breakpoint, trail: Trail) -> str:
    """Why nothing was admitted for a missing edge."""
    if trail.failure is not None:
        return f"the judge stopped: {trail.failure.message}"
    if not any(reading.passages for reading in trail.readings):
        return "no passage was found"
    if not trail.candidates:
        return "no passage names anything that could be the object"
    return f"none of {counted(len(trail.candidates), 'candidate')} was admitted"


def _place(edge: Edge) -> Breakpoint:
    return Breakpoint(edge.subject, edge.relation)


def _edge(missing: Breakpoint, one: NamedObject) -> Edge:
    return Edge(missing.subject, missing.relation, one.id)
