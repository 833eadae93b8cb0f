"""Reads passages about statements: finds them, has them judged, and says what they name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kgverify.errors import EvidenceError, Problem
from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.findings import Finding, Findings, Statement
from kgverify.evidence.judging import Claim, Judge
from kgverify.evidence.naming_passages import NamesInPassages
from kgverify.evidence.queries import worded_query
from kgverify.evidence.retrieving import Retriever
from kgverify.graph import Graph
from kgverify.graph.terms import display
from kgverify.language.rulebook import RuleBook

MOST = 5  # passages that are read for a statement
_BATCH = 100  # statements that are searched for and judged together


class PassageReader:
    """Reads passages of a corpus about the relations of a rule file and the entities of a graph.

    For each statement the `most` best passages that the retriever finds are judged.  A statement
    that was read about is not read about again.  `progress` is told how many of how many statements
    of a call have been read about."""

    def __init__(
        self,
        graph: Graph,
        book: RuleBook,
        corpus: Corpus,
        retriever: Retriever,
        judge: Judge,
        most: int = MOST,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.corpus, self.retriever, self.judge = corpus, retriever, judge
        self._graph, self._book, self._most, self._progress = graph, book, most, progress
        self._claims = Claims(book, graph)
        self._names = NamesInPassages(corpus, graph)
        self._known: dict[Statement, Findings] = {}

    @property
    def name(self) -> str:
        """The corpus, by its hash, the retriever and how many passages it gives, and the judge."""
        return f"{self.corpus.hash} {self.retriever.name} {self._most} {self.judge.name}"

    def read(self, asked: Sequence[Statement]) -> list[Findings]:
        """What was read for each statement, the best passage first."""
        new = list(dict.fromkeys(s for s in asked if s not in self._known))
        for first in range(0, len(new), _BATCH):
            some = new[first : first + _BATCH]
            self._known.update(zip(some, self._read(some), strict=True))
            if self._progress:
                self._progress(first + len(some), len(new))
        return [self._known[statement] for statement in asked]

    def _read(self, statements: Sequence[Statement]) -> list[Findings]:
        entities = self._entities(statements)
        claims = [self._claim(statement) for statement in statements]
        queries = [
            worded_query(self._book, claim.relation.name, claim.subject, _names(claim))
            for claim in claims
        ]
        found = self.retriever.search(queries, self._most)
        pairs = [
            (self.corpus[hit.passage], claim)
            for claim, hits in zip(claims, found, strict=True)
            for hit in hits
        ]
        judged = self.judge.judge(pairs)
        if len(judged) != len(pairs):
            message = f"`{self.judge.name}` gave {len(judged)} answers to {len(pairs)} pairs"
            raise EvidenceError(Problem("judge-answers", message))
        answers = iter(judged)
        passages = iter(passage for passage, _ in pairs)
        read = {hit.passage for hits in found for hit in hits}
        named = {passage: self._names.entities(passage) for passage in read}
        return [
            Findings(
                claim.hypothesis,
                tuple(
                    Finding(
                        next(passages),
                        int(self.corpus.origins[hit.passage]),
                        next(answers),
                        *(entities.get(key) in named[hit.passage] for key in statement[1:]),
                    )
                    for hit in hits
                ),
            )
            for statement, claim, hits in zip(statements, claims, found, strict=True)
        ]

    def _claim(self, statement: Statement) -> Claim:
        relation, subject, object_ = statement
        value = self._claims.value(relation, _written(object_)) if object_[:1] == "l" else None
        return self._claims.of(_written(subject), relation, value or _written(object_))

    def _entities(self, statements: Sequence[Statement]) -> dict[str, int]:
        """The graph's numbers of the entities that some statements are about."""
        keys = list({key for s in statements for key in s[1:] if key[:1] != "l"})
        numbers = self._graph.find(keys).tolist()
        return {key: number for key, number in zip(keys, numbers, strict=True) if number >= 0}


def _names(claim: Claim) -> tuple[str, ...]:
    return claim.object if isinstance(claim.object, tuple) else (claim.object.text,)


def _written(key: str) -> str:
    """A term as a judge and a search take it: an id, or a value without marks."""
    if key.startswith(("lstring ", "ltext@")):
        return key.partition(" ")[2]
    return display(key)
