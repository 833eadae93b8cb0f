"""The search for rules: heads one by one, bodies from short to long.

This is AMIE's search (Algorithm 2 of "What Breaks Knowledge Graph based RAG?") for bodies of up to
three atoms.  Its levels are counted all at once (`counting.py`), which finds the same rules as a
queue of refinements: support only falls when an atom is added, so a rule that is frequent enough
has only frequent parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import numpy as np

from kgverify.mining.bodies import Body, parents, rule
from kgverify.mining.counting import UNLIMITED, Counter, Halt
from kgverify.mining.horn import Measures, MinedRule, Side
from kgverify.mining.relations import Longs, Relations

Pca = Literal["functional", "subject", "object"]


@dataclass(frozen=True, slots=True)
class Search:
    """Which rules are wanted.  Thresholds are inclusive, as AMIE's are.

    `length` counts the head.  `pca`: whose facts are assumed complete where one is known: the
    head's subject (the paper's definition), its object, or whichever side is more functional
    (AMIE's).  `improving`: a rule is kept only if its PCA confidence is higher than that of every
    kept rule with the same head and a part of its body.  `refine_perfect`: also extend rules that
    no PCA counterexample speaks against.
    """

    length: int = 3
    min_support: int = 2
    min_head_size: int = 1
    min_head_coverage: Fraction = Fraction(1, 10)
    min_confidence: Fraction = Fraction(3, 10)
    min_pca: Fraction = Fraction(2, 5)
    pca: Pca = "functional"
    improving: bool = True
    refine_perfect: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.length <= 4:
            raise ValueError("rules have two to four atoms, the head counted")
        if self.min_support < 1 or self.min_head_size < 1:
            raise ValueError("a rule has a support of at least 1")
        for share in (self.min_head_coverage, self.min_confidence, self.min_pca):
            if not 0 <= share <= 1:
                raise ValueError("a threshold is between 0 and 1")


@dataclass
class Mined:
    """What was found, the heads in the order of their names, and each head's rules by falling PCA
    confidence.  `stopped`: the search was ended before all heads were done."""

    rules: list[MinedRule] = field(default_factory=list)
    heads: int = 0
    stopped: bool = False


def mine(
    counter: Counter,
    search: Search,
    *,
    heads: list[str] | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Mined:
    """The rules for these heads (all relations if not given).

    An interruption (Ctrl-C) ends the search and keeps the rules of the heads that were done, which
    are all that these heads have: no head's rules depend on another's."""
    relations = counter.relations
    wanted = _heads(relations, search, heads)
    found: dict[int, list[MinedRule]] = {}
    halt = np.zeros(1, np.bool_)
    stopped = False
    # The head with the most work first, so that no thread is left alone with it at the end.
    order = sorted(wanted, key=lambda h: (-relations.size(2 * h), h))
    with ThreadPoolExecutor(max(1, threads)) as pool:
        open_: dict[Future[list[MinedRule] | None], int] = {
            pool.submit(_unless(halt, counter, search, head)): head for head in order
        }
        try:
            while open_:
                done, _ = wait(open_, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    head, rules = open_.pop(future), future.result()
                    if rules is not None:
                        found[head] = rules
                if done and progress is not None:
                    progress(len(found), len(order))
        except KeyboardInterrupt:
            stopped = True
        finally:
            halt[0] = True  # for heads that are under way when the search ends before them
    ordered = sorted(found, key=lambda h: relations.names[h])
    return Mined([r for head in ordered for r in found[head]], len(found), stopped)


def _heads(relations: Relations, search: Search, names: list[str] | None) -> list[int]:
    return [
        number
        for number, name in enumerate(relations.names)
        if relations.size(2 * number) >= search.min_head_size and (names is None or name in names)
    ]


def _unless(
    halt: Halt, counter: Counter, search: Search, head: int
) -> Callable[[], list[MinedRule] | None]:
    """The work on one head: its rules, None if the search ended meanwhile."""

    def work() -> list[MinedRule] | None:
        rules = [] if halt[0] else list(_rules(counter, search, head, halt))
        return None if halt[0] else rules

    return work


def _rules(counter: Counter, search: Search, head: int, halt: Halt) -> Iterator[MinedRule]:
    """The rules of one head that are wanted, best first."""
    relations = counter.relations
    size = relations.size(2 * head)
    least = max(search.min_support, _at_least(search.min_head_coverage, size))
    found = counter.candidates(head, least, search.length - 1, halt)
    support = found.support
    side = pca_side(relations, head, search.pca)
    bodies = found.bodies if side == "subject" else found.bodies.backwards
    most_body, most_pca = (
        _at_most(support, share) for share in (search.min_confidence, search.min_pca)
    )
    oriented = 2 * head if side == "subject" else 2 * head + 1
    sizes, pca_sizes = counter.sizes(oriented, bodies, support, most_body, most_pca, halt)
    known = pca_sizes >= 0
    measured = {
        body: Measures(s, size, b, p, side)
        for body, s, b, p in zip(
            found.bodies[known].tuples(),
            support[known].tolist(),
            sizes[known].tolist(),
            pca_sizes[known].tolist(),
            strict=True,
        )
    }
    kept = _chosen(measured, search)
    for body in sorted(kept, key=lambda b: _rank(measured[b], b)):
        yield MinedRule(rule(relations.names, head, body), measured[body])


def _chosen(measured: dict[Body, Measures], search: Search) -> set[Body]:
    """The bodies whose rules are put out, decided from short ones to long ones.

    Those with an unknown body size (-1) have too little confidence, but may be perfect."""
    kept: set[Body] = set()
    for body in sorted(measured, key=lambda b: sum(part >= 0 for part in b)):
        measures = measured[body]
        if measures.body_size < 0:
            continue
        known = [p for p in parents(body) if p in measured]
        if not search.refine_perfect and any(_perfect(measured[p]) for p in known):
            continue
        if search.improving and any(p in kept and _no_better(measures, measured[p]) for p in known):
            continue
        kept.add(body)
    return kept


def _perfect(measures: Measures) -> bool:
    return measures.support == measures.pca_body_size


def _no_better(rule: Measures, parent: Measures) -> bool:
    """Whether the rule's PCA confidence is at most its parent's, without fractions."""
    return rule.support * parent.pca_body_size <= parent.support * rule.pca_body_size


def _rank(measures: Measures, body: Body) -> tuple[Fraction, int, Body]:
    return -measures.pca_confidence, -measures.support, body


def pca_side(relations: Relations, head: int, pca: Pca) -> Side:
    """The side that the partial completeness assumption is about; functional: the subject if a
    subject has no more objects, on average, than an object has subjects."""
    if pca != "functional":
        return pca
    subjects, objects = relations.n_subjects(2 * head), relations.n_subjects(2 * head + 1)
    return "subject" if subjects >= objects else "object"


def _at_least(share: Fraction, whole: int) -> int:
    """The least number that is this share of the whole."""
    return -((-share.numerator * whole) // share.denominator)


def _at_most(support: Longs, share: Fraction) -> Longs:
    """The largest size of which each support is this share."""
    if not share:
        return np.full(len(support), UNLIMITED, np.int64)
    return np.asarray(support * share.denominator // share.numerator)
