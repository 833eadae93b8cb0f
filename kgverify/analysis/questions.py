"""Questions that nothing can satisfy or violate, and constraints that say or exclude another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kgverify.analysis.blocks import Confirmed, block_text, confirm, said_statuses
from kgverify.analysis.domains import Bound, question_domain, reach
from kgverify.analysis.guessing import Deadline, Example, Guesses, Look
from kgverify.analysis.results import Finding
from kgverify.errors import Problem
from kgverify.language import printing
from kgverify.language import syntax as s
from kgverify.language.implications import contradicts, entails
from kgverify.language.normal_forms import NormalForm, signed_form
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.program import CompiledConstraint, Template, compile_question

PROVEN = "proven"
SHOW_OUTCOME = "#show verdict/1. #show status/2."
# Constraint J is met, and I is not; both are.
_PAIRS = """
apart(J,I) :- status(J,sat), constraint(I), not status(I,sat).
both(J,I)  :- status(J,sat), status(I,sat).
"""


class QuestionAnalysis:
    """The analysis of one question.  `full` says whether all ways to ask it are looked at."""

    def __init__(self, book: RuleBook, question: str, bound: Bound, deadline: Deadline) -> None:
        self._book, self._question = book, question
        domain, (names,), self.full = question_domain([(book, question)], bound)
        look = Look(book, names, question)
        self._guesses = Guesses(domain, [look], SHOW_OUTCOME + _PAIRS, deadline)
        self._template: Template = compile_question(book, book.questions[question])
        self._claim = reach(bound, domain)
        self._seen: list[dict[int, str]] = []  # the statuses on graphs that were found

    def _of_question(self, code: str, message: str, hint: str) -> Finding:
        name = self._book.questions[self._question].name
        problem = Problem(code, message, name.span, hint, severity="warning", subject=name.text)
        return Finding(problem, self._claim)

    def findings(self) -> Iterator[Finding]:
        """What is wrong with the question.  Raises LimitReached when the time is over."""
        name = self._book.questions[self._question].name
        if self._some() is None:
            yield self._of_question(
                "no-graph-agrees",
                f"whatever the graph, the rule file contradicts itself about what `{name}` asks",
                "see which of its facts its declarations or rules exclude",
            )
            return
        sat = self._smallest("verdict(sat)")
        impossible = [
            c for c in self._template.items if sat is None and not self._can_be_sat(c.index)
        ]
        for constraint in impossible:
            yield self._finding(
                "constraint-never-sat",
                f"no graph meets this constraint of `{name}`",
                constraint,
                "change it: nothing can satisfy the question",
            )
        if sat is None and not impossible:
            yield self._of_question(
                "question-never-sat",
                f"no graph has an answer that satisfies `{name}`",
                "see which of its constraints exclude each other",
            )
        if self._smallest("verdict(viol)") is None:
            yield self._of_question(
                "question-never-viol",
                f"no graph has an answer that violates `{name}`",
                "it filters nothing: declare what would rule an answer out",
            )
        yield from self._pairs({c.index for c in impossible})

    # ------------------------------------------------------------ pairs

    def _pairs(self, impossible: set[int]) -> Iterator[Finding]:
        items = [c for c in self._template.items if c.index not in impossible]
        possible = [c for c in items if self._can_be_sat(c.index)]
        for one, other in combinations(possible, 2):
            if not self._meets(one, other):
                yield self._conflict(one, other)
                continue
            # A wish may well say more, or less, than what is required.
            alike = one.required == other.required or one.index == 0
            says = alike and not self._separates(one, other)
            said = alike and one.index != 0 and not self._separates(other, one)
            if says and said:
                yield self._implied(other, one, "constraints-equivalent", "says the same as")
            elif says:
                yield self._implied(other, one, "constraint-implied", "is met wherever")
            elif said:
                yield self._implied(one, other, "constraint-implied", "is met wherever")

    def _can_be_sat(self, index: int) -> bool:
        if any(statuses[index] == "sat" for statuses in self._seen):
            return True
        return self._some(f"status({index},sat)") is not None

    def _meets(self, one: CompiledConstraint, other: CompiledConstraint) -> bool:
        """Can both be sat?"""
        pair = one.index, other.index
        if any(all(seen[index] == "sat" for index in pair) for seen in self._seen):
            return True
        return self._some(f"both({pair[0]},{pair[1]})") is not None

    def _separates(self, one: CompiledConstraint, other: CompiledConstraint) -> bool:
        """Can the one be sat, and the other not?"""
        first, second = one.index, other.index
        if any(seen[first] == "sat" and seen[second] != "sat" for seen in self._seen):
            return True
        return self._some(f"apart({first},{second})") is not None

    def _conflict(self, one: CompiledConstraint, other: CompiledConstraint) -> Finding:
        proven = _written(one, other) and contradicts(self._book, _form(one), _form(other))
        return self._finding(
            "constraints-conflict",
            f"`{_text(other)}` is never met together with `{_text(one)}`",
            other,
            "remove one of the two" if one.required and other.required else "one excludes a wish",
            one,
            PROVEN if proven else "",
            self._block(f"{_text(one)} without {_text(other)}", f"status({one.index},sat)"),
        )

    def _implied(
        self, this: CompiledConstraint, by: CompiledConstraint, code: str, words: str
    ) -> Finding:
        proven = _written(this, by) and entails(self._book, _form(by), _form(this))
        if code == "constraints-equivalent":
            proven = proven and entails(self._book, _form(this), _form(by))
        tail = " is" if code == "constraint-implied" else ""
        return self._finding(
            code,
            f"`{_text(this)}` {words} `{_text(by)}`{tail}",
            this,
            "remove it, or ask for something that the other does not say",
            by,
            PROVEN if proven else "",
            self._block(f"{_text(by)}: then {_text(this)}", f"status({by.index},sat)"),
        )

    # ------------------------------------------------------------ graphs

    def _some(self, *atoms: str) -> Example | None:
        return self._note(self._guesses.some(*atoms))

    def _smallest(self, *atoms: str) -> Confirmed | None:
        example = self._note(self._guesses.smallest(*atoms))
        return None if example is None else confirm(self._book, self._question, example)

    def _note(self, example: Example | None) -> Example | None:
        if example is not None:
            self._seen.append(said_statuses(example))
        return example

    def _block(self, name: str, *atoms: str) -> tuple[str, ...]:
        found = self._smallest(*atoms)
        if found is None:
            return ()
        return (block_text(self._book, f"{self._question}: {name}", self._question, found),)

    def _finding(
        self,
        code: str,
        message: str,
        constraint: CompiledConstraint,
        hint: str,
        other: CompiledConstraint | None = None,
        claim: str = "",
        blocks: tuple[str, ...] = (),
    ) -> Finding:
        notes = ((other.condition.span, "the other constraint"),) if other else ()
        problem = Problem(
            code,
            message,
            constraint.condition.span,
            hint,
            severity="warning",
            notes=notes,
            subject=self._question,
        )
        return Finding(problem, claim or self._claim, blocks)


def constraint_text(constraint: CompiledConstraint) -> str:
    """A constraint as it would be required."""
    signed = s.signed(constraint.condition, constraint.negated)
    return printing.constraint_text(signed, constraint.exceptions, {})


_text = constraint_text


def _written(*constraints: CompiledConstraint) -> bool:
    """Do these stand in the question as literals, so that the static checks can compare them?"""
    return all(isinstance(c.condition, s.Literal) and not c.exceptions for c in constraints)


def _form(constraint: CompiledConstraint) -> NormalForm:
    positive, negated = signed_form(constraint.condition)
    return positive, negated != constraint.negated
