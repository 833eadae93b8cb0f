"""Texts that are no question, or that nobody can be sure to have understood."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgverify import Asker, QuestionError, Reading, load_rules_text
from kgverify.asking.statements import faults, statement_of
from kgverify.errors import render
from kgverify.language.parsing import parse
from kgverify.language.printing import file_text
from kgverify.language.syntax import RuleFile
from tests.asking.corpora import Corpus, corpus, small

MANY = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))

REFUSED = [
    ("", ["empty-question"]),
    (" \n\t ", ["empty-question"]),
    ("?!… 12 «»", ["no-question"]),
    ("a" * 10_000, ["long-question"]),
    ("drugs " * 100, ["long-question"]),
    ("asdf qwer", ["unknown-words", "no-entity", "no-relation"]),
    ("treats", ["no-entity"]),
    ("Which drugs?", ["no-entity", "no-relation"]),
    ("Is lisinopril a drug?", ["no-relation"]),
    ("What treats 片頭痛?", ["unknown-words", "no-entity"]),
    ("Какие лекарства лечат мигрень?", ["unknown-words", "no-entity", "no-relation"]),
    # the meaning would turn round without one of the words
    ("Which drugs rarely cause nausea?", ["uncertain-reading"]),
    ("Which drugs treat neither pain nor fever?", ["uncertain-reading"]),
    ("Which drugs treat only pain?", ["uncertain-reading"]),
    ("How many medicines treat pain?", ["uncertain-reading"]),
    ("Does aspirin cause nausea?", ["uncertain-reading"]),
    # something that nobody knows is asked for as well
    ("Which NSAIDs treat pain?", ["uncertain-reading"]),
    ("Quels médicaments traitent la migraine ?", ["uncertain-reading"]),
    # two relations fit as well
    ("medicines for hypertension without dry cough", ["ambiguous-question"]),
]


@pytest.mark.parametrize(("text", "codes"), REFUSED, ids=lambda v: str(v)[:30])
def test_what_is_refused(pharmacy: Corpus, text: str, codes: list[str]) -> None:
    assert pharmacy.codes(text) == codes


def test_an_uncertain_reading_says_what_was_understood(pharmacy: Corpus) -> None:
    with pytest.raises(QuestionError) as caught:
        pharmacy.read("Which NSAIDs treat pain?")
    message = caught.value.problems[0].message
    assert "read with confidence 0.5" in message
    assert "the answer is indicated for pain; nothing was made of `NSAIDs`" in message
    bolder = Asker(pharmacy.graph, pharmacy.book, 0.5).read("Which NSAIDs treat pain?")
    assert (bolder.unused, bolder.confidence < 0.6) == (("NSAIDs",), True)


def test_unknown_words_are_named(pharmacy: Corpus) -> None:
    with pytest.raises(QuestionError, match="`片頭痛`"):
        pharmacy.read("What treats 片頭痛?")
    with pytest.raises(QuestionError, match=r"`лекарства`, `лечат`"):
        pharmacy.read("Какие лекарства лечат мигрень?")


def test_two_readings_of_equal_score_are_both_shown(pharmacy: Corpus) -> None:
    with pytest.raises(QuestionError) as caught:
        pharmacy.read("medicines for hypertension without dry cough")
    message = caught.value.problems[0].message
    assert "(1) the answer may be given in hypertension" in message
    assert "(2) the answer is indicated for hypertension" in message


def test_a_sentence_of_two_templates_is_ambiguous() -> None:
    corpus = small(
        """
