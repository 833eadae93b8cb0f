"""A rule file as a logic program: schema facts, hard rules, the constraints of its questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from math import lcm

from kgverify import resources
from kgverify.errors import Span, printable
from kgverify.graph.terms import display, value_key
from kgverify.language import syntax as s
from kgverify.language.datatypes import side_datatype
from kgverify.language.normal_forms import NormalForm, normal_form, signed_form
from kgverify.language.printing import condition_text, exceptions_text
from kgverify.language.question_checks import answer_item
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.datalog import (
    Atom,
    Constant,
    Origin,
    Rule,
    renamed,
    specialise,
    symbol,
)
from kgverify.reasoning.rules import (
    Resolver,
    compile_rule,
    soft_rule,
)
from kgverify.reasoning.views import COUNTS, View, Views, equal_to, normal, schema_origin

EVIDENCE = ("evidence_for.lp", "evidence_against.lp", "wanted.lp")
VIEWS = ("paths.lp", "listed.lp", "values.lp", "counts.lp", "closed.lp", "times.lp")
QUESTIONS = ("questions.lp",)
DECISION = ("status.lp", "groups.lp", "verdict.lp", "support.lp")
COMPLETION = ("completions.lp", "holds.lp")
SIGHT = ("sight.lp",)  # beside COMPLETION, where views are asked about
SOFT = ("soft.lp",)  # what soft rules speak for
STRONGEST, NOISY_OR = ("strongest.lp",), ("noisy_or.lp",)  # how plausible that is
INFERRED = ("inferred.lp",)  # beside DECISION, where what is plausible may count
TEXT = ("text.lp",)  # what passages say of what is open
ADMISSIBLE = ("admissible.lp",)  # which edges passages speak for enough to be added
ADMISSION = ("admission.lp",)  # which of these are added together
ATTRIBUTION = ("attribution.lp",)  # which right answers depend on added edges
MOMENTS = ("moments.lp",)  # likewise, where periods matter

# What a view is made of.
VIEW_FACTS = frozenset(
    ("mirror", "sequence", "alternative", "closure", "compares", "counts", "at", "ever")
)
# Predicates that the rule file alone decides; `specialise` resolves them.
STATIC = frozenset(
    {
        *("relation", "symmetric", "transitive", "asymmetric", "irreflexive"),
        *("functional", "inverse_functional", "inverse", "subrelation", "domain", "range"),
        *("disjoint", "disjoint_classes", "complete", "complete_for", "complete_subject"),
        *("closed", "closed_class", "passes"),
        *VIEW_FACTS,
        *("starts", "ends", "single", "alike", "assumed", "timed", "functional_at_a_time"),
    }
)
LIMB = 1_000_000


@cache
def templates(views: bool = True) -> tuple[Rule, ...]:
    """The rules of the evidence encodings, with those of views or without."""
    from kgverify.reasoning.solver import read_rules

    names = (*EVIDENCE, *VIEWS) if views else EVIDENCE
    return tuple(rule for name in names for rule in read_rules(resources.text("encodings", name)))


def evidence_program(book: RuleBook, resolve: Resolver) -> list[Rule]:
    """The evidence encodings, specialised to the schema of the rule file and to the views of its
    questions."""
    facts = schema(book, resolve)
    views = any(atom.predicate in VIEW_FACTS for atom, _ in facts)
    return specialise(templates(views), facts, STATIC)


@cache
def encoding(*names: str) -> str:
    """The text of encodings, one after the other."""
    return "\n".join(resources.text("encodings", name) for name in names)


def named(term: s.Term, datatype: str) -> Constant:
    """The resolver for printing: a term stands for itself."""
    return term.text


# ---------------------------------------------------------------- the schema


def schema(book: RuleBook, resolve: Resolver) -> list[tuple[Atom, Origin]]:
    """The schema of the rule file as facts, each once, with the declaration it comes from; with
    what the views of its questions are made of."""
    found: dict[Atom, Origin] = {}
    for atom, origin in _schema(book, resolve):
        found.setdefault(atom, origin)
    return list(found.items())


def _schema(book: RuleBook, resolve: Resolver) -> Iterator[tuple[Atom, Origin]]:
    def fact(predicate: str, *arguments: Constant, span: Span) -> tuple[Atom, Origin]:
        return Atom(predicate, arguments), schema_origin(span, predicate, *arguments)

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
            yield fact("complete_subject", name, resolve(subject, ""), span=statement.span)
        if not statement.cls and not statement.subjects:
            yield fact("complete", name, span=statement.span)
    for question in book.questions.values():
        yield from compile_question(book, question).facts


# ---------------------------------------------------------------- questions


@dataclass(frozen=True)
class CompiledConstraint:
    """A constraint of a question template, or a member of a group.

    `kind` is `relation`, `class`, `same` or `group`; `terms` are its two terms (one for a class),
    `datatypes` theirs ("" for an entity), `name` the relation (or view) or class.  `negated`: it is
    written as a denial; `denies`: it holds when the atom of its terms does not.  `closed`: absence
    of evidence for the atom counts as its falsehood.  `stated` is the relation whose facts state
    the atom outright, where that isn't `name`.  It holds of the `exceptions` in any case, as
    one of its members says.  A group holds when at least `least` of its `members` do (strong
    Kleene: `all of` n is at least n, `any of` at least 1, and a denied group is a group of denied
    members).  `item`: it stands in the question itself, not in a group."""

    index: int
    id: str
    kind: str
    name: str
    terms: tuple[s.Term, ...]
    negated: bool
    required: bool
    weight: Fraction
    condition: s.Constraint
    sentence: str
    datatypes: tuple[str, ...] = ()
    item: bool = False
    members: tuple[int, ...] = ()
    least: int = 0
    denies: bool = False
    closed: bool = False
    stated: str = ""
    exceptions: tuple[s.Term, ...] = ()


@dataclass(frozen=True)
class Template:
    """A question template, compiled.  `constraints` holds its answer class, its items and the
    members of their groups, each at its `index`; `views` the relations that it makes, by name, and
    `facts` what defines them.  Where its times are parameters, `bound` gives the template for
    certain times; `names` are then the names of the views and times that it has instead."""

    name: str
    question: s.Question
    constraints: tuple[CompiledConstraint, ...]
    views: Mapping[str, View] = field(default_factory=dict)
    facts: tuple[tuple[Atom, Origin], ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(p.name.text for p in self.question.parameters)

    @cached_property
    def moments(self) -> frozenset[str]:
        """The times that constraints ask about: dates, or `?` and a parameter."""
        return frozenset(str(a.arguments[2]) for a, _ in self.facts if a.predicate == "at")

    def bound(self, times: Mapping[str, str]) -> Template:
        """The template for certain times: `times` has a date for each parameter."""
        asked = {f"?{name}": time for name, time in times.items() if f"?{name}" in self.moments}
        if not asked:
            return self
        names: dict[str, str] = dict(asked)
        for view in self.views.values():
            if view.time in asked:
                names[view.name] = f"{view.relation}@{asked[view.time]}"

        def rename(value: str) -> str:
            return names.get(value, value)

        views = {
            rename(name): replace(
                view, name=rename(name), text=_at(view.text, asked), time=rename(view.time)
            )
            for name, view in self.views.items()
        }
        facts = tuple((renamed(Rule(atom, (), o), names).head, o) for atom, o in self.facts)
        return replace(
            self,
            name="@".join((self.name, *asked.values())),
            constraints=tuple(replace(c, name=rename(c.name)) for c in self.constraints),
            views=views,
            facts=facts,
            names=names,
        )

    @cached_property
    def items(self) -> tuple[CompiledConstraint, ...]:
        """The constraints that stand in the question itself."""
        return tuple(c for c in self.constraints if c.item)

    @cached_property
    def total(self) -> Fraction:
        """The weight of all items together."""
        return sum((c.weight for c in self.items), Fraction(0))

    @cached_property
    def scale(self) -> int:
        """The least number that makes every weight whole."""
        return lcm(*(c.weight.denominator for c in self.items))


def _at(text: str, times: Mapping[str, str]) -> str:
    start, at, time = text.rpartition(" at ")
    return f"{start}{at}{times[time]}" if time in times else text


def compile_question(book: RuleBook, question: s.Question) -> Template:
    """The template's constraints: its answer class first, then its items; repeated ones once."""
    merged: dict[tuple[NormalForm, frozenset[s.Term]], s.Item] = {}
    for item in (answer_item(question), *question.items):
        key = normal_form(item), frozenset(item.exceptions)
        earlier = merged.setdefault(key, item)
        if earlier is not item:
            demand = item.demand if earlier.demand is s.Demand.PREFER else earlier.demand
            weight = max(earlier.weight, item.weight)
            merged[key] = replace(earlier, demand=demand, weight=weight)
    nodes = _Nodes(book, question)
    for number, (((constraint, negated), _), item) in enumerate(merged.items()):
        id_ = f"c{number}" if number else "answer"
        top = nodes.add_item(constraint, negated, item.exceptions, id_)
        nodes.found[top] = replace(
            nodes.found[top],
            required=item.demand is not s.Demand.PREFER,
            weight=Fraction(item.weight),
            sentence=item.sentence,
            condition=s.signed(item.condition, False),  # its members as they are written
            item=True,
        )
    views = nodes.views
    return Template(
        question.name.text, question, tuple(nodes.found), views.views, tuple(views.facts.items())
    )


