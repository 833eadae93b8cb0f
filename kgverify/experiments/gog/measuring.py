"""What was deleted: counts for each level, by kind of question, by relation, and between levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kgverify.experiments.gog.patterns import hops
from kgverify.experiments.gog.questions import GogFile, GogQuestion, Triple
from kgverify.experiments.gog.sameness import Fact, Link, Sameness, link

UNLINKED = "unlinked"  # of questions whose queries link no topic with the answer


def facts_of(question: GogQuestion, sameness: Sameness) -> set[Fact]:
    """The facts that a question lost."""
    return {sameness.fact(triple) for triple in question.deleted}


def links_of(question: GogQuestion) -> set[Link]:
    """The links that a question lost."""
    return {link(triple) for triple in question.deleted}


def level_measures(file: GogFile, sameness: Sameness) -> dict[str, Any]:
    """Counts over the questions of a file; what two questions lose counts twice.

    `losing`: questions that lose a link, `losing_more`: two or more.  `one_way`: facts that are
    listed from one end only.  `mediated`: links with an end that has no name.  Then the same by
    kind of question and by hops, and facts by the relations that they are listed by."""
    facts = {q.gold.id: facts_of(q, sameness) for q in file.questions}
    counted: Counter[Fact] = Counter(fact for found in facts.values() for fact in found)
    by_relation: Counter[tuple[str, ...]] = Counter()
    for fact, number in counted.items():
        by_relation[sameness.relations(fact)] += number
    return {
        **_counts(file.questions),
        "triples": sum(len(q.deleted) for q in file.questions),
        "facts": sum(map(len, facts.values())),
        "one_way": sum(_one_way(q, sameness) for q in file.questions),
        "different_facts": len(counted),
        "by_kind": _split(file.questions, lambda q: q.gold.type or "untyped"),
        "by_hops": _split(file.questions, _hops),
        "by_relation": [
            {"relations": list(names), "facts": number}
            for names, number in sorted(by_relation.items(), key=lambda item: (-item[1], item[0]))
        ],
    }


def _counts(questions: Sequence[GogQuestion]) -> dict[str, int]:
    links = [links_of(question) for question in questions]
    return {
        "questions": len(questions),
        "losing": sum(map(bool, links)),
        "losing_more": sum(len(found) > 1 for found in links),
        "links": sum(map(len, links)),
        "mediated": sum(
            any(map(question.is_unnamed, ends))
            for question, found in zip(questions, links, strict=True)
            for ends in found
        ),
    }


def _split(
    questions: Iterable[GogQuestion], key: Callable[[GogQuestion], str]
) -> dict[str, dict[str, int]]:
    groups: dict[str, list[GogQuestion]] = {}
    for question in questions:
        groups.setdefault(key(question), []).append(question)
    return {name: _counts(found) for name, found in sorted(groups.items())}


def _hops(question: GogQuestion) -> str:
    """The most hops from a topic to the answer, over the question's queries."""
    found = [hops(query, question.topics.keys()) for query in question.patterns]
    return str(max((n for n in found if n is not None), default=UNLINKED))


def _one_way(question: GogQuestion, sameness: Sameness) -> int:
    found = Counter(sameness.fact(triple) for triple in question.deleted)
    return sum(number == 1 for number in found.values())


def level_overlaps(files: Sequence[GogFile]) -> list[dict[str, Any]]:
    """For each two levels of a data set: links of the lower, how many of them the higher has too,
    how many questions lose in the higher all that they lose in the lower (of those that lose
    something there), and how many of the common links are listed by the same triples."""
    found = []
    for place, low in enumerate(files):
        for high in files[place + 1 :]:
            others = high.by_id
            pairs = [(q, others[q.gold.id]) for q in low.questions if q.gold.id in others]
            common = [(a, b, links_of(a) & links_of(b)) for a, b in pairs]
            found.append(
                {
                    "lower": low.level,
                    "higher": high.level,
                    "links": sum(len(links_of(a)) for a, _ in pairs),
                    "common": sum(len(both) for _, _, both in common),
                    "losing": sum(bool(links_of(a)) for a, _ in pairs),
                    "within": sum(
                        bool(links_of(a)) and links_of(a) <= links_of(b) for a, b in pairs
                    ),
                    "same_triples": sum(
                        _along(a, ends) == _along(b, ends) for a, b, both in common for ends in both
                    ),
                }
            )
    return found


def _along(question: GogQuestion, ends: Link) -> set[Triple]:
    return {triple for triple in question.deleted if link(triple) == ends}
