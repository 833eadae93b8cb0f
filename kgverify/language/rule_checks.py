"""Checks of rules, hard and soft: variables that nothing binds, rules that can never fire."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import replace

from kgverify.errors import Problem, Span
from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook


def check_variables(book: RuleBook) -> Iterator[Problem]:
    """Every variable must be bound by a positive atom of the body."""
    for rule in book.implications:
        yield from _unsafe(rule)
        yield from _lookalikes(rule)
        yield from _lower_case(rule)


def _unsafe(rule: s.Rule) -> Iterator[Problem]:
    bound = _bound(rule)
    reported: set[str] = set()
    for part in (rule.head, *rule.body):
        holds = isinstance(part, s.Literal) and part is not rule.head and not part.negated
        for term in part.terms:
            if term.kind is s.TermKind.ANONYMOUS and not holds:
                yield Problem(
                    "unsafe-variable",
                    "`_` stands for some unnamed thing; only a positive body atom can hold it",
                    term.span,
                    "name a variable that a positive atom binds",
                )
            elif term.kind is s.TermKind.VARIABLE and term.text not in bound | reported:
                reported.add(term.text)
                yield Problem("unsafe-variable", *_why_unsafe(term, rule))


def _bound(rule: s.Rule) -> set[str]:
    """The variables that positive atoms bind, and those that `=` makes equal to them."""
    bound = {
        t.text
        for c in rule.body
        if isinstance(c, s.Literal) and not c.negated
        for t in c.terms
        if t.kind is s.TermKind.VARIABLE
    }
    equalities = [c for c in rule.body if isinstance(c, s.Comparison) and c.operator == "="]
    for _ in equalities:  # each pass binds at least one more variable, or none is left to bind
        for equality in equalities:
            if any(not t.is_variable or t.text in bound for t in equality.terms):
                bound |= {t.text for t in equality.terms if t.kind is s.TermKind.VARIABLE}
    return bound


def _why_unsafe(term: s.Term, rule: s.Rule) -> tuple[str, Span, str]:
    """The message, place and repair for a variable that no positive atom binds."""
    users = [c for c in rule.body if any(t.text == term.text for t in c.terms)]
    in_head = any(t.text == term.text for t in rule.head.terms)
    if not users:
        text = f"`{term.text}` occurs in the head only"
    elif any(isinstance(c, s.Comparison) for c in users):
        text = f"`{term.text}` is bound by no positive atom; a comparison binds nothing"
    elif len(users) > 1:
        text = f"`{term.text}` is shared by negated atoms and bound by no positive atom"
    elif in_head:
        text = f"`{term.text}` is bound by no positive atom"
    else:
        text = f"`{term.text}` occurs in a negated atom only"
    if not rule.body:
        return text, term.span, "a fact names its entities; entities begin with a small letter"
    return text, term.span, f"add a positive atom with `{term.text}` to the body"


def _lookalikes(rule: s.Rule) -> Iterator[Problem]:
    """Two variables that occur once each and look alike are probably one."""
    terms = [t for c in (rule.head, *rule.body) for t in c.terms if t.kind is s.TermKind.VARIABLE]
    single = [t for t in terms if [u.text for u in terms].count(t.text) == 1]
    for term in single:
        others = [t.text for t in single if t is not term]
        if len(term.text) > 2 and (close := difflib.get_close_matches(term.text, others, 1, 0.75)):
            yield Problem(
                "lookalike-variables",
                f"`{term.text}` and `{close[0]}` occur once each; are they the same variable?",
                term.span,
                "use one spelling, or `_` for a value that doesn't matter",
                severity="warning",
            )


def _lower_case(rule: s.Rule) -> Iterator[Problem]:
    """A rule over lower-case names only says nothing in general: variables were meant."""
    terms = [t for c in (rule.head, *rule.body) for t in c.terms]
    if rule.body and terms and all(t.kind is s.TermKind.NAME for t in terms):
        names = ", ".join(dict.fromkeys(f"`{t.text}`" for t in terms))
        yield Problem(
            "lower-case-variables",
            f"{names} are read as entities",
            terms[0].span,
            "variables begin with a capital letter; quote a name that is meant as an entity",
        )


def check_bodies(book: RuleBook) -> Iterator[Problem]:
    """Rules that can never fire, and conditions that say nothing."""
    for rule in book.implications:
        seen: set[s.Condition] = set()
        for condition in rule.body:
            if condition in seen:
                yield Problem(
                    "repeated",
                    "this condition stands in the body already",
                    condition.span,
                    "remove it",
                    severity="warning",
                )
            seen.add(condition)
            if isinstance(condition, s.Comparison) and condition.left == condition.right:
                never = condition.operator == "!="
                yield Problem(
                    "never-fires" if never else "repeated",
                    "the rule can never fire: nothing differs from itself"
                    if never
                    else "this comparison always holds",
                    condition.span,
                    "compare two different terms",
                    severity="warning",
                )
        for condition in rule.body:
            if isinstance(condition, s.Comparison):
                continue
            if condition.negated and replace(condition, negated=False) in seen:
                yield Problem(
                    "never-fires",
                    "the rule needs an atom and its denial; it fires on a conflict only",
                    condition.span,
                    severity="warning",
                )
            if condition == rule.head:
                yield Problem(
                    "never-fires",
                    "the rule derives what its body needs already",
                    condition.span,
                    "remove the rule or the condition",
                    severity="warning",
                )
