"""The domain of a search: what its graphs are made of, for a question or for rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from kgverify.analysis import things
from kgverify.analysis.guessing import Look
from kgverify.analysis.things import Asked, Domain, Scope, Thing
from kgverify.language import syntax as s
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
    names = things.rests_on(book, question)
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


def question_domain(
    books: Sequence[RuleBook], question: str, bound: Bound, more: Iterable[str] = ()
) -> tuple[Domain, list[frozenset[str]], bool]:
    """The domain for a question of these rule files, in which it has the same parameters; for each
    file the relations and classes that matter; and whether all ways to ask are among the options.

    `more` are further relations and classes that matter."""
    asked = books[0].questions[question]
    names = set(more).union(*(things.rests_on(book, question) for book in books))
    scope = things.scope(books, names | _typed(books, question))
    taken = _taken(books)
    candidate = things.fresh(asked.answer.text.lower(), taken)
    own: list[Thing] = [candidate]
    named = [t for book in books for t in things.constants(book, names, book.questions[question])]
    named = list(dict.fromkeys(named))
    types = [p.type.text for p in asked.parameters]
    values = _values(books, scope, names, question, types)
    places: list[list[Thing]] = []
    for parameter, type_ in zip(asked.parameters, types, strict=True):
        if type_ in DATATYPES:
            places.append(list(values[type_]))
            continue
        one = things.fresh(parameter.name.text.lower(), taken)
        places.append([one, *own, *named])
        own.append(one)
    found = list(islice(_options([candidate, *named], places), _OPTIONS + 1))
    unnamed = things.unnamed(bound.facts, taken)
    entities = (*own, *named, *unnamed)
    domain = Domain(
        tuple(things.facts(scope, entities, values, denials=True)),
        tuple(named),
        tuple(own),
        tuple(unnamed),
        tuple(dict.fromkeys(v for of in values.values() for v in of)),
        tuple(found[:_OPTIONS]),
    )
    return domain, [in_scope(book, scope) for book in books], len(found) <= _OPTIONS


def rules_domain(book: RuleBook, names: set[str], bound: Bound, denials: bool) -> Domain:
    """The domain for rules, in which the relations and classes matter."""
    scope = things.scope([book], names)
    taken = _taken([book])
    named = things.constants(book, names, None)
    unnamed = things.unnamed(bound.facts, taken)
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


def look(
    book: RuleBook, names: frozenset[str], question: str = "", prefix: str = ""
) -> Look:
    return Look(book, names, question, prefix)


def _typed(books: Sequence[RuleBook], question: str) -> set[str]:
    """The classes of the answer and the parameters."""
    found = set()
    for book in books:
        asked = book.questions[question]
        found |= {asked.answer_class.text, *(p.type.text for p in asked.parameters)}
    return found


def _taken(books: Iterable[RuleBook]) -> set[str]:
    """Every word of the rule files: what is guessed has other names."""
    return {word for book in books for word in re.findall(r"\w+", book.text)}


def _values(
    books: Sequence[RuleBook],
    scope: Scope,
    names: set[str],
    question: str,
    types: Sequence[str],
) -> dict[str, Sequence[Thing]]:
    wanted = dict.fromkeys([d for _, d in scope.relations if d] + [t for t in types if t in DATATYPES])
    return {
        datatype: tuple(
            dict.fromkeys(
                v
                for book in books
                for v in things.values(book, datatype, names, book.questions[question])
            )
        )
        for datatype in wanted
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
