"""The domain of a search: what its graphs are made of, for a question or for rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from kgverify.analysis import things
from kgverify.analysis.things import Asked, Domain, Scope, Thing
from kgverify.errors import counted
from kgverify.language import syntax as s
from kgverify.language.dependencies import used_by
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.program import compile_question

_OPTIONS = 300  # ways to ask a question; more are not tried, and it is said


@dataclass(frozen=True, slots=True)
class Bound:
    """How large graphs are: up to so many facts, about what is named and as many things that are
    not."""

    facts: int = 4


def not_analysed(book: RuleBook, question: str) -> str:
    """Why graphs of the search can't show all about a question, "" where they can."""
    template = compile_question(book, book.questions[question])
    names = used_by(book, [question])
    at_a_time = [
        name
        for name in sorted(names & book.relations.keys())
        if any(p.kind == "functional_at_a_time" for p in book.relations[name].properties)
    ]
    if any(view.time for view in template.views.values()):
        return "it asks about a time, and facts are guessed without periods"
    if at_a_time:
        return f"`{at_a_time[0]}` is functional at a time, and facts are guessed without periods"
    return ""


Ask = tuple[RuleBook, str]  # a rule file, and a question of it


def question_domain(
    asks: Sequence[Ask], bound: Bound, more: Iterable[str] = ()
) -> tuple[Domain, list[frozenset[str]], bool]:
    """The domain for a question, which may stand in several rule files with the same parameters;
    for each file the relations and classes that matter; and whether all ways to ask are among the
    options.

    `more` are further relations and classes that matter."""
    books = [book for book, _ in asks]
    asked = books[0].questions[asks[0][1]]
    names = set(more).union(*(used_by(book, [question]) for book, question in asks))
    scope = things.scope(books, names | _typed(asks))
    taken = _taken(books)
    candidate = things.fresh(asked.answer.text.lower(), taken)
    own: list[Thing] = [candidate]
    found = (things.constants(book, names, book.questions[question]) for book, question in asks)
    named = list(dict.fromkeys(thing for of in found for thing in of))
    types = [p.type.text for p in asked.parameters]
    values = _values(asks, scope, names, types)
    places: list[list[Thing]] = []
    for parameter, type_ in zip(asked.parameters, types, strict=True):
        if type_ in DATATYPES:
            places.append(list(values[type_]))
            continue
        one = things.fresh(parameter.name.text.lower(), taken)
        places.append([one, *own, *named])
        own.append(one)
    options = list(islice(_options([candidate, *named], places), _OPTIONS + 1))
    spare = max(bound.facts, *(_counted(book, question) for book, question in asks))
    unnamed = things.unnamed(spare, taken)
    entities = (*own, *named, *unnamed)
    domain = Domain(
        tuple(things.facts(scope, entities, values, denials=True)),
        tuple(named),
        tuple(own),
        tuple(unnamed),
        tuple(dict.fromkeys(v for of in values.values() for v in of)),
        tuple(options[:_OPTIONS]),
    )
    return domain, [in_scope(book, scope) for book in books], len(options) <= _OPTIONS


def _counted(book: RuleBook, question: str) -> int:
    """As many things as a question counts, if they are few."""
    atoms = (
        leaf.atom
        for item in book.questions[question].items
        for leaf in s.leaves(item.condition)
        if isinstance(leaf, s.Literal)
    )
    texts = (atom.value.text for atom in atoms if isinstance(atom, s.CountAtom))
    return max((int(t) for t in texts if t in ("1", "2", "3", "4", "5", "6")), default=0)


def rules_domain(
    book: RuleBook, names: set[str], bound: Bound, denials: bool, rules: Iterable[s.Rule]
) -> Domain:
    """The domain for rules, in which the relations and classes matter: more things than one of
    them has variables."""
    scope = things.scope([book], names)
    taken = _taken([book])
    named = things.constants(book, names, None)
    sizes = (
        len({t.text for c in (r.head, *r.body) for t in c.terms if t.is_variable}) for r in rules
    )
    # One more than a rule speaks of: what contradicts it may be about another.
    unnamed = things.unnamed(max(bound.facts, max(sizes, default=0) + 1), taken)
    datatypes = {datatype for _, datatype in scope.relations if datatype}
    values = {d: tuple(things.values(book, d, names, None)) for d in sorted(datatypes)}
    return Domain(
        tuple(things.facts(scope, (*named, *unnamed), values, denials)),
        tuple(named),
        (),
        tuple(unnamed),
        tuple(dict.fromkeys(v for of in values.values() for v in of)),
    )


def in_scope(book: RuleBook, scope: Scope) -> frozenset[str]:
    """The relations and classes of the scope, by the names of a rule file."""
    relations = {name for name, _ in scope.relations}
    found = {name for name in book.relations if book.kg_name(name) in relations}
    return frozenset(found | {name for name in book.classes if book.kg_name(name) in scope.classes})


def _typed(asks: Sequence[Ask]) -> set[str]:
    """The classes of the answer and the parameters."""
    found = set()
    for book, question in asks:
        asked = book.questions[question]
        found |= {asked.answer_class.text, *(p.type.text for p in asked.parameters)}
    return found


def _taken(books: Iterable[RuleBook]) -> set[str]:
    """Every word of the rule files: what is guessed has other names."""
    return {word for book in books for word in re.findall(r"\w+", book.text)}


def _values(
    asks: Sequence[Ask], scope: Scope, names: set[str], types: Sequence[str]
) -> dict[str, Sequence[Thing]]:
    """The values of each datatype that matters."""
    wanted = [d for _, d in scope.relations if d] + [t for t in types if t in DATATYPES]
    return {
        datatype: tuple(
            dict.fromkeys(
                value
                for book, question in asks
                for value in things.values(book, datatype, names, book.questions[question])
            )
        )
        for datatype in dict.fromkeys(wanted)
    }


def _options(candidates: Sequence[Thing], places: Sequence[Sequence[Thing]]) -> Iterable[Asked]:
    """Every way to ask, the plainest first: each place has its plainest thing in front."""
    sizes = [len(candidates), *map(len, places)]

    def with_rank(rank: int, place: int) -> Iterable[tuple[int, ...]]:
        if place == len(sizes):
            if rank == 0:
                yield ()
            return
        for number in range(min(rank, sizes[place] - 1) + 1):
            for rest in with_rank(rank - number, place + 1):
                yield (number, *rest)

    for rank in range(sum(sizes) - len(sizes) + 1):
        for numbers in with_rank(rank, 0):
            candidate, *arguments = numbers
            yield Asked(
                candidates[candidate],
                tuple(place[n] for place, n in zip(places, arguments, strict=True)),
            )


def reach(bound: Bound, domain: Domain) -> str:
    """How large the graphs of a search are, in words."""
    return f"up to {counted(bound.facts, 'fact')} about {counted(len(domain.entities), 'thing')}"
