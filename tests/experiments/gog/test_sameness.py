"""Which triples are one: against a slow closure, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.experiments.gog.questions import Triple, read_folder
from kgverify.experiments.gog.sameness import Sameness, link
from tests.experiments.gog.lists import BIRTH, CAPITAL, PART

Lists = Sequence[Collection[Triple]]


def exchanged(lists: Lists) -> set[tuple[str, str]]:
    """By the definition, pair by pair: each triple of the one stands beside one of the other with
    its ends exchanged, and the other way round."""
    relations = {t.relation for triples in lists for t in triples}
    return {
        (one, other)
        for one in relations
        for other in relations
        if all(
            Triple(t.object, {one: other, other: one}[t.relation], t.subject) in triples
            for triples in lists
            for t in triples
            if t.relation in (one, other)
        )
    }


def partition(triples: Collection[Triple], pairs: set[tuple[str, str]]) -> set[frozenset[Triple]]:
    """The triples of a question, joined until nothing more is to be joined."""
    parts = {frozenset({t}) for t in triples}
    while True:
        for one, other in combinations(parts, 2):
            if any(
                (a.relation, b.relation) in pairs and (a.subject, a.object) == (b.object, b.subject)
                for a in one
                for b in other
            ):
                parts = (parts - {one, other}) | {one | other}
                break
        else:
            return parts


def by_fact(triples: Collection[Triple], sameness: Sameness) -> set[frozenset[Triple]]:
    found: dict[Triple, set[Triple]] = {}
    for triple in triples:
        found.setdefault(sameness.fact(triple), set()).add(triple)
    return set(map(frozenset, found.values()))


_TRIPLES = st.builds(
    Triple,
    st.sampled_from("abc"),
    st.sampled_from(["r.p", "r.q", "s.p", "s.q"]),
    st.sampled_from("abc"),
)
_EXCHANGES = {"r.p": "s.p", "s.p": "r.p", "r.q": "r.q"}


@st.composite
def lists_of_triples(draw: st.DrawFn) -> list[list[Triple]]:
    """Lists in which some relations are mostly there from both ends."""
    found = []
    for triples in draw(st.lists(st.lists(_TRIPLES, max_size=4), max_size=4)):
        both = list(triples)
        for t in triples:
            if t.relation in _EXCHANGES and draw(st.integers(0, 9)):
                both.append(Triple(t.object, _EXCHANGES[t.relation], t.subject))
        found.append(draw(st.permutations(both)))
    return found


@settings(max_examples=400)
@given(lists_of_triples())
def test_facts_are_what_the_closure_joins(lists: list[list[Triple]]) -> None:
    sameness = Sameness(lists)
    pairs = exchanged(lists)
    for triples in lists:
        assert by_fact(triples, sameness) == partition(triples, pairs)


@settings(max_examples=300)
@given(lists_of_triples(), st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(lists: list[list[Triple]], random: object) -> None:
    shuffled = [[*triples, *triples[:1]] for triples in lists]
    for triples in shuffled:
        random.shuffle(triples)  # type: ignore[attr-defined]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = Sameness(lists), Sameness(shuffled)
    assert one.groups == other.groups
    assert all(one.fact(t) == other.fact(t) for triples in lists for t in triples)


@settings(max_examples=300)
@given(lists_of_triples())
def test_a_fact_stands_for_itself_and_keeps_its_ends(lists: list[list[Triple]]) -> None:
    sameness = Sameness(lists)
    for triple in {t for triples in lists for t in triples}:
        fact = sameness.fact(triple)
        assert sameness.fact(fact) == fact
        assert link(fact) == link(triple)
        assert triple.relation in sameness.relations(fact)


def test_both_directions_are_one_fact() -> None:
    sameness = Sameness([[Triple(*t) for t in listing] for listing in (BIRTH, CAPITAL, PART)])
    one, other = (sameness.fact(Triple(*t)) for t in BIRTH)
    assert one == other == Triple("m.town", "location.location.people_born_here", "m.poet")
    assert len({sameness.fact(Triple(*t)) for t in PART}) == 2
    assert sameness.relations(sameness.fact(Triple(*CAPITAL[0]))) == ("location.country.capital",)


def test_a_relation_that_is_its_own_inverse_is_one_both_ways() -> None:
    both = [Triple("a", "x.y.near", "b"), Triple("b", "x.y.near", "a")]
    sameness = Sameness(
        [both, [*reversed([Triple("c", "x.y.near", "b"), Triple("b", "x.y.near", "c")])]]
    )
    assert len({sameness.fact(t) for t in both}) == 1
    # With one triple that stands alone it is none.
    apart = Sameness([both, [Triple("c", "x.y.near", "b")]])
    assert len({apart.fact(t) for t in both}) == 2


def test_one_exception_is_enough() -> None:
    birth = [Triple(*t) for t in BIRTH]
    lone = [Triple("m.1", birth[0].relation, "m.2")]
    assert len({Sameness([birth, lone]).fact(t) for t in birth}) == 2


@pytest.mark.data
def test_the_real_lists(data: Path) -> None:
    """On all files facts are what the closure joins, whatever the order of the files."""
    files = [file for file in read_folder(data / "qa" / "gog") if file.level]
    lists = [question.deleted for file in files for question in file.questions]
    sameness = Sameness(lists)
    assert Sameness([triples[::-1] for triples in reversed(lists)]).groups == sameness.groups
    assert Counter(map(len, sameness.groups.values())) == {1: 70, 2: 184, 3: 1, 4: 2}
    relations = {t.relation for triples in lists for t in triples}
    assert set().union(*sameness.groups.values()) == relations
    together: Counter[tuple[str, str]] = Counter()
    for triples in map(frozenset, lists):
        for t in triples:
            for u in triples:
                if (t.subject, t.object) == (u.object, u.subject):
                    together[t.relation, u.relation] += 1
    seen = Counter(t.relation for triples in lists for t in triples)
    pairs = {(a, b) for (a, b), n in together.items() if n == seen[a] == seen[b]}
    for triples in lists:
        ends: dict[object, set[Triple]] = {}
        for triple in triples:
            ends.setdefault(link(triple), set()).add(triple)
        expected = {part for found in ends.values() for part in partition(found, pairs)}
        assert by_fact(triples, sameness) == expected
