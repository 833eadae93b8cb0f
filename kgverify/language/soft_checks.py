"""Checks of soft rules: what they weigh, what they conclude, and whether that is new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from kgverify.errors import Problem, Span
from kgverify.language import syntax as s
from kgverify.language.rulebook import DATATYPES, RuleBook

PLACES = 9
"""How many decimal places a soft rule's weight may have."""


def check_soft(book: RuleBook) -> Iterator[Problem]:
    """Weights out of range, denials as heads, rules that are there twice or that say less than a
    hard one."""
    for soft in book.soft:
        if not _is_weight(soft.weight):
            yield Problem(
                "weight",
                f"a soft rule's weight is more than 0 and at most 1, with at most {PLACES} "
                "decimal places",
                soft.weight_span,
                "write a share, such as 0.42",
            )
        if soft.rule.head.negated:
            yield Problem(
                "soft-head",
                "a soft rule can't conclude a denial: it makes an atom plausible, and refutes none",
                soft.rule.head.span,
                "conclude an atom, or make it a hard rule",
            )
    yield from _repeated(book)
    yield from _subsumed(book)


def _is_weight(weight: Decimal) -> bool:
    if not 0 < weight <= 1:
        return False
    exponent = weight.normalize().as_tuple().exponent
    return isinstance(exponent, int) and exponent >= -PLACES


def _repeated(book: RuleBook) -> Iterator[Problem]:
    """Soft rules that differ in the names of their variables and in the order of their bodies
    only: the one observation would count twice."""
    alike: dict[tuple[str, ...], list[s.Rule]] = defaultdict(list)
    for soft in book.soft:
        rule = soft.rule
        earlier = alike[(_kind(rule.head), *sorted(map(_kind, rule.body)))]
        first = next((one for one in earlier if says_all_of(one, rule, both=True)), None)
        if first is None:
            earlier.append(rule)
            continue
        yield Problem(
            "duplicate",
            "this soft rule is there already",
            soft.span,
            "keep one of them, with one weight",
            notes=((first.span, "first written here"),),
        )


def _subsumed(book: RuleBook) -> Iterator[Problem]:
    """Soft rules whose head follows for certain where their body holds."""
    certain: dict[str, list[tuple[s.Rule, str]]] = defaultdict(list)
    hard = [(rule, f"rule `{book.rule_id(rule)}` says so") for rule in book.rules]
    for rule, why in (*hard, *_schema_rules(book)):
        if not rule.head.negated:
            certain[_kind(rule.head)].append((rule, why))
    for soft in book.soft:
        for rule, why in certain[_kind(soft.rule.head)]:
            if says_all_of(rule, soft.rule):
                yield Problem(
                    "subsumed",
                    f"wherever this body holds, its head holds for certain, since {why}",
                    soft.span,
                    "remove the soft rule",
                    notes=((rule.span, "the hard one stands here"),),
                    severity="warning",
                )
                break


def _kind(condition: s.Condition) -> str:
    """What stays the same of a condition, whatever its terms are."""
    if isinstance(condition, s.Comparison):
        return condition.operator
    atom = condition.atom
    name = atom.cls.text if isinstance(atom, s.ClassAtom) else atom.relations[0].text
    return f"not {name}" if condition.negated else name


# ---------------------------------------------------------------- one rule in another

_Terms = dict[s.Term, s.Term]
_MOST_CONDITIONS = 6
"""Longer bodies are not compared: the ways to lay one into the other grow with the factorial."""


def says_all_of(general: s.Rule, special: s.Rule, both: bool = False) -> bool:
    """Is the one rule, for some choice of its variables, the other with fewer conditions?

    With `both` each variable has one of the other rule to itself, and no condition is missing:
    then the two say the same."""
    if max(len(general.body), len(special.body)) > _MOST_CONDITIONS:
        return False
    if both and len(general.body) != len(special.body):
        return False
    one, other = _apart(general), _apart(special)
    return any(
        _laid(one.body, other.body, terms, both)
        for terms in _matches(one.head, other.head, {}, one_to_one=both)
    )


