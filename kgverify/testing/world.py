"""Small worlds: a rule file, a graph and questions about it, as values that are easy to change.

Facts are (subject key, relation name, object key), with keys as in `kgverify.graph.terms`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

from kgverify.errors import QuestionError, RuleError
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.graph.store import KeyTriple
from kgverify.graph.terms import display
from kgverify.language import syntax as s
from kgverify.language.checks import load_rules_text
from kgverify.language.parsing import parse
from kgverify.language.printing import file_text
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import SUBCLASS, TYPE
from kgverify.verdicts import Verdict
from kgverify.verification import EngineName, Verifier
from kgverify.vocabulary import Question

Node = TypeVar("Node")
Facts = tuple[KeyTriple, ...]
Dated = tuple[str, str, str, str, str, str]  # a fact with since, until and rank, "" for none
Verdicts = dict[tuple[str, str], Verdict]  # by question id and candidate

# What may keep a question from being answered, or from being answered in full, in any world.
_EXPECTED = frozenset({"argument-type", "unresolved-argument", "repeated-candidate"})


@dataclass(frozen=True)
class World:
    """A rule file (as text; `path` names it), the facts and denied facts of a graph, its facts that
    have a period or a rank, and the questions that are asked.

    `book` raises RuleError when the rule file doesn't pass its checks."""

    rules: str
    facts: Facts = ()
    denied: Facts = ()
    dated: tuple[Dated, ...] = ()
    asked: tuple[Question, ...] = ()
    path: str = "world.kgr"

    @property
    def book(self) -> RuleBook:
        return _book(self.rules, self.path)

    @cached_property
    def graph(self) -> Graph:
        builder = Builder()
        for fact in self.facts:
            builder.add_fact(*fact)
        for fact in self.denied:
            builder.add_denied(*fact)
        for subject, relation, object_, since, until, rank in self.dated:
            said = {"since": since, "until": until, "rank": rank}
            qualifiers = {name: text for name, text in said.items() if text}
            builder.add_fact(subject, relation, object_, qualifiers=qualifiers)
        return Graph(builder.columns())

    @cached_property
    def statements(self) -> tuple[s.Statement, ...]:
        """The statements of the rule file.  Raises RuleError when one can't be read."""
        file, problems = parse(self.rules, self.path)
        if problems:
            raise RuleError(problems)
        return file.statements

    @property
    def terms(self) -> set[str]:
        """The keys of all terms of facts and denied facts; a deprecated fact is none."""
        dated = (fact for fact in self.dated if fact[5] != "deprecated")
        facts = (*self.facts, *self.denied, *dated)
        return {fact[place] for fact in facts for place in (0, 2)}

    @property
    def entities(self) -> list[str]:
        """The keys of the entities, blank nodes and classes excluded, that are in a fact or that a
        question asks about, in order."""
        found = self.terms - {f[2] for f in (*self.facts, *self.denied) if f[1] == TYPE}
        found -= {t for f in self.facts if f[1] == SUBCLASS for t in (f[0], f[2])}
        for question in self.asked:
            found |= {"e" + c.entity for c in question.candidates}
            found |= {"e" + str(question.arguments[n]) for n in _entity_parameters(self, question)}
        return sorted(key for key in found if key[0] == "e")

    @cached_property
    def verdicts(self) -> Verdicts:
        """The verdict on every candidate of every question, by question id and candidate."""
        return self.decide(self.asked)

    def decide(self, asked: Iterable[Question], engine: EngineName = "slice") -> Verdicts:
        """The verdicts on these questions; one whose argument has the wrong type in this world has
        none.  Raises KgverifyError on any other fault."""
        found: Verdicts = {}
        for verdicts, problems in self._verifiers(engine).verify(asked):
            if any(p.code not in _EXPECTED for p in problems):
                raise QuestionError(problems)
            found |= {(v.question, v.candidate): v for v in verdicts}
        return found

    @cached_property
    def _verifiers(self) -> Callable[[EngineName], Verifier]:
        return cache(lambda engine: Verifier(self.graph, self.book, "rank", engine))

    def with_facts(self, *facts: KeyTriple) -> World:
        return replace(self, facts=tuple(dict.fromkeys((*self.facts, *facts))))

    def with_denied(self, *facts: KeyTriple) -> World:
        return replace(self, denied=tuple(dict.fromkeys((*self.denied, *facts))))

    def with_statements(self, statements: Iterable[s.Statement]) -> World:
        """The world with these statements as its rule file."""
        return replace(self, rules=file_text(s.RuleFile(self.path, tuple(statements))))

    def files(self) -> dict[str, str]:
        """The world as files that the `kgverify` command reads, by name.

        Periods, ranks, blank nodes and values that the rule file gives no datatype have no place in
        a table of triples; `worlds` draws these, `own_worlds` doesn't."""
        found = {"rules.kgr": self.rules.rstrip("\n") + "\n", "facts.tsv": _table(self.facts)}
        if self.denied:
            found["denied.tsv"] = _table(self.denied)
        lines = [json.dumps(q.to_dict(), ensure_ascii=False) for q in self.asked]
        found["questions.jsonl"] = "".join(line + "\n" for line in lines)
        return found


@lru_cache(maxsize=512)
def _book(rules: str, path: str) -> RuleBook:
    """A rule file read and checked; the same text is met again and again while worlds shrink."""
    return load_rules_text(rules, path)


def _entity_parameters(world: World, question: Question) -> list[str]:
    parameters = world.book.questions[question.question].parameters
    return [p.name.text for p in parameters if p.type.text in world.book.classes]


def _table(facts: Facts) -> str:
    return "".join(f"{_cell(one)}\t{relation}\t{_cell(other)}\n" for one, relation, other in facts)


def _cell(key: str) -> str:
    """A term as a table of triples writes it: values without their quotes or datatype."""
    if key.startswith("lstring "):
        return key.removeprefix("lstring ")
    if key.startswith("lill "):
        return key.split(" ", 2)[2]
    return display(key)


def rewrite(node: Node, change: Callable[[Any], Any]) -> Node:
    """A syntax node with `change` applied to every node in it, the innermost first."""
    if isinstance(node, tuple):
        return tuple(rewrite(part, change) for part in node)  # type: ignore[return-value]
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed = {
        field.name: rewrite(value, change)
        for field in fields(node)
        if is_dataclass(value := getattr(node, field.name)) or isinstance(value, tuple)
    }
    return change(replace(node, **changed))  # type: ignore[no-any-return]
