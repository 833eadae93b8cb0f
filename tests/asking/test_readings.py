"""What questions are read as: a question beside its answer class and its constraints.

Entities stand in angle brackets.  A question that a template of the rule file says is read as its
name and arguments.
"""

from __future__ import annotations

import pytest

from kgverify.asking.asker import Asker
from kgverify.asking.reading import answer_words
from kgverify.graph import Graph
from kgverify.graph.terms import entity_key
from kgverify.language.checks import load_rules_text
from tests.asking.corpora import Corpus, corpus

PHARMACY = {
    # templates
    "Which drugs treat asthma but do not cause drowsiness?": ["treats_without(asthma, drowsiness)"],
    "  which DRUGS treat  asthma ": ["treats(asthma)"],
    'Which drugs treat "major depressive disorder"?': ["treats(major_depression)"],
    # the answer's class, a verb, a noun, and their inverses
    "medicines that treat migraine": ["x : Compound", "require treats(x, <migraine>)"],
    "What does lisinopril cause?": ["x : SideEffect", "require causes(<lisinopril>, x)"],
    "what is caused by lisinopril?": ["x : SideEffect", "require causes(<lisinopril>, x)"],
    "What are the side effects of morphine?": ["x : SideEffect", "require causes(<morphine>, x)"],
    "Which medicines have the side effect nausea?": ["x : Compound", "require causes(x, <nausea>)"],
    "Which drugs must not be given in pregnancy?": [
        "x : Compound",
        "require contraindicated_in(x, <pregnancy>)",
    ],
    # conjunction, alternatives
    "Which medicines treat pain and fever?": [
        "x : Compound",
        "require treats(x, <pain>)",
        "require treats(x, <fever>)",
    ],
    "Which medicines treat pain or fever?": [
        "x : Compound",
        "require any of { treats(x, <pain>), treats(x, <fever>) }",
    ],
    "Which drugs used for pain interact with warfarin?": [
        "x : Compound",
        "require treats(x, <pain>)",
        "require interacts_with(x, <warfarin>)",
    ],
    # negation and exclusion
    "Which medicines treat migraine but don't cause nausea?": [
        "x : Compound",
        "require treats(x, <migraine>)",
        "exclude causes(x, <nausea>)",
    ],
    "medicines that treat migraine without causing nausea": [
        "x : Compound",
        "require treats(x, <migraine>)",
        "exclude causes(x, <nausea>)",
    ],
    "Which medicines that don't cause nausea treat migraine?": [
        "x : Compound",
        "exclude causes(x, <nausea>)",
        "require treats(x, <migraine>)",
    ],
    "Which medicines treat pain but not fever?": [
        "x : Compound",
        "require treats(x, <pain>)",
        "exclude treats(x, <fever>)",
    ],
    "Which medicines treat hypertension other than lisinopril?": [
        "x : Compound",
        "require treats(x, <hypertension>)",
        "require x != <lisinopril>",
    ],
    "Which medicines treat hypertension, excluding lisinopril and losartan?": [
        "x : Compound",
        "require treats(x, <hypertension>)",
        "require x != <lisinopril>",
        "require x != <losartan>",
    ],
    "Which medicines do not cause nausea, except morphine?": [
        "x : Compound",
        "exclude causes(x, <nausea>)",
        "require x != <morphine>",
    ],
    # how many
    "Which drugs treat more than three conditions?": [
        "x : Compound",
        "require count treats(x, _) > 3",
    ],
    "Which drugs cause at least two side effects and treat pain?": [
        "x : Compound",
        "require count causes(x, _) >= 2",
        "require treats(x, <pain>)",
    ],
    "Which drugs treat fewer than 2 conditions?": [
        "x : Compound",
        "require count treats(x, _) < 2",
    ],
    # chains
    "Which side effects do drugs that treat pain cause?": [
        "x : SideEffect",
        "require ^causes/treats(x, <pain>)",
    ],
    "drugs that act on the target of diazepam": [
        "x : Compound",
        "require acts_on/^acts_on(x, <diazepam>)",
        "require x != <diazepam>",
    ],
    # names
    "Which medicines treat [asthma]?": ["x : Compound", "require treats(x, <asthma>)"],
    "Which medicines treat HYPERTENSION?": ["x : Compound", "require treats(x, <hypertension>)"],
    "Which medicines treat hypertenson?": ["x : Compound", "require treats(x, <hypertension>)"],
    "Which medicines treat type_2_diabetes?": [
        "x : Compound",
        "require treats(x, <type_2_diabetes>)",
    ],
    "Which medicines treat type 2 diabetes?": [
        "x : Compound",
        "require treats(x, <type_2_diabetes>)",
    ],
}

