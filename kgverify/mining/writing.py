"""Mined rules as text: the table that AMIE prints.

A rule is `?f aunt ?b  ?a sister ?f   => ?a aunt ?b`, its tokens two spaces apart as AMIE's are; the
functional variable is -1 for the head's subject and -2 for its object.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from kgverify.mining.horn import Atom, HornRule, MinedRule, Term

FORMATS = ("amie",)

_HEADER = (
    *("Rule", "Head Coverage", "Std Confidence", "PCA Confidence"),
    *("Positive Examples", "Body size", "PCA Body size", "Functional variable"),
)
_VARIABLES = "abefghijklmnopqrstuvwxyz"  # the head's are ?a and ?b, as in AMIE


def write(rules: Iterable[MinedRule], format: str, out: IO[str]) -> None:
    """Write the rules in one of `FORMATS`."""
    if format not in FORMATS:
        raise ValueError(f"{format} is no format; they are {', '.join(FORMATS)}")
    out.write("\t".join(_HEADER) + "\n")
    for mined in rules:
        out.write(_amie_line(mined) + "\n")


def _amie_line(mined: MinedRule) -> str:
    m = mined.measures
    shares = (f"{float(s):.9g}" for s in (m.head_coverage, m.confidence, m.pca_confidence))
    side = "-1" if m.pca_side == "subject" else "-2"
    counts = (str(m.support), str(m.body_size), str(m.pca_body_size), side)
    return "\t".join((_spelled(mined.rule), *shares, *counts))


def _spelled(rule: HornRule) -> str:
    body = "  ".join(map(_atom, rule.body))
    return f"{body}   => {_atom(rule.head)}"


def _atom(atom: Atom) -> str:
    return f"{_term(atom.subject)}  {atom.relation}  {_term(atom.object)}"


def _term(term: Term) -> str:
    return f"?{_VARIABLES[term]}" if isinstance(term, int) else term[1:]
