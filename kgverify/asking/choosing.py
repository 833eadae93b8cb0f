"""Which relation each edge of a sketch is, and which entity each name means: by the types.

Every choice has a score between 0 and 1, and a solution the product of its own.  Nothing is a
probability: scores order readings, and say how much had to be guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgverify.asking.lexicon import Lexeme, Lexicon
from kgverify.asking.linking import Link, Linker
from kgverify.asking.meaning import Bound, Choice, Edge, Sketch, Thing
from kgverify.language.rulebook import DATATYPES, RuleBook

_UNNAMED = 0.6  # a relation that no word names, but the only one that fits
_PREPOSITION = 0.7  # the same, where a preposition of the relation's words is there
_MISFIT = 0.25  # classes that are not related, and not declared disjoint
_UNTYPED = 0.95  # an entity of which no class is known
_BROADER = 0.8  # an entity that may be of the class wanted, or not
_UNSPOKEN = 0.9  # a noun for a thing, of whose relation nothing is said
_NEAR = 0.97  # solutions with this share of the best score are as good as it
_MOST = 20_000  # partial solutions looked at


@dataclass(frozen=True, slots=True)
class Solution:
    """A sketch with all choices made: the relation of each edge, in the order of `all_edges`, and
    for each thing the entity that it is, if any, and the classes that its edges and words give it.

    `rivals` are other entities that a name could mean as well, by thing."""

    choices: tuple[Choice, ...]
    links: tuple[Link | None, ...]
    classes: tuple[tuple[str, ...], ...]
    rivals: tuple[tuple[int, tuple[Link, ...]], ...]
    score: float


@dataclass(frozen=True, slots=True)
class _Fit:
    """How well things fit their places, and what they are then; see `Solution`."""

    score: float
    links: tuple[Link | None, ...]
    classes: tuple[tuple[str, ...], ...]
    rivals: tuple[tuple[int, tuple[Link, ...]], ...]


class Chooser:
    """Makes the choices that a sketch leaves open."""

    def __init__(self, book: RuleBook, lexicon: Lexicon, linker: Linker) -> None:
        self._book, self._lexicon, self._linker = book, lexicon, linker
        self._fits: dict[tuple[str, str], float] = {}

    def solutions(self, sketch: Sketch) -> list[Solution]:
        """The best solutions, and those that are as good; none when nothing fits, or when there is
        too much to choose from to be sure of any."""
        edges = sketch.all_edges
        options = [self._options(sketch, edge) for edge in edges]
        if not all(options):
            return []
        order = sorted(range(len(edges)), key=lambda n: len(options[n]))
        found: list[Solution] = []
        best = 0.0
        stack: list[tuple[float, tuple[Choice, ...]]] = [(sketch.fit, ())]
        for _ in range(_MOST):
            if not stack:
                return sorted((s for s in found if s.score >= best * _NEAR), key=lambda s: -s.score)
            score, chosen = stack.pop()
            fit = self._fit(sketch, self._slots(edges, order, chosen))
            if fit is None or score * fit.score < best * _NEAR:
                continue
            if len(chosen) < len(order):
                ranked = sorted(options[order[len(chosen)]], key=lambda choice: choice.score)
                stack += [(score * choice.score, (*chosen, choice)) for choice in ranked]
                continue
            places = dict(zip(order, chosen, strict=True))
            choices = tuple(places[n] for n in range(len(edges)))
            total = score * fit.score * self._spoken(sketch, edges, choices)
            best = max(best, total)
            found.append(Solution(choices, fit.links, fit.classes, fit.rivals, total))
        return []

    def _options(self, sketch: Sketch, edge: Edge) -> list[Choice]:
        """The relations that an edge may be, as far as values and things tell."""
        choices = edge.choices
        if choices is None:
            said = {arc.text for arc in edge.arcs}
            prepositions = self._lexicon.prepositions
            choices = tuple(
                Choice(name, forward, _PREPOSITION if said & prepositions[name] else _UNNAMED)
                for name in self._book.relations
                for forward in (True, False)
            )
        best: dict[tuple[str, bool], Choice] = {}
        for choice in choices:
            if self._is_symmetric(choice.relation):
                choice = Choice(choice.relation, True, choice.score)
            key = choice.relation, choice.forward
            if self._may_be(edge, choice) and (key not in best or best[key].score < choice.score):
                best[key] = choice
        return list(best.values())

    def _is_symmetric(self, relation: str) -> bool:
        return any(p.kind == "symmetric" for p in self._book.relations[relation].properties)

    def _may_be(self, edge: Edge, choice: Choice) -> bool:
        has_values = self._book.is_literal(choice.relation)
        if isinstance(edge.right, Bound) and not edge.right.many:
            return has_values and choice.forward
        if isinstance(edge.right, Bound):
            other = self._ends(choice)[1]
            return all(
                any(self._related(other, cls) == 1 for cls in kind) for kind in edge.right.kinds
            )
        return not has_values

    def _ends(self, choice: Choice) -> tuple[str, str]:
        """The classes of an edge's left and right end."""
        relation = self._book.relations[choice.relation]
        ends = relation.domain.text, relation.range.text
        return ends if choice.forward else ends[::-1]

    def _slots(
        self, edges: Sequence[Edge], order: Sequence[int], chosen: Sequence[Choice]
    ) -> dict[int, list[str]]:
        """For each thing, the classes that the relations chosen so far want."""
        slots: dict[int, list[str]] = {}
        for number, choice in zip(order, chosen, strict=False):  # the rest is not chosen yet
            edge = edges[number]
            left, right = self._ends(choice)
            slots.setdefault(edge.left, []).append(left)
            if not isinstance(edge.right, Bound):
                slots.setdefault(edge.right, []).append(right)
        return slots

    def _fit(self, sketch: Sketch, slots: dict[int, list[str]]) -> _Fit | None:
        """How well the things fit their places, and what they are then; None if not at all."""
        score = 1.0
        links: list[Link | None] = []
        classes: list[tuple[str, ...]] = []
        rivals = []
        for number, thing in enumerate(sketch.things):
            if number in sketch.merged:
                links.append(None)
                classes.append(())
                continue
            wanted = slots.get(number, [])
            named, factor = self._class_of(thing, wanted)
            if thing.links:
                scored = [(self._link_fit(link, [*wanted, *named]), link) for link in thing.links]
                top = max(fit for fit, _ in scored)
                equal = tuple(link for fit, link in scored if fit == top)
                factor *= top
                links.append(equal[0])
                if len(equal) > 1:
                    rivals.append((number, equal))
            else:
                links.append(None)
            if factor == 0:
                return None
            score *= factor
            classes.append((*named, *wanted))
        for one, other in (*sketch.different, *sketch.others):
            score *= self._alike(links, classes, one, other) * self._alike(
                links, classes, other, one
            )
        if score == 0:
            return None
        return _Fit(score, tuple(links), tuple(classes), tuple(rivals))

    def _alike(
        self,
        links: Sequence[Link | None],
        classes: Sequence[tuple[str, ...]],
        named: int,
        other: int,
    ) -> float:
        """How well a named thing could be the other, from which it is said to differ."""
        link = links[named]
        return 1.0 if link is None else self._link_fit(link, classes[other]) / link.score

    def _class_of(self, thing: Thing, wanted: Sequence[str]) -> tuple[tuple[str, ...], float]:
        """The classes that the words give a thing, and how well they fit its places."""
        borne = (tuple(dict.fromkeys(map(self._bearer_class, found))) for found in thing.bears)
        named: tuple[str, ...] = ()
        total = 1.0
        for kind in (*thing.kinds, *borne):
            scored = [(self._all_related(cls, (*wanted, *named)), cls) for cls in kind]
            top = max(fit for fit, _ in scored)
            named += (next(cls for fit, cls in scored if fit == top),)
            total *= top
        if not named:
            for place, one in enumerate(wanted):
                total *= self._all_related(one, wanted[:place])
        return named, total

    def _all_related(self, cls: str, others: Sequence[str]) -> float:
        fit = 1.0
        for other in others:
            fit *= self._related(other, cls)
        return fit

    def _bearer_class(self, lexeme: Lexeme) -> str:
        relation = self._book.relations[lexeme.relation]
        return relation.domain.text if lexeme.forward else relation.range.text

    def _related(self, one: str, other: str) -> float:
        """How well a thing can be in both classes."""
        if (one, other) not in self._fits:
            self._fits[one, other] = self._fit_of(one, other)
        return self._fits[one, other]

    def _fit_of(self, one: str, other: str) -> float:
        if one in DATATYPES or other in DATATYPES:
            return float(one == other)
        above = self._book.superclasses
        if one in above[other] or other in above[one]:
            return 1.0
        return 0.0 if self._book.are_disjoint(one, other) else _MISFIT

    def _link_fit(self, link: Link, wanted: Sequence[str]) -> float:
        known = self._linker.classes(link.entity)
        fit = link.score
        for slot in dict.fromkeys(wanted):
            if slot in DATATYPES:
                return 0.0
            if not known:
                fit *= _UNTYPED
            elif slot in known:
                continue
            elif any(self._book.are_disjoint(slot, cls) for cls in known):
                return 0.0
            elif known & self._book.superclasses[slot]:
                fit *= _BROADER
            else:
                fit *= _MISFIT
        return fit

    def _spoken(self, sketch: Sketch, edges: Sequence[Edge], choices: Sequence[Choice]) -> float:
        """Less where a thing is called by the noun of a relation that the reading does not have:
        in `which actors did E direct` nothing says in what they act."""
        score = 1.0
        for number, thing in enumerate(sketch.things):
            if number in sketch.merged:
                continue
            around = {
                choice.relation
                for edge, choice in zip(edges, choices, strict=True)
                if number in (edge.left, edge.right)
            }
            for lexemes in thing.bears:
                if not {lexeme.relation for lexeme in lexemes} & around:
                    score *= _UNSPOKEN
        return score
