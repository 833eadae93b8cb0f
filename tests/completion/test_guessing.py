"""Guesses from the graph alone, held against a plain count."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.guessing import Guesser
from kgverify.errors import EvidenceError
from kgverify.graph import Graph
from kgverify.graph.terms import plain_literal_key
from kgverify.language.checks import load_rules_text

BOOK = load_rules_text("""
class Thing
relation likes (Thing, Thing)
relation seat (Thing, Thing) functional
relation spouse (Thing, Thing) functional at a time
relation near = "beside" (Thing, Thing) symmetric
relation age (Thing, integer)
""")
SYMMETRIC, SINGLE = {"near"}, {"seat", "spouse"}
NAMES = [f"n{number}" for number in range(5)]
Fact = tuple[str, str, str]


def graph(facts: list[Fact]) -> Graph:
    typed = [(f"e{name}", "rdf:type", "eThing") for name in (*NAMES, "n5", "n6")]
    stated = [(f"e{s}", BOOK.kg_name(r), o if r == "age" else f"e{o}") for s, r, o in facts]
    # What the rule file doesn't know counts for nothing.
    beside = [(f"e{name}", "other", "esame") for name in NAMES]
    return Graph.from_triples([*typed, *stated, *beside])


def plain(facts: list[Fact], subject: str, relation: str, neighbours: int, most: int) -> list[str]:
    """What is guessed, by the words of the documentation."""
    said = {*facts, *((o, r, s) for s, r, o in facts if r in SYMMETRIC)}
    pairs = {name: {(r, o) for s, r, o in said if s == name} for name in NAMES}
    ranked = []
    for other in NAMES:
        both, either = pairs[subject] & pairs[other], pairs[subject] | pairs[other]
        has = {o for r, o in pairs[other] if r == relation}
        if other != subject and both and has:
            ranked.append((-Fraction(len(both), len(either)), other, has))
    votes: dict[str, Fraction] = {}
    for nearness, _, has in sorted(ranked, key=lambda row: row[:2])[:neighbours]:
        for object_ in has:
            votes[object_] = votes.get(object_, Fraction(0)) - nearness
    known = {subject, *(o for r, o in pairs[subject] if r == relation)}
    best = sorted((-vote, name) for name, vote in votes.items() if name not in known)
    return [name for _, name in best][: 1 if relation in SINGLE else most]


entities = st.sampled_from(NAMES)
relations = st.sampled_from(["likes", "seat", "spouse", "near"])
years = st.sampled_from([plain_literal_key("1"), plain_literal_key("2")])
ages = st.tuples(entities, st.just("age"), years)
triples = st.tuples(entities, relations, entities) | ages
# Few facts, where nothing is near, and many, where much is.
facts = st.lists(triples, max_size=8) | st.lists(triples, min_size=15, max_size=40)


@settings(max_examples=400, deadline=None)
@given(facts, entities, relations, st.integers(1, 4), st.integers(1, 4))
def test_guesses_are_what_a_plain_count_finds(
    found: list[Fact], subject: str, relation: str, neighbours: int, most: int
) -> None:
    guesser = Guesser(graph(found), BOOK, neighbours, most)
    expected = plain(found, subject, relation, neighbours, most)
    assert list(guesser.generate(Breakpoint(subject, relation))) == expected


@settings(max_examples=100, deadline=None)
@given(facts, entities, relations, st.randoms())
def test_order_and_repetition_change_nothing(
    found: list[Fact], subject: str, relation: str, random: object
) -> None:
    again = [*found, *found[:3]]
    random.shuffle(again)  # type: ignore[attr-defined]
    missing = Breakpoint(subject, relation)
    assert Guesser(graph(again), BOOK).generate(missing) == Guesser(graph(found), BOOK).generate(
        missing
    )


def test_neighbours_vote_by_how_near_they_are() -> None:
    """n1 is nearer to n0 than n2 and n3 are, and as near as both together."""
    found = [
        *(("n0", "likes", name) for name in ("n4", "n5", "n6")),
        *(("n1", "likes", name) for name in ("n4", "n5")),
        ("n2", "likes", "n4"),
        ("n3", "likes", "n5"),
        ("n1", "near", "n5"),
        ("n2", "near", "n6"),
        ("n3", "near", "n6"),
    ]
    guesser = Guesser(graph(found), BOOK)
    # n1 shares 2 of 4 pairs, n2 and n3 1 of 4 each: as many votes, and the ids decide.
    assert guesser.generate(Breakpoint("n0", "near")) == ("n5", "n6")
    assert Guesser(graph(found), BOOK, 1).generate(Breakpoint("n0", "near")) == ("n5",)
    assert guesser.generate(Breakpoint("n6", "seat")) == ()
    assert (guesser.model, guesser.calls, guesser.name) == ("", 0, "guess 10 3")


def test_what_makes_no_sense_is_refused() -> None:
    for neighbours, most in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="guess"):
            Guesser(graph([]), BOOK, neighbours, most)
    with pytest.raises(EvidenceError, match="no entity `nobody`"):
        Guesser(graph([]), BOOK).generate(Breakpoint("nobody", "likes"))
