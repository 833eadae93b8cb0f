"""What bars an edge, in plain Python."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from kgverify.completion.breakpoints import CandidateEdge, Edge, Source
from kgverify.completion.policy import Policy
from kgverify.evidence.judging import Judgement

ORDER = ("ENTAILED", "UNCERTAIN", "NOT_ENTAILED")


class Edges:
    """Candidates put together by their edges."""

    def __init__(self, candidates: Collection[CandidateEdge], policy: Policy) -> None:
        self.policy = policy
        self.read: dict[Edge, set[Source]] = {}
        for one in candidates:
            self.read.setdefault(one.edge, set()).update(one.sources)

    def labels(self, edge: Edge) -> set[str]:
        answers = (source.answer for source in self.read[edge])
        return {answer.label for answer in answers if isinstance(answer, Judgement)}

    def verdict(self, edge: Edge) -> str | None:
        return next((label for label in ORDER if label in self.labels(edge)), None)

    def sources(self, edge: Edge) -> set[object]:
        found: set[object] = set()
        for source in self.read[edge]:
            answer = source.answer
            agrees = isinstance(answer, Judgement) and answer.label == self.verdict(edge)
            if source.names_both and (agrees or self.policy.cite == "named"):
                alone = ("passage", source.passage)
                article = ("article", source.article) if source.article else alone
                found.add(source.origin if self.policy.count == "origins" else article)
        return found

    def final(self, edge: Edge) -> Fraction | None:
        verdict = self.verdict(edge)
        if verdict is None:
            return None
        p, share = self.policy, Fraction(len(self.sources(edge)), self.policy.n0)
        worth = {"ENTAILED": Fraction(1), "UNCERTAIN": p.tau_unc, "NOT_ENTAILED": Fraction(0)}
        return p.w_multi * min(share, Fraction(1)) + p.w_llm * worth[verdict]

    def barred(
        self, edge: Edge, refuted: Collection[Edge], rivals: Mapping[Edge, Collection[Edge]]
    ) -> set[str]:
        p, labels, verdict = self.policy, self.labels(edge), self.verdict(edge)
        failed = any(not isinstance(source.answer, Judgement) for source in self.read[edge])
        final = self.final(edge)
        lead = [
            other
            for other in rivals.get(edge, ())
            if final is not None
            and other not in refuted
            and (theirs := self.final(other)) is not None
            and final - theirs < p.margin
        ]
        said = {
            "refuted": edge in refuted,
            "no_passage": not self.read[edge],
            "failed": failed and (not labels or p.needs_all_judged),
            "no_source": bool(labels) and not self.sources(edge) and p.needs_source,
            "disagreement": {"ENTAILED", "NOT_ENTAILED"} <= labels and p.needs_agreement,
            "uncertain": verdict == "UNCERTAIN" and p.weakest == "ENTAILED",
            "denied": verdict == "NOT_ENTAILED" and p.weakest != "NOT_ENTAILED",
            "below": final is not None and final < p.tau,
            "near": bool(lead) and p.margin > 0,
        }
        return {code for code, holds in said.items() if holds}
