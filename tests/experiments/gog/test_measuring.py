"""What was deleted, and what rules could refute of it, counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgverify import resources
from kgverify.experiments.gog.covering import Cover, coverage
from kgverify.experiments.gog.measuring import level_measures, level_overlaps
from kgverify.experiments.gog.questions import GogFile, Triple, read_folder
from kgverify.experiments.gog.sameness import Sameness, link
from kgverify.language.checks import load_rules, load_rules_text
from kgverify.language.rulebook import RuleBook
from tests.experiments.gog.lists import BIRTH, CAPITAL, PART, cwq, two_levels, write

RULES = """\
class Person, Place, Part, Film
disjoint Person, Place
relation born = "/people/person/place_of_birth" (Person, Place) functional
relation born_here = "/location/location/people_born_here" (Place, Person) inverse of born
relation part_of = "/film/performance/film" (Part, Film) functional
relation likes = "/x/y/likes" (Film, Film) irreflexive
relation wed = "/x/y/wed" (Film, Film) functional at a time, sub of likes
"""


@pytest.fixture
def files(tmp_path: Path) -> list[GogFile]:
    return [file for file in read_folder(two_levels(tmp_path)) if file.level]


def sameness_of(files: list[GogFile]) -> Sameness:
    return Sameness(question.deleted for file in files for question in file.questions)


def test_counts_of_a_level(files: list[GogFile]) -> None:
    low, high = (level_measures(file, sameness_of(files)) for file in files)
    keys = ("questions", "losing", "losing_more", "triples", "facts", "links", "mediated")
    assert [low[key] for key in keys] == [3, 2, 0, 4, 2, 2, 1]
    assert [high[key] for key in keys] == [3, 3, 2, 8, 5, 5, 2]
    assert (low["one_way"], high["one_way"]) == (0, 2)
    assert high["different_facts"] == 4  # one capital is lost by two questions
    assert {k: v["links"] for k, v in high["by_kind"].items()} == {
        "composition": 3,
        "conjunction": 2,
    }
    assert list(high["by_hops"]) == ["2"]
    assert high["by_relation"][0] == {"relations": ["location.country.capital"], "facts": 2}
    assert sum(row["facts"] for row in high["by_relation"]) == high["facts"]


def test_all_between_two_ends_is_one_link(tmp_path: Path) -> None:
    seat = ("m.town", "x.y.seat_of", "m.land")
    write(tmp_path / "data_with_ct_0.2.json", cwq("a", [*CAPITAL, seat, *BIRTH]))
    (file,) = read_folder(tmp_path)
    alone = Triple("m.1", seat[1], "m.2")  # so that nothing is exchanged with its relation
    apart = Sameness([file.questions[0].deleted, [alone]])
    found = level_measures(file, apart)
    assert (found["triples"], found["facts"], found["links"]) == (4, 3, 2)


def test_levels_that_overlap(files: list[GogFile]) -> None:
    (found,) = level_overlaps(files)
    assert found == {
        "lower": "0.2",
        "higher": "0.8",
        "links": 2,
        "common": 2,
        "losing": 2,
        "within": 2,
        "same_triples": 2,
    }
    (back,) = level_overlaps(files[::-1])
    assert (back["links"], back["common"], back["losing"], back["within"]) == (5, 2, 3, 0)


def test_ways_to_refute() -> None:
    cover = Cover(load_rules_text(RULES))
    assert cover.ways(["people.person.place_of_birth"]) == {"functional", "kinds"}
    assert cover.ways(["location.location.people_born_here"]) == {"functional", "kinds"}
    assert cover.ways(["film.performance.film"]) == {"functional"}
    assert cover.ways(["x.y.wed"]) == {"at_a_time", "order"}  # a kind of what is irreflexive
    assert cover.ways(["x.y.likes"]) == {"order"}
    assert cover.ways(["x.y.unknown"]) == set()
    assert cover.declares(["x.y.unknown", "x.y.likes"])
    assert not cover.declares(["x.y.unknown"])
    assert cover.is_single("people.person.place_of_birth")
    assert not cover.is_single("location.location.people_born_here")
    assert not cover.is_single("x.y.wed")


def test_coverage_of_a_level(files: list[GogFile]) -> None:
    cover = Cover(load_rules_text(RULES))
    found = coverage(files[1], files, sameness_of(files), cover)
    assert found["facts"] == {
        "all": 5,
        "declared": 2,
        "functional": 2,
        "at_a_time": 0,
        "order": 0,
        "kinds": 1,
        "any": 2,
        "without_kinds": 2,
        "functional_named": 1,
        "named": 3,
        "substrings": 3,
        "filled": 0,
    }
    assert found["links"] == found["facts"]  # here each link is one fact


def test_a_value_that_is_kept_would_refute(tmp_path: Path) -> None:
    other = ("m.poet", "people.person.place_of_birth", "m.other")
    write(tmp_path / "data_with_ct_0.2.json", cwq("a", BIRTH[:1]))
    write(tmp_path / "data_with_ct_0.8.json", cwq("a", [*BIRTH[:1], other]))
    files = read_folder(tmp_path)
    cover = Cover(load_rules_text(RULES))
    counted = [coverage(f, files, sameness_of(files), cover)["facts"]["filled"] for f in files]
    assert counted == [1, 0]


@pytest.fixture
def shipped() -> RuleBook:
    return load_rules(resources.folder("rules") / "freebase.kgr")


def test_what_the_shipped_rules_can_refute(shipped: RuleBook) -> None:
    cover = Cover(shipped)
    for relation in ("people.person.gender", PART[2][1], PART[3][1], BIRTH[1][1]):
        assert "functional" in cover.ways([relation])
    assert cover.ways(["location.country.capital"]) == {"kinds"}
    assert "functional" not in cover.ways(["people.person.spouse_s"])
    assert cover.ways(["location.location.containedby"]) == {"order", "kinds"}


@pytest.mark.data
def test_the_real_lists(data: Path, shipped: RuleBook) -> None:
    files = [f for f in read_folder(data / "qa" / "gog") if f.dataset == "cwq" and f.level]
    sameness, cover = sameness_of(files), Cover(shipped)
    counted = {file.level: level_measures(file, sameness) for file in files}
    links = {level: found["links"] for level, found in counted.items()}
    assert links == {"0": 0, "0.2": 1089, "0.4": 2063, "0.6": 3015, "0.8": 3808}
    for overlap in level_overlaps(files):  # whole links are deleted, and levels are not nested
        assert overlap["same_triples"] == overlap["common"] <= overlap["links"]
        assert overlap["within"] < overlap["losing"] or not overlap["links"]
    for file in files:
        facts = coverage(file, files, sameness, cover)["facts"]
        assert facts["filled"] == 0
        assert facts["functional"] > 20 * facts["substrings"] or not facts["all"]
        ends = {link(t) for q in file.questions for t in q.deleted}
        assert len(ends) <= counted[file.level]["links"]
