"""Rules by brute force: every closed rule is written down, and its pairs found atom by atom."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, permutations

from kgverify.mining.horn import Atom, HornRule, Measures, MinedRule, Term
from kgverify.mining.search import Search

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


@cache
def all_constant_rules(
    relations: tuple[str, ...], constants: tuple[str, ...], atoms: int
) -> tuple[HornRule, ...]:
    """The same with a constant at least, which is known by its key, beside one of the head's
    variables."""
    keys = [f"e{c}" for c in constants]
    variables = (0, 1, 2)
    ends = [*permutations(variables, 2), *((v, k) for v in variables for k in keys)]
    ends += [(k, v) for v in variables for k in keys]
    possible = [Atom(r, s, o) for r in relations for s, o in ends]
    heads = [Atom(r, SUBJECT, OBJECT) for r in relations]
    heads += [Atom(r, *pair) for r in relations for k in keys for pair in ((0, k), (k, 0))]
    found = set()
    for head in heads:
        for number in range(1, atoms + 1):
            for body in combinations(possible, number):
                rule = HornRule(head, body)
                if all(isinstance(t, int) for atom in rule.atoms for t in atom.terms):
                    continue
                if head in body or not (rule.is_closed and rule.is_connected and rule.is_safe):
                    continue
                own = set(head.variables)
                if any(len([*a.variables]) == 1 and not own.issuperset(a.variables) for a in body):
                    continue  # a property of a variable that isn't the head's
                found.add(rule.canonical)
    return tuple(sorted(found, key=repr))


def canonical(rule: HornRule) -> HornRule:
    """The first of all spellings: by the body, sorted, then by the inequalities."""
    fixed = list(dict.fromkeys(rule.head.variables))
    free = [v for v in rule.variables if v not in fixed]
    injective = rule.names_every_pair or bool(rule.injective and rule.inequalities)
    spellings = []
    for order in permutations(free):
        names = {v: number for number, v in enumerate((*fixed, *order))}
        body = {atom.renamed(names) for atom in rule.body}
        unlike = {
            tuple(sorted((names[t] if isinstance(t, int) else t for t in pair), key=_place))
            for pair in rule.different
            if not injective and any(isinstance(t, int) for t in pair)
        }
        spelled = sorted((a.relation, _place(a.subject), _place(a.object)) for a in body)
        spellings.append((spelled, sorted((_place(a), _place(b)) for a, b in unlike)))
    body, unlike = min(spellings)
    atoms = tuple(Atom(r, _term(s), _term(o)) for r, s, o in body)
    head = rule.head.renamed({v: number for number, v in enumerate(fixed)})
    return HornRule(head, atoms, injective, tuple((_term(a), _term(b)) for a, b in unlike))


def _place(term: Term) -> tuple[bool, int, str]:
    """Variables come before constants."""
    return (False, term, "") if isinstance(term, int) else (True, 0, term)


def _term(place: tuple[bool, int, str]) -> Term:
    return place[2] if place[0] else place[1]


def pairs(facts: Facts, head: Atom, body: tuple[Atom, ...]) -> set[Pair]:
    """The pairs of the head's terms for which the body holds."""
    bindings: list[dict[int, str]] = [{}]
    for atom in body:
        joined = []
        for binding in bindings:
            for ends in facts.get(atom.relation, set()):
                new = dict(binding)
                if all(_fits(new, t, e) for t, e in zip(atom.terms, ends, strict=True)):
                    joined.append(new)
        bindings = joined
    return {tuple(_value(b, term) for term in head.terms) for b in bindings}  # type: ignore[misc]


def _fits(binding: dict[int, str], term: Term, entity: str) -> bool:
    if isinstance(term, str):
        return term == f"e{entity}"
    return binding.setdefault(term, entity) == entity


def _value(binding: dict[int, str], term: Term) -> str:
    return binding[term] if isinstance(term, int) else term[1:]


def measures(facts: Facts, rule: HornRule, pca: str) -> Measures:
    """The definitions of the paper (section 3.1, appendix B.1), word for word."""
    every = facts.get(rule.head.relation, set())
    known = [{pair[side] for pair in every} for side in (SUBJECT, OBJECT)]
    head = every & pairs({"": every}, rule.head, (replace(rule.head, relation=""),))
    if pca == "functional":
        pca = "subject" if len(known[SUBJECT]) >= len(known[OBJECT]) else "object"
        if len(set(rule.head.variables)) == 1:  # the one variable
            pca = "subject" if isinstance(rule.head.subject, int) else "object"
    side = SUBJECT if pca == "subject" else OBJECT
    body = pairs(facts, rule.head, rule.body)
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
    rules = all_rules(relations, search.length - 1)
    if search.constants:
        entities = sorted({e for r in facts for pair in facts[r] for e in pair})
        rules += all_constant_rules(relations, tuple(entities), min(search.length - 1, 2))
    for rule in rules:
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
            if part.is_closed and part.is_connected and part.is_safe:
                parts.append(part.canonical)
    return parts
