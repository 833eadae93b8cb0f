"""Entities whose names are one slip of the pen from a name that the graph lacks."""

from __future__ import annotations

import pytest

from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.graph.near_names import near_entities, near_name
from tests.reasoning.small import graph


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("Bergen", "bergen"),  # case
        ("new_york", "new york"),  # how words are joined
        ("new-york", "new york"),
        ("bergxn", "bergen"),  # another letter
        ("bergken", "bergen"),  # a letter too many
        ("begen", "bergen"),  # a letter too few
        ("berge", "bergen"),  # … the last
        ("ergen", "bergen"),  # … the first
        ("begren", "bergen"),  # two letters in the other order
        ("new yokr", "new york"),
        ("enw york", "new york"),
        ("nwe york", "new york"),  # … and what comes after them is no letter
        ("osla", "oslo"),  # four letters are enough
        ("osl", None),  # three are not
        ("OSLO", "oslo"),  # … but the case may always differ
        ("trondheim", None),
        ("brgn", None),  # two slips
    ],
)
def test_a_name_is_near_when_one_slip_leads_to_it(slip: str, meant: str | None) -> None:
    kg = Graph.from_triples([("enew york", "twin", "ebergen"), ("eoslo", "twin", "ebergen")])
    assert near_entities(kg, [slip]) == [meant]


def test_the_first_entity_of_a_graph_may_be_near() -> None:
    kg = graph("oslo oslo oslo")
    assert kg.find(["eoslo"]).tolist() == [0]
    assert near_entities(kg, ["oslO", "nowhere"]) == ["oslo", None]


def test_of_several_near_names_the_likeliest_is_taken() -> None:
    kg = graph("bergen twin bergem")
    assert near_entities(kg, ["Bergen"]) == ["bergen"]


def test_a_label_goes_before_a_slip() -> None:
    labels = [("eQ585", "Oslo"), ("ebergen", "Bergen"), ("eQ26793", "Bergen")]
    kg = Graph.from_triples(
        [("eQ585", "twin", "eoslo"), ("eQ26793", "twin", "ebergen")], (), labels
    )
    assert near_entities(kg, ["Oslo"]) == ["Q585"]
    assert near_entities(kg, ["Bergen"]) == ["bergen"]  # a label of two says nothing


def test_slips_are_made_of_the_first_hundred_names() -> None:
    kg = graph("oslo twin bergen")
    found = near_entities(kg, ["nowhere"] * 99 + ["osla", "osla"])
    assert found == [None] * 99 + ["oslo", None]


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("Bergn", "Bergen"),
        ("BERGEN TOWN", "Bergen"),  # an alias, but for case
        ("bergen twon", "Bergen"),
        ("new_york", "New  York"),
        ("Oslo", "eoslo"),  # … without a label the id
        ("Trondheim", None),
        ("Brgn", None),
        ("", None),
    ],
)
def test_a_label_is_near_when_one_slip_leads_to_it(slip: str, meant: str | None) -> None:
    builder = Builder()
    builder.add_label("ebergen", "Bergen")
    builder.add_alias("ebergen", "Bergen Town")
    builder.add_label("eny", "New  York")
    builder.add_alias("eeoslo", "Osla")
    assert near_name(Graph(builder.columns()), slip) == meant


def test_texts_that_are_labels_are_found_among_many() -> None:
    builder = Builder()
    builder.add_label("ebergen", "Bergen")
    kg = Graph(builder.columns())
    assert kg.some_labels(["x", "bergen", "", "BERGEN", "berge"]) == ["bergen", "BERGEN"]
    assert Graph.from_triples([]).some_labels(["x"]) == []
    assert kg.some_labels([]) == []
