"""Queries for facts: words of the rule file and names of the graph, and where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

import kgverify
from kgverify import Claims, Graph, QuestionError, RuleBook, load_rules
from kgverify.evidence.highlighting import matched_names, matched_words
from kgverify.evidence.queries import edge_query, named_entity, worded_query
from kgverify.evidence.retrieving import Query
from kgverify.evidence.terms import placed_terms, terms

RULES = """
prefix x: <https://example.org/>
class Country   phrases "country", "nation"
class CapitalCity
relation capital_city (Country, CapitalCity)  "the capital of {0} is {1}"
    phrases "{1} is the seat of {0}", "is governed from"
relation capital_of (CapitalCity, Country)  inverse of capital_city
    phrases "is the capital of"
relation inhabitants (Country, integer)
relation near (CapitalCity, CapitalCity) symmetric
    phrases "lies near"
"""


@pytest.fixture(scope="module")
def book() -> RuleBook:
    return kgverify.load_rules_text(RULES)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("graph")
    (folder / "nodes.tsv").write_text(
        "id\tcategory\tname\tsynonym\n"
        "no\tCountry\tNorway\tNorge|Kingdom of Norway\n"
        "oslo\tCapitalCity\tOslo\tChristiania\n"
        "https://example.org/b\tCapitalCity\tBergen\t\n"
        "b2\tCapitalCity\tBergen\t\n"
        "mute\tCapitalCity\t\t\n"
    )
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\nno\tcapital_city\toslo\n")
    return kgverify.open_graph([str(folder / "nodes.tsv"), str(folder / "edges.tsv")])


def test_a_query_for_an_unknown_object(graph: Graph, book: RuleBook) -> None:
    norway = named_entity(graph, book, "Norway")
    assert edge_query(graph, book, "capital_city", norway) == Query(
        "the capital of Norway is",
        ("Norway", "Kingdom of Norway", "Norge"),
        (
            "the capital of is",
            "is the seat of",
            "is governed from",
            "capital city",
            "is the capital of",
            "capital of",
        ),
    )


def test_the_class_of_an_unknown_end_is_among_the_phrases(graph: Graph, book: RuleBook) -> None:
    oslo = named_entity(graph, book, "oslo")
    found = edge_query(graph, book, "capital_city", None, oslo)
    assert found.text == "the capital of is Oslo"
    assert found.names == ("Oslo", "Christiania")
    assert found.phrases[-2:] == ("country", "nation")
    norway = named_entity(graph, book, "no")
    both = edge_query(graph, book, "capital_city", norway, oslo)
    assert both.text == "the capital of Norway is Oslo"
    assert not {"country", "nation"} & set(both.phrases)


def test_values_stand_as_they_are_written(graph: Graph, book: RuleBook) -> None:
    norway = named_entity(graph, book, "Norway")
    assert edge_query(graph, book, "inhabitants", norway, "5,500,000") == Query(
        "Norway inhabitants 5,500,000",
        ("Norway", "Kingdom of Norway", "Norge", "5,500,000"),
        ("inhabitants",),
    )
    assert edge_query(graph, book, "inhabitants", norway).phrases == ("inhabitants",)


def test_without_a_sentence_a_phrase_or_the_name_says_it(book: RuleBook) -> None:
    assert worded_query(book, "near", ["Oslo"], ["Moss"]).text == "Oslo lies near Moss"
    assert worded_query(book, "capital_of", ["Oslo"]).text == "Oslo is the capital of"


FIELDS = """
class Country   phrases "country"
class City
relation capital (Country, City)
    phrases "Capital: {1} (official)", "is governed from", "Seat: main: {1}"
relation seat (Country, City)   phrases "Seat: {1}"
"""


def test_fields_are_no_sentences_and_their_words_widen_a_search(tmp_path: Path) -> None:
    path = tmp_path / "fields.kgr"
    path.write_text(FIELDS, encoding="utf-8")
    book = load_rules(path)
    found = worded_query(book, "capital", ["Norway"])
    assert found.text == "Norway is governed from"
    assert found.phrases[:3] == ("Capital: (official)", "is governed from", "Seat: main:")
    assert worded_query(book, "seat", ["Norway"]).text == "Norway seat"
    claim = Claims(book).of("Norway", "seat", "Oslo")
    assert claim.hypothesis == "Norway seat Oslo."
    assert (claim.relation.phrases, claim.relation.fields) == ((), ("Seat: {1}",))


def test_a_name_is_filled_in_as_it_is(book: RuleBook) -> None:
    assert worded_query(book, "near", ["{1}"], [r"\1"]).text == r"{1} lies near \1"


def test_an_entity_without_a_label_goes_by_its_id(graph: Graph, book: RuleBook) -> None:
    assert edge_query(graph, book, "near", named_entity(graph, book, "mute")).names == ("mute",)


def test_names_of_nothing_and_of_several_things_are_mistakes(graph: Graph, book: RuleBook) -> None:
    assert graph.key(named_entity(graph, book, "x:b")) == "ehttps://example.org/b"
    for text, code, said in (
        ("Norwya", "unknown-entity", "did you mean `Norway`"),
        ("Bergen", "ambiguous-entity", "`b2`"),
    ):
        with pytest.raises(QuestionError, match=said) as caught:
            named_entity(graph, book, text)
        assert [problem.code for problem in caught.value.problems] == [code]
    with pytest.raises(QuestionError, match="did you mean `capital_city`") as caught:
        worded_query(book, "capital_cty", ["Norway"])
    assert [problem.code for problem in caught.value.problems] == ["unknown-relation"]


# ---------------------------------------------------------------- words and their places


def test_terms_know_where_they_come_from() -> None:
    text = "  São Tomé's rivers—İstanbul, U.S. 1,359 ½ हिन्दी e\N{COMBINING ACUTE ACCENT}t"
    placed = list(placed_terms(text))
    assert [term for term, _ in placed] == terms(text)
    words = [extent.of(text) for _, extent in placed]
    assert words[:4] == ["São", "Tomé", "rivers", "İstanbul"]
    assert words[-2:] == ["हिन्दी", "e\N{COMBINING ACUTE ACCENT}t"]
    assert terms(text)[:4] == ["sao", "tome", "river", "istanbul"]
    assert terms(text)[-1] == "et"


def test_what_a_passage_has_of_a_query_is_shown() -> None:
    query = Query("the capital of Norway is", ("Norway", "Kingdom of Norway"))
    text = "Oslo is the CAPITAL of the kingdom of Norway; Norways, of old."
    assert [e.of(text) for e in matched_words(text, query)] == [
        "CAPITAL",
        "kingdom",
        "Norway",
        "Norways",
    ]
    assert [e.of(text) for e in matched_names(text, query.names)] == [
        "kingdom of Norway",
        "Norways",
    ]
    assert matched_names(text, ["", "—", "Norway is"]) == []
    assert [e.of("who is") for e in matched_words("who is", Query("who"))] == ["who"]
