"""The rules of a rule file, hard and soft, as rules of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from kgverify.language import syntax as s
from kgverify.language.datatypes import joined_values, side_datatype, value_variables
from kgverify.language.printing import rule_text
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.datalog import (
    Argument,
    Atom,
    Compare,
    Condition,
    Constant,
    Origin,
    Rule,
    Variable,
)

Resolver = Callable[[s.Term, str], Constant]  # a term and its datatype, "" for an entity


def hard_rules(book: RuleBook, resolve: Resolver) -> list[Rule]:
    """The rules of the rule file, with those that say which refutations they need."""
    return [
        found for rule in book.rules if rule.body for found in compile_rule(book, rule, resolve)
    ]


def compile_rule(book: RuleBook, rule: s.Rule, resolve: Resolver) -> Iterator[Rule]:
    """The rule as the program has it, and then those that say which refutations it needs."""
    text = rule.sentence or f"rule {book.rule_id(rule)}"
    origin = Origin("rule", text, rule.span, ("rule", rule_text(rule)))
    parts = (rule.head, *rule.body)
    taken = {_variable(t.text) for part in parts for t in part.terms if t.is_variable}
    fresh = (name for n in count(1) if (name := f"Any{n}") not in taken)
    datatypes = value_variables(book, rule)

    def argument(term: s.Term, datatype: str = "") -> Argument:
        if term.kind is s.TermKind.ANONYMOUS:
            return Variable(next(fresh))
        if term.kind is s.TermKind.VARIABLE:
            return Variable(_variable(term.text))
        return resolve(term, datatype)

    def atom(written: s.Atom, positive: str, class_positive: str) -> Atom:
        if isinstance(written, s.ClassAtom):
            return Atom(class_positive, (argument(written.term), written.cls.text))
        relation = written.relations[0].text
        subject, object_ = written.arguments
        datatype = book.datatype(relation)
        return Atom(positive, (relation, argument(subject), argument(object_, datatype)))

    positive: list[Condition] = []
    negated: list[Atom] = []
    for condition in dict.fromkeys(rule.body):
        if isinstance(condition, s.Comparison):
            datatype = side_datatype(condition, datatypes)
            left, right = (argument(side, datatype) for side in condition.terms)
            positive += comparison(left, condition.operator, right)
        elif condition.negated:
            negated.append(atom(condition.atom, "against", "isnt_a"))
        else:
            positive.append(atom(condition.atom, "for", "is_a"))
    for name in joined_values(rule, datatypes):
        positive.append(Atom("imprecise", (Variable(_variable(name)),), absent=True))
    if rule.head.negated:
        head = atom(rule.head.atom, "against", "isnt_a")
        positive = [_want(head), *positive]
    else:
        head = atom(rule.head.atom, "for", "is_a")
    yield Rule(head, (*positive, *negated), origin)
    for wanted in negated:
        yield Rule(_want(wanted), tuple(positive), origin)


def soft_name(number: int) -> str:
    """The relation of its own in which soft rule `number` of a rule file concludes."""
    return f"soft:{number}"


def soft_rules(book: RuleBook, resolve: Resolver) -> list[Rule]:
    """The soft rules of the rule file, as the program has them."""
    numbers = range(len(book.soft))
    return [rule for number in numbers for rule in soft_rule(book, number, resolve)]


def soft_rule(book: RuleBook, number: int, resolve: Resolver) -> Iterator[Rule]:
    """A soft rule, with a relation of its own for its conclusions, so that they stay apart from
    evidence; and the rules that say which refutations it needs."""
    rule, *wanted = compile_rule(book, book.soft[number].rule, resolve)
    head = rule.head
    terms = head.arguments[1:] if head.predicate == "for" else head.arguments[:1] * 2
    yield replace(rule, head=Atom("for", (soft_name(number), *terms)))
    yield from wanted


def soft_facts(book: RuleBook) -> list[Rule]:
    """What each soft rule concludes."""
    found = []
    for number, soft in enumerate(book.soft):
        atom = soft.rule.head.atom
        is_class = isinstance(atom, s.ClassAtom)
        name = atom.cls.text if isinstance(atom, s.ClassAtom) else atom.relations[0].text
        arguments = (number, soft_name(number), name)
        found.append(Rule(Atom("soft_a" if is_class else "soft", arguments)))
    return found


def _want(against: Atom) -> Atom:
    return Atom("want" if against.predicate == "against" else "want_a", against.arguments)


def comparison(left: Argument, operator: str, right: Argument) -> list[Condition]:
    """`=` is identity; `!=` asks that the two be provably different."""
    if operator == "=":
        return [Compare(left, "=", right)]
    vague = [Atom("vague", (side,), absent=True) for side in (left, right)]
    return [Compare(left, "!=", right), *vague, Atom("overlap", (left, right), absent=True)]


def _variable(name: str) -> str:
    """A variable's name in the program: its own, where clingo can read it; no two share one."""
    if name.isascii() and name[0].isupper() and not name.startswith("V_"):
        return name
    return "V_" + name.encode().hex()
