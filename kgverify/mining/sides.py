"""On which side of a rule's head the graph is assumed to be complete where it knows something."""

from __future__ import annotations

from typing import Literal

from kgverify.mining.horn import Atom, Side

Pca = Literal["functional", "subject", "object"]


def functional_side(head: Atom, n_subjects: int, n_objects: int) -> Side:
    """AMIE's choice: the side of the head's variable where the other term is a constant; else the
    subject's, unless the relation is nearer to one subject an object than to one object a subject.

    The numbers are those of the relation's distinct subjects and objects."""
    variable_subject, variable_object = (isinstance(term, int) for term in head.terms)
    if variable_subject != variable_object:
        return "subject" if variable_subject else "object"
    return "subject" if n_subjects >= n_objects else "object"


def pca_side(pca: Pca, head: Atom, n_subjects: int, n_objects: int) -> Side:
    """The side that is wanted."""
    return functional_side(head, n_subjects, n_objects) if pca == "functional" else pca
