"""Configurations, their front, and measures over seeds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.completion.policy import PAPER, configured
from kgverify.experiments.tgcomplete.measuring import over_seeds
from kgverify.experiments.tgcomplete.varying import ABLATIONS, CONFIGURATIONS, DEFAULT, front

POINTS = st.dictionaries(
    st.sampled_from("abcdef"),
    st.tuples(st.integers(0, 3), st.none() | st.sampled_from((0.0, 0.5, 1.0))),
)


@settings(max_examples=300)
@given(POINTS)
def test_the_front_is_what_nothing_beats(points: dict[str, tuple[float, float | None]]) -> None:
    best = set(front(points))
    for name, (amount, quality) in points.items():
        beaten = any(
            a >= amount
            and (quality is None or (q is not None and q >= quality))
            and (a, q) != (amount, quality)
            for a, q in points.values()
        )
        assert (name in best) is not beaten


def test_there_are_ten_configurations_and_the_first_is_the_published_one() -> None:
    assert len(CONFIGURATIONS) == 10
    assert next(iter(CONFIGURATIONS)) == DEFAULT
    assert configured("paper", CONFIGURATIONS[DEFAULT]) == PAPER
    made = [configured("paper", options) for options in CONFIGURATIONS.values()]
    assert len({str(policy.to_dict()) for policy in made}) == 10


def test_each_part_is_left_out() -> None:
    alone = ABLATIONS["without the judge"]
    assert alone.final("NOT_ENTAILED", 1) == alone.tau  # one source is enough
    assert alone.final("ENTAILED", 0) == 0
    judged = ABLATIONS["without counting sources"]
    assert judged.final("UNCERTAIN", 0) == judged.final("UNCERTAIN", 9) >= judged.tau
    assert ABLATIONS["without a second search"].k == 0


def test_numbers_of_seeds_become_means_in_the_same_tree() -> None:
    found = over_seeds([{"a": 1, "b": {"c": None}}, {"a": 3, "b": {"c": 2.0}, "d": 5}])
    assert found["a"]["mean"] == 2.0
    assert found["a"]["low"] < 2.0 < found["a"]["high"]
    assert found["b"]["c"] == {"mean": 2.0, "low": None, "high": None, "n": 1}
    assert found["d"]["n"] == 1
