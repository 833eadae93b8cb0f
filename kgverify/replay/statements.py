"""What the statements of a rule file imply, one by one, for the checkers of proofs.

Each statement becomes a few implications, written down here a second time from the definition of
the semantics: nothing is shared with the encodings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from kgverify.graph.terms import value_key
from kgverify.language import syntax as s
from kgverify.language.datatypes import side_datatype, value_variables
from kgverify.language.printing import rule_text
from kgverify.language.rulebook import RuleBook
from kgverify.replay import times
from kgverify.replay.clauses import Clause, Pattern, Var, X, Y, Z
from kgverify.replay.views import declared


class Statements:
    """The statements of a rule file, each as implications of its own."""

    def __init__(self, book: RuleBook, asked: Sequence[times.Asked] = ()) -> None:
        self.book = self._book = book
        self.relations = book.relations
        self._asked = asked

    def implications(
        self, statement: tuple[str, ...], pick: Callable[[Sequence[str]], str]
    ) -> list[Clause] | None:
        """What a cited statement implies; None when the rule file doesn't say it.

        `pick` chooses the key of a constant among those that it may have."""
        name, *arguments = statement
        if not arguments:
            return None
        if name == "rule":
            rule = self._rules.get(arguments[0])
            return None if rule is None else [_rule(self._book, rule, pick)]
        if not self._says(statement):
            return None
        names = [self.class_key(a) if a in self._book.classes else a for a in arguments]
        if name == "complete_subject":
            names[1] = pick(names[1:])
        return [*_meaning(name, names), *times.meaning_in_time(name, names, self._asked)]

    def class_key(self, name: str) -> str:
        """The term key of a class of the rule file."""
        return "e" + self._book.kg_name(name) if name in self._book.classes else name

    @cached_property
    def _rules(self) -> dict[str, s.Rule]:
        return {rule_text(rule): rule for rule in self._book.rules if rule.body}

    @cached_property
    def _declared(self) -> set[tuple[str, ...]]:
        """Everything that the declarations say, one property each."""
        book = self._book
        found: set[tuple[str, ...]] = set()
        for relation in book.relations.values():
            name = relation.name.text
            found |= {("domain", name, relation.domain.text), ("range", name, relation.range.text)}
            for item in relation.properties:
                found.add((item.kind, name, *([item.target.text] if item.target else [])))
        for one, other, _ in book.disjoint_pairs:
            kind = "disjoint_classes" if one in book.classes else "disjoint"
            found.add((kind, one, other))
        for complete in book.complete:
            if complete.cls:
                found.add(("complete_for", complete.relation.text, complete.cls.text))
            elif not complete.subjects:
                found.add(("complete", complete.relation.text))
        return found

    def _says(self, statement: tuple[str, ...]) -> bool:
        return (
            statement in self._declared
            or self._is_complete_subject(statement)
            or declared(self._book, statement)
        )

    def _is_complete_subject(self, statement: tuple[str, ...]) -> bool:
        return any(
            statement == ("complete_subject", complete.relation.text, "e" + id_)
            for complete in self._book.complete
            for subject in complete.subjects
            for id_ in self._book.entity_ids(subject)
        )


def _meaning(kind: str, names: Sequence[str]) -> Iterable[Clause]:
    """What a declaration implies; relations by name, classes and entities by key."""
    r, q = names[0], names[-1]
    match kind:
        case "symmetric":
            yield ("for", r, X, Y), (("for", r, Y, X),)
            yield ("against", r, X, Y), (("against", r, Y, X),)
        case "transitive":
            yield ("for", r, X, Z), (("for", r, X, Y), ("for", r, Y, Z))
        case "inverse":
            for one, other in ((r, q), (q, r)):
                yield ("for", other, Y, X), (("for", one, X, Y),)
                yield ("against", other, Y, X), (("against", one, X, Y),)
        case "subrelation":
            yield ("for", q, X, Y), (("for", r, X, Y),)
            yield ("against", r, X, Y), (("against", q, X, Y),)
        case "functional":
            yield ("against", r, X, Y), (("for", r, X, Z), ("differ", Y, Z))
            yield ("single", r), ()
        case "inverse_functional":
            yield ("against", r, X, Y), (("for", r, Z, Y), ("differ", X, Z))
            yield ("lone", r), ()
        case "asymmetric":
            yield ("against", r, X, Y), (("for", r, Y, X),)
            yield ("against", r, X, X), (("term", X),)
        case "irreflexive":
            yield ("against", r, X, X), (("term", X),)
        case "disjoint":
            yield ("against", r, X, Y), (("for", q, X, Y),)
            yield ("against", q, X, Y), (("for", r, X, Y),)
        case "domain":
            yield ("is", q, X), (("for", r, X, Y),)
            yield ("against", r, X, Y), (("isnt", q, X), ("term", Y))
            yield ("listed", r, X), (("isnt", q, X),)
        case "range":
            yield ("is", q, Y), (("for", r, X, Y),)
            yield ("against", r, X, Y), (("isnt", q, Y), ("term", X))
        case "disjoint_classes":
            yield ("isnt", r, X), (("is", q, X),)
            yield ("isnt", q, X), (("is", r, X),)
        case "complete":
            yield ("against", r, X, Y), (("absent", r, X, Y),)
            yield ("listed", r, X), (("known", X),)
        case "complete_for":
            yield ("against", r, X, Y), (("absent", r, X, Y), ("is", q, X))
            yield ("listed", r, X), (("is", q, X), ("known", X))
        case "complete_subject":
            yield ("against", r, q, Y), (("absent", r, q, Y),)
            yield ("listed", r, q), (("known", q),)
        case "single":
            yield ("single", r), ()
        case "starts":
            yield ("listed", r, X), (("isnt", q, X),)
        case "ends":
            yield ("against", r, X, Y), (("isnt", q, Y), ("term", X))
        case "alike":
            yield ("listed", r, X), (("listed", q, X),)


def _rule(book: RuleBook, rule: s.Rule, pick: Callable[[Sequence[str]], str]) -> Clause:
    """A hard rule as an implication."""
    anonymous = iter(range(len(rule.body) * 2))
    values = value_variables(book, rule)

    def term(written: s.Term, datatype: str = "") -> str | Var:
        if written.kind is s.TermKind.ANONYMOUS:
            return Var(f"_{next(anonymous)}")
        if written.is_variable:
            return Var(written.text)
        if datatype:
            return value_key(written.text, datatype)
        return pick(["e" + id_ for id_ in book.entity_ids(written)])

    def pattern(condition: s.Condition) -> Pattern:
        if isinstance(condition, s.Comparison):
            datatype = side_datatype(condition, values)
            sides = tuple(term(side, datatype) for side in condition.terms)
            return ("equal" if condition.operator == "=" else "differ", *sides)
        atom = condition.atom
        if isinstance(atom, s.ClassAtom):
            cls = "e" + book.kg_name(atom.cls.text)
            return "isnt" if condition.negated else "is", cls, term(atom.term)
        subject, object_ = atom.arguments
        sign, name = "against" if condition.negated else "for", atom.relations[0].text
        return sign, name, term(subject), term(object_, book.datatype(name))

    joined = [("exact", Var(name)) for name in joined_values(rule, values)]
    return pattern(rule.head), (*map(pattern, rule.body), *joined)


def joined_values(rule: s.Rule, values: dict[str, str]) -> list[str]:
    """The variables for values that several conditions of a body must agree on: a value that is
    not known exactly is not provably the same twice."""
    agreed = [
        term.text
        for condition in dict.fromkeys(rule.body)
        if (condition.operator == "=" if isinstance(condition, s.Comparison) else True)
        and not (isinstance(condition, s.Literal) and condition.negated)
        for term in condition.terms
        if term.kind is s.TermKind.VARIABLE and term.text in values
    ]
    return [name for name in dict.fromkeys(agreed) if agreed.count(name) > 1]
