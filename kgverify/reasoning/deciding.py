"""Decides batches of questions: gather the evidence, ground and solve, read off the statuses.

`SliceEngine` gathers only what the questions can look at.  `ReferenceEngine` grounds the whole
graph under the encodings as they stand: slow, obviously right, and what the other is held against.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

import numpy as np

from kgverify.language import syntax as s
from kgverify.reasoning.datalog import Atom, Rule, specialise, symbol
from kgverify.reasoning.facts import candidate_text, slice_text, stranger_text
from kgverify.reasoning.gathering import Gatherer, GoalName, Slice
from kgverify.reasoning.knowledge import Ids, Knowledge
from kgverify.reasoning.program import (
    DECISION,
    EVIDENCE,
    LIMB,
    STATIC,
    Template,
    constants,
    encoding,
    hard_rules,
    question_text,
    schema,
    templates,
)
from kgverify.reasoning.solver import solve


@dataclass(frozen=True, slots=True)
class Request:
    """A question with its terms resolved: one argument id a parameter, candidate ids without
    repetition."""

    template: Template
    arguments: tuple[int, ...]
    candidates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What the solver said of one candidate.

    `statuses` holds one of `sat`, `viol`, `conflict` and `unk` for each constraint, `asserted` the
    constraints whose deciding atom is stated outright; `support` is exact."""

    verdict: str
    support: Fraction
    statuses: tuple[str, ...]
    asserted: frozenset[int]


class Engine(Protocol):
    """Decides a batch: for each request, the decisions in the order of its candidates."""

    def decide(self, requests: Sequence[Request]) -> list[list[Decision]]: ...


class SliceEngine:
    """Gather, then decide over the gathered slice alone."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    @cached_property
    def rules(self) -> list[Rule]:
        """The evidence encodings specialised to the schema, and the hard rules."""
        return evidence_rules(self.knowledge)

    def gather(self, requests: Sequence[Request]) -> Slice:
        """The evidence that the requests can look at."""
        gatherer = Gatherer(self.knowledge, self.rules)
        by_template: dict[str, list[Request]] = defaultdict(list)
        for request in requests:
            by_template[request.template.name].append(request)
        for group in by_template.values():
            self._ask(gatherer, group)
        return gatherer.run()

    def _ask(self, gatherer: Gatherer, group: Sequence[Request]) -> None:
        template = group[0].template
        values = {
            template.question.answer.text: _known(
                self.knowledge, (id for request in group for id in request.candidates)
            )
        }
        for place, name in enumerate(template.parameters):
            values[name] = _known(self.knowledge, (request.arguments[place] for request in group))
        for constraint in template.constraints:
            if constraint.kind == "same":
                continue
            last = constraint.name if constraint.kind == "relation" else None
            places = [
                values[t.text]
                if t.kind is s.TermKind.NAME and t.text in values
                else np.array([_resolve(self.knowledge, t, last if n else None)], np.int64)
                for n, t in enumerate(constraint.terms)
            ]
            pro, con = ("for", "against") if constraint.kind == "relation" else ("is_a", "isnt_a")
            gatherer.ask((pro, constraint.name), *places)
            gatherer.ask((con, constraint.name), *places)

    def program(self, requests: Sequence[Request]) -> list[str]:
        """The program text for the requests: rules, questions and gathered facts."""
        slice_ = self.gather(requests)
        joins = {rule.head for rule in self.rules if _joins(rule)}
        named = {_goal_key(head) for head in joins}
        rules = "\n".join(str(found) for rule in self.rules for found in _guarded(rule, slice_))
        return [
            encoding(*DECISION),
            rules,
            _goal_text(slice_, named),
            slice_text(slice_, self.knowledge, _terms(requests)),
            *_questions(self.knowledge, requests),
        ]

    def decide(self, requests: Sequence[Request]) -> list[list[Decision]]:
        return _read(solve(*self.program(requests)), requests)


class ReferenceEngine:
    """Ground the whole graph with the questions, under the encodings unchanged."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    def program(self, requests: Sequence[Request]) -> list[str]:
        """The program text for the requests: everything."""
        knowledge = self.knowledge
        resolve = _resolver(knowledge)
        facts = [f"{atom}." for atom, _ in schema(knowledge.book, resolve)]
        return [
            encoding(*EVIDENCE, *DECISION),
            "\n".join(facts),
            "\n".join(map(str, hard_rules(knowledge.book, resolve))),
            slice_text(whole_graph(knowledge), knowledge, _terms(requests)),
            *_questions(knowledge, requests),
        ]

    def decide(self, requests: Sequence[Request]) -> list[list[Decision]]:
        return _read(solve(*self.program(requests)), requests)


def whole_graph(knowledge: Knowledge) -> Slice:
    """Every fact and denied fact of the graph and the rule file; relations that the rule file
    doesn't name keep the graph's name."""
    graph, book = knowledge.graph, knowledge.book
    found = Slice()
    for layer, side in ((knowledge.facts, found.triples), (knowledge.denied, found.denied)):
        for name in (*book.relations, "rdf:type", "rdfs:subClassOf"):
            pair = layer.all(name)
            if len(pair[0]):
                side[name] = pair
    named = {book.kg_name(name) for name in book.relations}
    for id, name in enumerate(graph.relations):
        if name not in named and id not in (graph.type_relation, graph.subclass_relation):
            for table, side in ((graph.facts, found.triples), (graph.denied, found.denied)):
                pairs = table.all(id)
                side["graph:" + name] = (
                    pairs.subjects.astype(np.int64),
                    pairs.objects.astype(np.int64),
                )
    return found


