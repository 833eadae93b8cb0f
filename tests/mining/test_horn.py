"""Horn rules: their form, their types, their measures."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.mining.horn import Atom, HornRule, Measures
from tests.mining import oracle

X, Y, Z, W = range(4)
HEAD = Atom("h", X, Y)


def rule(*body: tuple[str, int | str, int | str], head: Atom = HEAD) -> HornRule:
    return HornRule(head, tuple(Atom(*atom) for atom in body))


TYPES = [
    (rule(("h", Y, X)), "symmetry", ""),
    (rule(("p", Y, X)), "inversion", ""),
    (rule(("p", X, Y)), "hierarchy", ""),
    (rule(("p", X, Z), ("q", Z, Y)), "composition", ""),
    (rule(("q", Z, Y), ("p", X, Z)), "composition", ""),
    (rule(("p", Y, Z), ("q", Z, X)), "other", "triangle"),
    (rule(("p", Z, X), ("q", Z, Y)), "other", "triangle"),
    (rule(("p", X, Y), ("q", X, Y)), "other", "intersection"),
    (rule(("p", X, Y), ("q", Y, X)), "other", "intersection"),
    (rule(("p", X, Z), ("q", Z, W), ("p", W, Y)), "other", "chain"),
    (rule(("p", X, Z), ("q", Z, W), ("p", Y, W)), "other", ""),
    (rule(("p", X, "a"), ("q", Y, "a")), "other", ""),
    (rule(("p", X, X), head=Atom("h", X, X)), "other", ""),
]


@pytest.mark.parametrize(("found", "type_", "motif"), TYPES)
def test_types(found: HornRule, type_: str, motif: str) -> None:
    assert (found.type, found.motif) == (type_, motif)


@pytest.mark.parametrize(
    ("found", "closed", "connected", "safe"),
    [
        (rule(("p", X, Z), ("q", Z, Y)), True, True, True),
        (rule(("p", X, Z), ("q", X, Y)), False, True, True),
        (rule(("p", X, Z), ("q", Z, X)), False, True, False),
        (rule(("p", X, Y), ("q", Z, W), ("p", Z, W)), True, False, True),
        (rule(("p", Z, Z), ("q", X, Y)), False, False, True),
        (rule(("p", X, "a"), ("q", Y, "a")), True, True, True),
        (rule(), False, True, False),
    ],
)
def test_forms(found: HornRule, closed: bool, connected: bool, safe: bool) -> None:
    assert (found.is_closed, found.is_connected, found.is_safe) == (closed, connected, safe)


terms = st.one_of(st.integers(0, 3), st.sampled_from(["a", "b"]))
bodies = st.lists(st.builds(Atom, st.sampled_from("pqh"), terms, terms), min_size=1, max_size=3)
heads = st.builds(Atom, st.just("h"), terms, terms)


@settings(max_examples=500)
@given(heads, bodies, st.permutations(range(10, 14)), st.randoms(use_true_random=False))
def test_one_canonical_form_for_all_spellings(head, body, names, random) -> None:  # type: ignore[no-untyped-def]
    first = HornRule(head, tuple(body))
    new = dict(enumerate(names))
    other = [atom.renamed(new) for atom in [*body, random.choice(body)]]
    random.shuffle(other)
    second = HornRule(head.renamed(new), tuple(other))
    assert first.canonical == second.canonical
    assert first.canonical.canonical == first.canonical
    assert (first.is_closed, first.is_connected) == (second.is_closed, second.is_connected)


@settings(max_examples=300)
@given(heads, bodies, st.permutations(range(10, 14)), st.data())
def test_one_canonical_form_for_all_ways_to_write_inequalities(head, body, names, data) -> None:  # type: ignore[no-untyped-def]
    plain = HornRule(head, tuple(body))
    term = st.sampled_from(plain.terms)
    pairs = data.draw(st.lists(st.tuples(term, term).filter(lambda p: p[0] != p[1]), max_size=3))
    first = HornRule(head, tuple(body), different=tuple(pairs))
    new = dict(enumerate(names))
    turned = [(b, a) if data.draw(st.booleans()) else (a, b) for a, b in pairs]
    renamed = [tuple(new[t] if isinstance(t, int) else t for t in p) for p in turned]
    spelled = tuple(data.draw(st.permutations(renamed)))
    body_ = tuple(atom.renamed(new) for atom in body)
    second = HornRule(head.renamed(new), body_, different=spelled)
    assert first.canonical == second.canonical
    assert first.canonical.canonical == first.canonical


wide = st.one_of(st.integers(0, 5), st.integers(0, 1), st.just("a"))
wide_bodies = st.lists(st.builds(Atom, st.sampled_from("pq"), wide, wide), min_size=1, max_size=6)


@settings(max_examples=1500, deadline=None)
@given(heads, wide_bodies, st.booleans(), st.data())
def test_the_canonical_form_is_the_first_of_all_spellings(head, body, injective, data) -> None:  # type: ignore[no-untyped-def]
    rule = HornRule(head, tuple(body), injective)
    term = st.sampled_from(rule.terms)
    different = data.draw(st.lists(st.tuples(term, term), max_size=4).map(tuple))
    rule = HornRule(head, tuple(body), injective, different)
    assert rule.canonical == oracle.canonical(rule)


LEAVES = range(2, 10)
STAR = [Atom("p", X, n) for n in LEAVES]
"""Eight leaves, which can be named in 40,320 ways."""
WAYS = [Atom("p", X, n) for n in range(2, 6)] + [Atom("q", n, n + 4) for n in range(2, 6)]
"""Four ways of two steps."""


@pytest.mark.parametrize("body", [STAR, WAYS])
def test_many_variables_in_the_same_places_have_one_form(body: list[Atom]) -> None:
    first = HornRule(HEAD, (*body, Atom("h", Y, X)))
    names = {X: X, Y: Y} | {n: 101 - n for n in LEAVES}
    second = HornRule(HEAD, tuple(atom.renamed(names) for atom in reversed(first.body)))
    assert first.canonical == second.canonical
    assert len(first.canonical.body) == 9


def test_a_rule_whose_every_pair_is_named_is_injective() -> None:
    every = ((Y, X), (X, Z), (Z, Y))
    chain = rule(("p", X, Z), ("q", Z, Y))
    named = HornRule(chain.head, chain.body, different=every)
    assert named.canonical == HornRule(chain.head, chain.body, injective=True).canonical
    part = HornRule(chain.head, chain.body, different=every[:2])
    assert not part.canonical.injective
    assert part.canonical != HornRule(chain.head, chain.body, different=every[1:]).canonical


def test_an_injective_rule_has_all_inequalities() -> None:
    found = HornRule(Atom("h", X, "a"), (Atom("p", X, Z), Atom("p", Z, "b")), injective=True)
    assert found.inequalities == ((X, "a"), (X, Z), (X, "b"), ("a", Z), (Z, "b"))


def test_shares_of_nothing_are_nothing() -> None:
    found = Measures(support=0, head_size=0, body_size=0, pca_body_size=0)
    assert (found.head_coverage, found.confidence, found.pca_confidence) == (0, 0, 0)
    found = Measures(support=2, head_size=8, body_size=6, pca_body_size=3)
    shares = (found.head_coverage, found.confidence, found.pca_confidence)
    assert shares == (Fraction(1, 4), Fraction(1, 3), Fraction(2, 3))
