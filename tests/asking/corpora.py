"""Corpora to ask about: the shipped ones, and small ones written in a test."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from kgverify import (
    Asker,
    Graph,
    QuestionError,
    Reading,
    RuleBook,
    load_rules,
    open_graph,
    resources,
)
from kgverify.graph import Options
from kgverify.graph.building import Builder
from kgverify.language.checks import load_rules_text


@dataclass(frozen=True)
class Corpus:
    """A graph with its rule file, and who reads questions about it."""

    graph: Graph
    book: RuleBook
    asker: Asker

    def read(self, text: str) -> Reading:
        return self.asker.read(text)

    def constraints(self, text: str) -> list[str]:
        """The answer class and the constraints of a question, with the entities in place of the
        parameters; of a template its name and arguments."""
        reading = self.read(text)
        if reading.source == "template":
            given = ", ".join(map(str, reading.arguments.values()))
            return [f"{reading.name}({given})"]
        found = []
        for part in reading.parts:
            said = part.text
            for name, entity in reading.arguments.items():
                said = re.sub(rf"(?<=[ (]){name}(?=[),]|$)", f"<{entity}>", said)
            found.append(said if part.demand == "answer" else f"{part.demand} {said}")
        return found

    def codes(self, text: str) -> list[str]:
        """The codes of the problems with a question; none when it is read."""
        try:
            self.read(text)
        except QuestionError as error:
            return [problem.code for problem in error.problems]
        return []


@cache
def corpus(name: str) -> Corpus:
    """A shipped corpus."""
    book = load_rules(resources.folder("rules") / f"{name}.kgr")
    folder = resources.folder("corpora") / name
    options = Options(literal_relations=book.literal_relations)
    sources = [folder / "facts.tsv", folder / "labels.tsv"]
    graph = open_graph(sources, options, denied=[folder / "denied.tsv"])
    return Corpus(graph, book, Asker(graph, book))


def small(
    rules: str,
    facts: list[tuple[str, str, str]],
    labels: dict[str, str | tuple[str, ...]] | None = None,
) -> Corpus:
    """A rule file and a graph; a fact whose object begins with a quotation mark has a value."""
    builder = Builder()
    for subject, relation, object_ in facts:
        key = object_ if object_.startswith("l") and " " in object_ else "e" + object_
        builder.add_fact("e" + subject, relation, key)
    for entity, names in (labels or {}).items():
        first, *aliases = (names,) if isinstance(names, str) else names
        builder.add_label("e" + entity, first)
        for alias in aliases:
            builder.add_alias("e" + entity, alias)
    graph = Graph(builder.columns())
    book = load_rules_text(rules)
    return Corpus(graph, book, Asker(graph, book))
