"""Entities that a text names: by id, label or alias, exactly or nearly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from rapidfuzz import fuzz, process

from kgverify.asking.reading import Name
from kgverify.errors import Problem, QuestionError, Span
from kgverify.graph import Graph
from kgverify.graph.columns import fold
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.knowledge import Knowledge

NEAR = 86.0  # the least likeness, of 100, of a name that is taken for a misspelt one
_MOST = 10  # entities that one name may mean


@dataclass(frozen=True, slots=True)
class Link:
    """An entity that some words may name.  `how` is `id`, `label`, `folded` or `fuzzy`; `score` is
    1 for the first two.  `name` is the label or id that the words are like."""

    entity: int
    name: str
    how: str
    score: float


class Linker:
    """Finds the entities of a graph that a text names."""

    def __init__(self, graph: Graph, book: RuleBook, knowledge: Knowledge) -> None:
        self._graph, self._book, self._knowledge = graph, book, knowledge
        self._classes: dict[int, frozenset[str]] = {}

    def exact(self, text: str) -> tuple[Link, ...]:
        """The entities with this id, label or alias, up to case and spacing."""
        curie = self._book.expand(text) if ":" in text else None
        keys = ["e" + text] if curie is None else ["e" + curie, "e" + text]
        for found in self._graph.find(keys).tolist():
            if found >= 0 and found not in self._class_ids:
                return (Link(found, text, "id", 1.0),)
        labelled = self._representatives(self._graph.by_label(text))
        if not labelled:
            return tuple(
                Link(found, self.name(found), "folded", 0.98)
                for found in self._by_id.get(fold(text), ())[:_MOST]
            )
        links = []
        for found in labelled:
            names = (self._graph.label(found), *self._graph.aliases(found))
            is_same = text in names
            links.append(
                Link(found, self.name(found), *(("label", 1.0) if is_same else ("folded", 0.98)))
            )
        return tuple(links[:_MOST])

    def near(self, text: str) -> tuple[Link, ...]:
        """The entities whose names are most like a text, where none has just this name."""
        names, owners = self._all_names
        found = process.extract(
            fold(text), names, scorer=fuzz.ratio, score_cutoff=NEAR, limit=_MOST
        )
        if not found:
            return ()
        best = found[0][1]
        links: dict[int, Link] = {}
        for _, likeness, place in found:
            if likeness >= best - 1:
                for entity in self._representatives(owners[place]):
                    links.setdefault(
                        entity, Link(entity, self.name(entity), "fuzzy", 0.9 * likeness / 100)
                    )
        return tuple(links.values())[:_MOST]

    def suggestions(self, text: str) -> list[str]:
        """Names that a text may have meant, the likeliest first; for messages."""
        names, owners = self._all_names
        found = process.extract(fold(text), names, scorer=fuzz.ratio, score_cutoff=65, limit=3)
        return list(dict.fromkeys(self.name(owners[place][0]) for _, _, place in found))

    def name(self, entity: int) -> str:
        """The label of an entity, its id where it has none."""
        return self._knowledge.label(entity) or self._knowledge.name(entity)

    def ambiguous(self, text: str, links: Sequence[Link], span: Span | None) -> QuestionError:
        """The error that a name means several entities."""
        shown = ", ".join(f"`{self.id(link)}`" + _kind(self.classes(link.entity)) for link in links)
        return QuestionError(
            Problem(
                "ambiguous-entity",
                f"`{text}` may be {len(links)} entities: {shown}",
                span,
                "write the id of the one that is meant, in [brackets]",
            )
        )

    def named(self, text: str, place: tuple[int, int], link: Link) -> Name:
        """How a place of a text names an entity, for a reading."""
        said = text[place[0] : place[1]]
        return Name(said, place, self.id(link), link.name, link.how, round(link.score, 4))

    def id(self, link: Link) -> str:
        """The id of an entity."""
        return self._knowledge.name(link.entity)

    def classes(self, entity: int) -> frozenset[str]:
        """The rule file's classes of an entity: those that the graph states, or those that the
        signatures of its relations give it."""
        if entity not in self._classes:
            stated = self._knowledge.stated_classes(entity)
            self._classes[entity] = stated or self._by_signature(entity)
        return self._classes[entity]

    def _by_signature(self, entity: int) -> frozenset[str]:
        found: set[str] = set()
        facts, one = self._graph.facts, np.array([entity])
        for name, relation in self._book.relations.items():
            id_ = self._graph.relation_id(self._book.kg_name(name))
            if id_ < 0:
                continue
            for cls, pairs in (
                (relation.domain.text, facts.out_degrees(id_, one)),
                (relation.range.text, facts.in_degrees(id_, one)),
            ):
                if cls not in DATATYPES and pairs[0]:
                    found |= self._book.superclasses[cls]
        return frozenset(found)

    def _representatives(self, entities: Iterable[int]) -> list[int]:
        """The entities, those that are the same once, without the rule file's classes."""
        ones = dict.fromkeys(map(self._knowledge.identity.one, entities))
        known = (one for one in ones if not self._knowledge.is_stranger(one))
        return [one for one in known if one not in self._class_ids]

    @cached_property
    def _class_ids(self) -> frozenset[int]:
        names = ["e" + self._book.kg_name(name) for name in self._book.classes]
        return frozenset(id_ for id_ in self._graph.find(names).tolist() if id_ >= 0)

    @cached_property
    def _unlabelled(self) -> list[tuple[int, str]]:
        """The ids of entities without a label, which are then their names."""
        ids = np.arange(self._graph.blank_nodes(), self._graph.entities())
        labels = self._graph.labels(ids)
        bare = ids[[not label for label in labels]]
        keys = zip(bare.tolist(), self._graph.keys(bare), strict=True)
        return [(id_, key[1:]) for id_, key in keys if id_ not in self._class_ids]

    @cached_property
    def _by_id(self) -> Mapping[str, Sequence[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for id_, text in self._unlabelled:
            found[fold(text)].append(id_)
        return found

    @cached_property
    def _all_names(self) -> tuple[list[str], list[list[int]]]:
        """Every name, folded, and the entities that have it."""
        owners: defaultdict[str, list[int]] = defaultdict(list)
        for id_, text in self._graph.names():
            owners[fold(text)].append(id_)
        for id_, text in self._unlabelled:
            owners[fold(text)].append(id_)
        return list(owners), list(owners.values())


def _kind(classes: frozenset[str]) -> str:
    return f" ({', '.join(sorted(classes))})" if classes else ""
