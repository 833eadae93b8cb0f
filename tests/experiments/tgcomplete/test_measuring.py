"""The measures of a case in which everything is deleted, by hand."""

from __future__ import annotations

import pytest

from kgverify.completion.breakpoints import Edge
from kgverify.completion.policy import CAREFUL
from kgverify.evidence.naming_passages import NamesInPassages
from kgverify.evidence.rule_judge import RuleJudge
from kgverify.experiments.tgcomplete.cases import Case
from kgverify.experiments.tgcomplete.completers import RememberingJudge
from kgverify.experiments.tgcomplete.lookup import Reading
from kgverify.experiments.tgcomplete.measuring import (
    BY_PATH,
    FULL,
    curve,
    gaps,
    measures,
    over_seeds,
    risk,
    varied,
)
from kgverify.experiments.tgcomplete.methods import by_policy
from kgverify.experiments.tgcomplete.sensitivity import ablations, configurations
from kgverify.experiments.tgcomplete.walking import Abstaining
from tests.experiments.tgcomplete.small_world import world


class Second(RuleJudge):
    """Says the same as the first judge, under another name."""

    name = "second"  # type: ignore[assignment]


@pytest.fixture(scope="module")
def case() -> Case:
    judges = RememberingJudge(RuleJudge()), RememberingJudge(Second())
    return Case(Reading.of(world(), "prose", *judges), 1.0, 0, 100, "nothing left")


def test_the_graph_alone_has_nothing_left(case: Case) -> None:
    found = measures(case, case.run("alone", Abstaining()))
    assert found["answers"]["all"] == {"questions": 7, "first": 0, "exact": 0, "f1": 0}
    assert found["edges"]["missing"] == 7  # four capitals, the neighbours of three
    assert found["edges"]["admitted"] == 0
    assert found["edges"]["precision"] is None
    # Four capitals and two borders, each border once.
    assert (found["edges"]["recall"], found["edges"]["needed"]) == (0.0, 6)
    assert found["support"]["stated"] is None


def test_what_text_states_comes_back(case: Case) -> None:
    run, _ = by_policy(case, "careful", CAREFUL)
    assert {one.edge for one in run.edges if one.admitted} == {
        Edge("no", "borders", "se"),
        Edge("no", "capital", "oslo"),
        Edge("se", "borders", "no"),
        Edge("se", "capital", "stockholm"),
    }
    found = measures(case, run)
    assert (found["edges"]["admitted"], found["edges"]["precision"]) == (4, 1.0)
    assert found["edges"]["recall"] == 0.5
    # Right are Oslo and Stockholm as capitals, and as those of the other's neighbours; of Sweden's
    # two neighbours' capitals one is found.
    assert found["answers"]["all"]["first"] == 4 / 7
    assert found["answers"]["all"]["exact"] == 3 / 7
    assert found["answers"]["all"]["f1"] == pytest.approx((3 + 2 / 3) / 7)
    assert found["support"]["cited"] == found["support"]["stated"] == 1.0
    assert found["support"]["gap"][FULL] == 0.0
    assert found["support"]["matrix"]["right, stated"] == 4
    path = found["depending"][BY_PATH]
    assert path["classes"] == {"A": 0, "B": 0, "S": 4, "C": 0}
    assert (path["independent"], path["independent_as_published"]) == (1.0, 0.0)


def test_the_published_policy_takes_what_is_open(case: Case) -> None:
    run, first = by_policy(case)
    admitted = {one.edge for one in run.edges if one.admitted}
    assert Edge("fi", "capital", "helsinki") in admitted
    found = measures(case, run)
    # It is right, and nothing states it; nor the border with Sweden, which is rejected.
    assert found["support"]["matrix"]["right, not stated"] == 2
    assert found["support"]["gap"][FULL] == pytest.approx(1 / 5)
    assert found["depending"][BY_PATH]["classes"]["B"] == 1
    numbers = varied(case, run, first, configurations())
    assert numbers["default"]["admitted"] >= 5
    # Where UNCERTAIN is not enough, all that is left is stated.
    assert numbers["τ 0.7"]["faithful"] == 1.0
    assert numbers["τ 0.7"]["admitted"] < numbers["default"]["admitted"]
    assert numbers["default"]["first"] == found["answers"]["all"]["first"]
    whole = varied(case, run, first, ablations())
    assert whole["whole"] == numbers["default"]
    points = curve(case, run)
    assert 0 <= risk(points)["area"] <= risk(points)["all"] < 1


def test_the_gap_of_all_deleted_edges(case: Case) -> None:
    found = gaps(case)
    # Stated are the capitals of Norway and Sweden, and their border, which is there twice.
    assert found["all"]["edges"] == 7
    assert found["all"][FULL] == pytest.approx(3 / 7)
    # Finland and Helsinki are named as well, the former in the title.
    assert found["all"]["unnamed"] == pytest.approx(2 / 7)
    assert found["relation"]["borders"]["gap"] == pytest.approx(1 / 3)
    assert sum(one["edges"] for one in found["frequency"].values()) == 7


def test_mentions_of_the_complete_graph_serve_the_incomplete_one(case: Case) -> None:
    """A corpus that knows its mentions names what one names that looks for them."""
    corpus, plain = case.corpus, case.world.corpora["prose"]
    assert corpus.mentions is not None
    assert corpus.mentions.graph == case.graph.hash
    stored, found = (NamesInPassages(c, case.graph) for c in (corpus, plain))
    assert [stored.of(n) for n in range(len(plain))] == [found.of(n) for n in range(len(plain))]


def test_numbers_of_seeds_become_means_in_the_same_tree() -> None:
    found = over_seeds([{"a": 1, "b": {"c": None}}, {"a": 3, "b": {"c": 2.0}, "d": 5}])
    assert found["a"]["mean"] == 2.0
    assert found["a"]["low"] < 2.0 < found["a"]["high"]
    assert found["b"]["c"] == {"mean": 2.0, "low": None, "high": None, "n": 1}
    assert found["d"]["n"] == 1
