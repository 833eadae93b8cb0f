"""What a setting is made of: a complete graph, texts, and the questions that can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kgverify.completion.breakpoints import Edge
from kgverify.evidence.corpus import Corpus
from kgverify.graph import Graph
from kgverify.graph.building import RDF_TYPE, Builder
from kgverify.graph.terms import entity_key
from kgverify.language.rulebook import RuleBook


@dataclass(frozen=True, slots=True)
class Template:
    """A question with `{}` for its topic, and the path from the topic to the answers."""

    text: str
    path: tuple[str, ...]


@dataclass(frozen=True)
class World:
    """A complete graph with a corpus in one or several readings.

    `edges` are those of the relations that are deleted from, by relation; `kept` those that are
    never deleted.  `kinds` has the class of each entity and `names` its names, the usual one first.
    `corpora` has the same texts, read in different ways; the first is the main one.  `hashes` are
    those of the files that were read, and of the rule file."""

    name: str
    book: RuleBook
    edges: Mapping[str, tuple[Edge, ...]]
    kept: tuple[Edge, ...]
    kinds: Mapping[str, str]
    names: Mapping[str, tuple[str, ...]]
    templates: tuple[Template, ...]
    corpora: Mapping[str, Corpus]
    hashes: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def all_edges(self) -> frozenset[Edge]:
        """The complete graph."""
        return frozenset((*self.kept, *(e for edges in self.edges.values() for e in edges)))

    @cached_property
    def symmetric(self) -> frozenset[str]:
        """The relations that hold in both directions."""
        return frozenset(
            name
            for name, declared in self.book.relations.items()
            if any(item.kind == "symmetric" for item in declared.properties)
        )

    def graph(self, edges: Iterable[Edge]) -> Graph:
        """The graph of these edges, with all entities, their classes and their names."""
        builder = Builder(self.name)
        for entity, kind in self.kinds.items():
            builder.add_fact(entity_key(entity), RDF_TYPE, entity_key(kind))
            usual, *others = self.names[entity]
            builder.add_label(entity_key(entity), usual)
            for name in others:
                builder.add_alias(entity_key(entity), name)
        for edge in edges:
            relation = self.book.kg_name(edge.relation)
            builder.add_fact(entity_key(edge.subject), relation, entity_key(edge.object))
        return Graph(builder.columns())


class Paths:
    """Goes along the edges of a graph, from subject to object; a symmetric relation in both
    directions."""

    def __init__(self, edges: Iterable[Edge], symmetric: Iterable[str]) -> None:
        self._symmetric = frozenset(symmetric)
        self._objects: dict[tuple[str, str], set[str]] = {}
        for edge in edges:
            self.add(edge)

    def add(self, edge: Edge) -> None:
        self._objects.setdefault((edge.subject, edge.relation), set()).add(edge.object)
        if edge.relation in self._symmetric:
            self._objects.setdefault((edge.object, edge.relation), set()).add(edge.subject)

    def objects(self, subject: str, relation: str) -> tuple[str, ...]:
        """The objects of a subject, in the order of their ids."""
        return tuple(sorted(self._objects.get((subject, relation), ())))

    def ends(self, topic: str, path: Sequence[str]) -> tuple[str, ...]:
        """What stands at the end of a path, in the order of ids.  The topic itself is no answer."""
        reached = {topic}
        for relation in path:
            reached = {o for subject in reached for o in self.objects(subject, relation)}
        return tuple(sorted(reached - {topic}))
