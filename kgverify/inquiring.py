"""The evidence about some requests, worked out when something is to be said about them: what is
known of a term, proofs, and the missing facts that would give more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from kgverify.reasoning.deciding import Request, SliceEngine
from kgverify.reasoning.evidence import SHOW, Evidence, Ground, opposite, read
from kgverify.reasoning.proofs import Prover
from kgverify.reasoning.settling import FactSet, Proposer, Settler, followers
from kgverify.reasoning.solver import solve
from kgverify.reasoning.times import perhaps
from kgverify.reasoning.views import COMPARISONS, View

_LISTED = 5  # sets of facts that are named for each side of a constraint


class Inquiry:
    """The evidence about some requests, shown, and what is worked out from it.

    `targets` are the atoms for and against the constraints of the requests, `paths` the names of
    the paths that they ask about."""

    def __init__(
        self,
        engine: SliceEngine,
        requests: Sequence[Request],
        targets: Iterable[Ground],
        paths: frozenset[str],
    ) -> None:
        self._engine, self._requests, self._targets = engine, requests, targets
        self._paths = paths

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
    def settling(self) -> dict[Ground, tuple[FactSet, ...]]:
        """For each atom that is open, the sets of missing facts that would give evidence for it,
        the smallest first."""
        proposer = Proposer(self._engine.rules, self._statable, self._paths)
        open_ = [
            atom
            for atom in dict.fromkeys(self._targets)
            if (self._statable(atom) or atom[1] in self._paths)
            and atom not in self.evidence
            and opposite(atom) not in self.evidence
        ]
        if not open_:
            return {}
        program = self._engine.about(open_, partial=proposer.partial)
        evidence = Evidence(read(solve(*program, SHOW)))
        proposed = {atom: proposer.proposals(atom, evidence) for atom in open_}
        settler = Settler(self._engine.rules, self._around(proposed))
        return {
            atom: tuple(islice(_least(settler, proposed[atom], atom), _LISTED)) for atom in open_
        }

    def _statable(self, atom: Ground) -> bool:
        """Can a graph state this atom, or deny it?"""
        if atom[0] in ("is_a", "isnt_a"):
            return True
        return atom[0] in ("for", "against") and self._engine.knowledge.facts.stores(str(atom[1]))

    def _around(self, proposed: Mapping[Ground, Sequence[FactSet]]) -> Evidence:
        """The evidence about everything that is proposed, and what follows from it."""
        forward = Settler(self._engine.rules, Evidence(()))
        sets = dict.fromkeys(facts for found in proposed.values() for facts in found)
        atoms = dict.fromkeys(atom for facts in sets for atom in forward.implied(facts))
        atoms |= dict.fromkeys(atom for atom, found in proposed.items() if found)
        supposed = dict.fromkeys(atom for facts in sets for atom in facts)
        after = followers(self._engine.rules)
        program = self._engine.about([*atoms], [*supposed], after.gather, after.want)
        return Evidence(read(solve(*program, SHOW)))


def _least(settler: Settler, proposed: Sequence[FactSet], target: Ground) -> Iterator[FactSet]:
    """The sets that settle the atom and hold no smaller one that does."""
    found: list[FactSet] = []
    for facts in proposed:
        smaller = [(fact,) for fact in facts] if len(facts) > 1 else []
        if any(set(other) <= set(facts) for other in found):
            continue
        if any(settler.settles(one, target) for one in smaller):
            continue
        if settler.settles(facts, target):
            found.append(facts)
            yield facts
        elif facts == (target,):
            return  # whatever leads to it would contradict the same
