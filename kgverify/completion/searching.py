"""Searching text for missing edges: 1 + K rounds, each more targeted, with one threshold
(TGComplete, section 4 and algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kgverify.completion.admission import SECONDS, Admitted, Rejected
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge, Source
from kgverify.completion.extracting import Extractor, NamedObject
from kgverify.completion.finding import Finder, FromGenerator, FromPassages
from kgverify.completion.generating import Generator
from kgverify.completion.journal import Answer, Journal, Pins, Reading
from kgverify.completion.linking import Linker, Unlinked
from kgverify.completion.policy import Policy
from kgverify.completion.rounds import Completion, Excluder, complete
from kgverify.completion.targeting import Targeting, subject_of
from kgverify.errors import EvidenceError, KgverifyError, Problem, counted
from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.findings import Finding
from kgverify.evidence.judging import Failure, Judge, Judgement
from kgverify.evidence.naming_passages import NamesInPassages
from kgverify.evidence.retrieving import Retriever
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import Knowledge
from kgverify.version import VERSION

MOST = 20  # candidates of a missing edge that are judged


@dataclass(frozen=True, slots=True)
class Trail:
    """What was read for a missing edge, round by round, and its candidates, best first: what the
    passages of all rounds name, or what was generated.  `left_out` of them were too many to be
    judged; `unlinked` was generated and stands for no candidate."""

    readings: tuple[Reading, ...] = ()
    candidates: tuple[NamedObject, ...] = ()
    left_out: int = 0
    failure: Problem | None = None
    unlinked: tuple[Unlinked, ...] = ()

    @property
    def generated(self) -> tuple[str, ...]:
        """The names that were generated."""
        return self.readings[0].generated if self.readings else ()


@dataclass(frozen=True, slots=True)
class Spent:
    """What a searcher has cost in this run: searches of the corpus, pairs of edge and passage that
    the judge was asked about, calls of the language model that generates."""

    searches: int = 0
    judged: int = 0
    calls: int = 0


class Searcher:
    """Proposes edges, and has them judged by the passages of a corpus.

    Candidate objects are what these passages name; or, with a `generator`, what that says, and all
    else is the same (GoG+Verify).

    What was read in earlier rounds is not forgotten: each candidate is proposed again, with all
    passages that were read for its missing edge, of whichever round.  So what one passage denies
    is not admitted later by a search that misses it.

    A missing edge on which the judge or the generator stops is given up; nothing of this round is
    kept for it."""

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
        generator: Generator | None = None,
    ) -> None:
        self.corpus, self._graph = corpus, graph
        self._retriever, self._judge = retriever, judge
        self._policy, self._most, self._progress = policy, most, progress
        self._knowledge = Knowledge(graph, book)
        self._generator = generator
        self._finder = self._finder_of(generator)
        self._names = NamesInPassages(corpus, graph)
        self._claims = Claims(book, graph)
        self._targeting = Targeting(graph, book, self._claims)
        self._searches = self._pairs = 0
        self._calls_before = 0 if generator is None else generator.calls
        pins = Pins(
            VERSION,
            graph.hash,
            book.hash,
            corpus.hash,
            retriever.name,
            judge.name,
            policy.top_k,
            most,
            self._finder.name,
        )
        self.pins = pins
        self.journal = Journal(pins, journal)
        self._trails: dict[Breakpoint, Trail] = {}
        self._judged: dict[tuple[Edge, str], Judgement | Failure] = {}

    def _finder_of(self, generator: Generator | None) -> Finder:
        extractor = Extractor(self._knowledge, self.corpus)
        if generator is None:
            return FromPassages(self._graph, extractor)
        return FromGenerator(generator, Linker(self._knowledge), extractor)

    @property
    def spent(self) -> Spent:
        """What this run has cost so far; what the journal had costs nothing."""
        calls = 0 if self._generator is None else self._generator.calls
        return Spent(self._searches, self._pairs, calls - self._calls_before)

    @property
    def nothing(self) -> str:
        """What is to be said where there is no candidate."""
        return self._finder.nothing

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

    def _search(self, missing: Breakpoint, round: int) -> None:
        """One round for a missing edge: from the journal, or by searching and judging."""
        trail = self.trail(missing)
        kept = self.journal.get(missing, round)
        first = trail.readings[0] if trail.readings else kept
        try:
            said = self._finder.ask(missing) if first is None else first.generated
        except KgverifyError as error:
            self._stop(missing, "generator", error)
            return
        if kept is not None:
            query, hits = kept.query, self.corpus.find(kept.passages).tolist()
        else:
            asked = self._targeting.query(missing, round)
            (found,) = self._retriever.search([asked], self._policy.top_k)
            query, hits = asked.text, [hit.passage for hit in found]
            self._searches += 1
        ids = tuple(self.corpus[number].id for number in hits)
        passages = self._passages(trail, ids)
        named, unlinked = self._finder.objects(missing, said, passages)
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
                judged = self._ask(missing, pairs)
            except KgverifyError as error:
                self._stop(missing, "judge", error)
                return
            answers = tuple(
                Answer.of(object_, passage, answer)
                for (object_, passage), answer in zip(self._ids(pairs), judged, strict=True)
            )
            once = () if trail.readings else said
            reading = Reading(missing, round, query, ids, answers, once)
            self.journal.add(reading)
        for answer in reading.answers:
            edge = Edge(missing.subject, missing.relation, answer.object)
            self._judged[edge, answer.passage] = answer.said
        left_out = len(named) - len(candidates)
        readings = (*trail.readings, reading)
        self._trails[missing] = Trail(readings, candidates, left_out, None, unlinked)

    def _stop(self, missing: Breakpoint, who: str, error: KgverifyError) -> None:
        """Give up a missing edge, with what was read for it before."""
        problem = error.problems[0]
        failure = replace(problem, message=f"the {who} stopped: {problem.message}")
        self._trails[missing] = replace(self.trail(missing), failure=failure)

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
        self._pairs += len(pairs)
        return self._judge.judge([(self.corpus[number], claims[one.id]) for one, number in pairs])

    def candidates(self, missing: Breakpoint) -> list[CandidateEdge]:
        """All candidates of a missing edge, each with every passage that was read for it."""
        trail = self.trail(missing)
        one = self._knowledge.identity.one
        passages = self._passages(trail)
        named = {number: set(map(one, self._names.entities(number))) for number in passages}
        subject = one(subject_of(self._graph, missing))
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
        missing,
        admitted,
        rejected,
        trail,
        sources,
        "" if admitted else _why(trail, searcher.nothing),
    )


def _why(trail: Trail, nothing: str) -> str:
    """Why nothing was admitted for a missing edge."""
    if trail.failure is not None:
        return trail.failure.message
    if not any(reading.passages for reading in trail.readings):
        return "no passage was found"
    if not trail.candidates:
        return nothing
    return f"none of {counted(len(trail.candidates), 'candidate')} was admitted"


def _place(edge: Edge) -> Breakpoint:
    return Breakpoint(edge.subject, edge.relation)


def _edge(missing: Breakpoint, one: NamedObject) -> Edge:
    return Edge(missing.subject, missing.relation, one.id)
