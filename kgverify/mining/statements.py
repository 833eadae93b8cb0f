"""Horn rules as `soft` statements of the rule language, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import chain, count

import numpy as np

from kgverify.errors import Span
from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE
from kgverify.graph.terms import display, value_key
from kgverify.language import syntax as s
from kgverify.language.checks import RESERVED_NAMES
from kgverify.language.printing import statement_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.mining.horn import Atom, HornRule, Term
from kgverify.mining.spelling import variable_name

_NOWHERE = Span("")
_PLACES = 6  # of a weight; more only where these would make it nothing
_MOST_PLACES = 9
_LOOKED_AT = 1000  # values of a relation by which its datatype is told


class Unsayable(Exception):
    """A rule that the rule language has no words for, with the reason."""


class Vocabulary:
    """Names of the rule file for the graph's relations and classes.  What is not declared yet gets
    a declaration of its own, in `added`."""

    def __init__(self, book: RuleBook, graph: Graph) -> None:
        self.book = book
        self.added: list[s.ClassDeclaration | s.RelationDeclaration] = []
        self._graph = graph
        self._taken = {*book.classes, *book.relations, *RESERVED_NAMES}
        self._classes = {book.kg_name(name): name for name in book.classes}
        self._relations = {book.kg_name(name): name for name in book.relations}
        self._ranges = {name: r.range.text for name, r in book.relations.items()}
        self._anything = ""

    def statement(
        self, rule: HornRule, weight: Fraction, name: str = "", sentence: str = ""
    ) -> str:
        """The rule as a soft statement on one line.  Raises Unsayable."""
        head, *body = (self._literal(atom) for atom in rule.atoms)
        different = (self._comparison(one, other, rule) for one, other in rule.inequalities)
        said = s.Rule(name, sentence, head, (*body, *different), _NOWHERE)
        soft = s.SoftRule(_weight(weight), said, _NOWHERE, _NOWHERE)
        return statement_text(soft)

    def relation(self, name: str) -> str:
        """The rule file's name of a relation of the graph."""
        if name not in self._relations:
            local = self._new_name(name)
            range_ = self._range(name)
            self._relations[name], self._ranges[local] = local, range_
            domain = s.Ident(self._class_of_anything(), _NOWHERE)
            object_ = s.Ident(range_ or self._class_of_anything(), _NOWHERE)
            self.added.append(
                s.RelationDeclaration(
                    s.Ident(local, _NOWHERE),
                    _kg(name, local),
                    domain,
                    object_,
                    (),
                    "",
                    (),
                    _NOWHERE,
                )
            )
        return self._relations[name]

    def known_as(self, name: str) -> str:
        """The rule file's name of a relation, if it has one yet, else the graph's."""
        return self._relations.get(name, name)

    def class_(self, name: str) -> str:
        """The rule file's name of a class of the graph."""
        if name not in self._classes:
            local = self._new_name(name)
            self._declare_class(local, name)
        return self._classes[name]

    def _declare_class(self, local: str, name: str) -> None:
        self._classes[name] = local
        ident = s.Ident(local, _NOWHERE)
        self.added.append(s.ClassDeclaration(ident, _kg(name, local), (), "", (), _NOWHERE))

    def _class_of_anything(self) -> str:
        """A class for signatures about which nothing is known; not one of the graph's."""
        if not self._anything:
            known = [n for n in self._classes.values() if re.fullmatch(r"Anything\d*", n)]
            name, number = "Anything", 1
            while not known and (name in self._taken or self._graph.find(["e" + name])[0] >= 0):
                number += 1
                name = f"Anything{number}"
            self._anything = known[0] if known else name
            if not known:
                self._taken.add(name)
                self._declare_class(name, name)
        return self._anything

    def _range(self, name: str) -> str:
        """The datatype of a relation to values; "" for one to entities."""
        relation = self._graph.relation_id(name)
        entities, values = self._graph.object_kinds(relation)
        if entities or not values:
            return ""
        objects = np.unique(self._graph.facts.all(relation).objects)[:_LOOKED_AT]
        keys = self._graph.keys(objects)
        return next((d for d in _BY_LIKELIHOOD if all(_fits(key, d) for key in keys)), "string")

    def _new_name(self, name: str) -> str:
        """A free word that is like the end of the graph's name, as short as can be."""
        parts = [
            part for part in (re.sub(r"\W+", "_", p).strip("_") for p in _PARTS.split(name)) if part
        ]
        words = ["_".join(parts[begin:]) for begin in reversed(range(len(parts)))] or ["unnamed"]
        words = [f"r{word}" if word[0].isdigit() else word for word in words]
        numbered = (f"{words[0]}_{number}" for number in count(2))
        found = next(w for w in chain(words, numbered) if w not in self._taken)
        self._taken.add(found)
        return found

    def _literal(self, atom: Atom) -> s.Literal:
        if atom.relation == RDF_TYPE:
            if not isinstance(atom.object, str) or not atom.object.startswith("e"):
                raise Unsayable("a class stands for a variable in it, or is none")
            cls = s.Ident(self.class_(atom.object[1:]), _NOWHERE)
            found: s.Atom = s.ClassAtom(self._term(atom.subject, ""), cls, _NOWHERE)
        else:
            name = self.relation(atom.relation)
            terms = self._term(atom.subject, ""), self._term(atom.object, self._ranges[name])
            found = s.RelationAtom(s.Ident(name, _NOWHERE), terms, _NOWHERE)
        return s.Literal(found, False, _NOWHERE)

    def _comparison(self, one: Term, other: Term, rule: HornRule) -> s.Comparison:
        left, right = (self._term(t, self._datatype_beside(t, rule)) for t in (one, other))
        return s.Comparison(left, "!=", right, _NOWHERE)

    def _datatype_beside(self, term: Term, rule: HornRule) -> str:
        """The datatype of a value, by the atoms of the rule that it stands in."""
        names = [self.relation(a.relation) for a in rule.atoms if a.object == term != a.subject]
        return next((self._ranges[name] for name in names if self._ranges[name] in DATATYPES), "")

    def _term(self, term: Term, range_: str) -> s.Term:
        if isinstance(term, int):
            return s.Term(s.TermKind.VARIABLE, variable_name(term), _NOWHERE)
        if range_ not in DATATYPES:
            if not term.startswith("e"):
                raise Unsayable(f"`{display(term)}` is no entity that can be named")
            return s.Term(s.TermKind.STRING, term[1:], _NOWHERE)
        text = _value_text(term)
        if text is None or value_key(text, range_) != term:
            raise Unsayable(f"`{display(term)}` is no value of type {range_} that can be written")
        return s.Term(s.TermKind.STRING, text, _NOWHERE)


