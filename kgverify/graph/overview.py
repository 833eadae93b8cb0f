"""What is in a graph: counts by relation and class, and a sample of facts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kgverify.graph.store import Graph, KeyTriple


@dataclass(frozen=True, slots=True)
class RelationInfo:
    """A relation's facts, counted.  `functionality` is the share of distinct subjects per fact: 1
    when no subject has two objects; `inverse_functionality` the same for objects; 0 when there are
    no facts.  Facts that differ only in their qualifiers count once here."""

    name: str
    facts: int
    denied: int
    subjects: int
    objects: int
    functionality: float
    inverse_functionality: float


@dataclass(frozen=True, slots=True)
class GraphInfo:
    """A graph, counted.  `facts` are those of the best rank, `lesser` those that are outranked, and
    `deprecated` those that were left out.  `classes` are (key, number of its asserted entities),
    largest first."""

    name: str
    hash: str
    entities: int
    terms: int
    facts: int
    denied: int
    lesser: int
    deprecated: int
    relations: tuple[RelationInfo, ...]
    classes: tuple[tuple[str, int], ...]


def info(graph: Graph) -> GraphInfo:
    """Counts the relations and classes of a graph."""
    return GraphInfo(
        graph.name,
        graph.hash,
        graph.entities(),
        graph.n_terms,
        len(graph.facts),
        len(graph.denied),
        len(graph.lesser),
        graph.columns.deprecated,
        tuple(_relation_info(graph, relation) for relation in range(len(graph.relations))),
        _classes(graph),
    )


def sample(graph: Graph, n: int = 10) -> list[KeyTriple]:
    """Up to n facts, spread evenly over the relations and within each; always the same ones."""
    found: list[KeyTriple] = []
    for relation, take in enumerate(_shares(graph, n)):
        pairs = graph.facts.all(relation)
        places = np.arange(take) * len(pairs.rows) // max(take, 1)
        subjects = graph.keys(pairs.subjects[places])
        objects = graph.keys(pairs.objects[places])
        name = graph.relations[relation]
        found += [(s, name, o) for s, o in zip(subjects, objects, strict=True)]
    return found


def _shares(graph: Graph, n: int) -> list[int]:
    """How many of n facts to take from each relation: one from each in turn, while it has more."""
    counts = np.array([graph.facts.count(r) for r in range(len(graph.relations))], np.int64)
    n = min(n, int(counts.sum()))
    rounds = 0
    while int(np.minimum(counts, rounds + 1).sum()) <= n and rounds < n:
        rounds += 1
    shares = np.minimum(counts, rounds)
    rest = n - int(shares.sum())  # less than the relations that have more: spread over these
    more = np.flatnonzero(counts > rounds)
    shares[more[np.arange(rest) * len(more) // max(rest, 1)]] += 1
    return [int(share) for share in shares]


def _relation_info(graph: Graph, relation: int) -> RelationInfo:
    pairs = graph.facts.all(relation)
    facts = len(np.unique(pairs.subjects.astype(np.int64) << 32 | pairs.objects))
    subjects, objects = len(np.unique(pairs.subjects)), len(np.unique(pairs.objects))
    return RelationInfo(
        graph.relations[relation],
        graph.facts.count(relation),
        graph.denied.count(relation),
        subjects,
        objects,
        subjects / facts if facts else 0.0,
        objects / facts if facts else 0.0,
    )


def _classes(graph: Graph) -> tuple[tuple[str, int], ...]:
    pairs = graph.facts.all(graph.type_relation)
    distinct = np.unique(np.stack([pairs.objects, pairs.subjects]), axis=1)
    ids, counts = np.unique(distinct[0], return_counts=True)
    named = zip(graph.keys(ids), counts.tolist(), strict=True)
    return tuple(sorted(named, key=lambda item: (-item[1], item[0])))
