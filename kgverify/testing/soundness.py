"""What the completions say without a look at the evidence: the other side of law 1.

Exact mode asks the completions only about what evidence leaves open.  Here it is made to forget
what evidence decided, so that it decides everything anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kgverify.errors import Span
from kgverify.questions import resolve
from kgverify.reasoning.completions import is_plain, reaching
from kgverify.reasoning.deciding import (
    STATUSES,
    VERDICTS,
    Decisions,
    Request,
    SliceEngine,
    bound_rules,
    evidence_rules,
)
from kgverify.reasoning.exact import Budget, ExactMode, Refined
from kgverify.reasoning.knowledge import Knowledge
from kgverify.reasoning.program import compile_question
from kgverify.testing.world import World

BUDGET = Budget(atoms=2_000, seconds=5)
DECIDED = ("sat", "viol")


@dataclass(frozen=True, slots=True)
class Unsound:
    """A constraint (by its id), or the verdict, that evidence decided one way and the completions
    don't."""

    question: str
    candidate: str
    what: str
    by_evidence: str
    by_completions: str


def unsound_decisions(world: World) -> Iterator[Unsound]:
    """What the evidence of a world decides otherwise than its completions do.  Questions that go
    beyond the budget, or whose knowledge has no completion, are left out."""
    knowledge = Knowledge(world.graph, world.book)
    templates = {n: compile_question(world.book, q) for n, q in world.book.questions.items()}
    rules = evidence_rules(knowledge)
    for question in world.asked:
        request, _, _ = resolve(question, Span(question.id), knowledge, templates)
        if request is None:
            continue
        engine = SliceEngine(knowledge, bound_rules(rules, [request]))
        (decisions,) = engine.decide([request])
        mode = ExactMode(engine, reaching(rules, world.book), BUDGET)
        refined = mode.refine(request, _forgotten(decisions))
        if not refined.conflicts and not refined.limited.any():
            yield from _differences(question.id, request, decisions, refined, knowledge)


def _forgotten(decisions: Decisions) -> Decisions:
    """The decisions with all that was decided open again."""
    statuses = decisions.statuses.copy()
    statuses[statuses != STATUSES.index("conflict")] = STATUSES.index("unk")
    verdicts = np.full_like(decisions.verdicts, VERDICTS.index("unk"))
    return replace(decisions, statuses=statuses, verdicts=verdicts)


def _differences(
    question: str, request: Request, decisions: Decisions, refined: Refined, knowledge: Knowledge
) -> Iterator[Unsound]:
    template = request.template
    # Where some constraint is beyond the completions, what is undecided there says nothing.
    sharp = all(is_plain(c, template) for c in template.constraints)
    for row, candidate in enumerate(request.candidates):
        if knowledge.is_stranger(candidate):
            continue
        one, other = decisions[row], refined.decisions[row]
        pairs = [(c.id, one.statuses[c.index], other.statuses[c.index]) for c in template.items]
        for what, evident, exact in (*pairs, ("the verdict", one.verdict, other.verdict)):
            if evident in DECIDED and evident != exact and (sharp or exact in DECIDED):
                name = knowledge.name(candidate)
                yield Unsound(question, name, what, evident, exact)
