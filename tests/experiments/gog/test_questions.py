"""What is read of question files, and what is refused, all at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgverify.errors import GraphError, Problem
from kgverify.experiments.gog.patterns import NotRead, Pattern, hops, patterns
from kgverify.experiments.gog.questions import GogQuestion, Triple, read_file, read_folder
from tests.experiments.gog.lists import BIRTH, CAPITAL, PART, QUERY, cwq, two_levels, webqsp, write


def problems(path: Path) -> list[str]:
    with pytest.raises(GraphError) as caught:
        read_folder(path) if path.is_dir() else read_file(path)
    return [f"{p.code}: {p.message}" for p in caught.value.problems]


def codes(path: Path) -> list[str]:
    return [problem.partition(":")[0] for problem in problems(path)]


@pytest.mark.parametrize("name", ["data_with_ct_0.4.json", "cwq__data_with_ct_0.4.json.gz"])
def test_a_record_of_cwq(tmp_path: Path, name: str) -> None:
    aliases = {"Krone": ["Norwegian krone"]}
    file = read_file(write(tmp_path / name, cwq("a", [*PART, PART[0]], aliases=aliases)))
    (question,) = file.questions
    assert (file.dataset, file.level) == ("cwq", "0.4")
    assert (question.gold.id, question.gold.text) == ("a", "what of a?")
    assert (question.gold.answers, question.gold.type) == (("Krone",), "composition")
    assert dict(question.gold.aliases) == {"Krone": ("Norwegian krone",)}
    assert question.topics == {"m.town": "Oslo"}
    assert question.queries == (QUERY,)
    assert question.patterns == (
        (
            Pattern("?c", "location.country.capital", "m.town"),
            Pattern("?c", "location.country.currency_used", "?x"),
        ),
    )
    assert question.deleted == tuple(Triple(*t) for t in PART)  # each once
    assert question.names == {"m.poet": "Ada", "m.part": "m.part", "m.film": "The Ferry"}
    assert question.is_unnamed("m.part")
    assert not question.is_unnamed("m.film")


def test_a_record_of_webqsp(tmp_path: Path) -> None:
    answer = ["1905", "Norway"]
    file = read_file(write(tmp_path / "webqsp.json", webqsp("a", [], answer=answer), webqsp("b")))
    assert (file.dataset, file.level) == ("webqsp", None)
    for question in file.questions:
        assert set(question.gold.answers) == {"Norway", "1905"}
        assert question.answer_ids == ("m.land", "1905")
        assert question.patterns == (
            (Pattern("m.town", "a.b.c", "?x"),),
            (Pattern("?x", "a.b.d", "m.town"), Pattern("?x", "a.b.e", "?y")),
        )
        assert question.deleted == ()


def test_files_come_by_data_set_and_level(tmp_path: Path) -> None:
    two_levels(tmp_path)
    write(tmp_path / "webqsp_1.json", webqsp("a"))
    (tmp_path / "README.md").write_text("no questions")
    found = [(file.dataset, file.level) for file in read_folder(tmp_path)]
    assert found == [("cwq", None), ("cwq", "0.2"), ("cwq", "0.8"), ("webqsp", None)]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"id": "a", "question": "?", "answer": ["x"]}, "question-shape"),
    ({**cwq("a"), "QuestionId": "a"}, "question-shape"),
    (cwq("a", [], answer=[]) | {"answer": None}, "gold-line"),
    (cwq("a", [], answer=["", "x"]), "empty-answer"),
    (cwq("a", [], sparql=None), "question-record"),
    (cwq("a", [], sparql="SELECT ?x WHERE { ?x ns:a.b.c }"), "question-record"),
    (cwq("a", [], sparql="SELECT ?x WHERE { ?x ns:a.b.c ?y "), "question-record"),
    (cwq("a", [], sparql="SELECT ?x WHERE { }"), "question-record"),
    (cwq("a", [], topic_entity=[]), "question-record"),
    (cwq("a", [], topic_entity={"Q1": "Oslo"}), "question-record"),
    (cwq("a", [], topic_entity={"m.town": 3}), "question-record"),
    (cwq("a"), "question-record"),  # a level without its triples
    (cwq("a", mid_crucial_triples=[]), "question-record"),
    (cwq("a", [], crucial_triples=[["Ada", "a.b.c", "Oslo"]]), "question-record"),
    (cwq("a", BIRTH, crucial_triples=[["Ada", "x.y.z", "Oslo"]] * 2), "question-record"),
    (cwq("a", [("m.a", "capital", "m.b")]), "question-record"),
    (cwq("a", [("Q1", "a.b.c", "m.b")]), "question-record"),
    (cwq("a", BIRTH, mid_crucial_triples=[["m.a", "m.b"], 7]), "question-record"),
    (webqsp("a", [], Parses=[]), "question-record"),
    (webqsp("a", [], Parses=[{"Sparql": "SELECT ?x { ?x ns:a.b.c ?y }"}]), "question-record"),
    (webqsp("a", [], answer=["Sweden"]), "question-record"),
    (webqsp("a", [], answer="Norway"), "question-record"),
]


@pytest.mark.parametrize(("record", "code"), WRONG)
def test_what_is_wrong_is_told_with_its_place(
    tmp_path: Path, record: dict[str, Any], code: str
) -> None:
    good = webqsp("b", []) if "QuestionId" in record and "ID" not in record else cwq("b", [])
    path = write(tmp_path / "data_with_ct_0.2.json", good, record)
    found = problems(path)
    assert {problem.partition(":")[0] for problem in found} == {code}
    assert all("$[1]" in problem for problem in found)


def test_everything_is_told_at_once(tmp_path: Path) -> None:
    write(tmp_path / "data_with_ct_0.2.json", *(record for record, _ in WRONG), 7)
    write(tmp_path / "data_with_ct_0.4.json", cwq("a", BIRTH), cwq("a", []))
    (tmp_path / "data_with_ct_0.6.json").write_text("[{")
    write(tmp_path / "data_with_ct_7.json", cwq("a", []))
    write(tmp_path / "empty.json")
    counted = Counter(codes(tmp_path))
    assert counted["not-an-object"] == counted["malformed-json"] == counted["level"] == 1
    assert counted["repeated-id"] == counted["no-questions"] == 1
    assert counted["question-record"] >= len(WRONG) - 5
    places = " ".join(problems(tmp_path))
    assert all(f"$[{place}]" in places for place in range(len(WRONG) + 1))


def test_an_entity_has_one_name(tmp_path: Path) -> None:
    record = cwq("b", CAPITAL)
    record["crucial_triples"] = [["Norway", CAPITAL[0][1], "Bergen"]]
    path = write(tmp_path / "data_with_ct_0.2.json", cwq("a", BIRTH), record)
    assert problems(path) == ["two-names: `m.town` is named `Oslo` and `Bergen` @ $[1]"]


def test_one_file_is_of_one_data_set(tmp_path: Path) -> None:
    assert codes(write(tmp_path / "both.json", cwq("a"), webqsp("b"))) == ["mixed-shapes"]


@pytest.mark.parametrize("other", [cwq("b", []), cwq("a", [], question="other?")])
def test_levels_ask_the_same_questions(tmp_path: Path, other: dict[str, Any]) -> None:
    write(tmp_path / "data_with_ct_0.2.json", cwq("a", []))
    write(tmp_path / "data_with_ct_0.4.json", other)
    assert codes(tmp_path) == ["other-questions"]
    write(tmp_path / "data_with_ct_0.4.json", cwq("a", []))
    write(tmp_path / "copy_data_with_ct_0.4.json", cwq("a", []))
    assert codes(tmp_path) == ["repeated-level"]


def test_a_folder_without_questions(tmp_path: Path) -> None:
    assert problems(tmp_path) == ["no-questions: there is no .json or .json.gz in it"]
    with pytest.raises(GraphError, match="no such folder"):
        read_folder(tmp_path / "nowhere")
    with pytest.raises(GraphError, match="no such file"):
        read_file(tmp_path / "nowhere.json")


_ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["", "m.town", "a.b.c", "{ ?x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["m.town", "AnswerType", "x"]), inner, max_size=2)
    ),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    below: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict | list):
        below = value.items() if isinstance(value, dict) else enumerate(value)
    return [*([path] if path else []), *(p for k, v in below for p in places(v, (*path, k)))]


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_record_that_is_spoilt_anywhere_is_read_or_refused(
    tmp_path: Path, drawn: st.DataObject
) -> None:
    record = drawn.draw(st.sampled_from([cwq("a", PART), webqsp("a", BIRTH)]))
    record = json.loads(json.dumps(record))
    *way, last = drawn.draw(st.sampled_from(places(record)))
    target = record
    for step in way:
        target = target[step]
    target[last] = drawn.draw(_ANY)
    path = write(tmp_path / "data_with_ct_0.2.json", record)
    found: list[GogQuestion] = []
    refused: list[Problem] = []
    try:
        found += read_file(path).questions
    except GraphError as error:
        refused += error.problems
    assert bool(found) != bool(refused)
    assert all(problem.span for problem in refused)
    for question in found:
        assert question.gold.id
        assert all(question.patterns)
        ends = {end for t in question.deleted for end in (t.subject, t.object)}
        assert question.names.keys() == ends


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('{ ?x ns:a.b.c "x . y"@en . }', ['?x a.b.c "x . y"@en']),
        (
            "{ ?x ns:a.b.c ns:m.1 ; ns:a.b.d ?y, ?z . }",
            ["?x a.b.c m.1", "?x a.b.d ?y", "?x a.b.d ?z"],
        ),
        ("{ ?x ns:a.b.c ?y .?y ns:a.b.d 5 }", ["?x a.b.c ?y", "?y a.b.d 5"]),
        ("{ { ?x ns:a.b.c ?y } UNION { ?y ns:a.b.c ?x } }", ["?x a.b.c ?y", "?y a.b.c ?x"]),
        (
            "{ { SELECT ?y { ?y ns:a.b.d ?z } ORDER BY DESC(?z) ?z LIMIT 1 } ?x ns:a.b.c ?y }",
            ["?y a.b.d ?z", "?x a.b.c ?y"],
        ),
        (
            '{ ?x ns:a.b.c ?y . FILTER(NOT EXISTS {?y ns:a.b.d ?k} || ?k < "1"^^xsd:dateTime) }',
            ["?x a.b.c ?y"],
        ),
        ("SELECT ?x WHERE { ?x ns:a.b.c ?y . FILTER (?x < ?y) . } ORDER BY ?y", ["?x a.b.c ?y"]),
        ("{ ?x ns:a.b.c ?y . # ns:a.b.d ?z\n}", ["?x a.b.c ?y"]),
        ("{ ?x ns:a.b.c ?y . ?x ns:a.b.c ?y }", ["?x a.b.c ?y"]),
    ],
)
def test_patterns_of_queries(query: str, expected: list[str]) -> None:
    assert [" ".join(pattern) for pattern in patterns(query)] == expected


@pytest.mark.parametrize(
    "query", ["", "{", "{ ?x ns:a.b.c ?y }}", "{ ?x ?y }", "{ ?a ?b ?c ?d . }"]
)
def test_queries_that_cannot_be_read(query: str) -> None:
    with pytest.raises(NotRead):
        patterns(query)


def test_hops_are_counted_to_the_farthest_topic() -> None:
    found = patterns("{ ns:m.1 ns:a.b.c ?y . ?x ns:a.b.c ?y . ?x ns:a.b.d ns:m.2 }")
    assert hops(found, ["m.2"]) == 1
    assert hops(found, ["m.1", "m.2"]) == 2
    assert hops(found, ["m.3"]) is None
    assert hops(found, []) is None


@pytest.mark.data
def test_the_real_files(data: Path) -> None:
    files = read_folder(data / "qa" / "gog")
    assert [(f.dataset, f.level, len(f.questions)) for f in files] == [
        *(("cwq", level, 1000) for level in (None, "0", "0.2", "0.4", "0.6", "0.8")),
        *(("webqsp", level, 1000) for level in ("0", None)),
    ]
    triples = {f.level: sum(len(q.deleted) for q in f.questions) for f in files[1:6]}
    assert triples == {"0": 0, "0.2": 2248, "0.4": 4366, "0.6": 6303, "0.8": 7924}
    assert all(q.patterns and all(q.patterns) for file in files for q in file.questions)
