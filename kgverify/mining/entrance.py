"""Mining a graph in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kgverify.errors import KgverifyError, Problem
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
    Relations.named(graph, [*(relations or ()), *(heads or ())])
    if relations is not None and heads is not None:
        _require_within(heads, relations)
    return mine(
        counter(Relations.of(graph, relations), engine),
        search,
        heads=None if heads is None else sorted({*heads}),
        within=None if relations is None else frozenset(relations),
        threads=threads,
        progress=progress,
    )


def _require_within(heads: Sequence[str], relations: Sequence[str]) -> None:
    problems = [
        Problem(
            "head-left-out",
            f"rules for `{head}` are wanted, and it is not among the relations that they may name",
            hint="name it among the relations too",
        )
        for head in dict.fromkeys(heads)
        if head not in relations
    ]
    if problems:
        raise KgverifyError(problems)
