"""How faithful admitted edges are to the passages that they cite, by a judge that had no part in
proposing or admitting them (TGComplete, sections 5.1 and 6.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgverify.completion.breakpoints import Edge, merged
from kgverify.completion.independence import require_independent
from kgverify.errors import EvidenceError, Problem
from kgverify.evidence.claims import Claims
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.endpoint_judge import same_model
from kgverify.evidence.judging import LABELS, Failure, Judge, Judgement, Label
from kgverify.experiments.scoring.comparing import RESAMPLES, Kappa, kappa
from kgverify.experiments.statistics import LEVEL
from kgverify.experiments.tgcomplete.exhaustive import Looked, Window, judged
from kgverify.experiments.tgcomplete.rates import Rate
from kgverify.experiments.tgcomplete.records import MethodRun, Proposed

NEAR: Window = 50  # words within which a passage names both ends, as published


@dataclass(frozen=True, slots=True)
class Cited:
    """What a judge says of an edge and each passage that it cites, by the passage's id."""

    edge: Edge
    answers: tuple[tuple[str, Judgement | Failure], ...] = ()

    @property
    def support(self) -> bool | None:
        """Does a cited passage state the edge?  An edge that cites nothing has none; None where the
        judge failed on a passage, and none of the others states it."""
        labels = {None if isinstance(a, Failure) else a.label for _, a in self.answers}
        if "ENTAILED" in labels:
            return True
        return None if None in labels else False

    def of(self, passages: Collection[str]) -> Cited:
        """The same with some of the passages alone."""
        return Cited(self.edge, tuple(one for one in self.answers if one[0] in passages))

    @property
    def failures(self) -> int:
        """On so many passages the judge failed."""
        return sum(isinstance(answer, Failure) for _, answer in self.answers)


def require_other_judge(run: MethodRun, judge: Judge) -> None:
    """Makes sure that a judge had no part in a run.

    Raises EvidenceError when it is the run's generator or the judge by which the run admits: each
    is too mild with its own edges."""
    require_independent(run.generator, judge.name)
    if run.judge and same_model(run.judge, judge.name):
        message = f"`{judge.name}` would judge the edges that it admitted itself"
        hint = "take a judge of another model"
        raise EvidenceError(Problem("same-model", message, None, hint, subject=run.method))


def cited(run: MethodRun, judge: Judge, corpus: Corpus, claims: Claims) -> dict[Edge, Cited]:
    """What an independent judge says of all edges of a run, admitted or not, and the passages that
    they cite.

    Raises EvidenceError when the judge is not independent, or when the corpus lacks a passage that
    is cited."""
    passages = {one.edge: one.passages for one in run.edges}
    return _read(run, passages, judge, corpus, claims)


def read_again(run: MethodRun, judge: Judge, corpus: Corpus, claims: Claims) -> dict[Edge, Cited]:
    """What an independent judge says of all candidates of a run and the passages that were read for
    them, whichever of these a decision would cite; errors are those of `cited`."""
    passages = {
        one.edge: tuple(source.passage for source in one.sources) for one in merged(run.candidates)
    }
    return _read(run, passages, judge, corpus, claims)


def _read(
    run: MethodRun,
    passages: Mapping[Edge, tuple[str, ...]],
    judge: Judge,
    corpus: Corpus,
    claims: Claims,
) -> dict[Edge, Cited]:
    require_other_judge(run, judge)
    numbers = {
        edge: dict(zip(ids, corpus.find(ids).tolist(), strict=True))
        for edge, ids in passages.items()
    }
    lacking = [
        Problem("unknown-passage", f"the corpus has no passage `{id_}`, which is read for {edge}")
        for edge, of in numbers.items()
        for id_, number in of.items()
        if number < 0
    ]
    if lacking:
        raise EvidenceError(lacking)
    pairs = [(edge, number) for edge, of in numbers.items() for number in of.values()]
    answers = iter(judged(judge, corpus, claims, pairs))
    return {
        edge: Cited(edge, tuple((id_, next(answers)) for id_ in of)) for edge, of in numbers.items()
    }


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """How faithful the admitted edges of a run are.

    `strict`: a cited passage states the edge.  `uncited`: it cites no passage.  `no_passage`: no
    passage of the corpus names both ends within `window` words, which is the paper's no-passage
    rate (NPR), the same question for every method.  `failures`: on so many pairs the judge failed,
    which is no label; an edge that hangs on one is unknown in `strict`."""

    strict: Rate
    uncited: Rate
    no_passage: Rate
    window: Window
    failures: int

    @property
    def text_grounded(self) -> Rate:
        """The share of the admitted with a passage that names both ends: the rest of the NPR."""
        none = self.no_passage
        return Rate(none.whole - none.part, none.whole, none.unknown)


