"""Views in completions: which steps may be there or not, and what of a view they decide.

A path leads somewhere in a completion through things that the graph may not name, and a count may
reach its number with such things.  So the steps of a view are open between the terms of the slice
and imagined ones, as many as one candidate's constraints can need at once.  What they come to is
`encodings/sight.lp`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from kgverify.graph.terms import number_value, time_interval
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.datalog import Atom, Rule, Variable, symbol
from kgverify.reasoning.program import CompiledConstraint, Template
from kgverify.reasoning.values import value_text

_CLOSURE = 2  # steps that a path which repeats a step has beside that step
IMAGINED = 32  # things and values each that the constraints on one candidate may need
FEW = 8  # … where more would go beyond the budget
_PATHS = ("mirror", "sequence", "alternative", "closure")
_SHAPES = (*_PATHS, "compares", "counts")


@dataclass(frozen=True, slots=True)
class Sighting:
    """Constraint `constraint` asks of a candidate whether a view leads from `subject` to `object`,
    or with `denies`, whether it does not.  `number`: the objects that a count needs, else 0.
    `closed`: what the graph does not list counts as false."""

    constraint: int
    candidate: int
    denies: bool
    view: str
    subject: int
    object: int
    number: int = 0
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Domain:
    """The terms that a slice speaks of: things by id, and values with their keys."""

    things: tuple[int, ...]
    values: Mapping[int, str]


class Shapes:
    """What the views of a template are made of."""

    def __init__(self, template: Template, book: RuleBook) -> None:
        self._views, self._book = template.views, book
        self.parts: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.single: set[str] = set()
        self.sides: dict[str, list[Atom]] = defaultdict(list)  # the classes at both ends of a path
        for atom, _ in template.facts:
            name, *arguments = map(str, atom.arguments)
            if atom.predicate in _SHAPES:
                self.parts[name] = atom.predicate, tuple(arguments)
            elif atom.predicate == "single":
                self.single.add(name)
            elif atom.predicate in ("starts", "ends"):
                self.sides[name].append(atom)

    def kind(self, name: str) -> str:
        """What makes the view: a predicate of the encodings, or `step` for a relation, also for one
        at a time."""
        return self.parts[name][0] if name in self.parts else "step"

    def below(self, name: str) -> tuple[str, ...]:
        """The paths that a view is made of."""
        kind, arguments = self.parts.get(name, ("step", ()))
        return arguments[:1] if kind in ("compares", "counts") else arguments

    def length(self, name: str) -> int:
        """The number of steps of the longest way along a path, as completions show it: of a path
        that repeats a step, these are the first and the last between things that the graph doesn't
        name, and one for all in between."""
        lengths = [self.length(part) for part in self.below(name)]
        if self.kind(name) == "closure":
            return lengths[0] + _CLOSURE
        return sum(lengths) if self.kind(name) == "sequence" else max(lengths, default=1)

    def end(self, name: str) -> str:
        """The datatype of the objects of a path, "" for things."""
        view = self._views.get(name)
        return view.datatype if view else self._book.datatype(name)

    def unseen(self, name: str) -> str:
        """Why the truth of the view in a completion is not known here, "" where it is."""
        parts = self.below(name)
        if self.kind(name) == "closure" and self.length(parts[0]) > 1:
            return f"`{name}` repeats what takes more than one step"
        if self.kind(name) == "sequence" and self.end(parts[0]):
            return f"`{name}` goes on from a value"
        return next(filter(None, map(self.unseen, parts)), "")

    def needs(self, sightings: Iterable[Sighting]) -> tuple[int, int]:
        """How many imagined things and values make every one of these views of one candidate hold
        in any completion where it may.  A path with one end at most is gone one way."""
        needs: dict[tuple[object, ...], tuple[int, int]] = {}
        for one in sightings:
            kind, inner = self.kind(one.view), self.length(one.view) - 1
            if kind == "step" or self.measures_listed(one):
                continue
            path = one.view if kind in _PATHS else self.below(one.view)[0]
            way: tuple[object, ...] = one.view, one.subject, one.object
            if kind == "counts":
                things, values = (0, one.number) if self.end(path) else (one.number, 0)
                needs[way] = inner * one.number + things, values
            else:
                if path in self.single:
                    way = path, one.subject
                value = int(kind == "compares")
                needs[way] = inner, max(value, needs.get(way, (0, 0))[1])
        return sum(t for t, _ in needs.values()), sum(v for _, v in needs.values())

    def steps(
        self, name: str, starts: Sequence[str], ends: Sequence[str], between: Sequence[str]
    ) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
        """The steps of the ways from some terms to others: relation, subjects, objects."""
        match self.kind(name):
            case "step":
                yield name, starts, ends
            case "mirror":
                yield self.below(name)[0], ends, starts
            case "sequence":
                one, other = self.below(name)
                yield from self.steps(one, starts, between, between)
                yield from self.steps(other, between, ends, between)
            case "closure":
                (part,) = self.below(name)
                yield from self.steps(part, [*starts, *between], [*between, *ends], between)
            case _:
                for part in self.below(name):
                    yield from self.steps(part, starts, ends, between)

    def sighting(
        self, constraint: CompiledConstraint, candidate: int, terms: Sequence[int], key: str
    ) -> Sighting | str:
        """What a constraint asks of a candidate about a view, when its truth in a completion is
        known here; else why it isn't.  `terms` are the two of its atom, `key` is that of the
        second."""
        name = constraint.stated or constraint.name
        if why := self.unseen(name):
            return why
        number = 0
        if self.kind(name) == "counts":
            value = number_value(key)
            if value is None or value != value.to_integral_value():
                return "a count is compared with what is no whole number"
            number = max(0, min(int(value), IMAGINED) + self.exceeds(name))
            if value > IMAGINED or (number > IMAGINED and not constraint.closed):
                return f"it counts beyond {IMAGINED}"
        if self.kind(name) == "compares" and not _has_a_place(key):
            return "the bound is no number, date or text"
        subject, object_ = terms
        return Sighting(
            constraint.index,
            candidate,
            constraint.denies,
            name,
            subject,
            object_,
            number,
            constraint.closed,
        )

    def measures_listed(self, one: Sighting) -> bool:
        """Does it compare or count what is listed, and nothing else?"""
        return one.closed and self.kind(one.view) in ("compares", "counts")

    def exceeds(self, count: str) -> bool:
        """Does the view ask for more objects than its number says?"""
        return self.parts[count][1][1] == "more"

    def affordable(
        self, found: Iterable[Sighting], most: int
    ) -> tuple[list[Sighting], list[Sighting]]:
        """The sightings for which few enough terms need be imagined, and the others."""
        kept: dict[int, list[Sighting]] = {}
        left = []
        for one in found:
            mine = kept.setdefault(one.candidate, [])
            if max(self.needs([*mine, one])) > most:
                left.append(one)
            else:
                mine.append(one)
        return [one for mine in kept.values() for one in mine], left


def _has_a_place(key: str) -> bool:
    """Is the value a number, a date or a text, which have a place on an axis?"""
    if key.startswith(("lstring ", "ltext@", "lboolean ")):
        return True
    return number_value(key) is not None or time_interval(key) is not None


class Ways:
    """The views that are asked about in one program, and the open steps of their ways."""

    def __init__(self, shapes: Shapes, seen: Sequence[Sighting]) -> None:
        self.seen, self._shapes = seen, shapes
        by_candidate: dict[int, list[Sighting]] = {}
        for one in seen:
            by_candidate.setdefault(one.candidate, []).append(one)
        needs = [shapes.needs(mine) for mine in by_candidate.values()]
        self._things = [f"some({n})" for n in range(max((t for t, _ in needs), default=0))]
        self._values = [f"worth({n})" for n in range(max((v for _, v in needs), default=0))]

    @property
    def imagined(self) -> list[str]:
        """The terms that the graph does not name, as program text."""
        return [*self._things, *self._values]

    def size(self, domain: Domain) -> int:
        """How many open steps there are at most."""
        return sum(len(starts) * len(ends) for _, starts, ends in self._steps(domain))

    def _steps(self, domain: Domain) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
        things = [*map(str, domain.things), *self._things]
        values = [*map(str, domain.values), *self._values]
        for one in self.seen:
            if self._shapes.measures_listed(one):
                continue
            ends = [str(one.object)]
            if self._shapes.kind(one.view) in ("compares", "counts"):
                (path,) = self._shapes.below(one.view)
                ends = values if self._shapes.end(path) else things
            yield from self._shapes.steps(one.view, [str(one.subject)], ends, things)

    @property
    def supposed(self) -> list[tuple[int, int]]:
        """The constraints, each with its candidate, of which absence counts as falsehood."""
        return [(one.constraint, one.candidate) for one in self.seen if one.closed]

    @property
    def listings(self) -> list[tuple[str, int]]:
        """The paths and subjects of which all that is listed must be known."""
        mine = filter(self._shapes.measures_listed, self.seen)
        return [(self._shapes.below(one.view)[0], one.subject) for one in mine]

    def text(
        self,
        domain: Domain,
        listed: Mapping[tuple[str, int], Sequence[int]],
        clouded: Collection[tuple[str, int, int]] = (),
    ) -> str:
        """The program text: what is asked, what the views are made of, and the open steps.
        `listed` has the objects of each of the `listings`; of what is `clouded`, a view with its
        two terms, the graph may list more under another name, and nothing is known."""
        lines = []
        for one in self.seen:
            sign, name = "deny_view" if one.denies else "affirm_view", one.view
            place = f"0,{one.constraint},{one.candidate}"
            if self._shapes.measures_listed(one):
                if (name, one.subject, one.object) in clouded:
                    lines.append(f"free({place}).")
                    continue
                kind, (path, *asked) = self._shapes.parts[name]
                name, own = f"{name} listed", f"{path} listed"
                lines += [f"{Atom(kind, (name, own, *asked))}.", f"{Atom('twin', (own, path))}."]
                if path in self._shapes.single:
                    lines.append(f"{Atom('single', (own,))}.")
                lines += [
                    f"{Atom('leads', (own, one.subject, end))}."
                    for end in listed[path, one.subject]
                ]
            elif one.closed:
                sign = "deny_listed" if one.denies else "affirm_listed"
            given = f" :- supposed({place})" if one.closed else ""
            lines.append(f"{sign}({place},{symbol(name)},{one.subject},{one.object}){given}.")
            if one.closed:
                lines.append(f"assumes({place}).")
            if self._shapes.kind(one.view) == "counts":
                number = one.number - self._shapes.exceeds(one.view)
                lines.append(f"number({one.object},{number}).")
        used = self._used()
        lines += [f"{Atom(kind, (name, *parts))}." for name, (kind, parts) in used.items()]
        if closures := [name for name, (kind, _) in used.items() if kind == "closure"]:
            lines += [f"{atom}." for name in closures for atom in self._shapes.sides[name]]
            lines += [f"unnamed({thing})." for thing in self._things]
        steps = {(name, *pair) for name, s, o in self._steps(domain) for pair in product(s, o)}
        lines += [f"step({symbol(name)})." for name in sorted({name for name, _, _ in steps})]
        lines += [f"open({symbol(name)},{s},{o})." for name, s, o in sorted(steps)]
        if any(self._shapes.kind(one.view) == "compares" for one in self.seen):
            lines += [f"imagined({value})." for value in self._values]
            lines.append(value_text(domain.values))
        return "\n".join(lines)

    def _used(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """The views that are asked about, and those that they are made of."""
        found: dict[str, tuple[str, tuple[str, ...]]] = {}
        todo = [one.view for one in self.seen if not self._shapes.measures_listed(one)]
        while todo:
            name = todo.pop()
            if name in self._shapes.parts and name not in found:
                found[name] = self._shapes.parts[name]
                todo += self._shapes.below(name)
        return found


def touching(template: Template, book: RuleBook) -> Iterator[Rule]:
    """Rules for gathering what the steps of the views lead to (see `completions.reaching`)."""
    x, m, y = Variable("X"), Variable("M"), Variable("Y")
    shapes = Shapes(template, book)
    for view in template.views.values():
        if view.relation:
            own = Atom("touch", (view.relation, x, y))
            yield Rule(Atom("touch", (view.name, x, y)), (own,))
    for name, (kind, _) in shapes.parts.items():
        head, parts = Atom("touch", (name, x, y)), shapes.below(name)
        match kind:
            case "mirror":
                yield Rule(head, (Atom("touch", (parts[0], y, x)),))
            case "alternative":
                yield Rule(head, tuple(Atom("touch", (part, x, y)) for part in parts))
            case "sequence":
                first, second = Atom("for", (parts[0], x, m)), Atom("for", (parts[1], m, y))
                touched = Atom("touch", (parts[0], x, m)), Atom("touch", (parts[1], m, y))
                yield Rule(head, (first, *touched))
                yield Rule(head, (second, *touched))
            case "closure":
                first, second = Atom("for", (name, x, m)), Atom("for", (name, m, y))
                touched = Atom("touch", (parts[0], x, m)), Atom("touch", (parts[0], m, y))
                yield Rule(head, (Atom("touch", (parts[0], x, y)),))
                yield Rule(head, (first, *touched))
                yield Rule(head, (second, *touched))
            case "compares" | "counts":
                yield Rule(head, (Atom("for", (parts[0], x, m)), Atom("touch", (parts[0], x, m))))
