"""Runs the `test` blocks of a rule file: each on a graph of its own facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kgverify.errors import Span
from kgverify.graph import Graph
from kgverify.graph.terms import value_key
from kgverify.language import syntax as s
from kgverify.language.printing import term_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.knowledge import TYPE
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question


@dataclass(frozen=True, slots=True)
class Outcome:
    """One expectation of a test block and what came out; `asked` is the question with its arguments
    as written.  `verdict` is None when the question could not be asked, and `problems` then says
    why."""

    test: str
    question: str
    candidate: str
    expected: str
    got: str
    span: Span
    verdict: Verdict | None
    problems: tuple[str, ...] = ()
    asked: str = ""

    @property
    def passed(self) -> bool:
        return self.expected == self.got


def run_tests(book: RuleBook, named: str = "") -> Iterator[Outcome]:
    """The outcome of every expectation of every test block whose name holds `named` (in any case),
    in file order."""
    for test in book.tests:
        if named.casefold() not in test.name.casefold():
            continue
        verifier = Verifier(_graph(book, test), book, policy="rank")
        for ask in test.asks:
            yield from _run(book, test, ask, verifier)


def _run(book: RuleBook, test: s.Test, ask: s.Ask, verifier: Verifier) -> Iterator[Outcome]:
    parameters = book.questions[ask.question.text].parameters
    arguments = {
        p.name.text: term.text if p.type.text in DATATYPES else _exact(book, term)
        for p, term in zip(parameters, ask.arguments, strict=True)
    }
    # One question for each candidate, since a candidate may be known by another name.
    name = ask.question.text
    questions = [
        (ask.span, Question(name, name, arguments, (Candidate(_exact(book, e.candidate)),)))
        for e in ask.expectations
    ]
    results = verifier.verify(questions)
    for expectation, (verdicts, problems) in zip(ask.expectations, results, strict=True):
        verdict = verdicts[0] if verdicts else None
        yield Outcome(
            test.name,
            name,
            term_text(expectation.candidate),
            expectation.status,
            verdict.verdict if verdict else "error",
            expectation.span,
            verdict,
            tuple(str(replace(p, span=None)) for p in problems if p.is_error),
            f"{name}({', '.join(map(term_text, ask.arguments))})",
        )


def _exact(book: RuleBook, term: s.Term) -> str:
    """The entity's id as questions give it: brackets around a name are those of an IRI there."""
    name = book.entity_ids(term)[0]
    return f"<{name}>" if name.startswith("<") else name


def _graph(book: RuleBook, test: s.Test) -> Graph:
    """The facts of a test block as a graph, under the names that a graph would use."""
    facts: list[tuple[str, str, str]] = []
    denied: list[tuple[str, str, str]] = []
    for literal in test.facts:
        (denied if literal.negated else facts).append(_triple(book, literal.atom))
    return Graph.from_triples(facts, denied, name=test.name)


def _triple(book: RuleBook, atom: s.Atom) -> tuple[str, str, str]:
    def entity(term: s.Term) -> str:
        return "e" + book.entity_ids(term)[0]

    if isinstance(atom, s.ClassAtom):
        return entity(atom.term), TYPE, "e" + book.kg_name(atom.cls.text)
    relation = atom.relations[0].text
    subject, object_ = atom.arguments
    datatype = book.relations[relation].range.text
    value = value_key(object_.text, datatype) if datatype in DATATYPES else entity(object_)
    return entity(subject), book.kg_name(relation), value
