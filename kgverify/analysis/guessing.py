"""Searches for small graphs: which facts, and who is asked about, so that something holds.

Whatever decides verdicts decides here too: the program of the reference engine, with facts that are
chosen in the place of facts that are read.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from kgverify.analysis.things import Asked, Domain, Fact, Thing
from kgverify.errors import LimitReached, Problem
from kgverify.graph import Graph
from kgverify.language.rulebook import DATATYPES, RuleBook
from kgverify.reasoning.datalog import Rule, symbol
from kgverify.reasoning.deciding import ReferenceEngine, Request, asked_atom
from kgverify.reasoning.knowledge import TYPE, Knowledge
from kgverify.reasoning.program import Template, compile_question, encoding
from kgverify.reasoning.rules import Resolver
from kgverify.reasoning.solver import Search, prefixed

_DECIDE = ("status.lp", "groups.lp", "verdict.lp")
_GUESS, _SEEN = ("guess.lp",), ("seen.lp", "outcome.lp")
_MOST = 24  # facts of a graph that is looked for; none that was met needed half as many
CLASH = "clash"


@dataclass(frozen=True, slots=True)
class Example:
    """A graph that was found, who is asked about, and what the search says of it: its shown
    atoms."""

    facts: tuple[Fact, ...]
    asked: Asked | None
    shown: frozenset[str]


def _nothing(resolve: Resolver) -> Sequence[Rule]:
    return ()


@dataclass(frozen=True)
class Look:
    """A rule file that looks at the graphs of a search.

    `prefix` stands before its predicates, so that two rule files can look at one graph.  `question`
    is asked, if it isn't ""; `names` are the relations and classes that must not have evidence for
    and against one atom, where the graph must agree with itself.  `more` gives further rules, over
    the constants that it is given a resolver for."""

    book: RuleBook
    names: frozenset[str]
    question: str = ""
    prefix: str = ""
    more: Callable[[Resolver], Sequence[Rule]] = _nothing

    @property
    def template(self) -> Template | None:
        if not self.question:
            return None
        return compile_question(self.book, self.book.questions[self.question])


class Deadline:
    """The time that is left."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return self._end - time.monotonic()


class Guesses:
    """The graphs over a domain, as some rule files see them.

    `goals` is program text that derives the atoms to ask for.  Raises LimitReached when the time is
    over."""

    def __init__(
        self, domain: Domain, looks: Sequence[Look], goals: str, deadline: Deadline
    ) -> None:
        if deadline.left <= 0:
            raise LimitReached(Problem("budget", "the time for the analysis is over"))
        self._domain = domain
        self._things = {id: thing for thing, id in _ids(domain).items()}
        self._search = Search([*_guess_text(domain), *_looks(domain, looks), goals], deadline.left)

    def some(self, *atoms: str, consistent: Sequence[str] = (CLASH,)) -> Example | None:
        """A graph for which the atoms hold, None if there is none; `consistent` are atoms that
        don't."""
        shown = self._search.some(_wanted(atoms, consistent))
        return None if shown is None else self._example(shown)

    def smallest(self, *atoms: str, consistent: Sequence[str] = (CLASH,)) -> Example | None:
        """One with as few facts as possible, and of these the plainest."""
        wanted = _wanted(atoms, consistent)
        some = self._search.some(wanted)
        if some is None:
            return None
        for size in range(min(len(self._example(some).facts), _MOST) + 1):
            within = {**wanted, f"within({size})": True}
            if self._search.some(within) is not None:
                best = self._search.best(within)
                assert best is not None  # there is one
                return self._example(best)
        raise LimitReached(Problem("budget", f"no graph of up to {_MOST} facts was found"))

    def thing(self, id: int) -> Thing:
        """The thing that a term of the program stands for."""
        return self._things[id]

    def _example(self, shown: frozenset[str]) -> Example:
        numbers = sorted(_numbers("chosen", shown))
        picked = _numbers("picked", shown)
        return Example(
            tuple(self._domain.facts[number] for number in numbers),
            self._domain.options[picked[0]] if picked else None,
            shown,
        )


def _wanted(atoms: Sequence[str], consistent: Sequence[str]) -> dict[str, bool]:
    return {**dict.fromkeys(atoms, True), **dict.fromkeys(consistent, False)}


def _numbers(predicate: str, shown: frozenset[str]) -> list[int]:
    start = predicate + "("
    return [int(atom[len(start) : -1]) for atom in shown if atom.startswith(start)]


# ---------------------------------------------------------------- program text


def _guess_text(domain: Domain) -> list[str]:
    ids = _ids(domain)
    lines = [f"#const most = {_MOST}."]
    for number, fact in enumerate(domain.facts):
        lines.append(f"may({number}). weight({number},{number + 1}).")
        lines += [f"names({number},{ids[thing]})." for thing in _entities(fact)]
    for number in range(len(domain.options)):
        lines.append(f"option({number}). turn({number},{number * len(domain.facts)}).")
    lines += [f"unnamed({number},{ids[t]})." for number, t in enumerate(domain.unnamed)]
    return [encoding(*_GUESS), "\n".join(lines)]


def _entities(fact: Fact) -> list[Thing]:
    is_entity = fact.relation != TYPE and fact.object.key[0] == "e"
    return list(dict.fromkeys([fact.subject, *([fact.object] if is_entity else [])]))


