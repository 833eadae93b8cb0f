"""How plausible soft rules make the constraints that evidence leaves open, and what follows where
plausible atoms count as true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kgverify.reasoning.backing import Asked, Backers, Name, SoftRules
from kgverify.reasoning.combining import Combination, combine
from kgverify.reasoning.deciding import (
    STATUSES,
    Decisions,
    Request,
    SliceEngine,
    by_template,
    decide_patterns,
    handed_out,
)
from kgverify.reasoning.patterns import (
    ASSERTED,
    ASSUMED,
    CON,
    LIKELY,
    PRO,
    UNLIKELY,
    distinct,
)
from kgverify.reasoning.program import DECISION, INFERRED, CompiledConstraint, Template


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
    soft: SoftRules,
    requests: Sequence[Request],
    decided: Sequence[Decisions],
    how: Combination,
    infer_from: Fraction | None = None,
) -> list[Plausibilities]:
    """How plausible the soft rules make what is left open, for each request.

    `engine` knows the columns of the requests; `decided` are the decisions on each."""
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
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {((), ()): 0}
    for (number, index, rows), (name, _), backing in zip(
        places, asked, backers.backing(asked) if asked else (), strict=True
    ):
        distinct_sets, of = backing.sets()
        numbers = []
        for one in distinct_sets:
            # The strongest is the same whether a reason counts once or twice.
            apart = soft.reasons(name, one) if how != "max" else one
            numbers.append(found.setdefault((one, apart), len(found)))
        sets[number][rows, index] = np.array(numbers, np.int64)[of]
    combined = dict.fromkeys(apart for _, apart in found)
    value = dict(zip(combined, combine(list(combined), soft.weights, how), strict=True))
    rules = tuple(one for one, _ in found)
    values = tuple(value[apart] for _, apart in found)
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
    after = handed_out(requests, groups, patterns, found)
    return [one.marked_as(before) for one, before in zip(after, decided, strict=True)]


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
        | (viol | conflict) * CON
        | ((sat | viol) & ~decisions.derived) * ASSERTED
        | decisions.assumed * ASSUMED
        | (enough & ~denies) * LIKELY
        | (enough & denies) * UNLIKELY
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
