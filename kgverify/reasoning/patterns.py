"""Decides each distinct pattern of evidence once.

By law 6 two candidates of a question about whose constraints the evidence says the same have the
same statuses, verdict and support.  Thousands of candidates share a handful of patterns: what the
evidence says is looked up for all of them in arrays (as encodings/questions.lp defines it), the
distinct patterns are decided by the solver, and the decisions are handed back to every candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kgverify.reasoning.gathering import Slice
from kgverify.reasoning.knowledge import TYPE, Knowledge
from kgverify.reasoning.layers import Ids
from kgverify.reasoning.program import CompiledConstraint

# What the first solver run shows: the evidence about the atoms that the questions ask about.
SHOW_WANTED = """
#show for(R,S,O)     : want(R,S,O), for(R,S,O).
#show against(R,S,O) : want(R,S,O), against(R,S,O).
#show is_a(E,C)      : want_a(E,C), is_a(E,C).
#show isnt_a(E,C)    : want_a(E,C), isnt_a(E,C).
#show maybe(R,S,O)   : want(R,S,O), maybe(R,S,O).
#show maybe_a(E,C)   : want_a(E,C), maybe_a(E,C).
#show different/2.
"""
PRO, CON, ASSERTED, ASSUMED, LIKELY, UNLIKELY = (1 << bit for bit in range(6))
# The predicates that the bits stand for.
BITS = {
    **{PRO: "pro", CON: "con", ASSERTED: "asserted", ASSUMED: "assumed"},
    **{LIKELY: "likely", UNLIKELY: "unlikely"},
}


class EvidenceColumns:
    """Evidence about wanted atoms and what is stated outright, for look-ups by whole columns."""

    def __init__(self, shown: Iterable[str], slice_: Slice, knowledge: Knowledge) -> None:
        found: dict[tuple[str, str], list[str]] = {}
        for text in shown:
            predicate, _, rest = text[:-1].partition("(")
            if predicate in ("is_a", "isnt_a", "maybe_a"):
                term, _, name = rest.partition(",")
                found.setdefault((predicate, name.strip('"')), []).append(f"{term},0")
            elif predicate == "different":
                found.setdefault((predicate, ""), []).append(rest)
            else:
                name, _, terms = rest.partition(",")
                found.setdefault((predicate, name.strip('"')), []).append(terms)
        self._known: dict[tuple[str, str], Ids] = {
            key: _packed(texts) for key, texts in found.items()
        }
        self._state(slice_.triples, "stated for", "stated is_a", knowledge)
        self._state(slice_.denied, "stated against", "stated isnt_a", knowledge)

    def _state(
        self, side: dict[str, tuple[Ids, Ids]], relation: str, member: str, knowledge: Knowledge
    ) -> None:
        """Index what is stated outright, under the predicates `relation` and `member`."""
        for name, (subjects, objects) in side.items():
            if name == TYPE:
                for cls, id_ in knowledge.class_ids.items():
                    self._known[member, cls] = np.sort(subjects[objects == id_]) << 32
            else:
                self._known[relation, name] = np.sort(subjects << 32 | objects)

    def holds(self, predicate: str, name: str, columns: Sequence[Ids]) -> NDArray[np.bool_]:
        """For which rows there is this evidence.  `columns`: one or two, n ids each; bool[n]"""
        known = self._known.get((predicate, name))
        packed = columns[0] << 32 | (columns[1] if len(columns) > 1 else 0)
        if known is None or not len(known):
            return np.zeros(len(packed), np.bool_)
        places = np.minimum(np.searchsorted(known, packed), len(known) - 1)
        found: NDArray[np.bool_] = known[places] == packed
        return found

    def codes(self, constraint: CompiledConstraint, columns: Sequence[Ids]) -> NDArray[np.int64]:
        """What the evidence says of a constraint, row by row, as bits.  int64[n]"""
        pairs = {"relation": ("for", "against"), "class": ("is_a", "isnt_a")}
        if constraint.kind == "same":
            yes, no = columns[0] == columns[1], self.holds("different", "", columns)
            stated = np.ones(len(yes), np.bool_)
        else:
            sides = pairs[constraint.kind]
            yes, no = (self.holds(side, constraint.name, columns) for side in sides)
            one, other = (
                self.holds("stated " + s, constraint.stated or constraint.name, columns)
                for s in sides
            )
            stated = one | other
        assumed = np.zeros(len(yes), np.bool_)
        if constraint.closed:
            held_back = "maybe_a" if constraint.kind == "class" else "maybe"
            assumed = ~yes & ~no & ~self.holds(held_back, constraint.name, columns)
            no = no | assumed
        pro, con = (no, yes) if constraint.denies else (yes, no)
        codes: NDArray[np.int64] = pro * PRO + con * CON + stated * ASSERTED + assumed * ASSUMED
        return codes


def _packed(texts: list[str]) -> Ids:
    values = np.array(",".join(texts).split(","), np.int64).reshape(-1, 2)
    packed: Ids = values[:, 0] << 32 | values[:, 1]
    packed.sort()
    return packed


@dataclass(frozen=True, slots=True)
class Patterns:
    """The distinct patterns among n candidates: `rows` int64[k, c], a code for each constraint;
    `of` int64[n] says which row each candidate has."""

    rows: NDArray[np.int64]
    of: NDArray[np.int64]


def distinct(codes: NDArray[np.int64]) -> Patterns:
    """The distinct rows of codes int64[n, c]."""
    rows, of = np.unique(codes, axis=0, return_inverse=True)
    return Patterns(rows, of.reshape(-1))


def pattern_text(number: int, rows: NDArray[np.int64], kinds: Mapping[int, str]) -> str:
    """The patterns as candidates of a question: `kinds` names the predicate of each bit."""
    parts = [f"candidate({number},0..{len(rows) - 1})."]
    for bit, predicate in kinds.items():
        for row, constraint in np.argwhere(rows & bit).tolist():
            parts.append(f"{predicate}({number},{constraint},{row}).")
    return "".join(parts)
