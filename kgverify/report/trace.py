"""Proofs as a trace of inferences, in the shape that the rule engine Nemo gives its traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kgverify.vocabulary import Claim, Explanation, Plausible, Proof

_Infer = Callable[[str, str, tuple[str, ...]], None]

_LEAVES = {
    "fact": "asserted",
    "admitted": "admitted from text",
    "denial": "denied",
    "period": "asserted for a period",
    "outranked": "asserted for a period, and outranked",
    "absence": "not listed, and complete",
    "listing": "all that is listed",
    "assumption": "assumed closed",
    "identity": "provably different",
    "same": "declared to be one entity",
}


def trace(explanation: Explanation) -> dict[str, Any]:
    """`finalConclusion`, and the `inferences` that lead there, each with `ruleName`, `conclusion`
    and `premises`; premises come before what rests on them.

    Facts are inferences without premises.  The last inference is the verdict, from the constraints
    that decide it: those that are viol, else all that are decided."""
    found: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}

    def infer(rule: str, conclusion: str, premises: tuple[str, ...]) -> None:
        step = {"ruleName": rule, "conclusion": conclusion, "premises": list(premises)}
        found.setdefault((conclusion, premises), step)

    decided: list[tuple[str, str]] = []
    proofs = [(e.proof, e.constraint.required) for e in explanation.constraints]
    for proof, required in (*proofs, (explanation.joint_proof, True)):
        if proof is None:
            continue
        _steps(proof, infer)
        conclusion = f"{proof.claim.text} is {proof.status}"
        if not proof.exact:  # else the last inference says so
            infer("the evidence decides the constraint", conclusion, _evidence(proof))
        if required:
            decided.append((conclusion, proof.status))
    for explained in explanation.constraints:
        constraint = explained.constraint
        if constraint.basis == "inferred" and explained.plausible is not None:
            conclusion = f"{constraint.text} is {constraint.status}"
            grounds = tuple(_inferred(explained.plausible, infer))
            infer(f"plausible from {explanation.infer_from} on counts as true", conclusion, grounds)
            if constraint.required:
                decided.append((conclusion, constraint.status))
    refuting = tuple(text for text, status in decided if status == "viol")
    final = f"{explanation.candidate} for {explanation.question} is {explanation.verdict}"
    infer("the verdict", final, refuting or tuple(text for text, _ in decided))
    return {"finalConclusion": final, "inferences": list(found.values())}


def _steps(proof: Proof, infer: _Infer) -> None:
    """What a proof cites, and the steps from there."""
    for citation in proof.citations:
        # Where evidence decides, a statement is the rule of its step.
        if citation.kind in _LEAVES or proof.exact:
            place = f" ({citation.source})" if citation.source else ""
            kind = _LEAVES.get(citation.kind, "stated in the rule file")
            infer(kind + place, citation.text, ())
    for step in proof.inferences:
        place = f" ({step.source})" if step.source else ""
        infer(step.rule + place, step.conclusion, step.premises)


def _inferred(plausible: Plausible, infer: _Infer) -> Iterator[str]:
    """What a plausible constraint rests on, after the steps that lead there."""
    proof = plausible.proof
    if proof is not None:
        _steps(proof, infer)
        if proof.status != "conflict":
            conclusion = f"{plausible.claim.text} is {proof.status}"
            infer("the evidence decides the constraint", conclusion, _evidence(proof))
            yield conclusion
    for member in plausible.members:
        yield from _inferred(member, infer)
    for backing in plausible.backings:
        for shown in backing.proofs:
            _steps(shown, infer)
        premises = tuple(shown.claim.text for shown in backing.proofs)
        place = f" ({backing.node.source})"
        infer(f"soft {backing.weight} {backing.node.why}{place}", backing.node.text, premises)
        yield backing.node.text


def _evidence(proof: Proof) -> tuple[str, ...]:
    """The atoms that a claim's status is read from."""
    return tuple(dict.fromkeys(_atoms(proof.claim, proof.status)))


def _atoms(claim: Claim, status: str) -> list[str]:
    if claim.kind == "group":
        return [atom for member in claim.members for atom in _atoms(member, status)]
    sides = {"sat": (claim.pro,), "viol": (claim.con,), "conflict": (claim.pro, claim.con)}
    return list(sides[status])
