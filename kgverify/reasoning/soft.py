"""What soft rules say of the atoms that evidence leaves open, and how plausible that makes them.

Soft rules decide nothing.  Their conclusions are looked up once the batch is decided, for the open
atoms alone, in relations of their own that no other rule reads; so no verdict can depend on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook
from kgverify.language.sameness import Form, Forms, alike
from kgverify.reasoning.deciding import (
    STATUSES,
    Decisions,
    Probe,
    ReferenceEngine,
    Request,
    SliceEngine,
    by_template,
    decide_patterns,
    handed_out,
)
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.layers import Ids
from kgverify.reasoning.patterns import (
    ASSERTED,
    ASSUMED,
    CON,
    LIKELY,
    PRO,
    UNLIKELY,
    distinct,
)
from kgverify.reasoning.program import (
    DECISION,
    INFERRED,
    NOISY_OR,
    SOFT,
    STRONGEST,
    CompiledConstraint,
    Template,
    encoding,
)
from kgverify.reasoning.rules import soft_facts, soft_name, soft_rules
from kgverify.reasoning.solver import solve

Combination = Literal["max", "noisy-or"]
COMBINATIONS: tuple[Combination, ...] = ("max", "noisy-or")
BILLION = 10**9  # weights are whole numbers of billionths
_LIMB = 1000
_MOST_WORK = 64**2  # of the solver: the squares of the sizes of the sets that it multiplies

Name = tuple[str, str]  # "relation" or "class", and its name in the rule file
Asked = tuple[Name, Sequence[Ids]]  # some atoms: their terms by place


@dataclass(frozen=True, slots=True)
class Backing:
    """Which of some soft rules, by their numbers, speak for n atoms.  bool[n, soft rules]"""

    numbers: tuple[int, ...]
    speaks: NDArray[np.bool_]

    def sets(self) -> tuple[list[tuple[int, ...]], NDArray[np.int64]]:
        """The distinct sets of rules that speak for an atom, and which of them each atom has."""
        packed, of = np.unique(np.packbits(self.speaks, axis=1), axis=0, return_inverse=True)
        rows = np.unpackbits(packed, axis=1, count=len(self.numbers))
        sets = [tuple(self.numbers[n] for n in np.flatnonzero(row).tolist()) for row in rows]
        return sets, of.reshape(-1)


class Backers(Protocol):
    """Says which soft rules speak for atoms."""

    def backing(self, asked: Sequence[Asked]) -> list[Backing]:
        """The soft rules that speak for each of the atoms asked about."""
        ...


@dataclass(frozen=True)
class Ways:
    """By which conclusions an atom may be backed: soft rule N by its own head, or by one that says
    the same in other words, with its terms exchanged or not."""

    book: RuleBook
    knowledge: Knowledge

    def to(self, name: Name) -> list[tuple[int, bool]]:
        """The soft rules that may speak for atoms of this relation or class, and whether they
        conclude the terms in the other order."""
        return self._of.get(name, [])

    @cached_property
    def _of(self) -> dict[Name, list[tuple[int, bool]]]:
        found: dict[tuple[Name, int, bool], None] = {}
        todo = [(_concluded(soft), number, False) for number, soft in enumerate(self.book.soft)]
        while todo:
            way = todo.pop()
            if way not in found:
                found[way] = None
                name, number, turned = way
                todo += [(other, number, turned != turns) for other, turns in self._beside(name)]
        ways: dict[Name, list[tuple[int, bool]]] = {}
        for name, number, turned in sorted(found):
            ways.setdefault(name, []).append((number, turned))
        return ways

    def _beside(self, name: Name) -> Iterator[tuple[Name, bool]]:
        """What says the same of the same terms, or of the terms exchanged."""
        kind, own = name
        if kind == "class":
            for above in self.knowledge.hierarchy.named_above(own):
                yield ("class", above), False
            return
        for relation in self.book.relations.values():
            for item in relation.properties:
                one, other = relation.name.text, item.target.text if item.target else ""
                match item.kind:
                    case "symmetric" if one == own:
                        yield name, True
                    case "subrelation" if one == own:
                        yield ("relation", other), False
                    case "inverse" if own in (one, other):
                        yield ("relation", other if one == own else one), True


@dataclass(frozen=True)
class Reasons:
    """Which of the soft rules that speak for an atom are reasons of their own.

    Rules that say the same of it, once names of one entity are one name, are a single reason."""

    ways: Ways

    def apart(self, name: Name, numbers: Sequence[int], weights: Sequence[Fraction]) -> list[int]:
        """One rule for each reason, the one that weighs most, of those that speak for atoms of this
        relation or class."""
        one = self._one_of(name)
        found: dict[int, int] = {}
        for number in sorted(numbers, key=lambda n: (-weights[n], n)):
            found.setdefault(one[number], number)
        return sorted(found.values())

    def _one_of(self, name: Name) -> dict[int, int]:
        """For each rule that may speak for atoms of this name, the first that says the same."""
        if name not in self._known:
            ways: dict[int, list[bool]] = {}
            for number, turned in self.ways.to(name):
                ways.setdefault(number, []).append(turned)
            rules = [[self._forms[n].as_head("", turned) for turned in ways[n]] for n in ways]
            self._known[name] = dict(
                zip(ways, map(list(ways).__getitem__, alike(rules)), strict=True)
            )
        return self._known[name]

    @cached_property
    def _known(self) -> dict[Name, dict[int, int]]:
        return {}

    @cached_property
    def _forms(self) -> list[Form]:
        knowledge, book = self.ways.knowledge, self.ways.book
        forms = Forms(book, lambda term, datatype: str(knowledge.constant(term, datatype)))
        return [forms.of(soft.rule) for soft in book.soft]


def _concluded(soft: s.SoftRule) -> Name:
    atom = soft.rule.head.atom
    if isinstance(atom, s.ClassAtom):
        return "class", atom.cls.text
    return "relation", atom.relations[0].text


class SliceBackers:
    """Gathers what the bodies of soft rules can look at, for the atoms that are asked about.

    `engine` has the soft rules among its rules."""

    def __init__(self, engine: SliceEngine) -> None:
        self._engine = engine
        self._ways = Ways(engine.knowledge.book, engine.knowledge)

    def backing(self, asked: Sequence[Asked]) -> list[Backing]:
        probes: list[Probe] = []
        for name, columns in asked:
            for order in (False, True):
                names = [soft_name(n) for n, turned in self._ways.to(name) if turned is order]
                if names:
                    probes.append((names, *_placed(columns, order)))
        if not probes:
            return [Backing((), np.zeros((len(columns[0]), 0), np.bool_)) for _, columns in asked]
        shown = self._engine.derive(probes)
        found = []
        for name, columns in asked:
            speaks: dict[int, NDArray[np.bool_]] = {}
            for number, turned in self._ways.to(name):
                holds = shown.holds("for", soft_name(number), _placed(columns, turned))
                speaks[number] = speaks[number] | holds if number in speaks else holds
            found.append(_backing(speaks, len(columns[0])))
        return found


class ReferenceBackers:
    """Grounds the whole graph with the soft rules, under the encodings unchanged."""

    def __init__(self, engine: ReferenceEngine, requests: Sequence[Request]) -> None:
        self._knowledge, self._requests = engine.knowledge, requests
        self._engine = engine

    def backing(self, asked: Sequence[Asked]) -> list[Backing]:
        knowledge = self._knowledge
        rules = [*soft_rules(knowledge.book, knowledge.constant), *soft_facts(knowledge.book)]
        program = self._engine.program(self._requests, rules)
        held: dict[Name, dict[int, set[tuple[str, ...]]]] = {}
        for text in solve(*program, encoding(*SOFT), _SHOW_BACKED):
            predicate, _, rest = text[:-1].partition("(")
            if predicate not in ("backs", "backs_a"):
                continue
            number, *parts = rest.split(",")
            is_class = predicate == "backs_a"
            own, terms = (parts[-1], parts[:-1]) if is_class else (parts[0], parts[1:])
            about: Name = "class" if is_class else "relation", own.strip('"')
            held.setdefault(about, {}).setdefault(int(number), set()).add(tuple(terms))
        found = []
        for name, columns in asked:
            rows = zip(*(column.tolist() for column in columns), strict=True)
            atoms = [tuple(map(str, row)) for row in rows]
            speaks = {
                number: np.array([atom in backed for atom in atoms], np.bool_)
                for number, backed in held.get(name, {}).items()
            }
            found.append(_backing(speaks, len(atoms)))
        return found


_SHOW_BACKED = """
#show backs(N,R,S,O) : backs(N,R,S,O).
#show backs_a(N,E,C) : backs_a(N,E,C).
"""


def _backing(speaks: Mapping[int, NDArray[np.bool_]], size: int) -> Backing:
    numbers = tuple(sorted(speaks))
    columns = [speaks[number] for number in numbers]
    return Backing(numbers, np.stack(columns, 1) if columns else np.zeros((size, 0), np.bool_))


def _placed(columns: Sequence[Ids], turned: bool) -> tuple[Ids, Ids]:
    """Subjects and objects; a member of a class is both."""
    one, other = columns[0], columns[-1]
    return (other, one) if turned else (one, other)


# ---------------------------------------------------------------- how plausible


def combine(
    sets: Sequence[tuple[int, ...]], weights: Sequence[Fraction], how: Combination
) -> list[Fraction]:
    """How plausible an atom is that the soft rules of a set speak for, exactly; for each set."""
    if how == "max":
        return _strongest(sets, weights)
    solved: list[tuple[int, ...]] = []
    work = 0
    for numbers in sorted(sets, key=len):
        work += len(numbers) ** 2
        if work > _MOST_WORK:
            break
        solved.append(numbers)
    # Beyond that the exact product is taken here: the same numbers, by the same definition.
    found = dict(zip(solved, _noisy_or(solved, weights), strict=True))
    return [
        found[numbers]
        if numbers in found
        else 1 - prod((1 - weights[n] for n in numbers), start=Fraction(1))
        for numbers in sets
    ]


def _strongest(sets: Sequence[tuple[int, ...]], weights: Sequence[Fraction]) -> list[Fraction]:
    used = sorted({number for numbers in sets for number in numbers})
    trust = "".join(f"trust({n},{int(weights[n] * BILLION)})." for n in used)
    found = [Fraction(0)] * len(sets)
    for place, weight in _numbers(solve(encoding(*STRONGEST), _backed(sets), trust)):
        found[place] = Fraction(weight, BILLION)
    return found


def _noisy_or(sets: Sequence[tuple[int, ...]], weights: Sequence[Fraction]) -> list[Fraction]:
    used = sorted({number for numbers in sets for number in numbers})
    doubts = []
    for number in used:
        doubt = BILLION - int(weights[number] * BILLION)
        limbs = doubt // _LIMB**2, doubt // _LIMB % _LIMB, doubt % _LIMB
        doubts.append(f"doubt({number},{','.join(map(str, limbs))}).")
    left = [Fraction(0)] * len(sets)
    for place, limb, value in _numbers(solve(encoding(*NOISY_OR), _backed(sets), *doubts)):
        left[place] += Fraction(value, _LIMB**limb)
    return [1 - doubt for doubt in left]


def _backed(sets: Sequence[tuple[int, ...]]) -> str:
    return "".join(
        f"backed({place},{turn},{number})."
        for place, numbers in enumerate(sets)
        for turn, number in enumerate(numbers, 1)
    )


def _numbers(shown: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """The arguments of shown atoms, all of which are numbers."""
    for text in shown:
        yield tuple(map(int, text[text.index("(") + 1 : -1].split(",")))


# ---------------------------------------------------------------- candidates


@dataclass(frozen=True)
class Plausibilities:
    """How plausible the open constraints of a request's candidates are.

    `sets` int64[n, c] says, for each candidate and constraint about an atom, which of the `rules`
    speak for the atom, by a place in `rules` and `values`; at place 0 there is none.  `decisions`
    are those of evidence.  `how` several rules were combined; from `infer_from` on, an atom counts
    as true."""

    template: Template
    decisions: Decisions
    sets: NDArray[np.int64]
    rules: tuple[tuple[int, ...], ...]
    values: tuple[Fraction, ...]
    how: Combination
    infer_from: Fraction | None

    def backers(self, place: int, index: int) -> tuple[int, ...]:
        """The soft rules that speak for the atom of a constraint."""
        return self.rules[self.sets[place, index]]

    def sides(self, place: int, index: int) -> tuple[Fraction, Fraction]:
        """How plausible it is that a constraint holds, and that it does not.

        What is decided is 1, what is in conflict 0 on both sides.  A group is as plausible as the
        weakest of the members that it needs, the strongest ones taken: from that plausibility
        downwards it would be decided if plausible atoms counted as true."""
        return self._patterns[int(self._row[place])][index]

    def open_sides(self, place: int, index: int) -> tuple[Fraction, Fraction] | None:
        """The same of a constraint that evidence leaves open and soft rules speak about; None of
        others."""
        sides = self.sides(place, index)
        open_ = STATUSES[self.decisions.statuses[place, index]] == "unk"
        return sides if open_ and any(sides) else None

    def share(self, place: int) -> Fraction:
        """The share of the weight of all constraints that is plausible though open, less what is
        plausibly wrong."""
        return self._shares[int(self._row[place])]

    @property
    def shares(self) -> list[Fraction]:
        return [self._shares[row] for row in self._row.tolist()]

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        both = np.concatenate((self.sets, self.decisions.statuses), axis=1)
        rows, of = np.unique(both, axis=0, return_inverse=True)
        return rows, of.reshape(-1)

    @property
    def _row(self) -> NDArray[np.int64]:
        return self._distinct[1]

    @cached_property
    def _patterns(self) -> list[list[tuple[Fraction, Fraction]]]:
        width = self.sets.shape[1]
        return [
            self._all_sides(row[:width], [STATUSES[code] for code in row[width:]])
            for row in self._distinct[0].tolist()
        ]

    @cached_property
    def _shares(self) -> list[Fraction]:
        width = self.sets.shape[1]
        found = []
        for row, sides in zip(self._distinct[0].tolist(), self._patterns, strict=True):
            statuses = row[width:]
            open_ = [c for c in self.template.items if STATUSES[statuses[c.index]] == "unk"]
            leaning = (c.weight * (sides[c.index][0] - sides[c.index][1]) for c in open_)
            found.append(sum(leaning, Fraction(0)) / self.template.total)
        return found

    def _all_sides(
        self, sets: Sequence[int], statuses: Sequence[str]
    ) -> list[tuple[Fraction, Fraction]]:
        found: dict[int, tuple[Fraction, Fraction]] = {}

        def sides(constraint: CompiledConstraint) -> tuple[Fraction, Fraction]:
            index, status = constraint.index, statuses[constraint.index]
            if index not in found:
                if status in ("sat", "viol"):
                    found[index] = Fraction(status == "sat"), Fraction(status == "viol")
                elif constraint.kind == "group":
                    members = [sides(self.template.constraints[m]) for m in constraint.members]
                    pros = sorted((pro for pro, _ in members), reverse=True)
                    cons = sorted((con for _, con in members), reverse=True)
                    found[index] = pros[constraint.least - 1], cons[-constraint.least]
                else:
                    value, nothing = self.values[sets[index]], Fraction(0)
                    found[index] = (nothing, value) if constraint.denies else (value, nothing)
            return found[index]

        return [sides(constraint) for constraint in self.template.constraints]

    @property
    def enough(self) -> NDArray[np.bool_]:
        """Which atoms are plausible enough to count as true.  bool[n, c]"""
        from_ = self.infer_from
        reaches = np.array([from_ is not None and v >= from_ for v in self.values], np.bool_)
        reaches[0] = False  # no rule speaks for it
        found: NDArray[np.bool_] = reaches[self.sets]
        return found


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the soft rules say of one candidate of a request, the one at `place`."""

    all: Plausibilities
    place: int

    def backers(self, index: int) -> tuple[int, ...]:
        """The soft rules that speak for the atom of a constraint."""
        return self.all.backers(self.place, index)

    def sides(self, index: int) -> tuple[Fraction, Fraction]:
        """How plausible it is that a constraint holds, and that it does not."""
        return self.all.sides(self.place, index)

    def open_sides(self, index: int) -> tuple[Fraction, Fraction] | None:
        """The same, where evidence leaves it open and soft rules speak about it."""
        return self.all.open_sides(self.place, index)

    def found(self, index: int) -> str:
        """What evidence says of a constraint."""
        return STATUSES[self.all.decisions.statuses[self.place, index]]


