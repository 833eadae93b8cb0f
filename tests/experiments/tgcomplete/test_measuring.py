"""The measures of a case in which everything is deleted, by hand."""

from __future__ import annotations

import pytest

from kgverify.completion.breakpoints import Edge
from kgverify.completion.policy import CAREFUL, PAPER
from kgverify.evidence.rule_judge import RuleJudge
from kgverify.experiments.tgcomplete.cases import Case, Reading
from kgverify.experiments.tgcomplete.completers import RememberingJudge
from kgverify.experiments.tgcomplete.measuring import gaps, measures
from kgverify.experiments.tgcomplete.supporting import TITLED
from kgverify.experiments.tgcomplete.varying import DEFAULT, risk, sensitivity
from kgverify.experiments.tgcomplete.walking import Abstaining
from tests.experiments.tgcomplete.small_world import world


@pytest.fixture(scope="module")
def case() -> Case:
    judges = RememberingJudge(RuleJudge()), RememberingJudge(RuleJudge())
    return Case(Reading.of(world(), "prose", *judges), 1.0, 0, 100, "nothing left")


def test_the_graph_alone_has_nothing_left(case: Case) -> None:
    found = measures(case, case.run("alone", Abstaining()))
    assert found["answers"]["all"] == {"questions": 7, "exact": 0, "hit": 0, "f1": 0}
    assert found["edges"]["missing"] == 7  # four capitals, the neighbours of three
    assert found["edges"]["admitted"] == 0
    assert found["edges"]["precision"] is None
    # Four capitals and two borders, each border once.
    assert (found["edges"]["recall"], found["edges"]["needed"]) == (0.0, 6)
    assert found["support"]["stated"] is None


def test_what_text_states_comes_back(case: Case) -> None:
    run = case.run("careful", case.text_completer(CAREFUL))
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
    assert found["answers"]["all"]["hit"] == 4 / 7
    assert found["answers"]["all"]["exact"] == 3 / 7
    assert found["answers"]["all"]["f1"] == pytest.approx((3 + 2 / 3) / 7)
    assert found["support"]["cited"] == found["support"]["stated"] == 1.0
    assert found["support"]["gap"][TITLED] == 0.0
    assert found["support"]["matrix"]["right, stated"] == 4
    path = found["depending"]["the question's path"]
    assert path["classes"] == {"A": 0, "B": 0, "S": 4, "C": 0}
    assert (path["independent"], path["independent_as_published"]) == (1.0, 0.0)


def test_the_published_policy_takes_what_is_open(case: Case) -> None:
    run = case.run("paper", case.text_completer(PAPER))
    admitted = {one.edge for one in run.edges if one.admitted}
    assert Edge("fi", "capital", "helsinki") in admitted
    found = measures(case, run)
    # It is right, and nothing states it; nor the border with Sweden, which is rejected.
    assert found["support"]["matrix"]["right, not stated"] == 2
    assert found["support"]["gap"][TITLED] == pytest.approx(1 / 5)
    assert found["depending"]["the question's path"]["classes"]["B"] == 1
    numbers = sensitivity(case, run)
    assert numbers[DEFAULT]["quantity"] >= 5
    # Where UNCERTAIN is not enough, all that is left is stated.
    assert numbers["τ 0.7"]["quality"] == 1.0
    assert numbers["τ 0.7"]["quantity"] < numbers[DEFAULT]["quantity"]
    assert 0 <= risk(case, run)["area"] <= risk(case, run)["all"] < 1


def test_the_gap_of_all_deleted_edges(case: Case) -> None:
    found = gaps(case)
    # Stated are the capitals of Norway and Sweden, and their border, which is there twice.
    assert found["all"]["edges"] == 7
    assert found["all"][TITLED] == pytest.approx(3 / 7)
    assert found["all"]["named"] == pytest.approx(5 / 7)  # Finland and Helsinki as well
    assert found["relation"]["borders"][TITLED] == pytest.approx(1 / 3)
    assert sum(one["edges"] for one in found["frequency"].values()) == 7
