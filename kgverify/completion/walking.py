"""A walk over the graph in the manner of Think-on-Graph: from what a question names, along the
relations that it speaks of, by beams over relations and over entities.

    ways       the topics, at first; then those that are walked on from
    offered    the steps, a relation in a direction, that lead on from the end of any way
    chosen     the `width` steps that the question is most like
    ends       what the chosen steps lead to, each by its best way
    ways       those to the `width` best ends

It ends where ends are of the class that is asked for, or after `depth` levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kgverify.completion.breakpoints import Edge
from kgverify.completion.steps import ByWords, Likeness, LikenessChooser, Offer, Step, StepChooser
from kgverify.errors import EvidenceError, ModelError, Problem, did_you_mean, in_words
from kgverify.evidence.claims import Claims
from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import Knowledge

WIDTH = 3
DEPTH = 3
_PLACE = re.compile(r"\{[01]\}")


class Way(NamedTuple):
    """How an entity was reached: the steps from a topic, and all entities by their ids."""

    score: float
    steps: tuple[Step, ...]
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk found: the ids of the answers, best first, and the way to each.  `failure` says
    why there is none where the language model stopped."""

    answers: tuple[str, ...] = ()
    ways: tuple[Way, ...] = ()
    failure: Problem | None = None


@dataclass(frozen=True, slots=True)
class _Trod:
    """A way, by the graph's numbers; `keys` are those of the entities, by which equals stand in
    order."""

    score: float
    steps: tuple[Step, ...]
    entities: tuple[int, ...]
    keys: tuple[str, ...]

    @property
    def order(self) -> tuple[float, tuple[Step, ...], tuple[str, ...]]:
        return -self.score, self.steps, self.keys


