"""Exact mode: what holds in every completion, and what in none.

Kleene's statuses come first: on consistent knowledge a sat or viol among them is exact.  What they
leave open is asked of the completions, as brave and cautious consequences of one program.  Where
nothing has a completion, minimal sets of facts that contradict each other are found and set aside,
so that what they have no part in is still decided.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from kgverify.errors import EngineError, LimitReached, Problem
from kgverify.reasoning.completions import Completions, Statement, is_plain
from kgverify.reasoning.datalog import Origin, Rule
from kgverify.reasoning.deciding import (
    STATUSES,
    VERDICTS,
    Decisions,
    Request,
    SliceEngine,
    bound_rules,
)
from kgverify.reasoning.solver import Consequences, Retractable, consequences
from kgverify.reasoning.ways import FEW, IMAGINED, Shapes, Sighting

_TOGETHER = 2_000  # open atoms of candidates that are decided in one program
_SEEN_TOGETHER = 8  # candidates that views are asked about, likewise
_PROOF_SECONDS = 60.0  # for the proof of one decision, though less was enough to decide
_INSTANCES = 200  # instances of rules that are allowed for each open atom allowed
UNK, SAT, VIOL, CONFLICT = map(STATUSES.index, ("unk", "sat", "viol", "conflict"))

Cited = tuple[Statement, Origin | None]  # with the line of completeness that lists a subject
Conflict = tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much exact mode may spend on one question: `atoms` that may be true or false in one
    program, and `seconds` of time.  What is beyond it keeps the Kleene answer.

    Raises EngineError when a limit is not positive."""

    atoms: int = 5_000
    seconds: float = 10.0

    def __post_init__(self) -> None:
        if self.atoms <= 0 or not self.seconds > 0:
            message = f"a budget of {self.atoms} atoms and {self.seconds} seconds allows nothing"
            raise EngineError(Problem("option", message, hint="give numbers above zero"))


@dataclass(frozen=True, slots=True)
class Refined:
    """The decisions on a request after exact mode, and `before` it.

    `exact` bool[n, c]: the constraint was decided by the completions, and left open by Kleene;
    `joint` bool[n]: the verdict is viol since no completion meets all required constraints,
    though each may be met alone, and `assumed` bool[n]: only since absence counts as falsehood
    for some of them; `limited` bool[n]: the budget was reached before the candidate
    was decided.  `conflicts` are minimal sets of statements that have no completion;
    `beyond` says, by constraint, why some keep the status that evidence gives them."""

    before: Decisions
    decisions: Decisions
    exact: NDArray[np.bool_]
    joint: NDArray[np.bool_]
    assumed: NDArray[np.bool_]
    limited: NDArray[np.bool_]
    conflicts: tuple[Conflict, ...]
    beyond: Mapping[int, str]
    mode: ExactMode


@dataclass(frozen=True, slots=True)
class Ruling:
    """What exact mode said of one candidate of a request, the one at `place`."""

    refined: Refined
    request: Request
    place: int

    def decided(self, constraint: int) -> bool:
        """Did exact mode decide the constraint?"""
        return bool(self.refined.exact[self.place, constraint])

    @property
    def joint(self) -> bool:
        """Can the required constraints not be met together, though none alone shows it?"""
        return bool(self.refined.joint[self.place])

    @property
    def limited(self) -> bool:
        """Was the budget reached before the candidate was decided?"""
        return bool(self.refined.limited[self.place])

    def core(self, constraint: int | None) -> tuple[Cited, ...]:
        """What the decision on a constraint, or on the verdict, follows from (`ExactMode.core`)."""
        return self.refined.mode.core(self.request, self.refined, self.place, constraint)