def weigh(
    engine: SliceEngine,
    backers: Backers,
    requests: Sequence[Request],
    decided: Sequence[Decisions],
    how: Combination,
    infer_from: Fraction | None = None,
) -> list[Plausibilities]:
    """How plausible the soft rules make what is left open, for each request.

    `engine` knows the columns of the requests; `decided` are the decisions on each."""
    book = engine.knowledge.book
    statuses = {id(r): d.statuses for r, d in zip(requests, decided, strict=True)}
    sets: list[NDArray[np.int64]] = []
    places: list[tuple[int, int, NDArray[np.int64]]] = []  # group, constraint, open candidates
    asked: list[Asked] = []
    groups = by_template(requests)
    for number, group in enumerate(groups):
        found_statuses = np.concatenate([statuses[id(request)] for request in group])
        sets.append(np.zeros(found_statuses.shape, np.int64))
        for constraint, columns, known in engine.columns(group):
            name = plain(constraint, group[0].template)
            rows = np.flatnonzero(known & (found_statuses[:, constraint.index] == 0))
            if name is not None and len(rows):
                places.append((number, constraint.index, rows))
                asked.append((name, [column[rows] for column in columns]))
    weights = [Fraction(soft.weight) for soft in book.soft]
    reasons = Reasons(Ways(book, engine.knowledge))
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {((), ()): 0}
    for (number, index, rows), (name, _), backing in zip(
        places, asked, backers.backing(asked) if asked else (), strict=True
    ):
        distinct_sets, of = backing.sets()
        numbers = []
        for one in distinct_sets:
            # The strongest is the same whether a reason counts once or twice.
            apart = tuple(reasons.apart(name, one, weights)) if how != "max" else one
            numbers.append(found.setdefault((one, apart), len(found)))
        sets[number][rows, index] = np.array(numbers, np.int64)[of]
    combined = dict.fromkeys(apart for _, apart in found if apart)
    value = dict(zip(combined, combine(list(combined), weights, how), strict=True))
    rules = tuple(one for one, _ in found)
    values = tuple(value.get(apart, Fraction(0)) for _, apart in found)
    own: dict[int, NDArray[np.int64]] = {}
    for group, together in zip(groups, sets, strict=True):
        bounds = np.cumsum([len(request.candidates) for request in group])[:-1]
        for request, part in zip(group, np.split(together, bounds), strict=True):
            own[id(request)] = part
    return [
        Plausibilities(
            request.template, decisions, own[id(request)], rules, values, how, infer_from
        )
        for request, decisions in zip(requests, decided, strict=True)
    ]


