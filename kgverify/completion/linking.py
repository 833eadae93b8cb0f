"""From names of objects, as somebody generated them, to entities; what is none stays text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.fitting import Fitting
from kgverify.completion.targeting import subject_of
from kgverify.errors import printable
from kgverify.graph.near_names import near_entities, near_name
from kgverify.reasoning.knowledge import Knowledge

_SHOWN = 80  # characters of a name that a message shows

Why = Literal["unknown", "class", "several", "subject", "stated"]


class Unlinked(msgspec.Struct, frozen=True):
    """A name that stands for no object of the missing edge.

    `unknown`: no entity has it; `class`: what has it is not stated to be of the class that the
    relation leads to; `several` of that class have it; it is the `subject` itself; the edge is
    `stated` already."""

    text: str
    why: Why
    message: str


class Linker:
    """Finds the entity of the right class with an id, a label or an alias: as it is written, or
    else but for compatibility forms, case and spacing."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge, self._fitting = knowledge, Fitting(knowledge)
        self._found: dict[tuple[str, str], int | Unlinked] = {}

    def link(
        self, missing: Breakpoint, names: Iterable[str]
    ) -> tuple[tuple[int, ...], tuple[Unlinked, ...]]:
        """The objects that these names stand for, each once and in their order, and the other
        names."""
        subject = self._knowledge.identity.one(subject_of(self._knowledge.graph, missing))
        stated = self._fitting.stated(subject, missing.relation)
        linked: dict[int, None] = {}
        left: list[Unlinked] = []
        for name in dict.fromkeys(names):
            found = self.entity(name, missing.relation)
            if isinstance(found, Unlinked):
                left.append(found)
            elif found == subject:
                left.append(_unlinked(name, "subject", "is the subject itself"))
            elif found in stated:
                left.append(_unlinked(name, "stated", "is an object in the graph already"))
            else:
                linked[found] = None
        return tuple(linked), tuple(left)

    def id(self, entity: int) -> str:
        """The id of an entity in the graph."""
        return self._knowledge.key(entity)[1:]

    def entity(self, name: str, relation: str) -> int | Unlinked:
        """The representative of what a name stands for, as an object of this relation."""
        if (name, relation) not in self._found:
            self._found[name, relation] = self._entity(name, relation)
        return self._found[name, relation]

    def _entity(self, name: str, relation: str) -> int | Unlinked:
        graph, book = self._knowledge.graph, self._knowledge.book
        text = " ".join(name.split())
        iri = book.expand(text) if ":" in text else None
        ids = graph.find(["e" + key for key in (iri, text) if key]).tolist()
        named = False
        for known in ([id_ for id_ in ids if id_ >= 0][:1], graph.by_label(text) if text else ()):
            of_name = {self._knowledge.identity.one(id_) for id_ in known}
            fitting = sorted(e for e in of_name if self._fitting.is_of_class(e, relation))
            named = named or bool(of_name)
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                shown = ", ".join(f"`{self.id(entity)}`" for entity in fitting[:5])
                return _unlinked(name, "several", f"is the name of {shown}")
        wanted = book.relations[relation].range.text
        if named:
            return _unlinked(name, "class", f"is not stated to be a {wanted}")
        near = near_entities(graph, [text[:_SHOWN]])[0] or near_name(graph, text[:_SHOWN])
        hint = "" if near is None else f"; did you mean `{near}`?"
        return _unlinked(name, "unknown", f"is no entity of the graph{hint}")


def _unlinked(name: str, why: Why, what: str) -> Unlinked:
    shown = name if len(name) <= _SHOWN else name[: _SHOWN - 1] + "…"
    return Unlinked(name, why, f"`{printable(shown)}` {what}")