class _Nodes:
    """The constraints of a question and the members of their groups, as they are compiled."""

    def __init__(self, book: RuleBook, question: s.Question) -> None:
        self.found: list[CompiledConstraint] = []
        self.views = Views(book)
        self._book = book
        self._answer = s.Term(s.TermKind.NAME, question.answer.text, question.answer.span)
        types = {p.name.text: p.type.text for p in question.parameters}
        self._datatypes = {name: type_ for name, type_ in types.items() if type_ in DATATYPES}

    def add_item(
        self, constraint: s.Constraint, negated: bool, exceptions: tuple[s.Term, ...], id_: str
    ) -> int:
        """Add an item: with exceptions, it is met by being one of them, or by the constraint."""
        if not exceptions:
            return self.add(constraint, negated, id_)
        index = self._new(id_, "group", "", (), (), negated, constraint)
        members = [
            self.add(s.Comparison(self._answer, "=", term, term.span), False, f"{id_}.{number}")
            for number, term in enumerate(dict.fromkeys(exceptions), 1)
        ]
        members.append(self.add(constraint, negated, f"{id_}.{len(members) + 1}"))
        self.found[index] = replace(
            self.found[index], members=tuple(members), least=1, exceptions=exceptions
        )
        return index

    def add(self, constraint: s.Constraint, negated: bool, id_: str) -> int:
        """Add a constraint in normal form and its members; the index of the constraint itself."""
        part = equal_to(constraint) if isinstance(constraint, s.Literal) else constraint
        if isinstance(part, s.Group):
            return self._add_group(part, constraint, negated, id_)
        name, terms, flipped, stated = "", part.terms, False, ""
        if isinstance(part, s.Comparison):
            kind = "same"
            datatype = side_datatype(part, self._datatypes)
            datatypes: tuple[str, ...] = (datatype, datatype)
        elif isinstance(part.atom, s.ClassAtom):
            kind, name, datatypes = "class", part.atom.cls.text, ("",)
            if part.closed:
                self.views.assume_class_closed(name, part.span)
        else:
            kind = "relation"
            name, terms, flipped = self._relation(part.atom)
            name = self._timed(name, part)
            view = self.views.views.get(name)
            stated = view.ever if view else ""
            datatypes = ("", view.datatype if view else self._book.datatype(name))
            if part.closed:
                self.views.assume_closed(name, part.span)
        index = self._new(id_, kind, name, terms, datatypes, negated, constraint)
        closed = isinstance(part, s.Literal) and part.closed
        self.found[index] = replace(
            self.found[index], denies=negated != flipped, closed=closed, stated=stated
        )
        return index

    def _relation(self, atom: s.Atom) -> tuple[str, tuple[s.Term, ...], bool]:
        """The relation or view that an atom is about, its terms, and whether the atom denies it."""
        match atom:
            case s.PathAtom():
                path = normal(atom.path, self._book)
                if path.kind == "inverse" and path.parts[0].relation is not None:
                    return path.parts[0].relation.text, atom.arguments[::-1], False
                return self.views.path(path), atom.arguments, False
            case s.ValueAtom():
                return self.views.value(atom), atom.terms, False
            case s.CountAtom():
                return self.views.count(atom), atom.terms, COUNTS[atom.operator][1]
            case _:
                return atom.relations[0].text, atom.terms, False

    def _timed(self, name: str, literal: s.Literal) -> str:
        """The relation that a literal is about at its time; another view stays what it is."""
        if name not in self._book.relations:
            return name
        if literal.at is None:
            return self.views.ever(name, literal.span)
        term = literal.at
        if term.kind is s.TermKind.NAME:
            return self.views.at(name, "?" + term.text, literal.span)
        return self.views.at(name, display(value_key(term.text, "date")), literal.span)

    def _add_group(self, group: s.Group, constraint: s.Constraint, negated: bool, id_: str) -> int:
        index = self._new(id_, "group", "", (), (), negated, constraint)
        negated = negated != (group is not constraint and group.negated)
        members = []
        for number, member in enumerate(group.members, 1):
            positive, denied = signed_form(member)
            members.append(self.add(positive, denied != negated, f"{id_}.{number}"))
        size = len(members)
        least = {"all": size, "any": 1, "least": group.number}[group.quantity]
        least = size - least + 1 if negated else least
        self.found[index] = replace(self.found[index], members=tuple(members), least=least)
        return index

    def _new(
        self,
        id_: str,
        kind: str,
        name: str,
        terms: tuple[s.Term, ...],
        datatypes: tuple[str, ...],
        negated: bool,
        constraint: s.Constraint,
    ) -> int:
        index = len(self.found)
        self.found.append(
            CompiledConstraint(
                index,
                id_,
                kind,
                name,
                terms,
                negated,
                False,
                Fraction(1),
                constraint,
                "",
                datatypes,
            )
        )
        return index


