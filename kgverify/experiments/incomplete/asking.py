"""Questions about removed triples: which side is asked for, which answers are right, which words.

One end of the triple is the topic and the other the hard answer, by chance.  The right answers are
all that the whole graph has for the topic.  The words come from the rule file's sentences where it
has one for the relation, else from the relation's name.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgverify.errors import in_words
from kgverify.experiments.incomplete.grounding import Grounding
from kgverify.experiments.incomplete.lookup import looked_up
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.mining.horn import Side

_ANYTHING = "anything"  # the class of mined rule files, in words: no question asks "which anything"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a removed triple, in the graph's ids: `side` is that of the answers, `row` the
    triple, `answers` ascending, `rule` the first selected one that infers it."""

    row: int
    relation: str
    topic: int
    side: Side
    hard: int
    answers: tuple[int, ...]
    rule: int

    @property
    def key(self) -> tuple[str, int, Side]:
        """What is asked: questions with one key have the same words and the same answers."""
        return self.relation, self.topic, self.side


def asked(graph: Graph, groundings: Sequence[Grounding], seed: int) -> list[Asked]:
    """One question for each removed triple, in the order of the triples."""
    first: dict[int, int] = {}
    for grounding in groundings:
        first.setdefault(grounding.head, grounding.rule)
    rows = sorted(first)
    facts = graph.facts.at(rows)
    relations = graph.facts.relations_of(rows).tolist()
    rng = random.Random(f"{seed} sides")
    found = []
    ends = zip(rows, relations, facts.subjects.tolist(), facts.objects.tolist(), strict=True)
    for row, relation, subject, object_ in ends:
        side: Side = rng.choice(("subject", "object"))
        topic, hard = (subject, object_) if side == "object" else (object_, subject)
        found.append(
            Asked(
                row=row,
                relation=graph.relations[relation],
                topic=topic,
                side=side,
                hard=hard,
                answers=tuple(sorted(looked_up(graph, relation, topic, side))),
                rule=first[row],
            )
        )
    return found


class Words:
    """Turns what is asked into a sentence."""

    def __init__(self, book: RuleBook | None = None) -> None:
        self._patterns: Mapping[str, tuple[str, str, str]] = {}
        if book is not None:
            self._patterns = {
                book.kg_name(name): (
                    r.sentence,
                    in_words(r.domain.text).lower(),
                    in_words(r.range.text).lower(),
                )
                for name, r in book.relations.items()
                if r.sentence
            }

    def forms(self, relation: str, topic: str, side: Side) -> list[str]:
        """All ways to say it, the best first; the last has no words but the relation's name.
        `relation` is named as in the graph, `topic` as it is to be shown."""
        found = []
        if relation in self._patterns:
            sentence, domain, range_ = self._patterns[relation]
            class_ = domain if side == "subject" else range_
            unknown = "what" if class_ == _ANYTHING else f"which {class_}"
            ends = (unknown, topic) if side == "subject" else (topic, unknown)
            text = _filled(sentence, *ends)
            found.append(f"{text[:1].upper()}{text[1:]}?")
        name = words_of(relation)
        if side == "object":
            found += [f"What is the “{name}” of {topic}?", f"({topic}, {relation}, ?)"]
        else:
            found += [f"Of what is {topic} the “{name}”?", f"(?, {relation}, {topic})"]
        return found


def _filled(sentence: str, subject: str, object_: str) -> str:
    return re.sub(r"\{([01])\}", lambda m: (subject, object_)[int(m[1])], sentence).rstrip(".")


def words_of(relation: str) -> str:
    """The last part of a relation's name, in words."""
    last = re.split(r"[/#.]", relation.rstrip("/#."))[-1] or relation
    return in_words(last).lower() or relation
