"""Which candidate edges are added, and why not the others.

Two steps, each an encoding: what passages and policy say of each edge alone (`admissible.lp`), and
which of the admissible edges are added together (`admission.lp`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from kgverify.completion.breakpoints import CandidateEdge, Edge, merged
from kgverify.completion.choosing import Clash, choose
from kgverify.completion.policy import Policy, exactly
from kgverify.errors import LimitReached, Problem, counted
from kgverify.evidence.judging import LABELS, Failure, Label
from kgverify.reasoning.program import ADMISSIBLE, encoding
from kgverify.reasoning.solver import solve

SECONDS = 10.0
_WORDS = {label: label.lower() for label in LABELS}
_LABELS: dict[str, Label] = {word: label for label, word in _WORDS.items()}


@dataclass(frozen=True)
class Conflicts:
    """What excludes edges: `refuted` has those that the graph excludes, with what does it in words;
    `together` sets of edges that can't all hold beside the graph; `unknown` those with an end that
    nobody knows, with its name: nothing could be known against them."""

    refuted: Mapping[Edge, tuple[str, ...]] = field(default_factory=dict)
    together: frozenset[frozenset[Edge]] = frozenset()
    unknown: Mapping[Edge, tuple[str, ...]] = field(default_factory=dict)


# Edges among these that can't all hold beside the graph, as few as it takes; None if all can.
Check = Callable[[Collection[Edge]], frozenset[Edge] | None]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an edge is not added.  `code` is one of

    `refuted`, `unresolved`, `no_passage`, `failed`, `no_source`, `disagreement`, `uncertain`,
    `denied`, `below`, `near` (see `admissible.lp`), `rival` (edges that are added exclude it), or
    `time` (nothing excludes it in what was found when the time was over)."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Weighed:
    """What passages say of an edge: the judge's verdict and the score, None where nothing was
    judged; `sources` is the number of those that are cited, `passages` their ids."""

    edge: Edge
    verdict: Label | None
    final: Fraction | None
    sources: int
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Admitted:
    """An edge that is added, in this round."""

    weighed: Weighed
    round: int = 0

    @property
    def edge(self) -> Edge:
        return self.weighed.edge


@dataclass(frozen=True, slots=True)
class Rejected:
    """An edge that is not added, in this round, and all that bars it."""

    weighed: Weighed
    reasons: tuple[Reason, ...]
    round: int = 0

    @property
    def edge(self) -> Edge:
        return self.weighed.edge


@dataclass(frozen=True, slots=True)
class Admission:
    """What was decided of some candidates; edges stand in their order.  `proven`: no other choice
    among edges that exclude each other has a better score."""

    admitted: tuple[Admitted, ...]
    rejected: tuple[Rejected, ...]
    proven: bool = True


def decide(
    candidates: Iterable[CandidateEdge],
    policy: Policy,
    conflicts: Conflicts | None = None,
    check: Check | None = None,
    *,
    round: int = 0,
    seconds: float = SECONDS,
) -> Admission:
    """Which candidates are added.  Neither their order nor repetition matters.

    `conflicts` may leave out sets of edges that exclude each other if `check` finds them.  Raises
    LimitReached when the time is over before that is done, or before any choice was found, and
    ValueError when passages contradict themselves: one that comes from two sources, or that was
    read twice for an edge, with different results."""
    end = time.monotonic() + seconds
    edges = merged(candidates)
    conflicts = conflicts or Conflicts()
    numbers = {candidate.edge: number for number, candidate in enumerate(edges)}
    clashes = {
        frozenset(numbers[edge] for edge in clash)
        for clash in conflicts.together
        if clash <= numbers.keys()
    }
    judged = _Judged(edges, policy, conflicts, clashes)
    open_ = [number for number in range(len(edges)) if number not in judged.barred]
    while True:
        left = max(0.0, end - time.monotonic())
        chosen, proven = _chosen(open_, judged, clashes, left)
        wider = check([edges[number].edge for number in sorted(chosen)]) if check else None
        if wider is None:
            break
        if time.monotonic() > end:
            message = "the time was over before a choice without contradictions was found"
            raise LimitReached(Problem("budget", message))
        clash = frozenset(numbers.get(edge, -1) for edge in wider)
        if not clash or not clash <= chosen:
            raise ValueError("edges in conflict are some of those that were asked about")
        clashes.add(clash)
    rejected = []
    for number in range(len(edges)):
        if number not in chosen:
            reasons = judged.reasons(number) or _rivals(number, edges, clashes, chosen)
            rejected.append(Rejected(judged.weighed(number), tuple(reasons), round))
    admitted = (Admitted(judged.weighed(number), round) for number in sorted(chosen))
    return Admission(tuple(admitted), tuple(rejected), proven)


def _chosen(
    open_: Sequence[int], judged: _Judged, clashes: Iterable[Clash], seconds: float
) -> tuple[frozenset[int], bool]:
    """The edges chosen among those that nothing bars, and whether that is proved the best."""
    places = {number: place for place, number in enumerate(open_)}
    inside = [
        frozenset(places[number] for number in clash) for clash in clashes if clash <= places.keys()
    ]
    choice = choose([judged.scaled[number] for number in open_], inside, seconds)
    return frozenset(open_[place] for place in choice.chosen), choice.proven


def _rivals(
    number: int,
    edges: Sequence[CandidateEdge],
    clashes: Iterable[Clash],
    chosen: Collection[int],
) -> Iterator[Reason]:
    """Which edges that are added exclude this one."""
    excluding = sorted(
        sorted(clash - {number})
        for clash in clashes
        if number in clash and clash - {number} <= frozenset(chosen)
    )
    for others in excluding:
        said = ", ".join(str(edges[other].edge) for other in others)
        if not others:
            yield Reason("rival", "it can't hold beside the graph")
        elif len(others) == 1:
            yield Reason("rival", f"{said} is added, and the two can't both hold")
        else:
            yield Reason("rival", f"{said} are added, and with them it can't hold")
    if not excluding:
        yield Reason("time", "the best choice found in the time is without it")


class _Judged:
    """What `admissible.lp` says of each candidate, by number."""

    def __init__(
        self,
        edges: Sequence[CandidateEdge],
        policy: Policy,
        conflicts: Conflicts,
        clashes: Iterable[Clash],
    ) -> None:
        self._edges, self._policy, self._conflicts = edges, policy, conflicts
        self._passages = _numbered(source.passage for edge in edges for source in edge.sources)
        self._names = list(self._passages)
        self._verdicts: dict[int, Label] = {}
        self._sources: dict[int, int] = {}
        self._cited: dict[int, set[int]] = {}
        self._near: dict[int, list[int]] = {}
        self.scaled: dict[int, int] = {}
        self.barred: dict[int, set[str]] = {}
        facts = [*_policy_facts(policy), *self._facts(clashes)]
        for text in solve(encoding(*ADMISSIBLE), "".join(facts)):
            predicate, _, rest = text[:-1].partition("(")
            first, _, value = rest.partition(",")
            number = int(first)
            match predicate:
                case "verdict":
                    self._verdicts[number] = _LABELS[value]
                case "sources":
                    self._sources[number] = int(value)
                case "cited":
                    self._cited.setdefault(number, set()).add(int(value))
                case "final":
                    self.scaled[number] = int(value)
                case "near":
                    self._near.setdefault(number, []).append(int(value))
                case "barred":
                    self.barred.setdefault(number, set()).add(value)

    def _facts(self, clashes: Iterable[Clash]) -> Iterator[str]:
        by_article = self._policy.count == "articles"
        groups: dict[tuple[str, object], int] = {}
        group_of: dict[int, int] = {}
        for number, candidate in enumerate(self._edges):
            yield f"edge({number})."
            if candidate.edge in self._conflicts.refuted:
                yield f"refuted({number})."
            if candidate.edge in self._conflicts.unknown:
                yield f"unresolved({number})."
            for source in candidate.sources:
                passage = self._passages[source.passage]
                key: tuple[str, object] = ("origin", source.origin)
                if by_article and source.article:
                    key = "article", source.article
                elif by_article:
                    key = "passage", source.passage
                group = groups.setdefault(key, len(groups))
                if group_of.setdefault(passage, group) != group:
                    raise ValueError(f"passage {source.passage} comes from two sources")
                yield f"source({passage},{group})."
                if source.names_both:
                    yield f"names({number},{passage})."
                if isinstance(source.answer, Failure):
                    yield f"failed({number},{passage})."
                else:
                    yield f"read({number},{passage},{_WORDS[source.answer.label]})."
        for clash in clashes:
            if len(clash) == 2 and _is_contest(*(self._edges[number].edge for number in clash)):
                one, other = clash
                yield f"contest({one},{other}).contest({other},{one})."

    def weighed(self, number: int) -> Weighed:
        """What passages say of an edge."""
        scaled = self.scaled.get(number)
        cited = self._cited.get(number, ())
        return Weighed(
            self._edges[number].edge,
            self._verdicts.get(number),
            None if scaled is None else Fraction(scaled, self._policy.scale),
            self._sources[number],
            tuple(self._names[passage] for passage in sorted(cited)),
        )

    def reasons(self, number: int) -> list[Reason]:
        """What bars an edge, in words."""
        barred = self.barred.get(number, ())
        return [Reason(code, self._say(code, number)) for code in _CODES if code in barred]

    def _say(self, code: str, number: int) -> str:
        edge, weighed = self._edges[number], self.weighed(number)
        match code:
            case "refuted":
                facts = self._conflicts.refuted[edge.edge]
                return f"it conflicts with {'; '.join(facts)}" if facts else "the graph excludes it"
            case "unresolved":
                return f"nobody knows {' or '.join(self._conflicts.unknown[edge.edge])}"
            case "failed":
                return f"the judge failed: {'; '.join(_failures(edge))}"
            case "disagreement":
                for_, against = (_labelled(edge, one) for one in ("ENTAILED", "NOT_ENTAILED"))
                return f"passages disagree: {for_} for it, {against} against it"
            case "below" if weighed.final is not None:
                return f"final {exactly(weighed.final)} < {exactly(self._policy.tau)}"
            case "near" if weighed.final is not None:
                others = ", ".join(self._scored(other) for other in sorted(self._near[number]))
                lead, margin = exactly(weighed.final), exactly(self._policy.margin)
                return f"final {lead} does not lead by {margin} over {others}"
            case _:
                return _TEXTS[code]

    def _scored(self, number: int) -> str:
        final = Fraction(self.scaled[number], self._policy.scale)
        return f"{self._edges[number].edge} with {exactly(final)}"


_TEXTS = {
    "no_passage": "no passage was read for it",
    "no_source": "no passage that says so names both its ends",
    "uncertain": "passages leave it UNCERTAIN",
    "denied": "the judge says NOT_ENTAILED",
}
# In the order in which they are told.
_CODES = (
    *("refuted", "unresolved", "no_passage", "failed", "no_source", "disagreement"),
    *("denied", "uncertain", "below", "near"),
)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    """Numbers for passages, in the order of their ids."""
    return {name: number for number, name in enumerate(sorted(set(names)))}


def _is_contest(one: Edge, other: Edge) -> bool:
    """Are the two, which exclude each other, values of one place that takes one value?"""
    same = one.subject == other.subject, one.object == other.object
    return one.relation == other.relation and any(same)


def _failures(candidate: CandidateEdge) -> Iterator[str]:
    for source in candidate.sources:
        if isinstance(source.answer, Failure):
            yield f"{source.answer.problem.message} (passage {source.passage})"


def _labelled(candidate: CandidateEdge, label: Label) -> str:
    """The passages of a candidate with a label."""
    found = {
        source.passage
        for source in candidate.sources
        if not isinstance(source.answer, Failure) and source.answer.label == label
    }
    return f"{counted(len(found), 'passage')} ({', '.join(sorted(found))})"


def _policy_facts(policy: Policy) -> Iterator[str]:
    """The numbers of a policy, whole, and what it demands."""
    scale = policy.scale
    yield f"share({int(policy.w_multi / policy.n0 * scale)}).enough({policy.n0})."
    for label, word in _WORDS.items():
        yield f"points({word},{int(policy.w_llm * policy.worth(label) * scale)})."
    yield f"threshold({int(policy.tau * scale)})."
    if policy.margin:
        yield f"margin({int(policy.margin * scale)})."
    demands = {
        "agreeing": policy.cite == "agreeing",
        "a_source": policy.needs_source,
        "all_judged": policy.needs_all_judged,
        "agreement": policy.needs_agreement,
        "entailment": policy.weakest == "ENTAILED",
        "acceptance": policy.weakest != "NOT_ENTAILED",
    }
    yield from (f"demand({name})." for name, holds in demands.items() if holds)
