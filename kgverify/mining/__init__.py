"""Which rules the graph suggests: Horn rules, their measures, and the search for them."""

from __future__ import annotations

from kgverify.mining.entrance import mine_graph
from kgverify.mining.horn import Atom, HornRule, Measures, MinedRule
from kgverify.mining.miner import Mined
from kgverify.mining.search import Scope, Search

__all__ = [
    "Atom",
    "HornRule",
    "Measures",
    "Mined",
    "MinedRule",
    "Scope",
    "Search",
    "mine_graph",
]
