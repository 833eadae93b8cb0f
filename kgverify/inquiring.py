"""The evidence about some requests, worked out when something is to be said about them: what is
known of a term, proofs, and the missing facts that would give more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from kgverify.reasoning.datalog import Atom, Rule
from kgverify.reasoning.deciding import Request, SliceEngine
from kgverify.reasoning.evidence import SHOW, Evidence, Ground, opposite, read
from kgverify.reasoning.program import CompiledConstraint
from kgverify.reasoning.proofs import Prover
from kgverify.reasoning.reasons import Reason, open_comparison, open_count, open_equality
from kgverify.reasoning.settling import FactSet, Proposer, Settler, followers
from kgverify.reasoning.solver import solve
from kgverify.reasoning.supposing import Choice, Proposal, Supposer
from kgverify.reasoning.times import Period, includes, perhaps
from kgverify.reasoning.views import COMPARISONS, View

_LISTED = 5  # sets of facts that are named for each side of a constraint


class Inquiry:
    """The evidence about some requests, shown, and what is worked out from it.

    `targets` are the atoms for and against the constraints of the requests, `views` the relations
    that their questions make."""

    def __init__(
        self,
        engine: SliceEngine,
        requests: Sequence[Request],
        targets: Iterable[Ground],
        views: Mapping[str, View],
    ) -> None:
        self._engine, self._requests, self._targets = engine, requests, targets
        self._views = views

    @cached_property
    def evidence(self) -> Evidence:
        return Evidence(read(solve(*self._engine.program(self._requests), SHOW)))

    def values(self, relation: str, subject: int) -> list[str]:
        """The keys of the objects that there is evidence for."""
        return [self._engine.knowledge.key(id_) for id_ in self._objects(relation, subject)]

    def uncompared(self, view: View, subject: int, bound: int) -> list[str]:
        """The keys of the values that neither meet nor fail a comparison."""
        short = COMPARISONS[view.operator]
        return [
            self._engine.knowledge.key(id_)
            for id_ in self._objects(view.base, subject)
            if ("meets", short, id_, bound) not in self.evidence
            and ("fails", short, id_, bound) not in self.evidence
        ]

    def perhaps(self, view: View, subject: int, object_: int) -> bool:
        """Is a relation at a time stated for a period that may meet the time?"""
        pattern = (view.relation, subject, object_)
        found = self.evidence.matching("during", (*pattern, None))
        periods = self._engine.knowledge.periods
        return any(perhaps(periods[int(a[4])], view.time) for a in found if a[1:4] == pattern)

    def open_reason(self, compiled: CompiledConstraint, ids: tuple[int, ...]) -> Reason:
        """Why a constraint with known entities has evidence on neither side."""
        view = self._views.get(compiled.name)
        if compiled.kind != "relation":
            return "missing"
        if view is not None and view.time and self.perhaps(view, *ids):
            return "imprecise"
        if not compiled.datatypes[1]:
            return "missing"
        asked = self._engine.knowledge.key(ids[1])
        if view is None or not view.base:
            return open_equality(self.values(compiled.name, ids[0]), asked)
        if view.kind == "count":
            return open_count(self.values(view.base, ids[0]))
        return open_comparison(self.uncompared(view, ids[0], ids[1]), asked)

    def _objects(self, relation: str, subject: int) -> list[int]:
        """What there is evidence for; stored facts that no constraint looks at are looked up."""
        facts = self._engine.knowledge.facts
        found = {
            int(atom[3])
            for atom in self.evidence.matching("for", (relation, subject, None))
            if atom[1:3] == (relation, subject)
        }
        if facts.stores(relation):
            _, objects = facts.from_subjects(relation, np.array([subject]))
            found.update(objects.tolist())
        return sorted(found)

    @cached_property
    def prover(self) -> Prover:
        return Prover(self._engine.rules, self.evidence)

    @cached_property
    def settling(self) -> dict[Ground, tuple[Proposal, ...]]:
        """For each atom that is open, the sets of missing facts that would give evidence for it,
        the smallest first."""
        paths = frozenset(name for name, view in self._views.items() if view.kind == "path")
        proposer = Proposer(self._engine.rules, self._statable, paths)
        open_ = [
            atom
            for atom in dict.fromkeys(self._targets)
            if (self._statable(atom) or atom[1] in self._views)
            and atom not in self.evidence
            and opposite(atom) not in self.evidence
        ]
        if not open_:
            return {}
        based = {atom: self._base(atom) for atom in open_}
        program = self._supposing.about(
            list(dict.fromkeys((*open_, *based.values()))),
            partial=proposer.partial,
            measured=self._measured,
        )
        evidence = Evidence(read(solve(*program, SHOW)))
        templates = {r.template.name: r.template for r in self._requests}.values()
        knowledge = self._supposing.knowledge
        supposer = Supposer(knowledge, templates, evidence, self._objects)
        proposed: dict[Ground, list[Choice]] = {}
        for atom, base in based.items():
            named = proposer.proposals(base, evidence)
            choices: list[Choice] = [[Proposal(facts)] for facts in named]
            choices += [choice for choice in supposer.choices(atom) if choice]
            proposed[atom] = [
                kept
                for choice in choices
                if (kept := [found for found in choice if not supposer.excludes(found.facts)])
            ]
        always = knowledge.periods.number(Period("", "", best=True))
        settler = Settler(self._engine.rules, self._around(proposed, always), always)
        return {
            atom: tuple(islice(_least(settler, proposed[atom], atom), _LISTED)) for atom in open_
        }

    @property
    def _measured(self) -> bool:
        return any(view.base for view in self._views.values())

    @cached_property
    def _supposing(self) -> SliceEngine:
        """The engine with knowledge of its own, to which terms may be added that nobody named."""
        return SliceEngine(self._engine.knowledge.copy(), self._engine.rules)

    def _base(self, atom: Ground) -> Ground:
        """The atom of the relation that a view is at some time; of anything else the atom."""
        view = self._views.get(str(atom[1])) if atom[0] in ("for", "against") else None
        return (atom[0], view.ever, *atom[2:]) if view and view.ever else atom

    def _statable(self, atom: Ground) -> bool:
        """Can a graph state this atom, or deny it?"""
        if atom[0] in ("is_a", "isnt_a"):
            return True
        return atom[0] in ("for", "against") and self._engine.knowledge.facts.stores(str(atom[1]))

    def _around(self, proposed: Mapping[Ground, Sequence[Choice]], always: int) -> Evidence:
        """The evidence about everything that is proposed, and what follows from it."""
        forward = Settler(self._engine.rules, Evidence(()), always)
        sets = dict.fromkeys(
            found.facts for choices in proposed.values() for choice in choices for found in choice
        )
        atoms = dict.fromkeys(atom for facts in sets for atom in forward.implied(facts))
        atoms |= dict.fromkeys(atom for atom, found in proposed.items() if found)
        supposed = dict.fromkeys(fact for facts in sets for fact in _plain(facts))
        after = followers(self._engine.rules)
        compared = [
            Rule(Atom("versus", (value, int(target[3]))))
            for target, choices in proposed.items()
            for choice in choices
            for found in choice
            for value in found.names
            if self._measured and len(target) > 3
        ]
        program = self._supposing.about(
            [*atoms], [*supposed], after.gather, [*after.want, *compared], self._measured
        )
        found = Evidence(read(solve(*program, SHOW)))
        self._add_periods(found, {int(f[4]) for facts in sets for f in facts if f[0] == "during"})
        return found

    def _add_periods(self, evidence: Evidence, numbers: set[int]) -> None:
        """Say which times the periods hold that are supposed, and which has no end."""
        periods = self._engine.knowledge.periods
        always = periods.number(Period("", "", best=True))
        atoms: list[Ground] = [("unlimited", always)]
        for time in {view.time for view in self._views.values() if view.time}:
            held = (n for n in {*numbers, always} if includes(periods[n], time))
            atoms += [("throughout", number, time) for number in held]
        for atom in atoms:
            if atom not in evidence:
                evidence.add(atom)


def _plain(facts: FactSet) -> Iterator[Ground]:
    """The facts without the periods that they are stated for, and without what is no fact."""
    for fact in facts:
        if fact[0] != "given":
            yield ("for", *fact[1:4]) if fact[0] == "during" else fact


def _least(settler: Settler, proposed: Sequence[Choice], target: Ground) -> Iterator[Proposal]:
    """The sets that settle the atom and hold no smaller one that does."""
    found: list[FactSet] = []
    for choice in proposed:
        for proposal in choice:
            facts = proposal.facts
            smaller = [(fact,) for fact in facts] if len(facts) > 1 else []
            if any(set(other) <= set(facts) for other in found):
                break
            if any(settler.settles(one, target) for one in smaller):
                break
            if settler.settles(facts, target):
                found.append(facts)
                yield proposal
                break
            if facts == (target,):
                return  # whatever leads to it would contradict the same
