"""Rules by brute force: every closed rule is written down, and its pairs found atom by atom."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

from kgverify.mining.horn import Atom, HornRule, Measures, MinedRule
from kgverify.mining.miner import Search

Facts = dict[str, set[tuple[str, str]]]
Pair = tuple[str, str]

SUBJECT, OBJECT = 0, 1


@cache
def all_rules(relations: tuple[str, ...], atoms: int) -> tuple[HornRule, ...]:
    """Every closed, connected, safe rule with up to so many body atoms between two different
    variables, but those whose body holds the head."""
    variables = range(atoms + 1)
    possible = [Atom(r, s, o) for r in relations for s, o in permutations(variables, 2)]
    found = set()
    for relation in relations:
        head = Atom(relation, SUBJECT, OBJECT)
        for number in range(1, atoms + 1):
            for body in combinations(possible, number):
                rule = HornRule(head, body)
                if head in body or not (rule.is_closed and rule.is_connected and rule.is_safe):
                    continue
                found.add(rule.canonical)
    return tuple(sorted(found, key=repr))


def pairs(facts: Facts, body: tuple[Atom, ...]) -> set[Pair]:
    """The pairs of the head's variables for which the body holds."""
    bindings: list[dict[int, str]] = [{}]
    for atom in body:
        joined = []
        for binding in bindings:
            for ends in facts.get(atom.relation, set()):
                new = dict(binding)
                if all(new.setdefault(v, e) == e for v, e in zip(atom.terms, ends, strict=True)):
                    joined.append(new)
        bindings = joined
    return {(b[SUBJECT], b[OBJECT]) for b in bindings}


def measures(facts: Facts, rule: HornRule, pca: str) -> Measures:
    """The definitions of the paper (section 3.1, appendix B.1), word for word."""
    head = facts.get(rule.head.relation, set())
    known = [{pair[side] for pair in head} for side in (SUBJECT, OBJECT)]
    if pca == "functional":
        pca = "subject" if len(known[SUBJECT]) >= len(known[OBJECT]) else "object"
    side = SUBJECT if pca == "subject" else OBJECT
    body = pairs(facts, rule.body)
    return Measures(
        support=len(body & head),
        head_size=len(head),
        body_size=len(body),
        pca_body_size=len({pair for pair in body if pair[side] in known[side]}),
        pca_side="subject" if side == SUBJECT else "object",
    )


def mined(facts: Facts, search: Search) -> set[MinedRule]:
    """What the search should find."""
    relations = tuple(sorted(r for r in facts if facts[r]))
    frequent: dict[HornRule, Measures] = {}
    for rule in all_rules(relations, search.length - 1):
        found = measures(facts, rule, search.pca)
        if (
            found.support >= search.min_support
            and found.head_size >= search.min_head_size
            and found.head_coverage >= search.min_head_coverage
        ):
            frequent[rule] = found
    kept: dict[HornRule, Measures] = {}
    for rule in sorted(frequent, key=len):
        found = frequent[rule]
        parents = [p for p in _parts(rule) if p in frequent]
        if found.confidence < search.min_confidence or found.pca_confidence < search.min_pca:
            continue
        if not search.refine_perfect and any(frequent[p].pca_confidence == 1 for p in parents):
            continue
        if search.improving and any(
            found.pca_confidence <= kept[p].pca_confidence for p in parents if p in kept
        ):
            continue
        kept[rule] = found
    return {MinedRule(rule, found) for rule, found in kept.items()}


def _parts(rule: HornRule) -> list[HornRule]:
    parts = []
    for number in range(1, len(rule.body)):
        for body in combinations(rule.body, number):
            part = HornRule(rule.head, body)
            if part.is_closed and part.is_safe:
                parts.append(part.canonical)
    return parts