class ExactMode:
    """Decides by completions what Kleene's tables leave open, over one batch's knowledge.

    `reach` are the rules of `reaching`; with `whole` the whole graph is grounded."""

    def __init__(
        self, engine: SliceEngine, reach: Sequence[Rule], budget: Budget, whole: bool = False
    ) -> None:
        self._engine, self._unbound, self._budget, self._whole = engine, reach, budget, whole

    def _reach(self, asked: _Asked, lean: bool = False) -> Sequence[Rule]:
        """The rules of `reaching`, for the times of a request; or without those about views."""
        rules = self._unbound
        if asked.request.template.names:
            rules = bound_rules(rules, [asked.request])
        return asked.lean(rules) if lean else rules

    def refine(self, request: Request, decisions: Decisions) -> Refined:
        """The decisions, with what is open in them decided by the completions.

        Candidates that nobody knows stay as they are."""
        end = time.monotonic() + self._budget.seconds
        asked = _Asked(request, decisions, self._engine)
        found = _Found.of(decisions)
        leaves = sum(c.kind != "group" for c in request.template.constraints)
        size = max(1, _TOGETHER // leaves)
        if asked.sees:  # the things that one view goes by are open for all
            size = min(size, _SEEN_TOGETHER)
        rows = asked.open_rows()
        for start in range(0, len(rows), size):
            self._decide(asked, rows[start : start + size], found, end)
        return found.refined(asked, self)

    def _decide(self, asked: _Asked, rows: Sequence[int], found: _Found, end: float) -> None:
        """Decide some candidates together, or, where that can't be, in two halves."""
        left = end - time.monotonic()
        if left <= 0:
            found.limited[list(rows)] = True
            return
        completions, found.lean = self._fitting(asked, rows, found.lean)
        small = self._is_small(completions)
        if not small and completions.sees and len(rows) == 1:
            completions = self._reduced(asked, rows)
            small = self._is_small(completions)
        try:
            known = consequences(completions.program(), left) if small else None
            if known is None and len(rows) > 1:
                half = len(rows) // 2
                self._decide(asked, rows[:half], found, end)
                self._decide(asked, rows[half:], found, end)
                return
            dropped: frozenset[Statement] = frozenset()
            if known is None and small:
                dropped, conflicts = _fence(completions, end)
                found.conflicts += conflicts
                known = consequences(completions.program(dropped), end - time.monotonic())
            firm = known
            if known is not None and asked.supposes(rows):
                firm = consequences(completions.program(dropped, firm=True), end - time.monotonic())
        except LimitReached:
            known = None
        if known is None:
            found.limited[list(rows)] = True
        else:
            found.read(asked, rows, known, firm)
            if found.lean:
                open_ = (found.statuses[list(rows)] == UNK).any(axis=1)
                found.limited[list(rows)] |= open_

    def _fitting(
        self, asked: _Asked, rows: Sequence[int], lean: bool = False
    ) -> tuple[Completions, bool]:
        """The completions around some candidates, and whether they are lean: what the steps of a
        view lead to may be half the graph, and is then left out."""
        if not lean:
            completions = asked.completions(self._reach(asked), rows, self._whole)
            if not completions.sees or self._is_small(completions):
                return completions, False
        return asked.completions(self._reach(asked, lean=True), rows, self._whole), True

    def _reduced(self, asked: _Asked, rows: Sequence[int]) -> Completions:
        """The completions with fewer imagined terms, or without any view, as the budget allows."""
        for most in (FEW, None):
            completions = asked.completions(self._reach(asked), rows, self._whole, most)
            if self._is_small(completions):
                break
        return completions

    def _is_small(self, completions: Completions) -> bool:
        return (
            completions.open_atoms <= self._budget.atoms
            and completions.instances <= self._budget.atoms * _INSTANCES
        )

    def core(
        self, request: Request, refined: Refined, place: int, constraint: int | None
    ) -> tuple[Cited, ...]:
        """A minimal set of statements from which the status of a constraint of the candidate at
        `place` follows, or with None the viol verdict, as exact mode decided it; a fact that
        completeness lists comes with the line that says so.  `("told", 0, constraint, candidate)`
        stands for the proof of another constraint.

        Raises LimitReached when that takes too long, and EngineError when nothing follows: then
        this disagrees with the decision."""
        end = time.monotonic() + max(self._budget.seconds, _PROOF_SECONDS)
        asked = _Asked(request, refined.before, self._engine)
        completions, _ = self._fitting(asked, [place])
        if completions.sees and not self._is_small(completions):
            completions = self._reduced(asked, [place])
        dropped, _ = _fence(completions, end)
        parts, statements = completions.retractable(dropped)
        candidate = request.candidates[place]
        if constraint is None:
            claim = f":- not accepted(0,{candidate})."
        elif refined.decisions.statuses[place, constraint] == SAT:
            claim = f":- holds(0,{constraint},{candidate})."
        else:
            claim = f":- not holds(0,{constraint},{candidate})."
        solver = Retractable([*parts, claim], end - time.monotonic())
        core = solver.minimal_core(range(len(statements)))
        if core is None:
            message = "the statements of the slice don't show what exact mode decided"
            raise EngineError(Problem("no-proof", message, hint="this is a fault of kgverify"))
        return tuple(completions.with_origin(statements[number]) for number in core)


def _fence(completions: Completions, end: float) -> tuple[frozenset[Statement], list[Conflict]]:
    """The facts that take part in contradictions, and minimal sets of statements that have no
    completion; without those facts there is one."""
    parts, statements = completions.retractable()
    solver = Retractable(parts, end - time.monotonic())
    active = set(range(len(statements)))
    conflicts: list[Conflict] = []
    dropped: set[Statement] = set()
    while (core := solver.minimal_core(active)) is not None:
        facts = [n for n in core if isinstance(statements[n], tuple)]
        # The class hierarchy stays, as the schema does.
        stated = [n for n in facts if completions.is_fact(statements[n])]
        if not stated:
            raise EngineError(Problem("no-completion", "the rules alone have no completion"))
        conflicts.append(tuple(completions.with_origin(statements[n]) for n in core))
        dropped |= {statements[n] for n in stated}
        active -= set(stated)
    return frozenset(dropped), conflicts


class _Asked:
    """A request with its Kleene decisions, and what of it is open."""

    def __init__(self, request: Request, decisions: Decisions, engine: SliceEngine) -> None:
        self.request, self.decisions, self._engine = request, decisions, engine
        self._shapes = Shapes(request.template, engine.knowledge.book)
        # The terms of a constraint's atoms, and which candidates it is about without naming
        # anything unknown.
        columns = list(engine.columns([request]))
        self._columns = {c.index: terms for c, terms, _ in columns}
        self._known = {c.index: known for c, _, known in columns}
        # Why some constraints keep the status that evidence gives them.
        self.beyond: dict[int, str] = {}

    def open_rows(self) -> list[int]:
        """The candidates of which something is open, strangers left out."""
        open_ = (self.decisions.statuses == UNK).any(axis=1)
        open_ |= self.decisions.verdicts == VERDICTS.index("unk")
        candidates = self.request.candidates
        is_stranger = self._engine.knowledge.is_stranger
        return [row for row in np.flatnonzero(open_).tolist() if not is_stranger(candidates[row])]

    @property
    def sees(self) -> bool:
        """Is anything asked of a view that some entity may be on the way of?"""
        return any(not view.relation for view in self.request.template.views.values())

    def supposes(self, rows: Sequence[int]) -> bool:
        """Does what the completions say of these candidates rest on absence?"""
        closed = [c.index for c in self.request.template.constraints if c.closed]
        return bool(self.decisions.assumed[list(rows)].any()) or any(
            self.decisions.statuses[row, index] == UNK and self._known[index][row]
            for index in closed
            for row in rows
        )

    def lean(self, reach: Sequence[Rule]) -> list[Rule]:
        """The rules of `reaching` without those about the steps of views."""
        views = self.request.template.views
        return [rule for rule in reach if rule.head.arguments[0] not in views]

    def completions(
        self,
        reach: Sequence[Rule],
        rows: Sequence[int],
        whole: bool,
        imagined: int | None = IMAGINED,
    ) -> Completions:
        """The completions around some of the candidates, with so many `imagined` terms at most;
        with None, views keep the status that evidence gives them."""
        candidates, template = self.request.candidates, self.request.template
        place = {candidates[row]: row for row in rows}
        part = replace(self.request, candidates=tuple(candidates[row] for row in rows))
        unknown: list[tuple[int, int]] = []
        seen: list[Sighting] = []
        never: list[Sighting] = []
        known: dict[tuple[int, int], bool] = {}
        for index, row in ((index, row) for index in self._known for row in rows):
            status = self.decisions.statuses[row, index]
            if is_plain(template.constraints[index], template):
                if not self._known[index][row]:
                    unknown.append((index, candidates[row]))
            elif status in (SAT, VIOL):
                known[index, candidates[row]] = bool(status == SAT)
                never += self._never(index, row)
            else:
                found = self._sighting(index, row) if status == UNK else ""
                if isinstance(found, Sighting) and imagined is not None:
                    seen.append(found)
                else:
                    unknown.append((index, candidates[row]))
                    if found and isinstance(found, str):
                        self.beyond.setdefault(index, found)
        seen, left = self._shapes.affordable(seen, imagined or 0)
        unknown += [(one.constraint, one.candidate) for one in left]
        for one in left:
            self.beyond.setdefault(
                one.constraint,
                f"the constraints on one candidate need more than {imagined} unknown things",
            )
        assumed = {
            (index, candidate)
            for (index, candidate), row in ((key, place[key[1]]) for key in known)
            if self.decisions.assumed[row, index]
        }
        return Completions(self._engine, part, reach, unknown, known, seen, never, assumed, whole)

    def _never(self, index: int, row: int) -> Iterator[Sighting]:
        """The atom at a time that evidence says is false, where the constraint is about one."""
        constraint = self.request.template.constraints[index]
        view = self.request.template.views.get(constraint.name)
        if view is not None and view.time and not constraint.closed:
            one = self._sighting(index, row)
            if (
                isinstance(one, Sighting)
                and (self.decisions.statuses[row, index] == SAT) == one.denies
            ):
                yield one

    def _sighting(self, index: int, row: int) -> Sighting | str:
        """What a constraint about a view asks of a candidate, where completions can tell; else why
        they can't, "" where the candidate is no matter for them."""
        constraint = self.request.template.constraints[index]
        if not self._known[index][row]:
            return ""
        if constraint.kind == "class":
            return f"a blank node is in `{constraint.name}`, which is assumed closed"
        terms = [int(ids[row]) for ids in self._columns[index]]
        return self._shapes.sighting(
            constraint,
            self.request.candidates[row],
            terms,
            self._engine.knowledge.key(terms[-1]),
        )


@dataclass
class _Found:
    """What was found out about the candidates of a request so far."""

    statuses: NDArray[np.int8]
    assumed: NDArray[np.bool_]
    rejected: NDArray[np.bool_]
    rejected_firmly: NDArray[np.bool_]  # without an assumption
    limited: NDArray[np.bool_]
    conflicts: list[Conflict] = field(default_factory=list)
    lean: bool = False  # what the steps of views lead to is left out from now on

    @staticmethod
    def of(decisions: Decisions) -> _Found:
        rejected, firmly, limited = np.zeros((3, len(decisions)), bool)
        return _Found(
            decisions.statuses.copy(), decisions.assumed.copy(), rejected, firmly, limited
        )

    def read(
        self, asked: _Asked, rows: Sequence[int], known: Consequences, firm: Consequences | None
    ) -> None:
        """Read off what the completions say of some candidates, and what of it holds without an
        assumption; what is known stays."""
        for row in rows:
            candidate = asked.request.candidates[row]
            for constraint in asked.request.template.constraints:
                index = constraint.index
                if self.statuses[row, index] == UNK:
                    atom = f"holds(0,{index},{candidate})"
                    if atom in known.cautious:
                        self.statuses[row, index] = SAT
                        self.assumed[row, index] = firm is None or atom not in firm.cautious
                    elif atom not in known.brave:
                        self.statuses[row, index] = VIOL
                        self.assumed[row, index] = firm is None or atom in firm.brave
            accepted = f"accepted(0,{candidate})"
            self.rejected[row] = accepted not in known.brave
            self.rejected_firmly[row] = firm is not None and accepted not in firm.brave

    def refined(self, asked: _Asked, mode: ExactMode) -> Refined:
        """All of it together: verdicts and support from the statuses."""
        request, decisions = asked.request, asked.decisions
        exact = self.statuses != decisions.statuses
        required = self.statuses[:, [c.index for c in request.template.items if c.required]]
        verdicts = decisions.verdicts.copy()
        open_ = verdicts == VERDICTS.index("unk")
        fails = (required == VIOL).any(axis=1)
        verdicts[open_ & (required == SAT).all(axis=1)] = VERDICTS.index("sat")
        joint = open_ & self.rejected & ~fails & ~(required == CONFLICT).any(axis=1)
        verdicts[open_ & (fails | joint)] = VERDICTS.index("viol")
        supports = list(decisions.supports)
        weights = {c.index: int(c.weight * request.template.scale) for c in request.template.items}
        for row in np.flatnonzero(exact.any(axis=1)).tolist():
            supports[row] = sum(w for i, w in weights.items() if self.statuses[row, i] == SAT)
        return Refined(
            decisions,
            replace(
                decisions,
                verdicts=verdicts,
                supports=supports,
                statuses=self.statuses,
                derived=decisions.derived | exact,
                assumed=self.assumed,
            ),
            exact,
            joint,
            joint & ~self.rejected_firmly,
            self.limited,
            tuple(dict.fromkeys(self.conflicts)),
            {i: why for i, why in asked.beyond.items() if (self.statuses[:, i] == UNK).any()},
            mode,
        )
