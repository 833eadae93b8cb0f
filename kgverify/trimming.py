"""Proofs without premises that they turned out not to need."""

from __future__ import annotations

from msgspec import structs

from kgverify.vocabulary import Citation, Inference, Node


def lacking(step: Inference, spare: frozenset[Citation]) -> Inference | None:
    """A step of a proof without premises that it doesn't need; None where that leaves none."""
    dropped = {citation.text for citation in spare}
    premises = tuple(premise for premise in step.premises if premise not in dropped)
    if step.premises and not premises:
        return None
    return structs.replace(step, premises=premises)


def trimmed(node: Node, spare: frozenset[Citation]) -> Node:
    """A proof in words without declarations that it doesn't need."""
    dropped = {(citation.text, citation.source) for citation in spare}
    kept = (n for n in node.children if n.children or (n.text, n.source) not in dropped)
    return structs.replace(node, children=tuple(trimmed(n, spare) for n in kept))
