"""Explanations and what becomes of them when somebody changes what they cite."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import structs

from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook
from kgverify.replay.rechecking import check_explanation
from kgverify.vocabulary import Citation, Claim, Explanation, Proof

Change = Callable[[Citation], Citation | None]


def proof_of(explanation: Explanation, place: int = 1) -> Proof:
    """The proof of a constraint; by default that of the first after the answer class."""
    proof = explanation.constraints[place].proof
    assert proof is not None
    return proof


def kinds(explanation: Explanation) -> list[str]:
    """The kinds of what the first constraint's proof cites, each once."""
    return sorted({citation.kind for citation in proof_of(explanation).citations})


def with_proof(explanation: Explanation, proof: Proof) -> Explanation:
    """The explanation with another proof of the first constraint."""
    first, second, *rest = explanation.constraints
    second = structs.replace(second, proof=proof)
    return structs.replace(explanation, constraints=(first, second, *rest))


def changed(explanation: Explanation, change: Change) -> Explanation:
    """The explanation with the citations of the first constraint changed, or left out."""
    proof = proof_of(explanation)
    kept = tuple(c for c in map(change, proof.citations) if c is not None)
    return with_proof(explanation, structs.replace(proof, citations=kept))


def claiming(explanation: Explanation, change: Callable[[Claim], Claim]) -> Explanation:
    """The explanation with another claim of the first constraint."""
    proof = proof_of(explanation)
    return with_proof(explanation, structs.replace(proof, claim=change(proof.claim)))


def lessened(explanation: Explanation) -> Iterator[tuple[Citation, Explanation]]:
    """The explanation without each of the citations of the first constraint in turn."""
    for citation in proof_of(explanation).citations:
        yield (
            citation,
            changed(explanation, lambda c, gone=citation: None if c is gone else c),  # type: ignore[misc]
        )


def faults(explanation: Explanation, graph: Graph, book: RuleBook) -> list[str]:
    """What keeps an explanation from replaying."""
    return [p.message for p in check_explanation(explanation, graph, book) if p.is_error]
