"""How often a graph breaks what a rule file declares, counted fact by fact, without reasoning."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from kgverify.graph import Graph
from kgverify.language.rulebook import RuleBook

_EXAMPLES = 3
_COUNTED = (
    *("functional", "functional_at_a_time", "inverse_functional"),
    *("asymmetric", "irreflexive", "symmetric"),
)


def broken_declarations(graph: Graph, book: RuleBook) -> list[dict[str, Any]]:
    """Each property that a relation of the graph is declared to have, or has by its inverse: `of`
    how many it is said, `broken` by how many, and examples by name.

    Of functional relations it is said of subjects, of inverse functional ones of objects, of the
    others of facts.  A symmetric relation is broken by a fact of which the other direction is not
    stated: that is no contradiction, and `symmetric` adds it."""
    found = []
    for name in book.relations:
        relation = graph.relation_id(book.kg_name(name))
        if relation >= 0:
            pairs = graph.facts.all(relation)
            facts = list(zip(pairs.subjects.tolist(), pairs.objects.tolist(), strict=True))
            found += [
                {"relation": name, "property": kind, **_count(graph, facts, kind)}
                for kind in _COUNTED
                if kind in _holding(name, book)
            ]
    return found


def _holding(name: str, book: RuleBook) -> set[str]:
    """The properties of a relation, also by those that it is the inverse or a kind of."""
    turned = {"functional": "inverse_functional", "inverse_functional": "functional"}
    return {
        turned.get(item.kind, item.kind) if is_turned else item.kind
        for other, is_turned in book.says(name)
        for item in book.relations[other].properties
    }


def readings(graph: Graph, relations: Iterable[str]) -> list[dict[str, Any]]:
    """The same of relations of the graph, if each were functional."""
    found = []
    for name in relations:
        relation = graph.relation_id(name)
        if relation >= 0:
            pairs = graph.facts.all(relation)
            facts = list(zip(pairs.subjects.tolist(), pairs.objects.tolist(), strict=True))
            found.append({"relation": name, **_count(graph, facts, "functional")})
    return found


def shared_members(graph: Graph, book: RuleBook) -> list[dict[str, Any]]:
    """Classes that are declared disjoint, with the number of entities that signatures put into
    both, and examples.  Pairs that share none are left out."""
    members: dict[str, set[int]] = {}
    for name, declared in book.relations.items():
        relation = graph.relation_id(book.kg_name(name))
        if relation >= 0:
            pairs = graph.facts.all(relation)
            for cls, ids in ((declared.domain, pairs.subjects), (declared.range, pairs.objects)):
                for above in book.superclasses.get(cls.text, frozenset()):
                    members.setdefault(above, set()).update(ids.tolist())
    found = []
    for one, other in combinations(sorted(members), 2):
        both = sorted(members[one] & members[other])
        if both and (one, other) in {(a, b) for a, b, _ in book.disjoint_pairs}:
            names = [_name(graph, id_) for id_ in both[:_EXAMPLES]]
            sizes = [len(members[one]), len(members[other])]
            found.append(
                {"classes": [one, other], "of": sizes, "broken": len(both), "examples": names}
            )
    return found


def _count(graph: Graph, facts: list[tuple[int, int]], kind: str) -> dict[str, Any]:
    stated = set(facts)
    if "functional" in kind:
        values: dict[int, set[int]] = {}
        for subject, object in stated:
            one, other = (object, subject) if kind.startswith("inverse") else (subject, object)
            values.setdefault(one, set()).add(other)
        broken = [(one, sorted(others)) for one, others in values.items() if len(others) > 1]
        of = len(values)
    else:
        of = len(stated)
        broken = [(s, [o]) for s, o in stated if _breaks(s, o, kind, stated)]
    examples = [
        [_name(graph, id_) for id_ in (one, *others[:_EXAMPLES])]
        for one, others in sorted(broken)[:_EXAMPLES]
    ]
    return {"of": of, "broken": len(broken), "examples": examples}


def _breaks(subject: int, object: int, kind: str, stated: set[tuple[int, int]]) -> bool:
    if kind == "irreflexive":
        return subject == object
    return ((object, subject) in stated) == (kind == "asymmetric")


def _name(graph: Graph, id_: int) -> str:
    return graph.label(id_) or graph.key(id_)[1:]
