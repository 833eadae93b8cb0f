"""What a rule file could say against a wrong edge, of the facts that were deleted.

A relation can refute an edge in four ways: it is functional or inverse functional; it is functional
at a time; it is asymmetric or irreflexive; or an argument's class is disjoint with another class.
That is what could be, of the relation.  Whether there is evidence against a given wrong object
depends on the rest of the graph, which the question files don't have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kgverify.experiments.gog.questions import GogFile, GogQuestion, Triple
from kgverify.experiments.gog.sameness import Sameness, link
from kgverify.language.rulebook import RuleBook

FUNCTIONAL, AT_A_TIME, ORDER, KINDS = "functional", "at_a_time", "order", "kinds"
WAYS = (FUNCTIONAL, AT_A_TIME, ORDER, KINDS)
_OF = {
    "functional": FUNCTIONAL,
    "inverse_functional": FUNCTIONAL,
    "functional_at_a_time": AT_A_TIME,
    "asymmetric": ORDER,
    "irreflexive": ORDER,
}

# The paper names four of its fifteen functional relations, and says that ten substrings go with
# them.  Neither list is published.  Those four are here as Freebase relations, and as substrings.
NAMED = (
    "people.person.date_of_birth",
    "people.person.place_of_birth",
    "location.country.capital",
    "people.person.spouse_s",
)
SUBSTRINGS = ("date_of_birth", "place_of_birth", "capital", "spouse")


def schema_name(relation: str) -> str:
    """The name in Freebase's own schema: `a.b.c` is `/a/b/c`."""
    return "/" + relation.replace(".", "/")


class Cover:
    """What the rule file declares of Freebase's relations, named with points or not."""

    def __init__(self, book: RuleBook) -> None:
        self._by_name = {book.kg_name(name): name for name in book.relations}
        self._book = book

    def declares(self, relations: Iterable[str]) -> bool:
        """Is one of these relations declared?"""
        return any(schema_name(relation) in self._by_name for relation in relations)

    def ways(self, relations: Iterable[str]) -> frozenset[str]:
        """How an edge of these relations, which say the same, could be refuted."""
        found = set()
        for relation in relations:
            for name, _ in self._said(relation):
                declared = self._book.relations[name]
                found |= {_OF[p.kind] for p in declared.properties if p.kind in _OF}
                if any(map(self._excludes, (declared.domain.text, declared.range.text))):
                    found.add(KINDS)
        return frozenset(found)

    def is_single(self, relation: str) -> bool:
        """Can a subject have only one object by this relation?"""
        return any(
            item.kind == ("inverse_functional" if turned else "functional")
            for name, turned in self._said(relation)
            for item in self._book.relations[name].properties
        )

    def _said(self, relation: str) -> frozenset[tuple[str, bool]]:
        name = self._by_name.get(schema_name(relation))
        return frozenset() if name is None else self._book.says(name)

    def _excludes(self, cls: str) -> bool:
        return any(self._book.are_disjoint(cls, other) for other in self._book.classes)


def coverage(
    file: GogFile, files: Sequence[GogFile], sameness: Sameness, cover: Cover
) -> dict[str, dict[str, int]]:
    """Counts of the facts that a level deleted: `declared` in the rule file, refutable in each way,
    in `any`, in any but by kinds (`without_kinds`), and `functional_named` with names at both ends.
    `links` has the same of links: in a way if one of its facts is.

    `named` and `substrings` are facts that one of the paper's four relations lists, as they are and
    as substrings.  `filled` are facts, functional from one end, where that end has another value
    among what the question lists at any level and keeps at this one: only there would the fact's
    own constraint refute a wrong object."""
    lists = listed(files)
    facts: dict[str, int] = dict.fromkeys(_COUNTS, 0)
    links: dict[str, int] = dict.fromkeys(_COUNTS, 0)
    for question in file.questions:
        by_fact: dict[Triple, list[Triple]] = {}
        for triple in question.deleted:
            by_fact.setdefault(sameness.fact(triple), []).append(triple)
        kept = lists[question.gold.id] - set(question.deleted)
        by_link: dict[tuple[str, str], set[str]] = {}
        for fact, triples in by_fact.items():
            counts = _said_of(question, triples, sameness.relations(fact), kept, cover)
            for count in counts:
                facts[count] += 1
            by_link.setdefault(link(fact), set()).update(counts)
        for found in by_link.values():
            for count in found:
                links[count] += 1
    return {"facts": facts, "links": links}


_COUNTS = (
    *("all", "declared", *WAYS, "any", "without_kinds", "functional_named"),
    *("named", "substrings", "filled"),
)


def _said_of(
    question: GogQuestion,
    triples: Sequence[Triple],
    relations: Sequence[str],
    kept: set[Triple],
    cover: Cover,
) -> set[str]:
    """The counts that a fact belongs to."""
    ways = cover.ways(relations)
    listed_by = {triple.relation for triple in triples}
    is_named = not any(map(question.is_unnamed, link(triples[0])))
    held = {
        "all": True,
        "declared": cover.declares(relations),
        **{way: way in ways for way in WAYS},
        "any": bool(ways),
        "without_kinds": bool(ways - {KINDS}),
        "functional_named": FUNCTIONAL in ways and is_named,
        "named": not listed_by.isdisjoint(NAMED),
        "substrings": any(part in relation for relation in listed_by for part in SUBSTRINGS),
        "filled": any(
            cover.is_single(triple.relation)
            and any(
                (other.subject, other.relation) == (triple.subject, triple.relation)
                for other in kept
            )
            for triple in triples
        ),
    }
    return {name for name, holds in held.items() if holds}


def listed(files: Sequence[GogFile]) -> Mapping[str, set[Triple]]:
    """What each question lists at any level."""
    found: dict[str, set[Triple]] = {}
    for file in files:
        for question in file.questions:
            found.setdefault(question.gold.id, set()).update(question.deleted)
    return found
