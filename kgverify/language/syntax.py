"""The statements of a rule file as frozen values; every node knows where it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum

from kgverify.errors import Span
from kgverify.language.fields import is_field


@dataclass(frozen=True, slots=True)
class Ident:
    """A name used or declared in a rule file."""

    text: str
    span: Span = field(compare=False)

    def __str__(self) -> str:
        return self.text


class TermKind(StrEnum):
    """What a written term is.  A `name` is an entity, a parameter or the answer; the checks say
    which."""

    VARIABLE = "variable"
    ANONYMOUS = "anonymous"
    NAME = "name"
    CURIE = "curie"
    IRI = "iri"
    STRING = "string"
    NUMBER = "number"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Term:
    """One argument.  `text` is the content: a variable's name, an IRI without its brackets, a
    string without its quotes, a number or a date as written."""

    kind: TermKind
    text: str
    span: Span = field(compare=False)

    @property
    def is_variable(self) -> bool:
        return self.kind in (TermKind.VARIABLE, TermKind.ANONYMOUS)


@dataclass(frozen=True, slots=True)
class RelationAtom:
    """`relation(subject, object)`; `arguments` may have a wrong number, which the checks report."""

    relation: Ident
    arguments: tuple[Term, ...]
    span: Span = field(compare=False)

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.arguments

    @property
    def relations(self) -> tuple[Ident, ...]:
        """The relations that the atom names."""
        return (self.relation,)


@dataclass(frozen=True, slots=True)
class ClassAtom:
    """`term : Class`."""

    term: Term
    cls: Ident
    span: Span = field(compare=False)

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.term,)

    @property
    def relations(self) -> tuple[Ident, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Path:
    """A way through the graph, as constraints of questions may have it in a relation's place.

    `kind` is `relation` (then `relation` is its name), `inverse`, `sequence`, `alternative` or
    `closure` (one or more steps); the others have `parts`: one for `inverse` and `closure`, two or
    more for `sequence` and `alternative`."""

    kind: str
    relation: Ident | None
    parts: tuple[Path, ...]
    span: Span = field(compare=False)

    @property
    def relations(self) -> tuple[Ident, ...]:
        """The relations along the path, from left to right."""
        own = (self.relation,) if self.relation else ()
        return (*own, *(name for part in self.parts for name in part.relations))


@dataclass(frozen=True, slots=True)
class PathAtom:
    """`part_of+(x, p)`: some path of this kind leads from the one to the other."""

    path: Path
    arguments: tuple[Term, ...]
    span: Span = field(compare=False)

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.arguments

    @property
    def relations(self) -> tuple[Ident, ...]:
        return self.path.relations


@dataclass(frozen=True, slots=True)
class ValueAtom:
    """`born(x) < 1950-01-01`: some value of the path compares so.  `operator` is one of `<`, `<=`,
    `=`, `!=`, `>=`, `>`; `arguments` may have a wrong number, which the checks report."""

    path: Path
    arguments: tuple[Term, ...]
    operator: str
    value: Term
    span: Span = field(compare=False)

    @property
    def terms(self) -> tuple[Term, ...]:
        return (*self.arguments, self.value)

    @property
    def relations(self) -> tuple[Ident, ...]:
        return self.path.relations


@dataclass(frozen=True, slots=True)
class CountAtom:
    """`count child(x, _) >= 2`: so many provably different values; `_` marks what is counted."""

    path: Path
    arguments: tuple[Term, ...]
    operator: str
    value: Term
    span: Span = field(compare=False)

    @property
    def terms(self) -> tuple[Term, ...]:
        named = (t for t in self.arguments if t.kind is not TermKind.ANONYMOUS)
        return (*named, self.value)

    @property
    def relations(self) -> tuple[Ident, ...]:
        return self.path.relations


Atom = RelationAtom | ClassAtom | PathAtom | ValueAtom | CountAtom


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its denial: `not` asks for evidence against the atom, never for mere absence.

    In questions, `at` is the time at which the atom is meant to hold, and `closed` says that the
    absence of evidence for the atom counts as its falsehood (`assume closed`)."""

    atom: Atom
    negated: bool
    span: Span = field(compare=False)
    at: Term | None = None
    closed: bool = False

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.atom.terms + ((self.at,) if self.at else ())


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left != right` or `left = right`: identity of entities or values."""

    left: Term
    operator: str
    right: Term
    span: Span = field(compare=False)

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.left, self.right)


Condition = Literal | Comparison


@dataclass(frozen=True, slots=True)
class Group:
    """`all of`, `any of` or `at least number of` some constraints, or the denial of that.

    `quantity` is `all`, `any` or `least`; `number` counts for `least` only."""

    quantity: str
    number: int
    members: tuple[Constraint, ...]
    negated: bool
    span: Span = field(compare=False)

    @property
    def terms(self) -> tuple[Term, ...]:
        return tuple(term for member in self.members for term in member.terms)


Constraint = Literal | Comparison | Group


def leaves(constraint: Constraint) -> Iterator[Condition]:
    """The literals and comparisons of a constraint, however deep they lie in groups."""
    if isinstance(constraint, Group):
        for member in constraint.members:
            yield from leaves(member)
    else:
        yield constraint


def signed(constraint: Constraint, negated: bool) -> Constraint:
    """The constraint, or its denial, whichever of the two is at hand."""
    if isinstance(constraint, Comparison):
        return replace(constraint, operator="!=" if negated else "=")
    return replace(constraint, negated=negated)


def map_terms(constraint: Constraint, change: Callable[[Term], Term]) -> Constraint:
    """The constraint with every term changed, however deep it lies."""
    if isinstance(constraint, Group):
        members = tuple(map_terms(member, change) for member in constraint.members)
        return replace(constraint, members=members)
    if isinstance(constraint, Comparison):
        return replace(constraint, left=change(constraint.left), right=change(constraint.right))
    at = change(constraint.at) if constraint.at else None
    atom = constraint.atom
    if isinstance(atom, ClassAtom):
        return replace(constraint, atom=replace(atom, term=change(atom.term)), at=at)
    arguments = tuple(map(change, atom.arguments))
    if isinstance(atom, ValueAtom | CountAtom):
        changed: Atom = replace(atom, arguments=arguments, value=change(atom.value))
    else:
        changed = replace(atom, arguments=arguments)
    return replace(constraint, atom=changed, at=at)


class KgNameKind(StrEnum):
    """How a name of the graph was written."""

    PLAIN = "plain"
    CURIE = "curie"
    IRI = "iri"


@dataclass(frozen=True, slots=True)
class KgName:
    """What the graph calls a class or relation."""

    kind: KgNameKind
    text: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Prefix:
    name: str
    iri: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class ClassDeclaration:
    name: Ident
    kg_name: KgName | None
    supers: tuple[Ident, ...]
    sentence: str
    phrases: tuple[str, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Disjoint:
    """Classes, or relations, no two of which share a member."""

    names: tuple[Ident, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a relation: `kind` is the schema predicate of the encodings (`functional`,
    `functional_at_a_time`, `inverse_functional`, `symmetric`, `asymmetric`, `irreflexive`,
    `transitive`, `inverse`, `subrelation`), `target` the other relation where there is one."""

    kind: str
    target: Ident | None
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class RelationDeclaration:
    name: Ident
    kg_name: KgName | None
    domain: Ident
    range: Ident
    properties: tuple[Property, ...]
    sentence: str
    phrases: tuple[str, ...]
    span: Span = field(compare=False)

    @property
    def spoken(self) -> tuple[str, ...]:
        """The phrases that sentences have, in their order."""
        return tuple(phrase for phrase in self.phrases if not is_field(phrase))

    @property
    def fields(self) -> tuple[str, ...]:
        """The phrases that have the form of a titled field, in their order."""
        return tuple(phrase for phrase in self.phrases if is_field(phrase))


@dataclass(frozen=True, slots=True)
class Complete:
    """`complete r`, `complete r for Class` or `complete r for :a, :b`: the subjects meant have
    all their objects in the graph."""

    relation: Ident
    cls: Ident | None
    subjects: tuple[Term, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Same:
    """`same :a, :a2`: these names are names of one entity."""

    terms: tuple[Term, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Rule:
    """A hard rule: in every completion a classical implication.  `name` is "" when not given."""

    name: str
    sentence: str
    head: Literal
    body: tuple[Condition, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class SoftRule:
    """A rule that proves nothing: where its body holds, its head is plausible, and so much."""

    weight: Decimal
    rule: Rule
    span: Span = field(compare=False)
    weight_span: Span = field(compare=False)


class Demand(StrEnum):
    ANSWER = "answer"
    REQUIRE = "require"
    EXCLUDE = "exclude"
    PREFER = "prefer"


@dataclass(frozen=True, slots=True)
class Parameter:
    name: Ident
    type: Ident


@dataclass(frozen=True, slots=True)
class Item:
    """One constraint of a question as written; `weight` is exact and counts for support.  It does
    not apply to the entities in `exceptions`, for which it holds."""

    demand: Demand
    condition: Constraint
    weight: Decimal
    sentence: str
    span: Span = field(compare=False)
    exceptions: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    name: Ident
    parameters: tuple[Parameter, ...]
    sentences: tuple[str, ...]
    answer: Ident
    answer_class: Ident
    items: tuple[Item, ...]
    span: Span = field(compare=False)
    sentence_spans: tuple[Span, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Expectation:
    candidate: Term
    status: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Ask:
    question: Ident
    arguments: tuple[Term, ...]
    expectations: tuple[Expectation, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Test:
    """A graph in small and what must be answered on it."""

    __test__ = False  # not a pytest class

    name: str
    facts: tuple[Literal, ...]
    asks: tuple[Ask, ...]
    span: Span = field(compare=False)


Statement = (
    Prefix
    | ClassDeclaration
    | Disjoint
    | RelationDeclaration
    | Complete
    | Same
    | Rule
    | SoftRule
    | Question
    | Test
)


@dataclass(frozen=True, slots=True)
class RuleFile:
    """All statements of a file, in order; `text` is what was read, and `lost` the words of the
    statements that could not be."""

    path: str
    statements: tuple[Statement, ...]
    text: str = field(compare=False, default="")
    lost: frozenset[str] = field(compare=False, default=frozenset())
