"""The controls of the study as records, and answers from files of predictions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgverify.completion.breakpoints import Breakpoint, Edge
from kgverify.completion.generating import generate_to_complete
from kgverify.completion.guessing import Guesser
from kgverify.completion.linking import Linker
from kgverify.completion.retrieving import retrieve_to_complete
from kgverify.completion.steps_by_model import ModelChooser
from kgverify.completion.walking import Walker
from kgverify.errors import EvidenceError
from kgverify.evidence.bm25 import Bm25
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.language_model import LanguageModel
from kgverify.evidence.passages import Passage
from kgverify.experiments.tgcomplete.controls import (
    generated_edges,
    retrieved_edges,
    walked_answers,
)
from kgverify.experiments.tgcomplete.predicted import read_answers
from kgverify.experiments.tgcomplete.records import Answered, PathQuestion, Proposed
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.knowledge import Knowledge
from tests.asking.chat_server import chat_server

BOOK = load_rules_text("""
class Country, City
relation capital (Country, City) functional  "the capital of {0} is {1}"
    phrases "{1} is the capital of {0}"
relation near (Country, Country) symmetric  "{0} borders {1}"
""")
NAMES = {
    "no": ("Country", "Norway"),
    "se": ("Country", "Sweden"),
    "fi": ("Country", "Finland"),
    "oslo": ("City", "Oslo"),
    "sthlm": ("City", "Stockholm"),
    "lux": ("Country", "Luxembourg"),
    "luxcity": ("City", "Luxembourg"),
}
QUESTIONS = [
    PathQuestion("q1", "What is the capital of Norway?", "no", ("capital",), frozenset(["oslo"])),
    PathQuestion(
        "q2", "What is the capital of what Norway borders?", "no", ("near", "capital"), frozenset()
    ),
    PathQuestion("q3", "What does Norway border?", "no", ("near",), frozenset(["se", "fi"])),
]


def kg() -> Graph:
    builder = Builder()
    for id_, (cls, name) in NAMES.items():
        builder.add_fact(f"e{id_}", "rdf:type", f"e{cls}")
        builder.add_label(f"e{id_}", name)
    for subject, relation, object_ in (
        ("no", "capital", "oslo"),
        ("se", "near", "no"),
        ("no", "near", "fi"),
        ("fi", "near", "se"),
        ("se", "capital", "sthlm"),
    ):
        builder.add_fact(f"e{subject}", relation, f"e{object_}")
    return Graph(builder.columns())


# ---------------------------------------------------------------- records


def test_what_is_generated_is_admitted_and_not_judged() -> None:
    missing = [Breakpoint("fi", "capital"), Breakpoint("lux", "near")]
    graph = kg()
    found = generate_to_complete(missing, Guesser(graph, BOOK), Linker(Knowledge(graph, BOOK)))
    # Norway and Finland share that they border Sweden, Finland and Sweden that they border Norway.
    assert generated_edges(found) == (Proposed(Edge("fi", "capital", "oslo"), True),)


def test_what_is_retrieved_is_admitted_with_its_passages() -> None:
    corpus = Corpus.of([Passage("p", "The capital of Finland is near Stockholm.", "Finland")])
    missing = [Breakpoint("fi", "capital"), Breakpoint("lux", "near")]
    found = retrieve_to_complete(missing, kg(), BOOK, corpus, Bm25(corpus))
    assert retrieved_edges(found) == (
        Proposed(Edge("fi", "capital", "sthlm"), True, passages=("p",)),
    )


def test_a_walk_answers_with_the_class_that_the_path_leads_to() -> None:
    answered, failures = walked_answers(QUESTIONS, Walker(kg(), BOOK, width=1), BOOK)
    assert answered == (
        Answered("q1", ("oslo",)),
        Answered("q2", ("oslo",)),  # it stops at the first city
        Answered("q3", ("fi", "se")),
    )
    assert failures == ()
    with chat_server("no steps") as server:
        chooser = ModelChooser(LanguageModel(server.url, "small"))
        answered, failures = walked_answers(QUESTIONS, Walker(kg(), BOOK, chooser=chooser), BOOK)
    assert answered == tuple(Answered(question.id, ()) for question in QUESTIONS)
    assert [failure.code for failure in failures] == ["walk-reply"] * 3


# ---------------------------------------------------------------- predictions


def written(path: Path, *lines: dict[str, object]) -> Path:
    file = path / "predictions.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return file


def test_predictions_are_answers_of_the_right_class_or_text(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        {"id": "q1", "prediction": ["Luxembourg", "OSLO", "oslo", "Atlantis", "Norway"]},
        {"question": "What does  Norway border?", "prediction": "Luxembourg, se"},
    )
    answered, warnings = read_answers(file, QUESTIONS, kg(), BOOK)
    assert answered == (
        Answered("q1", ("luxcity", "oslo", "Atlantis", "Norway")),
        Answered("q2", ()),
        Answered("q3", ("lux", "se")),
    )
    (warning,) = warnings
    assert (warning.code, warning.severity) == ("no-prediction", "warning")
    assert "`q2`" in warning.message


def test_everything_that_is_wrong_with_predictions_is_told(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        {"id": "q1", "prediction": ["Oslo"]},
        {"id": "q9", "prediction": ["Oslo"]},
        {"id": "q2", "prediction": 1.5},
        {"prediction": ["Oslo"]},
    )
    with pytest.raises(EvidenceError) as caught:
        read_answers(file, QUESTIONS, kg(), BOOK)
    found = [(p.span.line if p.span else 0, p.code) for p in caught.value.problems]
    assert found == [(3, "prediction-line"), (4, "prediction-line"), (2, "unknown-question")]


def test_the_field_of_the_answers_may_be_named(tmp_path: Path) -> None:
    file = written(tmp_path, {"id": "q1", "prediction": ["x"], "results": "{Yes} {Oslo}"})
    with pytest.raises(EvidenceError, match="several-predictions"):
        read_answers(file, QUESTIONS[:1], kg(), BOOK)
    answered, _ = read_answers(file, QUESTIONS[:1], kg(), BOOK, "results")
    assert answered == (Answered("q1", ("oslo",)),)
