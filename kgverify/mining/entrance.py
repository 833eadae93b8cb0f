"""Mining a graph in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kgverify.graph import Graph
from kgverify.mining.engines import Engine, counter, require
from kgverify.mining.miner import Mined, mine
from kgverify.mining.relations import Relations
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
    by Ctrl-C or by `progress`, ends the search and keeps what was found."""
    search = search or Search()
    if search.constants:
        require("scipy")
    facts = Relations.of(graph, relations)
    wanted = None if heads is None else Relations.named(graph, heads)
    return mine(
        counter(facts, engine),
        search,
        heads=wanted,
        threads=threads,
        progress=progress,
    )
