"""Facts about what has no name yet: those that would settle comparisons, counts, and constraints at
a time.  A placeholder says what is needed, and an example stands for it while that is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

import numpy as np

from kgverify.graph.moments import day_text
from kgverify.graph.terms import (
    compatible,
    display,
    has_zone,
    is_exact,
    number_value,
    time_interval,
    value_key,
)
from kgverify.language import syntax as s
from kgverify.reasoning.datalog import Atom
from kgverify.reasoning.evidence import Evidence, Ground
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.program import Template
from kgverify.reasoning.settling import FactSet
from kgverify.reasoning.times import Period, includes, perhaps, surely_meet
from kgverify.reasoning.views import COMPARISONS, View
from kgverify.reasoning.witnesses import NEGATED, comparing, unknown_values, written
from kgverify.vocabulary import Placeholder

Objects = Callable[[str, int], list[int]]  # what there is evidence for, by relation and subject
_MOST = 20  # further objects of a count
_FAR = 1_000_000  # the greatest bound of a count that is looked at
_MIDDLES = 5  # things on the way of a path that are gone on from
_DAY = 86_400
_ROOM = 2  # days that no time zone bridges
_STEPS = ("mirror", "sequence", "alternative", "closure")


@dataclass(frozen=True, slots=True)
class Proposal:
    """Facts that may settle something, with examples in them: `names` and `periods` say, by number,
    what a term or a period without a name is called, `where` what it has to be.  `complete` are
    statements of completeness, by relation and subject; `facts` then hold what is given by them."""

    facts: FactSet
    names: Mapping[int, str] = field(default_factory=dict)
    where: tuple[Placeholder, ...] = ()
    periods: Mapping[int, str] = field(default_factory=dict)
    complete: tuple[tuple[str, int], ...] = ()


Choice = Sequence[Proposal]  # proposals that would say the same: the first that holds is named


class Supposer:
    """Proposes what would settle an atom of a view of these templates.

    `knowledge` is one that may be given terms that stand for what has no name."""

    def __init__(
        self,
        knowledge: Knowledge,
        templates: Iterable[Template],
        evidence: Evidence,
        objects: Objects,
    ) -> None:
        self._knowledge, self._evidence, self._objects = knowledge, evidence, objects
        self._views: dict[str, View] = {}
        self._said: set[tuple[str, ...]] = set()
        for template in templates:
            self._views |= template.views
            self._said |= {_words(atom) for atom, _ in template.facts}
        self._paths = {words[1]: words for words in sorted(self._said) if words[0] in _STEPS}
        self._things: list[int] = []  # … that stand for objects
        self._between: int | None = None  # … and for something on the way of a path

    def choices(self, target: Ground) -> Iterator[Choice]:
        """What may settle an atom for or against a view, or against a functional relation to
        values."""
        if target[0] not in ("for", "against"):
            return
        predicate, name, subject, object_ = target
        view = self._views.get(str(name))
        asked = int(subject), int(object_)
        if ("vague", asked[0]) in self._evidence:
            return
        pro = predicate == "for"
        if view is None:
            yield from self._other_value(str(name), *asked, pro)
        elif view.relation and view.time:
            yield from self._at(view, *asked, pro)
        elif view.relation:
            yield from self._ever(view, *asked, pro)
        elif view.counts:
            yield from self._count(view, *asked, pro)
        elif view.base:
            yield from self._comparison(view, *asked, pro)

    # ------------------------------------------------------------ comparisons and counts

    def _comparison(self, view: View, subject: int, bound: int, pro: bool) -> Iterator[Choice]:
        operator = view.operator if pro else NEGATED[view.operator]
        if pro or self._is("single", view.base):
            yield from self._values(view.base, view.datatype, operator, subject, bound)
        short = COMPARISONS[view.operator]
        known = self._objects(view.base, subject)
        if not pro and all(("fails", short, id_, bound) in self._evidence for id_ in known):
            yield from self._complete(view.base, subject)

    def _other_value(self, name: str, subject: int, asked: int, pro: bool) -> Iterator[Choice]:
        """Another value of a functional relation refutes this one."""
        datatype = self._datatype(name)
        if not pro and datatype and self._is_functional(name):
            yield from self._values(name, datatype, "!=", subject, asked)

    def _values(
        self, path: str, datatype: str, operator: str, subject: int, bound: int
    ) -> Iterator[Choice]:
        """A value that compares so, for each way to it."""
        asked = self._knowledge.key(bound)
        for way, facts in enumerate(self._ways(path, subject, [bound])):
            within = self._within(facts[-1])
            conditions = (f"V {operator} {display(asked)}", *(f"V = {display(k)}" for k in within))
            values = comparing(operator, asked, datatype, within)
            yield [
                self._proposal(found, [id_], datatype, conditions)
                for id_ in map(self._knowledge.term, values)
                for n, found in enumerate(self._ways(path, subject, [id_]))
                if n == way
            ]

    def _within(self, fact: Ground) -> list[str]:
        """What is known, less precisely, of the one value that the fact would state."""
        _, relation, subject, _ = fact
        if not self._is_functional(str(relation)):
            return []
        keys = map(self._knowledge.key, self._objects(str(relation), int(subject)))
        return [key for key in keys if key[0] == "l" and not is_exact(key) and _has_value(key)]

    def _is_functional(self, relation: str) -> bool:
        declared = self._knowledge.book.relations[relation]
        return any(found.kind == "functional" for found in declared.properties)

    def _count(self, view: View, subject: int, bound: int, pro: bool) -> Iterator[Choice]:
        number = number_value(self._knowledge.key(bound))
        if number is None or not 0 <= number <= _FAR or number != number.to_integral_value():
            return
        least = int(number) + (view.operator == ">")
        known = self._objects(view.base, subject)
        if not pro:
            if len(known) < least:
                yield from self._complete(view.base, subject)
            return
        pattern = view.base, subject
        counted = [
            int(atom[3])
            for atom in self._evidence.matching("counted", (*pattern, None))
            if atom[1:3] == pattern
        ]
        needed = least - len(counted)
        if not 0 < needed <= _MOST:
            return
        datatype = self._datatype(view.base)
        new = self._new(datatype, known, needed)
        conditions = tuple(f"V != {self._label(id_)}" for id_ in sorted(known))
        for way, _ in enumerate(self._ways(view.base, subject, new[:1])):
            yield [
                self._proposal(facts, new[:size], datatype, conditions)
                for size in range(1, len(new) + 1)
                for n, facts in enumerate(self._ways(view.base, subject, new[:size]))
                if n == way
            ]

    def _new(self, datatype: str, known: Sequence[int], number: int) -> list[int]:
        """So many objects that differ from the known ones, or as many as there are."""
        if datatype:
            keys = [self._knowledge.key(id_) for id_ in known]
            return [self._knowledge.term(k) for k in unknown_values(datatype, keys, number)]
        while len(self._things) < number:
            self._things.append(self._knowledge.invent("other"))
        return self._things[:number]

    def _ways(self, path: str, subject: int, ends: Sequence[int]) -> Iterator[FactSet]:
        """The facts by which a path would lead from a subject to these ends: a step to them from
        what the path reaches by now, or two steps where it reaches nothing."""
        kind, _, *parts = self._paths.get(path, ("", path))
        match kind:
            case "":
                yield tuple(("for", path, subject, end) for end in ends)
            case "mirror":
                yield tuple(("for", parts[0], end, subject) for end in ends)
            case "closure":
                yield from self._ways(parts[0], subject, ends)
            case "alternative":
                for part in parts:
                    yield from self._ways(part, subject, ends)
            case "sequence":
                first, rest = parts
                middles = self._objects(first, subject)
                for middle in middles[:_MIDDLES]:
                    if ("vague", middle) not in self._evidence:
                        yield from self._ways(rest, middle, ends)
                if not middles and not self._datatype(first):
                    yield from self._two_steps(first, rest, subject, ends)

    def _two_steps(
        self, first: str, rest: str, subject: int, ends: Sequence[int]
    ) -> Iterator[FactSet]:
        if any(self._kind(part) == "sequence" for part in (first, rest)):
            return
        if self._between is None:
            self._between = self._knowledge.invent("between")
        middle = self._between
        for step in self._ways(first, subject, [middle]):
            for last in self._ways(rest, middle, ends):
                yield (*step, *last)

    def _kind(self, path: str) -> str:
        return self._paths.get(path, ("",))[0]

    def _complete(self, path: str, subject: int) -> Iterator[Choice]:
        """That all objects are listed."""
        needed = list(dict.fromkeys(self._unlisted(path, subject)))
        fit = all(relation and self._can_be_complete(relation, id_) for relation, id_ in needed)
        if fit and 0 < len(needed) <= 2:
            yield [Proposal((("given", "listed", path, subject),), complete=tuple(needed))]

    def _unlisted(self, path: str, subject: int) -> Iterator[tuple[str, int]]:
        """The relations and subjects whose objects have to be all listed, so that those of the path
        are; the relation is "" where no statement can say so."""
        if ("listed", path, subject) in self._evidence:
            return
        kind, _, *parts = self._paths.get(path, ("", path))
        match kind:
            case "":
                yield path, subject
            case "mirror":
                yield "", subject
            case "closure":
                for node in dict.fromkeys((subject, *self._objects(path, subject))):
                    yield from self._unlisted(parts[0], node)
            case "alternative":
                for part in parts:
                    yield from self._unlisted(part, subject)
            case _:
                yield from self._unlisted(parts[0], subject)
                for node in self._objects(parts[0], subject):
                    yield from self._unlisted(parts[1], node)

    def _can_be_complete(self, relation: str, subject: int) -> bool:
        """May it be stated that all objects are listed?  Not where the statement would have effects
        that are not looked at here: on a `not` of a rule's body; or none, for blank nodes."""
        book, knowledge = self._knowledge.book, self._knowledge
        bodies = [c for rule in book.rules for c in rule.body if isinstance(c, s.Literal)]
        if any(c.negated and not isinstance(c.atom, s.ClassAtom) for c in bodies):
            return False
        known = ("vague", subject) not in self._evidence and not knowledge.is_stranger(subject)
        return known and not len(knowledge.blanks)

    # ------------------------------------------------------------ times

    def _at(self, view: View, subject: int, object_: int, pro: bool) -> Iterator[Choice]:
        fact = view.relation, subject, object_
        if ("vague", object_) in self._evidence:
            return
        if pro:
            stated = [p for o, p in self._stated(view.relation, subject) if o == object_]
            refined = [found for p in stated for found in self._refined(fact, p, view.time)]
            yield refined or self._throughout(fact, view.time)
            return
        yield [Proposal((("against", *fact),))]
        if self._is("functional", view.name):
            new = self._new(view.datatype, [object_], 1)
            if new:
                other = view.relation, subject, new[0]
                conditions = (f"V != {self._label(object_)}",)
                yield self._throughout(other, view.time, self._place(other, new, conditions))
        known = self._objects(view.relation, subject)
        if object_ in known and not any(
            self._may_be_at(view, subject, one)
            for one in known
            if one == object_ or not self._differ(one, object_)
        ):
            against = "given", "against", view.name, *fact[1:]
            if self._can_be_complete(*fact[:2]):
                yield [Proposal((against,), complete=(fact[:2],))]

    def _may_be_at(self, view: View, subject: int, object_: int) -> bool:
        """May what is known to hold at some time hold at that of the view?"""
        pattern = view.relation, subject, object_
        found = self._evidence.matching("during", (*pattern, None))
        numbers = [int(atom[4]) for atom in found if atom[1:4] == pattern]
        periods = (self._knowledge.periods[number] for number in numbers)
        return not numbers or any(perhaps(period, view.time) for period in periods)

    def _throughout(
        self, fact: tuple[str, int, int], time: str, where: tuple[Placeholder, ...] = ()
    ) -> list[Proposal]:
        """The fact, stated for a period that holds all of the time, closely or with room for time
        zones."""
        first, after = (end / _DAY for end in _stretch(time))
        told = {"S": (f"S < {time}",), "U": (f"U > {time}",)}
        closest = floor(first) - 1, ceil(after)
        periods = [
            Period(day_text(closest[0] - room), day_text(closest[1] + room), best=True)
            for room in (0, _ROOM)
        ]
        return [
            self._dated(fact, period, "since S until U", told, where)
            for period in periods
            if includes(period, time)
        ]

    def _refined(self, fact: tuple[str, int, int], period: Period, time: str) -> Iterator[Proposal]:
        """The fact, stated with a more precise `since` or `until` where that makes its period hold
        all of the time."""
        sinces = [("since S", day) for day in _ends(period.since)[:1]]
        untils = [("until U", day) for day in _ends(period.until)[1:]]
        as_it_is = "", ""
        for since_text, since in (as_it_is, *sinces):
            for until_text, until in (as_it_is, *untils):
                found = Period(since or period.since, until or period.until, best=True)
                if not since + until or not includes(found, time):
                    continue
                told = {}
                if since:
                    told["S"] = f"S < {time}", f"S = {period.since}"
                if until:
                    told["U"] = f"U > {time}", f"U = {period.until}"
                texts = [
                    since_text or (f"since {period.since}" if period.since else ""),
                    until_text or (f"until {period.until}" if period.until else ""),
                ]
                yield self._dated(fact, found, " ".join(filter(None, texts)), told)

    def _ever(self, view: View, subject: int, object_: int, pro: bool) -> Iterator[Choice]:
        fact = view.relation, subject, object_
        if not pro:
            yield [Proposal((("against", *fact),))]
            return
        others = [period for other, period in self._stated(view.relation, subject)]
        alternatives = [Proposal((("for", *fact),))]
        untils = [period.until for period in others]
        if all(untils) and untils:
            last = max(untils, key=lambda text: _stretch(text)[1])
            period = Period(day_text(ceil(_stretch(last)[1] / _DAY) + 2), "", best=True)
            alternatives.append(self._dated(fact, period, "since S", {"S": (f"S > {last}",)}))
        sinces = [period.since for period in others]
        if all(sinces) and sinces:
            first = min(sinces, key=lambda text: _stretch(text)[0])
            period = Period("", day_text(floor(_stretch(first)[0] / _DAY) - 3), best=True)
            alternatives.append(self._dated(fact, period, "until U", {"U": (f"U < {first}",)}))
        yield alternatives

    def _dated(
        self,
        fact: tuple[str, int, int],
        period: Period,
        text: str,
        told: Mapping[str, tuple[str, ...]],
        where: tuple[Placeholder, ...] = (),
    ) -> Proposal:
        number = self._knowledge.periods.number(period)
        examples = {"S": period.since, "U": period.until}
        dates = [
            Placeholder(name, "date", conditions, 1, (examples[name],))
            for name, conditions in told.items()
        ]
        names = {fact[2]: where[0].name} if where else {}
        return Proposal((("during", *fact, number),), names, (*where, *dates), {number: text})

    def _stated(self, relation: str, subject: int) -> list[tuple[int, Period]]:
        """The objects that are stated of a subject, each with its period."""
        knowledge = self._knowledge
        _, objects, numbers = knowledge.timed(relation, np.array([subject], np.int64), None)
        pairs = zip(objects.tolist(), numbers.tolist(), strict=True)
        return [(id_, knowledge.periods[number]) for id_, number in pairs]

    def excludes(self, facts: FactSet) -> bool:
        """Is one of the facts about a relation that has one object at a time, and stated for a time
        at which another object is?"""
        for fact in facts:
            if fact[0] not in ("for", "during"):
                continue
            relation, subject, object_ = str(fact[1]), int(fact[2]), int(fact[3])
            declared = self._knowledge.book.relations.get(relation)
            if declared is None or not any(
                p.kind == "functional_at_a_time" for p in declared.properties
            ):
                continue
            own = self._knowledge.periods[int(fact[4])] if len(fact) > 4 else Period("", "", True)
            for other, period in self._stated(relation, subject):
                if self._differ(object_, other) and surely_meet(own, period):
                    return True
        return False

    def _differ(self, one: int, other: int) -> bool:
        keys = self._knowledge.key(one), self._knowledge.key(other)
        vague = any(("vague", id_) in self._evidence for id_ in (one, other))
        return one != other and not vague and not compatible(*keys)

    # ------------------------------------------------------------ in words

    def _proposal(
        self, facts: FactSet, ends: Sequence[int], datatype: str, conditions: tuple[str, ...]
    ) -> Proposal:
        """The facts with a placeholder for their ends, and one for what lies on the way."""
        names = dict.fromkeys(ends, "V")
        where = list(self._place(facts[-1], ends, conditions, datatype))
        middle = self._between
        if middle is not None and any(middle in fact for fact in facts):
            names[middle] = "M"
            step = next(fact for fact in facts if middle in fact)
            where.insert(0, self._placeholder("M", step, [middle], ()))
        return Proposal(facts, names, tuple(where))

    def _place(
        self,
        fact: Sequence[str | int],
        ends: Sequence[int],
        conditions: tuple[str, ...],
        datatype: str = "",
    ) -> tuple[Placeholder, ...]:
        return (self._placeholder("V", fact, ends, conditions, datatype),)

    def _placeholder(
        self,
        name: str,
        fact: Sequence[str | int],
        ids: Sequence[int],
        conditions: tuple[str, ...],
        datatype: str = "",
    ) -> Placeholder:
        *_, relation, _, object_ = fact
        declared = self._knowledge.book.relations[str(relation)]
        kind = declared.range if object_ in ids else declared.domain
        keys = map(self._knowledge.key, ids)
        examples = tuple(written(key) if key[0] == "l" else display(key) for key in keys)
        return Placeholder(name, datatype or kind.text, conditions, len(ids), examples)

    def _label(self, id_: int) -> str:
        return self._knowledge.label(id_)

    def _datatype(self, path: str) -> str:
        """The datatype of a path's ends, "" for entities."""
        if path in self._views:
            return self._views[path].datatype
        return self._knowledge.book.datatype(path)

    def _is(self, predicate: str, name: str) -> bool:
        return (predicate, name) in self._said


def _words(atom: Atom) -> tuple[str, ...]:
    return (atom.predicate, *map(str, atom.arguments))


def _has_value(key: str) -> bool:
    return not key.startswith("lill ")


def _stretch(text: str) -> tuple[Fraction, Fraction]:
    """From when to before when a date lasts, in seconds."""
    interval = time_interval(value_key(text, "date"))
    assert interval is not None  # the graph, or the question, has been read
    return interval


def _ends(text: str) -> list[str]:
    """The first and the last day of a date that is less precise; nothing of one that isn't."""
    key = value_key(text, "date") if text else ""
    if not text or is_exact(key) or has_zone(key):
        return []
    first, after = (int(end / _DAY) for end in _stretch(text))
    return [day_text(first), day_text(after - 1)]
