"""Gathered evidence as program text."""

from __future__ import annotations

import numpy as np
import pytest

from kgverify.graph import Graph
from kgverify.graph.terms import value_key
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.facts import (
    candidate_text,
    overlaps,
    pool,
    slice_text,
    stated,
    stranger_text,
    vague_text,
)
from kgverify.reasoning.gathering import Slice
from kgverify.reasoning.knowledge import SUBCLASS, TYPE, Knowledge
from kgverify.reasoning.times import Period

Pairs = dict[str, tuple[np.ndarray, np.ndarray]]


def ids(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def pairs(**relations: list[tuple[int, int]]) -> Pairs:
    return {
        {"type": TYPE, "subclass": SUBCLASS}.get(name, name): (
            ids(*(a for a, _ in found)),
            ids(*(b for _, b in found)),
        )
        for name, found in relations.items()
    }


@pytest.mark.parametrize(
    ("some", "text"),
    [
        ((7,), "(7)"),
        ((3, 1, 2), "(1..3)"),
        ((1, 3, 5), "(1;3;5)"),
        ((5, 1, 2, 9, 8, 2), "(1..2;5;8..9)"),
        ((0, 1), "(0..1)"),
    ],
)
def test_neighbours_are_written_as_one_interval(some: tuple[int, ...], text: str) -> None:
    assert pool(ids(*some)) == text


def test_candidates_and_strangers() -> None:
    assert candidate_text(4, [7, 5, 6]) == "candidate(4,(5..7))."
    assert candidate_text(4, []) == ""
    assert stranger_text([5, 7]) == "stranger(5).stranger(7)."


def test_values_overlap_that_may_be_one() -> None:
    def found(*texts: str) -> set[tuple[int, int]]:
        pairs = overlaps({n: value_key(text, "date") for n, text in enumerate(texts)})
        assert len(pairs) == len(set(pairs))
        assert {(b, a) for a, b in pairs} == set(pairs)
        return {(a, b) for a, b in pairs if a < b}

    assert found("1990", "1990-05", "1990-05-01", "1991") == {(0, 1), (0, 2), (1, 2)}
    assert found("1990-05", "1999", "1990") == {(0, 2)}
    assert found("1990-05-01", "1990-05-02Z") == {(0, 1)}  # in some zone
    assert found("1990-05-01", "1990-05-03Z", "1990-04-30Z") == {(0, 2)}
    assert found("1990-05-01T00:00:00Z", "1990-05-01T14:00:00", "1990-04-30T10:00:00") == {
        (0, 1),
        (0, 2),
    }
    assert overlaps({1: "lnumber 5", 2: "lstring 5", 3: "lill date x"}) == []


RULES = """
class City, Town
relation road (City, City)
relation founded (City, date)
question all(c: City)
    "?"
    answer x : City
    require road(x, c)
"""


def known() -> tuple[Graph, Knowledge]:
    facts = [
        ("ea", "rdf:type", "eCity"),
        ("ea", "road", "e1"),
        ("b1", "road", "e1"),
        ("ea", "founded", value_key("1990", "date")),
        ("ea", "founded", value_key("1990-12-01", "date")),
    ]
    graph = Graph.from_triples(facts)
    return graph, Knowledge(graph, load_rules_text(RULES))


def test_a_slice_is_written_by_relation() -> None:
    graph, knowledge = known()
    city, a, blank = (int(n) for n in graph.find(["eCity", "ea", "b1"]))
    other = int(graph.find(["e1"])[0])
    slice_ = Slice(
        pairs(
            road=[(a, other), (a, city), (other, a)],
            type=[(a, city), (other, city), (blank, other)],
            subclass=[(city, other)],
        ),
        pairs(road=[(a, other), (other, other), (city, other), (city, a)]),
        {},
        {},
    )
    lines = slice_text(slice_, knowledge).splitlines()
    members = ";".join(map(str, sorted((a, other))))
    road = {a: [other, city], other: [a]}
    by_subject = "".join(f"triple(road,{s},({';'.join(map(str, road[s]))}))." for s in sorted(road))
    assert by_subject in lines
    assert f'member(({members}),"City").' in lines
    assert f"member(({blank}),{other})." in lines
    assert f'subclass("City",{other}).' in lines
    denied = {other: [a, other, city], a: [city]}
    by_object = "".join(
        f"denied(road,({';'.join(map(str, denied[o]))}),{o})." for o in sorted(denied)
    )
    assert by_object in lines
    assert f"vague({blank})." in lines
    assert f"blank({blank})." in lines
    assert list(stated(slice_, knowledge)) == [
        *(("triple", "road", *pair) for pair in [(a, other), (a, city), (other, a)]),
        *(("member", a, "City"), ("member", other, "City"), ("member", blank, other)),
        ("subclass", "City", other),
        *(
            ("denied", "road", *pair)
            for pair in [(a, other), (other, other), (city, other), (city, a)]
        ),
    ]


def test_values_are_measured_where_it_matters() -> None:
    graph, knowledge = known()
    a, year, day = (
        int(n)
        for n in graph.find(["ea", value_key("1990", "date"), value_key("1990-12-01", "date")])
    )
    slice_ = Slice(pairs(founded=[(a, year)]), {}, {}, {})
    plain = slice_text(slice_, knowledge).splitlines()
    assert f"imprecise({year})." in plain
    assert not [line for line in plain if line.startswith(("axis", "overlap"))]
    assert vague_text(slice_, knowledge).splitlines() == [f"imprecise({year})."]
    both = slice_text(slice_, knowledge, extra=[day]).splitlines()
    assert {f"overlap({year},{day}).", f"overlap({day},{year})."} <= set(both)
    assert f"imprecise({day})." not in both
    measured = slice_text(slice_, knowledge, [day], measured=True).splitlines()
    assert [line for line in measured if line.startswith("narrower")] == [
        f"narrower({day},{year})."
    ]
    assert [line for line in measured if line.startswith("axis")]


def test_what_is_stated_for_periods_is_told_with_them() -> None:
    _, knowledge = known()
    numbers = ids(knowledge.periods.number(Period("1990", "", True)))
    slice_ = Slice({}, {}, {"road": (ids(1), ids(2), numbers)}, {})
    lines = slice_text(slice_, knowledge, moments=["1995"]).splitlines()
    assert f"period(road,1,2,{numbers[0]})." in lines
    assert [line for line in lines if line.startswith('moment("1995"')]
