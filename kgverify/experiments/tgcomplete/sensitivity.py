"""How much hangs on the policy's numbers, and on each part of it (TGComplete, sections 6.1 and
6.3): what was proposed and judged is decided anew, and nothing is judged again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import msgspec

from kgverify.completion.admission import Admission, Check, Conflicts, decide
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge, merged
from kgverify.completion.curves import EdgeScores, Matching, edge_scores
from kgverify.completion.policy import PAPER, Policy, configured
from kgverify.evidence.judging import Judgement
from kgverify.experiments.scoring.measuring import share
from kgverify.experiments.tgcomplete.answers import strictly
from kgverify.experiments.tgcomplete.faithfulness import Cited
from kgverify.experiments.tgcomplete.rates import Rate
from kgverify.experiments.tgcomplete.records import Answered, PathQuestion


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to decide: a policy, with or without what the `judge` said, what excludes edges
    (`conflicts`), and what `later_rounds` found."""

    name: str
    policy: Policy
    judge: bool = True
    conflicts: bool = True
    later_rounds: bool = True


# The default as published, and nine others, each with what differs from it.
CONFIGURATIONS: Mapping[str, Mapping[str, str]] = {
    "default": {},
    "τ 0.3": {"tau": "0.3"},
    "τ 0.6": {"tau": "0.6"},
    "τ 0.7": {"tau": "0.7"},
    "τ 0.8": {"tau": "0.8"},
    "τ_unc 0.3": {"tau_unc": "0.3"},
    "τ_unc 0.8": {"tau_unc": "0.8"},
    "w 0.5/0.5": {"w_multi": "0.5", "w_llm": "0.5"},
    "w 0.65/0.35": {"w_multi": "0.65", "w_llm": "0.35"},
    "τ 0.6, w 0.5/0.5": {"tau": "0.6", "w_multi": "0.5", "w_llm": "0.5"},
}


def configurations(base: str = "paper") -> tuple[Variant, ...]:
    """The ten configurations of a named policy."""
    return tuple(Variant(name, configured(base, given)) for name, given in CONFIGURATIONS.items())


def ablations(policy: Policy = PAPER) -> tuple[Variant, ...]:
    """A policy as it is, without each factor, and without each demand that it makes beyond the
    published one.

    Without a factor the other has its weight too, and the threshold stays.  Without entailment
    nothing that the judge said counts; without sources, no number of passages."""
    found = [
        Variant("whole", policy),
        Variant("without entailment", _unjudged(policy), judge=False),
        Variant("without sources", _unsourced(policy)),
        Variant("without conflicts", policy, conflicts=False),
        Variant("without backtracking", policy, later_rounds=False),
    ]
    for option in (
        "needs_source",
        "needs_all_judged",
        "needs_agreement",
        "margin",
        "weakest",
        "count",
        "cite",
    ):
        published = getattr(PAPER, option)
        if getattr(policy, option) != published:
            name = f"without {option}" if option != "weakest" else "any verdict"
            found.append(Variant(name, replace(policy, **{option: published})))
    return tuple(found)


def _unjudged(policy: Policy) -> Policy:
    """Sources alone count; what is demanded of labels is met where all of them are the same."""
    return replace(policy, w_multi=Fraction(1), w_llm=Fraction(0), weakest="NOT_ENTAILED")


def _unsourced(policy: Policy) -> Policy:
    return replace(policy, w_multi=Fraction(0), w_llm=Fraction(1), needs_source=False)


# ------------------------------------------------------------------ deciding anew

Answer = Callable[[Collection[Edge]], Iterable[Answered]]


@dataclass(frozen=True)
class Material:
    """What variants are decided by, and measured against.

    `candidates` are all edges that were proposed, with what was read.  `conflicts` and `check` say
    what excludes them, `first` has the ids of the passages that the first round found for each
    missing edge.

    `deleted` are the gold edges and `graph` those that are left; edges of `symmetric` relations
    match in both directions.  `support` says of each candidate edge whether a passage states it, by
    an independent judge, and `read` what it says of each passage that was read for them
    (`faithfulness.read_again`).  `answer` answers the questions by the graph and some admitted
    edges."""

    candidates: Sequence[CandidateEdge]
    deleted: Collection[Edge]
    graph: Collection[Edge]
    support: Mapping[Edge, bool | None]
    conflicts: Conflicts | None = None
    check: Check | None = None
    first: Mapping[Breakpoint, Collection[str]] | None = None
    symmetric: Collection[str] = ()
    questions: Sequence[PathQuestion] = ()
    answer: Answer | None = None
    read: Mapping[Edge, Cited] | None = None


