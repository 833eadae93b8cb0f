"""Knowledge bases: of titled texts alone, and of a graph whose entities texts mention.

The way from texts to a graph needs no model: what titles name is looked for in all texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.gazetteer import Gazetteer
from kgverify.evidence.passages import Mention
from kgverify.evidence.synergy.knowledge_base import NOWHERE, KnowledgeBase, Link, table
from kgverify.evidence.synergy.naming import (
    NamedEntity,
    capitalised_entities,
    titled_entities,
)
from kgverify.graph import Graph
from kgverify.graph.terms import display

MENTIONS = "mentions"
Named = Callable[[str], list[int]]  # the entities that a text names, in its order


def titled_knowledge_base(corpus: Corpus, capitalised: bool = False) -> tuple[KnowledgeBase, Named]:
    """The knowledge base of a corpus with titles, and what finds its entities in a text.

    `capitalised`: other names that stand in several passages are entities too."""
    entities = titled_entities(corpus)
    if capitalised:
        entities += capitalised_entities(corpus, entities)
    names = ((number, name) for number, e in enumerate(entities) for name in e.names)
    gazetteer = Gazetteer(names, n_entities=len(entities))
    texts = (corpus.texts[number] for number in range(len(corpus)))
    return of_titled_text(corpus, entities, gazetteer.mentions_in(texts)), named_by(gazetteer)


def named_by(gazetteer: Gazetteer) -> Named:
    """Finds entities by a gazetteer that numbers them as the knowledge base does."""
    return lambda text: [entity for _, entities in gazetteer.mentions(text) for entity in entities]


def of_titled_text(
    corpus: Corpus, entities: Sequence[NamedEntity], mentions: Iterable[Mention]
) -> KnowledgeBase:
    """The graph of what articles mention: a passage with the title A that mentions B links A with
    B.  `mentions` number the entities as they stand in `entities`.  A passage without a title
    links nothing."""
    pairs = sorted({(mention.passage, mention.entity) for mention in mentions})
    about = [(number, p) for number, entity in enumerate(entities) for p in entity.about]
    titled: dict[int, list[int]] = {}
    for entity, passage in about:
        titled.setdefault(passage, []).append(entity)
    links = (
        Link(subject, MENTIONS, object, passage)
        for passage, object in pairs
        for subject in titled.get(passage, ())
    )
    return KnowledgeBase.of(corpus, [e.names[0] for e in entities], links, pairs, about)


def graph_knowledge_base(
    graph: Graph,
    corpus: Corpus,
    mentions: Iterable[Mention],
    about: Iterable[tuple[int, int]] = (),
) -> KnowledgeBase:
    """The facts of a graph between its entities, which keep their numbers, with the passages that
    mention them.  `about` are pairs of an entity and a passage that describes it.

    Classes would connect everything with everything, so what says which class an entity or a
    class belongs to is left out.  A fact is stated by no passage: that some passage mentions both
    of its ends does not say so."""
    most = graph.entities()
    left_out = {graph.type_relation, graph.subclass_relation}
    rows = [np.zeros((0, 4), np.int32)]
    for relation in range(len(graph.relations)):
        if relation in left_out:
            continue
        subjects, objects, _ = graph.facts.all(relation)
        of_entities = objects < most
        ends = np.column_stack((subjects, objects))[of_entities]
        row = np.full((len(ends), 4), (0, relation, 0, NOWHERE), np.int32)
        row[:, [0, 2]] = ends
        rows.append(row)
    ids = np.arange(most)
    labels, keys = graph.labels(ids), graph.keys(ids)
    names = [label or display(key) for label, key in zip(labels, keys, strict=True)]
    pairs = table(((m.passage, m.entity) for m in mentions), 2)
    return KnowledgeBase.of_rows(
        corpus, names, graph.relations, np.concatenate(rows), pairs, table(about, 2)
    )
