"""A rule file held against a graph: what it declares and the graph breaks, and what it asks and the
graph can't answer.

Counted are facts that are stated, in any of the words that declarations make of them (inverse,
narrower, symmetric); what rules derive is not.  Each warning has how many, of how many, and a few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from kgverify.errors import Problem, Span
from kgverify.graph import Graph
from kgverify.graph.terms import compatible
from kgverify.language import syntax as s
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.knowledge import TYPE, Knowledge, graph_warnings
from kgverify.reasoning.layers import Ids

EXAMPLES = 3


def rules_against_graph(book: RuleBook, graph: Graph) -> list[Problem]:
    """Warnings about a rule file and a graph, in the order of the file.

    `functional at a time` and `same` classes are not looked at."""
    found = [*graph_warnings(graph, book), *_Comparison(book, graph).problems()]
    return sorted(found, key=_place)


def _place(problem: Problem) -> tuple[int, int]:
    return (problem.span.line, problem.span.column) if problem.span else (0, 0)


class _Comparison:
    """What is counted of a graph for a rule file."""

    def __init__(self, book: RuleBook, graph: Graph) -> None:
        self._book = book
        self._knowledge = Knowledge(graph, book)
        self._codes: dict[str, Ids] = {}

    def problems(self) -> Iterator[Problem]:
        for relation in self._book.relations.values():
            if len(self._facts(relation.name.text)):
                yield from self._properties(relation)
                yield from self._signature(relation)
        yield from self._exclusions()
        yield from self._completeness()
        yield from self._questions()

    def _facts(self, relation: str) -> Ids:
        """The distinct facts of a relation, in whatever words they are stated, each as
        subject · 2^32 + object; those with a blank node or a value that can't be read are left
        out, for these may be anything."""
        if relation not in self._codes:
            found = [np.empty(0, np.int64)]
            for other in self._book.relations:
                for name, turned in self._book.says(other):
                    if name == relation and self._knowledge.facts.stores(other):
                        ends = self._knowledge.facts.all(other)
                        found.append(_code(*(ends[::-1] if turned else ends)))
            codes = np.unique(np.concatenate(found))
            vague = self._knowledge.vague(np.unique(np.concatenate([codes >> 32, _low(codes)])))
            plain = ~np.isin(codes >> 32, vague) & ~np.isin(_low(codes), vague)
            self._codes[relation] = codes[plain]
        return self._codes[relation]

    # ------------------------------------------------------------ declarations

    def _properties(self, relation: s.RelationDeclaration) -> Iterator[Problem]:
        name = relation.name.text
        codes = self._facts(name)
        for item in relation.properties:
            match item.kind:
                case "functional":
                    yield from self._single(relation, codes, "object", "subject")
                case "inverse_functional":
                    turned = np.sort(_code(_low(codes), codes >> 32))
                    yield from self._single(relation, turned, "subject", "object")
                case "irreflexive":
                    loops = codes[codes >> 32 == _low(codes)]
                    yield from self._broken(relation, "irreflexive", loops, codes, "facts")
                case "asymmetric":
                    back = np.isin(_code(_low(codes), codes >> 32), codes)
                    yield from self._broken(relation, "asymmetric", codes[back], codes, "facts")

    def _single(
        self, relation: s.RelationDeclaration, codes: Ids, what: str, of: str
    ) -> Iterator[Problem]:
        """Subjects with objects that are provably different."""
        ids, starts, counts = np.unique(codes >> 32, return_index=True, return_counts=True)
        told: list[str] = []
        broken = 0
        for place in np.flatnonzero(counts > 1).tolist():
            values = _low(codes[starts[place] : starts[place] + counts[place]]).tolist()
            if self._differ(values):
                broken += 1
                if len(told) < EXAMPLES:
                    names = " and ".join(self._names(values[:EXAMPLES]))
                    told.append(f"{self._names([int(ids[place])])[0]} has {names}")
        if broken:
            declared = "functional" if what == "object" else "inverse functional"
            name = relation.name.text
            message = (
                f"`{name}` is {declared}, and {broken:,} of {len(ids):,} {of}s have different "
                f"{what}s in the graph: {'; '.join(told)}"
            )
            hint = f"take `{declared}` away if that is right: it makes right answers violations"
            yield _warning("functional-broken", message, relation.name.span, hint, name)

    def _differ(self, values: Sequence[int]) -> bool:
        keys = list(map(self._knowledge.key, values))
        return any(not compatible(one, other) for one, other in combinations(keys, 2))

    def _broken(
        self, relation: s.RelationDeclaration, declared: str, broken: Ids, every: Ids, unit: str
    ) -> Iterator[Problem]:
        if len(broken):
            name = relation.name.text
            message = (
                f"`{name}` is {declared}, and {len(broken):,} of {len(every):,} {unit} in the "
                f"graph break that: {self._told(name, broken)}"
            )
            hint = f"take `{declared}` away if they are right"
            yield _warning(f"{declared}-broken", message, relation.name.span, hint, name)

    def _signature(self, relation: s.RelationDeclaration) -> Iterator[Problem]:
        """Arguments of a class that excludes the declared one, or of none that lies under it."""
        name, codes = relation.name.text, self._facts(relation.name.text)
        sides = [(relation.domain, codes >> 32, "subjects")]
        if not self._book.is_literal(name):
            sides.append((relation.range, _low(codes), "objects"))
        for cls, ids, what in sides:
            every = np.unique(ids)
            outside, elsewhere = self._outside(cls.text, every)
            for code, some, why in (
                ("signature-broken", outside, "are of a class that excludes"),
                ("signature-unstated", elsewhere, "have classes in the graph, and none is under"),
            ):
                if some:
                    message = (
                        f"{len(some):,} of {len(every):,} {what} of `{name}` {why} `{cls.text}`: "
                        f"{self._some(some)}"
                    )
                    hint = "widen the signature, or mend the graph: a signature puts them there"
                    yield _warning(code, message, cls.span, hint, name)

    def _outside(self, cls: str, entities: Ids) -> tuple[list[int], list[int]]:
        """Entities that are provably not of a class, and those that only other classes are stated
        of."""
        subjects, classes = self._knowledge.facts.from_subjects(TYPE, entities)
        kinds = {id_: self._kind(cls, id_) for id_ in np.unique(classes).tolist()}
        found: dict[int, set[str]] = {}
        for subject, id_ in zip(subjects.tolist(), classes.tolist(), strict=True):
            if kinds[id_]:
                found.setdefault(subject, set()).add(kinds[id_])
        outside = [one for one in sorted(found) if "outside" in found[one]]
        return outside, [one for one in sorted(found) if found[one] == {"elsewhere"}]

    def _kind(self, cls: str, id_: int) -> str:
        names = self._knowledge.hierarchy.names_above(id_)
        if any(self._book.are_disjoint(cls, name) for name in names):
            return "outside"
        # Of a class that the rule file doesn't have, nothing is known.
        return "inside" if cls in names else ("elsewhere" if names else "")

    def _exclusions(self) -> Iterator[Problem]:
        for one, other, span in self._book.disjoint_pairs:
            if one < other and one in self._book.relations:
                both = np.intersect1d(self._facts(one), self._facts(other))
                if len(both):
                    message = (
                        f"`{one}` and `{other}` are disjoint, and {len(both):,} pairs are in both "
                        f"in the graph: {self._told('', both)}"
                    )
                    yield _warning("disjoint-broken", message, span, "take the statement away", one)

    # ------------------------------------------------------------ what is said to be complete

    def _completeness(self) -> Iterator[Problem]:
        derivable = self._derived()
        for statement in self._book.complete:
            name = statement.relation.text
            if name in derivable or not (statement.cls or statement.subjects):
                continue
            if statement.cls:
                below = self._knowledge.hierarchy.below(statement.cls.text)
                who = np.unique(self._knowledge.facts.from_objects(TYPE, below)[0])
            else:
                named = [self._knowledge.entity(term) for term in statement.subjects]
                known = [id_ for id_ in named if not self._knowledge.is_stranger(id_)]
                who = np.array(known, np.int64)
            lacking = who[~np.isin(who, self._facts(name) >> 32)]
            if len(lacking):
                said = self._some(lacking.tolist())
                message = (
                    f"`{name}` is complete, and {len(lacking):,} of {len(who):,} subjects have "
                    f"none in the graph, so that each is said to have none: {said}"
                )
                hint = "leave out those of which it is not known"
                yield _warning("complete-without", message, statement.span, hint, name)

    def _derived(self) -> set[str]:
        """Relations that rules conclude, in whatever words."""
        heads = {
            rule.head.atom.relation.text
            for rule in self._book.rules
            if isinstance(rule.head.atom, s.RelationAtom) and not rule.head.negated
        }
        return {name for head in heads for name, _ in self._book.says(head)}

    # ------------------------------------------------------------ questions

    def _questions(self) -> Iterator[Problem]:
        """Required relations of which the graph has no fact, and that no rule concludes."""
        derived = self._derived()
        for question in self._book.questions.values():
            for item in question.items:
                condition = item.condition
                if (
                    item.demand is s.Demand.REQUIRE
                    and isinstance(condition, s.Literal)
                    and not condition.negated
                    and isinstance(condition.atom, s.RelationAtom)
                ):
                    name = condition.atom.relation.text
                    if name not in derived and not len(self._facts(name)):
                        message = (
                            f"question `{question.name}` requires `{name}`, of which the graph has "
                            "no fact: no candidate can be sat"
                        )
                        yield _warning("question-without-facts", message, item.span, "", name)

    # ------------------------------------------------------------ in words

    def _told(self, name: str, codes: Ids) -> str:
        some = codes[:EXAMPLES]
        pairs = zip(
            self._names((some >> 32).tolist()),
            self._names(_low(some).tolist()),
            strict=True,
        )
        return ", ".join(f"{name}({one}, {other})" for one, other in pairs)

    def _some(self, ids: Sequence[int]) -> str:
        more = ", …" if len(ids) > EXAMPLES else ""
        return ", ".join(self._names(ids[:EXAMPLES])) + more

    def _names(self, ids: Sequence[int]) -> list[str]:
        """Labels where there are some, else names."""
        pairs = zip(self._knowledge.labels(ids), self._knowledge.names(ids), strict=True)
        return [label or name for label, name in pairs]


def _code(subjects: Ids, objects: Ids) -> Ids:
    return subjects.astype(np.int64) << 32 | objects.astype(np.int64)


def _low(codes: Ids) -> Ids:
    found: Ids = codes & 0xFFFFFFFF
    return found


def _warning(code: str, message: str, span: Span, hint: str, subject: str) -> Problem:
    return Problem(code, message, span, hint, severity="warning", subject=subject)
