"""What a search looked for, held to what it finds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE
from kgverify.mining import Scope, Search, mine_graph
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import Atom, HornRule, Term
from tests.mining import oracle

X, Y, Z, W = range(4)
RELATIONS = ("p", "q")
KEYS = ("ea", "eb")


@cache
def wide(terms: tuple[Term, ...], atoms: int) -> frozenset[HornRule]:
    """Rules of all forms: loops, loose ends, constants wherever they fit."""
    every = [Atom(r, s, o) for r in RELATIONS for s, o in product(terms, repeat=2)]
    heads = {a for a in every if all(v < 2 for v in a.variables)}
    return frozenset(
        HornRule(head, body)
        for head in heads
        for number in range(1, atoms + 1)
        for body in combinations(every, number)
    )


def test_rules_without_constants_that_are_covered_are_all_that_there_are() -> None:
    every = wide((X, Y, Z), 2)
    for length in (2, 3):
        covered = {rule.canonical for rule in every if Scope(length=length).covers(rule)}
        assert covered == set(oracle.all_rules(RELATIONS, length - 1))


def test_rules_with_constants_that_are_covered_are_all_that_there_are() -> None:
    every = wide((X, Y, Z, "ea"), 2)
    scope = Scope(length=4, constants=True)
    covered = {rule.canonical for rule in every if scope.covers(rule)}
    plain = oracle.all_rules(RELATIONS, 2)
    assert covered == {*plain, *oracle.all_constant_rules(RELATIONS, ("a",), 2)}


COVERED = HornRule(Atom("p", X, Y), (Atom("q", X, Z), Atom("q", Z, Y)))
HELD = HornRule(Atom("p", X, "ea"), (Atom("q", X, "eb"),))


@pytest.mark.parametrize(
    ("rule", "is_covered"),
    [
        (COVERED, True),
        (HELD, True),
        (HornRule(COVERED.head, COVERED.body, injective=True), False),
        (HornRule(COVERED.head, COVERED.body, different=((X, Y),)), False),
        (HornRule(COVERED.head, (*COVERED.body, Atom("p", X, W))), False),  # a loose end
        (HornRule(Atom("p", X, X), (Atom("q", X, X),)), False),
        (HornRule(COVERED.head, (COVERED.head, Atom("q", X, Y))), False),  # says nothing
        (HornRule(COVERED.head, (*COVERED.body, Atom("q", X, "ea"))), False),  # too long
        (HornRule(COVERED.head, (Atom("q", X, Z), Atom("q", Z, "ea"), Atom("p", Y, Z))), False),
        (HornRule(Atom("p", X, "ea"), (Atom("q", X, Z), Atom("q", Z, "eb"))), False),
        (HornRule(Atom("p", X, "lnumber 5"), (Atom("q", X, "eb"),)), False),
        (HornRule(Atom(RDF_TYPE, X, "ea"), (Atom("q", X, "eb"),)), False),
        (HornRule(Atom("p", "ea", "eb"), (Atom("q", "ea", "eb"),)), False),
    ],
)
def test_forms(rule: HornRule, is_covered: bool) -> None:
    assert Scope(length=4, constants=True).covers(rule) == is_covered


def test_limits_of_a_search() -> None:
    assert not Scope(length=2).covers(COVERED)
    assert not Scope(constants=False).covers(HELD)
    assert not Scope(heads=frozenset("q")).covers(COVERED)
    assert not Scope(relations=frozenset("p")).covers(COVERED)
    typed = HornRule(Atom(RDF_TYPE, X, Y), (Atom("q", X, Y),))
    assert Scope(relations=frozenset({RDF_TYPE, "q"})).covers(typed)


# ---------------------------------------------------------------- against the miner

NAMES = [*RELATIONS, RDF_TYPE]
ends = st.sampled_from(["ea", "eb", "ec", "lnumber 5"])
triples = st.sets(
    st.tuples(st.sampled_from(["ea", "eb", "ec"]), st.sampled_from(NAMES), ends), min_size=3
)
terms = st.integers(0, 2) | st.integers(0, 3) | st.sampled_from([*KEYS, "lnumber 5"])
atoms = st.builds(Atom, st.sampled_from(NAMES), terms, terms)


@st.composite
def any_rules(draw: st.DrawFn) -> HornRule:
    """Rules of all forms, most of them of a form that is mined or nearly."""
    names = tuple(NAMES)
    form = draw(st.integers(0, 3))
    if form == 0:
        return HornRule(draw(atoms), tuple(draw(st.lists(atoms, min_size=1, max_size=3))))
    if form == 1:
        rule = draw(st.sampled_from(oracle.all_constant_rules(names, ("a", "b"), 2)))
    else:
        rule = draw(st.sampled_from(oracle.all_rules(names, form)))
    if draw(st.integers(0, 3)):
        return rule
    body = [*rule.body, draw(atoms)]
    ends = rule.variables[0], rule.variables[-1]
    different = draw(st.sampled_from([(), (), (ends,)]))
    return HornRule(rule.head, tuple(body), different=different)


shares = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 2)])
some_relations = st.none() | st.sets(st.sampled_from(NAMES), min_size=1)


@settings(max_examples=100, deadline=None)
@given(triples, st.lists(any_rules(), min_size=30, max_size=60), st.data())
def test_what_is_covered_and_meets_the_thresholds_is_found(
    facts: set[tuple[str, str, str]], rules: list[HornRule], data: st.DataObject
) -> None:
    pytest.importorskip("scipy")
    graph = Graph.from_triples(sorted(facts))
    there = {*graph.relations}
    relations = data.draw(some_relations)
    relations = None if relations is None else sorted(relations & there)
    known = sorted(there - {RDF_TYPE}) if relations is None else relations
    heads = data.draw(st.none() | st.just(known[:1]))
    search = Search(
        length=data.draw(st.integers(2, 4)),
        min_support=data.draw(st.integers(1, 2)),
        min_head_coverage=data.draw(shares),
        min_confidence=data.draw(shares),
        min_pca=data.draw(shares),
        improving=False,
        refine_perfect=True,
        constants=data.draw(st.booleans()),
    )
    mined = mine_graph(graph, search, relations=relations, heads=heads, engine="sparse")
    found = {one.rule: one.measures for one in mined.rules}
    assert all(mined.scope.covers(rule) for rule in found)
    evaluator = Evaluator(graph)
    for rule in {rule.canonical for rule in rules if mined.scope.covers(rule)}:
        measures = evaluator.measure(rule, evaluator.functional_side(rule))
        wanted = (
            measures.support >= search.min_support
            and measures.head_coverage >= search.min_head_coverage
            and measures.confidence >= search.min_confidence
            and measures.pca_confidence >= search.min_pca
        )
        assert (rule in found) == wanted, rule