class A
relation p (A, A) "{0} ps {1}"
relation q (A, A) "{0} qs {1}"
question one(a: A) "Who likes {a}?" answer x : A require p(x, a)
question two(b: A) "who likes {b}" answer x : A require q(x, b)
""",
        [("e", "p", "f"), ("f", "q", "e")],
    )
    with pytest.raises(QuestionError, match="`one`, `two`") as caught:
        corpus.read("Who likes e?")
    assert caught.value.problems[0].code == "ambiguous-question"


# ---------------------------------------------------------------- any text at all

SAID = (
    "which who what whose drugs drug medicines treats treat cause causes caused by for of in with "
    "without but not and or nor except excluding other than don't cannot 's , more than at least "
    "three 12 1,000 1950 1950-05-01 conditions side effect effects the a is are was do does have "
    "has same also it that interacts acts on target pain fever asthma lisinopril nsaids morphine "
    'hypertenson [pain] [nothing] "dry “fever” require exclude answer question count assume '
    'closed #script(python) :- {d} {x} {0} x X _ \\n \\ " [ ] ( ) . ; \x00 \u202e 片 ß İ'
)
WORDS = SAID.split(" ")
TEXTS = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join),
    st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=10).map(" ".join),
    st.text(max_size=300),
    st.text(min_size=1, max_size=20).flatmap(
        lambda text: st.integers(1, 10_000 // len(text)).map(lambda n: text * n)
    ),
)


def check(corpus: Corpus, text: str) -> Reading | None:
    """Read a text: a reading that keeps every promise, or problems that can be shown."""
    try:
        reading = corpus.read(text)
    except QuestionError as error:
        refused = error.problems
    else:
        return checked(corpus, text, reading)
    assert refused
    assert all(line.isprintable() for line in render(refused).splitlines())
    return None


def checked(corpus: Corpus, text: str, reading: Reading) -> Reading:
    assert corpus.asker.read(text) == reading
    assert 0.6 <= reading.confidence <= 1
    for start, end in [
        *(span for part in reading.parts for span in part.spans),
        *(name.span for name in reading.names),
    ]:
        assert 0 <= start < end <= len(text)
    if reading.statement:
        question = statement_of(reading, corpus.book)
        assert faults(question, corpus.book) == []
        assert {p.name.text for p in question.parameters} == set(reading.arguments)
        again, problems = parse(file_text(RuleFile("again", (question,))), "again")
        assert not problems
        assert again.statements == (question,)
    return reading


@MANY
@given(TEXTS)
def test_any_text_gives_a_reading_or_problems(text: str) -> None:
    check(corpus("pharmacy"), text)


GOOD = (
    "Which drugs treat {} but do not cause {}?",
    "medicines that treat [{}] without causing [{}]",
    "drugs used for {} and not for {}",
)


@MANY
@given(
    st.sampled_from(GOOD),
    st.text(max_size=12) | st.sampled_from(WORDS),
    st.text(max_size=12) | st.sampled_from(WORDS),
)
def test_hostile_names_change_nothing_but_the_names(frame: str, one: str, other: str) -> None:
    check(corpus("pharmacy"), frame.format(one, other))


HOSTILE = [
    'Eve "the" Quoter',
    "curly {0} {x}",
    "a [bracket",
    "two\nlines",
    "tab\tbell\x07",
    "question asked() require",
    "#script(python)",
    "x) answer y : A",
    "\\n",
    "'; not p(x, a). %",
]


@pytest.mark.parametrize("label", HOSTILE)
def test_a_label_is_never_program_text(label: str) -> None:
    """Whatever an entity is called, the statement about it is the same."""
    rules = 'class A phrases "person"\nrelation knows (A, A) "{0} knows {1}"\n'
    facts = [("e1", "knows", "e2")]
    plain = small(rules, facts, {"e2": "Plain"}).read("Which person knows Plain?")
    hostile = small(rules, facts, {"e2": label})
    reading = hostile.read("Which person knows e2?")
    assert reading.statement == plain.statement.replace("asked", reading.name)
    assert reading.arguments == {"a": "e2"}
    check(hostile, f"Which person knows [{label}]?")
    check(hostile, f'Which person knows "{label}"?')


@settings(MANY, max_examples=12)
@given(st.randoms(use_true_random=False))
def test_the_order_of_statements_does_not_matter(random) -> None:  # type: ignore[no-untyped-def]
    known = corpus("pharmacy")
    file, problems = parse(known.book.text, "pharmacy.kgr")
    assert not problems
    statements = list(file.statements)
    random.shuffle(statements)
    book = load_rules_text(file_text(RuleFile("shuffled", tuple(statements))))
    asker = Asker(known.graph, book)
    for text in (
        "Which drugs treat asthma but do not cause drowsiness?",
        "medicines that treat migraine without causing nausea",
        "Which side effects do drugs that treat pain cause?",
    ):
        assert asker.read(text) == known.read(text)
