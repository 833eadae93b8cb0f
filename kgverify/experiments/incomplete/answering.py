"""Answers from a graph with mined rules: what the graph says, and what the rules add, with scores.

For a topic and a relation, the rules whose head is the relation are evaluated with the topic in its
place.  Each answer has the confidences of the rules that predict it; how they are combined, and
from which score on an answer counts, is for others to choose (`choosing`).  The topic itself is no
answer where the graph has no thing in the relation to itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kgverify.experiments.incomplete.excluding import Exclusions
from kgverify.experiments.incomplete.lookup import looked_up
from kgverify.graph import Graph
from kgverify.graph.terms import display, entity_key
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import Atom, HornRule, MinedRule, Side, Term


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked: which `side` of `relation` there is for the topic."""

    topic: str
    relation: str
    side: Side


@dataclass(frozen=True, slots=True)
class Answers:
    """`known`: what the graph says.  `predicted`: of everything else that rules say, the rules by
    their numbers.  `excluded`: what of it the topic's other relations to it exclude."""

    known: frozenset[str]
    predicted: Mapping[str, tuple[int, ...]]
    excluded: frozenset[str] = frozenset()


class Answerer:
    """Answers many queries on one graph with the same rules."""

    def __init__(self, graph: Graph, rules: Sequence[MinedRule]) -> None:
        self._graph = graph
        self._evaluator = Evaluator(graph)
        self._exclusions = Exclusions(graph, rules)
        self._rules = tuple(rules)
        self._loops: dict[str, bool] = {}
        self._by_head: dict[str, list[int]] = defaultdict(list)
        for number, mined in enumerate(rules):
            self._by_head[mined.rule.head.relation].append(number)

    def answers(self, query: Query) -> Answers:
        """What is known and predicted; nothing of a topic that the graph doesn't have."""
        key = entity_key(query.topic)
        (topic,) = self._graph.find([key]).tolist()
        if topic < 0:
            return Answers(frozenset(), {})
        found: dict[int | str, list[int]] = defaultdict(list)
        for number in self._by_head.get(query.relation, ()):
            for entity in self._predicted(self._rules[number].rule, key, query.side):
                found[entity].append(number)
        if not self._has_loop(query.relation):
            found.pop(topic, None)
        relation = self._graph.relation_id(query.relation)
        known = looked_up(self._graph, relation, topic, query.side)
        excluded = [
            entity
            for entity in found
            if isinstance(entity, int)
            and self._exclusions.excludes(
                relation, *((topic, entity) if query.side == "object" else (entity, topic))
            )
        ]
        return Answers(
            frozenset(self._names(known)),
            dict(zip(self._names(found), map(tuple, found.values()), strict=True)),
            frozenset(self._names(excluded)),
        )

    def _has_loop(self, relation: str) -> bool:
        """Is there anything in the relation to itself?"""
        if relation not in self._loops:
            facts = self._graph.facts.all(self._graph.relation_id(relation))
            self._loops[relation] = bool((facts.subjects == facts.objects).any())
        return self._loops[relation]

    def _predicted(self, rule: HornRule, key: str, side: Side) -> set[int | str]:
        """What the body holds for and the head is not in the graph: terms by their ids, a constant
        of the rule that the graph lacks by its key."""
        topic, asked = (
            (rule.head.subject, rule.head.object)
            if side == "object"
            else (rule.head.object, rule.head.subject)
        )
        bound = _bound(rule, topic, key)
        if bound is None:
            return set()
        rest = key if asked == topic else asked
        found = self._evaluator.predictions(bound)
        if not len(found):
            return set()
        return {
            rest if id_ < 0 and isinstance(rest, str) else id_ for id_ in {*found.of(rest).tolist()}
        }

    def _names(self, terms: Iterable[int | str]) -> list[str]:
        """The names of terms, each by its id or by its key."""
        given = list(terms)
        keys = iter(self._graph.keys([term for term in given if isinstance(term, int)]))
        return [display(term if isinstance(term, str) else next(keys)) for term in given]


def _bound(rule: HornRule, term: Term, key: str) -> HornRule | None:
    """The rule with a key in the place of a term; None where a constant is another."""
    if isinstance(term, str):
        return rule if term == key else None

    def put(value: Term) -> Term:
        return key if value == term else value

    def atom(value: Atom) -> Atom:
        return Atom(value.relation, put(value.subject), put(value.object))

    pairs = tuple((put(a), put(b)) for a, b in rule.inequalities)
    return replace(
        rule,
        head=atom(rule.head),
        body=tuple(map(atom, rule.body)),
        injective=False,
        different=pairs,
    )


def answer_all(answerer: Answerer, queries: Iterable[Query]) -> dict[Query, Answers]:
    """The answers to each query, each worked out once."""
    found: dict[Query, Answers] = {}
    for query in queries:
        if query not in found:
            found[query] = answerer.answers(query)
    return found