COUNTRIES = {
    "What is the capital of France?": ["capital_of(france)"],
    "Which countries border Germany but do not use the euro?": [
        "x : Country",
        "require borders(x, <germany>)",
        "exclude currency(x, <euro>)",
    ],
    "Which countries border France but not Germany and speak French?": [
        "x : Country",
        "require borders(x, <france>)",
        "exclude borders(x, <germany>)",
        "require official_language(x, <french>)",
    ],
    "Which countries do not border Germany or Poland?": [
        "x : Country",
        "exclude borders(x, <germany>)",
        "exclude borders(x, <poland>)",
    ],
    "Which countries border both Germany and Poland?": [
        "x : Country",
        "require borders(x, <germany>)",
        "require borders(x, <poland>)",
    ],
    "Which countries are in Europe, excluding Luxembourg?": [
        "x : Country",
        "require continent(x, <europe>)",
        "require x != <luxembourg>",
    ],
    "countries in Africa whose official language is French": [
        "x : Country",
        "require continent(x, <africa>)",
        "require official_language(x, <french>)",
    ],
    "Which island nations speak English?": [
        "x : IslandCountry",
        "require official_language(x, <english>)",
    ],
    "Which countries have exactly two official languages?": [
        "x : Country",
        "require count official_language(x, _) = 2",
    ],
    "Which countries moved their capital before 1950?": [
        "x : Country",
        "require capital_since(x) < 1950",
    ],
    "capitals of countries in Europe": ["x : City", "require ^capital/continent(x, <europe>)"],
    "cities in countries that border countries that speak Portuguese": [
        "x : City",
        "require located_in/borders/official_language(x, <portuguese>)",
    ],
    "Which countries share a currency with France?": [
        "x : Country",
        "require currency/^currency(x, <france>)",
        "require x != <france>",
    ],
    "Which cities in Luxembourg are not the capital of Luxembourg?": [
        "x : City",
        "require located_in(x, <luxembourg>)",
        "exclude capital(<luxembourg>, x)",
    ],
    "countries without borders with Germany": ["x : Country", "exclude borders(x, <germany>)"],
    "Germany borders which countries?": ["x : Country", "require borders(<germany>, x)"],
}

FAMILY = {
    "Who are the children of Queen Victoria?": ["children_of(queen_victoria)"],
    "Who was born on 1819-05-24?": ["born_on(1819-05-24)"],
    "Who was the mother of Edward VII?": ["x : Woman", "require mother_of(x, <edward_vii>)"],
    "Whose mother is Queen Victoria?": ["x : Person", "require mother_of(<queen_victoria>, x)"],
    "Who was born before 1850?": ["x : Person", "require born(x) < 1850"],
    "Who was born after 1850-01-01 and died before 1900?": [
        "x : Person",
        "require born(x) > 1850-01-01",
        "require died(x) < 1900",
    ],
    "Who was born in 1819?": ["x : Person", "require born(x) = 1819"],
    "Which women died since 1900?": ["x : Woman", "require died(x) >= 1900"],
    "Who has more than five children?": ["x : Person", "require count ^child_of(x, _) > 5"],
    "Who is the father of the mother of George V?": [
        "x : Man",
        "require father_of/mother_of(x, <george_v>)",
    ],
    "Who married a child of Queen Victoria?": [
        "x : Person",
        "require spouse/child_of(x, <queen_victoria>)",
    ],
    "Who never reigned over the United Kingdom?": [
        "x : Person",
        "exclude monarch_of(x, <united_kingdom>)",
    ],
}