def constants(template: Template, resolve: Resolver) -> list[Constant]:
    """The entities and values that the template itself names."""
    own = {*template.parameters, template.question.answer.text}
    return [
        resolve(term, datatype)
        for constraint in template.constraints
        for term, datatype in zip(constraint.terms, constraint.datatypes, strict=True)
        if term.kind is not s.TermKind.NAME or term.text not in own
    ]


def question_text(template: Template, resolve: Resolver) -> str:
    """The program text of a question template: its constraints, and their weights."""
    return "\n".join([question_rules(template, resolve), constraint_facts(template)])


def wanted_rules(template: Template, resolve: Resolver) -> str:
    """The rules that say which atoms the constraints are about, and nothing else of them."""
    return question_rules(template, resolve, wanted=True)


def question_rules(template: Template, resolve: Resolver, wanted: bool = False) -> str:
    """The rules that ask about the atoms of each constraint."""
    question = template.question
    variables = {p: f"A{n}" for n, p in enumerate(template.parameters, 1)}
    variables[question.answer.text] = "X"
    name = symbol(template.name)
    arguments = ",".join(variables[p] for p in template.parameters)
    tuple_ = f"({arguments},)" if len(template.parameters) == 1 else f"({arguments})"
    legend = "".join(f", {variables[p]} = {p}" for p in template.parameters)
    heading = f"question {template.name}: X = {question.answer}{legend}  ({question.span})"
    lines = [_comment(heading)]
    asked = f"asked(Q,{name},{tuple_}), candidate(Q,X)"
    for constraint in template.constraints:
        lines.append(_comment(f"{constraint.index} {_word(constraint)} {_words(constraint)}"))
        if constraint.kind != "group":
            head, terms = _question_atom(constraint, variables, resolve, wanted)
            known = "".join(f", not stranger({term})" for term in dict.fromkeys(terms))
            lines.append(f"{head} :- {asked}{known}.")
    return "\n".join(lines)


