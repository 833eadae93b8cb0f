"""The whole run, on files of our own and on the real ones; and the rules on FB15k-237."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.errors import GraphError, KgverifyError
from kgverify.experiments.gog.breaks import broken_declarations, readings, shared_members
from kgverify.experiments.gog.running import run
from kgverify.graph import Graph, Options, build_store, open_graph
from kgverify.language.checks import load_rules, load_rules_text
from kgverify.questions import Candidate, Question
from kgverify.resources import folder as shipped_folder
from kgverify.verification import Verifier
from tests.experiments.gog.lists import two_levels, webqsp, write

FACTS = """\
ada\tborn\toslo
ada\tborn\trome
bob\tborn\toslo
oslo\tin\tnorway
oslo\tin\toslo
norway\tin\toslo
bob\tnear\tada
ada\tnear\tbob
bob\tnear\tcia
fido\tpet_of\tada
fido\tpet_of\tbob
"""
RULES = """\
class Person, Place, Pet
disjoint Person, Place, Pet
relation born (Person, Place) functional   phrases "was born in"
relation in_ = "in" (Place, Place) asymmetric   phrases "is in"
relation near (Person, Person) symmetric   phrases "is near"
relation has_pet (Person, Pet) inverse of pet_of, functional
relation pet_of (Pet, Person)
relation unused (Pet, Person) functional   phrases "is unused by"
"""


def silent(_: str) -> None:
    """Takes the place of a progress bar."""


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    (tmp_path / "lists").mkdir()
    two_levels(tmp_path / "lists")
    write(tmp_path / "lists" / "webqsp_1.json", webqsp("w"))
    return tmp_path / "lists"


def test_breaks_are_counted_fact_by_fact(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text(FACTS + "oslo\tborn\tnorway\n")
    graph, book = open_graph(path), load_rules_text(RULES)
    found = {(r["relation"], r["property"]): r for r in broken_declarations(graph, book)}
    assert {key: (row["of"], row["broken"]) for key, row in found.items()} == {
        ("born", "functional"): (3, 1),
        ("in_", "asymmetric"): (3, 3),
        ("near", "symmetric"): (3, 1),
        ("pet_of", "inverse_functional"): (2, 0),  # since its inverse is functional
    }
    assert found["born", "functional"]["examples"] == [["ada", "oslo", "rome"]]
    assert found["near", "symmetric"]["examples"] == [["bob", "cia"]]
    assert readings(graph, ["pet_of", "nothing"]) == [
        {"relation": "pet_of", "of": 1, "broken": 1, "examples": [["fido", "ada", "bob"]]}
    ]
    assert shared_members(graph, book) == [
        {"classes": ["Person", "Place"], "of": [4, 3], "broken": 1, "examples": ["oslo"]}
    ]


_PAIRS = st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=1)
_SLOWLY: dict[str, Callable[[set[tuple[str, str]]], int]] = {
    "functional": lambda facts: sum(
        len({o for t, o in facts if t == s}) > 1 for s in {s for s, _ in facts}
    ),
    "inverse functional": lambda facts: sum(
        len({s for s, p in facts if p == o}) > 1 for o in {o for _, o in facts}
    ),
    "symmetric": lambda facts: sum((o, s) not in facts for s, o in facts),
    "asymmetric": lambda facts: sum((o, s) in facts for s, o in facts),
    "irreflexive": lambda facts: sum(s == o for s, o in facts),
}


@settings(max_examples=300)
@given(_PAIRS, st.sampled_from(sorted(_SLOWLY)))
def test_breaks_are_what_a_slow_count_finds(facts: set[tuple[str, str]], kind: str) -> None:
    book = load_rules_text(
        f'class T\nrelation r (T, T) {kind} phrases "is by"\nrelation back (T, T) inverse of r\n'
    )
    ahead = Graph.from_triples([(f"e{s}", "r", f"e{o}") for s, o in facts])
    (row,) = broken_declarations(ahead, book)
    assert (row["property"].replace("_", " "), row["broken"]) == (kind, _SLOWLY[kind](facts))
    assert len(row["examples"]) == min(row["broken"], 3)
    behind = Graph.from_triples([(f"e{o}", "back", f"e{s}") for s, o in facts])
    (turned,) = broken_declarations(behind, book)
    assert (turned["of"], turned["broken"]) == (row["of"], row["broken"])


def test_a_run_leaves_results_report_and_plot(lists: Path, tmp_path: Path) -> None:
    kg = tmp_path / "kg.tsv"
    kg.write_text("a\t/people/person/place_of_birth\tx\na\t/people/person/place_of_birth\ty\n")
    record = run(lists, [kg], tmp_path / "out", False, silent)
    assert record.seeds == ()
    assert len(record.inputs) == 6
    found = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert found["sameness"]["groups"] == {"1": 1, "2": 3}
    assert list(found["datasets"]["cwq"]["levels"]) == ["0.2", "0.8"]
    assert found["datasets"]["webqsp"]["levels"] == {}
    assert found["graph"]["declarations"][0]["broken"] == 1
    lists = {row["relation"]: row for row in found["datasets"]["cwq"]["graph"]["declarations"]}
    assert (lists["part_in"]["property"], lists["part_in"]["of"]) == ("functional", 1)
    assert (lists["born_here"]["property"], lists["born_here"]["broken"]) == (
        "inverse_functional",
        0,
    )
    report = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "| 0.8 | 8 | 5 | 5 | 40.0 % | 100.0 % | 66.7 % | 1.7 | 40.0 % |" in report
    assert "No file of this data set lists deleted triples." in report
    assert "`place_of_birth` | functional | 1 | 1 | a: x, y |" in report
    assert (tmp_path / "out" / "cwq.svg").read_text("utf-8").startswith("<?xml")


def test_the_same_run_gives_the_same_files(lists: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(lists, [], tmp_path / name, True, silent)
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files == ["cwq.svg", "report.md", "results.json"]
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_nothing_is_written_where_something_is_wrong(lists: Path, tmp_path: Path) -> None:
    (lists / "bad.json").write_text("[]]")
    with pytest.raises(GraphError, match=r"bad\.json"):
        run(lists, [], tmp_path / "out", False, silent)
    assert not (tmp_path / "out").exists()
    with pytest.raises(KgverifyError, match="something else"):
        run(lists, [], lists, False, silent)


@pytest.mark.data
def test_the_real_files_in_quick(data: Path, tmp_path: Path) -> None:
    run(data / "qa" / "gog", [], tmp_path / "out", True, silent)
    found = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    levels = found["datasets"]["cwq"]["levels"]
    assert [level["questions"] for level in levels.values()] == [100] * 5
    assert found["sameness"]["relations"] == 449
    # What is declared holds of the listed triples themselves, mediators among them.
    graph = found["datasets"]["cwq"]["graph"]
    assert len(graph["declarations"]) > 30
    assert not [row for row in graph["declarations"] if row["broken"]]
    assert not graph["shared"]


@pytest.mark.data
def test_the_shipped_rules_on_fb15k237(data: Path, tmp_path: Path) -> None:
    """No functional declaration fails, and real questions get the answers of the graph."""
    source = data / "kg" / "fb15k237"
    shutil.copyfile(source / "mid2name.txt", tmp_path / "labels.tsv")
    files = [source / f"{part}.txt.gz" for part in ("train", "valid", "test")]
    book = load_rules(shipped_folder("rules") / "freebase.kgr")
    options = Options(literal_relations=book.literal_relations)
    summary = build_store([*files, tmp_path / "labels.tsv"], tmp_path / "store", options)
    assert summary.facts == 310_116
    graph = open_graph(tmp_path / "store")
    declared = broken_declarations(graph, book)
    functional = [row for row in declared if "functional" in row["property"]]
    assert sum(row["of"] for row in functional) > 10_000
    assert [row for row in functional if row["broken"]] == []
    assert {r["relation"]: r["broken"] for r in readings(graph, ["/location/country/capital"])} == {
        "/location/country/capital": 14
    }
    assert [row["broken"] for row in shared_members(graph, book)] == [2, 3]

    births: dict[str, set[str]] = defaultdict(set)
    relation = graph.relation_id("/people/person/place_of_birth")
    pairs = graph.facts.all(relation)
    subjects = [key[1:] for key in graph.keys(pairs.subjects)]
    objects = [key[1:] for key in graph.keys(pairs.objects)]
    for person, place in zip(subjects, objects, strict=True):
        births[place].add(person)
    place = max(births, key=lambda p: (len(births[p]), p))
    asked = [
        Question("born", "born_in", {"p": place}, tuple(map(Candidate, dict.fromkeys(subjects)))),
        Question(
            "spouses",
            "spouses_of",
            {"p": "Tom_Cruise"},
            tuple(map(Candidate, ("Nicole_Kidman", "Katie_Holmes", "Tom_Cruise", "Keith_Urban"))),
        ),
        Question(
            "capitals",
            "capital_of",
            {"c": "South_Africa"},
            tuple(map(Candidate, ("Cape_Town", "Pretoria", "Nicole_Kidman", "Vienna"))),
        ),
    ]
    found: dict[str, dict[str, str]] = {}
    for verdicts, problems in Verifier(graph, book, "rank").verify(asked):
        assert not [p for p in problems if p.is_error]
        for verdict in verdicts:
            id_ = graph.find([f"e{verdict.candidate}"])[0]
            name = verdict.candidate if verdict.question == "born" else graph.label(id_)
            found.setdefault(verdict.question, {})[name] = verdict.verdict
    assert found["born"] == {p: "sat" if p in births[place] else "viol" for p in set(subjects)}
    assert found["spouses"] == {
        "Nicole_Kidman": "sat",
        "Katie_Holmes": "sat",
        "Tom_Cruise": "viol",
        "Keith_Urban": "unk",
    }
    assert found["capitals"] == {
        "Cape_Town": "sat",
        "Pretoria": "sat",
        "Nicole_Kidman": "viol",
        "Vienna": "unk",
    }
