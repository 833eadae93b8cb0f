"""Candidate objects are what passages name, of the right class; held against a plain search."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.extracting import Extractor, Place
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.passages import Extent, Passage
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.knowledge import Knowledge

BOOK = load_rules_text("""
class Place, Person
class City sub of Place
relation seat (Person, Place)
relation home (Person, City)
""")
RANGES = {"seat": {"Place", "City"}, "home": {"City"}}
NAMES = {
    "kim": ("Person", "Kim"),
    "alma": ("City", "Alma"),
    "upper": ("City", "Upper Alma"),
    "berro": ("Place", "Berro"),
    "corda": ("City", "Corda"),
    "corda_two": ("Person", "Corda"),
    "corda_three": ("Place", "Corda"),
    "dunno": ("", "Dunno"),
}
WORDS = ["Alma", "Upper", "Berro", "Corda", "Dunno", "Kim", "ends", "Almanac", "alma"]


def world(*known: tuple[str, str, str]) -> Graph:
    builder = Builder()
    for id_, (cls, name) in NAMES.items():
        builder.add_label(f"e{id_}", name)
        builder.add_fact(f"e{id_}", "rdf:type", f"e{cls or 'Thing'}")
    for subject, relation, object_ in known:
        builder.add_fact(f"e{subject}", relation, f"e{object_}")
    return Graph(builder.columns())


def extractor(kg: Graph, corpus: Corpus) -> Extractor:
    return Extractor(Knowledge(kg, BOOK), corpus)


def subject(kg: Graph, id: str = "kim") -> int:
    return int(kg.find([f"e{id}"])[0])


_TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[Passage], list[int]]:
    passages = [
        Passage(f"p{n}", draw(_TEXTS), draw(_TEXTS), draw(st.sampled_from(("", "one", "two"))))
        for n in range(draw(st.integers(1, 5)))
    ]
    read = draw(st.permutations(range(len(passages))))
    return passages, read[: draw(st.integers(0, len(read)))]


@settings(max_examples=300)
@given(
    corpora(),
    st.lists(st.integers(0, 2), min_size=5, max_size=5),
    st.sampled_from(sorted(RANGES)),
    st.sets(st.sampled_from(["alma", "berro", "corda"])),
)
def test_candidates_are_what_a_plain_search_finds(
    drawn: tuple[list[Passage], list[int]], origins: list[int], relation: str, known: set[str]
) -> None:
    passages, read = drawn
    corpus = Corpus.of(passages, origins=np.array(origins[: len(passages)], np.int32))
    kg = world(*(("kim", relation, id_) for id_ in known))
    found = extractor(kg, corpus).extract(subject(kg), relation, read)
    assert [(one.id, one.origins, one.rank, one.places) for one in found] == plainly(
        passages, origins, relation, known, read
    )


def plainly(
    passages: list[Passage], origins: list[int], relation: str, known: set[str], read: list[int]
) -> list[tuple[str, int, int, tuple[Place, ...]]]:
    """The candidates, entity by entity: every name in every passage is looked at."""
    longest = sorted({name for _, name in NAMES.values()}, key=len, reverse=True)
    pattern = re.compile(r"\b(" + "|".join(longest) + r")\b")
    rows = []
    for id_, (cls, name) in NAMES.items():
        if cls not in RANGES[relation] or id_ in known:
            continue
        places, ranks, sources = [], [], set()
        for rank, number in enumerate(read):
            passage = passages[number]
            for text, in_title in ((passage.title, True), (passage.text, False)):
                for match in pattern.finditer(text):
                    if match[0] == name:
                        places.append(Place(number, Extent(*match.span()), in_title))
                        ranks.append(rank)
                        sources.add(origins[number])
        if places:
            first = places[0]
            order = (-len(sources), ranks[0], not first.in_title, first.extent.start, id_)
            rows.append((order, (id_, len(sources), ranks[0], tuple(places))))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def test_copies_of_a_text_count_once() -> None:
    texts = ["Alma.", "Alma.", "Berro.", "Berro."]
    passages = [Passage(f"p{n}", text) for n, text in enumerate(texts)]
    kg = world()
    for origins, expected in (([0, 0, 1, 2], ["berro", "alma"]), ([0, 1, 2, 2], ["alma", "berro"])):
        corpus = Corpus.of(passages, origins=np.array(origins, np.int32))
        found = extractor(kg, corpus).extract(subject(kg), "seat", range(4))
        assert [one.id for one in found] == expected


def test_the_subject_is_no_candidate_for_itself() -> None:
    kg = world()
    corpus = Corpus.of([Passage("p", "Alma and Berro")])
    found = extractor(kg, corpus).extract(subject(kg, "alma"), "seat", [0])
    assert [one.id for one in found] == ["berro"]


def test_stored_mentions_give_what_looking_gives() -> None:
    from kgverify.evidence.gazetteer import Gazetteer

    kg = world()
    passages = [Passage("p", "Berro lies near Upper Alma.", "Corda"), Passage("q", "Alma", "Berro")]
    gazetteer = Gazetteer.of(kg)
    stored = Corpus.of(
        passages,
        mentions=gazetteer.mentions_in(p.text for p in passages),
        title_mentions=gazetteer.mentions_in(p.title for p in passages),
    )
    looked = extractor(kg, Corpus.of(passages)).extract(subject(kg), "seat", [0, 1])
    assert extractor(kg, stored).extract(subject(kg), "seat", [0, 1]) == looked
    assert [one.id for one in looked] == ["berro", "corda", "corda_three", "upper", "alma"]


def test_a_name_in_a_title_is_told_from_one_in_the_text() -> None:
    kg = world()
    corpus = Corpus.of([Passage("p", "Berro", "Alma")])
    found = extractor(kg, corpus).extract(subject(kg), "seat", [0])
    where = {one.id: [(place.in_title, place.extent) for place in one.places] for one in found}
    assert Place(0, Extent(0, 5)) == found[1].places[0]
    assert where == {"alma": [(True, Extent(0, 4))], "berro": [(False, Extent(0, 5))]}
