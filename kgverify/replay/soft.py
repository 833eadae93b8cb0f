"""An independent check of plausibility: do the soft rules speak for what they are said to speak
for, and does that come to what is said?

A soft rule speaks for an atom where its body holds, for one choice of its variables, and its head
is the atom or says the same in other words.  The conditions of the body have proofs like any
constraint; that each is a condition of the rule, about the right things, is checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from kgverify.errors import Problem
from kgverify.graph.terms import is_exact, value_key
from kgverify.language import syntax as s
from kgverify.language.datatypes import value_variables
from kgverify.language.printing import rule_text
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.language.sameness import Constants, Form, Forms, alike
from kgverify.replay.checker import underivable
from kgverify.replay.statements import joined_values
from kgverify.vocabulary import Backing, Claim, Explanation, Plausible, Proof

Sides = tuple[Fraction, Fraction]
Said = tuple[str, tuple[str, ...]]  # a relation or class, and its terms
_DECIDED: dict[str, Sides] = {
    "sat": (Fraction(1), Fraction(0)),
    "viol": (Fraction(0), Fraction(1)),
    "conflict": (Fraction(0), Fraction(0)),
}


@dataclass(frozen=True)
class Known:
    """What the graph says of names: the classes above a class of the rule file, the one key that
    stands for all names of an entity, and that of a constant of the rule file."""

    above: Callable[[str], Collection[str]]
    one: Callable[[str], str]
    constant: Constants


def check_plausibility(explanation: Explanation, book: RuleBook, known: Known) -> list[Problem]:
    """Everything that is said of soft rules and does not follow."""
    checker = _Checker(explanation.combine, book, known)
    for explained in explanation.constraints:
        constraint, plausible = explained.constraint, explained.plausible
        said = constraint.plausibility
        if plausible is None:
            if said is not None or constraint.basis == "inferred":
                checker.fault(f"`{constraint.text}` is said to be plausible, and nothing shows it")
            continue
        pro, con = checker.sides(plausible)
        if plausible.claim.text != constraint.text:
            checker.fault(f"`{plausible.claim.text}` is not `{constraint.text}`")
        if said is None or (said.pro, said.con) != (float(pro), float(con)):
            checker.fault(f"`{constraint.text}` is plausible by {float(pro)}, against {float(con)}")
        if constraint.basis == "inferred":
            from_ = _share(explanation.infer_from)
            counts = (
                "" if from_ is None else "sat" if pro >= from_ else "viol" if con >= from_ else ""
            )
            if counts != constraint.status:
                checker.fault(f"`{constraint.text}` is not plausible enough to be inferred")
    return [Problem("not-replayed", message) for message in checker.faults]


def _share(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


class _Checker:
    """Works plausibilities out again, and collects what is wrong."""

    def __init__(self, combine: str, book: RuleBook, known: Known) -> None:
        self._combine, self._book, self._known = combine, book, known
        self._rules = {rule_text(soft.rule): soft for soft in book.soft}
        self._forms = Forms(book, known.constant)
        self.faults: dict[str, None] = {}

    def fault(self, message: str) -> None:
        self.faults[message] = None

    def sides(self, plausible: Plausible) -> Sides:
        """How plausible a constraint is, and its denial."""
        claim = plausible.claim
        if plausible.proof is not None:
            found = self._proved(plausible.proof, claim)
        elif claim.kind == "group":
            found = self._group(plausible)
        else:
            value = self._value(plausible)
            found = (Fraction(0), value) if claim.negated else (value, Fraction(0))
        if (plausible.pro, plausible.con) != tuple(map(float, found)):
            self.fault(f"`{claim.text}` is not as plausible as is said")
        return found

    def _proved(self, proof: Proof, claim: Claim) -> Sides:
        if not _is_of(proof.claim, claim):
            self.fault(f"the proof of `{proof.claim.text}` is none of `{claim.text}`")
        for what in underivable(proof, self._book):
            self.fault(f"`{what}` does not follow from what is cited")
        return _DECIDED[proof.status]

    def _group(self, plausible: Plausible) -> Sides:
        claim = plausible.claim
        same = [member.claim for member in plausible.members] == list(claim.members)
        if not same or claim.size != len(claim.members) or not 0 < claim.least <= claim.size:
            self.fault(f"the members of `{claim.text}` are not those that are weighed")
            return Fraction(0), Fraction(0)
        found = [self.sides(member) for member in plausible.members]
        pros = sorted((pro for pro, _ in found), reverse=True)
        cons = sorted((con for _, con in found), reverse=True)
        return pros[claim.least - 1], cons[claim.size - claim.least]

    def _value(self, plausible: Plausible) -> Fraction:
        """How plausible an atom is, by the rules that do speak for it."""
        weights: dict[str, Fraction] = {}
        for backing in plausible.backings:
            fault = self._backing(backing, plausible.claim)
            if fault:
                self.fault(f"`{backing.statement}` does not speak for it: {fault}")
            else:
                weights[backing.statement] = Fraction(Decimal(backing.weight))
        if self._combine != "noisy-or":
            return max(weights.values(), default=Fraction(0))
        reasons: dict[int, Fraction] = {}
        same = alike([self._said(statement, plausible.claim) for statement in weights])
        for first, weight in zip(same, weights.values(), strict=True):
            reasons[first] = max(weight, reasons.get(first, weight))
        doubt = Fraction(1)
        for weight in reasons.values():
            doubt *= 1 - weight
        return 1 - doubt

    def _said(self, statement: str, claim: Claim) -> list[Form]:
        """What a soft rule says of atoms such as the claim's, with its head in the claim's words:
        there may be two ways to put it so, the terms exchanged or not."""
        form = self._forms.of(self._rules[statement].rule)
        if claim.kind == "class":
            return [form.as_head("", False)]
        ways = self._alike(form.head[0], ("subject", "object"), False)
        return [
            form.as_head("", terms[0] == "object")
            for name, terms in sorted(ways)
            if name == claim.name
        ]

    def _backing(self, backing: Backing, claim: Claim) -> str:
        """Why a soft rule does not speak for an atom, "" if it does."""
        soft = self._rules.get(backing.statement)
        try:
            weight = Decimal(backing.weight)
        except InvalidOperation:
            return "its weight is no number"
        if soft is None or soft.weight != weight:
            return "the rule file has no such soft rule"
        if claim.kind not in ("relation", "ever", "class"):
            return "soft rules speak for atoms only"
        names = tuple(map(self._known.one, backing.terms))
        if (claim.name, tuple(map(self._known.one, claim.terms))) not in self._alike(
            backing.name, names, claim.kind == "class"
        ):
            return "its head says something else"
        values = self._matched(soft.rule, backing)
        if values is None:
            return "its body is not what is shown"
        joined = joined_values(soft.rule, value_variables(self._book, soft.rule))
        if any(not is_exact(values[name]) for name in joined):
            return "two conditions join on a value that is not known exactly"
        for proof in backing.proofs:
            if proof.status == "viol" or underivable(proof, self._book):
                return f"`{proof.claim.text}` does not follow from what is cited"
        return ""

    def _alike(self, name: str, terms: tuple[str, ...], is_class: bool) -> set[Said]:
        """What an atom says in other words, itself included: worked out here, and not by what the
        engine goes by."""
        if is_class:
            return {(above, terms) for above in (name, *self._known.above(name))}
        found: set[Said] = set()
        todo = [(name, terms)]
        while todo:
            said = todo.pop()
            if said in found:
                continue
            found.add(said)
            own, pair = said
            turned = pair[::-1]
            for relation in self._book.relations.values():
                for item in relation.properties:
                    first, other = relation.name.text, item.target.text if item.target else ""
                    if item.kind == "symmetric" and own == first:
                        todo.append((own, turned))
                    elif item.kind == "subrelation" and own == first:
                        todo.append((other, pair))
                    elif item.kind == "inverse" and own in (first, other):
                        todo.append((other if own == first else first, turned))
        return found

    def _matched(self, rule: s.Rule, backing: Backing) -> dict[str, str] | None:
        """What the variables stand for, so that the conditions are what is proved and the head is
        what is concluded; None where nothing does that."""
        body = list(dict.fromkeys(rule.body))
        denied = [c for c in body if isinstance(c, s.Literal) and c.negated]
        ordered = [*(c for c in body if c not in denied), *denied]
        if len(ordered) != len(backing.proofs):
            return None
        values: dict[str, str] = {}
        pairs: list[tuple[s.Term, str, str]] = []  # term, its datatype, key
        for condition, proof in zip(ordered, backing.proofs, strict=True):
            claim = proof.claim
            expected, terms = self._shape(condition)
            if (claim.kind, claim.name, claim.negated) != expected:
                return None
            if len(claim.terms) != len(terms):
                return None
            pairs += [(t, d, key) for (t, d), key in zip(terms, claim.terms, strict=True)]
        (_, name, _), terms = self._shape(rule.head)
        if name != backing.name or len(terms) != len(backing.terms):
            return None
        pairs += [(t, d, key) for (t, d), key in zip(terms, backing.terms, strict=True)]
        for term, datatype, key in pairs:
            if not self._stands_for(term, datatype, self._known.one(key), values):
                return None
        return values

    def _shape(
        self, condition: s.Condition
    ) -> tuple[tuple[str, str, bool], list[tuple[s.Term, str]]]:
        """What a claim of a condition has to be, and the condition's terms with their datatypes:
        "" for an entity, "?" for what a comparison compares."""
        if isinstance(condition, s.Comparison):
            shape = "same", "", condition.operator == "!="
            return shape, [(term, "?") for term in condition.terms]
        atom = condition.atom
        if isinstance(atom, s.ClassAtom):
            return ("class", atom.cls.text, condition.negated), [(atom.term, "")]
        name = atom.relations[0].text
        subject, object_ = atom.terms
        places = [(subject, ""), (object_, self._book.datatype(name))]
        return ("relation", name, condition.negated), places

    def _stands_for(self, term: s.Term, datatype: str, key: str, values: dict[str, str]) -> bool:
        if term.kind is s.TermKind.ANONYMOUS:
            return True
        if term.kind is s.TermKind.VARIABLE:
            return values.setdefault(term.text, key) == key
        keys = ["e" + name for name in self._book.entity_ids(term)]
        if datatype:
            types = DATATYPES if datatype == "?" else (datatype,)
            keys = [*(keys if datatype == "?" else ()), *(value_key(term.text, t) for t in types)]
        return key in map(self._known.one, keys)


def _is_of(proved: Claim, claim: Claim) -> bool:
    """Is a proved claim the claim, or, of a group, about members of it?"""
    if (proved.kind, proved.name, proved.terms, proved.negated, proved.closed) != (
        *(claim.kind, claim.name, claim.terms, claim.negated, claim.closed),
    ):
        return False
    if (proved.least, proved.size) != (claim.least, claim.size):
        return False
    left = list(claim.members)
    for member in proved.members:
        fitting = next((other for other in left if _is_of(member, other)), None)
        if fitting is None:
            return False
        left.remove(fitting)
    return True
