"""Mining a graph in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kgverify.errors import KgverifyError, Problem
from kgverify.graph import Graph
from kgverify.mining.engines import Engine, counter, require
from kgverify.mining.miner import Mined, mine
from kgverify.mining.relations import CLASSES, Relations
from kgverify.mining.search import Search


def mine_graph(
    graph: Graph,
    search: Search | None = None,
    *,
    relations: Sequence[str] | None = None,
    heads: Sequence[str] | None = None,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Mined:
    """The rules that a graph bears out.

    `relations`: the only ones that rules are about; all but types and subclasses if not given.
    `heads`: the only ones that rules are mined for.  `progress` is called, several times a second,
    with the number of relations that were mined for so far and of all.  A KeyboardInterrupt, raised
    by Ctrl-C or by `progress`, ends the search and keeps what was found.

    Raises KgverifyError for relations that the graph lacks, for heads that rules may not be about,
    and where a package is missing; LimitReached where the tables of a head don't fit into
    memory."""
    search = search or Search()
    if search.constants:
        require("scipy")
    named = Relations.named(graph, [*(relations or ()), *(heads or ())])
    facts = Relations.of(graph, relations)
    _require_within(heads or (), facts)
    found = mine(
        counter(facts, engine),
        search,
        heads=None if heads is None else sorted({*heads}),
        within=None if relations is None else frozenset(relations),
        threads=threads,
        progress=progress,
    )
    return replace(found, warnings=tuple(_warnings(facts, named)))


def _require_within(heads: Sequence[str], relations: Relations) -> None:
    problems = [
        Problem(
            "head-left-out",
            f"rules for `{head}` are wanted, and it is not among the relations that they may name",
            hint="name all of these, and it too: types and subclasses are left out otherwise"
            if head in CLASSES
            else "name it among the relations too",
        )
        for head in dict.fromkeys(heads)
        if head not in relations.names
    ]
    if problems:
        raise KgverifyError(problems)


def _warnings(relations: Relations, named: Sequence[str]) -> Iterator[Problem]:
    """What can have no rules, though it was asked for."""
    hint = "rules are about facts whose object is an entity"
    if not relations.n_facts:
        message = "the graph has no fact between entities that rules could be about"
        yield Problem("nothing-to-mine", message, hint=hint, severity="warning")
        return
    for number, name in enumerate(relations.names):
        if name in named and not relations.size(2 * number):
            message = f"`{name}` has no fact between entities, so there are no rules about it"
            yield Problem("nothing-to-mine", message, hint=hint, severity="warning")