_PARTS = re.compile(r"[/#:]")
_BY_LIKELIHOOD = ("integer", "number", "date", "boolean", "string")


def _value_text(key: str) -> str | None:
    for kind in ("lnumber ", "ldate ", "ltime ", "lboolean ", "lstring "):
        if key.startswith(kind):
            return key[len(kind) :]
    return None


def _fits(key: str, datatype: str) -> bool:
    text = _value_text(key)
    return text is not None and value_key(text, datatype) == key


def _kg(name: str, local: str) -> s.KgName | None:
    return None if name == local else s.KgName(s.KgNameKind.PLAIN, name, _NOWHERE)


def _weight(share: Fraction) -> Decimal:
    """The share in decimal places, rounded down: what is not certain never has the weight 1.  Only
    a share below the least weight is rounded up, to that."""
    for places in (_PLACES, _MOST_PLACES):
        shown = share.numerator * 10**places // share.denominator
        if shown:
            return Decimal(f"{Decimal(shown).scaleb(-places).normalize():f}")
    return Decimal(1).scaleb(-_MOST_PLACES)


# ---------------------------------------------------------------- back


def horn_rule(soft: s.SoftRule, book: RuleBook) -> HornRule | None:
    """The Horn rule that a soft statement says, by the graph's names, in canonical form; None when
    it says more than a Horn rule can, or with names that are not declared."""
    variables: dict[str, int] = {}
    datatypes = _datatypes(soft.rule, book)

    def term(written: s.Term, range_: str = "") -> Term:
        if written.kind is s.TermKind.ANONYMOUS:
            # Each stands for something of its own.  No variable has a blank in its name.
            return variables.setdefault(f"_ {len(variables)}", len(variables))
        if written.kind is s.TermKind.VARIABLE:
            return variables.setdefault(written.text, len(variables))
        datatype = range_ if range_ in DATATYPES else datatypes.get(written.text, "")
        if datatype:
            return value_key(written.text, datatype)
        return "e" + book.entity_ids(written)[0]

    atoms: list[Atom] = []
    different: list[tuple[Term, Term]] = []
    for condition in (soft.rule.head, *soft.rule.body):
        if isinstance(condition, s.Comparison):
            if condition.operator != "!=":
                return None
            different.append((term(condition.left), term(condition.right)))
            continue
        atom = _atom(condition, book, term)
        if atom is None:
            return None
        atoms.append(atom)
    rule = HornRule(atoms[0], tuple(atoms[1:]), different=tuple(different))
    known = all(isinstance(t, str) or t in rule.variables for pair in different for t in pair)
    return rule.canonical if known else None


def _atom(literal: s.Literal, book: RuleBook, term: Callable[[s.Term, str], Term]) -> Atom | None:
    atom = literal.atom
    if literal.negated or literal.at is not None or literal.closed:
        return None
    if isinstance(atom, s.ClassAtom) and atom.cls.text in book.classes:
        return Atom(RDF_TYPE, term(atom.term, ""), "e" + book.kg_name(atom.cls.text))
    if not isinstance(atom, s.RelationAtom) or atom.relation.text not in book.relations:
        return None
    if len(atom.arguments) != 2:
        return None
    name = atom.relation.text
    subject = term(atom.arguments[0], "")
    return Atom(
        book.kg_name(name), subject, term(atom.arguments[1], book.relations[name].range.text)
    )


def _datatypes(rule: s.Rule, book: RuleBook) -> dict[str, str]:
    """The datatype of each written value, by the atoms that it stands in."""
    found: dict[str, str] = {}
    for condition in (rule.head, *rule.body):
        if isinstance(condition, s.Literal) and isinstance(condition.atom, s.RelationAtom):
            atom = condition.atom
            declared = book.relations.get(atom.relation.text)
            if declared and len(atom.arguments) == 2 and declared.range.text in DATATYPES:
                found.setdefault(atom.arguments[1].text, declared.range.text)
    return found


def declarations(statements: Iterable[s.Statement]) -> list[str]:
    """Declarations as lines of text."""
    return [line for statement in statements for line in statement_text(statement).split("\n")]
