"""A question in plain words, answered: read, given candidates, verified, ranked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from kgverify.asking.asker import Asker
from kgverify.asking.reading import Reading
from kgverify.asking.texts import read_texts
from kgverify.errors import Problem, QuestionError, Span
from kgverify.generating import possible, reached
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.combining import Combination
from kgverify.reasoning.exact import Budget
from kgverify.reasoning.knowledge import Knowledge
from kgverify.verdicts import Verdict
from kgverify.verification import EngineName, Policy, Share, Verifier
from kgverify.vocabulary import Candidate, Question

MOST_CANDIDATES = 200_000  # beyond them, only those that evidence leads to are looked at


@dataclass(frozen=True)
class Answer:
    """What came of a question: how it was read, and the verdicts, best first.

    `examined` counts the candidates that were verified; `everything` is False when the graph has
    so many that only those were that evidence leads to, which are all that can be sat.  Where the
    question leads to none, a problem (`too-many-candidates`) says that some were left out."""

    reading: Reading
    verdicts: tuple[Verdict, ...]
    examined: int
    everything: bool
    problems: tuple[Problem, ...]


def ask(
    text: str,
    graph: Graph,
    rules: RuleBook,
    *,
    candidates: Iterable[str | Candidate] = (),
    policy: Policy = "filter",
    engine: EngineName = "slice",
    exact: bool | Budget = False,
    combine: Combination = "max",
    infer_from: Share | None = None,
    asker: Asker | None = None,
    most: int = MOST_CANDIDATES,
) -> Answer:
    """Answer a question in plain words.

    Without candidates the graph gives them: every entity that no required constraint refutes is
    among the verdicts that the policy keeps, as long as there are at most `most` of them.  `asker`
    reads the text; by default one for this graph and these rules.  The other options are
    those of `verify`.

    Raises QuestionError when the text can't be read with enough confidence."""
    asker = asker or Asker(graph, rules)
    span = Span("<question>")
    given = tuple(c if isinstance(c, Candidate) else Candidate(c) for c in candidates)
    if not text:
        asker.read(text, span=span)  # which says what is wrong with it
    texts = read_texts([(span, Question("asked", "", {}, given, text))], asker)
    if texts.problems:
        raise QuestionError(texts.problems)
    ((_, question),) = texts.questions
    everything, left_out = True, list[Problem]()
    if not given:
        question, everything, left_out = _with_candidates(
            question, graph, texts.book, most, infer_from is not None
        )
    verifier = Verifier(
        graph, texts.book, policy, engine, exact, combine=combine, infer_from=infer_from
    )
    ((verdicts, problems),) = verifier.verify([(span, question)])
    faults = [problem for problem in problems if problem.is_error]
    if faults:
        raise QuestionError(faults)
    return Answer(
        texts.readings["asked"],
        tuple(verdicts),
        len(question.candidates),
        everything,
        (
            *texts.readings["asked"].problems(span),
            *verifier.warnings_for([question]),
            *left_out,
            *problems,
        ),
    )


def _with_candidates(
    question: Question, graph: Graph, book: RuleBook, most: int, inferring: bool
) -> tuple[Question, bool, list[Problem]]:
    """The question with the graph's own candidates; whether these are all; and a problem if an
    answer may be among the others."""
    knowledge = Knowledge(graph, book)
    template = book.questions[question.question]
    ids = possible(knowledge, template, inferring)
    everything = len(ids) <= most
    problems: list[Problem] = []
    narrower = None if everything else reached(knowledge, template, question.arguments, inferring)
    if narrower is not None:
        ids = narrower
    elif not everything:
        message = f"{len(ids):,} entities may be answers; only the first {most:,} were verified"
        hint = "ask for something that leads to fewer, or give candidates"
        problems = [Problem("too-many-candidates", message, hint=hint, severity="warning")]
        ids = ids[:most]
    names = knowledge.names(np.unique(knowledge.identity.of(ids)).tolist())
    return replace(question, candidates=tuple(map(Candidate, names))), everything, problems
