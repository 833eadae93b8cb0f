"""Names in texts: what a name is and what it is not, against a scanner that tries every place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kgverify.errors import EvidenceError
from kgverify.evidence.boundaries import begins_a_sentence, stands_alone
from kgverify.evidence.gazetteer import Gazetteer
from kgverify.evidence.mentions import Mentions
from kgverify.evidence.passages import Extent
from kgverify.evidence.wordlists import FUNCTION_WORDS
from kgverify.graph import Graph

Found = list[tuple[Extent, tuple[int, ...]]]
_NAMES = (
    "Niger|Nigeria|Guinea|Equatorial Guinea|English|Cyprus|James II of Cyprus|Turkey|May|It|"
    "Reading|Brasília|US|Côte d'Ivoire|dry cough|Will|U.S.|Paris|Paris, Texas|UNESCO|ear|"
    "São Paulo|Sao Paulo|C|1984|it|Strauß|Los Angeles"
)
NAMES = _NAMES.split("|")


def named(text: str, names: Iterable[str] = NAMES, **options: object) -> list[tuple[str, ...]]:
    """What is found: the words of the text, and then the names of the entities."""
    all_names = list(names)
    gazetteer = Gazetteer(enumerate(all_names), **options)  # type: ignore[arg-type]
    return [
        (extent.of(text), *(all_names[e] for e in entities))
        for extent, entities in gazetteer.mentions(text)
    ]


def words(text: str) -> list[str]:
    return [found[0] for found in named(text)]


def test_a_name_inside_another_is_none() -> None:
    assert words("Nigeria lies on the Gulf of Guinea.") == ["Nigeria", "Guinea"]
    assert words("Malabo is a city of Equatorial Guinea.") == ["Equatorial Guinea"]
    assert words("The English envoy met James II of Cyprus.") == ["English", "James II of Cyprus"]
    assert words("James II of England, Nigerians and a Nigerian.") == []
    assert words("Paris, Texas is a film; Paris is a city.") == ["Paris, Texas", "Paris"]


@pytest.mark.parametrize(
    "text",
    ["Niger's", "Niger’s", "(Niger)", "“Niger”", "non-Niger", "Niger-based", "Niger.", "Niger, x",
     "Niger—x", "Niger's'", "x/Niger/y", "Niger-led", "the 'Niger'", "NIGER", "Niger.Then"],
)  # fmt: skip
def test_where_a_name_stands_alone(text: str) -> None:
    assert [name for _, name in named(text)] == ["Niger"]


@pytest.mark.parametrize(
    "text",
    ["Nigeria1", "Niger-Congo", "Niger–Congo", "Congo-Niger", "O'Niger", "niger", "_Niger",
     "Niger2", "www.Niger", "Niger.com", "Nigéŕx", "Niger'n", "A&Niger", "Niger@x", "Niger-x"],
)  # fmt: skip
def test_where_it_does_not(text: str) -> None:
    assert named(text) == []


def test_case() -> None:
    assert words("a turkey in Turkey and TURKEY, reading in Reading") == [
        "Turkey",
        "TURKEY",
        "Reading",
    ]
    assert words("In May we may go. May we? It is it. The film It. us US Us") == ["May", "It", "US"]
    assert words("Will he? The actor Will. unesco UNESCO Unesco") == ["Will", "UNESCO"]
    assert words("Dry cough, DRY COUGH, an Ear, an ear") == ["Dry cough", "DRY COUGH", "ear"]
    assert words("C in 1984") == []
    assert named("turkey", small=[NAMES.index("Turkey")]) == [("turkey", "Turkey")]


def test_spelling() -> None:
    text = "Brasilia, Brasi\u0301lia, BRASI\u0301LIA!"
    assert words(text) == ["Brasilia", "Brasi\u0301lia", "BRASI\u0301LIA"]
    assert words("Cote d’Ivoire, CÔTE\n  D'IVOIRE") == ["Cote d’Ivoire", "CÔTE\n  D'IVOIRE"]
    assert words("Strauss, STRAUẞ, Strauß") == ["Strauss", "STRAUẞ", "Strauß"]
    assert words("Los\u00a0Angeles, Los\u00adAngeles, Los \u2003Angeles") == [
        "Los\u00a0Angeles",
        "Los \u2003Angeles",
    ]
    assert named("São Paulo, Sao Paulo, SAO PAULO") == [
        ("São Paulo", "São Paulo"),
        ("Sao Paulo", "Sao Paulo"),
        ("SAO PAULO", "São Paulo", "Sao Paulo"),
    ]
    assert named("of ﬁx in", ["fix", "x in", "ix"]) == [("ﬁx", "fix")]
    assert named("of ﬁ in", ["f", "i in", "of f"]) == []  # no name begins or ends within a letter


def test_a_name_of_several_entities_is_all_of_them() -> None:
    gazetteer = Gazetteer([(4, "Georgia"), (2, "Georgia"), (3, "GEORGIA")])
    assert gazetteer.mentions("Georgia") == [(Extent(0, 7), (2, 4))]
    assert gazetteer.mentions("GEORGIA") == [(Extent(0, 7), (3,))]


def test_no_name_at_all() -> None:
    assert Gazetteer([]).mentions("Niger") == []
    assert Gazetteer([(0, ""), (1, " "), (2, "?"), (3, "a\0b")]).mentions("a\0b ?") == []


def test_names_are_not_found_across_texts() -> None:
    found = Gazetteer([(0, "New York"), (1, "York")]).mentions_in(["in New", "York"])
    assert [(m.passage, m.extent, m.entity) for m in found] == [(1, Extent(0, 4), 1)]


# ---------------------------------------------------------------- of a graph


def places() -> Graph:
    facts = [
        ("ejohn", "rdf:type", "ePerson"),
        ("ecyprus", "rdf:type", "eIsland"),
        ("eIsland", "rdfs:subClassOf", "eCountry"),
        ("easpirin", "rdf:type", "eDrug"),
        ("enew_town", "near", "ecyprus"),
        ("etrue", "near", "ehttp://x.org/Leeds"),
    ]
    labels = [
        ("ejohn", "John of Cyprus"),
        ("ecyprus", "Cyprus"),
        ("ecyprus", "Kypros"),
        ("easpirin", "Aspirin"),
        ("eCountry", "Country"),
        ("eIsland", "Island"),
        ("lstring x", "value"),
    ]
    return Graph.from_triples(facts, labels=labels)


def keys(gazetteer: Gazetteer, text: str) -> list[str]:
    graph = places()
    return [graph.key(e)[1:] for _, entities in gazetteer.mentions(text) for e in entities]


TEXT = "John of Cyprus took aspirin in Kypros, Cyprus; the Country true. An Island, new town, value"


def test_labels_aliases_and_ids_of_a_graph() -> None:
    gazetteer = Gazetteer.of(places())
    assert gazetteer.graph == places().hash
    assert keys(gazetteer, TEXT) == ["john", "cyprus", "cyprus", "new_town"]
    assert keys(Gazetteer.of(places(), lower_case=["Drug"]), TEXT)[1] == "aspirin"


def test_classes_are_chosen_with_those_beneath_them() -> None:
    gazetteer = Gazetteer.of(places(), types=["Country"])
    # The longer name, of a person, still covers the country in it.
    assert keys(gazetteer, TEXT) == ["cyprus", "cyprus"]
    assert keys(Gazetteer.of(places(), types=["Person"]), TEXT) == ["john"]
    with pytest.raises(EvidenceError) as raised:
        Gazetteer.of(places(), types=["Person", "Contry"])
    (problem,) = raised.value.problems
    assert (problem.code, problem.hint) == ("unknown-class", "did you mean `Country`?")


# ---------------------------------------------------------------- against a plain scanner


def plain(text: str) -> str:
    """A text without marks, kinds of apostrophes, and runs of blanks."""
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return re.sub(r"\s+", " ", text.replace("’", "'"))


def fits(name: str, text: str, start: int, end: int) -> bool:
    name, piece = plain(name.strip()), plain(text[start:end])
    letters = [c for c in name if c.isalpha()]
    capitals = letters and all(c.isupper() for c in letters)
    if len(name) < 2 or not letters or piece.lower() != name.lower():
        return False
    if name.lower() in FUNCTION_WORDS and not capitals:
        starts = begins_a_sentence(text, start)
        return piece == name and name[0].isupper() and not starts
    if len(letters) <= 3 or capitals:
        return piece == name
    initials = re.finditer(r"(?<![A-Za-z0-9])[A-Z]", name)
    return all(piece[m.start()].isupper() for m in initials)


def scanned(names: list[tuple[int, str]], text: str) -> Found:
    """Every place from the left, the longest first."""
    found: Found = []
    start = 0
    while start < len(text):
        for end in range(len(text), start, -1):
            marks = [text[start], text[end] if end < len(text) else "x"]
            if any(map(unicodedata.combining, marks)) or not stands_alone(text, start, end):
                continue
            meant = [(e, n) for e, n in names if fits(n, text, start, end)]
            written = unicodedata.normalize("NFC", text[start:end])
            same = [e for e, n in meant if unicodedata.normalize("NFC", n.strip()) == written]
            if meant:
                entities = tuple(sorted(set(same or [e for e, _ in meant])))
                found.append((Extent(start, end), entities))
                start = end - 1
                break
        start += 1
    return found


bits = st.sampled_from(
    ["a", "b", "A", "B", "é", "É", "e", "E", "e\u0301", " ", " ", "\n", "-", "'", "’", ".", "s",
     "It", "Will", "ab", "Ab", "AB", " ab ", "Ab ab", "x1"]
)  # fmt: skip
names_ = st.lists(
    st.tuples(st.integers(0, 5), st.lists(bits, min_size=1, max_size=5).map("".join)), max_size=8
)


@settings(max_examples=1500)
@given(names_, st.lists(bits, max_size=14).map("".join))
@example([(0, "Ab"), (1, "Ab ab")], "Ab ab ab")
@example([(0, "ab b"), (1, "b a")], "ab b a")
def test_the_same_as_trying_every_place(names: list[tuple[int, str]], text: str) -> None:
    assert Gazetteer(names).mentions(text) == scanned(names, text)


@settings(max_examples=300)
@given(names_, st.lists(st.lists(bits, max_size=10).map("".join), max_size=6))
def test_many_texts_are_as_one_at_a_time(names: list[tuple[int, str]], texts: list[str]) -> None:
    gazetteer = Gazetteer(names)
    expected = [
        (number, extent, entity)
        for number, text in enumerate(texts)
        for extent, entities in gazetteer.mentions(text)
        for entity in entities
    ]
    found = gazetteer.mentions_in(texts)
    assert [(m.passage, m.extent, m.entity) for m in found] == expected
    for number in range(len(texts)):
        mine = list(found.at(found.in_passages([number])))
        assert [(m.passage, m.extent, m.entity) for m in mine] == [
            row for row in expected if row[0] == number
        ]


# ---------------------------------------------------------------- columns


@settings(max_examples=300)
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 4), max_size=30))
def test_look_ups_of_mentions(rows: list[tuple[int, int, int, int]]) -> None:
    found = Mentions.of(np.array(rows, np.int32), 5, 6)
    ordered = sorted(set(rows))
    columns = (found.passages, found.starts, found.ends, found.entities)
    assert list(zip(*(c.tolist() for c in columns), strict=True)) == ordered
    for number in range(6):
        by_entity = sorted(r for r in ordered if r[3] == number)
        taken = [
            (m.passage, m.extent.start, m.extent.end, m.entity)
            for m in found.at(found.of_entities([number]))
        ]
        assert taken == by_entity
        assert found.passages_of(number).tolist() == sorted({r[0] for r in by_entity})
    both = {r[0] for r in rows if r[3] == 1} & {r[0] for r in rows if r[3] == 2}
    assert found.passages_of_all([1, 2]).tolist() == sorted(both)
    assert found.in_passages([-1, 5, 99]).tolist() == []
    assert found.of_entities([4, 0]).tolist() == [
        n for e in (4, 0) for n, r in enumerate(ordered) if r[3] == e
    ]
    assert found.mentioned.tolist() == sorted({r[3] for r in rows})
