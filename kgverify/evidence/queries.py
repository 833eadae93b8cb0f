"""Queries for facts: what to search for where a graph lacks an edge, or whether a text states one.

The words come from the rule file, which says what a relation is called, and from the graph, which
says what things are called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kgverify.errors import Problem, QuestionError, did_you_mean
from kgverify.evidence.retrieving import Query
from kgverify.graph import Graph
from kgverify.language.rulebook import DATATYPES, RuleBook

_PLACE = re.compile(r"\{([01])\}")


def edge_query(
    graph: Graph,
    book: RuleBook,
    relation: str,
    subject: int | None = None,
    object: int | str | None = None,
) -> Query:
    """The query for passages that state an edge (s, r, o), of which one end may be unknown.

    An end is a graph's number of an entity, a value as it is written, or None.  Raises
    QuestionError when the rule file has no such relation."""
    ends = [
        () if end is None else (end,) if isinstance(end, str) else names_of(graph, end)
        for end in (subject, object)
    ]
    return worded_query(book, relation, *ends)


def worded_query(
    book: RuleBook, relation: str, subject: Sequence[str] = (), object: Sequence[str] = ()
) -> Query:
    """The query for a relation between things with these names, the usual one of each first; an
    empty list stands for an end that is unknown, whose place in the text stays empty.

    Its text is the relation's sentence, its names are all those of both ends, and its phrases are
    what the rule file calls the relation, relations that say the same, and the class of an end that
    is unknown."""
    if relation not in book.relations:
        hint = did_you_mean(relation, book.relations)
        message = f"the rule file has no relation `{relation}`"
        raise QuestionError(Problem("unknown-relation", message, None, hint))
    declared = book.relations[relation]
    classes = (declared.domain.text, declared.range.text)
    ends = (tuple(subject), tuple(object))
    shown = [names[0] if names else "" for names in ends]
    sentence = declared.sentence or next(
        (phrase for phrase in declared.spoken if _PLACE.search(phrase)),
        "{0} " + (declared.spoken[0] if declared.spoken else _spelled(relation)) + " {1}",
    )
    text = _PLACE.sub(lambda place: shown[int(place[1])], sentence)
    unknown = [cls for names, cls in zip(ends, classes, strict=True) if not names]
    phrases = [
        *_said(book, relation),
        *(word for cls in unknown for word in _class_words(book, cls)),
    ]
    return Query(
        " ".join(text.split()),
        tuple(dict.fromkeys(name for names in ends for name in names)),
        tuple(dict.fromkeys(phrases)),
    )


def named_entity(graph: Graph, book: RuleBook, text: str) -> int:
    """The graph's number of the entity with this id, label or alias.

    Raises QuestionError when there is none, or several."""
    iri = book.expand(text) if ":" in text else None
    keys = ["e" + text] if iri is None else ["e" + iri, "e" + text]
    known = [entity for entity in graph.find(keys).tolist() if entity >= 0]
    found = known[:1] or list(graph.by_label(text))
    if not found:
        hint = did_you_mean(text, [name for _, name in graph.names()])
        message = f"the graph has no entity `{text}`"
        raise QuestionError(Problem("unknown-entity", message, None, hint))
    if len(found) > 1:
        ids = ", ".join(f"`{graph.key(entity)[1:]}`" for entity in found[:5])
        message = f"`{text}` is the name of several entities"
        raise QuestionError(
            Problem("ambiguous-entity", message, None, f"name one by its id: {ids}")
        )
    return int(found[0])


def names_of(graph: Graph, entity: int) -> tuple[str, ...]:
    """The label of an entity and its aliases; its id where it has no label."""
    label = graph.label(entity) or graph.key(entity)[1:]
    return tuple(dict.fromkeys((label, *graph.aliases(entity))))


def _said(book: RuleBook, relation: str) -> Iterator[str]:
    """What the rule file calls a relation, and those that always hold with it; without places."""
    for name in dict.fromkeys((relation, *sorted(name for name, _ in book.says(relation)))):
        if relation in {other for other, _ in book.says(name)}:
            declared = book.relations[name]
            for phrase in (declared.sentence, *declared.phrases, _spelled(name)):
                words = " ".join(_PLACE.sub(" ", phrase).split())
                if words:
                    yield words


def _class_words(book: RuleBook, cls: str) -> tuple[str, ...]:
    """What people call the members of a class; nothing for a datatype."""
    if cls in DATATYPES or cls not in book.classes:
        return ()
    return book.classes[cls].phrases or (_spelled(cls),)


def _spelled(name: str) -> str:
    """A name of the rule file as words: `official_language`, `SideEffect`."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.replace("_", " "))
    return apart.lower()
