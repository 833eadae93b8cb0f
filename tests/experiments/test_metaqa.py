"""The experiment on questions about films, on a graph of our own and on the real one."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kgverify.errors import GraphError
from kgverify.experiments.metaqa.answering import f1
from kgverify.experiments.metaqa.ceiling import walked
from kgverify.experiments.metaqa.questions import MetaQuestion, read
from kgverify.experiments.metaqa.running import run
from kgverify.graph import Graph, open_graph

FACTS = """\
Quiet Harbour\tdirected by\tAda Lind
Quiet Harbour\twritten by\tBo Krantz
Quiet Harbour\tstarred actors\tCia Moor
Quiet Harbour\trelease year\t1961
Quiet Harbour\thas genre\tDrama
North Wind\tdirected by\tAda Lind
North Wind\twritten by\tAda Lind
North Wind\tstarred actors\tCia Moor
North Wind\tstarred actors\tDan Holt
North Wind\thas genre\tWestern
North Wind\tin language\tSwedish
The Last Ferry\tdirected by\tEva Stern
The Last Ferry\twritten by\tBo Krantz
The Last Ferry\tstarred actors\tDan Holt
The Last Ferry\thas genre\tComedy
The Last Ferry\thas tags\tferries
"""
ONE_HOP = """\
which films did [Ada Lind] direct\tNorth Wind|Quiet Harbour\tdirector_to_movie
who wrote [Quiet Harbour]\tBo Krantz\tmovie_to_writer
what genre is [North Wind] in\tWestern|Drama\tmovie_to_genre
who painted [North Wind]\tnobody\tmovie_to_painter
"""
MORE_HOPS = """\
what are the genres of the films directed by [Ada Lind]\tDrama|Western\tdirector_to_movie_to_genre
which films share their writer with [Quiet Harbour]\tThe Last Ferry\tmovie_to_writer_to_movie
who wrote films that share an actor with [Quiet Harbour]\tAda Lind\t\
movie_to_actor_to_movie_to_writer
"""


@pytest.fixture
def kg(tmp_path: Path) -> Path:
    path = tmp_path / "kg.tsv"
    path.write_text(FACTS, encoding="utf-8")
    return path


@pytest.fixture
def graph(kg: Path) -> Graph:
    return open_graph(str(kg))


def silent(_: str) -> None:
    """Takes the place of a progress bar."""


def results(out: Path) -> dict:
    found: dict = json.loads((out / "results.json").read_text("utf-8"))
    return found


def test_questions_of_one_two_and_three_steps_are_answered(kg: Path, tmp_path: Path) -> None:
    one, more = tmp_path / "one.tsv", tmp_path / "more.tsv.gz"
    one.write_text(ONE_HOP, encoding="utf-8")
    with gzip.open(more, "wt", encoding="utf-8") as stream:
        stream.write(MORE_HOPS)
    run(kg, [one, more], tmp_path / "out", False, 0, silent)
    found = results(tmp_path / "out")["files"]
    assert {k: found["one.tsv"]["all"][k] for k in ("questions", "read", "hits_at_1", "exact")} == {
        "questions": 4,
        "read": 0.75,
        "hits_at_1": 0.75,
        "exact": 0.5,  # the graph does not have the second genre, and nobody painted the film
    }
    assert found["one.tsv"]["movie_to_genre"]["ceiling_exact"] == 0
    assert found["one.tsv"]["movie_to_genre"]["as_walked"] == 1
    assert found["one.tsv"]["movie_to_painter"]["ceiling_exact"] is None
    assert found["more.tsv.gz"]["all"]["exact"] == pytest.approx(2 / 3)
    # The film itself is among those that share an actor with it, and a constraint on the writer
    # cannot say that it is not meant.
    three = found["more.tsv.gz"]["movie_to_actor_to_movie_to_writer"]
    assert (three["exact"], three["hits_at_1"], three["as_walked"]) == (0, 1, 1)
    report = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "who painted [North Wind]" not in report  # its type names no walk
    assert (tmp_path / "out" / "more.svg").is_file()


def test_the_same_run_gives_the_same_files(kg: Path, tmp_path: Path) -> None:
    questions = tmp_path / "one.tsv"
    questions.write_text(ONE_HOP, encoding="utf-8")
    for name in ("a", "b"):
        run(kg, [questions], tmp_path / name, True, 3, silent)
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == ["one.svg", "report.md", "results.json"]
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_walk_follows_the_type(graph: Graph) -> None:
    assert walked(graph, "writer_to_movie", "Bo Krantz") == {"Quiet Harbour", "The Last Ferry"}
    assert walked(graph, "movie_to_actor_to_movie", "Quiet Harbour") == {"North Wind"}
    assert walked(graph, "actor_to_movie_to_actor", "Cia Moor") == {"Dan Holt"}
    assert walked(graph, "movie_to_tags", "North Wind") == set()
    assert walked(graph, "movie_to_tags", "no such film") == set()


@pytest.mark.parametrize("type_", ["untyped", "movie", "movie_to_movie", "actor_to_writer", ""])
def test_what_names_no_walk_is_told_apart_from_an_empty_one(graph: Graph, type_: str) -> None:
    assert walked(graph, type_, "North Wind") is None


def test_question_files_without_types_are_read(tmp_path: Path) -> None:
    path = tmp_path / "questions.txt"
    path.write_text("who wrote [A|B]\tX|Y\r\n\nno topic\tX\n", encoding="utf-8")
    assert read(path) == [
        MetaQuestion("who wrote [A|B]", "A|B", frozenset({"X", "Y"}), "untyped"),
        MetaQuestion("no topic", "", frozenset({"X"}), "untyped"),
    ]


@pytest.mark.parametrize(
    ("text", "lines"), [("no tab\nwho\tX\n\tX\n", [1, 3]), ("a\tb\tc\td\n", [1]), ("who\t\n", [1])]
)
def test_bad_lines_are_all_named(tmp_path: Path, text: str, lines: list[int]) -> None:
    path = tmp_path / "questions.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GraphError) as caught:
        read(path)
    assert [problem.span.line for problem in caught.value.problems if problem.span] == lines


@pytest.mark.parametrize("spoil", [lambda p: None, lambda p: p.write_bytes(b"\x1f\x8b\x00")])
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    path = tmp_path / "questions.tsv.gz"
    spoil(path)
    with pytest.raises(GraphError, match=r"questions\.tsv\.gz"):
        read(path)


def test_f1_of_sets() -> None:
    assert f1(frozenset("ab"), frozenset("bc")) == 0.5
    assert f1(frozenset(), frozenset("bc")) == 0
    assert f1(frozenset("bc"), frozenset("bc")) == 1


@pytest.mark.data
def test_real_questions_are_read_as_their_types_say(tmp_path: Path) -> None:
    data = Path(os.environ.get("KGVERIFY_DATA", ""), "qa", "metaqa")
    if not data.is_dir():
        pytest.skip("the environment variable KGVERIFY_DATA names no folder with qa/metaqa")
    files = [data / "1hop-test.tsv.gz", data / "2hop-test.tsv.gz"]
    run(data / "kg.tsv.gz", files, tmp_path / "out", True, 0, silent)
    for measured in results(tmp_path / "out")["files"].values():
        assert measured["all"]["as_walked"] > 0.97
        assert measured["all"]["exact"] <= measured["all"]["ceiling_exact"]
