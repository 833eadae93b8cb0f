"""The same answers from the verifier: rules as `soft` statements, candidates decided and weighed.

What the graph says must be sat, and nothing else; and what rules predict must be as plausible as
`choosing` scores it.  The verifier reads the rules by another way, joins their bodies with clingo
and combines weights exactly, so that a difference is a fault of one of the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kgverify.errors import Span
from kgverify.experiments.incomplete.answering import Answers, Query, Side
from kgverify.experiments.incomplete.choosing import Confidences, Setting, scores
from kgverify.graph import Graph
from kgverify.language.checks import load_rules_text
from kgverify.language.printing import file_text
from kgverify.language.rulebook import RuleBook
from kgverify.language.syntax import RuleFile
from kgverify.mining.horn import MinedRule
from kgverify.mining.statements import Vocabulary
from kgverify.reasoning.soft import Combination
from kgverify.verdicts import Verdict
from kgverify.verification import Verifier
from kgverify.vocabulary import Candidate, Question

_CLASS = "class Anything"
_CLOSE = 1e-4  # weights in a rule file have six places


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many questions and candidates were compared, and those on which the two differ, as
    (topic, relation, candidate)."""

    questions: int
    candidates: int
    different: tuple[tuple[str, str, str], ...]


def compare(
    graph: Graph,
    rules: Sequence[MinedRule],
    answers: Mapping[Query, Answers],
    setting: Setting,
    confidences: Confidences,
) -> Agreement:
    """Holds these answers against the verifier's.  `setting` says how rules are weighed."""
    different = []
    candidates = 0
    for side in ("object", "subject"):
        asked = [query for query in answers if query.side == side]
        book = rule_book(graph, rules, confidences.of(setting.scoring, side), side)
        combine: Combination = "noisy-or" if setting.combination == "noisy_or" else "max"
        verifier = Verifier(graph, book, "rank", combine=combine)
        given = [(query, _candidates(answers[query])) for query in asked]
        given = [(query, names) for query, names in given if names]
        questions = (
            (Span("questions", number), _question(number, query, graph, names))
            for number, (query, names) in enumerate(given, 1)
        )
        for (query, _), (verdicts, _) in zip(given, verifier.verify(questions), strict=True):
            wanted = scores(answers[query], side, setting, confidences)
            for verdict in verdicts:
                candidates += 1
                name = verdict.candidate
                if not _agrees(verdict, wanted.get(name), name in answers[query].known):
                    different.append((query.topic, query.relation, name))
    return Agreement(len(answers), candidates, tuple(different))


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