def evidence_rules(knowledge: Knowledge) -> list[Rule]:
    """The specialised evidence encodings and the hard rules, over the ids of `knowledge`."""
    resolve = _resolver(knowledge)
    facts = schema(knowledge.book, resolve)
    return [*specialise(templates(), facts, STATIC), *hard_rules(knowledge.book, resolve)]


def _resolve(knowledge: Knowledge, term: s.Term, relation: str | None) -> int:
    return knowledge.object(relation, term) if relation else knowledge.entity(term)


def _resolver(knowledge: Knowledge) -> Callable[[s.Term, str | None], int]:
    return lambda term, relation: _resolve(knowledge, term, relation)


def _known(knowledge: Knowledge, ids: Iterable[int]) -> Ids:
    distinct = np.unique(np.fromiter(ids, np.int64))
    limit = knowledge.graph.n_terms
    own = [id for id in distinct[distinct >= limit].tolist() if not knowledge.is_stranger(id)]
    return np.concatenate((distinct[distinct < limit], np.array(own, np.int64)))


def _terms(requests: Sequence[Request]) -> set[int]:
    return {id for r in requests for ids in (r.arguments, r.candidates) for id in ids}


# ---------------------------------------------------------------- program text


def _questions(knowledge: Knowledge, requests: Sequence[Request]) -> Iterator[str]:
    """The templates asked, and who asks them about whom."""
    resolve = _resolver(knowledge)
    terms = _terms(requests)
    for template in {r.template.name: r.template for r in requests}.values():
        yield question_text(template, resolve)
        terms |= {int(id) for id in constants(template, resolve)}
    for number, request in enumerate(requests):
        arguments = ",".join(map(str, request.arguments))
        tuple_ = f"({arguments},)" if len(request.arguments) == 1 else f"({arguments})"
        yield f"asked({number},{symbol(request.template.name)},{tuple_})."
        yield candidate_text(number, request.candidates)
    limit = knowledge.graph.n_terms
    yield stranger_text(id for id in terms if id >= limit and knowledge.is_stranger(id))


def _joins(rule: Rule) -> bool:
    """Does the rule join evidence, so that its head must be guarded by what is asked?"""
    body = [a for a in rule.body if isinstance(a, Atom) and a.predicate in ("for", "is_a")]
    return rule.head.predicate in ("for", "is_a") and len(body) > 1 and _has_name(rule.head)


def _has_name(head: Atom) -> bool:
    return isinstance(head.arguments[0 if head.predicate == "for" else 1], str)


def _goal_key(head: Atom) -> tuple[str, str]:
    return head.predicate, str(head.arguments[0 if head.predicate == "for" else 1])


def _guarded(rule: Rule, slice_: Slice) -> Iterator[Rule]:
    """The rule once for each way in which its head is asked; a rule that can't cost more than the
    facts it reads stays as it is."""
    if not _joins(rule):
        yield rule
        return
    key = _goal_key(rule.head)
    names = [name for name in slice_.goals if name.key == key]
    if any("b" not in name.mode for name in names):
        yield rule
        return
    terms = rule.head.arguments[1:] if key[0] == "for" else rule.head.arguments[:1]
    for name in names:
        if name.wanted:
            guards = [Atom("want", rule.head.arguments)]
        else:
            guards = [
                Atom("seek", (*key, name.mode, place, term))
                for place, (term, kind) in enumerate(zip(terms, name.mode, strict=True))
                if kind == "b"
            ]
        yield Rule(rule.head, (*guards, *rule.body), rule.origin)


def _goal_text(slice_: Slice, keys: set[tuple[str, str]]) -> str:
    """What is asked of the relations and classes with joining rules."""
    return "\n".join(
        _seek(name, places) for name, places in slice_.goals.items() if name.key in keys
    )


def _seek(name: GoalName, places: tuple[Ids, ...]) -> str:
    if name.wanted:
        return ""
    head = ",".join(map(symbol, (*name.key, name.mode)))
    return "".join(
        f"seek({head},{place},{id})."
        for place, (ids, kind) in enumerate(zip(places, name.mode, strict=True))
        if kind == "b"
        for id in ids.tolist()
    )


# ---------------------------------------------------------------- answers


def _read(shown: Sequence[str], requests: Sequence[Request]) -> list[list[Decision]]:
    """The decisions in the solver's shown atoms."""
    statuses: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    asserted: dict[tuple[str, str], set[int]] = defaultdict(set)
    verdicts: dict[tuple[str, str], str] = {}
    support: dict[tuple[str, str], int] = defaultdict(int)
    for text in shown:
        predicate, _, rest = text[:-1].partition("(")
        parts = rest.split(",")
        if predicate == "asserted":
            asserted[parts[0], parts[2]].add(int(parts[1]))
        elif predicate == "accept":
            verdicts[parts[0], parts[1]] = "sat"
        elif predicate == "reject":
            verdicts[parts[0], parts[1]] = "viol"
        elif predicate == "support":
            support[parts[0], parts[1]] += int(parts[3]) * LIMB ** int(parts[2])
        else:
            statuses[parts[0], parts[2]][int(parts[1])] = predicate
    nothing: dict[int, str] = {}
    decisions = []
    for number, request in enumerate(requests):
        template = request.template
        whole = template.total * template.scale
        found = []
        for id in request.candidates:
            at = (str(number), str(id))
            known = statuses.get(at, nothing)
            found.append(
                Decision(
                    verdicts.get(at, "unk"),
                    Fraction(support[at]) / whole,
                    tuple([known.get(c.index, "unk") for c in template.constraints]),
                    frozenset(asserted[at]) if at in asserted else frozenset(),
                )
            )
        decisions.append(found)
    return decisions
