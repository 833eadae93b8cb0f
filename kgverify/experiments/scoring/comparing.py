"""Two systems on the same questions: McNemar's test, paired bootstrap intervals, Cohen's kappa.

McNemar's test and kappa are those of statsmodels, the extra `scoring`.  Questions are paired by
their ids and sorted by them, so that nothing depends on the order of a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kgverify.experiments.runs import require
from kgverify.experiments.scoring.measuring import Outcome, measures
from kgverify.experiments.statistics import LEVEL

RESAMPLES = 10_000
FEW = 25  # discordant questions, below which chi-squared is no good approximation
COMPARED = ("hits_any", "hits_hard", "hhr", "precision", "recall", "f1")
_CELLS = 4_000_000  # drawn at once


@dataclass(frozen=True, slots=True)
class McNemar:
    """`first` and `second`: the questions that only one of the two has right.

    `p_exact` is two-sided, from the binomial distribution, and 1 when no question is discordant.
    Chi-squared is then undefined; `…_corrected` has the continuity correction."""

    both: int
    first: int
    second: int
    neither: int
    p_exact: float
    chi2: float | None
    p_chi2: float | None
    chi2_corrected: float | None
    p_chi2_corrected: float | None

    @property
    def is_few(self) -> bool:
        return self.first + self.second < FEW


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement of two sequences of judgements; `kappa` is undefined where chance alone agrees
    always, or nothing was judged."""

    agreed: int
    number: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure of the first minus that of the second, with the percentile interval of the paired
    bootstrap.  `undefined` counts the resamples in which there is no difference to be had."""

    value: Fraction | None
    low: float | None
    high: float | None
    undefined: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the paired tests say."""

    questions: int
    hits: McNemar
    hard: McNemar | None
    kappa: Kappa
    differences: Mapping[str, Difference]
    resamples: int
    seed: int


def require_statsmodels() -> None:
    """Raises KgverifyError when statsmodels is not installed."""
    require("statsmodels", of="comparing two files of predictions", extra="scoring")


def compare(
    first: Sequence[Outcome], second: Sequence[Outcome], seed: int, resamples: int = RESAMPLES
) -> Comparison:
    """All tests.  Raises ValueError when the two are not about the same questions."""
    require_statsmodels()
    ours, theirs = paired({o.id: o for o in first}, {o.id: o for o in second})
    marked = [(a, b) for a, b in zip(ours, theirs, strict=True) if a.hard is not None]
    hits = [a.hit for a in ours], [b.hit for b in theirs]
    hard = [bool(a.hard) for a, _ in marked], [bool(b.hard) for _, b in marked]
    return Comparison(
        questions=len(ours),
        hits=mcnemar(*hits),
        hard=mcnemar(*hard) if marked else None,
        kappa=kappa(*hits),
        differences=differences(ours, theirs, seed, resamples),
        resamples=resamples,
        seed=seed,
    )


def paired(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """The values of both by sorted id.  Raises ValueError naming the ids that only one has: to
    drop them would change what is measured."""
    alone = sorted(ours.keys() ^ theirs.keys())
    if alone:
        raise ValueError(f"only one of the two has {', '.join(alone[:10])}")
    ids = sorted(ours)
    return [ours[id_] for id_ in ids], [theirs[id_] for id_ in ids]


def mcnemar(ours: Sequence[bool], theirs: Sequence[bool]) -> McNemar:
    """McNemar's test on what each has right of the same questions."""
    counts = Counter(zip(ours, theirs, strict=True))
    return mcnemar_of(
        counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    )


def mcnemar_of(both: int, first: int, second: int, neither: int) -> McNemar:
    """McNemar's test on the four numbers of questions."""
    from statsmodels.stats.contingency_tables import mcnemar as test

    if not first + second:
        return McNemar(
            both=both,
            first=first,
            second=second,
            neither=neither,
            p_exact=1.0,
            chi2=None,
            p_chi2=None,
            chi2_corrected=None,
            p_chi2_corrected=None,
        )
    table = [[both, first], [second, neither]]
    exact = test(table, exact=True)
    plain = test(table, exact=False, correction=False)
    # Where both are right equally often there is nothing to correct, and the formula would add.
    corrected = test(table, exact=False, correction=first != second)
    return McNemar(
        both=both,
        first=first,
        second=second,
        neither=neither,
        p_exact=float(exact.pvalue),
        chi2=float(plain.statistic),
        p_chi2=float(plain.pvalue),
        chi2_corrected=float(corrected.statistic),
        p_chi2_corrected=float(corrected.pvalue),
    )


def kappa(ours: Sequence[Any], theirs: Sequence[Any]) -> Kappa:
    """Cohen's kappa of two sequences of labels."""
    counts = Counter(zip(ours, theirs, strict=True))
    number = sum(counts.values())
    labels = sorted({label for pair in counts for label in pair})
    agreed = sum(counts[label, label] for label in labels)
    if len(labels) < 2:  # both say one thing only: they can't but agree
        return Kappa(agreed, number, None)
    from statsmodels.stats.inter_rater import cohens_kappa

    table = [[counts[one, other] for other in labels] for one in labels]
    return Kappa(agreed, number, float(cohens_kappa(table, return_results=False)))


def differences(
    ours: Sequence[Outcome], theirs: Sequence[Outcome], seed: int, resamples: int = RESAMPLES
) -> dict[str, Difference]:
    """The difference in each measure, with its interval: the same resamples of questions for both
    systems and all measures."""
    found = [measures(ours), measures(theirs)]
    values = {name: _minus(*(getattr(m, name) for m in found)) for name in COMPARED}
    if not ours:
        return {name: Difference(value, None, None, 0) for name, value in values.items()}
    drawn = _drawn(ours, theirs, seed, resamples)
    return {name: _interval(values[name], drawn[name]) for name in COMPARED}


def _minus(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one - other


def _drawn(
    ours: Sequence[Outcome], theirs: Sequence[Outcome], seed: int, resamples: int
) -> dict[str, Any]:
    """The difference of each measure in every resample, NaN where it is undefined."""
    import numpy as np

    columns = np.array([[_numbers(o) for o in side] for side in (ours, theirs)], float)
    number = len(ours)
    random = np.random.default_rng(seed)
    at_once = max(1, _CELLS // number)
    sums = []
    for start in range(0, resamples, at_once):
        size = (min(at_once, resamples - start), number)
        times = np.zeros(size)
        np.add.at(times, (np.arange(size[0])[:, None], random.integers(number, size=size)), 1)
        sums.append(np.einsum("rq,sqc->rsc", times, columns))
    total = np.concatenate(sums)
    hits, marked, marked_hits, hard = (total[:, :, place] for place in range(4))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = {
            "hits_any": hits / number,
            "hits_hard": hard / marked,
            "hhr": hard / marked_hits,
            "precision": total[:, :, 4] / number,
            "recall": total[:, :, 5] / number,
            "f1": total[:, :, 6] / number,
        }
        return {name: sides[:, 0] - sides[:, 1] for name, sides in found.items()}


def _numbers(o: Outcome) -> tuple[float, ...]:
    marked = o.hard is not None
    scores = float(o.precision), float(o.recall), float(o.f1)
    return float(o.hit), float(marked), float(marked and o.hit), float(bool(o.hard)), *scores


def _interval(value: Fraction | None, drawn: Any) -> Difference:
    import numpy as np

    defined = drawn[np.isfinite(drawn)]
    undefined = len(drawn) - len(defined)
    if value is None or not len(defined):
        return Difference(value, None, None, undefined)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(defined, (tail, 1 - tail), method="inverted_cdf")
    return Difference(value, float(low), float(high), undefined)
