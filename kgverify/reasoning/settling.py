"""Which missing facts would settle an atom: the atom itself, and what rules lack to derive it.

A set of facts is named only when nothing speaks against it: what follows from it, together with
the evidence, must hold the atom and contradict nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from kgverify.reasoning.datalog import Atom, Compare, Condition, Rule, Variable
from kgverify.reasoning.evidence import (
    GUARDS,
    OPPOSITE,
    Evidence,
    Forward,
    Ground,
    Joins,
    opposite,
    stored,
    wanted,
)

FactSet = tuple[Ground, ...]  # evidence atoms to be stated
_UNDOES = {
    **{"maybe": "against", "open": "against", "undecided": "against"},
    **{"unlisted": "listed", "doubled": "counted"},
}
_MOST = 2  # facts in a set
_TRIED = 10  # instances of a rule that are tried, for each choice of what it lacks


class Proposer:
    """Proposes sets of facts from which an atom would follow; they may yet contradict something.

    `partial` are the rules without the conditions that they may lack: the evidence must be
    gathered for these too.  Atoms that are not `statable` are no facts; for what a question makes
    out of facts, its `paths`, the missing steps are proposed."""

    def __init__(
        self,
        rules: Sequence[Rule],
        statable: Callable[[Ground], bool],
        paths: frozenset[str] = frozenset(),
    ) -> None:
        self._rules, self._statable, self._paths = rules, statable, paths
        self._ways = [
            (rule, chosen)
            for size in range(1, _MOST + 1)
            for rule in rules
            if rule.head.predicate in OPPOSITE and (_is_hard(rule) or self._is_way(rule))
            for chosen in combinations(_lacked(rule), size)
            if not _leaves_open(rule, chosen)
        ]
        self.partial = [
            Rule(rule.head, tuple(c for n, c in enumerate(rule.body) if n not in chosen))
            for rule, chosen in self._ways
        ]

    def _is_way(self, rule: Rule) -> bool:
        """Does the rule lead along a path, or say that a path does not lead there, by steps?"""
        return (
            rule.head.arguments[0] in self._paths
            and rule.origin.statement[:1] != ("ends",)
            and not any(isinstance(c, Atom) and c.absent for c in rule.body)
        )

    def proposals(self, target: Ground, evidence: Evidence) -> list[FactSet]:
        """The atom alone; then what hard rules with its head, or the steps of a path, lack; the
        smallest sets first."""
        joins = Joins(self._rules, evidence)
        found: dict[FactSet, None] = {(target,): None}
        for sets in self._lacks(target, joins):
            stated = set(self._steps(sets, target, joins))
            found |= dict.fromkeys(sorted(stated, key=repr)[:_TRIED])
        fit = (f for f in found if all(map(self._statable, f)) and not _is_vague(f, evidence))
        return sorted(fit, key=len)

    def _lacks(self, target: Ground, joins: Joins) -> Iterator[set[FactSet]]:
        """What each way to derive an atom lacks, in all its instances."""
        evidence = joins.evidence
        for rule, chosen in self._ways:
            yield {
                tuple(sorted(set(facts), key=repr))
                for facts in joins.lacking(rule, target, chosen)
                if target not in facts
                and not any(f in evidence or opposite(f) in evidence for f in facts)
            }

    def _steps(self, sets: Iterable[FactSet], target: Ground, joins: Joins) -> Iterator[FactSet]:
        """The facts, as few as are tried, from which atoms that lack follow, where these are paths.

        Ways may lead round in a circle: each set is looked at once."""
        todo = list(sets)
        seen = set(todo)
        while todo:
            lacking = todo.pop()
            path = next((atom for atom in lacking if atom[1] in self._paths), None)
            if path is None:
                yield lacking
                continue
            rest = [atom for atom in lacking if atom != path]
            for found in self._lacks(path, joins):
                for instead in sorted(found, key=repr)[:_TRIED]:
                    facts = tuple(sorted({*rest, *instead}, key=repr))
                    # A path that leads on to itself leads nowhere new.
                    if len(facts) <= _MOST and not {target, path} & {*facts} and facts not in seen:
                        seen.add(facts)
                        todo.append(facts)


def _is_hard(rule: Rule) -> bool:
    return rule.origin.kind == "rule"


def _is_vague(facts: FactSet, evidence: Evidence) -> bool:
    return any(("vague", term) in evidence for fact in facts for term in fact[1:])


def _lacked(rule: Rule) -> list[int]:
    """The places of the conditions that ask for evidence."""
    return [n for n, c in enumerate(rule.body) if isinstance(c, Atom) and c.predicate in OPPOSITE]


def _leaves_open(rule: Rule, chosen: Sequence[int]) -> bool:
    """Would a variable have no value if these conditions were left out of the body?"""
    rest = [c for n, c in enumerate(rule.body) if n not in chosen]
    bound = set(rule.head.variables)
    for condition in rest:
        if isinstance(condition, Atom) and not condition.absent:
            bound |= set(condition.variables)
    for _ in rest:
        for condition in rest:
            if isinstance(condition, Compare) and condition.operator == "=":
                sides = condition.left, condition.right
                if any(not isinstance(side, Variable) or side in bound for side in sides):
                    bound |= set(condition.variables)
    return any(not bound.issuperset(condition.variables) for condition in rule.body)


@dataclass(frozen=True)
class Followers:
    """What to look at when a fact is supposed, for what hard rules would conclude from it.

    `gather` are rules from a condition to the rest of its rule and to what speaks against the
    conclusion; `want` are program rules that ask about the conclusion."""

    gather: tuple[Rule, ...]
    want: tuple[Rule, ...]


def followers(rules: Sequence[Rule]) -> Followers:
    """The followers of every condition of the hard rules, and of transitivity."""
    gather, want = [], []
    for rule in rules:
        joins = rule.origin.kind == "rule" or rule.origin.statement[:1] == ("transitive",)
        if not joins or rule.head.predicate not in OPPOSITE:
            continue
        contrary = replace(rule.head, predicate=OPPOSITE[rule.head.predicate])
        for place in _lacked(rule):
            condition = rule.body[place]
            assert isinstance(condition, Atom)
            rest = [c for n, c in enumerate(rule.body) if n != place and not _is_guard(c)]
            gather.append(Rule(condition, (*rest, contrary)))
            bound = [c for c in rest if not isinstance(c, Atom) or not c.absent]
            for body in _met(bound):
                want.append(Rule(wanted(rule.head), (wanted(condition), *body)))
            # What the rest of the body asks for, as far as the fact says of what.
            want += [
                Rule(wanted(c), (wanted(condition),))
                for c in bound
                if isinstance(c, Atom)
                and c.predicate in OPPOSITE
                and set(c.variables) <= set(condition.variables)
            ]
    return Followers(tuple(gather), tuple(want))


def _met(body: Sequence[Condition]) -> Iterator[tuple[Condition, ...]]:
    """The rest of a rule's body, met by evidence; or one condition of it, or all, by what is
    supposed or follows from that, which is asked about and no evidence yet."""
    asked = {
        place: wanted(condition)
        for place, condition in enumerate(body)
        if isinstance(condition, Atom) and condition.predicate in OPPOSITE
    }
    for group in dict.fromkeys((frozenset(), *(frozenset((n,)) for n in asked), frozenset(asked))):
        yield tuple(asked[n] if n in group else condition for n, condition in enumerate(body))


def _is_guard(condition: object) -> bool:
    return isinstance(condition, Atom) and condition.predicate in GUARDS


class Settler:
    """Says whether facts that are supposed would settle an atom.

    Besides facts, `during(R,S,O,I)` is supposed as a fact that is stated for period I, and `given`
    stands before an atom that follows from what is no fact.  Other facts hold `always`, which is a
    period."""

    def __init__(self, rules: Sequence[Rule], evidence: Evidence, always: int) -> None:
        self._forward, self._evidence, self._always = Forward(rules), evidence, always

    def settles(self, facts: FactSet, target: Ground) -> bool:
        """Does the atom follow from the facts, and nothing that contradicts anything?"""
        added = self._forward.consequences(self._evidence, self._stated(facts))
        return target in added and not any(_is_contradicted(atom, added) for atom in added)

    def implied(self, facts: FactSet) -> list[Ground]:
        """The evidence atoms that follow from the facts by themselves."""
        found = self._forward.consequences(
            Evidence(()), self._stated(facts), allowed=lambda step: not step.extra
        )
        return [atom for atom in found if atom[0] in OPPOSITE]

    def _stated(self, facts: FactSet) -> Iterator[Ground]:
        """What is stated where these facts are."""
        for fact in facts:
            match fact[0]:
                case "given":
                    yield fact[1:]
                case "during":
                    yield stored(("for", *fact[1:4]))
                    yield ("period", *fact[1:])
                case "for":
                    yield stored(fact)
                    yield ("period", *fact[1:], self._always)
                case _:
                    yield stored(fact)


def _is_contradicted(atom: Ground, evidence: Evidence) -> bool:
    # What was refuted because it is not listed may be listed now; and the like.
    if atom[0] in _UNDOES:
        return (_UNDOES[str(atom[0])], *atom[1:]) in evidence
    return atom[0] in OPPOSITE and opposite(atom) in evidence