@dataclass(frozen=True)
class Varied:
    """What a variant comes to.  `faithful` is the share of the admitted edges that any passage
    states; `strict` the share that one of those states which the variant cites, None where nobody
    read these again.  `em` is the share of the questions whose best answer is right, None where
    nothing answers them.  `proven`: the choice among edges that exclude each other is the best."""

    variant: Variant
    admitted: tuple[Edge, ...]
    faithful: Rate
    strict: Rate | None
    scores: EdgeScores
    em: Fraction | None
    proven: bool

    @property
    def quality(self) -> Fraction | None:
        """Strict faithfulness, or where it is not known the share that any passage states."""
        return (self.faithful if self.strict is None else self.strict).value


def decided(variant: Variant, material: Material) -> Admission:
    """All candidates decided together by a variant.

    Raises ValueError when it wants the first round alone and nobody says what that found; and what
    `admission.decide` raises."""
    candidates: list[CandidateEdge] = merged(material.candidates)
    if not variant.later_rounds:
        if material.first is None:
            raise ValueError("it is not known which passages the first round found")
        candidates = list(_of_first_round(candidates, material.first))
    if not variant.judge:
        candidates = [_without_judge(candidate) for candidate in candidates]
    if not variant.conflicts:
        return decide(candidates, variant.policy)
    return decide(candidates, variant.policy, material.conflicts, material.check)


def _of_first_round(
    candidates: Iterable[CandidateEdge], first: Mapping[Breakpoint, Collection[str]]
) -> Iterator[CandidateEdge]:
    """The candidates with the passages of the first round; those without any were not proposed."""
    for candidate in candidates:
        passages = first.get(candidate.breakpoint, ())
        sources = tuple(source for source in candidate.sources if source.passage in passages)
        if sources:
            yield CandidateEdge(candidate.edge, sources)


def _without_judge(candidate: CandidateEdge) -> CandidateEdge:
    """The same passages, of which nobody said anything: each label is the same, and none failed."""
    nothing = Judgement("UNCERTAIN", 0.0)
    sources = (msgspec.structs.replace(source, answer=nothing) for source in candidate.sources)
    return CandidateEdge(candidate.edge, tuple(sources))


def vary(
    variants: Iterable[Variant], material: Material, matching: Matching = "declared"
) -> tuple[Varied, ...]:
    """What each variant comes to, in their order.  Those that want the first round alone are left
    out where nobody says what that found."""
    return tuple(
        _varied(variant, material, matching)
        for variant in variants
        if variant.later_rounds or material.first is not None
    )


def _varied(variant: Variant, material: Material, matching: Matching) -> Varied:
    found = decided(variant, material)
    admitted = tuple(one.edge for one in found.admitted)
    read, em, strict = material.read, None, None
    if read is not None:
        strict = Rate.of(read[one.edge].of(one.weighed.passages).support for one in found.admitted)
    if material.answer is not None:
        outcomes = strictly(material.questions, material.answer(admitted))
        em = share(sum(one.first for one in outcomes), len(outcomes))
    return Varied(
        variant=variant,
        admitted=admitted,
        faithful=Rate.of(material.support[edge] for edge in admitted),
        strict=strict,
        scores=edge_scores(
            admitted,
            [one.edge for one in found.rejected],
            material.deleted,
            material.graph,
            matching,
            material.symmetric,
        ),
        em=em,
        proven=found.proven,
    )


# ------------------------------------------------------------------ the front

Point = tuple[Fraction | int | None, ...]


def quantity_and_quality(found: Iterable[Varied]) -> dict[str, Point]:
    """The points (admitted edges, faithfulness) by variant."""
    return {one.variant.name: (len(one.admitted), one.quality) for one in found}


def accuracy_and_quality(found: Iterable[Varied]) -> dict[str, Point]:
    """The points (EM, faithfulness) by variant."""
    return {one.variant.name: (one.em, one.quality) for one in found}


def front(points: Mapping[str, Point]) -> tuple[str, ...]:
    """The Pareto front: the names, in their order, of the points that none dominates.  Equal points
    are in it together; a point that lacks a value can't be compared and is not in it."""
    return tuple(
        name for name, point in points.items() if None not in point and not _above(point, points)
    )


def dominating(name: str, points: Mapping[str, Point]) -> tuple[str, ...]:
    """The names of the points that dominate one: none of their values is less, and one is more.

    A point that lacks a value dominates none, and none dominates it."""
    return _above(points[name], points)


def _above(point: Point, points: Mapping[str, Point]) -> tuple[str, ...]:
    return tuple(name for name, other in points.items() if _dominates(other, point))


def _dominates(one: Point, other: Point) -> bool:
    found = False
    for ours, theirs in zip(one, other, strict=True):
        if ours is None or theirs is None or ours < theirs:
            return False
        found = found or ours > theirs
    return found
