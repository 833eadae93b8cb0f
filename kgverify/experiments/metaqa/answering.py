"""Reads questions and answers them from the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from kgverify.asking.asker import Asker
from kgverify.asking.texts import read_texts
from kgverify.errors import Span
from kgverify.experiments.metaqa.ceiling import walked
from kgverify.experiments.metaqa.questions import MetaQuestion
from kgverify.generating import reached
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import Knowledge
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question.

    `refused` is the code of the problem for which it was not read, "" when it was; `answers` are
    those that are sat, the best first; `walked` what the graph says to a question of this type,
    None for a type that says no walk."""

    question: MetaQuestion
    refused: str
    answers: tuple[str, ...]
    walked: frozenset[str] | None

    @property
    def is_exact(self) -> bool:
        """Are the answers the gold ones, no more and no less?"""
        return frozenset(self.answers) == self.question.gold

    @property
    def is_hit(self) -> bool:
        """Is the first answer a gold one?"""
        return bool(self.answers) and self.answers[0] in self.question.gold

    @property
    def f1(self) -> float:
        """Of the set of answers against the gold ones; 0 without answers."""
        return f1(frozenset(self.answers), self.question.gold)


def f1(answers: frozenset[str], gold: frozenset[str]) -> float:
    """The harmonic mean of precision and recall of a set."""
    return 2 * len(answers & gold) / (len(answers) + len(gold))


def answer_all(
    questions: Sequence[MetaQuestion],
    graph: Graph,
    rules: RuleBook,
    progress: Callable[[str], None],
) -> list[Outcome]:
    """The outcome of every question, in order."""
    texts = read_texts(_asked(questions, progress), Asker(graph, rules))
    refused: dict[int, str] = {}
    for problem in texts.problems:
        if problem.span:
            refused.setdefault(problem.span.line - 1, problem.code)
    progress("gathering candidates")
    given = dict(_with_candidates(texts.questions, graph, texts.book))
    progress("verifying")
    answers: dict[int, tuple[str, ...]] = {}
    verifier = Verifier(graph, texts.book, "strict")
    results = verifier.verify((_span(number), question) for number, question in given.items())
    for number, (verdicts, _) in zip(given, results, strict=True):
        answers[number] = tuple(v.label for v in verdicts if v.verdict == "sat")
    return [
        Outcome(q, refused.get(n, ""), answers.get(n, ()), walked(graph, q.type, q.topic))
        for n, q in enumerate(questions)
    ]


def _span(number: int) -> Span:
    return Span("questions", number + 1)


def _asked(
    questions: Sequence[MetaQuestion], progress: Callable[[str], None]
) -> Iterator[tuple[Span, Question]]:
    for number, question in enumerate(questions):
        if number % 100 == 0:
            progress(f"reading question {number:,} of {len(questions):,}")
        yield _span(number), Question(str(number), "", text=question.text)


def _with_candidates(
    questions: Sequence[tuple[Span, Question]], graph: Graph, book: RuleBook
) -> Iterator[tuple[int, Question]]:
    """The questions with all candidates that can be sat; without any, there is no answer."""
    knowledge = Knowledge(graph, book)
    for _, question in questions:
        found = reached(knowledge, book.questions[question.question], question.arguments)
        if found is not None and len(found):
            candidates = tuple(map(Candidate, knowledge.names(found.tolist())))
            yield int(question.id), replace(question, candidates=candidates)
