"""What right answers depend on: by hand, and along paths against a plain search."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import Breakpoint, Edge
from kgverify.experiments.tgcomplete.depending import ANY_WAY, BY_PATH, depending
from kgverify.experiments.tgcomplete.records import Answered, MethodRun, PathQuestion, Proposed
from kgverify.experiments.tgcomplete.worlds import Paths

R, S = "r", "near"


def question(id_: str, topic: str, path: tuple[str, ...], *answers: str) -> PathQuestion:
    return PathQuestion(id_, "?", topic, path, frozenset(answers))


def test_each_class_by_hand() -> None:
    left = [Edge("a", R, "x"), Edge("b", "other", "y")]
    questions = [
        question("graph", "a", (R,), "x"),
        question("stated", "b", (R,), "y"),
        question("unstated", "c", (R,), "z"),
        question("outside", "d", (R,), "w"),
        question("wrong", "e", (R,), "v"),
    ]
    proposed = (
        Proposed(Edge("b", R, "y"), True),
        Proposed(Edge("c", R, "z"), True),
        Proposed(Edge("e", R, "v"), False),
    )
    answered = tuple(
        Answered(q.id, given, tuple(Breakpoint(t, R) for t in missing))
        for q, given, missing in zip(
            questions,
            [("x",), ("y",), ("z", "x"), ("w",), ("x",)],
            ["", "b", "c", "d", "e"],
            strict=True,
        )
    )
    supported = {Edge("b", R, "y"): True, Edge("c", R, "z"): False, Edge("e", R, "v"): False}
    found = depending(questions, MethodRun("m", answered, proposed), left, supported, [])
    path = found[BY_PATH]
    assert path["classes"] == {"A": 1, "B": 1, "S": 1, "C": 1}
    assert (path["right"], path["independent"], path["independent_as_published"]) == (4, 0.75, 0.5)
    # To admit what was rejected would have answered the last.
    assert (path["wrong"], path["gained"], path["gained_share"]) == (1, 1, 1.0)
    # By any way through the graph y is reached from b without the added edge.
    assert found[ANY_WAY]["classes"] == {"A": 2, "B": 1, "S": 0, "C": 1}


def test_nothing_right_and_nothing_wrong_are_undefined() -> None:
    found = depending([], MethodRun("m", ()), [], {}, [])
    assert found[BY_PATH]["independent"] is None
    assert found[BY_PATH]["gained_share"] is None


ENDS = st.sampled_from("abc")
EDGES = st.frozensets(st.builds(Edge, ENDS, st.sampled_from((R, S)), ENDS), max_size=6)


@settings(max_examples=200, deadline=None)
@given(
    EDGES,
    st.dictionaries(st.builds(Edge, ENDS, st.sampled_from((R, S)), ENDS), st.booleans(), max_size=5),
    st.lists(st.sampled_from((R, S)), min_size=1, max_size=2).map(tuple),
    ENDS,
)
def test_along_a_path_it_is_what_a_plain_walk_finds(
    left: frozenset[Edge], added: dict[Edge, bool], path: tuple[str, ...], answer: str
) -> None:
    topic = "a"
    asked = question("q", topic, path, answer)
    missing = tuple(sorted({Breakpoint(e.subject, e.relation) for e in added}))
    run = MethodRun(
        "m",
        (Answered("q", (answer,), missing),),
        tuple(Proposed(edge, True) for edge in sorted(added)),
    )
    found = depending([asked], run, left, added, [S])[BY_PATH]

    def reaches(*edges: Edge) -> bool:
        ends = {topic}
        paths = Paths({*left, *edges}, [S])
        for relation in path:
            ends = {o for end in ends for o in paths.objects(end, relation)}
        return answer in ends

    if reaches():
        wanted = "A"
    elif reaches(*(edge for edge, stated in added.items() if stated)):
        wanted = "S"
    else:
        wanted = "B" if reaches(*added) else "C"
    assert {letter for letter, count in found["classes"].items() if count} == {wanted}
