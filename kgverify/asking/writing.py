"""From a solved sketch to a `question` statement of the rule language.

A constraint speaks of the answer alone, so every thing between the answer and a name becomes a
step of a path.  A thing with two conditions of its own has none: constraints have no variables.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from kgverify.asking.choosing import Solution
from kgverify.asking.linking import Link
from kgverify.asking.meaning import Bound, Choice, Edge, Sketch, edges_in
from kgverify.asking.reading import Part, answer_words
from kgverify.asking.statements import ANSWER, statement_text
from kgverify.asking.tagging import Arc
from kgverify.errors import article
from kgverify.language.rulebook import RuleBook
from kgverify.language.scanning import KEYWORDS

_LOST, _UNSAID = 0.5, 0.85  # an exception of the question is lost; or one that it only implies
_IMPLIED = 0.9  # that there is something, which is said in other words as well
_NARROWER = 0.7  # the class of a thing between, which the relations don't give it


@dataclass(frozen=True, slots=True)
class Step:
    """One step away from the answer: along a relation, or against it."""

    relation: str
    forward: bool


@dataclass(frozen=True, slots=True)
class Way:
    """A way from the answer to what it ends in: an entity (a thing's number), a bound, or
    something that is only said to exist."""

    steps: tuple[Step, ...]
    end: int | Bound | None
    arcs: tuple[Arc, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Written:
    """The parameters of a question with their entities and types, and its constraints one by one,
    the answer's class first; `named` are the words for each parameter, wherever it is named;
    `lost` says what of the question no constraint says."""

    answer_class: str
    parameters: dict[str, tuple[Link, str]]
    named: dict[str, tuple[Arc, ...]]
    parts: tuple[Part, ...]
    lost: tuple[str, ...]
    score: float

    def statement(self, name: str, sentence: str) -> str:
        """The `question` statement of the rule language that says it."""
        parameters = {n: type_ for n, (_, type_) in self.parameters.items()}
        answer, *constraints = self.parts
        return statement_text(name, sentence, parameters, answer.text, constraints)


def write(sketch: Sketch, solution: Solution, book: RuleBook) -> Written | None:
    """What a solution says; None when constraints can't say it."""
    return _Writer(sketch, solution, book).written()


class _Writer:
    def __init__(self, sketch: Sketch, solution: Solution, book: RuleBook) -> None:
        self._sketch, self._solution, self._book = sketch, solution, book
        self._choices = dict(zip(map(id, sketch.all_edges), solution.choices, strict=True))
        self._parameters: dict[str, tuple[Link, str]] = {}
        self._named: dict[str, dict[Arc, None]] = {}
        self._lost: list[str] = []
        self._score = 1.0

    def written(self) -> Written | None:
        answer = self._sketch.answer
        cls = self._answer_class()
        if cls is None or not self._is_tree():
            return None
        own = self._sketch.things[answer].arcs
        parts = [Part("answer", f"{ANSWER} : {cls}", answer_words(cls), _spans(own), 1.0)]
        # What something between the answer and a name is not, constraints can't say.
        different: set[int | Bound | None] = {
            self._beside(pair, _LOST) for pair in self._sketch.different
        }
        different |= {self._beside(pair, _UNSAID) for pair in self._sketch.others}
        for item in self._sketch.edges:
            edges = edges_in(item)
            if not any(answer in (edge.left, edge.right) for edge in edges):
                continue
            ways = [found for edge in edges for found in self._ways(edge, answer, is_first=True)]
            negated = edges[0].negated
            if not ways or any(edge.negated != negated for edge in edges):
                return None
            if not negated:
                different |= {way.end for way in ways if self._returns(way)}
                if self._is_implied(ways, answer):
                    self._score *= _IMPLIED
                    continue
            parts.append(self._part(ways, negated))
        for thing in sorted(n for n in different if isinstance(n, int)):
            link = self._solution.links[thing]
            if link is None:
                self._lost.append("other")
                self._score *= _UNSAID
                continue
            parameter = self._parameter(thing, link, cls)
            spans = _spans(self._sketch.things[thing].arcs)
            words = f"the answer is not {link.name} itself"
            parts.append(Part("require", f"{ANSWER} != {parameter}", words, spans, 1.0))
        if len(parts) == 1:
            return None
        named = {name: tuple(arcs) for name, arcs in self._named.items()}
        lost = tuple(self._lost)
        return Written(cls, self._parameters, named, tuple(parts), lost, self._score)

    def _answer_class(self) -> str | None:
        """The narrowest class that the words and the relations give the answer."""
        known = self._solution.classes[self._sketch.answer]
        if not known or any(cls not in self._book.classes for cls in known):
            return None
        above = self._book.superclasses
        return max(known, key=lambda cls: (len(above[cls]), cls == known[0]))

    def _is_tree(self) -> bool:
        """Does every thing hang on the answer by one way, so that nothing named is left out?"""
        edges = [
            (edge.left, edge.right)
            for edge in self._sketch.all_edges
            if not isinstance(edge.right, Bound)
        ]
        reached, todo = {self._sketch.answer}, [self._sketch.answer]
        used: set[int] = set()
        while todo:
            here = todo.pop()
            for number, (left, right) in enumerate(edges):
                if number in used or here not in (left, right):
                    continue
                used.add(number)
                other = right if here == left else left
                if other in reached:
                    return False
                reached.add(other)
                if self._solution.links[other] is None:
                    todo.append(other)
        reached |= {thing for pair in self._sketch.different for thing in pair}
        spoken = {
            number
            for number, thing in enumerate(self._sketch.things)
            if number not in self._sketch.merged and (thing.links or thing.kinds or thing.bears)
        }
        return len(used) == len(edges) and spoken <= reached

    def _beside(self, pair: tuple[int, int], fits: float) -> int | None:
        """The other of two different things, where one is the answer."""
        if self._sketch.answer in pair:
            return pair[0] if pair[1] == self._sketch.answer else pair[1]
        named = [link.name for link in map(self._solution.links.__getitem__, pair) if link]
        self._lost.append(f"other than {named[0]}" if named else "other")
        self._score *= fits
        return None

    def _ways(self, edge: Edge, here: int, is_first: bool = False) -> list[Way]:
        """The ways over an edge away from a thing; none when a constraint can't go them."""
        choice, step = self._choices[id(edge)], self._step(edge, here)
        if edge.negated and not is_first:
            return []
        arcs = edge.arcs
        if isinstance(edge.right, Bound):
            return [Way((step,), edge.right, arcs + edge.right.arcs, choice.score)]
        there = edge.right if edge.left == here else edge.left
        arcs += self._sketch.things[there].arcs
        if self._solution.links[there] is not None:
            return [Way((step,), there, arcs, choice.score)]
        further = [
            item
            for item in self._sketch.edges
            if edge not in edges_in(item)
            and any(there in (e.left, e.right) for e in edges_in(item))
        ]
        if len(further) > 1:
            return []
        after = [self._choices[id(m)] for item in further for m in edges_in(item)]
        self._check_class(there, [choice, *after])
        if not further:
            return [Way((step,), None, arcs, choice.score)]
        found = []
        for member in edges_in(further[0]):
            rest = self._ways(member, there)
            if not rest:
                return []
            found += [
                Way((step, *way.steps), way.end, arcs + way.arcs, choice.score * way.score)
                for way in rest
            ]
        return found

    def _check_class(self, thing: int, choices: Sequence[Choice]) -> None:
        """A thing between has the class that its relations give it; a narrower one is lost."""
        given = {
            cls
            for choice in choices
            for cls in (
                self._book.relations[choice.relation].domain.text,
                self._book.relations[choice.relation].range.text,
            )
            if cls in self._book.classes
        }
        above = self._book.superclasses
        for kind in self._sketch.things[thing].kinds:
            if not any(cls in above[other] for cls in kind for other in given):
                self._lost.append(f"that something between is {article(kind[0])}")
                self._score *= _NARROWER

    def _is_implied(self, ways: Sequence[Way], answer: int) -> bool:
        """Does it only say that there is something, which another constraint names?  In `what kind
        of film is E`, the film is E."""
        if len(ways) > 1 or ways[0].end is not None or len(ways[0].steps) > 1:
            return False
        step = ways[0].steps[0]
        same = [
            edge
            for edge in self._sketch.edges
            if isinstance(edge, Edge)
            and not edge.negated
            and answer in (edge.left, edge.right)
            and not isinstance(edge.right, Bound)
            and self._step(edge, answer) == step
        ]
        return len(same) > 1

    def _step(self, edge: Edge, here: int) -> Step:
        choice = self._choices[id(edge)]
        return Step(choice.relation, choice.forward == (edge.left == here))

    def _returns(self, way: Way) -> bool:
        """Does the way come back to things like the answer by the relation that it left by, so
        that everything would lead to itself?"""
        first, last = way.steps[0], way.steps[-1]
        return (
            len(way.steps) > 1
            and isinstance(way.end, int)
            and first.relation == last.relation
            and first.forward != last.forward
        )

    # -------------------------------------------------------- text

    def _part(self, ways: Sequence[Way], negated: bool) -> Part:
        texts = [self._constraint(way) for way in ways]
        words = [self._words(way) for way in ways]
        text = texts[0] if len(texts) == 1 else "any of { " + ", ".join(texts) + " }"
        said = words[0] if len(words) == 1 else "one of these: " + "; ".join(words)
        if negated:
            said = f"it is not so that {said}"
        demand = "exclude" if negated else "require"
        spans = _spans([arc for way in ways for arc in way.arcs])
        return Part(demand, text, said, spans, round(min(way.score for way in ways), 4))

    def _constraint(self, way: Way) -> str:
        steps = way.steps
        if isinstance(way.end, int):
            link = self._solution.links[way.end]
            assert link is not None
            parameter = self._parameter(way.end, link, self._slot(steps[-1], True))
            if len(steps) == 1:
                ends = (ANSWER, parameter) if steps[0].forward else (parameter, ANSWER)
                return f"{steps[0].relation}({', '.join(ends)})"
            return f"{_path(steps)}({ANSWER}, {parameter})"
        if way.end is None:
            return f"count {_path(steps)}({ANSWER}, _) >= 1"
        if way.end.many:
            return f"count {_path(steps)}({ANSWER}, _) {way.end.operator} {way.end.text}"
        return f"{_path(steps)}({ANSWER}) {way.end.operator} {way.end.text}"

    def _slot(self, step: Step, far: bool) -> str:
        """The class at the far or the near end of a step."""
        relation = self._book.relations[step.relation]
        return relation.range.text if step.forward == far else relation.domain.text

    def _words(self, way: Way) -> str:
        """A way in plain words, by the sentences of its relations."""
        said, here = [], "the answer"
        for place, step in enumerate(way.steps):
            last = place == len(way.steps) - 1
            cls = self._slot(step, True)
            if not last:
                there = f"some {cls}"
            elif isinstance(way.end, int):
                link = self._solution.links[way.end]
                there = link.name if link else ""
            elif way.end is None:
                there = f"some {cls}"
            else:
                bound = f"{_OPERATORS[way.end.operator]} {way.end.text}"
                there = f"{bound} of {cls}" if way.end.many else f"a value {bound}"
            said.append(self._sentence(step, here, there))
            here = f"that {cls}"
        return ", and ".join(said)

    def _sentence(self, step: Step, here: str, there: str) -> str:
        relation = self._book.relations[step.relation]
        sentence = relation.sentence or f"{{0}} {step.relation.replace('_', ' ')} {{1}}"
        ends = (here, there) if step.forward else (there, here)
        return sentence.replace("{0}", ends[0]).replace("{1}", ends[1])

    def _parameter(self, thing: int, link: Link, type_: str) -> str:
        """The parameter for an entity; one that is named twice has one."""
        name = self._parameter_of(link) or self._new_parameter(link, type_)
        arcs = self._named.setdefault(name, {})
        arcs |= dict.fromkeys(arc for arc in self._sketch.things[thing].arcs if link in arc.links)
        return name

    def _parameter_of(self, link: Link) -> str:
        same = (name for name, (x, _) in self._parameters.items() if x.entity == link.entity)
        return next(same, "")

    def _new_parameter(self, link: Link, type_: str) -> str:
        name = parameter_name(type_, self._parameters)
        self._parameters[name] = link, type_
        return name


_TAKEN = frozenset({ANSWER, "not", "all", "any", "at", "count", "except", "assume", "weight"})
_OPERATORS = {
    "<": "less than",
    "<=": "at most",
    "=": "exactly",
    ">=": "at least",
    ">": "more than",
}


def parameter_name(type_: str, taken: Container[str]) -> str:
    """A name for a parameter of some class, other than those that are taken."""
    base = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type_).lower()
    if base in KEYWORDS or not base[0].isalpha() or base == ANSWER:
        base = "thing"
    name, number = base, 2
    while name in taken or name in _TAKEN:
        name, number = f"{base}{number}", number + 1
    return name


def _path(steps: Sequence[Step]) -> str:
    return "/".join(step.relation if step.forward else "^" + step.relation for step in steps)


def _spans(arcs: Sequence[Arc]) -> tuple[tuple[int, int], ...]:
    """The places of some arcs, as numbers of words; those that touch are one."""
    return tuple(_joined(sorted({(arc.start, arc.end) for arc in arcs})))


def _joined(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    start, end = -1, -1
    for first, last in spans:
        if first > end:
            if end >= 0:
                yield start, end
            start = first
        end = max(end, last)
    if end >= 0:
        yield start, end
