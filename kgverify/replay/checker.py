"""An independent check of proofs: does what a proof cites suffice, without anything else?

The checker gets the citations of a proof and the rule file's own statements.  From these alone it
derives evidence again (`replay/evidence.py`), or, for what only exact mode decides, looks for a
completion that is otherwise (`replay/completions.py`).  It is plain Python and shares nothing with
the encodings, the solver or the search for proofs.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from kgverify.errors import Problem
from kgverify.language.rulebook import RuleBook
from kgverify.replay import completions
from kgverify.replay.evidence import Evidence
from kgverify.vocabulary import Explanation, Plausible, Proof


def underivable(proof: Proof, book: RuleBook) -> list[str]:
    """What of a proof can't be derived from its citations; empty when it replays."""
    return completions.faults(proof, book) if proof.exact else Evidence(proof, book).faults()


def needed(proof: Proof, book: RuleBook) -> frozenset[int] | None:
    """The places of the citations that the proof can't do without; None when it doesn't replay."""
    if proof.exact:
        return completions.needed(proof, book)
    evidence = Evidence(proof, book)
    if evidence.faults():
        return None
    bits = evidence.need()
    return frozenset(
        place
        for place, citation in enumerate(proof.citations)
        if bits >> place & 1 or (citation.kind == "same" and underivable(_less(proof, place), book))
    )


def _less(proof: Proof, place: int) -> Proof:
    """The proof without one of its citations."""
    rest = proof.citations[:place] + proof.citations[place + 1 :]
    return structs.replace(proof, citations=rest)


def check_statuses(explanation: Explanation, book: RuleBook) -> list[Problem]:
    """Everything in an explanation that doesn't follow from what it cites: statuses without a
    proof, proofs that don't replay, admitted edges that are not told as such, and a verdict that
    isn't the conjunction of its required constraints."""
    problems = [_fault(what) for what in _admission_faults(explanation)]
    statuses = []
    for explained in explanation.constraints:
        constraint, proof = explained.constraint, explained.proof
        if constraint.required:
            statuses.append(constraint.status)
        if proof is None:
            # What is inferred has no proof; `replay/soft.py` checks it.
            inferred = constraint.basis == "inferred" and explained.plausible is not None
            if constraint.status != "unk" and not inferred:
                problems.append(_fault(f"`{constraint.text}` is {constraint.status} without proof"))
            continue
        expected = "unk" if proof.status == "conflict" else proof.status
        if constraint.status != expected:
            problems.append(
                _fault(f"`{constraint.text}` is {constraint.status}, its proof {proof.status}")
            )
        for what in underivable(proof, book):
            problems.append(_fault(f"`{what}` does not follow from what is cited"))
    verdict = "viol" if "viol" in statuses else "sat" if set(statuses) == {"sat"} else "unk"
    if explanation.joint_proof is not None:
        problems += [
            _fault(what) for what in _joint_faults(explanation, explanation.joint_proof, book)
        ]
        verdict = "viol"
    if verdict != explanation.verdict:
        problems.append(_fault(f"the verdict is {verdict}, not {explanation.verdict}"))
    return problems


def _admission_faults(explanation: Explanation) -> Iterator[str]:
    """What is wrong with the admitted edges that proofs cite: a status that rests on one says so,
    and each is listed with the passages that it was admitted from."""
    listed = {
        (edge.relation, ("e" + edge.subject, "e" + edge.object))
        for edge in explanation.admitted
        if edge.policy and edge.quotes
    }
    for explained in explanation.constraints:
        constraint, proof = explained.constraint, explained.proof
        proofs = [*proofs_in(explained.plausible), *([] if proof is None else [proof])]
        cited = [c for one in proofs for c in one.citations if c.kind == "admitted"]
        for citation in cited:
            if (citation.name, citation.terms) not in listed:
                yield f"`{citation.text}` is admitted without saying from what"
        decided = constraint.status != "unk" and constraint.basis != "inferred"
        if decided and bool(cited) != (constraint.basis == "admitted"):
            said = "rests on no admitted edge" if not cited else "rests on admitted edges"
            yield f"`{constraint.text}` {said}, and its basis is `{constraint.basis}`"


def proofs_in(plausible: Plausible | None) -> Iterator[Proof]:
    """The proofs of everything that a plausibility rests on."""
    if plausible is None:
        return
    if plausible.proof is not None:
        yield plausible.proof
    for backing in plausible.backings:
        yield from backing.proofs
    for member in plausible.members:
        yield from proofs_in(member)


def _joint_faults(explanation: Explanation, proof: Proof, book: RuleBook) -> list[str]:
    """Why it does not follow that the required constraints can't be met together."""
    claim = proof.claim
    required = {e.constraint.text for e in explanation.constraints if e.constraint.required}
    if (
        not (proof.exact and proof.status == "viol" and claim.kind == "group")
        or claim.least != claim.size
        or not required.issuperset(member.text for member in claim.members)
    ):
        return ["the joint proof is of something else than the required constraints"]
    return [f"`{what}` does not follow from what is cited" for what in underivable(proof, book)]


def _fault(message: str) -> Problem:
    return Problem("not-replayed", message)
