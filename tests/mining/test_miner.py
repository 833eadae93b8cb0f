"""Mining against brute force, with both ways of counting."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.errors import LimitReached
from kgverify.graph import Graph
from kgverify.mining import compiled
from kgverify.mining.bodies import Bodies
from kgverify.mining.compiled import Compiled
from kgverify.mining.counting import UNLIMITED, Candidates, Halt
from kgverify.mining.horn import MinedRule
from kgverify.mining.miner import mine
from kgverify.mining.relations import Relations
from kgverify.mining.search import Search, at_most
from kgverify.mining.sparse import Sparse
from tests.mining import oracle

pytest.importorskip("numba", reason="the compiled loops need numba")
pytest.importorskip("scipy", reason="sparse matrices need scipy")

COUNTERS = (Compiled, Sparse)
ENTITIES = "abcde"


@st.composite
def worlds(draw: st.DrawFn, relations: int, most: int) -> oracle.Facts:
    """Facts of a few relations among a few entities, loops among them."""
    entity = st.sampled_from(ENTITIES)
    facts = st.sets(st.tuples(entity, entity), min_size=1, max_size=most)
    return {name: draw(facts) for name in "pqr"[:relations]}


shares = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(3, 10), Fraction(1, 2)])


@st.composite
def searches(draw: st.DrawFn, length: int) -> Search:
    return Search(
        length=length,
        min_support=draw(st.integers(1, 3)),
        min_head_size=draw(st.integers(1, 4)),
        min_head_coverage=draw(shares),
        min_confidence=draw(shares),
        min_pca=draw(shares),
        pca=draw(st.sampled_from(["functional", "subject", "object"])),
        improving=draw(st.booleans()),
        refine_perfect=draw(st.booleans()),
    )


def graph_of(facts: oracle.Facts) -> Graph:
    return Graph.from_triples(
        (f"e{s}", relation, f"e{o}") for relation in facts for s, o in sorted(facts[relation])
    )


def rules_of(facts: oracle.Facts, search: Search, counter: type[Any]) -> list[MinedRule]:
    return [*mine(counter(Relations.of(graph_of(facts))), search).rules]


@given(worlds(3, 8), searches(3))
@settings(max_examples=300)
def test_rules_of_two_body_atoms_are_those_of_brute_force(
    facts: oracle.Facts, search: Search
) -> None:
    wanted = oracle.mined(facts, search)
    for counter in COUNTERS:
        found = rules_of(facts, search, counter)
        assert len(found) == len(set(found))
        assert set(found) == wanted, counter


@given(worlds(2, 7), searches(4))
@settings(max_examples=120)
def test_rules_of_three_body_atoms_are_those_of_brute_force(
    facts: oracle.Facts, search: Search
) -> None:
    wanted = oracle.mined(facts, search)
    for counter in COUNTERS:
        found = rules_of(facts, search, counter)
        assert len(found) == len(set(found))
        assert set(found) == wanted, counter


@given(
    st.sets(st.tuples(*[st.sampled_from("abc")] * 2), min_size=1, max_size=5),
    st.sets(st.tuples(*[st.sampled_from("abc")] * 2), min_size=1, max_size=5),
    searches(3),
)
@settings(max_examples=100)
def test_rules_with_constants_are_those_of_brute_force(
    p: set[oracle.Pair], q: set[oracle.Pair], search: Search
) -> None:
    facts = {"p": p, "q": q}
    search = replace(search, constants=True)
    found = rules_of(facts, search, Compiled)
    assert len(found) == len(set(found))
    assert set(found) == oracle.mined(facts, search)
    assert found == rules_of(facts, search, Sparse)


EVERYTHING = Search(
    length=4,
    min_support=1,
    min_head_coverage=Fraction(0),
    min_confidence=Fraction(0),
    min_pca=Fraction(0),
    improving=False,
    refine_perfect=True,
)


def test_every_shape_is_found() -> None:
    """A graph in which everything holds bears out every rule that there is."""
    full = {(a, b) for a in "ab" for b in "ab"}
    facts = {"p": full, "q": full}
    for counter in COUNTERS:
        found = {mined.rule for mined in rules_of(facts, EVERYTHING, counter)}
        assert found == set(oracle.all_rules(("p", "q"), 3)), counter


@given(worlds(3, 10))
@settings(max_examples=50)
def test_bodies_read_backwards_twice_are_the_same(facts: oracle.Facts) -> None:
    bodies = (
        Compiled(Relations.of(graph_of(facts))).candidates(0, 1, 3, np.zeros(1, np.bool_)).bodies
    )
    assert bodies.backwards.backwards.tuples() == bodies.tuples()


def test_the_order_does_not_depend_on_the_threads() -> None:
    facts = {
        name: {(str(i), str((i * k + 1) % 12)) for i in range(12)}
        for k, name in enumerate("pqrst", 1)
    }
    counter = Compiled(Relations.of(graph_of(facts)))
    one, many = mine(counter, EVERYTHING), mine(counter, EVERYTHING, threads=4)
    assert one.rules == many.rules
    heads = [mined.rule.head.relation for mined in one.rules]
    assert heads == sorted(heads)


def test_an_interruption_keeps_the_rules_of_the_heads_that_were_done() -> None:
    facts = {name: {("a", "b"), ("b", "c"), ("c", "a")} for name in "pqrstu"}
    counter = Compiled(Relations.of(graph_of(facts)))

    def interrupt(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    result = mine(counter, EVERYTHING, progress=interrupt)
    heads = {mined.rule.head.relation for mined in result.rules}
    assert result.stopped
    assert [*result.heads] == sorted(heads) != []
    assert result.scope.heads == {*heads}
    assert result.rules == mine(counter, EVERYTHING, heads=sorted(heads)).rules


class Broken:
    """A counter that fails."""

    def __init__(self, relations: Relations) -> None:
        self.relations = relations

    def candidates(self, head: int, least: int, atoms: int, halt: Halt) -> Candidates:
        raise RuntimeError("broken")

    def sizes(self, oriented: int, bodies: Bodies, *limits: Any) -> Any:
        raise AssertionError("nothing to measure")


def test_an_error_in_a_thread_is_not_lost() -> None:
    with pytest.raises(RuntimeError, match="broken"):
        mine(Broken(Relations.of(graph_of({"p": {("a", "b")}}))), EVERYTHING)


def test_what_is_halted_ends() -> None:
    """A flag that is set before the work begins: every long loop breaks off at once."""
    facts = {name: {("a", "b"), ("b", "c"), ("c", "a")} for name in "pqr"}
    relations = Relations.of(graph_of(facts))
    halt = np.ones(1, np.bool_)
    for counter in COUNTERS:
        assert len(counter(relations).candidates(0, 1, 3, halt).bodies) == 0


def test_progress_tells_every_head() -> None:
    facts = {name: {("a", "b")} for name in "pqr"}
    told: list[tuple[int, int]] = []
    counter = Compiled(Relations.of(graph_of(facts)))
    mine(counter, Search(), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)


@pytest.mark.parametrize(
    "wrong",
    [
        {"length": 1},
        {"length": 5},
        {"min_support": 0},
        {"min_head_size": 0},
        {"min_pca": Fraction(3, 2)},
        {"min_confidence": Fraction(-1, 2)},
    ],
)
def test_a_search_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Search(**wrong)


def test_a_threshold_with_many_digits_does_not_overflow() -> None:
    support = np.array([0, 3, 10**12], np.int64)
    share = Fraction("0.12345678901234567")
    assert at_most(support, share).tolist() == [
        s * 10**17 // 12345678901234567 for s in (0, 3, 10**12)
    ]
    assert at_most(support, Fraction(1, 10**300)).tolist() == [0, UNLIMITED, UNLIMITED]


def test_a_head_with_too_many_bodies_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_MOST_ENTRIES", 10)
    full = {(a, b) for a in "ab" for b in "ab"}
    with pytest.raises(LimitReached, match="too many bodies"):
        rules_of({"p": full, "q": full}, EVERYTHING, Compiled)


def test_ways_are_counted_a_slice_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    full = {(a, b) for a in "ab" for b in "ab"}
    whole = rules_of({"p": full, "q": full}, EVERYTHING, Compiled)
    monkeypatch.setattr(compiled, "_MOST_OPEN", 10)
    assert rules_of({"p": full, "q": full}, EVERYTHING, Compiled) == whole


@pytest.mark.parametrize(
    "triples", [[], [("ea", "born", "ldate 1990")], [("ea", "rdf:type", "eb")]]
)
def test_a_graph_without_facts_between_entities_has_no_rules(
    triples: list[tuple[str, str, str]],
) -> None:
    graph = Graph.from_triples(triples)
    for constants in (False, True):
        for counter in COUNTERS:
            search = replace(EVERYTHING, constants=constants)
            assert mine(counter(Relations.of(graph)), search).rules == ()


def crowded(seed: int) -> oracle.Facts:
    """Facts among many entities, a few of which are in most of them."""
    random = np.random.default_rng(seed)
    facts: oracle.Facts = {}
    for name in "pqrs":
        ends = (90 * random.random((160, 2)) ** (1.0, 4.0)).astype(int)
        if random.random() < 0.5:
            ends = ends[:, ::-1]
        facts[name] = {(str(x), str(y)) for x, y in ends.tolist()}
    facts["h"] = {pair for pair in facts["p"] | facts["q"] if random.random() < 0.4}
    return facts


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("remembered", [1, compiled._MOST_REMEMBERED])
def test_both_ways_of_counting_agree_where_a_few_entities_are_in_most_facts(
    seed: int, remembered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one side has many more edges than the other, the loops go another way."""
    monkeypatch.setattr(compiled, "_MOST_REMEMBERED", remembered)
    search = replace(
        EVERYTHING, min_support=8, min_head_coverage=Fraction(1, 5), min_pca=Fraction(1, 20)
    )
    facts = crowded(seed)
    found, wanted = (rules_of(facts, search, counter) for counter in COUNTERS)
    assert found == wanted
    assert sum(len(one.rule) == 4 for one in found) > 100
