"""The search for rules: heads one by one, bodies from short to long.

This is AMIE's search (Algorithm 2 of "What Breaks Knowledge Graph based RAG?") for bodies of up to
three atoms.  Its levels are counted all at once (`counting.py`), which finds the same rules as a
queue of refinements: support only falls when an atom is added, so a rule that is frequent enough
has only frequent parts.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kgverify.errors import Problem
from kgverify.mining.bodies import EDGE, Body, parents, rule
from kgverify.mining.constants import Constants, constant_rules
from kgverify.mining.counting import Counter, Halt
from kgverify.mining.horn import Atom, Measures, MinedRule
from kgverify.mining.relations import Relations
from kgverify.mining.search import Part, Scope, Search, adds_something, at_most
from kgverify.mining.sides import pca_side


@dataclass(frozen=True, slots=True)
class Mined:
    """What was found, the heads in the order of their names, and each head's rules by falling PCA
    confidence; `heads` are those that were done.  `stopped`: the search was ended before all were.
    `scope`: the rules that were looked for.  `warnings` say why there can be none."""

    rules: tuple[MinedRule, ...]
    heads: tuple[str, ...]
    stopped: bool
    scope: Scope
    warnings: tuple[Problem, ...] = ()


def mine(
    counter: Counter,
    search: Search,
    *,
    heads: list[str] | None = None,
    within: frozenset[str] | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Mined:
    """The rules for these heads (all relations if not given).  `within` are the relations that the
    counter was restricted to.

    An interruption (Ctrl-C) ends the search and keeps the rules of the heads that were done, which
    are all that these heads have: no head's rules depend on another's."""
    relations = counter.relations
    wanted = _heads(relations, search, heads)
    found: dict[int, list[MinedRule]] = {}
    constants = Constants(relations) if search.constants else None
    halt = np.zeros(1, np.bool_)
    stopped = False
    # The head with the most work first, so that no thread is left alone with it at the end.
    order = sorted(wanted, key=lambda h: (-relations.size(2 * h), h))
    with ThreadPoolExecutor(max(1, threads)) as pool:
        open_: dict[Future[list[MinedRule] | None], int] = {
            pool.submit(_unless(halt, counter, constants, search, head)): head for head in order
        }
        try:
            while open_:
                done, _ = wait(open_, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    head, rules = open_.pop(future), future.result()
                    if rules is not None:
                        found[head] = rules
                if progress is not None:
                    progress(len(found), len(order))
        except KeyboardInterrupt:
            stopped = True
        finally:
            halt[0] = True  # for heads that are under way when the search ends before them
    ordered = sorted(found, key=lambda h: relations.names[h])
    names = tuple(relations.names[head] for head in ordered)
    limited = frozenset(names) if stopped else None if heads is None else frozenset(heads)
    scope = Scope(limited, within, search.length, search.constants)
    return Mined(tuple(r for head in ordered for r in found[head]), names, stopped, scope)


def _heads(relations: Relations, search: Search, names: list[str] | None) -> list[int]:
    return [
        number
        for number, name in enumerate(relations.names)
        if relations.size(2 * number) >= search.min_head_size and (names is None or name in names)
    ]


def _unless(
    halt: Halt, counter: Counter, constants: Constants | None, search: Search, head: int
) -> Callable[[], list[MinedRule] | None]:
    """The work on one head: its rules, None if the search ended meanwhile."""

    def work() -> list[MinedRule] | None:
        rules = [] if halt[0] else _rules(counter, constants, search, head, halt)
        return None if halt[0] else rules

    return work


def _rules(
    counter: Counter, constants: Constants | None, search: Search, head: int, halt: Halt
) -> list[MinedRule]:
    """The rules of one head that are wanted, best first."""
    relations = counter.relations
    size = relations.size(2 * head)
    least = search.least(size)
    found = counter.candidates(head, least, search.length - 1, halt)
    support = found.support
    own = Atom(relations.names[head], 0, 1)
    side = pca_side(search.pca, own, *relations.ends(head))
    bodies = found.bodies if side == "subject" else found.bodies.backwards
    most_body, most_pca = (
        at_most(support, share) for share in (search.min_confidence, search.min_pca)
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
    rules = [MinedRule(rule(relations.names, head, body), measured[body]) for body in kept]
    if constants is not None:
        edges = {}
        for body, s, p in zip(
            found.bodies.tuples(), support.tolist(), pca_sizes.tolist(), strict=True
        ):
            if body[0] == EDGE:
                edges[body[1]] = Part(s, p, body in kept)
        rules.extend(constant_rules(constants, head, edges, side, search, halt))
    return sorted(rules, key=_rank)


def _chosen(measured: dict[Body, Measures], search: Search) -> set[Body]:
    """The bodies whose rules are put out, decided from short ones to long ones.

    Those with an unknown body size (-1) have too little confidence, but may be perfect."""
    kept: set[Body] = set()
    for body in sorted(measured, key=lambda b: sum(part >= 0 for part in b)):
        measures = measured[body]
        if measures.body_size < 0:
            continue
        parts = [
            Part(measured[part].support, measured[part].pca_body_size, part in kept)
            for part in parents(body)
            if part in measured
        ]
        if adds_something(measures.support, measures.pca_body_size, parts, search):
            kept.add(body)
    return kept


def _rank(mined: MinedRule) -> tuple[Fraction, int, int, str]:
    measures = mined.measures
    return -measures.pca_confidence, -measures.support, len(mined.rule), repr(mined.rule)
