"""The questions of a setting: by template from the complete graph, sampled by seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from kgverify.completion.breakpoints import Edge
from kgverify.experiments.tgcomplete.records import PathQuestion
from kgverify.experiments.tgcomplete.worlds import Paths, World


def questions(world: World) -> list[PathQuestion]:
    """Every question that the complete graph answers, template by template, topics in order."""
    complete = Paths(world.all_edges, world.symmetric)
    found = []
    for number, template in enumerate(world.templates):
        topics = world.book.relations[template.path[0]].domain.text
        for topic in sorted(t for t, kind in world.kinds.items() if kind == topics):
            answers = complete.ends(topic, template.path)
            if answers:
                text = template.text.format(world.names[topic][0])
                id_ = f"{number}/{topic}"
                found.append(PathQuestion(id_, text, topic, template.path, frozenset(answers)))
    return found


def sample(found: Sequence[PathQuestion], most: int, seed: int) -> list[PathQuestion]:
    """At most so many questions, as many of each length of path as of every other as far as there
    are any, in their order."""
    by_hops: dict[int, list[PathQuestion]] = {}
    for question in found:
        by_hops.setdefault(len(question.path), []).append(question)
    chosen: set[str] = set()
    for left, hops in zip(
        range(len(by_hops), 0, -1), sorted(by_hops, key=lambda h: (len(by_hops[h]), h)), strict=True
    ):
        share = (most - len(chosen)) // left
        order = list(by_hops[hops])
        random.Random(f"{seed} {hops}").shuffle(order)
        chosen.update(question.id for question in order[:share])
    return [question for question in found if question.id in chosen]


def needed(question: PathQuestion, paths: Paths) -> frozenset[Edge]:
    """The edges of a graph that a question's path goes along from its topic, also where it then
    comes to nothing; a symmetric edge in the direction in which it is gone along."""
    return frozenset(_needed(question, paths))


def _needed(question: PathQuestion, paths: Paths) -> Iterator[Edge]:
    reached = {question.topic}
    for relation in question.path:
        further: set[str] = set()
        for subject in reached:
            for object_ in paths.objects(subject, relation):
                yield Edge(subject, relation, object_)
                further.add(object_)
        reached = further
