"""Walks over a graph are what a slow and plain search finds; models choose from what is offered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Edge
from kgverify.completion.steps import ByVectors, ByWords, LikenessChooser, Offer, Step
from kgverify.completion.steps_by_model import SCHEMA, ModelChooser, read_reply
from kgverify.completion.walking import Walk, Walker, Way
from kgverify.errors import EvidenceError, ModelError
from kgverify.evidence.language_model import LanguageModel
from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.graph.terms import plain_literal_key
from kgverify.language.checks import load_rules_text
from tests.asking.chat_server import chat_server
from tests.models import needs_extra, word_model

BOOK = load_rules_text("""
class Country, City, River
relation capital (Country, City)  "the capital of {0} is {1}"
    phrases "{1} is the seat of government of {0}"
relation near (Country, Country) symmetric  "{0} borders {1}"
relation flows = "through" (River, Country)  "{0} flows through {1}"
relation age (Country, integer)
""")
STEPS = [Step("capital"), Step("capital", True), Step("flows"), Step("flows", True), Step("near")]
CLASSES = ["Country", "City", "River"]
NAMES = [f"n{number}" for number in range(6)]
Fact = tuple[str, str, str]


class Chance:
    """Scores of steps, and likeness of labels, that a test has chosen."""

    name, calls = "chance", 0

    def __init__(self, steps: dict[str, float | None], labels: dict[str, float]) -> None:
        self.steps, self.labels = steps, labels
        self.offered: list[list[Step]] = []

    def scores(self, question: str, offered: Sequence[Offer]) -> list[float | None]:
        self.offered.append([offer.step for offer in offered])
        return [self.steps[str(offer.step)] for offer in offered]

    def to(self, query: str, texts: Sequence[str]) -> list[float]:
        return [self.labels[text] for text in texts]


def graph(facts: Sequence[Fact], kinds: dict[str, str]) -> Graph:
    builder = Builder()
    for name, kind in kinds.items():
        builder.add_fact(f"e{name}", "rdf:type", f"e{kind}")
        builder.add_label(f"e{name}", f"label {name}")
    for subject, relation, object_ in facts:
        builder.add_fact(f"e{subject}", BOOK.kg_name(relation), f"e{object_}")
    builder.add_fact("en0", "age", plain_literal_key("7"))
    return Graph(builder.columns())


def plainly(
    facts: Sequence[Fact],
    kinds: dict[str, str],
    chance: Chance,
    topics: Sequence[str],
    width: int,
    depth: int,
    cls: str,
) -> Walk:
    """The same walk by going over all facts again and again, and sorting all that is found."""
    moves = {(s, Step(r), o) for s, r, o in facts if r != "near"}
    moves |= {(o, Step(r, True), s) for s, r, o in facts if r != "near"}
    for s, r, o in facts:
        if r == "near":
            moves |= {(s, Step(r), o), (o, Step(r), s)}
    ways = [Way(0.0, (), (topic,)) for topic in topics]
    level: list[Way] = []
    for _ in range(depth):
        longer = [
            (step, way, end)
            for way in ways
            for start, step, end in moves
            if start == way.entities[-1] and end not in way.entities
        ]
        scored = []
        for step in {step for step, _, _ in longer}:
            score = chance.steps[str(step)]
            if score is not None:
                scored.append((-score, step))
        chosen = {step: -lost for lost, step in sorted(scored)[:width]}
        found = [
            Way(way.score + chosen[step], (*way.steps, step), (*way.entities, end))
            for step, way, end in longer
            if step in chosen
        ]
        if not found:
            break
        found.sort(key=lambda way: (-way.score, way.steps, way.entities))
        best: dict[str, Way] = {}
        for way in found:
            best.setdefault(way.entities[-1], way)
        level = sorted(
            best.values(),
            key=lambda way: (
                -way.score,
                -chance.labels[f"label {way.entities[-1]}"],
                way.entities[-1],
            ),
        )
        fit = [way for way in level if kinds[way.entities[-1]] == cls]
        if cls and fit:
            return Walk(tuple(way.entities[-1] for way in fit), tuple(fit))
        ways = level[:width]
    last = [] if cls else level
    return Walk(tuple(way.entities[-1] for way in last), tuple(last))


entities = st.sampled_from(NAMES)
facts = st.lists(
    st.tuples(entities, st.sampled_from(["capital", "near", "flows"]), entities), max_size=14
)
# Binary fractions, whose sums are exact in whichever order.
scores = st.sampled_from([0.0, 0.25, 0.5, 1.0])
chances = st.builds(
    Chance,
    st.fixed_dictionaries({str(step): st.none() | scores for step in STEPS}),
    st.fixed_dictionaries({f"label {name}": scores for name in NAMES}),
)
all_kinds = st.fixed_dictionaries({name: st.sampled_from(CLASSES) for name in NAMES})


@settings(max_examples=600, deadline=None)
@given(
    facts,
    facts,
    all_kinds,
    chances,
    st.lists(entities, min_size=1, max_size=2, unique=True),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from(["", *CLASSES]),
)
def test_a_walk_is_what_a_plain_search_finds(
    stated: list[Fact],
    added: list[Fact],
    kinds: dict[str, str],
    chance: Chance,
    topics: list[str],
    width: int,
    depth: int,
    cls: str,
) -> None:
    edges = [Edge(*fact) for fact in added]
    walker = Walker(graph(stated, kinds), BOOK, width, depth, chance, chance, edges)
    expected = plainly([*stated, *added], kinds, chance, topics, width, depth, cls)
    assert walker.walk("?", topics, cls) == expected
    assert walker.walk("?", [*topics, *topics], cls) == expected


@settings(max_examples=100, deadline=None)
@given(facts, facts, all_kinds, entities)
def test_an_added_edge_is_walked_like_a_stated_one(
    stated: list[Fact], added: list[Fact], kinds: dict[str, str], topic: str
) -> None:
    edges = [Edge(*fact) for fact in added]
    one = Walker(graph(stated, kinds), BOOK, added=edges)
    other = Walker(graph([*stated, *added], kinds), BOOK)
    assert one.walk("the capital near a river", [topic]) == other.walk(
        "the capital near a river", [topic]
    )


# ---------------------------------------------------------------- by words and vectors


NORTH = {
    "no": "Country",
    "se": "Country",
    "oslo": "City",
    "stockholm": "City",
    "glomma": "River",
}
FACTS = [
    ("no", "capital", "oslo"),
    ("se", "capital", "stockholm"),
    ("se", "near", "no"),
    ("glomma", "flows", "no"),
]


def walk(question: str, *topics: str, cls: str = "", depth: int = 3, width: int = 1) -> Walk:
    return Walker(graph(FACTS, NORTH), BOOK, width, depth).walk(question, topics, cls)


def test_the_question_s_words_choose_the_steps() -> None:
    found = walk("What is the capital of Norway?", "no", cls="City")
    assert found.answers == ("oslo",)
    assert [way.steps for way in found.ways] == [(Step("capital"),)]
    assert walk("Which river flows through Norway?", "no", depth=1).answers == ("glomma",)
    assert walk("What does Norway border?", "no", depth=1).answers == ("se",)
    found = walk("Which seat of government has what Norway borders?", "no", cls="City", width=2)
    assert found.answers == ("oslo",)  # it ends where there is a city


def test_longer_ways_are_found_where_nothing_nearer_is_of_the_class() -> None:
    found = walk("Which river flows through the country whose capital it is?", "oslo", cls="River")
    assert found.answers == ("glomma",)
    (way,) = found.ways
    assert way.steps == (Step("capital", True), Step("flows", True))
    assert way.entities == ("oslo", "no", "glomma")
    assert walk("Which river flows?", "oslo", cls="River", depth=1) == Walk()


def test_blank_nodes_are_walked_over_and_are_no_answers() -> None:
    builder = Builder()
    builder.add_fact("eno", "near", "b1")
    builder.add_fact("b1", "near", "ese")
    kg = Graph(builder.columns())
    assert Walker(kg, BOOK, depth=1).walk("near", ["no"]) == Walk()
    assert Walker(kg, BOOK, depth=2).walk("near", ["no"]).answers == ("se",)


def test_values_are_not_walked_to() -> None:
    builder = Builder()
    for object_ in (plain_literal_key("7"), "efi"):
        builder.add_fact("eno", "age", object_)
    kg = Graph(builder.columns())
    assert Walker(kg, BOOK).walk("near the age", ["no"]) == Walk()
    # A value where an entity is declared takes no place in the beam.
    for subject, object_ in (("eno", plain_literal_key("near")), ("eno", "ese"), ("ese", "efi")):
        builder.add_fact(subject, "near", object_)
    assert Walker(Graph(builder.columns()), BOOK, 1, 2).walk("near", ["no"]).answers == ("fi",)


def test_names_that_nobody_has_are_errors() -> None:
    kg = graph(FACTS, NORTH)
    with pytest.raises(EvidenceError, match="no entity `atlantis`"):
        Walker(kg, BOOK).walk("?", ["atlantis"])
    with pytest.raises(EvidenceError, match=r"no class `Citty`.*did you mean `City`"):
        Walker(kg, BOOK).walk("?", ["no"], "Citty")
    with pytest.raises(EvidenceError, match="no entity `atlantis`"):
        Walker(kg, BOOK, added=[Edge("no", "near", "atlantis")])
    for relation in ("neer", "age"):
        with pytest.raises(EvidenceError, match=f"no relation `{relation}` between entities"):
            Walker(kg, BOOK, added=[Edge("no", relation, "se")])
    for width, depth in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="at least one step"):
            Walker(kg, BOOK, width, depth)


def test_likeness_by_vectors_is_the_cosine() -> None:
    import numpy as np

    class Letters:
        """Counts of three letters, of length 1."""

        class path:
            name = "letters"

        def vectors(self, texts: Sequence[str]) -> Any:
            rows = np.array([[text.count(c) for c in "abc"] for text in texts], np.float32)
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    likeness = ByVectors(Letters())  # type: ignore[arg-type]
    assert likeness.name == "cosine(letters)"
    assert likeness.to("a", ["aa", "ab", "c"]) == pytest.approx([1.0, 0.5**0.5, 0.0])
    assert likeness.to("a", []) == []


@needs_extra
def test_likeness_by_the_vectors_of_a_model(tmp_path: Path) -> None:
    from kgverify.evidence.encoding import Encoder

    model = word_model(tmp_path, {0: "capital seat", 1: "river flows through", 2: "borders near"})
    likeness = ByVectors(Encoder(model))
    seat, river = likeness.to("seat", ["capital", "river"])
    assert seat == pytest.approx(1.0, abs=1e-6)
    assert river < 0.5
    walker = Walker(graph(FACTS, NORTH), BOOK, 1, 1, likeness)
    assert walker.walk("near", ["no"]).answers == ("se",)
    assert walker.walk("river", ["no"]).answers == ("glomma",)


def test_likeness_by_words_has_nothing_where_no_word_is_shared() -> None:
    shared, other = ByWords().to("the capital city", ["a capital", "a river"])
    assert shared > other == 0
    assert ByWords().to("x", []) == []
    assert LikenessChooser(ByWords()).name == "tf-idf"


# ---------------------------------------------------------------- by a language model


def reply(**scored: float) -> str:
    steps = [{"step": step.replace("inverse_", "^"), "score": s} for step, s in scored.items()]
    return json.dumps({"steps": steps})


def by_model(url: str, depth: int = 3) -> Walker:
    chooser = ModelChooser(LanguageModel(url, "small"))
    return Walker(graph(FACTS, NORTH), BOOK, depth=depth, chooser=chooser)


def test_a_model_chooses_from_what_is_offered() -> None:
    with chat_server(reply(near=0.9), reply(capital=1)) as server:
        walker = by_model(server.url, 2)
        found = walker.walk("Capitals nearby?", ["no"], "City")
        assert (found.answers, walker.chooser.calls) == (("stockholm",), 2)
        assert [way.score for way in found.ways] == [1.9]
        asked = json.loads(server.asked[0]["messages"][1]["content"])
        assert asked["question"] == "Capitals nearby?"
        assert [one["step"] for one in asked["steps"]] == ["capital", "^flows", "near"]
        assert "borders" in asked["steps"][2]["says"]
        assert server.asked[0]["response_format"]["json_schema"]["schema"] == SCHEMA
    assert walker.name == "walk 3 2 endpoint small"


def test_a_model_that_chooses_nothing_ends_the_walk() -> None:
    with chat_server(reply()) as server:
        assert by_model(server.url).walk("?", ["no"]) == Walk()


OFFERED = [Offer(Step("capital"), "capital of"), Offer(Step("flows", True), "flows")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON"),
        ("capital", "no JSON"),
        ('{"steps": ["capital"]}', "no JSON of the form"),
        ('{"steps": [{"step": "capital"}]}', "score"),
        ('{"steps": [{"step": "capital", "score": true}]}', "no JSON of the form"),
        ('{"steps": [{"step": "capital", "score": "1"}]}', "no JSON of the form"),
        ('{"steps": [{"step": "capital", "score": NaN}]}', "NaN"),
        ('{"steps": [], "answer": "Oslo"}', "answer"),
        (reply(capital=1.5), "no number from 0 to 1"),
        (reply(capital=-0.1), "no number from 0 to 1"),
        (reply(flows=1), "was not offered: 'flows'"),
        (reply(Capital=1), "was not offered"),
        (reply(capital=1, near=1), "was not offered: 'near'"),
        (json.dumps({"steps": [{"step": "capital", "score": 1}] * 2}), "twice"),
        (json.dumps({"steps": [{"step": "\x1b[2J" * 1000, "score": 1}]}), "\\x1b"),
    ],
)
def test_any_other_reply_is_an_error(text: str, why: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_reply(text, OFFERED)
    (problem,) = caught.value.problems
    assert problem.code == "walk-reply"
    assert why in problem.message
    assert problem.message.isprintable()
    assert caught.value.raw == text


def test_steps_that_are_left_out_have_no_score() -> None:
    assert read_reply(reply(inverse_flows=0.5), OFFERED) == [None, 0.5]
    assert read_reply(reply(), OFFERED) == [None, None]


def test_a_reply_that_can_t_be_used_ends_the_walk_with_the_reason() -> None:
    with chat_server(reply(capital=1, spouse=1)) as server:
        walker = by_model(server.url)
        found = walker.walk("?", ["no"], "City")
        assert found.failure is not None
        assert (found.failure.code, found.answers) == ("walk-reply", ())
        assert walker.chooser.calls == len(server.asked) == 2
    with chat_server("no", reply(capital=1)) as server:
        assert by_model(server.url).walk("?", ["no"], "City").answers == ("oslo",)
