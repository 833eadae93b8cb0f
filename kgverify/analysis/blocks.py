"""Graphs that were found, with the ordinary verdict on them, and as `test` blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import count

from kgverify.analysis.guessing import Example
from kgverify.analysis.things import NOWHERE, Asked, Fact, Thing
from kgverify.errors import EngineError, Problem
from kgverify.graph import Graph
from kgverify.language import syntax as s
from kgverify.language.printing import condition_text, statement_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.knowledge import TYPE
from kgverify.rule_tests import run_tests
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question


@dataclass(frozen=True)
class Confirmed:
    """A graph that was found, and the verdict of the ordinary verifier on it."""

    example: Example
    verdict: Verdict

    @property
    def size(self) -> int:
        """How many facts and denied facts the graph has."""
        return len(self.example.facts)


def confirm(book: RuleBook, question: str, example: Example, prefix: str = "") -> Confirmed:
    """The verdict on a graph that was found.

    Raises EngineError when it is another than the search says: that is a fault of kgverify."""
    verdict = _verdict(book, question, example)
    if verdict is None:
        raise _unconfirmed(question, "the question can't be asked")
    if verdict.verdict != said_verdict(example, prefix):
        raise _unconfirmed(question, f"the verdict is {verdict.verdict}")
    statuses = dict(enumerate(verdict.decision.statuses))
    if statuses != said_statuses(example, prefix):
        raise _unconfirmed(question, f"the statuses are {statuses}")
    return Confirmed(example, verdict)


def _verdict(book: RuleBook, question: str, example: Example) -> Verdict | None:
    """The ordinary verdict; None where the question can't be asked so."""
    assert example.asked is not None
    parameters = book.questions[question].parameters
    arguments = {
        p.name.text: thing.term.text if p.type.text in DATATYPES else _id(thing.key)
        for p, thing in zip(parameters, example.asked.arguments, strict=True)
    }
    graph = Graph.from_triples(
        [f.triple for f in example.facts if not f.denied],
        [f.triple for f in example.facts if f.denied],
        name="guessed",
    )
    asked = Question(question, question, arguments, (Candidate(_id(example.asked.candidate.key)),))
    verifier = Verifier(graph, replace(book, tests=()), policy="rank")
    ((verdicts, _),) = verifier.verify([asked])
    return verdicts[0] if verdicts else None


def said_verdict(example: Example, prefix: str = "") -> str:
    """The verdict that the search says."""
    found = [v for v in ("sat", "viol", "unk") if f"{prefix}verdict({v})" in example.shown]
    return ", ".join(found)


def said_statuses(example: Example, prefix: str = "") -> dict[int, str]:
    """The status of each constraint that the search says."""
    start = f"{prefix}status("
    pairs = (a[len(start) : -1].split(",") for a in example.shown if a.startswith(start))
    return dict(sorted((int(index), status) for index, status in pairs))


def _id(key: str) -> str:
    """An entity's id as questions give it."""
    name = key[1:]
    return f"<{name}>" if name.startswith("<") else name


def _unconfirmed(question: str, why: str) -> EngineError:
    return EngineError(
        Problem(
            "unconfirmed",
            f"a graph that was found for `{question}` is judged otherwise: {why}",
            hint="this is a fault of kgverify; nothing was found",
        )
    )


# ---------------------------------------------------------------- test blocks


def expressible(book: RuleBook, facts: Sequence[Fact]) -> bool:
    """Can the rule file state all of these facts?"""
    return all(_literal(book, fact) is not None for fact in facts)


def block_text(book: RuleBook, name: str, question: str, found: Confirmed) -> str:
    """The graph as a `test` block that expects the verdict, as the rule file writes it.

    Raises EngineError when the block doesn't come out as it expects."""
    example = found.example
    assert example.asked is not None
    facts = tuple(f for fact in example.facts if (f := _literal(book, fact)) is not None)
    expectation = s.Expectation(example.asked.candidate.term, found.verdict.verdict, NOWHERE)
    arguments = tuple(thing.term for thing in example.asked.arguments)
    ask = s.Ask(s.Ident(question, NOWHERE), arguments, (expectation,), NOWHERE)
    test = s.Test(name, facts, (ask,), NOWHERE)
    for outcome in run_tests(replace(book, tests=(test,))):
        if not outcome.passed:
            raise _unconfirmed(question, f"as a test block it is {outcome.got}")
    return statement_text(test)


