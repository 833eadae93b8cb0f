"""The same answers from the verifier: rules as `soft` statements, candidates decided and weighed.

What the graph says must be sat, and nothing else; and what rules predict must be as plausible as
`choosing` scores it.  So that what is missed is seen too, the verifier is also asked about things
that are neither known nor predicted, some that the relation has on that side and some of all: they
must be open, and not plausible at all.  The topic is not among them, since answers leave it out on
purpose.  The verifier reads the rules by another way, joins their bodies with clingo
and combines weights exactly, so that a difference is a fault of one of the two.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kgverify.errors import Span
from kgverify.experiments.incomplete.answering import Answers, Query
from kgverify.experiments.incomplete.choosing import Confidences, Setting, scores
from kgverify.graph import Graph
from kgverify.graph.terms import display, entity_key
from kgverify.language.checks import load_rules_text
from kgverify.language.printing import file_text
from kgverify.language.rulebook import RuleBook
from kgverify.language.syntax import RuleFile
from kgverify.mining.horn import MinedRule, Side
from kgverify.mining.statements import Vocabulary
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question

OTHERS = 5  # drawn of a kind for a question
_CLASS = "class Anything"
_CLOSE = 1e-4  # weights in a rule file have six places


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many questions and candidates were compared, and how many `others`, which are neither
    known nor predicted; and those on which the two differ, as (topic, relation, candidate)."""

    questions: int
    candidates: int
    others: int
    different: tuple[tuple[str, str, str], ...]


def compare(
    graph: Graph,
    rules: Sequence[MinedRule],
    answers: Mapping[Query, Answers],
    setting: Setting,
    confidences: Confidences,
    seed: int = 0,
) -> Agreement:
    """Holds these answers against the verifier's.  `setting` says how rules are weighed, `seed`
    decides about what else is asked."""
    different = []
    candidates = others = 0
    rng = random.Random(f"{seed} others")
    for side in ("object", "subject"):
        asked = [query for query in answers if query.side == side]
        book = rule_book(graph, rules, confidences.of(setting.scoring, side), side)
        verifier = Verifier(graph, book, "rank", combine=setting.combination)
        more = {query: _others(graph, query, answers[query], rng) for query in asked}
        given = [(query, _candidates(answers[query]) + more[query]) for query in asked]
        given = [(query, names) for query, names in given if names]
        questions = (
            (Span("questions", number), _question(number, query, graph, names))
            for number, (query, names) in enumerate(given, 1)
        )
        for (query, _), (verdicts, _) in zip(given, verifier.verify(questions), strict=True):
            wanted = scores(answers[query], side, setting, confidences)
            for verdict in verdicts:
                name = verdict.candidate
                is_other = name in more[query]
                others += is_other
                candidates += not is_other
                if not _agrees(verdict, wanted.get(name), name in answers[query].known):
                    different.append((query.topic, query.relation, name))
    return Agreement(len(answers), candidates, others, tuple(different))


def rule_book(
    graph: Graph, rules: Sequence[MinedRule], weights: Sequence[float], side: Side
) -> RuleBook:
    """The rules as soft statements with these weights, and for each relation a question for what
    is on this side of it.  A rule without weight says nothing."""
    vocabulary = Vocabulary(load_rules_text(_CLASS), graph)
    soft = [
        vocabulary.statement(mined.rule, Fraction(weight))
        for mined, weight in zip(rules, weights, strict=True)
        if weight
    ]
    asked = []
    for number, name in enumerate(graph.relations):
        relation = vocabulary.relation(name)
        ends = "t, x" if side == "object" else "x, t"
        asked.append(
            f'question {_template(number)}(t: Anything) "{{t}}?"\n'
            f"    answer x : Anything\n    require {relation}({ends})"
        )
    declared = file_text(RuleFile("", tuple(vocabulary.added)))
    return load_rules_text("\n".join([_CLASS, declared, *soft, *asked]) + "\n", "<mined rules>")


def _template(relation: int) -> str:
    return f"asks_{relation}"


def _candidates(answers: Answers) -> list[str]:
    return sorted({*answers.known, *answers.predicted})


def _others(graph: Graph, query: Query, answers: Answers, rng: random.Random) -> list[str]:
    """Some entities that are neither answers nor the topic."""
    relation = graph.relation_id(query.relation)
    if relation < 0 or graph.find([entity_key(query.topic)])[0] < 0:
        return []
    facts = graph.facts.all(relation)
    ends = facts.objects if query.side == "object" else facts.subjects
    near = sorted({id_ for id_ in ends.tolist() if id_ < graph.entities()})
    every = range(graph.blank_nodes(), graph.entities())
    ids: set[int] = set()
    for among in (near, every):
        ids.update(rng.sample(among, min(OTHERS, len(among))))
    names = {display(key) for key in graph.keys(sorted(ids))}
    return sorted(names - {query.topic} - answers.known - answers.predicted.keys())


def _question(number: int, query: Query, graph: Graph, names: Sequence[str]) -> Question:
    template = _template(graph.relation_id(query.relation))
    candidates = tuple(map(Candidate, names))
    return Question(f"q{number}", template, {"t": query.topic}, candidates)


def _agrees(verdict: Verdict, score: float | None, known: bool) -> bool:
    """Is the constraint sat where it is known, and else open and as plausible as the score?"""
    (constraint,) = (id_ for id_ in verdict.statuses if id_ != "answer")
    if known:
        return verdict.statuses[constraint] == "sat"
    plausible = verdict.plausibilities.get(constraint, (0.0, 0.0))[0]
    is_open = verdict.statuses[constraint] == "unk"
    return is_open and abs(plausible - (score or 0.0)) < _CLOSE
