"""What completes missing edges from text: TGComplete by a policy."""

from __future__ import annotations

from collections.abc import Sequence

from kgverify.completion.admission import Admitted, Rejected
from kgverify.completion.breakpoints import Breakpoint, CandidateEdge, Edge
from kgverify.completion.policy import Policy
from kgverify.completion.rounds import Excluder
from kgverify.completion.searching import Searcher, search
from kgverify.evidence.judging import Claim, Failure, Judge, Judgement
from kgverify.evidence.passages import Passage
from kgverify.experiments.tgcomplete.records import Cost, Proposed
from kgverify.experiments.tgcomplete.walking import Completed


class RememberingJudge:
    """A judge that is asked once about each passage and claim, whoever asks."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._said: dict[tuple[str, Claim], Judgement | Failure] = {}
        self.asked = 0

    @property
    def name(self) -> str:
        return self._judge.name

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        self.asked += len(pairs)
        keys = [(passage.id, claim) for passage, claim in pairs]
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._said}
        if new:
            answers = self._judge.judge(list(new.values()))
            self._said.update(zip(new, answers, strict=True))
        return [self._said[key] for key in keys]


class TextCompleter:
    """TGComplete: searches passages, has them judged, and admits by a policy or abstains."""

    def __init__(
        self, searcher: Searcher, judge: RememberingJudge, policy: Policy, excluder: Excluder
    ) -> None:
        self._searcher, self._policy, self._excluder = searcher, policy, excluder
        self._judge = judge
        self._searches = self._judged = 0

    @property
    def cost(self) -> Cost:
        return Cost(self._searches, self._judged)

    def complete(self, missing: Sequence[Breakpoint]) -> Completed:
        before = self._judge.asked
        _, outcomes = search(missing, self._searcher, self._policy, self._excluder)
        self._judged += self._judge.asked - before
        edges: dict[Edge, Proposed] = {}
        candidates: list[CandidateEdge] = []
        for outcome in outcomes:
            self._searches += len(outcome.trail.readings)
            # A candidate is rejected in each round anew: the last says it.
            for rejected in outcome.rejected:
                edges[rejected.edge] = _rejected(rejected)
            for admitted in outcome.admitted:
                edges[admitted.edge] = _admitted(admitted)
            candidates += [CandidateEdge(edge, found) for edge, found in outcome.sources.items()]
        return Completed(tuple(edges[edge] for edge in sorted(edges)), tuple(candidates))


def _admitted(one: Admitted) -> Proposed:
    weighed = one.weighed
    return Proposed(one.edge, True, weighed.verdict, weighed.final, weighed.passages, (), one.round)


def _rejected(one: Rejected) -> Proposed:
    weighed = one.weighed
    reasons = tuple(reason.code for reason in one.reasons)
    return Proposed(
        one.edge, False, weighed.verdict, weighed.final, weighed.passages, reasons, one.round
    )