class Walker:
    """Walks over the facts of a graph, and over edges that were `added` to it.

    The score of a way is the sum of those of its steps.  An entity has the best way to it; of equal
    ones the first, by the names of the steps, then by the ids on it.  Ends stand in the order of
    their scores, then of the likeness of the question to their labels, then of their ids.  No way
    comes to an entity twice.

    Facts are walked as they are stated, a symmetric relation in both directions; relations to
    values are not."""

    def __init__(
        self,
        graph: Graph,
        book: RuleBook,
        width: int = WIDTH,
        depth: int = DEPTH,
        likeness: Likeness | None = None,
        chooser: StepChooser | None = None,
        added: Iterable[Edge] = (),
    ) -> None:
        if width < 1 or depth < 1:
            raise ValueError("a walk keeps at least one step, and takes one")
        self._book, self._width, self._depth = book, width, depth
        self._likeness = likeness or ByWords()
        self.chooser = chooser or LikenessChooser(self._likeness)
        self._knowledge = Knowledge(graph, book)
        self._knowledge = self._knowledge.supposing(self._atom(edge) for edge in added)
        self._offers = self._all_steps(Claims(book, graph))

    @property
    def name(self) -> str:
        """How the walk chooses its steps, and how far it goes."""
        return f"walk {self._width} {self._depth} {self.chooser.name}"

    def walk(self, question: str, topics: Sequence[str], answer_class: str = "") -> Walk:
        """The answers to a question from the ids of the entities that it names.

        With a class of the rule file only entities that are stated to be of it are answers, and the
        walk ends at the first level that has any.  Without one, the answers are the ends of the
        last level.  Raises EvidenceError where the graph or the rule file lacks a name."""
        if answer_class and answer_class not in self._book.classes:
            hint = did_you_mean(answer_class, self._book.classes)
            message = f"the rule file has no class `{answer_class}`"
            raise EvidenceError(Problem("unknown-class", message, None, hint))
        starts = dict.fromkeys(map(self._id, topics))
        ways = [_Trod(0.0, (), (topic,), (self._knowledge.key(topic),)) for topic in starts]
        ends: list[_Trod] = []
        for _ in range(self._depth):
            try:
                found = self._level(question, ways)
            except ModelError as error:
                return Walk(failure=error.problems[0])
            if not found:
                break
            ends = self._ranked(question, found)
            answers = [way for way in ends if self._is_of(way.entities[-1], answer_class)]
            if answer_class and answers:
                return self._walked(answers)
            ways = ends[: self._width]
        return self._walked([] if answer_class else ends)

    # -------------------------------------------------------- one level

    def _level(self, question: str, ways: Sequence[_Trod]) -> list[_Trod]:
        """The best way to each end of the chosen steps."""
        further = {offer: self._further(offer.step, ways) for offer in self._offers}
        offered = [offer for offer in self._offers if further[offer]]
        if not offered:
            return []
        scores = self.chooser.scores(question, offered)
        fitting = [
            (-score, offer)
            for score, offer in zip(scores, offered, strict=True)
            if score is not None
        ]
        best: dict[int, _Trod] = {}
        for lost, offer in sorted(fitting)[: self._width]:
            for way, end in further[offer]:
                longer = _Trod(
                    way.score - lost,
                    (*way.steps, offer.step),
                    (*way.entities, end),
                    (*way.keys, self._knowledge.key(end)),
                )
                if end not in best or longer.order < best[end].order:
                    best[end] = longer
        return list(best.values())

    def _further(self, step: Step, ways: Sequence[_Trod]) -> list[tuple[_Trod, int]]:
        """Each way with what the step leads to from its end."""
        by_end: dict[int, list[_Trod]] = {}
        for way in ways:
            by_end.setdefault(way.entities[-1], []).append(way)
        ends = np.array(list(by_end), np.int64)
        facts = self._knowledge.facts
        pairs: list[tuple[int, int]] = []
        symmetric = self._is_symmetric(step.relation)
        if symmetric or not step.backward:
            subjects, objects = facts.from_subjects(step.relation, ends)
            pairs += zip(subjects.tolist(), objects.tolist(), strict=True)
        if symmetric or step.backward:
            subjects, objects = facts.from_objects(step.relation, ends)
            pairs += zip(objects.tolist(), subjects.tolist(), strict=True)
        return [
            (way, other)
            for end, other in dict.fromkeys(pairs)
            for way in by_end[end]
            if other not in way.entities and self._knowledge.key(other)[:1] != "l"
        ]

    def _ranked(self, question: str, ways: Sequence[_Trod]) -> list[_Trod]:
        names = self._knowledge.labels([way.entities[-1] for way in ways])
        likeness = self._likeness.to(question, names)
        order = sorted(
            zip(ways, likeness, strict=True),
            key=lambda found: (-found[0].score, -found[1], found[0].keys[-1]),
        )
        return [way for way, _ in order]

    # -------------------------------------------------------- names

    def _all_steps(self, claims: Claims) -> list[Offer]:
        """All steps, in the order of their names, with the words for them: the relation's, and
        those for the class that they lead to."""
        found = []
        for relation in sorted(self._book.relations):
            if self._book.is_literal(relation):
                continue
            words = claims.words(relation)
            said = (in_words(relation), words.sentence, *words.phrases)
            for backward in (False,) if self._is_symmetric(relation) else (False, True):
                end = words.subject_words if backward else words.object_words
                text = _PLACE.sub(" ", " ".join((*said, *end)))
                found.append(Offer(Step(relation, backward), " ".join(text.split())))
        return found

    def _atom(self, edge: Edge) -> tuple[str, str, int, int]:
        if edge.relation not in self._book.relations or self._book.is_literal(edge.relation):
            hint = did_you_mean(edge.relation, self._book.relations)
            message = f"the rule file has no relation `{edge.relation}` between entities"
            raise EvidenceError(Problem("unknown-relation", message, None, hint))
        return "for", edge.relation, self._id(edge.subject), self._id(edge.object)

    def _is_symmetric(self, relation: str) -> bool:
        return any(item.kind == "symmetric" for item in self._book.relations[relation].properties)

    def _is_of(self, entity: int, cls: str) -> bool:
        return cls in self._knowledge.stated_classes(entity)

    def _id(self, name: str) -> int:
        (number,) = self._knowledge.graph.find(["e" + name]).tolist()
        if number < 0:
            message = f"the graph has no entity `{name}`"
            raise EvidenceError(Problem("unknown-entity", message))
        return self._knowledge.identity.one(number)

    def _walked(self, ways: Sequence[_Trod]) -> Walk:
        """Blank nodes are walked over, and are no answers: they have no id."""
        answers = [way for way in ways if way.keys[-1][:1] == "e"]
        return Walk(
            tuple(way.keys[-1][1:] for way in answers),
            tuple(Way(way.score, way.steps, tuple(k[1:] for k in way.keys)) for way in answers),
        )
