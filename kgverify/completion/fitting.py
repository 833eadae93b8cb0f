"""What could be the object of a missing edge, by what the graph states."""

from __future__ import annotations

import numpy as np

from kgverify.reasoning.knowledge import Knowledge


class Fitting:
    """Knows which entities could be the object of a missing edge, by their representatives: things
    that are declared the same are one."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def is_of_class(self, entity: int, relation: str) -> bool:
        """Does the graph state that it is of the class that the relation leads to?

        Never of blank nodes: they have no id, and no edge could say which one is meant."""
        wanted = self._knowledge.book.relations[relation].range.text
        has_id = self._knowledge.key(entity)[:1] == "e"
        return has_id and wanted in self._knowledge.stated_classes(entity)

    def stated(self, subject: int, relation: str) -> set[int]:
        """The objects that the graph has already."""
        one = self._knowledge.identity.one
        subjects = np.array([one(subject)], np.int64)
        _, objects = self._knowledge.facts.from_subjects(relation, subjects)
        return set(map(one, objects.tolist()))