def faithfulness(
    edges: Iterable[Proposed],
    read: Mapping[Edge, Cited],
    looked: Mapping[Edge, Looked],
    window: Window = NEAR,
    titles: bool = True,
) -> Faithfulness:
    """How faithful edges are, of those that are admitted."""
    admitted = [one for one in edges if one.admitted]
    near = [looked[one.edge].is_named(window, titles) for one in admitted]
    return Faithfulness(
        strict=Rate.of(read[one.edge].support for one in admitted),
        uncited=Rate.of(not one.passages for one in admitted),
        no_passage=Rate.of(None if is_near is None else not is_near for is_near in near),
        window=window,
        failures=sum(read[one.edge].failures for one in admitted),
    )


# ------------------------------------------------------------------ two judges


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two judges agree on the same pairs of a passage and a claim.

    `confusion` counts pairs by the first judge's label and the second's.  `low` and `high` are the
    percentile bootstrap interval of kappa at 95 %; in `undefined` of the resamples it has no value.
    In `failed` pairs one of the two failed; they are left out."""

    kappa: Kappa
    low: float | None
    high: float | None
    undefined: int
    failed: int
    confusion: Mapping[Label, Mapping[Label, int]]

    @property
    def entailed(self) -> tuple[Rate, Rate]:
        """The share of the pairs that each finds ENTAILED: the milder judge has the greater."""
        ours = sum(self.confusion["ENTAILED"].values())
        theirs = sum(row["ENTAILED"] for row in self.confusion.values())
        return Rate(ours, self.kappa.number), Rate(theirs, self.kappa.number)


def agreement(
    first: Sequence[Judgement | Failure],
    second: Sequence[Judgement | Failure],
    seed: int,
    resamples: int = RESAMPLES,
) -> Agreement:
    """How two judges agree, by their answers to the same pairs in the same order.

    Raises ValueError when the two are not as many."""
    pairs = [
        (one.label, other.label)
        for one, other in zip(first, second, strict=True)
        if isinstance(one, Judgement) and isinstance(other, Judgement)
    ]
    table = {ours: {theirs: pairs.count((ours, theirs)) for theirs in LABELS} for ours in LABELS}
    found = kappa([ours for ours, _ in pairs], [theirs for _, theirs in pairs])
    drawn = _drawn(table, seed, resamples) if pairs else ()
    low, high = _percentiles(drawn)
    undefined = resamples - len(drawn) if pairs else 0
    return Agreement(found, low, high, undefined, len(first) - len(pairs), table)


def _drawn(table: Mapping[Label, Mapping[Label, int]], seed: int, resamples: int) -> Any:
    """The values of kappa in resamples of the pairs, where it has one."""
    import numpy as np

    counts = np.array([[row[label] for label in LABELS] for row in table.values()])
    total = int(counts.sum())
    random = np.random.default_rng(seed)
    shape = (resamples, len(LABELS), len(LABELS))
    tables = random.multinomial(total, counts.ravel() / total, resamples).reshape(shape)
    agreed = np.trace(tables, axis1=1, axis2=2) * total
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    # Chance alone agrees always where both judges say one thing only.
    defined = chance < total**2
    return (agreed[defined] - chance[defined]) / (total**2 - chance[defined])


def _percentiles(drawn: Any) -> tuple[float | None, float | None]:
    import numpy as np

    if not len(drawn):
        return None, None
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail), method="inverted_cdf")
    return float(low), float(high)
