"""Claims of a rule file and a graph: names, phrases read backwards, properties, values."""

from __future__ import annotations

import pytest

import kgverify
from kgverify import Claims, EvidenceError, Graph, Value
from kgverify.evidence.claims import relation_words

RULES = """
class Country phrases "country", "sovereign state"
class City phrases "city"
class Person
class Man sub of Person
disjoint Country, City, Person
relation capital (Country, City) functional, inverse functional
    "the capital of {0} is {1}"
    phrases "{1} is the capital of {0}"
relation capital_of (City, Country) inverse of capital
    phrases "is the seat of"
relation parent_of (Person, Person) asymmetric "{0} is a parent of {1}"
relation father_of (Man, Person) sub of parent_of phrases "fathered"
relation son_of (Person, Person) sub of child_of "{0} is a son of {1}"
relation child_of (Person, Person) inverse of parent_of "{0} is a child of {1}"
relation spouse (Person, Person) symmetric, functional at a time phrases "married"
relation knows (Person, Person)
relation lives (Country, integer) functional "{0} has {1} inhabitants"
relation founded (Country, date) "{0} was founded on {1}"
"""
BOOK = kgverify.load_rules_text(RULES)


def graph() -> Graph:
    triples = [("egn", "capital", "emal"), ("egq", "capital", "emalabo"), ("egn2", "x", "ebare_x")]
    labels = [
        ("egn", "Guinea"),
        ("egn", "Republic of Guinea"),
        ("egq", "Equatorial Guinea"),
        ("emalabo", "Malabo"),
        ("egn2", "Gulf of Guinea"),
    ]
    return Graph.from_triples(triples, labels=labels)


def test_names_are_the_label_and_the_aliases() -> None:
    claims = Claims(BOOK, graph())
    claim = claims.of("gn", "capital", "Malabo")
    assert claim.subject[0] in ("Guinea", "Republic of Guinea")
    assert set(claim.subject) == {"Guinea", "Republic of Guinea"}
    assert claim.object == ("Malabo",)
    assert claims.names("nobody") == ("nobody",)
    assert claims.names("bare_x") == ("bare x",)
    assert Claims(BOOK).names("gn") == ("gn",)


def test_longer_names_of_others_are_listed() -> None:
    claim = Claims(BOOK, graph()).of("Guinea", "capital", "Malabo")
    assert claim.others == ("Equatorial Guinea", "Gulf of Guinea")


def test_the_hypothesis_is_the_sentence_with_the_usual_names() -> None:
    claims = Claims(BOOK)
    assert claims.of("Chad", "capital", "Osk").hypothesis == "The capital of Chad is Osk."
    assert claims.of("Ann", "spouse", "Bob").hypothesis == "Ann married Bob."
    assert claims.of("ann", "knows", "bob").hypothesis == "Ann knows bob."
    value = claims.value("lives", "1200", "people", ">=")
    assert claims.of("Chad", "lives", value).hypothesis == (
        "Chad has at least 1200 people inhabitants."
    )
    date = claims.value("founded", "1900", "", "<")
    assert claims.of("Chad", "founded", date).hypothesis == "Chad was founded on before 1900."


def test_the_inverse_is_read_backwards() -> None:
    words = relation_words(BOOK, "capital")
    assert "{1} is the seat of {0}" in words.phrases
    assert words.implied_by == ()
    back = relation_words(BOOK, "capital_of")
    assert "{0} is the capital of {1}" in back.phrases
    assert "the capital of {1} is {0}" in back.phrases


def test_narrower_relations_stand_apart() -> None:
    words = relation_words(BOOK, "parent_of")
    assert set(words.implied_by) == {"{0} fathered {1}", "{1} is a son of {0}"}
    assert "{1} is a child of {0}" in words.phrases
    assert relation_words(BOOK, "father_of").implied_by == ()
    assert "{0} is a parent of {1}" not in relation_words(BOOK, "father_of").phrases


def test_properties_come_along() -> None:
    capital, parent, father, spouse, knows, lives = (
        relation_words(BOOK, name)
        for name in ("capital", "parent_of", "father_of", "spouse", "knows", "lives")
    )
    assert (capital.is_functional, capital.is_inverse_functional) == (True, True)
    assert (spouse.is_functional, spouse.is_symmetric, spouse.is_one_way) == (True, True, False)
    assert capital.is_one_way
    assert parent.is_one_way
    assert father.is_one_way
    assert lives.is_one_way
    assert not knows.is_one_way
    assert not knows.is_functional
    assert capital.subject_words == ("country",)  # a phrase of two words is none
    assert capital.object_words == ("city",)


def test_wrong_claims_are_told() -> None:
    claims = Claims(BOOK)
    for make, code in (
        (lambda: claims.of("a", "capitl", "b"), "unknown-relation"),
        (lambda: claims.of("a", "lives", "b"), "claim-object"),
        (lambda: claims.of("a", "capital", Value("number", "3")), "claim-object"),
        (lambda: claims.value("lives", "3", "", "~"), "claim-comparison"),
        (lambda: claims.value("livs", "3"), "unknown-relation"),
    ):
        with pytest.raises(EvidenceError) as caught:
            make()
        assert [problem.code for problem in caught.value.problems] == [code]
    with pytest.raises(EvidenceError, match="did you mean `capital`"):
        claims.of("a", "capitl", "b")
