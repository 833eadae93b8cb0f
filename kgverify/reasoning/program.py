"""A rule file as a logic program: schema facts, hard rules, the constraints of its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import lcm

from kgverify import resources
from kgverify.errors import printable
from kgverify.language import syntax as s
from kgverify.language.printing import condition_text
from kgverify.language.question_checks import answer_item, normal_form
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.datalog import (
    Argument,
    Atom,
    Compare,
    Condition,
    Constant,
    Origin,
    Rule,
    Variable,
    specialise,
    symbol,
)

EVIDENCE = ("evidence_for.lp", "evidence_against.lp", "wanted.lp")
DECISION = ("status.lp", "verdict.lp", "support.lp")

# Predicates that the rule file alone decides; `specialise` resolves them.
STATIC = frozenset(
    {
        *("relation", "symmetric", "transitive", "asymmetric", "irreflexive"),
        *("functional", "inverse_functional", "inverse", "subrelation", "domain", "range"),
        *("disjoint", "disjoint_classes", "complete", "complete_for", "complete_subject", "closed"),
    }
)
LIMB = 1_000_000

Resolver = Callable[[s.Term, str | None], Constant]  # a term, the relation whose object it is

_SAYS = {
    "symmetric": "`{0}` is symmetric",
    "transitive": "`{0}` is transitive",
    "functional": "`{0}` is functional: a subject has one object",
    "inverse_functional": "`{0}` is inverse functional: an object has one subject",
    "asymmetric": "`{0}` is asymmetric",
    "irreflexive": "`{0}` is irreflexive",
    "inverse": "`{0}` and `{1}` are inverse",
    "subrelation": "`{0}` is a kind of `{1}`",
    "domain": "the subject of `{0}` is in class {1}",
    "range": "the object of `{0}` is in class {1}",
    "disjoint": "`{0}` and `{1}` are disjoint",
    "disjoint_classes": "`{0}` and `{1}` are disjoint",
    "complete": "`{0}` is complete",
    "complete_for": "`{0}` is complete for every {1}",
    "complete_subject": "`{0}` is complete for this subject",
}


@cache
def templates() -> tuple[Rule, ...]:
    """The rules of the evidence encodings."""
    from kgverify.reasoning.solver import read_rules

    return tuple(
        rule for name in EVIDENCE for rule in read_rules(resources.text("encodings", name))
    )


def encoding(*names: str) -> str:
    """The text of encodings, one after the other."""
    return "\n".join(resources.text("encodings", name) for name in names)


def named(term: s.Term, relation: str | None) -> Constant:
    """The resolver for printing: a term stands for itself."""
    return term.text


# ---------------------------------------------------------------- the schema


def schema(book: RuleBook, resolve: Resolver) -> list[tuple[Atom, Origin]]:
    """The schema of the rule file as facts, each with the declaration it comes from."""
    return list(_schema(book, resolve))


def _schema(book: RuleBook, resolve: Resolver) -> Iterator[tuple[Atom, Origin]]:
    def fact(predicate: str, *arguments: Constant, span: object) -> tuple[Atom, Origin]:
        text = _SAYS[predicate].format(*arguments) if predicate in _SAYS else ""
        return Atom(predicate, arguments), Origin("schema", text, span)  # type: ignore[arg-type]

    for name, relation in book.relations.items():
        yield fact("relation", name, span=relation.name.span)
        if relation.domain.text not in DATATYPES:
            yield fact("domain", name, relation.domain.text, span=relation.span)
        if relation.range.text not in DATATYPES:
            yield fact("range", name, relation.range.text, span=relation.span)
        for item in relation.properties:
            target = (item.target.text,) if item.target else ()
            yield fact(item.kind, name, *target, span=item.span)
    for one, other, span in book.disjoint_pairs:
        predicate = "disjoint_classes" if one in book.classes else "disjoint"
        yield fact(predicate, one, other, span=span)
    for name in dict.fromkeys(statement.relation.text for statement in book.complete):
        yield fact("closed", name, span=book.relations[name].span)
    for statement in book.complete:
        name = statement.relation.text
        if statement.cls:
            yield fact("complete_for", name, statement.cls.text, span=statement.span)
        for subject in statement.subjects:
            yield fact("complete_subject", name, resolve(subject, None), span=statement.span)
        if not statement.cls and not statement.subjects:
            yield fact("complete", name, span=statement.span)


# ---------------------------------------------------------------- hard rules


def hard_rules(book: RuleBook, resolve: Resolver) -> list[Rule]:
    """The rules of the rule file, with those that say which refutations they need."""
    return [found for rule in book.rules if rule.body for found in _hard_rule(book, rule, resolve)]


def _hard_rule(book: RuleBook, rule: s.Rule, resolve: Resolver) -> Iterator[Rule]:
    origin = Origin("rule", rule.sentence or f"rule {book.rule_id(rule)}", rule.span)
    fresh = iter(range(1, 1000))

    def argument(term: s.Term, relation: str | None = None) -> Argument:
        if term.kind is s.TermKind.ANONYMOUS:
            return Variable(f"Any{next(fresh)}")
        if term.kind is s.TermKind.VARIABLE:
            return Variable(_variable(term.text))
        return resolve(term, relation)

    def atom(written: s.Atom, positive: str, class_positive: str) -> Atom:
        if isinstance(written, s.ClassAtom):
            return Atom(class_positive, (argument(written.term), written.cls.text))
        relation = written.relation.text
        subject, object_ = written.arguments
        return Atom(positive, (relation, argument(subject), argument(object_, relation)))

    positive: list[Condition] = []
    negated: list[Atom] = []
    for condition in dict.fromkeys(rule.body):
        if isinstance(condition, s.Comparison):
            left, right = argument(condition.left), argument(condition.right)
            positive += comparison(left, condition.operator, right)
        elif condition.negated:
            negated.append(atom(condition.atom, "against", "isnt_a"))
        else:
            positive.append(atom(condition.atom, "for", "is_a"))
    if rule.head.negated:
        head = atom(rule.head.atom, "against", "isnt_a")
        positive = [_want(head), *positive]
    else:
        head = atom(rule.head.atom, "for", "is_a")
    yield Rule(head, (*positive, *negated), origin)
    for wanted in negated:
        yield Rule(_want(wanted), tuple(positive), origin)


def _want(against: Atom) -> Atom:
    return Atom("want" if against.predicate == "against" else "want_a", against.arguments)


def comparison(left: Argument, operator: str, right: Argument) -> list[Condition]:
    """`=` is identity; `!=` asks that the two be provably different."""
    if operator == "=":
        return [Compare(left, "=", right)]
    vague = [Atom("vague", (side,), absent=True) for side in (left, right)]
    return [Compare(left, "!=", right), *vague, Atom("overlap", (left, right), absent=True)]


def _variable(name: str) -> str:
    """A variable's name in the program: its own, where clingo can read it."""
    if name.isascii() and name[0].isupper():
        return name
    return "V" + "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in name)