def constraint_facts(template: Template) -> str:
    """Which constraints are required, their weights, and the parts of groups."""
    name = symbol(template.name)
    lines = []
    for constraint in template.constraints:
        if constraint.kind == "group":
            lines += _group_facts(name, constraint)
        if constraint.closed:
            lines.append(f"closed_world({name},{constraint.index}).")
        if constraint.item and constraint.required:
            lines.append(f"required({name},{constraint.index}).")
        if constraint.item:
            lines += [
                f"weight({name},{constraint.index},{limb},{value})."
                for limb, value in enumerate(limbs(int(constraint.weight * template.scale)))
            ]
    return "\n".join(lines) + "\n"


def _word(constraint: CompiledConstraint) -> str:
    """How the author would have begun the line of a constraint."""
    if not constraint.item:
        return "member"
    if constraint.required:
        return "exclude" if constraint.negated else "require"
    return "prefer"


def _words(constraint: CompiledConstraint) -> str:
    shown = not constraint.negated or (constraint.item and constraint.required)
    condition = s.signed(constraint.condition, not shown)
    return condition_text(condition) + exceptions_text(constraint.exceptions)


def _group_facts(name: str, group: CompiledConstraint) -> list[str]:
    size = len(group.members)
    facts = [f"least({name},{group.index},{group.least})", f"parts({name},{group.index},{size})"]
    facts += [f"part({name},{group.index},{member})" for member in group.members]
    return [f"{fact}." for fact in facts]


