"""Which terms of a rule stand for literal values, and of which datatype."""

from __future__ import annotations

from collections.abc import Mapping

from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook


def value_variables(book: RuleBook, rule: s.Rule) -> dict[str, str]:
    """The variables of a rule that stand for values, with their datatypes."""
    found = {}
    for part in (rule.head, *rule.body):
        if isinstance(part, s.Literal) and isinstance(part.atom, s.RelationAtom):
            datatype = book.datatype(part.atom.relation.text)
            for object_ in part.atom.arguments[1:2]:
                if object_.is_variable and datatype:
                    found[object_.text] = datatype
    return found


def side_datatype(comparison: s.Comparison, known: Mapping[str, str]) -> str:
    """The datatype of both sides of a comparison, "" when they are entities: what a variable or
    parameter on one side says, else what a number or date looks like beside another value."""
    for term in comparison.terms:
        if term.text in known and term.kind in (s.TermKind.VARIABLE, s.TermKind.NAME):
            return known[term.text]
    looks = {s.TermKind.NUMBER: "number", s.TermKind.DATE: "date"}
    kinds = {looks.get(term.kind, "") for term in comparison.terms}
    return kinds.pop() if len(kinds) == 1 else ""


def joined_values(rule: s.Rule, known: Mapping[str, str]) -> list[str]:
    """The variables for values that more than one condition of the body must agree on: a value that
    is not known exactly is not provably the same at two places."""
    places = [
        term.text
        for condition in dict.fromkeys(rule.body)
        if not (isinstance(condition, s.Literal) and condition.negated)
        if not (isinstance(condition, s.Comparison) and condition.operator == "!=")
        for term in condition.terms
        if term.kind is s.TermKind.VARIABLE and term.text in known
    ]
    return [name for name in dict.fromkeys(places) if places.count(name) > 1]
