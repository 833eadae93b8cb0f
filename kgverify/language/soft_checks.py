"""Checks of soft rules: what they weigh, what they conclude, and whether that is new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal

from kgverify.errors import Problem, Span
from kgverify.language import syntax as s
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.language.sameness import Form, Forms, say_the_same, says_all_of

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
    """Soft rules that say the same: the one observation would count twice."""
    plain, declared = Forms(book, declared=False), Forms(book)
    earlier: dict[tuple[object, ...], list[tuple[s.SoftRule, Form, Form]]] = defaultdict(list)
    for soft in book.soft:
        own, full = plain.of(soft.rule), declared.of(soft.rule)
        heads = [full.as_head(*way) for way in _equal_ways(book, full)]
        found = None
        for other, spelt, meant in (x for head in heads for x in earlier[head.outline]):
            if say_the_same(own, spelt):
                found = _there_twice(soft, other)
                break
            if found is None and any(say_the_same(head, meant) is not False for head in heads):
                found = _counts_once(soft, other)
        if found:
            yield found
        if found is None or found.severity == "warning":
            earlier[full.outline].append((soft, own, full))


def _equal_ways(book: RuleBook, form: Form) -> Iterator[tuple[str, bool]]:
    """The heads that say neither more nor less than that of a rule."""
    name, terms = form.head
    if len(terms) != 2:
        yield name, False
        return
    for other, turned in sorted(book.says(name)):
        if (name, turned) in book.says(other):
            yield other, turned


def _there_twice(soft: s.SoftRule, other: s.SoftRule) -> Problem:
    return Problem(
        "duplicate",
        "this soft rule is there already",
        soft.span,
        "keep one of them, with one weight",
        notes=((other.rule.span, "first written here"),),
    )


def _counts_once(soft: s.SoftRule, other: s.SoftRule) -> Problem:
    return Problem(
        "duplicate",
        "as far as can be told, this soft rule says what another one says: they count once",
        soft.span,
        "keep one of them, with one weight",
        notes=((other.rule.span, "the other one stands here"),),
        severity="warning",
    )


def _subsumed(book: RuleBook) -> Iterator[Problem]:
    """Soft rules whose head follows for certain where their body holds."""
    forms = Forms(book)
    certain: dict[str, list[tuple[s.Rule, Form, str]]] = defaultdict(list)
    hard = [(rule, f"rule `{book.rule_id(rule)}` says so") for rule in book.rules]
    for rule, why in (*hard, *_schema_rules(book)):
        if not rule.head.negated:
            form = forms.of(rule)
            certain[form.head[0]].append((rule, form, why))
    for soft in book.soft:
        special = forms.of(soft.rule)
        for rule, form, why in certain[special.head[0]]:
            if says_all_of(form, special):
                yield Problem(
                    "subsumed",
                    f"wherever this body holds, its head holds for certain, since {why}",
                    soft.span,
                    "remove the soft rule",
                    notes=((rule.span, "the hard one stands here"),),
                    severity="warning",
                )
                break


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