# ---------------------------------------------------------------- questions


@dataclass(frozen=True)
class CompiledConstraint:
    """A constraint of a question template.

    `kind` is `relation`, `class` or `same`; `terms` are its two terms (one for a class), `name` the
    relation or class.  `negated`: it holds when the atom does not."""

    index: int
    id: str
    kind: str
    name: str
    terms: tuple[s.Term, ...]
    negated: bool
    required: bool
    weight: Fraction
    condition: s.Condition
    sentence: str


@dataclass(frozen=True)
class Template:
    """A question template, compiled: its answer class and its items are its constraints."""

    name: str
    question: s.Question
    constraints: tuple[CompiledConstraint, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(p.name.text for p in self.question.parameters)

    @cached_property
    def total(self) -> Fraction:
        """The weight of all constraints together."""
        return sum((c.weight for c in self.constraints), Fraction(0))

    @cached_property
    def scale(self) -> int:
        """The least number that makes every weight whole."""
        return lcm(*(c.weight.denominator for c in self.constraints))


def compile_question(question: s.Question) -> Template:
    """The template's constraints: its answer class first, then its items; repeated ones once."""
    merged: dict[tuple[s.Condition, bool], CompiledConstraint] = {}
    for item in (answer_item(question), *question.items):
        key = normal_form(item)
        required = item.demand is not s.Demand.PREFER
        earlier = merged.get(key)
        if earlier is None:
            merged[key] = _constraint(len(merged), item, *key)
        else:
            merged[key] = CompiledConstraint(
                **{
                    **vars(earlier),
                    "required": earlier.required or required,
                    "weight": max(earlier.weight, Fraction(item.weight)),
                }
            )
    return Template(question.name.text, question, tuple(merged.values()))


def _constraint(
    index: int, item: s.Item, condition: s.Condition, negated: bool
) -> CompiledConstraint:
    kind, name = "same", ""
    if isinstance(condition, s.Literal):
        atom = condition.atom
        is_class = isinstance(atom, s.ClassAtom)
        kind = "class" if is_class else "relation"
        name = atom.cls.text if isinstance(atom, s.ClassAtom) else atom.relation.text
    return CompiledConstraint(
        index,
        "answer" if item.demand is s.Demand.ANSWER else f"c{index}",
        kind,
        name,
        condition.terms,
        negated,
        item.demand is not s.Demand.PREFER,
        Fraction(item.weight),
        condition,
        item.sentence,
    )


def constants(template: Template, resolve: Resolver) -> list[Constant]:
    """The entities and values that the template itself names."""
    variables = {*template.parameters, template.question.answer.text}
    return [
        resolve(term, constraint.name if constraint.kind == "relation" and place else None)
        for constraint in template.constraints
        for place, term in enumerate(constraint.terms)
        if term.kind is not s.TermKind.NAME or term.text not in variables
    ]


def question_text(template: Template, resolve: Resolver) -> str:
    """The program text of a question template: its constraints, and their weights."""
    question = template.question
    variables = {p: f"A{n}" for n, p in enumerate(template.parameters, 1)}
    variables[question.answer.text] = "X"
    name = symbol(template.name)
    arguments = ",".join(variables[p] for p in template.parameters)
    tuple_ = f"({arguments},)" if len(template.parameters) == 1 else f"({arguments})"
    legend = "".join(f", {variables[p]} = {p}" for p in template.parameters)
    heading = f"question {template.name}: X = {question.answer}{legend}  ({question.span})"
    lines = [_comment(heading)]
    for constraint in template.constraints:
        word = "exclude" if constraint.negated else "require"
        word = word if constraint.required else "prefer" + (" not" if constraint.negated else "")
        lines.append(_comment(f"{constraint.index} {word} {condition_text(constraint.condition)}"))

        def place(term: s.Term, relation: str | None = None) -> str:
            if term.kind is s.TermKind.NAME and term.text in variables:
                return variables[term.text]
            return symbol(resolve(term, relation))

        sign = "deny" if constraint.negated else "affirm"
        last = constraint.name if constraint.kind == "relation" else None
        terms = [place(t, last if n else None) for n, t in enumerate(constraint.terms)]
        inner = ",".join(terms)
        if constraint.kind == "class":
            head = f"{sign}_a(Q,{constraint.index},X,{inner},{symbol(constraint.name)})"
        elif constraint.kind == "same":
            head = f"{sign}_same(Q,{constraint.index},X,{inner})"
        else:
            head = f"{sign}(Q,{constraint.index},X,{symbol(constraint.name)},{inner})"
        known = "".join(f", not stranger({term})" for term in dict.fromkeys(terms))
        lines.append(f"{head} :- asked(Q,{name},{tuple_}), candidate(Q,X){known}.")
        if constraint.required:
            lines.append(f"required({name},{constraint.index}).")
        lines += [
            f"weight({name},{constraint.index},{limb},{value})."
            for limb, value in enumerate(limbs(int(constraint.weight * template.scale)))
        ]
    return "\n".join(lines) + "\n"


def limbs(value: int) -> list[int]:
    """A whole number in base `LIMB`, lowest first; at least one limb."""
    found = [value % LIMB]
    while value := value // LIMB:
        found.append(value % LIMB)
    return found


# ---------------------------------------------------------------- for people


def program_text(book: RuleBook) -> str:
    """The whole program that a rule file becomes, with the author's lines as comments."""
    lines = [_comment(f"{book.path}: the evidence encodings, specialised to this schema")]
    rules = specialise(templates(), schema(book, named), STATIC)
    last: Origin | None = None
    for rule in rules:
        if rule.origin != last and rule.origin.text and rule.origin.span:
            lines.append(_comment(f"{rule.origin.text}  ({rule.origin.span})"))
        last = rule.origin
        lines.append(str(rule))
    lines += ["", "% the class hierarchy"]
    for cls in book.classes.values():
        lines += [
            f"{Atom('subclass', (cls.name.text, parent.text))}.  {_comment(str(cls.span))}"
            for parent in cls.supers
        ]
    lines += ["", "% hard rules"]
    for found in book.rules:
        lines.append(_comment(f"{found.sentence or book.rule_id(found)}  ({found.span})"))
        if found.body:
            lines += [str(rule) for rule in _hard_rule(book, found, named)]
        else:
            lines.append(_stated_text(found.head))
    for question in book.questions.values():
        lines += ["", question_text(compile_question(question), named).rstrip()]
    return "\n".join(lines) + "\n\n" + encoding(*DECISION)


def _comment(text: str) -> str:
    """A comment of the program: on one line, whatever the text holds."""
    return f"% {printable(text)}"


def _stated_text(literal: s.Literal) -> str:
    atom = literal.atom
    if isinstance(atom, s.ClassAtom):
        predicate = "denied_member" if literal.negated else "member"
        return f"{Atom(predicate, (atom.term.text, atom.cls.text))}."
    subject, object_ = (term.text for term in atom.arguments)
    predicate = "denied" if literal.negated else "triple"
    return f"{Atom(predicate, (atom.relation.text, subject, object_))}."