def infer(
    requests: Sequence[Request],
    decided: Sequence[Decisions],
    plausible: Sequence[Plausibilities],
) -> list[Decisions]:
    """The decisions, where atoms that are so plausible count as true: what evidence decides, or has
    on both sides, stays as it is."""
    own = {id(r): (d, p.enough) for r, d, p in zip(requests, decided, plausible, strict=True)}
    groups = by_template(requests)
    patterns = []
    for group in groups:
        columns = [_codes(request.template, *own[id(request)]) for request in group]
        patterns.append(distinct(np.concatenate(columns)))
    found = decide_patterns(groups, patterns, (*DECISION, *INFERRED))
    return handed_out(requests, groups, patterns, found)


def _codes(
    template: Template, decisions: Decisions, enough: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """What the evidence said of each constraint that is no group, and what counts as true."""
    sat, viol, conflict = (
        decisions.statuses == STATUSES.index(word) for word in ("sat", "viol", "conflict")
    )
    denies = np.array([constraint.denies for constraint in template.constraints], np.bool_)
    codes: NDArray[np.int64] = (
        (sat | conflict) * PRO
        + (viol | conflict) * CON
        + ((sat | viol) & ~decisions.derived) * ASSERTED
        + decisions.assumed * ASSUMED
        + (enough & ~denies) * LIKELY
        + (enough & denies) * UNLIKELY
    )
    codes[:, [c.kind == "group" for c in template.constraints]] = 0  # their members decide
    return codes


def plain(constraint: CompiledConstraint, template: Template) -> Name | None:
    """The relation or class whose atom a constraint is about; None for paths, values, counts and
    times, of which soft rules say nothing."""
    if constraint.kind == "class":
        return "class", constraint.name
    if constraint.kind != "relation":
        return None
    view = template.views.get(constraint.name)
    if view is None:
        return "relation", constraint.name
    return ("relation", view.ever) if view.ever else None
