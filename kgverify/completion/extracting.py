"""Candidate objects for a missing edge: what passages name that could be one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from kgverify.completion.fitting import Fitting
from kgverify.evidence.corpus import Corpus
from kgverify.evidence.naming_passages import NamesInPassages
from kgverify.evidence.passages import Extent
from kgverify.reasoning.knowledge import Knowledge


class Place(msgspec.Struct, frozen=True):
    """Where a passage, by its number, names something: in its text, or in its title."""

    passage: int
    extent: Extent
    in_title: bool = False


class NamedObject(msgspec.Struct, frozen=True):
    """An entity, by its id in the graph, that passages name and that could be the object.

    `origins`: so many sources name it, copies of one text being one.  `rank` is the place of the
    first passage that does, from 0, and -1 where none does."""

    id: str
    entity: int
    origins: int
    rank: int
    places: tuple[Place, ...]


class Extractor:
    """Finds candidate objects in passages: entities that the graph states to be of the class that
    the relation leads to.

    Left out are the subject and what the graph states as its object already.  Things that are the
    same count as one, and a name that several entities have stands for each of them."""

    def __init__(self, knowledge: Knowledge, corpus: Corpus) -> None:
        self._knowledge, self._corpus = knowledge, corpus
        self._fitting = Fitting(knowledge)
        self._names = NamesInPassages(corpus, knowledge.graph)

    def extract(self, subject: int, relation: str, passages: Sequence[int]) -> list[NamedObject]:
        """The candidates in these passages, which stand best first.

        Those that most sources name come first; of these, those that a better passage names, then
        those that it names earlier."""
        known = self._fitting.stated(subject, relation) | {self._knowledge.identity.one(subject)}
        found = self._places(
            passages,
            lambda entity: entity not in known and self._fitting.is_of_class(entity, relation),
        )
        return sorted((self._named(entity, found[entity]) for entity in found), key=_order)

    def placed(self, entities: Sequence[int], passages: Sequence[int]) -> list[NamedObject]:
        """These entities, in their order, with where the passages name them."""
        found = self._places(passages, frozenset(entities).__contains__)
        return [self._named(entity, found.get(entity, ())) for entity in entities]

    def _places(
        self, passages: Sequence[int], wanted: Callable[[int], bool]
    ) -> dict[int, list[tuple[int, Place]]]:
        """Where passages name the entities that are wanted, with the passages' ranks."""
        found: dict[int, list[tuple[int, Place]]] = {}
        for rank, passage in enumerate(passages):
            for mentions, in_title in zip(self._names.of(passage), (True, False), strict=True):
                for mention in mentions:
                    entity = self._knowledge.identity.one(mention.entity)
                    if wanted(entity):
                        place = Place(passage, mention.extent, in_title)
                        found.setdefault(entity, []).append((rank, place))
        return found

    def _named(self, entity: int, places: Sequence[tuple[int, Place]]) -> NamedObject:
        origins = {int(self._corpus.origins[place.passage]) for _, place in places}
        distinct = tuple(dict.fromkeys(place for _, place in places))
        id_ = self._knowledge.key(entity)[1:]
        rank = places[0][0] if places else -1
        return NamedObject(id_, entity, len(origins), rank, distinct)


def _order(one: NamedObject) -> tuple[int, int, bool, Extent, str]:
    first = one.places[0]
    return -one.origins, one.rank, not first.in_title, first.extent, one.id
