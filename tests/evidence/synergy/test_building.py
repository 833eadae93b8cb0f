"""Graphs from titles, from further names in capitals, and from a knowledge graph."""

from __future__ import annotations

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.gazetteer import Gazetteer
from kgverify.evidence.passages import Passage
from kgverify.evidence.synergy.building import graph_knowledge_base, titled_knowledge_base
from kgverify.evidence.synergy.knowledge_base import NOWHERE, Link
from kgverify.evidence.synergy.naming import (
    NamedEntity,
    capitalised_entities,
    titled_entities,
)
from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE
from kgverify.graph.terms import entity_key
from tests.evidence.synergy.worlds import PASSAGES, corpus


def named_links(base) -> set[tuple[str, str, str, int]]:
    found = map(base.link, range(len(base.links)))
    return {(base.names[x.subject], x.relation, base.names[x.object], x.passage) for x in found}


def test_a_passage_links_its_title_with_what_it_mentions() -> None:
    base, named = titled_knowledge_base(corpus())
    assert named_links(base) == {
        ("Quiet Harbour", "mentions", "Ada Lind", 0),
        ("North Wind (film)", "mentions", "Ada Lind", 1),
        ("Ada Lind", "mentions", "Visby", 2),
    }
    (ada,) = named("Who is Ada Lind?")
    assert base.names[ada] == "Ada Lind"
    assert base.passages_of[ada].tolist() == [0, 1, 2]
    assert base.about[ada].tolist() == [2]
    # Without what stands in brackets the title is a name too, and a longer name covers it.
    assert [base.names[e] for e in named("Who was in North Wind and Quiet Harbour?")] == [
        "North Wind (film)",
        "Quiet Harbour",
    ]


def test_titles_are_entities_once_with_all_their_passages() -> None:
    found = titled_entities(
        Corpus.of(
            [
                Passage("a", "x", "Signs (film)"),
                Passage("b", "y", "Signs  (film)"),
                Passage("c", "z"),
                Passage("d", "z", "(Untitled)"),
            ]
        )
    )
    assert found == [
        NamedEntity(("Signs (film)", "Signs"), (0, 1)),
        NamedEntity(("(Untitled)",), (3,)),
    ]


def test_names_in_capitals_stand_in_several_passages() -> None:
    texts = [
        "The Duke of York met J. R. Hale in May. Paris was cold.",
        "He knew the Duke of York, and J. R. Hale's wife. It was in Visby.",
        "Paris is far. DVD. In Visby one rests; the Prince came.",
    ]
    known = [NamedEntity(("Visby",))]
    found = capitalised_entities(
        Corpus.of(Passage(str(n), text) for n, text in enumerate(texts)), known
    )
    # Paris begins a sentence both times, the Prince and May are met once, Visby is known.
    assert [entity.names for entity in found] == [("Duke of York",), ("J. R. Hale",)]


def test_further_names_connect_what_no_title_does() -> None:
    passages = [
        Passage("a", "It sails for the Red Star Line.", "Vesta"),
        Passage("b", "It was built for the Red Star Line.", "Nora"),
    ]
    plain, _ = titled_knowledge_base(Corpus.of(passages))
    wider, _ = titled_knowledge_base(Corpus.of(passages), capitalised=True)
    assert named_links(plain) == set()
    assert named_links(wider) == {
        ("Vesta", "mentions", "Red Star Line", 0),
        ("Nora", "mentions", "Red Star Line", 1),
    }


def test_the_facts_of_a_graph_with_the_passages_that_mention_its_entities() -> None:
    ada, visby, person, boats = map(entity_key, ("ada", "visby", "Person", "boats"))
    graph = Graph.from_triples(
        [
            (ada, "born in", visby),
            (ada, RDF_TYPE, person),
            (ada, "height", "lnumber 170"),
            (ada, "likes", boats),
        ],
        labels=[(ada, "Ada Lind"), (visby, "Visby")],
    )
    gazetteer = Gazetteer.of(graph)
    found = gazetteer.mentions_in(passage.text for passage in PASSAGES)
    base = graph_knowledge_base(graph, corpus(), found)
    number = {base.names[n]: n for n in range(len(base))}
    assert set(number) == {"Ada Lind", "Visby", "Person", "boats"}
    assert graph.find([ada, visby]).tolist() == [number["Ada Lind"], number["Visby"]]
    links = [base.link(place) for place in range(len(base.links))]
    assert links == sorted(
        [
            Link(number["Ada Lind"], "born in", number["Visby"], NOWHERE),
            Link(number["Ada Lind"], "likes", number["boats"], NOWHERE),
        ],
        key=lambda link: (link.subject, graph.relation_id(link.relation)),
    )
    assert base.passages_of[number["Ada Lind"]].tolist() == [0, 1, 2]
    assert base.passages_of[number["boats"]].tolist() == [2]
    assert base.about[number["Visby"]].tolist() == []