def torn_block(book: RuleBook, example: Example, torn: tuple[str, list[Thing]]) -> str:
    """A question about an atom that a graph has evidence for and against, and a `test` block with
    the graph, in which that is `unk`.

    Raises EngineError when the verifier sees no conflict there."""
    name, (subject, *objects) = torn
    for type_ in _types(book, name) if objects else ("",):
        question = _about(book, name, type_)
        asked = replace(example, asked=Asked(subject, tuple(objects)))
        longer = book.with_questions([question])
        verdict = _verdict(longer, question.name.text, asked)
        if verdict is not None:
            break
    else:
        raise _unconfirmed(name, "its object fits no parameter")
    if verdict.decision.statuses[len(objects)] != "conflict":
        raise _unconfirmed(name, "there is no conflict")
    block = block_text(
        longer, f"{name}: true and false", question.name.text, Confirmed(asked, verdict)
    )
    return f"{statement_text(question)}\n{block}"


def _types(book: RuleBook, relation: str) -> list[str]:
    """What the object of a relation may be declared as, where it is asked about."""
    declared = book.relations[relation].range.text
    return list(dict.fromkeys([declared, *([] if declared in DATATYPES else book.classes)]))


def _about(book: RuleBook, name: str, type_: str) -> s.Question:
    """The question whether something is related so, or is in the class."""
    taken = {*book.questions, *book.relations, *book.classes}
    own = next(f"conflict{n}" for n in count(1) if f"conflict{n}" not in taken)
    x, o = s.Ident("x", NOWHERE), s.Ident("o", NOWHERE)
    if not type_:
        cls = s.Ident(name, NOWHERE)
        sentence = f"What is in {name}?"
        return s.Question(s.Ident(own, NOWHERE), (), (sentence,), x, cls, (), NOWHERE)
    terms = tuple(s.Term(s.TermKind.NAME, one.text, NOWHERE) for one in (x, o))
    atom = s.RelationAtom(s.Ident(name, NOWHERE), terms, NOWHERE)
    item = s.Item(s.Demand.REQUIRE, s.Literal(atom, False, NOWHERE), Decimal(1), "", NOWHERE)
    parameter = s.Parameter(o, s.Ident(type_, NOWHERE))
    cls = s.Ident(book.relations[name].domain.text, NOWHERE)
    sentence = f"What has {name} to {{o}}?"
    return s.Question(s.Ident(own, NOWHERE), (parameter,), (sentence,), x, cls, (item,), NOWHERE)


def fact_text(book: RuleBook, fact: Fact) -> str:
    """A fact as the rule file writes it, or with the graph's names where it has none."""
    literal = _literal(book, fact)
    if literal is not None:
        return condition_text(literal)
    sign = "not " if fact.denied else ""
    return f"{sign}{fact.relation}({fact.subject.term.text}, {fact.object.term.text})"


def _literal(book: RuleBook, fact: Fact) -> s.Literal | None:
    """The fact in the names of the rule file; None where it has none."""
    if fact.relation == TYPE:
        classes = (n for n in book.classes if "e" + book.kg_name(n) == fact.object.key)
        name = next(classes, None)
        if name is None:
            return None
        atom: s.Atom = s.ClassAtom(fact.subject.term, s.Ident(name, NOWHERE), NOWHERE)
    else:
        is_value = fact.object.key[0] == "l"
        relations = (
            n
            for n in book.relations
            if book.kg_name(n) == fact.relation and book.is_literal(n) == is_value
        )
        name = next(relations, None)
        if name is None:
            return None
        terms = fact.subject.term, fact.object.term
        atom = s.RelationAtom(s.Ident(name, NOWHERE), terms, NOWHERE)
    return s.Literal(atom, fact.denied, NOWHERE)
