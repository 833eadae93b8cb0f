"""Which facts can't be added to a graph: those that its evidence excludes, and sets of them that
exclude each other.

A fact is excluded when there is evidence against it, as it is or once the fact is stated.  So what
counts is what counts for verdicts: functional and other declarations, classes, completeness, hard
rules.  (What a complete relation doesn't list is excluded as it is; stated, it would be listed.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from kgverify.reasoning.datalog import symbol
from kgverify.reasoning.deciding import SliceEngine
from kgverify.reasoning.evidence import SHOW, Evidence, Ground, read
from kgverify.reasoning.explanation import Narrator, cited
from kgverify.reasoning.proofs import Prover
from kgverify.reasoning.solver import Retractable, answer_sets, solve

# A chosen fact is stated; it is hit where there is evidence against it.
_STATED = """
triple(R,S,O) :- on(N), new(N,R,S,O).
hit(N) :- on(N), new(N,R,S,O), against(R,S,O).
"""
_AS_IT_IS = "#show. #show on(N) : new(N,R,S,O), against(R,S,O)."
_ALONE = "1 { on(N) : new(N,_,_,_) } 1. :- not hit(_). #show on/1."
_PAIRS = "2 { on(N) : new(N,_,_,_), not out(N) } 2. lost :- hit(_). :- not lost. #show on/1."
_ALL = "{ on(N) : new(N,_,_,_), not out(N) }. :- hit(_). #show on/1."


class Clashes:
    """What excludes some facts that may be added: `facts` are atoms `for`, relation, subject,
    object, each once, by their place from 0.

    The engine's knowledge must know all of their terms: nothing differs from a stranger."""

    def __init__(self, engine: SliceEngine, facts: Sequence[Ground]) -> None:
        self._engine, self._facts = engine, facts

    @cached_property
    def _program(self) -> list[str]:
        """The evidence about the facts, with all that could follow from stating some of them."""
        new = [
            f"new({number},{symbol(str(relation))},{subject},{object_})."
            for number, (_, relation, subject, object_) in enumerate(self._facts)
        ]
        return [*self._engine.about(self._facts, supposed=self._facts), *new]

    @cached_property
    def refuted(self) -> frozenset[int]:
        """The facts that the evidence excludes, or that exclude themselves."""
        if not self._facts:
            return frozenset()
        found = answer_sets([*self._program, _STATED, _ALONE], seconds=60)
        stated = {number for shown in found for number in _numbers(shown)}
        return frozenset(stated.union(_numbers(solve(*self._program, _AS_IT_IS))))

    def pairs(self, seconds: float) -> list[frozenset[int]]:
        """The pairs of other facts of which each can be added, and not both.

        Raises LimitReached when the time is over."""
        if len(self._facts) - len(self.refuted) < 2:
            return []
        parts = [*self._program, _STATED, self._out, _PAIRS]
        found = (frozenset(_numbers(shown)) for shown in answer_sets(parts, seconds))
        return sorted(found, key=sorted)

    def core(self, places: Collection[int], seconds: float) -> frozenset[int] | None:
        """As few as it takes of these facts that can't be added together; None if all can.

        Raises LimitReached when the time is over."""
        if not places:
            return None
        for place in sorted(self.refuted.intersection(places)):
            return frozenset({place})
        solver = Retractable([*self._program, _STATED, self._out, _ALL], seconds)
        core = solver.minimal_core(places)
        return None if core is None else frozenset(core)

    @property
    def _out(self) -> str:
        return "".join(f"out({number})." for number in sorted(self.refuted))

    def why(self, place: int) -> tuple[str, ...]:
        """The facts and statements that exclude a refuted fact, each with its source; empty where
        it excludes itself."""
        _, *terms = self._facts[place]
        goal: Ground = ("against", *terms)
        evidence = Evidence(read(solve(*self._engine.about([self._facts[place]]), SHOW)))
        proof = Prover(self._engine.rules, evidence).prove(goal)
        if proof is None:
            return ()
        node = Narrator(self._engine.knowledge).tell(proof)
        return tuple(dict.fromkeys(cited(leaf) for leaf in node.leaves()))


def _numbers(shown: Collection[str]) -> Iterator[int]:
    """The places in `on(N)`."""
    return (int(atom[len("on(") : -1]) for atom in shown)
