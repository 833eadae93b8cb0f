"""What answers owe to added edges, against plain searches along any way and along the path."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Breakpoint, Edge
from kgverify.experiments.tgcomplete.causes import causes, force_accept
from kgverify.experiments.tgcomplete.rates import Rate
from kgverify.experiments.tgcomplete.records import Answered, MethodRun, PathQuestion, Proposed

ENTITIES = st.sampled_from("abcde")
EDGES = st.builds(Edge, ENTITIES, st.sampled_from("rs"), ENTITIES)
PATHS = st.lists(st.sampled_from("rs"), min_size=1, max_size=3).map(tuple)
PLACES = st.builds(Breakpoint, ENTITIES, st.sampled_from("rs"))

Reaches = Callable[[PathQuestion, Iterable[Edge], Collection[str]], bool]


def anywhere(question: PathQuestion, edges: Iterable[Edge], symmetric: Collection[str]) -> bool:
    """Any way, in both directions."""
    known = list(edges)
    seen = {question.topic}
    while True:
        more = {e.object for e in known if e.subject in seen}
        more |= {e.subject for e in known if e.object in seen}
        if more <= seen:
            return not seen.isdisjoint(question.answers)
        seen |= more


def by_path(question: PathQuestion, edges: Iterable[Edge], symmetric: Collection[str]) -> bool:
    """Step by step along the path."""
    known = list(edges)
    here = {question.topic}
    for relation in question.path:
        step = [e for e in known if e.relation == relation]
        there = {e.object for e in step if e.subject in here}
        if relation in symmetric:
            there |= {e.subject for e in step if e.object in here}
        here = there
    return not here.isdisjoint(question.answers)


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[PathQuestion], MethodRun, set[str]]:
    questions, answered = [], []
    for number in range(draw(st.integers(0, 4))):
        right = draw(st.frozensets(ENTITIES, max_size=2))
        questions.append(PathQuestion(f"q{number}", "?", draw(ENTITIES), draw(PATHS), right))
        stopped = tuple(draw(st.lists(PLACES, max_size=4)))
        answered.append(Answered(f"q{number}", (), stopped))
    proposed = draw(st.lists(st.builds(Proposed, EDGES, st.booleans()), max_size=8))
    unique = {one.edge: one for one in proposed}
    right_ones = draw(st.sets(st.sampled_from([q.id for q in questions]))) if questions else set()
    return questions, MethodRun("ours", tuple(answered), tuple(unique.values())), right_ones


def own(run: MethodRun, question: PathQuestion) -> list[Proposed]:
    """What was proposed where the path of a question stopped."""
    (answered,) = (one for one in run.answered if one.question == question.id)
    return [
        one
        for one in run.edges
        if any(
            (one.edge.subject, one.edge.relation) == (place.subject, place.relation)
            for place in answered.missing
        )
    ]


@settings(max_examples=300)
@given(
    runs(),
    st.lists(EDGES, max_size=6),
    st.sampled_from((frozenset(), frozenset("r"), frozenset("rs"))),
    st.data(),
)
def test_causes_are_what_plain_searches_find(
    drawn: tuple[list[PathQuestion], MethodRun, set[str]],
    graph: list[Edge],
    symmetric: frozenset[str],
    data: st.DataObject,
) -> None:
    questions, run, right = drawn
    support = {one.edge: data.draw(st.sampled_from((True, False, None))) for one in run.edges}
    found = causes(questions, run, right, graph, support, symmetric)
    ways: tuple[tuple[dict, Reaches], ...] = (
        (dict(found.anywhere.classes), anywhere),
        (dict(found.by_path.classes), by_path),
    )
    admitted = {q.id: [one.edge for one in own(run, q) if one.admitted] for q in questions}
    for classes, reaches in ways:
        expected = {}
        for question in questions:
            if question.id in right:
                edges = admitted[question.id]
                supported = [edge for edge in edges if support[edge] is True]
                ladder = (("A", []), ("S", supported), ("B", edges))
                expected[question.id] = next(
                    (
                        letter
                        for letter, more in ladder
                        if reaches(question, [*graph, *more], symmetric)
                    ),
                    "C",
                )
        assert classes == expected
    used = {edge for id_ in right for edge in admitted[id_]}
    assert found.unknown == sum(support[edge] is None for edge in used)


@settings(max_examples=300)
@given(
    runs(),
    st.lists(EDGES, max_size=6),
    st.sampled_from((frozenset(), frozenset("r"), frozenset("rs"))),
)
def test_force_accepting_is_what_plain_searches_find(
    drawn: tuple[list[PathQuestion], MethodRun, set[str]],
    graph: list[Edge],
    symmetric: frozenset[str],
) -> None:
    questions, run, right = drawn
    found = force_accept(questions, run, right, graph, symmetric)
    wrong = [question for question in questions if question.id not in right]
    ways: tuple[tuple[object, Reaches], ...] = (
        (found.anywhere, anywhere),
        (found.by_path, by_path),
    )
    for forced, reaches in ways:
        before = after = gained = 0
        for question in wrong:
            edges = own(run, question)
            admitted = [*graph, *(one.edge for one in edges if one.admitted)]
            was = reaches(question, admitted, symmetric)
            now = reaches(question, [*admitted, *(one.edge for one in edges)], symmetric)
            before, after, gained = before + was, after + now, gained + (now and not was)
        assert forced.before == Rate(before, len(wrong))  # type: ignore[attr-defined]
        assert forced.after == Rate(after, len(wrong))  # type: ignore[attr-defined]
        assert forced.gained == Rate(gained, len(wrong))  # type: ignore[attr-defined]


def test_the_path_asks_for_more_than_any_way() -> None:
    question = PathQuestion("q", "?", "oslo", ("in", "beside"), frozenset({"sweden"}))
    graph = [Edge("norway", "in", "oslo"), Edge("sweden", "beside", "norway")]
    place = Breakpoint("oslo", "in")
    edge = Edge("oslo", "in", "norway")
    run = MethodRun("ours", (Answered("q", ("sweden",), (place,)),), (Proposed(edge, True),))
    found = causes([question], run, {"q"}, graph, {edge: True}, {"beside"})
    assert (found.anywhere.classes["q"], found.by_path.classes["q"]) == ("A", "S")
    assert causes([question], run, {"q"}, graph, {edge: None}, {"beside"}).by_path.classes == {
        "q": "B"
    }
    assert causes([question], run, {"q"}, graph, {edge: True}).by_path.classes == {"q": "C"}
    rejected = MethodRun("ours", (Answered("q", (), (place,)),), (Proposed(edge, False),))
    forced = force_accept([question], rejected, (), graph, {"beside"})
    assert (forced.by_path.gained.value, forced.anywhere.gained.value) == (Fraction(1), Fraction(0))
    assert forced.anywhere.before.value == 1
    assert force_accept([question], rejected, {"q"}, graph).by_path.gained.value is None


def test_support_of_every_edge_that_was_admitted_must_be_known() -> None:
    question = PathQuestion("q", "?", "a", ("r",), frozenset({"b"}))
    run = MethodRun(
        "ours",
        (Answered("q", ("b",), (Breakpoint("a", "r"),)),),
        (Proposed(Edge("a", "r", "b"), True),),
    )
    with pytest.raises(KeyError):
        causes([question], run, {"q"}, [], {})
