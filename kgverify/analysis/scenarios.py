"""Small graphs that reach all that a question can come to, to review as `test` blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgverify.analysis.analyzing import ALIKE, LATE
from kgverify.analysis.blocks import Confirmed, block_text, confirm
from kgverify.analysis.domains import Bound, not_analysed, question_domain, reach
from kgverify.analysis.guessing import CLASH, Deadline, Guesses, Look
from kgverify.analysis.questions import SHOW_OUTCOME, constraint_text
from kgverify.analysis.results import Omission, Scenario, Scenarios
from kgverify.errors import LimitReached
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.program import CompiledConstraint, compile_question

_SHOW = SHOW_OUTCOME + " #show because/2."
_REASONS = ("missing", "imprecise", "unresolved")


@dataclass(frozen=True, slots=True)
class _Goal:
    """Something that a scenario may reach: the atom of the search, and what it is in words.

    `reason` is that of constraint `id`, "" for other goals; a `conflict` needs a graph that
    disagrees with itself."""

    atom: str
    words: str
    id: str = ""
    reason: str = ""
    conflict: bool = False


def find_scenarios(
    book: RuleBook, questions: Sequence[str], bound: int = 4, seconds: float = 60
) -> list[Scenarios]:
    """For each of these questions a few small graphs that reach each of its verdicts, each status
    of its constraints and each reason why these may be open, as far as graphs of up to `bound`
    facts do.  `seconds` are for all together.

    Each is the smallest that reaches what those before it don't, and was confirmed by a `Verifier`;
    raises EngineError when one is not, which is a fault of kgverify."""
    deadline = Deadline(seconds)
    return [_scenarios(book, question, Bound(bound), deadline) for question in questions]


def _scenarios(book: RuleBook, question: str, bound: Bound, deadline: Deadline) -> Scenarios:
    why = not_analysed(book, question)
    if why:
        return Scenarios(question, (), left=(Omission(f"question `{question}`", why),))
    domain, (names,), full = question_domain([(book, question)], bound)
    left = [] if full else [Omission(f"question `{question}`", ALIKE)]
    goals = list(_goals(book, question))
    found: list[tuple[list[_Goal], Confirmed]] = []
    tried: list[_Goal] = []
    try:
        guesses = Guesses(domain, [Look(book, names, question)], _SHOW, deadline)
        for goal in goals:
            tried.append(goal)
            if any(_reaches(goal, confirmed) for _, confirmed in found):
                continue
            example = guesses.smallest(goal.atom, consistent=() if goal.conflict else (CLASH,))
            confirmed = None if example is None else confirm(book, question, example)
            if confirmed is not None and _reaches(goal, confirmed):
                found.append(([goal], confirmed))
    except LimitReached:
        left.append(Omission(f"question `{question}`", LATE, late=True))
    for goal in goals:
        for reached, confirmed in found:
            if _reaches(goal, confirmed):
                if goal not in reached:
                    reached.append(goal)
                break
    return Scenarios(
        question,
        tuple(_scenario(book, question, reached, confirmed) for reached, confirmed in found),
        tuple(g.words for g in tried if not any(_reaches(g, one) for _, one in found)),
        reach(bound, domain),
        tuple(left),
    )


def _scenario(book: RuleBook, question: str, reached: list[_Goal], found: Confirmed) -> Scenario:
    words = tuple(goal.words for goal in reached)
    block = block_text(book, f"{question}: {words[0]}", question, found)
    return Scenario(question, words, block, found)


def _goals(book: RuleBook, question: str) -> Iterator[_Goal]:
    template = compile_question(book, book.questions[question])
    for verdict in ("sat", "viol", "unk"):
        yield _Goal(f"verdict({verdict})", f"the verdict is {verdict}")
    for constraint in template.items:
        yield from _of_constraint(constraint)


def _of_constraint(constraint: CompiledConstraint) -> Iterator[_Goal]:
    text, id = constraint_text(constraint), constraint.id
    for status in ("sat", "viol"):
        yield _Goal(f"status({constraint.index},{status})", f"`{text}` is {status}", id)
    if constraint.kind == "group":
        yield _Goal(f"status({constraint.index},unk)", f"`{text}` is unk", id)
        return
    for reason in _REASONS:
        if reason != "imprecise" or "date" in constraint.datatypes:
            atom = f"because({constraint.index},{reason})"
            yield _Goal(atom, f"`{text}` is unk: {reason}", id, reason)
    atom = f"status({constraint.index},conflict)"
    yield _Goal(atom, f"`{text}` is unk: conflict", id, "conflict", conflict=True)


def _reaches(goal: _Goal, found: Confirmed) -> bool:
    """Does the graph show it, by its verdict?"""
    if goal.reason:
        return any(c.id == goal.id and c.reason == goal.reason for c in found.verdict.constraints)
    return goal.atom in found.example.shown