def _graph(domain: Domain) -> Graph:
    """A graph that has all terms of a domain, and says nothing with any relation that matters."""
    terms = [thing.key for thing in (*domain.entities, *domain.values)]
    return Graph.from_triples([], [("eany:", "any:", key) for key in terms], name="guessed")


def _ids(domain: Domain) -> dict[Thing, int]:
    things = (*domain.entities, *domain.values)
    found = _graph(domain).find([thing.key for thing in things]).tolist()
    return dict(zip(things, found, strict=True))


def _looks(domain: Domain, looks: Sequence[Look]) -> list[str]:
    graph, ids = _graph(domain), _ids(domain)
    parts = []
    for look in looks:
        text = "\n".join(_look_text(look, domain, graph, ids))
        if look.prefix:
            bridges = [
                f"{look.prefix}{atom} :- {atom}."
                for atom in ("chosen(I)", "names(I,E)", "picked(T)")
            ]
            text = "\n".join([prefixed(text, look.prefix), *bridges])
        parts.append(text)
    return parts


def _look_text(look: Look, domain: Domain, graph: Graph, ids: Mapping[Thing, int]) -> list[str]:
    template = look.template
    asked = {look.question: look.book.questions[look.question]} if look.question else {}
    book = replace(look.book, questions=asked)
    knowledge = Knowledge(graph, book)
    stands = {thing: knowledge.identity.one(id) for thing, id in ids.items()}
    requests = [
        Request(template, tuple(stands[a] for a in one.arguments), (stands[one.candidate],))
        for one in (domain.options if template else ())
        if template
    ]
    text, _ = ReferenceEngine(knowledge).basis(requests, look.more(knowledge.constant), _DECIDE)
    return [
        *text,
        encoding(*_SEEN),
        *_fact_rules(book, domain.facts, stands),
        *_strangers(book, domain, stands, ids),
        *_options(book, domain, requests, stands, look.question),
        *_scope(look, domain, stands),
    ]


def _fact_rules(book: RuleBook, facts: Sequence[Fact], stands: Mapping[Thing, int]) -> list[str]:
    """What each fact says, in the names of the rule file; nothing where it has none."""
    relations, classes = defaultdict(list), defaultdict(list)
    for name in book.relations:
        relations[book.kg_name(name), book.is_literal(name)].append(symbol(name))
    for name in book.classes:
        classes["e" + book.kg_name(name)].append(symbol(name))
    lines = []
    for number, fact in enumerate(facts):
        subject, chosen = stands[fact.subject], f"chosen({number})"
        if fact.relation == TYPE:
            predicate = "denied_member" if fact.denied else "member"
            heads = [f"{predicate}({subject},{name})" for name in classes[fact.object.key]]
        else:
            predicate = "denied" if fact.denied else "triple"
            names = relations[fact.relation, fact.object.key[0] == "l"]
            heads = [f"{predicate}({name},{subject},{stands[fact.object]})" for name in names]
        lines += [f"{head} :- {chosen}." for head in heads]
    return lines


def _strangers(
    book: RuleBook, domain: Domain, stands: Mapping[Thing, int], ids: Mapping[Thing, int]
) -> list[str]:
    bare = Knowledge(Graph.from_triples([]), book)
    stated = {
        stands[thing] for thing in domain.entities if not bare.is_stranger(bare.term(thing.key))
    }
    lines = [f"stands({ids[thing]},{stands[thing]})." for thing in domain.entities]
    found = {stands[thing] for thing in domain.entities} - stated
    return lines + [f"unstated({one})." for one in sorted(found)]


def _options(
    book: RuleBook,
    domain: Domain,
    requests: Sequence[Request],
    stands: Mapping[Thing, int],
    question: str,
) -> list[str]:
    if not requests:
        return []
    lines = []
    parameters = book.questions[question].parameters
    types = [p.type.text for p in parameters]
    for number, (request, one) in enumerate(zip(requests, domain.options, strict=True)):
        lines.append(f"{asked_atom(0, request)} :- picked({number}).")
        lines.append(f"candidate(0,{request.candidates[0]}) :- picked({number}).")
        for argument, type_ in zip(one.arguments, types, strict=True):
            if type_ not in DATATYPES:
                lines.append(f"wants({number},{stands[argument]},{symbol(type_)}).")
    for wanted in dict.fromkeys(t for t in types if t not in DATATYPES):
        for name in book.classes:
            pair = f"({symbol(name)},{symbol(wanted)})."
            if wanted in book.superclasses[name]:
                lines.append("under" + pair)
            if book.are_disjoint(name, wanted):
                lines.append("apart" + pair)
    template = requests[0].template
    return lines + [f"constraint({c.index})." for c in template.constraints]


def _scope(look: Look, domain: Domain, stands: Mapping[Thing, int]) -> list[str]:
    """What must agree with itself: all facts about the things by relations and classes that
    matter."""
    book = look.book
    entities = sorted({stands[thing] for thing in domain.entities})
    lines = [f"thing({one})." for one in entities]
    for name in sorted(look.names & book.relations.keys()):
        lines.append(f"concerned({symbol(name)}).")
        if book.is_literal(name):
            objects = {stands[f.object] for f in domain.facts if f.relation == book.kg_name(name)}
            lines += [f"place({symbol(name)},{one})." for one in sorted(objects)]
        else:
            lines += [f"place({symbol(name)},{one})." for one in entities]
    return lines + [f"kind({symbol(name)})." for name in sorted(look.names & book.classes.keys())]
