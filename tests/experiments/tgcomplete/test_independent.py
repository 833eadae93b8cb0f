"""The field reader: which fields it reads and how, prose by sentence, and the pairs by hand."""

from __future__ import annotations

import msgspec
import pytest

from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import Claim, Failure, Judgement, RelationWords, Value
from kgverify.evidence.passages import Passage
from kgverify.experiments.tgcomplete.independent import FieldReader
from kgverify.experiments.tgcomplete.labelling import NOT_STATED, STATED, labelled, measured

# Fields as profiles have them, in our own words: heading, relation, text, what it states, and what
# it names without stating it of the country.
FIELDS = [
    (
        "Government: Capital",
        "capital",
        "name: Ostburg (official); geographic coordinates: 1 00 N; note: Westburg is larger",
        ["Ostburg"],
        ["Westburg"],
    ),
    (
        "Geography: Land boundaries",
        "borders",
        "total: 1,200 km; border countries (2): Fenland 1,100 km (of which 5 km is a lake), "
        "Hill Republic 99 km; regional border countries: Marsh 3 km",
        ["Fenland", "Hill Republic"],
        ["Marsh"],
    ),
    (
        "Economy: Exchange rates",
        "currency",
        "Fenland dollars or crowns (FLD) per US dollar - 1.2 (2014 est.)",
        ["Fenland dollar", "crown", "FLD"],
        ["US dollar"],
    ),
    (
        "People and Society: Languages",
        "official_language",
        "Ostish 70% (official), Westish (official; taught in schools), Fennish 3%; note: Marshish "
        "is not official",
        ["Ostish", "Westish"],
        ["Fennish", "Marshish"],
    ),
    ("Geography: Map references", "region", "Southeast Asia", ["Asia"], ["Africa"]),
    (
        "Geography: Location",
        "subregion",
        "interior Northern Africa, bordering Western Asia",
        ["Northern Africa"],
        ["Western Asia"],
    ),
]
CASES = [
    (heading, relation, text, name, is_stated)
    for heading, relation, text, stated, others in FIELDS
    for is_stated, names in ((True, stated), (False, others))
    for name in names
]


def claim(relation: str, subject: str, *object_: str, symmetric: bool = False) -> Claim:
    return Claim((subject,), RelationWords(relation, is_symmetric=symmetric), object_, "?")


def label(passage: Passage, asked: Claim) -> str:
    (answer,) = FieldReader().judge([(passage, asked)])
    assert isinstance(answer, Judgement)
    return answer.label


@pytest.mark.parametrize(("heading", "relation", "text", "name", "is_stated"), CASES)
def test_fields(heading: str, relation: str, text: str, name: str, is_stated: bool) -> None:
    passage = Passage("p", text, "Ostland", heading=heading)
    wanted = "ENTAILED" if is_stated else "NOT_ENTAILED"
    assert label(passage, claim(relation, "Ostland", name)) == wanted
    # Of another country the field says nothing, nor does one without its heading.
    assert label(passage, claim(relation, "Nowhere", name)) == "UNCERTAIN"
    bare = msgspec.structs.replace(passage, heading="")
    assert label(bare, claim(relation, "Ostland", name)) == "UNCERTAIN"


def test_a_border_is_read_from_either_side() -> None:
    passage = Passage("p", "border countries: Ostland 9 km", "Fenland", heading="Land boundaries")
    asked = claim("borders", "Ostland", "Fenland", symmetric=True)
    assert label(passage, asked) == "ENTAILED"
    assert label(passage, claim("borders", "Ostland", "Fenland")) == "UNCERTAIN"


@pytest.mark.parametrize(
    ("relation", "text", "object_", "wanted"),
    [
        ("capital", "OSTBURG (capital) 1.2 million", "Ostburg", "ENTAILED"),
        ("capital", "Ostburg has a port.", "Ostburg", "UNCERTAIN"),
        ("capital", "Ostburg is no longer the capital.", "Ostburg", "UNCERTAIN"),
        ("currency", "The crown is legal tender.", "crown", "ENTAILED"),
        ("borders", "It trades with Fenland. It has long borders.", "Fenland", "UNCERTAIN"),
    ],
)
def test_profiles_in_prose(relation: str, text: str, object_: str, wanted: str) -> None:
    passage = Passage("p", text, "Ostland", heading="Background")
    assert label(passage, claim(relation, "Ostland", object_)) == wanted


@pytest.mark.parametrize(
    ("relation", "text", "object_", "wanted"),
    [
        ("localizes", "A cancer that is located in the knee.", "knee", "ENTAILED"),
        ("localizes", "A knee disease. It begins in the hand.", "knee", "ENTAILED"),
        ("localizes", "A disease that spares the knee.", "knee", "UNCERTAIN"),
        ("presents", "It is characterized by itching and fever.", "fever", "ENTAILED"),
        ("presents", "It is characterized by itching without fever.", "fever", "UNCERTAIN"),
        ("presents", "Fever is treated. Symptoms are few.", "fever", "UNCERTAIN"),
    ],
)
def test_definitions(relation: str, text: str, object_: str, wanted: str) -> None:
    passage = Passage("p", text, "knee itch")
    assert label(passage, claim(relation, "knee itch", object_)) == wanted


def test_of_values_nothing_is_known() -> None:
    asked = Claim(("Ostland",), RelationWords("population"), Value("number", "5"), "?")
    assert label(Passage("p", "5", "Ostland"), asked) == "UNCERTAIN"


# ---------------------------------------------------------------- pairs by hand


def test_the_labels_are_ids_and_labels_only() -> None:
    pairs = labelled()
    assert len(pairs) >= 120
    assert len({(one.passage, one.edge) for one in pairs}) == len(pairs)
    assert 40 <= sum(one.stated for one in pairs) <= len(pairs) - 40
    assert STATED != NOT_STATED


def test_a_judge_is_measured_on_the_pairs_that_a_corpus_has() -> None:
    known = [one for one in labelled() if one.edge.relation == "capital"][:6]
    from kgverify.language.checks import load_rules_text

    book = load_rules_text('class A, B\nrelation capital (A, B) "the capital of {0} is {1}"\n')
    corpus = Corpus.of(Passage(id_, "") for id_ in dict.fromkeys(one.passage for one in known))
    stated = {one.passage for one in known if one.stated}

    class Knows:
        """Is right about all but the first pair, on which it fails."""

        name = "knows"

        def judge(self, pairs):  # type: ignore[no-untyped-def]
            from kgverify.errors import Problem

            found = [
                Judgement("ENTAILED" if passage.id in stated else "UNCERTAIN", 1.0)
                for passage, _ in pairs
            ]
            return [Failure(Problem("model", "none")), *found[1:]]

    found = measured(Knows(), corpus, Claims(book))
    first_was_stated = known[0].stated
    assert found["pairs"] == len(known)
    assert found["stated"] == sum(one.stated for one in known)
    assert found["accuracy"] == (len(known) - first_was_stated) / len(known)
    assert found["precision"] in (1.0, None)
