"""What one rule of a rule file says, what it needs, what rests on it, and where a test shows it at
work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kgverify.errors import Problem, RuleError, Span, article, did_you_mean, in_words
from kgverify.language import syntax as s
from kgverify.language.dependencies import used_by
from kgverify.language.printing import condition_text, quoted, rule_text
from kgverify.language.rulebook import RuleBook
from kgverify.language.suites import Suite
from kgverify.reasoning.explanation import fill
from kgverify.rule_coverage import exercised, rule_key
from kgverify.rule_tests import Outcome, run_tests


@dataclass(frozen=True, slots=True)
class RulePart:
    """The head of a rule or a condition of its body: as written, in words, and the rules that may
    conclude it beside what the graph states."""

    text: str
    words: str
    concluded_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleStory:
    """A rule told: `kind` is `rule`, `fact` or `soft rule`, `weight` that of a soft rule, else "".

    `used_by` are the rules that have its head among their conditions, `questions` those whose
    constraints may rest on it.  `examples` are the expectations that pass and exercise it, each
    with its verdict, in the order of the tests."""

    name: str
    kind: str
    weight: str
    text: str
    sentence: str
    span: Span
    head: RulePart
    body: tuple[RulePart, ...]
    used_by: tuple[str, ...]
    questions: tuple[str, ...]
    examples: tuple[Outcome, ...]


def explain_rule(suite: Suite, name: str) -> RuleStory:
    """The story of the rule that has this name, or stands in this line (`12` or `line 12`).

    Raises RuleError when there is none."""
    book = suite.book
    rule, weight = _find(book, name)
    soft = next((soft for soft in book.soft if soft.rule is rule), None)
    kind = "soft rule" if soft else "rule" if rule.body else "fact"
    key = (kind, str(soft.span) if soft else rule_key(rule))
    examples = (
        outcome
        for tests in suite.parts.values()
        for outcome in run_tests(tests)
        if key in exercised(tests, outcome)
    )
    about = _name(rule.head)
    return RuleStory(
        book.rule_id(rule),
        kind,
        weight,
        rule_text(rule),
        rule.sentence,
        rule.span,
        _part(book, rule.head),
        tuple(_part(book, condition) for condition in dict.fromkeys(rule.body)),
        tuple(_users(book, rule)),
        tuple(q for q in book.questions if about in used_by(book, [q], soft=True)),
        tuple(examples),
    )


def _find(book: RuleBook, name: str) -> tuple[s.Rule, str]:
    """The rule with its weight, "" for a hard one."""
    weights = {id(soft.rule): f"{soft.weight:f}" for soft in book.soft}
    rules = sorted(book.implications, key=lambda rule: (rule.span.line, rule.span.column))
    number = name.removeprefix("line ").strip()
    found = [rule for rule in rules if rule.name == name]
    if not found and number.isdecimal():
        found = [rule for rule in rules if _first(book, rule) <= int(number) <= _last(rule)][:1]
    if not found:
        names = [rule.name for rule in rules if rule.name]
        hint = did_you_mean(name, names) or "name a rule, or the line of one"
        message = f"there is no rule `{name}`"
        raise RuleError(Problem("unknown-rule", message, Span(book.path), hint))
    return found[0], weights.get(id(found[0]), "")


def _first(book: RuleBook, rule: s.Rule) -> int:
    return min([rule.span.line, *(soft.span.line for soft in book.soft if soft.rule is rule)])


def _last(rule: s.Rule) -> int:
    """The last line on which something of the rule begins."""
    return max(part.span.line for part in (rule, rule.head, *rule.body))


def _part(book: RuleBook, condition: s.Condition) -> RulePart:
    concluding: tuple[str, ...] = ()
    if isinstance(condition, s.Literal):
        concluding = tuple(
            book.rule_id(rule)
            for rule in book.rules
            if rule.body
            and rule.head.negated == condition.negated
            and _name(rule.head) == _name(condition)
        )
    return RulePart(condition_text(condition), _words(book, condition), concluding)


def _users(book: RuleBook, rule: s.Rule) -> Iterator[str]:
    """The rules that have the head of a rule, or what says the same, among their conditions."""
    names = {name for name, _ in book.says(_name(rule.head))}
    for other in book.implications:
        for condition in other.body:
            if (
                isinstance(condition, s.Literal)
                and condition.negated == rule.head.negated
                and _name(condition) in names
            ):
                yield book.rule_id(other)
                break


def _name(literal: s.Literal) -> str:
    """The class or relation of an atom of a rule."""
    atom = literal.atom
    return atom.cls.text if isinstance(atom, s.ClassAtom) else atom.relations[0].text


def _words(book: RuleBook, condition: s.Condition) -> str:
    """A condition in the sentences of the rule file, about the variables."""
    if isinstance(condition, s.Comparison):
        same = "the same" if condition.operator == "=" else "different"
        return f"{_term(condition.left)} and {_term(condition.right)} are {same}"
    said = _said(book, condition.atom)
    return f"it is false that {said}" if condition.negated else said


def _said(book: RuleBook, atom: s.Atom) -> str:
    if isinstance(atom, s.ClassAtom):
        sentence = book.classes[atom.cls.text].sentence
        if "{0}" in sentence:
            return fill(sentence, {"0": _term(atom.term)})
        return f"{_term(atom.term)} is {article(in_words(atom.cls.text))}"
    relation = book.relations[atom.relations[0].text]
    terms = {str(n): _term(term) for n, term in enumerate(atom.terms)}
    said = f"{relation.name} of {{0}} is {{1}}" if not relation.sentence else relation.sentence
    return fill(said, terms)


def _term(term: s.Term) -> str:
    """A term in a sentence: whatever `_` stands for is something."""
    if term.kind is s.TermKind.ANONYMOUS:
        return "something"
    return term.text if term.kind is not s.TermKind.STRING else quoted(term.text)
