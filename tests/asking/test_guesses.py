"""Words that a rule file does not have: guessed from words in common, and said to be guesses."""

from __future__ import annotations

import pytest

import kgverify
from kgverify import Asker, Graph, QuestionError, Reading, RuleBook
from kgverify.asking.guessing import CommonWords, Guess, Guesser, root
from kgverify.asking.lexicon import Lexicon
from kgverify.asking.words import words
from tests.reasoning import small

RULES = """
class Drug      phrases "drug"
class Disease   phrases "disease"
class BodyPart  phrases "body part"
class Person    phrases "person"
disjoint Drug, Disease, BodyPart, Person

relation treats (Drug, Disease)
    "{0} treats {1}"
    phrases "is indicated for"
relation eases (Drug, Disease)
    "{0} eases {1}"
    phrases "relieves the symptoms of", "is a symptomatic medicine for"
relation affects (Disease, BodyPart)
    "{0} affects the {1}"
relation advises (Person, Person)
    "{0} advises {1}"
relation heals (Person, Disease)
    "{0} takes away {1}"
    phrases "is a wonder medicine for"
"""
FACTS = """
salbutamol treats asthma
mint eases asthma
asthma affects lung
ann advises bob
bob heals asthma
"""


@pytest.fixture(scope="module")
def book() -> RuleBook:
    return kgverify.load_rules_text(RULES)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return small.graph(FACTS)


def read(text: str, graph: Graph, book: RuleBook, least: float = 0.0) -> Reading:
    return Asker(graph, book, least).read(text)


def constraints(reading: Reading) -> list[str]:
    return [part.text for part in reading.parts[1:]]


def of(text: str, book: RuleBook) -> list[Guess]:
    ((*found,),) = CommonWords(Lexicon(book)).guesses([words(text)])
    return found


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("treatment", "treat"),
        ("director", "direct"),
        ("actor", "act"),
        ("ion", "ion"),
        ("er", "er"),
    ],
)
def test_an_ending_that_makes_another_word_is_left_out(word: str, expected: str) -> None:
    assert root(word) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the treatment of asthma?", "treats(x, disease)"),
        ("Which drugs are treatments for asthma?", "treats(x, disease)"),
        ("What is the affected organ of asthma?", "affects(disease, x)"),
        ("Who is an advisor of bob?", "advises(x, person)"),
    ],
)
def test_words_that_are_like_those_of_a_relation_are_a_guess(
    question: str, expected: str, graph: Graph, book: RuleBook
) -> None:
    reading = read(question, graph, book)
    assert constraints(reading) == [expected]
    assert reading.confidence < 0.85


def test_what_the_rule_file_says_itself_is_surer_than_a_guess(graph: Graph, book: RuleBook) -> None:
    plain = read("Which drugs treat asthma?", graph, book)
    guessed = read("Which drugs are treatments for asthma?", graph, book)
    assert constraints(plain) == constraints(guessed)
    assert plain.confidence > 0.9 > 0.85 > guessed.confidence


def test_a_guess_is_refused_where_more_confidence_is_wanted(graph: Graph, book: RuleBook) -> None:
    with pytest.raises(QuestionError, match="treats asthma") as caught:
        read("Which drugs are treatments for asthma?", graph, book, 0.9)
    assert [problem.code for problem in caught.value.problems] == ["uncertain-reading"]


def test_a_word_that_two_relations_have_is_ambiguous(graph: Graph, book: RuleBook) -> None:
    with pytest.raises(QuestionError) as caught:
        read("What is a medicine for asthma?", graph, book)
    (problem,) = caught.value.problems
    assert problem.code == "ambiguous-question"
    assert "eases asthma" in problem.message
    assert "takes away asthma" in problem.message


def test_the_types_decide_between_relations_with_a_word_in_common(
    graph: Graph, book: RuleBook
) -> None:
    assert constraints(read("Which drugs are a medicine for asthma?", graph, book)) == [
        "eases(x, disease)"
    ]


@pytest.mark.parametrize("word", ["Foozle", "foozle"])
def test_an_unknown_name_is_no_guess(word: str, graph: Graph, book: RuleBook) -> None:
    with pytest.raises(QuestionError) as caught:
        read(f"Which drugs treat {word}?", graph, book)
    assert "unknown-words" in [problem.code for problem in caught.value.problems]
    assert word in str(caught.value)


def test_words_in_common_count_by_how_many_and_how_rare_they_are(book: RuleBook) -> None:
    assert [g.relation for g in of("medicine", book)][:2] == ["eases", "heals"]
    assert {g.likeness for g in of("medicine", book)} == {1.0}
    (treats,) = of("treatment", book)
    assert treats == Guess("treats", 1.0)
    (half,) = of("treatment plan", book)
    assert half.relation == "treats"
    assert half.likeness == pytest.approx(0.5)
    assert of("symptomatic medicine", book)[0].relation == "eases"
    assert of("plan", book) == []


def test_a_rule_file_without_relations_has_no_guesses() -> None:
    book = kgverify.load_rules_text("class Drug\n")
    assert of("treatment", book) == []


def test_the_way_round_is_that_of_the_relations_own_words(book: RuleBook) -> None:
    lexicon = Lexicon(book)
    ((likeness, lexemes),) = Guesser(lexicon, [CommonWords(lexicon)]).lexemes([words("advisor")])
    assert likeness == 1
    assert {x.forward for x in lexemes if x.kind == "verb"} == {True}
    assert {x.forward for x in lexemes if x.kind == "noun"} == {True}
    ((_, lexemes),) = Guesser(lexicon, [CommonWords(lexicon)]).lexemes([words("advisement")])
    assert {x.forward for x in lexemes if x.kind == "noun"} == {True, False}


def test_the_likeliest_of_several_matchers_counts(book: RuleBook) -> None:
    class Fixed:
        def __init__(self, *guesses: Guess) -> None:
            self.found = guesses

        def guesses(self, spans: object) -> list[tuple[Guess, ...]]:
            return [self.found]

    matchers = [Fixed(Guess("treats", 0.4), Guess("eases", 0.8)), Fixed(Guess("treats", 0.6))]
    ((best, lexemes),) = Guesser(Lexicon(book), matchers).lexemes([words("remedy")])
    assert best == 0.8
    scores = {lexeme.relation: lexeme.score for lexeme in lexemes}
    assert scores == {"eases": 1.0, "treats": pytest.approx(0.75)}
