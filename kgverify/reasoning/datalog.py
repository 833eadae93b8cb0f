"""Program text as values: atoms, conditions and rules over the predicates of the encodings.

The encodings are templates over the schema (`symmetric(R)`, `domain(R,C)`).  `specialise` works
the schema of one rule file into them, so that every rule speaks of named relations.  The slice
engine grounds, gathers for, and explains by these specialised rules; the reference engine grounds
the templates as they stand.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kgverify.errors import Span


@dataclass(frozen=True, slots=True)
class Variable:
    name: str

    def __str__(self) -> str:
        return self.name


Constant = str | int  # a name of the rule file, or a term id of the graph
Argument = Variable | Constant

_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*")


def symbol(value: Constant) -> str:
    """A constant as program text: names that are no plain symbols are quoted."""
    if isinstance(value, int):
        return str(value)
    if _PLAIN.fullmatch(value) and value != "not":
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


@dataclass(frozen=True, slots=True)
class Atom:
    """`predicate(arguments)`; `absent` marks default negation."""

    predicate: str
    arguments: tuple[Argument, ...]
    absent: bool = False

    def __str__(self) -> str:
        inner = ",".join(a.name if isinstance(a, Variable) else symbol(a) for a in self.arguments)
        return ("not " if self.absent else "") + f"{self.predicate}({inner})"

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(a for a in self.arguments if isinstance(a, Variable))


@dataclass(frozen=True, slots=True)
class Compare:
    """`left != right` or `left = right`, on identity of terms; or an order of numbers."""

    left: Argument
    operator: str
    right: Argument

    def __str__(self) -> str:
        sides = [a.name if isinstance(a, Variable) else symbol(a) for a in (self.left, self.right)]
        return f"{sides[0]} {self.operator} {sides[1]}"

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(a for a in (self.left, self.right) if isinstance(a, Variable))


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`bound operator #count { counted : atom }`."""

    bound: Argument
    operator: str
    counted: Variable
    atom: Atom

    def __str__(self) -> str:
        bound = self.bound.name if isinstance(self.bound, Variable) else symbol(self.bound)
        return f"{bound} {self.operator} #count {{ {self.counted} : {self.atom} }}"

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that the rest of the rule binds."""
        own = (self.bound,) if isinstance(self.bound, Variable) else ()
        return (*own, *(v for v in self.atom.variables if v != self.counted))


Condition = Atom | Compare | Aggregate


@dataclass(frozen=True, slots=True)
class Origin:
    """Whence a rule came: words for explanations and the author's line, where there is one.

    `kind` is `encoding`, `schema` or `rule`.  `statement` names what the author said, for programs:
    the schema predicate with its arguments, or `rule` with the rule as printed."""

    kind: str
    text: str
    span: Span | None = None
    statement: tuple[Constant, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    head: Atom
    body: tuple[Condition, ...] = ()
    origin: Origin = field(default=Origin("encoding", ""), compare=False)

    def __str__(self) -> str:
        if not self.body:
            return f"{self.head}."
        return f"{self.head} :- {', '.join(map(str, self.body))}."


def substitute(part: Rule, values: Mapping[Variable, Argument]) -> Rule:
    """The rule with variables replaced."""

    def swap(argument: Argument) -> Argument:
        return values.get(argument, argument) if isinstance(argument, Variable) else argument

    return _mapped(part, swap, part.origin)


def renamed(rule: Rule, names: Mapping[str, str]) -> Rule:
    """The rule with other names for constants, in its words too."""

    def swap(argument: Argument) -> Argument:
        return names.get(argument, argument) if isinstance(argument, str) else argument

    text = rule.origin.text
    for old, new in sorted(names.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(old, new)
    return _mapped(rule, swap, replace(rule.origin, text=text))


def _mapped(rule: Rule, swap: Callable[[Argument], Argument], origin: Origin) -> Rule:
    """The rule with every argument swapped."""

    def atom(found: Atom) -> Atom:
        return replace(found, arguments=tuple(map(swap, found.arguments)))

    def convert(condition: Condition) -> Condition:
        if isinstance(condition, Compare):
            return Compare(swap(condition.left), condition.operator, swap(condition.right))
        if isinstance(condition, Aggregate):
            return replace(condition, bound=swap(condition.bound), atom=atom(condition.atom))
        return atom(condition)

    return Rule(atom(rule.head), tuple(map(convert, rule.body)), origin)


def mentions(rule: Rule, names: Collection[str]) -> bool:
    """Does the rule mention a constant among these?"""
    atoms = [rule.head, *(c for c in rule.body if isinstance(c, Atom))]
    return any(argument in names for atom in atoms for argument in atom.arguments)


def match(pattern: Atom, fact: Atom) -> dict[Variable, Argument] | None:
    """The values of the pattern's variables that make it the fact; None when nothing does."""
    if pattern.predicate != fact.predicate or len(pattern.arguments) != len(fact.arguments):
        return None
    values: dict[Variable, Argument] = {}
    for want, have in zip(pattern.arguments, fact.arguments, strict=True):
        if isinstance(want, Variable):
            if values.setdefault(want, have) != have:
                return None
        elif want != have:
            return None
    return values


def specialise(
    templates: Sequence[Rule], schema: Sequence[tuple[Atom, Origin]], static: frozenset[str]
) -> list[Rule]:
    """The templates with every condition on a `static` predicate resolved against the schema.

    Templates without such a condition stay as they are.  The result has one rule for each way
    to meet the static conditions, in the order of templates and schema, none twice."""
    facts: dict[str, list[tuple[Atom, Origin]]] = defaultdict(list)
    for atom, origin in schema:
        facts[atom.predicate].append((atom, origin))
    found: dict[Rule, None] = {}
    for template in templates:
        for rule in _resolve(template, facts, static):
            found.setdefault(rule)
    return list(found)


def _resolve(
    rule: Rule, facts: Mapping[str, Iterable[tuple[Atom, Origin]]], static: frozenset[str]
) -> Iterator[Rule]:
    for position, condition in enumerate(rule.body):
        if isinstance(condition, Atom) and condition.predicate in static:
            rest = rule.body[:position] + rule.body[position + 1 :]
            for fact, origin in facts.get(condition.predicate, ()):
                values = match(condition, fact)
                if values is not None:
                    because = origin if origin.text else rule.origin
                    found = substitute(Rule(rule.head, rest, because), values)
                    yield from _resolve(found, facts, static)
            return
    yield rule
