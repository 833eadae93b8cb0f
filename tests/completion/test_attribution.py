"""What right answers depend on, against a plain search."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.attribution import AddedEdge, Answered, Class, attribute
from kgverify.completion.breakpoints import Edge
from tests.completion.proposed import edge

GRAPH = [
    edge(text)
    for text in (
        "oslo part_of norway",
        "norway part_of europe",
        "bergen part_of vestland",
        "rome part_of lazio",
        "pisa part_of tuscany",
        "nice part_of riviera",
        "lyon twin_of turin",
        "ghent part_of belgium",
    )
]


def asked(id_: str, topics: str, answers: str, *added: str, correct: bool = True) -> Answered:
    """A question; added edges begin with `+` (supported) or `-`."""
    edges = tuple(AddedEdge(edge(text[1:]), text[0] == "+") for text in added)
    return Answered(id_, tuple(topics.split()), tuple(answers.split()), correct, edges)


QUESTIONS = [
    asked("a short cut changes nothing", "oslo", "europe", "-oslo in europe"),
    asked("the graph has it", "lyon", "turin", "-lyon twin_of turin"),
    asked("it is the topic", "rome", "rome"),
    asked("only backwards", "turin", "lyon"),
    asked("an edge is missing", "bergen", "norway", "-vestland part_of norway"),
    asked("of two one has no support", "rome", "europe", "+lazio in italy", "-italy in europe"),
    asked("supported", "pisa", "italy", "+tuscany part_of italy"),
    asked("no need for the other", "pisa", "italy", "+tuscany part_of italy", "-pisa in italy"),
    asked("added for another question", "bergen", "sweden"),
    asked("of another question", "oslo", "sweden", "-vestland near sweden", correct=False),
    asked("no such topic", "atlantis", "sea"),
    asked("the edge leads elsewhere", "ghent", "france", "-france near spain"),
    asked("one of two answers", "nice", "riviera mars"),
    asked("no answer", "nice", ""),
]


def test_the_classes() -> None:
    found = attribute(QUESTIONS, GRAPH)
    assert found.classes == {
        "a short cut changes nothing": "A",
        "the graph has it": "A",
        "it is the topic": "A",
        "only backwards": "A",
        "an edge is missing": "B",
        "of two one has no support": "B",
        "supported": "S",
        "no need for the other": "S",
        "added for another question": "C",
        "no such topic": "C",
        "the edge leads elsewhere": "C",
        "one of two answers": "A",
        "no answer": "C",
    }
    assert found.counts == {"A": 5, "B": 2, "S": 2, "C": 4}
    assert found.independent == Fraction(11, 13)
    assert found.independent_as_published == Fraction(9, 13)
    assert found.both_ways


def test_one_direction_only() -> None:
    found = attribute(QUESTIONS, GRAPH, both_ways=False)
    assert found.classes["only backwards"] == "C"
    assert found.counts == {"A": 4, "B": 2, "S": 2, "C": 5}
    assert not found.both_ways


def test_no_right_answers_have_no_share() -> None:
    found = attribute([question for question in QUESTIONS if not question.correct], GRAPH)
    assert (found.independent, found.independent_as_published) == (None, None)
    assert found.counts == {"A": 0, "B": 0, "S": 0, "C": 0}
    with pytest.raises(ValueError):
        attribute([QUESTIONS[0], QUESTIONS[0]], GRAPH)


def reaches(question: Answered, edges: Iterable[Edge], both_ways: bool) -> bool:
    """A plain search."""
    links: dict[str, set[str]] = {}
    for one in edges:
        links.setdefault(one.subject, set()).add(one.object)
        if both_ways:
            links.setdefault(one.object, set()).add(one.subject)
    seen, todo = set(question.topics), list(question.topics)
    while todo:
        new = links.get(todo.pop(), set()) - seen
        seen |= new
        todo += new
    return not seen.isdisjoint(question.answers)


def plainly(question: Answered, graph: list[Edge], both_ways: bool) -> Class:
    supported = [added.edge for added in question.added if added.supported]
    every = [added.edge for added in question.added]
    ladder: tuple[tuple[Class, list[Edge]], ...] = (("A", []), ("S", supported), ("B", every))
    for letter, more in ladder:
        if reaches(question, [*graph, *more], both_ways):
            return letter
    return "C"


ENTITIES = st.sampled_from("abcdefgh")
EDGES = st.builds(Edge, ENTITIES, st.sampled_from("rs"), ENTITIES)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(EDGES, max_size=5),
    st.lists(
        st.tuples(
            st.lists(ENTITIES, max_size=2),
            st.lists(ENTITIES, max_size=2),
            st.booleans(),
            st.lists(st.builds(AddedEdge, EDGES, st.booleans()), max_size=5),
        ),
        max_size=5,
    ),
    st.booleans(),
)
def test_the_encoding_finds_what_a_search_finds(
    graph: list[Edge],
    drawn: list[tuple[list[str], list[str], bool, list[AddedEdge]]],
    both_ways: bool,
) -> None:
    questions = [
        Answered(str(n), tuple(topics), tuple(answers), correct, tuple(added))
        for n, (topics, answers, correct, added) in enumerate(drawn)
    ]
    assert attribute(questions, graph, both_ways).classes == {
        question.id: plainly(question, graph, both_ways)
        for question in questions
        if question.correct
    }
