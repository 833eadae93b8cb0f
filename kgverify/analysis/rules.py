"""Rules that can't fire, that others make superfluous, or that contradict another statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from kgverify.analysis import things
from kgverify.analysis.blocks import torn_block
from kgverify.analysis.domains import Bound, in_scope, reach, rules_domain
from kgverify.analysis.guessing import CLASH, Deadline, Example, Guesses, Look
from kgverify.analysis.questions import PROVEN
from kgverify.analysis.results import Finding
from kgverify.analysis.things import Thing
from kgverify.errors import Problem, Span, counted
from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.datalog import Atom, Rule
from kgverify.reasoning.program import encoding, evidence_program, named
from kgverify.reasoning.rules import Resolver, compile_rule, hard_rules

_OTHER = "without_"
_FOR, _AGAINST = ("for", "is_a"), ("against", "isnt_a")
_RESTATE = ("symmetric", "inverse", "subrelation")
_FIRES = "#show fires/1."
# Evidence that is there with the rule and not without it.
_LOST = """
lost :- concerned(R), for(R,S,O), not without_for(R,S,O).
lost :- concerned(R), against(R,S,O), not without_against(R,S,O).
lost :- kind(C), is_a(E,C), not without_is_a(E,C).
lost :- kind(C), isnt_a(E,C), not without_isnt_a(E,C).
"""


def rule_findings(
    book: RuleBook, rule: s.Rule, bound: Bound, deadline: Deadline
) -> Iterator[Finding]:
    """What is wrong with a rule by itself.  Raises LimitReached when the time is over."""
    names = things.body_names(book, rule)
    domain = rules_domain(book, names, bound, True, [rule])
    scope = in_scope(book, things.scope([book], names))
    rest = replace(book, rules=tuple(r for r in book.rules if r is not rule))

    def fires(resolve: Resolver) -> list[Rule]:
        return [replace(next(compile_rule(book, rule, resolve)), head=Atom("fires", ("yes",)))]

    looks = [Look(book, scope, more=fires), Look(rest, scope, prefix=_OTHER)]
    guesses = Guesses(domain, looks, _FIRES + _LOST, deadline)
    places = {condition.span for condition in rule.body}
    known = any(p.code == "never-fires" and p.span in places for p in book.warnings)
    claim, name = PROVEN if known else reach(bound, domain), book.rule_id(rule)
    if guesses.some("fires(yes)") is None:
        yield Finding(
            _problem(
                "rule-never-fires",
                f"rule `{name}` fires on no graph that agrees with the rule file",
                rule.span,
                "see which conditions of its body exclude each other",
                name,
            ),
            claim,
        )
    elif guesses.some("lost") is None:
        yield Finding(
            _problem(
                "rule-superfluous",
                f"what rule `{name}` concludes follows without it: removing it changes no verdict",
                rule.span,
                "remove it",
                name,
            ),
            claim,
        )


def _problem(code: str, message: str, span: Span, hint: str, subject: str) -> Problem:
    return Problem(code, message, span, hint, severity="warning", subject=subject)


# ---------------------------------------------------------------- an atom and its negation


@dataclass(frozen=True)
class _Source:
    """A rule or a declaration with the rules of the program that conclude by it."""

    text: str
    span: Span | None
    is_rule: bool
    rules: tuple[Rule, ...]


class Contradictions:
    """The pairs of statements of a rule file that can derive an atom of one relation or class, and
    its negation.

    The graphs agree with the declarations of the rule file, without its rules, and deny nothing."""

    def __init__(self, book: RuleBook, name: str, bound: Bound, deadline: Deadline) -> None:
        self._book, self._name = book, name
        self._bound, self._deadline = bound, deadline
        bare = replace(book, questions={})
        self._bare = bare
        self._derive = _sources(bare, _FOR, named, name)
        self._refute = _sources(bare, _AGAINST, named, name)

    def findings(self) -> Iterator[Finding]:
        """Each pair with the smallest graph that shows it.  Raises LimitReached when the time is
        over."""
        pairs = [
            (f, a)
            for (f, one), (a, other) in product(enumerate(self._derive), enumerate(self._refute))
            if one.is_rule or other.is_rule
        ]
        if not pairs:
            return
        self._guesses = self._guess()
        for f, a in pairs:
            wanted = f"torn({_number(f)},{_number(a)})"
            example = self._guesses.smallest(wanted, consistent=(_OTHER + CLASH,))
            if example is not None:
                yield self._finding(self._derive[f], self._refute[a], example, f, a)

    def _guess(self) -> Guesses:
        book, name = self._bare, self._name
        names = things.rests_on(book, name)
        rules = things.rules_about(book, {name})
        domain = rules_domain(book, names, self._bound, False, rules)
        scope = in_scope(book, things.scope([book], names))

        def told(resolve: Resolver) -> list[Rule]:
            return [
                *_told("derives", _sources(book, _FOR, resolve, name)),
                *_told("refutes", _sources(book, _AGAINST, resolve, name)),
            ]

        declared = replace(book, rules=tuple(r for r in book.rules if not r.body))
        looks = [Look(book, scope, more=told), Look(declared, scope, prefix=_OTHER)]
        return Guesses(domain, looks, encoding("both.lp"), self._deadline)

    def _torn(self, example: Example, f: int, a: int) -> tuple[str, list[Thing]]:
        """The relation or class, and the terms, of an atom that is torn between the two."""
        pair = f"{_number(f)},{_number(a)},"
        starts = f"torn({pair}", f"torn_a({pair}"
        atom = min(x for x in example.shown if x.startswith(starts) and x.count(",") > 1)
        is_class = atom.startswith(starts[1])
        inner = atom[len(starts[is_class]) : -1].split(",")
        name, ids = (inner[-1], inner[:1]) if is_class else (inner[0], inner[1:])
        return name.strip('"'), [self._guesses.thing(int(id)) for id in ids]

    def _finding(self, one: _Source, other: _Source, example: Example, f: int, a: int) -> Finding:
        first, second = (one, other) if one.is_rule else (other, one)
        problem = Problem(
            "derives-both",
            f"{one.text} concludes what {other.text} refutes",
            first.span,
            "a condition in the rule's body keeps them apart, unless such graphs are wrong",
            severity="warning",
            notes=((second.span, second.text),) if second.span else (),
        )
        block = torn_block(self._book, example, self._torn(example, f, a))
        return Finding(
            problem,
            f"shown by a graph of {counted(len(example.facts), 'fact')}",
            (block,),
        )


def _sources(
    book: RuleBook, predicates: tuple[str, str], resolve: Resolver, name: str
) -> list[_Source]:
    """What concludes about a relation or class with these predicates: the rules of the rule file,
    and its declarations."""
    found: dict[tuple[str, Span | None], list[Rule]] = {}
    for rule in (*evidence_program(book, resolve), *hard_rules(book, resolve)):
        origin = rule.origin
        concludes = rule.head.predicate in predicates and _about(rule.head) == name
        if concludes and origin.kind != "encoding" and not _restates(rule):
            found.setdefault((origin.text, origin.span), []).append(rule)
    return [
        _Source(_words(book, text, span), span, of[0].origin.kind == "rule", tuple(of))
        for (text, span), of in found.items()
    ]


def _restates(rule: Rule) -> bool:
    """Does a declaration only say a fact, or a refutation, in other words?"""
    return rule.origin.kind == "schema" and rule.origin.statement[0] in _RESTATE


def _words(book: RuleBook, text: str, span: Span | None) -> str:
    rule = next((r for r in book.rules if r.span == span and r.body), None)
    return f"rule `{book.rule_id(rule)}`" if rule else f"“{text}”"


def _about(head: Atom) -> str:
    place = 1 if head.predicate in ("is_a", "isnt_a") else 0
    return str(head.arguments[place])


def _number(source: int) -> str:
    """A source by its number; numbers themselves are terms of the graph."""
    return f"s{source}"


def _told(predicate: str, sources: Sequence[_Source]) -> Iterator[Rule]:
    """The rules of each source, with a conclusion that says whose it is."""
    for number, source in enumerate(sources):
        for rule in source.rules:
            is_class = rule.head.predicate in ("is_a", "isnt_a")
            name = predicate + ("_a" if is_class else "")
            yield replace(rule, head=Atom(name, (_number(number), *rule.head.arguments)))
