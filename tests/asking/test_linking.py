"""Names in questions: which entity is meant, how it was found, and when nobody can tell."""

from __future__ import annotations

import pytest

from kgverify import QuestionError
from tests.asking.corpora import Corpus, small

RULES = """
class Film phrases "film"
class Person phrases "person"
class Place
disjoint Film, Person, Place
relation directed_by (Film, Person) "{0} was directed by {1}"
    phrases "{1} directed {0}"
relation shot_in (Film, Place) "{0} was shot in {1}"
same twin, twin_too
"""
FACTS = [
    ("alien", "rdf:type", "Film"),
    ("alien_person", "rdf:type", "Person"),
    ("alien", "directed_by", "scott"),
    ("dune1", "directed_by", "lynch"),
    ("dune2", "directed_by", "villeneuve"),
    ("dune_place", "rdf:type", "Place"),
    ("twin", "directed_by", "lynch"),
    ("twin_too", "shot_in", "dune_place"),
    ("Nm_0001", "directed_by", "scott"),
    ("bare", "shot_in", "unstated"),
]
LABELS = {
    "alien": "Alien",
    "alien_person": "Alien",
    "dune1": "Dune",
    "dune2": "Dune",
    "dune_place": "Dune",
    "scott": ("Ridley Scott", "Sir Ridley Scott", "R. Scott"),
    "lynch": "David Lynch",
    "villeneuve": "Denis Villeneuve",
    "twin": "Twin Peaks",
    "twin_too": "Twin Peaks",
}


@pytest.fixture(scope="module")
def films() -> Corpus:
    return small(RULES, FACTS, LABELS)


@pytest.mark.parametrize(
    ("text", "entity", "how", "least", "most"),
    [
        ("films directed by Ridley Scott", "scott", "label", 1, 1),
        ("films directed by Sir Ridley Scott", "scott", "label", 1, 1),
        ("films directed by scott", "scott", "id", 1, 1),
        ("films directed by ridley  SCOTT", "scott", "folded", 0.9, 0.99),
        ("films directed by Ｒidley Ｓcott", "scott", "folded", 0.9, 0.99),
        ("films directed by Ridly Scott", "scott", "fuzzy", 0.7, 0.9),
        ("films directed by [David Linch]", "lynch", "fuzzy", 0.7, 0.9),
        ("who directed Alien", "alien", "label", 1, 1),  # the person directs, and isn't directed
        ("who directed nm_0001", "Nm_0001", "folded", 0.9, 0.99),
        ("who directed Twin Peaks", "twin", "label", 1, 1),  # two names of one
    ],
)
def test_a_name_is_found(
    films: Corpus, text: str, entity: str, how: str, least: float, most: float
) -> None:
    (name,) = films.read(text).names
    assert (name.entity, name.how) == (entity, how)
    assert least <= name.score <= most
    assert text[slice(*name.span)] == name.text


def test_the_type_decides_between_entities_of_one_name(films: Corpus) -> None:
    assert films.read("films shot in Dune").arguments == {"place": "dune_place"}
    with pytest.raises(QuestionError) as caught:
        films.read("who directed Dune")
    (problem,) = caught.value.problems
    assert problem.code == "ambiguous-entity"
    assert "`dune1` (Film), `dune2` (Film)" in problem.message
    assert "dune_place" not in problem.message
    assert "[brackets]" in problem.hint
    assert films.read("who directed [dune2]").arguments == {"film": "dune2"}


def test_an_ambiguous_name_in_a_template_is_shown_with_its_choices() -> None:
    template = 'question director_of(f: Film) "Who made {f}?" answer x : Person require '
    corpus = small(RULES + template + "directed_by(f, x)\n", FACTS, LABELS)
    assert corpus.read("Who made Alien?").arguments == {"f": "alien"}
    with pytest.raises(QuestionError, match=r"`dune1`.*`dune2`") as caught:
        corpus.read("Who made Dune?")
    assert [p.code for p in caught.value.problems] == ["ambiguous-entity"]


def test_a_class_is_no_entity(films: Corpus) -> None:
    """The classes that the graph's types name are words for classes, and nothing to ask about."""
    assert films.codes("films directed by Film") != []
    assert films.codes("films directed by [Person]") != []


def test_an_unknown_name_is_named_with_the_nearest(films: Corpus) -> None:
    with pytest.raises(QuestionError) as caught:
        films.read("films directed by Zebediah")
    first = caught.value.problems[0]
    assert (first.code, "`Zebediah`" in first.message) == ("unknown-words", True)
    with pytest.raises(QuestionError) as caught:
        films.read("films directed by Dennis Villenneuf")
    assert "Denis Villeneuve" in caught.value.problems[0].hint


def test_to_mark_one_name_is_to_mark_all(films: Corpus) -> None:
    """Words outside the brackets are then no names, whatever they are like."""
    assert films.codes("films shot in Dune directed by [lynch]") != []
    assert films.read("films shot in [Dune] directed by [lynch]").arguments == {
        "place": "dune_place",
        "person": "lynch",
    }


@pytest.mark.parametrize("name", ['"Ridley Scott"', "“Ridley Scott”", "[Ridley Scott]"])
def test_marks_of_a_name(films: Corpus, name: str) -> None:
    reading = films.read(f"films directed by {name}")
    assert reading.arguments == {"person": "scott"}
    assert reading.text[slice(*reading.names[0].span)] == name


def test_renaming_an_entity_changes_only_the_argument() -> None:
    """The same question about an entity of another label is read the same."""
    for label in ("Jonathan Glazer", "Question Mark", "The Wachowskis", "Ōshima Nagisa", "1984"):
        corpus = small(RULES, FACTS, {**LABELS, "lynch": label})
        asked = corpus.read(f"films directed by [{label}] but not shot in [Dune]")
        usual = small(RULES, FACTS, LABELS).read(
            "films directed by [David Lynch] but not shot in [Dune]"
        )
        assert asked.statement == usual.statement
        assert asked.arguments == usual.arguments == {"person": "lynch", "place": "dune_place"}
        assert [part.text for part in asked.parts] == [part.text for part in usual.parts]
