"""What the graph itself says to a question of a known type: the most that any reading can get.

A type such as `actor_to_movie_to_director` names the relations to walk from the topic.  Its answers
are not always the gold ones: where the graph lacks a fact that the answers were made from, nothing
that reads the question rightly can find them.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from kgverify.graph import Graph
from kgverify.graph.terms import display, entity_key

# The kinds of things that types name, and the relation that leads there from a film.
RELATIONS: Mapping[str, str] = MappingProxyType(
    {
        "actor": "starred actors",
        "director": "directed by",
        "writer": "written by",
        "genre": "has genre",
        "language": "in language",
        "tag": "has tags",
        "tags": "has tags",
        "year": "release year",
    }
)
_FILM = "movie"


def walked(graph: Graph, type_: str, topic: str) -> frozenset[str] | None:
    """The names at the end of the walk from the topic; None for a type that names no walk.

    A walk back to where it began does not count the topic itself."""
    kinds = type_.split("_to_")
    if len(kinds) < 2 or not all(kind == _FILM or kind in RELATIONS for kind in kinds):
        return None
    here = graph.find([entity_key(topic)]).astype(np.int64)
    here = here[here >= 0]
    for before, after in pairwise(kinds):
        if (before == _FILM) == (after == _FILM):
            return None
        relation = graph.relation_id(RELATIONS[after if before == _FILM else before])
        if before == _FILM:
            here = np.unique(graph.facts.from_subjects(relation, here).objects)
        else:
            here = np.unique(graph.facts.from_objects(relation, here).subjects)
    found = {display(key) for key in graph.keys(here)}
    return frozenset(found - {topic} if kinds[0] == kinds[-1] else found)