def _apart(rule: s.Rule) -> s.Rule:
    """The rule with a variable of its own for each `_`."""
    count = 0

    def named(term: s.Term) -> s.Term:
        nonlocal count
        if term.kind is not s.TermKind.ANONYMOUS:
            return term
        count += 1
        return replace(term, kind=s.TermKind.VARIABLE, text=f"_ {count}")

    body = tuple(s.map_terms(condition, named) for condition in rule.body)
    return replace(rule, body=body)  # type: ignore[arg-type]


def _laid(
    body: Sequence[s.Condition], onto: Sequence[s.Condition], terms: _Terms, both: bool
) -> bool:
    """Can each condition be laid onto one of the others, the terms taken as they are so far?"""
    if not body:
        return True
    first, *rest = body
    for place, condition in enumerate(onto):
        left = [*onto[:place], *onto[place + 1 :]] if both else onto
        if any(
            _laid(rest, left, more, both)
            for more in _matches(first, condition, terms, one_to_one=both)
        ):
            return True
    return False


def _matches(
    one: s.Condition, other: s.Condition, terms: Mapping[s.Term, s.Term], *, one_to_one: bool
) -> Iterator[_Terms]:
    """The ways to make the one condition the other by a choice of its variables."""
    if _kind(one) != _kind(other) or type(one) is not type(other):
        return
    orders = [other.terms]
    if isinstance(other, s.Comparison):
        orders.append(other.terms[::-1])
    for order in orders:
        found: _Terms = dict(terms)
        for mine, its in zip(one.terms, order, strict=False):
            if not mine.is_variable:
                if mine != its:
                    break
            elif found.setdefault(mine, its) != its:
                break
        else:
            chosen = list(found.values())
            if not one_to_one or (
                all(term.is_variable for term in chosen) and len(set(chosen)) == len(chosen)
            ):
                yield found


# ---------------------------------------------------------------- the schema as rules


def _schema_rules(book: RuleBook) -> Iterator[tuple[s.Rule, str]]:
    """What the declarations of classes and relations let conclude, written as rules."""
    for relation in book.relations.values():
        name, span = relation.name, relation.span
        for item in relation.properties:
            at, said = item.span, f"`{name}` is {item.kind}"
            match item.kind:
                case "symmetric":
                    yield _rule(_atom(name, "Y", "X"), [_atom(name, "X", "Y")], at), said
                case "transitive":
                    body = [_atom(name, "X", "Z"), _atom(name, "Z", "Y")]
                    yield _rule(_atom(name, "X", "Y"), body, at), said
                case "inverse" if item.target:
                    said = f"`{name}` is the inverse of `{item.target}`"
                    yield _rule(_atom(item.target, "Y", "X"), [_atom(name, "X", "Y")], at), said
                    yield _rule(_atom(name, "Y", "X"), [_atom(item.target, "X", "Y")], at), said
                case "subrelation" if item.target:
                    said = f"`{name}` is a kind of `{item.target}`"
                    yield _rule(_atom(item.target, "X", "Y"), [_atom(name, "X", "Y")], at), said
        said = f"the signature of `{name}` says so"
        for cls, variable in ((relation.domain, "X"), (relation.range, "Y")):
            if cls.text not in DATATYPES:
                yield _rule(_member(cls, variable), [_atom(name, "X", "Y")], span), said
    for declared in book.classes.values():
        for above in declared.supers:
            said = f"every `{declared.name}` is a `{above}`"
            yield _rule(_member(above, "X"), [_member(declared.name, "X")], declared.span), said


def _rule(head: s.Literal, body: Sequence[s.Literal], span: Span) -> s.Rule:
    return s.Rule("", "", head, tuple(body), span)


def _atom(relation: s.Ident, subject: str, object_: str) -> s.Literal:
    terms = tuple(s.Term(s.TermKind.VARIABLE, v, relation.span) for v in (subject, object_))
    atom = s.RelationAtom(relation, terms, relation.span)
    return s.Literal(atom, False, relation.span)


def _member(cls: s.Ident, variable: str) -> s.Literal:
    term = s.Term(s.TermKind.VARIABLE, variable, cls.span)
    return s.Literal(s.ClassAtom(term, cls, cls.span), False, cls.span)