CASES = [
    pytest.param(name, text, constraints, id=f"{name}: {text}")
    for name, cases in (("pharmacy", PHARMACY), ("countries", COUNTRIES), ("family", FAMILY))
    for text, constraints in cases.items()
]


@pytest.mark.parametrize(("name", "text", "constraints"), CASES)
def test_questions_are_read(name: str, text: str, constraints: list[str]) -> None:
    assert corpus(name).constraints(text) == constraints


def test_an_answer_class_is_said_with_its_article() -> None:
    said = {cls: answer_words(cls) for cls in ("Compound", "Organization", "Anything")}
    assert list(said.values()) == [
        "the answer is a Compound",
        "the answer is an Organization",
        "the answer is anything",
    ]
    book = load_rules_text(
        "class Anything\nrelation aunt (Anything, Anything)\n"
        'question aunts(t: Anything) "Who is the aunt of {t}?"\n'
        "    answer x : Anything\n    require aunt(x, t)\n"
    )
    graph = Graph.from_triples([(entity_key("a"), "aunt", entity_key("b"))])
    reading = Asker(graph, book).read("Who is the aunt of b?")
    assert reading.parts[0].words == "the answer is anything"


def test_what_a_constraint_came_from_is_shown(pharmacy: Corpus) -> None:
    text = "Which medicines treat migraine, excluding ibuprofen, but don't cause nausea?"
    reading = pharmacy.read(text)
    shown = {part.text: [text[start:end] for start, end in part.spans] for part in reading.parts}
    assert shown == {
        "x : Compound": ["Which medicines"],
        "treats(x, condition)": ["treat migraine"],
        "causes(x, side_effect)": ["n't cause nausea"],
        "x != compound": ["excluding ibuprofen"],
    }
    assert [part.words for part in reading.parts] == [
        "the answer is a Compound",
        "the answer is indicated for migraine",
        "it is not so that the answer can cause nausea",
        "the answer is not ibuprofen itself",
    ]
    assert [(name.text, name.entity, name.how) for name in reading.names] == [
        ("migraine", "migraine", "id"),
        ("ibuprofen", "ibuprofen", "id"),
        ("nausea", "nausea", "id"),
    ]
    assert all(0 < part.confidence <= 1 for part in reading.parts)


def test_what_is_left_out_is_shown_and_costs_confidence(countries: Corpus) -> None:
    plain = countries.read("Which countries use the euro?")
    more = countries.read("Which countries with the euro border Poland?")
    assert plain.unused == ()
    assert plain.confidence > 0.9
    assert all(0.6 <= r.confidence <= 1 for r in (plain, more))
    lost = corpus("family").read("Who married a man who was born in Berlin?")
    assert lost.unused == ("that something between is a Man",)
    assert lost.confidence < 0.8


@pytest.mark.parametrize("name", ["pharmacy", "countries", "family"])
def test_reading_is_deterministic(name: str) -> None:
    texts = {"pharmacy": PHARMACY, "countries": COUNTRIES, "family": FAMILY}[name]
    again = corpus.__wrapped__(name)
    assert [corpus(name).read(t) for t in texts] == [again.read(t) for t in reversed(texts)][::-1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Who was born before 1850?", "born before 1850"),
        ("Who was born in 1841?", "born in 1841"),
        ("Who has more than three children?", "has more than three children"),
    ],
)
def test_a_comparison_comes_from_the_words_for_its_value_too(text: str, words: str) -> None:
    (_, constraint) = corpus("family").read(text).parts
    assert [text[start:end] for start, end in constraint.spans] == [words]
