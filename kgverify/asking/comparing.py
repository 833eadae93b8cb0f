"""Do two readings of a question ask the same?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kgverify.asking.reading import Reading
from kgverify.asking.statements import statement_of
from kgverify.language import syntax as s
from kgverify.language.printing import condition_text, exceptions_text
from kgverify.language.rulebook import RuleBook


def ask_the_same(one: Reading, other: Reading, book: RuleBook) -> bool:
    """Do they have the same answer class, and require and exclude the same?  What is only
    preferred changes no verdict."""
    return _asked(one, book) == _asked(other, book)


def _asked(reading: Reading, book: RuleBook) -> tuple[str, frozenset[tuple[str, str]]]:
    question = statement_of(reading, book)
    names = {name: f"<{value}>" for name, value in reading.arguments.items()}
    names[question.answer.text] = "x"
    items = {
        (item.demand, _text(item.condition, names, book) + exceptions_text(item.exceptions))
        for item in question.items
        if item.demand is not s.Demand.PREFER
    }
    return question.answer_class.text, frozenset(items)


def _text(constraint: s.Constraint, names: Mapping[str, str], book: RuleBook) -> str:
    """A constraint as text that is the same for two that only are written in other ways."""
    if isinstance(constraint, s.Group):
        members = sorted(_text(member, names, book) for member in constraint.members)
        quantity = f"{constraint.quantity} {constraint.number} {constraint.negated}"
        return f"{quantity} {{ {', '.join(members)} }}"

    def place(term: s.Term) -> s.Term:
        is_named = term.kind is s.TermKind.NAME and term.text in names
        return replace(term, text=names[term.text]) if is_named else term

    if isinstance(constraint, s.Comparison):
        ends = sorted(place(term).text for term in constraint.terms)
        return f" {constraint.operator} ".join(ends)
    literal = _forward(constraint)
    atom = literal.atom
    if isinstance(atom, s.RelationAtom) and _is_symmetric(atom.relation.text, book):
        ordered = tuple(sorted(atom.arguments, key=lambda term: place(term).text))
        literal = replace(literal, atom=replace(atom, arguments=ordered))
    return condition_text(s.map_terms(literal, place))


def _forward(literal: s.Literal) -> s.Literal:
    """`^a(x, y)` as `a(y, x)`."""
    atom = literal.atom
    if not isinstance(atom, s.PathAtom) or len(atom.arguments) != 2:
        return literal
    if atom.path.kind != "inverse" or atom.path.parts[0].kind != "relation":
        return literal
    (name,) = atom.path.relations
    return replace(literal, atom=s.RelationAtom(name, atom.arguments[::-1], atom.span))


def _is_symmetric(relation: str, book: RuleBook) -> bool:
    return any(p.kind == "symmetric" for p in book.relations[relation].properties)
