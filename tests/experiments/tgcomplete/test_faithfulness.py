"""Faithfulness of admitted edges, and agreement of two judges, against plain counting."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kgverify.completion.breakpoints import CandidateEdge, Edge, Source
from kgverify.errors import EvidenceError
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.judging import LABELS, Failure, Judgement, Label
from kgverify.evidence.passages import Passage
from kgverify.experiments.scoring.comparing import kappa
from kgverify.experiments.tgcomplete import faithfulness as f
from kgverify.experiments.tgcomplete.exhaustive import CoMentions, look
from kgverify.experiments.tgcomplete.rates import Rate
from kgverify.experiments.tgcomplete.records import MethodRun, Proposed
from tests.experiments.tgcomplete.small_corpus import (
    ANSWERS,
    CLAIMS,
    EDGES,
    FAILED,
    GRAPH,
    Judge,
    passages,
)


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[Passage], MethodRun]:
    read = draw(passages())
    ids = st.lists(st.sampled_from([p.id for p in read]), unique=True) if read else st.just([])
    edges = tuple(
        Proposed(edge, draw(st.booleans()), passages=tuple(draw(ids)))
        for edge in draw(st.lists(EDGES, max_size=5, unique=True))
    )
    return read, MethodRun("ours", (), edges, generator="model a", judge="model b")


@settings(max_examples=300)
@given(runs(), st.integers(0, 50), st.sampled_from((2, 4, 50, None)), st.booleans())
def test_faithfulness_is_plain_counting(
    drawn: tuple[list[Passage], MethodRun], seed: int, window: int | None, titles: bool
) -> None:
    read, run = drawn
    corpus, judge = Corpus.of(read), Judge(seed=seed)
    said = f.cited(run, judge, corpus, CLAIMS)
    assert judge.asked == sum(len(one.passages) for one in run.edges)
    looked = look([one.edge for one in run.edges], CoMentions(corpus, GRAPH), CLAIMS, Judge())
    found = f.faithfulness(run.edges, said, looked, window, titles)
    stated = open_ = not_ = uncited = unnamed = failures = 0
    for one in run.edges:
        if not one.admitted:
            continue
        answers = [judge.of(id_, one.edge) for id_ in one.passages]
        failed = [a for a in answers if isinstance(a, Failure)]
        failures += len(failed)
        if any(isinstance(a, Judgement) and a.label == "ENTAILED" for a in answers):
            stated += 1
        elif failed:
            open_ += 1
        else:
            not_ += 1
        uncited += not one.passages
        unnamed += looked[one.edge].named(window, titles) == 0
    number = stated + open_ + not_
    assert found.strict == Rate(stated, stated + not_, open_)
    assert found.uncited == Rate(uncited, number)
    assert found.no_passage == Rate(unnamed, number)
    assert found.text_grounded == Rate(number - unnamed, number)
    assert (found.failures, found.window) == (failures, window)
    if not number:
        assert found.strict.value is found.uncited.value is found.text_grounded.value is None


@pytest.mark.parametrize("own", ["Model A", "endpoint http://x/v1 lab/model a", "model b:latest"])
def test_nobody_judges_itself(own: str) -> None:
    run = MethodRun("ours", (), generator="model a", judge="model b")
    with pytest.raises(EvidenceError, match="itself"):
        f.cited(run, Judge(own), Corpus.of([]), CLAIMS)
    assert f.cited(run, Judge("model c"), Corpus.of([]), CLAIMS) == {}
    # Where nobody generated or judged there is nobody to be the same as.
    f.require_other_judge(MethodRun("walk", ()), Judge(own))


def test_every_passage_that_the_corpus_lacks_is_told() -> None:
    edges = tuple(
        Proposed(Edge("alma", relation, "berro"), True, passages=("p0", f"no {relation}"))
        for relation in ("near", "beside")
    )
    with pytest.raises(EvidenceError) as caught:
        f.cited(MethodRun("ours", (), edges), Judge(), Corpus.of([Passage("p0", "x")]), CLAIMS)
    assert [p.message.split("`")[1] for p in caught.value.problems] == ["no near", "no beside"]


@settings(max_examples=200)
@given(runs(), st.integers(0, 50), st.data())
def test_all_that_was_read_is_read_again(
    drawn: tuple[list[Passage], MethodRun], seed: int, data: st.DataObject
) -> None:
    """As if every candidate cited all of its passages; some of them are what citing these gives."""
    read, run = drawn
    candidates = tuple(
        CandidateEdge(one.edge, tuple(Source(id_, 0, FAILED) for id_ in one.passages))
        for one in run.edges
    )
    corpus, judge = Corpus.of(read), Judge(seed=seed)
    again = f.read_again(replace(run, candidates=candidates), judge, corpus, CLAIMS)
    cited = f.cited(run, judge, corpus, CLAIMS)
    assert {e: dict(one.answers) for e, one in again.items()} == {
        e: dict(one.answers) for e, one in cited.items()
    }
    for edge, one in again.items():
        some = data.draw(st.sets(st.sampled_from(["p0", "p1", "p2", "p3", "p4"])))
        part = one.of(some)
        assert part.edge == edge
        assert part.answers == tuple(pair for pair in one.answers if pair[0] in some)


def test_a_failure_is_no_label() -> None:
    entailed, uncertain, denied, failed = ANSWERS
    edge = Edge("alma", "near", "berro")
    for answers, support in (
        ((), False),
        ((failed,), None),
        ((failed, denied), None),
        ((failed, entailed), True),
        ((uncertain, denied), False),
    ):
        said = f.Cited(edge, tuple((str(n), answer) for n, answer in enumerate(answers)))
        assert said.support is support
        assert said.failures == answers.count(failed)


# ------------------------------------------------------------------ two judges

_ANSWERS = st.sampled_from(ANSWERS)


def kappa_by_hand(pairs: list[tuple[Label, Label]]) -> Fraction | None:
    """(observed − by chance) / (1 − by chance)"""
    number = len(pairs)
    if not number:
        return None
    observed = Fraction(sum(one == other for one, other in pairs), number)
    chance = sum(
        Fraction(sum(one == label for one, _ in pairs), number)
        * Fraction(sum(other == label for _, other in pairs), number)
        for label in LABELS
    )
    return None if chance == 1 else (observed - chance) / (1 - chance)


@settings(max_examples=200)
@given(st.lists(st.tuples(_ANSWERS, _ANSWERS), max_size=30), st.integers(0, 3))
def test_agreement_is_kappa_and_counts(
    said: list[tuple[Judgement | Failure, Judgement | Failure]], seed: int
) -> None:
    found = f.agreement([a for a, _ in said], [b for _, b in said], seed, resamples=50)
    pairs = [
        (a.label, b.label)
        for a, b in said
        if isinstance(a, Judgement) and isinstance(b, Judgement)
    ]
    assert found.failed == len(said) - len(pairs)
    for one, other in product(LABELS, LABELS):
        assert found.confusion[one][other] == pairs.count((one, other))
    expected = kappa_by_hand(pairs)
    assert found.kappa.kappa == (None if expected is None else pytest.approx(float(expected)))
    assert found.kappa.number == len(pairs)
    first, second = found.entailed
    assert first == Rate(sum(one == "ENTAILED" for one, _ in pairs), len(pairs))
    assert second == Rate(sum(other == "ENTAILED" for _, other in pairs), len(pairs))
    if not pairs or found.undefined == 50:
        assert (found.low, found.high) == (None, None)
    else:
        assert found.low is not None
        assert found.high is not None
        assert -1 <= found.low <= found.high <= 1
    # The same seed draws the same.
    assert found == f.agreement([a for a, _ in said], [b for _, b in said], seed, resamples=50)


@settings(max_examples=100)
@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1))
def test_each_resample_has_the_kappa_of_its_table(pairs: list[tuple[Label, Label]]) -> None:
    table = {a: {b: pairs.count((a, b)) for b in LABELS} for a in LABELS}
    expected = kappa([a for a, _ in pairs], [b for _, b in pairs]).kappa
    assume(expected is not None)
    # Resamples of one cell: no kappa if the judges agree in it, and 0 if they don't.
    only = {a: dict.fromkeys(LABELS, 0) for a in LABELS}
    only[pairs[0][0]][pairs[0][1]] = 3
    drawn = f._drawn(only, 0, 20)
    assert len(drawn) == (0 if pairs[0][0] == pairs[0][1] else 20)
    assert all(value == 0 for value in drawn)
    # Many copies of the pairs: the resamples come near to their kappa.
    many = {a: {b: n * 100_000 for b, n in row.items()} for a, row in table.items()}
    drawn = f._drawn(many, 0, 20)
    assert len(drawn) == 20
    assert all(abs(value - expected) < 0.05 for value in drawn)


def test_the_interval_holds_what_it_should() -> None:
    """Of the intervals of samples from judges whose kappa is known most hold it: 95 % in theory."""
    import numpy as np

    random = np.random.default_rng(1)
    # They agree on 60 % beyond chance.
    truth, held = 0.6, 0
    for number in range(100):
        first = random.integers(3, size=200)
        same = random.random(200) < truth
        second = np.where(same, first, random.integers(3, size=200))
        labels = [[Judgement(LABELS[n], 1.0) for n in side] for side in (first, second)]
        found = f.agreement(*labels, seed=number, resamples=300)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert held >= 85


def test_two_judges_answer_the_same_pairs() -> None:
    with pytest.raises(ValueError):
        f.agreement([ANSWERS[0]], [], 0)
    nothing = f.agreement([FAILED], [ANSWERS[0]], 0)
    assert (nothing.kappa.kappa, nothing.low, nothing.failed) == (None, None, 1)
    assert nothing.undefined == 0
    alike = f.agreement([ANSWERS[0]] * 3, [ANSWERS[0]] * 3, 0, resamples=10)
    assert (alike.kappa.kappa, alike.low, alike.undefined) == (None, None, 10)
