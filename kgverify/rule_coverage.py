"""Which parts of a rule file its tests exercise, by the proofs of what came out.

An expectation that fails exercises nothing.  One that passes exercises its question; each
constraint of it with the status that came out; the members that decided a group; and every
statement that a proof of one of these constraints cites.  Proofs are minimal (`explaining.py`), so
a statement that is cited is one without which the proof would be another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from kgverify.errors import Span
from kgverify.language import syntax as s
from kgverify.language.dependencies import reached
from kgverify.language.parsing import parse_path
from kgverify.language.printing import condition_text, rule_text, term_text
from kgverify.language.rulebook import RuleBook
from kgverify.language.suites import Suite
from kgverify.reasoning.knowledge import SUBCLASS
from kgverify.reasoning.program import CompiledConstraint, compile_question
from kgverify.reasoning.views import normal, only_declaration
from kgverify.rule_tests import Outcome, run_tests
from kgverify.verdicts import Verdict
from kgverify.vocabulary import Citation, Explained, Proof

STATUSES = ("sat", "viol", "unk")
DECIDING = STATUSES[:2]
_Key = tuple[str, ...]

_PROPERTIES = {
    "functional_at_a_time": "functional at a time",
    "inverse_functional": "inverse functional",
    "inverse": "inverse of",
    "subrelation": "sub of",
}


@dataclass(frozen=True, slots=True)
class RulePlace:
    """Something in a rule file that tests may exercise.

    `kind` is `rule`, `fact`, `soft rule`, `question`, `constraint`, `member` (of a group),
    `exception`, `complete`, `disjoint`, `property` (of a relation), `subclass` or `same`; `text`
    says which.  `way` is the status that a constraint, or a group by a member, came to, else "".
    `tests` are the places of the expectations that exercise it, in order."""

    kind: str
    text: str
    span: Span
    way: str = ""
    tests: tuple[Span, ...] = ()

    @property
    def is_exercised(self) -> bool:
        return bool(self.tests)

    def __str__(self) -> str:
        match self.kind, self.way:
            case "constraint", way:
                return f"{self.text}: never {way}"
            case "member", way:
                return f"{self.text}: never makes its group {way}"
            case "exception", _:
                return f"except {self.text}: never what makes the constraint sat"
            case kind, _:
                return f"{kind} {self.text}"


@dataclass(frozen=True)
class RuleCoverage:
    """What the tests of one rule file exercise of it: `places`, in file order.  `idle` are the
    declarations on which no question can rest, so that no test can exercise them: they don't count.
    `failed` are the expectations that fail, and `tests` counts all."""

    path: str
    places: tuple[RulePlace, ...]
    idle: tuple[RulePlace, ...]
    tests: int
    failed: tuple[Outcome, ...]

    @cached_property
    def missed(self) -> tuple[RulePlace, ...]:
        """What no test exercises."""
        return tuple(place for place in self.places if not place.is_exercised)

    @property
    def share(self) -> Fraction:
        """The share of the places that tests exercise; 1 where there are none."""
        places = len(self.places)
        return Fraction(places - len(self.missed), places) if places else Fraction(1)


def measure_coverage(suite: Suite) -> RuleCoverage:
    """What the tests of a rule file exercise: its own, and those of the file beside it."""
    places = dict(_places(suite.book))
    tests: dict[_Key, list[Span]] = {key: [] for key in places}
    failed: list[Outcome] = []
    number = 0
    for book in suite.parts.values():
        for outcome in run_tests(book):
            number += 1
            if not outcome.passed:
                failed.append(outcome)
            for key in exercised(book, outcome) & tests.keys():
                tests[key].append(outcome.span)
    found = {
        key: RulePlace(place.kind, place.text, place.span, place.way, tuple(tests[key]))
        for key, place in places.items()
    }
    idle = _idle(suite.book) & found.keys()
    counted = [place for key, place in found.items() if key not in idle]
    return RuleCoverage(
        suite.book.path,
        _in_order(counted),
        _in_order([found[key] for key in idle]),
        number,
        tuple(failed),
    )


def _in_order(places: list[RulePlace]) -> tuple[RulePlace, ...]:
    return tuple(sorted(places, key=lambda place: (place.span.line, place.span.column)))


# ---------------------------------------------------------------- what there is


def _places(book: RuleBook) -> Iterator[tuple[_Key, RulePlace]]:
    """Everything that can be exercised, by what tells it apart from all else."""
    for cls in book.classes.values():
        for parent in cls.supers:
            text = f"`{cls.name} sub of {parent}`"
            yield ("subclass", str(cls.span), parent.text), RulePlace("subclass", text, parent.span)
    for relation in book.relations.values():
        for item in relation.properties:
            said = _PROPERTIES.get(item.kind, item.kind) + (
                f" {item.target}" if item.target else ""
            )
            text = f"`{relation.name}: {said}`"
            yield ("property", str(item.span)), RulePlace("property", text, item.span)
    for disjoint in book.disjoint:
        for name in disjoint.names:
            place = RulePlace("disjoint", f"`{name}`", name.span)
            yield ("disjoint", str(disjoint.span), name.text), place
    for complete in book.complete:
        place = RulePlace("complete", f"`{complete.relation}`", complete.span)
        yield ("complete", str(complete.span)), place
    for same in book.same:
        text = "`" + ", ".join(map(term_text, same.terms)) + "`"
        yield ("same", str(same.span)), RulePlace("same", text, same.span)
    for rule in book.rules:
        kind, text = ("rule", book.rule_id(rule)) if rule.body else ("fact", rule_text(rule))
        yield (kind, rule_key(rule)), RulePlace(kind, f"`{text}`", rule.span)
    for soft in book.soft:
        text = f"`{book.rule_id(soft.rule)}`"
        yield ("soft rule", str(soft.span)), RulePlace("soft rule", text, soft.span)
    for question in book.questions.values():
        yield from _asked(book, question)


def rule_key(rule: s.Rule) -> str:
    """What proofs cite a hard rule by, or a fact of the rule file."""
    return rule_text(rule) if rule.body else str(rule.span)


def _idle(book: RuleBook) -> set[_Key]:
    """The declarations that make evidence which no question asks about, nor what it asks about
    rests on."""
    asked = reached(book)
    idle: set[_Key] = set()
    for cls in book.classes.values():
        for parent in cls.supers:
            if not asked & {("for", parent.text), ("against", cls.name.text)}:
                idle.add(("subclass", str(cls.span), parent.text))
    for relation in book.relations.values():
        for item in relation.properties:
            sides = {"for"} if item.kind == "transitive" else {"against"}
            names = [relation.name.text]
            if item.kind in ("symmetric", "inverse", "subrelation"):
                sides = {"for", "against"}
                names += [item.target.text] if item.target else []
            if not asked & {(side, name) for side in sides for name in names}:
                idle.add(("property", str(item.span)))
    for disjoint in book.disjoint:
        for name in disjoint.names:
            # Of a pair, the one is evidence against the other.
            if not any(("against", other.text) in asked for other in disjoint.names):
                idle.add(("disjoint", str(disjoint.span), name.text))
    for complete in book.complete:
        if ("against", complete.relation.text) not in asked:
            idle.add(("complete", str(complete.span)))
    return idle


def _asked(book: RuleBook, question: s.Question) -> Iterator[tuple[_Key, RulePlace]]:
    """What can be exercised of a question."""
    name = question.name.text
    yield ("question", name), RulePlace("question", f"`{name}`", question.name.span)
    template = compile_question(book, question)
    for compiled in template.constraints:
        text = f"`{_words(compiled)}`"
        span = compiled.condition.span
        if compiled.item:
            for way in STATUSES:
                yield (
                    ("constraint", name, compiled.id, way),
                    RulePlace("constraint", text, span, way),
                )
        if compiled.kind != "group":
            continue
        members = [template.constraints[index] for index in compiled.members]
        if compiled.exceptions:
            for member, term in zip(members, dict.fromkeys(compiled.exceptions), strict=False):
                key = ("member", name, member.id, "sat")
                yield key, RulePlace("exception", f"`{term_text(term)}`", term.span, "sat")
        elif len(members) > 1:
            for member in members:
                said, at = f"`{_words(member)}`", member.condition.span
                for way in DECIDING:
                    yield ("member", name, member.id, way), RulePlace("member", said, at, way)


def _words(compiled: CompiledConstraint) -> str:
    """A constraint as its status says it: what is excluded, with `not`."""
    return condition_text(s.signed(compiled.condition, compiled.negated))


# ---------------------------------------------------------------- what a test exercises


def exercised(book: RuleBook, outcome: Outcome) -> set[_Key]:
    """What an expectation exercises; nothing when it fails."""
    verdict = outcome.verdict
    if verdict is None or not outcome.passed:
        return set()
    name = outcome.question
    found: set[_Key] = {("question", name)}
    found |= {("constraint", name, id_, status) for id_, status in verdict.statuses.items()}
    found |= {("member", name, id_, status) for id_, status in _deciding(book, verdict, name)}
    for explained in verdict.explain().constraints:
        found |= set(_cited(book, explained))
    return found


def _deciding(book: RuleBook, verdict: Verdict, name: str) -> Iterator[tuple[str, str]]:
    """The members that decide groups, each with what it makes of its group.  An exception does
    only where the constraint does not hold of itself."""
    template = compile_question(book, book.questions[name])
    exempt = {
        template.constraints[member].id: template.constraints[compiled.members[-1]].id
        for compiled in template.constraints
        if compiled.exceptions
        for member in compiled.members[:-1]
    }
    for id_, status in verdict.deciding.items():
        if id_ not in exempt or verdict.parts[exempt[id_]] != "sat":
            yield id_, status


def _cited(book: RuleBook, explained: Explained) -> Iterator[_Key]:
    """The statements of the rule file that a constraint rests on."""
    if explained.proof is not None:
        yield from _in_proof(book, explained.proof)
    plausible = explained.constraint.plausibility
    for soft in book.soft if plausible else ():
        if plausible and any(line.endswith(f" [{soft.span}]") for line in plausible.rules):
            yield ("soft rule", str(soft.span))


def _in_proof(book: RuleBook, proof: Proof) -> Iterator[_Key]:
    for citation in proof.citations:
        match citation.kind:
            case "fact" if citation.name == SUBCLASS:
                for name in book.classes:
                    if "e" + book.kg_name(name) == citation.terms[1]:
                        yield ("subclass", citation.source, name)
            case "fact" | "denial":
                yield ("fact", citation.source)
            case "same":
                yield ("same", citation.source)
            case "statement":
                yield from _stated(book, citation)


def _stated(book: RuleBook, citation: Citation) -> Iterator[_Key]:
    """What a citation of a statement says of the rule file."""
    name, terms, source = citation.name, citation.terms, citation.source
    if name == "rule":
        yield ("rule", terms[0])
    elif name in ("disjoint", "disjoint_classes"):
        yield from (("disjoint", source, one) for one in terms)
    elif name in ("complete", "complete_for", "complete_subject"):
        yield ("complete", source)
    else:
        yield ("property", source)
        predicate = {"single": "functional"}.get(name, name)
        path = parse_path(terms[0]) if predicate in ("functional", "inverse_functional") else None
        if path is not None:  # a path has one end because its steps have
            spans = only_declaration(book, normal(path, book), predicate)
            yield from (("property", str(span)) for span in spans)
