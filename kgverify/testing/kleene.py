"""The equations of strong Kleene logic, as pairs of constraints that must have one status."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

import msgspec
from hypothesis import strategies as st

from kgverify.language import syntax as s
from kgverify.language.normal_forms import signed_form
from kgverify.language.printing import condition_text
from kgverify.language.question_checks import answer_item
from kgverify.testing.changes import NOWHERE
from kgverify.testing.world import World

LEFT, RIGHT = "left_side", "right_side"


def negation(a: s.Constraint) -> s.Constraint:
    if isinstance(a, s.Comparison):
        return replace(a, operator="=" if a.operator == "!=" else "!=")
    return replace(a, negated=not a.negated)


def every(*members: s.Constraint) -> s.Group:
    return s.Group("all", 0, members, False, NOWHERE)


def some(*members: s.Constraint) -> s.Group:
    return s.Group("any", 0, members, False, NOWHERE)


def least(number: int, *members: s.Constraint) -> s.Group:
    return s.Group("least", number, members, False, NOWHERE)


Sides = tuple[s.Constraint, s.Constraint]

# By name; each takes three different constraints and gives two that are equal.
EQUATIONS: dict[str, Callable[[s.Constraint, s.Constraint, s.Constraint], Sides]] = {
    "De Morgan, all": lambda a, b, c: (
        negation(every(a, b, c)),
        some(negation(a), negation(b), negation(c)),
    ),
    "De Morgan, any": lambda a, b, c: (
        negation(some(a, b, c)),
        every(negation(a), negation(b), negation(c)),
    ),
    "De Morgan, at least": lambda a, b, c: (
        negation(least(2, a, b, c)),
        least(2, negation(a), negation(b), negation(c)),
    ),
    "double negation": lambda a, b, c: (negation(every(negation(some(a, b)))), some(a, b)),
    "double negation of one": lambda a, b, c: (negation(some(negation(a))), a),
    "associativity, all": lambda a, b, c: (every(a, every(b, c)), every(every(a, b), c)),
    "associativity, any": lambda a, b, c: (some(a, some(b, c)), some(some(a, b), c)),
    "commutativity, all": lambda a, b, c: (every(a, b, c), every(c, b, a)),
    "commutativity, any": lambda a, b, c: (some(a, b, c), some(c, b, a)),
    "idempotence, all": lambda a, b, c: (every(a, a), a),
    "idempotence, any": lambda a, b, c: (some(a, a), a),
    "distributivity, all over any": lambda a, b, c: (
        every(a, some(b, c)),
        some(every(a, b), every(a, c)),
    ),
    "distributivity, any over all": lambda a, b, c: (
        some(a, every(b, c)),
        every(some(a, b), some(a, c)),
    ),
    "absorption, all": lambda a, b, c: (every(a, some(a, b)), a),
    "absorption, any": lambda a, b, c: (some(a, every(a, b)), a),
    "at least one": lambda a, b, c: (least(1, a, b, c), some(a, b, c)),
    "at least all": lambda a, b, c: (least(3, a, b, c), every(a, b, c)),
    "at least two": lambda a, b, c: (
        least(2, a, b, c),
        some(every(a, b), every(a, c), every(b, c)),
    ),
}


@dataclass(frozen=True)
class Equation:
    """A question asked twice, each time with one side of an equation as its constraint."""

    name: str
    question: str
    left: s.Constraint
    right: s.Constraint

    def apply(self, world: World) -> World:
        """The world that asks the questions `left_side` and `right_side` in place of its own.

        A side is preferred, not required: it may contradict the answer class."""
        kept = [x for x in world.statements if not isinstance(x, s.Question | s.Test)]
        template = world.book.questions[self.question]
        sides = [
            replace(
                template,
                name=s.Ident(name, NOWHERE),
                items=(s.Item(s.Demand.PREFER, side, Decimal(1), "", NOWHERE),),
            )
            for name, side in ((LEFT, self.left), (RIGHT, self.right))
        ]
        asked = tuple(
            msgspec.structs.replace(question, id=f"{name} of {question.id}", question=name)
            for question in world.asked
            if question.question == self.question
            for name in (LEFT, RIGHT)
        )
        return replace(world.with_statements([*kept, *sides]), asked=asked)

    def __str__(self) -> str:
        sides = f"`{condition_text(self.left)}` and `{condition_text(self.right)}`"
        return f"ask {sides} ({self.name}) in `{self.question}`"


@st.composite
def equations(draw: st.DrawFn, world: World) -> Equation:
    """An equation over constraints of one of the questions that are asked."""
    name = draw(st.sampled_from(sorted({q.question for q in world.asked})))
    template = world.book.questions[name]
    items = (answer_item(template), *template.items)
    pool = [item.condition for item in items]
    pool += [leaf for item in items for leaf in s.leaves(item.condition)]
    pool += [every(pool[-1], negation(pool[0])), some(pool[0], negation(pool[0]))]
    pool += [negation(part) for part in pool]
    different = {_form(part): part for part in reversed(pool)}
    parts = st.lists(
        st.sampled_from(list(different.values())[::-1]), min_size=3, max_size=3, unique_by=_form
    )
    equation = draw(st.sampled_from(sorted(EQUATIONS)))
    return Equation(equation, name, *EQUATIONS[equation](*draw(parts)))


def _form(constraint: s.Constraint) -> tuple[str, bool]:
    positive, negated = signed_form(constraint)
    return condition_text(positive), negated