def _question_atom(
    constraint: CompiledConstraint, variables: dict[str, str], resolve: Resolver, wanted: bool
) -> tuple[str, list[str]]:
    """The head of the rule that asks about a constraint's atom, and the atom's terms.

    `wanted`: the rule says only that the atom matters, not to which constraint and candidate."""

    def place(term: s.Term, datatype: str) -> str:
        if term.kind is s.TermKind.NAME and term.text in variables:
            return variables[term.text]
        return symbol(resolve(term, datatype))

    sign = "deny" if constraint.denies else "affirm"
    terms = list(map(place, constraint.terms, constraint.datatypes))
    start, inner = f"Q,{constraint.index},X", ",".join(terms)
    if wanted and constraint.kind == "class":
        return f"want_a({inner},{symbol(constraint.name)})", terms
    if wanted and constraint.kind == "relation":
        return f"want({symbol(constraint.name)},{inner})", terms
    if constraint.kind == "class":
        return f"{sign}_a({start},{inner},{symbol(constraint.name)})", terms
    if constraint.kind == "same":
        return f"{sign}_same({start},{inner})", terms
    return f"{sign}({start},{symbol(constraint.name)},{inner})", terms


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
    rules = evidence_program(book, named)
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
            lines += [str(rule) for rule in compile_rule(book, found, named)]
        else:
            lines.append(_stated_text(found.head))
    if book.soft:
        lines += ["", "% soft rules, each with a relation of its own"]
    for number, soft in enumerate(book.soft):
        said = soft.rule.sentence or f"rule {book.rule_id(soft.rule)}"
        lines.append(_comment(f"{soft.weight} {said}  ({soft.span})"))
        lines += [str(rule) for rule in soft_rule(book, number, named)]
    for question in book.questions.values():
        lines += ["", question_text(compile_question(book, question), named).rstrip()]
    return "\n".join(lines) + "\n\n" + encoding(*QUESTIONS, *DECISION)


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
    return f"{Atom(predicate, (atom.relations[0].text, subject, object_))}."
